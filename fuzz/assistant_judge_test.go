package fuzz

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	model "github.com/agentstream/conformance/model/assistant"
	"github.com/agentstream/conformance/model/assistant/spec"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
)

// assistantTrial is a provider stream and the profile that it is judged by.
type assistantTrial struct {
	events  [][]byte
	profile string
	limits  verifier.Limits // of the kit; as good as none where they are not set
}

func (x assistantTrial) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", x.profile)
	for i, e := range x.events {
		fmt.Fprintf(&b, "%3d %s\n", i, e)
	}
	return b.String()
}

func ofAssistant(s model.Stream) assistantTrial {
	return assistantTrial{events: s.Events, profile: s.Profile}
}

func (x assistantTrial) with(events [][]byte) assistantTrial {
	x.events = events
	return x
}

// judgeAssistant gives the events to a verifier one by one, and holds what it says to what every report keeps.
// A fault of this protocol is told at the record where it is certain, so nothing is said of an earlier one.
func judgeAssistant(t rapid.TB, x assistantTrial) verifier.Report {
	t.Helper()
	v, err := assistant.New(assistant.Options{Profile: x.profile, Limits: x.limits})
	if err != nil {
		t.Fatal(err)
	}
	var said []verifier.Violation
	for i, e := range x.events {
		found := v.Observe(e)
		if slices.ContainsFunc(found, func(f verifier.Violation) bool { return f.Index != i }) {
			t.Fatalf("event %d of\n%s\nis told of another: %+v", i, x, found)
		}
		said = append(said, found...)
	}
	said = append(said, v.Finish()...)
	r := v.Report()
	if why := incoherentAssistant(r, said, len(x.events)); why != "" {
		t.Fatalf("the report of\n%s\n%s: %+v", x, why, r)
	}
	return r
}

func incoherentAssistant(r verifier.Report, said []verifier.Violation, events int) string {
	switch {
	case len(said) != len(r.Findings)+r.Omitted || r.Omitted == 0 && !slices.Equal(sorted(outline(said)), sorted(outline(r.Findings))):
		return "has other findings than were said event by event"
	case r.Verdict != first(r.Findings):
		return "has a verdict that is not its first error"
	case r.Events != events && !r.Stopped:
		return "does not count its events"
	}
	for _, f := range r.Findings {
		if why := malformedAssistant(f, events); why != "" {
			return why
		}
	}
	return ""
}

func malformedAssistant(f verifier.Violation, events int) string {
	rule, ok := assistant.Rules().Rule(f.Code)
	switch {
	case !ok || f.Clause != f.Code && !strings.HasPrefix(f.Clause, f.Code+"/"):
		return "has a clause that is not its code's"
	case f.Protocol != "assistant":
		return "has a finding of another protocol"
	case f.Index < 0 || f.Index > events || f.Related < -1 || f.Related >= max(events, 1) || f.Related > f.Index:
		return "has an index outside of the stream"
	case f.Page != assistant.Rules().PageURL(rule) || f.Detail == "" || strings.HasSuffix(f.Detail, "."):
		return "has a finding without its page or its sentence"
	case f.Pointer != "" && f.Pointer[0] != '/':
		return "has a pointer that is none"
	case len(f.ID) > verifier.MaxShown+len("…"):
		return "shows more of the stream than it may"
	}
	return ""
}

// assistantFindings are the verifier's, in the order of records and, on one record, of codes.
func assistantFindings(t rapid.TB, x assistantTrial) []finding {
	t.Helper()
	return sorted(outline(judgeAssistant(t, x).Findings))
}

// assistantSpecified are those of the executable specification.
func assistantSpecified(x assistantTrial) []finding {
	var out []finding
	for _, f := range spec.Judge(x.events, spec.Options{Profile: x.profile}) {
		out = append(out, finding{Code: f.Code, Index: f.Index, Severity: f.Severity})
	}
	return sorted(out)
}

// gaveUp tells that the kit gave up on a stream; the specification knows no limits.
func gaveUp(all []finding) bool {
	return slices.ContainsFunc(all, func(f finding) bool { return f.Code == "limit" })
}

// compareAssistant fails, on the smallest part of the stream that shows it, where the two disagree.
func compareAssistant(t rapid.TB, x assistantTrial) {
	t.Helper()
	differs := func(x assistantTrial) bool {
		have := assistantFindings(t, x)
		return !gaveUp(have) && !slices.Equal(assistantSpecified(x), have)
	}
	if !differs(x) {
		return
	}
	for i := 0; i < len(x.events); {
		if less := x.with(without(x.events, i)); differs(less) {
			x, i = less, 0
			continue
		}
		i++
	}
	disagreeAssistant(t, x, "specification", assistantSpecified(x), "verifier", assistantFindings(t, x))
}

// disagreeAssistant fails with the stream, the two opinions, and the command that shows the verifier's.
func disagreeAssistant(t rapid.TB, x assistantTrial, one string, first []finding, other string, second []finding) {
	t.Helper()
	t.Fatalf("%s\n(-%s +%s)\n%s\nreplay: %s", x, one, other, cmp.Diff(first, second), replayAssistant(x))
}

func replayAssistant(x assistantTrial) string {
	record, input := ndjson, "ndjson"
	if !isLines(x.events) {
		record, input = sse, "sse"
	}
	return fmt.Sprintf("printf %%s %s | go run ./cmd/conformance check --protocol assistant --input %s --profile %s -", quote(record(x.events)), input, x.profile)
}

// assistantLines splits what a fuzzer made into records.
func assistantLines(in []byte) [][]byte {
	var out [][]byte
	for line := range bytes.SplitSeq(in, []byte("\n")) {
		if len(line) > 0 {
			out = append(out, line)
		}
	}
	return out
}
