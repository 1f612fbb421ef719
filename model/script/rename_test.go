package script

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
)

func TestRenameChangesLabelsAndNothingElse(t *testing.T) {
	before := parsed(t, `[
		{"subagent":{"id":"s","name":"s","parentToolCall":"c","parentMessage":"m","do":[
			{"text":{"id":"m","stream":["m",{"toolCall":{"id":"c","name":"c","parent":"m","stream":["c"]}}]}}],
			"end":{"suspended":{"interrupts":["i"]}}}},
		{"reasoning":{"span":"p","messages":[{"id":"m","stream":["m"]}]}},
		{"step":{"name":"m","do":[{"toolResult":{"id":"m","call":"c","content":"c"}}]}},
		{"parallel":{"branches":[[{"activity":{"id":"m","type":"m","content":{"id":"m"}}}],[{"activityDelta":{"id":"m","type":"m","patch":[]}}]]}},
		{"messagesSnapshot":{"messages":[{"id":"m","role":"user","content":"m"}]}},
		{"finish":{"pending":["c"]}},
		{"interrupt":{"interrupts":[{"id":"i","toolCallId":"c","subagentRunId":"s","reason":"i"}]}}
	]`)
	after := parsed(t, `[
		{"subagent":{"id":"subagents-s","name":"s","parentToolCall":"calls-c","parentMessage":"messages-m","do":[
			{"text":{"id":"messages-m","stream":["m",{"toolCall":{"id":"calls-c","name":"c","parent":"messages-m","stream":["c"]}}]}}],
			"end":{"suspended":{"interrupts":["interrupts-i"]}}}},
		{"reasoning":{"span":"spans-p","messages":[{"id":"messages-m","stream":["m"]}]}},
		{"step":{"name":"m","do":[{"toolResult":{"id":"messages-m","call":"calls-c","content":"c"}}]}},
		{"parallel":{"branches":[[{"activity":{"id":"messages-m","type":"m","content":{"id":"m"}}}],[{"activityDelta":{"id":"messages-m","type":"m","patch":[]}}]]}},
		{"messagesSnapshot":{"messages":[{"id":"m","role":"user","content":"m"}]}},
		{"finish":{"pending":["calls-c"]}},
		{"interrupt":{"interrupts":[{"id":"interrupts-i","reason":"i","subagentRunId":"subagents-s","toolCallId":"calls-c"}]}}
	]`)
	untouched := string(before.JSON())
	got := before.Rename(func(namespace, label string) string { return namespace + "-" + label })
	assert.Equal(t, cmp.Diff(string(after.JSON()), string(got.JSON())), "")
	assert.Equal(t, string(before.JSON()), untouched)
}

func parsed(t *testing.T, text string) Script {
	t.Helper()
	s, err := Parse([]byte(text))
	assert.NilError(t, err)
	return s
}
