package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// Judge judges the events of one response.
func Judge(events [][]byte, o agui.Options) (verifier.Report, error) {
	v, err := agui.New(o)
	if err != nil {
		return verifier.Report{}, err
	}
	for _, e := range events {
		v.Observe(e)
	}
	v.Finish()
	return v.Report(), nil
}

// first returns the error that decides a verdict; nil where there is none.
func first(r verifier.Report) *verifier.Violation {
	for i, v := range r.Findings {
		if v.Severity == verifier.Error && v.Code == r.Verdict.Code && v.Index == r.Verdict.Index {
			return &r.Findings[i]
		}
	}
	return nil
}

// withoutEnd takes what is blamed on the end of a response out, where this side went away before it.
func withoutEnd(r verifier.Report) verifier.Report {
	r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(v verifier.Violation) bool { return v.Index >= r.Events })
	if r.Verdict.Index >= r.Events {
		r.Verdict = verifier.Verdict{}
	}
	return r
}

// around is how many events before the one at fault are shown.
const around = 8

// evidence shows the events around the one that decides the verdict, which is marked.
func evidence(events [][]byte, r verifier.Report) string {
	var b strings.Builder
	at := r.Verdict.Index
	for i := max(0, at-around); i <= min(at+1, len(events)-1); i++ {
		mark := " "
		if i == at {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s %d %s\n", mark, i, strings.ToValidUTF8(string(events[i]), "�"))
	}
	if at >= len(events) {
		b.WriteString("> the end of the stream\n")
	}
	return b.String()
}
