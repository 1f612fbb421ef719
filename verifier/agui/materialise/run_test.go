package materialise

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestARunEnds(t *testing.T) {
	for name, x := range map[string]struct{ end, want string }{
		"as a success that says no more": {`{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`, `{"outcome":"success"}`},
		"with a result, pending calls and usage": {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"n":0},"outcome":{"type":"success","pendingToolCallIds":["c"]},"usage":[{"inputTokens":1}]}`,
			`{"outcome":"success","result":{"n":0},"pending":["c"],"usage":[{"inputTokens":1}]}`},
		"with an empty list, which names no calls": {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","pendingToolCallIds":[]}}`, `{"outcome":"success"}`},
		"with an outcome that nobody knows":        {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"paused"}}`, `{"outcome":"success"}`},
		"with a result that is null, and so none":  {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":null}`, `{"outcome":"success"}`},
		"with a result that is false":              {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":false}`, `{"outcome":"success","result":false}`},
		"interrupted": {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"x"}]}}`,
			`{"outcome":"interrupt","interrupts":[{"id":"i","reason":"x"}]}`},
		"cancelled":  {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}`, `{"outcome":"cancelled"}`},
		"failed":     {`{"type":"RUN_ERROR","message":"no","code":"E","usage":[]}`, `{"outcome":"error","message":"no","code":"E","usage":[]}`},
		"not at all": {``, `{}`},
		"failed after all": {`{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":1,"usage":[]}
			{"type":"RUN_ERROR","message":"flush"}`, `{"outcome":"error","message":"flush"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := runsOf(Read(nil, lines(started+"\n"+x.end)))[0]
			delete(got, "items")
			delete(got, "states")
			assert.Equal(t, got["runId"], "r")
			delete(got, "runId")
			same(t, any(got), x.want)
		})
	}
}

func TestARunThatFailsBeforeItStartsHasNoID(t *testing.T) {
	s := Read(nil, lines(`{"type":"RUN_ERROR","message":"no"}
		{"type":"RUN_ERROR","message":"again"}
		{"type":"CUSTOM","name":"a.b","value":1}`))
	same(t, s.Meaning(), `{"runs":[{"outcome":"error","message":"no","states":[{}],"items":[]}]}`)
}

func TestReplayedRunsComeFirstAndHandTheirStateOn(t *testing.T) {
	s := Read([]byte(`{"threadId":"t","runId":"r","messages":[],"state":{"a":1}}`), lines(`
		{"type":"RUN_STARTED","threadId":"t","runId":"r0"}
		{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"old"}
		{"type":"STATE_DELTA","delta":[{"op":"add","path":"/b","value":2}]}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r0"}
		{"type":"RUN_STARTED","threadId":"t","runId":"r1"}
		{"type":"RUN_ERROR","message":"no"}
		{"type":"RUN_STARTED","threadId":"t","runId":"r"}
		{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"new"}
		{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a"}]}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`))
	same(t, s.Meaning(), `{"runs":[
		{"runId":"r0","outcome":"success","states":[{"a":1},{"a":1,"b":2}],"items":[{"kind":"message","id":"m","role":"assistant","content":"old"}]},
		{"runId":"r1","outcome":"error","message":"no","states":[{"a":1,"b":2}],"items":[]},
		{"runId":"r","outcome":"success","states":[{"a":1,"b":2},{"b":2}],"items":[{"kind":"message","id":"m","role":"assistant","content":"new"}]}]}`)
	same(t, any(s.Messages()), `[{"id":"m","role":"assistant","content":"oldnew"}]`)
}

func TestWhatIsOpenEndsWithItsRun(t *testing.T) {
	s := Read(nil, lines(started+`
		{"type":"STEP_STARTED","stepName":"p"}
		{"type":"REASONING_START","messageId":"q"}
		{"type":"TEXT_MESSAGE_START","messageId":"m"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}
		{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"s"}
		{"type":"RUN_ERROR","message":"no"}
		{"type":"RUN_STARTED","threadId":"t","runId":"r2"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"y"}
		{"type":"TOOL_CALL_CHUNK","delta":"{}"}
		{"type":"REASONING_END","messageId":"q"}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}`))
	same(t, itemsOf(s), `[{"kind":"step","name":"p"},{"kind":"span","id":"q"},{"kind":"message","id":"m","role":"assistant","content":"x"},
		{"kind":"toolCall","id":"c","name":"f","arguments":"","owner":"s"}]`)
	same(t, runsOf(s)[1]["items"], `[]`)
}

func TestStatesAreTheValuesThatTheStateTook(t *testing.T) {
	for name, x := range map[string]struct{ request, events, want string }{
		"none changes it":             {`{"state":[1]}`, ``, `[[1]]`},
		"nothing was agreed":          {`{}`, ``, `[{}]`},
		"null, which is none":         {`{"state":null}`, ``, `[{}]`},
		"false, which is a value":     {`{"state":false}`, ``, `[false]`},
		"a snapshot, null too":        {`{}`, `{"type":"STATE_SNAPSHOT","snapshot":null}`, `[{},null]`},
		"a subagent's counts as well": {`{}`, `{"type":"STATE_SNAPSHOT","snapshot":1,"subagentRunId":"s"}`, `[{},1]`},
		"restated":                    {`{"state":{"a":1}}`, `{"type":"STATE_SNAPSHOT","snapshot":{"a":1.0}}`, `[{"a":1}]`},
		"restated by a patch":         {`{"state":{"a":1}}`, `{"type":"STATE_DELTA","delta":[{"op":"test","path":"/a","value":1}]}`, `[{"a":1}]`},
		"a patch to the whole":        {`{}`, `{"type":"STATE_DELTA","delta":[{"op":"replace","path":"","value":[]}]}`, `[{},[]]`},
		"one that does not apply":     {`{}`, `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]}`, `[{}]`},
		"an operation that nobody knows": {`{}`, `{"type":"STATE_DELTA","delta":[{"op":"increment","path":"/a"},{"op":"add","path":"/b","value":1}]}`,
			`[{},{"b":1}]`},
		"another member of the same value": {`{"state":{"a":1}}`, `{"type":"STATE_DELTA","delta":[{"op":"move","from":"/a","path":"/b"}]}`, `[{"a":1},{"b":1}]`},
		"there and back": {`{}`, `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":{"b":[1]}}]}
			{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a/b/-","value":2}]}
			{"type":"STATE_SNAPSHOT","snapshot":{"a":{"b":[1,2]}}}
			{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a"}]}`, `[{},{"a":{"b":[1]}},{"a":{"b":[1,2]}},{}]`},
		"less and more in turn": {`{"state":[1,2,3]}`, `{"type":"STATE_SNAPSHOT","snapshot":[1,2]}
			{"type":"STATE_SNAPSHOT","snapshot":[1,2,{"a":1,"b":1}]}
			{"type":"STATE_SNAPSHOT","snapshot":[1,2,{"a":1}]}`, `[[1,2,3],[1,2],[1,2,{"a":1,"b":1}],[1,2,{"a":1}]]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := Read([]byte(x.request), lines(started+"\n"+x.events+"\n"+finished))
			same(t, runsOf(s)[0]["states"], x.want)
			states := runsOf(s)[0]["states"].([]any)
			assert.DeepEqual(t, s.State(), states[len(states)-1])
		})
	}
}

// Versions of a state that have most in common take little more memory than one.
func TestStatesShareWhatDidNotChange(t *testing.T) {
	s := Read([]byte(`{"state":{"big":[[1,2],{"a":1}],"n":0}}`), lines(started+`
		{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":1}]}`))
	states := runsOf(s)[0]["states"].([]any)
	a, b := states[0].(map[string]any)["big"].([]any), states[1].(map[string]any)["big"].([]any)
	assert.Assert(t, &a[0] == &b[0])
	s.Observe([]byte(`{"type":"STATE_SNAPSHOT","snapshot":{"big":[[1,2],{"a":1},3],"n":2}}`))
	a[1].(map[string]any)["seen"] = true
	c := runsOf(s)[0]["states"].([]any)[2].(map[string]any)["big"].([]any)
	assert.DeepEqual(t, c[1], map[string]any{"a": 1.0, "seen": true}) // an object of its own would not have it
}

func TestAnEchoStandsForARequestThatIsNotKnown(t *testing.T) {
	const stream = `{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"hi"}],"state":{"a":1}}}`
	s := Read(nil, lines(stream))
	same(t, runsOf(s)[0]["states"], `[{"a":1}]`)
	same(t, any(s.Messages()), `[{"id":"u","role":"user","content":"hi"}]`)
	for _, e := range lines(finished + `
		{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"threadId":"t","runId":"r2","messages":[],"state":{"b":1}}}`) {
		s.Observe(e)
	}
	same(t, s.State(), `{"a":1}`) // it was agreed before

	s = Read([]byte(`{"messages":[{"id":"u","role":"user","content":"hello"}],"state":{"b":1}}`), lines(stream))
	same(t, runsOf(s)[0]["states"], `[{"b":1}]`)
	same(t, any(s.Messages()), `[{"id":"u","role":"user","content":"hello"}]`)
}

func TestAnActivityIsOneItemWithWhatTheRunLeavesOfIt(t *testing.T) {
	for name, x := range map[string]struct{ events, want string }{
		"after the last patch": {`
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":{"steps":[]},"metadata":{"a":1,"b":1}}
			{"type":"CUSTOM","name":"a.b","value":1}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"PLAN2","patch":[{"op":"add","path":"/steps/-","value":"look"}],"metadata":{"b":2}}`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"PLAN2","content":{"steps":["look"]},"metadata":{"a":1,"b":2}},
			{"kind":"custom","name":"a.b","value":1}]`},
		"replaced, with another owner": {`
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"a":1},"subagentRunId":"s","metadata":{"a":1}}
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"B","content":{"b":1}}`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"B","content":{"b":1},"metadata":{"a":1}}]`},
		"left alone": {`
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"a":1},"subagentRunId":"s","replace":false}
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"B","content":{"b":1},"replace":false,"metadata":{"a":1}}`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"a":1},"owner":"s","metadata":{"a":1}}]`},
		"as it was where a patch does not apply": {`
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"a":1}}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"B","patch":[{"op":"remove","path":"/b"}]}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"C","patch":[{"op":"replace","path":"","value":1}]}
			{"type":"ACTIVITY_DELTA","messageId":"q","activityType":"C","patch":[]}`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"a":1}}]`},
		"beginning with a snapshot of messages": {`
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"p","role":"activity","activityType":"A","content":{"a":1},"subagentRunId":"s"}]}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"A","patch":[{"op":"add","path":"/b","value":2}]}`,
			`[{"kind":"snapshot","messages":[{"id":"p","role":"activity","activityType":"A","content":{"a":1},"subagentRunId":"s"}]},
			{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"a":1,"b":2},"owner":"s"}]`},
		"even if a snapshot dropped it and it was made anew": {`
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"a":1},"metadata":{"k":1}}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"q","role":"activity","activityType":"A","content":{}}]}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"A","patch":[]}
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"b":1},"replace":false}`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"b":1},"metadata":{"k":1}},
			{"kind":"snapshot","messages":[{"id":"q","role":"activity","activityType":"A","content":{}}]}]`},
		"with a snapshot of messages in between": {`
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"a":1}}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"p","role":"activity","activityType":"A","content":{"b":1}}]}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"A","patch":[{"op":"add","path":"/c","value":1}]}`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"b":1,"c":1}},
			{"kind":"snapshot","messages":[{"id":"p","role":"activity","activityType":"A","content":{"b":1}}]}]`},
	} {
		t.Run(name, func(t *testing.T) { same(t, itemsOf(oneRun(x.events)), x.want) })
	}
}

func TestALaterRunDoesNotChangeWhatARunLeftOfAnActivity(t *testing.T) {
	s := Read(nil, lines(started+`
		{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"n":1}}
		`+finished+`
		{"type":"RUN_STARTED","threadId":"t","runId":"r2"}
		{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"A","patch":[{"op":"replace","path":"/n","value":2}]}`))
	same(t, runsOf(s)[0]["items"], `[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"n":1}}]`)
	same(t, runsOf(s)[1]["items"], `[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"n":2}}]`)
}

func TestAPatchCannotCostMoreThanTheLimit(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	s := Read([]byte(`{"state":{"big":"`+big+`","n":0}}`), lines(started))
	for i := range 100 {
		s.Observe([]byte(`{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":` + string(rune('0'+i%10)) + `}]}`))
	}
	assert.ErrorContains(t, s.Err(), "add up to more than")
	assert.Assert(t, len(runsOf(s)[0]["states"].([]any)) < 100)
}

func TestAPatchCannotNestDeeperThanTheLimit(t *testing.T) {
	s := Read(nil, lines(started))
	for range 2 * maxDepth {
		s.Observe([]byte(`{"type":"STATE_DELTA","delta":[{"op":"copy","from":"","path":"/a"}]}`))
	}
	assert.ErrorContains(t, s.Err(), "deeper")
	assert.Equal(t, len(runsOf(s)[0]["states"].([]any)), maxDepth)
}

func TestAskingAgainCostsNothing(t *testing.T) {
	s := Read(nil, lines(started+`
		{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{"big":"`+strings.Repeat("x", 1<<20)+`"}}`))
	for range 2 * maxRead >> 20 {
		s.Meaning()
		view(t, s, "activities")
	}
	assert.NilError(t, s.Err())
}

func TestAMessageBelongsToWhoSaysItAndNotToACallThatNeededIt(t *testing.T) {
	s := Read(nil, lines(started+`
		{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"s"}
		{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"f","parentMessageId":"m","subagentRunId":"s"}
		{"type":"TEXT_MESSAGE_CHUNK","messageId":"c"}
		{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"u"}`))
	same(t, runsOf(s)[0]["items"], `[
		{"kind":"toolCall","id":"c","name":"f","arguments":"","owner":"s"},
		{"kind":"toolCall","id":"d","name":"f","arguments":"","owner":"s","parent":"m"},
		{"kind":"message","id":"c","role":"assistant","content":""},
		{"kind":"message","id":"m","role":"assistant","content":"","owner":"u"}]`)
}
