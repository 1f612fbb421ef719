package drift

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gotest.tools/v3/assert"
)

func compiled(t *testing.T) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	assert.NilError(t, err)
	c := jsonschema.NewCompiler()
	assert.NilError(t, c.AddResource("schema.json", doc))
	s, err := c.Compile("schema.json")
	assert.NilError(t, err)
	return s, doc.(map[string]any)
}

func TestJSONReportsAreWhatTheirSchemaSays(t *testing.T) {
	s, _ := compiled(t)
	behind := compared(t, "go", replaced(t, "go", `"stepName"`, `"step_name"`))
	behind.Excuse([]Entry{{WireName, "STEP_STARTED.stepName", "an old mistake", 1}, {MissingType, "RAW", "gone", 2}})
	behind.Unparsed = []Unparsed{{What: "RAW"}}
	behind.Unparsed[0].Reason, behind.Unparsed[0].At.File = "a reason", "a.go"
	behind.Upstream = &Upstream{Source: "npm", Differences: behind.Differences, Err: errors.New("no network")}
	only := &Result{Upstream: AskUpstream(context.Background(), "none.json")}
	var err error
	only.Against, err = Revision("")
	assert.NilError(t, err)
	for name, r := range map[string]*Result{"clean": compared(t, "go", writeGo(newFixture())), "behind": behind, "only upstream": only} {
		var b bytes.Buffer
		assert.NilError(t, JSON(&b, r))
		doc, err := jsonschema.UnmarshalJSON(&b)
		assert.NilError(t, err)
		assert.NilError(t, s.Validate(doc), name)
	}
}

func TestTheSchemaHasTheKindsThatThereAre(t *testing.T) {
	_, doc := compiled(t)
	var want []any
	for _, k := range Kinds() {
		want = append(want, string(k.Kind))
	}
	kinds := doc["$defs"].(map[string]any)["kind"].(map[string]any)["enum"].([]any)
	assert.Assert(t, slices.Equal(kinds, want), "%v", kinds)
}

func TestTheSchemaRefusesNearMisses(t *testing.T) {
	s, _ := compiled(t)
	var b bytes.Buffer
	assert.NilError(t, JSON(&b, compared(t, "go", replaced(t, "go", `"stepName"`, `"step_name"`))))
	good := b.String()
	for name, text := range map[string]string{
		"another version": strings.Replace(good, `"version": 1,`, `"version": 2,`, 1),
		"another kind":    strings.Replace(good, `"wire-name"`, `"wire"`, 1),
		"no drift":        strings.Replace(good, `"drift": true,`, ``, 1),
		"another member":  strings.Replace(good, `"drift": true,`, `"drift": true, "x": 1,`, 1),
	} {
		assert.Assert(t, text != good, name)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		assert.NilError(t, err)
		assert.Assert(t, s.Validate(doc) != nil, name)
	}
}
