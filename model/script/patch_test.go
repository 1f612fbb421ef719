package script

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"gotest.tools/v3/assert"
)

func TestPatchesFollowTheVectors(t *testing.T) {
	data, err := os.ReadFile("../../verifier/agui/document/testdata/json-patch.jsonl")
	assert.NilError(t, err)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	assert.Assert(t, len(lines) > 30)
	for _, line := range lines {
		var v struct {
			ID               string
			Document, Result any
			Patch            jsontext.Value
			Applies          bool
		}
		assert.NilError(t, json.Unmarshal(line, &v, json.MatchCaseInsensitiveNames(true)))
		before, _ := json.Marshal(v.Document, json.Deterministic(true))
		got, err := applyPatch(v.Document, v.Patch)
		assert.Check(t, (err == nil) == v.Applies, "%s: %v", v.ID, err)
		if v.Applies {
			assert.Check(t, equal(got, v.Result), "%s: %v, not %v", v.ID, got, v.Result)
		}
		after, _ := json.Marshal(v.Document, json.Deterministic(true))
		assert.Check(t, string(before) == string(after), "%s: the document itself was changed", v.ID)
	}
}

func TestAPatchThatCopiesWithoutEndIsRefused(t *testing.T) {
	grow := `{"op":"copy","from":"","path":"/a"}`
	double := `{"op":"copy","from":"","path":"/b"}`
	ops := strings.Repeat(grow+","+double+",", 40) + grow
	_, err := applyPatch(map[string]any{}, jsontext.Value("["+ops+"]"))
	assert.ErrorContains(t, err, "are copied")
}
