package reader

import (
	"path"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var python = Reader{
	Name:        "python",
	Language:    "Python",
	Optionality: "defaults of pydantic fields; `NotRequired` of a TypedDict",
	Matches:     func(p string) bool { return strings.HasSuffix(p, ".py") || strings.HasSuffix(p, ".pyi") },
	Read:        readPython,
}

// A pyFile is a Python module with its classes and assignments at top level.
type pyFile struct {
	path    string
	classes map[string]*pyClass
	assigns map[string][]token.Node
	order   []*pyClass
	unions  []string // names of assignments, in order
	imports map[string]imported
}

type pyClass struct {
	file  *pyFile
	name  string
	line  int
	bases [][]token.Node // also keywords, as NAME = VALUE
	body  [][]token.Node // its statements, without nested ones
}

type pySource struct {
	files  []*pyFile
	byName map[string][]*pyClass
	enums  map[*pyClass]*enum
	events *enum
	known  func(string) bool
}

func readPython(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	s := &pySource{byName: map[string][]*pyClass{}, enums: map[*pyClass]*enum{}, known: known}
	for _, p := range parse(sdk, "python", files) {
		f := scanPython(p)
		s.files = append(s.files, f)
		for _, c := range f.order {
			s.byName[c.name] = append(s.byName[c.name], c)
		}
	}
	s.events = eventTypes(s.readEnums(), known)
	if s.events != nil {
		sdk.Listed = s.events.members
	}
	sdk.Payloads = s.payloads()
	sdk.Shapes = s.shapes()
	return sdk
}

// statements cuts a file into logical lines: brackets and strings may go over several.
func statements(list []token.Node) [][]token.Node {
	var out [][]token.Node
	start := 0
	for i := 1; i < len(list); i++ {
		if list[i].Line > list[i-1].End && !list[i-1].Is("\\") {
			out = append(out, list[start:i])
			start = i
		}
	}
	if start < len(list) {
		out = append(out, list[start:])
	}
	return out
}

func scanPython(p parsed) *pyFile {
	f := &pyFile{path: p.Path, classes: map[string]*pyClass{}, assigns: map[string][]token.Node{}, imports: map[string]imported{}}
	lines := statements(p.nodes)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case line[0].Col > 0:
		case line[0].Is("class") && len(line) > 1 && line[1].Kind == token.Word:
			i += f.class(line, lines[i+1:])
		case line[0].Is("from"):
			f.imported(line)
		case line[0].Is("type") && len(line) > 3 && line[2].Is("="):
			f.assign(line[1].Text, line[3:])
		case line[0].Kind == token.Word && len(line) > 2:
			if at := token.Index(line, "="); at > 0 && (at == 1 || line[1].Is(":")) {
				f.assign(line[0].Text, line[at+1:])
			}
		}
	}
	return f
}

func (f *pyFile) assign(name string, value []token.Node) {
	f.assigns[name] = value
	f.unions = append(f.unions, name)
}

// class reads a class and returns how many of the following statements are its body.
func (f *pyFile) class(head []token.Node, rest [][]token.Node) int {
	c := &pyClass{file: f, name: head[1].Text, line: head[1].Line}
	if len(head) > 2 && head[2].Opens("(") {
		c.bases = token.Split(head[2].Kids, ",")
	}
	n := 0
	for n < len(rest) && rest[n][0].Col > head[0].Col {
		if rest[n][0].Col == rest[0][0].Col {
			c.body = append(c.body, rest[n])
		}
		n++
	}
	if _, ok := f.classes[c.name]; !ok {
		f.classes[c.name] = c
		f.order = append(f.order, c)
	}
	return n
}

// imported reads from .x import A, B as C.
func (f *pyFile) imported(line []token.Node) {
	at := token.Index(line, "import")
	if at < 0 {
		return
	}
	from := words(line[1:at])
	names := line[at+1:]
	if len(names) == 1 && names[0].Opens("(") {
		names = names[0].Kids
	}
	for _, item := range token.Split(names, ",") {
		switch {
		case len(item) == 1:
			f.imports[item[0].Text] = imported{item[0].Text, from}
		case len(item) == 3 && item[1].Is("as"):
			f.imports[item[2].Text] = imported{item[0].Text, from}
		}
	}
}

// find returns the class that a name means in a file.
func (s *pySource) find(f *pyFile, name string) *pyClass {
	for range 10 {
		if c := f.classes[name]; c != nil {
			return c
		}
		if value, ok := f.assigns[name]; ok { // another name for it
			parts, rest := token.Dotted(value)
			if len(parts) != 1 || len(rest) > 0 || parts[0] == name {
				return nil
			}
			name = parts[0]
			continue
		}
		i, ok := f.imports[name]
		if !ok {
			break
		}
		name = i.name
		next := s.module(f, i.from)
		if next == nil {
			break
		}
		f = next
	}
	if list := s.byName[name]; len(list) == 1 {
		return list[0]
	}
	return nil
}

// module returns the file that an import means, where it is among those read.
func (s *pySource) module(f *pyFile, from string) *pyFile {
	up := len(from) - len(strings.TrimLeft(from, "."))
	p := strings.ReplaceAll(from[up:], ".", "/")
	dir := ""
	if up > 0 {
		dir = path.Dir(f.path)
		for range up - 1 {
			dir = path.Dir(dir)
		}
	}
	for _, other := range s.files {
		for _, name := range []string{p + ".py", p + "/__init__.py", p + ".pyi"} {
			if up > 0 && other.path == path.Join(dir, name) || up == 0 && (other.path == name || strings.HasSuffix(other.path, "/"+name)) {
				return other
			}
		}
	}
	return nil
}

func (s *pySource) readEnums() []*enum {
	var out []*enum
	for _, f := range s.files {
		for _, c := range f.order {
			if !c.hasBase("Enum") && !c.hasBase("StrEnum") {
				continue
			}
			e := &enum{name: c.name}
			for _, line := range c.body {
				if len(line) == 3 && line[0].Kind == token.Word && line[1].Is("=") && line[2].Kind == token.String {
					e.members = append(e.members, vocabulary.Listed{Value: line[2].Text, Name: line[0].Text, At: place(f.path, line[0])})
				}
			}
			s.enums[c] = e
			out = append(out, e)
		}
		for _, name := range f.unions {
			if value := f.assigns[name]; len(value) == 2 && value[0].Is("Literal") && value[1].Opens("[") {
				out = append(out, literals(name, f.path, value[1].Kids))
			}
		}
	}
	return out
}

func literals(name, file string, list []token.Node) *enum {
	e := &enum{name: name}
	for _, part := range token.Split(list, ",") {
		if len(part) == 1 && part[0].Kind == token.String {
			e.members = append(e.members, vocabulary.Listed{Value: part[0].Text, Name: part[0].Text, At: place(file, part[0])})
		}
	}
	return e
}

func (c *pyClass) hasBase(name string) bool {
	return slices.ContainsFunc(c.bases, func(b []token.Node) bool {
		parts, rest := token.Dotted(b)
		return len(rest) == 0 && len(parts) > 0 && parts[len(parts)-1] == name
	})
}

func (s *pySource) payloads() []vocabulary.Payload {
	union := s.union()
	var out []vocabulary.Payload
	for _, f := range s.files {
		for _, c := range f.order {
			o := s.object(c)
			isEvent := o.value != "" && s.isEvent(o.value)
			if !isEvent && !union[c] && !(o.tagged && o.value == "") {
				continue
			}
			out = append(out, vocabulary.Payload{
				Name: c.name, Value: o.value, At: vocabulary.Place{File: f.path, Line: c.line}, Fields: o.fields,
				Unparsed: o.problem, Unused: len(union) > 0 && !union[c],
			})
		}
	}
	return settle(out)
}

// shapes returns the models that are no event's.
func (s *pySource) shapes() []vocabulary.Payload {
	var out []vocabulary.Payload
	for _, f := range s.files {
		for _, c := range f.order {
			o := s.object(c)
			if s.isEvent(o.value) {
				continue
			}
			if m, ok := shape(c.name, f.path, c.line, o); ok {
				out = append(out, m)
			}
		}
	}
	return out
}

func (s *pySource) isEvent(value string) bool { return s.known(value) || s.events.has(value) }

// union returns the classes of the union that has most events.
func (s *pySource) union() map[*pyClass]bool {
	var best map[*pyClass]bool
	most := 1
	for _, f := range s.files {
		for _, name := range f.unions {
			options := map[*pyClass]bool{}
			s.options(f, f.assigns[name], options, 0)
			n := 0
			for c := range options {
				if s.isEvent(s.object(c).value) {
					n++
				}
			}
			if n > most {
				best, most = options, n
			}
		}
	}
	return best
}

// options adds the classes of Annotated[Union[A, B], …], Union[A, B] and A | B.
func (s *pySource) options(f *pyFile, value []token.Node, into map[*pyClass]bool, depth int) {
	if depth > 10 || len(value) == 0 {
		return
	}
	if len(value) == 2 && value[1].Opens("[") {
		args := token.Split(value[1].Kids, ",")
		switch {
		case value[0].Is("Annotated") && len(args) > 0:
			s.options(f, args[0], into, depth+1)
		case value[0].Is("Union"):
			for _, a := range args {
				s.option(f, a, into, depth)
			}
		}
		return
	}
	if parts := token.Split(value, "|"); len(parts) > 1 {
		for _, p := range parts {
			s.option(f, p, into, depth)
		}
	}
}

func (s *pySource) option(f *pyFile, value []token.Node, into map[*pyClass]bool, depth int) {
	if len(value) == 1 && value[0].Kind == token.Word {
		if c := s.find(f, value[0].Text); c != nil {
			into[c] = true
			return
		}
		if next, ok := f.assigns[value[0].Text]; ok {
			s.options(f, next, into, depth+1)
		}
		return
	}
	s.options(f, value, into, depth+1)
}
