package materialise

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
)

const (
	started  = `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`
	finished = `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`
)

// lines are events, one a line.
func lines(stream string) (events [][]byte) {
	for line := range strings.Lines(stream) {
		if line = strings.TrimSpace(line); line != "" {
			events = append(events, []byte(line))
		}
	}
	return events
}

// oneRun is a stream of one run that says these events.
func oneRun(events string) *Stream { return Read(nil, lines(started+"\n"+events+"\n"+finished)) }

func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	assert.NilError(t, json.Unmarshal([]byte(text), &v), "%s", text)
	return v
}

func same(t *testing.T, got any, want string) {
	t.Helper()
	if diff := cmp.Diff(decoded(t, want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// runsOf are the runs of a meaning.
func runsOf(s *Stream) (runs []map[string]any) {
	for _, r := range s.Meaning()["runs"].([]any) {
		runs = append(runs, r.(map[string]any))
	}
	return runs
}

func itemsOf(s *Stream) any { return runsOf(s)[0]["items"] }

func view(t *testing.T, s *Stream, name string) any {
	t.Helper()
	v, ok := s.Holds(name)
	assert.Assert(t, ok, "there is no view %q", name)
	return v
}

func TestAStreamMeansItsItems(t *testing.T) {
	for name, x := range map[string]struct{ events, want string }{
		"a text message, with a role and a name": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user","name":"Ann"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
			`[{"kind":"message","id":"m","role":"user","name":"Ann","content":"Hello"}]`},
		"a text message that says nothing, of the role that is meant": {`
			{"type":"TEXT_MESSAGE_START","messageId":""}
			{"type":"TEXT_MESSAGE_END","messageId":""}`,
			`[{"kind":"message","id":"","role":"assistant","content":""}]`},
		"a tool call, whatever its arguments are": {`
			{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\""}
			{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":":"}
			{"type":"TOOL_CALL_END","toolCallId":"c"}`,
			`[{"kind":"toolCall","id":"c","name":"f","parent":"m","arguments":"{\"a\":"}]`},
		"a result of text": {`
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"42","role":"tool"}`,
			`[{"kind":"message","id":"r","role":"tool","toolCallId":"c","content":"42"}]`},
		"a result of parts, of those that are known": {`
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":[{"type":"text","text":"42"},{"type":"hologram"}]}`,
			`[{"kind":"message","id":"r","role":"tool","toolCallId":"c","content":[{"type":"text","text":"42"}]}]`},
		"reasoning in a span of the same id": {`
			{"type":"REASONING_START","messageId":"x"}
			{"type":"REASONING_MESSAGE_START","messageId":"x","role":"reasoning"}
			{"type":"REASONING_MESSAGE_CONTENT","messageId":"x","delta":"hm"}
			{"type":"REASONING_MESSAGE_END","messageId":"x"}
			{"type":"REASONING_END","messageId":"x"}`,
			`[{"kind":"span","id":"x"},{"kind":"message","id":"x","role":"reasoning","content":"hm"},{"kind":"spanEnd","id":"x"}]`},
		"steps, each agent's its own": {`
			{"type":"STEP_STARTED","stepName":"p"}
			{"type":"STEP_STARTED","stepName":"p","subagentRunId":"s"}
			{"type":"STEP_FINISHED","stepName":"p"}
			{"type":"STEP_FINISHED","stepName":"p","subagentRunId":"s"}`,
			`[{"kind":"step","name":"p"},{"kind":"step","name":"p","owner":"s"},{"kind":"stepEnd","name":"p"},{"kind":"stepEnd","name":"p","owner":"s"}]`},
		"subagents, in every way that they end": {`
			{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S","description":"d","parentToolCallId":"c","parentMessageId":"m"}
			{"type":"SUBAGENT_STARTED","subagentRunId":"u","name":"U","parentSubagentRunId":"s"}
			{"type":"SUBAGENT_ERROR","subagentRunId":"u","message":"404","code":"E"}
			{"type":"SUBAGENT_FINISHED","subagentRunId":"s","result":{"n":1},"outcome":{"type":"success"}}
			{"type":"SUBAGENT_STARTED","subagentRunId":"v","name":"V"}
			{"type":"SUBAGENT_FINISHED","subagentRunId":"v","outcome":{"type":"suspended","interruptIds":["i"]}}
			{"type":"SUBAGENT_STARTED","subagentRunId":"x","name":"X"}
			{"type":"SUBAGENT_FINISHED","subagentRunId":"x","outcome":{"type":"suspended","interruptIds":[]}}
			{"type":"SUBAGENT_STARTED","subagentRunId":"w","name":"W"}
			{"type":"SUBAGENT_FINISHED","subagentRunId":"w"}`,
			`[{"kind":"subagent","id":"s","name":"S","description":"d","parentToolCallId":"c","parentMessageId":"m"},
			{"kind":"subagent","id":"u","name":"U","parent":"s"},
			{"kind":"subagentEnd","id":"u","outcome":"error","message":"404","code":"E"},
			{"kind":"subagentEnd","id":"s","outcome":"success","result":{"n":1}},
			{"kind":"subagent","id":"v","name":"V"},
			{"kind":"subagentEnd","id":"v","outcome":"suspended","interruptIds":["i"]},
			{"kind":"subagent","id":"x","name":"X"},
			{"kind":"subagentEnd","id":"x","outcome":"suspended"},
			{"kind":"subagent","id":"w","name":"W"},
			{"kind":"subagentEnd","id":"w","outcome":"success"}]`},
		"what passes through, null too": {`
			{"type":"CUSTOM","name":"a.b","value":null}
			{"type":"CUSTOM","name":"a.b","value":[1],"subagentRunId":"s"}
			{"type":"RAW","event":null}
			{"type":"RAW","event":{"id":7},"source":"llm","subagentRunId":"s"}`,
			`[{"kind":"custom","name":"a.b","value":null},{"kind":"custom","name":"a.b","value":[1],"owner":"s"},
			{"kind":"raw","event":null},{"kind":"raw","event":{"id":7},"source":"llm","owner":"s"}]`},
		"a snapshot of messages, at its place": {`
			{"type":"CUSTOM","name":"a.b","value":1}
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"hi","metadata":{"k":1}}]}`,
			`[{"kind":"custom","name":"a.b","value":1},{"kind":"snapshot","messages":[{"id":"u","role":"user","content":"hi","metadata":{"k":1}}]}]`},
		"things in the order in which they open": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Let me "}
			{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"see."}
			{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TOOL_CALL_END","toolCallId":"c"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"Let me see."},{"kind":"toolCall","id":"c","name":"f","arguments":"{}"}]`},
		"one item for each opening": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m","metadata":{"k":1}}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b","metadata":{"l":2}}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedValue":"v"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"a","metadata":{"k":1}},
			{"kind":"message","id":"m","role":"assistant","content":"b","metadata":{"l":2},"encryptedValue":"v"}]`},
		"state as no item, and events that nobody knows as nothing": {`
			{"type":"STATE_SNAPSHOT","snapshot":{}}
			{"type":"STATE_DELTA","delta":[]}
			{"type":"FUTURE_EVENT"}
			{"type":"THINKING_START"}`,
			`[]`},
	} {
		t.Run(name, func(t *testing.T) { same(t, itemsOf(oneRun(x.events)), x.want) })
	}
}

func TestMetadataAndEncryptedValuesGoToWhatTheyBelongTo(t *testing.T) {
	for name, x := range map[string]struct{ events, want string }{
		"key by key, the last write wins, and nothing is blended": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m","metadata":{"a":1,"b":{"x":1}}}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","metadata":{"b":{"y":1},"c":null}}
			{"type":"TEXT_MESSAGE_END","messageId":"m","metadata":{"a":2}}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"","metadata":{"a":2,"b":{"y":1},"c":null}}]`},
		"of a call, not of its message": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m","metadata":{"a":1}}
			{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"","metadata":{"b":1}}
			{"type":"TOOL_CALL_END","toolCallId":"c","metadata":{"c":1}}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":""},
			{"kind":"toolCall","id":"c","name":"f","parent":"m","arguments":"","metadata":{"a":1,"b":1,"c":1}}]`},
		"of reasoning and of a result": {`
			{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning","metadata":{"a":1}}
			{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"","metadata":{"b":1}}
			{"type":"REASONING_MESSAGE_END","messageId":"m","metadata":{"a":2}}
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"","metadata":{"d":1}}`,
			`[{"kind":"message","id":"m","role":"reasoning","content":"","metadata":{"a":2,"b":1}},
			{"kind":"message","id":"r","role":"tool","toolCallId":"c","content":"","metadata":{"d":1}}]`},
		"of nothing, where the event makes nothing that lasts": {`
			{"type":"STEP_STARTED","stepName":"p","metadata":{"a":1}}
			{"type":"CUSTOM","name":"a.b","value":1,"metadata":{"a":1}}
			{"type":"STEP_FINISHED","stepName":"p","metadata":{"a":1}}`,
			`[{"kind":"step","name":"p"},{"kind":"custom","name":"a.b","value":1},{"kind":"stepEnd","name":"p"}]`},
		"an empty object says nothing": {`
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"","metadata":{}}`,
			`[{"kind":"message","id":"r","role":"tool","toolCallId":"c","content":""}]`},
		"values by what kind of thing they name, the last one wins": {`
			{"type":"REASONING_MESSAGE_START","messageId":"x","role":"reasoning"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","encryptedValue":"early","metadata":{"a":1}}
			{"type":"REASONING_MESSAGE_END","messageId":"x"}
			{"type":"TOOL_CALL_START","toolCallId":"x","toolCallName":"f"}
			{"type":"TOOL_CALL_END","toolCallId":"x"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"x","encryptedValue":"call"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","encryptedValue":"late"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"nobody","encryptedValue":"v"}
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"x","content":""}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"r","encryptedValue":"result"}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"future","entityId":"x","encryptedValue":"v"}`,
			`[{"kind":"message","id":"x","role":"reasoning","content":"","encryptedValue":"late"},
			{"kind":"toolCall","id":"x","name":"f","arguments":"","encryptedValue":"call"},
			{"kind":"message","id":"r","role":"tool","toolCallId":"x","content":"","encryptedValue":"result"}]`},
	} {
		t.Run(name, func(t *testing.T) { same(t, itemsOf(oneRun(x.events)), x.want) })
	}
}

func TestThingsBelongToWhoOpensThem(t *testing.T) {
	for name, x := range map[string]struct{ events, want string }{
		"whatever tag goes on with them": {`
			{"type":"REASONING_START","messageId":"p","subagentRunId":"s"}
			{"type":"REASONING_MESSAGE_START","messageId":"q","role":"reasoning","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"REASONING_MESSAGE_END","messageId":"q"}
			{"type":"REASONING_END","messageId":"p"}
			{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"","subagentRunId":""}`,
			`[{"kind":"span","id":"p","owner":"s"},
			{"kind":"message","id":"q","role":"reasoning","content":"","owner":"s"},
			{"kind":"message","id":"m","role":"assistant","content":"ab","owner":"s"},
			{"kind":"spanEnd","id":"p","owner":"s"},
			{"kind":"message","id":"r","role":"tool","toolCallId":"c","content":"","owner":""}]`},
		"a call without a tag to its message's": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
			{"type":"TOOL_CALL_END","toolCallId":"c"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"","owner":"s"},
			{"kind":"toolCall","id":"c","name":"f","parent":"m","arguments":"","owner":"s"}]`},
		"a message that is reopened without a tag to whose it was": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"","owner":"s"},{"kind":"message","id":"m","role":"assistant","content":"","owner":"s"}]`},
		"as its tag says, whatever was before": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"u"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"","owner":"s"},{"kind":"message","id":"m","role":"assistant","content":"","owner":"u"}]`},
		"two subagents whose messages interleave": {`
			{"type":"TEXT_MESSAGE_START","messageId":"a","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_START","messageId":"b","subagentRunId":"u"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"b","delta":"2"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"a","delta":"1"}
			{"type":"TEXT_MESSAGE_END","messageId":"b"}
			{"type":"TEXT_MESSAGE_END","messageId":"a"}`,
			`[{"kind":"message","id":"a","role":"assistant","content":"1","owner":"s"},{"kind":"message","id":"b","role":"assistant","content":"2","owner":"u"}]`},
	} {
		t.Run(name, func(t *testing.T) { same(t, itemsOf(oneRun(x.events)), x.want) })
	}
}

// A stream of chunks means what the explicit events that it stands for mean.
func TestChunksMeanWhatTheyStandFor(t *testing.T) {
	const tool = `{"kind":"toolCall","id":"c","name":"f","arguments":"{}"}`
	for name, x := range map[string]struct{ events, want string }{
		"of each kind, opened with and without a delta": {`
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"user","name":"Ann"}
			{"type":"TEXT_MESSAGE_CHUNK","delta":"a","metadata":{"k":1}}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"user","delta":"b"}
			{"type":"REASONING_MESSAGE_CHUNK","messageId":"q","delta":"h"}
			{"type":"REASONING_MESSAGE_CHUNK","delta":"m"}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m","delta":"{"}
			{"type":"TOOL_CALL_CHUNK","delta":"}"}
			{"type":"TOOL_CALL_CHUNK","metadata":{"k":2}}`,
			`[{"kind":"message","id":"m","role":"user","name":"Ann","content":"ab","metadata":{"k":1}},
			{"kind":"message","id":"q","role":"reasoning","content":"hm"},
			{"kind":"toolCall","id":"c","name":"f","parent":"m","arguments":"{}","metadata":{"k":2}}]`},
		"another id ends the item before": {`
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"1"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"b","delta":"2"}
			{"type":"TEXT_MESSAGE_CHUNK","delta":"3"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"4"}`,
			`[{"kind":"message","id":"a","role":"assistant","content":"1"},{"kind":"message","id":"b","role":"assistant","content":"23"},
			{"kind":"message","id":"a","role":"assistant","content":"4"}]`},
		"what stands aside does not end it": {`
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"{"}
			{"type":"RAW","event":1}
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"P","content":{}}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"P","patch":[]}
			{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","encryptedValue":"v"}
			{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
			{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
			{"type":"FUTURE_EVENT"}
			{"type":"TOOL_CALL_CHUNK","delta":"}"}`,
			`[` + tool + `,{"kind":"raw","event":1},{"kind":"message","id":"p","role":"activity","activityType":"P","content":{}},
			{"kind":"subagent","id":"s","name":"S"},{"kind":"subagentEnd","id":"s","outcome":"success"}]`},
		"each agent has its lane, and a chunk of neither id nor tag goes to the parent's": {`
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"m"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"a","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"b","delta":"b","subagentRunId":"u"}
			` + strings.Repeat(`{"type":"TEXT_MESSAGE_CHUNK","delta":"1"}`+"\n", 9) + `
			{"type":"TEXT_MESSAGE_CHUNK","delta":"2","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_CHUNK","delta":"3","messageId":"b"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"m111111111"},{"kind":"message","id":"a","role":"assistant","content":"a2","owner":"s"},
			{"kind":"message","id":"b","role":"assistant","content":"b3","owner":"u"}]`},
		"or to the only lane that has the kind": {`
			{"type":"TOOL_CALL_CHUNK","toolCallId":"x","toolCallName":"f"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"a","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_CHUNK","delta":"1"}`,
			`[{"kind":"toolCall","id":"x","name":"f","arguments":""},{"kind":"message","id":"a","role":"assistant","content":"a1","owner":"s"}]`},
		"a START in its lane reopens it": {`
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":"a"},{"kind":"message","id":"m","role":"assistant","content":"b"}]`},
	} {
		t.Run(name, func(t *testing.T) { same(t, itemsOf(oneRun(x.events)), x.want) })
	}
}

// closers end the chunk item of the parent's lane: the next chunk of its id reopens it.
var closers = []string{
	`{"type":"TEXT_MESSAGE_START","messageId":"x"}`,
	`{"type":"TEXT_MESSAGE_CONTENT","messageId":"o","delta":""}`,
	`{"type":"TEXT_MESSAGE_END","messageId":"o"}`,
	`{"type":"REASONING_MESSAGE_START","messageId":"x","role":"reasoning"}`,
	`{"type":"TOOL_CALL_START","toolCallId":"x","toolCallName":"f"}`,
	`{"type":"TOOL_CALL_RESULT","messageId":"x","toolCallId":"x","content":""}`,
	`{"type":"REASONING_START","messageId":"x"}`,
	`{"type":"REASONING_END","messageId":"x"}`,
	`{"type":"STEP_STARTED","stepName":"x"}`,
	`{"type":"STEP_FINISHED","stepName":"x"}`,
	`{"type":"STATE_SNAPSHOT","snapshot":1}`,
	`{"type":"STATE_DELTA","delta":[]}`,
	`{"type":"CUSTOM","name":"x.y","value":1}`,
	`{"type":"MESSAGES_SNAPSHOT","messages":[]}`,
	`{"type":"TOOL_CALL_CHUNK","toolCallId":"x","toolCallName":"f"}`,
}

func TestEventsOfALaneEndItsChunks(t *testing.T) {
	openings := func(closer string) (n int) {
		s := oneRun(fmt.Sprintf(`
			{"type":"TEXT_MESSAGE_START","messageId":"o"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}
			%s
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"b"}`, closer))
		for _, v := range itemsOf(s).([]any) {
			if v.(map[string]any)["id"] == "m" {
				n++
			}
		}
		return n
	}
	for _, closer := range closers {
		assert.Equal(t, openings(closer), 2, "%s", closer)
		if tagged := strings.Replace(closer, `}`, `,"subagentRunId":"s"}`, 1); !strings.Contains(closer, "MESSAGES_SNAPSHOT") {
			assert.Equal(t, openings(tagged), 1, "%s", tagged)
		}
	}
}

func TestASubagentsEndEndsItsChunks(t *testing.T) {
	for _, end := range []string{`{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}`, `{"type":"SUBAGENT_ERROR","subagentRunId":"s","message":""}`} {
		s := oneRun(`
			{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"S"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"a","subagentRunId":"s"}
			{"type":"TEXT_MESSAGE_CHUNK","messageId":"b","delta":"b","subagentRunId":"u"}
			` + end + `
			{"type":"TEXT_MESSAGE_CHUNK","delta":"only u is left"}`)
		items := itemsOf(s).([]any)
		assert.Equal(t, items[2].(map[string]any)["content"], "bonly u is left")
	}
}

func TestCharactersAreWholeHoweverTheyWereCut(t *testing.T) {
	for name, x := range map[string]struct {
		deltas []string
		want   string
	}{
		"a surrogate pair":              {[]string{`\ud83d`, `\ude00`}, "😀"},
		"with text around it":           {[]string{`a\ud83d`, ``, `\ude00b\ud83d`, `\ude01`}, "a😀b😁"},
		"at a joiner":                   {[]string{`👨`, `\u200d👩`}, "👨\u200d👩"},
		"a mark off its letter":         {[]string{`cafe`, `\u0301`}, "cafe\u0301"},
		"beside characters like halves": {[]string{`\ud7ff`, `\ue000`, `\ud83d`, `\ude00`}, "\ud7ff\ue000😀"},
		"halves in the wrong order":     {[]string{`\ude00`, `\ud83d`}, "\xed\xb8\x80\xed\xa0\xbd"},
		"a half alone":                  {[]string{`x\ud83d`, `y`}, "x\xed\xa0\xbdy"},
		"two first halves, one second":  {[]string{`\ud83d`, `\ud83d`, `\ude00`}, "\xed\xa0\xbd😀"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(`{"type":"TEXT_MESSAGE_START","messageId":"m"}`)
			for _, d := range x.deltas {
				fmt.Fprintf(&b, "\n"+`{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"%s"}`, d)
			}
			s := oneRun(b.String())
			assert.Equal(t, itemsOf(s).([]any)[0].(map[string]any)["content"], x.want)
			assert.Equal(t, s.Messages()[0].(map[string]any)["content"], x.want)
		})
	}
}

// Of a stream that no producer may send, what a verifier drops says nothing.
func TestWhatMayNotComeSaysNothing(t *testing.T) {
	for name, x := range map[string]struct{ events, want string }{
		"bytes that are no event": {"\x00\n[]\n1\n{\n{}\n{\"type\":1}\n" + strings.Repeat(`{"type":`, 600), `[]`},
		"what goes on with what has ended": {`
			{"type":"TEXT_MESSAGE_START","messageId":"m"}
			{"type":"TEXT_MESSAGE_END","messageId":"m"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"x"}`,
			`[{"kind":"message","id":"m","role":"assistant","content":""}]`},
		"a run in a run": {`
			{"type":"CUSTOM","name":"a.b","value":1}
			{"type":"RUN_STARTED","threadId":"t","runId":"r2"}
			{"type":"CUSTOM","name":"a.b","value":2}`,
			`[{"kind":"custom","name":"a.b","value":1},{"kind":"custom","name":"a.b","value":2}]`},
		"what does not say what it is about": {`
			{"type":"TEXT_MESSAGE_START"}
			{"type":"REASONING_START"}
			{"type":"TOOL_CALL_START","toolCallId":"c"}
			{"type":"TOOL_CALL_RESULT","content":""}
			{"type":"TOOL_CALL_RESULT","messageId":"m"}
			{"type":"TEXT_MESSAGE_CHUNK","delta":"x"}
			{"type":"TOOL_CALL_CHUNK","toolCallId":"c"}
			{"type":"STEP_STARTED"}
			{"type":"SUBAGENT_STARTED","name":"S"}
			{"type":"SUBAGENT_FINISHED"}
			{"type":"MESSAGES_SNAPSHOT","messages":{}}
			{"type":"ACTIVITY_SNAPSHOT","activityType":"A","content":{}}
			{"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"A","content":1}
			{"type":"STATE_SNAPSHOT"}
			{"type":"STATE_DELTA","delta":{}}`,
			`[]`},
		"messages that are none, and parts that nobody knows": {`
			{"type":"MESSAGES_SNAPSHOT","messages":[1,{"id":"a"},{"role":"user"},{"id":"b","role":"narrator"},
				{"id":"u","role":"user","content":[{"type":"hologram"},1,{"type":"text","text":"x"}]}]}`,
			`[{"kind":"snapshot","messages":[{"id":"u","role":"user","content":[{"type":"text","text":"x"}]}]}]`},
		"content of an activity that is none": {`
			{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"p","role":"activity","activityType":"A","content":1}]}
			{"type":"ACTIVITY_DELTA","messageId":"p","activityType":"A","patch":[{"op":"add","path":"/a","value":1}]}`,
			`[{"kind":"snapshot","messages":[{"id":"p","role":"activity","activityType":"A","content":1}]},
			{"kind":"message","id":"p","role":"activity","activityType":"A","content":{"a":1}}]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := oneRun(strings.ReplaceAll(x.events, "},\n\t\t\t\t{", "},{"))
			same(t, itemsOf(s), x.want)
			assert.Equal(t, len(runsOf(s)), 1)
			assert.NilError(t, s.Err())
		})
	}
}

func TestOutsideOfRunsNothingIsSaid(t *testing.T) {
	s := Read([]byte(`[]`), lines(`{"type":"CUSTOM","name":"a.b","value":1}
		`+started+`
		`+finished+`
		{"type":"CUSTOM","name":"a.b","value":1}
		{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}`))
	same(t, itemsOf(s), `[]`)
	same(t, any(s.Messages()), `[]`)
}

func TestNumbersAreDoubles(t *testing.T) {
	s := oneRun(`{"type":"CUSTOM","name":"a.b","value":[1e999,-1e999,1e-999,9007199254740993,1.0,-0]}`)
	same(t, itemsOf(s), `[{"kind":"custom","name":"a.b","value":[1.7976931348623157e308,-1.7976931348623157e308,0,9007199254740992,1,0]}]`)
}
