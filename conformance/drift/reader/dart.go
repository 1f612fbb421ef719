package reader

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var dart = Reader{
	Name:         "dart",
	Language:     "Dart",
	Experimental: true,
	Optionality:  "`if` in front of an entry of `toJson`",
	Matches:      func(p string) bool { return strings.HasSuffix(p, ".dart") },
	Read:         readDart,
}

type dartSource struct{ *classes }

func readDart(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	s := &dartSource{newClasses(known)}
	for _, p := range parse(sdk, "dart", files) {
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

func (s *dartSource) scan(file string, list []token.Node) {
	for i := 0; i+2 < len(list); i++ {
		if !list[i].Is("class") && !list[i].Is("enum") || list[i+1].Kind != token.Word {
			continue
		}
		c := &class{file: file, name: list[i+1].Text, line: list[i+1].Line}
		isEnum := list[i].Is("enum")
		for j := i + 2; j < len(list); j++ {
			if list[j].Is("extends") && j+1 < len(list) {
				c.bases = append(c.bases, list[j+1].Text)
			}
			if list[j].Opens("{") {
				c.body = &list[j]
				i = j
				break
			}
		}
		switch {
		case c.body == nil:
			return
		case isEnum:
			s.enum(c)
		default:
			s.list = append(s.list, c)
		}
	}
}

// enum reads name('VALUE').
func (s *dartSource) enum(c *class) {
	e := &enum{name: c.name}
	for _, part := range token.Split(until(c.body.Kids, ";"), ",") {
		_, part = annotations(part)
		if len(part) > 1 && part[0].Kind == token.Word && part[1].Opens("(") && len(part[1].Kids) > 0 && part[1].Kids[0].Kind == token.String {
			e.members = append(e.members, vocabulary.Listed{Value: part[1].Kids[0].Text, Name: part[0].Text, At: place(c.file, part[0])})
		}
	}
	s.addEnum(e)
}

func (s *dartSource) object(c *class) object { return s.objectAt(c, 0) }

// objectAt reads toJson, which says what is on the wire, and finds the event in
// the call of the superclass's constructor.
func (s *dartSource) objectAt(c *class, depth int) object {
	var o object
	if depth > 20 {
		return object{problem: problem(c.file, c.line, "%s descends from itself", c.name)}
	}
	if b, broken := token.Broken([]token.Node{*c.body}); broken {
		o.fail(problem(c.file, b.Line, "unbalanced brackets"))
	}
	entries, found := toJSON(c.body.Kids)
	switch {
	case found && entries != nil:
		for _, entry := range token.Split(entries, ",") {
			s.entry(c, entry, depth, &o)
		}
	case found:
		o.fail(problem(c.file, c.line, "a toJson of another shape"))
	default:
		s.inherited(c, depth, &o)
	}
	s.discriminator(c, &o)
	return o
}

func (s *dartSource) inherited(c *class, depth int, o *object) {
	for _, name := range c.bases {
		if base := s.find(c.file, name); base != nil && base != c {
			inherited := s.objectAt(base, depth+1)
			inherited.fields = inherited.fields.clone()
			o.merge(inherited)
		}
	}
}

// toJSON returns the entries of the map that toJson returns, or nil where it
// does more than return one.
func toJSON(list []token.Node) (entries []token.Node, found bool) {
	for i, n := range list {
		if !n.Is("toJson") || i+2 >= len(list) || !list[i+1].Opens("(") {
			continue
		}
		rest := list[i+2:]
		switch {
		case len(rest) > 2 && rest[0].Is("=") && rest[1].Is(">") && rest[2].Opens("{"):
			return rest[2].Kids, true
		case rest[0].Opens("{") && len(rest[0].Kids) > 1 && rest[0].Kids[0].Is("return") && rest[0].Kids[1].Opens("{"):
			return rest[0].Kids[1].Kids, true
		case rest[0].Is("=") || rest[0].Opens("{"):
			return nil, true
		}
	}
	return nil, false
}

// entry reads 'key': value, with if (…) in front where it may be absent.
func (s *dartSource) entry(c *class, list []token.Node, depth int, o *object) {
	presence := vocabulary.Required
	if len(list) > 2 && list[0].Is("if") && list[1].Opens("(") {
		presence, list = vocabulary.Optional, list[2:]
	}
	switch {
	case len(list) == 0:
	case len(list) > 3 && list[0].Is(".") && words(list) == "...super.toJson(":
		s.inherited(c, depth, o)
	case len(list) > 2 && list[0].Kind == token.String && list[1].Is(":"):
		if list[2].Is("?") {
			presence = vocabulary.Optional
		}
		o.fields = o.fields.set(vocabulary.Field{Name: list[0].Text, Presence: presence, At: place(c.file, list[0])})
	default:
		o.fail(problem(c.file, list[0].Line, "an entry of another shape"))
	}
}

// discriminator finds super(eventType: EventType.x).
func (s *dartSource) discriminator(c *class, o *object) {
	list := c.body.Kids
	for i, n := range list {
		if !n.Is("super") || i+1 >= len(list) || !list[i+1].Opens("(") {
			continue
		}
		for _, arg := range token.Split(list[i+1].Kids, ",") {
			if at := token.Index(arg, ":"); at >= 0 {
				arg = slices.Clone(arg[at+1:])
			}
			if value, named, ok := s.constant(arg); ok && s.isEvent(value) || named {
				if o.value, o.tagged = value, true; !ok {
					o.fail(problem(c.file, n.Line, "an event type that is not found"))
				}
			}
		}
	}
}
