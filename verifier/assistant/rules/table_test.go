package rules_test

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/rules"
)

func TestEveryRuleIsWhole(t *testing.T) {
	table := rules.Table()
	for i := range table.Rules {
		r := &table.Rules[i]
		for _, text := range []string{r.Code, r.Title, r.Effect, r.Page, r.Strength} {
			assert.Assert(t, text != "", "%+v", r)
		}
		assert.Equal(t, len(r.Levels), len(table.Profiles), r.Code)
		assert.Assert(t, strings.HasPrefix(r.Page, "#"), r.Code)
		assert.Assert(t, len(r.Clauses) > 0, r.Code)
		for _, c := range r.Clauses {
			assert.Equal(t, c.Name == "", len(r.Clauses) == 1, "%s: a clause has a name where it has siblings", r.Code)
		}
	}
}

// The eighteen facts of di-code, each in one rule; two are properties of the machine and no codes.
func TestTheFactsOfDiCodeHaveTheirRules(t *testing.T) {
	for fact, code := range map[string]string{
		"DI-FIRST-START": "first-event", "DI-START-ONCE": "duplicate-stream-start", "DI-AFTER-TERMINAL": "stream-ended", "DI-KNOWN-TYPE": "unknown-event-type",
		"DI-ONE-OPEN": "block-overlap", "DI-INDEX-NEXT": "index-gap", "DI-BLOCK-KIND": "not-open", "DI-BLOCK-INDEX": "wrong-index", "DI-END-EQ-DELTAS": "content-mismatch",
		"DI-ARGS-JSON": "arguments-not-json", "DI-ARGS-OBJECT": "arguments-not-object", "DI-ID-STABLE": "tool-id-changed", "DI-NAME-STABLE": "tool-name-changed",
		"DI-ARGS-EQ": "arguments-mismatch", "DI-DONE-NO-OPEN": "open-at-done", "DI-REASON-EQ": "reason-mismatch", "DI-DONE-CONTENT": "final-content", "DI-ERROR-CONTENT": "partial-content",
	} {
		r, ok := rules.Table().Rule(code)
		assert.Assert(t, ok, code)
		assert.Assert(t, strings.Contains(r.Facts, fact), "%s: %s", code, r.Facts)
		assert.Equal(t, r.Levels.In(rules.DiCode), verifier.Error, code)
	}
}
