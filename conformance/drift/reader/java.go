package reader

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var java = Reader{
	Name:        "java",
	Language:    "Java",
	Optionality: "`requireNonNull` in a record's compact constructor, annotations such as `@NotNull` and `@Nullable`, `Optional<…>`, primitive types",
	Matches:     func(p string) bool { return strings.HasSuffix(p, ".java") },
	Read:        readJava,
}

// javaSource also knows whether the SDK writes down what must be there: where it
// does so anywhere, a field without a word may be absent.
type javaSource struct {
	*classes
	says bool
}

func readJava(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	s := &javaSource{classes: newClasses(known)}
	for _, p := range parse(sdk, "java", files) {
		s.scan(p.Path, p.nodes)
		s.says = s.says || token.Has(p.nodes, "requireNonNull") || token.Has(p.nodes, "NotNull") || token.Has(p.nodes, "NonNull") || token.Has(p.nodes, "Nonnull")
	}
	s.events = eventTypes(s.enums, known)
	if s.events != nil {
		sdk.Listed = s.events.members
	}
	sdk.Payloads = s.payloads(s.object)
	sdk.Shapes = s.shapes(s.object)
	return sdk
}

var javaModifiers = []string{"public", "protected", "private", "static", "final", "abstract", "sealed", "strictfp", "transient", "volatile", "default", "synchronized"}

// scan reads the types of a file, or those within a type.
func (s *javaSource) scan(file string, list []token.Node) {
	for i := 0; i < len(list); i++ {
		notes, rest := annotations(list[i:])
		rest = withoutModifiers(rest)
		at := len(list) - len(rest)
		if len(rest) < 3 || rest[1].Kind != token.Word {
			continue
		}
		switch {
		case rest[0].Is("enum"):
			i = at + s.enum(file, rest) - 1
		case rest[0].Is("class"), rest[0].Is("record"), rest[0].Is("interface"):
			c := &class{file: file, name: rest[1].Text, line: rest[1].Line, annotations: notes, record: rest[0].Is("record")}
			n := c.java(rest)
			i = at + n - 1
			for k, v := range subtypes(notes) {
				s.tags[k] = v
			}
			if !rest[0].Is("interface") {
				s.list = append(s.list, c)
			}
			if c.body != nil {
				s.scan(file, c.body.Kids)
			}
		}
	}
}

func withoutModifiers(list []token.Node) []token.Node {
	for len(list) > 1 && list[0].Kind == token.Word && slices.Contains(javaModifiers, list[0].Text) {
		list = list[1:]
		if _, rest := annotations(list); len(rest) < len(list) {
			list = rest
		}
	}
	return list
}

// enum reads NAME, NAME("VALUE") and @JsonProperty("VALUE") NAME.
func (s *javaSource) enum(file string, rest []token.Node) int {
	for i, n := range rest {
		if !n.Opens("{") {
			continue
		}
		e := &enum{name: rest[1].Text}
		for _, part := range token.Split(until(n.Kids, ";"), ",") {
			notes, constant := annotations(part)
			if len(constant) == 0 || constant[0].Kind != token.Word {
				continue
			}
			value := constant[0].Text
			if note, ok := annotated(notes, "JsonProperty", "SerializedName", "SerialName"); ok {
				value, _ = note.text("value")
			} else if len(constant) > 1 && constant[1].Opens("(") && len(constant[1].Kids) > 0 && constant[1].Kids[0].Kind == token.String {
				value = constant[1].Kids[0].Text
			}
			e.members = append(e.members, vocabulary.Listed{Value: value, Name: constant[0].Text, At: place(file, constant[0])})
		}
		s.addEnum(e)
		return i + 1
	}
	return len(rest)
}

func until(list []token.Node, end string) []token.Node {
	if at := token.Index(list, end); at >= 0 {
		return list[:at]
	}
	return list
}

// java reads the head and the body of a type, and returns how many nodes that takes.
func (c *class) java(rest []token.Node) int {
	for i := 2; i < len(rest); i++ {
		switch n := rest[i]; {
		case n.Opens("(") && c.header == nil:
			c.header = &rest[i]
		case n.Opens("{"):
			c.body = &rest[i]
			return i + 1
		case n.Is("extends"), n.Is("implements"):
			stop := i + 1
			for stop < len(rest) && !rest[stop].Opens("{") && !rest[stop].Is("implements") && !rest[stop].Is("permits") {
				stop++
			}
			for _, base := range token.SplitTypes(rest[i+1:stop], ",") {
				if names, _ := token.Dotted(base); len(names) > 0 {
					c.bases = append(c.bases, names[len(names)-1])
				}
			}
		}
	}
	return len(rest)
}

// object reads the fields of a record or a class with those of its superclass.
func (s *javaSource) object(c *class) object { return s.objectAt(c, 0) }

func (s *javaSource) objectAt(c *class, depth int) object {
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
	if _, ok := annotated(c.annotations, "JsonSerialize", "JsonAdapter"); ok {
		o.fail(problem(c.file, c.line, "a converter of its own"))
	}
	if c.record && c.header != nil {
		s.components(c, &o)
	} else if c.body != nil {
		s.instanceFields(c, &o)
	}
	s.discriminator(c, &o)
	return o
}

// components reads the header of a record.
func (s *javaSource) components(c *class, o *object) {
	if c.header.Broken {
		o.fail(problem(c.file, c.header.Line, "unbalanced brackets"))
	}
	required := s.requiredIn(c)
	for _, part := range token.SplitTypes(c.header.Kids, ",") {
		notes, rest := annotations(part)
		if len(rest) < 2 || rest[len(rest)-1].Kind != token.Word {
			o.fail(problem(c.file, lineOf(part), "a component of another shape"))
			continue
		}
		s.field(c, notes, rest[:len(rest)-1], rest[len(rest)-1], required, o)
	}
}

// requiredIn returns what the compact constructor does not let be null.
func (s *javaSource) requiredIn(c *class) map[string]bool {
	out := map[string]bool{}
	if c.body == nil {
		return out
	}
	list := c.body.Kids
	for i, n := range list {
		if !n.Opens("{") || i == 0 || !list[i-1].Is(c.name) {
			continue
		}
		body := n.Kids
		for j, x := range body {
			if x.Is("requireNonNull") && j+1 < len(body) && body[j+1].Opens("(") && len(body[j+1].Kids) > 0 {
				out[body[j+1].Kids[0].Text] = true
			}
		}
	}
	return out
}

var javaPrimitives = []string{"int", "long", "short", "byte", "boolean", "double", "float", "char"}

func (s *javaSource) field(c *class, notes []annotation, typ []token.Node, name token.Node, required map[string]bool, o *object) {
	if _, ok := annotated(notes, "JsonIgnore"); ok {
		return
	}
	f := vocabulary.Field{Name: name.Text, At: place(c.file, name)}
	if note, ok := annotated(notes, "JsonProperty", "SerializedName", "JsonbProperty"); ok {
		if text, ok := note.text("value"); ok {
			f.Name = text
		}
		if slices.ContainsFunc(note.args, func(n token.Node) bool { return n.Is("required") }) {
			required = map[string]bool{name.Text: token.Has(note.args, "true")}
		}
	}
	_, notNull := annotated(notes, "NotNull", "NonNull", "Nonnull", "NotBlank", "NotEmpty")
	_, nullable := annotated(notes, "Nullable", "CheckForNull")
	switch {
	case notNull || required[name.Text]:
		f.Presence = vocabulary.Required
	case nullable || isPath(typ, "Optional"):
		f.Presence = vocabulary.Optional
	case len(typ) == 1 && slices.Contains(javaPrimitives, typ[0].Text):
		f.Presence = vocabulary.Required
	case s.says:
		f.Presence = vocabulary.Optional
	}
	o.fields = o.fields.set(f)
}

// instanceFields reads private T name; and the like of a class.
func (s *javaSource) instanceFields(c *class, o *object) {
	if b, broken := token.Broken([]token.Node{*c.body}); broken {
		o.fail(problem(c.file, b.Line, "unbalanced brackets"))
	}
	for _, statement := range javaStatements(c.body.Kids) {
		notes, rest := annotations(statement)
		if token.Index(until(rest, "="), "static") >= 0 || token.Index(until(rest, "="), "transient") >= 0 {
			continue
		}
		rest = withoutModifiers(rest)
		declared := until(rest, "=")
		if len(declared) < 2 || declared[len(declared)-1].Kind != token.Word || slices.ContainsFunc(declared, func(n token.Node) bool { return n.Opens("(") }) {
			continue
		}
		s.field(c, notes, declared[:len(declared)-1], declared[len(declared)-1], nil, o)
	}
}

// javaStatements cuts a class body: at semicolons, and behind the body of a method.
func javaStatements(list []token.Node) [][]token.Node {
	var out [][]token.Node
	start := 0
	for i, n := range list {
		if n.Is(";") || n.Opens("{") && token.Index(list[start:i], "=") < 0 {
			out = append(out, list[start:i])
			start = i + 1
		}
	}
	return out
}

// discriminator finds the event of a class: in type() or getType(), in super(…), in
// the field of the type, or in what annotations say.
func (s *javaSource) discriminator(c *class, o *object) {
	set := func(value string, at token.Node, ok bool) {
		if o.value, o.tagged = value, true; !ok {
			o.fail(problem(c.file, at.Line, "an event type that is not found"))
		}
	}
	if name, ok := s.tags[c.name]; ok {
		set(name, token.Node{}, true)
	} else if note, ok := annotated(c.annotations, "JsonTypeName"); ok {
		name, found := note.text("value")
		set(name, token.Node{Line: c.line}, found)
	} else if c.body != nil {
		s.inBody(c.body.Kids, set)
	}
	if !o.tagged {
		return
	}
	f := vocabulary.Field{Name: "type", Presence: vocabulary.Required, At: vocabulary.Place{File: c.file, Line: c.line}}
	if i := slices.IndexFunc(o.fields, func(f vocabulary.Field) bool { return f.Name == "type" || f.Name == "eventType" }); i >= 0 {
		o.fields[i].Name, o.fields[i].Presence = "type", vocabulary.Required
		return
	}
	o.fields = append(fields{f}, o.fields...)
}

var typeMethods = []string{"type", "getType", "eventType", "getEventType"}

func (s *javaSource) inBody(list []token.Node, set func(string, token.Node, bool)) {
	for i, n := range list {
		isMethod := n.Kind == token.Word && slices.Contains(typeMethods, n.Text) && i+2 < len(list) && list[i+1].Opens("(") && list[i+2].Opens("{")
		isField := n.Kind == token.Word && (n.Text == "type" || n.Text == "eventType") && i+2 < len(list) && list[i+1].Is("=")
		switch {
		case isMethod:
			if at := token.Index(list[i+2].Kids, "return"); at >= 0 {
				s.set(list[i+2].Kids[at+1:], set)
			}
		case isField:
			s.set(list[i+2:], set)
		case n.Opens("{") && i > 1 && list[i-1].Opens("("):
			for j, x := range n.Kids {
				if x.Is("super") && j+1 < len(n.Kids) && n.Kids[j+1].Opens("(") && (j+2 == len(n.Kids) || !n.Kids[j+2].Is(".")) {
					for _, arg := range token.Split(n.Kids[j+1].Kids, ",") {
						s.set(arg, set)
					}
				}
			}
		}
	}
}

func (s *javaSource) set(list []token.Node, set func(string, token.Node, bool)) {
	if value, named, ok := s.constant(list); ok && s.isEvent(value) || named {
		set(value, list[0], ok)
	}
}
