package reader

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// converters are the settings of serde under which a struct is sent as another.
var converters = []string{"from", "into", "try_from", "remote", "transparent"}

// object reads what serde makes of a struct.
func (s *rustSource) object(st *rustItem, depth int) object {
	if depth > 20 {
		return object{problem: problem(st.file, st.line, "%s holds itself", st.name)}
	}
	style, _ := has(st.attrs, "rename_all")
	var o object
	if st.body.Opens("(") {
		o.fail(problem(st.file, st.line, "%s has fields without names", st.name))
		return o
	}
	o.merge(s.members(st.file, st.body, style, depth))
	if _, ok := has(st.attrs, "default"); ok {
		o.fields = withPresence(o.fields, vocabulary.Optional)
	}
	for _, c := range converters {
		if _, ok := has(st.attrs, c); ok {
			o.fail(problem(st.file, st.line, "serde(%s), a converter of its own", c))
		}
	}
	if custom := s.custom[st.name]; custom != nil {
		o.fail(custom)
	}
	return o
}

// rustField is NAME: TYPE with its settings.
type rustField struct {
	node  token.Node
	name  string
	attrs []serdeAttr
	typ   []token.Node
}

func rustFields(body token.Node) (list []rustField, bad *token.Node) {
	for _, part := range token.SplitTypes(body.Kids, ",") {
		attrs, rest := leading(part)
		if len(rest) > 0 && rest[0].Is("pub") {
			rest = rest[1:]
			if len(rest) > 0 && rest[0].Opens("(") {
				rest = rest[1:]
			}
		}
		if len(rest) > 3 && rest[0].Is("r") && rest[1].Is("#") { // r#type
			rest = rest[2:]
		}
		if len(rest) < 3 || rest[0].Kind != token.Word || !rest[1].Is(":") {
			if len(rest) > 0 && bad == nil {
				bad = &rest[0]
			}
			continue
		}
		list = append(list, rustField{rest[0], rest[0].Text, attrs, rest[2:]})
	}
	return list, bad
}

// openMaps are what is flattened to keep members that a struct does not name.
var openMaps = []string{"Map", "HashMap", "BTreeMap", "IndexMap", "Value", "JsonObject"}

func (s *rustSource) members(file string, body token.Node, style string, depth int) object {
	var o object
	if b, broken := token.Broken([]token.Node{body}); broken {
		o.fail(problem(file, b.Line, "unbalanced brackets"))
	}
	list, bad := rustFields(body)
	if bad != nil {
		o.fail(problem(file, bad.Line, "a field of another shape"))
	}
	for _, f := range list {
		if _, ok := has(f.attrs, "skip"); ok {
			continue
		}
		if _, ok := has(f.attrs, "flatten"); ok {
			s.flatten(file, f, depth, &o)
			continue
		}
		name, ok := has(f.attrs, "rename")
		if !ok {
			name = renameField(f.name, style)
		}
		o.fields = o.fields.set(vocabulary.Field{Name: name, Presence: f.presence(), At: place(file, f.node)})
	}
	return o
}

func (s *rustSource) flatten(file string, f rustField, depth int, o *object) {
	inner := f.typ
	if f.typ[0].Is("Option") && len(f.typ) > 1 {
		inner, _, _ = token.Angle(f.typ[1:])
	}
	name := payloadName(inner)
	if name == "" && len(inner) > 0 {
		name = inner[0].Text
	}
	if slices.Contains(openMaps, name) {
		return
	}
	st := s.find(file, name)
	if st == nil {
		o.fail(problem(file, f.node.Line, "flattened %s is not found", name))
		return
	}
	o.merge(s.object(st, depth+1))
}

// presence: serde takes an Option for optional, unless a function reads it.
func (f rustField) presence() vocabulary.Presence {
	_, byDefault := has(f.attrs, "default")
	_, left := has(f.attrs, "skip_serializing_if")
	_, with := has(f.attrs, "deserialize_with")
	if !with {
		_, with = has(f.attrs, "with")
	}
	if byDefault || left || isPath(f.typ, "Option") && !with {
		return vocabulary.Optional
	}
	return vocabulary.Required
}

// isPath says whether a type is NAME<…>, with any path in front.
func isPath(typ []token.Node, name string) bool {
	at := token.Index(typ, "<")
	return at > 0 && typ[at-1].Is(name)
}

// flattened returns the names of the structs that a struct flattens.
func flattened(st *rustItem) []string {
	var out []string
	list, _ := rustFields(st.body)
	for _, f := range list {
		if _, ok := has(f.attrs, "flatten"); ok {
			out = append(out, payloadName(f.typ))
		}
	}
	return out
}

// renameField applies a serde style to a field, which is in snake_case.
func renameField(name, style string) string {
	switch style {
	case "camelCase":
		return lowerCamel(name)
	case "PascalCase":
		s := lowerCamel(name)
		return strings.ToUpper(s[:1]) + s[1:]
	case "UPPERCASE", "SCREAMING_SNAKE_CASE":
		return strings.ToUpper(name)
	case "kebab-case":
		return strings.ReplaceAll(name, "_", "-")
	case "SCREAMING-KEBAB-CASE":
		return strings.ToUpper(strings.ReplaceAll(name, "_", "-"))
	}
	return name
}

// renameVariant applies a serde style to a variant, which is in PascalCase.
func renameVariant(name, style string) string {
	switch style {
	case "lowercase":
		return strings.ToLower(name)
	case "UPPERCASE":
		return strings.ToUpper(name)
	case "camelCase":
		return strings.ToLower(name[:1]) + name[1:]
	case "snake_case", "SCREAMING_SNAKE_CASE", "kebab-case", "SCREAMING-KEBAB-CASE":
		return renameField(snake(name), style)
	}
	return name
}

// snake turns RunStarted into run_started.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
