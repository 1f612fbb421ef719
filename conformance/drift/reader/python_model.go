package reader

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// A pyModel is a class while its fields are read: names are made those of the
// wire only at the end, since a class inherits fields and may rename them.
type pyModel struct {
	object
	named    map[string]string // by attribute: the name that an alias gives
	camel    bool              // what an alias generator makes of the others
	root     string            // the library's class that it descends from
	optional bool              // a TypedDict with total=False
}

// roots are the classes where a hierarchy may end, and whether their fields are
// what is sent.
var roots = map[string]bool{"BaseModel": true, "TypedDict": true, "RootModel": false}

// passed are bases that say nothing of fields.
var passed = []string{"object", "ABC", "Generic", "Protocol", "str", "Enum"}

// camelGenerators are alias generators that make camelCase.
var camelGenerators = []string{"to_camel", "to_lower_camel", "to_camel_case", "snake_to_camel", "to_lower_camel_case", "camelize"}

// object returns what is on the wire of a class.
func (s *pySource) object(c *pyClass) object {
	m := s.model(c, 0)
	switch {
	case m.root == "" && m.problem == nil:
		m.fail(problem(c.file.path, c.line, "%s is no pydantic model", c.name))
	case m.root == "RootModel":
		m.fail(problem(c.file.path, c.line, "%s is a root model", c.name))
	}
	for i := range m.fields {
		name := m.fields[i].Name
		if alias, ok := m.named[name]; ok {
			m.fields[i].Name = alias
		} else if m.camel {
			m.fields[i].Name = lowerCamel(name)
		}
	}
	return m.object
}

// lowerCamel turns message_id into messageId, as pydantic's to_camel does.
func lowerCamel(name string) string {
	parts := strings.Split(name, "_")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}

func (s *pySource) model(c *pyClass, depth int) pyModel {
	m := pyModel{named: map[string]string{}}
	if depth > 30 {
		m.fail(problem(c.file.path, c.line, "%s descends from itself", c.name))
		return m
	}
	for _, base := range slices.Backward(c.bases) { // the first base wins
		s.inherit(c, base, &m, depth)
	}
	for _, base := range c.bases {
		s.setting(c, base, &m)
	}
	for _, line := range c.body {
		s.attribute(c, line, &m)
	}
	return m
}

func (s *pySource) inherit(c *pyClass, base []token.Node, m *pyModel, depth int) {
	parts, rest := token.Dotted(base)
	if len(parts) == 0 || len(rest) > 0 && rest[0].Is("=") || len(rest) > 1 {
		return
	}
	name := parts[len(parts)-1]
	if next := s.find(c.file, name); next != nil && next != c {
		other := s.model(next, depth+1)
		m.merge(other.object)
		for k, v := range other.named {
			m.named[k] = v
		}
		m.camel = m.camel || other.camel
		if other.root != "" {
			m.root = other.root
		}
		return
	}
	if _, ok := roots[name]; ok {
		m.root = name
	} else if !slices.Contains(passed, name) {
		m.fail(problem(c.file.path, base[0].Line, "base class %s is not found", name))
	}
}

// setting reads alias_generator and total among the bases, or among the arguments of ConfigDict.
func (s *pySource) setting(c *pyClass, arg []token.Node, m *pyModel) {
	if len(arg) < 3 || !arg[1].Is("=") && !arg[1].Is(":") {
		return
	}
	switch arg[0].Text {
	case "alias_generator":
		parts, rest := token.Dotted(arg[2:])
		switch {
		case len(rest) == 0 && len(parts) > 0 && slices.Contains(camelGenerators, parts[len(parts)-1]):
			m.camel = true
		case len(rest) == 0 && len(parts) == 1 && parts[0] == "None":
			m.camel = false
		default:
			m.fail(problem(c.file.path, arg[0].Line, "an alias generator that is not known"))
		}
	case "total":
		m.optional = arg[2].Is("False")
	}
}

func (s *pySource) attribute(c *pyClass, line []token.Node, m *pyModel) {
	if b, broken := token.Broken(line); broken {
		m.fail(problem(c.file.path, b.Line, "unbalanced brackets"))
	}
	switch {
	case line[0].Is("@") && len(line) > 1 && line[1].Is("model_serializer") && !wraps(line):
		m.fail(problem(c.file.path, line[0].Line, "a serializer of its own"))
	case line[0].Kind != token.Word || len(line) < 3:
	case line[0].Is("model_config") && line[1].Is("="):
		group := line[len(line)-1]
		for _, arg := range token.Split(group.Kids, ",") {
			s.setting(c, arg, m)
		}
	case line[1].Is(":") && !strings.HasPrefix(line[0].Text, "_") && !line[0].Is("class") && !line[2].Is("ClassVar"):
		s.field(c, line, m)
	}
}

// wraps says whether a serializer only works on what the model would give anyway.
func wraps(line []token.Node) bool {
	group := line[len(line)-1]
	return group.Opens("(") && slices.ContainsFunc(group.Kids, func(n token.Node) bool { return n.Kind == token.String && n.Text == "wrap" })
}

// field reads NAME: ANNOTATION, and = DEFAULT where there is one.
func (s *pySource) field(c *pyClass, line []token.Node, m *pyModel) {
	annotation, value := line[2:], []token.Node(nil)
	if at := token.Index(annotation, "="); at >= 0 {
		annotation, value = annotation[:at], annotation[at+1:]
	}
	f := vocabulary.Field{Name: line[0].Text, Presence: vocabulary.Required, At: place(c.file.path, line[0])}
	if m.optional {
		f.Presence = vocabulary.Optional
	}
	if len(annotation) == 2 && annotation[0].Is("Annotated") && annotation[1].Opens("[") {
		args := token.Split(annotation[1].Kids, ",")
		for _, arg := range args[min(1, len(args)):] {
			if len(arg) == 2 && arg[0].Is("Field") {
				s.fieldCall(arg[1], &f, m)
			}
		}
		if len(args) > 0 {
			annotation = args[0]
		}
	}
	switch {
	case len(annotation) > 0 && annotation[0].Is("NotRequired"):
		f.Presence = vocabulary.Optional
	case len(value) == 2 && value[0].Is("Field") && value[1].Opens("("):
		value = s.fieldCall(value[1], &f, m)
	case len(value) > 0:
		f.Presence = vocabulary.Optional
	}
	constant, single := literalOf(annotation)
	if single && len(value) > 0 && !value[0].Is("None") {
		f.Presence = vocabulary.Required // a constant that is always sent
	}
	m.fields = m.fields.set(f)
	if f.Name != "type" {
		return
	}
	if !single && len(value) > 0 {
		constant = value
	}
	if len(constant) > 0 {
		s.tag(c, constant, m)
	}
}

// fieldCall reads Field(DEFAULT, alias="x") and returns the default, where it has one.
func (s *pySource) fieldCall(call token.Node, f *vocabulary.Field, m *pyModel) (value []token.Node) {
	for i, arg := range token.Split(call.Kids, ",") {
		switch {
		case len(arg) > 2 && arg[1].Is("="):
			switch arg[0].Text {
			case "default":
				value, f.Presence = arg[2:], vocabulary.Optional
			case "default_factory":
				f.Presence = vocabulary.Optional
			case "alias", "serialization_alias":
				if arg[2].Kind == token.String {
					m.named[f.Name] = arg[2].Text
				}
			}
			if len(arg) > 4 && arg[2].Is(".") && arg[3].Is(".") { // default=...
				value, f.Presence = nil, vocabulary.Required
			}
		case i == 0 && len(arg) > 0 && !arg[0].Is("."): // an ellipsis says that it is required
			value, f.Presence = arg, vocabulary.Optional
		}
	}
	return value
}

// literalOf returns the only value of Literal[X].
func literalOf(annotation []token.Node) (value []token.Node, ok bool) {
	if len(annotation) != 2 || !annotation[0].Is("Literal") || !annotation[1].Opens("[") {
		return nil, false
	}
	values := token.Split(annotation[1].Kids, ",")
	if len(values) != 1 {
		return nil, false
	}
	return values[0], true
}

// tag reads the constant of the discriminator.
func (s *pySource) tag(c *pyClass, list []token.Node, m *pyModel) {
	names, _ := token.Dotted(list)
	switch {
	case list[0].Kind == token.String:
		m.value, m.tagged = list[0].Text, true
	case len(names) >= 2:
		e := s.enums[s.find(c.file, names[0])]
		if e == nil {
			return
		}
		value, ok := e.value(names[1])
		if m.value, m.tagged = value, ok || e == s.events; !ok {
			m.fail(problem(c.file.path, list[0].Line, "%s.%s is not found", names[0], names[1]))
		}
	}
}
