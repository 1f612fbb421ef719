package scenarios_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

func TestEveryClauseHasItsScenario(t *testing.T) {
	all := scenarios.Names()
	for _, name := range clauseNames() {
		assert.Check(t, slices.Contains(all, name), "there is no scenario %s", name)
	}
}

// clauseNames are the names of the scenarios that show a clause; the others ask a producer.
func clauseNames() []string { return slices.Sorted(maps.Keys(clauses())) }

// eachClause runs a check on every clause with its scenario.
func eachClause(t *testing.T, check func(*testing.T, clause, clauseScript)) {
	for name, c := range clauses() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, c, readScript(t, name))
		})
	}
}

// The scenario's lines and the table's column are written by hand apart from each other: a severity
// that is wrong in one of them shows here.
func TestSeveritiesAreThoseOfTheTable(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		for _, profile := range profiles() {
			said := verifier.None
			for _, j := range s.judgements {
				if j.Stream == "bad" && j.Code == c.code && j.Options.Profile == profile && c.judgedIn(profile) {
					said = max(said, j.severity())
				}
			}
			assert.Equal(t, said, c.level(profile), "profile %s: the script says %s, the table %s", profile, said, c.level(profile))
		}
	})
}

func TestBadStreamsAreBlamedInEveryProfileThatJudges(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		for _, profile := range profiles() {
			v := s.judge(t, *s.first("bad", profile), verifier.Mask{})
			got, r := verifier.None, v.Report()
			if f := found(r, c.name); f != nil {
				got = f.Severity
			}
			assert.Equal(t, got, c.level(profile), "profile %s:%s", profile, described(r))
			_, fired := v.Coverage(c.id)
			assert.Equal(t, fired > 0, c.judgedIn(profile), "profile %s: counted as fired", profile)
		}
	})
}

func TestGoodStreamsAreNotBlamedInAnyProfile(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		for _, j := range s.judgements {
			if !strings.HasPrefix(j.Stream, "good") {
				continue
			}
			for _, j.Options.Profile = range profiles() {
				r := s.report(t, j, verifier.Mask{})
				assert.Assert(t, found(r, c.name) == nil, "%s:%s", j.String(), described(r))
			}
		}
	})
}

func TestRulesThatCameWith1AreNotJudgedIn0(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		if c.since == "" {
			return // judged in every revision
		}
		j := *s.first("bad", agui.Producer)
		j.Options.Revision = agui.Revision0
		r := s.report(t, j, verifier.Mask{})
		assert.Assert(t, found(r, c.name) == nil, "%s", described(r))
	})
}

// A scenario that holds without its rule shows nothing.
func TestScenariosNoticeTheLossOfTheirClause(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		var off verifier.Mask
		off.Set(c.id)
		noticed := 0
		for _, j := range s.judgements {
			if !strings.HasPrefix(j.Stream, "bad") || j.Code != c.code || !c.judgedIn(j.Options.Profile) {
				continue
			}
			r := s.report(t, j, off)
			assert.Assert(t, found(r, c.name) == nil, "%s: blamed all the same", j.String())
			assert.Assert(t, j.check(r, c) != nil, "%s: holds without the rule", j.String())
			noticed++
		}
		assert.Assert(t, noticed > 0, "no line is about the clause")
	})
}

// Switching a clause off is not to change what else is found: state is kept whether or not it is judged.
func TestClausesThatAreNotBrokenCanBeSwitchedOff(t *testing.T) {
	for name := range clauses() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := readScript(t, name)
			good := *s.first("good", agui.Producer)
			for _, c := range clauses() {
				var off verifier.Mask
				off.Set(c.id)
				r := s.report(t, good, off)
				assert.Assert(t, len(r.Findings) == 0, "with %s off:%s", c.name, described(r))
			}
		})
	}
}

func profiles() []string { return agui.Rules().Profiles }

// severity is what a line says of its finding.
func (j *judgement) severity() verifier.Severity {
	switch j.Command {
	case "reject", "incomplete":
		return verifier.Error
	}
	s, _ := verifier.ParseSeverity(j.Below)
	return s
}

// first returns the first line about a stream in a profile; nil without one.
func (s *clauseScript) first(stream, profile string) *judgement {
	for i := range s.judgements {
		if j := &s.judgements[i]; j.Stream == stream && j.Options.Profile == profile {
			return j
		}
	}
	return nil
}

func (s *clauseScript) judge(t *testing.T, j judgement, off verifier.Mask) *agui.Verifier {
	t.Helper()
	j.Options.Off = off
	v, err := j.judge(s.read)
	assert.NilError(t, err, j.String())
	return v
}

func (s *clauseScript) report(t *testing.T, j judgement, off verifier.Mask) verifier.Report {
	t.Helper()
	return s.judge(t, j, off).Report()
}
