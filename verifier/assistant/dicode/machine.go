// Package dicode judges the provider stream of di-code as its own validator does: its rules in its order,
// and every error drops the event, so that the stream is as if the event had not come.
//
// The original is JavaScript and checks no types. What a recording can show of that is kept: a delta that
// is missing or no string is appended as its text, members of what is no object are undefined, and equality
// is ===. One thing is not: the original keeps the caller's arguments object, which may change later.
package dicode

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/value"
)

// A Machine is the state of one stream.
type Machine struct {
	*verifier.Engine
	limits verifier.Limits

	phase   phase
	started verifier.Place
	ended   verifier.Place
	active  *active
	done    []completed // by index
	spare   active
	scratch []byte
	values  value.Digester
}

type phase uint8

const (
	idle phase = iota
	streaming
	terminal
)

// active is the block that is open.
type active struct {
	kind     event.Block
	opener   verifier.Place
	text     []byte // joined deltas
	id, name []byte // of a call, as JSON; empty: undefined
	heard    bool
	// unjudged is set by a delta that is an array or object: what JavaScript makes of it is not followed.
	unjudged bool
}

// completed is what is left of a block that has ended. Of an unjudged one the text or the arguments may
// be any.
type completed struct {
	kind     event.Block
	unjudged bool
	undef    bool      // id or name of a call were undefined: no message can say so
	sum      value.Sum // of the text, or of the arguments
	id, name value.Sum
}

// completedCost is what a block costs for good.
const completedCost = 128

// maxSpareBytes is how big the memory may be that is kept for the next block.
const maxSpareBytes = 64 << 10

// New returns a machine that blames by an engine.
func New(e *verifier.Engine, l verifier.Limits) *Machine { return &Machine{Engine: e, limits: l} }

// Observe judges one decoded event and applies what it leaves behind.
func (m *Machine) Observe(e *event.Event) {
	if m.structure(e) || e.Op == event.None && !isUnknown(e) || m.sequence(e) {
		return
	}
	switch e.Op {
	case event.Start:
		m.phase, m.started = streaming, *m.Place()
	case event.BlockStart:
		m.blockStart(e)
	case event.BlockDelta:
		m.blockDelta(e)
	case event.BlockEnd:
		m.blockEnd(e)
	case event.Done, event.Error:
		m.terminal(e)
	}
}

// structure blames what is wrong with the event by itself and reports whether that drops it. An unknown
// type has its place behind the phase.
func (m *Machine) structure(e *event.Event) (drops bool) {
	for i := range e.Faults {
		f := &e.Faults[i]
		if f.Clause == rules.UnknownEventType {
			continue
		}
		if m.On(f.Clause) && m.Blame(f.Clause, verifier.Fault{Pointer: f.Pointer, Detail: f.Detail}) {
			return true
		}
	}
	return false
}

// sequence blames an event that may not come in this phase, or at all, and reports whether that drops it.
func (m *Machine) sequence(e *event.Event) (drops bool) {
	switch {
	case m.phase == idle && e.Op != event.Start:
		if m.On(rules.FirstEvent) {
			return m.Blame(rules.FirstEvent, verifier.Fault{Detail: "the first event is not start"})
		}
	case m.phase == terminal:
		if m.On(rules.StreamEnded) {
			return m.Blame(rules.StreamEnded, verifier.Fault{
				Entity: "end of stream", Cause: &m.ended, Detail: fmt.Sprintf("the stream has ended at event %d", m.ended.Index),
			})
		}
	case m.phase == streaming && e.Op == event.Start:
		if m.On(rules.DuplicateStreamStart) {
			m.Blame(rules.DuplicateStreamStart, verifier.Fault{Entity: "stream", Cause: &m.started, Detail: fmt.Sprintf("the stream of event %d goes on", m.started.Index)})
		}
		return true
	}
	if e.Op == event.None && m.On(rules.UnknownEventType) {
		f := e.Faults[len(e.Faults)-1]
		m.Blame(f.Clause, verifier.Fault{Pointer: f.Pointer, Detail: f.Detail})
	}
	return e.Op == event.None
}

// isUnknown reports whether an event has a type, but none that is known.
func isUnknown(e *event.Event) bool {
	n := len(e.Faults)
	return n > 0 && e.Faults[n-1].Clause == rules.UnknownEventType
}

// isIndex reports whether the index of an event is a number, and that one.
func isIndex(e *event.Event, want int) bool {
	n, ok := value.Index(e.Value(event.ContentIndex))
	return ok && n == want
}

// given shows the index of an event.
func given(e *event.Event) string {
	if v := e.Value(event.ContentIndex); v != nil {
		return verifier.Shown(string(v))
	}
	return "undefined"
}

// entity names the block that is open, or the next.
func (m *Machine) entity() string { return "block " + strconv.Itoa(len(m.done)) }

func (m *Machine) blockStart(e *event.Event) {
	if a := m.active; m.On(rules.BlockOverlap) && a != nil {
		m.Blame(rules.BlockOverlap, verifier.Fault{
			Entity: m.entity(), Cause: &a.opener, Detail: fmt.Sprintf("a %s starts while the %s of event %d is open", e.Block, a.kind, a.opener.Index),
		})
		return
	}
	if m.On(rules.IndexGap) && !isIndex(e, len(m.done)) {
		m.Blame(rules.IndexGap, verifier.Fault{
			Entity: m.entity(), Pointer: e.Pointer(event.ContentIndex), Detail: fmt.Sprintf("a %s starts at index %s; the next is %d", e.Block, given(e), len(m.done)),
		})
		return
	}
	a := &m.spare
	*a = active{kind: e.Block, opener: *m.Place(), text: a.text[:0], id: a.id[:0], name: a.name[:0]}
	if e.Block == event.ToolCall {
		a.id, a.name = append(a.id, e.Value(event.ID)...), append(a.name, e.Value(event.Name)...)
	}
	m.active = a
	m.count()
}

// count accounts for the text of the open block.
func (m *Machine) count() {
	if a := m.active; len(a.text)+len(a.id)+len(a.name) > m.limits.TextBytes {
		m.exceed(rules.LimitText, "the text of what is open takes more than %d bytes", m.limits.TextBytes)
	}
}

func (m *Machine) exceed(c verifier.ClauseID, format string, args ...any) {
	m.Blame(c, verifier.Fault{Detail: fmt.Sprintf(format, args...)})
}

var notOpen = [...]verifier.ClauseID{event.Text: rules.NotOpenText, event.Thinking: rules.NotOpenThinking, event.ToolCall: rules.NotOpenToolCall}

// open returns the active block where an event continues or ends it, and blames the event where it does not.
func (m *Machine) open(e *event.Event) *active {
	a := m.active
	if a == nil || a.kind != e.Block {
		if c := notOpen[e.Block]; m.On(c) {
			f := verifier.Fault{Entity: m.entity(), Detail: fmt.Sprintf("%s without an open %s", e.Type, e.Block)}
			if a != nil {
				f.Cause, f.Detail = &a.opener, fmt.Sprintf("%s while a %s is open", e.Type, a.kind)
			}
			m.Blame(c, f)
		}
		return nil
	}
	if m.On(rules.WrongIndex) && !isIndex(e, len(m.done)) {
		m.Blame(rules.WrongIndex, verifier.Fault{
			Entity: m.entity(), Cause: &a.opener, Pointer: e.Pointer(event.ContentIndex),
			Detail: fmt.Sprintf("%s for index %s; the open %s has %d", e.Type, given(e), a.kind, len(m.done)),
		})
		return nil
	}
	return a
}

func (m *Machine) blockDelta(e *event.Event) {
	if a := m.open(e); a != nil {
		a.heard = true
		m.join(a, e.Value(event.Delta))
		m.count()
	}
}

// join appends a delta as JavaScript's + does.
func (m *Machine) join(a *active, delta []byte) {
	if delta == nil {
		a.text = append(a.text, "undefined"...)
		return
	}
	switch scan.KindOf(delta[0]) {
	case '"':
		a.text = value.AppendText(a.text, delta)
	case '0':
		a.text = value.AppendNumber(a.text, delta)
	case '[', '{':
		a.unjudged = true
	default:
		a.text = append(a.text, delta...)
	}
}

func (m *Machine) blockEnd(e *event.Event) {
	a := m.open(e)
	if a == nil {
		return
	}
	c, ok := completed{}, false
	if a.kind == event.ToolCall {
		c, ok = m.callEnd(e, a)
	} else {
		c, ok = m.textEnd(e, a)
	}
	if !ok {
		return
	}
	m.done, m.active = append(m.done, c), nil
	if cap(a.text) > maxSpareBytes {
		a.text = nil
	}
	if len(m.done)*completedCost > m.limits.IDBytes {
		m.exceed(rules.LimitIDs, "the blocks to remember take more than %d bytes", m.limits.IDBytes)
	}
}

func (m *Machine) textEnd(e *event.Event, a *active) (c completed, ok bool) {
	content := e.Text(event.Content)
	said := m.text(content)
	id := rules.ContentMismatchText
	if a.kind == event.Thinking {
		id = rules.ContentMismatchThinking
	}
	if m.On(id) && !a.unjudged && (content == nil || string(said) != string(a.text)) {
		m.Blame(id, verifier.Fault{
			Entity: m.entity(), Cause: &a.opener, Pointer: e.Pointer(event.Content),
			Detail: fmt.Sprintf("the %s ends with another text than the %d bytes that its deltas came to", a.kind, len(a.text)),
		})
		return c, false
	}
	return completed{kind: a.kind, unjudged: a.unjudged, sum: value.DigestText(a.text)}, true
}

// text decodes a JSON string; nil for none. It is valid until the next call.
func (m *Machine) text(quoted []byte) []byte {
	if quoted == nil {
		return nil
	}
	m.scratch = value.AppendText(m.scratch[:0], quoted)
	return m.scratch
}

// Finish judges the end of the stream, at the place behind its last event.
func (m *Machine) Finish() {
	if m.phase == terminal || !m.On(rules.Truncated) {
		return
	}
	f := verifier.Fault{Entity: "end of stream", Detail: "the stream ends before it has begun"}
	if m.phase == streaming {
		f.Cause, f.Detail = &m.started, "the stream ends without done or error"
	}
	m.Blame(rules.Truncated, f)
}

// Open lists the open block, for Engine.Dump.
func (m *Machine) Open() []verifier.Item {
	if m.active == nil {
		return nil
	}
	return []verifier.Item{{Kind: m.active.kind.String(), ID: strconv.Itoa(len(m.done)), Parent: true, Opener: m.active.opener.Index}}
}

// terminal judges done and error.
func (m *Machine) terminal(e *event.Event) {
	message := e.Value(event.Message)
	failed := e.Op == event.Error
	if a := m.active; m.On(rules.OpenAtDone) && !failed && a != nil {
		m.Blame(rules.OpenAtDone, verifier.Fault{Entity: m.entity(), Cause: &a.opener, Detail: fmt.Sprintf("the %s of event %d is still open", a.kind, a.opener.Index)})
		return
	}
	reason, stop := e.Value(event.Reason), scan.Member(message, "stopReason")
	if m.On(rules.ReasonMismatch) && !same(reason, stop) {
		m.Blame(rules.ReasonMismatch, verifier.Fault{
			Entity: "reason", Pointer: e.Pointer(event.Reason), Detail: fmt.Sprintf("the reason is %s, the stopReason of the message %s", shown(reason), shown(stop)),
		})
		return
	}
	m.judgeReason(e, failed)
	c := rules.FinalContent
	if failed {
		c = rules.PartialContent
	}
	if m.On(c) {
		if detail := m.unlike(scan.Member(message, "content"), failed); detail != "" {
			m.Blame(c, verifier.Fault{Entity: "content", Pointer: e.Pointer(event.Message) + "/content", Detail: detail})
			return
		}
	}
	m.phase, m.ended = terminal, *m.Place()
}

func (m *Machine) judgeReason(e *event.Event, failed bool) {
	reason := e.Text(event.Reason)
	legal := pi.DiCodeDoneReasons()
	if failed {
		legal = pi.ErrorReasons()
	}
	if m.On(rules.BadReason) && reason != nil && !slices.Contains(legal, string(m.text(reason))) {
		m.Blame(rules.BadReason, verifier.Fault{Entity: "reason", Pointer: e.Pointer(event.Reason), Detail: fmt.Sprintf("%s is not one of %q", shown(reason), legal)})
	}
}

// same is ===, of values that stand in two places: two objects are never the same one.
func same(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return a[0] != '{' && a[0] != '[' && value.Equal(a, b)
}

func shown(v []byte) string {
	if len(v) == 0 {
		return "undefined"
	}
	return verifier.Shown(string(v))
}
