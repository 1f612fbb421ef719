package faithful

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/model/script"
)

// parallel makes as many branches.
func parallel(n int, branch func(i int) []script.Order) script.Order {
	var o script.Order
	for i := range n {
		o.Par = append(o.Par, script.Order{Seq: branch(i)})
	}
	return o
}

func callOrder(id string) script.Order {
	return owned(nil, "toolCall", "id", id, "name", "f", "arguments", "{}")
}

func resultOrder(id, call, content string) script.Order {
	return owned(nil, "message", "id", id, "role", "tool", "toolCallId", call, "content", content)
}

// all returns the items of an order, branch i's first item, then branch i's second, for the i of the list.
func byRows(o script.Order, order []int) (items []any) {
	for row := range o.Par[0].Seq {
		for _, i := range order {
			items = append(items, any(o.Par[i].Seq[row].Item))
		}
	}
	return items
}

func backwards(n int) (order []int) {
	for i := range n {
		order = append(order, n-1-i)
	}
	return order
}

// minted gives ids that say nothing about the labels.
func minted(items []any) []any {
	ids := map[key]string{}
	var maps []map[string]any
	for _, it := range items {
		maps = append(maps, it.(map[string]any))
	}
	return renamed(maps, func(namespace, label string) string {
		k := key{namespace, label}
		if _, ok := ids[k]; !ok {
			ids[k] = fmt.Sprintf("id-%d", len(ids))
		}
		return ids[k]
	})
}

func TestBranchesThatLookAlikeAreNotTriedInEveryOrder(t *testing.T) {
	const n = 60
	texts := parallel(n, func(i int) []script.Order {
		return []script.Order{
			owned(nil, "message", "id", fmt.Sprint("m", i), "role", "assistant", "content", "x"),
			owned(nil, "custom", "name", "e", "value", "x"),
		}
	})
	calls := parallel(n, func(i int) []script.Order {
		c := fmt.Sprint("c", i)
		return []script.Order{callOrder(c), resultOrder(fmt.Sprint("r", i), c, fmt.Sprint(i))}
	})
	for _, o := range []script.Order{texts, calls} {
		items := minted(byRows(o, backwards(n)))
		if d := Compare(meaningOf(o), streamOf(items), NewNames()); d != nil {
			t.Fatalf("not faithful:\n%s", d)
		}
		for _, wrong := range [][]any{items[:len(items)-1], append(slices.Clone(items), items[0])} {
			d := Compare(meaningOf(o), streamOf(wrong), NewNames())
			assert.Assert(t, d != nil && !d.GaveUp, "%s", d)
		}
	}
}

func TestCallsThatLookAlikeAreToldApartByTheirResults(t *testing.T) {
	o := parallel(30, func(i int) []script.Order {
		c := fmt.Sprint("c", i)
		return []script.Order{callOrder(c), resultOrder(fmt.Sprint("r", i), c, fmt.Sprint(i))}
	})
	names := NewNames()
	assert.Assert(t, Compare(meaningOf(o), streamOf(minted(byRows(o, backwards(30)))), names) == nil)
	assert.Equal(t, names.ID(script.Calls, "c29"), "id-0")

	// The results of two calls are exchanged: each call has one, but another's.
	items := byRows(o, backwards(30))
	last, other := resultOrder("r0", "c1", "0").Item, resultOrder("r1", "c0", "1").Item
	items[len(items)-1], items[len(items)-2] = last, other
	keep := NewNames()
	keep.Identity = true
	d := Compare(meaningOf(o), streamOf(items), keep)
	assert.Assert(t, d != nil && !d.GaveUp)
	assert.Equal(t, d.Summary(), `the tool result r1 has toolCallId "c0", the script "c1"`, d.String())
}

func TestWhatIsTooHardIsNoFaultOfTheSubject(t *testing.T) {
	// Branches of a few items in many different orders, and a stream that is none of them: nothing tells early.
	word := func(i, n int) (seq []script.Order) {
		for k := range n {
			seq = append(seq, owned(nil, "custom", "name", "e", "value", string("ab"[(i*7+k*k*(i+3)+k)%3%2])))
		}
		return seq
	}
	o := parallel(24, func(i int) []script.Order { return word(i, 24) })
	var items []any
	for row := range 24 {
		for i := range 24 {
			items = append(items, any(o.Par[(i*5+row)%24].Seq[row].Item))
		}
	}
	slices.SortStableFunc(items[200:], func(a, b any) int {
		return strings.Compare(a.(map[string]any)["value"].(string), b.(map[string]any)["value"].(string))
	})
	d := Compare(meaningOf(o), streamOf(items), NewNames())
	assert.Assert(t, d != nil && d.GaveUp, "%s", d)
	assert.Equal(t, d.Summary(), "too many interleavings look alike: gave up after 2000000 comparisons")
}

func TestALongStreamIsComparedInOneGo(t *testing.T) {
	var seq []script.Order
	for i := range 20_000 {
		seq = append(seq, owned(nil, "message", "id", fmt.Sprint("m", i), "role", "assistant", "content", "x"))
	}
	o := script.Order{Seq: seq}
	var items []any
	for _, e := range seq {
		items = append(items, any(e.Item))
	}
	assert.Assert(t, Compare(meaningOf(o), streamOf(items), NewNames()) == nil)
	d := Compare(meaningOf(o), streamOf(items[:len(items)-1]), NewNames())
	assert.Equal(t, d.Summary(), "the text message m19999 is missing before the end of the run r")
	assert.Equal(t, len(strings.Split(d.String(), "\n")), 9, d.String())
}

func TestAReasoningWithoutSpanCostsNothingForItsChoices(t *testing.T) {
	var seq []script.Order
	var items []any
	for i := range 80 {
		it := owned(nil, "message", "id", fmt.Sprint("m", i), "role", "reasoning", "content", "x")
		seq = append(seq, script.Order{Seq: []script.Order{it}, Span: owned(nil, "span").Item})
		items = append(items, any(it.Item))
	}
	o := script.Order{Par: []script.Order{{Seq: seq[:40]}, {Seq: seq[40:]}}}
	assert.Assert(t, Compare(meaningOf(o), streamOf(items), NewNames()) == nil)
	d := Compare(meaningOf(o), streamOf(items[1:]), NewNames())
	assert.Assert(t, d != nil && !d.GaveUp, "%s", d)
}

func TestLabelsOfSeveralBranchesAreNotTakenForOwnOnes(t *testing.T) {
	custom := func(owner any, name string) script.Order {
		return owned(owner, "custom", "name", name, "value", "")
	}
	branch := func(owner string) script.Order {
		return script.Order{Seq: []script.Order{custom(nil, "a"), custom(nil, "a"), custom(owner, "x")}}
	}
	// What an emit names makes labels and ids alike in use.
	o := script.Order{Seq: []script.Order{custom(script.ID("e"), "emitted"), {Par: []script.Order{branch("u"), branch("u"), branch("w")}}}}
	items := []any{any(custom("e", "emitted").Item)}
	for _, owner := range []string{"p", "q", "q"} {
		for _, it := range branch(owner).Seq {
			items = append(items, any(it.Item))
		}
	}
	d := Compare(meaningOf(o), streamOf(items), NewNames())
	assert.Assert(t, d == nil, "%s", d)
}

func TestAnIdMayBeSpeltLikeTheLabelOfAnotherThing(t *testing.T) {
	o := script.Order{Seq: []script.Order{
		callOrder("c1"), {Par: []script.Order{
			owned(nil, "message", "id", "m", "role", "tool", "toolCallId", script.ID("c1"), "content", ""), owned(nil, "custom", "name", "x", "value", ""),
		}},
	}}
	items := []any{callOrder("x").Item, owned(nil, "message", "id", "m", "role", "tool", "toolCallId", "c1", "content", "").Item, owned(nil, "custom", "name", "x", "value", "").Item}
	d := Compare(meaningOf(o), streamOf(items), NewNames())
	assert.Assert(t, d == nil, "%s", d)
}

func TestWhatFailedWithAnIdTakenIsTriedWithAnother(t *testing.T) {
	// The first RAW event may be an extra or the script's; only as an extra its owner is left for the CUSTOM event. What an emit
	// names lets labels and ids look alike in use.
	raw := func(owner any) script.Order { return owned(owner, "raw", "event", "e") }
	custom := func(owner any) script.Order { return owned(owner, "custom", "name", "x", "value", "") }
	o := script.Order{Seq: []script.Order{
		custom(script.ID("emitted")), {Par: []script.Order{raw("u"), custom(nil), custom(nil)}}, custom("w"),
	}}
	items := []any{
		any(custom("emitted").Item), any(raw("p").Item), any(raw("q").Item), any(custom(nil).Item), any(custom(nil).Item),
		any(custom("p").Item),
	}
	d := Compare(meaningOf(o), streamOf(items), NewNames())
	assert.Assert(t, d == nil, "%s", d)
}
