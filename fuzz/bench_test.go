package fuzz

import (
	"testing"

	"github.com/agentstream/conformance/verifier/agui"
)

// BenchmarkDifferential makes a stream and has it judged by verifier and specification in all four profiles.
// Run it with -cpu 1: the goal is 20,000 streams a minute on one core.
func BenchmarkDifferential(b *testing.B) {
	for seed := uint64(0); b.Loop(); seed++ {
		m := newMaker(seed)
		x := m.trial(m.stream(6 + m.IntN(30)))
		for _, x.options.Profile = range agui.Rules().Profiles {
			compare(b, x)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Minutes(), "streams/min")
}
