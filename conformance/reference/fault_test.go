package reference

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// unshowable are the clauses of a producer's errors that no response of a live subject can show, and why.
var unshowable = map[string]string{
	"limit/event-bytes":      "a limit of the kit, not the subject's fault: reached, the verdict is incomplete",
	"limit/depth":            "a limit of the kit",
	"limit/open":             "a limit of the kit",
	"limit/ids":              "a limit of the kit",
	"limit/documents":        "a limit of the kit",
	"version-missing/strict": "judged only where 1.0 is asked for by name and strictly; scenarios do neither",
}

func TestEveryErrorOfAProducerHasAFault(t *testing.T) {
	has := map[string]bool{}
	for _, f := range Faults() {
		has[f.Clause] = true
	}
	table := agui.Rules()
	producer, _ := table.Profile(agui.Producer)
	for _, r := range table.Rules {
		for _, c := range r.Clauses {
			name := table.ClauseName(c.ID)
			isError := table.ClauseLevels(c.ID).In(producer) == verifier.Error
			_, excused := unshowable[name]
			assert.Check(t, has[name] == (isError && !excused), "%s: a fault: %t; an error of producers: %t; not to be shown: %t", name, has[name], isError, excused)
		}
	}
}

func TestNamesAreUniqueAndWhatIsSaidOfAHabitIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range slices.Concat(Faults(), Liberties()) {
		assert.Check(t, !seen[h.Name], "two habits %s", h.Name)
		seen[h.Name] = true
		assert.Check(t, h.Does != "" && h.Script != "", "%s", h.Name)
		assert.Check(t, (h.Cause == Rule) == (h.Clause != ""), "%s", h.Name)
	}
	for _, h := range Faults() {
		assert.Check(t, h.Cause != "", "%s has no cause", h.Name)
	}
}

// Without its habit the agent plays the same script legally, and otherwise than with it.
func TestHabitsShow(t *testing.T) {
	plain := serve(t, Options{})
	for _, h := range slices.Concat(Faults(), Liberties()) {
		if h.Cause != Rule && h.Cause != Unfaithful && h.Cause != "" {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			request := requestOf(t, h.Script, h.Input)
			right := eventsOf(t, post(t, plain, request).Body)
			assertLegal(t, right, request)
			assert.Equal(t, differs(t, h.Script, request, right, true), "")
			got := eventsOf(t, post(t, serve(t, Options{Habit: h.Name}), request).Body)
			if h.Name != "slow" {
				assert.Assert(t, strings.Join(right, "\n") != strings.Join(got, "\n"), "nothing is otherwise")
			}
			switch {
			case h.Cause == Rule:
				assertBreaks(t, h.Clause, got, request)
			case h.Name == "refuses-early": // an answer without events, which is legal
			default:
				assertLegal(t, got, request)
				d := differs(t, h.Script, request, got, h.Name != "mints")
				assert.Equal(t, d != "", h.Cause == Unfaithful, "%s\n%s", d, strings.Join(got, "\n"))
			}
		})
	}
}

// assertBreaks: the first error is of the clause.
func assertBreaks(t *testing.T, clause string, events []string, request []byte) {
	t.Helper()
	r := report(t, events, request)
	code, _, _ := strings.Cut(clause, "/")
	assert.Equal(t, r.Verdict.Outcome, verifier.Reject, "%s", strings.Join(events, "\n"))
	first := slices.IndexFunc(r.Findings, func(f verifier.Violation) bool {
		return f.Severity == verifier.Error && f.Index == r.Verdict.Index && f.Code == r.Verdict.Code
	})
	assert.Equal(t, r.Findings[first].Clause, clause, "%s", strings.Join(events, "\n"))
	assert.Equal(t, r.Verdict.Code, code)
}
