package model_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/model/spec"
	"pgregory.net/rapid"
)

// Mutations are worth something if many of them break the stream, each code is
// reached, and the stream that they start from stays as it was.
func TestMutationsReachMostCodes(t *testing.T) {
	legal := model.Legal(model.Knobs{})
	g := rapid.Custom(func(t *rapid.T) [2]model.Stream {
		s := legal.Draw(t, "legal")
		return [2]model.Stream{s, model.Mutate(s).Draw(t, "mutant")}
	})
	codes := map[string]int{}
	rejected, n := 0, checks(t, 4000)
	forEach(t, n, g, func(s [2]model.Stream) error {
		if err := accepted(s[0]); err != nil {
			return fmt.Errorf("the original changed: %w", err)
		}
		found := judge(s[1], "producer")
		if verdict, _, _ := spec.Verdict(found); verdict == "reject" {
			rejected++
		}
		for _, f := range found {
			codes[f.Code]++
		}
		return nil
	})
	t.Logf("%d of %d rejected: %v", rejected, n, codes)
	if rejected < n/3 || rejected == n {
		t.Errorf("%d of %d mutants are rejected", rejected, n)
	}
	for _, code := range []string{"bad-json", "missing-field", "wrong-type", "null-optional", "run-ended", "first-event", "duplicate-run-started",
		"chunk-first", "chunk-mixed", "duplicate-start", "not-open", "unknown-id", "open-at-finish", "owner-mismatch", "truncated", "duplicate-message-id"} {
		if codes[code] == 0 && n >= 4000 {
			t.Errorf("no mutant gets %s", code)
		}
	}
}

func TestSameDrawsGiveTheSameStream(t *testing.T) {
	g := model.Legal(model.Knobs{})
	for seed := range 50 {
		a, b := g.Example(seed), g.Example(seed)
		if !bytes.Equal(bytes.Join(a.Events, []byte("\n")), bytes.Join(b.Events, []byte("\n"))) {
			t.Fatalf("seed %d gives two streams", seed)
		}
	}
}
