package assistant_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model/assistant"
	"github.com/agentstream/conformance/model/assistant/spec"
)

// codes of each profile that mutations must reach.
var reached = []string{"bad-json", "missing-field", "wrong-type", "stream-ended", "first-event", "duplicate-stream-start", "truncated", "index-gap", "not-open",
	"content-mismatch", "arguments-not-object", "tool-id-changed", "tool-name-changed", "arguments-mismatch", "open-at-done", "reason-mismatch", "bad-reason",
	"final-content", "partial-content", "bad-utf8"}

const mutants = 1000 // of each profile

// Mutations are worth something if many of them break the stream, each code is reached, and the stream that
// they start from stays as it was.
func TestMutationsReachMostCodes(t *testing.T) {
	for _, profile := range assistant.Profiles() {
		t.Run(profile, func(t *testing.T) { mutantsOf(t, profile) })
	}
}

func mutantsOf(t *testing.T, profile string) {
	legal := assistant.Legal(assistant.Knobs{Profile: profile})
	g := rapid.Custom(func(t *rapid.T) [2]assistant.Stream {
		s := legal.Draw(t, "legal")
		return [2]assistant.Stream{s, assistant.Mutate(s).Draw(t, "mutant")}
	})
	codes := map[string]int{}
	rejected, n := 0, checks(t, mutants)
	forEach(t, n, g, func(s [2]assistant.Stream) error {
		if err := accepted(s[0]); err != nil {
			return fmt.Errorf("the original changed: %w", err)
		}
		found := judge(s[1])
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
	for _, code := range reached {
		if codes[code] == 0 && n >= mutants {
			t.Errorf("no mutant gets %s", code)
		}
	}
}
