package model_test

import (
	"fmt"
	"slices"
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
	for _, b := range model.Breakages() {
		t.Run(b.Clause+"/"+b.Profile, func(t *testing.T) {
			forEach(t, checks(t, 100), b.Generate(model.Knobs{}), asExpected)
		})
	}
}
