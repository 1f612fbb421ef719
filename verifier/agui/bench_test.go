package agui_test

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
	"github.com/agentstream/conformance/verifier/agui"
)

// mixed returns n events of a made stream, one a line: of a turn's 146 events 60 are content of a text, 20 of
// reasoning, 20 chunks in a subagent's lane, 12 arguments of a tool call, 8 deltas of state and activity, 6 RAW
// with a provider's chunk; the rest opens, closes and carries snapshots, a result with parts, usage and metadata.
// Seven of them bring a new id. Every turn is a run.
func mixed(n int) [][]byte {
	var events [][]byte
	add := func(format string, args ...any) { events = append(events, fmt.Appendf(nil, format, args...)) }
	for turn := 0; len(events) < n; turn++ {
		add(`{"type":"RUN_STARTED","threadId":"t","runId":"run-%d","protocolVersion":"1.0"}`, turn)
		add(`{"type":"STATE_SNAPSHOT","snapshot":{"count":0,"items":["a","b","c"],"nested":{"done":false}}}`)
		add(`{"type":"STEP_STARTED","stepName":"plan","timestamp":1790000000000}`)
		add(`{"type":"REASONING_START","messageId":"span-%d"}`, turn)
		add(`{"type":"REASONING_MESSAGE_START","messageId":"thought-%d","role":"reasoning"}`, turn)
		for i := range 20 {
			add(`{"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-%d","delta":"consider option number %d, "}`, turn, i)
		}
		add(`{"type":"REASONING_MESSAGE_END","messageId":"thought-%d"}`, turn)
		add(`{"type":"REASONING_END","messageId":"span-%d"}`, turn)
		add(`{"type":"TEXT_MESSAGE_START","messageId":"message-%d","role":"assistant"}`, turn)
		for i := range 60 {
			add(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"message-%d","delta":"a few more words of the answer, part %d "}`, turn, i)
		}
		add(`{"type":"TOOL_CALL_START","toolCallId":"call-%d","toolCallName":"search","parentMessageId":"message-%d"}`, turn, turn)
		add(`{"type":"TOOL_CALL_ARGS","toolCallId":"call-%d","delta":"{\"query\":["}`, turn)
		for i := range 10 {
			add(`{"type":"TOOL_CALL_ARGS","toolCallId":"call-%d","delta":"\"term %d\","}`, turn, i)
		}
		add(`{"type":"TOOL_CALL_ARGS","toolCallId":"call-%d","delta":"null]}"}`, turn)
		add(`{"type":"TOOL_CALL_END","toolCallId":"call-%d"}`, turn)
		add(`{"type":"TOOL_CALL_RESULT","messageId":"result-%d","toolCallId":"call-%d","content":[{"type":"text","text":"found it"}]}`, turn, turn)
		add(`{"type":"TEXT_MESSAGE_END","messageId":"message-%d"}`, turn)
		add(`{"type":"SUBAGENT_STARTED","subagentRunId":"sub","name":"researcher"}`)
		for i := range 20 {
			add(`{"type":"TEXT_MESSAGE_CHUNK","messageId":"chunked-%d","delta":"streamed as chunk %d ","subagentRunId":"sub"}`, turn, i)
		}
		add(`{"type":"SUBAGENT_FINISHED","subagentRunId":"sub","outcome":{"type":"success"}}`)
		add(`{"type":"ACTIVITY_SNAPSHOT","messageId":"activity","activityType":"search","content":{"found":0}}`)
		for i := range 4 {
			add(`{"type":"ACTIVITY_DELTA","messageId":"activity","activityType":"search","patch":[{"op":"replace","path":"/found","value":%d}]}`, i%10)
			add(`{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/count","value":%d}],"metadata":{"acme.trace":"%d"}}`, i%10, i)
		}
		add(`{"type":"CUSTOM","name":"acme.progress","value":{"percent":50}}`)
		for i := range 6 {
			add(`{"type":"RAW","event":{"id":"chatcmpl-%d","object":"chat.completion.chunk","created":1790000000,"model":"some-model","choices":[{"index":0,"delta":{"role":"assistant","content":"a few words"},"logprobs":null,"finish_reason":null}]},"source":"provider"}`, i)
		}
		add(`{"type":"STEP_FINISHED","stepName":"plan"}`)
		add(`{"type":"RUN_FINISHED","threadId":"t","runId":"run-%d","outcome":{"type":"success"},"usage":[{"inputTokens":10,"outputTokens":5,"totalTokens":15}]}`, turn)
	}
	return events
}

// million is a made stream of about a million mixed events.
const million = 1_000_000

// BenchmarkMillionMixedEvents judges a million mixed events and, over the same bytes in the same run,
// reads all tokens of them with jsontext. It reports the ratio of the two times, what each costs an
// event, and the heap that the verifier holds at the end.
func BenchmarkMillionMixedEvents(b *testing.B) {
	joined, ends := lines(mixed(million))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var judging, reading time.Duration
	var v *agui.Verifier
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
	b.ReportMetric(float64(judging.Nanoseconds())/n, "ns/event")
	b.ReportMetric(float64(reading.Nanoseconds())/n, "ns-reading/event")
	b.ReportMetric(float64(allocs)/float64(len(ends)), "allocs/event")
	b.ReportMetric(float64(heap)/(1<<20), "MiB-held")
}

func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

// lines joins events and says where each ends: the same bytes in the same place for both, as a reader
// has them, and nothing for the collector to look through.
func lines(events [][]byte) (joined []byte, ends []int) {
	for _, e := range events {
		joined = append(joined, e...)
		ends = append(ends, len(joined))
		joined = append(joined, '\n')
	}
	return joined, ends
}

func judgeAll(b testing.TB, joined []byte, ends []int) *agui.Verifier {
	v, err := agui.New(agui.Options{})
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
