package fuzz

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model/spec"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// A finding is what both opinions say of a stream.
type finding = spec.Finding

// judge gives the events to a verifier one by one, and holds what it says to what every report keeps.
func judge(t rapid.TB, x trial) verifier.Report {
	t.Helper()
	v, err := agui.New(x.options)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var said []verifier.Violation
	for i, e := range x.events {
		found := v.Observe(e)
		said = append(said, found...)
		if !ownBytesKept(found) {
			t.Fatalf("event %d of\n%s\nbreaks an invariant of findings: %+v", i, x, found)
		}
	}
	said = append(said, v.Finish()...)
	r := v.Report()
	if why := incoherent(r, said, len(x.events)); why != "" {
		t.Fatalf("the report of\n%s\n%s: %+v", x, why, r)
	}
	return r
}

// ownBytesKept holds that no finding carries more of the stream than it may.
func ownBytesKept(found []verifier.Violation) bool {
	return !slices.ContainsFunc(found, func(f verifier.Violation) bool { return len(f.ID) > verifier.MaxShown+len("…") })
}

// incoherent says what a report contradicts: what was said event by event, its own counts and verdict,
// or what every finding has.
func incoherent(r verifier.Report, said []verifier.Violation, events int) string {
	total := 0
	for _, n := range r.Counts {
		total += n
	}
	switch {
	case total != len(said) || total != len(r.Findings)+r.Omitted:
		return "does not count what was said event by event"
	case r.Omitted == 0 && !slices.Equal(sorted(outline(said)), sorted(outline(r.Findings))):
		return "has other findings than were said event by event"
	case r.Verdict != first(r.Findings):
		return "has a verdict that is not its first error"
	case r.Events != events:
		return "does not count its events"
	}
	for _, f := range r.Findings {
		if why := malformed(f, events); why != "" {
			return why
		}
	}
	return ""
}

// malformed says what is wrong with a finding by itself.
func malformed(f verifier.Violation, events int) string {
	rule, ok := agui.Rules().Rule(f.Code)
	switch {
	case !ok || f.Clause != f.Code && !strings.HasPrefix(f.Clause, f.Code+"/"):
		return "has a clause that is not its code's"
	case f.Index < 0 || f.Index > events || f.Related < -1 || f.Related >= max(events, 1):
		return "has an index outside of the stream"
	case f.Page != agui.Rules().PageURL(rule) || f.Detail == "" || strings.HasSuffix(f.Detail, "."):
		return "has a finding without its page or its sentence"
	case f.Pointer != "" && f.Pointer[0] != '/':
		return "has a pointer that is none"
	}
	return ""
}

// first is the verdict that findings in order make.
func first(all []verifier.Violation) verifier.Verdict {
	for _, f := range all {
		if f.Severity == verifier.Error {
			v := verifier.Verdict{Outcome: verifier.Reject, Code: f.Code, Index: f.Index}
			if f.Code == "limit" {
				v.Outcome = verifier.Incomplete
			}
			return v
		}
	}
	return verifier.Verdict{}
}

// outline reduces findings to what two opinions are compared by.
func outline(all []verifier.Violation) []finding {
	short := make([]finding, 0, len(all))
	for _, f := range all {
		short = append(short, finding{Code: f.Code, Index: f.Index, Severity: f.Severity.String()})
	}
	return short
}

func sorted(all []finding) []finding {
	slices.SortFunc(all, func(a, b finding) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return strings.Compare(a.Code+a.Severity, b.Code+b.Severity)
	})
	return all
}

// findings are what the verifier has against a trial.
func findings(t rapid.TB, x trial) []finding {
	t.Helper()
	return outline(judge(t, x).Findings)
}

// specified is what the executable specification has against it.
func specified(x trial) []finding {
	o := x.options
	return spec.Judge(x.events, spec.Options{Profile: o.Profile, Revision: o.Revision, Request: o.Request, StrictVersion: o.StrictVersion})
}
