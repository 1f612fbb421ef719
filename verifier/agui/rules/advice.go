package rules

import "github.com/agentstream/conformance/verifier"

// advice: what no page forbids and an author wants to know. Lone surrogates come first: a reader
// must cope with them, and they show.
var advice = []verifier.Rule{{
	Code:   "lone-surrogate",
	Title:  "an escape for half of a surrogate pair",
	Effect: "The character shows as two replacement characters: a delta was cut inside it.",
	Page:   pageBasic, Strength: "none",
	Levels:  "WW--",
	Clauses: []verifier.Clause{{ID: LoneSurrogate}},
}, {
	Code:   "tool-args-not-json",
	Title:  "the joined arguments of a tool call are no JSON",
	Effect: "The tool cannot be called with them.",
	Page:   pageToolCalls, Strength: "none", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: ToolArgsNotJSON}},
}, {
	Code:   "tool-call-without-args",
	Title:  "a tool call ended without any arguments",
	Effect: "Some clients parse the empty string as JSON, and fail; {} is safe.",
	Page:   pageToolCalls, Strength: "none", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: ToolCallWithoutArgs}},
}, {
	Code:   "parent-message-unseen",
	Title:  "parentMessageId names a message that never shows",
	Effect: "A client makes up an empty message to hang the call on.",
	Page:   pageToolCalls, Strength: "declarative", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: ParentMessageUnseen}},
}, {
	Code:   "duplicated-text",
	Title:  "a reopened message repeats its whole text",
	Effect: "Reopening appends: the user reads everything twice.",
	Page:   pageText, Strength: "none", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: DuplicatedText}},
}, {
	Code:   "streamed-after-snapshot",
	Title:  "a message is streamed after a snapshot that had its content",
	Effect: "Streaming appends to what the snapshot gave: the user may read it twice.",
	Page:   pageState, Strength: "none", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: StreamedAfterSnapshot}},
}, {
	Code:   "tag-after-close",
	Title:  "an event is tagged with a subagent that has finished",
	Effect: "A client that folded the subagent away shows the event nowhere.",
	Page:   pageSubagents, Strength: "none", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: TagAfterClose}},
}, {
	Code:   "suspended-without-interrupt",
	Title:  "a subagent was suspended, and its run does not end as an interrupt",
	Effect: "Nothing tells the client what the subagent waits for.",
	Page:   pageSubagents, Strength: "none", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: SuspendedWithoutInterrupt}},
}, {
	Code:   "custom-unprefixed",
	Title:  "the name of a CUSTOM event has no prefix",
	Effect: "Unprefixed names are the protocol's: a later version may give it another meaning.",
	Page:   pagePassthrough, Strength: "SHOULD", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: CustomUnprefixed}},
}, {
	Code:   "metadata-reserved",
	Title:  "metadata uses the key ag-ui, which is the protocol's",
	Effect: "A later version may give it a meaning.",
	Page:   pageMetadata, Strength: "convention", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: MetadataReserved}},
}, {
	Code:   "tool-unadvertised",
	Title:  "a call to a tool that the request does not list",
	Effect: "If it was meant for the frontend, nobody runs it.",
	Page:   pageToolCalls, Strength: "SHOULD", Advice: true,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: ToolUnadvertised}},
}, {
	Code:   "cancelled-with-result",
	Title:  "a cancelled run carries a result",
	Effect: "A client has both: it does not know whether to show the result.",
	Page:   pageLifecycle, Strength: "SHOULD", Advice: true, Since: since1,
	Levels:  "W---",
	Clauses: []verifier.Clause{{ID: CancelledWithResult}},
}, {
	Code:   "pending-unnamed",
	Title:  "a run ends with unanswered calls and does not name them",
	Effect: "A client has to work out itself which tools are its own to run.",
	Page:   pageToolCalls, Strength: "SHOULD", Advice: true, Since: since1,
	Levels:  "I---",
	Clauses: []verifier.Clause{{ID: PendingUnnamed}},
}}
