package agui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/scan"
)

// object is a JSON object of n bytes.
func object(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }

func stateOf(n int) string { return `{"type":"STATE_SNAPSHOT","snapshot":` + object(n) + `}` }

func activityOf(id string, n int) string {
	return `{"type":"ACTIVITY_SNAPSHOT","messageId":"` + id + `","activityType":"a","content":` + object(n) + `}`
}

func listOf(id, content string) string {
	return `{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"` + id + `","role":"activity","activityType":"a","content":` + content + `}]}`
}

func TestDocumentsWeighWhatTheyTakeNow(t *testing.T) {
	const (
		longer  = `{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/a","value":"%s"}]}`
		shorter = `{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a"}]}`
	)
	grown := func(n int) string { return fmt.Sprintf(longer, strings.Repeat("x", n-len(`{"a":""}`))) }
	for name, x := range map[string]struct {
		events []string
		fits   bool
	}{
		"a state as big as the limit":          {[]string{stateOf(100)}, true},
		"a state of one byte more":             {[]string{stateOf(101)}, false},
		"a state that is replaced":             {[]string{stateOf(100), stateOf(100), stateOf(100)}, true},
		"a state beside an activity":           {[]string{stateOf(60), activityOf("p", 40)}, true},
		"a state beside too big an activity":   {[]string{stateOf(60), activityOf("p", 41)}, false},
		"a patch that takes the room there is": {[]string{activityOf("p", 50), stateOf(30), grown(50)}, true},
		"a patch that takes one byte more":     {[]string{activityOf("p", 50), stateOf(30), grown(51)}, false},
		"a patch that makes room":              {[]string{stateOf(100), shorter, activityOf("p", 98)}, true},
		"a patch that makes too little room":   {[]string{stateOf(100), shorter, activityOf("p", 99)}, false},
		"a patched state that is replaced":     {[]string{stateOf(10), grown(40), stateOf(10), activityOf("p", 90)}, true},
		"a patched state, replaced by more":    {[]string{stateOf(10), grown(40), stateOf(11), activityOf("p", 90)}, false},
		"an activity that a list leaves out":   {[]string{activityOf("p", 60), listOf("q", "{}"), stateOf(98)}, true},
		"an activity that a list keeps":        {[]string{activityOf("p", 60), listOf("p", object(60)), stateOf(41)}, false},
		"an activity without known content":    {[]string{activityOf("p", 60), listOf("p", `"x"`), stateOf(100)}, true},
	} {
		o := agui.Options{Revision: agui.Revision0, Limits: verifier.Limits{DocumentBytes: 100}} // 0.x keeps a list with content that is no object
		limit := slices.IndexFunc(report(t, o, append([]string{started}, x.events...)...).Findings, func(f verifier.Violation) bool {
			return f.Clause == "limit/documents"
		})
		assert.Equal(t, limit < 0, x.fits, name)
	}
}

// Judging ends at the event that brings an id too many, whatever its type; what is no id takes nothing.
func TestEveryKindOfIDCounts(t *testing.T) {
	id := strings.Repeat("x", 5000)
	all := agui.Rules().Profiles
	for event, profiles := range map[string][]string{
		`{"type":"TEXT_MESSAGE_START","messageId":"%s"}`:                                                all,
		`{"type":"REASONING_MESSAGE_START","messageId":"%s","role":"reasoning"}`:                        all,
		`{"type":"REASONING_START","messageId":"%s"}`:                                                   all,
		`{"type":"TOOL_CALL_START","toolCallId":"%s","toolCallName":"f"}`:                               all,
		`{"type":"TOOL_CALL_RESULT","messageId":"%s","toolCallId":"c","content":"x"}`:                   all,
		`{"type":"TEXT_MESSAGE_CHUNK","messageId":"%s","delta":"x"}`:                                    all[:3],
		`{"type":"REASONING_MESSAGE_CHUNK","messageId":"%s","delta":"x"}`:                               all[:3],
		`{"type":"TOOL_CALL_CHUNK","toolCallId":"%s","toolCallName":"f"}`:                               all[:3],
		`{"type":"STEP_STARTED","stepName":"%s"}`:                                                       all,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"%s","name":"n"}`:                                   all,
		`{"type":"ACTIVITY_SNAPSHOT","messageId":"%s","activityType":"a","content":{}}`:                 all,
		`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"%s","role":"assistant","content":"x"}]}`:        all,
		`{"type":"TEXT_MESSAGE_START","messageId":"m","name":"%s"}`:                                     all[:2],
		`{"type":"CUSTOM","name":"%s","value":1}`:                                                       all[:1], // to give its advice once
		`{"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"%s"}`:                            all[:2],
		`{"type":"TOOL_CALL_START","toolCallId":"d","toolCallName":"f","parentMessageId":"%s"}`:         all[:2],
		`{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"%s","encryptedValue":"v"}`: nil,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"},"result":"%s"}`: nil,
		`{"type":"RAW","event":"%s"}`:                                                                   nil,
		`{"type":"STATE_SNAPSHOT","snapshot":"%s"}`:                                                     nil,
		`{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning","metadata":{"k":"%s"}}`:   nil,
		`{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"a","content":{"a":"%s"}}`:          nil,
		`{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"%s"}`:                   nil,
		`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"l","role":"assistant","content":"%s"}]}`:        nil,
		`{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"%s"}`:                                    nil,
		`{"type":"TOOL_CALL_CHUNK","toolCallId":"e","toolCallName":"f","delta":"\"%s\""}`:               nil,
		`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n","description":"%s"}`:                 nil,
	} {
		for _, profile := range all {
			o := agui.Options{Profile: profile, Limits: verifier.Limits{IDBytes: 5000}}
			r := report(t, o, started, `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}`, `{"type":"TOOL_CALL_END","toolCallId":"c"}`, fmt.Sprintf(event, id))
			assert.Equal(t, r.Stopped, slices.Contains(profiles, profile), "%s: %s", profile, event)
			at := slices.IndexFunc(r.Findings, func(f verifier.Violation) bool { return f.Clause == "limit/ids" })
			if r.Stopped {
				assert.Equal(t, r.Findings[at].Index, 3)
			}
		}
	}
}

// Where one event reaches two limits, the first is named.
func TestTheLimitReachedFirstIsNamed(t *testing.T) {
	for _, profile := range agui.Rules().Profiles {
		o := agui.Options{Profile: profile, Limits: verifier.Limits{Open: 1, IDBytes: 3000}}
		r := report(t, o, started, `{"type":"STEP_STARTED","stepName":"a"}`, `{"type":"STEP_STARTED","stepName":"`+strings.Repeat("x", 3000)+`"}`)
		assert.Equal(t, r.Findings[0].Clause, "limit/ids", profile)
	}
}

func TestALimitItselfIsAllowed(t *testing.T) {
	for _, profile := range agui.Rules().Profiles {
		event := `{"type":"RAW","event":1}`
		o := agui.Options{Profile: profile, Limits: verifier.Limits{EventBytes: len(started)}}
		long := event[:len(event)-1] + strings.Repeat(" ", len(started)-len(event)) + "}"
		assert.Assert(t, !report(t, o, started, long).Stopped, profile)
		assert.Assert(t, report(t, o, started, long+" ").Stopped, profile)
	}
	for _, x := range []struct {
		limits verifier.Limits
		ok     bool
	}{
		{verifier.Limits{EventBytes: scan.MaxBytes}, true}, {verifier.Limits{EventBytes: scan.MaxBytes + 1}, false},
		{verifier.Limits{Depth: scan.MaxDepth}, true}, {verifier.Limits{Depth: scan.MaxDepth + 1}, false},
	} {
		_, err := agui.New(agui.Options{Limits: x.limits})
		assert.Equal(t, err == nil, x.ok, "%+v", x.limits)
	}
}

// The bytes that ids may take are counted with what their records take.
func TestTheLimitOfIDsIsExact(t *testing.T) {
	for profile, most := range map[string]int{agui.Producer: 2 * (1 + 512), agui.Consumer: 2 * (1 + 512), agui.Server: 2 * (1 + 256), agui.Client: 2 * (1 + 256)} {
		events := []string{started}
		if profile == agui.Server || profile == agui.Client { // which keep no run
			events = append(events, `{"type":"TEXT_MESSAGE_START","messageId":"m"}`)
		}
		assert.Assert(t, !report(t, agui.Options{Profile: profile, Limits: verifier.Limits{IDBytes: most}}, events...).Stopped, profile)
		assert.Assert(t, report(t, agui.Options{Profile: profile, Limits: verifier.Limits{IDBytes: most - 1}}, events...).Stopped, profile)
	}
}

func TestALimitThatIsOffStopsNothing(t *testing.T) {
	for _, profile := range agui.Rules().Profiles {
		o := agui.Options{Profile: profile, Limits: verifier.Limits{Open: 1}}
		for _, c := range clausesOf(t, "limit") {
			o.Off.Set(c)
		}
		r := report(t, o, started, `{"type":"STEP_STARTED","stepName":"a"}`, `{"type":"STEP_STARTED","stepName":"b"}`, `{"type":"STEP_FINISHED","stepName":"z"}`)
		assert.Assert(t, !r.Stopped, profile)
		assert.Equal(t, r.Verdict.String(), "reject not-open at 3", profile)
	}
}

func clausesOf(t *testing.T, code string) (ids []verifier.ClauseID) {
	t.Helper()
	r, ok := agui.Rules().Rule(code)
	assert.Assert(t, ok)
	for _, c := range r.Clauses {
		ids = append(ids, c.ID)
	}
	return ids
}

// Arguments that do not fit into what is kept are not judged; those of the next call are.
func TestArgumentsThatDoNotFitAreNotJudged(t *testing.T) {
	half := strings.Repeat("x", 8<<20)
	call := func(id string, deltas ...string) (events []string) {
		events = append(events, `{"type":"TOOL_CALL_START","toolCallId":"`+id+`","toolCallName":"f"}`)
		for _, d := range deltas {
			events = append(events, `{"type":"TOOL_CALL_ARGS","toolCallId":"`+id+`","delta":"`+d+`"}`)
		}
		return append(events, `{"type":"TOOL_CALL_END","toolCallId":"`+id+`"}`)
	}
	events := slices.Concat([]string{started}, call("fits", half, half), call("does not", half, half, "x", "x"), call("small", "{"), call("fits again", half, half))
	var blamed []string
	for _, f := range report(t, agui.Options{}, events...).Findings {
		if f.Code == "tool-args-not-json" {
			blamed = append(blamed, f.ID)
		}
	}
	assert.DeepEqual(t, blamed, []string{"fits", "small", "fits again"})
}

// Four openings of a call are remembered for parents that have not shown.
func TestTheUnseenParentsOfACallAreBounded(t *testing.T) {
	events := []string{started}
	for i := range 6 {
		events = append(events, fmt.Sprintf(`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m%d"}`, i), `{"type":"TOOL_CALL_END","toolCallId":"c"}`)
	}
	advised := func(shown int) bool {
		all := slices.Clone(events)
		for i := range shown {
			all = append(all, fmt.Sprintf(`{"type":"TEXT_MESSAGE_START","messageId":"m%d"}`, i), fmt.Sprintf(`{"type":"TEXT_MESSAGE_END","messageId":"m%d"}`, i))
		}
		return slices.ContainsFunc(report(t, agui.Options{}, all...).Findings, func(f verifier.Violation) bool { return f.Code == "parent-message-unseen" })
	}
	assert.Assert(t, advised(3))
	assert.Assert(t, !advised(4))
}

func TestNothingIsJudgedBehindTheEnd(t *testing.T) {
	for _, profile := range agui.Rules().Profiles {
		v, err := agui.New(agui.Options{Profile: profile})
		assert.NilError(t, err)
		v.Observe([]byte(`{"type":"STEP_FINISHED","stepName":"a"}`))
		v.Finish()
		before := len(v.Report().Findings)
		assert.Equal(t, len(v.Finish()), 0, profile)
		assert.Equal(t, len(v.Observe([]byte(`{"type":"STEP_FINISHED","stepName":"a"}`))), 0, profile)
		assert.Equal(t, len(v.ObserveOver(verifier.Place{})), 0, profile)
		assert.Equal(t, len(v.Report().Findings), before, profile)
	}
}

func TestCoverageCountsLooksAndFaults(t *testing.T) {
	id := clausesOf(t, "truncated")[0]
	for profile, want := range map[string]uint64{agui.Producer: 1, agui.Server: 0} {
		v, err := agui.New(agui.Options{Profile: profile})
		assert.NilError(t, err)
		v.Finish()
		evaluated, fired := v.Coverage(id)
		assert.Equal(t, evaluated, want, profile)
		assert.Equal(t, fired, want, profile)
	}
}
