package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// mint is a new label: "m1", "m2", … at times a strange one, or one that another namespace has. The empty one needs ids.
func (w *writer) mint(namespace string) string {
	label := w.plain(namespace[:1], namespace)
	if w.chance(15) {
		odd := w.oneOf("é", "a b", "", "👩\u200d💻", "m1", "c1", "\u0000", strings.Repeat("long", 30))
		if !w.taken.has(namespace, odd) && (odd != "" || w.can["ids"]) && !w.ownersClash(namespace, odd) {
			label = odd
		}
	}
	w.taken.add(namespace, label)
	return label
}

// ownersClash: a span and a reasoning message of one name would have to have one owner.
func (w *writer) ownersClash(namespace, label string) bool {
	return namespace == Spans && w.taken.has(Messages, label) || namespace == Messages && w.taken.has(Spans, label)
}

// plain is a label of a prefix and a number that the namespace does not have.
func (w *writer) plain(prefix, namespace string) string {
	for {
		w.count[prefix]++
		if label := prefix + strconv.Itoa(w.count[prefix]); !w.taken.has(namespace, label) {
			return label
		}
	}
}

// wireID is a new id that no label is: what only emitted events and snapshots say.
func (w *writer) wireID(namespace string) string {
	id := w.plain("wire-", namespace)
	w.taken.add(namespace, id)
	return id
}

func (w *writer) metadata() jsontext.Value {
	if !w.can["metadata"] || !w.chance(20) {
		return nil
	}
	return valueOf(w.labelled())
}

func (w *writer) encrypted() *string {
	if !w.can["encrypted"] || !w.chance(15) {
		return nil
	}
	s := w.oneOf("Zm9v", "", "é")
	return &s
}

// form chooses how something is streamed.
func (w *writer) form() string {
	switch w.roll(5) {
	case 3:
		return Events
	case 4:
		if w.can["chunks"] && !w.shared {
			return Chunks
		}
	}
	return ""
}

// stream writes what is streamed in a form. Chunks say something, and nothing happens between them.
func (w *writer) stream(form, text string) []Piece {
	out := []Piece{}
	if form == Chunks && text == "" {
		text = "x"
	}
	for _, s := range w.cut(text) {
		if form != Chunks {
			out = w.between(out)
		}
		if w.over {
			break
		}
		out = append(out, Piece{Delta: s})
	}
	if form != Chunks {
		out = w.between(out)
	}
	w.heard++
	return out
}

// between writes an action that happens between two deltas, at times.
func (w *writer) between(stream []Piece) []Piece {
	if !w.can["nested"] || w.left == 0 || w.over || w.depth >= 6 || !w.chance(8) {
		return stream
	}
	w.depth++
	a := w.action()
	w.depth--
	return append(stream, Piece{Action: &a})
}

func (w *writer) text() Action {
	x := &Text{ID: w.mint(Messages), Form: w.form(), Metadata: w.metadata(), EncryptedValue: w.encrypted()}
	if w.can["role"] && w.chance(40) {
		x.Role = w.oneOf("assistant", "user", "system", "developer")
	}
	if w.can["name"] {
		x.Name = w.maybe(w.prose)
	}
	k := &writtenText{id: x.ID, role: x.Role, name: x.Name, owner: w.owner, open: true}
	w.texts = append(w.texts, k)
	x.Stream = w.stream(x.Form, w.prose())
	k.open = false
	return Action{Text: x}
}

// reopenable are the texts that may come again here.
func (w *writer) reopenable() []*writtenText {
	return slices.DeleteFunc(slices.Clone(w.texts), func(k *writtenText) bool {
		return k.open || k.owner != w.owner || k.carried && (w.replayed || !w.can["ids"]) || k.name != nil && !w.can["name"] || !w.can["role"] && k.role != "" && k.role != "assistant"
	})
}

func (w *writer) mayReopen() bool { return len(w.branches) == 0 && len(w.reopenable()) > 0 }

func (w *writer) reopen() Action {
	all := w.reopenable()
	k := all[w.roll(len(all))]
	x := &Text{ID: k.id, Role: k.role, Name: k.name, Form: Events, Metadata: w.metadata(), EncryptedValue: w.encrypted()}
	if !w.can["role"] {
		x.Role = ""
	}
	k.open = true
	x.Stream = w.stream(x.Form, w.prose())
	k.open = false
	return Action{Text: x}
}

func (w *writer) toolCall() Action {
	x := &ToolCall{ID: w.mint(Calls), Name: w.oneOf(w.callOf...), Form: w.form(), Metadata: w.metadata(), EncryptedValue: w.encrypted()}
	if parents := w.parents(); w.can["parent"] && len(parents) > 0 && w.chance(50) {
		x.Parent = &parents[w.roll(len(parents))].id
	}
	k := &writtenCall{id: x.ID, name: x.Name, owner: w.owner, run: w.runs, open: true, branches: slices.Clone(w.branches)}
	w.calls, w.made = append(w.calls, k), append(w.made, k)
	x.Stream = w.stream(x.Form, w.oneOf("{}", `{"q":1}`, `{"q":"é👩`+"\u200d"+`💻"}`, "", "no JSON", " "))
	k.open = false
	return Action{ToolCall: x}
}

// parents are the assistant's texts of this owner.
func (w *writer) parents() []*writtenText {
	return slices.DeleteFunc(slices.Clone(w.texts), func(k *writtenText) bool {
		return k.owner != w.owner || k.role != "" && k.role != "assistant"
	})
}

// answerable are the calls that the agent may answer.
func (w *writer) answerable() []*writtenCall {
	return slices.DeleteFunc(slices.Clone(w.calls), func(k *writtenCall) bool { return k.open || k.run > 0 && w.tools[k.name] })
}

func (w *writer) mayAnswer() bool { return len(w.answerable()) > 0 }

func (w *writer) toolResult() Action {
	all := w.answerable()
	k := all[w.roll(len(all))]
	k.answered = k.answered || k.run == w.runs
	w.heard++
	return Action{ToolResult: &ToolResult{ID: w.mint(Messages), Call: k.id, Content: valueOf(w.content()), Metadata: w.metadata()}}
}

// content is a text or parts.
func (w *writer) content() any {
	if !w.can["parts"] || !w.chance(40) {
		return w.prose()
	}
	parts := []any{}
	for range w.roll(3) {
		parts = append(parts, w.part())
	}
	return parts
}

func (w *writer) part() map[string]any {
	kind := w.oneOf("text", "image", "audio", "video", "document")
	p := map[string]any{"type": kind}
	if kind == "text" {
		p["text"] = w.prose()
	} else {
		p["source"] = w.source()
	}
	if w.chance(20) {
		p["id"] = w.prose()
	}
	if w.chance(20) {
		p["metadata"] = w.labelled()
	}
	return p
}

func (w *writer) source() map[string]any {
	kind := w.oneOf("data", "url", "file")
	s := map[string]any{"type": kind, "value": w.oneOf("aGk=", "https://example.com/a.png", "file-1")}
	if kind == "data" || w.chance(50) {
		s["mimeType"] = w.oneOf("image/png", "text/plain; charset=utf-8")
	}
	if kind == "file" && w.chance(50) {
		s["provider"] = "acme"
	}
	return s
}

func (w *writer) reasoning() Action {
	x := &Reasoning{Messages: []ReasoningMessage{}, Form: w.form()}
	if w.can["span"] && w.chance(50) {
		span := w.mint(Spans)
		x.Span = &span
	}
	n := w.roll(3)
	if x.Span == nil {
		n++
	}
	for range n {
		if w.over {
			break
		}
		m := ReasoningMessage{ID: w.mint(Messages), EncryptedValue: w.encrypted(), Metadata: w.metadata()}
		m.Stream = w.stream(x.Form, w.prose())
		x.Messages = append(x.Messages, m)
	}
	w.heard++
	return Action{Reasoning: x}
}

func (w *writer) custom() Action {
	w.heard++
	return Action{Custom: &Custom{Name: w.oneOf("acme.widget", "x:y", "a/b", ""), Value: valueOf(w.anything(3))}}
}

func (w *writer) raw() Action {
	w.heard++
	return Action{Raw: &Raw{Event: valueOf(w.anything(3)), Source: w.maybe(w.prose)}}
}

// echo shows something of the input, or what is not there.
func (w *writer) echo() Action {
	pointers := []string{"/nothing", "/messages/99", "/threadId", "/runId"}
	for _, name := range []string{"state", "messages", "tools", "context", "resume"} {
		if v, ok := w.input.Request[name]; ok {
			pointers = append(pointers, pointersIn(v, "/"+name, 3)...)
		}
	}
	w.heard++
	return Action{Echo: &Echo{Pointer: pointers[w.roll(len(pointers))]}}
}

var escapeToken = strings.NewReplacer("~", "~0", "/", "~1")

// pointersIn are those to the values in one, itself first, up to a depth.
func pointersIn(v any, at string, depth int) []string {
	out := []string{at}
	if depth == 0 {
		return out
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedNames(v) {
			out = append(out, pointersIn(v[name], at+"/"+escapeToken.Replace(name), depth-1)...)
		}
	case []any:
		for i, e := range v {
			out = append(out, pointersIn(e, at+"/"+strconv.Itoa(i), depth-1)...)
		}
	}
	return out
}
