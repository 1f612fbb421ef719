package fuzz

import (
	"slices"

	"github.com/agentstream/conformance/model"
)

// What was found and waits for its fix. Each entry goes with the fix.

// unjudged are codes that are not compared.
var unjudged = []string{
	// An escape in the type of a SUBAGENT_FINISHED's outcome hides it:
	// {"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"s\u0075spended"}}
	"suspended-without-interrupt",
}

func judgedAlike(all []finding) []finding {
	return slices.DeleteFunc(all, func(f finding) bool { return slices.Contains(unjudged, f.Code) })
}

// unmade are breakages that cannot be drawn, or are not seen.
func unmade(b model.Breakage) bool {
	if slices.Contains(unjudged, b.Code) {
		return true
	}
	return b.Clause == "truncated/no-run" && b.Profile == "client" // the model looks for tags in a run that there is not
}

// panics are rules that cannot be switched off: before any run, items are then opened that have no owner.
func panics(code string) bool { return code == "first-event" }
