package conformance

import (
	"github.com/agentstream/conformance/model/assistant"
	"github.com/agentstream/conformance/model/session"
	"github.com/agentstream/conformance/verifier"
)

// assistantMaker makes provider streams.
type assistantMaker struct{}

func (assistantMaker) legal(profile string, events int) draw {
	g := assistant.Legal(assistant.Knobs{Profile: profile, MaxEvents: events})
	return func(seed int) Vector { return Vector{Events: flatAll(g.Example(seed).Events)} }
}

func (assistantMaker) breakers(events int, wanted func(clause string) bool) []breaker {
	var all []breaker
	for _, b := range assistant.Breakages() {
		if !wanted(b.Clause) {
			continue
		}
		g := b.Generate(assistant.Knobs{MaxEvents: events})
		all = append(all, breaker{b.Clause, b.Profile, func(seed int) Vector {
			x := g.Example(seed)
			v := expecting(x.Events, ExpectedFinding{Code: x.Expect.Code, Severity: x.Expect.Severity, Index: x.Expect.Index})
			if x.Expect.Verdict == verifier.Reject.String() {
				v.Expect = verifier.Verdict{Outcome: verifier.Reject, Code: x.Expect.Code, Index: x.Expect.Index}
			}
			return v
		}})
	}
	return all
}

// sessionMaker makes recordings of sessions.
type sessionMaker struct{}

func (sessionMaker) legal(profile string, events int) draw {
	g := session.Legal(session.Knobs{Profile: profile, MaxRecords: events})
	return func(seed int) Vector { return Vector{Events: flatAll(g.Example(seed).Records)} }
}

func (sessionMaker) breakers(events int, wanted func(clause string) bool) []breaker {
	var all []breaker
	for _, b := range session.Breakages() {
		if !wanted(b.Clause) {
			continue
		}
		g := b.Generate(session.Knobs{MaxRecords: events})
		all = append(all, breaker{b.Clause, b.Profile, func(seed int) Vector {
			x := g.Example(seed)
			v := expecting(x.Records, ExpectedFinding{Code: x.Expect.Code, Severity: x.Expect.Severity, Index: x.Expect.Index})
			if x.Expect.Verdict == verifier.Reject.String() {
				v.Expect = verifier.Verdict{Outcome: verifier.Reject, Code: x.Expect.First.Code, Index: x.Expect.First.Index}
			}
			return v
		}})
	}
	return all
}

// expecting returns a stream that must have a finding.
func expecting(events [][]byte, f ExpectedFinding) Vector {
	return Vector{Events: flatAll(events), Finding: &f}
}

func flatAll(events [][]byte) [][]byte {
	var all [][]byte
	for _, e := range events {
		all = append(all, flat(e))
	}
	return all
}
