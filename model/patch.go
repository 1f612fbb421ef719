package model

import (
	"strconv"
	"strings"
)

// Patches that apply: each operation is drawn on the document as the ones before
// it left it.

type path []string

func (p path) String() string {
	var b strings.Builder
	for _, t := range p {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(t))
	}
	return b.String()
}

func (p path) and(t string) path { return append(p[:len(p):len(p)], t) }

func (p path) inside(q path) bool {
	if len(p) < len(q) {
		return false
	}
	for i := range q {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

// places lists every location of a document, the root first.
func places(v value) []path {
	var out []path
	var walk func(v value, at path)
	walk = func(v value, at path) {
		out = append(out, at)
		for i, e := range v.list {
			walk(e, at.and(strconv.Itoa(i)))
		}
		for _, m := range v.members {
			walk(m.val, at.and(m.name))
		}
	}
	walk(v, nil)
	return out
}

func at(v value, p path) value {
	for _, t := range p {
		if v.kind == '[' {
			i, _ := strconv.Atoi(t)
			v = v.list[i]
		} else {
			v, _ = v.get(t)
		}
	}
	return v
}

// edit rebuilds v with f applied to the container of p's last token.
func edit(v value, p path, f func(in value, last string) value) value {
	if len(p) == 1 {
		return f(v, p[0])
	}
	child := edit(at(v, p[:1]), p[1:], f)
	return put(v, p[0], child)
}

// put replaces what is there.
func put(in value, last string, v value) value {
	if in.kind == '{' {
		return in.with(last, v)
	}
	i, _ := strconv.Atoi(last)
	out := array(append([]value(nil), in.list...)...)
	out.list[i] = v
	return out
}

func insert(in value, last string, v value) value {
	if in.kind == '{' {
		return in.with(last, v)
	}
	i := len(in.list)
	if last != "-" {
		i, _ = strconv.Atoi(last)
	}
	out := array(append([]value(nil), in.list[:i]...)...)
	out.list = append(append(out.list, v), in.list[i:]...)
	return out
}

func take(in value, last string) value {
	if in.kind == '{' {
		return in.without(last)
	}
	i, _ := strconv.Atoi(last)
	out := array(append([]value(nil), in.list[:i]...)...)
	out.list = append(out.list, in.list[i+1:]...)
	return out
}

func add(doc value, p path, v value) value {
	if len(p) == 0 {
		return v
	}
	return edit(doc, p, func(in value, last string) value { return insert(in, last, v) })
}

func remove(doc value, p path) value { return edit(doc, p, take) }

func replace(doc value, p path, v value) value {
	if len(p) == 0 {
		return v
	}
	return edit(doc, p, func(in value, last string) value { return put(in, last, v) })
}

// A patcher draws operations and keeps the document that they lead to.
type patcher struct {
	s       *sim
	n       *noise
	doc     value
	objects bool // the document stays an object
}

// patch draws a patch that applies to doc, and the document after it.
func (s *sim) patch(n *noise, doc value, objects bool) (patch, after value) {
	p := &patcher{s, n, doc, objects}
	out := array()
	for range n.below(4) {
		op := p.op()
		if n.chance(5) {
			op = op.with("comment", s.anything(n, 1, true)) // operations are open
		}
		out.list = append(out.list, op)
	}
	return out, p.doc
}

func (p *patcher) op() value {
	all := places(p.doc)
	switch p.n.below(6) {
	case 1:
		return p.remove(all[1:])
	case 2:
		return p.replace(among(p.n, all))
	case 3:
		return p.move(all[1:])
	case 4:
		return p.copy(among(p.n, all))
	case 5:
		where := among(p.n, all)
		return operation("test", where).with("value", at(p.doc, where))
	}
	where := p.target(p.doc)
	v := p.fresh(where)
	p.doc = add(p.doc, where, v)
	return operation("add", where).with("value", v)
}

func operation(op string, where path) value {
	return object(m("op", str(op)), m("path", str(where.String())))
}

// fresh is a value for a place; the root may have to be an object.
func (p *patcher) fresh(where path) value {
	if len(where) == 0 && p.objects {
		return p.s.record(p.n, 1)
	}
	return p.s.anything(p.n, 1, true)
}

// target draws a place where something may be added.
func (p *patcher) target(doc value) path {
	var in []path
	for _, q := range places(doc) {
		if k := at(doc, q).kind; k == '{' || k == '[' {
			in = append(in, q)
		}
	}
	if len(in) == 0 || p.n.chance(5) {
		return nil
	}
	q := among(p.n, in)
	c := at(doc, q)
	if c.kind == '{' {
		return q.and(p.s.key(p.n))
	}
	if p.n.chance(30) {
		return q.and("-")
	}
	return q.and(strconv.Itoa(p.n.below(len(c.list) + 1)))
}

func (p *patcher) remove(all []path) value {
	if len(all) == 0 {
		return operation("test", nil).with("value", p.doc)
	}
	where := among(p.n, all)
	p.doc = remove(p.doc, where)
	return operation("remove", where)
}

func (p *patcher) replace(where path) value {
	v := p.fresh(where)
	p.doc = replace(p.doc, where, v)
	return operation("replace", where).with("value", v)
}

func (p *patcher) move(all []path) value {
	if len(all) == 0 {
		return operation("test", nil).with("value", p.doc)
	}
	from := among(p.n, all)
	v := at(p.doc, from)
	rest := remove(p.doc, from)
	where := p.target(rest)
	if where.inside(from) && len(where) > len(from) || len(where) == 0 && p.objects {
		where = from // a move onto itself changes nothing
	}
	if where.inside(from) {
		return operation("move", where).with("from", str(from.String()))
	}
	p.doc = add(rest, where, v)
	return operation("move", where).with("from", str(from.String()))
}

func (p *patcher) copy(from path) value {
	v := at(p.doc, from)
	where := p.target(p.doc)
	if len(where) == 0 && p.objects && v.kind != '{' || size(p.doc) > 40 {
		return operation("test", from).with("value", v)
	}
	p.doc = add(p.doc, where, v)
	return operation("copy", where).with("from", str(from.String()))
}

func size(v value) int { return len(places(v)) }
