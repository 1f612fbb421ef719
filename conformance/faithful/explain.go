package faithful

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentstream/conformance/model/script"
)

// A Difference is how a stream is not what a script says.
type Difference struct {
	// GaveUp: it could not be found out whether they differ. That is no fault of the subject's.
	GaveUp   bool
	sentence string
	lines    []line
}

// Summary says in one sentence what differs first, or why that could not be found out.
func (d *Difference) Summary() string { return d.sentence }

// String is the summary and, below it, script and stream as a diff, ids translated back to labels.
func (d *Difference) String() string {
	if len(d.lines) == 0 {
		return d.sentence
	}
	return d.sentence + "\n--- script\n+++ stream\n" + hunk(d.lines)
}

// A line is one of a diff.
type line struct {
	sign byte // ' ' both, '-' the script, '+' the stream
	text string
}

const (
	contextLines = 3
	maxLines     = 30
)

// hunk writes what differs and a few lines around it.
func hunk(lines []line) string {
	differs := func(l line) bool { return l.sign != ' ' }
	from := max(0, slices.IndexFunc(lines, differs)-contextLines)
	to := len(lines)
	for to > 0 && !differs(lines[to-1]) {
		to--
	}
	to = min(len(lines), to+contextLines)
	var b strings.Builder
	if from > 0 {
		fmt.Fprintf(&b, "  … %d that agree\n", from)
	}
	for i, l := range lines[from:to] {
		if i == maxLines {
			b.WriteString("  …\n")
			break
		}
		b.WriteString(string(l.sign) + " " + l.text + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// An explainer goes along the interleaving that agrees longest, and repairs what differs to go on behind it.
type explainer struct {
	*program
	stream stream
	known  *Names
	lines  []line
}

// maxRepairs is how many differences are looked for.
const maxRepairs = 4

// A place is where two sides have come to: what is left of the script, the next item of the stream, and the names so far.
type place struct {
	rest  *term
	at    int
	names *bindings
}

// explain says how a stream differs that is known not to be faithful. What its labels are called is known from then on.
func explain(p *program, s stream, names *Names) *Difference {
	x := &explainer{program: p, stream: s, known: names}
	here, end := x.follow(place{p.start, 0, newBindings(names)}, len(s), workToExplain)
	if end {
		return &Difference{GaveUp: true, sentence: "two searches disagree, which is the kit's fault"}
	}
	d := &Difference{}
	for n := 0; n < maxRepairs && !end; n++ {
		r := x.best(here)
		if r == nil {
			break
		}
		if d.sentence == "" {
			d.sentence = x.counts() + x.sentence(r, here) + x.failure(here)
		}
		x.lines = append(x.lines, r.lines()...)
		here, end = x.follow(r.then, len(s), workToTry)
	}
	names.learn(here.names)
	if d.lines = x.lines; !end {
		d.lines = append(d.lines, x.rest(here)...)
	}
	return d
}

// rest returns the next lines of both sides where no repair was tried any more.
func (x *explainer) rest(here place) (lines []line) {
	here.rest.each(func(want *item) {
		if len(lines) < contextLines {
			lines = append(lines, line{'-', want.line(ofScript, nil)})
		}
	})
	for _, got := range x.stream[here.at:min(len(x.stream), here.at+contextLines)] {
		lines = append(lines, line{'+', got.line(here.names.ofStream, nil)})
	}
	return lines
}

// follow goes on as long as both sides agree, notes the lines, and tells whether that is to the end. It looks at no more of the
// stream than up to most.
func (x *explainer) follow(from place, most, work int) (to place, end bool) {
	look := x.search(x.stream[:most], x.known, work)
	look.names = from.names.clone()
	end = look.found(from.rest, from.at)
	path, names := look.path, look.names
	to = place{nil, most, names}
	if !end && look.best != nil {
		path, names = look.best.path, look.best.names
		to = place{look.best.rest, look.best.at, names}
	} else if !end {
		return from, false // it gave up before anything failed
	}
	for _, m := range path {
		x.lines = append(x.lines, line{' ', x.stream[m.got].line(names.ofStream, nil)})
	}
	return to, end
}

// A repair takes a difference for something that is missing, that is too much, or that is changed.
type repair struct {
	want, got *item // of a change both
	then      place
}

// maxTried is how many of the script's next items are tried for a repair, and maxAhead how far it is looked whether it helps.
const (
	maxTried = 20
	maxAhead = 40
)

// best returns the repair behind which the two sides agree longest; of equals a change, of the item that is most alike.
func (x *explainer) best(here place) *repair {
	var best *repair
	most := 0
	for _, r := range x.repairs(here) {
		try := *x
		try.lines = nil
		to, end := try.follow(r.then, min(len(x.stream), r.then.at+maxAhead), workToTry)
		score := 100 * (to.at - r.then.at)
		if end && to.at == len(x.stream) {
			score += 100
		}
		if r.want != nil && r.got != nil {
			score += 10 + likeness(r.want, r.got, here.names)
		}
		if best == nil || score > most {
			best, most = r, score
		}
	}
	return best
}

// repairs returns what may be done about a difference. One of them goes on.
func (x *explainer) repairs(here place) (all []*repair) {
	var got *item
	if here.at < len(x.stream) {
		got = x.stream[here.at]
	}
	here.rest.options(func(want *item, after func() *term) {
		if len(all) > maxTried {
			return
		}
		if got != nil && (want.kind == got.kind || want.end != nil && got.end != nil) {
			all = append(all, &repair{want, got, place{after(), here.at + 1, here.names.like(want, got)}})
		}
		if want.end == nil || got == nil {
			all = append(all, &repair{want, nil, place{after(), here.at, here.names}})
		}
	})
	if got != nil && (got.end == nil || here.rest == nil) || len(all) == 0 && got != nil {
		all = append(all, &repair{nil, got, place{here.rest, here.at + 1, here.names}})
	}
	return all
}

// like returns the names where one item is taken for another, as far as that goes.
func (b *bindings) like(want, got *item) *bindings {
	out := b.clone()
	for _, w := range want.slots {
		if g, ok := got.slot(w.member); ok && !w.literal {
			out.bind(w.key, g.name)
		}
	}
	return out
}

// likeness counts what two items of a kind have in common.
func likeness(want, got *item, b *bindings) (n int) {
	for name, v := range want.members {
		if equal(v, got.members[name]) {
			n++
		}
	}
	for _, w := range want.slots {
		g, _ := got.slot(w.member)
		if id, bound := b.id(w.key); bound && id == g.name {
			n += 2
		}
	}
	return min(n, 50)
}

func (r *repair) lines() (lines []line) {
	wantOther, gotOther := map[string]any{}, map[string]any{}
	if r.want != nil && r.got != nil {
		for name := range r.want.members {
			wantOther[name], gotOther[name] = apart(r.want.members[name], r.got.members[name])
			if gotOther[name] == nil {
				delete(gotOther, name)
			}
		}
	}
	if r.want != nil {
		lines = append(lines, line{'-', r.want.line(ofScript, wantOther)})
	}
	if r.got != nil {
		lines = append(lines, line{'+', r.got.line(r.then.names.ofStream, gotOther)})
	}
	return lines
}

// ofScript returns the label that an item of the script's side has.
func ofScript(s slot) string {
	if isNameless(s.key) {
		return "?"
	}
	return s.key.name
}

// ofStream returns the label for an id of the stream.
func (b *bindings) ofStream(s slot) string { return b.label(s.key.namespace, s.key.name) }

// sentence says what a repair is about.
func (x *explainer) sentence(r *repair, here place) string {
	switch {
	case r.got == nil:
		return x.missing(r.want, here)
	case r.want == nil:
		return x.tooMuch(r.got, here)
	case r.want.end != nil:
		return r.want.end.labelsDiffer(r.got.end, here.names)
	}
	return changed(r.want, r.got, here.names)
}

// counts says it first where the numbers of runs differ.
func (x *explainer) counts() string {
	want, got := len(x.ends), len(x.stream.ends())
	if want == got {
		return ""
	}
	unit := "runs"
	if got == 1 {
		unit = "run"
	}
	return fmt.Sprintf("the stream has %d %s, the script %d: ", got, unit, want)
}

// missing: it comes later, or not at all.
func (x *explainer) missing(want *item, here place) string {
	title := want.title(ofScript)
	if here.at == len(x.stream) {
		return title + " is missing: the stream has ended"
	}
	instead := x.stream[here.at].title(here.names.ofStream)
	for _, got := range x.stream[here.at:] {
		if got.end == nil && here.names.canBe(want, got) {
			return title + " comes too late, behind " + instead
		}
	}
	return title + " is missing before " + instead
}

// tooMuch: it should have come later, or not at all.
func (x *explainer) tooMuch(got *item, here place) string {
	title := got.title(here.names.ofStream)
	if got.end != nil {
		return "the run " + word(got.end.id) + " is not in the script"
	}
	early := false
	here.rest.each(func(want *item) { early = early || here.names.canBe(want, got) })
	if !early {
		if id, ok := got.slot("id"); ok && openers[got.kind] == "" {
			if _, told := here.names.labelOf(id.namespace, id.name); told {
				return title + " comes once more than in the script"
			}
		}
		return title + " is not in the script"
	}
	var next []string
	here.rest.options(func(want *item, _ func() *term) {
		if len(next) < maxListed {
			next = append(next, want.title(ofScript))
		}
	})
	return title + " comes too early, before " + strings.Join(next, " or ")
}

// canBe tells whether two items are equal under the names that are known.
func (b *bindings) canBe(want, got *item) bool {
	mark := len(b.trail)
	defer b.undo(mark)
	return alike(want, got) && b.items(want, got)
}

// each calls f with all items that are left.
func (t *term) each(f func(*item)) {
	for ; t != nil; t = t.next {
		if t.item != nil {
			f(t.item)
		}
		for _, b := range t.par {
			b.rest.each(f)
		}
		for _, a := range t.alt {
			a.each(f)
		}
		t.group.each(f)
	}
}

// changed says how two items differ, one member after the other.
func changed(want, got *item, b *bindings) string {
	var parts []string
	for _, name := range memberNames(want, got) {
		w, wanted := want.members[name]
		g, has := got.members[name]
		if !wanted && loose(want.kind, name) {
			continue
		}
		if _, isLabel := labelled[want.kind][name]; isLabel {
			if differs := b.labelDiffers(name, want, got); differs != "" {
				parts = append(parts, differs)
			}
			continue
		}
		if name == "metadata" && hasMetadata(w, g) || wanted == has && equal(w, g) {
			continue
		}
		parts = append(parts, differing(name, w, g, wanted, has))
	}
	return want.title(ofScript) + " " + strings.Join(parts, ", and ")
}

func memberNames(want, got *item) []string {
	names := maps.Clone(want.members)
	maps.Copy(names, got.members)
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}

// rank puts what is said first.
func rank(member string) int {
	if member == "content" || member == "arguments" {
		return 0
	}
	return 1
}

// labelDiffers says how a member with labels differs, "" where the one side's can be the other's.
func (b *bindings) labelDiffers(member string, want, got *item) string {
	clone := b.clone()
	var w, g []any
	same := true
	for _, s := range want.slots {
		if s.of(member) {
			w = append(w, ofScript(s))
			id, ok := got.slot(s.member)
			same = same && ok && (s.literal && s.key == id || !s.literal && clone.bind(s.key, id.name))
		}
	}
	for _, s := range got.slots {
		if s.of(member) {
			g = append(g, b.ofStream(s))
		}
	}
	switch {
	case same && len(w) == len(g):
		return ""
	case len(w) == 1 && len(g) == 1 && (member == "id" || w[0] == g[0]):
		return b.calledDifferently(member, want, got)
	}
	return differing(member, one(w), one(g), w != nil, g != nil)
}

// calledDifferently says why one label cannot be one id.
func (b *bindings) calledDifferently(member string, want, got *item) string {
	id, _ := got.slot(member)
	i := slices.IndexFunc(want.slots, func(s slot) bool { return s.member == member })
	is := fmt.Sprintf("has %s %s on the stream", word(member), quote(id.name))
	if have, bound := b.id(want.slots[i].key); bound && !want.slots[i].literal {
		return fmt.Sprintf("%s, not %s", is, quote(have))
	}
	if label, taken := b.labelOf(id.namespace, id.name); taken {
		return fmt.Sprintf("%s, which is %s of the script", is, word(label))
	}
	return fmt.Sprintf("%s, not %s", is, quote(want.slots[i].key.name))
}

// of tells whether a slot is in a member.
func (s slot) of(member string) bool {
	name, _, _ := strings.Cut(s.member, "/")
	return name == member
}

// one returns the element of a list that has one.
func one(all []any) any {
	if len(all) == 1 {
		return all[0]
	}
	return list(all)
}

// labelsDiffer says how what two runs end with differs.
func (e *ending) labelsDiffer(got *ending, b *bindings) string {
	if e.outcome != got.outcome {
		return e.named() + "ends as " + word(got.outcome) + got.why() + ", the script's as " + word(e.outcome)
	}
	for _, name := range []string{"interrupts", "pending"} {
		w, g := e.fields[name], got.fields[name]
		if name == "interrupts" && !b.clone().interrupts(w, g) || name == "pending" && !b.clone().pending(w, g) {
			return fmt.Sprintf("%sends with %s %s, the script's with %s", e.named(), name, show(orNone(g)), show(orNone(w)))
		}
	}
	return e.named() + "ends with labels that no names make equal"
}

// failure tells that the run came to an error that the script does not have.
func (x *explainer) failure(here place) string {
	run := 0
	for _, it := range x.stream[:here.at] {
		if it.end != nil {
			run++
		}
	}
	for _, it := range x.stream[here.at:] {
		if it.end == nil {
			continue
		}
		if it.end.outcome == script.Failed && run < len(x.ends) && x.ends[run].outcome != script.Failed {
			return "; the run ended with an error" + it.end.why()
		}
		break
	}
	return ""
}

func orNone(v any) any {
	if v == nil {
		return []any{}
	}
	return v
}
