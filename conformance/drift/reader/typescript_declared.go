package reader

import (
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// declaredSchema reads a schema as a declaration file has it: the type
// z.ZodObject<{…}, …>, which spells its members out.
func (ms *modules) declaredSchema(m *module, list []token.Node, depth int) object {
	class, args, ok := zodClass(list)
	if !ok {
		return object{problem: problem(m.path, lineOf(list), "a declared schema of another shape")}
	}
	switch class {
	case "ZodObject", "ZodEffects", "ZodReadonly":
		if len(args) == 0 {
			break
		}
		if o := ms.declaredShapes(m, args[0]); len(o.fields) > 0 {
			return o
		}
		if class != "ZodObject" {
			return ms.declaredSchema(m, args[0], depth+1)
		}
	}
	return object{problem: problem(m.path, lineOf(list), "z.%s describes no object", class)}
}

// declaredShapes reads what the type of a schema is made of: { … }, an
// intersection of these, or what a utility type makes of them.
func (ms *modules) declaredShapes(m *module, list []token.Node) object {
	var o object
	for _, part := range token.SplitTypes(list, "&") {
		names, rest := token.Dotted(part)
		inner, _, _ := token.Angle(rest)
		args := token.SplitTypes(inner, ",")
		switch {
		case len(part) == 1 && part[0].Opens("{"):
			o.merge(ms.declaredShape(m, part[0]))
		case len(names) > 0 && names[len(names)-1] == "extendShape" && len(args) == 2:
			o.merge(ms.declaredShapes(m, args[0]))
			o.merge(ms.declaredShapes(m, args[1]))
		case len(names) == 1 && names[0] == "Omit" && len(args) == 2:
			omitted := ms.declaredShapes(m, args[0])
			var keys []string
			for _, key := range token.SplitTypes(args[1], "|") {
				keys = append(keys, words(key))
			}
			o.merge(omitted.only(keys, false))
		default:
			o.fail(problem(m.path, lineOf(part), "a declared schema of another shape"))
		}
	}
	return o
}

// zodClass reads z.ZodX<…>.
func zodClass(list []token.Node) (class string, args [][]token.Node, ok bool) {
	names, rest := token.Dotted(list)
	if len(names) < 2 || !strings.HasPrefix(names[len(names)-1], "Zod") {
		return "", nil, false
	}
	if len(rest) > 0 {
		inner, _, closed := token.Angle(rest)
		if !closed {
			return "", nil, false
		}
		args = token.SplitTypes(inner, ",")
	}
	return names[len(names)-1], args, true
}

func (ms *modules) declaredShape(m *module, group token.Node) object {
	var o object
	if b, broken := token.Broken([]token.Node{group}); broken {
		o.fail(problem(m.path, b.Line, "unbalanced brackets"))
	}
	for _, member := range memberLists(group.Kids) {
		if len(member) < 3 || !member[1].Is(":") {
			if len(member) > 0 {
				o.fail(problem(m.path, member[0].Line, "a member of another shape"))
			}
			continue
		}
		name := member[0]
		o.fields = o.fields.set(vocabulary.Field{Name: name.Text, Presence: declaredPresence(member[2:]), At: place(m.path, name)})
		if class, args, ok := zodClass(member[2:]); ok && name.Text == "type" && class == "ZodLiteral" && len(args) == 1 {
			ms.tag(m, args[0], &o)
		}
	}
	return o
}

// declaredPresence says whether a schema's class takes an absent value. It does
// not say it of one that takes anything, since a refinement leaves no trace there.
func declaredPresence(list []token.Node) vocabulary.Presence {
	class, args, ok := zodClass(list)
	if !ok {
		return vocabulary.Unsaid
	}
	switch class {
	case "ZodOptional", "ZodDefault", "ZodPrefault", "ZodCatch":
		return vocabulary.Optional
	case "ZodAny", "ZodUnknown", "ZodCustom", "ZodType", "ZodUnion":
		return vocabulary.Unsaid
	case "ZodEffects", "ZodNullable", "ZodReadonly", "ZodBranded", "ZodPipe", "ZodPipeline":
		if len(args) > 0 {
			return declaredPresence(args[0])
		}
	}
	return vocabulary.Required
}
