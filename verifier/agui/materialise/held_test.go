package materialise

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

const asked = `{"threadId":"t","runId":"r","messages":[
	{"id":"u","role":"user","content":[{"type":"text","text":"hi"}],"name":"Ann"},
	{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"encryptedValue":"v"}]},
	{"id":"r","role":"tool","toolCallId":"c","content":"1","error":"e"}],"state":{}}`

func TestTheNextRequestCarriesWhatTheConsumerHolds(t *testing.T) {
	for name, x := range map[string]struct{ request, events, want string }{
		"what it had asked with": {asked, ``, `[
			{"id":"u","role":"user","content":[{"type":"text","text":"hi"}],"name":"Ann"},
			{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"encryptedValue":"v"}]},
			{"id":"r","role":"tool","toolCallId":"c","content":"1","error":"e"}]`},
		"messages of each kind, with all that belongs to them": {`{}`, `
			{"type":"REASONING_MESSAGE_CHUNK","messageId":"q","delta":"hm","subagentRunId":"s"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"q","encryptedValue":"v"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"assistant","name":"Bot","delta":"x","metadata":{"k":1}}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m","delta":"{}","metadata":{"k":2}}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c","encryptedValue":"w"}
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"1","subagentRunId":"s"}
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":{}}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"u","role":"user","delta":"y"}`, `[
			{"id":"q","role":"reasoning","content":"hm","subagentRunId":"s","encryptedValue":"v"},
			{"id":"m","role":"assistant","name":"Bot","content":"x","metadata":{"k":1},
				"toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"metadata":{"k":2},"encryptedValue":"w"}]},
			{"id":"r","role":"tool","toolCallId":"c","content":"1","subagentRunId":"s"},
			{"id":"u","role":"user","content":"y"}]`},
		"a message that the request had and the run goes on with": {
			`{"messages":[{"id":"m","role":"assistant","content":"a","name":"Bot","metadata":{"k":1,"l":1}}]}`, `
			{"type":"TEXT_MESSAGE_START","messageId":"m","name":"Bot"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b","metadata":{"k":2}}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
			`[{"id":"m","role":"assistant","content":"ab","name":"Bot","metadata":{"k":2,"l":1}}]`},
		"text behind the parts that a message has": {`{"messages":[
			{"id":"m","role":"user","content":[{"type":"text","text":"a"}]},
			{"id":"n","role":"user","content":[{"type":"image","source":{"type":"url","value":"x"}}]},
			{"id":"o","role":"user","content":[]}]}`, `
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"user","delta":"b"}
			{"type":"TEXT_MESSAGE_CHUNK","delta":"c"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","role":"user","delta":"b"}
			{"type":"TEXT_MESSAGE_CHUNK","delta":"c"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"o","role":"user","delta":""}`, `[
			{"id":"m","role":"user","content":[{"type":"text","text":"abc"}]},
			{"id":"n","role":"user","content":[{"type":"image","source":{"type":"url","value":"x"}},{"type":"text","text":"bc"}]},
			{"id":"o","role":"user","content":[]}]`},
		"a call that no message has, in a message of its own": {`{}`, `
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"s"}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"g"}`, `[
			{"id":"c","role":"assistant","subagentRunId":"s","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]},
			{"id":"d","role":"assistant","toolCalls":[{"id":"d","type":"function","function":{"name":"g","arguments":""}}]}]`},
		"calls of a message that is said only later": {`{}`, `
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"f","parentMessageId":"m"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","name":"Bot","delta":"x"}`, `[
			{"id":"m","role":"assistant","name":"Bot","content":"x","toolCalls":[
				{"id":"c","type":"function","function":{"name":"f","arguments":""}},{"id":"d","type":"function","function":{"name":"f","arguments":""}}]}]`},
		"a call of a message that cannot carry it": {`{"messages":[{"id":"u","role":"user","content":"x"}]}`, `
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"u"}`, `[
			{"id":"u","role":"user","content":"x"},
			{"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]}]`},
		"or turns out not to be able to": {`{}`, `
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"u"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"u","role":"user","delta":"x"}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"u","delta":"{}"}`, `[
			{"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
			{"id":"u","role":"user","content":"x"}]`},
		"ids that no other message has": {`{}`, `
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"c","role":"user","delta":"x"}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f"}`, `[
			{"id":"c","role":"user","content":"x"},
			{"id":"c-message-1","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]}]`},
		"another one where that is taken as well": {`{}`, `
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"c","role":"user","delta":"x"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"c-message-1","role":"user","delta":"y"}`, `[
			{"id":"c-message-2","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]},
			{"id":"c","role":"user","content":"x"},{"id":"c-message-1","role":"user","content":"y"}]`},
		"results behind their calls, in the order in which they came": {`{}`, `
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"f","parentMessageId":"m"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"x"}
			{"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"d","content":"1"}
			{"type":"TOOL_CALL_RESULT","messageId":"r2","toolCallId":"c","content":"2"}
			{"type":"TOOL_CALL_RESULT","messageId":"r3","toolCallId":"nobody's","content":"3"}`, `[
			{"id":"m","role":"assistant","toolCalls":[
				{"id":"c","type":"function","function":{"name":"f","arguments":""}},{"id":"d","type":"function","function":{"name":"f","arguments":""}}]},
			{"id":"r1","role":"tool","toolCallId":"d","content":"1"},
			{"id":"r2","role":"tool","toolCallId":"c","content":"2"},
			{"id":"n","role":"assistant","content":"x"},
			{"id":"r3","role":"tool","toolCallId":"nobody's","content":"3"}]`},
		"also behind results that the request had": {asked, `
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}
			{"type":"TOOL_CALL_RESULT","messageId":"r2","toolCallId":"c","content":"2"}
			{"type":"MESSAGES_SNAPSHOT","messages":[
				{"id":"a","role":"assistant","toolCalls":[{"id":"d","type":"function","function":{"name":"f","arguments":""}}]},
				{"id":"r","role":"tool","toolCallId":"d","content":"1"},{"id":"r2","role":"tool","toolCallId":"d","content":"2"},{"id":"m","role":"assistant","content":"x"}]}
			{"type":"TOOL_CALL_RESULT","messageId":"r3","toolCallId":"d","content":"3"}
			{"type":"TOOL_CALL_RESULT","messageId":"r4","toolCallId":"c","content":"4"}`, `[
			{"id":"a","role":"assistant","toolCalls":[{"id":"d","type":"function","function":{"name":"f","arguments":""}}]},
			{"id":"r","role":"tool","toolCallId":"d","content":"1"},
			{"id":"r2","role":"tool","toolCallId":"d","content":"2"},
			{"id":"r3","role":"tool","toolCallId":"d","content":"3"},
			{"id":"m","role":"assistant","content":"x"},
			{"id":"r4","role":"tool","toolCallId":"c","content":"4"}]`},
		"a snapshot's messages in place, new ones at the end, others not": {asked, `
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"n","role":"system","content":"s"},{"id":"m","role":"assistant","content":"y"},{"id":"u","role":"user","content":"hi"}]}`, `[
			{"id":"u","role":"user","content":"hi"},{"id":"m","role":"assistant","content":"y"},{"id":"n","role":"system","content":"s"}]`},
		"reasoning, unless the snapshot has some itself": {`{}`, `
			{"type":"REASONING_MESSAGE_CHUNK","messageId":"q","delta":"1"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}
			{"type":"REASONING_MESSAGE_CHUNK","messageId":"q2","delta":"2"}
			{"type":"MESSAGES_SNAPSHOT","messages":[]}`, `[
			{"id":"q","role":"reasoning","content":"1"},{"id":"q2","role":"reasoning","content":"2"}]`},
		"no other reasoning where it has": {`{}`, `
			{"type":"REASONING_MESSAGE_CHUNK","messageId":"q","delta":"1"}
			{"type":"REASONING_MESSAGE_CHUNK","messageId":"q2","delta":"2"}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"q2","role":"reasoning","content":"3","encryptedValue":"v"}]}`, `[
			{"id":"q2","role":"reasoning","content":"3","encryptedValue":"v"}]`},
		"what a snapshot takes back": {`{}`, `
			{"type":"REASONING_MESSAGE_CHUNK","messageId":"q","delta":"1","metadata":{"k":1}}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"q","encryptedValue":"v"}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"q","role":"reasoning","content":"1"}]}`, `[
			{"id":"q","role":"reasoning","content":"1"}]`},
		"what is said behind a snapshot goes on with it": {`{}`, `
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}
			{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"b","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"["}}]}]}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"c"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"]"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TOOL_CALL_END","toolCallId":"c"}`, `[
			{"id":"m","role":"assistant","content":"bc","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"[]"}}]}]`},
		"a call that two messages list goes on in the first": {`{"messages":[
			{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"["}}]},
			{"id":"b","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"["}}]}]}`, `
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"["}}]},{"id":"b","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"["}}]}]}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"]"}`, `[
			{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"[]"}}]},
			{"id":"b","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"["}}]}]`},
		"nothing of what it dropped": {`{}`, `
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
			{"type":"MESSAGES_SNAPSHOT","messages":[]}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"c","metadata":{"k":1}}
			{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"]"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedValue":"v"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"1"}`, `[
			{"id":"r","role":"tool","toolCallId":"c","content":"1"}]`},
		"results behind calls where a snapshot took away the last one": {`{}`, `
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
			{"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"c","content":"1"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"x"}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]},{"id":"n","role":"assistant","content":"x"}]}
			{"type":"TOOL_CALL_RESULT","messageId":"r2","toolCallId":"c","content":"2"}`, `[
			{"id":"m","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]},
			{"id":"r2","role":"tool","toolCallId":"c","content":"2"},
			{"id":"n","role":"assistant","content":"x"}]`},
		"messages that an earlier run of the thread was asked with": {`{"messages":[{"id":"u2","role":"user","content":"2"}]}`, `
			` + finished + `
			{"type":"RUN_STARTED","threadId":"t","runId":"r2","input":{"messages":[{"id":"u1","role":"user","content":"1"},{"id":"u2","role":"user","content":"two"}]}}`, `[
			{"id":"u2","role":"user","content":"2"},{"id":"u1","role":"user","content":"1"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			events := strings.NewReplacer("[\n\t\t\t\t{", "[{", "},\n\t\t\t\t{", "},{").Replace(x.events) // one a line
			same(t, any(Read([]byte(x.request), lines(started+"\n"+events)).Messages()), x.want)
		})
	}
}

// busy is a stream that has something for each view.
const busy = started + `
	{"type":"STEP_STARTED","stepName":"p"}
	{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
	{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"{}","subagentRunId":"s"}
	{"type":"SUBAGENT_FINISHED","subagentRunId":"s","result":1}
	{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}
	{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"g","parentMessageId":"m"}
	{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"1"}
	{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"A","content":{"n":1}}
	{"type":"ACTIVITY_DELTA","messageId":"a","activityType":"A","patch":[{"op":"replace","path":"/n","value":2}],"metadata":{"k":1}}
	{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"a","encryptedValue":"an activity has none"}
	{"type":"STEP_FINISHED","stepName":"p"}
	{"type":"STEP_STARTED","stepName":"p","subagentRunId":"s"}
	{"type":"SUBAGENT_STARTED","subagentRunId":"u","name":"U"}
	{"type":"STATE_SNAPSHOT","snapshot":[1]}`

// What is said of a message that took over the parts of a result does not change what the result was.
func TestAResultStaysAsItWasSaid(t *testing.T) {
	s := oneRun(`
		{"type":"REASONING_MESSAGE_START","messageId":"b","role":"reasoning"}
		{"type":"TOOL_CALL_RESULT","messageId":"b","toolCallId":"c","content":[{"type":"text","text":"x"}]}
		{"type":"REASONING_MESSAGE_CONTENT","messageId":"b","delta":"y"}`)
	want := `[{"kind":"message","id":"b","role":"reasoning","content":"y"},
		{"kind":"message","id":"b","role":"tool","toolCallId":"c","content":[{"type":"text","text":"x"}]}]`
	same(t, itemsOf(s), want)
	same(t, any(s.Messages()), `[{"id":"b","role":"tool","toolCallId":"c","content":[{"type":"text","text":"xy"}]}]`)
	same(t, itemsOf(s), want)
}

func TestAConsumerHolds(t *testing.T) {
	s := Read([]byte(`{"messages":[{"id":"u","role":"user","content":"hi"}]}`), lines(busy))
	for name, want := range map[string]string{
		"messages": `[{"kind":"message","id":"u","role":"user","content":"hi"},{"kind":"message","id":"r","role":"tool","toolCallId":"c","content":"1"},
			{"kind":"message","id":"m","role":"assistant","content":"x"}]`,
		"toolCalls": `[{"kind":"toolCall","id":"c","name":"f","arguments":"{}","owner":"s"},
			{"kind":"toolCall","id":"d","name":"g","arguments":"","parent":"m"}]`,
		"state":      `[1]`,
		"activities": `[{"kind":"message","id":"a","role":"activity","activityType":"A","content":{"n":2},"metadata":{"k":1}}]`,
		"steps":      `[{"kind":"step","name":"p"},{"kind":"step","name":"p","owner":"s","open":true}]`,
		"subagents":  `[{"kind":"subagent","id":"s","name":"S","outcome":"success","result":1},{"kind":"subagent","id":"u","name":"U"}]`,
		"outcome":    `{"runId":"r"}`,
	} {
		t.Run(name, func(t *testing.T) { same(t, view(t, s, name), want) })
	}
	assert.Equal(t, len(Views()), 7)
	for _, name := range Views() {
		view(t, s, name)
	}
	_, ok := s.Holds("weather")
	assert.Assert(t, !ok)
}

func TestTheOutcomeTellsWhatIsUnanswered(t *testing.T) {
	const calls = started + `
		{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f"}
		{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"f"}
		{"type":"TOOL_CALL_CHUNK","toolCallId":"e","toolCallName":"f"}
		{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f"}
		{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"d","content":"1"}
		`
	for end, want := range map[string]string{
		finished: `{"runId":"r","outcome":"success","pending":["c","e"]}`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"x"}]}}`: `{"runId":"r","outcome":"interrupt","interrupts":[{"id":"i","reason":"x"}],"pending":["c","e"]}`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}`:                                        `{"runId":"r","outcome":"cancelled"}`,
		`{"type":"RUN_ERROR","message":"no"}`: `{"runId":"r","outcome":"error","message":"no"}`,
	} {
		same(t, view(t, Read(nil, lines(calls+end)), "outcome"), want)
	}
	same(t, view(t, New(nil), "outcome"), `{}`)
}
