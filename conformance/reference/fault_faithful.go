package reference

import (
	"slices"

	"github.com/agentstream/conformance/baseline"
)

// What a legal stream can get wrong about its script, one fault for each thing that section 4 of the contract compares.

// says returns a fault whose stream is legal and says something else than its script.
func says(name, does, script string, how ...func() rewriter) Habit {
	return Habit{Name: name, Does: does, Script: script, Cause: Unfaithful, habits: rewriting(how...)}
}

func unfaithful() []Habit {
	return slices.Concat(additions(), losses(), messageChanges(), callChanges(), bracketChanges(), valueChanges(), endChanges(), disorder())
}

// additions are things that the script did not say.
func additions() []Habit {
	add := func(name, does string, events ...string) Habit {
		return says("extra-"+name, "adds "+does, oneText, first(baseline.RunFinished, preceded(events...)))
	}
	return []Habit{
		add("message", "a message", `{"type":"TEXT_MESSAGE_START","messageId":"x"}`, `{"type":"TEXT_MESSAGE_END","messageId":"x"}`),
		add("opening", "an empty opening of a message that it has said", `{"type":"TEXT_MESSAGE_START","messageId":"m1"}`, `{"type":"TEXT_MESSAGE_END","messageId":"m1"}`),
		add("call", "a call", `{"type":"TOOL_CALL_START","toolCallId":"x","toolCallName":"find"}`, `{"type":"TOOL_CALL_END","toolCallId":"x"}`),
		add("result", "a tool result", `{"type":"TOOL_CALL_RESULT","messageId":"x","toolCallId":"y","content":""}`),
		add("thought", "a thought", `{"type":"REASONING_MESSAGE_START","messageId":"x","role":"reasoning"}`, `{"type":"REASONING_MESSAGE_END","messageId":"x"}`),
		add("span", "a span around nothing", `{"type":"REASONING_START","messageId":"x"}`, `{"type":"REASONING_END","messageId":"x"}`),
		add("step", "a step", `{"type":"STEP_STARTED","stepName":"x"}`, `{"type":"STEP_FINISHED","stepName":"x"}`),
		add("subagent", "a subagent", `{"type":"SUBAGENT_STARTED","subagentRunId":"x","name":"X"}`, `{"type":"SUBAGENT_FINISHED","subagentRunId":"x"}`),
		add("activity", "an activity", `{"type":"ACTIVITY_SNAPSHOT","messageId":"x","activityType":"PLAN","content":{}}`),
		add("custom", "a CUSTOM event", `{"type":"CUSTOM","name":"app.x","value":1}`),
		add("state", "a state", `{"type":"STATE_SNAPSHOT","snapshot":{"x":1}}`),
		add("messages", "a snapshot of messages that leaves one out", `{"type":"MESSAGES_SNAPSHOT","messages":[]}`),
		says("extra-run", "replays a run", oneText, extraRun),
		says("extra-delta", "says a delta twice", oneText, first(baseline.TextMessageContent, doubled)),
		says("extra-pending", "names a call of its own as pending", oneText, first(baseline.RunFinished, replacedPending)),
		says("extra-result-value", "adds a result to a run without one", oneText, first(baseline.RunFinished, given("result", `1`))),
		says("extra-name", "names a speaker that the script does not", oneText, first(baseline.TextMessageStart, given("name", `"Ann"`))),
	}
}

// extraRun puts a run before the first.
func extraRun() rewriter {
	return first(baseline.RunStarted, func(e event) []event {
		end := newEvent(baseline.RunFinished).set("threadId", e.get("threadId")).with("runId", "x")
		return []event{e.with("runId", "x"), end, e}
	})()
}

// replacedPending makes a call and names it.
func replacedPending(e event) []event {
	return append(events([]string{`{"type":"TOOL_CALL_START","toolCallId":"x","toolCallName":"find"}`, `{"type":"TOOL_CALL_END","toolCallId":"x"}`}),
		e.with("outcome", outcome("success").with("pendingToolCallIds", []string{"x"})))
}

const (
	everything = `[{"text":{"id":"m1","role":"user","name":"Ann","metadata":{"k":1},"stream":["Hello, ","world."]}},` +
		`{"toolCall":{"id":"c1","name":"find","parent":"m1","metadata":{"k":1},"stream":["{\"q\":","1}"]}},` +
		`{"toolCall":{"id":"c2","name":"find","stream":["{}"],"encryptedValue":"Zm9v"}},` +
		`{"toolResult":{"id":"r1","call":"c1","content":"42","metadata":{"k":1}}},` +
		`{"toolResult":{"id":"r2","call":"c2","content":[{"type":"text","text":"43"}]}},` +
		`{"reasoning":{"span":"s1","messages":[{"id":"rm1","stream":["hm"],"encryptedValue":"YmFy","metadata":{"k":1}}]}},` +
		`{"step":{"name":"plan","do":[{"text":{"id":"m2","stream":["planned"]}}]}},` +
		`{"custom":{"name":"app.x","value":{"n":1}}},{"raw":{"event":{"id":7},"source":"llm"}}]`
	subagents = `[{"toolCall":{"id":"c1","name":"delegate","stream":["{}"]}},{"text":{"id":"m0","stream":["Go."]}},` +
		`{"subagent":{"id":"a1","name":"Search","description":"finds","parentToolCall":"c1","parentMessage":"m0","do":[` +
		`{"text":{"id":"m1","stream":["x"]}},{"subagent":{"id":"a2","name":"Fetch","do":[{"text":{"id":"m2","stream":["y"]}}],` +
		`"end":{"error":{"message":"404","code":"E404"}}}},{"custom":{"name":"app.x","value":1}}],"end":{"success":{"result":{"n":1}}}}}]`
	activities = `[{"activity":{"id":"p1","type":"PLAN","content":{"steps":[]},"metadata":{"k":1}}},{"activityDelta":{"id":"p1","type":"PLAN","patch":[{"op":"add","path":"/steps/-","value":"look"}]}},{"text":{"id":"m1","stream":["x"]}}]`
	snapshots  = `[{"messagesSnapshot":{"messages":[{"id":"u1","role":"user","content":"hi"},{"id":"m1","role":"assistant","content":"hello"}]}}]`
	states     = `[{"stateSnapshot":{"snapshot":{"a":1}}},{"stateDelta":{"patch":[{"op":"replace","path":"/a","value":2}]}},{"stateDelta":{"patch":[{"op":"replace","path":"/a","value":3}]}}]`
	finishing  = `[{"toolCall":{"id":"c1","name":"ask","stream":["{}"]}},{"finish":{"result":{"n":0},"pending":["c1"],"usage":[{"inputTokens":1,"outputTokens":2,"totalTokens":3}]}}]`
	asking     = `[{"toolCall":{"id":"c1","name":"deploy","stream":["{}"]}},{"subagent":{"id":"a1","name":"Ops","do":[],"end":{"suspended":{"interrupts":["i1"]}}}},` +
		`{"interrupt":{"interrupts":[{"id":"i1","reason":"tool_call","toolCallId":"c1","message":"Deploy?","metadata":{"k":1}},{"id":"i2","reason":"input"}]}}]`
	cancelled = `[{"cancel":{"usage":[{"inputTokens":1}]}}]`
	replaying = `[{"replay":{"run":"r0","do":[{"text":{"id":"m0","stream":["old"]}}],"error":{"message":"no","code":"E1"}}},{"replay":{"run":"r1","do":[]}},{"text":{"id":"m1","stream":["new"]}}]`
	echoing   = `[{"echo":{"pointer":"/threadId"}},{"echo":{"pointer":"/nothing"}}]`
	usedAtErr = `[{"fail":{"message":"no","code":"E1","usage":[{"inputTokens":1}]}}]`
)

// losses are things that the script said.
func losses() []Habit {
	lose := func(name, does, script string, how ...func() rewriter) Habit {
		return says("lost-"+name, "leaves out "+does, script, how...)
	}
	return []Habit{
		lose("message", "a message", oneStep, about("m1", dropped)),
		lose("delta", "a delta", oneText, second(baseline.TextMessageContent, dropped)),
		lose("chunk", "a chunk", textChunks, second(baseline.TextMessageChunk, dropped)),
		lose("arguments", "the last of the arguments", oneCall, second(baseline.ToolCallArgs, dropped)),
		lose("call", "a call", `[{"toolCall":{"id":"c1","name":"find","stream":["{}"]}}]`, about("c1", dropped)),
		lose("result", "a tool result", everything, second(baseline.ToolCallResult, dropped)),
		lose("thought", "a thought", oneThought, about("rm1", dropped)),
		lose("span", "a span", oneThought, about("s1", dropped)),
		lose("step", "a step", oneStep, about("plan", dropped)),
		lose("custom", "a CUSTOM event", everything, first(baseline.Custom, dropped)),
		lose("raw", "a RAW event", everything, first(baseline.Raw, dropped)),
		lose("source", "the source of a RAW event", everything, first(baseline.Raw, lacking("source"))),
		lose("activity", "an activity", activities, about("p1", dropped)),
		lose("activity-delta", "the change of an activity", activities, first(baseline.ActivityDelta, dropped)),
		lose("state", "the last state", states, second(baseline.StateDelta, dropped)),
		lose("state-between", "a state between two others", states, first(baseline.StateDelta, dropped)),
		lose("snapshot", "a snapshot of messages", snapshots, first(baseline.MessagesSnapshot, dropped)),
		lose("subagent", "a subagent, whose events become the agent's", oneSubagent,
			first(baseline.SubagentStarted, dropped), first(baseline.SubagentFinished, dropped), every(lacking("subagentRunId"))),
		lose("announcement", "a subagent's announcement, but not its tags", oneSubagent, first(baseline.SubagentStarted, dropped), first(baseline.SubagentFinished, dropped)),
		lose("run", "a replayed run", replaying, nth(2, baseline.RunStarted, dropped), nth(1, baseline.RunFinished, dropped)),
		lose("opening", "where a message was reopened", `[{"text":{"id":"m1","stream":["one"]}},{"text":{"id":"m1","form":"events","stream":["two"]}}]`,
			first(baseline.TextMessageEnd, dropped), second(baseline.TextMessageStart, dropped)),
		lose("name", "a speaker's name", everything, first(baseline.TextMessageStart, lacking("name"))),
		lose("parent", "a call's parent", everything, first(baseline.ToolCallStart, lacking("parentMessageId"))),
		lose("metadata", "a text's metadata", everything, first(baseline.TextMessageStart, lacking("metadata"))),
		lose("call-metadata", "a call's metadata", everything, first(baseline.ToolCallStart, lacking("metadata"))),
		lose("result-metadata", "a result's metadata", everything, first(baseline.ToolCallResult, lacking("metadata"))),
		lose("thought-metadata", "a thought's metadata", everything, first(baseline.ReasoningMessageStart, lacking("metadata"))),
		lose("activity-metadata", "an activity's metadata", activities, first(baseline.ActivitySnapshot, lacking("metadata"))),
		lose("encrypted", "an encrypted value", everything, first(baseline.ReasoningEncryptedValue, dropped)),
		lose("usage", "the usage of a run", finishing, first(baseline.RunFinished, lacking("usage"))),
		lose("usage-at-error", "the usage of a failed run", usedAtErr, first(baseline.RunError, lacking("usage"))),
		lose("result-value", "a run's result", finishing, first(baseline.RunFinished, lacking("result"))),
		lose("pending", "which calls are pending", finishing, first(baseline.RunFinished, given("outcome", `{"type":"success"}`))),
		lose("interrupt", "one of two questions", asking, first(baseline.RunFinished, given("outcome",
			`{"type":"interrupt","interrupts":[{"id":"i1","reason":"tool_call","toolCallId":"c1","message":"Deploy?","metadata":{"k":1}}]}`))),
		lose("interrupt-ids", "what a suspended subagent waits for", asking, first(baseline.SubagentFinished, given("outcome", `{"type":"suspended"}`))),
		lose("code", "an error's code", failing, first(baseline.RunError, lacking("code"))),
		lose("description", "a subagent's description", subagents, first(baseline.SubagentStarted, lacking("description"))),
		lose("parent-call", "the call that a subagent is for", subagents, first(baseline.SubagentStarted, lacking("parentToolCallId"))),
		lose("parent-message", "the message that a subagent is for", subagents, first(baseline.SubagentStarted, lacking("parentMessageId"))),
		lose("parent-subagent", "that a subagent is another's", subagents, second(baseline.SubagentStarted, lacking("parentSubagentRunId"))),
		lose("subagent-result", "a subagent's result", subagents, first(baseline.SubagentFinished, lacking("result"))),
		lose("subagent-code", "the code of a subagent's error", subagents, first(baseline.SubagentError, lacking("code"))),
	}
}

func messageChanges() []Habit {
	change := func(name, does, script string, how ...func() rewriter) Habit {
		return says("other-"+name, "changes "+does, script, how...)
	}
	return []Habit{
		change("text", "a text", oneText, second(baseline.TextMessageContent, given("delta", `"World."`))),
		change("space", "a space at the end of a delta", oneText, first(baseline.TextMessageContent, given("delta", `"Hello,"`))),
		change("thought", "a thought", oneThought, second(baseline.ReasoningMessageContent, given("delta", `"no"`))),
		change("role", "a role", everything, first(baseline.TextMessageStart, given("role", `"system"`))),
		change("name", "a speaker's name", everything, first(baseline.TextMessageStart, given("name", `"Bob"`))),
		change("metadata", "metadata", everything, first(baseline.TextMessageStart, given("metadata", `{"k":2}`))),
		change("owner", "whose a message is", subagents, nth(3, baseline.TextMessageStart, given("subagentRunId", `"a1"`))),
		change("own", "a subagent's message to the agent's own", oneSubagent, first(baseline.TextMessageStart, lacking("subagentRunId"))),
		change("encrypted", "an encrypted value", everything, first(baseline.ReasoningEncryptedValue, given("encryptedValue", `"AAAA"`))),
		change("encrypted-entity", "what an encrypted value is of", everything, first(baseline.ReasoningEncryptedValue, given("entityId", `"c1"`))),
		change("activity", "an activity's content", activities, first(baseline.ActivitySnapshot, given("content", `{"steps":["think"]}`))),
		change("activity-type", "an activity's type", activities, all(baseline.ActivitySnapshot, given("activityType", `"LIST"`)), all(baseline.ActivityDelta, given("activityType", `"LIST"`))),
		change("listed", "a message of a snapshot", snapshots, first(baseline.MessagesSnapshot,
			given("messages", `[{"id":"u1","role":"user","content":"hi"},{"id":"m1","role":"assistant","content":"Hello"}]`))),
		change("list", "the order of a snapshot", snapshots, first(baseline.MessagesSnapshot,
			given("messages", `[{"id":"m1","role":"assistant","content":"hello"},{"id":"u1","role":"user","content":"hi"}]`))),
		change("id", "ids, though it declares to keep them", oneText, renamed("m1", "msg_1")),
	}
}

func isM1(e event) bool { return e.text("messageId") == "m1" }

func callChanges() []Habit {
	change := func(name, does string, how ...func() rewriter) Habit {
		return says("other-"+name, "changes "+does, everything, how...)
	}
	return []Habit{
		change("arguments", "arguments", second(baseline.ToolCallArgs, given("delta", `"2}"`))),
		change("tool", "a tool's name", first(baseline.ToolCallStart, given("toolCallName", `"seek"`))),
		change("parent", "a call's parent", first(baseline.ToolCallStart, given("parentMessageId", `"m2"`))),
		change("content", "the content of a result", first(baseline.ToolCallResult, given("content", `"41"`))),
		change("content-kind", "a result of text to one of parts", first(baseline.ToolCallResult, given("content", `[{"type":"text","text":"42"}]`))),
		change("part", "a part of a result", second(baseline.ToolCallResult, given("content", `[{"type":"text","text":"44"}]`))),
		change("call", "which calls are answered: they are swapped", first(baseline.ToolCallResult, given("toolCallId", `"c2"`)), second(baseline.ToolCallResult, given("toolCallId", `"c1"`))),
		change("result-id", "the messages of two results: they are swapped", first(baseline.ToolCallResult, given("messageId", `"r2"`)), second(baseline.ToolCallResult, given("messageId", `"r1"`))),
	}
}

func bracketChanges() []Habit {
	change := func(name, does, script string, how ...func() rewriter) Habit {
		return says("other-"+name, "changes "+does, script, how...)
	}
	return []Habit{
		change("step", "a step's name", oneStep, renamed("plan", "act")),
		change("step-end", "where a step ends", oneStep, first(baseline.StepFinished, dropped), first(baseline.StepStarted, followed(`{"type":"STEP_FINISHED","stepName":"plan"}`))),
		change("step-owner", "whose a step is", `[{"subagent":{"id":"a1","name":"Search","do":[{"step":{"name":"plan","do":[]}}]}}]`,
			first(baseline.StepStarted, lacking("subagentRunId")), first(baseline.StepFinished, lacking("subagentRunId"))),
		change("span-end", "where a span ends", oneThought, first(baseline.ReasoningEnd, dropped), first(baseline.ReasoningStart, followed(`{"type":"REASONING_END","messageId":"s1"}`))),
		change("subagent-name", "a subagent's name", subagents, first(baseline.SubagentStarted, given("name", `"Seek"`))),
		change("subagent-description", "a subagent's description", subagents, first(baseline.SubagentStarted, given("description", `"seeks"`))),
		change("subagent-end", "where a subagent ends", oneSubagent, first(baseline.SubagentFinished, dropped),
			first(baseline.SubagentStarted, followed(`{"type":"SUBAGENT_FINISHED","subagentRunId":"a1"}`))),
		change("subagent-outcome", "a failure to a success", subagents, first(baseline.SubagentError, replaced(`{"type":"SUBAGENT_FINISHED","subagentRunId":"a2"}`))),
		change("subagent-failure", "a success to a failure", subagents, first(baseline.SubagentFinished, replaced(`{"type":"SUBAGENT_ERROR","subagentRunId":"a1","message":"no"}`))),
		change("subagent-suspended", "a suspended subagent to one that is done", asking, first(baseline.SubagentFinished, given("outcome", `{"type":"success"}`))),
		change("subagent-result", "a subagent's result", subagents, first(baseline.SubagentFinished, given("result", `{"n":2}`))),
		change("subagent-message", "the message of a subagent's error", subagents, first(baseline.SubagentError, given("message", `"500"`))),
		change("subagent-code", "the code of a subagent's error", subagents, first(baseline.SubagentError, given("code", `"E500"`))),
		change("interrupt-ids", "what a suspended subagent waits for", asking, first(baseline.SubagentFinished, given("outcome", `{"type":"suspended","interruptIds":["i2"]}`))),
	}
}

func valueChanges() []Habit {
	change := func(name, does, script string, how ...func() rewriter) Habit {
		return says("other-"+name, "changes "+does, script, how...)
	}
	return []Habit{
		change("state", "the last state", states, second(baseline.StateDelta, given("delta", `[{"op":"replace","path":"/a","value":4}]`))),
		change("state-before", "a state before the last", states, first(baseline.StateDelta, given("delta", `[{"op":"replace","path":"/a","value":9}]`))),
		change("custom", "the value of a CUSTOM event", everything, first(baseline.Custom, given("value", `{"n":"1"}`))),
		change("custom-name", "the name of a CUSTOM event", everything, first(baseline.Custom, given("name", `"app.y"`))),
		change("custom-owner", "whose a CUSTOM event is", subagents, first(baseline.Custom, lacking("subagentRunId"))),
		change("raw", "a RAW event", everything, first(baseline.Raw, given("event", `{"id":8}`))),
		change("source", "the source of a RAW event", everything, first(baseline.Raw, given("source", `"tool"`))),
		change("echo", "what it saw in the input", echoing, first(baseline.Custom, given("value", `{"present":false}`))),
		change("nothing", "what is absent in the input to null", echoing, second(baseline.Custom, given("value", `{"present":true,"value":null}`))),
	}
}

func endChanges() []Habit {
	change := func(name, does, script string, how ...func() rewriter) Habit {
		return says("other-"+name, "changes "+does, script, how...)
	}
	return []Habit{
		change("outcome", "a success to a cancelled run", oneText, first(baseline.RunFinished, given("outcome", `{"type":"cancelled"}`))),
		change("cancelled", "a cancelled run to a success", cancelled, first(baseline.RunFinished, lacking("outcome"))),
		change("interrupt", "an interrupt to a success", interrupted, first(baseline.RunFinished, lacking("outcome"))),
		change("failure", "an error to a success", failing, failureAsSuccess),
		change("success", "a success to an error", oneText, first(baseline.RunFinished, replaced(`{"type":"RUN_ERROR","message":"no"}`))),
		change("late-error", "a success to an error behind it", oneText, first(baseline.RunFinished, followed(`{"type":"RUN_ERROR","message":"no"}`))),
		change("message", "an error's message", failing, first(baseline.RunError, given("message", `"yes"`))),
		change("code", "an error's code", failing, first(baseline.RunError, given("code", `"E2"`))),
		change("result", "a run's result", finishing, first(baseline.RunFinished, given("result", `{"n":1}`))),
		change("usage", "a run's usage", finishing, first(baseline.RunFinished, given("usage", `[{"inputTokens":1,"outputTokens":3,"totalTokens":4}]`))),
		change("question", "what an interrupt asks", asking, first(baseline.RunFinished, spelled(`Deploy?`, `Delete?`))),
		change("question-call", "which call an interrupt is about", asking, first(baseline.RunFinished, spelled(`"toolCallId":"c1"`, `"toolCallId":"c9"`))),
		change("question-metadata", "an interrupt's metadata", asking, first(baseline.RunFinished, spelled(`"k":1`, `"k":2`))),
		change("replayed-run", "a replayed run's id", replaying, renamed("r0", "r9")),
		change("replayed-code", "the code of a replayed run's error", replaying, first(baseline.RunError, given("code", `"E2"`))),
		change("replayed-outcome", "a replayed error to a success", replaying, failureAsSuccess),
		{Name: "late-failure", Does: "starts the run before it fails early", Script: `[{"fail":{"message":"no","early":true}}]`, Cause: Unfaithful,
			habits: habits{starts: true}},
		{Name: "silent-guard", Does: "drops an illegal event and goes on as if nothing were", Script: illegal, Cause: Unfaithful,
			habits: rewriting(failureAsSuccess)},
	}
}

// failureAsSuccess finishes the run in place of its error.
func failureAsSuccess() rewriter {
	var started event
	return func(e event) []event {
		switch {
		case e.is(baseline.RunStarted):
			started = e
		case e.is(baseline.RunError):
			return []event{finishOf(started)}
		}
		return []event{e}
	}
}

func finishOf(started event) event {
	return newEvent(baseline.RunFinished).set("threadId", started.get("threadId")).set("runId", started.get("runId"))
}

// disorder is the right things in a wrong order.
func disorder() []Habit {
	const two = `[{"text":{"id":"m1","stream":["one"]}},{"text":{"id":"m2","stream":["two"]}}]`
	swapped := func(name, does, script string, how func() rewriter) Habit {
		return says("order-"+name, "swaps "+does, script, how)
	}
	isCustom := func(e event) bool { return e.is(baseline.Custom) }
	return []Habit{
		swapped("messages", "two messages", two, late(baseline.TextMessageEnd, isM1)),
		swapped("calls", "a text and a call", `[{"text":{"id":"m1","stream":["one"]}},{"toolCall":{"id":"c1","name":"find","stream":["{}"]}}]`, late(baseline.ToolCallEnd, isM1)),
		swapped("custom", "a CUSTOM event and a text", `[{"custom":{"name":"app.x","value":1}},{"text":{"id":"m1","stream":["one"]}}]`, late(baseline.TextMessageEnd, isCustom)),
		swapped("deltas", "two deltas", oneText, late(baseline.TextMessageContent, func(e event) bool { return e.text("delta") == "Hello, " })),
		swapped("result", "a result and what follows", everything, late(baseline.ReasoningEnd, func(e event) bool { return e.text("messageId") == "r2" })),
		swapped("into-step", "a text and the step behind it", `[{"text":{"id":"m1","stream":["one"]}},{"step":{"name":"plan","do":[]}}]`, late(baseline.StepStarted, isM1)),
		swapped("out-of-step", "a text in a step and the step's end", oneStep, late(baseline.StepFinished, isM1)),
		swapped("opening", "the openings of two messages", `[{"text":{"id":"m1","stream":["one",{"toolCall":{"id":"c1","name":"find","stream":["{}"]}}]}}]`, late(baseline.ToolCallEnd, isM1)),
		swapped("runs", "two replayed runs", `[{"replay":{"run":"r0","do":[]}},{"replay":{"run":"r1","do":[]}}]`, swapRuns),
	}
}

// swapRuns exchanges the ids of two runs.
func swapRuns() rewriter {
	other := map[string]string{"r0": "r1", "r1": "r0"}
	return func(e event) []event {
		if id, ok := other[e.text("runId")]; ok {
			e = e.with("runId", id)
		}
		return []event{e}
	}
}
