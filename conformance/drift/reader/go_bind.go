package reader

import (
	"go/ast"
	"path"

	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// bind finds which struct stands for which event: in constructors, decoders,
// tables and methods.
func (g *goSource) bind(f *ast.File) {
	pkg := path.Dir(g.files.Position(f.Pos()).Filename)
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			g.method(fn, pkg)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if s := g.find(pkg, typeName(n.Type)); s != nil {
				for value := range g.valuesIn(n) {
					g.give(s, value)
				}
			}
		case *ast.CaseClause:
			g.arm(pkg, n.List, n.Body)
		case *ast.KeyValueExpr: // of a table
			g.arm(pkg, []ast.Expr{n.Key}, []ast.Stmt{&ast.ExprStmt{X: n.Value}})
		}
		return true
	})
}

func (g *goSource) give(s *goStruct, value string) {
	if g.bound[s] == nil {
		g.bound[s] = map[string]bool{}
	}
	g.bound[s][value] = true
}

// method reads func (T) Type() EventType { return A }, and notes marshallers.
func (g *goSource) method(fn *ast.FuncDecl, pkg string) {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return
	}
	s := g.find(pkg, typeName(fn.Recv.List[0].Type))
	if s == nil {
		return
	}
	if name := fn.Name.Name; (name == "MarshalJSON" || name == "ToJSON") && !marshalsItself(fn) {
		s.custom = &vocabulary.Problem{Reason: "a " + name + " of its own", At: g.place(fn.Pos())}
	}
	if ret, ok := only(fn.Body.List).(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
		if value, ok := g.constant(ret.Results[0]); ok {
			g.give(s, value)
		}
	}
}

// marshalsItself says whether a method is nothing but json.Marshal of its receiver.
func marshalsItself(fn *ast.FuncDecl) bool {
	ret, ok := only(fn.Body.List).(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	call, ok := ret.Results[0].(*ast.CallExpr)
	if !ok || typeName(call.Fun) != "Marshal" || len(call.Args) != 1 || len(fn.Recv.List[0].Names) != 1 {
		return false
	}
	arg := call.Args[0]
	if star, ok := arg.(*ast.StarExpr); ok {
		arg = star.X
	}
	return typeName(arg) == fn.Recv.List[0].Names[0].Name
}

func only(list []ast.Stmt) ast.Stmt {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// constant returns the event that an expression names.
func (g *goSource) constant(e ast.Expr) (string, bool) {
	var name string
	switch e := e.(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
	case *ast.BasicLit, *ast.CallExpr:
		value, ok := stringOf(e)
		return value, ok && g.isEvent(value)
	}
	c, ok := g.consts[name]
	return c.Value, ok && g.isEvent(c.Value)
}

func (g *goSource) isEvent(value string) bool { return g.known(value) || g.events.has(value) }

// valuesIn returns the events that the elements of a composite literal name,
// directly or as an argument of a call, such as the base's constructor.
func (g *goSource) valuesIn(lit *ast.CompositeLit) map[string]bool {
	values := map[string]bool{}
	for _, element := range lit.Elts {
		if kv, ok := element.(*ast.KeyValueExpr); ok {
			element = kv.Value
		}
		switch e := element.(type) {
		case *ast.UnaryExpr:
			element = e.X
		case *ast.CallExpr:
			for _, arg := range e.Args {
				if value, ok := g.constant(arg); ok {
					values[value] = true
				}
			}
		}
		if nested, ok := element.(*ast.CompositeLit); ok {
			for v := range g.valuesIn(nested) {
				values[v] = true
			}
			continue
		}
		if value, ok := g.constant(element); ok {
			values[value] = true
		}
	}
	return values
}

// arm reads a case, or an entry of a table, whose key is an event: the one
// struct that its body makes stands for it.
func (g *goSource) arm(pkg string, keys []ast.Expr, body []ast.Stmt) {
	if len(keys) != 1 {
		return
	}
	value, ok := g.constant(keys[0])
	if !ok {
		return
	}
	made := map[*goStruct]bool{}
	for _, stmt := range body {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				made[g.find(pkg, typeName(n.Type))] = true
			case *ast.ValueSpec:
				made[g.find(pkg, typeName(n.Type))] = true
			case *ast.IndexExpr: // decode[T](data)
				made[g.find(pkg, typeName(n.Index))] = true
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "new" && len(n.Args) == 1 {
					made[g.find(pkg, typeName(n.Args[0]))] = true
				}
			}
			return true
		})
	}
	delete(made, nil)
	if len(made) == 1 {
		for s := range made {
			g.give(s, value)
		}
	}
}
