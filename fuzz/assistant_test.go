package fuzz

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	model "github.com/agentstream/conformance/model/assistant"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
)

// Provider streams: the verifier has exactly the findings of the executable specification, on any stream;
// what is legal by construction is accepted, and what is broken in one known way is blamed for that.

var (
	answerFaults   = model.Breakages()
	answerProfiles = model.Profiles()
)

// legalAnswers are made once, by profile, and brokenAnswers by clause and profile.
var legalAnswers = func() map[string]*rapid.Generator[model.Stream] {
	all := map[string]*rapid.Generator[model.Stream]{}
	for _, profile := range answerProfiles {
		all[profile] = model.Legal(model.Knobs{Profile: profile})
	}
	return all
}()

var brokenAnswers = func() map[string]*rapid.Generator[model.Broken] {
	all := map[string]*rapid.Generator[model.Broken]{}
	for _, b := range answerFaults {
		all[b.Clause+b.Profile] = b.Generate(model.Knobs{})
	}
	return all
}()

// anyAnswer is a legal stream, a broken one, or either of them damaged.
func anyAnswer(t *rapid.T) model.Stream {
	var s model.Stream
	if rapid.Bool().Draw(t, "broken") {
		b := rapid.SampledFrom(answerFaults).Draw(t, "breakage")
		s = brokenAnswers[b.Clause+b.Profile].Draw(t, "stream").Stream
	} else {
		s = legalAnswers[rapid.SampledFrom(answerProfiles).Draw(t, "profile")].Draw(t, "stream")
	}
	if rapid.IntRange(0, 3).Draw(t, "damaged") > 0 {
		s = model.Mutate(s).Draw(t, "mutant")
	}
	return s
}

// answerAgreement compares by the stream's own profile and, as another's would not be made for it, by one more.
func answerAgreement(t *rapid.T) {
	x := ofAssistant(anyAnswer(t))
	compareAssistant(t, x)
	x.profile = rapid.SampledFrom(answerProfiles).Draw(t, "judged by")
	compareAssistant(t, x)
}

func TestAssistantAgreesWithTheSpecification(t *testing.T) { rapid.Check(t, answerAgreement) }

func FuzzAssistantAgreement(f *testing.F) { fuzzDrawn(f, answerAgreement) }

func legalAnswer(profile string) func(t *rapid.T) {
	return func(t *rapid.T) {
		x := ofAssistant(legalAnswers[profile].Draw(t, "stream"))
		if r := judgeAssistant(t, x); r.Verdict.Outcome != verifier.Accept {
			disagreeAssistant(t, x, "model", nil, "verifier", errorsOf(outline(r.Findings)))
		}
		compareAssistant(t, x)
	}
}

func TestLegalAnswersAreAccepted(t *testing.T) {
	for _, profile := range answerProfiles {
		t.Run(profile, rapid.MakeCheck(legalAnswer(profile)))
	}
}

func FuzzAssistantLegal(f *testing.F) {
	fuzzDrawn(f, func(t *rapid.T) { legalAnswer(rapid.SampledFrom(answerProfiles).Draw(t, "profile"))(t) })
}

func brokenAnswer(b model.Breakage) func(t *rapid.T) {
	return func(t *rapid.T) {
		broken := brokenAnswers[b.Clause+b.Profile].Draw(t, "stream")
		blamedAnswer(t, broken)
		compareAssistant(t, ofAssistant(broken.Stream))
	}
}

func blamedAnswer(t rapid.TB, b model.Broken) {
	t.Helper()
	x := ofAssistant(b.Stream)
	r := judgeAssistant(t, x)
	want := finding{Code: b.Expect.Code, Index: b.Expect.Index, Severity: b.Expect.Severity}
	verdict := verifier.Verdict{}
	if b.Expect.Verdict == "reject" {
		verdict = verifier.Verdict{Outcome: verifier.Reject, Code: want.Code, Index: want.Index}
	}
	if r.Verdict != verdict || !slices.Contains(outline(r.Findings), want) {
		t.Logf("%s should be broken at %d", b.Clause, b.Expect.Index)
		disagreeAssistant(t, x, "model", []finding{want}, "verifier", outline(r.Findings))
	}
}

func TestBrokenAnswersAreBlamedForWhatIsBroken(t *testing.T) {
	fewer(t, 10)
	for _, b := range answerFaults {
		t.Run(b.Clause+"/"+b.Profile, rapid.MakeCheck(brokenAnswer(b)))
	}
}

func FuzzAssistantBroken(f *testing.F) {
	fuzzDrawn(f, func(t *rapid.T) { brokenAnswer(rapid.SampledFrom(answerFaults).Draw(t, "breakage"))(t) })
}

// A rule without a breakage would go unwatched: each clause of the table is fired in each profile that judges it.
func TestEveryClauseOfAssistantIsBroken(t *testing.T) {
	table := assistant.Rules()
	fired := map[string]bool{}
	for _, b := range answerFaults {
		g := brokenAnswers[b.Clause+b.Profile]
		for seed := range 25 {
			for _, f := range judgeAssistant(t, ofAssistant(g.Example(seed).Stream)).Findings {
				fired[f.Clause+" in "+b.Profile] = true
			}
		}
	}
	for _, r := range table.Rules {
		for _, c := range r.Clauses {
			for i, profile := range table.Profiles {
				name := table.ClauseName(c.ID) + " in " + profile
				if table.ClauseLevels(c.ID).In(i) != verifier.None && !r.Limit && !fired[name] {
					t.Errorf("nothing breaks %s", name)
				}
			}
		}
	}
}

// traceless: in di-code a refused event has no effect at all, so without it the rest is judged the same.
func traceless(t *rapid.T) {
	x := ofAssistant(anyAnswer(t))
	x.profile = model.DiCode
	found := assistantFindings(t, x)
	for _, f := range found {
		if f.Severity != "error" || gaveUp(found) {
			continue
		}
		var want []finding
		for _, other := range found {
			if other.Index > f.Index {
				other.Index--
				want = append(want, other)
			} else if other.Index < f.Index {
				want = append(want, other)
			}
		}
		less := x.with(without(x.events, f.Index))
		if have := assistantFindings(t, less); !slices.Equal(want, have) {
			t.Logf("event %d was refused in\n%s", f.Index, x)
			disagreeAssistant(t, less, "with the refused event", want, "without", have)
		}
		return
	}
}

func TestARefusedEventOfAnAnswerLeavesNoTrace(t *testing.T) { rapid.Check(t, traceless) }

func FuzzAssistantTraceless(f *testing.F) { fuzzDrawn(f, traceless) }

// boundedAnswer: a limit of the kit changes nothing of what is found before it.
func boundedAnswer(t *rapid.T) {
	x := ofAssistant(anyAnswer(t))
	free := assistantFindings(t, x)
	x.limits = verifier.Limits{
		EventBytes: rapid.SampledFrom([]int{0, 60, 200, 1000}).Draw(t, "bytes"),
		Depth:      rapid.SampledFrom([]int{0, 1, 3, 5, 8}).Draw(t, "depth"),
		Open:       rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t, "open"),
		IDBytes:    rapid.SampledFrom([]int{0, 1, 100, 1000}).Draw(t, "ids"),
		TextBytes:  rapid.SampledFrom([]int{0, 1, 10, 40}).Draw(t, "text"),
	}
	r := judgeAssistant(t, x)
	end := len(x.events) + 1
	for _, f := range r.Findings {
		if f.Code == "limit" {
			end = f.Index
		}
	}
	before := func(all []finding) []finding {
		return slices.DeleteFunc(slices.Clone(all), func(f finding) bool { return f.Index >= end })
	}
	if have := sorted(outline(r.Findings)); !slices.Equal(before(free), before(have)) || r.Stopped != (end <= len(x.events)) {
		t.Logf("with %+v", x.limits)
		disagreeAssistant(t, x, "without limits", free, "with them", have)
	}
}

func TestALimitChangesNothingOfAnAnswerBeforeIt(t *testing.T) { rapid.Check(t, boundedAnswer) }

func FuzzAssistantLimits(f *testing.F) { fuzzDrawn(f, boundedAnswer) }

// FuzzAssistantLines judges any bytes, a line a record; the first byte chooses the profile.
func FuzzAssistantLines(f *testing.F) {
	for i, b := range answerFaults {
		s := brokenAnswers[b.Clause+b.Profile].Example(i)
		f.Add(byte(slices.Index(answerProfiles, b.Profile)), ndjson(s.Events))
	}
	for i, profile := range answerProfiles {
		for seed := range 20 {
			f.Add(byte(i), ndjson(legalAnswers[profile].Example(seed).Events))
		}
	}
	f.Fuzz(func(t *testing.T, profile byte, in []byte) {
		events := assistantLines(in)
		if len(in) <= most && len(events) <= 60 { // the specification walks all that was before each time
			compareAssistant(t, assistantTrial{events: events, profile: answerProfiles[int(profile)%len(answerProfiles)]})
		}
	})
}
