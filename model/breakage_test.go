package model_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/model/spec"
)

func asExpected(b model.Broken) error {
	found := judge(b.Stream, b.Profile)
	verdict, code, index := spec.Verdict(found)
	x := b.Expect
	if verdict != x.Verdict {
		return fmt.Errorf("verdict %s %s at %d, want %+v%s", verdict, code, index, x, show(b.Stream))
	}
	if x.Severity == "error" && (code != x.Code || index != x.Index) {
		return fmt.Errorf("%s at %d, want %+v%s", code, index, x, show(b.Stream))
	}
	if !slices.Contains(found, spec.Finding{Code: x.Code, Index: x.Index, Severity: x.Severity}) {
		return fmt.Errorf("no such finding: want %+v, have %v%s", x, found, show(b.Stream))
	}
	return nil
}

func TestBreakagesBreakWhatTheySay(t *testing.T) {
	all := model.Breakages()
	each := 1 + checks(t, 60*len(all))/len(all)
	for _, b := range all {
		t.Run(b.Clause+"/"+b.Profile, func(t *testing.T) {
			forEach(t, each, b.Generate(model.Knobs{}), asExpected)
		})
	}
}

// TestEveryClauseHasItsBreakages holds the list of breakages to docs/rules.md:
// every clause, in every profile that judges it, with its severity. Only the
// limits of the kit are no matter of a protocol.
func TestEveryClauseHasItsBreakages(t *testing.T) {
	want := map[string]bool{}
	page, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([a-z0-9/-]+)` \\| (\\S+) \\| (\\S+) \\| (\\S+) \\| (\\S+) \\|")
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		for i, profile := range model.Profiles() {
			if severity := m[2+i]; severity != "-" && !strings.HasPrefix(m[1], "limit/") {
				want[m[1]+" "+profile+" "+severity] = true
			}
		}
	}
	if len(want) < 200 {
		t.Fatalf("only %d clauses and profiles read from docs/rules.md", len(want))
	}
	for _, b := range model.Breakages() {
		key := b.Clause + " " + b.Profile + " " + b.Severity
		if !want[key] {
			t.Errorf("breakage that docs/rules.md does not have, or has twice: %s", key)
		}
		if code, _, _ := strings.Cut(b.Clause, "/"); code != b.Code {
			t.Errorf("%s has code %s", key, b.Code)
		}
		delete(want, key)
	}
	for key := range want {
		t.Errorf("no breakage for %s", key)
	}
}
