package script

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
	"pgregory.net/rapid"
)

const base = `{"threadId":"t","runId":"r","state":{"n":0},"messages":[
	{"id":"a0","role":"assistant","toolCalls":[{"id":"c0","type":"function","function":{"name":"f","arguments":""}}]}],
	"resume":[{"interruptId":"i","status":"resolved","payload":{"a/b":[1,null]}}]}`

func baseInput(t testing.TB) Input {
	t.Helper()
	in, err := ReadInput([]byte(base))
	assert.NilError(t, err)
	return in
}

func told(t testing.TB, text string) Meaning {
	t.Helper()
	s, err := Parse([]byte(text))
	assert.NilError(t, err)
	m, err := s.Means(baseInput(t))
	assert.NilError(t, err)
	return m
}

// plain is an order as JSON: an item is an object, a sequence a list, branches {"par":[…]}, and a sequence that the subject may
// put a span around {"span":{…},"seq":[…]}.
func (o Order) plain() any {
	switch {
	case o.Item != nil:
		return o.Item
	case o.Par != nil:
		return map[string]any{"par": plainAll(o.Par)}
	case o.Span != nil:
		return map[string]any{"span": o.Span, "seq": plainAll(o.Seq)}
	}
	return plainAll(o.Seq)
}

func plainAll(all []Order) []any {
	out := []any{}
	for _, o := range all {
		out = append(out, o.plain())
	}
	return out
}

// same compares a value with JSON; an ID is a string there.
func same(t testing.TB, got any, want string) {
	t.Helper()
	var w, g any
	assert.NilError(t, json.Unmarshal([]byte(want), &w), want)
	text, err := json.Marshal(got)
	assert.NilError(t, err)
	assert.NilError(t, json.Unmarshal(text, &g))
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("- want + got\n%s", diff)
	}
}

func TestWhatActionsSay(t *testing.T) {
	for _, c := range []struct{ name, script, items string }{
		{"nothing", `[]`, `[]`},
		{
			"a text, joined, with its defaults", `[{"text":{"id":"m","stream":["Hel","","lo"]}}]`,
			`{"kind":"message","id":"m","role":"assistant","content":"Hello"}`,
		},
		{
			"all members of a text", `[{"text":{"id":"m","stream":[],"role":"user","name":"","form":"events","metadata":{"k":null},"encryptedValue":""}}]`,
			`{"kind":"message","id":"m","role":"user","name":"","content":"","metadata":{"k":null},"encryptedValue":""}`,
		},
		{
			"one item for each opening", `[{"text":{"id":"m","stream":["a"],"metadata":{"k":1}}},{"text":{"id":"m","stream":["b"]}}]`,
			`[{"kind":"message","id":"m","role":"assistant","content":"a","metadata":{"k":1}},{"kind":"message","id":"m","role":"assistant","content":"b"}]`,
		},
		{
			"what is nested follows the opening",
			`[{"text":{"id":"m","stream":["a",{"toolCall":{"id":"c","name":"f","parent":"m","stream":["{",{"custom":{"name":"x","value":null}},"}"],"encryptedValue":"e"}},"b"]}}]`,
			`[{"kind":"message","id":"m","role":"assistant","content":"ab"},
			 [{"kind":"toolCall","id":"c","name":"f","parent":"m","arguments":"{}","encryptedValue":"e"},{"kind":"custom","name":"x","value":null}]]`,
		},
		{
			"a result", `[{"toolCall":{"id":"c","name":"f","stream":[]}},{"toolResult":{"id":"t","call":"c","content":[{"type":"text","text":"1"}],"metadata":{}}}]`,
			`[{"kind":"toolCall","id":"c","name":"f","arguments":""},
			 {"kind":"message","id":"t","role":"tool","toolCallId":"c","content":[{"type":"text","text":"1"}],"metadata":{}}]`,
		},
		{
			"reasoning in its span", `[{"reasoning":{"span":"s","messages":[{"id":"a","stream":["1",{"raw":{"event":1,"source":"x"}}],"encryptedValue":"e","metadata":{"k":1}},{"id":"b","stream":[]}]}}]`,
			`[{"kind":"span","id":"s"},
			 [{"kind":"message","id":"a","role":"reasoning","content":"1","encryptedValue":"e","metadata":{"k":1}},{"kind":"raw","event":1,"source":"x"}],
			 {"kind":"message","id":"b","role":"reasoning","content":""},{"kind":"spanEnd","id":"s"}]`,
		},
		{
			"reasoning that may get a span", `[{"subagent":{"id":"s","name":"S","announce":false,"do":[{"reasoning":{"messages":[{"id":"a","stream":[]}]}}]}}]`,
			`{"span":{"kind":"span","owner":"s"},"seq":[{"kind":"message","id":"a","role":"reasoning","content":"","owner":"s"}]}`,
		},
		{
			"a step has an end", `[{"step":{"name":"p","do":[{"step":{"name":"q","do":[]}}]}}]`,
			`[{"kind":"step","name":"p"},[{"kind":"step","name":"q"},{"kind":"stepEnd","name":"q"}],{"kind":"stepEnd","name":"p"}]`,
		},
		{
			"branches that say something", `[{"parallel":{"branches":[[{"custom":{"name":"x","value":1}}],[{"gate":{"name":"g"}}],[{"custom":{"name":"y","value":2}},{"custom":{"name":"z","value":3}}]]}}]`,
			`{"par":[{"kind":"custom","name":"x","value":1},[{"kind":"custom","name":"y","value":2},{"kind":"custom","name":"z","value":3}]]}`,
		},
		{
			"a gate says nothing", `[{"gate":{"name":"g"}}]`, `[]`,
		},
		{
			"subagents own what is inside, and name the announced one around them",
			`[{"subagent":{"id":"s","name":"S","description":"d","do":[{"subagent":{"id":"u","name":"U","announce":false,"do":[
				{"text":{"id":"m","stream":[]}},{"subagent":{"id":"v","name":"V","parentMessage":"m","do":[{"step":{"name":"p","do":[]}}],"end":{"success":{"result":false}}}}]}}]}},
			  {"custom":{"name":"x","value":1}}]`,
			`[[{"kind":"subagent","id":"s","name":"S","description":"d"},
			   [{"kind":"message","id":"m","role":"assistant","content":"","owner":"u"},
			    [{"kind":"subagent","id":"v","name":"V","parent":"s","parentMessageId":"m"},
			     [{"kind":"step","name":"p","owner":"v"},{"kind":"stepEnd","name":"p","owner":"v"}],
			     {"kind":"subagentEnd","id":"v","outcome":"success","result":false}]],
			   {"kind":"subagentEnd","id":"s","outcome":"success"}],
			  {"kind":"custom","name":"x","value":1}]`,
		},
		{
			"how subagents end",
			`[{"toolCall":{"id":"c","name":"f","stream":[]}},
			  {"subagent":{"id":"s","name":"S","parentToolCall":"c","do":[],"end":{"suspended":{"interrupts":["i"]}}}},
			  {"subagent":{"id":"u","name":"U","do":[],"end":{"error":{"message":"no","code":"E"}}}}]`,
			`[{"kind":"toolCall","id":"c","name":"f","arguments":""},
			  [{"kind":"subagent","id":"s","name":"S","parentToolCallId":"c"},{"kind":"subagentEnd","id":"s","outcome":"suspended","interruptIds":["i"]}],
			  [{"kind":"subagent","id":"u","name":"U"},{"kind":"subagentEnd","id":"u","outcome":"error","message":"no","code":"E"}]]`,
		},
		{
			"an activity is said once a run, as it is at its end",
			`[{"activity":{"id":"p","type":"A","content":{"n":1},"metadata":{"k":1}}},{"custom":{"name":"x","value":1}},
			  {"activityDelta":{"id":"p","type":"B","patch":[{"op":"replace","path":"/n","value":2}]}},
			  {"activity":{"id":"p","type":"C","content":{"n":3},"replace":false,"metadata":{"l":2}}}]`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"B","content":{"n":2},"metadata":{"k":1,"l":2}},{"kind":"custom","name":"x","value":1}]`,
		},
		{
			"a snapshot says activities anew",
			`[{"activity":{"id":"p","type":"A","content":{"n":1}}},{"messagesSnapshot":{"messages":[{"id":"p","role":"activity","activityType":"A","content":{"n":5}}]}},
			  {"activityDelta":{"id":"p","type":"A","patch":[{"op":"add","path":"/m","value":6}]}}]`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"n":5,"m":6}},
			  {"kind":"snapshot","messages":[{"id":"p","role":"activity","activityType":"A","content":{"n":5}}]}]`,
		},
		{
			"an activity that a snapshot left out and that is said again is one item",
			`[{"activity":{"id":"p","type":"A","content":{"n":1}}},{"messagesSnapshot":{"messages":[{"id":"q","role":"activity","activityType":"A","content":{}}]}},
			  {"activity":{"id":"p","type":"A","content":{"n":2}}}]`,
			`[{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"n":2}},
			  {"kind":"snapshot","messages":[{"id":"q","role":"activity","activityType":"A","content":{}}]}]`,
		},
		{
			"echoes of the input",
			`[{"echo":{"pointer":"/resume/0/payload/a~1b/1"}},{"echo":{"pointer":"/resume/01"}},{"echo":{"pointer":"/state"}},{"echo":{"pointer":"/resume/-"}}]`,
			`[{"kind":"custom","name":"conformance.echo","value":{"present":true,"value":null}},{"kind":"custom","name":"conformance.echo","value":{"present":false}},
			  {"kind":"custom","name":"conformance.echo","value":{"present":true,"value":{"n":0}}},{"kind":"custom","name":"conformance.echo","value":{"present":false}}]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := told(t, c.script)
			assert.Equal(t, len(m.Runs), 1)
			same(t, m.Runs[0].Items.plain(), c.items)
			assert.Equal(t, m.Runs[0].Outcome, Success)
		})
	}
}

func TestWhatEmittedEventsSay(t *testing.T) {
	for _, c := range []struct{ name, events, items string }{
		{"CUSTOM", `{"type":"CUSTOM","name":"x","value":null,"subagentRunId":"u"}`, `{"kind":"custom","name":"x","value":null,"owner":"u"}`},
		{"RAW", `{"type":"RAW","event":1,"source":"s"}`, `{"kind":"raw","event":1,"source":"s"}`},
		{
			"TOOL_CALL_RESULT", `{"type":"TOOL_CALL_RESULT","messageId":"t","toolCallId":"c0","content":"1","metadata":{"k":1}}`,
			`{"kind":"message","id":"t","role":"tool","toolCallId":"c0","content":"1","metadata":{"k":1}}`,
		},
		{
			"MESSAGES_SNAPSHOT", `{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"hi"}]}`,
			`{"kind":"snapshot","messages":[{"id":"u","role":"user","content":"hi"}]}`,
		},
		{
			"ACTIVITY_SNAPSHOT, ACTIVITY_DELTA",
			`{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{}},{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"A","patch":[{"op":"add","path":"/n","value":1}]}`,
			`{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"n":1}}`,
		},
		{
			"TEXT_MESSAGE_*, REASONING_ENCRYPTED_VALUE",
			`{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user","name":"N"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"},
			 {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b","metadata":{"k":1}},{"type":"TEXT_MESSAGE_END","messageId":"m"},
			 {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedValue":"e"}`,
			`{"kind":"message","id":"m","role":"user","name":"N","content":"ab","metadata":{"k":1},"encryptedValue":"e"}`,
		},
		{
			"TOOL_CALL_*",
			`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"},{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"},
			 {"type":"TOOL_CALL_END","toolCallId":"c"},{"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c","encryptedValue":"e"}`,
			`{"kind":"toolCall","id":"c","name":"f","parent":"m","arguments":"{}","encryptedValue":"e"}`,
		},
		{
			"REASONING_*",
			`{"type":"REASONING_START","messageId":"s"},{"type":"REASONING_MESSAGE_START","messageId":"a","role":"reasoning","subagentRunId":"u"},
			 {"type":"REASONING_MESSAGE_CONTENT","messageId":"a","delta":"1"},{"type":"REASONING_MESSAGE_END","messageId":"a"},{"type":"REASONING_END","messageId":"s"}`,
			`[{"kind":"span","id":"s"},{"kind":"message","id":"a","role":"reasoning","content":"1","owner":"u"},{"kind":"spanEnd","id":"s"}]`,
		},
		{
			"STEP_*, SUBAGENT_*",
			`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"},{"type":"STEP_STARTED","stepName":"p","subagentRunId":"s"},{"type":"STEP_FINISHED","stepName":"p","subagentRunId":"s"},
			 {"type":"SUBAGENT_STARTED","subagentRunId":"t","name":"T","parentSubagentRunId":"s","parentToolCallId":"c0","parentMessageId":"a0","description":"d"},
			 {"type":"SUBAGENT_ERROR","subagentRunId":"t","message":"no","code":"E"},
			 {"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"suspended","interruptIds":["i"]}}`,
			`[{"kind":"subagent","id":"s","name":"S"},{"kind":"step","name":"p","owner":"s"},{"kind":"stepEnd","name":"p","owner":"s"},
			  {"kind":"subagent","id":"t","name":"T","parent":"s","parentToolCallId":"c0","parentMessageId":"a0","description":"d"},
			  {"kind":"subagentEnd","id":"t","outcome":"error","message":"no","code":"E"},
			  {"kind":"subagentEnd","id":"s","outcome":"suspended","interruptIds":["i"]}]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Script{}
			for _, e := range elements(jsontext.Value("[" + c.events + "]")) {
				s = append(s, Action{Emit: &Emit{Event: e}})
			}
			m, err := Script{{Subagent: &Subagent{ID: "around", Announce: new(bool), Do: s}}}.Means(baseInput(t))
			assert.NilError(t, err)
			same(t, m.Runs[0].Items.plain(), c.items)
			assert.Equal(t, m.Runs[0].Outcome, Success, "what surrounds an emit does not own it, and the event is legal")
		})
	}
}

func TestWhatAnEmitNamesIsAnID(t *testing.T) {
	m := told(t, `[{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"t","toolCallId":"c0","content":"1","subagentRunId":"u"}}}]`)
	item := m.Runs[0].Items.Item
	assert.DeepEqual(t, item, map[string]any{
		"kind": "message", "id": ID("t"), "role": "tool", "toolCallId": ID("c0"), "content": "1", "owner": ID("u"),
	})
}

func TestTheStateTakesValuesOneAfterTheOther(t *testing.T) {
	m := told(t, `[
		{"stateSnapshot":{"snapshot":{"n":0}}},
		{"stateDelta":{"patch":[{"op":"add","path":"/a","value":[1]},{"op":"move","from":"/n","path":"/m"}]}},
		{"subagent":{"id":"s","name":"S","do":[{"stateDelta":{"patch":[]}},{"stateSnapshot":{"snapshot":null}}]}},
		{"emit":{"event":{"type":"STATE_SNAPSHOT","snapshot":0}}},{"emit":{"event":{"type":"STATE_DELTA","delta":[{"op":"replace","path":"","value":1}]}}}]`)
	same(t, m.Runs[0].States, `[{"n":0},{"a":[1],"m":0},null,0,1]`)
}

func TestRepliesBeginWithRunsOfTheThread(t *testing.T) {
	m := told(t, `[
		{"replay":{"run":"r0","do":[{"stateSnapshot":{"snapshot":1}},{"activity":{"id":"p","type":"A","content":{"n":1},"metadata":{"k":1}}}]}},
		{"replay":{"run":"r1","do":[{"custom":{"name":"x","value":1}}],"error":{"message":"no"}}},
		{"activityDelta":{"id":"p","type":"A","patch":[{"op":"add","path":"/m","value":2}]}},{"stateSnapshot":{"snapshot":2}}]`)
	assert.Equal(t, len(m.Runs), 3)
	same(t, m.Runs[0].States, `[{"n":0},1]`)
	same(t, m.Runs[0].Items.plain(), `{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"n":1},"metadata":{"k":1}}`)
	same(t, m.Runs[0].Free, `{"usage":true,"pending":true}`)
	assert.Equal(t, m.Runs[1].ID, "r1")
	assert.Equal(t, m.Runs[1].Outcome, Failed)
	same(t, m.Runs[1].Fields, `{"message":"no"}`)
	assert.Equal(t, m.Runs[2].ID, "r")
	same(t, m.Runs[2].Items.plain(), `{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"n":1,"m":2}}`)
	same(t, m.Runs[2].States, `[1,2]`)
	same(t, m.Messages, `[{"id":"a0","role":"assistant","toolCalls":[{"id":"c0","type":"function","function":{"name":"f","arguments":""}}]}]`)
}

func TestHowRunsEnd(t *testing.T) {
	for _, c := range []struct{ name, script, outcome, fields, free string }{
		{"by themselves", `[]`, Success, `{}`, `{"usage":true,"pending":true}`},
		{
			"finish", `[{"finish":{"result":0,"pending":["a","b"],"usage":[{"model":"x"}]}}]`, Success, `{"result":0,"pending":["a","b"],"usage":[{"model":"x"}]}`, `{}`,
		},
		{"finish without naming", `[{"finish":{}}]`, Success, `{}`, `{"usage":true,"pending":true}`},
		{
			"interrupt", `[{"interrupt":{"interrupts":[{"id":"i","reason":"x"}]}}]`, Interrupted, `{"interrupts":[{"id":"i","reason":"x"}]}`, `{"usage":true}`,
		},
		{"cancel", `[{"cancel":{"usage":[{"model":"x"}]}}]`, Cancelled, `{"usage":[{"model":"x"}]}`, `{}`},
		{"fail", `[{"fail":{"message":"no"}}]`, Failed, `{"message":"no"}`, `{"usage":true,"code":true}`},
		{"fail with a code", `[{"fail":{"message":"no","code":"","usage":[{"model":"x"}]}}]`, Failed, `{"message":"no","code":"","usage":[{"model":"x"}]}`, `{}`},
		{"panic", `[{"panic":{"message":"boom"}}]`, Failed, `{}`, `{"usage":true,"code":true,"message":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := told(t, c.script).Runs[0]
			assert.Equal(t, r.Outcome, c.outcome)
			assert.Equal(t, r.ID, "r")
			same(t, r.Fields, c.fields)
			same(t, r.Free, c.free)
		})
	}
}

func TestAnEarlyFailureIsARunThatNeverStarts(t *testing.T) {
	m := told(t, `[{"fail":{"message":"no","early":true}}]`)
	assert.Equal(t, len(m.Runs), 1)
	assert.Equal(t, m.Runs[0].ID, "")
	assert.Equal(t, m.Runs[0].Outcome, Failed)
	assert.Equal(t, len(m.Runs[0].States), 0)
}

func TestAFailureLeavesOpenWhatIsOpenAndNothingFollows(t *testing.T) {
	for _, end := range []string{`{"fail":{"message":"no"}}`, `{"panic":{"message":"no"}}`, `{"emit":{"event":{"type":"STEP_FINISHED","stepName":"q"}}}`} {
		m := told(t, `[{"subagent":{"id":"s","name":"S","do":[{"step":{"name":"p","do":[{"reasoning":{"span":"t","messages":[
			{"id":"a","stream":["1",{"toolCall":{"id":"c","name":"f","stream":["{",`+end+`,"}"],"encryptedValue":"e"}},"2"],"encryptedValue":"e"},
			{"id":"b","stream":[]}]}},{"custom":{"name":"x","value":1}}]}},{"custom":{"name":"y","value":1}}]}},
			{"stateSnapshot":{"snapshot":9}},{"finish":{"result":1}}]`)
		same(t, m.Runs[0].Items.plain(), `[{"kind":"subagent","id":"s","name":"S"},[{"kind":"step","name":"p","owner":"s"},[{"kind":"span","id":"t","owner":"s"},
			[{"kind":"message","id":"a","role":"reasoning","content":"1","owner":"s"},{"kind":"toolCall","id":"c","name":"f","arguments":"{","owner":"s"}]]]]`)
		assert.Equal(t, m.Runs[0].Outcome, Failed)
		same(t, m.Runs[0].States, `[{"n":0}]`)
	}
}

// Each case is events of which a guard refuses the last one, and nothing before it.
func TestAnIllegalEmitEndsTheRunWithAnError(t *testing.T) {
	for _, c := range []struct{ name, events string }{
		{"no type", `{}`},
		{"no event", `1`},
		{"unknown type", `{"type":"NOTHING"}`},
		{"retired type", `{"type":"THINKING_START"}`},
		{"member missing", `{"type":"CUSTOM","name":"x"}`},
		{"member unknown", `{"type":"CUSTOM","name":"x","value":1,"more":1}`},
		{"null", `{"type":"CUSTOM","name":"x","value":1,"metadata":null}`},
		{"another type of value", `{"type":"CUSTOM","name":1,"value":1}`},
		{"another role", `{"type":"TEXT_MESSAGE_START","messageId":"m","role":"tool"}`},
		{"end of what is not open", `{"type":"TEXT_MESSAGE_END","messageId":"m"}`},
		{"content of another kind", `{"type":"REASONING_START","messageId":"m"},{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":""}`},
		{"open already", `{"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"TEXT_MESSAGE_START","messageId":"m"}`},
		{"step of another owner", `{"type":"STEP_STARTED","stepName":"p"},{"type":"STEP_FINISHED","stepName":"p","subagentRunId":"u"}`},
		{"subagent twice", `{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"},{"type":"SUBAGENT_FINISHED","subagentRunId":"s"},{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}`},
		{"subagent of nobody", `{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S","parentSubagentRunId":"u"}`},
		{"content of another owner", `{"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","subagentRunId":"u"}`},
		{"call of another owner", `{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"u"},{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m","subagentRunId":"v"}`},
		{"activity of another owner", `{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{}},{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"A","patch":[],"subagentRunId":"u"}`},
		{"secret of another owner", `{"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedValue":"","subagentRunId":"u"}`},
		{"result of nothing", `{"type":"TOOL_CALL_RESULT","messageId":"t","toolCallId":"c9","content":""}`},
		{"result of what is open", `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"},{"type":"TOOL_CALL_RESULT","messageId":"t","toolCallId":"c","content":""}`},
		{"a run in a run", `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`},
		{"an end too early", `{"type":"STEP_STARTED","stepName":"p"},{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := elements(jsontext.Value("[" + c.events + "]"))
			s := Script{}
			for i, e := range events {
				m, err := s.Means(baseInput(t))
				assert.NilError(t, err)
				assert.Equal(t, m.Runs[0].Outcome, Success, "event %d", i)
				s = append(s, Action{Emit: &Emit{Event: e}})
			}
			before, err := s[:len(s)-1].Means(baseInput(t))
			assert.NilError(t, err)
			m, err := append(s, Action{Custom: &Custom{Name: "x", Value: jsontext.Value("1")}}).Means(baseInput(t))
			assert.NilError(t, err)
			r := m.Runs[0]
			assert.Equal(t, r.Outcome, Failed)
			same(t, r.Free, `{"usage":true,"code":true,"message":true}`)
			assert.DeepEqual(t, r.Items.plain(), before.Runs[0].Items.plain())
		})
	}
}

func TestWhichCallsAResultMayAnswer(t *testing.T) {
	result := `{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"t","toolCallId":"c","content":""}}}`
	listed := `{"messagesSnapshot":{"messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]}]}}`
	call := `{"toolCall":{"id":"c","name":"f","stream":[]}}`
	for script, outcome := range map[string]string{
		"[" + call + "," + result + "]":                                  Success,
		"[" + listed + "," + result + "]":                                Success,
		`[{"replay":{"run":"r0","do":[` + call + "]}}," + result + "]":   Failed,
		`[{"replay":{"run":"r0","do":[` + listed + "]}}," + result + "]": Failed,
	} {
		m := told(t, script)
		assert.Equal(t, m.Runs[len(m.Runs)-1].Outcome, outcome, script)
	}
}

func TestScriptsThatCannotBePlayed(t *testing.T) {
	for _, c := range []struct{ script, err string }{
		{`[{"stateDelta":{"patch":[{"op":"remove","path":"/x"}]}}]`, "script: the state's patch: operation 0: there is no such place"},
		{`[{"activityDelta":{"id":"p","type":"A","patch":[]}}]`, `script: a patch for the activity "p", which is unknown`},
		{
			`[{"activity":{"id":"p","type":"A","content":{}}},{"activityDelta":{"id":"p","type":"A","patch":[{"op":"replace","path":"","value":1}]}}]`,
			`script: the patch for the activity "p" leaves no object`,
		},
		{`[{"parallel":{"branches":[[{"fail":{"message":"no"}}],[]]}}]`, "script: an end inside parallel"},
		{`[{"parallel":{"branches":[[{"emit":{"event":{"type":"TEXT_MESSAGE_END","messageId":"m"}}}],[]]}}]`, "script: an end inside parallel"},
		{`[{"gate":{"name":"g"}},{"replay":{"run":"r0","do":[]}}]`, "script: a replay that is not at the beginning"},
		{`[{"emit":{"event":{"type":"RUN_ERROR","message":"no"}}}]`, "script: RUN_ERROR is not for emit"},
		{`[{"emit":{"event":{"type":"RUN_FINISHED","threadId":"t","runId":"r"}}}]`, "script: RUN_FINISHED is not for emit"},
		{`[{"emit":{"event":{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}}}]`, "script: TEXT_MESSAGE_CHUNK is not for emit"},
	} {
		s, err := Parse([]byte(c.script))
		assert.NilError(t, err)
		_, err = s.Means(baseInput(t))
		assert.Error(t, err, c.err)
	}
	for _, broken := range []Script{{{}}, {{Echo: &Echo{Pointer: "x"}}}, {{Custom: &Custom{Name: "x"}}}, {{Emit: &Emit{Event: jsontext.Value("{")}}}} {
		_, err := broken.Means(Input{})
		assert.Assert(t, err != nil, "what Parse would not have let in is an error, not a panic")
	}
}

func TestLegalScriptsMeanSomething(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Legal(Knobs{Input: Input{}}).Draw(t, "script")
		m, err := s.Means(Input{})
		assert.NilError(t, err)
		for _, r := range m.Runs {
			assert.Assert(t, r.Outcome != "")
			for i := range r.States[min(1, len(r.States)):] {
				assert.Assert(t, !equal(r.States[i], r.States[i+1]), "neighbours are equal")
			}
		}
		again, err := s.Means(Input{})
		assert.NilError(t, err)
		assert.DeepEqual(t, m, again)
	})
}
