package faithful

import (
	"slices"
	"strconv"
	"strings"
)

// A search looks for an interleaving of the script's side, and names for its labels, that equals the stream.
//
// It goes through the stream. Where one thing only can be next, it is taken; else each is tried in turn. What has failed is
// remembered by what it left to be said, so that branches that look alike are not tried in every order.
type search struct {
	stream stream
	homes  map[key]int
	names  *bindings
	colors *colors // nil: labels and ids are not told apart by how they are used
	loose  bool    // anything may stand between the script's items

	failed map[string]bool
	last   map[key]int // of the stream's ids, where they stand last
	work   int         // that is left
	gaveUp bool

	path []move
	best *reached // nil before the first failure
}

// A move is what a search did with one item of the stream.
type move struct {
	want *item // nil: it is an extra
	got  int
}

// reached is the farthest that a search has come.
type reached struct {
	at    int // the item of the stream that cannot be next
	rest  *term
	path  []move
	names *bindings
}

// found tells whether what is left of the script equals the stream from item i on.
func (s *search) found(t *term, i int) bool {
	depth := len(s.path)
	for i < len(s.stream) && !(s.loose && t == nil) {
		next := s.moves(t, i)
		if len(next) != 1 {
			if s.choose(t, i, next) {
				return true
			}
			s.path = s.path[:depth]
			return false
		}
		t = s.take(next[0], i)
		i++
	}
	if !t.isNullable() {
		s.reach(t, i)
		s.path = s.path[:depth]
		return false
	}
	return true
}

// take goes one way, and returns what is left.
func (s *search) take(o option, i int) *term {
	if o.want != nil {
		s.names.items(o.want, s.stream[i]) // it can: moves has tried
	} else if !s.loose {
		s.names.extra(s.stream[i])
	}
	s.path = append(s.path, move{o.want, i})
	return o.after()
}

// choose tries the ways to go on one after the other.
func (s *search) choose(t *term, i int, next []option) bool {
	if len(next) == 0 {
		s.reach(t, i)
		return false
	}
	if len(s.failed) > 0 && s.failed[s.state(t, i)] {
		return false
	}
	mark := len(s.names.trail)
	for _, o := range next {
		if s.gaveUp {
			return false
		}
		if s.found(s.take(o, i), i+1) {
			return true
		}
		s.path = s.path[:len(s.path)-1]
		s.names.undo(mark)
	}
	s.failed[s.state(t, i)] = true
	return false
}

// An option is one way to go on.
type option struct {
	want  *item // nil: the stream's item is an extra
	after func() *term
}

// moves returns the ways to go on with item i, those first that give a label its own name.
func (s *search) moves(t *term, i int) (next []option) {
	got := s.stream[i]
	named := 0
	t.options(func(want *item, after func() *term) {
		if s.work--; s.work < 0 {
			s.gaveUp = true
			return
		}
		if !alike(want, got) {
			return
		}
		mark := len(s.names.trail)
		if s.names.items(want, got) && s.colors.agree(s.names.trail[mark:], s.names) {
			next = append(next, option{want, after})
			if isNamed(want, got) {
				last := len(next) - 1
				next[named], next[last] = next[last], next[named]
				named++
			}
		}
		s.names.undo(mark)
	})
	if got.extra && s.mayBeExtra(got) || s.loose || s.mayClose(t, got) {
		next = append(next, option{nil, func() *term { return t }})
	}
	return next
}

// isNamed tells whether the labels are the ids.
func isNamed(want, got *item) bool {
	return !slices.ContainsFunc(want.slots, func(w slot) bool {
		g, _ := got.slot(w.member)
		return w.key != g
	})
}

// mayBeExtra tells whether an item that may be an extra one is none that the script has named.
func (s *search) mayBeExtra(got *item) bool {
	mark := len(s.names.trail)
	defer s.names.undo(mark)
	return s.names.extra(got)
}

// mayClose tells whether the stream's item closes something before the run's error, behind all that the script said.
func (s *search) mayClose(t *term, got *item) bool { return got.closes && t.end() != nil }

// reach remembers how far the search has come.
func (s *search) reach(t *term, i int) {
	if s.best != nil && i <= s.best.at {
		return
	}
	s.best = &reached{at: i, rest: t, path: slices.Clone(s.path), names: s.names.clone()}
}

// state spells what the future depends on: the item of the stream, what is left of the script, and what its labels are bound
// to. Branches that are equal but for the names of their own labels are spelt alike.
func (s *search) state(t *term, i int) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(i) + " ")
	w := speller{search: s, out: &b, numbers: map[key]int{}}
	w.term(t)
	b.WriteString(s.taken(i))
	s.work -= b.Len()/16 + len(s.names.trail)/4
	return b.String()
}

// taken spells the ids from item i on that no other label can be bound to any more: which they are depends on what was an extra.
func (s *search) taken(i int) string {
	if s.last == nil {
		s.last = s.stream.lastUses()
	}
	var all []string
	for _, k := range s.names.trail {
		id := key{k.namespace, s.names.ids[k]}
		if s.last[id] >= i {
			all = append(all, strconv.FormatBool(isNameless(k))+id.namespace+strconv.Quote(id.name))
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// lastUses returns for each id the last item that has it.
func (s stream) lastUses() map[key]int {
	last := map[key]int{}
	for i, it := range s {
		for _, id := range it.slots {
			last[id.key] = i
		}
		if it.end == nil {
			continue
		}
		list, _ := it.end.fields["interrupts"].([]any)
		for _, v := range list {
			v, _ := v.(map[string]any)
			for member, namespace := range interruptLabels {
				if id, ok := v[member].(string); ok {
					last[key{namespace, id}] = i
				}
			}
		}
	}
	return last
}

// A speller spells terms. In a branch it counts the labels that are at home there.
type speller struct {
	*search
	out     *strings.Builder
	home    int
	numbers map[key]int
}

func (w speller) term(t *term) {
	for ; t != nil; t = t.next {
		switch {
		case t.item != nil:
			w.item(t.item)
		case t.group != nil:
			w.out.WriteByte('<')
			w.term(t.group)
			w.out.WriteByte('>')
		case t.alt != nil:
			w.out.WriteByte('(')
			for _, a := range t.alt {
				w.term(a)
				w.out.WriteByte('|')
			}
			w.out.WriteByte(')')
		default:
			w.branches(t.par)
		}
	}
}

func (w speller) branches(par []branch) {
	spelt := make([]string, len(par))
	for i, b := range par {
		var out strings.Builder
		speller{search: w.search, out: &out, home: b.number, numbers: map[key]int{}}.term(b.rest)
		spelt[i] = out.String()
	}
	slices.Sort(spelt)
	w.out.WriteString("{" + strings.Join(spelt, "&") + "}")
}

func (w speller) item(it *item) {
	if it.end != nil {
		w.out.WriteString("end;") // how many are left tells which it is
		return
	}
	w.out.WriteString(strconv.Itoa(it.number))
	for _, s := range it.slots {
		w.label(s)
	}
	w.out.WriteByte(';')
}

// label spells what a label is bound to, or which of the branch's own it is, or its name.
func (w speller) label(s slot) {
	w.out.WriteString(" " + s.member + " ")
	id, bound := w.names.id(s.key)
	home := w.homes[s.key]
	switch {
	case s.literal:
		writeText(w.out, s.key.name)
	case bound:
		w.out.WriteByte('=')
		writeText(w.out, id)
	case home != 0 && home == w.home:
		n, seen := w.numbers[s.key]
		if !seen {
			n = len(w.numbers)
			w.numbers[s.key] = n
		}
		w.out.WriteString("#" + strconv.Itoa(n) + w.colors.of(s.key))
	default:
		w.out.WriteByte('@')
		writeText(w.out, s.key.name)
	}
}
