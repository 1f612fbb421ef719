package reference

import (
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// The agent reads scripts and makes streams by itself: code that it shared with what judges them would prove itself. The verifier
// is its guard.
func TestAgentSharesNoCodeWithWhatJudgesIt(t *testing.T) {
	const module = "github.com/agentstream/conformance/"
	allowed := []string{"baseline", "verifier", "verifier/agui"}
	files, err := os.ReadDir(".")
	assert.NilError(t, err)
	found := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		assert.NilError(t, err)
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			assert.NilError(t, err)
			if own, ok := strings.CutPrefix(name, module); ok {
				found++
				assert.Check(t, slices.Contains(allowed, own), "%s imports %s", f.Name(), own)
			}
		}
	}
	assert.Assert(t, found > 0)
}
