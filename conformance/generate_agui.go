package conformance

import (
	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// aguiMaker makes streams of AG-UI.
type aguiMaker struct{}

func (aguiMaker) legal(profile string, events int) draw {
	guard := profile == agui.Server || profile == agui.Client
	g := model.Legal(model.Knobs{MaxEvents: events, Guard: guard})
	return func(seed int) Vector { return vectorOf(g.Example(seed)) }
}

func (aguiMaker) breakers(events int, wanted func(clause string) bool) []breaker {
	var all []breaker
	for _, b := range model.Breakages() {
		if !wanted(b.Clause) || b.Generate(model.Knobs{}).Example(0).Strict {
			continue // which a line cannot ask for
		}
		g := b.Generate(model.Knobs{MaxEvents: events})
		all = append(all, breaker{b.Clause, b.Profile, func(seed int) Vector { return brokenVector(g.Example(seed)) }})
	}
	return all
}

func brokenVector(x model.Broken) Vector {
	v := vectorOf(x.Stream)
	v.Finding = &ExpectedFinding{Clause: x.Expect.Clause, Severity: x.Expect.Severity, Index: x.Expect.Index}
	if x.Expect.Verdict == verifier.Reject.String() {
		v.Expect = verifier.Verdict{Outcome: verifier.Reject, Code: x.Expect.Code, Index: x.Expect.Index}
	}
	return v
}

// vectorOf returns a stream as one that must be accepted.
func vectorOf(s model.Stream) Vector {
	v := Vector{Revision: s.Revision, Request: s.Request}
	for _, e := range s.Events {
		v.Events = append(v.Events, flat(e))
	}
	return v
}
