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

var sessionFaults = model.Breakages()

var brokenSessions = func() map[string]*rapid.Generator[model.Broken] {
	all := map[string]*rapid.Generator[model.Broken]{}
	for _, b := range sessionFaults {
		all[b.Clause+b.Profile] = b.Generate(model.Knobs{})
	}
	return all
}()

// brokenSession: the fault gets its code at its record, and is the first error where it can be.
func brokenSession(b model.Breakage) func(t *rapid.T) {
	return func(t *rapid.T) {
		broken := brokenSessions[b.Clause+b.Profile].Draw(t, "recording")
		x := ofSession(broken.Stream)
		blamedSession(t, broken, "verifier", sessionFindings(t, x))
		blamedSession(t, broken, "specification", sessionSpecified(x))
		if r := judgeSession(t, x); r.Verdict != verdictOf(broken.Expect) {
			t.Fatalf("%s\nwant %+v of the verifier, which says %+v", x, verdictOf(broken.Expect), r.Verdict)
		}
		compareSession(t, x)
	}
}

func verdictOf(x model.Expect) verifier.Verdict {
	if x.Verdict == "accept" {
		return verifier.Verdict{}
	}
	return verifier.Verdict{Outcome: verifier.Reject, Code: x.First.Code, Index: x.First.Index}
}

func blamedSession(t rapid.TB, b model.Broken, who string, found []finding) {
	t.Helper()
	want := finding{Code: b.Expect.Code, Index: b.Expect.Index, Severity: b.Expect.Severity}
	first := slices.IndexFunc(found, func(f finding) bool { return f.Severity == "error" })
	reject := b.Expect.Verdict == "reject"
	if !slices.Contains(found, want) || reject != (first >= 0) || reject && found[first].Index != b.Expect.First.Index {
		t.Logf("%s should be broken at %d", b.Clause, b.Expect.Index)
		disagreeSession(t, ofSession(b.Stream), "model", []finding{want}, who, found)
	}
}

func TestBrokenSessionsAreBlamedForWhatIsBroken(t *testing.T) {
	fewer(t, 60)
	for _, b := range sessionFaults {
		t.Run(b.Clause+"/"+b.Profile, rapid.MakeCheck(brokenSession(b)))
	}
}

func FuzzSessionBroken(f *testing.F) {
	fuzzDrawn(f, func(t *rapid.T) { brokenSession(rapid.SampledFrom(sessionFaults).Draw(t, "breakage"))(t) })
}

// anySession is a legal recording, a broken one, or either of them damaged.
func anySession(t *rapid.T) model.Stream {
	var s model.Stream
	if rapid.IntRange(0, 3).Draw(t, "broken") == 3 {
		b := rapid.SampledFrom(sessionFaults).Draw(t, "breakage")
		s = brokenSessions[b.Clause+b.Profile].Draw(t, "recording").Stream
	} else {
		s = legalSessions[rapid.SampledFrom(model.Classes()).Draw(t, "class")].Draw(t, "recording")
	}
	if rapid.IntRange(0, 5).Draw(t, "damaged") > 0 {
		s = model.Mutate(s).Draw(t, "mutant")
	}
	return s
}

// sessionAgreement compares by the recording's own profile and by one more.
func sessionAgreement(t *rapid.T) {
	x := ofSession(anySession(t))
	compareSession(t, x)
	x.profile = rapid.SampledFrom(model.Profiles()).Draw(t, "judged by")
	compareSession(t, x)
}

func TestSessionAgreesWithTheSpecification(t *testing.T) { rapid.Check(t, sessionAgreement) }

func FuzzSessionAgreement(f *testing.F) { fuzzDrawn(f, sessionAgreement) }

// FuzzSessionLines judges any bytes, a line a record; the first byte chooses the profile.
func FuzzSessionLines(f *testing.F) {
	profile := func(name string) byte { return byte(slices.Index(model.Profiles(), name)) }
	for i, b := range sessionFaults {
		s := brokenSessions[b.Clause+b.Profile].Example(i)
		f.Add(profile(b.Profile), ndjson(s.Records))
	}
	for _, c := range model.Classes() {
		for seed := range 20 {
			s := legalSessions[c].Example(seed)
			f.Add(profile(s.Profile), ndjson(s.Records))
		}
	}
	f.Fuzz(func(t *testing.T, profile byte, in []byte) {
		if len(in) <= most {
			compareSession(t, sessionTrial{assistantLines(in), model.Profiles()[int(profile)%len(model.Profiles())]})
		}
	})
}

// notInSessions are codes of the provider's stream that its pieces in a session cannot break: they have no start
// and no end of their own, and the records around them are judged by the session's own clauses.
var notInSessions = []string{"bad-json", "truncated", "first-event", "stream-ended", "duplicate-stream-start", "reason-mismatch"}

// Each clause of the table is fired in each profile that judges it.
func TestEveryClauseOfSessionIsBroken(t *testing.T) {
	table := session.Rules()
	fired := map[string]bool{}
	for _, b := range sessionFaults {
		g := brokenSessions[b.Clause+b.Profile]
		for seed := range 10 {
			for _, f := range judgeSession(t, ofSession(g.Example(seed).Stream)).Findings {
				fired[f.Clause+" in "+b.Profile] = true
			}
		}
	}
	for _, r := range table.Rules {
		for _, c := range r.Clauses {
			for i, profile := range table.Profiles {
				name := table.ClauseName(c.ID) + " in " + profile
				if table.ClauseLevels(c.ID).In(i) != verifier.None && !r.Limit && !fired[name] && !(r.Protocol != "" && slices.Contains(notInSessions, r.Code)) {
					t.Errorf("nothing breaks %s", name)
				}
			}
		}
	}
}
