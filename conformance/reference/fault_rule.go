package reference

import "github.com/agentstream/conformance/baseline"

// One fault for each clause that is an error of a producer and that a response can show: an ordinary script, and what goes wrong
// with its events on the way out.

// breaking returns the fault that breaks a clause; it has the clause's name.
func breaking(clause, does, script string, how ...func() rewriter) Habit {
	return Habit{Name: clause, Does: does, Script: script, Clause: clause, Cause: Rule, habits: rewriting(how...)}
}

// asked lays members over the input of a fault.
func (h Habit) asked(input string) Habit {
	h.Input = input
	return h
}

const (
	oneText      = `[{"text":{"id":"m1","stream":["Hello, ","world."]}}]`
	oneCall      = `[{"toolCall":{"id":"c1","name":"find","stream":["{\"q\":","1}"]}},{"toolResult":{"id":"r1","call":"c1","content":"42"}}]`
	oneThought   = `[{"reasoning":{"span":"s1","messages":[{"id":"rm1","stream":["hm, ","yes"]}]}}]`
	oneStep      = `[{"step":{"name":"plan","do":[{"text":{"id":"m1","stream":["x"]}}]}}]`
	oneSubagent  = `[{"subagent":{"id":"a1","name":"Search","do":[{"text":{"id":"m1","stream":["x"]}}]}}]`
	oneState     = `[{"stateSnapshot":{"snapshot":{"a":1}}},{"stateDelta":{"patch":[{"op":"replace","path":"/a","value":2}]}}]`
	oneActivity  = `[{"activity":{"id":"p1","type":"PLAN","content":{"steps":[]}}},{"activityDelta":{"id":"p1","type":"PLAN","patch":[{"op":"add","path":"/steps/-","value":"look"}]}}]`
	oneSecret    = `[{"reasoning":{"span":"s1","messages":[{"id":"rm1","stream":["hm"],"encryptedValue":"Zm9v"}]}}]`
	textChunks   = `[{"text":{"id":"m1","form":"chunks","stream":["Hello, ","world."]}}]`
	callChunks   = `[{"toolCall":{"id":"c1","name":"find","form":"chunks","stream":["{\"q\":","1}"]}}]`
	reopenedText = `[{"text":{"id":"m1","stream":["one"]}},{"text":{"id":"m2","stream":["between"]}},{"text":{"id":"m1","form":"events","stream":["two"]}}]`
	replays      = `[{"replay":{"run":"r0","do":[{"text":{"id":"m0","stream":["old"]}}]}},{"text":{"id":"m1","stream":["new"]}}]`
	twoPending   = `[{"toolCall":{"id":"c1","name":"ask","stream":["{}"]}},{"toolCall":{"id":"c2","name":"ask","stream":["{}"]}},{"finish":{"pending":["c1","c2"]}}]`
	interrupted  = `[{"interrupt":{"interrupts":[{"id":"i1","reason":"input","message":"Go on?"}]}}]`
	used         = `[{"finish":{"usage":[{"model":"small","inputTokens":10,"outputTokens":5,"totalTokens":15}]}}]`
	failing      = `[{"text":{"id":"m1","stream":["x"]}},{"fail":{"message":"no","code":"E1"}}]`
)

func structureFaults() []Habit {
	const someCustom = `{"type":"CUSTOM","name":"app.x","value":`
	return []Habit{
		breaking("bad-json", "sends an event that breaks off", oneText, first(baseline.TextMessageEnd, followed(someCustom))),
		{Name: "done-frame", Does: "ends its stream by [DONE], as a model's API does", Script: oneText, Clause: "bad-json", Cause: Rule,
			habits: rewriting(first(baseline.RunFinished, followed("[DONE]")))},
		breaking("not-an-object", "sends a list of events in one frame", oneText, first(baseline.TextMessageEnd, followed(`[`+someCustom+`1}]`))),
		breaking("bad-utf8", "cuts a delta inside a character", oneText, second(baseline.TextMessageContent, spelled("world", "w\xc3"))),
		breaking("duplicate-name", "writes a member twice", oneText, first(baseline.TextMessageStart, spelled(`}`, `,"messageId":"m1"}`))),
		breaking("unknown-event-type", "sends an event of its own invention", oneText, first(baseline.TextMessageEnd, followed(`{"type":"TYPING","messageId":"m1"}`))),
		breaking("retired-event", "still thinks as 0.x did", oneThought, first(baseline.ReasoningStart, preceded(`{"type":"THINKING_START"}`, `{"type":"THINKING_END"}`))),
		breaking("missing-field/ordering", "forgets a message's id", oneText, first(baseline.TextMessageStart, lacking("messageId"))),
		breaking("missing-field/other", "leaves out a delta", oneText, first(baseline.TextMessageContent, lacking("delta"))),
		breaking("wrong-type/ordering", "has a number for an id", oneText, first(baseline.TextMessageStart, given("messageId", `1`))),
		breaking("wrong-type/other", "writes timestamps as text", oneText, first(baseline.TextMessageStart, given("timestamp", `"2030-01-01T00:00:00Z"`))),
		breaking("bad-value/ordering", "has a message with the role tool", oneText, first(baseline.TextMessageStart, given("role", `"tool"`))),
		breaking("bad-value/other", "writes timestamps with a fraction", oneText, first(baseline.TextMessageStart, given("timestamp", `1.5`))),
		breaking("unknown-variant", "ends a run as paused", oneText, first(baseline.RunFinished, given("outcome", `{"type":"paused"}`))),
		breaking("null-optional/ordering", "writes null for the tag of what has none", oneText, first(baseline.TextMessageStart, given("subagentRunId", `null`))),
		breaking("null-optional/other", "writes null for absent metadata", oneText, first(baseline.TextMessageStart, given("metadata", `null`))),
		breaking("null-optional/legacy-ordering", "writes null for an absent outcome", oneText, first(baseline.RunFinished, given("outcome", `null`))),
		breaking("null-optional/legacy", "writes null for an absent rawEvent", oneText, first(baseline.TextMessageStart, given("rawEvent", `null`))),
		breaking("unknown-property", "adds a member of its own", oneText, first(baseline.TextMessageStart, given("createdAt", `0`))),
	}
}

func orderFaults() []Habit {
	const custom = `{"type":"CUSTOM","name":"app.x","value":1}`
	return []Habit{
		breaking("run-ended/after-finish", "sends an event behind RUN_FINISHED", oneText, first(baseline.RunFinished, followed(custom))),
		breaking("run-ended/after-error", "sends an event behind RUN_ERROR", failing, first(baseline.RunError, followed(custom))),
		breaking("first-event", "sends an event before RUN_STARTED", oneText, first(baseline.RunStarted, preceded(custom))),
		breaking("duplicate-run-started", "starts its run twice", oneText, first(baseline.RunStarted, doubled)),
		breaking("duplicate-start/text", "starts a message twice", oneText, first(baseline.TextMessageStart, doubled)),
		breaking("duplicate-start/reasoning", "starts a reasoning message twice", oneThought, first(baseline.ReasoningMessageStart, doubled)),
		breaking("duplicate-start/span", "starts a span twice", oneThought, first(baseline.ReasoningStart, doubled)),
		breaking("duplicate-start/tool-call", "starts a call twice", oneCall, first(baseline.ToolCallStart, doubled)),
		breaking("duplicate-start/step", "starts a step twice", oneStep, first(baseline.StepStarted, doubled)),
		breaking("duplicate-start/subagent", "announces a subagent twice", oneSubagent, first(baseline.SubagentStarted, doubled)),
		breaking("duplicate-start/subagent-reused", "announces a subagent again that has ended", oneSubagent,
			first(baseline.SubagentFinished, followed(`{"type":"SUBAGENT_STARTED","subagentRunId":"a1","name":"Search"}`))),
		breaking("not-open/text", "ends a message twice", oneText, first(baseline.TextMessageEnd, doubled)),
		breaking("not-open/reasoning", "ends a reasoning message twice", oneThought, first(baseline.ReasoningMessageEnd, doubled)),
		breaking("not-open/span", "ends a span twice", oneThought, first(baseline.ReasoningEnd, doubled)),
		breaking("not-open/tool-call", "ends a call twice", oneCall, first(baseline.ToolCallEnd, doubled)),
		breaking("not-open/step", "ends a step twice", oneStep, first(baseline.StepFinished, doubled)),
		breaking("not-open/step-other-owner", "ends a subagent's step as the agent's own",
			`[{"subagent":{"id":"a1","name":"Search","do":[{"step":{"name":"plan","do":[]}}]}}]`, first(baseline.StepFinished, lacking("subagentRunId"))),
		breaking("not-open/subagent", "ends a subagent twice", oneSubagent, first(baseline.SubagentFinished, doubled)),
		breaking("unknown-id/parent-subagent", "names a parent that was never announced", oneSubagent, first(baseline.SubagentStarted, given("parentSubagentRunId", `"a0"`))),
		breaking("open-at-finish/run", "forgets to end a message", oneText, first(baseline.TextMessageEnd, dropped)),
		breaking("truncated/no-run", "answers with an empty stream", oneText, every(dropped)),
		breaking("truncated/open-run", "closes the body before the run has ended", oneText, first(baseline.RunFinished, dropped)),
	}
}

func chunkFaults() []Habit {
	const nested = `[{"subagent":{"id":"a1","name":"A","do":[{"text":{"id":"m1","form":"chunks","stream":["a"]}},` +
		`{"subagent":{"id":"a2","name":"B","do":[{"text":{"id":"m2","form":"chunks","stream":["b"]}}]}}]}}]`
	return []Habit{
		breaking("chunk-ambiguous", "goes on by a chunk without id while two subagents have one open", nested,
			second(baseline.TextMessageChunk, followed(`{"type":"TEXT_MESSAGE_CHUNK","delta":"c"}`))),
		breaking("chunk-first/id", "opens a message by a chunk without id", textChunks, first(baseline.TextMessageChunk, lacking("messageId"))),
		breaking("chunk-first/tool-name", "opens a call by a chunk without name", callChunks, first(baseline.ToolCallChunk, lacking("toolCallName"))),
		breaking("chunk-mixed/chunk-for-started", "goes on by chunks with what it has started", oneText, all(baseline.TextMessageContent, given("type", `"TEXT_MESSAGE_CHUNK"`))),
		breaking("chunk-mixed/explicit-for-chunked", "ends a message that it has opened by a chunk", textChunks,
			second(baseline.TextMessageChunk, followed(`{"type":"TEXT_MESSAGE_END","messageId":"m1"}`))),
		breaking("chunk-mixed/start-in-other-lane", "starts a message in another lane while its chunks come", textChunks,
			first(baseline.TextMessageChunk, followed(`{"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a1"}`))),
		breaking("chunk-disagreement/role", "changes its mind about a role", textChunks, second(baseline.TextMessageChunk, given("role", `"user"`))),
		breaking("chunk-disagreement/name", "adds a name to a later chunk", textChunks, second(baseline.TextMessageChunk, given("name", `"Ann"`))),
		breaking("chunk-disagreement/tool-name", "changes its mind about a tool", callChunks, second(baseline.ToolCallChunk, given("toolCallName", `"seek"`))),
		breaking("chunk-disagreement/parent", "adds a parent to a later chunk", callChunks, second(baseline.ToolCallChunk, given("parentMessageId", `"m1"`))),
	}
}

func ownerFaults() []Habit {
	const (
		callOf  = `[{"text":{"id":"m1","stream":["Let me see."]}},{"toolCall":{"id":"c1","name":"find","parent":"m1","stream":["{}"]}}]`
		keeping = `[{"activity":{"id":"p1","type":"PLAN","content":{}}},{"activity":{"id":"p1","type":"PLAN","content":{},"replace":false}}]`
	)
	foreign := given("subagentRunId", `"a9"`)
	return []Habit{
		breaking("owner-mismatch/text", "tags a delta with another subagent", oneText, first(baseline.TextMessageContent, foreign)),
		breaking("owner-mismatch/reasoning", "tags a thought with another subagent", oneThought, first(baseline.ReasoningMessageContent, foreign)),
		breaking("owner-mismatch/tool-call", "tags arguments with another subagent", oneCall, first(baseline.ToolCallArgs, foreign)),
		breaking("owner-mismatch/tool-parent", "gives a subagent a call of the agent's message", callOf, first(baseline.ToolCallStart, foreign)),
		breaking("owner-mismatch/activity", "changes an activity as another subagent", oneActivity, first(baseline.ActivityDelta, foreign)),
		breaking("owner-mismatch/activity-replace-false", "keeps an activity as another subagent", keeping, second(baseline.ActivitySnapshot, foreign)),
		breaking("owner-mismatch/encrypted-value", "encrypts a thought as another subagent", oneSecret, first(baseline.ReasoningEncryptedValue, foreign)),
		breaking("owner-mismatch/chunk-lane", "tags a later chunk with another subagent", textChunks, second(baseline.TextMessageChunk, foreign)),
	}
}

func identityFaults() []Habit {
	const (
		listed = `[{"text":{"id":"m1","stream":["hi"]}},{"messagesSnapshot":{"messages":[{"id":"m1","role":"assistant","content":"hi"}]}}]`
		both   = `[{"text":{"id":"m1","stream":["x"]}},{"reasoning":{"messages":[{"id":"rm1","stream":["hm"]}]}}]`
		again  = `[{"replay":{"run":"r0","do":[]}},{"replay":{"run":"r1","do":[]}}]`
	)
	answered := `[{"text":{"id":"m1","stream":["x"]}},` + oneCall[1:]
	return []Habit{
		breaking("run-id-mismatch", "finishes another run than it started", oneText, first(baseline.RunFinished, given("runId", `"another"`))),
		breaking("thread-id-mismatch/finish", "finishes its run on another thread", oneText, first(baseline.RunFinished, given("threadId", `"another"`))),
		breaking("thread-id-mismatch/next-run", "replays a run of another thread", replays,
			first(baseline.RunStarted, given("threadId", `"another"`)), first(baseline.RunFinished, given("threadId", `"another"`))),
		breaking("run-id-reused", "replays one run twice", again, renamed("r1", "r0")),
		breaking("reopen-disagreement/role", "reopens a message with another role", reopenedText, nth(3, baseline.TextMessageStart, given("role", `"user"`))),
		breaking("reopen-disagreement/name", "reopens a message with another name", reopenedText, nth(3, baseline.TextMessageStart, given("name", `"Ann"`))),
		breaking("reopen-disagreement/tool-name", "reopens a call to another tool", oneCall,
			first(baseline.ToolCallEnd, followed(`{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"seek"}`, `{"type":"TOOL_CALL_END","toolCallId":"c1"}`))),
		breaking("reopen-disagreement/parent", "reopens a call below a message", oneCall,
			first(baseline.ToolCallEnd, followed(`{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"find","parentMessageId":"m1"}`, `{"type":"TOOL_CALL_END","toolCallId":"c1"}`))),
		breaking("duplicate-message-id/kind", "gives a thought the id of a text", both, renamed("rm1", "m1")),
		breaking("duplicate-message-id/result", "gives a result the id of a text", answered, renamed("r1", "m1")),
		breaking("duplicate-message-id/list", "lists a message twice", listed,
			first(baseline.MessagesSnapshot, given("messages", `[{"id":"m1","role":"assistant","content":"hi"},{"id":"m1","role":"assistant","content":"hi"}]`))),
		breaking("duplicate-message-id/snapshot-kind", "lists a text as a thought", listed,
			first(baseline.MessagesSnapshot, given("messages", `[{"id":"m1","role":"reasoning","content":"hi"}]`))),
		breaking("subagent-unannounced", "announces a subagent behind its first event", oneSubagent,
			late(baseline.TextMessageStart, func(e event) bool { return e.is(baseline.SubagentStarted) })),
		breaking("empty-interrupts", "interrupts without a question", interrupted, first(baseline.RunFinished, given("outcome", `{"type":"interrupt","interrupts":[]}`))),
		breaking("duplicate-interrupt-id", "asks two questions under one id", interrupted,
			first(baseline.RunFinished, given("outcome", `{"type":"interrupt","interrupts":[{"id":"i1","reason":"input"},{"id":"i1","reason":"input"}]}`))),
		breaking("pending-tool-calls", "names pending calls in another order", twoPending,
			first(baseline.RunFinished, given("outcome", `{"type":"success","pendingToolCallIds":["c2","c1"]}`))),
		breaking("usage-arithmetic/total", "adds up tokens wrongly", used, first(baseline.RunFinished, given("usage", `[{"inputTokens":10,"outputTokens":5,"totalTokens":16}]`))),
		breaking("usage-arithmetic/reasoning", "thinks more tokens than it puts out", used, first(baseline.RunFinished, given("usage", `[{"outputTokens":5,"reasoningTokens":6}]`))),
		breaking("usage-arithmetic/input", "caches more tokens than it takes in", used, first(baseline.RunFinished, given("usage", `[{"inputTokens":10,"cachedInputTokens":11}]`))),
		breaking("version-format", "declares v1", oneText, first(baseline.RunStarted, given("protocolVersion", `"v1"`))),
	}
}

func requestFaults() []Habit {
	const (
		called = `[{"toolCall":{"id":"c1","name":"ask","stream":["{}"]}}]`
		tools  = `{"tools":[{"name":"ask","description":"Asks the user."}]}`
	)
	return []Habit{
		breaking("request-mismatch/run", "runs under an id of its own", oneText, first(baseline.RunStarted, given("runId", `"mine"`)), first(baseline.RunFinished, given("runId", `"mine"`))),
		breaking("request-mismatch/thread", "runs on a thread of its own", oneText,
			first(baseline.RunStarted, given("threadId", `"mine"`)), first(baseline.RunFinished, given("threadId", `"mine"`))),
		breaking("replay-restreamed", "streams again what the client has", replays, renamed("m0", "u1")).
			asked(`{"messages":[{"id":"u1","role":"assistant","content":"old"}]}`),
		breaking("frontend-tool-answered/result", "answers a call to the client's tool", called,
			first(baseline.ToolCallEnd, followed(`{"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"c1","content":"42"}`))).asked(tools),
		breaking("frontend-tool-answered/snapshot", "answers a call to the client's tool in a snapshot", called,
			first(baseline.ToolCallEnd, followed(`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"r1","role":"tool","toolCallId":"c1","content":"42"}]}`))).asked(tools),
	}
}

func documentFaults() []Habit {
	return []Habit{
		breaking("state-patch", "changes what the state does not have", oneState, first(baseline.StateDelta, given("delta", `[{"op":"replace","path":"/b","value":2}]`))),
		breaking("activity-patch/apply", "changes what an activity does not have", oneActivity, first(baseline.ActivityDelta, given("patch", `[{"op":"remove","path":"/done"}]`))),
		breaking("activity-patch/object", "makes an activity's content a list", oneActivity, first(baseline.ActivityDelta, given("patch", `[{"op":"replace","path":"","value":[]}]`))),
		breaking("activity-baseline", "changes an activity that it has not shown", oneActivity, first(baseline.ActivitySnapshot, dropped)),
	}
}
