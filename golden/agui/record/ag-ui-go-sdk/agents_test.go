package server

import (
	"context"
	"errors"
	"fmt"

	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/types"
)

var agents = map[string]func(*stream){
	"text": func(s *stream) {
		s.start()
		s.message("Grüezi", " from", " Zürich", ": 21 °C", " & sunny ☀️ 🏔")
		s.finish()
	},
	"long-text": longText,
	"cancelled": longText,
	"empty-answer": func(s *stream) {
		s.start()
		s.message()
		s.finish()
	},
	"at-once-1": func(s *stream) { count(s, "one") },
	"at-once-2": func(s *stream) { count(s, "two") },
	"at-once-3": func(s *stream) { count(s, "three") },
	// Cut between code points, never inside one: families, flags, combining marks, a right-to-left word, a line separator.
	"unicode": func(s *stream) {
		s.start()
		s.message("👩", "\u200d", "👧", " 🇨", "🇭", " e", "\u0301", " שלום", "\u2028", "\\n \"<&>\"", "\n\t\r\n", "\u0000\ufeff", "𝄞")
		s.finish()
	},
	"tool": func(s *stream) {
		s.start()
		parent := s.message("I will", " look.")
		s.result(s.call(parent, "weather", `{"city":`, `"Zürich"}`), `{"celsius":21}`)
		s.message("It is 21 °C", " in Zürich.")
		s.finish()
	},
	"parallel-tools": parallelTools,
	"failing-tool": func(s *stream) {
		s.start()
		parent := s.message("I will look.")
		// The SDK's event has no field for an error: a failure can only be told in words.
		s.result(s.call(parent, "weather", `{"city":"Atlantis"}`), "error: no such city")
		s.message("There is no such city.")
		s.finish()
	},
	"frontend-tool": func(s *stream) {
		s.start()
		parent := s.message("Here is", " a card.")
		s.call(parent, s.input.Tools[0].Name, `{"title":`, `"Zürich"}`)
		s.finish()
	},
	"reasoning": reasoning,
	"thinking":  thinking,
	"shared-state": func(s *stream) {
		s.start()
		s.send(
			events.NewStateSnapshotEvent(map[string]any{"city": "Zürich", "celsius": 20, "log": []string{}}),
			events.NewStateDeltaEvent([]events.JSONPatchOperation{
				{Op: "replace", Path: "/celsius", Value: 21},
				{Op: "add", Path: "/log/-", Value: "asked"},
			}),
			events.NewStateDeltaEvent([]events.JSONPatchOperation{
				{Op: "test", Path: "/log/0", Value: "asked"},
				{Op: "move", Path: "/place", From: "/city"},
				{Op: "remove", Path: "/log"},
				{Op: "add", Path: "/done", Value: false},
			}),
		)
		s.message("It is 21 °C.")
		s.finish()
	},
	"messages-snapshot": func(s *stream) {
		s.start()
		answer := s.message("Hello.")
		s.send(events.NewMessagesSnapshotEvent(append(s.input.Messages,
			types.Message{ID: answer, Role: types.RoleAssistant, Content: "Hello."},
		)))
		s.finish()
	},
	"activity": func(s *stream) {
		s.start()
		id := s.id("activity")
		s.send(
			events.NewActivitySnapshotEvent(id, "SEARCH", map[string]any{"query": "weather", "hits": []string{}}),
			events.NewActivityDeltaEvent(id, "SEARCH", []events.JSONPatchOperation{
				{Op: "add", Path: "/hits/-", Value: "zurich.example"},
			}),
			events.NewActivitySnapshotEvent(id, "SEARCH", map[string]any{}).WithReplace(false),
		)
		s.message("Found it.")
		s.finish()
	},
	"steps": func(s *stream) {
		s.start()
		s.send(
			events.NewStepStartedEvent("look"),
			events.NewRawEvent(map[string]any{"object": "chat.completion.chunk"}, events.WithSource("openai")),
			events.NewCustomEvent("example.com/progress", events.WithValue(0.5)),
			events.NewStepFinishedEvent("look"),
			events.NewStepStartedEvent("answer"),
		)
		s.message("It is 21 °C.")
		s.send(events.NewStepFinishedEvent("answer"))
		s.finish()
	},
	"chunks":    chunks,
	"interrupt": interrupt,
	"error-before": func(s *stream) {
		s.start()
		s.send(events.NewRunErrorEvent("the model hung up", events.WithErrorCode("model_failure")))
	},
	// The SDK's event can name the run, which the protocol's does not.
	"error-after": func(s *stream) {
		s.start()
		s.send(events.NewTextMessageContentEvent(s.open(), "It is"))
		s.send(events.NewRunErrorEvent("the model hung up",
			events.WithErrorCode("model_failure"), events.WithRunID(s.runID)))
	},
	// The SDK has a second way to report a failure, the writer's own: it is no RUN_ERROR.
	"writer-error": func(s *stream) {
		s.start()
		s.send(events.NewTextMessageContentEvent(s.open(), "It is"))
		_ = s.writer.WriteErrorEvent(context.Background(), s.to, errors.New("the model hung up"), "request-1")
	},
}

func longText(s *stream) {
	s.start()
	id := s.open()
	for i := range 200 {
		s.send(events.NewTextMessageContentEvent(id, fmt.Sprintf("%d ", i)))
	}
	s.send(events.NewTextMessageEndEvent(id))
	s.finish()
}

func count(s *stream, number string) {
	s.start()
	s.message("I am", " number ", number, ".")
	s.finish()
}

// parallelTools streams two calls at once, and answers them in the other order.
func parallelTools(s *stream) {
	s.start()
	parent := s.message("I will look.")
	first, second := s.id("call"), s.id("call")
	s.send(
		events.NewToolCallStartEvent(first, "weather", events.WithParentMessageID(parent)),
		events.NewToolCallStartEvent(second, "weather", events.WithParentMessageID(parent)),
		events.NewToolCallArgsEvent(first, `{"city":`),
		events.NewToolCallArgsEvent(second, `{"city":"Bern"`),
		events.NewToolCallArgsEvent(first, `"Zürich"}`),
		events.NewToolCallArgsEvent(second, `}`),
		events.NewToolCallEndEvent(second),
		events.NewToolCallEndEvent(first),
	)
	s.result(second, `{"celsius":19}`)
	s.result(first, `{"celsius":21}`)
	s.message("Zürich 21 °C, Bern 19 °C.")
	s.finish()
}

func reasoning(s *stream) {
	s.start()
	span, thought := s.id("reasoning"), s.id("thought")
	s.send(
		events.NewReasoningStartEvent(span),
		events.NewReasoningMessageStartEvent(thought, string(types.RoleReasoning)),
		events.NewReasoningMessageContentEvent(thought, "The user asks"),
		events.NewReasoningMessageContentEvent(thought, " about the weather."),
		events.NewReasoningMessageEndEvent(thought),
		events.NewReasoningEncryptedValueEvent(events.ReasoningEncryptedValueSubtypeMessage, thought, "c2VjcmV0"),
		events.NewReasoningEndEvent(span),
	)
	s.message("It is 21 °C.")
	s.finish()
}

// thinking is what reasoning was before; the SDK still has it.
func thinking(s *stream) {
	s.start()
	s.send(
		events.NewThinkingStartEvent().WithTitle("Weather"),
		events.NewThinkingTextMessageStartEvent(),
		events.NewThinkingTextMessageContentEvent("The user asks"),
		events.NewThinkingTextMessageContentEvent(" about the weather."),
		events.NewThinkingTextMessageEndEvent(),
		events.NewThinkingEndEvent(),
	)
	s.message("It is 21 °C.")
	s.finish()
}

func chunks(s *stream) {
	s.start()
	text, call, role := s.id("message"), s.id("call"), "assistant"
	more := " look."
	s.send(
		events.NewTextMessageChunkEvent(&text, &role, nil).WithChunkDelta("I will"),
		events.NewTextMessageChunkEvent(nil, nil, &more),
		events.NewToolCallChunkEvent().WithToolCallChunkID(call).WithToolCallChunkName("weather").
			WithToolCallChunkParentMessageID(text).WithToolCallChunkDelta(`{"city":`),
		events.NewToolCallChunkEvent().WithToolCallChunkID(call).WithToolCallChunkDelta(`"Zürich"}`),
	)
	s.result(call, `{"celsius":21}`)
	s.message("It is 21 °C.")
	s.finish()
}

// interrupt asks before it sends a mail, and goes on when the client resumes.
func interrupt(s *stream) {
	s.start()
	if len(s.input.Resume) > 0 {
		s.result(s.input.Messages[1].ToolCalls[0].ID, string(s.input.Resume[0].Status))
		s.message("I sent it.")
		s.send(events.NewRunFinishedEventWithOptions(s.threadID, s.runID, events.WithSuccessOutcome()))
		return
	}
	parent := s.message("May I?")
	call := s.call(parent, "send_mail", `{"to":"ann@example.com"}`)
	s.send(events.NewRunFinishedEventWithOptions(s.threadID, s.runID, events.WithInterruptOutcome([]types.Interrupt{{
		ID:         "interrupt-1",
		Reason:     "tool_call",
		Message:    "Send the mail?",
		ToolCallID: call,
		ResponseSchema: map[string]any{
			"type":       "object",
			"properties": map[string]any{"approved": map[string]any{"type": "boolean"}},
		},
	}})))
}
