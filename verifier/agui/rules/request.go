package rules

import "github.com/agentstream/conformance/verifier"

// request: does the stream answer the RunAgentInput that asked for it?
var request = []verifier.Rule{{
	Code:   "request-mismatch",
	Title:  "the stream's last run is not the one that was asked for",
	Effect: "A client waits for its run, which never comes.",
	Page:   pageRunInput, Strength: "declarative",
	Levels: "E---",
	Clauses: []verifier.Clause{
		{ID: RequestRun, Name: "run"},
		{ID: RequestThread, Name: "thread"},
	},
}, {
	Code:   "replay-restreamed",
	Title:  "a replayed run streams a message that the request carried",
	Effect: "The client has the message and appends the same text to it again.",
	Page:   pageLifecycle, Strength: "MUST",
	Levels:  "E---",
	Clauses: []verifier.Clause{{ID: ReplayRestreamed}},
}, {
	Code:   "frontend-tool-answered",
	Title:  "the producer answers a call to a tool that is the frontend's to run",
	Effect: "The tool runs in the client all the same, and its result comes second.",
	Page:   pageToolCalls, Strength: "MUST NOT",
	Levels: "E---",
	Clauses: []verifier.Clause{
		{ID: FrontendResult, Name: "result"},
		{ID: FrontendSnapshot, Name: "snapshot"},
	},
}, {
	Code:   "frontend-outcome",
	Title:  "a run that only waits for frontend tools ends as an interrupt",
	Effect: "The client asks the user for what its own tool should answer.",
	Page:   pageToolCalls, Strength: "MUST",
	Levels:  "W---",
	Clauses: []verifier.Clause{{ID: FrontendOutcome}},
}}
