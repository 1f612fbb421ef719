package fuzz

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// What is broken in one known way gets that code at that index: as the verdict where it is an error, else
// as one of the findings on an accepted stream.

var breakages = model.Breakages()

// brokenStreams are made once, by clause and profile.
var brokenStreams = func() map[string]*rapid.Generator[model.Broken] {
	all := map[string]*rapid.Generator[model.Broken]{}
	for _, b := range breakages {
		all[b.Clause+b.Profile] = b.Generate(model.Knobs{})
	}
	return all
}()

func breaks(b model.Breakage) func(*rapid.T) {
	return func(t *rapid.T) { blamed(t, brokenStreams[b.Clause+b.Profile].Draw(t, "stream")) }
}

func TestBrokenStreamsAreBlamedForWhatIsBroken(t *testing.T) {
	fewer(t, 10)
	for _, b := range breakages {
		t.Run(b.Clause+"/"+b.Profile, rapid.MakeCheck(breaks(b)))
	}
}

func FuzzBroken(f *testing.F) {
	fuzzDrawn(f, func(t *rapid.T) { breaks(rapid.SampledFrom(breakages).Draw(t, "breakage"))(t) })
}

func blamed(t rapid.TB, b model.Broken) {
	t.Helper()
	x := modelled(b.Stream)
	x.options.Profile = b.Profile
	r := judge(t, x)
	want := finding{Code: b.Expect.Code, Index: b.Expect.Index, Severity: b.Expect.Severity}
	verdict := verifier.Verdict{}
	if b.Expect.Verdict == "reject" {
		verdict = verifier.Verdict{Outcome: verifier.Reject, Code: want.Code, Index: want.Index}
	}
	found := slices.ContainsFunc(r.Findings, func(f verifier.Violation) bool {
		return f.Code == want.Code && f.Index == want.Index && f.Severity.String() == want.Severity && f.Clause == b.Expect.Clause
	})
	if r.Verdict != verdict || !found {
		t.Logf("%s should be broken at %d", b.Expect.Clause, b.Expect.Index)
		disagree(t, x, "model", []finding{want}, "verifier", outline(r.Findings))
	}
}

// A rule without a breakage would go unwatched.
func TestEveryClauseIsBrokenInEveryProfileThatJudgesIt(t *testing.T) {
	known := map[string]bool{}
	for _, b := range breakages {
		known[b.Clause+" in "+b.Profile] = true
	}
	table := agui.Rules()
	for _, r := range table.Rules {
		for _, c := range r.Clauses {
			for i, profile := range table.Profiles {
				name := table.ClauseName(c.ID) + " in " + profile
				if table.ClauseLevels(c.ID).In(i) != verifier.None && !r.Limit && !known[name] {
					t.Errorf("nothing breaks %s", name)
				}
			}
		}
	}
}
