package rules

import "github.com/agentstream/conformance/verifier"

// documents: do deltas fit what they change?
var documents = []verifier.Rule{{
	Code:   "state-patch",
	Title:  "a STATE_DELTA does not apply to the state",
	Effect: "A client skips the delta: from here on its state is not the agent's.",
	Page:   pageSnapshots, Strength: "MUST",
	Note:    "The page binds the delta to its baseline; a consumer warns and keeps what it had.",
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: StatePatch}},
}, {
	Code:   "activity-patch",
	Title:  "an ACTIVITY_DELTA does not apply, or leaves content that is no object",
	Effect: "A client skips the delta: the activity it shows stands still.",
	Page:   pageActivity, Strength: "MUST NOT",
	Levels: "EW--",
	Clauses: []verifier.Clause{
		{ID: ActivityPatch, Name: "apply"},
		{ID: ActivityPatchObject, Name: "object"},
	},
}, {
	Code:   "activity-baseline",
	Title:  "an ACTIVITY_DELTA for an activity that has no snapshot",
	Effect: "A client has nothing to change, and skips the delta.",
	Page:   pageActivity, Strength: "MUST NOT",
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: ActivityBaseline}},
}}
