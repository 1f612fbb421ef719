package agui

import (
	"errors"
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/document"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// state is the shared state as far as the stream has told it.
type state struct {
	document *document.Document
	known    bool
	set      verifier.Place // of what set it last
}

func (m *machine) stateEvent(e *event.Event) {
	m.closeLane(m.lane)
	if e.Type == baseline.StateSnapshot {
		if v := e.Value(event.Snapshot); v != nil {
			m.setState(v)
		}
		return
	}
	patch := e.Value(event.Delta)
	if !m.state.known || patch == nil || e.Tainted(event.Delta) {
		return
	}
	m.patched(m.state.document, func() error { return m.apply(patch, m.state.document.Apply) }, func(err error) {
		if m.On(rules.StatePatch) {
			m.Blame(rules.StatePatch, verifier.Fault{Entity: "state", Pointer: pointerOf(err, event.Delta), Cause: &m.state.set, Detail: err.Error()})
		}
	})
}

// baseState sets the state that a run begins with; absent is the empty object, and so is the null
// that 1.0 does not allow there.
func (m *machine) baseState(v []byte) {
	if v == nil || string(v) == "null" && !m.version.Early {
		v = []byte("{}")
	}
	m.setState(v)
}

func (m *machine) setState(v []byte) {
	m.state.document = m.document(m.state.document, v)
	m.state.known, m.state.set = m.state.document != nil, *m.Place()
}

// document reads a value into a document, reusing the one that it replaces. It is nil over the limit.
func (m *machine) document(d *document.Document, v []byte) *document.Document {
	var err error
	if d == nil {
		d, err = document.Parse(v, m.limits.DocumentBytes)
	} else {
		m.documentBytes -= d.Size()
		err = d.Set(v)
	}
	if err != nil {
		m.exceed(rules.LimitDocuments, "a document is too big to follow: %v", err)
		return nil
	}
	m.weigh(d.Size())
	return d
}

// weigh accounts for documents growing.
func (m *machine) weigh(bytes int) {
	if m.documentBytes += bytes; m.documentBytes > m.limits.DocumentBytes {
		m.exceed(rules.LimitDocuments, "state and activities take more than %d bytes", m.limits.DocumentBytes)
	}
}

// patched applies a patch and blames it where it does not apply.
func (m *machine) patched(d *document.Document, apply func() error, blame func(error)) {
	before := d.Size()
	err := apply()
	m.weigh(d.Size() - before)
	switch {
	case err == nil:
	case errors.Is(err, document.ErrLimit):
		m.exceed(rules.LimitDocuments, "a patch makes a document bigger than %d bytes", m.limits.DocumentBytes)
	default:
		blame(err)
	}
}

// apply applies a patch. An operation that JSON Patch does not have has been blamed by the structure
// and is passed over; revision 0.x has no structure of patches, so there it fails here.
func (m *machine) apply(patch []byte, apply func([]byte) error) error {
	if m.version.Early {
		if i := event.UnknownOperation(patch); i >= 0 {
			return &document.Error{Op: i, Reason: "JSON Patch has no such operation"}
		}
	}
	return apply(patch)
}

// pointerOf points at the operation that failed.
func pointerOf(err error, f event.Field) string {
	var e *document.Error
	if errors.As(err, &e) {
		return fmt.Sprintf("/%s/%d", f, e.Op)
	}
	return "/" + f.String()
}

func (m *machine) activitySnapshot(e *event.Event) {
	msg := m.message(e.Text(event.MessageID))
	replaces := !e.IsFalse(event.Replace)
	if !replaces && m.On(rules.OwnerActivityKept) && m.disagrees(msg.activityOwner) {
		m.Blame(rules.OwnerActivityKept, verifier.Fault{
			ID: msg.id, Entity: activityEntity(msg),
			Detail: fmt.Sprintf("activity %q belongs to %s, the event names %s and does not replace it", verifier.Shown(msg.id), msg.activityOwner.agent.shown(), m.tag.shown()),
		})
	}
	m.introduce(msg, event.ActivityMessage)
	if replaces || msg.activityOwner.in(m.run) == nil {
		msg.activityOwner.set(m.writer(), m.run)
	}
	if replaces || !msg.known {
		m.setActivity(msg, e.Value(event.Content))
	}
}

func activityEntity(msg *message) string { return fmt.Sprintf("activity %q", verifier.Shown(msg.id)) }

// setActivity gives an activity its content; content that is no object leaves it unknown.
func (m *machine) setActivity(msg *message, content []byte) {
	if !msg.known {
		msg.known = true
		m.activities = append(m.activities, msg)
	}
	if len(content) == 0 || content[0] != '{' {
		m.forgetDocument(msg)
		return
	}
	msg.activity = m.document(msg.activity, content)
}

func (m *machine) forgetDocument(msg *message) {
	if msg.activity != nil {
		m.weigh(-msg.activity.Size())
		msg.activity = nil
	}
}

// dropActivities forgets the activities that the last list left out.
func (m *machine) dropActivities() {
	kept := m.activities[:0]
	for _, msg := range m.activities {
		if msg.activityListed == m.lists {
			kept = append(kept, msg)
			continue
		}
		m.forgetDocument(msg)
		msg.known = false
	}
	clear(m.activities[len(kept):])
	m.activities = kept
}

func (m *machine) activityDelta(e *event.Event) (dropped bool) {
	id := e.Text(event.MessageID)
	msg := m.knownMessage(id)
	if msg != nil && m.On(rules.OwnerActivity) && m.disagrees(msg.activityOwner) && m.Blame(rules.OwnerActivity, verifier.Fault{
		ID: msg.id, Entity: activityEntity(msg),
		Detail: fmt.Sprintf("activity %q belongs to %s, the event names %s", verifier.Shown(msg.id), msg.activityOwner.agent.shown(), m.tag.shown()),
	}) {
		return true
	}
	if msg == nil || !msg.known {
		if m.On(rules.ActivityBaseline) {
			m.Blame(rules.ActivityBaseline, verifier.Fault{
				ID: string(id), Entity: fmt.Sprintf("activity %q", verifier.Shown(string(id))),
				Detail: fmt.Sprintf("activity %q has no snapshot on this stream", verifier.Shown(string(id))),
			})
		}
		return false
	}
	m.patchActivity(e, msg)
	return false
}

func (m *machine) patchActivity(e *event.Event, msg *message) {
	patch := e.Value(event.Patch)
	if msg.activity == nil || patch == nil || e.Tainted(event.Patch) {
		return
	}
	m.patched(msg.activity, func() error { return m.apply(patch, msg.activity.ApplyToObject) }, func(err error) {
		c := rules.ActivityPatch
		if errors.Is(err, document.ErrNotObject) {
			c = rules.ActivityPatchObject
		}
		if m.On(c) {
			m.Blame(c, verifier.Fault{ID: msg.id, Entity: activityEntity(msg), Pointer: pointerOf(err, event.Patch), Detail: err.Error()})
		}
	})
}
