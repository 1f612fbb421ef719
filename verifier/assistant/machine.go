package assistant

import "github.com/agentstream/conformance/verifier"

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
type Machine struct {
	engine *verifier.Engine
}

// NewMachine returns a machine that blames by an engine whose table has the rules of package rules under
// their ids. The profile is the name of a release: baseline/pi has them.
func NewMachine(e *verifier.Engine, profile string, l verifier.Limits) *Machine {
	return &Machine{engine: e}
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
func (m *Machine) Start() {}

// Update judges one event of an embedded stream and applies what it leaves behind. The event is valid
// JSON, without two members of one name; pointer is where it stands in its record. Of Start and Terminal
// nothing is judged, as of what is no object: which of them a record may carry is for the caller to say.
// The event's bytes are not kept.
func (m *Machine) Update(event []byte, pointer string) Kind { return NoKind }

// End judges the message that ends an embedded stream, which plays done or error by its stopReason, and
// forgets the stream. The message is a valid JSON object of role assistant; its own shape is for the
// caller to judge, but for the values of stopReason, which are bad-reason here. Content that is not what
// was streamed is a warning, and is looked at only where there was an update: an extension may replace a
// message, and a failure may have text that nothing streamed.
func (m *Machine) End(message []byte, pointer string) {}

// Updated reports whether an embedded stream has had an event since Start that was not dropped.
func (m *Machine) Updated() bool { return false }

// Forget ends an embedded stream without judging its end.
func (m *Machine) Forget() {}

// Open lists the open blocks, for Engine.Dump.
func (m *Machine) Open() []verifier.Item { return nil }
