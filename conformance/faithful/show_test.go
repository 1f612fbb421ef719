package faithful

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model/script"
)

func TestADifferenceReadsLikeADiff(t *testing.T) {
	d := compare(t, NewNames(), `[
		{"custom":{"name":"1","value":1}},{"custom":{"name":"2","value":2}},{"custom":{"name":"3","value":3}},{"custom":{"name":"4","value":4}},
		{"text":{"id":"m1","stream":["hello"]}},{"toolCall":{"id":"c1","name":"f","stream":[]}},{"toolResult":{"id":"t1","call":"c1","content":"42"}}]`, `
		{"type":"CUSTOM","name":"1","value":1}
		{"type":"CUSTOM","name":"2","value":2}
		{"type":"CUSTOM","name":"3","value":3}
		{"type":"CUSTOM","name":"4","value":4}`+strings.ReplaceAll(hi, "m1", "x1")+strings.ReplaceAll(call, "c1", "x2")+`
		{"type":"CUSTOM","name":"5","value":5}
		{"type":"TOOL_CALL_RESULT","messageId":"x3","toolCallId":"x2","content":"42"}`)
	assert.Equal(t, d.String(), `the text message m1 says "hi", the script "hello"
--- script
+++ stream
  … 1 that agree
  {"kind":"custom","name":"2","value":2}
  {"kind":"custom","name":"3","value":3}
  {"kind":"custom","name":"4","value":4}
- {"kind":"message","id":"m1","role":"assistant","content":"hello"}
+ {"kind":"message","id":"m1","role":"assistant","content":"hi"}
  {"kind":"toolCall","id":"c1","name":"f","arguments":""}
+ {"kind":"custom","name":"5","value":5}
  {"kind":"message","id":"t1","role":"tool","content":"42","toolCallId":"c1"}
  {"runId":"r","outcome":"success"}`)
}

func TestStatesAreShownOneBelowTheOther(t *testing.T) {
	d := compare(t, NewNames(), `[{"stateSnapshot":{"snapshot":1}},{"stateSnapshot":{"snapshot":2}}]`, `
		{"type":"STATE_SNAPSHOT","snapshot":1}
		{"type":"STATE_SNAPSHOT","snapshot":3}`)
	assert.Equal(t, d.String(), `the run r never has the state 2 after 1
--- script
+++ stream
  {"state":{}}
  {"state":1}
+ {"state":3}
- {"state":2}`)
}

func TestLongTextsAreShownWhereTheyDiffer(t *testing.T) {
	long := strings.Repeat("é", 500)
	_, got := apart(long+"a"+long, long+"b"+long)
	assert.Assert(t, strings.Contains(show(got), "éb"), show(got))
	d := compare(t, NewNames(), `[{"text":{"id":"m1","stream":["`+long+`a"]}}]`, strings.ReplaceAll(hi, `"hi"`, `"`+long+`b"`))
	assert.Assert(t, strings.Contains(d.Summary(), `éb", the script "…éé`), d.Summary())
	for line := range strings.Lines(d.String()) {
		assert.Assert(t, len(line) < 400, line)
	}
	assert.Assert(t, strings.Contains(d.String(), `éa"}`) && strings.Contains(d.String(), `éb"}`), d.String())
}

// hostile draws any JSON value, often one that is nearly a stream's.
func hostile(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return rapid.Float64Range(-1e300, 1e300).Draw(t, "number")
	case 3:
		return rapid.SampledFrom([]string{"", "m1", "r", "error", "success", "\x1b[31m\u202e\n\xff\xed\xa0\x80", strings.Repeat("\u2028", 3000)}).Draw(t, "text")
	case 4:
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return hostile(t, depth-1) }), 0, 4).Draw(t, "list")
	}
	out := map[string]any{}
	for range rapid.IntRange(0, 5).Draw(t, "members") {
		name := rapid.SampledFrom([]string{
			"kind", "id", "role", "content", "toolCallId", "owner", "messages", "interruptIds", "outcome", "name", "metadata", "parent", "\x1b\n",
		}).Draw(t, "name")
		out[name] = hostile(t, depth-1)
	}
	if rapid.Bool().Draw(t, "typed") {
		out["kind"] = rapid.SampledFrom([]string{"message", "toolCall", "step", "stepEnd", "span", "spanEnd", "subagent", "subagentEnd", "snapshot", "custom", "raw"}).Draw(t, "of")
	}
	return out
}

func TestNothingThatAStreamSaysReachesATerminalAsItIs(t *testing.T) {
	want := means(t, mustParse(t, `[{"text":{"id":"m1","stream":["hi"]}},{"subagent":{"id":"s","name":"S","do":[{"custom":{"name":"x","value":[1]}}]}},
		{"interrupt":{"interrupts":[{"id":"i1","reason":"r"}]}}]`), request)
	rapid.Check(t, func(t *rapid.T) {
		var items []any
		for range rapid.IntRange(0, 5).Draw(t, "items") {
			it, ok := hostile(t, 3).(map[string]any)
			if ok {
				items = append(items, it)
			}
		}
		run := map[string]any{"items": items}
		for _, name := range []string{"runId", "outcome", "states", "interrupts", "pending", "message", "code", "usage", "result"} {
			if rapid.Bool().Draw(t, "has "+name) {
				run[name] = hostile(t, 3)
			}
		}
		d := Compare(want, map[string]any{"runs": []any{run}}, NewNames())
		assert.Assert(t, d != nil)
		assert.Assert(t, utf8.ValidString(d.String()))
		assert.Assert(t, !strings.ContainsFunc(d.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }), "%q", d.String())
		assert.Assert(t, !strings.Contains(d.Summary(), "\n"), "%q", d.Summary())
		assert.Assert(t, len(d.String()) < 40_000)
		Begun(want, map[string]any{"runs": []any{run}}, NewNames())
	})
}

func TestWhatIsNoMeaningIsTheKitsFault(t *testing.T) {
	for _, got := range []any{nil, 1, "x", map[string]any{}, map[string]any{"runs": []any{1}}, map[string]any{"runs": []any{map[string]any{"items": []any{1}}}}} {
		d := Compare(script.Meaning{}, got, NewNames())
		assert.Assert(t, d != nil && d.GaveUp, "%v", got)
	}
}

func mustParse(t *testing.T, text string) script.Script {
	t.Helper()
	s, err := script.Parse([]byte(text))
	assert.NilError(t, err)
	return s
}
