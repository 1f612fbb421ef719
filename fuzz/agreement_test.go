package fuzz

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/verifier/agui"
)

// The verifier has exactly the findings of the executable specification, on any stream.

func agreement(t *rapid.T) {
	x := anyTrial().Draw(t, "trial")
	for _, x.options.Profile = range agui.Rules().Profiles {
		compare(t, x)
	}
}

func TestVerifierAgreesWithTheSpecification(t *testing.T) { rapid.Check(t, agreement) }

func FuzzAgreement(f *testing.F) { fuzzDrawn(f, agreement) }

// compare fails, on the smallest part of the stream that shows it, where the two disagree.
func compare(t rapid.TB, x trial) {
	t.Helper()
	if slices.Equal(specified(x), findings(t, x)) {
		return
	}
	x = shrink(x, func(x trial) bool { return !slices.Equal(specified(x), findings(t, x)) })
	disagree(t, x, "specification", specified(x), "verifier", findings(t, x))
}

// Chance makes streams faster than rapid draws them, and more evenly. Each seed is one stream, for ever; a long
// run has those of the short one among its first.
func TestVerifierAgreesWithTheSpecificationOnRandomStreams(t *testing.T) {
	for seed := range uint64(checks(2500)) {
		m := newMaker(seed)
		x := m.trial(m.stream(6 + m.IntN(30)))
		for _, x.options.Profile = range agui.Rules().Profiles {
			compare(t, x)
		}
	}
}

// FuzzMade makes the stream of a fuzzer's bytes, one byte a choice, and holds it to all that is said of
// streams. A change of one byte is a small change of the stream: a fuzzer gets far with that.
func FuzzMade(f *testing.F) {
	for seed := range uint64(64) {
		bytes := make([]byte, 100+10*seed)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(bytes) // never fails
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 2<<10 {
			return
		}
		s := &given{choices}
		m := maker{s}
		x := m.trial(m.stream(24))
		noTraces(t, x)
		related(t, s, relationNames()[s.IntN(len(relations))], x)
		for _, x.options.Profile = range agui.Rules().Profiles {
			compare(t, x)
		}
	})
}
