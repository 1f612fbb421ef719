package rules

import "github.com/agentstream/conformance/verifier"

// content: is what the end of a block says what its deltas came to?
var content = []verifier.Rule{{
	Code:   "content-mismatch",
	Title:  "the end of a block says another text than its deltas came to",
	Effect: "What the user saw while it was streamed is not what is kept.",
	Page:   pageStream, Strength: "MUST",
	Facts:  "DI-END-EQ-DELTAS, AI-END-EQ-DELTAS, AI-REDACTED",
	Note:   "Thinking that was redacted has a text and no delta; where nothing shows whether it was, it is not blamed. " + dropsAll,
	Levels: "EEEE",
	Clauses: []verifier.Clause{
		{ID: ContentMismatchText, Name: "text"},
		{ID: ContentMismatchThinking, Name: "thinking"},
		{ID: ContentMismatchUnredacted, Name: "not-redacted", Levels: "EEE-"},
	},
}, {
	Code:   "bad-tool-call",
	Title:  "the call at a toolcall_end has another type, or no id or name",
	Effect: "The agent cannot run it, or cannot give its result back.",
	Page:   pageStream, Strength: "MUST",
	Facts:  "AI-TOOL-SHAPE",
	Levels: "EEE-",
	Clauses: []verifier.Clause{
		{ID: BadToolCallType, Name: "type"},
		{ID: BadToolCallID, Name: "id"},
		{ID: BadToolCallName, Name: "name"},
	},
}, {
	Code:   "arguments-not-json",
	Title:  "the joined argument text of a call is not strict JSON",
	Effect: "The call cannot be made of what was streamed.",
	Page:   pageDiCode, Strength: "MUST",
	Facts:  "DI-ARGS-JSON",
	Note:   "Any delta counts, also an empty one. pi takes such a text: arguments-repaired and arguments-error-missing.",
	Levels: "---E", Leaves: verifier.Drop,
	Clauses: []verifier.Clause{{ID: ArgumentsNotJSON}},
}, {
	Code:   "arguments-not-object",
	Title:  "the arguments of a call are no object of JSON values",
	Effect: "A tool gets a list, a text or nothing where it expects its parameters.",
	Page:   pageStream, Strength: "MUST",
	Facts:  "DI-ARGS-OBJECT, AI-TOOL-SHAPE",
	Note:   "di-code asks it of the joined text, and of the call's arguments where there was none. " + dropsAll,
	Levels: "EEEE",
	Clauses: []verifier.Clause{
		{ID: ArgumentsNotObject, Name: "root"},
		{ID: ArgumentsNotFinite, Name: "not-finite"},
	},
}, {
	Code:   "tool-id-changed",
	Title:  "a call ends with another id than it started with",
	Effect: "A reader that knows the call by its id has one that never ends, and one that never began.",
	Page:   pageStream, Strength: "MUST NOT",
	Facts:   "DI-ID-STABLE, AI-TOOL-ID",
	Note:    "In pi an id may come late: one that was empty or not sent at the start may be any. " + dropsAll,
	Levels:  "EEEE",
	Clauses: []verifier.Clause{{ID: ToolIDChanged}},
}, {
	Code:   "tool-name-changed",
	Title:  "a call ends with another tool than it started with",
	Effect: "The user was shown one tool, and another runs.",
	Page:   pageStream, Strength: "MUST NOT",
	Facts:   "DI-NAME-STABLE, AI-TOOL-NAME",
	Note:    "In pi a name may come late: one that was empty or not sent at the start may be any. " + dropsAll,
	Levels:  "EEEE",
	Clauses: []verifier.Clause{{ID: ToolNameChanged}},
}, {
	Code:   "arguments-mismatch",
	Title:  "the arguments of a call are not what its text says",
	Effect: "The user was shown other arguments than the tool gets.",
	Page:   pageStream, Strength: "MUST",
	Facts:  "DI-ARGS-EQ, AI-TOOL-ARGS-EQ",
	Note:   "In pi a blank text, or none, means {}; in di-code a call without a delta may have any object. " + dropsAll,
	Levels: "EEEE",
	Clauses: []verifier.Clause{
		{ID: ArgumentsMismatch, Name: "text"},
		{ID: ArgumentsMismatchBlank, Name: "blank", Levels: "EEE-"},
	},
}, {
	Code:   "arguments-repaired",
	Title:  "the text of a call is no JSON object, and the call has arguments",
	Effect: "A tool runs with arguments that were guessed from a broken text.",
	Page:   pageStream, Strength: "none",
	Facts:  "AI-TOOL-ARGS-EQ",
	Note:   "pi mends raw control characters and bad escapes in strings; whether it did so rightly cannot be proved.",
	Levels: "III-", Advice: true,
	Clauses: []verifier.Clause{{ID: ArgumentsRepaired}},
}, {
	Code:   "arguments-error-missing",
	Title:  "the text of a call is no JSON object, the call has none either, and no argumentsError says why",
	Effect: "The tool runs with no arguments, and the model is never told that they were broken.",
	Page:   pageStream, Strength: "MUST",
	Facts:   "AI-TOOL-ARGS-EQ",
	Levels:  "E---",
	Clauses: []verifier.Clause{{ID: ArgumentsErrorMissing}},
}}
