package script

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema is the JSON Schema (2020-12) of what Parse takes. It is made from the types, as Parse is. What a schema cannot say it
// leaves out: how deep and long a script may be, and that names are not repeated and text is Unicode.
func Schema() []byte {
	m := schemaMaker{defs: map[string]any{}}
	actions := m.of(reflect.TypeFor[Script](), "")
	actions["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	actions["$id"] = "https://github.com/agentstream/conformance/docs/schema/script.schema.json"
	actions["title"] = "Script of the scripted agent, contract version " + strconv.Itoa(Version)
	actions["description"] = "The shape only; docs/scripted-agent.md has the meaning and the rules. Objects of AG-UI 1.0 in it (messages, interrupts, usage, content parts, operations of a patch, emitted events) have the shapes of its own schema."
	actions["$defs"] = m.defs
	text, err := json.Marshal(actions, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		panic(err) // the types are compiled in
	}
	return append(text, '\n')
}

// A schemaMaker collects the schemas of structs.
type schemaMaker struct{ defs map[string]any }

// of is the schema of a member with a tag.
func (m schemaMaker) of(t reflect.Type, tag reflect.StructTag) map[string]any {
	switch {
	case t == reflect.TypeFor[jsontext.Value]():
		return anyValue(tag)
	case t == reflect.TypeFor[Piece]():
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, m.of(reflect.TypeFor[Action](), "")}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem(), tag)
	case reflect.Struct:
		return m.ref(t)
	case reflect.Slice:
		return withLeast(map[string]any{"type": "array", "items": m.of(t.Elem(), "")}, tag)
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	}
	return stringSchema(tag)
}

// ref names the schema of a struct, which is made at the first call.
func (m schemaMaker) ref(t reflect.Type) map[string]any {
	name := strings.ToLower(t.Name()[:1]) + t.Name()[1:]
	if _, ok := m.defs[name]; !ok {
		m.defs[name] = nil // actions hold actions
		m.defs[name] = m.object(t)
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}

func (m schemaMaker) object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		name, need := member(t.Field(i))
		properties[name] = m.of(t.Field(i).Type, t.Field(i).Tag)
		if need {
			required = append(required, name)
		}
	}
	out := map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	if isChoice(t) {
		out["minProperties"], out["maxProperties"] = 1, 1
	}
	return out
}

func stringSchema(tag reflect.StructTag) map[string]any {
	out := map[string]any{"type": "string"}
	if list, ok := tag.Lookup("enum"); ok {
		out["enum"] = strings.Split(list, ",")
	}
	if _, ok := tag.Lookup("pointer"); ok {
		out["pattern"] = "^(/([^/~]|~[01])*)*$"
	}
	return out
}

// anyValue is the schema of a value that Parse keeps as it is.
func anyValue(tag reflect.StructTag) map[string]any {
	allow, limited := tag.Lookup("allow")
	switch {
	case limited:
		var kinds []any
		for kind := range strings.SplitSeq(allow, ",") {
			kinds = append(kinds, withLeast(ofKind(kind), tag))
		}
		if len(kinds) == 1 {
			return kinds[0].(map[string]any)
		}
		return map[string]any{"anyOf": kinds}
	case strings.HasSuffix(tag.Get("json"), ",omitzero"):
		return map[string]any{"not": map[string]any{"type": "null"}}
	}
	return map[string]any{}
}

func ofKind(kind string) map[string]any {
	if kind == "objects" {
		return map[string]any{"type": "array", "items": map[string]any{"type": "object"}}
	}
	return map[string]any{"type": kind}
}

func withLeast(of map[string]any, tag reflect.StructTag) map[string]any {
	if n, err := strconv.Atoi(tag.Get("least")); err == nil {
		of["minItems"] = n
	}
	return of
}
