package rules

import "github.com/agentstream/conformance/verifier"

// ends: is the message at the end the one that was streamed?
var ends = []verifier.Rule{{
	Code:   "open-at-done",
	Title:  "done while a block is open",
	Effect: "A reader shows a block that never ends, or keeps half a call.",
	Page:   pageStream, Strength: "MUST NOT",
	Facts:   "DI-DONE-NO-OPEN, AI-DONE",
	Note:    dropsAll,
	Levels:  "EEEE",
	Clauses: []verifier.Clause{{ID: OpenAtDone}},
}, {
	Code:   "reason-mismatch",
	Title:  "the reason of the end is not the stopReason of its message",
	Effect: "One reader goes on with a tool, another stops.",
	Page:   pageStream, Strength: "MUST",
	Facts:   "DI-REASON-EQ, AI-DONE, AI-ERROR",
	Note:    dropsAll,
	Levels:  "EEEE",
	Clauses: []verifier.Clause{{ID: ReasonMismatch}},
}, {
	Code:   "bad-reason",
	Title:  "a reason that this end cannot have",
	Effect: "A reader takes a failure for a success, or waits for more.",
	Page:   pageStream, Strength: "MUST",
	Facts:  "AI-DONE, AI-ERROR",
	Note:   "The original of di-code takes any reason.",
	Levels: "EEEW",
	Clauses: []verifier.Clause{
		{ID: BadReason, Name: "reason"},
		{ID: BadReasonPending, Name: "pending", Levels: "EEE-"},
	},
}, {
	Code:   "final-content",
	Title:  "the message of a done is not made of the blocks that were streamed",
	Effect: "What is kept and sent to the model next time is not what was shown.",
	Page:   pageStream, Strength: "MUST",
	Facts:   "DI-DONE-CONTENT, AI-DONE",
	Note:    "di-code allows exactly the members that it compares; pi adds signatures and others. Inside a session it is a warning: an extension may replace the message. " + dropsAll,
	Levels:  "EEEE",
	Clauses: []verifier.Clause{{ID: FinalContent}},
}, {
	Code:   "partial-content",
	Title:  "the message of an error is not what had been streamed by then",
	Effect: "Text that was shown is lost, or half a call is kept as a whole one.",
	Page:   pageStream, Strength: "MUST",
	Facts:   "DI-ERROR-CONTENT, AI-ERROR",
	Note:    "pi keeps all blocks, a call that is not complete with any arguments, or none at all; di-code leaves that call out and keeps the rest. Inside a session it is a warning. " + dropsAll,
	Levels:  "EEEE",
	Clauses: []verifier.Clause{{ID: PartialContent}},
}}
