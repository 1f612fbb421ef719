package faithful

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier/agui/materialise"
)

// compare compares a script with a stream, one event a line; boundary events that are not there are added.
func compare(t *testing.T, names *Names, actions, stream string) *Difference {
	t.Helper()
	return compareTo(t, names, request, actions, stream)
}

func compareTo(t *testing.T, names *Names, request, actions, stream string) *Difference {
	t.Helper()
	s, err := script.Parse([]byte(actions))
	assert.NilError(t, err)
	e := example{script: s, events: [][]byte{[]byte(`{"type":"RUN_STARTED","threadId":"t","runId":"r"}`)}}
	for line := range strings.Lines(stream) {
		if line = strings.TrimSpace(line); line != "" {
			e.events = append(e.events, []byte(line))
		}
	}
	e = e.whole()
	return Compare(means(t, s, request), materialise.Read([]byte(request), e.events).Meaning(), names)
}

// hi is a text message, in events.
const hi = `
{"type":"TEXT_MESSAGE_START","messageId":"m1"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hi"}
{"type":"TEXT_MESSAGE_END","messageId":"m1"}
`

// call is a tool call, in events.
const call = `
{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"f"}
{"type":"TOOL_CALL_END","toolCallId":"c1"}
`

// Each case is a script with a stream that is faithful, and one just beyond that is not, with what is said about it.
var allowances = []struct {
	name, script, faithful, not, differs string
}{
	{
		"1 deltas are cut otherwise", `[{"text":{"id":"m1","stream":["Hel","","lo"]}}]`,
		`{"type":"TEXT_MESSAGE_START","messageId":"m1"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"H"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"ello"}
		{"type":"TEXT_MESSAGE_END","messageId":"m1"}`,
		`{"type":"TEXT_MESSAGE_START","messageId":"m1"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hel"}
		{"type":"TEXT_MESSAGE_END","messageId":"m1"}`,
		`the text message m1 says "Hel", the script "Hello"`,
	},
	{
		"2 chunks where no form is asked for", `[{"text":{"id":"m1","stream":["a","b"]}},{"toolCall":{"id":"c1","name":"f","stream":["{}"]}}]`,
		`{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"a"}
		{"type":"TEXT_MESSAGE_CHUNK","delta":"b"}
		{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"f","delta":"{}"}`,
		`{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"a"}
		{"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"b"}
		{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"f","delta":"{}"}`,
		`the text message m1 says "a", the script "ab"`,
	},
	{
		"3 timestamps, raw events, more metadata",
		`[{"text":{"id":"m1","stream":["hi"],"metadata":{"k":1}}}]`,
		`{"type":"TEXT_MESSAGE_START","messageId":"m1","timestamp":1,"rawEvent":{},"metadata":{"k":1,"more":2}}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hi"}
		{"type":"TEXT_MESSAGE_END","messageId":"m1"}`,
		`{"type":"TEXT_MESSAGE_START","messageId":"m1","metadata":{"k":2,"more":2}}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hi"}
		{"type":"TEXT_MESSAGE_END","messageId":"m1"}`,
		`the text message m1 has metadata {"k":2,"more":2}, the script {"k":1}`,
	},
	{
		"3 metadata of interrupts and of messages in a snapshot",
		`[{"messagesSnapshot":{"messages":[{"id":"u","role":"user","content":"hi"}]}},{"interrupt":{"interrupts":[{"id":"i1","reason":"x"}]}}]`,
		`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"hi","metadata":{"a":1}}]}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"x","metadata":{"a":1}}]}}`,
		`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"hi","metadata":{"a":1}}]}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"x","message":"?"}]}}`,
		`the run r ends with interrupts [{"id":"i1","message":"?","reason":"x"}], the script's with [{"id":"i1","reason":"x"}]`,
	},
	{
		"3 more RAW, but none less", `[{"raw":{"event":1}},{"text":{"id":"m1","stream":["hi"]}}]`,
		`{"type":"RAW","event":0}
		{"type":"RAW","event":1}` + hi + `{"type":"RAW","event":2}`,
		`{"type":"RAW","event":0}` + hi + `{"type":"RAW","event":1}`,
		`the RAW event 1 comes too late, behind the text message m1`,
	},
	{
		"3 usage where the script has none", `[{"text":{"id":"m1","stream":["hi"]}}]`,
		hi + `{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":1}]}`,
		hi + `{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":1}],"result":1}`,
		`the run r has result 1, the script's none`,
	},
	{
		"3 not other usage", `[{"finish":{"usage":[{"inputTokens":1}]}}]`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":1}]}`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":2}]}`,
		`the run r has usage [{"inputTokens":2}], the script's [{"inputTokens":1}]`,
	},
	{
		"4 continuations need no tag", `[{"subagent":{"id":"s","name":"S","announce":false,"do":[{"text":{"id":"m1","stream":["hi"]}}]}}]`,
		`{"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"s"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"h"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"i","subagentRunId":"s"}
		{"type":"TEXT_MESSAGE_END","messageId":"m1"}`,
		hi, `the text message m1 belongs to the parent agent, in the script to the subagent s`,
	},
	{
		"5 a parent that the script does not name", `[{"text":{"id":"m1","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","stream":[]}}]`,
		hi + strings.Replace(call, `"f"`, `"f","parentMessageId":"m1"`, 1),
		hi + strings.Replace(call, `"f"`, `"g","parentMessageId":"m1"`, 1),
		`the tool call c1 has name "g", the script "f"`,
	},
	{
		"5 not another parent", `[{"text":{"id":"m1","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","parent":"m1","stream":[]}}]`,
		hi + strings.Replace(call, `"f"`, `"f","parentMessageId":"m1"`, 1),
		hi + strings.Replace(call, `"f"`, `"f","parentMessageId":"m0"`, 1),
		`the tool call c1 has parent "m0", the script "m1"`,
	},
	{
		"5 not no parent", `[{"text":{"id":"m1","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","parent":"m1","stream":[]}}]`,
		hi + strings.Replace(call, `"f"`, `"f","parentMessageId":"m1"`, 1),
		hi + call,
		`the tool call c1 has no parent, the script "m1"`,
	},
	{
		"6 state by snapshot or patch, and restated",
		`[{"stateSnapshot":{"snapshot":{"a":1}}},{"stateDelta":{"patch":[{"op":"add","path":"/b","value":2}]}}]`,
		`{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":0}]}
		{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/a","value":1}]}
		{"type":"STATE_SNAPSHOT","snapshot":{"b":2,"a":1}}
		{"type":"STATE_SNAPSHOT","snapshot":{"a":1,"b":2}}`,
		`{"type":"STATE_SNAPSHOT","snapshot":{"a":1,"b":2}}`,
		`the run r never has the state {"a":1} after {}`,
	},
	{
		"6 the last state is the last", `[{"stateSnapshot":{"snapshot":1}}]`,
		`{"type":"STATE_SNAPSHOT","snapshot":1}`,
		`{"type":"STATE_SNAPSHOT","snapshot":1}
		{"type":"STATE_SNAPSHOT","snapshot":null}`,
		`the run r ends with the state null, the script's with 1`,
	},
	{
		"6 messages restated", `[{"text":{"id":"m1","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","stream":[]}}]`,
		`{"type":"MESSAGES_SNAPSHOT","messages":[]}` + hi + call +
			`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"assistant","content":"hi"},{"id":"x","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}]}`,
		hi + call +
			`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"assistant","content":"hi!"},{"id":"x","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}]}`,
		`the snapshot of messages is not in the script`,
	},
	{
		"6 no message left out", `[{"text":{"id":"m1","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","parent":"m1","stream":[]}}]`,
		hi + strings.Replace(call, `"f"`, `"f","parentMessageId":"m1"`, 1) +
			`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"assistant","content":"hi","toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}]}`,
		hi + strings.Replace(call, `"f"`, `"f","parentMessageId":"m1"`, 1) +
			`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"assistant","content":"hi"}]}`,
		`the snapshot of messages is not in the script`,
	},
	{
		"7 a span where the script has none", `[{"reasoning":{"messages":[{"id":"a","stream":["1"]},{"id":"b","stream":["2"]}]}},{"text":{"id":"m1","stream":["hi"]}}]`,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"b","delta":"2"}
		{"type":"REASONING_END","messageId":"s"}` + hi,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_END","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"b","delta":"2"}` + hi,
		`a span is missing before the reasoning message b`,
	},
	{
		"7 a span around each message", `[{"reasoning":{"messages":[{"id":"a","stream":["1"]},{"id":"b","stream":["2"]}]}}]`,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_END","messageId":"s"}
		{"type":"REASONING_START","messageId":"s2"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"b","delta":"2"}
		{"type":"REASONING_END","messageId":"s2"}`,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_END","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"b","delta":"2"}`,
		`the end of the span s comes too early, before the reasoning message a`,
	},
	{
		"7 a span that a failure leaves open", `[{"reasoning":{"messages":[{"id":"a","stream":["1",{"fail":{"message":"no"}}]}]}}]`,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"RUN_ERROR","message":"no"}`,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_START","messageId":"s2"}
		{"type":"RUN_ERROR","message":"no"}`,
		`the span s2 is not in the script`,
	},
	{
		"7 not a second span", `[{"reasoning":{"span":"s","messages":[{"id":"a","stream":["1"]}]}}]`,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_END","messageId":"s"}`,
		`{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_START","messageId":"s2"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_END","messageId":"s2"}
		{"type":"REASONING_END","messageId":"s"}`,
		`the span s2 is not in the script`,
	},
	{
		"8 outcome and pending unasked", `[{"toolCall":{"id":"c1","name":"f","stream":[]}}]`,
		call + `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","pendingToolCallIds":["c1"]}}`,
		call + `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","pendingToolCallIds":["c2"]}}`,
		`the run r names as pending ["c2"]; without results are ["c1"]`,
	},
	{
		"8 not another outcome", `[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"finish":{"pending":["c1"]}}]`,
		call + `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","pendingToolCallIds":["c1"]}}`,
		call + `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}`,
		`the run r ends as cancelled, the script's as success`,
	},
	{
		"9 what is open is closed before an error",
		`[{"subagent":{"id":"s","name":"S","do":[{"step":{"name":"p","do":[{"fail":{"message":"no"}}]}}]}}]`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"STEP_STARTED","stepName":"p","subagentRunId":"s"}
		{"type":"STEP_FINISHED","stepName":"p","subagentRunId":"s"}
		{"type":"SUBAGENT_ERROR","subagentRunId":"s","message":"no"}
		{"type":"RUN_ERROR","message":"no"}`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"STEP_STARTED","stepName":"p","subagentRunId":"s"}
		{"type":"STEP_FINISHED","stepName":"p","subagentRunId":"s"}
		{"type":"SUBAGENT_FINISHED","subagentRunId":"s","result":1}
		{"type":"RUN_ERROR","message":"no"}`,
		`the end of the subagent s is not in the script`,
	},
	{
		"9 not before all that was said", `[{"step":{"name":"p","do":[{"text":{"id":"m1","stream":["hi"]}},{"panic":{"message":"no"}}]}}]`,
		`{"type":"STEP_STARTED","stepName":"p"}` + hi + `{"type":"STEP_FINISHED","stepName":"p"}
		{"type":"RUN_ERROR","message":"no"}`,
		`{"type":"STEP_STARTED","stepName":"p"}
		{"type":"STEP_FINISHED","stepName":"p"}` + hi + `{"type":"RUN_ERROR","message":"no"}`,
		`the end of the step p is not in the script`,
	},
	{
		"9 only what is open", `[{"text":{"id":"m1","stream":["hi"]}},{"panic":{"message":"no"}}]`,
		hi + `{"type":"RUN_ERROR","message":"no"}`,
		hi + `{"type":"STEP_FINISHED","stepName":"p"}
		{"type":"RUN_ERROR","message":"no"}`,
		`the end of the step p is not in the script`,
	},
	{
		"10 code and message of a panic", `[{"panic":{"message":"boom"}}]`,
		`{"type":"RUN_ERROR","message":"internal error","code":"E"}`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`,
		`the run r ends as success, the script's as error`,
	},
	{
		"10 not the message of a failure", `[{"fail":{"message":"no"}}]`,
		`{"type":"RUN_ERROR","message":"no","code":"E"}`,
		`{"type":"RUN_ERROR","message":"No","code":"E"}`,
		`the run r has message "No", the script's "no"`,
	},
	{
		"10 not a code that the script has", `[{"fail":{"message":"no","code":"E1"}}]`,
		`{"type":"RUN_ERROR","message":"no","code":"E1"}`,
		`{"type":"RUN_ERROR","message":"no","code":"E2"}`,
		`the run r has code "E2", the script's "E1"`,
	},
	{
		"10 the code of a subagent", `[{"subagent":{"id":"s","name":"S","do":[],"end":{"error":{"message":"no"}}}}]`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"SUBAGENT_ERROR","subagentRunId":"s","message":"no","code":"E"}`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"SUBAGENT_ERROR","subagentRunId":"s","message":"No","code":"E"}`,
		`the end of the subagent s has message "No", the script "no"`,
	},
}

func TestASubjectMayDoWhatIsAllowedAndNothingBeyond(t *testing.T) {
	for _, c := range allowances {
		t.Run(c.name, func(t *testing.T) {
			if d := compare(t, NewNames(), c.script, c.faithful); d != nil {
				t.Fatalf("not faithful:\n%s", d)
			}
			d := compare(t, NewNames(), c.script, c.not)
			assert.Assert(t, d != nil, "what is beyond is not noticed")
			assert.Assert(t, !d.GaveUp)
			assert.Equal(t, d.Summary(), c.differs, d.String())
		})
	}
}

// unfaithful are streams that are not what the script says, and what is said about them.
var unfaithful = []struct {
	name, script, stream, differs string
}{
	{"a message more", `[{"text":{"id":"m1","stream":["hi"]}}]`, hi + strings.ReplaceAll(hi, "m1", "m2"), `the text message m2 is not in the script`},
	{"a message less", `[{"text":{"id":"m1","stream":["hi"]}},{"text":{"id":"m2","stream":["ho"]}}]`, hi, `the text message m2 is missing before the end of the run r`},
	{
		"a step more", `[{"text":{"id":"m1","stream":["hi"]}}]`,
		`{"type":"STEP_STARTED","stepName":"p"}` + hi + `{"type":"STEP_FINISHED","stepName":"p"}`, `the step p is not in the script`,
	},
	{"a step less", `[{"step":{"name":"p","do":[{"text":{"id":"m1","stream":["hi"]}}]}}]`, hi, `the step p is missing before the text message m1`},
	{
		"a step that ends too early", `[{"step":{"name":"p","do":[{"text":{"id":"m1","stream":["hi"]}}]}}]`,
		`{"type":"STEP_STARTED","stepName":"p"}
		{"type":"STEP_FINISHED","stepName":"p"}` + hi, `the text message m1 comes too late, behind the end of the step p`,
	},
	{"a CUSTOM more", `[{"text":{"id":"m1","stream":["hi"]}}]`, hi + `{"type":"CUSTOM","name":"x","value":1}`, `the CUSTOM event x is not in the script`},
	{"another CUSTOM", `[{"custom":{"name":"x","value":null}}]`, `{"type":"CUSTOM","name":"x","value":false}`, `the CUSTOM event x has value false, the script null`},
	{
		"a run more", `[{"text":{"id":"m1","stream":["hi"]}}]`,
		hi + `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}
		{"type":"RUN_STARTED","threadId":"t","runId":"r2"}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}`, `the stream has 2 runs, the script 1: the run r2 is not in the script`,
	},
	{"a run less", `[{"replay":{"run":"r0","do":[]}},{"text":{"id":"m1","stream":["hi"]}}]`, hi, `the stream has 1 run, the script 2: the text message m1 comes too early, before the end of the run r0`},
	{
		"another run", `[{"replay":{"run":"r0","do":[]}}]`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r"}
		{"type":"RUN_STARTED","threadId":"t","runId":"r0"}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r0"}`, `the run r0 has the id r on the stream`,
	},
	{
		"another order", `[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"text":{"id":"m1","stream":["hi"]}}]`, hi + call,
		`the tool call c1 comes too late, behind the text message m1`,
	},
	{
		"another order in a branch",
		`[{"parallel":{"branches":[[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"text":{"id":"m1","stream":["hi"]}}],[{"custom":{"name":"x","value":1}}]]}}]`,
		`{"type":"CUSTOM","name":"x","value":1}` + hi + call, `the tool call c1 comes too late, behind the text message m1`,
	},
	{
		"over the end of parallel",
		`[{"parallel":{"branches":[[{"custom":{"name":"x","value":1}}],[{"custom":{"name":"x","value":2}}]]}},{"text":{"id":"m1","stream":["hi"]}}]`,
		`{"type":"CUSTOM","name":"x","value":2}` + hi + `{"type":"CUSTOM","name":"x","value":1}`,
		`the CUSTOM event x comes too late, behind the text message m1`,
	},
	{"another role", `[{"text":{"id":"m1","role":"user","stream":["hi"]}}]`, hi, `the text message m1 has role "assistant", the script "user"`},
	{"another name", `[{"text":{"id":"m1","name":"Ann","stream":["hi"]}}]`, hi, `the text message m1 has no name, the script "Ann"`},
	{
		"a name unasked", `[{"text":{"id":"m1","stream":["hi"]}}]`, strings.Replace(hi, `"m1"`, `"m1","name":"Bob"`, 1),
		`the text message m1 has name "Bob", the script none`,
	},
	{"a text cut in two", `[{"text":{"id":"m1","stream":["hihi"]}}]`, hi + hi, `the text message m1 says "hi", the script "hihi"`},
	{"a text opened again", `[{"text":{"id":"m1","stream":["hi"]}}]`, hi + hi, `the text message m1 comes once more than in the script`},
	{
		"a text reopened as another", `[{"text":{"id":"m1","stream":["hi"]}},{"text":{"id":"m1","stream":["hi"]}}]`,
		hi + strings.ReplaceAll(hi, "m1", "m2"), `the text message m1 has id "m2" on the stream, not "m1"`,
	},
	{
		"two texts that are one", `[{"text":{"id":"m1","stream":["hi"]}},{"text":{"id":"m2","stream":["hi"]}}]`, hi + hi,
		`the text message m2 has id "m1" on the stream, which is m1 of the script`,
	},
	{
		"other arguments", `[{"toolCall":{"id":"c1","name":"f","stream":["{}"]}}]`, call, `the tool call c1 has arguments "", the script "{}"`,
	},
	{
		"another result", `[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"toolResult":{"id":"t1","call":"c1","content":"42"}}]`,
		call + `{"type":"TOOL_CALL_RESULT","messageId":"t1","toolCallId":"c1","content":[{"type":"text","text":"42"}]}`,
		`the tool result t1 says [{"text":"42","type":"text"}], the script "42"`,
	},
	{
		"the result of another call",
		`[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"toolCall":{"id":"c2","name":"f","stream":[]}},{"toolResult":{"id":"t1","call":"c1","content":"42"}}]`,
		call + strings.ReplaceAll(call, "c1", "c2") + `{"type":"TOOL_CALL_RESULT","messageId":"t1","toolCallId":"c2","content":"42"}`,
		`the tool result t1 has toolCallId "c2", the script "c1"`,
	},
	{
		"another owner", `[{"subagent":{"id":"s","name":"S","do":[{"custom":{"name":"x","value":1}}]}}]`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"CUSTOM","name":"x","value":1}
		{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}`, `the CUSTOM event x belongs to the parent agent, in the script to the subagent s`,
	},
	{
		"another parent", `[{"subagent":{"id":"s","name":"S","do":[{"subagent":{"id":"s2","name":"T","do":[]}}]}}]`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"SUBAGENT_STARTED","subagentRunId":"s2","name":"T"}
		{"type":"SUBAGENT_FINISHED","subagentRunId":"s2"}
		{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}`, `the subagent s2 has no parent, the script "s"`,
	},
	{
		"another end", `[{"subagent":{"id":"s","name":"S","do":[],"end":{"success":{"result":1}}}}]`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"SUBAGENT_FINISHED","subagentRunId":"s","result":2}`, `the end of the subagent s has result 2, the script 1`,
	},
	{
		"other interrupts",
		`[{"subagent":{"id":"s","name":"S","do":[],"end":{"suspended":{"interrupts":["i1"]}}}},{"interrupt":{"interrupts":[{"id":"i1","reason":"x"},{"id":"i2","reason":"x"}]}}]`,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
		{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"suspended","interruptIds":["i2"]}}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"x"},{"id":"i2","reason":"x"}]}}`,
		`the run r ends with interrupts [{"id":"i1","reason":"x"},{"id":"i2","reason":"x"}], the script's with [{"id":"i1","reason":"x"},{"id":"i2","reason":"x"}]`,
	},
	{
		"another encrypted value", `[{"text":{"id":"m1","stream":["hi"],"encryptedValue":"QQ=="}}]`, hi,
		`the text message m1 has no encryptedValue, the script "QQ=="`,
	},
	{
		"another activity", `[{"activity":{"id":"p","type":"PLAN","content":{"a":1}}},{"activityDelta":{"id":"p","type":"PLAN","patch":[{"op":"remove","path":"/a"}]}}]`,
		`{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":{"a":1}}`, `the activity p says {"a":1}, the script {}`,
	},
	{
		"another span", `[{"reasoning":{"span":"s","messages":[{"id":"a","stream":["1"]}]}}]`,
		`{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}`, `the span s is missing before the reasoning message a`,
	},
	{
		"another snapshot", `[{"messagesSnapshot":{"messages":[{"id":"u","role":"user","content":"hi"}]}}]`,
		`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"v","role":"user","content":"hi"}]}`,
		`the snapshot of messages has messages [{"content":"hi","id":"v","role":"user"}], the script [{"content":"hi","id":"u","role":"user"}]`,
	},
	{"another end of the run", `[{"finish":{"result":{"n":0}}}]`, `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`, `the run r has no result, the script's {"n":0}`},
	{
		"an error", `[{"text":{"id":"m1","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","stream":[]}}]`,
		hi + `{"type":"RUN_ERROR","message":"Emitter: no tools","code":"conformance-sdk-refused"}`,
		`the tool call c1 is missing before the end of the run r; the run ended with an error: "Emitter: no tools" (conformance-sdk-refused)`,
	},
	{"no run", `[{"text":{"id":"m1","stream":["hi"]}}]`, `{"type":"RUN_ERROR","message":"no"}`, `the text message m1 is missing before the end of the run r; the run ended with an error: "no"`},
	{"an early failure that comes late", `[{"fail":{"message":"no","early":true}}]`, `{"type":"RUN_ERROR","message":"no"}`, `the run has started as r, the script fails before that`},
}

func TestWhateverElseDiffersIsNoticed(t *testing.T) {
	for _, c := range unfaithful {
		t.Run(c.name, func(t *testing.T) {
			d := compare(t, NewNames(), c.script, c.stream)
			assert.Assert(t, d != nil, "it is not noticed")
			assert.Assert(t, !d.GaveUp)
			assert.Equal(t, d.Summary(), c.differs, d.String())
		})
	}
}
