package agui_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

const started = `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`

// judged gives every event that next returns to a verifier of each profile, and holds the heap under
// a bound while it does.
func judged(t *testing.T, o agui.Options, events func(yield func([]byte) bool)) (reports []verifier.Report) {
	t.Helper()
	for _, o.Profile = range agui.Rules().Profiles {
		v, err := agui.New(o)
		assert.NilError(t, err)
		before := held()
		for e := range events {
			v.Observe(e)
		}
		v.Finish()
		if grown := held() - before; grown > 400<<20 {
			t.Errorf("%s: %d MiB are held", o.Profile, grown>>20)
		}
		runtime.KeepAlive(v)
		reports = append(reports, v.Report())
	}
	return reports
}

func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func of(events ...string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, e := range events {
			if !yield([]byte(e)) {
				return
			}
		}
	}
}

// numbered yields n events made from a format with one number, behind an opening RUN_STARTED.
func numbered(n int, format string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if !yield([]byte(started)) {
			return
		}
		var buf []byte
		for i := range n {
			if buf = fmt.Appendf(buf[:0], format, i); !yield(buf) {
				return
			}
		}
	}
}

func TestHostileStreamsEndInFindingsOrIncomplete(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	nested := strings.Repeat(`{"a":`, 400) + `{"b":1,"b":2}` + strings.Repeat("}", 400)
	for name, c := range map[string]struct {
		events func(yield func([]byte) bool)
		want   string // in profile producer
	}{
		"nested arrays":            {of(started, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)), "incomplete limit at 1"},
		"nested arrays in a state": {of(started, `{"type":"STATE_SNAPSHOT","snapshot":`+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+`}`), "incomplete limit at 1"},
		"nested and cut":           {of(started, strings.Repeat(`{"a":[`, 100_000)), "incomplete limit at 1"},
		"a huge event":             {of(started, `{"type":"RAW","event":"`+strings.Repeat(big, 17)+`"}`), "incomplete limit at 1"},
		"open messages":            {numbered(1_000_000, `{"type":"TEXT_MESSAGE_START","messageId":"m%d"}`), "incomplete limit at 100001"},
		"open steps":               {numbered(1_000_000, `{"type":"STEP_STARTED","stepName":"s%d"}`), "incomplete limit at 100001"},
		"ids of 1 MiB":             {numbered(300, `{"type":"TEXT_MESSAGE_CHUNK","messageId":"%d`+big+`"}`), "incomplete limit at 256"},
		"invalid UTF-8":            {of(started, "{\"type\":\"CUSTOM\",\"name\":\"a.\xff\xfe\",\"value\":\"\xc0\x80\"}"), "reject bad-utf8 at 1"},
		"NUL bytes":                {of(started, "\x00\x00{\"type\":\"RAW\"}\x00"), "reject bad-json at 1"},
		"an escaped NUL":           {of(started, `{"type":"CUSTOM","name":"a.\u0000","value":null}`), "reject truncated at 2"},
		"lone surrogates":          {of(started, `{"type":"TEXT_MESSAGE_START","messageId":"\ud800"}`, `{"type":"TEXT_MESSAGE_END","messageId":"\udfff"}`), "reject not-open at 2"},
		"a number as type":         {of(`{"type":1e999}`), "reject wrong-type at 0"},
		"an endless number":        {of(started, `{"type":"RAW","event":1,"timestamp":`+strings.Repeat("9", 1<<20)+`}`), "reject bad-value at 1"},
		"duplicate names":          {of(started, `{"type":"RAW","event":`+nested+`}`), "reject duplicate-name at 1"},
		"many names":               {numbered(1, `{"type":"RAW","event":{`+names(50_000)+`"z":%d}}`), "reject truncated at 2"},
		"many unknown members":     {numbered(1, `{"type":"STEP_STARTED","stepName":"p",`+names(50_000)+`"z":%d}`), "reject unknown-property at 1"},
		"nothing":                  {of("", "", ""), "reject bad-json at 0"},
		"many faults":              {numbered(200_000, `{"type":"TEXT_MESSAGE_END","messageId":"m%d"}`), "reject not-open at 1"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, judged(t, agui.Options{}, c.events)[0].Verdict.String(), c.want)
		})
	}
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	return b.String()
}

func TestAStateThatDoublesEndsIncomplete(t *testing.T) {
	doubling := func(yield func([]byte) bool) {
		yield([]byte(started))
		yield([]byte(`{"type":"STATE_SNAPSHOT","snapshot":{"a":"` + strings.Repeat("x", 1000) + `"}}`))
		for i := range 40 {
			if !yield(fmt.Appendf(nil, `{"type":"STATE_DELTA","delta":[{"op":"copy","from":"","path":"/c%d"}]}`, i)) {
				return
			}
		}
	}
	r := judged(t, agui.Options{}, doubling)[0]
	assert.Equal(t, r.Verdict.Outcome, verifier.Incomplete)
	assert.Equal(t, r.Findings[0].Clause, "limit/documents")
}

func TestJudgingStopsWhereALimitIsReached(t *testing.T) {
	o := agui.Options{Limits: verifier.Limits{Open: 1}}
	r := judged(t, o, of(started, `{"type":"STEP_STARTED","stepName":"a"}`, `{"type":"STEP_STARTED","stepName":"b"}`, `{"type":"STEP_FINISHED","stepName":"z"}`))[0]
	assert.Equal(t, r.Verdict.String(), "incomplete limit at 2")
	assert.Equal(t, len(r.Findings), 1, "what follows is not known to be wrong")
	assert.Equal(t, r.Events, 4)

	r = judged(t, o, of(started, `{"type":"STEP_FINISHED","stepName":"z"}`, `{"type":"STEP_STARTED","stepName":"a"}`, `{"type":"STEP_STARTED","stepName":"b"}`))[0]
	assert.Equal(t, r.Verdict.String(), "reject not-open at 1", "what came before the limit is certain")
}

func TestFindingsKeptAreBoundedAndTheDecidingOneIsAmongThem(t *testing.T) {
	events := numbered(5000, `{"type":"TEXT_MESSAGE_START","messageId":"m%d","subagentRunId":"late"}`)
	r := judged(t, agui.Options{Limits: verifier.Limits{Findings: 10}}, func(yield func([]byte) bool) {
		events(yield)
		for range 50 {
			yield([]byte(`{"type":"STEP_FINISHED","stepName":"z"}`))
		}
		yield([]byte(`{"type":"SUBAGENT_STARTED","subagentRunId":"late","name":"n"}`))
	})[0]
	assert.Equal(t, r.Verdict.String(), "reject subagent-unannounced at 1")
	assert.Equal(t, len(r.Findings), 10)
	assert.Equal(t, r.Findings[0].Code, "subagent-unannounced")
	assert.Equal(t, r.Omitted, 50+2-10)
}
