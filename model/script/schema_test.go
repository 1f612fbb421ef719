package script_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model/script"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gotest.tools/v3/assert"
)

func TestTheSchemaOfScriptsIsCurrent(t *testing.T) {
	const file = "../../docs/schema/script.schema.json"
	if os.Getenv("CONFORMANCE_UPDATE") != "" {
		assert.NilError(t, os.WriteFile(file, script.Schema(), 0o666))
	}
	have, err := os.ReadFile(file)
	assert.NilError(t, err)
	if diff := cmp.Diff(string(have), string(script.Schema())); diff != "" {
		t.Errorf("%s does not fit the types (-file +types); CONFORMANCE_UPDATE=1 go test ./model/script refreshes it:\n%s", file, diff)
	}
}

func schema(t *testing.T) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(script.Schema()))
	assert.NilError(t, err)
	c := jsonschema.NewCompiler()
	assert.NilError(t, c.AddResource("script.json", doc))
	s, err := c.Compile("script.json")
	assert.NilError(t, err)
	return s
}

func TestTheSchemaAndParseAgree(t *testing.T) {
	s := schema(t)
	assert.Assert(t, agree(t, s, []byte(whole)))
	g := script.Legal(script.Knobs{Input: asked(t), Size: 5})
	good, bad := 0, 0
	texts := [][]byte{[]byte(whole)}
	for seed := range checks(8) {
		texts = append(texts, g.Example(seed).JSON())
	}
	for _, text := range texts {
		assert.Assert(t, agree(t, s, text))
		var doc any
		assert.NilError(t, json.Unmarshal(text, &doc))
		for _, damaged := range damages(doc) {
			out, err := json.Marshal(damaged)
			assert.NilError(t, err)
			if agree(t, s, out) {
				good++
			} else {
				bad++
			}
		}
	}
	t.Logf("%d damaged scripts are still of the shape, %d are not", good, bad)
	assert.Assert(t, good > 500 && bad > 500)
}

// strangers take the place of a value.
var strangers = []any{nil, true, 1.0, "", "/x", "user", "events", []any{}, map[string]any{}, []any{map[string]any{}}, []any{"x"}}

// damages are the values in which one member or element is taken out, put in, renamed or replaced, at any depth.
func damages(v any) (out []any) {
	out = append(out, strangers...)
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			with := func(change func(m map[string]any)) {
				m := maps.Clone(v)
				change(m)
				out = append(out, m)
			}
			for _, d := range damages(inner) {
				with(func(m map[string]any) { m[name] = d })
			}
			with(func(m map[string]any) { delete(m, name) })
			with(func(m map[string]any) { delete(m, name); m[strings.ToUpper(name)] = inner })
			with(func(m map[string]any) { m["extra"] = inner })
		}
	case []any:
		for i, inner := range v {
			for _, d := range damages(inner) {
				l := slices.Clone(v)
				l[i] = d
				out = append(out, l)
			}
			out = append(out, slices.Delete(slices.Clone(v), i, i+1))
		}
	}
	return out
}

// agree holds Parse and the schema against each other.
func agree(t *testing.T, s *jsonschema.Schema, text []byte) (valid bool) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	assert.NilError(t, err)
	bySchema := s.Validate(doc)
	_, byParse := script.Parse(text)
	if (bySchema == nil) != (byParse == nil) {
		t.Fatalf("%s\nschema: %v\nParse:  %v", text, bySchema, byParse)
	}
	return byParse == nil
}
