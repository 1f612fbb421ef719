// Package materialise says what an AG-UI stream means: the runs, messages, calls and states that the
// events of one response add up to, and what a consumer holds after them. It reads what profile
// producer takes for legal and never judges: of any other events it gives what it can, and it does not
// panic.
//
// Values are as encoding/json has them: nil, bool, float64, string, []any, map[string]any. A number
// beyond a double is the biggest double. Half a surrogate pair that no delta completes is the three
// bytes that UTF-8 would give it.
package materialise

import (
	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier/scan"
)

// maxDepth is how deep a value may be nested: as deep as the verifier reads by default.
const maxDepth = 512

// A Stream is what the events of one response have said so far. It is not safe for concurrent use.
type Stream struct {
	reader reader
	runs   []*run
	open   bool // the last run is
	known  bool // the request is

	state    *doc
	held     conversation
	openings map[key]*item // open by START
	lanes    lanes
	latest   map[key]*item    // by id, the last opening; of messages all kinds are text
	spans    map[string]owner // open ones
	scanner  scan.Scanner     // of documents that are read back
	read     int              // their bytes
	err      error
}

// A key is what an open item is known by.
type key struct {
	kind kind
	id   string
}

// kind is what is streamed in deltas.
type kind uint8

const (
	text kind = iota
	reasoning
	call
	kinds
)

// New begins a stream that answers a request, given as the JSON of its RunAgentInput; nil where it is
// not known. What is no JSON object counts as not known.
func New(request []byte) *Stream {
	s := &Stream{
		openings: map[key]*item{}, latest: map[key]*item{}, spans: map[string]owner{}, held: newConversation(),
	}
	s.lanes.clear()
	s.stateBegins(nil)
	if e, ok := s.reader.object(request); ok {
		s.known = true
		s.stateBegins(e.raw("state"))
		s.held.extend(e.raw("messages"))
	}
	return s
}

// Read is New with all events of the response, each as its JSON.
func Read(request []byte, events [][]byte) *Stream {
	s := New(request)
	for _, e := range events {
		s.Observe(e)
	}
	return s
}

// Err says why what the stream gives is incomplete; nil where it is not. It is about the kit's own
// limits, never about the producer.
func (s *Stream) Err() error { return s.err }

// Observe takes the next event. Nothing of data is kept.
func (s *Stream) Observe(data []byte) {
	e, ok := s.reader.event(data)
	switch {
	case !ok:
	case e.kind == baseline.RunStarted:
		s.runStarted(e)
	case e.kind == baseline.RunError:
		s.runError(e)
	case s.open:
		s.inRun(e)
	}
}

// inRun takes an event that only an open run may have.
func (s *Stream) inRun(e *event) {
	switch e.kind {
	case baseline.RunFinished:
		s.runFinished(e)
	case baseline.TextMessageStart:
		s.start(e, text)
	case baseline.ReasoningMessageStart:
		s.start(e, reasoning)
	case baseline.ToolCallStart:
		s.start(e, call)
	case baseline.TextMessageContent, baseline.TextMessageEnd:
		s.goOn(e, text)
	case baseline.ReasoningMessageContent, baseline.ReasoningMessageEnd:
		s.goOn(e, reasoning)
	case baseline.ToolCallArgs, baseline.ToolCallEnd:
		s.goOn(e, call)
	case baseline.TextMessageChunk:
		s.chunk(e, text)
	case baseline.ReasoningMessageChunk:
		s.chunk(e, reasoning)
	case baseline.ToolCallChunk:
		s.chunk(e, call)
	case baseline.ToolCallResult:
		s.result(e)
	case baseline.ReasoningEncryptedValue:
		s.encryptedValue(e)
	case baseline.ActivitySnapshot:
		s.activitySnapshot(e)
	case baseline.ActivityDelta:
		s.activityDelta(e)
	case baseline.MessagesSnapshot:
		s.messagesSnapshot(e)
	case baseline.SubagentStarted:
		s.subagentStarted(e)
	case baseline.SubagentFinished, baseline.SubagentError:
		s.subagentEnds(e)
	case baseline.Raw:
		s.raw(e)
	default:
		s.inLane(e)
	}
}

// inLane takes an event that is nothing to go on with, and yet ends the chunk item of its lane.
func (s *Stream) inLane(e *event) {
	var take func(*event)
	switch e.kind {
	case baseline.StateSnapshot:
		take = s.stateSnapshot
	case baseline.StateDelta:
		take = s.stateDelta
	case baseline.StepStarted, baseline.StepFinished:
		take = s.step
	case baseline.ReasoningStart, baseline.ReasoningEnd:
		take = s.span
	case baseline.Custom:
		take = s.custom
	default:
		return // a type that nobody knows is as if it were not there
	}
	s.lanes.close(e.owner())
	take(e)
}
