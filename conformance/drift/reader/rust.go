package reader

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var rust = Reader{
	Name:        "rust",
	Language:    "Rust",
	Optionality: "`Option<…>` and `#[serde(default)]`",
	Matches:     func(p string) bool { return strings.HasSuffix(p, ".rs") },
	Read:        readRust,
}

// rustItem is a struct, an enum, or an invocation of a macro.
type rustItem struct {
	file  string
	name  string
	line  int
	attrs []serdeAttr
	body  token.Node // braces or parentheses; of a unit struct an empty group
}

// serdeAttr is one setting of #[serde(…)]: NAME, NAME = "VALUE", or NAME(…).
type serdeAttr struct {
	name, value string
	args        []token.Node
}

type rustSource struct {
	structs, enums, macros []*rustItem
	definitions            map[string]token.Node // macro_rules, by name
	custom                 map[string]*vocabulary.Problem
	strange                []vocabulary.Problem // macros of another shape that mention events
	events                 *enum
	known                  func(string) bool
}

func readRust(files []File, known func(string) bool) *vocabulary.SDK {
	sdk := &vocabulary.SDK{}
	s := &rustSource{definitions: map[string]token.Node{}, custom: map[string]*vocabulary.Problem{}, known: known}
	texts := map[string]string{}
	for _, p := range parse(sdk, "rust", files) {
		texts[p.Path] = p.Text
		s.items(p.Path, p.nodes)
	}
	var enums []*enum
	for _, e := range s.enums {
		enums = append(enums, s.list(e))
	}
	payloads := s.fromEnums()
	for _, m := range s.macros {
		listed, list := s.invocation(m)
		enums = append(enums, listed)
		payloads = append(payloads, list...)
	}
	s.events = eventTypes(enums, known)
	if s.events != nil {
		sdk.Listed = s.events.members
	}
	for _, p := range s.strange {
		sdk.Damaged = append(sdk.Damaged, vocabulary.Damaged{Problem: p, Text: texts[p.At.File]})
	}
	sdk.Payloads = settle(s.unused(payloads))
	for _, st := range s.structs {
		x, ok := shape(st.name, st.file, st.line, s.object(st, 0))
		isEvent := slices.ContainsFunc(payloads, func(p vocabulary.Payload) bool { return p.Name == st.name })
		if ok && !isEvent {
			sdk.Shapes = append(sdk.Shapes, x)
		}
	}
	return sdk
}

// items reads the items of a file or an inline module.
func (s *rustSource) items(file string, list []token.Node) {
	var attrs []serdeAttr
	test := false
	for i := 0; i < len(list); i++ {
		n := list[i]
		next := func(k int) token.Node {
			if i+k < len(list) {
				return list[i+k]
			}
			return token.Node{}
		}
		switch {
		case n.Is("#") && next(1).Opens("["):
			attrs = append(attrs, attributes(next(1).Kids)...)
			test = test || words(next(1).Kids) == "cfg(test)"
			i++
			continue
		case n.Is("pub"):
			if next(1).Opens("(") {
				i++
			}
			continue
		case (n.Is("struct") || n.Is("enum")) && next(1).Kind == token.Word:
			item := &rustItem{file: file, name: next(1).Text, line: n.Line, attrs: attrs}
			i += item.take(list[i+2:]) + 1
			if n.Is("struct") {
				s.structs = append(s.structs, item)
			} else {
				s.enums = append(s.enums, item)
			}
		case n.Is("mod") && next(2).Opens("{"):
			if !test {
				s.items(file, next(2).Kids)
			}
			i += 2
		case n.Is("macro_rules") && next(1).Is("!") && next(3).Kind == token.Group:
			s.definitions[next(2).Text] = next(3)
			i += 3
		case n.Kind == token.Word && next(1).Is("!") && next(2).Kind == token.Group:
			s.macros = append(s.macros, &rustItem{file: file, name: n.Text, line: n.Line, body: next(2)})
			i += 2
		case n.Is("impl"):
			i += s.implementation(file, list[i:])
		}
		attrs, test = nil, false
	}
}

// take reads the body of a struct or an enum behind its name, and returns how many nodes that takes.
func (item *rustItem) take(rest []token.Node) int {
	for i, n := range rest {
		switch {
		case n.Opens("{"), n.Opens("(") && (i == 0 || rest[i-1].Is(">")):
			item.body = n
			return i + 1
		case n.Is(";"):
			return i + 1
		}
	}
	return len(rest)
}

// implementation notes converters written by hand, and steps over the block.
func (s *rustSource) implementation(file string, rest []token.Node) int {
	at := slices.IndexFunc(rest, func(n token.Node) bool { return n.Opens("{") })
	if at < 0 {
		return 0
	}
	head := rest[:at]
	if on := token.Index(head, "for"); on > 0 && on+1 < len(head) && (token.Has(head[:on], "Serialize") || token.Has(head[:on], "Deserialize")) {
		name := head[on+1].Text
		s.custom[name] = problem(file, rest[0].Line, "a converter of its own")
	}
	return at
}

// attributes returns the settings of serde among those of one attribute.
func attributes(list []token.Node) []serdeAttr {
	if len(list) != 2 || list[1].Kind != token.Group {
		return nil
	}
	args := token.Split(list[1].Kids, ",")
	switch list[0].Text {
	case "cfg_attr":
		var out []serdeAttr
		for _, a := range args[min(1, len(args)):] {
			out = append(out, attributes(a)...)
		}
		return out
	case "serde":
		var out []serdeAttr
		for _, a := range args {
			out = append(out, setting(a))
		}
		return out
	}
	return nil
}

func setting(list []token.Node) serdeAttr {
	if len(list) == 0 {
		return serdeAttr{}
	}
	a := serdeAttr{name: list[0].Text}
	switch {
	case len(list) > 2 && list[1].Is("="):
		a.value = list[2].Text
	case len(list) > 1 && list[1].Kind == token.Group:
		a.args = list[1].Kids
		for _, part := range token.Split(a.args, ",") { // rename(serialize = "x")
			if len(part) > 2 && part[0].Is("serialize") {
				a.value = part[2].Text
			}
		}
	}
	return a
}

func has(attrs []serdeAttr, name string) (value string, ok bool) {
	for _, a := range attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// variant is one of an enum.
type variant struct {
	name  string
	node  token.Node
	attrs []serdeAttr
	body  *token.Node // of fields, by name or by place
}

func variants(e *rustItem) []variant {
	var out []variant
	for _, part := range token.SplitTypes(e.body.Kids, ",") {
		attrs, rest := leading(part)
		if len(rest) == 0 || rest[0].Kind != token.Word {
			continue
		}
		v := variant{name: rest[0].Text, node: rest[0], attrs: attrs}
		if len(rest) > 1 && rest[1].Kind == token.Group {
			v.body = &rest[1]
		}
		out = append(out, v)
	}
	return out
}

// leading reads the attributes in front of a field or a variant.
func leading(list []token.Node) (attrs []serdeAttr, rest []token.Node) {
	for len(list) > 1 && list[0].Is("#") && list[1].Opens("[") {
		attrs = append(attrs, attributes(list[1].Kids)...)
		list = list[2:]
	}
	return attrs, list
}

// wire returns the name of a variant on the wire.
func (v variant) wire(e *rustItem) string {
	if name, ok := has(v.attrs, "rename"); ok {
		return name
	}
	style, _ := has(e.attrs, "rename_all")
	return renameVariant(v.name, style)
}

// list reads an enum as a list of values.
func (s *rustSource) list(e *rustItem) *enum {
	out := &enum{name: e.name}
	for _, v := range variants(e) {
		out.members = append(out.members, vocabulary.Listed{Value: v.wire(e), Name: v.name, At: place(e.file, v.node)})
	}
	return out
}

// fromEnums returns the payloads of the enums that are told by a tag.
func (s *rustSource) fromEnums() []vocabulary.Payload {
	var out []vocabulary.Payload
	for _, e := range s.enums {
		tag, tagged := has(e.attrs, "tag")
		if !tagged {
			continue
		}
		n := 0
		list := variants(e)
		for _, v := range list {
			if s.known(v.wire(e)) {
				n++
			}
		}
		if n < 2 {
			continue
		}
		for _, v := range list {
			out = append(out, s.ofVariant(e, v, tag))
		}
	}
	return out
}

func (s *rustSource) ofVariant(e *rustItem, v variant, tag string) vocabulary.Payload {
	p := vocabulary.Payload{Name: e.name + "::" + v.name, Value: v.wire(e), At: place(e.file, v.node)}
	o := object{fields: fields{{Name: tag, Presence: vocabulary.Required, At: p.At}}}
	switch {
	case v.body == nil:
	case v.body.Opens("("):
		name := payloadName(v.body.Kids)
		st := s.find(e.file, name)
		if p.Name = name; st == nil {
			o.fail(problem(e.file, v.node.Line, "%s is not found", name))
			break
		}
		p.At = vocabulary.Place{File: st.file, Line: st.line}
		o.merge(s.object(st, 0))
	default:
		style, ok := has(v.attrs, "rename_all")
		if !ok {
			style, _ = has(e.attrs, "rename_all_fields")
		}
		o.merge(s.members(e.file, *v.body, style, 0))
	}
	if _, adjacent := has(e.attrs, "content"); adjacent {
		o.fail(problem(e.file, e.line, "fields under a key of their own"))
	}
	p.Fields, p.Unparsed = o.fields, o.problem
	return p
}

// payloadName returns the type in Variant(Box<crate::Payload<T>>), without what it takes.
func payloadName(list []token.Node) string {
	for len(list) > 1 && (list[0].Is("Box") || list[0].Is("Arc")) && list[1].Is("<") {
		inner, _, _ := token.Angle(list[1:])
		list = inner
	}
	if at := token.Index(list, "<"); at > 0 {
		list = list[:at]
	}
	if n := len(list); n > 0 && list[n-1].Kind == token.Word {
		return list[n-1].Text
	}
	return ""
}

// invocation reads a macro that lists events as Variant(Payload) => "TAG".
func (s *rustSource) invocation(m *rustItem) (*enum, []vocabulary.Payload) {
	out := &enum{name: m.name}
	var payloads []vocabulary.Payload
	tag := s.tagOf(m.name)
	shaped, mentions := true, 0
	for _, part := range token.SplitTypes(m.body.Kids, ",") {
		attrs, rest := leading(part)
		if len(rest) != 5 || rest[0].Kind != token.Word || !rest[1].Opens("(") || !rest[2].Is("=") || !rest[3].Is(">") || rest[4].Kind != token.String {
			shaped = false
			continue
		}
		v := variant{name: rest[0].Text, node: rest[0], attrs: append(attrs, serdeAttr{name: "rename", value: rest[4].Text}), body: &rest[1]}
		out.members = append(out.members, vocabulary.Listed{Value: rest[4].Text, Name: v.name, At: place(m.file, v.node)})
		if s.known(rest[4].Text) {
			mentions++
		}
		payloads = append(payloads, s.ofVariant(&rustItem{file: m.file, name: m.name}, v, tag))
	}
	if shaped && mentions > 1 {
		return out, payloads
	}
	if s.mentions(m.body.Kids) > 1 {
		s.strange = append(s.strange, *problem(m.file, m.line, "a macro %s! of another shape", m.name))
	}
	return &enum{}, nil
}

// mentions counts the event types among the strings of a list.
func (s *rustSource) mentions(list []token.Node) int {
	n := 0
	for _, x := range list {
		if x.Kind == token.String && s.known(x.Text) {
			n++
		}
		n += s.mentions(x.Kids)
	}
	return n
}

// tagOf returns the discriminator's name in the enum that a macro writes.
func (s *rustSource) tagOf(macro string) string {
	if tag := findTag(s.definitions[macro].Kids); tag != "" {
		return tag
	}
	return "type"
}

func findTag(list []token.Node) string {
	for i, n := range list {
		if n.Is("tag") && i+2 < len(list) && list[i+1].Is("=") && list[i+2].Kind == token.String {
			return list[i+2].Text
		}
		if tag := findTag(n.Kids); tag != "" {
			return tag
		}
	}
	return ""
}

// find returns the struct of that name, of the file first.
func (s *rustSource) find(file, name string) *rustItem {
	var found []*rustItem
	for _, st := range s.structs {
		if st.name == name && st.file == file {
			return st
		}
		if st.name == name {
			found = append(found, st)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

// unused adds the structs that share a base with the payloads but are in no enum.
func (s *rustSource) unused(payloads []vocabulary.Payload) []vocabulary.Payload {
	used := map[string]bool{}
	for _, p := range payloads {
		used[p.Name] = true
	}
	bases := map[string]int{}
	for _, st := range s.structs {
		if used[st.name] {
			for _, base := range flattened(st) {
				bases[base]++
			}
		}
	}
	for _, st := range s.structs {
		shares := slices.ContainsFunc(flattened(st), func(b string) bool { return bases[b] > 1 })
		if !used[st.name] && shares {
			payloads = append(payloads, vocabulary.Payload{Name: st.name, At: vocabulary.Place{File: st.file, Line: st.line}, Unused: true})
		}
	}
	return payloads
}
