package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

func TestEveryClauseHasItsScenario(t *testing.T) {
	for _, p := range protocols() {
		for name, c := range p.clauses() {
			if c.isOwn() {
				_, err := scenarios.Example(p.name, name)
				assert.Check(t, err)
			}
		}
	}
}

// Profiles may share no stream: each clause is to be shown in every profile that judges it.
func TestEveryClauseIsShownInEveryProfileThatJudges(t *testing.T) {
	shown := map[string]bool{}
	eachScript(t, func(_ *testing.T, s clauseScript) {
		for _, profile := range s.profiles() {
			shown[s.Protocol+" "+s.clause.name+" "+profile] = true
		}
	})
	for _, p := range protocols() {
		for name, c := range p.clauses() {
			for _, profile := range p.table.Profiles {
				if c.isOwn() && c.judgedIn(profile) {
					assert.Check(t, shown[p.name+" "+name+" "+profile], "%s has no scenario for %s in profile %s", p.name, name, profile)
				}
			}
		}
	}
}

func TestScenariosShowClausesThatThereAre(t *testing.T) {
	for _, p := range protocols() {
		all := p.clauses()
		for _, name := range scenarios.Of(p.name) {
			s, err := scenarios.ReadOf(p.name, name)
			assert.NilError(t, err)
			_, known := all[s.Shows()]
			assert.Check(t, known || s.Shows() == "", "%s shows %q, which is no clause", p.title(name), s.Shows())
		}
	}
}

// eachClause runs a check on every scenario that shows a clause.
func eachClause(t *testing.T, check func(*testing.T, clause, clauseScript)) {
	eachScript(t, func(t *testing.T, s clauseScript) {
		if s.clause.name != "" {
			t.Parallel()
			check(t, s.clause, s)
		}
	})
}

// The scenario's lines and the table's column are written by hand apart from each other: a severity
// that is wrong in one of them shows here.
func TestSeveritiesAreThoseOfTheTable(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		if !c.isOwn() {
			return // its table is elsewhere, and this protocol may take it more easily
		}
		for _, profile := range s.profiles() {
			bad, said := s.first("bad", profile), verifier.None
			for _, j := range s.judgements {
				if j.Stream == bad.Stream && j.Code == c.code && j.Options.Profile == profile && c.judgedIn(profile) {
					said = max(said, j.severity())
				}
			}
			assert.Equal(t, said, c.level(profile), "profile %s: the script says %s, the table %s", profile, said, c.level(profile))
		}
	})
}

func TestBadStreamsAreBlamedInEveryProfileThatJudges(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		for _, profile := range s.profiles() {
			v := s.judge(t, *s.first("bad", profile), verifier.Mask{})
			got, r := verifier.None, v.Report()
			if f := found(r, c); f != nil {
				got = f.Severity
			}
			want := c.level(profile)
			if !c.isOwn() && got != verifier.None {
				want = got
			}
			assert.Equal(t, got, want, "profile %s:%s", profile, described(r))
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
			for _, j.Options.Profile = range s.lines(j.Stream) {
				r := s.report(t, j, verifier.Mask{})
				assert.Assert(t, found(r, c) == nil, "%s:%s", j.String(), described(r))
			}
		}
	})
}

func TestRulesThatCameWith1AreNotJudgedIn0(t *testing.T) {
	eachClause(t, func(t *testing.T, c clause, s clauseScript) {
		if c.since == "" || c.of != scenarios.AGUI {
			return // judged in every revision
		}
		j := *s.first("bad", agui.Producer)
		j.Options.Revision = agui.Revision0
		r := s.report(t, j, verifier.Mask{})
		assert.Assert(t, found(r, c) == nil, "%s", described(r))
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
			assert.Assert(t, found(r, c) == nil, "%s: blamed all the same", j.String())
			assert.Assert(t, j.check(r, c) != nil, "%s: holds without the rule", j.String())
			noticed++
		}
		assert.Assert(t, noticed > 0, "no line is about the clause")
	})
}

// Switching a clause off is not to change what else is found: state is kept whether or not it is judged.
func TestClausesThatAreNotBrokenCanBeSwitchedOff(t *testing.T) {
	eachScript(t, func(t *testing.T, s clauseScript) {
		t.Parallel()
		good := s.first("good", s.Profile())
		if good == nil || good.Command != "accept" {
			return
		}
		looked := s.judge(t, *good, verifier.Mask{})
		for _, c := range s.protocol.clauses() {
			if evaluated, _ := looked.Coverage(c.id); evaluated == 0 {
				continue // nothing asks whether it is on
			}
			var off verifier.Mask
			off.Set(c.id)
			r := s.report(t, *good, off)
			assert.Assert(t, len(r.Findings) == 0, "with %s off:%s", c.name, described(r))
		}
	})
}

// severity is what a line says of its finding.
func (j *judgement) severity() verifier.Severity {
	switch j.Command {
	case "reject", "incomplete":
		return verifier.Error
	}
	s, _ := verifier.ParseSeverity(j.Below)
	return s
}

// first returns the first line about a stream in a profile, or else about one whose name begins like it: what one profile
// sends another may not know. It is nil without one.
func (s *clauseScript) first(stream, profile string) *judgement {
	var like *judgement
	for i := range s.judgements {
		j := &s.judgements[i]
		switch {
		case j.Options.Profile != profile:
		case j.Stream == stream:
			return j
		case like == nil && strings.HasPrefix(j.Stream, stream+"-"):
			like = j
		}
	}
	return like
}

// lines are the profiles that a stream is judged in.
func (s *clauseScript) lines(stream string) (profiles []string) {
	for _, j := range s.judgements {
		if j.Stream == stream && !slices.Contains(profiles, j.Options.Profile) {
			profiles = append(profiles, j.Options.Profile)
		}
	}
	return profiles
}

func (s *clauseScript) judge(t *testing.T, j judgement, off verifier.Mask) verifier.Judge {
	t.Helper()
	j.Options.Off = off
	v, err := j.judge(s.protocol, s.read)
	assert.NilError(t, err, j.String())
	return v
}

func (s *clauseScript) report(t *testing.T, j judgement, off verifier.Mask) verifier.Report {
	t.Helper()
	return s.judge(t, j, off).Report()
}
