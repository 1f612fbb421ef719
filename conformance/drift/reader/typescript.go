package reader

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var typescript = Reader{
	Name:        "typescript",
	Language:    "TypeScript",
	Optionality: "`?` and `| undefined` of types; `.optional()`, `.nullish()`, `.default()` and `z.any()` of zod schemas",
	Matches:     func(p string) bool { return isTypeScript(p) || isSourceMap(p) },
	Read:        readTypeScript,
}

var (
	typeScriptName = regexp.MustCompile(`\.[cm]?tsx?$`)
	declarations   = regexp.MustCompile(`\.d\.[cm]?ts$`)
)

func isTypeScript(p string) bool { return typeScriptName.MatchString(p) }

func isSourceMap(p string) bool {
	return strings.HasSuffix(p, ".js.map") || strings.HasSuffix(p, ".mjs.map") || strings.HasSuffix(p, ".cjs.map")
}

// readTypeScript reads sources; where none has an event, the sources that source
// maps carry; and declarations last, since schemas are the least legible there.
func readTypeScript(files []File, known func(string) bool) *vocabulary.SDK {
	var sources, maps, declared []File
	for _, f := range files {
		switch {
		case isSourceMap(f.Path):
			maps = append(maps, f)
		case declarations.MatchString(f.Path):
			declared = append(declared, f)
		default:
			sources = append(sources, f)
		}
	}
	var damaged []vocabulary.Damaged
	sdk := &vocabulary.SDK{}
	for _, read := range []func(*vocabulary.SDK) []File{
		func(*vocabulary.SDK) []File { return sources },
		func(sdk *vocabulary.SDK) []File { return carried(sdk, maps) },
		func(*vocabulary.SDK) []File { return declared },
	} {
		sdk = &vocabulary.SDK{}
		readModules(sdk, read(sdk), known)
		if damaged = append(damaged, sdk.Damaged...); len(sdk.Listed)+len(sdk.Payloads) > 0 {
			break
		}
	}
	sdk.Damaged = damaged
	return sdk
}

// Carried returns the TypeScript sources that source maps among the files carry.
func Carried(files []File) []File {
	maps := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !isSourceMap(f.Path) })
	return carried(&vocabulary.SDK{}, maps)
}

// carried returns the TypeScript sources that source maps carry, each once.
func carried(sdk *vocabulary.SDK, maps []File) []File {
	var out []File
	seen := map[string]bool{}
	for _, f := range maps {
		var m struct {
			Sources []string  `json:"sources"`
			Texts   []*string `json:"sourcesContent"`
		}
		if err := json.Unmarshal([]byte(f.Text), &m); err != nil {
			damage(sdk, f, err)
			continue
		}
		for i, source := range m.Sources {
			name := path.Join(path.Dir(f.Path), source)
			if i >= len(m.Texts) || m.Texts[i] == nil || !isTypeScript(name) || declarations.MatchString(name) || seen[name+*m.Texts[i]] {
				continue
			}
			seen[name+*m.Texts[i]] = true
			out = append(out, File{Path: name, Text: *m.Texts[i]})
		}
	}
	return out
}

// A module is a TypeScript file with what it declares.
type module struct {
	path    string
	decls   map[string]*decl
	order   []*decl
	imports map[string]imported // by local name; also what is exported from elsewhere
	stars   []string            // modules whose every export is one of this
}

type imported struct{ name, from string }

type declKind int

const (
	constDecl declKind = iota // body is an expression
	typeDecl                  // body is a type
	interfaceDecl
	enumDecl
)

type decl struct {
	kind   declKind
	module *module
	name   string
	line   int
	bases  [][]token.Node // of an interface
	body   []token.Node
}

// modules are all files of one reading, for names to be found in.
type modules struct {
	byPath map[string]*module
	byName map[string][]*decl
	list   []*module
	enums  map[*decl]*enum
	events *enum
	known  func(string) bool
}

func readModules(sdk *vocabulary.SDK, files []File, known func(string) bool) {
	ms := &modules{byPath: map[string]*module{}, byName: map[string][]*decl{}, enums: map[*decl]*enum{}, known: known}
	for _, p := range parse(sdk, "typescript", files) {
		ms.add(scanModule(p))
	}
	ms.events = eventTypes(ms.readEnums(), known)
	if ms.events != nil {
		sdk.Listed = ms.events.members
	}
	sdk.Payloads = ms.payloads()
	sdk.Shapes = ms.shapes()
}

func (ms *modules) add(m *module) {
	ms.byPath[m.path] = m
	ms.list = append(ms.list, m)
	for _, d := range m.order {
		ms.byName[d.name] = append(ms.byName[d.name], d)
	}
}

func scanModule(p parsed) *module {
	m := &module{path: p.Path, decls: map[string]*decl{}, imports: map[string]imported{}}
	list := p.nodes
	for i := 0; i < len(list); {
		i = m.statement(list, i)
	}
	return m
}

// statement reads the statement that starts at i, or steps over one node.
func (m *module) statement(list []token.Node, i int) int {
	rest := list[i:]
	switch {
	case rest[0].Kind != token.Word || i > 0 && list[i-1].Is("."):
		return i + 1
	case rest[0].Is("import"), rest[0].Is("export") && len(rest) > 1 && (rest[1].Opens("{") || rest[1].Is("*") || rest[1].Is("type") && len(rest) > 2 && rest[2].Opens("{")):
		return i + m.imported(rest)
	case len(rest) < 3 || rest[1].Kind != token.Word:
		return i + 1
	}
	switch rest[0].Text {
	case "enum":
		if rest[2].Opens("{") {
			m.declare(&decl{kind: enumDecl, name: rest[1].Text, line: rest[1].Line, body: rest[2:3]})
		}
		return i + 3
	case "const", "let", "var":
		n := end(rest)
		body := rest[2:n]
		if at := assignment(body); at >= 0 {
			m.declare(&decl{kind: constDecl, name: rest[1].Text, line: rest[1].Line, body: body[at+1:]})
		} else if len(body) > 1 && body[0].Is(":") {
			m.declare(&decl{kind: constDecl, name: rest[1].Text, line: rest[1].Line, body: body})
		}
		return i + n
	case "type":
		n := end(rest)
		if at := assignment(rest[2:n]); at >= 0 {
			m.declare(&decl{kind: typeDecl, name: rest[1].Text, line: rest[1].Line, body: rest[2+at+1 : n]})
		}
		return i + n
	case "interface":
		return i + m.interfaceAt(rest)
	}
	return i + 1
}

func (m *module) declare(d *decl) {
	d.module = m
	if _, ok := m.decls[d.name]; !ok {
		m.decls[d.name] = d
		m.order = append(m.order, d)
	}
}

// assignment finds the = of a declaration, past a type and its parameters.
func assignment(list []token.Node) int {
	for i, n := range list {
		if n.Is("=") && !(i+1 < len(list) && list[i+1].Is(">") && list[i+1].Joined) {
			return i
		}
	}
	return -1
}

func (m *module) interfaceAt(rest []token.Node) int {
	for i := 2; i < len(rest); i++ {
		if !rest[i].Opens("{") {
			continue
		}
		d := &decl{kind: interfaceDecl, name: rest[1].Text, line: rest[1].Line, body: rest[i : i+1]}
		if at := token.Index(rest[:i], "extends"); at >= 0 {
			d.bases = token.SplitTypes(rest[at+1:i], ",")
		}
		m.declare(d)
		return i + 1
	}
	return len(rest)
}

var statementStarts = []string{"export", "const", "let", "var", "type", "interface", "enum", "function", "class", "import", "declare", "async", "abstract", "namespace"}

// end returns where the statement that the list starts with ends: behind its
// semicolon, or before a line that starts another.
func end(list []token.Node) int {
	for i, n := range list {
		if n.Is(";") {
			return i
		}
		if i > 1 && n.Kind == token.Word && n.Line > list[i-1].Line && !list[i-1].Is(".") && slices.Contains(statementStarts, n.Text) && !continues(list[i-1]) {
			return i
		}
	}
	return len(list)
}

// continues says whether what follows the node still belongs to it.
func continues(n token.Node) bool {
	return n.Kind == token.Punct && n.Text != ";" && n.Text != ">" || n.Is("typeof") || n.Is("keyof")
}

// imported reads import {A, B as C} from "./x", and the same with export.
func (m *module) imported(rest []token.Node) int {
	n := 1
	for n < len(rest) && rest[n].Kind != token.String && !rest[n].Is(";") && rest[n].Line-rest[n-1].Line <= 1 {
		n++
	}
	if n >= len(rest) || rest[n].Kind != token.String {
		return 1
	}
	from := rest[n].Text
	for i, x := range rest[:n] {
		switch {
		case x.Opens("{"):
			for _, item := range token.Split(x.Kids, ",") {
				item = slices.DeleteFunc(slices.Clone(item), func(n token.Node) bool { return n.Is("type") })
				switch {
				case len(item) == 1:
					m.imports[item[0].Text] = imported{item[0].Text, from}
				case len(item) == 3 && item[1].Is("as"):
					m.imports[item[2].Text] = imported{item[0].Text, from}
				}
			}
		case x.Is("*") && rest[0].Is("export") && i+1 < n && rest[i+1].Is("from"):
			m.stars = append(m.stars, from)
		}
	}
	return n + 1
}

// find returns the declaration that a name means in a module: its own, the
// imported one, or the only one of that name.
func (ms *modules) find(m *module, name string) (*decl, bool) {
	if d, ok := ms.export(m, name, 0); ok {
		return d, true
	}
	if i, ok := m.imports[name]; ok {
		name = i.name
	}
	if list := ms.byName[name]; len(list) == 1 {
		return list[0], true
	}
	return nil, false
}

func (ms *modules) export(m *module, name string, depth int) (*decl, bool) {
	if d, ok := m.decls[name]; ok {
		return d, true
	}
	if depth > 10 {
		return nil, false
	}
	if i, ok := m.imports[name]; ok {
		if from := ms.module(m, i.from); from != nil {
			return ms.export(from, i.name, depth+1)
		}
		return nil, false
	}
	for _, star := range m.stars {
		if from := ms.module(m, star); from != nil {
			if d, ok := ms.export(from, name, depth+1); ok {
				return d, true
			}
		}
	}
	return nil, false
}

var importedSuffix = regexp.MustCompile(`\.[cm]?[jt]s$`)

// module returns the file that an import means, where it is among those read.
func (ms *modules) module(m *module, from string) *module {
	if !strings.HasPrefix(from, ".") {
		return nil
	}
	p := importedSuffix.ReplaceAllString(path.Join(path.Dir(m.path), from), "")
	for _, suffix := range []string{".ts", "/index.ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", "/index.d.ts"} {
		if found := ms.byPath[p+suffix]; found != nil {
			return found
		}
	}
	return nil
}

// readEnums reads enums, constant objects and unions of literals: whatever can
// list event types.
func (ms *modules) readEnums() []*enum {
	var out []*enum
	for _, m := range ms.list {
		for _, d := range m.order {
			if e := readEnum(d); e != nil && len(e.members) > 0 {
				ms.enums[d] = e
				out = append(out, e)
			}
		}
	}
	return out
}

func readEnum(d *decl) *enum {
	e := &enum{name: d.name}
	switch {
	case d.kind == enumDecl:
		e.list(d, d.body[0].Kids, "=")
	case d.kind == constDecl && len(d.body) > 0 && d.body[0].Opens("{"):
		e.list(d, d.body[0].Kids, ":")
	case d.kind == typeDecl:
		for _, part := range token.SplitTypes(d.body, "|") {
			if len(part) == 1 && part[0].Kind == token.String {
				e.members = append(e.members, vocabulary.Listed{Value: part[0].Text, Name: part[0].Text, At: place(d.module.path, part[0])})
			}
		}
	}
	return e
}

// list reads NAME = "VALUE", or NAME alone, whose value is a number and not on the wire.
func (e *enum) list(d *decl, kids []token.Node, sign string) {
	for _, part := range token.Split(kids, ",") {
		if len(part) >= 3 && part[1].Is(sign) && part[2].Kind == token.String && (part[0].Kind == token.Word || part[0].Kind == token.String) {
			e.members = append(e.members, vocabulary.Listed{Value: part[2].Text, Name: part[0].Text, At: place(d.module.path, part[0])})
		}
	}
}
