package fuzz

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// Options that say how much is done change nothing of what is found in what was done.

func limited(t *rapid.T) {
	x := anyTrial().Draw(t, "trial")
	want := judge(t, x)
	x.options.Limits = rapid.Custom(func(t *rapid.T) verifier.Limits { return maker{drawn{t}}.limits() }).Draw(t, "limits")
	if x.options.Request != nil {
		x.options.Limits.Depth = 0 // it holds for the request too, which would be refused
	}
	got := judge(t, x)
	sameVerdict(t, x, want, got)
	at := slices.IndexFunc(got.Findings, func(f verifier.Violation) bool { return f.Code == "limit" })
	if at < 0 || got.Omitted > 0 {
		return
	}
	upTo(t, x, got, got.Findings[at].Index)
}

func TestALimitChangesNothingBeforeIt(t *testing.T) { rapid.Check(t, limited) }

func FuzzLimits(f *testing.F) { fuzzDrawn(f, limited) }

// limits are some defaults and some that the streams here do reach.
func (m maker) limits() (l verifier.Limits) {
	pick := func(to *int, from, width int) {
		if m.in(3) {
			*to = from + m.IntN(width)
		}
	}
	pick(&l.EventBytes, 60, 200)
	pick(&l.Depth, 3, 4)
	pick(&l.Open, 1, 4)
	pick(&l.IDBytes, 600, 4000)
	pick(&l.DocumentBytes, 1, 40)
	pick(&l.Findings, 1, 5)
	return l
}

// sameVerdict holds that only a reached limit of judging, never one of keeping, changes a verdict.
func sameVerdict(t rapid.TB, x trial, free, limited verifier.Report) {
	t.Helper()
	if limited.Stopped {
		return
	}
	if free.Verdict != limited.Verdict || !equalCounts(free, limited) {
		t.Fatalf("%+v\n%s\nwithout limits: %v, with them: %v", x.options.Limits, x, free.Verdict, limited.Verdict)
	}
}

func equalCounts(a, b verifier.Report) bool {
	for s, n := range a.Counts {
		if b.Counts[s] != n {
			return false
		}
	}
	return true
}

// upTo holds that a report that ends at a limit has the findings of the events before it.
func upTo(t rapid.TB, x trial, r verifier.Report, index int) {
	t.Helper()
	o := x.options
	o.Limits = verifier.Limits{}
	v, err := agui.New(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, e := range x.events[:index] {
		v.Observe(e)
	}
	early := func(f verifier.Violation) bool { return f.Index >= index }
	want := outline(v.Report().Findings)
	got := outline(slices.DeleteFunc(slices.Clone(r.Findings), early))
	if !slices.Equal(want, got) && !explainedLater(r, index, want, got) {
		disagree(t, x, "before the limit", want, "with it", got)
	}
}

// explainedLater allows for findings that the event at the limit itself still gave to an earlier one.
func explainedLater(r verifier.Report, index int, want, got []finding) bool {
	for _, f := range want {
		i := slices.Index(got, f)
		if i < 0 {
			return false
		}
		got = slices.Delete(slices.Clone(got), i, i+1)
	}
	for _, f := range got {
		if !slices.ContainsFunc(r.Findings, func(v verifier.Violation) bool { return v.Index == f.Index && v.Code == f.Code && v.Related == index }) {
			return false
		}
	}
	return true
}

// off holds that a clause that is switched off is not found, and that one that did not fire is not missed.
func off(t *rapid.T) {
	x := anyTrial().Draw(t, "trial")
	before := judge(t, x)
	table := agui.Rules()
	r := rapid.SampledFrom(table.Rules).Draw(t, "rule")
	c := rapid.SampledFrom(r.Clauses).Draw(t, "clause")
	x.options.Off.Set(c.ID)
	x.options.Dump = true
	after := judge(t, x)
	name := table.ClauseName(c.ID)
	named := func(f verifier.Violation) bool { return f.Clause == name }
	if slices.ContainsFunc(after.Findings, named) {
		t.Fatalf("%s is off and found in\n%s", name, x)
	}
	if !slices.ContainsFunc(before.Findings, named) && !slices.Equal(outline(before.Findings), outline(after.Findings)) {
		disagree(t, x, "on", outline(before.Findings), "off", outline(after.Findings))
	}
}

func TestAClauseThatIsOffIsNotFoundAndNotMissed(t *testing.T) { rapid.Check(t, off) }

func TestWhatIsOverTheLimitOfBytesIsJudgedAlikeReadAndGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTrial().Draw(t, "trial")
		x.options.Limits.EventBytes = rapid.IntRange(40, 200).Draw(t, "bytes")
		if !isLines(x.events) {
			return
		}
		want := findings(t, x)
		got := outline(fed(t, x, bytes.NewReader(ndjson(x.events)), wire.NDJSON).Findings)
		if !slices.Equal(want, got) {
			disagree(t, x, "given", want, "read", got)
		}
	})
}
