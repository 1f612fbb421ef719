package assistant_test

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/model/assistant"
)

// everywhere are the features that streams of each profile have, and ofPi those of the pi family alone.
var everywhere = []string{
	"no content", "empty block", "block without a delta", "empty delta", "pair cut in two", "half of a pair", "text beyond ASCII", "two calls of one id",
	"call without a delta, with arguments", "nested arguments", "__proto__ in arguments", "a name twice in the text of arguments",
	"error at once", "error over an open block", "error over an open call", "error after a call", "done after a call",
	"unknown members", "type is not first", "white space", "escapes", "another spelling of a contentIndex",
}

var ofPi = []string{
	"two open blocks", "three open blocks", "deltas of two blocks interleaved", "redacted thinking", "late id", "id not sent", "blank arguments", "repaired arguments",
	"argumentsError", "error first", "error without the content", "signatures", "unknown type", "in process", "wire", "SSE", "proxy",
}

func expectedFeatures(profile string) []string {
	if profile == assistant.DiCode {
		return everywhere
	}
	return append(append(append([]string{}, everywhere[:8]...), everywhere[9:]...), ofPi...) // without a delta there are no arguments in pi
}

// A watcher notes what a stream has.
type watcher struct {
	found map[string]bool
	form  pi.Forms
	open  map[float64]*watched
	last  float64 // of the last delta
	calls map[string]bool
	ended int // blocks
	tools int // of them
}

type watched struct {
	kind   string
	text   string
	deltas int
	half   bool // the last delta ended in half a pair
}

var (
	halfAtEnd = regexp.MustCompile(`(?i)"(delta|argumentsDelta)"\s*:\s*"[^"]*\\ud[89ab][0-9a-f]{2}"`)
	halfAtAll = regexp.MustCompile(`(?i)\\ud[c-f][0-9a-f]{2}\\ud[89ab]|[^f0-9]\\ud[c-f][0-9a-f]{2}|\\ud800[^\\]`)
	spelled   = regexp.MustCompile(`"contentIndex"\s*:\s*(-0|0\.0|-0e5|1\.0|1e0|10e-1|0\.1E\+1)`)
	again     = regexp.MustCompile(`"([^"\\]*)":(0|null|\{"a":\[\]\}),\s*"([^"\\]*)"`)
	nested    = regexp.MustCompile(`"arguments"\s*:\s*\{[^{}]*\[[^\[\]]*\{`)
)

func featuresOf(s assistant.Stream, events []doc) map[string]bool {
	w := &watcher{map[string]bool{}, s.Form, map[float64]*watched{}, -1, map[string]bool{}, 0, 0}
	w.note(map[pi.Forms]string{pi.InProcess: "in process", pi.Wire: "wire", pi.SSE: "SSE", pi.Proxy: "proxy"}[s.Form], s.Form != 0)
	w.note("error first", events[0].str("type") == "error")
	for i, e := range events {
		w.spelling(s.Events[i])
		w.event(e, s.Events[i])
	}
	return w.found
}

func (w *watcher) note(feature string, has bool) {
	if has {
		w.found[feature] = true
	}
}

func (w *watcher) spelling(raw []byte) {
	w.note("white space", bytes.ContainsAny(raw, "\t") || bytes.Contains(raw, []byte("{ ")))
	w.note("type is not first", !bytes.HasPrefix(bytes.TrimLeft(raw, " \t"), []byte(`{"type"`)) && !bytes.HasPrefix(raw, []byte(`{ `)))
	w.note("escapes", bytes.Contains(raw, []byte(`\u0074`)))
	w.note("another spelling of a contentIndex", spelled.Match(raw))
	w.note("half of a pair", halfAtAll.Match(raw))
	w.note("text beyond ASCII", bytes.Contains(raw, []byte("日本")))
	w.note("nested arguments", nested.Match(raw))
	w.note("__proto__ in arguments", bytes.Contains(raw, []byte(`"__proto__"`)))
}

func (w *watcher) event(e doc, raw []byte) {
	w.note("unknown members", e.has("seq") || e.has("x_meta") || e.has("message_"))
	block, part := blockAndPart(e.str("type"))
	index, _ := e["contentIndex"].(float64)
	switch {
	case block == "agent" || e.str("type") == "tool_call_start" && w.form != 0 || strings.ToUpper(part) == part || part == "ping" || part == "image":
		w.note("unknown type", true)
	case part == "start" && block != "":
		w.start(e, block, index)
	case part == "delta":
		w.delta(e, index, halfAtEnd.Match(raw))
	case part == "end":
		w.end(e, index)
	case part == "done" || part == "error":
		w.over(e, part)
	}
}

func (w *watcher) start(e doc, block string, index float64) {
	w.open[index] = &watched{kind: block}
	w.note("two open blocks", len(w.open) == 2)
	w.note("three open blocks", len(w.open) >= 3)
	if !strings.HasPrefix(block, "tool") {
		return
	}
	id, sent := e["id"].(string)
	if shown := e.in("partial").list("content"); len(shown) > 0 {
		id, sent = doc(shown[len(shown)-1].(map[string]any)).str("id"), true
	}
	w.note("late id", sent && id == "")
	w.note("id not sent", !sent)
}

func (w *watcher) delta(e doc, index float64, half bool) {
	b := w.open[index]
	piece := e.str("delta") + e.str("argumentsDelta")
	w.note("empty delta", piece == "")
	w.note("pair cut in two", b.half)
	_, lastOpen := w.open[w.last]
	w.note("deltas of two blocks interleaved", b.deltas > 0 && w.last != index && lastOpen)
	b.text, b.half, w.last = b.text+piece, half, index
	b.deltas++
}

func (w *watcher) end(e doc, index float64) {
	b := w.open[index]
	delete(w.open, index)
	w.ended++
	w.note("block without a delta", b.deltas == 0)
	w.note("empty block", b.text == "")
	if call := e.in("toolCall"); call != nil {
		w.call(call, b)
		return
	}
	w.note("redacted thinking", e.str("content") == "[Reasoning redacted]")
	w.note("signatures", e.has("contentSignature"))
}

func (w *watcher) call(call doc, b *watched) {
	w.tools++
	w.note("two calls of one id", w.calls[call.str("id")])
	w.calls[call.str("id")] = true
	arguments := call.in("arguments")
	w.note("call without a delta, with arguments", b.deltas == 0 && len(arguments) > 0)
	w.note("a name twice in the text of arguments", twice(b.text))
	if w.form == 0 {
		return
	}
	w.note("blank arguments", b.deltas > 0 && strings.TrimSpace(b.text) == "")
	w.note("argumentsError", call.has("argumentsError"))
	w.note("repaired arguments", len(arguments) > 0 && strings.HasPrefix(b.text, `{"path": nope`))
}

// twice tells whether a name comes again right after what the model puts before one.
func twice(text string) bool {
	for _, m := range again.FindAllStringSubmatch(text, -1) {
		if m[1] == m[3] {
			return true
		}
	}
	return false
}

func (w *watcher) over(e doc, part string) {
	content, has := e.in("message").list("content"), e.has("message")
	if e.has("error") {
		content, has = e.in("error").list("content"), true
	}
	w.note("no content", w.ended == 0 && len(w.open) == 0)
	w.note("done after a call", part == "done" && w.tools > 0)
	if part != "error" {
		return
	}
	w.note("error at once", w.ended == 0 && len(w.open) == 0)
	w.note("error after a call", w.tools > 0)
	w.note("error over an open block", len(w.open) > 0)
	w.note("error without the content", has && len(content) == 0 && w.ended > 0 && w.form != 0)
	for _, b := range w.open {
		w.note("error over an open call", strings.HasPrefix(b.kind, "tool"))
	}
}
