package fuzz

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// A dropped event leaves no trace: without it the others have the same findings, but for indices.
//
// The contract makes two exceptions, both for lifecycle events. One that is dropped for its own members
// moves the phase of the run all the same. And the ids of a RUN_STARTED count as seen even where it is
// dropped because a run is open: RUN_FINISHED may name them.

func dropped(t *rapid.T) {
	x := anyTrial().Draw(t, "trial")
	noTraces(t, x)
}

func TestADroppedEventLeavesNoTrace(t *testing.T) { rapid.Check(t, dropped) }

func FuzzDropped(f *testing.F) { fuzzDrawn(f, dropped) }

func noTraces(t rapid.TB, x trial) {
	t.Helper()
	r := judge(t, x)
	if r.Stopped {
		return // nothing is known of the events behind a limit
	}
	before := outline(r.Findings)
	for _, i := range droppedIn(r) {
		want := moved(notOf(before, i), i+1, -1)
		if got := findings(t, x.with(without(x.events, i))); !slices.Equal(want, got) {
			t.Logf("event %d is dropped and leaves a trace", i)
			disagree(t, x, "with it", want, "without it", got)
		}
	}
}

// droppedIn are the indices of the events that a finding dropped and that the contract says leave no trace.
func droppedIn(r verifier.Report) (all []int) {
	for _, f := range r.Findings {
		if drops(f) && !excepted(f) && !slices.Contains(all, f.Index) {
			all = append(all, f.Index)
		}
	}
	return all
}

func drops(f verifier.Violation) bool {
	switch dispositions[f.Clause] {
	case verifier.DropAlways:
		return true
	case verifier.Drop:
		return f.Severity == verifier.Error
	}
	return false
}

func excepted(f verifier.Violation) bool {
	switch {
	case f.EventType == "RUN_STARTED":
		return true
	case strings.HasPrefix(f.EventType, "RUN_"):
		return !slices.Contains([]string{"run-ended", "first-event", "open-at-finish"}, f.Code)
	}
	return false
}

// dispositions are what the rule table says that each clause leaves behind, by the clause's full name.
var dispositions = func() map[string]verifier.Disposition {
	all := map[string]verifier.Disposition{}
	table := agui.Rules()
	for _, r := range table.Rules {
		for _, c := range r.Clauses {
			all[table.ClauseName(c.ID)] = r.Leaves
			if c.Leaves != nil {
				all[table.ClauseName(c.ID)] = *c.Leaves
			}
		}
	}
	return all
}()

// notOf leaves out the findings of one event.
func notOf(all []finding, index int) []finding {
	return slices.DeleteFunc(slices.Clone(all), func(f finding) bool { return f.Index == index })
}

// moved adds to the indices from a place on.
func moved(all []finding, from, by int) []finding {
	all = slices.Clone(all)
	for i := range all {
		if all[i].Index >= from {
			all[i].Index += by
		}
	}
	return all
}
