package reader

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var csharp = Reader{
	Name:         "csharp",
	Language:     "C#",
	Experimental: true,
	Optionality:  "`?` of nullable types, `required`",
	Matches:      func(p string) bool { return strings.HasSuffix(p, ".cs") },
	Read:         readCSharp,
}

type csharpSource struct {
	*classes
	camel bool // the SDK sets a policy that names properties in camelCase
}

func readCSharp(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	s := &csharpSource{classes: newClasses(known)}
	for _, p := range parse(sdk, "c#", files) {
		s.camel = s.camel || strings.Contains(p.Text, "JsonNamingPolicy.CamelCase")
		s.scan(p.Path, p.nodes)
	}
	s.events = eventTypes(s.enums, known)
	if s.events != nil {
		sdk.Listed = s.events.members
	}
	sdk.Payloads = s.payloads(s.object)
	sdk.Shapes = s.shapes(s.object)
	return sdk
}

var csharpModifiers = []string{
	"public", "private", "protected", "internal", "static", "sealed", "abstract", "partial", "readonly", "new", "virtual", "override", "required", "const",
	"unsafe", "extern", "file",
}

// csharpHead reads attributes and modifiers.
func csharpHead(list []token.Node) (notes []annotation, modifiers []string, rest []token.Node) {
	for len(list) > 1 {
		switch {
		case list[0].Opens("["):
			for _, a := range token.Split(list[0].Kids, ",") {
				names, after := token.Dotted(a)
				if len(names) == 0 {
					continue
				}
				note := annotation{name: strings.TrimSuffix(names[len(names)-1], "Attribute")}
				if len(after) > 0 && after[0].Opens("(") {
					note.args = after[0].Kids
				}
				notes = append(notes, note)
			}
		case list[0].Kind == token.Word && slices.Contains(csharpModifiers, list[0].Text):
			modifiers = append(modifiers, list[0].Text)
		default:
			return notes, modifiers, list
		}
		list = list[1:]
	}
	return notes, modifiers, list
}

func (s *csharpSource) scan(file string, list []token.Node) {
	for i := 0; i < len(list); i++ {
		if list[i].Is("namespace") {
			for i++; i < len(list) && !list[i].Is(";"); i++ {
				if list[i].Opens("{") {
					s.scan(file, list[i].Kids)
					break
				}
			}
			continue
		}
		notes, _, rest := csharpHead(list[i:])
		at := len(list) - len(rest)
		if len(rest) < 2 || !rest[0].Is("class") && !rest[0].Is("record") && !rest[0].Is("enum") || rest[1].Kind != token.Word {
			i = max(i, at-1)
			continue
		}
		c := &class{file: file, name: rest[1].Text, line: rest[1].Line, annotations: notes}
		i = at + c.csharp(rest) - 1
		s.declare(c, rest[0].Is("enum"))
	}
}

func (s *csharpSource) declare(c *class, isEnum bool) {
	for _, note := range c.annotations { // JsonDerivedType(typeof(A), "a")
		args := token.Split(note.args, ",")
		if note.name == "JsonDerivedType" && len(args) == 2 && len(args[0]) == 2 && args[0][1].Opens("(") && len(args[1]) == 1 {
			s.tags[words(args[0][1].Kids)] = args[1][0].Text
		}
	}
	if c.body == nil {
		return
	}
	if isEnum {
		s.enum(c)
		return
	}
	s.constants(c)
	s.list = append(s.list, c)
	s.scan(c.file, c.body.Kids)
}

func (c *class) csharp(rest []token.Node) int {
	for i := 2; i < len(rest); i++ {
		switch n := rest[i]; {
		case n.Opens("("):
			c.header = &rest[i]
		case n.Is(":"):
			stop := i + 1
			for stop < len(rest) && !rest[stop].Opens("{") && !rest[stop].Is("where") && !rest[stop].Is(";") {
				stop++
			}
			for _, base := range token.SplitTypes(rest[i+1:stop], ",") {
				if names, _ := token.Dotted(base); len(names) > 0 {
					c.bases = append(c.bases, names[len(names)-1])
				}
			}
		case n.Opens("{"):
			c.body = &rest[i]
			return i + 1
		case n.Is(";"):
			return i + 1
		}
	}
	return len(rest)
}

// enum reads [EnumMember(Value = "VALUE")] NAME.
func (s *csharpSource) enum(c *class) {
	e := &enum{name: c.name}
	for _, part := range token.Split(c.body.Kids, ",") {
		notes, _, rest := csharpHead(part)
		if len(rest) == 0 || rest[0].Kind != token.Word {
			continue
		}
		value := rest[0].Text
		if note, ok := annotated(notes, "EnumMember", "JsonStringEnumMemberName", "JsonPropertyName"); ok {
			value, _ = note.text("Value")
		}
		e.members = append(e.members, vocabulary.Listed{Value: value, Name: rest[0].Text, At: place(c.file, rest[0])})
	}
	s.addEnum(e)
}

// constants reads const string NAME = "VALUE"; of a class as a list.
func (s *csharpSource) constants(c *class) {
	e := &enum{name: c.name}
	list := c.body.Kids
	for i := 0; i+3 < len(list); i++ {
		if list[i].Is("string") && list[i+1].Kind == token.Word && list[i+2].Is("=") && list[i+3].Kind == token.String {
			e.members = append(e.members, vocabulary.Listed{Value: list[i+3].Text, Name: list[i+1].Text, At: place(c.file, list[i+1])})
		}
	}
	if len(e.members) > 0 {
		s.addEnum(e)
	}
}

func (s *csharpSource) object(c *class) object { return s.objectAt(c, 0) }

func (s *csharpSource) objectAt(c *class, depth int) object {
	var o object
	if depth > 20 {
		return object{problem: problem(c.file, c.line, "%s descends from itself", c.name)}
	}
	for _, name := range c.bases {
		if base := s.find(c.file, name); base != nil && base != c {
			inherited := s.objectAt(base, depth+1)
			inherited.fields = inherited.fields.clone()
			o.merge(inherited)
		}
	}
	if b, broken := token.Broken([]token.Node{*c.body}); broken {
		o.fail(problem(c.file, b.Line, "unbalanced brackets"))
	}
	s.properties(c, &o)
	if name, ok := s.tags[c.name]; ok {
		o.value, o.tagged = name, true
		o.fields = o.fields.set(vocabulary.Field{Name: "type", Presence: vocabulary.Required, At: vocabulary.Place{File: c.file, Line: c.line}})
	}
	return o
}

// properties reads T Name { get; set; } and T Name => VALUE;
func (s *csharpSource) properties(c *class, o *object) {
	list := c.body.Kids
	start := 0
	for i := 0; i < len(list); i++ {
		isProperty := list[i].Opens("{") && token.Has(list[i].Kids, "get") && i > start
		isArrow := list[i].Is("=") && i+1 < len(list) && list[i+1].Is(">") && i > start && list[i-1].Kind == token.Word
		switch {
		case isProperty:
			s.property(c, list[start:i], valueBehind(list[i+1:]), o)
			start = i + 1
		case isArrow:
			s.property(c, list[start:i], until(list[i+2:], ";"), o)
			for i < len(list) && !list[i].Is(";") {
				i++
			}
			start = i + 1
		case list[i].Is(";") || list[i].Opens("{"):
			start = i + 1
		}
	}
}

// valueBehind returns what a property is set to at first.
func valueBehind(rest []token.Node) []token.Node {
	if len(rest) > 1 && rest[0].Is("=") {
		return until(rest[1:], ";")
	}
	return nil
}

func (s *csharpSource) property(c *class, declared, value []token.Node, o *object) {
	notes, modifiers, rest := csharpHead(declared)
	if len(rest) < 2 || rest[len(rest)-1].Kind != token.Word || slices.Contains(modifiers, "static") || slices.Contains(modifiers, "private") {
		return
	}
	name := rest[len(rest)-1]
	if note, ok := annotated(notes, "JsonIgnore"); ok && !token.Has(note.args, "Condition") {
		return
	}
	f := vocabulary.Field{Name: name.Text, Presence: vocabulary.Required, At: place(c.file, name)}
	if note, ok := annotated(notes, "JsonPropertyName", "JsonProperty"); ok {
		f.Name, _ = note.text("PropertyName")
	} else if s.camel {
		f.Name = strings.ToLower(f.Name[:1]) + f.Name[1:]
	}
	_, required := annotated(notes, "JsonRequired")
	if rest[len(rest)-2].Is("?") && !required && !slices.Contains(modifiers, "required") {
		f.Presence = vocabulary.Optional
	}
	o.fields = o.fields.set(f)
	if f.Name != "type" || len(value) == 0 {
		return
	}
	if text, named, ok := s.constant(value); ok || named {
		if o.value, o.tagged = text, true; !ok {
			o.fail(problem(c.file, value[0].Line, "an event type that is not found"))
		}
	}
}
