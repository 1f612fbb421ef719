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
	held
	set verifier.Place // of what set it last
}

// held is a document as it was given, until the first delta for it comes: most are only ever
// replaced, and giving one costs no more than a copy of its bytes.
type held struct {
	known   bool
	raw     []byte             // its JSON, where patched is not set
	parsed  *document.Document // may be of an earlier value where patched is not set
	patched bool
}

// size is how many bytes the document takes as JSON.
func (h *held) size() int {
	switch {
	case !h.known:
		return 0
	case h.patched:
		return h.parsed.Size()
	}
	return len(h.raw)
}

// maxSpareRaw is the largest buffer that is kept for the next value.
const maxSpareRaw = 64 << 10

// document returns the document for patching.
func (h *held) document(limit int) (d *document.Document, err error) {
	if h.patched {
		return h.parsed, nil
	}
	if h.parsed == nil {
		h.parsed, err = document.Parse(h.raw, limit)
	} else {
		err = h.parsed.Set(h.raw)
	}
	if h.patched = err == nil; h.patched && cap(h.raw) > maxSpareRaw {
		h.raw = nil
	}
	return h.parsed, err
}

func (m *machine) stateEvent(e *event.Event) {
	m.closeLane(m.lane)
	if e.Type == baseline.StateSnapshot {
		if v := e.Value(event.Snapshot); v != nil {
			m.setState(v)
		} else {
			m.forget(&m.state.held) // its snapshot is at fault: what it is now nobody knows
		}
		return
	}
	patch := e.Value(event.Delta)
	if !m.state.known || patch == nil || e.Tainted(event.Delta) {
		return
	}
	if err := m.apply(&m.state.held, patch, (*document.Document).Apply); err != nil && m.On(rules.StatePatch) {
		m.Blame(rules.StatePatch, verifier.Fault{Entity: "state", Pointer: pointerOf(err, event.Delta), Cause: &m.state.set, Detail: err.Error()})
	}
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
	m.give(&m.state.held, v)
	m.state.set = *m.Place()
}

// give replaces a document.
func (m *machine) give(h *held, v []byte) {
	before := h.size()
	h.known, h.patched, h.raw = true, false, append(h.raw[:0], v...)
	m.weigh(h.size() - before)
}

// forget makes a document unknown.
func (m *machine) forget(h *held) {
	m.weigh(-h.size())
	*h = held{}
}

// weigh accounts for documents growing.
func (m *machine) weigh(bytes int) {
	if m.documentBytes += bytes; m.documentBytes > m.limits.DocumentBytes {
		m.exceed(rules.LimitDocuments, "state and activities take more than %d bytes", m.limits.DocumentBytes)
	}
}

// apply applies a patch and returns why it does not apply. An operation that JSON Patch does not have
// has been blamed by the structure and is passed over; revision 0.x has no structure of patches, so
// there it fails here.
func (m *machine) apply(h *held, patch []byte, apply func(*document.Document, []byte) error) error {
	if m.version.Early {
		if i := event.UnknownOperation(patch); i >= 0 {
			return &document.Error{Op: i, Reason: "JSON Patch has no such operation"}
		}
	}
	before := h.size()
	d, err := h.document(m.limits.DocumentBytes)
	if err == nil {
		err = apply(d, patch)
	}
	m.weigh(h.size() - before)
	if errors.Is(err, document.ErrLimit) {
		m.exceed(rules.LimitDocuments, "a patch makes a document bigger than %d bytes", m.limits.DocumentBytes)
		return nil
	}
	return err
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
		m.forget(&msg.activity)
		return
	}
	m.give(&msg.activity, content)
}

// dropActivities forgets the activities that the last list left out.
func (m *machine) dropActivities() {
	kept := m.activities[:0]
	for _, msg := range m.activities {
		if msg.activityListed == m.lists {
			kept = append(kept, msg)
			continue
		}
		m.forget(&msg.activity)
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
	if !msg.activity.known || patch == nil || e.Tainted(event.Patch) {
		return
	}
	err := m.apply(&msg.activity, patch, (*document.Document).ApplyToObject)
	if err == nil {
		return
	}
	c := rules.ActivityPatch
	if errors.Is(err, document.ErrNotObject) {
		c = rules.ActivityPatchObject
	}
	if m.On(c) {
		m.Blame(c, verifier.Fault{ID: msg.id, Entity: activityEntity(msg), Pointer: pointerOf(err, event.Patch), Detail: err.Error()})
	}
}
