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
	each := 1 + checks(t, 20*len(all))/len(all)
	for _, b := range all {
		t.Run(b.Clause+"/"+b.Profile, func(t *testing.T) {
			forEach(t, each, b.Generate(assistant.Knobs{}), asExpected)
		})
	}
}
