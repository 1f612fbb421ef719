package reader

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var kotlin = Reader{
	Name:        "kotlin",
	Language:    "Kotlin",
	Optionality: "default values of properties; a `?` without one says nothing",
	Matches:     func(p string) bool { return strings.HasSuffix(p, ".kt") },
	Read:        readKotlin,
}

type kotlinSource struct {
	*classes
	discriminators map[string]string // of @JsonClassDiscriminator, by class
}

func readKotlin(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	s := &kotlinSource{classes: newClasses(known), discriminators: map[string]string{}}
	for _, p := range parse(sdk, "kotlin", files) {
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

var kotlinModifiers = []string{
	"public", "private", "protected", "internal", "open", "abstract", "sealed", "final", "data", "value", "inline", "inner", "enum", "annotation",
	"override", "lateinit", "const", "vararg", "expect", "actual", "external", "companion",
}

// kotlinHead reads annotations and modifiers in any order.
func kotlinHead(list []token.Node) (notes []annotation, modifiers []string, rest []token.Node) {
	for {
		more, rest := annotations(list)
		notes = append(notes, more...)
		if len(rest) < 2 || rest[0].Kind != token.Word || !slices.Contains(kotlinModifiers, rest[0].Text) {
			return notes, modifiers, rest
		}
		modifiers = append(modifiers, rest[0].Text)
		list = rest[1:]
	}
}

func (s *kotlinSource) scan(file string, list []token.Node) {
	for i := 0; i < len(list); i++ {
		if list[i].Kind != token.Word && !list[i].Is("@") {
			continue
		}
		notes, modifiers, rest := kotlinHead(list[i:])
		if len(rest) < 2 || !rest[0].Is("class") && !rest[0].Is("object") && !rest[0].Is("interface") || rest[1].Kind != token.Word {
			if at := len(list) - len(rest); at > i {
				i = at - 1
			}
			continue
		}
		c := &class{file: file, name: rest[1].Text, line: rest[1].Line, annotations: notes}
		n := c.kotlin(rest)
		i = len(list) - len(rest) + n - 1
		s.declare(c, modifiers, rest[0].Text)
	}
}

func (s *kotlinSource) declare(c *class, modifiers []string, keyword string) {
	for k, v := range subtypes(c.annotations) {
		s.tags[k] = v
	}
	if note, ok := annotated(c.annotations, "JsonClassDiscriminator"); ok {
		s.discriminators[c.name], _ = note.text("discriminator")
	}
	switch {
	case slices.Contains(modifiers, "enum") && c.body != nil:
		s.enum(c)
		return
	case keyword != "interface":
		s.list = append(s.list, c)
	}
	if c.body != nil {
		s.scan(c.file, c.body.Kids)
	}
}

// kotlin reads the head and the body of a class, and returns how many nodes that takes.
func (c *class) kotlin(rest []token.Node) int {
	i := 2
	if _, after, ok := token.Angle(rest[i:]); ok {
		i = len(rest) - len(after)
	}
	for i+1 < len(rest) && (rest[i].Is("private") || rest[i].Is("internal") || rest[i].Is("protected") || rest[i].Is("constructor")) {
		i++
	}
	if i < len(rest) && rest[i].Opens("(") {
		c.header = &rest[i]
		i++
	}
	if i < len(rest) && rest[i].Is(":") {
		i = c.supertypes(rest, i+1)
	}
	if i < len(rest) && rest[i].Opens("{") {
		c.body = &rest[i]
		i++
	}
	return i
}

func (c *class) supertypes(rest []token.Node, i int) int {
	for i < len(rest) {
		names, after := token.Dotted(rest[i:])
		if len(names) == 0 {
			return i
		}
		c.bases = append(c.bases, names[len(names)-1])
		if _, more, ok := token.Angle(after); ok {
			after = more
		}
		if len(after) > 0 && after[0].Opens("(") {
			c.supers = append(c.supers, after[0].Kids)
			after = after[1:]
		}
		i = len(rest) - len(after)
		if i >= len(rest) || !rest[i].Is(",") {
			return i
		}
		i++
	}
	return i
}

// enum reads @SerialName("VALUE") NAME, NAME("VALUE") and NAME.
func (s *kotlinSource) enum(c *class) {
	e := &enum{name: c.name}
	for _, part := range token.Split(until(c.body.Kids, ";"), ",") {
		notes, constant := annotations(part)
		if len(constant) == 0 || constant[0].Kind != token.Word {
			continue
		}
		value := constant[0].Text
		if note, ok := annotated(notes, "SerialName", "JsonProperty", "SerializedName"); ok {
			value, _ = note.text("value")
		} else if len(constant) > 1 && constant[1].Opens("(") && len(constant[1].Kids) > 0 && constant[1].Kids[0].Kind == token.String {
			value = constant[1].Kids[0].Text
		}
		e.members = append(e.members, vocabulary.Listed{Value: value, Name: constant[0].Text, At: place(c.file, constant[0])})
	}
	s.addEnum(e)
}

func (s *kotlinSource) object(c *class) object { return s.objectAt(c, 0) }

func (s *kotlinSource) objectAt(c *class, depth int) object {
	var o object
	if depth > 20 {
		return object{problem: problem(c.file, c.line, "%s descends from itself", c.name)}
	}
	key := "type"
	for _, name := range c.bases {
		if k, ok := s.discriminators[name]; ok {
			key = k
		}
		if base := s.find(c.file, name); base != nil && base != c {
			inherited := s.objectAt(base, depth+1)
			inherited.fields = inherited.fields.clone()
			o.merge(inherited)
		}
	}
	if note, ok := annotated(c.annotations, "Serializable"); ok && len(note.args) > 0 {
		o.fail(problem(c.file, c.line, "a serializer of its own"))
	}
	if c.header != nil {
		s.parameters(c, &o)
	}
	if c.body != nil {
		s.properties(c, &o)
	}
	s.discriminator(c, key, &o)
	return o
}

// parameters reads val NAME: TYPE = DEFAULT of a primary constructor.
func (s *kotlinSource) parameters(c *class, o *object) {
	if c.header.Broken {
		o.fail(problem(c.file, c.header.Line, "unbalanced brackets"))
	}
	for _, part := range token.SplitTypes(c.header.Kids, ",") {
		notes, modifiers, rest := kotlinHead(part)
		if len(rest) < 2 || !rest[0].Is("val") && !rest[0].Is("var") || rest[1].Kind != token.Word {
			continue // a parameter that is no property is not on the wire
		}
		s.property(c, notes, modifiers, rest[1:], o)
	}
}

// properties reads the properties of a body that hold a value.
func (s *kotlinSource) properties(c *class, o *object) {
	if b, broken := token.Broken([]token.Node{*c.body}); broken {
		o.fail(problem(c.file, b.Line, "unbalanced brackets"))
	}
	for _, line := range kotlinLines(c.body.Kids) {
		notes, modifiers, rest := kotlinHead(line)
		if len(rest) < 2 || !rest[0].Is("val") && !rest[0].Is("var") || slices.Contains(modifiers, "abstract") || slices.Contains(modifiers, "const") {
			continue
		}
		if token.Index(rest, "=") < 0 || token.Index(rest, "get") >= 0 && token.Index(rest, "get") < token.Index(rest, "=") || token.Index(rest, "by") >= 0 {
			continue // computed
		}
		s.property(c, notes, modifiers, rest[1:], o)
	}
}

// kotlinLines cuts a body into statements: at line ends, where nothing says that it goes on.
func kotlinLines(list []token.Node) [][]token.Node {
	var out [][]token.Node
	start := 0
	for i := 1; i < len(list); i++ {
		annotation := i > 1 && list[i-1].Opens("(") && list[i-2].Kind == token.Word && i > 2 && list[i-3].Is("@") || list[i-1].Kind == token.Word && i > 1 && list[i-2].Is("@")
		goesOn := list[i].Is(".") || list[i].Is("=") || list[i].Is(":") || list[i].Is("?") || list[i].Is("get")
		if list[i].Line > list[i-1].End && !annotation && !goesOn && !continues(list[i-1]) || list[i].Is(";") {
			out = append(out, list[start:i])
			start = i
		}
	}
	if start < len(list) {
		out = append(out, list[start:])
	}
	return out
}

// property reads NAME: TYPE = DEFAULT.
func (s *kotlinSource) property(c *class, notes []annotation, modifiers []string, rest []token.Node, o *object) {
	if _, ok := annotated(notes, "Transient", "JsonIgnore"); ok {
		o.fields = o.fields.without(rest[0].Text)
		return
	}
	f := vocabulary.Field{Name: rest[0].Text, Presence: vocabulary.Required, At: place(c.file, rest[0])}
	if note, ok := annotated(notes, "SerialName", "JsonProperty", "SerializedName"); ok {
		if name, ok := note.text("value"); ok {
			f.Name = name
		}
	}
	_, always := annotated(notes, "Required")
	typ := until(rest, "=")
	switch {
	case always:
	case len(typ) < len(rest):
		f.Presence = vocabulary.Optional
	case len(typ) > 0 && typ[len(typ)-1].Is("?"):
		f.Presence = vocabulary.Unsaid // up to a setting of the format
	}
	o.fields = o.fields.set(f)
}

// discriminator finds the event of a class: what its annotations call it, or the
// event type that it has.
func (s *kotlinSource) discriminator(c *class, key string, o *object) {
	if note, ok := annotated(c.annotations, "SerialName", "JsonTypeName"); ok {
		o.value, _ = note.text("value")
		o.tagged = true
	} else if name, ok := s.tags[c.name]; ok {
		o.value, o.tagged = name, true
	} else if _, kotlinx := annotated(c.annotations, "Serializable"); !kotlinx { // which would send the class's name
		s.eventType(c, o)
	}
	if !o.tagged {
		return
	}
	o.fields = slices.DeleteFunc(o.fields, func(f vocabulary.Field) bool { return f.Name == "eventType" || f.Name == key })
	o.fields = append(fields{{Name: key, Presence: vocabulary.Required, At: vocabulary.Place{File: c.file, Line: c.line}}}, o.fields...)
}

// eventType finds EventType.X in the property of that name, or among what the
// superclass is called with.
func (s *kotlinSource) eventType(c *class, o *object) {
	var candidates [][]token.Node
	candidates = append(candidates, c.supers...)
	if c.body != nil {
		for _, line := range kotlinLines(c.body.Kids) {
			_, _, rest := kotlinHead(line)
			if len(rest) > 2 && rest[0].Is("val") && (rest[1].Is("eventType") || rest[1].Is("type")) {
				if at := token.Index(rest, "="); at >= 0 {
					candidates = append(candidates, rest[at+1:])
				}
			}
		}
	}
	for _, list := range candidates {
		for _, arg := range token.Split(list, ",") {
			if len(arg) > 2 && arg[1].Is("=") {
				arg = arg[2:]
			}
			if value, named, ok := s.constant(arg); ok && s.isEvent(value) || named {
				if o.value, o.tagged = value, true; !ok {
					o.fail(problem(c.file, arg[0].Line, "an event type that is not found"))
				}
			}
		}
	}
}
