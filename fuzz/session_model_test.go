package fuzz

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	model "github.com/agentstream/conformance/model/session"
	"github.com/agentstream/conformance/model/session/spec"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
)

// Agent sessions: what the simulated agent records gets the findings that it expects and no other, what is
// broken in one known way is blamed for that, and the verifier has exactly the findings of the executable
// specification, on anything.

// sessionTrial is a recording and the profile that it is judged by.
type sessionTrial struct {
	records [][]byte
	profile string
}

func ofSession(s model.Stream) sessionTrial { return sessionTrial{s.Records, s.Profile} }

func (x sessionTrial) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", x.profile)
	for i, r := range x.records {
		fmt.Fprintf(&b, "%3d %s\n", i, r)
	}
	return b.String()
}

func judgeSession(t rapid.TB, x sessionTrial) verifier.Report {
	t.Helper()
	v, err := session.New(session.Options{Profile: x.profile, Limits: verifier.Limits{Findings: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	var said []verifier.Violation
	for _, r := range x.records {
		said = append(said, v.Observe(r)...)
	}
	said = append(said, v.Finish()...)
	r := v.Report()
	if !slices.Equal(sorted(outline(said)), sorted(outline(r.Findings))) {
		t.Fatalf("the report of\n%s\nhas other findings than were said record by record: %+v", x, r)
	}
	return r
}

func sessionFindings(t rapid.TB, x sessionTrial) []finding {
	t.Helper()
	return sorted(outline(judgeSession(t, x).Findings))
}

func sessionSpecified(x sessionTrial) []finding {
	var out []finding
	for _, f := range spec.Judge(x.records, spec.Options{Profile: x.profile}).Findings {
		out = append(out, finding{Code: f.Code, Index: f.Index, Severity: f.Severity})
	}
	return sorted(out)
}

func sessionExpected(s model.Stream) []finding {
	var out []finding
	for _, f := range s.Expected {
		out = append(out, finding{Code: f.Code, Index: f.Index, Severity: f.Severity})
	}
	return sorted(out)
}

func disagreeSession(t rapid.TB, x sessionTrial, who string, has []finding, other string, have []finding) {
	t.Helper()
	t.Fatalf("%s\n%s (-) and %s (+) differ:\n%s", x, who, other, cmp.Diff(has, have))
}

// compareSession fails, on a small part of the recording that shows it, where verifier and specification disagree.
func compareSession(t rapid.TB, x sessionTrial) {
	t.Helper()
	differ := func(x sessionTrial) bool { return !slices.Equal(sessionSpecified(x), sessionFindings(t, x)) }
	if !differ(x) {
		return
	}
	for i := 0; i < len(x.records); {
		if less := (sessionTrial{without(x.records, i), x.profile}); differ(less) {
			x = less
		} else {
			i++
		}
	}
	disagreeSession(t, x, "specification", sessionSpecified(x), "verifier", sessionFindings(t, x))
}

var legalSessions = func() map[model.Class]*rapid.Generator[model.Stream] {
	all := map[model.Class]*rapid.Generator[model.Stream]{}
	for _, c := range model.Classes() {
		all[c] = model.Legal(model.Knobs{Class: c})
	}
	return all
}()

// legalSession: there is no finding but what was drawn on purpose.
func legalSession(c model.Class) func(t *rapid.T) {
	return func(t *rapid.T) {
		s := legalSessions[c].Draw(t, "recording")
		x := ofSession(s)
		if want, have := sessionExpected(s), sessionFindings(t, x); !slices.Equal(want, have) {
			disagreeSession(t, x, "model", want, "verifier", have)
		}
		if want, have := sessionExpected(s), sessionSpecified(x); !slices.Equal(want, have) {
			disagreeSession(t, x, "model", want, "specification", have)
		}
	}
}

func TestLegalSessionsGetWhatTheyExpect(t *testing.T) {
	for _, c := range model.Classes() {
		t.Run(string(c), rapid.MakeCheck(legalSession(c)))
	}
}

func FuzzSessionLegal(f *testing.F) {
	fuzzDrawn(f, func(t *rapid.T) { legalSession(rapid.SampledFrom(model.Classes()).Draw(t, "class"))(t) })
}
