package assistant_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agentstream/conformance/model/assistant"
	"github.com/agentstream/conformance/model/assistant/spec"
)

func asExpected(b assistant.Broken) error {
	found := judge(b.Stream)
	verdict, code, index := spec.Verdict(found)
	x := b.Expect
	if verdict != x.Verdict {
		return fmt.Errorf("verdict %s %s at %d, want %+v\n%s", verdict, code, index, x, b)
	}
	if x.Severity == spec.E && (code != x.Code || index != x.Index) {
		return fmt.Errorf("%s at %d, want %+v\n%s", code, index, x, b)
	}
	if !slices.ContainsFunc(found, func(f spec.Finding) bool {
		return f.Code == x.Code && f.Index == x.Index && f.Severity == x.Severity
	}) {
		return fmt.Errorf("no such finding: want %+v, have %v\n%s", x, found, b)
	}
	return nil
}

func TestBreakagesBreakWhatTheySay(t *testing.T) {
	all := assistant.Breakages()
	each := 1 + checks(t, 15*len(all))/len(all)
	for _, b := range all {
		t.Run(b.Clause+"/"+b.Profile, func(t *testing.T) {
			forEach(t, each, b.Generate(assistant.Knobs{}), asExpected)
		})
	}
}

// The rows of the contract: severities for di-code, pi-0.73, pi-0.80 and pi-1.x.
var rows = map[string]string{
	"bad-json": "EEEE", "not-an-object": "EEEE", "bad-utf8": "EEEE", "duplicate-name": "WWWW", "unknown-event-type": "EWWW", "null-optional": "WWWW",
	"missing-field": "*EEE", "wrong-type": "*EEE", "bad-value": "WEEE", // in di-code also E, where the original dies
	"stream-ended": "EEEE", "first-event": "EEEE", "duplicate-stream-start": "EEEE", "truncated": "WEEE", "block-overlap": "E---", "index-gap": "EEEE",
	"not-open": "EEEE", "wrong-index": "E---", "content-mismatch": "EEEE", "bad-tool-call": "-EEE", "arguments-not-json": "E---", "arguments-not-object": "EEEE",
	"tool-id-changed": "EEEE", "tool-name-changed": "EEEE", "arguments-mismatch": "EEEE", "arguments-repaired": "-III", "arguments-error-missing": "---E",
	"open-at-done": "EEEE", "reason-mismatch": "EEEE", "bad-reason": "WEEE", "final-content": "EEEE", "partial-content": "EEEE",
}

func TestEveryRowHasItsBreakages(t *testing.T) {
	have := map[string]map[string]bool{} // code and profile to severities
	for _, b := range assistant.Breakages() {
		key := b.Code + " " + b.Profile
		if have[key] == nil {
			have[key] = map[string]bool{}
		}
		have[key][b.Severity] = true
	}
	letters := map[byte][]string{'E': {"error"}, 'W': {"warning"}, 'I': {"info"}, '*': {"error", "warning"}}
	for code, severities := range rows {
		for i, profile := range assistant.Profiles() {
			key := code + " " + profile
			for _, s := range letters[severities[i]] {
				if !have[key][s] {
					t.Errorf("nothing breaks %s as %s", key, s)
				}
				delete(have[key], s)
			}
			if len(have[key]) > 0 {
				t.Errorf("%s is broken as %v", key, have[key])
			}
			delete(have, key)
		}
	}
	for key := range have {
		t.Errorf("no row for %s", key)
	}
}
