package agui_test

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

func TestAReportSaysHowTheStreamWasJudgedAndWhatItsRunsCameTo(t *testing.T) {
	v, err := agui.New(agui.Options{})
	assert.NilError(t, err)
	for _, e := range []string{
		`{"type":"RUN_STARTED","threadId":"t","runId":"a"}`, `{"type":"RUN_FINISHED","threadId":"t","runId":"a"}`,
		`{"type":"RUN_STARTED","threadId":"t","runId":"b"}`, `{"type":"RUN_FINISHED","threadId":"t","runId":"b","outcome":{"type":"cancelled"}}`,
		`{"type":"RUN_STARTED","threadId":"t","runId":"c"}`, `{"type":"RUN_FINISHED","threadId":"t","runId":"c","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"r"}]}}`,
		`{"type":"RUN_STARTED","threadId":"t","runId":"d"}`, `{"type":"RUN_FINISHED","threadId":"t","runId":"d"}`, `{"type":"RUN_ERROR","message":"late"}`,
		`{"type":"RUN_STARTED","threadId":"t","runId":"e"}`,
	} {
		v.Observe([]byte(e))
	}
	v.Finish()
	r := v.Report()
	assert.Equal(t, r.Profile, "producer")
	assert.Equal(t, r.Revision, "1.0")
	assert.Equal(t, r.Events, 10)
	assert.DeepEqual(t, r.Runs, []verifier.Run{
		{ThreadID: "t", RunID: "a", Outcome: verifier.RunSuccess}, {ThreadID: "t", RunID: "b", Outcome: verifier.RunCancelled},
		{ThreadID: "t", RunID: "c", Outcome: verifier.RunInterrupt}, {ThreadID: "t", RunID: "d", Outcome: verifier.RunError},
		{ThreadID: "t", RunID: "e", Outcome: verifier.RunOpen},
	})
	assert.DeepEqual(t, r.Counts, map[verifier.Severity]int{verifier.Error: 1, verifier.Warning: 0, verifier.Info: 0})
	assert.Assert(t, !r.Stopped && r.Omitted == 0)

	v, err = agui.New(agui.Options{Profile: agui.Server, Revision: agui.RevisionAuto})
	assert.NilError(t, err)
	assert.Equal(t, v.Report().Revision, "auto")
	assert.Equal(t, v.Report().Profile, "server")
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, o := range map[string]agui.Options{
		"profile":  {Profile: "judge"},
		"revision": {Revision: "2.0"},
		"request":  {Request: []byte(`[]`)},
		"no JSON":  {Request: []byte(`{"threadId":`)},
		"depth":    {Limits: verifier.Limits{Depth: 1 << 20}},
		"bytes":    {Limits: verifier.Limits{EventBytes: 1 << 40}},
	} {
		_, err := agui.New(o)
		assert.Assert(t, err != nil, name)
	}
}

// report judges events given as texts.
func report(t *testing.T, o agui.Options, events ...string) verifier.Report {
	t.Helper()
	v, err := agui.New(o)
	assert.NilError(t, err)
	for _, e := range events {
		v.Observe([]byte(e))
	}
	v.Finish()
	return v.Report()
}

// A report shows advice behind what a page demands; the table has it in that order.
func TestAdviceStandsBehindAllOtherRules(t *testing.T) {
	rules := agui.Rules().Rules
	first := slices.IndexFunc(rules, func(r verifier.Rule) bool { return r.Advice })
	assert.Equal(t, rules[first].Code, "tool-args-not-json")
	for _, r := range rules[first:] {
		assert.Assert(t, r.Advice, r.Code)
	}
}
