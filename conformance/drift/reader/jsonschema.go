package reader

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var jsonSchema = Reader{
	Name:        "jsonschema",
	Language:    "JSON Schema",
	Optionality: "`required`",
	Matches:     func(p string) bool { return strings.HasSuffix(p, ".json") },
	Read:        readJSONSchema,
}

// schema is the part of JSON Schema that says which members an object has.
type schema struct {
	Ref         string             `json:"$ref"`
	Defs        map[string]*schema `json:"$defs"`
	Definitions map[string]*schema `json:"definitions"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	AllOf       []*schema          `json:"allOf"`
	AnyOf       []*schema          `json:"anyOf"`
	OneOf       []*schema          `json:"oneOf"`
	Const       any                `json:"const"`
	Enum        []any              `json:"enum"`
}

// UnmarshalJSON also takes true and false, which say nothing of members.
func (s *schema) UnmarshalJSON(data []byte) error {
	if text := strings.TrimSpace(string(data)); text == "true" || text == "false" {
		return nil
	}
	type plain schema
	return json.Unmarshal(data, (*plain)(s))
}

type schemaFile struct {
	File
	root  *schema
	defs  map[string]*schema
	names []string
}

func readJSONSchema(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	var read []*schemaFile
	var enums []*enum
	for _, f := range files {
		if err := token.Readable([]byte(f.Text)); err != nil {
			damage(sdk, f, err)
			continue
		}
		sdk.Files++
		var root schema
		if err := json.Unmarshal([]byte(f.Text), &root); err != nil {
			damage(sdk, f, err)
			continue
		}
		s := &schemaFile{File: f, root: &root, defs: map[string]*schema{}}
		maps.Copy(s.defs, root.Definitions)
		maps.Copy(s.defs, root.Defs)
		s.names = slices.Sorted(maps.Keys(s.defs))
		read = append(read, s)
		enums = append(enums, s.enums()...)
	}
	events := eventTypes(enums, known)
	if events != nil {
		sdk.Listed = events.members
	}
	for _, s := range read {
		sdk.Payloads = append(sdk.Payloads, s.payloads(func(v string) bool { return known(v) || events.has(v) })...)
	}
	sdk.Payloads = settle(sdk.Payloads)
	for _, s := range read {
		sdk.Shapes = append(sdk.Shapes, s.shapes(func(v string) bool { return known(v) || events.has(v) })...)
	}
	return sdk
}

func (s *schemaFile) enums() []*enum {
	var out []*enum
	for _, name := range s.names {
		e := &enum{name: name}
		for _, v := range s.defs[name].Enum {
			if text, ok := v.(string); ok {
				e.members = append(e.members, vocabulary.Listed{Value: text, Name: text, At: s.at(text)})
			}
		}
		if len(e.members) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// at finds the line that has a name in quotes first. The decoder has no lines, and
// names are what a reader of a schema looks for.
func (s *schemaFile) at(name string) vocabulary.Place {
	i := strings.Index(s.Text, `"`+name+`"`)
	if i < 0 {
		return vocabulary.Place{File: s.Path}
	}
	return vocabulary.Place{File: s.Path, Line: 1 + strings.Count(s.Text[:i], "\n")}
}

// atKey finds the line that a definition or a property starts in, from an offset on.
func (s *schemaFile) atKey(name string, from int) (vocabulary.Place, int) {
	for i := from; ; {
		n := strings.Index(s.Text[i:], `"`+name+`"`)
		if n < 0 {
			return s.at(name), from
		}
		i += n + len(name) + 2
		if strings.HasPrefix(strings.TrimLeft(s.Text[i:], " \t\r\n"), ":") {
			return vocabulary.Place{File: s.Path, Line: 1 + strings.Count(s.Text[:i], "\n")}, i
		}
	}
}

func (s *schemaFile) payloads(isEvent func(string) bool) []vocabulary.Payload {
	union := s.union(isEvent)
	var out []vocabulary.Payload
	for _, name := range s.names {
		o := s.object(s.defs[name], name, 0)
		if !isEvent(o.value) && !union[name] {
			continue
		}
		at, _ := s.atKey(name, 0)
		out = append(out, vocabulary.Payload{Name: name, Value: o.value, At: at, Fields: o.fields, Unparsed: o.problem, Unused: len(union) > 0 && !union[name]})
	}
	return out
}

// shapes returns the definitions of objects that are no event's.
func (s *schemaFile) shapes(isEvent func(string) bool) []vocabulary.Payload {
	var out []vocabulary.Payload
	for _, name := range s.names {
		o := s.object(s.defs[name], name, 0)
		at, _ := s.atKey(name, 0)
		if x, ok := shape(name, s.Path, at.Line, o); ok && !isEvent(o.value) {
			out = append(out, x)
		}
	}
	return out
}

// union returns the definitions that the union of events takes.
func (s *schemaFile) union(isEvent func(string) bool) map[string]bool {
	best := map[string]bool{}
	most := 1
	consider := func(x *schema) {
		options := map[string]bool{}
		n := 0
		for _, option := range append(x.OneOf, x.AnyOf...) {
			if name, ok := local(option.Ref); ok {
				if options[name] = true; s.defs[name] != nil && isEvent(s.object(s.defs[name], name, 0).value) {
					n++
				}
			}
		}
		if n > most {
			best, most = options, n
		}
	}
	consider(s.root)
	for _, name := range s.names {
		consider(s.defs[name])
	}
	return best
}

// local returns the definition that a reference within the file names.
func local(ref string) (string, bool) {
	for _, prefix := range []string{"#/$defs/", "#/definitions/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return name, true
		}
	}
	return "", false
}

// object reads a definition with what it refers to. What any part requires is required.
func (s *schemaFile) object(x *schema, name string, depth int) object {
	var o object
	if depth > 20 {
		return object{problem: &vocabulary.Problem{Reason: name + " refers to itself", At: s.at(name)}}
	}
	if x.Ref != "" {
		ref, ok := local(x.Ref)
		if !ok || s.defs[ref] == nil {
			o.fail(&vocabulary.Problem{Reason: x.Ref + " is not found", At: s.at(x.Ref)})
		} else {
			o.merge(s.object(s.defs[ref], ref, depth+1))
		}
	}
	for _, part := range x.AllOf {
		o.merge(s.object(part, name, depth+1))
	}
	_, offset := s.atKey(name, 0)
	for _, key := range slices.Sorted(maps.Keys(x.Properties)) {
		at, _ := s.atKey(key, offset)
		f := vocabulary.Field{Name: key, Presence: vocabulary.Optional, At: at}
		for _, had := range o.fields {
			if had.Name == key {
				f.Presence = had.Presence
			}
		}
		o.fields = o.fields.set(f)
		if value := constant(x.Properties[key]); key == "type" && value != "" {
			o.value, o.tagged = value, true
		}
	}
	required := s.required(x, depth)
	for i := range o.fields {
		if slices.Contains(required, o.fields[i].Name) {
			o.fields[i].Presence = vocabulary.Required
		}
	}
	return o
}

// required returns what a definition or any part of it requires: a part may
// require what another describes.
func (s *schemaFile) required(x *schema, depth int) []string {
	if x == nil || depth > 20 {
		return nil
	}
	out := slices.Clone(x.Required)
	if ref, ok := local(x.Ref); ok {
		out = append(out, s.required(s.defs[ref], depth+1)...)
	}
	for _, part := range x.AllOf {
		out = append(out, s.required(part, depth+1)...)
	}
	return out
}

// constant returns the only string that a schema takes.
func constant(x *schema) string {
	if x == nil {
		return ""
	}
	if text, ok := x.Const.(string); ok {
		return text
	}
	if len(x.Enum) == 1 {
		text, _ := x.Enum[0].(string)
		return text
	}
	for _, part := range x.AllOf {
		if value := constant(part); value != "" {
			return value
		}
	}
	return ""
}
