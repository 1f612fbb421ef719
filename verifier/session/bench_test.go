package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
)

const (
	usage  = `{"input":10,"output":5,"cacheRead":0,"cacheWrite":0,"totalTokens":15,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`
	header = `{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T00:00:00Z","cwd":"/home/dev"}`
)

func user(text string) string {
	return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":%q}],"timestamp":1790000000000}`, text)
}

func assistantMessage(reason, content string) string {
	return `{"role":"assistant","content":[` + content + `],"api":"a","provider":"p","model":"m","usage":` + usage + `,"stopReason":"` + reason + `","timestamp":1790000000000}`
}

// mixed returns about n records of the standard output of 1.x: of the 138 of a run 100 are deltas of text,
// thinking and arguments, ten are updates of a tool; the rest opens and closes messages, turns, the tool and
// the run, and settles. Each run brings one new id.
func mixed(n int) [][]byte {
	var records [][]byte
	add := func(format string, args ...any) { records = append(records, fmt.Appendf(nil, format, args...)) }
	update := func(format string, args ...any) {
		add(`{"type":"message_update","usage":`+usage+`,"assistantMessageEvent":%s}`, fmt.Sprintf(format, args...))
	}
	message := func(m string) {
		add(`{"type":"message_start","message":%s}`, m)
		add(`{"type":"message_end","message":%s}`, m)
	}
	add(header)
	for run := 0; len(records) < n; run++ {
		var thought, said string
		add(`{"type":"agent_start"}`)
		add(`{"type":"turn_start"}`)
		message(user("do something"))
		add(`{"type":"message_start","message":%s}`, assistantMessage("pending", ""))
		update(`{"type":"thinking_start","contentIndex":0}`)
		for i := range 20 {
			part := fmt.Sprintf("consider option number %d, ", i)
			update(`{"type":"thinking_delta","contentIndex":0,"delta":%q}`, part)
			thought += part
		}
		update(`{"type":"thinking_end","contentIndex":0,"content":%q}`, thought)
		update(`{"type":"text_start","contentIndex":1}`)
		for i := range 60 {
			part := fmt.Sprintf("a few more words of the answer, part %d ", i)
			update(`{"type":"text_delta","contentIndex":1,"delta":%q}`, part)
			said += part
		}
		update(`{"type":"text_end","contentIndex":1,"content":%q}`, said)
		update(`{"type":"toolcall_start","contentIndex":2,"id":"call-%d","toolName":"search"}`, run)
		for i := range 20 {
			update(`{"type":"toolcall_delta","contentIndex":2,"delta":%q}`, `{"query":["none"]}          `[i:i+1])
		}
		call := fmt.Sprintf(`{"type":"toolCall","id":"call-%d","name":"search","arguments":{"query":["none"]}}`, run)
		update(`{"type":"toolcall_end","contentIndex":2,"toolCall":%s}`, call)
		asks := assistantMessage("toolUse", fmt.Sprintf(`{"type":"thinking","thinking":%q},{"type":"text","text":%q},%s`, thought, said, call))
		add(`{"type":"message_end","message":%s}`, asks)
		add(`{"type":"tool_execution_start","toolCallId":"call-%d","toolName":"search","args":{"query":["none"]}}`, run)
		for range 10 {
			add(`{"type":"tool_execution_update","toolCallId":"call-%d","toolName":"search","args":{"query":["none"]},"partialResult":{"content":[{"type":"text","text":"looking"}],"details":{}}}`, run)
		}
		add(`{"type":"tool_execution_end","toolCallId":"call-%d","toolName":"search","result":{"content":[{"type":"text","text":"found"}],"details":{}},"isError":false,"durationMs":12}`, run)
		result := fmt.Sprintf(`{"role":"toolResult","toolCallId":"call-%d","toolName":"search","content":[{"type":"text","text":"found"}],"isError":false,"timestamp":1790000000000}`, run)
		message(result)
		add(`{"type":"turn_end","message":%s,"toolResults":[%s]}`, asks, result)
		add(`{"type":"turn_start"}`)
		done := assistantMessage("stop", "")
		message(done)
		add(`{"type":"turn_end","message":%s,"toolResults":[]}`, done)
		add(`{"type":"agent_end","messages":[%s,%s,%s,%s],"willRetry":false}`, user("do something"), asks, result, done)
		add(`{"type":"agent_settled","aborted":false}`)
	}
	return records
}

// million is a made recording of about a million records.
const million = 1_000_000

// BenchmarkMillionMixedRecords judges a million records and, over the same bytes in the same run, reads all
// tokens of them with jsontext. It reports the ratio of the two times, what each costs a record, and the heap
// that the verifier holds at the end.
func BenchmarkMillionMixedRecords(b *testing.B) {
	joined, ends := lines(mixed(million))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var judging, reading time.Duration
	var v *session.Verifier
	var heap, allocs uint64
	for b.Loop() {
		v = nil
		before := memory()
		start := time.Now()
		v = judgeAll(b, joined, ends)
		judging += time.Since(start)
		after := memory()
		heap, allocs = after.HeapAlloc-before.HeapAlloc, after.Mallocs-before.Mallocs
		start = time.Now()
		readTokens(b, joined)
		reading += time.Since(start)
	}
	runtime.KeepAlive(v)
	n := float64(b.N) * float64(len(ends))
	b.ReportMetric(float64(judging)/float64(reading), "x-of-reading")
	b.ReportMetric(float64(judging.Nanoseconds())/n, "ns/record")
	b.ReportMetric(float64(reading.Nanoseconds())/n, "ns-reading/record")
	b.ReportMetric(float64(allocs)/float64(len(ends)), "allocs/record")
	b.ReportMetric(float64(heap)/(1<<20), "MiB-held")
}

func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

// lines joins records and says where each ends.
func lines(records [][]byte) (joined []byte, ends []int) {
	for _, r := range records {
		joined = append(joined, r...)
		ends = append(ends, len(joined))
		joined = append(joined, '\n')
	}
	return joined, ends
}

func judgeAll(b testing.TB, joined []byte, ends []int) *session.Verifier {
	v, err := session.New(session.Options{})
	if err != nil {
		b.Fatal(err)
	}
	from := 0
	for _, end := range ends {
		if found := v.Observe(joined[from:end]); len(found) > 0 && found[0].Severity == verifier.Error {
			b.Fatalf("%s: %+v", joined[from:end], found)
		}
		from = end + 1
	}
	v.Finish()
	return v
}

func readTokens(b testing.TB, data []byte) {
	for dec := jsontext.NewDecoder(bytes.NewReader(data)); ; {
		if _, err := dec.ReadToken(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			b.Fatal(err)
		}
	}
}

func TestTheMixedRecordsOfTheBenchmarkAreLegal(t *testing.T) {
	joined, ends := lines(mixed(500))
	if r := judgeAll(t, joined, ends).Report(); len(r.Findings) > 0 {
		t.Error(r.Findings)
	}
}
