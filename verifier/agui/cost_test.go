package agui_test

import (
	"fmt"
	"testing"
	"unsafe"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// steady are groups of events that can be repeated for ever inside a run and bring no new id.
var steady = map[string][]string{
	"text":             {`{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","name":"n"}`, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"hello \"you\" \ud83d\ude00"}`, `{"type":"TEXT_MESSAGE_END","messageId":"m"}`},
	"tagged text":      {`{"type":"TEXT_MESSAGE_START","messageId":"k","subagentRunId":"s"}`, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"k","delta":"hello","subagentRunId":"s"}`, `{"type":"TEXT_MESSAGE_END","messageId":"k"}`},
	"tool call":        {`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}`, `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\":"}`, `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"1}"}`, `{"type":"TOOL_CALL_END","toolCallId":"c"}`},
	"reasoning":        {`{"type":"REASONING_START","messageId":"s"}`, `{"type":"REASONING_MESSAGE_START","messageId":"h","role":"reasoning"}`, `{"type":"REASONING_MESSAGE_CONTENT","messageId":"h","delta":"hm"}`, `{"type":"REASONING_MESSAGE_END","messageId":"h"}`, `{"type":"REASONING_END","messageId":"s"}`},
	"chunks":           {`{"type":"TEXT_MESSAGE_CHUNK","messageId":"d","delta":"x"}`, `{"type":"TEXT_MESSAGE_CHUNK","delta":"y"}`, `{"type":"TOOL_CALL_CHUNK","toolCallId":"e","toolCallName":"f","delta":"{}"}`},
	"chunks in lanes":  {`{"type":"TEXT_MESSAGE_CHUNK","messageId":"x","delta":"x","subagentRunId":"s"}`, `{"type":"TEXT_MESSAGE_CHUNK","messageId":"y","delta":"y","subagentRunId":"u"}`},
	"step":             {`{"type":"STEP_STARTED","stepName":"p"}`, `{"type":"STEP_FINISHED","stepName":"p"}`, `{"type":"STEP_STARTED","stepName":"p","subagentRunId":"s"}`, `{"type":"STEP_FINISHED","stepName":"p","subagentRunId":"s"}`},
	"state":            {`{"type":"STATE_SNAPSHOT","snapshot":{"n":0,"list":[1,2,3]}}`},
	"state deltas":     {`{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":1}]}`, `{"type":"STATE_DELTA","delta":[{"op":"test","path":"/n","value":1}]}`},
	"activity":         {`{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"t","content":{"n":0}}`},
	"activity deltas":  {`{"type":"ACTIVITY_DELTA","messageId":"b","activityType":"t","patch":[{"op":"replace","path":"/n","value":2}]}`},
	"pass-through":     {`{"type":"RAW","event":{"a":[1,{"b":null}]},"source":"x","timestamp":1790000000000,"metadata":{"k":1}}`, `{"type":"CUSTOM","name":"acme.x","value":[1]}`},
	"encrypted values": {`{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"h","encryptedValue":"v"}`},
}

// before opens what the groups need.
var before = []string{started, `{"type":"STATE_SNAPSHOT","snapshot":{"n":0}}`, `{"type":"ACTIVITY_SNAPSHOT","messageId":"b","activityType":"t","content":{"n":0}}`}

func TestAnEventWithoutANewIDDoesNotAllocate(t *testing.T) {
	for name, texts := range steady {
		t.Run(name, func(t *testing.T) {
			v, err := agui.New(agui.Options{})
			assert.NilError(t, err)
			for _, e := range before {
				v.Observe([]byte(e))
			}
			var events [][]byte
			for _, e := range texts {
				events = append(events, []byte(e))
			}
			round := func() {
				for _, e := range events {
					if found := v.Observe(e); len(found) > 0 && found[0].Severity == verifier.Error {
						t.Fatalf("%s: %+v", e, found[0])
					}
				}
			}
			round()
			round()
			assert.Equal(t, testing.AllocsPerRun(50, round), 0.0)
		})
	}
}

func TestAVerifierThatIsOffCostsNothing(t *testing.T) {
	assert.Equal(t, unsafe.Sizeof(verifier.Off{}), uintptr(0))
	var off verifier.Off
	event := []byte(`{"type":"TEXT_MESSAGE_END","messageId":"never opened"}`)
	assert.Equal(t, testing.AllocsPerRun(100, func() { off.Observe(event) }), 0.0)
	assert.Assert(t, off.Observe(event) == nil && off.Finish() == nil)
}

func TestWhatIsOpenIsBuiltOnlyWhenAskedFor(t *testing.T) {
	for _, dump := range []bool{false, true} {
		for _, profile := range agui.Rules().Profiles {
			v, err := agui.New(agui.Options{Profile: profile, Dump: dump})
			assert.NilError(t, err)
			v.Observe([]byte(started))
			v.Observe([]byte(`{"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"s"}`))
			v.Observe([]byte(`{"type":"STEP_STARTED","stepName":"plan"}`))
			found := v.Observe([]byte(`{"type":"TEXT_MESSAGE_END","messageId":"m2"}`))
			assert.Equal(t, len(found), 1)
			want := "[]"
			if dump {
				want = `[{text message m1 s false 1} {step plan  true 2}]`
			}
			assert.Equal(t, fmt.Sprint(found[0].Open), want, profile)
		}
	}
}
