package reader

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// A link is one part of a chain such as z.object({…}).strict(): a name, with
// arguments where it is called.
type link struct {
	name   string
	line   int
	called bool
	args   []token.Node
}

// chain reads an expression as a chain. ok is false where it is something else.
func chain(list []token.Node) (links []link, ok bool) {
	for i := 0; i < len(list); {
		if list[i].Kind != token.Word {
			return links, false
		}
		l := link{name: list[i].Text, line: list[i].Line}
		i++
		if i < len(list) && list[i].Is("<") {
			_, rest, closed := token.Angle(list[i:])
			if !closed {
				return links, false
			}
			i = len(list) - len(rest)
		}
		if i < len(list) && list[i].Opens("(") {
			l.called, l.args = true, list[i].Kids
			i++
		}
		links = append(links, l)
		switch {
		case i == len(list) || list[i].Is("as") || list[i].Is("satisfies"):
			return links, true
		case list[i].Is("?") || list[i].Is("!"):
			return links, false
		case !list[i].Is("."):
			return links, false
		}
		i++
	}
	return links, false
}

// isZod says whether the chain starts at the library, and with which of its functions.
func isZod(links []link) (function string, rest []link, ok bool) {
	if len(links) < 2 || links[0].name != "z" && links[0].name != "zod" || links[0].called {
		return "", links, false
	}
	i := 1
	for i < len(links)-1 && !links[i].called { // z.iso.datetime()
		i++
	}
	var names []string
	for _, l := range links[1 : i+1] {
		names = append(names, l.name)
	}
	return strings.Join(names, "."), links[i:], true
}

// schemaObject reads a schema of an object.
func (ms *modules) schemaObject(m *module, list []token.Node, depth int) object {
	if len(list) > 0 && list[0].Is(":") {
		return ms.declaredSchema(m, list[1:], depth)
	}
	links, ok := chain(list)
	if len(links) == 0 {
		return object{problem: problem(m.path, lineOf(list), "no schema")}
	}
	var o object
	calls := links[1:]
	if function, rest, isZod := isZod(links); isZod {
		o = ms.zodObject(m, function, rest[0], depth)
		calls = rest[1:]
	} else if links[0].called {
		o.fail(problem(m.path, links[0].line, "a call of %s, which is not known", links[0].name))
	} else if d, found := ms.find(m, links[0].name); found {
		o = ms.object(d, depth+1)
		o.fields = o.fields.clone()
	} else { // what follows may still say which event it is
		o.fail(problem(m.path, links[0].line, "%s is not found", links[0].name))
	}
	for _, c := range calls {
		o = ms.applyToObject(m, o, c, depth)
	}
	if !ok {
		o.fail(problem(m.path, lineOf(list), "an expression of another shape"))
	}
	return o
}

func lineOf(list []token.Node) int {
	if len(list) == 0 {
		return 0
	}
	return list[0].Line
}

// zodObject reads the call that makes an object.
func (ms *modules) zodObject(m *module, function string, call link, depth int) object {
	args := token.Split(call.args, ",")
	switch function {
	case "object", "looseObject", "strictObject":
		if len(args) > 0 && len(args[0]) == 1 && args[0][0].Opens("{") {
			return ms.shape(m, args[0][0], depth)
		}
	case "intersection":
		var o object
		for _, a := range args {
			o.merge(ms.schemaObject(m, a, depth+1))
		}
		return o
	case "preprocess":
		if len(args) > 1 {
			return ms.schemaObject(m, args[len(args)-1], depth+1)
		}
	case "lazy":
		if at := arrow(call.args); at >= 0 {
			return ms.schemaObject(m, call.args[at:], depth+1)
		}
	}
	return object{problem: problem(m.path, call.line, "z.%s describes no object", function)}
}

// arrow returns where the body of an arrow function starts, or -1.
func arrow(list []token.Node) int {
	for i := 1; i < len(list)-1; i++ {
		if list[i].Is(">") && list[i-1].Is("=") && list[i].Joined {
			return i + 1
		}
	}
	return -1
}

// keepsShape are the calls that change nothing about which members there are.
var keepsShape = []string{
	"strict", "passthrough", "strip", "loose", "catchall", "describe", "meta", "refine", "superRefine", "check", "brand",
	"readonly", "openapi", "register", "transform", "nullable", "optional", "nullish", "default",
}

func (ms *modules) applyToObject(m *module, o object, c link, depth int) object {
	args := token.Split(c.args, ",")
	single := len(args) == 1 && len(args[0]) > 0
	switch {
	case slices.Contains(keepsShape, c.name):
	case (c.name == "extend" || c.name == "safeExtend" || c.name == "augment") && single && args[0][0].Opens("{"):
		o.merge(ms.shape(m, args[0][0], depth))
	case (c.name == "extend" || c.name == "safeExtend") && single:
		o.merge(ms.schemaObject(m, withoutShape(args[0]), depth+1))
	case (c.name == "merge" || c.name == "and") && single:
		o.merge(ms.schemaObject(m, args[0], depth+1))
	case (c.name == "omit" || c.name == "pick") && single && args[0][0].Opens("{"):
		return o.only(keysOf(args[0][0]), c.name == "pick")
	case c.name == "partial" || c.name == "required":
		p := map[string]vocabulary.Presence{"partial": vocabulary.Optional, "required": vocabulary.Required}[c.name]
		if len(args) == 0 {
			o.fields = withPresence(o.fields, p)
			return o
		}
		keys := keysOf(args[0][0])
		for i := range o.fields {
			if slices.Contains(keys, o.fields[i].Name) {
				o.fields[i].Presence = p
			}
		}
	case c.name == "shape" && !c.called:
	default:
		o.fail(problem(m.path, c.line, "a call of .%s, which is not known", c.name))
	}
	return o
}

// withoutShape cuts .shape off an expression.
func withoutShape(list []token.Node) []token.Node {
	if n := len(list); n > 2 && list[n-1].Is("shape") && list[n-2].Is(".") {
		return list[:n-2]
	}
	return list
}

// keysOf returns the keys of an object literal.
func keysOf(group token.Node) []string {
	var keys []string
	for _, part := range token.Split(group.Kids, ",") {
		if len(part) > 0 && (part[0].Kind == token.Word || part[0].Kind == token.String) {
			keys = append(keys, part[0].Text)
		}
	}
	return keys
}

// shape reads the members of an object literal of schemas.
func (ms *modules) shape(m *module, group token.Node, depth int) object {
	var o object
	if b, broken := token.Broken([]token.Node{group}); broken {
		o.fail(problem(m.path, b.Line, "unbalanced brackets"))
	}
	for _, part := range token.Split(group.Kids, ",") {
		switch {
		case len(part) == 0:
		case len(part) > 3 && part[0].Is(".") && part[1].Is(".") && part[2].Is("."):
			o.merge(ms.schemaObject(m, withoutShape(part[3:]), depth+1))
		case len(part) > 2 && part[1].Is(":") && (part[0].Kind == token.Word || part[0].Kind == token.String):
			ms.shapeMember(m, part[0], part[2:], depth, &o)
		case len(part) == 1 && part[0].Kind == token.Word:
			ms.shapeMember(m, part[0], part, depth, &o)
		default:
			o.fail(problem(m.path, part[0].Line, "a member of another shape"))
		}
	}
	return o
}

func (ms *modules) shapeMember(m *module, name token.Node, schema []token.Node, depth int, o *object) {
	p, bad := ms.presence(m, schema, depth+1)
	if bad != nil {
		o.fail(bad)
	}
	o.fields = o.fields.set(vocabulary.Field{Name: name.Text, Presence: p, At: place(m.path, name)})
	if name.Text != "type" {
		return
	}
	links, _ := chain(schema)
	if function, rest, ok := isZod(links); ok && (function == "literal" || function == "enum") && len(rest[0].args) > 0 {
		args := rest[0].args
		if args[0].Opens("[") && len(token.Split(args[0].Kids, ",")) == 1 {
			args = args[0].Kids
		}
		ms.tag(m, args, o)
	}
}

// takesAbsent are the functions of zod whose schema takes undefined.
var takesAbsent = []string{"any", "unknown", "undefined", "void", "optional", "nullish", "never"}

// takesPresent are those whose schema does not.
var takesPresent = []string{
	"string", "number", "int", "int32", "float32", "float64", "boolean", "bigint", "date", "symbol", "null", "nan", "literal", "enum",
	"nativeEnum", "object", "looseObject", "strictObject", "array", "tuple", "record", "partialRecord", "looseRecord", "map", "set", "function",
	"promise", "instanceof", "discriminatedUnion", "intersection", "email", "url", "uuid", "guid", "cuid", "cuid2", "ulid", "nanoid", "base64",
	"base64url", "jwt", "iso.datetime", "iso.date", "iso.time", "iso.duration", "templateLiteral", "stringbool", "json", "emoji", "ipv4", "ipv6",
}

// keepsPresence are the calls that change nothing about whether undefined is taken.
var keepsPresence = []string{
	"nullable", "describe", "meta", "min", "max", "length", "nonempty", "int", "positive", "nonnegative", "negative", "nonpositive", "finite", "safe",
	"gt", "gte", "lt", "lte", "multipleOf", "regex", "email", "url", "uuid", "cuid", "ulid", "datetime", "date", "time", "ip", "startsWith", "endsWith",
	"includes", "trim", "toLowerCase", "toUpperCase", "brand", "readonly", "strict", "passthrough", "strip", "loose", "catchall", "transform", "pipe",
	"extend", "merge", "omit", "pick", "partial", "required", "and", "openapi", "register", "array", "base64", "element", "shape", "size",
}

// presence says whether a schema takes an absent value.
func (ms *modules) presence(m *module, list []token.Node, depth int) (vocabulary.Presence, *vocabulary.Problem) {
	links, ok := chain(list)
	if !ok || len(links) == 0 {
		return vocabulary.Unsaid, problem(m.path, lineOf(list), "a schema of another shape")
	}
	p, anything, bad := ms.presenceOfHead(m, links, depth)
	_, rest, isZod := isZod(links)
	if !isZod {
		rest = links
	}
	for _, c := range rest[1:] {
		if bad != nil {
			break
		}
		p, anything, bad = ms.presenceAfter(m, c, p, anything, depth)
	}
	return p, bad
}

// presenceOfHead also says whether it takes anything, which a refinement may then narrow.
func (ms *modules) presenceOfHead(m *module, links []link, depth int) (p vocabulary.Presence, anything bool, bad *vocabulary.Problem) {
	function, rest, isZod := isZod(links)
	switch {
	case depth > 50: // a schema that holds itself is no absent value
		return vocabulary.Required, false, nil
	case !isZod && links[0].called:
		return vocabulary.Unsaid, false, problem(m.path, links[0].line, "a call of %s, which is not known", links[0].name)
	case !isZod:
		d, found := ms.find(m, links[0].name)
		if !found || d.kind != constDecl {
			return vocabulary.Unsaid, false, problem(m.path, links[0].line, "%s is not found", links[0].name)
		}
		p, bad := ms.presence(d.module, d.body, depth+1)
		return p, p == vocabulary.Optional && ms.isAny(d), bad
	case slices.Contains(takesAbsent, function):
		return vocabulary.Optional, function == "any" || function == "unknown", nil
	case slices.Contains(takesPresent, function):
		return vocabulary.Required, false, nil
	case function == "custom":
		if len(rest[0].args) == 0 {
			return vocabulary.Optional, true, nil
		}
		return ms.checked(rest[0].args), false, nil
	case function == "nullable" || function == "lazy":
		inner := rest[0].args
		if at := arrow(inner); function == "lazy" && at >= 0 {
			inner = inner[at:]
		}
		p, bad := ms.presence(m, inner, depth+1)
		return p, false, bad
	case function == "union" && len(rest[0].args) > 0 && rest[0].args[0].Opens("["):
		return ms.presenceOfUnion(m, rest[0].args[0].Kids, depth)
	case function == "preprocess" || strings.HasPrefix(function, "coerce."):
		return vocabulary.Unsaid, false, nil
	}
	return vocabulary.Unsaid, false, problem(m.path, links[0].line, "z.%s, which is not known", function)
}

// isAny says whether a schema is z.any() or z.unknown() and nothing more.
func (ms *modules) isAny(d *decl) bool {
	links, ok := chain(d.body)
	function, rest, isZod := isZod(links)
	return ok && isZod && len(rest) == 1 && (function == "any" || function == "unknown")
}

func (ms *modules) presenceOfUnion(m *module, list []token.Node, depth int) (vocabulary.Presence, bool, *vocabulary.Problem) {
	worst := vocabulary.Required
	for _, option := range token.Split(list, ",") {
		p, bad := ms.presence(m, option, depth+1)
		if bad != nil {
			return vocabulary.Unsaid, false, bad
		}
		if p != vocabulary.Required {
			worst = p
		}
	}
	return worst, false, nil
}

func (ms *modules) presenceAfter(m *module, c link, p vocabulary.Presence, anything bool, depth int) (vocabulary.Presence, bool, *vocabulary.Problem) {
	switch c.name {
	case "optional", "nullish", "default", "prefault", "catch", "exactOptional":
		return vocabulary.Optional, false, nil
	case "nonoptional":
		return vocabulary.Required, false, nil
	case "refine":
		if anything {
			p = ms.checked(c.args)
			return p, p == vocabulary.Optional, nil
		}
		return p, anything, nil
	case "superRefine", "check":
		if anything {
			return vocabulary.Unsaid, false, nil
		}
		return p, anything, nil
	case "or":
		other, bad := ms.presence(m, c.args, depth+1)
		return max(p, other), false, bad
	}
	if slices.Contains(keepsPresence, c.name) {
		return p, anything && c.name != "array", nil
	}
	return vocabulary.Unsaid, false, problem(m.path, c.line, "a call of .%s, which is not known", c.name)
}

// checked says what a check of any value leaves of undefined. Only two are
// known by their text: value !== undefined, and one of the type, which refuses it.
func (ms *modules) checked(args []token.Node) vocabulary.Presence {
	at := arrow(args)
	if at < 0 {
		return vocabulary.Unsaid
	}
	text := words(args[at:])
	switch {
	case strings.Contains(text, "||"):
		return vocabulary.Unsaid
	case strings.Contains(text, "!==undefined"), strings.Contains(text, "!=null"), strings.Contains(text, "typeof") && strings.Contains(text, "==="):
		return vocabulary.Required
	case strings.Contains(text, "!==null"):
		return vocabulary.Optional
	}
	return vocabulary.Unsaid
}

// words returns a list as text without spaces.
func words(list []token.Node) string {
	var b strings.Builder
	for _, n := range list {
		b.WriteString(n.Text)
		if n.Kind == token.Group {
			b.WriteString(words(n.Kids))
		}
	}
	return b.String()
}

// union returns the declarations that the SDK's union of events takes, of its
// schemas or of its types: of all unions the one with most. It is empty where there is none.
func (ms *modules) union(schemas bool) map[*decl]bool {
	var best map[*decl]bool
	most := 1
	for _, m := range ms.list {
		for _, d := range m.order {
			if d.isSchema() != schemas || d.kind != constDecl && d.kind != typeDecl {
				continue
			}
			options := map[*decl]bool{}
			ms.options(d, options, 0)
			n := 0
			for o := range options {
				if ms.describesEvent(o) {
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

func (ms *modules) describesEvent(d *decl) bool {
	o := ms.object(d, 0)
	return o.value != "" && (ms.known(o.value) || ms.events.has(o.value))
}

// options adds what a union is made of.
func (ms *modules) options(d *decl, into map[*decl]bool, depth int) {
	if depth > 10 {
		return
	}
	for _, option := range optionsOf(d) {
		names, rest := token.Dotted(option)
		if len(names) == 0 || len(rest) > 0 && !rest[0].Is(".") {
			continue
		}
		next, ok := ms.find(d.module, names[0])
		if !ok || next == d {
			continue
		}
		if len(optionsOf(next)) > 1 {
			ms.options(next, into, depth+1)
			continue
		}
		into[ms.aliased(next)] = true
	}
}

// aliased follows names that only stand for another.
func (ms *modules) aliased(d *decl) *decl {
	for range 10 {
		names, rest := token.Dotted(d.body)
		if d.kind == interfaceDecl || len(names) != 1 || len(rest) > 0 {
			break
		}
		next, ok := ms.find(d.module, names[0])
		if !ok {
			break
		}
		d = next
	}
	return d
}

func optionsOf(d *decl) [][]token.Node {
	if d.kind == typeDecl {
		list := token.SplitTypes(d.body, "|")
		return slices.DeleteFunc(list, func(l []token.Node) bool { return len(l) == 0 })
	}
	links, _ := chain(d.body)
	function, rest, ok := isZod(links)
	if !ok || function != "union" && function != "discriminatedUnion" {
		return nil
	}
	for _, arg := range token.Split(rest[0].args, ",") {
		if len(arg) == 1 && arg[0].Opens("[") {
			return token.Split(arg[0].Kids, ",")
		}
	}
	return nil
}
