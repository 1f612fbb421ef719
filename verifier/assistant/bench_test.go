package assistant_test

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
	"github.com/agentstream/conformance/verifier/assistant"
)

// answer is a made message of the model, one event a line: of its n blocks each third is thinking, text
// and a tool call, with forty deltas of a few words. It is a whole stream: the last event repeats all of it.
func answer(n int, names map[string]string) [][]byte {
	var events [][]byte
	var content bytes.Buffer
	add := func(format string, args ...any) { events = append(events, fmt.Appendf(nil, format, args...)) }
	add(`{"type":"start"}`)
	for i := range n {
		kind := [...]string{"thinking", "text", names["call"]}[i%3]
		add(`{"type":"%s_start","contentIndex":%d%s}`, kind, i, map[bool]string{true: fmt.Sprintf(`,"id":"call_%d","%s":"search"`, i, names["name"])}[i%3 == 2])
		said, member := "", "delta"
		if i%3 == 2 {
			member = names["delta"]
			add(`{"type":"%s_delta","contentIndex":%d,"%s":"{\"terms\":["}`, kind, i, member)
		}
		for j := range 40 {
			delta := fmt.Sprintf("part %d of what is said, ", j)
			if i%3 == 2 {
				delta = fmt.Sprintf(`\"term %d\",`, j)
			}
			said += delta
			add(`{"type":"%s_delta","contentIndex":%d,"%s":"%s"}`, kind, i, member, delta)
		}
		if i > 0 {
			content.WriteByte(',')
		}
		switch i % 3 {
		case 2:
			add(`{"type":"%s_delta","contentIndex":%d,"%s":"null]}"}`, kind, i, member)
			terms := bytes.ReplaceAll([]byte(said), []byte(`\`), nil)
			call := fmt.Sprintf(`{"type":"%s","id":"call_%d","name":"search","arguments":{"terms":[%snull]}}`, names["block"], i, terms)
			add(`{"type":"%s_end","contentIndex":%d,"toolCall":%s}`, kind, i, call)
			content.WriteString(call)
		default:
			add(`{"type":"%s_end","contentIndex":%d,"content":"%s"}`, kind, i, said)
			fmt.Fprintf(&content, `{"type":"%s","%[1]s":"%s"}`, kind, said)
		}
	}
	add(`{"type":"done","reason":"stop","message":{"role":"assistant","content":[%s],"api":"a","provider":"p","model":"m","usage":`+
		`{"input":9,"output":3,"cacheRead":0,"cacheWrite":0,"totalTokens":12,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"stop","timestamp":1700000000000}}`, content.Bytes())
	return events
}

var vocabularies = map[string]map[string]string{
	assistant.Pi1x:   {"call": "toolcall", "name": "toolName", "delta": "delta", "block": "toolCall"},
	assistant.DiCode: {"call": "tool_call", "name": "name", "delta": "argumentsDelta", "block": "tool_call"},
}

// million is how many events are judged, in streams of 60 blocks.
const million = 1_000_000

// BenchmarkMillionEvents judges a million events of many streams and, over the same bytes in the same run,
// reads all tokens of them with jsontext. It reports the ratio of the two times, what each costs an event,
// and the heap that the last verifier holds at the end.
func BenchmarkMillionEvents(b *testing.B) {
	for profile, names := range vocabularies {
		b.Run(profile, func(b *testing.B) { judgeMillion(b, profile, answer(60, names)) })
	}
}

// BenchmarkMillionEventsWithPartial is the same for the serialisation that repeats the whole message in
// each event.
func BenchmarkMillionEventsWithPartial(b *testing.B) {
	events := answer(6, vocabularies[assistant.Pi1x])
	partial := []byte(`,"partial":{"role":"assistant","content":[{"type":"thinking","thinking":"as far as it has come"},{"type":"text","text":"as far as it has come"}],"api":"a","provider":"p","model":"m","usage":` +
		`{"input":9,"output":3,"cacheRead":0,"cacheWrite":0,"totalTokens":12,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"pending","timestamp":1700000000000}}`)
	for i := range len(events) - 1 {
		events[i] = append(events[i][:len(events[i])-1], partial...)
	}
	judgeMillion(b, assistant.Pi1x, events)
}

func judgeMillion(b *testing.B, profile string, events [][]byte) {
	joined, ends := lines(events)
	rounds := million / len(ends)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var judging, reading time.Duration
	var v *assistant.Verifier
	var heap, allocs uint64
	for b.Loop() {
		v = nil
		before := memory()
		start := time.Now()
		for range rounds {
			v = judgeAll(b, profile, joined, ends)
		}
		judging += time.Since(start)
		after := memory()
		heap, allocs = after.HeapAlloc-before.HeapAlloc, after.Mallocs-before.Mallocs
		start = time.Now()
		for range rounds {
			readTokens(b, joined)
		}
		reading += time.Since(start)
	}
	runtime.KeepAlive(v)
	n := float64(b.N) * float64(rounds*len(ends))
	b.ReportMetric(float64(judging)/float64(reading), "x-of-reading")
	b.ReportMetric(float64(judging.Nanoseconds())/n, "ns/event")
	b.ReportMetric(float64(reading.Nanoseconds())/n, "ns-reading/event")
	b.ReportMetric(float64(allocs)/float64(rounds*len(ends)), "allocs/event")
	b.ReportMetric(float64(heap)/(1<<20), "MiB-held")
}

func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

// lines joins events and says where each ends.
func lines(events [][]byte) (joined []byte, ends []int) {
	for _, e := range events {
		joined = append(joined, e...)
		ends = append(ends, len(joined))
		joined = append(joined, '\n')
	}
	return joined, ends
}

func judgeAll(b testing.TB, profile string, joined []byte, ends []int) *assistant.Verifier {
	v, err := assistant.New(assistant.Options{Profile: profile})
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
	if found := v.Finish(); len(found) > 0 {
		b.Fatalf("%+v", found)
	}
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
