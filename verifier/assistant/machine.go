package assistant

import (
	"fmt"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A Machine is the state of one provider stream of the pi family: which blocks there are, which of them
// are open and what their deltas came to. A Verifier has one. A session, which carries such streams inside
// its records, has one too and gives it the stream of each assistant message in turn:
//
//	m.Start()                                         at message_start of an assistant message
//	m.Update(event, "/assistantMessageEvent")         at each message_update
//	m.End(message, "/message")                        at message_end
//
// All blame goes to the engine, at the record that it is judging; so Start, Update and End stand between
// the engine's Begin and the next. Clauses are those of package rules, which a session's table has under
// the same ids.
//
// Invariant: an event that was dropped has changed nothing that a rule reads.
type Machine struct {
	*verifier.Engine
	limits  verifier.Limits
	decoder *event.Decoder // of embedded events
	reasons []string       // of done

	phase   phase
	started verifier.Place
	ended   verifier.Place
	updated bool    // an embedded stream has had an event
	blocks  []block // by index
	open    int     // how many of them are
	doubts  int     // how many of them may have been redacted
	bytes   int     // joined text of what is open
	spare   []*draft
	scratch []byte
	values  value.Digester
}

// phase is where a stream stands.
type phase uint8

const (
	idle phase = iota
	streaming
	ended
)

// NewMachine returns a machine that blames by an engine whose table has the rules of package rules under
// their ids. The profile is the name of a release: baseline/pi has them. Limits that are zero have their
// defaults.
func NewMachine(e *verifier.Engine, profile string, l verifier.Limits) *Machine {
	l = l.OrDefault()
	return &Machine{Engine: e, limits: l, decoder: event.NewDecoder(event.Pi(profile), l.Depth), reasons: pi.DoneReasons(profile)}
}

// A Kind says what an event of the stream is for.
type Kind uint8

// The kinds.
const (
	NoKind   Kind = iota // an unknown type, or no type at all
	Start                // start
	Block                // opens, continues or ends a block
	Terminal             // done, error
)

// Start begins an embedded stream at the record being judged: it needs no start event. What was left of
// another stream is forgotten.
func (m *Machine) Start() {
	m.Forget()
	m.phase, m.started = streaming, *m.Place()
}

// Update judges one event of an embedded stream and applies what it leaves behind. The event is valid
// JSON, without two members of one name; pointer is where it stands in its record. Of Start and Terminal
// nothing is judged, as of what is no object: which of them a record may carry is for the caller to say.
// The event's bytes are not kept.
func (m *Machine) Update(data []byte, pointer string) Kind {
	m.updated = true
	e := m.decoder.Embedded(data, pointer)
	switch e.Op {
	case event.Start:
		return Start
	case event.Done, event.Error:
		return Terminal
	case event.None:
		m.structure(e)
		return NoKind
	}
	m.observe(e)
	return Block
}

// End judges the message that ends an embedded stream, which plays done or error by its stopReason, and
// forgets the stream. The message is valid JSON of role assistant; its own shape is for the caller to
// judge, but for the values of stopReason, which are bad-reason here. Content that is not what was
// streamed is a warning, and is looked at only where there was an update: an extension may replace a
// message, and a failure may have text that nothing streamed.
func (m *Machine) End(message []byte, pointer string) {
	m.end(message, pointer)
	m.Forget()
}

// Updated reports whether an embedded stream has had an event since Start.
func (m *Machine) Updated() bool { return m.updated }

// Forget ends an embedded stream without judging its end.
func (m *Machine) Forget() {
	for i := range m.blocks {
		if d := m.blocks[i].draft; d != nil {
			m.release(d)
		}
	}
	m.phase, m.updated = idle, false
	m.blocks, m.open, m.doubts, m.bytes = m.blocks[:0], 0, 0, 0
}

// observe judges one decoded event and applies what it leaves behind.
func (m *Machine) observe(e *event.Event) {
	if m.structure(e) || e.Op == event.None || m.sequence(e) {
		return
	}
	if !m.transition(e) && m.doubts > 0 {
		m.seeRedacted(e.Value(event.Partial))
	}
}

// transition judges an event in a phase where it may come and applies it unless it is dropped.
func (m *Machine) transition(e *event.Event) (dropped bool) {
	switch e.Op {
	case event.Start:
		m.start()
	case event.BlockStart:
		return m.blockStart(e)
	case event.BlockDelta:
		return m.blockDelta(e)
	case event.BlockEnd:
		return m.blockEnd(e)
	default:
		m.terminal(e)
	}
	return false
}

// structure blames what is wrong with the event by itself and reports whether that drops it. The first
// code that drops ends the judging; faults are in order of precedence.
func (m *Machine) structure(e *event.Event) (drops bool) {
	for i := range e.Faults {
		f := &e.Faults[i]
		if m.On(f.Clause) && m.Blame(f.Clause, verifier.Fault{Pointer: f.Pointer, Detail: f.Detail}) {
			return true
		}
	}
	return false
}

// sequence blames an event that may not come in this phase and reports whether that drops it.
func (m *Machine) sequence(e *event.Event) (drops bool) {
	switch {
	case m.phase == ended:
		return m.On(rules.StreamEnded) && m.Blame(rules.StreamEnded, verifier.Fault{
			Entity: "end of stream", Cause: &m.ended, Detail: fmt.Sprintf("%s after the end of the stream at event %d", e.Type, m.ended.Index),
		})
	case m.phase == idle && e.Op != event.Start && e.Op != event.Error:
		return m.On(rules.FirstEvent) && m.Blame(rules.FirstEvent, verifier.Fault{Detail: e.Type + " before start"})
	}
	return false
}

// start begins the stream. A second start says nothing new: the stream goes on.
func (m *Machine) start() {
	if m.phase == streaming {
		if m.On(rules.DuplicateStreamStart) {
			m.Blame(rules.DuplicateStreamStart, verifier.Fault{Entity: "stream", Cause: &m.started, Detail: fmt.Sprintf("the stream of event %d goes on", m.started.Index)})
		}
		return
	}
	m.phase, m.started = streaming, *m.Place()
}

// finish judges the end of the stream, at the place behind its last event.
func (m *Machine) finish() {
	if !m.On(rules.Truncated) || m.phase == ended {
		return
	}
	f := verifier.Fault{Entity: "end of stream", Detail: "the stream ends before it has begun"}
	if m.phase == streaming {
		f.Cause, f.Detail = &m.started, "the stream ends without done or error"+m.listOpen("; still open: ")
	}
	m.Blame(rules.Truncated, f)
}

// exceed blames a limit: judging ends here.
func (m *Machine) exceed(c verifier.ClauseID, format string, args ...any) {
	m.Blame(c, verifier.Fault{Detail: fmt.Sprintf(format, args...)})
}

// text decodes a JSON string. It is valid until the next call.
func (m *Machine) text(quoted []byte) []byte {
	m.scratch = value.AppendText(m.scratch[:0], quoted)
	return m.scratch
}
