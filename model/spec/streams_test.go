package spec

import (
	"fmt"
	"strings"
	"testing"
)

const (
	open1  = `{"type":"RUN_STARTED","threadId":"t","runId":"r1"}`
	close1 = `{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}`
	open2  = `{"type":"RUN_STARTED","threadId":"t","runId":"r2"}`
	close2 = `{"type":"RUN_FINISHED","threadId":"t","runId":"r2"}`
)

func show(fs []Finding) string {
	var out []string
	for _, f := range fs {
		out = append(out, fmt.Sprintf("%s@%d%c", f.Code, f.Index, f.Severity[0]))
	}
	return strings.Join(out, " ")
}

type trial struct {
	name   string
	events []string
	want   map[string]string // profile letter (p c s l) -> findings
	o      Options
}

var profiles = map[string]string{"p": "producer", "c": "consumer", "s": "server", "l": "client"}

func try(t *testing.T, trials []trial) {
	t.Helper()
	for _, x := range trials {
		var raw [][]byte
		for _, e := range x.events {
			raw = append(raw, []byte(e))
		}
		for letter, want := range x.want {
			o := x.o
			o.Profile = profiles[letter]
			if have := show(Judge(raw, o)); have != want {
				t.Errorf("%s/%s:\n have %q\n want %q", x.name, letter, have, want)
			}
		}
	}
}

// in puts events inside one run.
func in(events ...string) []string {
	return append(append([]string{open1}, events...), close1)
}

func start(s string) string  { return `{"type":"TEXT_MESSAGE_START","messageId":"a"` + s + `}` }
func finish(s string) string { return `{"type":"RUN_FINISHED","threadId":"t","runId":"r1"` + s + `}` }
func open(s string) string   { return `{"type":"RUN_STARTED","threadId":"t","runId":"r1"` + s + `}` }

var endA = `{"type":"TEXT_MESSAGE_END","messageId":"a"}`

func call(id, more string) string {
	return `{"type":"TOOL_CALL_START","toolCallId":"` + id + `","toolCallName":"f"` + more + `}`
}
func callEnd(id string) string { return `{"type":"TOOL_CALL_END","toolCallId":"` + id + `"}` }
func args(id, d string) string {
	return `{"type":"TOOL_CALL_ARGS","toolCallId":"` + id + `","delta":"` + d + `"}`
}
func content(d string) string {
	return `{"type":"TEXT_MESSAGE_CONTENT","messageId":"a","delta":"` + d + `"}`
}
func snap(list string) string { return `{"type":"MESSAGES_SNAPSHOT","messages":[` + list + `]}` }
func custom(more string) string {
	return `{"type":"CUSTOM","name":"acme.x","value":1` + more + `}`
}

func same(s string, letters string) map[string]string {
	m := map[string]string{}
	for _, l := range letters {
		m[string(l)] = s
	}
	return m
}

func TestStructure(t *testing.T) {
	try(t, []trial{
		{name: "bad json", events: in(`{"type":"RAW","event":NaN}`), want: same("bad-json@1e", "pcsl")},
		{name: "trailing bytes", events: in(`{"type":"RAW","event":1} x`), want: same("bad-json@1e", "pcsl")},
		{name: "cut", events: in(`{"type":"RAW","event":`), want: same("bad-json@1e", "pcsl")},
		{name: "leading zero", events: in(`{"type":"RAW","event":01}`), want: same("bad-json@1e", "pc")},
		{name: "two values", events: in(`{}{}`), want: same("bad-json@1e", "pc")},
		{name: "no object", events: in(`[]`), want: same("not-an-object@1e", "pcsl")},
		{name: "no object, null", events: in(`null`), want: same("not-an-object@1e", "pcsl")},
		{name: "no type", events: in(`{}`), want: same("missing-field@1e", "pcsl")},
		{name: "type is a number", events: in(`{"type":1}`), want: same("wrong-type@1e", "pcsl")},
		{name: "bad bytes", events: in("{\"type\":\"RAW\",\"event\":\"\xff\"}"), want: map[string]string{"p": "bad-utf8@1e", "c": "bad-utf8@1e", "s": "", "l": ""}},
		{name: "half a pair", events: in(`{"type":"RAW","event":"\ud83d"}`), want: map[string]string{"p": "lone-surrogate@1w", "c": "lone-surrogate@1w", "s": ""}},
		{name: "whole pair", events: in(`{"type":"RAW","event":"\ud83d\ude00"}`), want: same("", "pcsl")},
		{name: "halves in a row", events: in(`{"type":"RAW","event":"\ude00\ud83d"}`), want: same("lone-surrogate@1w", "pc")},
		{name: "different halves are different ids", events: in(start(``), `{"type":"TEXT_MESSAGE_END","messageId":"a"}`,
			`{"type":"TEXT_MESSAGE_START","messageId":"\ud800"}`, `{"type":"TEXT_MESSAGE_END","messageId":"\ud801"}`, `{"type":"TEXT_MESSAGE_END","messageId":"\ud800"}`),
			want: map[string]string{"p": "lone-surrogate@3w not-open@4e lone-surrogate@5w"}},
		{name: "name twice", events: in(`{"type":"RAW","event":1,"event":2}`), want: map[string]string{"p": "duplicate-name@1e", "c": "duplicate-name@1w", "s": ""}},
		{name: "name twice after unescaping, deep", events: in(`{"type":"RAW","event":[{"a":1,"\u0061":2}]}`), want: map[string]string{"p": "duplicate-name@1e", "c": "duplicate-name@1w"}},
		{name: "last value wins", events: in(`{"type":"TEXT_MESSAGE_START","messageId":"b","messageId":"a"}`, endA), want: map[string]string{"p": "duplicate-name@1e", "c": "duplicate-name@1w", "s": ""}},
		{name: "unknown type", events: in(`{"type":"NEWS"}`), want: map[string]string{"p": "unknown-event-type@1e", "c": "unknown-event-type@1w", "s": "", "l": ""}},
		{name: "retired", events: in(`{"type":"THINKING_START"}`), want: map[string]string{"p": "retired-event@1e", "c": "retired-event@1w", "s": "", "l": ""}},
		{name: "unknown type closes nothing", events: in(`{"type":"TEXT_MESSAGE_CHUNK","messageId":"a"}`, `{"type":"NEWS"}`, `{"type":"TEXT_MESSAGE_CHUNK"}`),
			want: map[string]string{"c": "unknown-event-type@2w"}},
		{name: "missing delta is kept", events: in(start(``), `{"type":"TEXT_MESSAGE_CONTENT","messageId":"a"}`, endA), want: map[string]string{"p": "missing-field@2e", "c": "missing-field@2e", "s": ""}},
		{name: "missing id drops", events: in(`{"type":"TEXT_MESSAGE_START","role":"user"}`), want: same("missing-field@1e", "pcsl")},
		{name: "null id", events: in(`{"type":"TEXT_MESSAGE_START","messageId":null}`), want: same("wrong-type@1e", "pcsl")},
		{name: "null tag", events: in(start(`,"subagentRunId":null`)), want: map[string]string{"p": "null-optional@1e", "c": "null-optional@1e", "s": "wrong-type@1e", "l": "wrong-type@1e"}},
		{name: "bad role drops", events: in(start(`,"role":"tool"`)), want: map[string]string{"p": "bad-value@1e", "c": "bad-value@1e", "s": "open-at-finish@2e"}},
		{name: "null timestamp is kept", events: in(start(`,"timestamp":null`), endA), want: map[string]string{"p": "null-optional@1e", "c": "null-optional@1e", "s": ""}},
		{name: "timestamp 1.0", events: in(custom(`,"timestamp":1.0`), custom(`,"timestamp":1e3`), custom(`,"timestamp":9007199254740991`), custom(`,"timestamp":-9007199254740991`)), want: same("", "pc")},
		{name: "timestamp range", events: in(custom(`,"timestamp":1.5`), custom(`,"timestamp":9007199254740992`), custom(`,"timestamp":1e99`), custom(`,"timestamp":"1"`)),
			want: same("bad-value@1e bad-value@2e bad-value@3e wrong-type@4e", "pc")},
		{name: "legacy nulls", events: in(custom(`,"rawEvent":null`), call("c", `,"parentMessageId":null`), callEnd("c"),
			`{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"x"}`,
			snap(`{"id":"u","role":"user","content":[{"type":"image","metadata":null,"source":{"type":"url","value":"v"}}]}`)),
			want: map[string]string{"c": "null-optional@1w null-optional@2w null-optional@5w",
				"p": "null-optional@1e null-optional@2e not-open@3e unknown-id@4i null-optional@5e"}},
		{name: "text part null is no legacy null", events: in(snap(`{"id":"u","role":"user","content":[{"type":"text","metadata":null,"text":"t"}]}`)), want: same("null-optional@1e", "pc")},
		{name: "outcome null", events: []string{open1, finish(`,"outcome":null`)}, want: map[string]string{"p": "null-optional@1e", "c": "null-optional@1w", "s": "", "l": ""}},
		{name: "a faulty finish ends the run", events: []string{open1, start(``), `{"type":"RUN_FINISHED","threadId":"t"}`, endA}, want: map[string]string{"p": "missing-field@2e run-ended@3e"}},
		{name: "a faulty start opens the run", events: []string{`{"type":"RUN_STARTED","threadId":"t"}`, start(``), endA, close1}, want: map[string]string{"p": "missing-field@0e"}},
		{name: "unknown property", events: in(custom(`,"x":1`)), want: map[string]string{"p": "unknown-property@1e", "c": "unknown-property@1w", "s": ""}},
		{name: "tag where none may be", events: in(snap(``), `{"type":"MESSAGES_SNAPSHOT","messages":[],"subagentRunId":"s1"}`), want: map[string]string{"p": "unknown-property@2e"}},
		{name: "unknown property deep", events: []string{open(`,"input":{"threadId":"t","runId":"r1","messages":[],"tools":[{"name":"n","description":"d","extra":1}]}`), close1},
			want: map[string]string{"p": "unknown-property@0e", "c": "unknown-property@0w"}},
		{name: "open objects", events: in(custom(`,"metadata":{"x":null}`), `{"type":"STATE_SNAPSHOT","snapshot":{"a":1}}`, `{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","note":1}]}`), want: same("", "pcsl")},
		{name: "unknown variants", events: in(
			snap(`{"id":"x","role":"robot","content":1}`),
			snap(`{"id":"u","role":"user","content":[{"type":"binary"}]}`),
			snap(`{"id":"u","role":"user","content":[{"type":"image","source":{"type":"ftp"}}]}`),
			`{"type":"STATE_DELTA","delta":[{"op":"merge","path":"/a"}]}`),
			want: map[string]string{"p": "unknown-variant@1e unknown-variant@2e unknown-variant@3e unknown-variant@4e", "c": "unknown-variant@1w unknown-variant@2w unknown-variant@3w unknown-variant@4w"}},
		{name: "unknown outcome", events: []string{open1, finish(`,"outcome":{"type":"paused"}`)}, want: map[string]string{"p": "unknown-variant@1e", "c": "unknown-variant@1w"}},
		{name: "outcome array", events: []string{open1, finish(`,"outcome":[]`), custom(``)}, want: map[string]string{"p": "wrong-type@1e run-ended@2e", "c": "wrong-type@1e run-ended@2e"}},
		{name: "pointer grammar", events: in(`{"type":"STATE_SNAPSHOT","snapshot":{}}`, `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a~b","value":3}]}`), want: same("bad-value@2e", "pc")},
		{name: "patch members", events: in(`{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a"}]}`, `{"type":"STATE_DELTA","delta":[{"op":"move","path":"/a"}]}`,
			`{"type":"STATE_DELTA","delta":{}}`, `{"type":"STATE_DELTA","delta":[1]}`, `{"type":"STATE_DELTA","delta":[{"path":"/a"}]}`),
			want: same("missing-field@1e missing-field@2e wrong-type@3e wrong-type@4e missing-field@5e", "pc")},
		{name: "interrupt without reason", events: []string{open1, finish(`,"outcome":{"type":"interrupt","interrupts":[{"id":"i"}]}`)}, want: same("missing-field@1e", "pc")},
		{name: "several codes on one event", events: in(`{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":1,"x":1,"timestamp":"n"}`), want: map[string]string{"p": "wrong-type@1e unknown-property@1e"}},
		{name: "the first dropping code ends it", events: in(`{"type":"TEXT_MESSAGE_START","name":null,"x":1}`), want: map[string]string{"p": "missing-field@1e"}},
		{name: "newer version", events: []string{open(`,"protocolVersion":"1.1","y":1`), custom(`,"x":1`), `{"type":"NEWS"}`, `{"type":"THINKING_END"}`, close1},
			want: map[string]string{"p": "unknown-property@0w unknown-property@1w unknown-event-type@2w retired-event@3e"}},
	})
}

func TestDocuments(t *testing.T) {
	delta := func(ops string) string { return `{"type":"STATE_DELTA","delta":[` + ops + `]}` }
	ok, bad := `{"op":"add","path":"/a","value":1}`, `{"op":"remove","path":"/zz"}`
	act := `{"type":"ACTIVITY_SNAPSHOT","messageId":"v","activityType":"P","content":{}}`
	actDelta := func(ops string) string {
		return `{"type":"ACTIVITY_DELTA","messageId":"v","activityType":"P","patch":[` + ops + `]}`
	}
	try(t, []trial{
		{name: "unknown state", events: in(delta(bad)), want: same("", "pc")},
		{name: "after a snapshot", events: in(`{"type":"STATE_SNAPSHOT","snapshot":{}}`, delta(ok), delta(bad), delta(`{"op":"test","path":"/a","value":1.0}`)), want: map[string]string{"p": "state-patch@3e", "c": "state-patch@3w", "s": "", "l": ""}},
		{name: "null snapshot", events: in(`{"type":"STATE_SNAPSHOT","snapshot":null}`, delta(ok)), want: map[string]string{"p": "state-patch@2e"}},
		{name: "from the echo", events: []string{open(`,"input":{"threadId":"t","runId":"r1","messages":[],"state":{"zz":1}}`), delta(bad), delta(bad), close1}, want: map[string]string{"p": "state-patch@2e"}},
		{name: "echo without state", events: []string{open(`,"input":{"threadId":"t","runId":"r1","messages":[]}`), delta(bad), close1}, want: map[string]string{"p": "state-patch@1e"}},
		{name: "from the request", events: in(delta(bad)), o: Options{Request: []byte(`{"threadId":"t","runId":"r1","messages":[]}`)}, want: map[string]string{"p": "state-patch@1e"}},
		{name: "the request is of another run", events: in(delta(bad)), o: Options{Request: []byte(`{"threadId":"t","runId":"r9","messages":[]}`)}, want: map[string]string{"p": "request-mismatch@0e"}},
		{name: "across runs", events: []string{open1, `{"type":"STATE_SNAPSHOT","snapshot":{}}`, close1, open2, delta(bad), close2}, want: map[string]string{"p": "state-patch@4e"}},
		{name: "malformed patch is structure only", events: in(`{"type":"STATE_SNAPSHOT","snapshot":{}}`, delta(`{"op":"add","path":"x","value":1}`)), want: map[string]string{"p": "bad-value@2e"}},
		{name: "unknown op is passed over", events: in(`{"type":"STATE_SNAPSHOT","snapshot":{}}`, delta(`{"op":"merge"},`+ok), delta(`{"op":"test","path":"/a","value":1}`)), want: map[string]string{"p": "unknown-variant@2e"}},
		{name: "activity patch", events: in(act, actDelta(ok), actDelta(bad), actDelta(`{"op":"test","path":"/a","value":1}`)), want: map[string]string{"p": "activity-patch@3e", "c": "activity-patch@3w", "s": ""}},
		{name: "content stays an object", events: in(act, actDelta(`{"op":"replace","path":"","value":1}`), actDelta(ok)), want: map[string]string{"p": "activity-patch@2e"}},
		{name: "replace false keeps content", events: in(act, actDelta(ok), `{"type":"ACTIVITY_SNAPSHOT","messageId":"v","activityType":"P","content":{},"replace":false}`, actDelta(`{"op":"remove","path":"/a"}`)), want: map[string]string{"p": ""}},
		{name: "content no object", events: in(`{"type":"ACTIVITY_SNAPSHOT","messageId":"v","activityType":"P","content":1}`, actDelta(bad)), want: map[string]string{"p": "wrong-type@1e"}},
	})
}

func TestUsageAndVersions(t *testing.T) {
	use := func(list string) []string { return []string{open1, finish(`,"usage":[` + list + `]`)} }
	version := func(v string) []string { return []string{open(`,"protocolVersion":` + v), close1} }
	try(t, []trial{
		{name: "sums", events: use(`{"inputTokens":1,"outputTokens":2,"totalTokens":4}`), want: map[string]string{"p": "usage-arithmetic@1e", "c": ""}},
		{name: "sums ok", events: use(`{"inputTokens":1,"outputTokens":2,"totalTokens":3,"reasoningTokens":2,"cachedInputTokens":1}`), want: same("", "pc")},
		{name: "no output", events: use(`{"inputTokens":1,"totalTokens":3,"reasoningTokens":2}`), want: same("", "pc")},
		{name: "reasoning", events: use(`{"outputTokens":2,"reasoningTokens":3}`), want: map[string]string{"p": "usage-arithmetic@1e"}},
		{name: "cached", events: use(`{"inputTokens":2,"cachedInputTokens":2,"cacheWriteInputTokens":1}`), want: map[string]string{"p": "usage-arithmetic@1e"}},
		{name: "on errors too", events: []string{open1, `{"type":"RUN_ERROR","message":"m","usage":[{"outputTokens":2,"reasoningTokens":3}]}`}, want: map[string]string{"p": "usage-arithmetic@1e"}},
		{name: "repeated", events: use(`{"model":"m"},{"model":"m","provider":"p"},{"model":"m"}`), want: map[string]string{"p": "usage-repeated@1w", "c": ""}},
		{name: "negative", events: use(`{"inputTokens":-1}`), want: same("bad-value@1e", "pc")},
		{name: "version", events: version(`"1.0"`), want: same("", "pc")},
		{name: "version form", events: version(`"v1"`), want: map[string]string{"p": "version-format@0e", "c": "version-format@0w"}},
		{name: "version form, newline", events: version(`"1.0\n"`), want: map[string]string{"p": "version-format@0e"}},
		{name: "version form, zero", events: version(`"01.0"`), want: map[string]string{"p": "version-format@0e"}},
		{name: "version missing, by default", events: in(), want: same("", "pc")},
		{name: "version missing, asked for", events: in(), o: Options{Revision: "1.0"}, want: map[string]string{"p": "version-missing@0i", "c": ""}},
		{name: "version missing, strict", events: in(), o: Options{Revision: "1.0", StrictVersion: true}, want: map[string]string{"p": "version-missing@0e", "c": ""}},
	})
}

func TestRevisions(t *testing.T) {
	old, auto := Options{Revision: "0.x"}, Options{Revision: "auto"}
	think := `{"type":"THINKING_START","title":"x"}`
	try(t, []trial{
		{name: "0.x", o: old, events: in(think, custom(`,"x":1,"timestamp":1.5,"rawEvent":null`), `{"type":"REASONING_END","messageId":"q"}`, `{"type":"REASONING_START","messageId":"q"}`), want: same("", "pc")},
		{name: "auto, no version", o: auto, events: in(think, custom(`,"x":1`)), want: same("", "pc")},
		{name: "auto, 1.0", o: auto, events: []string{open(`,"protocolVersion":"1.0"`), think, close1}, want: map[string]string{"p": "retired-event@1e"}},
		{name: "auto, unreadable", o: auto, events: []string{open(`,"protocolVersion":"x"`), think, close1}, want: map[string]string{"p": "version-format@0e retired-event@1e"}},
		{name: "auto, per run", o: auto, events: []string{open1, think, close1, `{"type":"RUN_STARTED","threadId":"u","runId":"r1","protocolVersion":"1.2"}`, think, `{"type":"RUN_FINISHED","threadId":"u","runId":"r1"}`},
			want: map[string]string{"p": "thread-id-mismatch@3e run-id-reused@3e retired-event@4e"}},
		{name: "0.x has no cancelled", o: old, events: []string{open1, finish(`,"outcome":{"type":"cancelled"}`)}, want: map[string]string{"p": "unknown-variant@1e"}},
		{name: "0.x wants tools and context", o: old, events: []string{open(`,"input":{"threadId":"t","runId":"r1","messages":[]}`), close1}, want: map[string]string{"p": "missing-field@0e"}},
		{name: "0.x patches are untyped", o: old, events: in(`{"type":"STATE_DELTA","delta":[1,{"op":"x"}]}`, `{"type":"STATE_SNAPSHOT","snapshot":{}}`, `{"type":"STATE_DELTA","delta":[{"op":"x"}]}`), want: map[string]string{"p": "state-patch@3e"}},
		{name: "0.x reasoning owners", o: old, events: in(`{"type":"REASONING_START","messageId":"q","subagentRunId":"s1"}`, `{"type":"REASONING_END","messageId":"q","subagentRunId":"s2"}`), want: same("owner-mismatch@2e", "pc")},
		{name: "0.x no ¹", o: old, events: []string{open1, start(``), endA, start(`,"role":"user"`), endA, `{"type":"RUN_FINISHED","threadId":"u","runId":"r9"}`}, want: map[string]string{"p": ""}},
	})
}

func TestRequest(t *testing.T) {
	req := Options{Request: []byte(`{"threadId":"t","runId":"r2","messages":[{"id":"a","role":"user","content":"x"},{"id":"tm","role":"tool","content":"x","toolCallId":"c"}],"tools":[{"name":"f","description":"d"}]}`)}
	interrupt := func(id string) string {
		return `{"type":"RUN_FINISHED","threadId":"t","runId":"r2","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"r","toolCallId":"` + id + `"}]}}`
	}
	other := `{"type":"TOOL_CALL_START","toolCallId":"d","toolCallName":"g"}`
	result := `{"type":"TOOL_CALL_RESULT","messageId":"res","toolCallId":"c","content":"x"}`
	try(t, []trial{
		{name: "match", o: req, events: []string{open1, close1, open2, close2}, want: same("", "pc")},
		{name: "mismatch", o: req, events: []string{open2, close2, open1, close1}, want: map[string]string{"p": "request-mismatch@2e", "c": ""}},
		{name: "no run", o: req, events: []string{`{"type":"RUN_ERROR","message":"m"}`}, want: same("", "pc")},
		{name: "restreamed", o: req, events: []string{open1, start(`,"role":"user"`), endA, close1, open2, start(`,"role":"user"`), endA, close2}, want: map[string]string{"p": "replay-restreamed@1e"}},
		{name: "answered", o: req, events: []string{open2, call("c", ""), args("c", "1"), callEnd("c"), result, close2}, want: map[string]string{"p": "frontend-tool-answered@4e", "c": ""}},
		{name: "answered in a snapshot", o: req, events: []string{open2, call("c", ""), args("c", "1"), callEnd("c"), snap(`{"id":"n","role":"tool","content":"x","toolCallId":"c"}`), close2}, want: map[string]string{"p": "frontend-tool-answered@4e pending-unnamed@5i"}},
		{name: "restated answer", o: req, events: []string{open2, call("c", ""), args("c", "1"), callEnd("c"), snap(`{"id":"tm","role":"tool","content":"x","toolCallId":"c"}`), close2}, want: map[string]string{"p": "pending-unnamed@5i"}},
		{name: "outcome", o: req, events: []string{open2, call("c", ""), args("c", "1"), callEnd("c"), interrupt("c")}, want: map[string]string{"p": "frontend-outcome@4w"}},
		{name: "outcome, other call", o: req, events: []string{open2, call("c", ""), args("c", "1"), callEnd("c"), interrupt("zz")}, want: map[string]string{"p": ""}},
		{name: "unadvertised", o: req, events: []string{open2, other, args("d", "1"), callEnd("d"), interrupt("d")}, want: map[string]string{"p": "tool-unadvertised@1i"}},
	})
}

func TestAdvice(t *testing.T) {
	sub := `{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"w"}`
	try(t, []trial{
		{name: "args", events: in(call("c", ""), args("c", "{"), callEnd("c"), call("d", ""), callEnd("d"), call("e", ""), args("e", "  "), callEnd("e"),
			call("g", ""), args("g", "{}"), callEnd("g")), want: map[string]string{"p": "tool-args-not-json@3i tool-call-without-args@5i pending-unnamed@12i", "c": ""}},
		{name: "chunked args", events: in(`{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","delta":"{"}`), want: map[string]string{"p": "tool-args-not-json@2i pending-unnamed@2i"}},
		{name: "parent unseen", events: in(call("c", `,"parentMessageId":"later"`), args("c", "1"), callEnd("c"), call("d", `,"parentMessageId":"never"`), args("d", "1"), callEnd("d"),
			`{"type":"TEXT_MESSAGE_CHUNK","messageId":"later"}`), want: map[string]string{"p": "parent-message-unseen@4i pending-unnamed@8i"}},
		{name: "duplicated text", events: in(start(``), content("he"), content("y"), endA, start(``), content("hey"), endA, start(``), content("hey"), endA), want: map[string]string{"p": "duplicated-text@7i"}},
		{name: "after snapshot", events: in(snap(`{"id":"a","role":"assistant","content":"hey"}`), start(``), content("h"), endA), want: map[string]string{"p": "streamed-after-snapshot@2i"}},
		{name: "tag after close", events: in(sub, `{"type":"SUBAGENT_FINISHED","subagentRunId":"s"}`, custom(`,"subagentRunId":"s"`), custom(`,"subagentRunId":"s"`)), want: map[string]string{"p": "tag-after-close@3i"}},
		{name: "suspended", events: in(sub, `{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"suspended"}}`), want: map[string]string{"p": "suspended-without-interrupt@3i"}},
		{name: "custom", events: in(`{"type":"CUSTOM","name":"x","value":null}`, `{"type":"CUSTOM","name":"x","value":null}`, `{"type":"CUSTOM","name":"a/x","value":null}`), want: map[string]string{"p": "custom-unprefixed@1i"}},
		{name: "metadata", events: in(custom(`,"metadata":{"ag-ui":1}`)), want: map[string]string{"p": "metadata-reserved@1i"}},
		{name: "cancelled", events: []string{open1, finish(`,"result":1,"outcome":{"type":"cancelled"}`)}, want: map[string]string{"p": "cancelled-with-result@1w"}},
	})
}
