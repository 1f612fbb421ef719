package fuzz

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentstream/conformance/model/spec"
	"github.com/agentstream/conformance/verifier/agui"
)

// requests are what a stream may answer; the first is none.
var requests = []string{"", `{"threadId":"t","runId":"r1","messages":[{"id":"a","role":"user","content":"x"}],"tools":[{"name":"f","description":"d"}],"state":{"a":1}}`,
	`{"threadId":"t","runId":"r2","messages":[],"tools":[],"context":[]}`}

func opinions(t testing.TB, events [][]byte, o agui.Options) (verifier, specification []spec.Finding) {
	v, err := agui.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		v.Observe(e)
	}
	v.Finish()
	r := v.Report()
	verifier = make([]spec.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		verifier = append(verifier, spec.Finding{Code: f.Code, Index: f.Index, Severity: f.Severity.String()})
	}
	specification = spec.Judge(events, spec.Options{Profile: o.Profile, Revision: o.Revision, Request: o.Request, StrictVersion: o.StrictVersion})
	return verifier, append([]spec.Finding{}, specification...)
}

func compare(t testing.TB, events [][]byte, o agui.Options) bool {
	verifier, specification := opinions(t, events, o)
	diff := cmp.Diff(specification, verifier)
	if diff == "" {
		return true
	}
	small := shrink(events, func(s [][]byte) bool {
		a, b := opinions(t, s, o)
		return cmp.Diff(b, a) != ""
	})
	a, b := opinions(t, small, o)
	t.Errorf("profile %s, revision %q, strict version %v, request %s:\n%s\n(-specification +verifier)\n%s",
		o.Profile, o.Revision, o.StrictVersion, o.Request, lines(small), cmp.Diff(b, a))
	return false
}

func lines(events [][]byte) string {
	var b strings.Builder
	for i, e := range events {
		fmt.Fprintf(&b, "%3d %q\n", i, e)
	}
	return strings.ReplaceAll(b.String(), `\"`, `"`)
}

// shrink takes events out while the two opinions still differ.
func shrink(events [][]byte, differs func([][]byte) bool) [][]byte {
	for again := true; again; {
		again = false
		for i := 0; i < len(events); i++ {
			less := append(append([][]byte{}, events[:i]...), events[i+1:]...)
			if differs(less) {
				events, again = less, true
				i--
			}
		}
	}
	return events
}

func TestVerifierAgreesWithTheSpecificationOnRandomStreams(t *testing.T) {
	failures, from, to := 0, uint64(0), uint64(4000)
	if n, err := strconv.ParseUint(os.Getenv("CONFORMANCE_STREAMS"), 10, 64); err == nil {
		from, to = 1_000_000, 1_000_000+n // a long run does not repeat the short one
	}
	for seed := from; seed < to; seed++ {
		m := newMaker(seed)
		events := m.stream(6 + m.IntN(30))
		o := agui.Options{Revision: m.one("", "1.0", "0.x", "auto"), StrictVersion: m.in(4)}
		if r := requests[m.IntN(len(requests))]; r != "" {
			o.Request = []byte(r)
		}
		for _, o.Profile = range agui.Rules().Profiles {
			if !compare(t, events, o) {
				failures++
			}
		}
		if failures > 12 {
			t.FailNow()
		}
	}
}
