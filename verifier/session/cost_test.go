package session_test

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
)

const (
	runStart  = `{"type":"agent_start"}`
	turnStart = `{"type":"turn_start"}`
)

func update(event string) string {
	return `{"type":"message_update","usage":` + usage + `,"assistantMessageEvent":` + event + `}`
}

func start(message string) string { return `{"type":"message_start","message":` + message + `}` }
func end(message string) string   { return `{"type":"message_end","message":` + message + `}` }

// steady are records that can be repeated for ever behind others, and bring no new id and no content to
// compare.
var steady = map[string]struct{ before, round []string }{
	"deltas": {
		[]string{header, runStart, turnStart, start(assistantMessage("pending", "")), update(`{"type":"text_start","contentIndex":0}`)},
		[]string{update(`{"type":"text_delta","contentIndex":0,"delta":""}`)},
	},
	"retries of a summary": {
		[]string{header, `{"type":"compaction_start","reason":"threshold"}`},
		[]string{
			`{"type":"summarization_retry_scheduled","attempt":1,"maxAttempts":3,"delayMs":1,"errorMessage":"x"}`,
			`{"type":"summarization_retry_attempt_start","source":"compaction","reason":"threshold"}`, `{"type":"summarization_retry_finished"}`,
		},
	},
	"queues": {
		[]string{header},
		[]string{`{"type":"queue_update","steering":["one"],"followUp":[]}`, `{"type":"queue_update","steering":["one"],"followUp":["\"two\""]}`, `{"type":"queue_update","steering":[],"followUp":[]}`},
	},
	"news": {
		[]string{header},
		[]string{`{"type":"thinking_level_changed","level":"high"}`, `{"type":"session_info_changed","name":"n"}`, `{"type":"extension_error","extensionPath":"p","event":"e","error":"x"}`},
	},
	"transcript": {
		[]string{
			`{"dir":"stdout","record":` + runStart + `}`, `{"dir":"stdout","record":` + turnStart + `}`, `{"dir":"stdout","record":` + start(assistantMessage("pending", "")) + `}`,
			`{"dir":"stdout","record":` + update(`{"type":"text_start","contentIndex":0}`) + `}`,
		},
		[]string{`{"seq":1,"dir":"stdout","t":5,"record":` + update(`{"type":"text_delta","contentIndex":0,"delta":""}`) + `}`},
	},
	"host": {
		[]string{`{"dir":"host","record":{"type":"bind","gen":1}}`},
		[]string{`{"dir":"host","record":{"type":"subscribe","gen":1}}`},
	},
	"extension": {
		[]string{`{"ext":"session_start","reason":"startup"}`},
		[]string{`{"ext":"turn_start"}`, `{"ext":"tool_call","toolCallId":"c"}`},
	},
}

func TestARecordWithoutANewIDDoesNotAllocate(t *testing.T) {
	for name, x := range steady {
		t.Run(name, func(t *testing.T) {
			v, err := session.New(session.Options{})
			assert.NilError(t, err)
			for _, r := range x.before {
				v.Observe([]byte(r))
			}
			var records [][]byte
			for _, r := range x.round {
				records = append(records, []byte(r))
			}
			round := func() {
				for _, r := range records {
					if found := v.Observe(r); len(found) > 0 && found[0].Severity == verifier.Error {
						t.Fatalf("%s: %+v", r, found[0])
					}
				}
			}
			round()
			round()
			assert.Equal(t, testing.AllocsPerRun(50, round), 0.0)
		})
	}
}

func TestWhatIsOpenIsBuiltOnlyWhenAskedFor(t *testing.T) {
	for _, dump := range []bool{false, true} {
		v, err := session.New(session.Options{Dump: dump})
		assert.NilError(t, err)
		call := `{"type":"toolCall","id":"c","name":"n","arguments":{}}`
		for _, r := range []string{runStart, turnStart, start(assistantMessage("toolUse", call)), end(assistantMessage("toolUse", call)), `{"type":"tool_execution_start","toolCallId":"c","toolName":"n","args":{}}`} {
			v.Observe([]byte(r))
		}
		found := v.Observe([]byte(runStart))
		assert.Equal(t, len(found), 1)
		want := 0
		if dump {
			want = 3
			assert.DeepEqual(t, found[0].Open[2], verifier.Item{Kind: "tool", ID: "c", Parent: true, Opener: 4})
		}
		assert.Equal(t, len(found[0].Open), want)
	}
}
