package reader

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	tree "github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var golang = Reader{
	Name:        "go",
	Language:    "Go",
	Optionality: "`omitempty` and `omitzero` of the json tag",
	Matches:     func(p string) bool { return strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") },
	Read:        readGo,
}

// goSource is all Go files of one reading. Names are looked up in their own
// package first, then anywhere, as long as there is one of that name.
type goSource struct {
	files   *token.FileSet
	structs map[string][]*goStruct // by name
	order   []*goStruct
	consts  map[string]vocabulary.Listed
	events  *enum
	known   func(string) bool
	bound   map[*goStruct]map[string]bool // the events that constructors, decoders and methods give a struct
}

type goStruct struct {
	name, pkg string
	at        vocabulary.Place
	fields    *ast.FieldList
	custom    *vocabulary.Problem // a marshaller of its own
	aliasOf   string
}

func readGo(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	g := &goSource{
		files: token.NewFileSet(), structs: map[string][]*goStruct{}, consts: map[string]vocabulary.Listed{},
		known: known, bound: map[*goStruct]map[string]bool{},
	}
	parsed := g.parse(sdk, files)
	var enums []*enum
	for _, f := range parsed {
		enums = append(enums, g.declared(f)...)
	}
	g.events = eventTypes(enums, known)
	if g.events != nil {
		sdk.Listed = g.events.members
	}
	for _, f := range parsed {
		g.bind(f)
	}
	sdk.Payloads = g.payloads()
	sdk.Shapes = g.shapes()
	return sdk
}

func (g *goSource) parse(sdk *vocabulary.SDK, files []File) []*ast.File {
	var out []*ast.File
	for _, f := range files {
		if err := tree.Readable([]byte(f.Text)); err != nil {
			damage(sdk, f, err)
			continue
		}
		sdk.Files++
		parsed, err := parser.ParseFile(g.files, f.Path, f.Text, parser.SkipObjectResolution)
		if err != nil {
			damage(sdk, f, goError(err))
		}
		if parsed != nil {
			out = append(out, parsed)
		}
	}
	return out
}

func goError(err error) error {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return &tree.Error{Line: list[0].Pos.Line, Reason: list[0].Msg}
	}
	return err
}

func (g *goSource) place(pos token.Pos) vocabulary.Place {
	p := g.files.Position(pos)
	return vocabulary.Place{File: p.Filename, Line: p.Line}
}

// declared notes a file's structs and constants, and returns what may list event types.
func (g *goSource) declared(f *ast.File) []*enum {
	byType := map[string]*enum{}
	var enums []*enum
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					g.declareType(f, spec)
				case *ast.ValueSpec:
					g.declareConst(d, spec, byType, &enums)
				}
			}
		case *ast.FuncDecl:
			enums = append(enums, g.switches(d))
		}
	}
	return enums
}

func (g *goSource) declareType(f *ast.File, spec *ast.TypeSpec) {
	s := &goStruct{name: spec.Name.Name, pkg: path.Dir(g.files.Position(f.Pos()).Filename), at: g.place(spec.Pos())}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		s.fields = t.Fields
	case *ast.Ident:
		s.aliasOf = t.Name
	case *ast.SelectorExpr:
		s.aliasOf = t.Sel.Name
	default:
		return
	}
	g.structs[s.name] = append(g.structs[s.name], s)
	g.order = append(g.order, s)
}

// declareConst notes string constants, those of one type as one enum.
func (g *goSource) declareConst(d *ast.GenDecl, spec *ast.ValueSpec, byType map[string]*enum, enums *[]*enum) {
	for i, name := range spec.Names {
		if d.Tok != token.CONST || i >= len(spec.Values) {
			continue
		}
		value, ok := stringOf(spec.Values[i])
		if !ok {
			continue
		}
		listed := vocabulary.Listed{Value: value, Name: name.Name, At: g.place(name.Pos())}
		g.consts[name.Name] = listed
		key := typeName(spec.Type)
		if key == "" { // T("A"), or an untyped block
			key = strconv.Itoa(int(d.Pos()))
			if call, ok := spec.Values[i].(*ast.CallExpr); ok {
				key = typeName(call.Fun)
			}
		}
		if byType[key] == nil {
			byType[key] = &enum{name: key}
			*enums = append(*enums, byType[key])
		}
		byType[key].members = append(byType[key].members, listed)
	}
}

// stringOf returns a string literal's value, also of a conversion T("A").
func stringOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, err := strconv.Unquote(e.Value)
			return s, err == nil
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return stringOf(e.Args[0])
		}
	}
	return "", false
}

// typeName returns a type's own name, without package and pointer.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	}
	return ""
}

// switches reads case A: return "A", which tables of numbered constants use.
func (g *goSource) switches(d *ast.FuncDecl) *enum {
	e := &enum{name: d.Name.Name}
	if d.Body == nil {
		return e
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CaseClause)
		if !ok || len(c.List) != 1 || len(c.Body) != 1 {
			return true
		}
		name, named := c.List[0].(*ast.Ident)
		ret, returns := c.Body[0].(*ast.ReturnStmt)
		if !named || !returns || len(ret.Results) != 1 {
			return true
		}
		if value, ok := stringOf(ret.Results[0]); ok {
			e.members = append(e.members, vocabulary.Listed{Value: value, Name: name.Name, At: g.place(c.Pos())})
		}
		return true
	})
	return e
}

// find returns the struct of that name: of the package, or the only one.
func (g *goSource) find(pkg, name string) *goStruct {
	list := g.structs[name]
	i := slices.IndexFunc(list, func(s *goStruct) bool { return s.pkg == pkg })
	switch {
	case name == "":
		return nil
	case i >= 0 && list[i].aliasOf == "":
		return list[i]
	case i >= 0 && list[i].aliasOf != name:
		return g.find(pkg, list[i].aliasOf)
	}
	list = slices.DeleteFunc(slices.Clone(list), func(s *goStruct) bool { return s.aliasOf != "" })
	if len(list) == 1 {
		return list[0]
	}
	return nil
}

// payloads returns the structs that stand for an event, and those that share
// their base but stand for none.
func (g *goSource) payloads() []vocabulary.Payload {
	bases := map[*goStruct]int{}
	for s := range g.bound {
		if s.fields != nil {
			for _, base := range g.embedded(s) {
				bases[base]++
			}
		}
	}
	var out []vocabulary.Payload
	for _, s := range g.order {
		if s.fields == nil || bases[s] > 1 {
			continue
		}
		values := g.bound[s]
		shares := slices.ContainsFunc(g.embedded(s), func(b *goStruct) bool { return bases[b] > 1 })
		if len(values) == 0 && !shares || !g.onWire(s, 0) {
			continue
		}
		if len(values) == 0 {
			out = append(out, vocabulary.Payload{Name: s.name, At: s.at, Unused: true})
			continue
		}
		for _, value := range sorted(values) {
			out = append(out, g.payload(s, value))
		}
	}
	return settle(out)
}

// shapes returns the structs that are sent but are no event's.
func (g *goSource) shapes() []vocabulary.Payload {
	var out []vocabulary.Payload
	for _, s := range g.order {
		if s.fields == nil || len(g.bound[s]) > 0 || s.custom != nil || !g.onWire(s, 0) {
			continue
		}
		list, bad := g.fieldsOf(s, 0)
		if x, ok := shape(s.name, s.at.File, s.at.Line, object{fields: list, problem: bad}); ok {
			out = append(out, x)
		}
	}
	return out
}

// onWire says whether a struct, or a base of it, has a json tag: others are not
// what is sent.
func (g *goSource) onWire(s *goStruct, depth int) bool {
	for _, f := range s.fields.List {
		if f.Tag != nil && strings.Contains(f.Tag.Value, "json:") {
			return true
		}
	}
	return depth < 10 && slices.ContainsFunc(g.embedded(s), func(b *goStruct) bool { return b.fields != nil && g.onWire(b, depth+1) })
}

func (g *goSource) embedded(s *goStruct) []*goStruct {
	var out []*goStruct
	if s.fields == nil {
		return nil
	}
	for _, f := range s.fields.List {
		if len(f.Names) == 0 {
			if base := g.find(s.pkg, typeName(f.Type)); base != nil {
				out = append(out, base)
			}
		}
	}
	return out
}

func (g *goSource) payload(s *goStruct, value string) vocabulary.Payload {
	p := vocabulary.Payload{Name: s.name, Value: value, At: s.at, Unparsed: s.custom}
	list, bad := g.fieldsOf(s, 0)
	if p.Fields = list; p.Unparsed == nil {
		p.Unparsed = bad
	}
	return p
}

// fieldsOf returns the fields as encoding/json would write them: those of
// embedded structs first, and a field of one's own in place of theirs.
func (g *goSource) fieldsOf(s *goStruct, depth int) (list fields, bad *vocabulary.Problem) {
	if depth > 10 || s.fields == nil {
		return nil, &vocabulary.Problem{Reason: s.name + " is no struct", At: s.at}
	}
	var own fields
	for _, f := range s.fields.List {
		name, presence := jsonTag(f)
		switch {
		case name == "-":
		case len(f.Names) == 0 && name == "":
			base := g.find(s.pkg, typeName(f.Type))
			if base == nil {
				bad = &vocabulary.Problem{Reason: "embedded " + typeName(f.Type) + " is not found", At: g.place(f.Pos())}
				continue
			}
			inherited, problem := g.fieldsOf(base, depth+1)
			if problem != nil {
				bad = problem
			}
			for _, x := range inherited {
				list = list.set(x)
			}
		case len(f.Names) == 0:
			own = append(own, vocabulary.Field{Name: name, Presence: presence, At: g.place(f.Pos())})
		default:
			for _, id := range f.Names {
				if id.IsExported() {
					own = append(own, vocabulary.Field{Name: orElse(name, id.Name), Presence: presence, At: g.place(id.Pos())})
				}
			}
		}
	}
	for _, f := range own {
		list = list.set(f)
	}
	return list, bad
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// jsonTag returns the name that a field's tag gives it, and whether it may be left out.
func jsonTag(f *ast.Field) (name string, p vocabulary.Presence) {
	if f.Tag == nil {
		return "", vocabulary.Required
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return "", vocabulary.Required
	}
	parts := strings.Split(reflect.StructTag(text).Get("json"), ",")
	for _, option := range parts[1:] {
		if option == "omitempty" || option == "omitzero" {
			p = vocabulary.Optional
		}
	}
	return parts[0], max(p, vocabulary.Required)
}

func sorted(set map[string]bool) []string {
	var out []string
	for s := range set {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}
