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

func TestEveryClauseHasItsScenarioAndEveryScenarioItsClause(t *testing.T) {
	assert.DeepEqual(t, scenarios.Names(), slices.Sorted(maps.Keys(clauses())))
}

// eachClause runs a check on every clause with its scenario.
func eachClause(t *testing.T, check func(*testing.T, clause, script)) {
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
	eachClause(t, func(t *testing.T, c clause, s script) {
		for _, profile := range profiles() {
			said := verifier.None
			for _, j := range s.judgements {
				if j.stream == "bad" && j.code == c.code && j.options.Profile == profile && c.judgedIn(profile) {
					said = max(said, j.severity())
				}
			}
			assert.Equal(t, said, c.level(profile), "profile %s: the script says %s, the table %s", profile, said, c.level(profile))
		}
	})
}

func TestBadStreamsAreBlamedInEveryProfileThatJudges(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s script) {
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
	eachClause(t, func(t *testing.T, c clause, s script) {
		for _, j := range s.judgements {
			if !strings.HasPrefix(j.stream, "good") {
				continue
			}
			for _, j.options.Profile = range profiles() {
				r := s.report(t, j, verifier.Mask{})
				assert.Assert(t, found(r, c.name) == nil, "%s:%s", j.line(), described(r))
			}
		}
	})
}

func TestRulesThatCameWith1AreNotJudgedIn0(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s script) {
		if c.since == "" {
			return // judged in every revision
		}
		j := *s.first("bad", agui.Producer)
		j.options.Revision = agui.Revision0
		r := s.report(t, j, verifier.Mask{})
		assert.Assert(t, found(r, c.name) == nil, "%s", described(r))
	})
}

// A scenario that holds without its rule shows nothing.
func TestScenariosNoticeTheLossOfTheirClause(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s script) {
		var off verifier.Mask
		off.Set(c.id)
		noticed := 0
		for _, j := range s.judgements {
			if !strings.HasPrefix(j.stream, "bad") || j.code != c.code || !c.judgedIn(j.options.Profile) {
				continue
			}
			r := s.report(t, j, off)
			assert.Assert(t, found(r, c.name) == nil, "%s: blamed all the same", j.line())
			assert.Assert(t, j.check(r, c) != nil, "%s: holds without the rule", j.line())
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
	switch j.command {
	case "reject", "incomplete":
		return verifier.Error
	}
	s, _ := verifier.ParseSeverity(j.below)
	return s
}

// first returns the first line about a stream in a profile; nil without one.
func (s *script) first(stream, profile string) *judgement {
	for i := range s.judgements {
		if j := &s.judgements[i]; j.stream == stream && j.options.Profile == profile {
			return j
		}
	}
	return nil
}

func (s *script) judge(t *testing.T, j judgement, off verifier.Mask) *agui.Verifier {
	t.Helper()
	j.options.Off = off
	v, err := j.judge(s.read)
	assert.NilError(t, err, j.line())
	return v
}

func (s *script) report(t *testing.T, j judgement, off verifier.Mask) verifier.Report {
	t.Helper()
	return s.judge(t, j, off).Report()
}
