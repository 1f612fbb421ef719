package script

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestFeaturesAreWhatAScriptNeeds(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range []struct{ script, want string }{
		{`[]`, ``},
		{`[{"text":{"id":"m","stream":["a"],"form":"events"}},{"toolCall":{"id":"c","name":"n","stream":[]}},{"finish":{}}]`, ``},
		{`[{"fail":{"message":"m","code":"c"}}]`, `code`},
		{`[{"text":{"id":"m","stream":[],"role":"user","name":""}}]`, `role name`},
		{`[{"toolCall":{"id":"c","name":"n","stream":["a"],"form":"chunks","parent":"m"}}]`, `chunks parent`},
		{`[{"text":{"id":"m","stream":["",{"text":{"id":"n","stream":[{"gate":{"name":"g"}}]}}]}}]`, `nested gate`},
		{`[{"text":{"id":"m","stream":[]}},{"text":{"id":"m","stream":[]}}]`, `reopen`},
		{`[{"text":{"id":"","stream":[]}}]`, `ids`},
		{`[{"toolResult":{"id":"r","call":"","content":[]}}]`, `tool-result parts`},
		{`[{"reasoning":{"span":"","messages":[{"id":"m","stream":[],"encryptedValue":"e","metadata":{}}]}}]`, `ids reasoning span encrypted metadata`},
		{`[{"step":{"name":"s","do":[{"parallel":{"branches":[[{"cancel":{"usage":[{}]}}],[]]}}]}}]`, `step parallel cancel usage`},
		{`[{"subagent":{"id":"s","name":"n","do":[{"custom":{"name":"n","value":1}}],"announce":false}}]`, `subagent unannounced custom`},
		{`[{"subagent":{"id":"s","name":"n","do":[],"announce":true,"end":{"success":{"result":1}}}}]`, `subagent result`},
		{`[{"subagent":{"id":"s","name":"n","do":[],"end":{"suspended":{"interrupts":["i"]}}}}]`, `subagent interrupt`},
		{`[{"stateSnapshot":{"snapshot":1}},{"stateDelta":{"patch":[]}}]`, `state state-delta`},
		{`[{"messagesSnapshot":{"messages":[{"id":"u","role":"user","content":[]}]}}]`, `parts messages-snapshot`},
		{`[{"text":{"id":"u","stream":[]}},{"messagesSnapshot":{"messages":[{"id":"u","role":"user","content":""}]}}]`, `ids messages-snapshot`},
		{`[{"toolCall":{"id":"u","name":"n","stream":[]}},{"messagesSnapshot":{"messages":[{"id":"u","role":"user","content":""}]}}]`, `messages-snapshot`},
		{`[{"activity":{"id":"a","type":"T","content":{},"metadata":{}}},{"raw":{"event":null}}]`, `activity raw metadata`},
		{`[{"activityDelta":{"id":"a","type":"T","patch":[]}}]`, `activity`},
		{`[{"toolCall":{"id":"c","name":"n","stream":[]}},{"emit":{"event":{"type":"TOOL_CALL_RESULT","toolCallId":"c"}}}]`, `ids emit`},
		{`[{"echo":{"pointer":""}},{"replay":{"run":"r","do":[{"panic":{"message":""}}]}}]`, `replay echo panic`},
		{`[{"finish":{"result":0,"pending":["c"],"usage":[{}]}}]`, `result usage pending`},
		{`[{"interrupt":{"interrupts":[{"id":"i","reason":"r"}]}}]`, `interrupt`},
		{`[{"fail":{"message":"m","early":true,"usage":[{}]}}]`, `usage early-fail`},
	} {
		got := parsed(t, c.script).Features(Input{})
		assert.Check(t, strings.Join(got, " ") == c.want, "%s: %q, not %q", c.script, got, c.want)
		for _, f := range got {
			seen[f] = true
		}
	}
	for _, f := range shown {
		assert.Check(t, seen[f], "no case needs %s", f)
	}
	for _, f := range unshown {
		assert.Check(t, slices.Contains(AllFeatures(), f))
	}
}

func TestFeaturesLookAtWhatTheInputNames(t *testing.T) {
	in, err := ReadInput([]byte(`{"messages":[{"id":"m","role":"assistant","toolCalls":[{"id":"c"}]},{"id":"r","role":"tool","toolCallId":"c"}],"resume":[{"interruptId":"i"}]}`))
	assert.NilError(t, err)
	in.Earlier = []Script{parsed(t, `[{"step":{"name":"s","do":[{"text":{"id":"e","stream":[]}},{"subagent":{"id":"s","name":"n","do":[]}}]}}]`)}
	for script, want := range map[string]string{
		`[{"text":{"id":"m","stream":[]}}]`:                                                `reopen ids`,
		`[{"text":{"id":"e","stream":[]}}]`:                                                `reopen ids`,
		`[{"text":{"id":"r","stream":[]}}]`:                                                `ids`,
		`[{"toolCall":{"id":"c","name":"n","stream":[]}}]`:                                 `ids`,
		`[{"toolResult":{"id":"new","call":"c","content":""}}]`:                            `tool-result`,
		`[{"subagent":{"id":"s","name":"n","do":[]}}]`:                                     `ids subagent`,
		`[{"interrupt":{"interrupts":[{"id":"i","reason":"r"}]}}]`:                         `ids interrupt`,
		`[{"toolCall":{"id":"new","name":"n","stream":[],"parent":"m"}}]`:                  `parent`,
		`[{"text":{"id":"i","stream":[]}},{"activity":{"id":"s","type":"","content":{}}}]`: `activity`,
	} {
		assert.Equal(t, strings.Join(parsed(t, script).Features(in), " "), want, script)
	}
}
