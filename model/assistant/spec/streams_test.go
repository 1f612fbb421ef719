package spec

import (
	"fmt"
	"strings"
	"testing"
)

func show(fs []Finding) string {
	var out []string
	for _, f := range fs {
		out = append(out, fmt.Sprintf("%s@%d%c", f.Code, f.Index, f.Severity[0]))
	}
	return strings.Join(out, " ")
}

// A trial is a stream and what it gets: by the letters d (di-code), p (pi-0.80) and x (pi-1.x).
type trial struct {
	name   string
	events []string
	want   map[string]string
}

var profiles = map[string]string{"d": "di-code", "p": "pi-0.80", "x": "pi-1.x"}

func try(t *testing.T, trials []trial) {
	t.Helper()
	for _, x := range trials {
		var raw [][]byte
		for _, e := range x.events {
			raw = append(raw, []byte(e))
		}
		for letters, want := range x.want {
			for _, letter := range strings.Split(letters, "") {
				if have := show(Judge(raw, Options{Profile: profiles[letter]})); have != want {
					t.Errorf("%s/%s:\n have %q\n want %q", x.name, letter, have, want)
				}
			}
		}
	}
}

const (
	start  = `{"type":"start"}`
	common = `"api":"a","provider":"p","model":"m","timestamp":1,"usage":` + used
	used   = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`
)

func textPart(i int, word string) string {
	return fmt.Sprintf(`{"type":"text_%s","contentIndex":%d}`, word, i)
}
func delta(kind string, i int, d string) string {
	return fmt.Sprintf(`{"type":"%s_delta","contentIndex":%d,"delta":%q}`, kind, i, d)
}
func end(kind string, i int, c string) string {
	return fmt.Sprintf(`{"type":"%s_end","contentIndex":%d,"content":%q}`, kind, i, c)
}
func say(reason, content string) string {
	return fmt.Sprintf(`{"role":"assistant","content":[%s],"stopReason":%q,%s}`, content, reason, common)
}
func done(reason, content string) string {
	return fmt.Sprintf(`{"type":"done","reason":%q,"message":%s}`, reason, say(reason, content))
}

// failed is read by both families.
func failed(reason, content string) string {
	return fmt.Sprintf(`{"type":"error","reason":%q,"error":%s,"message":%[2]s}`, reason, say(reason, content))
}

const toolStart = `{"type":"toolcall_start","contentIndex":0,"id":"c","toolName":"f"}`

func toolEnd(args, more string) string {
	return `{"type":"toolcall_end","contentIndex":0,"toolCall":{"type":"toolCall","id":"c","name":"f","arguments":` + args + more + `}}`
}

// tool is a stream with one call.
func tool(args, more string, deltas ...string) []string {
	out := []string{start, toolStart}
	for _, d := range deltas {
		out = append(out, delta("toolcall", 0, d))
	}
	return append(out, toolEnd(args, more), done("toolUse", `{"type":"toolCall","id":"c","name":"f","arguments":`+args+more+`}`))
}

func TestOrder(t *testing.T) {
	a := `{"type":"text","text":"a"}`
	whole := []string{start, textPart(0, "start"), delta("text", 0, "a"), end("text", 0, "a")}
	try(t, []trial{
		{"nothing", nil, map[string]string{"d": "truncated@0w", "px": "truncated@0e"}},
		{"whole", append(whole, done("stop", a)), map[string]string{"dpx": ""}},
		{"no end", whole, map[string]string{"d": "truncated@4w", "px": "truncated@4e"}},
		{"after the end", append(whole, done("stop", a), start), map[string]string{"dpx": "stream-ended@5e"}},
		{"after a rejected end", append(whole, done("stop", ""), failed("error", a)), map[string]string{"d": "final-content@4e", "px": "final-content@4e stream-ended@5e"}},
		{"error alone", []string{failed("aborted", "")}, map[string]string{"d": "first-event@0e truncated@1w", "px": ""}},
		{"done alone", []string{done("stop", "")}, map[string]string{"d": "first-event@0e truncated@1w", "px": "first-event@0e truncated@1e"}},
		{"start twice", []string{start, start, done("stop", "")}, map[string]string{"dpx": "duplicate-stream-start@1e"}},
		{"two open", []string{start, textPart(0, "start"), `{"type":"thinking_start","contentIndex":1}`, delta("text", 0, "a"), end("thinking", 1, ""), end("text", 0, "a"),
			done("stop", a+`,{"type":"thinking","thinking":""}`)},
			map[string]string{"d": "block-overlap@2e not-open@4e final-content@6e truncated@7w", "px": ""}},
		{"index", []string{start, textPart(1, "start"), delta("text", 1, "a"), done("stop", "")}, map[string]string{"dpx": "index-gap@1e not-open@2e"}},
		{"index by value", []string{start, `{"type":"text_start","contentIndex":-0.0}`, `{"type":"text_end","contentIndex":0e5,"content":""}`, done("stop", `{"type":"text","text":""}`)}, map[string]string{"dpx": ""}},
		{"index as text", []string{start, `{"type":"text_start","contentIndex":"0"}`, done("stop", "")}, map[string]string{"d": "index-gap@1e", "px": "wrong-type@1e"}},
		{"other index", []string{start, textPart(0, "start"), delta("text", 1, "a"), end("text", 0, ""), done("stop", `{"type":"text","text":""}`)}, map[string]string{"d": "wrong-index@2e", "px": "not-open@2e"}},
		{"open at done", []string{start, textPart(0, "start"), delta("text", 0, "a"), done("stop", a)}, map[string]string{"d": "open-at-done@3e truncated@4w", "px": "open-at-done@3e"}},
		{"reasons", []string{start, done("error", "")}, map[string]string{"d": "bad-reason@1w", "px": "bad-reason@1e"}},
		{"deferred", []string{start, done("deferred", "")}, map[string]string{"d": "bad-reason@1w", "p": "bad-reason@1e", "x": ""}},
		{"pending", []string{start, `{"type":"done","reason":"stop","message":` + say("pending", "") + `}`}, map[string]string{"d": "reason-mismatch@1e truncated@2w", "px": "reason-mismatch@1e bad-reason@1e"}},
		{"partial text", append(whole[:3:3], failed("error", a)), map[string]string{"dpx": ""}},
		{"partial text left out", append(whole[:3:3], failed("error", "")), map[string]string{"d": "partial-content@3e truncated@4w", "px": ""}},
		{"partial text changed", append(whole[:3:3], failed("error", `{"type":"text","text":"b"}`)), map[string]string{"d": "partial-content@3e truncated@4w", "px": "partial-content@3e"}},
	})
}

func TestStructure(t *testing.T) {
	in := func(e string) []string { return []string{start, e, done("stop", "")} }
	try(t, []trial{
		{"bad json", in(`{"type":`), map[string]string{"dpx": "bad-json@1e"}},
		{"no object", in(`[]`), map[string]string{"dpx": "not-an-object@1e"}},
		{"bad bytes", in("{\"type\":\"start\",\"x\":\"\xff\"}"), map[string]string{"dpx": "bad-utf8@1e"}},
		{"name twice", []string{`{"type":"error","type":"start"}`, done("stop", "")}, map[string]string{"dpx": "duplicate-name@0w"}},
		{"unknown", in(`{"type":"agent_settled"}`), map[string]string{"d": "unknown-event-type@1e", "px": "unknown-event-type@1w"}},
		{"no type", in(`{}`), map[string]string{"dpx": "missing-field@1e"}},
		{"null", []string{`{"type":"start","partial":null}`, done("stop", "")}, map[string]string{"d": "", "px": "null-optional@0w"}},
		{"no delta", []string{start, textPart(0, "start"), textPart(0, "delta"), end("text", 0, "undefined"), done("stop", `{"type":"text","text":"undefined"}`)},
			map[string]string{"d": "missing-field@2w", "px": "missing-field@2e content-mismatch@3e"}},
		{"numbers as text", []string{start, textPart(0, "start"), `{"type":"text_delta","contentIndex":0,"delta":1e21}`, `{"type":"text_delta","contentIndex":0,"delta":1e-7}`,
			`{"type":"text_delta","contentIndex":0,"delta":-0.50}`, `{"type":"text_delta","contentIndex":0,"delta":1e400}`, end("text", 0, "1e+211e-7-0.5Infinity"), failed("error", `{"type":"text","text":"1e+211e-7-0.5Infinity"}`)},
			map[string]string{"d": "wrong-type@2w wrong-type@3w wrong-type@4w wrong-type@5w"}},
		{"a list is not judged further", []string{start, textPart(0, "start"), `{"type":"text_delta","contentIndex":0,"delta":[1]}`, end("text", 0, "x"), done("stop", `{"type":"text","text":"y"}`)},
			map[string]string{"d": "wrong-type@2w"}},
		{"no message", []string{start, `{"type":"done","reason":"stop"}`}, map[string]string{"d": "missing-field@1e truncated@2w", "px": "missing-field@1e truncated@2e"}},
		{"the other family's message", []string{start, `{"type":"error","reason":"error","message":` + say("error", "") + `,"error":{}}`}, map[string]string{"d": "", "px": "missing-field@1e truncated@2e"}},
		{"usage for a message", []string{start, `{"type":"done","reason":"stop","usage":` + used + `}`}, map[string]string{"px": ""}},
		{"message of another role", []string{start, strings.Replace(done("stop", ""), "assistant", "user", 1)}, map[string]string{"d": "bad-value@1w", "px": "bad-value@1e truncated@2e"}},
	})
}

func TestTools(t *testing.T) {
	try(t, []trial{
		{"plain", tool(`{"a":[1,{"b":null}]}`, "", `{"a":[1.0,`, `{"b":null}]}`), map[string]string{"px": ""}},
		{"blank", tool(`{}`, "", "", " \n"), map[string]string{"px": ""}},
		{"no delta", tool(`{}`, ""), map[string]string{"px": ""}},
		{"no delta, and arguments", tool(`{"a":1}`, ""), map[string]string{"px": "arguments-mismatch@2e"}},
		{"other", tool(`{"a":1}`, "", `{"a":2}`), map[string]string{"px": "arguments-mismatch@3e"}},
		{"repaired", tool(`{"a":"x\ny"}`, "", "{\"a\":\"x\ny\"}"), map[string]string{"px": "arguments-repaired@3i"}},
		{"error", tool(`{}`, `,"argumentsError":"no"`, `{"a`), map[string]string{"px": ""}},
		{"no error", tool(`{}`, ``, `{"a`), map[string]string{"p": "", "x": "arguments-error-missing@3e"}},
		{"no object", tool(`{}`, ``, `[1]`), map[string]string{"p": "", "x": "arguments-error-missing@3e"}},
		{"list", []string{start, toolStart, toolEnd(`[1]`, ""), failed("error", "")}, map[string]string{"px": "arguments-not-object@2e"}},
		{"infinite", []string{start, toolStart, toolEnd(`{"a":[-1e999]}`, ""), failed("error", "")}, map[string]string{"px": "arguments-not-object@2e"}},
		{"infinite, recorded", tool(`{"a":null}`, "", `{"a":1e999}`), map[string]string{"px": ""}},
		{"late id", []string{start, `{"type":"toolcall_start","contentIndex":0,"id":""}`, toolEnd(`{}`, ""), failed("error", "")}, map[string]string{"px": ""}},
		{"id and name", []string{start, `{"type":"toolcall_start","contentIndex":0,"id":"d","toolName":"g"}`, toolEnd(`{}`, ""), failed("error", "")}, map[string]string{"px": "tool-id-changed@2e tool-name-changed@2e"}},
		{"id in partial", []string{start, `{"type":"toolcall_start","contentIndex":0,"partial":` + say("pending", `{"type":"toolCall","id":"d","name":"","arguments":{}}`) + `}`, toolEnd(`{}`, ""), failed("error", "")},
			map[string]string{"px": "tool-id-changed@2e"}},
		{"empty", []string{start, toolStart, strings.Replace(toolEnd(`{}`, ""), `"f"`, `""`, 1), failed("error", "")}, map[string]string{"px": "bad-tool-call@2e tool-name-changed@2e"}},
		{"open at error", []string{start, toolStart, delta("toolcall", 0, "{"), failed("error", `{"type":"toolCall","id":"c","name":"f","arguments":{"x":1}}`)}, map[string]string{"px": ""}},
		{"open at error, another", []string{start, toolStart, failed("error", `{"type":"toolCall","id":"d","name":"f","arguments":{}}`)}, map[string]string{"px": "partial-content@2e"}},
	})
}

func TestText(t *testing.T) {
	redacted := func(more string, e string) []string {
		return []string{start, `{"type":"thinking_start","contentIndex":0}`, `{"type":"thinking_end","contentIndex":0,"content":"[x]"` + more + `}`, e}
	}
	plain, hidden := `{"type":"thinking","thinking":"[x]"}`, `{"type":"thinking","thinking":"[x]","redacted":true}`
	try(t, []trial{
		{"pair cut in two", []string{start, textPart(0, "start"), `{"type":"text_delta","contentIndex":0,"delta":"\ud83d"}`, `{"type":"text_delta","contentIndex":0,"delta":"\ude00"}`, end("text", 0, "😀"),
			done("stop", `{"type":"text","text":"\ud83d\ude00"}`)}, map[string]string{"dpx": ""}},
		{"no content", []string{start, textPart(0, "start"), delta("text", 0, "a"), textPart(0, "end"), done("stop", `{"type":"text","text":"a","textSignature":"s"}`)},
			map[string]string{"d": "missing-field@3w content-mismatch@3e open-at-done@4e truncated@5w", "px": ""}},
		{"redacted", redacted("", done("stop", hidden)), map[string]string{"d": "content-mismatch@2e open-at-done@3e truncated@4w", "px": ""}},
		{"not redacted", redacted("", done("stop", plain)), map[string]string{"px": "content-mismatch@3e"}},
		{"redacted by the event", redacted(`,"redacted":true`, done("stop", plain)), map[string]string{"px": ""}},
		{"not redacted by the event", redacted(`,"redacted":false`, done("stop", plain)), map[string]string{"px": "content-mismatch@2e"}},
		{"not redacted by the partial", redacted(`,"partial":`+say("pending", plain), done("stop", hidden)), map[string]string{"px": "content-mismatch@2e"}},
		{"nobody says", redacted("", failed("error", "")), map[string]string{"px": ""}},
		{"redacted while open", []string{start, `{"type":"thinking_start","contentIndex":0}`, failed("error", hidden)}, map[string]string{"px": ""}},
	})
}

func TestEmbeddedEvents(t *testing.T) {
	whole := []string{textPart(0, "start"), delta("text", 0, "a"), end("text", 0, "a")}
	for name, x := range map[string]struct {
		updates []string
		final   string
		want    string
	}{
		"whole":                {whole, say("stop", `{"type":"text","text":"a"}`), ""},
		"replaced":             {whole, say("stop", `{"type":"text","text":"b"}`), "final-content@14w"},
		"failed":               {whole[:2], say("aborted", `{"type":"text","text":"a"}`), ""},
		"failed otherwise":     {whole[:2], say("aborted", `{"type":"text","text":"b"}`), "partial-content@14w"},
		"no update":            {nil, say("error", `{"type":"text","text":"b"}`), ""},
		"pending":              {nil, say("pending", ""), "bad-reason@14e"},
		"open":                 {whole[:2], say("stop", `{"type":"text","text":"a"}`), "open-at-done@14e"},
		"not open":             {whole[1:], "", "not-open@0e not-open@7e"},
		"a terminal is passed": {append(whole[:3:3], done("stop", "")), "", ""},
	} {
		var updates []Part
		for i, u := range x.updates {
			updates = append(updates, Part{7 * i, []byte(u)})
		}
		var final *Part
		if x.final != "" {
			final = &Part{14, []byte(x.final)}
		}
		if have := show(Embedded(updates, final, Options{})); have != x.want {
			t.Errorf("%s:\n have %q\n want %q", name, have, x.want)
		}
	}
}
