package faithful

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentstream/conformance/model/script"
)

// A term is what of a partial order is left to be said: a head, and what follows when that is done. Exactly one of item, group,
// par and alt is set; a nil term is nothing. Terms are never changed.
type term struct {
	item  *item
	group *term
	par   []branch // side by side, in any interleaving
	alt   []*term  // one of them
	next  *term
}

// A branch is what of one branch is left. Its number stays when it has begun: labels may be at home in it.
type branch struct {
	number int
	rest   *term
}

// A compiler makes terms of orders.
type compiler struct {
	items    []*item // that the script has told, those of spans it did not name aside
	branches int     // numbers given
	within   []int   // the numbers of the branches around
	spans    int
	fails    bool          // the run ends with an error
	homes    map[key][]int // the branches around all places of a label
	numbers  map[string]int
}

// A program is the script's side: all its runs as one term.
type program struct {
	start    *term
	items    []*item
	ends     []*ending   // of the runs
	homes    map[key]int // the number of the innermost branch that has all places of a label; without one, none has
	parallel bool        // there is a choice
}

// compile makes the program of a meaning, each run's end behind its items.
func compile(m script.Meaning, withEnds bool) *program {
	c := &compiler{homes: map[key][]int{}, numbers: map[string]int{}}
	p := &program{homes: map[key]int{}}
	for _, r := range slices.Backward(m.Runs) {
		e := wantedEnding(&r)
		p.ends, c.fails = append(p.ends, e), r.Outcome == script.Failed
		if withEnds {
			c.endLabels(e)
			p.start = &term{item: &item{kind: endOfRun, end: e}, next: p.start}
		}
		p.start = c.order(r.Items, p.start)
	}
	slices.Reverse(p.ends)
	p.parallel = c.branches > 0
	for k, path := range c.homes {
		if len(path) > 0 {
			p.homes[k] = path[len(path)-1]
		}
	}
	p.items = c.items
	return p
}

// endLabels: what a run's end names is at home in no branch.
func (c *compiler) endLabels(e *ending) {
	for member, namespace := range map[string]string{"pending": script.Calls, "interrupts": ""} {
		list, _ := e.fields[member].([]any)
		for _, v := range list {
			if label, ok := v.(string); ok {
				c.homes[key{namespace, label}] = nil
			}
			v, _ := v.(map[string]any)
			for name, of := range interruptLabels {
				if label, ok := v[name].(string); ok {
					c.homes[key{of, label}] = nil
				}
			}
		}
	}
}

func (c *compiler) order(o script.Order, next *term) *term {
	switch {
	case o.Item != nil:
		it := newItem(o.Item)
		c.items = append(c.items, it)
		return c.item(it, next)
	case o.Span != nil:
		return c.spanned(o, next)
	case o.Par != nil:
		return c.parallel(o.Par, next)
	}
	for _, e := range slices.Backward(o.Seq) {
		next = c.order(e, next)
	}
	return next
}

func (c *compiler) item(it *item, next *term) *term {
	c.number(it)
	for _, s := range it.slots {
		home, seen := c.homes[s.key]
		if !seen {
			home = slices.Clone(c.within)
		}
		n := 0
		for n < len(home) && n < len(c.within) && home[n] == c.within[n] {
			n++
		}
		c.homes[s.key] = home[:n]
	}
	return &term{item: it, next: next}
}

// number gives the same number to items that are equal but for their labels.
func (c *compiler) number(it *item) {
	var b strings.Builder
	writeText(&b, it.kind)
	writeText(&b, it.core)
	for _, name := range []string{"metadata", "code", "messages"} {
		if v, has := it.members[name]; has {
			writeText(&b, name)
			write(&b, v)
		}
	}
	if _, seen := c.numbers[b.String()]; !seen {
		c.numbers[b.String()] = len(c.numbers)
	}
	it.number = c.numbers[b.String()]
}

func (c *compiler) parallel(branches []script.Order, next *term) *term {
	t := &term{next: next}
	for _, o := range branches {
		c.branches++
		number := c.branches
		c.within = append(c.within, number)
		if rest := c.order(o, nil); rest != nil {
			t.par = append(t.par, branch{number, rest})
		}
		c.within = c.within[:len(c.within)-1]
	}
	if t.par == nil {
		return next
	}
	return t
}

// spanned: the sequence as it is, or a span around it, or one around each of its elements.
func (c *compiler) spanned(o script.Order, next *term) *term {
	elements := make([]*term, len(o.Seq))
	for i, e := range o.Seq {
		elements[i] = c.order(e, nil)
	}
	open, closed := c.span(o.Span)
	around := c.item(open, before(elements, c.item(closed, nil)))
	t := &term{alt: []*term{before(elements, nil), around}, next: next}
	if len(elements) > 1 {
		var each *term
		for _, e := range slices.Backward(elements) {
			open, closed := c.span(o.Span)
			each = c.item(open, before([]*term{e}, c.item(closed, each)))
		}
		t.alt = append(t.alt, each)
	}
	return t
}

// before returns terms one after the other, and what follows them.
func before(all []*term, next *term) *term {
	for _, t := range slices.Backward(all) {
		if t != nil {
			next = &term{group: t, next: next}
		}
	}
	return next
}

// span returns the items of a span that the script has not named. Its end may be missing where the run fails.
func (c *compiler) span(members map[string]any) (open, closed *item) {
	c.spans++
	label := nameless + strconv.Itoa(c.spans)
	start, end := map[string]any{"id": label}, map[string]any{"id": label}
	for name, v := range members {
		start[name], end[name] = v, v
	}
	end["kind"] = "spanEnd"
	open, closed = newItem(start), newItem(end)
	closed.optional = c.fails
	return open, closed
}

// isNullable tells whether all that is left may be missing.
func (t *term) isNullable() bool {
	for ; t != nil; t = t.next {
		if !t.isHeadNullable() {
			return false
		}
	}
	return true
}

func (t *term) isHeadNullable() bool {
	switch {
	case t.item != nil:
		return t.item.optional
	case t.alt != nil:
		return slices.ContainsFunc(t.alt, (*term).isNullable)
	case t.group != nil:
		return t.group.isNullable()
	}
	return !slices.ContainsFunc(t.par, func(b branch) bool { return !b.rest.isNullable() })
}

// options calls yield with each item that may be next, and with what is left behind it.
func (t *term) options(yield func(it *item, after func() *term)) {
	for ; t != nil; t = t.next {
		t.headOptions(yield)
		if !t.isHeadNullable() {
			return
		}
	}
}

func (t *term) headOptions(yield func(it *item, after func() *term)) {
	within := func(it *item, rest func() *term) {
		yield(it, func() *term { return t.grouped(rest()) })
	}
	switch {
	case t.item != nil:
		yield(t.item, func() *term { return t.next })
	case t.group != nil:
		t.group.options(within)
	default:
		for _, a := range t.alt {
			a.options(within)
		}
	}
	for i, b := range t.par {
		b.rest.options(func(it *item, rest func() *term) {
			yield(it, func() *term { return t.after(i, rest()) })
		})
	}
}

// grouped returns what is left when of the head something is left.
func (t *term) grouped(rest *term) *term {
	if rest == nil {
		return t.next
	}
	return &term{group: rest, next: t.next}
}

// after returns what is left when a branch has gone on.
func (t *term) after(i int, rest *term) *term {
	if rest == nil && len(t.par) == 1 {
		return t.next
	}
	par := slices.Clone(t.par)
	if rest == nil {
		par = slices.Delete(par, i, i+1)
	} else {
		par[i].rest = rest
	}
	return &term{par: par, next: t.next}
}

// end returns the end of the run, if nothing has to come before it.
func (t *term) end() *item {
	var end *item
	t.options(func(it *item, _ func() *term) {
		if it.end != nil {
			end = it
		}
	})
	return end
}
