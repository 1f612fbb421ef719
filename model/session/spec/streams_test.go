package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Streams are written as words, one or more records each:
//
//	AS AE TS TE ST     agent_start .. agent_settled; AE and TE tell what was sent, in the order of words
//	user:t custom:t    a message, start and end; +user:t its start alone, -user:t its end alone
//	say:t call:A,B     an assistant message, and how it ends; say!t ends in error, say?t has no update
//	xs:A xu:A xe:A xr:A  a tool's start, update, end and result; xf:A ends in error without having run
//	{...}              a record as it is
type writer struct {
	out     []string
	results []string
	sent    []string
	last    string
	wire    bool
}

func message(role, content, rest string) string {
	return fmt.Sprintf(`{"role":%q,"content":%s,"timestamp":1%s}`, role, content, rest)
}

const usage = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`

func assistantMessage(content, reason string) string {
	return message("assistant", content, `,"api":"a","provider":"p","model":"m","usage":`+usage+`,"stopReason":`+fmt.Sprintf("%q", reason))
}

func (w *writer) add(format string, a ...any) { w.out = append(w.out, fmt.Sprintf(format, a...)) }

func (w *writer) word(word string) {
	name, arg, _ := strings.Cut(word, ":")
	switch {
	case word[0] == '{':
		w.add("%s", word)
	case name == "AS":
		w.sent = nil
		w.add(`{"type":"agent_start"}`)
	case name == "AE":
		retry := ""
		if w.wire {
			retry = fmt.Sprintf(`,"willRetry":%t`, arg == "retry")
		}
		w.add(`{"type":"agent_end","messages":[%s]%s}`, strings.Join(w.sent, ","), retry)
	case name == "TS":
		w.results = nil
		w.add(`{"type":"turn_start"}`)
	case name == "TE":
		w.add(`{"type":"turn_end","message":%s,"toolResults":[%s]}`, w.last, strings.Join(w.results, ","))
	case name == "ST":
		w.add(`{"type":"agent_settled","aborted":false}`)
	case strings.HasPrefix(word, "say"):
		w.say(word[3], word[4:])
	case name == "call":
		w.call(strings.Split(arg, ","))
	case name[0] == 'x':
		w.tool(name, arg)
	default:
		w.message(name, arg)
	}
}

func (w *writer) message(name, text string) {
	role := strings.TrimLeft(name, "+-")
	rest := ""
	if role == "custom" {
		rest = `,"customType":"note","display":true`
	}
	m := message(role, fmt.Sprintf(`[{"type":"text","text":%q}]`, text), rest)
	if name[0] != '-' {
		w.add(`{"type":"message_start","message":%s}`, m)
	}
	if name[0] != '+' {
		w.add(`{"type":"message_end","message":%s}`, m)
		w.sent = append(w.sent, m)
	}
}

func (w *writer) begin() {
	w.add(`{"type":"message_start","message":%s}`, assistantMessage("[]", "stop"))
}

func (w *writer) update(event string) {
	if w.wire {
		w.add(`{"type":"message_update","usage":%s,"assistantMessageEvent":%s}`, usage, event)
		return
	}
	w.add(`{"type":"message_update","message":%s,"assistantMessageEvent":%s}`, assistantMessage("[]", "stop"), event)
}

func (w *writer) finish(content, reason string) {
	w.last = assistantMessage(content, reason)
	w.sent = append(w.sent, w.last)
	w.add(`{"type":"message_end","message":%s}`, w.last)
}

func (w *writer) say(how byte, text string) {
	w.begin()
	if how != '?' {
		w.update(`{"type":"text_start","contentIndex":0}`)
		w.update(fmt.Sprintf(`{"type":"text_delta","contentIndex":0,"delta":%q}`, text))
		w.update(fmt.Sprintf(`{"type":"text_end","contentIndex":0,"content":%q}`, text))
	}
	reason := map[byte]string{':': "stop", '!': "error", '?': "stop"}[how]
	w.finish(fmt.Sprintf(`[{"type":"text","text":%q}]`, text), reason)
}

func toolCall(id string) string {
	return fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"t","arguments":{}}`, id)
}

func (w *writer) call(ids []string) {
	w.begin()
	var all []string
	for i, id := range ids {
		w.update(fmt.Sprintf(`{"type":"toolcall_start","contentIndex":%d,"id":%q,"toolName":"t"}`, i, id))
		w.update(fmt.Sprintf(`{"type":"toolcall_end","contentIndex":%d,"toolCall":%s}`, i, toolCall(id)))
		all = append(all, toolCall(id))
	}
	w.finish("["+strings.Join(all, ",")+"]", "toolUse")
}

func (w *writer) tool(name, id string) {
	id, parent, nested := strings.Cut(id, "<")
	rest := ""
	if nested {
		rest = fmt.Sprintf(`,"parentToolCallId":%q`, parent)
	}
	failed := strings.HasSuffix(id, "!")
	id = strings.TrimSuffix(id, "!")
	switch name {
	case "xs":
		w.add(`{"type":"tool_execution_start","toolCallId":%q,"toolName":"t","args":{}%s}`, id, rest)
	case "xu":
		w.add(`{"type":"tool_execution_update","toolCallId":%q,"toolName":"t","args":{},"partialResult":{"content":[]}%s}`, id, rest)
	case "xe":
		w.add(`{"type":"tool_execution_end","toolCallId":%q,"toolName":"t","result":{"content":[]},"isError":false,"durationMs":1%s}`, id, rest)
	case "xf":
		w.add(`{"type":"tool_execution_end","toolCallId":%q,"toolName":"t","result":{"content":[]},"isError":true%s}`, id, rest)
	case "xr":
		m := message("toolResult", "[]", fmt.Sprintf(`,"toolCallId":%q,"toolName":"t","isError":%t`, id, failed))
		w.add(`{"type":"message_start","message":%s}`, m)
		w.add(`{"type":"message_end","message":%s}`, m)
		w.sent = append(w.sent, m)
		w.results = append(w.results, m)
	}
}

// found are the codes for a stream of words, each with the word at whose records it stands; "end" for the end.
func found(words []string, wire bool, profile string) string {
	w := &writer{wire: wire}
	var at []string
	for _, word := range words {
		w.word(word)
		for len(at) < len(w.out) {
			at = append(at, word)
		}
	}
	var records [][]byte
	for _, r := range w.out {
		records = append(records, []byte(r))
	}
	var all []string
	for _, f := range Judge(records, Options{Profile: profile}).Findings {
		where := "end"
		if f.Index < len(at) {
			where = at[f.Index]
		}
		if where[0] == '{' {
			where = where[:min(len(where), 20)]
		}
		all = append(all, f.Code+" "+where)
	}
	return strings.Join(all, "; ")
}

func TestAgentRules(t *testing.T) {
	for stream, want := range map[string]string{
		"AS TS user:hi say:x TE AE":                "",
		"AS TS user:hi say:x TE AS TS say:y TE AE": "nested-run AS",
		"TS":                                "not-open TS",
		"AS user:hi":                        "not-open user:hi; not-open user:hi",
		"AS TS user:hi say:x AE":            "turn-order AE",
		"AS AE":                             "turn-order AE",
		"AS TS TS say:x TE AE":              "turn-order TS",
		"AS TS +user:hi say:x TE AE":        "message-overlap say:x",
		"AS TS +user:a -user:b say:x TE AE": "message-changed -user:b",
		"AS TS say:x user:b TE AE":          "late-input user:b",
		"AS TS say:x say:y TE AE":           "second-assistant say:y",
		"AS TS call:A xs:A xu:A xe:A xr:A TE TS say:x TE AE":                               "",
		"AS TS call:A xs:A xe:A xr:A TE AE":                                                "stopped-early AE",
		"AS TS call:A,B xs:A xs:B xe:B xe:A xr:A xr:B TE TS say:x TE AE":                   "",
		"AS TS call:A,B xs:A xe:A xr:A xs:B xe:B xr:B TE TS say:x TE AE":                   "",
		"AS TS call:A,B xs:B xs:A xe:B xe:A xr:A xr:B TE TS say:x TE AE":                   "tool-order xs:B",
		"AS TS call:A,B xs:A xu:A xs:B xe:B xe:A xr:A xr:B TE TS say:x TE AE":              "start-after-update xs:B",
		"AS TS call:A,B xs:A xe:A xs:B xe:B xr:A xr:B TE TS say:x TE AE":                   "start-after-end xs:B",
		"AS TS call:A,B xs:A xf:A xs:B xe:B xr:A! xr:B TE TS say:x TE AE":                  "",
		"AS TS call:A,B xs:A xs:B xe:A xr:A xe:B xr:B TE TS say:x TE AE":                   "result-before-end xr:A",
		"AS TS call:A,B xs:A xs:B xe:A xe:B xr:B xr:A TE TS say:x TE AE":                   "result-order xr:B",
		"AS TS call:A,B,C xs:A xs:B xf:B xe:A xr:A xs:C xe:C xr:B! xr:C TE TS say:x TE AE": "mixed-batch xs:C",
		"AS TS call:A xs:A xe:A TE TS say:x TE AE":                                         "tool-not-run TE",
		"AS TS call:A xs:A TE TS say:x TE AE":                                              "open-at-turn-end TE; tool-not-run TE",
		"AS TS say:x xs:A xe:A TE AE":                                                      "tool-unknown xs:A; stopped-early AE",
		"AS TS say:x TE TS say:y TE AE":                                                    "empty-turn say:y",
		"AS TS say!x TE TS say:y TE AE":                                                    "turn-after-failure TS; empty-turn say:y",
		"AS TS call:A xs:A xs:B<A xu:B<A xe:B<A xe:A xr:A TE TS say:x TE AE":               "",
		"AS TS call:A xs:A xs:B<A xe:A xe:B<A xr:A TE TS say:x TE AE":                      "nested-place xe:A",
		"AS TS call:A xs:A xe:A xs:B<A xe:B<A xr:A TE TS say:x TE AE":                      "nested-place xs:B<A",
		"AS TS call:A,A xs:A xs:A xe:A xe:A xr:A xr:A TE TS say:x TE AE":                   "duplicate-tool-id call:A,A",
		"AS TS user:hi system:s say:x TE AE":                                               "system-place system:s",
		"custom:n AS TS user:hi say:x TE AE custom:n":                                      "",
	} {
		if diff := cmp.Diff(want, found(strings.Fields(stream), false, "pi-1.x")); diff != "" {
			t.Errorf("%s: %s", stream, diff)
		}
	}
}

func queue(steering, followUp string) string {
	return fmt.Sprintf(`{"type":"queue_update","steering":[%s],"followUp":[%s]}`, steering, followUp)
}

const (
	retry1  = `{"type":"auto_retry_start","attempt":1,"maxAttempts":2,"delayMs":1,"errorMessage":"e"}`
	retry2  = `{"type":"auto_retry_start","attempt":2,"maxAttempts":2,"delayMs":1,"errorMessage":"e"}`
	retryOK = `{"type":"auto_retry_end","success":true,"attempt":1}`
	edit    = `{"type":"entry_appended","entry":{"type":"context_edit","id":"e","parentId":null,"timestamp":"t"}}`
	manual  = `{"type":"compaction_start","reason":"manual"}`
	limit   = `{"type":"compaction_start","reason":"threshold"}`
	limited = `{"type":"compaction_end","reason":"threshold","aborted":true,"willRetry":false}`
)

func TestSessionRules(t *testing.T) {
	header := `{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}`
	plain := "AS TS user:hi say:x TE AE ST"
	for _, c := range []struct{ stream, want string }{
		{plain, ""},
		{header + " " + plain + " " + header, "header-place " + header[:20]},
		{"AS ST TS say:x TE AE ST", "settled-in-run ST"},
		{plain + " ST", "settled-twice ST"},
		{"AS TS say:x TE AE", "truncated end"},
		{"AS TS say!x TE AE:retry " + retry1 + " " + edit + " AS TS say:y " + retryOK + " TE AE ST", ""},
		{"AS TS say!x TE AE:retry " + retry1 + " AS TS say:y " + retryOK + " TE AE ST", "context-edit-missing AS"},
		{"AS TS say!x TE AE:retry " + retry2 + " " + edit + " AS TS say:y TE AE ST", "retry-count " + retry2[:20] + "; settled-in-recovery ST"},
		{"AS TS say!x TE AE " + retry1 + " " + edit + " AS TS say:y " + retryOK + " TE AE ST", "retry-unannounced " + retry1[:20]},
		{"AS TS say!x TE AE:retry ST", "retry-missing ST"},
		{"AS TS say!x TE AE:retry " + retry1 + " " + edit + " AS TS user:u say:y " + retryOK + " TE AE ST", "retry-with-input user:u"},
		{plain + " " + limit + " " + limited, ""},
		{plain + " " + limit + " " + limit + " " + limited, "compaction-overlap " + limit[:20]},
		{"AS TS " + limit + " " + limited + " say:x TE AE ST", "compaction-place " + limit[:20]},
		{"AS TS say:x TE " + manual + " AE", "run-cut " + manual[:20] + "; not-open AE"},
		{"AS TS say:x " + queue(`"q"`, "") + " TE TS " + queue("", "") + " user:q say:y TE AE ST", ""},
		{"AS TS say:x " + queue(`"q"`, "") + " TE TS " + queue("", "") + " say:y TE AE ST", "empty-turn say:y; queue-lost say:y"},
		{"AS TS say:x " + queue(`"q"`, "") + " TE AE", "queue-left AE; truncated end"},
		{"AS TS say:x " + queue(`"q","r"`, "") + " TE AE", "queue-jump " + queue("", "")[:20] + "; queue-left AE; truncated end"},
		{"AS TS say:x TE AE AS TS say:y TE AE ST", "restart-without-cause say:y"},
	} {
		if diff := cmp.Diff(c.want, found(strings.Fields(c.stream), true, "pi-1.x")); diff != "" {
			t.Errorf("%s: %s", c.stream, diff)
		}
	}
}

// judged are the codes of records that are written as they are.
func judged(profile string, records ...string) string {
	var raw [][]byte
	for _, r := range records {
		raw = append(raw, []byte(r))
	}
	var all []string
	for _, f := range Judge(raw, Options{Profile: profile}).Findings {
		all = append(all, fmt.Sprintf("%s %d", f.Code, f.Index))
	}
	return strings.Join(all, "; ")
}

func wrap(dir string, records ...string) []string {
	var out []string
	for _, r := range records {
		out = append(out, fmt.Sprintf(`{"dir":%q,"record":%s}`, dir, r))
	}
	return out
}

func TestTranscriptRules(t *testing.T) {
	in := func(r string) string { return wrap("stdin", r)[0] }
	out := func(r string) string { return wrap("stdout", r)[0] }
	raw := func(s string) string { return fmt.Sprintf(`{"dir":"stdin","raw":%q}`, s) }
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"an answer for each command":   {[]string{in(`{"type":"abort","id":"a"}`), out(`{"type":"response","command":"abort","id":"a","success":true}`)}, ""},
		"two answers":                  {[]string{in(`{"type":"abort"}`), out(`{"type":"response","command":"abort","success":true}`), out(`{"type":"response","command":"abort","success":true}`)}, "response-unknown 2"},
		"no answer":                    {[]string{in(`{"type":"abort"}`)}, "response-missing 1"},
		"a line in pieces":             {[]string{raw(`{"type":"ab`), raw("ort\"}\r\n"), out(`{"type":"response","command":"abort","success":true}`)}, ""},
		"data that is not given":       {[]string{in(`{"type":"abort"}`), out(`{"type":"response","command":"abort","success":true,"data":{}}`)}, "response-shape 1"},
		"the id's type is kept":        {[]string{in(`{"type":"abort","id":7}`), out(`{"type":"response","command":"abort","id":"7","success":true}`)}, "response-unknown 1; response-missing 2"},
		"an answer to nothing":         {[]string{in(`{"type":"extension_ui_response","id":"u","confirmed":true}`)}, "ui-answer 0"},
		"a value that was not offered": {[]string{out(`{"type":"extension_ui_request","id":"u","method":"select","title":"t","options":["a"]}`), in(`{"type":"extension_ui_response","id":"u","value":"b"}`)}, "ui-answer 1"},
		"an id twice":                  {[]string{out(`{"type":"extension_ui_request","id":"u","method":"setTitle","title":"t"}`), out(`{"type":"extension_ui_request","id":"u","method":"setTitle","title":"t"}`)}, "ui-id-reused 1"},
		"output without a command":     {[]string{out(`{"type":"bash_execution_update","delta":"x"}`)}, "bash-output 0"},
		"a pair that was cut":          {[]string{in(`{"type":"bash","command":"c"}`), out(`{"type":"bash_execution_update","delta":"x\ud834"}`), out(`{"type":"bash_execution_update","delta":"\udd1e"}`), out(`{"type":"response","command":"bash","success":true,"data":{"output":"x𝄞","cancelled":false,"truncated":false}}`)}, ""},
		"other output":                 {[]string{in(`{"type":"bash","command":"c"}`), out(`{"type":"bash_execution_update","delta":"x"}`), out(`{"type":"response","command":"bash","success":true,"data":{"output":"y","cancelled":false,"truncated":false}}`)}, "bash-output 2"},
	} {
		if diff := cmp.Diff(c.want, judged("pi-1.x", c.records...)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTraceRules(t *testing.T) {
	ext := func(r string) string { return wrap("ext", r)[0] }
	host := func(r string) string { return wrap("host", r)[0] }
	up, down := ext(`{"type":"session_start","reason":"startup"}`), ext(`{"type":"session_shutdown","reason":"new"}`)
	next := ext(`{"type":"session_start","reason":"new"}`)
	bind1, gone1, end1, bind2 := host(`{"type":"bind","gen":1}`), host(`{"type":"invalidate","gen":1}`), host(`{"type":"dispose","gen":1}`), host(`{"type":"bind","gen":2}`)
	open := host(`{"type":"ui-open","gen":1,"id":"u"}`)
	shut := host(`{"type":"ui-close","gen":1,"id":"u","cause":"window"}`)
	window := host(`{"type":"window-close","gen":1}`)
	for name, c := range map[string]struct {
		records []string
		want    string
	}{
		"a replacement":            {[]string{bind1, up, down, gone1, end1, bind2, next}, ""},
		"a second start":           {[]string{up, up}, "lifecycle-order 1"},
		"another reason":           {[]string{up, ext(`{"type":"session_shutdown","reason":"fork"}`), next}, "lifecycle-reason 2"},
		"disposed too early":       {[]string{bind1, up, down, end1, bind2, next}, "teardown-order 3"},
		"a number left out":        {[]string{bind1, gone1, end1, host(`{"type":"bind","gen":3}`)}, "teardown-order 3"},
		"an old runtime":           {[]string{bind1, gone1, end1, bind2, host(`{"type":"subscribe","gen":1}`)}, "stale-generation 4"},
		"a dialog that stays":      {[]string{bind1, open, window, gone1}, "ui-left-open 3"},
		"a dialog that is closed":  {[]string{bind1, open, window, shut, gone1}, ""},
		"a dialog closed twice":    {[]string{bind1, open, shut, shut}, "ui-close-twice 3"},
		"an answer that is late":   {[]string{bind1, wrap("stdout", `{"type":"extension_ui_request","id":"u","method":"confirm","title":"t","message":"m"}`)[0], open, window, shut, wrap("stdin", `{"type":"extension_ui_response","id":"u","confirmed":true}`)[0]}, "ui-late-answer 5"},
		"a number that is missing": {[]string{bind1, host(`{"type":"buffer","gen":1,"seq":1}`), host(`{"type":"buffer","gen":1,"seq":3}`)}, "sequence-order 2"},
		"a closed gate":            {[]string{bind1, host(`{"type":"deliver","gen":1,"seq":1}`)}, "gate-order 1"},
		"an entry twice":           {[]string{bind1, host(`{"type":"apply","gen":1,"entry":"e"}`), host(`{"type":"apply","gen":1,"entry":"e"}`)}, "entry-twice 2"},
	} {
		if diff := cmp.Diff(c.want, judged("pi-1.x", c.records...)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestClassIsWhatTheRecordsShow(t *testing.T) {
	for record, want := range map[string]string{
		`{"type":"agent_start"}`: "agent",
		`{"type":"hello"}`:       "agent",
		`{"type":"queue_update","steering":[],"followUp":[]}`:                    "stdout",
		`{"type":"agent_end","messages":[],"willRetry":false}`:                   "stdout",
		`{"dir":"exit","record":{"code":0,"signal":null}}`:                       "transcript",
		`{"ext":"session_start","reason":"startup"}`:                             "transcript",
		`{"type":"response","command":"abort","success":true,"dir":"elsewhere"}`: "transcript",
	} {
		o := Judge([][]byte{[]byte(record)}, Options{})
		if o.Class != want {
			t.Errorf("%s: %s, not %s", record, o.Class, want)
		}
		if hidden := strings.Join(o.NotEvaluated, " "); strings.Contains(hidden, "response-unknown") == (want == "transcript") ||
			strings.Contains(hidden, "run-cut") != (want == "agent") {
			t.Errorf("%s: not evaluated: %s", record, hidden)
		}
	}
}
