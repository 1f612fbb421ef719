package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync"

	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/types"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/encoding/sse"
)

// refused is the code of a run that ends because the SDK refused a call.
const refused = "conformance-sdk-refused"

// An agent plays one script. Labels are ids: the SDK's constructors take them.
type agent struct {
	request context.Context
	to      http.ResponseWriter
	writer  *sse.SSEWriter
	input   types.RunAgentInput
	gates   *gates

	mu   sync.Mutex // the response takes one call at a time
	err  error      // the first; nothing is said after it
	over context.Context
	stop context.CancelFunc // makes it over
}

func newAgent(q *http.Request, w http.ResponseWriter, input types.RunAgentInput, g *gates) *agent {
	// The writer logs what it refuses; the stream says it too.
	writer := sse.NewSSEWriter().WithLogger(slog.New(slog.DiscardHandler))
	a := &agent{request: q.Context(), to: w, writer: writer, input: input, gates: g}
	a.over, a.stop = context.WithCancel(q.Context())
	return a
}

// say sends an event. The SDK checks, encodes, frames and flushes it.
func (a *agent) say(event events.Event) {
	a.call(func() error { return a.writer.WriteEvent(a.request, a.to, event) })
}

// call makes one call into the SDK, unless the run is over. Its error ends the run.
func (a *agent) call(sdk func() error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err != nil {
		return
	}
	if a.err = sdk(); a.err != nil {
		a.stop()
	}
}

// end makes err what the run ends with.
func (a *agent) end(err error) { a.call(func() error { return err }) }

// run plays the script. The SDK has no driver: the events at the boundaries are sent from here.
func (a *agent) run(script []Action) {
	defer a.stop()
	a.play(script)
	var fail *Fail
	if errors.As(a.err, &fail) {
		a.err = nil
		a.say(runError(fail))
	}
	if text := a.err; text != nil {
		a.err = nil // if the client is gone, it is again soon
		a.say(events.NewRunErrorEvent(text.Error(), events.WithErrorCode(refused)))
	}
}

func (a *agent) play(script []Action) {
	for len(script) > 0 && script[0].Replay != nil {
		a.replay(script[0].Replay)
		script = script[1:]
	}
	if len(script) == 1 && script[0].Fail != nil && script[0].Fail.Early {
		a.end(script[0].Fail)
		return
	}
	a.say(events.NewRunStartedEvent(a.input.ThreadID, a.input.RunID))
	a.do(script)
	if n := len(script); n == 0 || script[n-1].Finish == nil && script[n-1].Interrupt == nil {
		a.finish(&Finish{})
	}
}

func (a *agent) do(actions []Action) {
	for i := range actions {
		a.act(&actions[i])
	}
}

func (a *agent) act(x *Action) {
	switch {
	case x.Text != nil:
		a.text(x.Text)
	case x.ToolCall != nil:
		a.toolCall(x.ToolCall)
	case x.ToolResult != nil:
		a.say(events.NewToolCallResultEvent(x.ToolResult.ID, x.ToolResult.Call, x.ToolResult.Content))
	case x.Reasoning != nil:
		a.reasoning(x.Reasoning)
	case x.Step != nil:
		a.say(events.NewStepStartedEvent(x.Step.Name))
		a.do(x.Step.Do)
		a.say(events.NewStepFinishedEvent(x.Step.Name))
	case x.Parallel != nil:
		a.parallel(x.Parallel.Branches)
	case x.StateSnapshot != nil:
		a.say(events.NewStateSnapshotEvent(x.StateSnapshot.Snapshot))
	case x.StateDelta != nil:
		a.say(events.NewStateDeltaEvent(x.StateDelta.Patch))
	case x.MessagesSnapshot != nil:
		a.say(events.NewMessagesSnapshotEvent(x.MessagesSnapshot.Messages))
	case x.Activity != nil:
		a.activity(x.Activity)
	case x.ActivityDelta != nil:
		a.say(events.NewActivityDeltaEvent(x.ActivityDelta.ID, x.ActivityDelta.Type, x.ActivityDelta.Patch))
	case x.Custom != nil:
		a.say(events.NewCustomEvent(x.Custom.Name, events.WithValue(x.Custom.Value)))
	case x.Raw != nil:
		event := events.NewRawEvent(x.Raw.Event)
		event.Source = x.Raw.Source
		a.say(event)
	case x.Emit != nil:
		a.emit(x.Emit.Event)
	case x.Echo != nil:
		a.echo(x.Echo.Pointer)
	case x.Gate != nil:
		a.gate(x.Gate.Name)
	case x.Finish != nil:
		a.finish(x.Finish)
	case x.Interrupt != nil:
		a.say(events.NewRunFinishedEventWithOptions(a.input.ThreadID, a.input.RunID,
			events.WithInterruptOutcome(x.Interrupt.Interrupts)))
	case x.Fail != nil:
		a.end(x.Fail)
	}
}

// stream sends each delta as the event that content makes of it, and does the actions in between.
func (a *agent) stream(pieces []Piece, content func(delta string) events.Event) {
	for _, piece := range pieces {
		if piece.Action != nil {
			a.act(piece.Action)
		} else {
			a.say(content(piece.Delta))
		}
	}
}

func (a *agent) text(t *Text) {
	if t.Form == chunks {
		role := t.Role
		a.stream(t.Stream, func(delta string) events.Event {
			chunk := events.NewTextMessageChunkEvent(&t.ID, role, &delta)
			role = nil // the first chunk describes the message
			return chunk
		})
	} else {
		start := events.NewTextMessageStartEvent(t.ID)
		start.Role = t.Role
		a.say(start)
		a.stream(t.Stream, func(delta string) events.Event { return events.NewTextMessageContentEvent(t.ID, delta) })
		a.say(events.NewTextMessageEndEvent(t.ID))
	}
	a.encrypted(events.ReasoningEncryptedValueSubtypeMessage, t.ID, t.EncryptedValue)
}

func (a *agent) toolCall(c *ToolCall) {
	if c.Form == chunks {
		name, parent := &c.Name, c.Parent
		a.stream(c.Stream, func(delta string) events.Event {
			chunk := events.NewToolCallChunkEvent().WithToolCallChunkID(c.ID).WithToolCallChunkDelta(delta)
			chunk.ToolCallName, chunk.ParentMessageID = name, parent
			name, parent = nil, nil // the first chunk describes the call
			return chunk
		})
	} else {
		start := events.NewToolCallStartEvent(c.ID, c.Name)
		start.ParentMessageID = c.Parent
		a.say(start)
		a.stream(c.Stream, func(delta string) events.Event { return events.NewToolCallArgsEvent(c.ID, delta) })
		a.say(events.NewToolCallEndEvent(c.ID))
	}
	a.encrypted(events.ReasoningEncryptedValueSubtypeToolCall, c.ID, c.EncryptedValue)
}

func (a *agent) reasoning(r *Reasoning) {
	if r.Span != nil {
		a.say(events.NewReasoningStartEvent(*r.Span))
	}
	for _, m := range r.Messages {
		if r.Form == chunks {
			a.stream(m.Stream, func(delta string) events.Event { return events.NewReasoningMessageChunkEvent(&m.ID, &delta) })
		} else {
			a.say(events.NewReasoningMessageStartEvent(m.ID, string(types.RoleReasoning)))
			a.stream(m.Stream, func(delta string) events.Event { return events.NewReasoningMessageContentEvent(m.ID, delta) })
			a.say(events.NewReasoningMessageEndEvent(m.ID))
		}
		a.encrypted(events.ReasoningEncryptedValueSubtypeMessage, m.ID, m.EncryptedValue)
	}
	if r.Span != nil {
		a.say(events.NewReasoningEndEvent(*r.Span))
	}
}

// encrypted says the encrypted value of a message or call that has one.
func (a *agent) encrypted(subtype events.ReasoningEncryptedValueSubtype, id string, value *string) {
	if value != nil {
		a.say(events.NewReasoningEncryptedValueEvent(subtype, id, *value))
	}
}

// parallel does each branch on a goroutine of its own.
func (a *agent) parallel(branches [][]Action) {
	var all sync.WaitGroup
	for _, branch := range branches {
		all.Go(func() { a.do(branch) })
	}
	all.Wait()
}

func (a *agent) activity(x *Activity) {
	event := events.NewActivitySnapshotEvent(x.ID, x.Type, x.Content)
	if x.Replace != nil {
		event.WithReplace(*x.Replace)
	}
	a.say(event)
}

// emit sends an event past the SDK's types, by the writer's call for bytes.
func (a *agent) emit(event map[string]any) {
	a.call(func() error {
		data, err := json.Marshal(event)
		if err != nil {
			return err
		}
		return a.writer.WriteBytes(a.request, a.to, data)
	})
}

// echo says what the input holds at a pointer.
func (a *agent) echo(pointer string) {
	value, present, err := lookUp(a.input, pointer)
	said := map[string]any{"present": present}
	if present {
		said["value"] = value
	}
	a.end(err)
	a.say(events.NewCustomEvent("conformance.echo", events.WithValue(said)))
}

func (a *agent) gate(name string) {
	a.end(a.gates.wait(a.over, a.input.RunID+"/"+name))
}

// replay says an earlier run of the thread, with its own boundary events.
func (a *agent) replay(r *Replay) {
	a.say(events.NewRunStartedEvent(a.input.ThreadID, r.Run))
	a.do(r.Do)
	if r.Error != nil {
		a.say(runError(r.Error))
	} else {
		a.say(events.NewRunFinishedEvent(a.input.ThreadID, r.Run))
	}
}

func (a *agent) finish(f *Finish) {
	event := events.NewRunFinishedEventWithOptions(a.input.ThreadID, a.input.RunID, events.WithSuccessOutcome())
	event.Result = f.Result
	a.say(event)
}

func runError(f *Fail) *events.RunErrorEvent {
	event := events.NewRunErrorEvent(f.Message)
	event.Code = f.Code
	return event
}
