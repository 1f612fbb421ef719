package assistant_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

func report(t testing.TB, o assistant.Options, events ...string) verifier.Report {
	t.Helper()
	v, err := assistant.New(o)
	assert.NilError(t, err)
	for _, e := range events {
		v.Observe([]byte(e))
	}
	v.Finish()
	return v.Report()
}

// clauses lists what was found, as "index clause".
func clauses(r verifier.Report) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprintf("%d %s", f.Index, f.Clause))
	}
	return strings.Join(all, "; ")
}

var profiles = []string{assistant.Pi1x, assistant.Pi080, assistant.Pi073, assistant.DiCode}

func TestAllFaultsOfARecordAreReportedInTheOrderOfTheTable(t *testing.T) {
	call := func(typ, id, name, arguments string) string {
		return piece("toolcall_end", 0, `,"toolCall":{"type":"`+typ+`","id":"`+id+`","name":"`+name+`","arguments":`+arguments+`}`)
	}
	named := piece("toolcall_start", 0, `,"id":"a","toolName":"n"`)
	for name, c := range map[string]struct {
		profile string
		events  []string
		want    string
	}{
		"a call that is wrong in all ways":        {"", []string{start, named, call("tool_call", "", "", "[]")}, "2 bad-tool-call/type; 2 arguments-not-object/root; 2 tool-id-changed; 2 tool-name-changed; 3 truncated"},
		"other arguments under another id":        {"", []string{start, named, piece("toolcall_delta", 0, `,"delta":"{\"a\":1}"`), call("toolCall", "b", "n", `{"a":2}`)}, "3 tool-id-changed; 3 arguments-mismatch/text; 4 truncated"},
		"an end that is wrong in all ways":        {"", []string{start, piece("text_start", 0, ""), `{"type":"done","reason":"tool_use","message":` + message("", "pending") + `}`}, "2 open-at-done; 2 reason-mismatch; 2 bad-reason/reason; 2 final-content"},
		"doubt is settled before the end":         {"", []string{start, piece("thinking_start", 0, ""), piece("thinking_end", 0, `,"content":"r"`), done("later", `{"type":"thinking","thinking":"s"}`)}, "3 content-mismatch/not-redacted; 3 bad-reason/reason; 3 final-content"},
		"warnings of structure come first":        {"", []string{start, `{"type":"text_start","contentIndex":0,"contentIndex":7,"partial":null}`}, "1 duplicate-name; 1 null-optional; 1 index-gap; 2 truncated"},
		"nothing comes after a drop":              {"", []string{start, piece("text_delta", 0, "")}, "1 missing-field/member; 2 truncated"},
		"nor behind another code of structure":    {"", []string{start, `{"type":"text_delta","delta":5,"partial":null}`}, "1 missing-field/member; 2 truncated"},
		"an unknown type says nothing of phases":  {"", []string{`{"type":"ping"}`, start, done("stop", ""), `{"type":"ping"}`}, "0 unknown-event-type; 3 unknown-event-type"},
		"what was dropped shows nothing":          {"", []string{start, piece("thinking_start", 0, ""), piece("thinking_end", 0, `,"content":"r"`), strings.TrimSuffix(piece("text_delta", 3, `,"delta":""`), "}") + partial(`{"type":"thinking","thinking":"r"}`), done("stop", `{"type":"thinking","thinking":"r","redacted":true}`)}, "3 not-open/text"},
		"a second start keeps what was":           {"", []string{start, piece("text_start", 0, ""), start, piece("text_end", 0, `,"content":""`), done("stop", `{"type":"text","text":""}`)}, "2 duplicate-stream-start"},
		"a mismatch is kept as its end says":      {"", []string{start, piece("text_start", 0, ""), piece("text_end", 0, `,"content":"x"`), done("stop", `{"type":"text","text":"x"}`)}, "2 content-mismatch/text"},
		"a done that is dropped is none":          {"", []string{start, `{"type":"done","reason":"stop"}`, done("stop", "")}, "1 missing-field/member"},
		"in di-code a rejected done is none":      {assistant.DiCode, []string{start, diCodeDone("stop", `{"type":"text","text":"x"}`), diCodeDone("stop", "")}, "1 final-content"},
		"in di-code the first error is the only":  {assistant.DiCode, []string{start, piece("text_start", 0, ""), `{"type":"done","reason":"x","message":` + diCodeMessage("", "y") + `}`, diCodeError(`{"type":"text","text":""}`)}, "2 open-at-done"},
		"in di-code a warning goes with an error": {assistant.DiCode, []string{start, `{"type":"done","reason":"x","message":` + diCodeMessage(`{"type":"text","text":""}`, "x") + `}`, diCodeDone("stop", "")}, "1 bad-reason/reason; 1 final-content"},
		"in di-code the phase comes before types": {assistant.DiCode, []string{`{"type":"ping"}`, start, `{"type":"ping"}`, diCodeDone("stop", ""), `{"type":"ping"}`}, "0 first-event; 2 unknown-event-type; 4 stream-ended"},
		"in di-code what cannot be read is first": {assistant.DiCode, []string{piece("tool_call_end", 0, ""), start, piece("tool_call_end", 0, `,"toolCall":null`), diCodeDone("stop", "")}, "0 missing-field/read; 2 wrong-type/read"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, clauses(report(t, assistant.Options{Profile: c.profile}, c.events...)), c.want)
		})
	}
}

func diCodeMessage(content, stop string) string {
	return `{"role":"assistant","content":[` + content + `],"provider":"p","model":"m",` + usage + `,"stopReason":"` + stop + `","timestamp":1700000000000}`
}

func diCodeDone(stop, content string) string {
	return `{"type":"done","reason":"` + stop + `","message":` + diCodeMessage(content, stop) + `}`
}

func diCodeError(content string) string {
	return `{"type":"error","reason":"error","message":` + diCodeMessage(content, "error") + `}`
}

// What di-code's validator makes of values that no type allows.
func TestDiCodeReadsAsJavaScriptDoes(t *testing.T) {
	callStart := func(id, name string) string {
		more := ""
		if id != "" {
			more += `,"id":` + id
		}
		if name != "" {
			more += `,"name":` + name
		}
		return piece("tool_call_start", 0, more)
	}
	callEnd := func(call string) string { return piece("tool_call_end", 0, `,"toolCall":`+call) }
	text := func(deltas ...string) []string {
		events := []string{start, piece("text_start", 0, "")}
		for _, d := range deltas {
			events = append(events, piece("text_delta", 0, d))
		}
		return events
	}
	for name, c := range map[string]struct {
		events []string
		want   string // errors alone
	}{
		"deltas of all sorts":                  {append(text("", `,"delta":null`, `,"delta":true`, `,"delta":-1.50`, `,"delta":1e21`, `,"delta":1e400`), piece("text_end", 0, `,"content":"undefinednulltrue-1.51e+21Infinity"`), diCodeDone("stop", `{"type":"text","text":"undefinednulltrue-1.51e+21Infinity"}`)), ""},
		"a delta that is a list":               {append(text(`,"delta":[1,2]`), piece("text_end", 0, `,"content":"1,2"`), diCodeDone("stop", `{"type":"text","text":"1,2"}`)), ""},
		"and its block in an error":            {append(text(`,"delta":{}`), diCodeError(`{"type":"text","text":"[object Object]"}`)), ""},
		"and its block left out":               {append(text(`,"delta":{}`), diCodeError("")), "3 partial-content"},
		"content that is no text":              {append(text(), piece("text_end", 0, `,"content":[]`)), "2 content-mismatch/text"},
		"content that is missing":              {append(text(), piece("text_end", 0, "")), "2 content-mismatch/text"},
		"ids that are the same number":         {[]string{start, callStart("5", `"n"`), callEnd(`{"id":5.0,"name":"n","arguments":{}}`), diCodeDone("stop", `{"type":"tool_call","id":5,"name":"n","arguments":{}}`)}, ""},
		"a number and its text":                {[]string{start, callStart("5", `"n"`), callEnd(`{"id":"5","name":"n","arguments":{}}`)}, "2 tool-id-changed"},
		"ids that are objects":                 {[]string{start, callStart("{}", `"n"`), callEnd(`{"id":{},"name":"n","arguments":{}}`)}, "2 tool-id-changed"},
		"ids that are undefined":               {[]string{start, callStart("", `"n"`), callEnd(`{"name":"n","arguments":{}}`), diCodeDone("stop", `{"type":"tool_call","name":"n","arguments":{}}`)}, "3 final-content"},
		"a name that is null":                  {[]string{start, callStart(`"a"`, "null"), callEnd(`{"id":"a","name":null,"arguments":{}}`), diCodeDone("stop", `{"type":"tool_call","id":"a","name":null,"arguments":{}}`)}, ""},
		"null is not undefined":                {[]string{start, callStart(`"a"`, ""), callEnd(`{"id":"a","name":null,"arguments":{}}`)}, "2 tool-name-changed"},
		"a call that is a number":              {[]string{start, callStart(`"a"`, `"n"`), callEnd(`5`)}, "2 arguments-not-object/root"},
		"a call that is a number, deltas":      {[]string{start, callStart(`"a"`, `"n"`), piece("tool_call_delta", 0, `,"argumentsDelta":"{}"`), callEnd(`5`)}, "3 tool-id-changed"},
		"no argumentsDelta":                    {[]string{start, callStart(`"a"`, `"n"`), piece("tool_call_delta", 0, `,"delta":"{}"`), callEnd(`{"id":"a","name":"n","arguments":{}}`)}, "3 arguments-not-json"},
		"arguments that were not judged":       {[]string{start, callStart(`"a"`, `"n"`), piece("tool_call_delta", 0, `,"argumentsDelta":[]`), callEnd(`{"id":"a","name":"n","arguments":7}`), diCodeDone("stop", `{"type":"tool_call","id":"a","name":"n","arguments":{}}`)}, ""},
		"a message that is a number":           {[]string{start, `{"type":"done","reason":"stop","message":5}`}, "1 reason-mismatch"},
		"neither reason":                       {[]string{start, `{"type":"done","message":{"content":[]}}`}, ""},
		"reasons that are objects":             {[]string{start, `{"type":"done","reason":{},"message":{"content":[],"stopReason":{}}}`}, "1 reason-mismatch"},
		"content that is an object":            {[]string{start, `{"type":"done","reason":"stop","message":{"content":{},"stopReason":"stop"}}`}, "1 final-content"},
		"blocks that are no objects":           {[]string{start, piece("text_start", 0, ""), piece("text_end", 0, `,"content":""`), diCodeDone("stop", `""`)}, "3 final-content"},
		"the message of an error is not error": {[]string{start, `{"type":"error","reason":"error","error":{"content":[],"stopReason":"error"}}`}, "1 missing-field/read"},
	} {
		t.Run(name, func(t *testing.T) {
			r := report(t, assistant.Options{Profile: assistant.DiCode}, c.events...)
			r.Findings = slices.DeleteFunc(r.Findings, func(f verifier.Violation) bool { return f.Severity != verifier.Error })
			assert.Equal(t, clauses(r), c.want)
		})
	}
}

// DI-NO-POLLUTION: an event that was rejected has changed nothing.
func TestARejectedEventLeavesNothingBehind(t *testing.T) {
	legal := []string{
		start, piece("text_start", 0, ""), piece("text_delta", 0, `,"delta":"a"`), piece("text_end", 0, `,"content":"a"`),
		piece("tool_call_start", 1, `,"id":"c","name":"n"`), piece("tool_call_delta", 1, `,"argumentsDelta":"{\"a\":"`), piece("tool_call_delta", 1, `,"argumentsDelta":"1}"`),
		piece("tool_call_end", 1, `,"toolCall":{"type":"tool_call","id":"c","name":"n","arguments":{"a":1}}`),
		diCodeDone("tool_use", `{"type":"text","text":"a"},{"type":"tool_call","id":"c","name":"n","arguments":{"a":1}}`),
	}
	wrong := slices.Concat(legal, []string{
		"", "5", "{}", `{"type":"ping"}`, "\xff", `{"type":"text_delta","contentIndex":0,"delta":"\xff"}`, diCodeDone("stop", ""), diCodeError(""),
		piece("text_start", 7, ""), piece("text_delta", 7, `,"delta":"x"`), piece("text_end", 0, `,"content":"x"`), piece("thinking_start", 1, ""),
		piece("tool_call_end", 1, `,"toolCall":{"type":"tool_call","id":"x","name":"n","arguments":{"a":1}}`), piece("tool_call_end", 1, `,"toolCall":{}`), piece("tool_call_end", 1, ""),
	})
	for at := range len(legal) + 1 {
		for _, w := range wrong {
			v, err := assistant.New(assistant.Options{Profile: assistant.DiCode})
			assert.NilError(t, err)
			rejected := false
			for i, e := range legal {
				if i == at {
					rejected = blames(v.Observe([]byte(w)))
					if !rejected {
						break // legal here too
					}
				}
				assert.Assert(t, !blames(v.Observe([]byte(e))), "%s at %d, then %s", w, at, e)
			}
		}
	}
}

func blames(found []verifier.Violation) bool {
	return slices.ContainsFunc(found, func(f verifier.Violation) bool { return f.Severity == verifier.Error })
}

func TestLimitsStopTheJudging(t *testing.T) {
	for name, c := range map[string]struct {
		profile string
		limits  verifier.Limits
		events  []string
		clause  string
	}{
		"open":             {"", verifier.Limits{Open: 1}, []string{start, piece("text_start", 0, ""), piece("text_start", 1, "")}, "limit/open"},
		"text":             {"", verifier.Limits{TextBytes: 3}, []string{start, piece("text_start", 0, ""), piece("text_delta", 0, `,"delta":"abcd"`)}, "limit/text"},
		"text of several":  {"", verifier.Limits{TextBytes: 3}, []string{start, piece("text_start", 0, ""), piece("text_start", 1, ""), piece("text_delta", 0, `,"delta":"ab"`), piece("text_delta", 1, `,"delta":"cd"`)}, "limit/text"},
		"text in di-code":  {assistant.DiCode, verifier.Limits{TextBytes: 3}, []string{start, piece("text_start", 0, ""), piece("text_delta", 0, `,"delta":"abcd"`)}, "limit/text"},
		"id in di-code":    {assistant.DiCode, verifier.Limits{TextBytes: 3}, []string{start, piece("tool_call_start", 0, `,"id":"ab","name":"c"`)}, "limit/text"},
		"blocks":           {"", verifier.Limits{IDBytes: 255}, []string{start, piece("text_start", 0, ""), piece("text_end", 0, `,"content":""`), piece("text_start", 1, "")}, "limit/ids"},
		"blocks, di-code":  {assistant.DiCode, verifier.Limits{IDBytes: 127}, []string{start, piece("text_start", 0, ""), piece("text_end", 0, `,"content":""`)}, "limit/ids"},
		"bytes":            {"", verifier.Limits{EventBytes: 20}, []string{start, piece("text_start", 0, "")}, "limit/event-bytes"},
		"depth":            {"", verifier.Limits{Depth: 3}, []string{start, `{"type":"ping","a":{"b":{"c":{}}}}`}, "limit/depth"},
		"depth of a text":  {"", verifier.Limits{Depth: 3}, []string{start, piece("toolcall_start", 0, ""), piece("toolcall_delta", 0, `,"delta":"{\"a\":[[[]]]}"`), piece("toolcall_end", 0, `,"toolCall":{"type":"toolCall","id":"a","name":"n","arguments":{}}`)}, "limit/depth"},
		"depth in di-code": {assistant.DiCode, verifier.Limits{Depth: 3}, []string{start, piece("tool_call_start", 0, `,"id":"a","name":"n"`), piece("tool_call_delta", 0, `,"argumentsDelta":"{\"a\":[[[]]]}"`), piece("tool_call_end", 0, `,"toolCall":{"type":"tool_call","id":"a","name":"n","arguments":{}}`)}, "limit/depth"},
	} {
		t.Run(name, func(t *testing.T) {
			o := assistant.Options{Profile: c.profile, Limits: c.limits}
			r := report(t, o, append(c.events, "no JSON")...)
			assert.Equal(t, r.Verdict.String(), fmt.Sprintf("incomplete limit at %d", len(c.events)-1))
			assert.Equal(t, clauses(r), fmt.Sprintf("%d %s", len(c.events)-1, c.clause))
			assert.Assert(t, r.Stopped)
			for id := range rules.ClauseCount {
				if strings.HasPrefix(rules.Table().ClauseName(id), "limit/") {
					o.Off.Set(id)
				}
			}
			assert.Assert(t, !report(t, o, append(c.events, "no JSON")...).Stopped, "a limit that is off stops nothing")
		})
	}
}

func TestALimitItselfIsAllowed(t *testing.T) {
	o := assistant.Options{Limits: verifier.Limits{Open: 1, TextBytes: 4, IDBytes: 128, EventBytes: len(piece("text_delta", 0, `,"delta":"😀"`)), Depth: 1}}
	r := report(t, o, start, piece("text_start", 0, ""), piece("text_delta", 0, `,"delta":"😀"`), piece("text_end", 0, ""))
	assert.Equal(t, clauses(r), "4 truncated")
	for _, x := range []struct {
		limits verifier.Limits
		ok     bool
	}{
		{verifier.Limits{EventBytes: scan.MaxBytes}, true}, {verifier.Limits{EventBytes: scan.MaxBytes + 1}, false},
		{verifier.Limits{Depth: scan.MaxDepth}, true}, {verifier.Limits{Depth: scan.MaxDepth + 1}, false},
	} {
		_, err := assistant.New(assistant.Options{Limits: x.limits})
		assert.Equal(t, err == nil, x.ok, "%+v", x.limits)
	}
	_, err := assistant.New(assistant.Options{Profile: "pi"})
	assert.ErrorContains(t, err, `no profile "pi"`)
}

func TestTextThatEndedIsNotCounted(t *testing.T) {
	for _, profile := range []string{assistant.Pi1x, assistant.DiCode} {
		o := assistant.Options{Profile: profile, Limits: verifier.Limits{TextBytes: 2}}
		r := report(t, o, start, piece("text_start", 0, ""), piece("text_delta", 0, `,"delta":"ab"`), piece("text_end", 0, `,"content":"ab"`),
			piece("text_start", 1, ""), piece("text_delta", 1, `,"delta":"ab"`), piece("text_end", 1, `,"content":"ab"`))
		assert.Equal(t, clauses(r), "7 truncated", profile)
	}
}

// A clause that is off blames nothing, drops nothing, and is not counted as looked at.
func TestAClauseThatIsOffIsNotJudged(t *testing.T) {
	events := []string{
		"", "5", "{}", `{"type":5}`, `{"type":"ping"}`, piece("text_start", 0, ""), start, start, `{"type":"text_start"}`, piece("text_start", 0, ""), piece("text_start", 4, `,"partial":null`),
		piece("text_delta", 0, `,"delta":5`), piece("text_delta", 9, `,"delta":"x"`), piece("thinking_end", 0, `,"content":"y"`), piece("text_end", 0, `,"content":"y"`),
		piece("toolcall_start", 1, `,"id":"a","toolName":"n"`), piece("toolcall_delta", 1, `,"delta":"["`), piece("toolcall_end", 1, `,"toolCall":{"type":"x","id":"","name":"","arguments":[]}`),
		piece("tool_call_start", 1, `,"id":"a","name":"n"`), piece("tool_call_delta", 1, `,"argumentsDelta":"["`), piece("tool_call_end", 1, `,"toolCall":{"id":"b","name":"m","arguments":[]}`), piece("tool_call_end", 1, `,"toolCall":null`),
		`{"type":"done","reason":"x","message":{"stopReason":"pending","content":[5]}}`, done("x", `{"type":"text","text":"z"}`), start,
	}
	for _, profile := range profiles {
		var all verifier.Mask
		for c := range rules.ClauseCount {
			o := assistant.Options{Profile: profile}
			o.Off.Set(c)
			all.Set(c)
			v, err := assistant.New(o)
			assert.NilError(t, err)
			for _, e := range events {
				v.Observe([]byte(e))
			}
			v.Finish()
			evaluated, fired := v.Coverage(c)
			assert.Equal(t, evaluated+fired, uint64(0), "%s in %s", rules.Table().ClauseName(c), profile)
		}
		r := report(t, assistant.Options{Profile: profile, Off: all}, events...)
		assert.Equal(t, len(r.Findings), 0, profile)
		assert.Equal(t, r.Events, len(events))
	}
}

func TestNothingIsJudgedBehindTheEnd(t *testing.T) {
	for _, profile := range profiles {
		v, err := assistant.New(assistant.Options{Profile: profile})
		assert.NilError(t, err)
		v.Observe([]byte(piece("text_start", 0, "")))
		v.Finish()
		before := len(v.Report().Findings)
		assert.Equal(t, len(v.Finish()), 0, profile)
		assert.Equal(t, len(v.Observe([]byte(piece("text_start", 0, "")))), 0, profile)
		assert.Equal(t, len(v.ObserveOver(verifier.Place{})), 0, profile)
		assert.Equal(t, len(v.Report().Findings), before, profile)
	}
}

func TestAReportSaysWhatWasJudged(t *testing.T) {
	v, err := assistant.New(assistant.Options{})
	assert.NilError(t, err)
	v.ObserveAt([]byte(start), verifier.Place{Line: 1})
	found := v.ObserveAt([]byte(piece("text_delta", 3, `,"delta":"x"`)), verifier.Place{Line: 2, Offset: 17})
	assert.Equal(t, len(found), 1)
	f := found[0]
	assert.Equal(t, fmt.Sprint(f.Protocol, " ", f.Code, " ", f.Index, " ", f.Line, " ", f.Offset, " ", f.EventType, " ", f.Pointer), "assistant not-open 1 2 17 text_delta /contentIndex")
	assert.Equal(t, f.Detail, "text_delta for index 3, where no block has started")
	assert.Equal(t, f.Page, "https://github.com/agentstream/conformance/blob/main/docs/pi.md#provider-stream")
	v.ObserveOver(verifier.Place{Line: 3})
	r := v.Report()
	assert.Equal(t, fmt.Sprint(r.Protocol, " ", r.Profile, " ", r.Events, " ", r.Verdict, " ", r.Stopped), "assistant pi-1.x 3 reject not-open at 1 true")
	assert.Equal(t, v.Verdict(), r.Verdict)
}

// A detail names what is wrong and where; related is the record that explains it.
func TestFindingsSayWhatIsWrong(t *testing.T) {
	ended := []string{start, piece("text_start", 0, ""), piece("text_delta", 0, `,"delta":"hello"`), piece("text_end", 0, `,"content":"hello"`)}
	for name, c := range map[string]struct {
		profile string
		events  []string
		related int
		detail  string
	}{
		"a closed block":    {"", append(ended, piece("text_end", 0, `,"content":""`)), 3, "text_end for the text block at index 0, which ended at event 3"},
		"another kind":      {"", append(ended[:2:2], piece("thinking_delta", 0, `,"delta":""`)), 1, "thinking_delta for index 0, where a text block is open"},
		"another text":      {"", append(ended[:3:3], piece("text_end", 0, `,"content":"help"`)), 1, "the text block ends with 4 bytes of text, its deltas came to 5; they differ from byte 3 on"},
		"a gap":             {"", append(ended[:4:4], piece("text_start", 0, "")), -1, "a text block starts at index 0; the next is 1"},
		"di-code in pi":     {"", append(ended[:1:1], `{"type":"tool_call_start","contentIndex":0,"id":"a","name":"n"}`), -1, `"tool_call_start" is no event type of pi; this looks like di-code`},
		"pi in di-code":     {assistant.DiCode, append(ended[:1:1], `{"type":"toolcall_start","contentIndex":0}`), -1, `"toolcall_start" is no event type of di-code; this looks like pi`},
		"a misspelt type":   {"", append(ended[:1:1], `{"type":"textStart","contentIndex":0}`), -1, `"textStart" is no event type of pi; did you mean text_start?`},
		"open at done":      {"", append(ended[:2:2], piece("toolcall_start", 1, ""), done("stop", "")), 1, "still open: text block 0, tool call 1"},
		"truncated":         {"", ended[:2], 0, "the stream ends without done or error; still open: text block 0"},
		"truncated at once": {"", nil, -1, "the stream ends before it has begun"},
		"a missing member":  {"", append(ended[:1:1], `{"type":"text_start"}`), -1, `text_start has no "contentIndex"`},
		"neither":           {"", append(ended[:1:1], `{"type":"done","reason":"stop"}`), -1, `done has neither "message" nor "usage"`},
		"after the end":     {"", append(ended[:1:1], done("stop", ""), start), 1, "start after the end of the stream at event 1"},
		"overlap":           {assistant.DiCode, append(ended[:2:2], piece("text_start", 1, "")), 1, "a text block starts while the text block of event 1 is open"},
		"no index":          {assistant.DiCode, append(ended[:2:2], `{"type":"text_delta","delta":"x"}`), 1, "text_delta for index undefined; the open text block has 0"},
	} {
		t.Run(name, func(t *testing.T) {
			f := report(t, assistant.Options{Profile: c.profile}, c.events...).Findings[0]
			assert.Equal(t, f.Detail, c.detail)
			assert.Equal(t, f.Related, c.related)
		})
	}
}
