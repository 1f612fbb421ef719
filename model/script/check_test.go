package script

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// The request of the tests below: a thread that has a user's question, an answer with a call, and a subagent's message.
const request = `{"threadId":"t","runId":"r","state":{"n":1},"tools":[{"name":"ask","description":""}],"messages":[
	{"id":"u","role":"user","content":"hi"},
	{"id":"old","role":"assistant","name":"A","content":"x","toolCalls":[{"id":"k","type":"function","function":{"name":"ask","arguments":""}}]},
	{"id":"sub","role":"assistant","content":"x","subagentRunId":"s"},
	{"id":"think","role":"reasoning","content":"x","subagentRunId":"s"}]}`

func asked(t *testing.T) Input {
	in, err := ReadInput([]byte(request))
	assert.NilError(t, err)
	return in
}

func TestCheckTakesWhatIsLegal(t *testing.T) {
	for _, s := range []string{
		`[]`,
		`[{"finish":{"result":1,"usage":[{"inputTokens":1,"outputTokens":2,"totalTokens":3},{"model":"m"}]}}]`,
		`[{"fail":{"message":"m","early":true,"usage":[{}]}}]`,
		`[{"text":{"id":"m","stream":["a",{"step":{"name":"s","do":[{"fail":{"message":"m"}}]}},"b"]}}]`,
		`[{"panic":{"message":"m"}},{"text":{"id":"m","stream":[]}}]`,
		// A text comes again: of this run, of the request, of a replayed run, of a snapshot.
		`[{"text":{"id":"m","role":"user","name":"n","stream":[]}},{"text":{"id":"m","role":"user","name":"n","form":"events","stream":[]}}]`,
		`[{"text":{"id":"m","form":"chunks","stream":["a"]}},{"text":{"id":"m","role":"assistant","form":"events","stream":[]}}]`,
		`[{"text":{"id":"old","name":"A","form":"events","stream":[]}}]`,
		`[{"replay":{"run":"r0","do":[{"text":{"id":"m","stream":[]}}]}},{"text":{"id":"m","form":"events","stream":[]}}]`,
		`[{"messagesSnapshot":{"messages":[{"id":"old","role":"system","content":""}]}},{"text":{"id":"old","role":"system","form":"events","stream":[]}}]`,
		`[{"subagent":{"id":"s","name":"n","do":[{"text":{"id":"sub","form":"events","stream":[]}}]}}]`,
		// Labels of different namespaces.
		`[{"text":{"id":"x","stream":[]}},{"toolCall":{"id":"x","name":"n","stream":[]}},{"reasoning":{"span":"x","messages":[]}},{"subagent":{"id":"x","name":"n","do":[]}}]`,
		`[{"reasoning":{"span":"x","messages":[{"id":"x","stream":["a"]}],"form":"chunks"}}]`,
		// Calls and results.
		`[{"toolCall":{"id":"c","name":"n","parent":"old","stream":[]}},{"toolResult":{"id":"m","call":"c","content":""}},{"toolResult":{"id":"n","call":"c","content":[]}}]`,
		`[{"toolResult":{"id":"m","call":"k","content":[{"type":"text","text":"a"}]}}]`,
		`[{"replay":{"run":"r0","do":[{"toolCall":{"id":"c","name":"n","stream":[]}}]}},{"toolResult":{"id":"m","call":"c","content":""}}]`,
		`[{"toolCall":{"id":"c","name":"n","stream":[{"toolCall":{"id":"d","name":"n","stream":[]}}]}},{"toolCall":{"id":"e","name":"ask","stream":[]}},{"toolResult":{"id":"m","call":"c","content":""}},{"finish":{"pending":["d","e"]}}]`,
		`[{"replay":{"run":"r0","do":[{"toolCall":{"id":"c","name":"n","stream":[]}}]}},{"toolCall":{"id":"d","name":"n","stream":[]}},{"finish":{"pending":["d"]}}]`,
		`[{"parallel":{"branches":[[{"toolCall":{"id":"c","name":"n","stream":[]}}],[{"toolCall":{"id":"d","name":"n","stream":[]}},{"toolResult":{"id":"m","call":"d","content":""}}]]}},{"finish":{"pending":["c"]}}]`,
		`[{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"k","content":""}}}]`,
		`[{"subagent":{"id":"x","name":"n","do":[{"toolCall":{"id":"c","name":"n","stream":[]}},{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"","subagentRunId":"x"}}}]}}]`,
		// Steps.
		`[{"step":{"name":"s","do":[{"subagent":{"id":"x","name":"n","do":[{"step":{"name":"s","do":[]}}]}}]}},{"step":{"name":"s","do":[]}}]`,
		// Branches.
		`[{"parallel":{"branches":[[{"text":{"id":"a","stream":[]}},{"step":{"name":"s","do":[]}}],[{"text":{"id":"b","stream":[]}},{"subagent":{"id":"x","name":"n","do":[{"step":{"name":"s","do":[]}},{"text":{"id":"c","form":"chunks","stream":["a"]}}]}}],[{"stateDelta":{"patch":[]}}]]}}]`,
		// Subagents.
		`[{"subagent":{"id":"x","name":"n","announce":false,"do":[{"subagent":{"id":"y","name":"n","parentToolCall":"k","parentMessage":"old","do":[],"end":{"error":{"message":"m"}}}}]}}]`,
		`[{"replay":{"run":"r0","do":[{"subagent":{"id":"x","name":"n","do":[]}}]}},{"subagent":{"id":"x","name":"n","do":[],"end":{"suspended":{"interrupts":["i"]}}}},{"interrupt":{"interrupts":[{"id":"i","reason":"r","toolCallId":"k","subagentRunId":"x"},{"id":"j","reason":"r"}]}}]`,
		// State.
		`[{"stateDelta":{"patch":[{"op":"replace","path":"/n","value":2}]}},{"stateDelta":{"patch":[{"op":"test","path":"/n","value":2}]}}]`,
		`[{"replay":{"run":"r0","do":[{"stateSnapshot":{"snapshot":[]}},{"stateDelta":{"patch":[{"op":"add","path":"/-","value":2}]}}]}},{"stateSnapshot":{"snapshot":1}},{"emit":{"event":{"type":"STATE_DELTA","delta":[{"op":"add","path":"","value":null}]}}}]`,
		`[{"replay":{"run":"r0","do":[]}},{"stateDelta":{"patch":[{"op":"remove","path":"/n"}]}}]`,
		// Activities.
		`[{"activity":{"id":"a","type":"T","content":{}}},{"activity":{"id":"a","type":"T","content":{"n":1},"replace":false}},{"activityDelta":{"id":"a","type":"T","patch":[{"op":"test","path":"","value":{}}]}}]`,
		`[{"messagesSnapshot":{"messages":[{"id":"a","role":"activity","activityType":"T","content":{"n":1}}]}},{"emit":{"event":{"type":"ACTIVITY_DELTA","messageId":"a","activityType":"T","patch":[{"op":"remove","path":"/n"}]}}}]`,
		`[{"subagent":{"id":"s","name":"n","do":[{"emit":{"event":{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"T","content":{},"subagentRunId":"s"}}},{"activityDelta":{"id":"a","type":"T","patch":[]}}]}}]`,
		// Snapshots in the middle of what they do not list.
		`[{"text":{"id":"m","stream":["a",{"messagesSnapshot":{"messages":[]}}]}}]`,
		// Gates and echoes.
		`[{"custom":{"name":"n","value":1}},{"gate":{"name":"g"}},{"parallel":{"branches":[[{"gate":{"name":"h"}}],[{"gate":{"name":"i"}}]]}},{"echo":{"pointer":"/forwardedProps/other"}}]`,
		`[{"replay":{"run":"r0","do":[]}},{"gate":{"name":"g"}}]`,
		// Numbers.
		`[{"custom":{"name":"n","value":[0,1.0,1e3,0.1,-1.5e-7,9007199254740991,1E+2,0.000,100.10]}}]`,
	} {
		assert.Check(t, parsed(t, s).Check(asked(t)), s)
	}
}

func TestCheckRefusesWhatIsNot(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		// Ends.
		{`[{"finish":{}},{"cancel":{}}]`, `at "/0": an end that is not last`},
		{`[{"step":{"name":"s","do":[{"finish":{}}]}}]`, `at "/0/step/do/0/finish": an end that is not at the top level`},
		{`[{"text":{"id":"m","stream":["a",{"interrupt":{"interrupts":[{"id":"i","reason":"r"}]}}]}}]`, `at "/0/text/stream/1/interrupt": an end`},
		{`[{"replay":{"run":"r0","do":[{"cancel":{}}]}}]`, `at "/0/replay/do/0/cancel": an end`},
		{`[{"replay":{"run":"r0","do":[{"fail":{"message":"m"}}]}}]`, `a replayed run fails by its member error`},
		{`[{"parallel":{"branches":[[{"panic":{"message":"m"}}],[]]}}]`, `at "/0/parallel/branches/0/0/panic": a failure in parallel`},
		{`[{"fail":{"message":"m","early":true}},{"finish":{}}]`, `early failure`},
		// Replays.
		{`[{"custom":{"name":"n","value":1}},{"replay":{"run":"r0","do":[]}}]`, `at "/1/replay": a replay that is not at the beginning`},
		{`[{"replay":{"run":"r","do":[]}}]`, `run "r" is a second time`},
		{`[{"replay":{"run":"r0","do":[]}},{"replay":{"run":"r0","do":[]}}]`, `at "/1/replay": run "r0" is a second time`},
		{`[{"replay":{"run":"r0","do":[{"text":{"id":"old","name":"A","form":"events","stream":[]}}]}}]`, `restates it by a snapshot`},
		{`[{"replay":{"run":"r0","do":[{"subagent":{"id":"x","name":"n","do":[],"end":{"suspended":{"interrupts":["i"]}}}}]}}]`, `suspended in a replayed run`},
		// Texts.
		{`[{"text":{"id":"m","stream":[{"text":{"id":"m","form":"events","stream":[]}}]}}]`, `the text "m" is open`},
		{`[{"text":{"id":"m","stream":[]}},{"text":{"id":"m","stream":[]}}]`, `not in the form events`},
		{`[{"text":{"id":"m","stream":[]}},{"text":{"id":"m","role":"user","form":"events","stream":[]}}]`, `another role, name or owner`},
		{`[{"text":{"id":"m","stream":[]}},{"text":{"id":"m","name":"","form":"events","stream":[]}}]`, `another role, name or owner`},
		{`[{"text":{"id":"old","form":"events","stream":[]}}]`, `another role, name or owner`},
		{`[{"text":{"id":"sub","form":"events","stream":[]}}]`, `another role, name or owner`},
		{`[{"text":{"id":"m","stream":[]}},{"subagent":{"id":"x","name":"n","do":[{"text":{"id":"m","form":"events","stream":[]}}]}}]`, `another role, name or owner`},
		{`[{"text":{"id":"m","stream":[]}},{"parallel":{"branches":[[{"text":{"id":"m","form":"events","stream":[]}}],[]]}}]`, `comes again in parallel`},
		{`[{"text":{"id":"early","role":"user","form":"events","stream":[]}}]`, `another role, name or owner`},
		// Labels.
		{`[{"text":{"id":"think","form":"events","stream":[]}}]`, `"think" is a reasoning message already`},
		{`[{"activity":{"id":"u","type":"T","content":{}}}]`, `"u" is a text already`},
		{`[{"toolResult":{"id":"old","call":"k","content":""}}]`, `"old" is a text already`},
		{`[{"text":{"id":"m","stream":[]}},{"reasoning":{"messages":[{"id":"m","stream":[]}]}}]`, `"m" is a text already`},
		{`[{"toolCall":{"id":"k","name":"n","stream":[]}}]`, `a second call "k"`},
		{`[{"reasoning":{"span":"x","messages":[]}},{"reasoning":{"span":"x","messages":[]}}]`, `a second span "x"`},
		{`[{"subagent":{"id":"x","name":"n","do":[{"subagent":{"id":"x","name":"n","do":[]}}]}}]`, `"x" is a second time in its run`},
		{`[{"reasoning":{"span":"think","messages":[]}}]`, `the reasoning message "think" has another owner`},
		{`[{"subagent":{"id":"x","name":"n","do":[{"reasoning":{"span":"a","messages":[]}}]}},{"reasoning":{"messages":[{"id":"a","stream":[]}]}}]`, `the span "a" has another owner`},
		{`[{"reasoning":{"messages":[]}}]`, `neither a span nor a message`},
		// Calls and results.
		{`[{"toolCall":{"id":"c","name":"n","parent":"none","stream":[]}}]`, `there was no text "none"`},
		{`[{"toolCall":{"id":"c","name":"n","parent":"think","stream":[]}}]`, `there was no text "think"`},
		{`[{"toolCall":{"id":"c","name":"n","parent":"sub","stream":[]}}]`, `another owner than the call`},
		{`[{"toolResult":{"id":"m","call":"none","content":""}}]`, `there was no call "none"`},
		{`[{"toolCall":{"id":"c","name":"n","stream":[{"toolResult":{"id":"m","call":"c","content":""}}]}}]`, `the call "c" is open`},
		{`[{"toolCall":{"id":"c","name":"ask","stream":[]}},{"toolResult":{"id":"m","call":"c","content":""}}]`, `the frontend's to answer`},
		{`[{"toolResult":{"id":"m","call":"k","content":[{"type":"image","source":{"type":"data","value":""}}]}}]`, `at "/0/toolResult/content": not the shape of AG-UI 1.0/0/source/mimeType: missing`},
		{`[{"toolCall":{"id":"c","name":"ask","stream":[]}},{"messagesSnapshot":{"messages":[{"id":"m","role":"tool","toolCallId":"c","content":""}]}}]`, `the frontend's to answer`},
		{`[{"toolCall":{"id":"c","name":"n","stream":[]}},{"toolCall":{"id":"d","name":"n","stream":[]}},{"finish":{"pending":["d","c"]}}]`, `the calls without an answer are ["c" "d"]`},
		{`[{"toolCall":{"id":"c","name":"n","stream":[]}},{"toolResult":{"id":"m","call":"c","content":""}},{"finish":{"pending":["c"]}}]`, `the calls without an answer are []`},
		{`[{"parallel":{"branches":[[{"toolCall":{"id":"c","name":"n","stream":[]}}],[{"toolCall":{"id":"d","name":"n","stream":[]}}]]}},{"finish":{"pending":["c","d"]}}]`, `nobody knows the order`},
		// Branches.
		{`[{"parallel":{"branches":[[{"toolCall":{"id":"c","name":"n","stream":[]}}],[{"toolResult":{"id":"m","call":"c","content":""}}]]}}]`, `two branches share calls "c"`},
		{`[{"parallel":{"branches":[[{"toolCall":{"id":"c","name":"n","parent":"old","stream":[]}}],[{"toolCall":{"id":"d","name":"n","parent":"old","stream":[]}}]]}}]`, `two branches share messages "old"`},
		{`[{"parallel":{"branches":[[{"stateDelta":{"patch":[]}}],[{"step":{"name":"s","do":[{"stateDelta":{"patch":[]}}]}}]]}}]`, `two branches share state`},
		{`[{"parallel":{"branches":[[{"step":{"name":"s","do":[]}}],[{"parallel":{"branches":[[],[{"step":{"name":"s","do":[]}}]]}}]]}}]`, `two branches share step`},
		{`[{"activity":{"id":"a","type":"T","content":{}}},{"parallel":{"branches":[[{"activityDelta":{"id":"a","type":"T","patch":[]}}],[{"activityDelta":{"id":"a","type":"T","patch":[]}}]]}}]`, `two branches share messages "a"`},
		{`[{"parallel":{"branches":[[{"messagesSnapshot":{"messages":[]}}],[]]}}]`, `a snapshot of messages in parallel`},
		{`[{"parallel":{"branches":[[{"emit":{"event":{"type":"MESSAGES_SNAPSHOT","messages":[]}}}],[]]}}]`, `a snapshot of messages in parallel`},
		{`[{"parallel":{"branches":[[{"text":{"id":"m","form":"chunks","stream":["a"]}}],[]]}}]`, `chunks in a branch`},
		{`[{"subagent":{"id":"x","name":"n","do":[{"parallel":{"branches":[[{"text":{"id":"m","form":"chunks","stream":["a"]}}],[]]}}]}}]`, `chunks in a branch`},
		// Chunks.
		{`[{"text":{"id":"m","form":"chunks","stream":["a",{"custom":{"name":"n","value":1}}]}}]`, `an action between chunks`},
		{`[{"toolCall":{"id":"c","name":"n","form":"chunks","stream":[""]}}]`, `chunks that say nothing`},
		{`[{"reasoning":{"form":"chunks","messages":[{"id":"m","stream":["a"]},{"id":"n","stream":[]}]}}]`, `at "/0/reasoning/messages/1": chunks that say nothing`},
		// Steps.
		{`[{"step":{"name":"s","do":[{"step":{"name":"s","do":[]}}]}}]`, `the step "s" of this owner is open`},
		// Subagents.
		{`[{"subagent":{"id":"x","name":"n","do":[],"announce":false,"end":{"success":{}}}}]`, `nobody hears`},
		{`[{"subagent":{"id":"x","name":"n","do":[],"parentToolCall":"none"}}]`, `there was no call "none"`},
		{`[{"subagent":{"id":"x","name":"n","do":[],"parentMessage":"none"}}]`, `there was no message "none"`},
		{`[{"subagent":{"id":"x","name":"n","do":[],"end":{"suspended":{"interrupts":["i"]}}}}]`, `a subagent is suspended`},
		{`[{"subagent":{"id":"x","name":"n","do":[],"end":{"suspended":{"interrupts":["i"]}}}},{"interrupt":{"interrupts":[{"id":"j","reason":"r"}]}}]`, `a subagent waits for the interrupt "i"`},
		// State and activities.
		{`[{"stateDelta":{"patch":[{"op":"remove","path":"/m"}]}}]`, `at "/0/stateDelta": the patch does not apply`},
		{`[{"stateDelta":{"patch":[{"op":"add","path":"/m"}]}}]`, `at "/0/stateDelta/patch": not the shape of AG-UI 1.0/0/value: missing`},
		{`[{"stateDelta":{"patch":[{"op":"twist","path":"/m"}]}}]`, `not one of a JsonPatchOperation`},
		{`[{"replay":{"run":"r0","do":[{"stateDelta":{"patch":[]}}]}}]`, `a change of a state that this run has not said`},
		{`[{"replay":{"run":"r0","do":[{"stateSnapshot":{"snapshot":1}}]}},{"stateDelta":{"patch":[]}}]`, `a change of a state that this run has not said`},
		{`[{"activityDelta":{"id":"a","type":"T","patch":[]}}]`, `this response has not said the activity "a"`},
		{`[{"activityDelta":{"id":"act","type":"T","patch":[]}}]`, `this response has not said the activity "act"`},
		{`[{"activity":{"id":"act","type":"T","content":{},"replace":false}}]`, `for whoever remembers it`},
		{`[{"activity":{"id":"a","type":"T","content":{}}},{"activity":{"id":"a","type":"U","content":{}}}]`, `another type or owner`},
		{`[{"activity":{"id":"a","type":"T","content":{}}},{"subagent":{"id":"x","name":"n","do":[{"activityDelta":{"id":"a","type":"T","patch":[]}}]}}]`, `another type or owner`},
		{`[{"activity":{"id":"a","type":"T","content":{}}},{"activityDelta":{"id":"a","type":"T","patch":[{"op":"replace","path":"","value":[]}]}}]`, `the patch leaves no object`},
		{`[{"activity":{"id":"a","type":"T","content":{}}},{"messagesSnapshot":{"messages":[{"id":"b","role":"activity","activityType":"T","content":{}}]}},{"activityDelta":{"id":"a","type":"T","patch":[]}}]`, `has not said the activity "a"`},
		// Snapshots.
		{`[{"messagesSnapshot":{"messages":[{"id":"a","role":"user"}]}}]`, `at "/0/messagesSnapshot/messages": not the shape of AG-UI 1.0/0/content: missing`},
		{`[{"messagesSnapshot":{"messages":[{"id":"a","role":"user","content":"","toolCalls":[]}]}}]`, `/0/toolCalls: unknown member`},
		{`[{"messagesSnapshot":{"messages":[{"id":"a","role":"user","content":"","name":null}]}}]`, `/0/name: null`},
		{`[{"messagesSnapshot":{"messages":[{"id":"a","role":"user","content":""},{"id":"a","role":"user","content":""}]}}]`, `at "/0/messagesSnapshot/messages/1": a second message "a"`},
		{`[{"messagesSnapshot":{"messages":[{"id":"think","role":"user","content":""}]}}]`, `"think" is a reasoning message already`},
		{`[{"text":{"id":"m","stream":[{"messagesSnapshot":{"messages":[{"id":"m","role":"assistant"}]}}]}}]`, `"m" is restated while it is open`},
		{`[{"toolCall":{"id":"c","name":"n","stream":[{"messagesSnapshot":{"messages":[{"id":"m","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":""}}]}]}}]}}]`, `is listed while it is open`},
		// Interrupts.
		{`[{"interrupt":{"interrupts":[{"id":"i"}]}}]`, `/0/reason: missing`},
		{`[{"interrupt":{"interrupts":[{"id":"i","reason":"r"},{"id":"i","reason":"r"}]}}]`, `at "/0/interrupt/interrupts/1": a second interrupt "i"`},
		{`[{"interrupt":{"interrupts":[{"id":"i","reason":"r","toolCallId":"none"}]}}]`, `there was no call "none"`},
		{`[{"interrupt":{"interrupts":[{"id":"i","reason":"r","subagentRunId":"none"}]}}]`, `there was no subagent "none"`},
		{`[{"toolCall":{"id":"c","name":"ask","stream":[]}},{"interrupt":{"interrupts":[{"id":"i","reason":"r","toolCallId":"c"}]}}]`, `ends with success`},
		// Usage.
		{`[{"cancel":{"usage":[{"inputTokens":1,"outputTokens":2,"totalTokens":4}]}}]`, `at "/0/cancel/usage/0": totalTokens`},
		{`[{"finish":{"usage":[{"outputTokens":2,"reasoningTokens":3}]}}]`, `more reasoning than output`},
		{`[{"finish":{"usage":[{"inputTokens":2,"cachedInputTokens":1,"cacheWriteInputTokens":2}]}}]`, `more cached than input`},
		{`[{"finish":{"usage":[{"inputTokens":-1}]}}]`, `/0/inputTokens: out of range`},
		{`[{"finish":{"usage":[{"inputTokens":1.5}]}}]`, `not an integer`},
		{`[{"finish":{"usage":[{"model":"m"},{"model":"m"}]}}]`, `a second entry for one model`},
		// Events as they are.
		{`[{"emit":{"event":{"type":"TEXT_MESSAGE_START","messageId":"m"}}}]`, `TEXT_MESSAGE_START is no event that stands alone`},
		{`[{"emit":{"event":{"type":"CUSTOM","name":"n"}}}]`, `at "/0/emit/event": not the shape of AG-UI 1.0/value: missing`},
		{`[{"emit":{"event":{"type":"NONE"}}}]`, `"NONE" is no event`},
		{`[{"emit":{"event":{"type":"CUSTOM","name":"n","value":1,"subagentRunId":"x"}}},{"subagent":{"id":"x","name":"n","do":[]}}]`, `the subagent "x" has not begun`},
		{`[{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"none","content":""}}}]`, `there was no call "none"`},
		{`[{"activity":{"id":"a","type":"T","content":{}}},{"subagent":{"id":"x","name":"n","do":[{"emit":{"event":{"type":"ACTIVITY_DELTA","messageId":"a","activityType":"T","patch":[],"subagentRunId":"x"}}}]}}]`, `another type or owner`},
		{`[{"replay":{"run":"r0","do":[{"toolCall":{"id":"c","name":"n","stream":[]}}]}},{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":""}}}]`, `the call "c" is of another run`},
		{`[{"subagent":{"id":"x","name":"n","do":[{"toolCall":{"id":"c","name":"n","stream":[]}},{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":""}}}]}}]`, `the call "c" has another owner`},
		// Gates and echoes.
		{`[{"gate":{"name":"g"}}]`, `nothing has been said and ended`},
		{`[{"stateSnapshot":{"snapshot":1}},{"gate":{"name":"g"}}]`, `nothing has been said and ended`},
		{`[{"text":{"id":"m","stream":["a",{"gate":{"name":"g"}}]}}]`, `nothing has been said and ended`},
		{`[{"parallel":{"branches":[[{"custom":{"name":"n","value":1}}],[{"gate":{"name":"g"}}]]}}]`, `nothing has been said and ended`},
		{`[{"custom":{"name":"n","value":1}},{"gate":{"name":"g"}},{"gate":{"name":"g"}}]`, `a second gate "g"`},
		{`[{"custom":{"name":"n","value":1}},{"fail":{"message":"m"}},{"gate":{"name":"g"}}]`, `where nobody comes`},
		{`[{"echo":{"pointer":""}}]`, `shows the script itself`},
		{`[{"echo":{"pointer":"/forwardedProps"}}]`, `shows the script itself`},
		{`[{"echo":{"pointer":"/forwardedProps/conformance/version"}}]`, `shows the script itself`},
		// Numbers.
		{`[{"custom":{"name":"n","value":{"a":[-0]}}}]`, `at "/0/custom/value": -0 is a number that not everybody can hold`},
		{`[{"raw":{"event":9007199254740992}}]`, `not everybody can hold`},
		{`[{"stateSnapshot":{"snapshot":0.1000000000000000055511151231257827}}]`, `not everybody can hold`},
		{`[{"finish":{"result":1e400}}]`, `not everybody can hold`},
		{`[{"finish":{"result":1e-400}}]`, `not everybody can hold`},
		{`[{"text":{"id":"m","stream":[],"metadata":{"a":1e300}}}]`, `not everybody can hold`},
	} {
		in := asked(t)
		in.Earlier = []Script{parsed(t, `[{"text":{"id":"early","stream":["x"]}},{"step":{"name":"s","do":[{"activity":{"id":"act","type":"T","content":{}}}]}},{"stateDelta":{"patch":[{"op":"test","path":"/none","value":1}]}}]`)}
		assert.Check(t, errorContains(parsed(t, c.script).Check(in), c.want), c.script)
	}
}

// errorContains is assert.ErrorContains as a comparison.
func errorContains(err error, want string) func() (bool, string) {
	return func() (bool, string) {
		if err == nil {
			return false, "no error, not one with " + want
		}
		return strings.Contains(err.Error(), want), err.Error() + " has no " + want
	}
}

func TestCheckGuardTakesEmittedFaults(t *testing.T) {
	for s, want := range map[string]string{
		`[{"custom":{"name":"n","value":1}},{"emit":{"event":{"type":"TEXT_MESSAGE_END","messageId":"m"}}},{"text":{"id":"t","stream":[]}}]`: "",
		`[{"emit":{"event":{"type":"NONE"}}}]`: "",
		`[{"text":{"id":"m","stream":["a",{"emit":{"event":{"type":"RUN_FINISHED","threadId":"t","runId":"r"}}}]}}]`: "",
		`[{"emit":{"event":{"type":"RUN_ERROR","message":"m"}}}]`:                                                    "RUN_ERROR",
		`[{"parallel":{"branches":[[{"emit":{"event":{"type":"NONE"}}}],[]]}}]`:                                      "is no event",
		`[{"emit":{"event":{"type":"NONE"}}},{"finish":{}},{"finish":{}}]`:                                           "not last",
		`[{"custom":{"name":"n","value":1}},{"emit":{"event":{"type":"NONE"}}},{"gate":{"name":"g"}}]`:               "where nobody comes",
	} {
		err := parsed(t, s).CheckGuard(asked(t))
		if want == "" {
			assert.Check(t, err, s)
			assert.Check(t, parsed(t, s).Check(asked(t)) != nil, "%s is legal without a guard", s)
		} else {
			assert.Check(t, errorContains(err, want), s)
		}
	}
}

func TestTheExamplesOfTheContractAreLegal(t *testing.T) {
	page, err := os.ReadFile("../../docs/scripted-agent.md")
	assert.NilError(t, err)
	examples := regexp.MustCompile("(?m)^```example.*\n(.*)$").FindAllSubmatch(page, -1)
	assert.Assert(t, len(examples) > 10)
	for _, e := range examples {
		assert.Check(t, parsed(t, string(e[1])).Check(Input{}), "%s", e[1])
	}
}
