package assistant_test

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
)

// judged gives events to a verifier and holds the heap under a bound while it does.
func judged(t *testing.T, o assistant.Options, events iter.Seq[[]byte]) verifier.Report {
	t.Helper()
	v, err := assistant.New(o)
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
	return v.Report()
}

func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func of(events ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, e := range events {
			if !yield([]byte(e)) {
				return
			}
		}
	}
}

// numbered yields the first events, then n made from a format with one number.
func numbered(n int, format string, first ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, e := range first {
			if !yield([]byte(e)) {
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

// again yields the first events, then one of them n times.
func again(n int, e string, first ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		data := []byte(e)
		for e := range of(first...) {
			if !yield(e) {
				return
			}
		}
		for range n {
			if !yield(data) {
				return
			}
		}
	}
}

func TestHostileStreamsEndInFindingsOrIncomplete(t *testing.T) {
	textStart, callStart, diCodeStart := piece("text_start", 0, ""), piece("toolcall_start", 0, ""), piece("tool_call_start", 0, `,"id":"a","name":"b"`)
	mebi := strings.Repeat("x", 1<<20)
	deep := strings.Repeat("[", 100_000)
	lone := `\ud800\udc00\udc00\ud800\ud800`
	for name, c := range map[string]struct {
		profile string
		events  iter.Seq[[]byte]
		want    string
	}{
		"1 GiB of text":                {"", again(1024, piece("text_delta", 0, `,"delta":"`+mebi+`"`), start, textStart), "incomplete limit at 66"},
		"1 GiB of arguments":           {"", again(1024, piece("toolcall_delta", 0, `,"delta":"`+mebi+`"`), start, callStart), "incomplete limit at 66"},
		"1 GiB of text, di-code":       {assistant.DiCode, again(1024, piece("text_delta", 0, `,"delta":"`+mebi+`"`), start, textStart), "incomplete limit at 66"},
		"1 GiB of ids":                 {"", numbered(1024, `{"type":"toolcall_start","contentIndex":%d,"id":"`+mebi+`"}`, start), "incomplete limit at 65"},
		"1 GiB of ids of ended calls":  {"", pairs(64, `{"type":"toolcall_start","contentIndex":%d,"id":"`+mebi+`"}`, `{"type":"toolcall_end","contentIndex":%d,"toolCall":{"type":"toolCall","id":"`+mebi+`","name":"n","arguments":{}}}`), "reject truncated at 129"},
		"open blocks":                  {"", numbered(1_000_000, `{"type":"text_start","contentIndex":%d}`, start), "incomplete limit at 100001"},
		"open calls":                   {"", numbered(1_000_000, `{"type":"toolcall_start","contentIndex":%d,"id":"c%[1]d","toolName":"n"}`, start), "incomplete limit at 100001"},
		"overlapping blocks":           {assistant.DiCode, numbered(100_000, `{"type":"text_start","contentIndex":%d}`, start), "reject block-overlap at 2"},
		"ended blocks":                 {"", pairs(200_000, `{"type":"text_start","contentIndex":%d}`, `{"type":"text_end","contentIndex":%d,"content":""}`), "reject truncated at 400001"},
		"ended blocks, di-code":        {assistant.DiCode, pairs(200_000, `{"type":"text_start","contentIndex":%d}`, `{"type":"text_end","contentIndex":%d,"content":""}`), "accept"},
		"redacted blocks":              {"", pairs(50_000, `{"type":"thinking_start","contentIndex":%d,"partial":`+message("", "pending")+`}`, `{"type":"thinking_end","contentIndex":%d,"content":"r"}`), "reject truncated at 100001"},
		"nested arguments":             {"", of(start, callStart, piece("toolcall_delta", 0, `,"delta":"`+deep+`"`), piece("toolcall_end", 0, `,"toolCall":{"type":"toolCall","id":"a","name":"b","arguments":{}}`)), "incomplete limit at 3"},
		"nested arguments at the end":  {"", of(start, callStart, piece("toolcall_end", 0, `,"toolCall":{"type":"toolCall","id":"a","name":"b","arguments":`+deep+strings.Repeat("]", 100_000)+`}`)), "incomplete limit at 2"},
		"nested arguments, di-code":    {assistant.DiCode, of(start, diCodeStart, piece("tool_call_delta", 0, `,"argumentsDelta":"`+deep+`"`), piece("tool_call_end", 0, `,"toolCall":{"type":"tool_call","id":"a","name":"b","arguments":{}}`)), "incomplete limit at 3"},
		"lone surrogates":              {"", of(start, textStart, piece("text_delta", 0, `,"delta":"`+lone+`"`), piece("text_end", 0, `,"content":"`+lone+`"`), done("stop", `{"type":"text","text":"`+lone+`","textSignature":"\udfff"}`)), "accept"},
		"lone surrogates in names":     {"", of(start, `{"type":"text_start","contentIndex":0,"\ud800":1,"\udc00":2}`, piece("text_end", 0, `,"content":"","\ud800":{"\ud800":"\ud800"}`), done("stop", `{"type":"text","text":"","\ud800":1}`)), "accept"},
		"lone surrogates in ids":       {"", of(start, piece("toolcall_start", 0, `,"id":"\ud800","toolName":"\udc00"`), piece("toolcall_end", 0, `,"toolCall":{"type":"toolCall","id":"\udc00","name":"\udc00","arguments":{}}`)), "reject tool-id-changed at 2"},
		"lone surrogates as a type":    {"", of(`{"type":"\ud800"}`, start), "reject truncated at 2"},
		"lone surrogates in arguments": {"", of(start, callStart, piece("toolcall_delta", 0, `,"delta":"{\"\ud800\":\"\\udc00"`), piece("toolcall_delta", 0, `,"delta":"\ud83d"`), piece("toolcall_delta", 0, `,"delta":"\ude00\"}"`), piece("toolcall_end", 0, `,"toolCall":{"type":"toolCall","id":"a","name":"b","arguments":{"\ud800":"\udc00😀"}}`), done("toolUse", `{"type":"toolCall","id":"a","name":"b","arguments":{"\ud800":"\udc00\ud83d\ude00"}}`)), "accept"},
		"two names that are halves":    {"", of(start, callStart, piece("toolcall_delta", 0, `,"delta":"{\"\\ud800\":1,\"\\ud801\":2}"`), piece("toolcall_end", 0, `,"toolCall":{"type":"toolCall","id":"a","name":"b","arguments":{"\ud801":2,"\ud800":1}}`), done("toolUse", `{"type":"toolCall","id":"a","name":"b","arguments":{"\ud800":1,"\ud801":2}}`)), "accept"},
		"CR and line separators":       {"", of(start, textStart, piece("text_delta", 0, ",\"delta\":\"a\\r\\nb\u2028c\u2029d\""), piece("text_end", 0, `,"content":"a\r\nb\u2028c\u2029d"`)+"\r", done("stop", `{"type":"text","text":"a\u000d\u000Ab`+"\u2028"+`c\u2029d"}`)), "accept"},
		"a raw CR":                     {"", of(start, textStart, piece("text_delta", 0, ",\"delta\":\"a\rb\"")), "reject bad-json at 2"},
		"NUL":                          {"", of(start, textStart, piece("text_delta", 0, `,"delta":"\u0000"`), piece("text_end", 0, `,"content":"\u0000"`), done("stop", `{"type":"text","text":"\u0000"}`)), "accept"},
		"an encoded half":              {"", of(start, textStart, piece("text_delta", 0, ",\"delta\":\"\xed\xa0\x80\"")), "reject bad-utf8 at 2"},
		"many members":                 {"", of(start, `{"type":"text_start",`+names(100_000)+`"contentIndex":0}`, piece("text_end", 0, `,"content":""`), done("stop", `{"type":"text","text":"",`+names(10_000)+`"z":1}`)), "accept"},
		"a number without an end":      {"", of(start, `{"type":"text_start","contentIndex":`+strings.Repeat("9", 1<<20)+`}`), "reject index-gap at 1"},
		"a huge event":                 {"", of(start, `{"type":"x","x":"`+strings.Repeat(mebi, 17)+`"}`), "incomplete limit at 1"},
		"nothing":                      {"", of("", " ", "\n"), "reject bad-json at 0"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, judged(t, assistant.Options{Profile: c.profile}, c.events).Verdict.String(), c.want)
		})
	}
}

// pairs yields start, then n times one event made from each format, with the same number.
func pairs(n int, formats ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		yield([]byte(start))
		var buf []byte
		for i := range n {
			for _, f := range formats {
				if buf = fmt.Appendf(buf[:0], f, i); !yield(buf) {
					return
				}
			}
		}
	}
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	return b.String()
}

func message(content, stop string) string {
	return `{"role":"assistant","content":[` + content + `],"api":"a","provider":"p","model":"m",` + usage + `,"stopReason":"` + stop + `","timestamp":1700000000000}`
}

func done(stop, content string) string {
	return `{"type":"done","reason":"` + stop + `","message":` + message(content, stop) + `}`
}

// Sorting the members of objects around a long value does not cost more than reading it.
func TestDeepArgumentsWithALongValueAreCompared(t *testing.T) {
	text := mebiString(4)
	for range 400 {
		text = `{"b":` + text + `,"a":1}`
	}
	quoted := strings.ReplaceAll(text, `"`, `\"`)
	r := judged(t, assistant.Options{}, of(start, piece("toolcall_start", 0, ""), piece("toolcall_delta", 0, `,"delta":"`+quoted+`"`),
		piece("toolcall_end", 0, `,"toolCall":{"type":"toolCall","id":"a","name":"b","arguments":`+text+`}`)))
	assert.Equal(t, r.Verdict.String(), "reject truncated at 4")
}

func mebiString(n int) string { return `"` + strings.Repeat("x", n<<20) + `"` }
