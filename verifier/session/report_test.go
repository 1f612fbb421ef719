package session_test

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
)

func report(t *testing.T, o session.Options, records ...string) verifier.Report {
	t.Helper()
	v, err := session.New(o)
	assert.NilError(t, err)
	for _, r := range records {
		v.Observe([]byte(r))
	}
	v.Finish()
	return v.Report()
}

func TestTheClassIsFoundWhileReading(t *testing.T) {
	settled := `{"type":"agent_settled","aborted":false}`
	for name, x := range map[string]struct {
		records []string
		class   string
	}{
		"nothing":                         {nil, "agent"},
		"records of a run":                {[]string{runStart}, "agent"},
		"types that nobody knows":         {[]string{runStart, `{"type":"agent_napped"}`, "{"}, "agent"},
		"a header":                        {[]string{header, runStart}, "stdout"},
		"a record of the session, later":  {[]string{runStart, turnStart, settled}, "stdout"},
		"an update that is only a delta":  {[]string{runStart, turnStart, start(assistantMessage("stop", "")), update(`{"type":"text_start","contentIndex":0}`)}, "stdout"},
		"an end of a run with willRetry":  {[]string{`{"type":"agent_end","messages":[],"willRetry":false}`}, "stdout"},
		"an update with its message":      {[]string{runStart, turnStart, start(assistantMessage("stop", "")), full(`{"type":"text_start","contentIndex":0}`)}, "agent"},
		"an envelope":                     {[]string{runStart, out(turnStart)}, "transcript"},
		"the log of an extension":         {[]string{`{"ext":"session_start"}`}, "transcript"},
		"a transcript remains transcript": {[]string{out(runStart), turnStart, settled}, "transcript"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, report(t, session.Options{}, x.records...).Class, x.class)
		})
	}
}

func TestWhatTheClassCannotShowIsNotEvaluated(t *testing.T) {
	agent := report(t, session.Options{}, runStart)
	stdout := report(t, session.Options{}, header)
	transcript := report(t, session.Options{}, `{"dir":"exit","record":{}}`)
	for _, code := range []string{"truncated", "retry-count", "run-cut", "full-update", "queue-lost"} {
		assert.Assert(t, slices.Contains(agent.NotEvaluated, code), code)
		assert.Assert(t, !slices.Contains(stdout.NotEvaluated, code), code)
	}
	for _, code := range []string{"response-unknown", "ui-answer", "lifecycle-order", "entry-twice"} {
		assert.Assert(t, slices.Contains(stdout.NotEvaluated, code), code)
	}
	assert.Assert(t, !slices.Contains(stdout.NotEvaluated, "response-shape"))
	assert.Equal(t, len(transcript.NotEvaluated), 0)
	assert.Equal(t, len(agent.Findings), 0, "a run that is open is for the session to judge")
	old := report(t, session.Options{Profile: session.Pi073}, runStart)
	assert.Assert(t, !slices.Contains(old.NotEvaluated, "full-update"), "what the profile does not judge is not missed")
}

// A stream that 0.80 sends says under pi-1.x what is wrong with it.
func TestAnUpdateOfAnOlderReleaseIsAFullUpdate(t *testing.T) {
	r := report(t, session.Options{}, header, runStart, turnStart, start(assistantMessage("stop", "")), full(`{"type":"text_start","contentIndex":0}`))
	assert.Equal(t, r.Verdict.String(), "reject full-update at 4")
}

func TestTheEmbeddedStreamIsJudgedByItsOwnProtocol(t *testing.T) {
	r := report(t, session.Options{}, out(runStart), out(turnStart), out(start(assistantMessage("stop", ""))), out(update(`{"type":"text_delta","contentIndex":0,"delta":"x"}`)))
	assert.Equal(t, r.Verdict.String(), "reject not-open at 3")
	assert.Equal(t, r.Findings[0].Protocol, "assistant")
	assert.Equal(t, r.Findings[0].Clause, "not-open/text")
	r = report(t, session.Options{}, runStart, end(assistantMessage("stop", "")))
	assert.Equal(t, r.Findings[0].Protocol, "session")
	assert.Equal(t, r.Findings[0].Clause, "not-open/message")
}

func TestThePointerLeadsToTheFault(t *testing.T) {
	for _, x := range []struct{ record, pointer string }{
		{`{"type":"message_start","message":{"role":"user","content":[{"type":"text"}],"timestamp":1}}`, "/message/content/0/text"},
		{out(`{"type":"message_start","message":{"role":"user","content":[{"type":"text"}],"timestamp":1}}`), "/record/message/content/0/text"},
		{`{"type":"response","command":"get_state","success":true,"data":{"thinkingLevel":"off"}}`, "/data/isStreaming"},
		{out(`{"type":"queue_update","steering":[1],"followUp":[]}`), "/record/steering/0"},
		{out(`{"type":"extension_ui_request","id":"u","method":"select","title":"t","options":"a"}`), "/record/options"},
	} {
		r := report(t, session.Options{}, x.record)
		at := slices.IndexFunc(r.Findings, func(f verifier.Violation) bool { return f.Pointer != "" })
		assert.Assert(t, at >= 0, x.record)
		assert.Equal(t, r.Findings[at].Pointer, x.pointer)
	}
}

func TestNewRefusesOptionsThatMakeNoSense(t *testing.T) {
	for _, o := range []session.Options{{Profile: "di-code"}, {Limits: verifier.Limits{Depth: 1 << 20}}, {Limits: verifier.Limits{EventBytes: 1 << 40}}} {
		_, err := session.New(o)
		assert.Assert(t, err != nil)
	}
}
