package golden

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// publicCase is a fault, or a false alarm, that somebody reported in public, rebuilt in a few events.
type publicCase struct {
	Name, File, Source, Expected, Rule, Lint string
	Index                                    *int
}

// family is what a case's rule stands for, where it is not a code.
var family = map[string][]string{"schema": {"missing-field", "wrong-type", "bad-value", "unknown-variant"}}

func TestPublicCasesGiveTheirVerdicts(t *testing.T) {
	f, err := os.Open("agui/cases/cases.jsonl")
	assert.NilError(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c publicCase
		assert.NilError(t, json.Unmarshal(lines.Bytes(), &c))
		t.Run(c.Name, func(t *testing.T) { checkCase(t, c) })
	}
}

func checkCase(t *testing.T, c publicCase) {
	r := judgeFile(t, filepath.Join("agui", "cases", c.File), agui.Options{})
	if c.Lint != "" {
		assert.Assert(t, slices.ContainsFunc(r.Findings, func(f verifier.Violation) bool { return f.Code == c.Lint }), "no %s in %v", c.Lint, r.Findings)
	}
	assert.Equal(t, r.Verdict.Outcome.String(), c.Expected, "%v", r.Findings)
	if c.Expected == "accept" {
		return
	}
	codes := family[c.Rule]
	if codes == nil {
		codes = []string{c.Rule}
	}
	assert.Assert(t, slices.Contains(codes, r.Verdict.Code), "%v, want %s", r.Verdict, c.Rule)
	want := *c.Index
	if want < 0 {
		want = r.Events
	}
	assert.Equal(t, r.Verdict.Index, want)
}

// judgeFile judges a recording as the check command does.
func judgeFile(t *testing.T, path string, o agui.Options) verifier.Report {
	t.Helper()
	f, err := os.Open(path)
	assert.NilError(t, err)
	defer f.Close()
	v, err := agui.New(o)
	assert.NilError(t, err)
	assert.NilError(t, wire.Feed(f, wire.Options{Format: wire.FormatOf(path)}, v))
	return v.Report()
}
