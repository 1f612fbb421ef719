package faithful

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model/script"
)

// A maker draws meanings whose items look alike as often as not.
type maker struct {
	*rapid.T
	n       int
	budget  int
	parents []string // calls of this branch that have no result yet
}

func (m *maker) label(prefix string) string {
	m.n++
	return fmt.Sprintf("%s%d", prefix, m.n)
}

func (m *maker) of(label string, n int) int { return rapid.IntRange(0, n-1).Draw(m.T, label) }

func (m *maker) word() string { return rapid.SampledFrom([]string{"", "x", "y"}).Draw(m.T, "word") }

// sequence draws items one after the other that belong to an owner.
func (m *maker) sequence(owner any, depth int) script.Order {
	var seq []script.Order
	for range m.of("length", 4) {
		if m.budget--; m.budget < 0 {
			break
		}
		seq = append(seq, m.order(owner, depth))
	}
	return script.Order{Seq: seq}
}

func (m *maker) order(owner any, depth int) script.Order {
	kind := m.of("kind", 9)
	if depth == 0 {
		kind = kind % 6
	}
	switch kind {
	case 0, 1:
		return owned(owner, "message", "id", m.label("m"), "role", "assistant", "content", m.word())
	case 2:
		c := m.label("c")
		m.parents = append(m.parents, c)
		return owned(owner, "toolCall", "id", c, "name", "f", "arguments", m.word())
	case 3:
		if len(m.parents) == 0 {
			return owned(owner, "raw", "event", m.word())
		}
		c := m.parents[0]
		m.parents = m.parents[1:]
		return owned(owner, "message", "id", m.label("r"), "role", "tool", "content", m.word(), "toolCallId", c)
	case 4:
		return owned(owner, "custom", "name", "e", "value", m.word())
	case 5:
		var messages []script.Order
		for range m.of("messages", 3) {
			messages = append(messages, owned(owner, "message", "id", m.label("t"), "role", "reasoning", "content", m.word()))
		}
		return script.Order{Seq: messages, Span: owned(owner, "span").Item}
	case 6:
		p := m.word()
		return script.Order{Seq: []script.Order{owned(owner, "step", "name", p), m.sequence(owner, depth-1), owned(owner, "stepEnd", "name", p)}}
	case 7:
		s := m.label("s")
		return script.Order{Seq: []script.Order{
			owned(nil, "subagent", "id", s, "name", m.word()), m.sequence(s, depth-1),
			owned(nil, "subagentEnd", "id", s, "outcome", "success"),
		}}
	}
	var branches []script.Order
	outer := m.parents
	for range 2 + m.of("branches", 2) {
		m.parents = nil
		branches = append(branches, m.sequence(owner, depth-1))
	}
	m.parents = outer
	return script.Order{Par: branches}
}

func owned(owner any, kind string, members ...any) script.Order {
	item := map[string]any{"kind": kind}
	for i := 0; i < len(members); i += 2 {
		item[members[i].(string)] = members[i+1]
	}
	if owner != nil {
		item["owner"] = owner
	}
	return script.Order{Item: item}
}

// said draws an interleaving, with spans where the script has none, and messages that only carry a call.
func (m *maker) said(o script.Order) (items []map[string]any) {
	switch {
	case o.Item != nil && o.Item["kind"] == "toolCall" && m.of("carried", 4) == 0:
		return m.carried(o.Item)
	case o.Item != nil:
		return []map[string]any{o.Item}
	case o.Par != nil:
		var branches [][]map[string]any
		for _, b := range o.Par {
			branches = append(branches, m.said(b))
		}
		return m.merged(branches)
	}
	how := 0
	if o.Span != nil {
		how = m.of("spans", 3)
	}
	for _, e := range o.Seq {
		inside := m.said(e)
		if how == 2 {
			inside = m.spanned(o.Span, inside)
		}
		items = append(items, inside...)
	}
	if how == 1 {
		items = m.spanned(o.Span, items)
	}
	return items
}

func (m *maker) carried(call map[string]any) []map[string]any {
	id := m.label("carrier")
	call = maps.Clone(call)
	call["parent"] = id
	return []map[string]any{owned(call["owner"], "message", "id", id, "role", "assistant", "content", "").Item, call}
}

func (m *maker) spanned(span map[string]any, inside []map[string]any) []map[string]any {
	open := maps.Clone(span)
	open["id"] = m.label("span")
	end := maps.Clone(open)
	end["kind"] = "spanEnd"
	return slices.Concat([]map[string]any{open}, inside, []map[string]any{end})
}

func (m *maker) merged(branches [][]map[string]any) (items []map[string]any) {
	for {
		branches = slices.DeleteFunc(branches, func(b []map[string]any) bool { return len(b) == 0 })
		if len(branches) == 0 {
			return items
		}
		i := m.of("branch", len(branches))
		items = append(items, branches[i][0])
		branches[i] = branches[i][1:]
	}
}

// renamed gives every label an id that no label is.
func renamed(items []map[string]any, to func(namespace, label string) string) []any {
	var out []any
	for _, it := range items {
		it = maps.Clone(it)
		for member, namespace := range labelled[it["kind"].(string)] {
			if label, ok := it[member].(string); ok {
				it[member] = to(namespace, label)
			}
		}
		out = append(out, it)
	}
	return out
}

// ids draws a one-to-one renaming; ids of different namespaces may be the same.
func (m *maker) ids() func(namespace, label string) string {
	ids, uses := map[key]string{}, map[string]int{}
	if rapid.Bool().Draw(m.T, "as wished") {
		return func(_, label string) string { return label }
	}
	return func(namespace, label string) string {
		k := key{namespace, label}
		if _, ok := ids[k]; !ok {
			ids[k] = fmt.Sprint(uses[namespace])
			uses[namespace]++
		}
		return ids[k]
	}
}

func streamOf(items []any) map[string]any {
	run := map[string]any{"runId": "r", "outcome": "success", "states": []any{map[string]any{}}, "items": items}
	return map[string]any{"runs": []any{run}}
}

func meaningOf(o script.Order) script.Meaning {
	return script.Meaning{Runs: []script.Run{{
		ID: "r", Outcome: "success", Fields: map[string]any{}, Free: map[string]bool{"usage": true, "pending": true},
		States: []any{map[string]any{}}, Items: o,
	}}}
}

// drawn draws a meaning with one stream that says it.
func drawn(t *rapid.T) (*maker, script.Meaning, []any) {
	m := &maker{T: t, budget: 14}
	o := m.sequence(nil, 3)
	return m, meaningOf(o), renamed(m.said(o), m.ids())
}

func TestAnyInterleavingUnderAnyNamesIsFaithful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, want, items := drawn(t)
		if d := Compare(want, streamOf(items), NewNames()); d != nil {
			t.Fatalf("not faithful:\n%s", d)
		}
	})
}

// oneChange draws a stream that differs in one thing, whatever the names are.
func (m *maker) oneChange(items []any) []any {
	items = slices.Clone(items)
	if len(items) == 0 || m.of("change", 4) == 0 {
		extra := owned(nil, "message", "id", "another", "role", "user", "content", "").Item
		return slices.Insert(items, m.of("where", len(items)+1), any(extra))
	}
	i := m.of("which", len(items))
	it := maps.Clone(items[i].(map[string]any))
	items[i] = it
	kind := it["kind"]
	switch m.of("how", 3) {
	case 0:
		if kind == "raw" || kind == "span" || kind == "spanEnd" || kind == "message" && it["content"] == "" {
			break // it may have been an extra one
		}
		return slices.Delete(items, i, i+1)
	case 1:
		if kind == "subagent" || kind == "subagentEnd" {
			break
		}
		if it["owner"] != nil {
			delete(it, "owner")
		} else {
			it["owner"] = "nobody"
		}
		if kind == "raw" {
			it["event"] = "other" // else it may be another one's
		}
		return items
	}
	for _, member := range []string{"content", "arguments", "value", "event", "outcome", "name"} {
		if it[member] != nil {
			it[member] = "other"
			return items
		}
	}
	return slices.Delete(items, i, i+1)
}

func TestAnyOneChangeIsNotFaithful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, want, items := drawn(t)
		changed := m.oneChange(items)
		d := Compare(want, streamOf(changed), NewNames())
		if d == nil {
			t.Fatalf("not noticed: %v", changed)
		}
		assert.Assert(t, !d.GaveUp && d.Summary() != "" && d.String() != "", d.String())
	})
}

// everyWay looks for an interleaving and names without remembering or foreseeing anything.
func everyWay(s *search, t *term, i int) bool {
	if i == len(s.stream) {
		return t.isNullable()
	}
	for _, o := range s.moves(t, i) {
		mark := len(s.names.trail)
		if everyWay(s, s.take(o, i), i+1) {
			return true
		}
		s.names.undo(mark)
	}
	return false
}

// alikes makes an order of branches whose items differ in little but their owners, which branches may share, and a stream that
// may say it.
func alikes(r *rand.Rand) (o script.Order, items []any) {
	labels, ids := []any{nil, "u", "v", "w"}, r.Perm(3)
	item := func() script.Order {
		kind := []string{"custom", "custom", "raw", "message"}[r.IntN(4)]
		owner := labels[r.IntN(len(labels))]
		switch kind {
		case "raw":
			return owned(owner, kind, "event", "e")
		case "message":
			return owned(owner, kind, "id", fmt.Sprint("m", r.IntN(4)), "role", "assistant", "content", "")
		}
		return owned(owner, kind, "name", "x", "value", "")
	}
	var branches []script.Order
	var left [][]map[string]any
	for range 2 + r.IntN(2) {
		var b script.Order
		var said []map[string]any
		for range 1 + r.IntN(3) {
			b.Seq = append(b.Seq, item())
			said = append(said, b.Seq[len(b.Seq)-1].Item)
		}
		branches, left = append(branches, b), append(left, said)
	}
	o = script.Order{Par: branches}
	if r.IntN(2) == 0 { // what an emit names makes labels and ids look alike in use
		emitted := owned(script.ID("e"), "custom", "name", "x", "value", "")
		o = script.Order{Seq: []script.Order{o, emitted}}
		left = append(left, nil)
		defer func() { items = append(items, any(owned("e", "custom", "name", "x", "value", "").Item)) }()
	}
	for {
		left = slices.DeleteFunc(left, func(b []map[string]any) bool { return len(b) == 0 })
		if len(left) == 0 {
			break
		}
		i := r.IntN(len(left))
		items = append(items, any(left[i][0]))
		left[i] = left[i][1:]
	}
	var plain []map[string]any
	for _, it := range items {
		plain = append(plain, it.(map[string]any))
	}
	items = renamed(plain, func(namespace, label string) string {
		if namespace == script.Subagents {
			return fmt.Sprint(ids[slices.Index(labels, any(label))-1])
		}
		return "id-" + label
	})
	for range r.IntN(3) {
		switch i := r.IntN(len(items)); r.IntN(3) {
		case 0:
			items = slices.Insert(items, i, any(owned(fmt.Sprint(r.IntN(3)), "raw", "event", "e").Item))
		case 1:
			if it := items[i].(map[string]any); it["owner"] != nil {
				it["owner"] = fmt.Sprint(r.IntN(3))
			}
		case 2:
			j := r.IntN(len(items))
			items[i], items[j] = items[j], items[i]
		}
	}
	return o, items
}

func TestTheSearchFindsWhatTryingEverythingFinds(t *testing.T) {
	found, missed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for seed := range uint64(20) {
			o, items := alikes(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), seed)))
			s, err := readStream(streamOf(items))
			assert.NilError(t, err)
			s.mark(nil)
			p := compile(meaningOf(o), true)
			want := everyWay(p.search(s, NewNames(), workToDecide), p.start, 0)
			look := p.search(s, NewNames(), workToDecide)
			look.colors = colour(p.items, s, NewNames())
			if got := look.found(p.start, 0); got != want {
				order, _ := json.Marshal(o)
				t.Fatalf("found %v, there is one: %v\n%s\n%v", got, want, order, items)
			}
			if want {
				found++
			} else {
				missed++
			}
		}
	})
	assert.Assert(t, found > 100 && missed > 100, "%d found, %d missed", found, missed)
}
