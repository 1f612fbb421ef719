package reader

import (
	"slices"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// An annotation is @Name(…) of Java and Kotlin, or [Name(…)] of C#, without its package.
type annotation struct {
	name string
	args []token.Node
}

// annotations reads those in front of a declaration.
func annotations(list []token.Node) (out []annotation, rest []token.Node) {
	for len(list) > 1 && list[0].Is("@") && list[1].Kind == token.Word && list[1].Text != "interface" {
		list = list[1:]
		if len(list) > 2 && list[1].Is(":") && list[2].Kind == token.Word { // @field:Name
			list = list[2:]
		}
		names, after := token.Dotted(list)
		a := annotation{name: names[len(names)-1]}
		if len(after) > 0 && after[0].Opens("(") {
			a.args = after[0].Kids
			after = after[1:]
		}
		out = append(out, a)
		list = after
	}
	return out, list
}

func annotated(list []annotation, names ...string) (annotation, bool) {
	i := slices.IndexFunc(list, func(a annotation) bool { return slices.Contains(names, a.name) })
	if i < 0 {
		return annotation{}, false
	}
	return list[i], true
}

// text returns the first string among the arguments, or that of the given name.
func (a annotation) text(name string) (string, bool) {
	for _, arg := range token.Split(a.args, ",") {
		switch {
		case len(arg) == 1 && arg[0].Kind == token.String:
			return arg[0].Text, true
		case len(arg) > 2 && arg[0].Is(name) && arg[1].Is("=") && arg[2].Kind == token.String:
			return arg[2].Text, true
		}
	}
	return "", false
}

// subtypes reads @JsonSubTypes({@Type(value = A.class, name = "a"), …}) or Kotlin's
// form of it: the names of events by the class that stands for each.
func subtypes(list []annotation) map[string]string {
	out := map[string]string{}
	a, ok := annotated(list, "JsonSubTypes")
	if !ok {
		return out
	}
	collectSubtypes(a.args, out)
	return out
}

func collectSubtypes(list []token.Node, into map[string]string) {
	for i, n := range list {
		if n.Kind != token.Group {
			continue
		}
		if i == 0 || !list[i-1].Is("Type") {
			collectSubtypes(n.Kids, into)
			continue
		}
		var class, name string
		for _, arg := range token.Split(n.Kids, ",") {
			if len(arg) > 1 && arg[1].Is("=") {
				arg = arg[2:]
			}
			if len(arg) == 1 && arg[0].Kind == token.String {
				name = arg[0].Text
			} else if len(arg) > 0 && arg[0].Kind == token.Word {
				class = arg[0].Text
			}
		}
		if class != "" && name != "" {
			into[class] = name
		}
	}
}

// A class is a declaration of Java, Kotlin, C# or Dart, as far as the readers
// of these need the same of it.
type class struct {
	file        string
	name        string
	line        int
	annotations []annotation
	record      bool           // its header has its fields
	header      *token.Node    // parameters behind the name
	bases       []string       // names of superclasses and interfaces, without packages and parameters
	supers      [][]token.Node // the same with what they are called with
	body        *token.Node
}

// classes are those of one reading.
type classes struct {
	list   []*class
	enums  []*enum
	byEnum map[string]*enum
	events *enum
	known  func(string) bool
	tags   map[string]string // what @JsonSubTypes and the like say, by class
}

func newClasses(known func(string) bool) *classes {
	return &classes{byEnum: map[string]*enum{}, known: known, tags: map[string]string{}}
}

// find returns the class of that name, of the file first. Two of one name are none.
func (s *classes) find(file, name string) *class {
	var found []*class
	for _, c := range s.list {
		if c.name == name && c.file == file {
			return c
		}
		if c.name == name {
			found = append(found, c)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

func (s *classes) addEnum(e *enum) {
	s.enums = append(s.enums, e)
	s.byEnum[e.name] = e
}

func (s *classes) isEvent(value string) bool { return s.known(value) || s.events.has(value) }

// constant resolves EventType.RAW, or a string, to a value. named says whether it
// is one of the list of event types, found or not.
func (s *classes) constant(list []token.Node) (value string, named, ok bool) {
	if len(list) > 0 && list[0].Kind == token.String {
		return list[0].Text, false, true
	}
	names, _ := token.Dotted(list)
	if len(names) < 2 {
		return "", false, false
	}
	for i := range len(names) - 1 {
		if e := s.byEnum[names[i]]; e != nil {
			value, ok := e.value(names[i+1])
			return value, e == s.events, ok
		}
	}
	return "", false, false
}

// payloads makes payloads of the classes that stand for an event, and of those
// that share a base with two of these but stand for none.
func (s *classes) payloads(read func(c *class) object) []vocabulary.Payload {
	objects := map[*class]object{}
	bases := map[string]int{}
	for _, c := range s.list {
		o := read(c)
		objects[c] = o
		if o.value != "" && s.isEvent(o.value) {
			for _, b := range c.bases {
				bases[b]++
			}
		}
	}
	var out []vocabulary.Payload
	for _, c := range s.list {
		o := objects[c]
		shares := slices.ContainsFunc(c.bases, func(b string) bool { return bases[b] > 1 }) && c.isConcrete()
		isEvent := o.value != "" && s.isEvent(o.value)
		if !isEvent && !shares && !(o.tagged && o.value == "") || bases[c.name] > 0 {
			continue
		}
		p := vocabulary.Payload{Name: c.name, Value: o.value, At: vocabulary.Place{File: c.file, Line: c.line}, Fields: o.fields, Unparsed: o.problem}
		p.Unused = !isEvent && o.value == "" && o.problem == nil
		out = append(out, p)
	}
	return settle(out)
}

// shapes makes shapes of the classes that are no event's.
func (s *classes) shapes(read func(c *class) object) []vocabulary.Payload {
	var out []vocabulary.Payload
	for _, c := range s.list {
		o := read(c)
		if s.isEvent(o.value) {
			continue
		}
		if x, ok := shape(c.name, c.file, c.line, o); ok {
			out = append(out, x)
		}
	}
	return out
}

func (c *class) isConcrete() bool { return c.header != nil || c.body != nil }
