package drift

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// restsOn are the rules that ask for a member, a type or a shape that not every
// release has: OWNER, or OWNER.MEMBER. Retired ones are named as RETIRED.
var restsOn = map[string]struct{ owner, member string }{
	"version-format":        {"RUN_STARTED", "protocolVersion"},
	"version-missing":       {"RUN_STARTED", "protocolVersion"},
	"pending-tool-calls":    {"RunFinishedSuccessOutcome", "pendingToolCallIds"},
	"pending-unnamed":       {"RunFinishedSuccessOutcome", "pendingToolCallIds"},
	"cancelled-with-result": {"RunFinishedCancelledOutcome", ""},
	"subagent-unannounced":  {"SUBAGENT_STARTED", ""},
	"empty-interrupts":      {"RunFinishedInterruptOutcome", "interrupts"},
	"usage-arithmetic":      {"RUN_FINISHED", "usage"},
	"usage-repeated":        {"RUN_FINISHED", "usage"},
}

// A rule without Since is judged in every revision, so what it rests on must be in
// each; one with Since from that revision on.
func TestARuleIsJudgedOnlyWhereThereIsWhatItRestsOn(t *testing.T) {
	table := rules.Table()
	found := 0
	for i := range table.Rules {
		rule := &table.Rules[i]
		if rule.Since != "" {
			_, ok := baseline.AGUI().Revision(rule.Since)
			assert.Assert(t, ok, "%s: since %s, which is no revision", rule.Code, rule.Since)
		}
		fact, ok := restsOn[rule.Code]
		if !ok {
			continue
		}
		found++
		judged := rule.Since == ""
		for j := range baseline.AGUI().Revisions {
			r := &baseline.AGUI().Revisions[j]
			judged = judged || r.Name == rule.Since
			release, ok := baseline.History().Revision(r.Source.Version)
			assert.Assert(t, ok, r.Source.Version)
			if judged {
				assert.Assert(t, exists(release, fact.owner, fact.member), "%s is judged in %s, whose release %s has no %s.%s", rule.Code, r.Name, release.Name, fact.owner, fact.member)
			}
		}
	}
	assert.Equal(t, found, len(restsOn))
}

func exists(r *baseline.Revision, owner, member string) bool {
	if e, ok := r.Event(owner); ok {
		_, has := e.Member(member)
		return member == "" || has
	}
	o, ok := r.Object(owner)
	if !ok {
		return false
	}
	_, has := o.Member(member)
	return member == "" || has
}

// retired-event is judged from the revision on that retired types.
func TestRetiredTypesAreThoseThatTheHistoryLost(t *testing.T) {
	rule, ok := rules.Table().Rule("retired-event")
	assert.Assert(t, ok)
	releases := baseline.History().Revisions
	newest := &releases[len(releases)-1]
	for _, e := range baseline.AGUI().Events() {
		_, current := newest.Event(e.Type)
		assert.Equal(t, e.Until == "", current, e.Type)
		if e.Until != "" {
			assert.Assert(t, rule.Since != e.Until, "%s: retired in %s, judged since %s", e.Type, e.Until, rule.Since)
		}
	}
}
