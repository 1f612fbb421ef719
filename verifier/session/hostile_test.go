package session_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
)

// judged gives every record to a verifier of each profile, and holds the heap under a bound while it does.
func judged(t *testing.T, o session.Options, records func(yield func([]byte) bool)) (reports []verifier.Report) {
	t.Helper()
	for _, o.Profile = range session.Rules().Profiles {
		v, err := session.New(o)
		assert.NilError(t, err)
		before := held()
		for r := range records {
			if v.Observe(r); v.Verdict().Outcome == verifier.Incomplete {
				break // nothing more is judged
			}
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

func of(records ...string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, r := range records {
			if !yield([]byte(r)) {
				return
			}
		}
	}
}

// numbered yields n records made from a format with one number, behind others.
func numbered(n int, format string, before ...string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, r := range before {
			if !yield([]byte(r)) {
				return
			}
		}
		var buf []byte
		for i := range n {
			if buf = fmt.Appendf(buf[:0], format, i); !yield(buf) {
				return
			}
		}
	}
}

// repeated yields n times the same record, behind others.
func repeated(n int, record string, before ...string) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, r := range before {
			if !yield([]byte(r)) {
				return
			}
		}
		for range n {
			if !yield([]byte(record)) {
				return
			}
		}
	}
}

func out(record string) string { return `{"dir":"stdout","record":` + record + `}` }
func in(raw string) string     { return `{"dir":"stdin","raw":"` + raw + `"}` }

func TestHostileRecordingsEndInFindingsOrIncomplete(t *testing.T) {
	nested := strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000)
	mib := strings.Repeat("x", 1<<20)
	opened := []string{header, runStart, turnStart, start(assistantMessage("stop", "")), full(`{"type":"text_start","contentIndex":0}`)}
	asked := `{"type":"toolCall","id":"c","name":"n","arguments":{}}`
	for name, c := range map[string]struct {
		records func(yield func([]byte) bool)
		want    string // in profile pi-0.80
	}{
		"nested arguments":       {of(runStart, turnStart, `{"type":"tool_execution_start","toolCallId":"c","toolName":"n","args":{"a":`+nested+`}}`), "incomplete limit at 2"},
		"nested and cut":         {of(runStart, strings.Repeat(`{"a":[`, 100_000)), "incomplete limit at 1"},
		"nested in a line":       {of(in(strings.Repeat(`[`, 100_000) + `\n`)), "incomplete limit at 0"},
		"a huge record":          {of(runStart, `{"type":"`+strings.Repeat(mib, 17)+`"}`), "incomplete limit at 1"},
		"open tools":             {numbered(1_000_000, `{"type":"tool_execution_start","toolCallId":"c%d","toolName":"n","args":{}}`, runStart, turnStart), "reject tool-unknown at 2"},
		"calls in a message":     {of(runStart, turnStart, start(assistantMessage("stop", "")), end(assistantMessage("toolUse", calls(100_001)))), "incomplete limit at 3"},
		"commands":               {numbered(1_000_000, `{"dir":"stdin","record":{"type":"abort","id":"%d"}}`), "incomplete limit at 100000"},
		"dialogs":                {numbered(1_000_000, `{"dir":"host","record":{"type":"ui-open","gen":1,"id":"u%d"}}`, `{"dir":"host","record":{"type":"bind","gen":1}}`), "incomplete limit at 100001"},
		"ids of 1 MiB":           {numbered(300, `{"dir":"stdout","record":{"type":"extension_ui_request","id":"%d`+mib+`","method":"setTitle","title":"t"}}`), "incomplete limit at 255"},
		"deltas without end":     {repeated(1024, full(`{"type":"text_delta","contentIndex":0,"delta":"`+mib+`"}`), opened...), "incomplete limit at 69"},
		"output without end":     {repeated(1024, out(`{"type":"bash_execution_update","delta":"`+mib+`"}`), `{"dir":"stdin","record":{"type":"bash","command":"yes"}}`), "incomplete limit at 65"},
		"a line without end":     {repeated(1024, in(mib)), "incomplete limit at 16"},
		"a queue without end":    {of(`{"type":"queue_update","steering":["` + strings.Repeat(`a","`, 200_000) + `"],"followUp":[]}`), "incomplete limit at 0"},
		"invalid UTF-8":          {of("{\"type\":\"agent_start\",\"x\":\"\xff\"}"), "reject bad-utf8 at 0"},
		"NUL bytes":              {of("\x00{\"type\":\"agent_start\"}\x00"), "reject bad-json at 0"},
		"lone surrogates":        {of(runStart, turnStart, start(user(`\ud800`)), end(user(`\udfff`))), "reject message-changed at 3"},
		"surrogates in ids":      {of(runStart, turnStart, start(assistantMessage("toolUse", strings.Replace(asked, `"c"`, `"\ud800"`, 1))), end(assistantMessage("toolUse", strings.Replace(asked, `"c"`, `"\ud800"`, 1))), `{"type":"tool_execution_start","toolCallId":"\udfff","toolName":"n","args":{}}`), "reject tool-unknown at 4"},
		"CR and U+2028 in text":  {of(runStart, turnStart, start(user(`\r`+"\u2028")), end(user(`\r`+"\u2028"))), "accept"},
		"CR behind a record":     {of(runStart+"\r", turnStart+"\r"), "accept"},
		"a number as type":       {of(`{"type":1e999}`), "reject wrong-type at 0"},
		"a number as dir":        {of(`{"dir":1,"record":{}}`), "reject wrong-type at 0"},
		"a number as record":     {of(`{"dir":"stdout","record":1}`, `{"dir":"stdin","record":1}`), "reject not-an-object at 0"},
		"an envelope of nothing": {of(`{"dir":"stdin"}`), "reject missing-field at 0"},
		"nothing":                {of("", "", ""), "reject bad-json at 0"},
		"many names":             {of(`{"type":"agent_start",` + names(50_000) + `"z":1}`), "accept"},
		"many faults":            {numbered(200_000, `{"type":"tool_execution_end","toolCallId":"c%d","toolName":"n","result":{"content":[]},"isError":false}`), "reject not-open at 0"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, judged(t, session.Options{}, c.records)[1].Verdict.String(), c.want)
		})
	}
}

// full is an update with the message so far, as releases before 1.x send it.
func full(event string) string {
	return `{"type":"message_update","message":` + assistantMessage("stop", "") + `,"assistantMessageEvent":` + event + `}`
}

func calls(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":"n","arguments":{}}`, i)
	}
	return strings.Join(all, ",")
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	return b.String()
}

func TestAMillionOpenToolsEndJudging(t *testing.T) {
	r := judged(t, session.Options{}, numbered(1_000_000, `{"type":"tool_execution_start","toolCallId":"c%d","toolName":"n","args":{}}`, runStart, turnStart))[0]
	assert.Assert(t, r.Stopped)
	assert.Equal(t, r.Verdict.String(), "reject tool-unknown at 2", "what came before the limit is certain")
}

func TestPiecesOfStandardInputAreJoined(t *testing.T) {
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"cut inside an escape":       {[]string{in(`{\"type\":\"abort\",\"id\":\"\\ud8`), in(`3d\\ude00\"}\n`), out(`{"type":"response","command":"abort","id":"\ud83d\ude00","success":true}`)}, "accept"},
		"cut inside a character":     {[]string{in(`{\"type\":\"abort\",\"id\":\"\ud83d`), in(`\ude00\"}\n`), out(`{"type":"response","command":"abort","id":"😀","success":true}`)}, "accept"},
		"two lines in a piece":       {[]string{in(`{\"type\":\"abort\"}\r\n{\"type\":\"abort_bash\"}\n`), out(`{"type":"response","command":"abort_bash","success":true}`), out(`{"type":"response","command":"abort","success":true}`)}, "accept"},
		"a line of white space":      {[]string{in(` \n`), out(`{"type":"response","command":"parse","success":false,"error":"x"}`)}, "accept"},
		"U+2028 is no line end":      {[]string{in("{\\\"type\\\":\\\"abort\\\",\\\"id\\\":\\\"a\u2028b\\\"}\\n"), out("{\"type\":\"response\",\"command\":\"abort\",\"id\":\"a\u2028b\",\"success\":true}")}, "accept"},
		"no line end":                {[]string{in(`{\"type\":\"abort\"}`), out(`{"type":"response","command":"abort","success":true}`)}, "accept"},
		"no line end, and no answer": {[]string{in(`{\"type\":\"abort\"}`), out(`{"type":"response","command":"abort_bash","success":true}`)}, "reject response-unknown at 1"},
		"a number is an id":          {[]string{in(`{\"type\":\"abort\",\"id\":7}\n`), out(`{"type":"response","command":"abort","id":7.0,"success":true}`)}, "accept"},
		"a string is another id":     {[]string{in(`{\"type\":\"abort\",\"id\":7}\n`), out(`{"type":"response","command":"abort","id":"7","success":true}`)}, "reject response-unknown at 1"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, judged(t, session.Options{}, of(c.records...))[0].Verdict.String(), c.want)
		})
	}
}

func TestJudgingStopsWhereALimitIsReached(t *testing.T) {
	o := session.Options{Limits: verifier.Limits{Open: 1}}
	abort := `{"dir":"stdin","record":{"type":"abort"}}`
	r := judged(t, o, of(abort, abort, out(`{"type":"agent_end","messages":[],"willRetry":false}`)))[0]
	assert.Equal(t, r.Verdict.String(), "incomplete limit at 1")
	assert.Equal(t, len(r.Findings), 1, "what follows is not known to be wrong")
	r = report(t, o, abort, abort, out(`{"type":"agent_end","messages":[],"willRetry":false}`))
	assert.Equal(t, len(r.Findings), 1)
	assert.Equal(t, r.Events, 3)
}

func TestFindingsKeptAreBounded(t *testing.T) {
	r := judged(t, session.Options{Limits: verifier.Limits{Findings: 10}}, numbered(5000, `{"type":"agent_end","messages":[],"n":%d}`))[0]
	assert.Equal(t, r.Verdict.String(), "reject not-open at 0")
	assert.Equal(t, len(r.Findings), 10)
	assert.Equal(t, r.Omitted, 4990)
}
