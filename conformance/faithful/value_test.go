package faithful

import (
	"math"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/model/script"
)

func TestNumbersAreDoublesAndStringsAreCodePoints(t *testing.T) {
	for _, same := range [][2]any{{math.Copysign(0, -1), 0.0}, {map[string]any{"a": 1.0, "b": nil}, map[string]any{"b": nil, "a": 1.0}}} {
		assert.Assert(t, equal(same[0], same[1]), "%v", same)
	}
	for _, other := range [][2]any{
		{0.0, false}, {nil, false}, {"1", 1.0}, {"\u00e9", "e\u0301"}, {"\ufffd", "\xff"}, {[]any{"a", "b"}, []any{"ab"}}, {[]any{}, map[string]any{}},
		{[]any{1.0, 2.0}, []any{2.0, 1.0}}, {map[string]any{"a": nil}, map[string]any{}}, {[]any{[]any{}, []any{}}, []any{[]any{[]any{}}}},
	} {
		assert.Assert(t, !equal(other[0], other[1]), "%v", other)
	}
}

func TestAnEmptyListNamesNothing(t *testing.T) {
	o := script.Order{Seq: []script.Order{
		callOrder("c1"), owned(nil, "subagent", "id", "s", "name", "S"), owned(nil, "subagentEnd", "id", "s", "outcome", "suspended"),
	}}
	items := []any{o.Seq[0].Item, o.Seq[1].Item, owned(nil, "subagentEnd", "id", "s", "outcome", "suspended", "interruptIds", []any{}).Item}
	got := streamOf(items)
	got["runs"].([]any)[0].(map[string]any)["pending"] = []any{}
	d := Compare(meaningOf(o), got, NewNames())
	assert.Assert(t, d == nil, "%s", d)
}

func TestPendingCallsAreThoseOfTheScript(t *testing.T) {
	o := script.Order{Seq: []script.Order{callOrder("c1")}}
	for _, c := range []struct{ want, got []any }{{[]any{"c1"}, []any{"c1", "c2"}}, {[]any{"c1"}, nil}, {[]any{"c2"}, []any{""}}} {
		m := meaningOf(o)
		m.Runs[0].Fields["pending"] = c.want
		got := streamOf([]any{owned(nil, "toolCall", "id", "", "name", "f", "arguments", "{}").Item})
		if c.got != nil {
			got["runs"].([]any)[0].(map[string]any)["pending"] = c.got
		}
		assert.Assert(t, Compare(m, got, NewNames()) != nil, "%v", c)
	}
}

func TestTheLabelsOfAnInterruptAreThere(t *testing.T) {
	m := meaningOf(script.Order{Seq: []script.Order{callOrder("c1")}})
	m.Runs[0].Outcome = script.Interrupted
	for _, c := range []struct {
		want, got map[string]any
		same      bool
	}{
		{map[string]any{"id": "i"}, map[string]any{"id": "x"}, true},
		{map[string]any{"id": "i"}, map[string]any{"id": "x", "toolCallId": "y"}, false},
		{map[string]any{"id": "i", "toolCallId": "c1"}, map[string]any{"id": "x"}, false},
		{map[string]any{"id": "i", "toolCallId": "c1"}, map[string]any{"id": "x", "toolCallId": "y"}, true},
		{map[string]any{"id": "i", "toolCallId": "c1"}, map[string]any{"id": "x", "toolCallId": "z"}, false},
		{map[string]any{"id": "i", "subagentRunId": "s"}, map[string]any{"id": "x", "subagentRunId": "z"}, true},
	} {
		m.Runs[0].Fields["interrupts"] = []any{c.want}
		got := streamOf(minted([]any{any(owned(nil, "toolCall", "id", "y", "name", "f", "arguments", "{}").Item)}))
		run := got["runs"].([]any)[0].(map[string]any)
		run["items"].([]any)[0].(map[string]any)["id"] = "y"
		run["outcome"], run["interrupts"] = "interrupt", []any{c.got}
		assert.Equal(t, Compare(m, got, NewNames()) == nil, c.same, "%v", c)
	}
}
