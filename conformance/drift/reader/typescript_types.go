package reader

import (
	"slices"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// object is what a declaration says of the members of one JSON object, as far as
// it could be read.
type object struct {
	fields  fields
	value   string              // of the discriminator, where it is one constant
	tagged  bool                // it has a discriminator of its own, which may not have been found
	problem *vocabulary.Problem // the first thing that could not be read
}

func (o *object) fail(p *vocabulary.Problem) {
	if o.problem == nil {
		o.problem = p
	}
}

// merge adds another object's members behind, or in place of, one's own.
func (o *object) merge(other object) {
	for _, f := range other.fields {
		o.fields = o.fields.set(f)
	}
	if other.tagged {
		o.value, o.tagged = other.value, true
	}
	if other.problem != nil {
		o.fail(other.problem)
	}
}

// payloads returns every declaration that describes an event.
func (ms *modules) payloads() []vocabulary.Payload {
	var out []vocabulary.Payload
	for _, schemas := range []bool{false, true} {
		union := ms.union(schemas)
		for _, m := range ms.list {
			for _, d := range m.order {
				if d.isSchema() != schemas || d.kind == enumDecl {
					continue
				}
				if p, ok := ms.payload(d, union); ok {
					out = append(out, p)
				}
			}
		}
	}
	return settle(out)
}

// shapes returns the declarations of objects that are no event's.
func (ms *modules) shapes() []vocabulary.Payload {
	var out []vocabulary.Payload
	for _, m := range ms.list {
		for _, d := range m.order {
			if d.kind == enumDecl || d.isAlias() || ms.describesEvent(d) {
				continue
			}
			if s, ok := shape(d.name, m.path, d.line, ms.object(d, 0)); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

func (d *decl) isSchema() bool { return d.kind == constDecl }

// payload reads a declaration, where it is one of an event: its discriminator is
// an event type's, or the union of events has it.
func (ms *modules) payload(d *decl, union map[*decl]bool) (vocabulary.Payload, bool) {
	if d.isAlias() {
		return vocabulary.Payload{}, false
	}
	o := ms.object(d, 0)
	isEvent := o.value != "" && (ms.known(o.value) || ms.events.has(o.value))
	if !isEvent && !union[d] && !(o.tagged && o.value == "") {
		return vocabulary.Payload{}, false
	}
	p := vocabulary.Payload{Name: d.name, Value: o.value, At: vocabulary.Place{File: d.module.path, Line: d.line}, Fields: o.fields, Unparsed: o.problem}
	p.Unused = len(union) > 0 && !union[d]
	return p, true
}

// isAlias: another name for one declaration, or what zod infers from a schema.
func (d *decl) isAlias() bool {
	if d.kind == interfaceDecl || d.kind == enumDecl {
		return false
	}
	names, rest := token.Dotted(d.body)
	return len(names) == 1 && len(rest) == 0 || len(names) == 2 && names[0] == "z" && (names[1] == "infer" || names[1] == "input" || names[1] == "output")
}

// object reads the members that a declaration describes.
func (ms *modules) object(d *decl, depth int) object {
	if depth > 50 {
		return object{problem: problem(d.module.path, d.line, "%s describes itself", d.name)}
	}
	switch d.kind {
	case constDecl:
		return ms.schemaObject(d.module, d.body, depth)
	case typeDecl:
		return ms.typeObject(d.module, d.body, depth)
	case interfaceDecl:
		var o object
		for _, base := range d.bases {
			o.merge(ms.typeObject(d.module, base, depth))
		}
		o.merge(ms.members(d.module, d.body[0], depth))
		return o
	}
	return object{problem: problem(d.module.path, d.line, "%s describes no object", d.name)}
}

// typeObject reads a type: a literal, a name, a utility type, or an intersection of these.
func (ms *modules) typeObject(m *module, list []token.Node, depth int) object {
	if len(list) > 0 && (list[0].Is("&") || list[0].Is("|")) {
		list = list[1:]
	}
	parts := token.SplitTypes(list, "&")
	if len(parts) == 1 {
		return ms.typePart(m, parts[0], depth)
	}
	var o object
	for _, part := range parts {
		next := ms.typePart(m, part, depth)
		for i := range next.fields { // what either side requires is required
			for _, f := range o.fields {
				if f.Name == next.fields[i].Name && f.Presence == vocabulary.Required {
					next.fields[i].Presence = vocabulary.Required
				}
			}
		}
		o.merge(next)
	}
	return o
}

func (ms *modules) typePart(m *module, part []token.Node, depth int) object {
	switch {
	case len(part) == 0:
		return object{problem: problem(m.path, 0, "an empty type")}
	case len(part) == 1 && part[0].Opens("{"):
		return ms.members(m, part[0], depth)
	case len(part) == 1 && part[0].Opens("("):
		return ms.typeObject(m, part[0].Kids, depth+1)
	case part[0].Is("import") && len(part) > 3 && part[1].Opens("(") && part[2].Is("."):
		part = part[3:]
	}
	names, rest := token.Dotted(part)
	if len(names) == 0 {
		return object{problem: problem(m.path, part[0].Line, "a type of another shape")}
	}
	name := names[len(names)-1]
	if len(rest) == 0 {
		d, ok := ms.find(m, name)
		if !ok {
			return object{problem: problem(m.path, part[0].Line, "%s is not found", name)}
		}
		return ms.object(d, depth+1)
	}
	args, after, ok := token.Angle(rest)
	if !ok || len(after) > 0 {
		return object{problem: problem(m.path, part[0].Line, "a type of another shape")}
	}
	return ms.utility(m, name, token.SplitTypes(args, ","), part[0].Line, depth)
}

// utility reads what TypeScript's utility types make of a type.
func (ms *modules) utility(m *module, name string, args [][]token.Node, line, depth int) object {
	if len(args) == 0 {
		return object{problem: problem(m.path, line, "%s without arguments", name)}
	}
	switch name {
	case "infer", "input", "output": // of zod
		if len(args[0]) == 2 && args[0][0].Is("typeof") {
			return ms.schemaObject(m, args[0][1:], depth+1)
		}
	case "Readonly", "NonNullable":
		return ms.typeObject(m, args[0], depth+1)
	case "Partial", "Required":
		o := ms.typeObject(m, args[0], depth+1)
		o.fields = withPresence(o.fields, map[string]vocabulary.Presence{"Partial": vocabulary.Optional, "Required": vocabulary.Required}[name])
		return o
	case "Omit", "Pick":
		if len(args) != 2 {
			break
		}
		o := ms.typeObject(m, args[0], depth+1)
		var keys []string
		for _, key := range token.SplitTypes(args[1], "|") {
			if len(key) == 0 {
				continue // a leading |
			}
			if len(key) != 1 || key[0].Kind != token.String {
				o.fail(problem(m.path, line, "keys of %s that are no literals", name))
				return o
			}
			keys = append(keys, key[0].Text)
		}
		return o.only(keys, name == "Pick")
	}
	return object{problem: problem(m.path, line, "a type %s<…>, which is not known", name)}
}

// only keeps the members of those names, or all but those.
func (o object) only(names []string, keep bool) object {
	o.fields = slices.DeleteFunc(o.fields.clone(), func(f vocabulary.Field) bool { return slices.Contains(names, f.Name) != keep })
	if slices.Contains(names, "type") != keep {
		o.value, o.tagged = "", false
	}
	return o
}

func withPresence(list fields, p vocabulary.Presence) fields {
	list = list.clone()
	for i := range list {
		list[i].Presence = p
	}
	return list
}

// members reads the members of a type literal or an interface.
func (ms *modules) members(m *module, group token.Node, depth int) object {
	var o object
	if b, broken := token.Broken([]token.Node{group}); broken {
		o.fail(problem(m.path, b.Line, "unbalanced brackets"))
	}
	for _, member := range memberLists(group.Kids) {
		ms.member(m, member, &o)
	}
	return o
}

// memberLists cuts a type literal into members: at ; and , and at line ends.
func memberLists(list []token.Node) [][]token.Node {
	var out [][]token.Node
	start, depth := 0, 0
	for i, n := range list {
		switch {
		case n.Is("<"):
			depth++
		case n.Is(">") && !(i > 0 && n.Joined && list[i-1].Is("=")):
			depth = max(depth-1, 0)
		case depth == 0 && (n.Is(";") || n.Is(",")):
			out = append(out, list[start:i])
			start = i + 1
			continue
		}
		if depth == 0 && i > start && n.Line > list[i-1].Line && !continues(list[i-1]) && !(n.Kind == token.Punct) {
			out = append(out, list[start:i])
			start = i
		}
	}
	return append(out, list[start:])
}

func (ms *modules) member(m *module, list []token.Node, o *object) {
	for len(list) > 1 && list[0].Is("readonly") && !list[1].Is(":") && !list[1].Is("?") {
		list = list[1:]
	}
	if len(list) < 2 {
		return
	}
	name := list[0]
	switch {
	case name.Opens("["):
		if token.Has(name.Kids, "in") {
			o.fail(problem(m.path, name.Line, "a mapped type"))
		}
		return // an index signature: the object is open
	case name.Kind != token.Word && name.Kind != token.String:
		return
	case list[1].Opens("("), list[1].Is("<"):
		return // a method is not on the wire
	}
	f := vocabulary.Field{Name: name.Text, Presence: vocabulary.Required, At: place(m.path, name)}
	rest := list[1:]
	if rest[0].Is("?") {
		f.Presence, rest = vocabulary.Optional, rest[1:]
	}
	if len(rest) == 0 || !rest[0].Is(":") {
		o.fail(problem(m.path, name.Line, "member %s has no type", name.Text))
		return
	}
	alternatives := token.SplitTypes(rest[1:], "|")
	for _, a := range alternatives {
		if len(a) == 1 && (a[0].Is("undefined") || a[0].Is("never")) {
			f.Presence = vocabulary.Optional
		}
	}
	o.fields = o.fields.set(f)
	if name.Text == "type" {
		ms.typeTag(m, rest[1:], o)
	}
}

// typeTag reads the discriminator's type: a literal, or a member of an enum.
func (ms *modules) typeTag(m *module, list []token.Node, o *object) {
	if alternatives := token.SplitTypes(list, "|"); len(alternatives) > 1 { // one may be undefined
		alternatives = slices.DeleteFunc(alternatives, func(a []token.Node) bool { return len(a) == 1 && a[0].Is("undefined") })
		if len(alternatives) != 1 {
			return
		}
		list = alternatives[0]
	}
	if len(list) > 0 && list[0].Is("typeof") {
		list = list[1:]
	}
	ms.tag(m, list, o)
}

// tag reads a constant that is the discriminator: "A", or a member of an enum.
func (ms *modules) tag(m *module, list []token.Node, o *object) {
	switch names, rest := token.Dotted(list); {
	case len(list) == 1 && list[0].Kind == token.String:
		o.value, o.tagged = list[0].Text, true
	case len(names) == 2 && len(rest) == 0:
		d, ok := ms.find(m, names[0])
		if e := ms.enums[d]; ok && e != nil {
			value, ok := e.value(names[1])
			if o.value, o.tagged = value, e == ms.events; !ok {
				o.fail(problem(m.path, list[0].Line, "%s.%s is not found", names[0], names[1]))
			}
			o.tagged = o.tagged || ok
		}
	}
}
