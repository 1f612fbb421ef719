package spec

import (
	"slices"
	"strconv"
	"strings"
)

// Section 8: advice to producers, each once per entity.

// text is what the accepted events of h gave an item: old is everything before
// the last opening, last what came since. A snapshot that carries the message
// replaces what was there, an echo fills in what is not known. It was reopened
// if there was something at the last opening.
func (h history) text(it item) (old, last string, reopened bool) {
	for _, e := range h {
		have, role := itemOf(e)
		if have == it && role != "" {
			if role == "start" || role == "chunk" && e.chunkOpens() {
				old, last = old+last, ""
				reopened = old != ""
			}
			if d, ok := e.str("delta"); ok && (role == "fill" || role == "chunk") {
				last += d
			}
		}
		for _, m := range e.messages() {
			c, _ := m.root.str("content") // parts are no text, and a message without content has none
			if m.id == it.id && m.kind() == it.kind && it.kind != "tool" && (e.typ == "MESSAGES_SNAPSHOT" || old+last == "") {
				old, last = c, ""
			}
		}
	}
	return old, last, reopened
}

// endings are the items that an accepted event ends: by END, or by closing a lane.
func (h *hearing) endings() []item {
	var out []item
	for _, l := range h.run.lanes() {
		o := h.run.held(l)
		switch {
		case h.role == "chunk":
			if l == h.e.lane && o != h.e.opener {
				out = append(out, o.part)
			}
		case closes(h.e, l):
			out = append(out, o.part)
		}
	}
	if h.role == "end" {
		out = append(out, h.it)
	}
	return out
}

// said before: the code was already given for this entity.
type advised struct{ code, entity string }

func (j *judge) advise(code, entity string, index int, severity string) {
	a := advised{code, entity}
	if !slices.Contains(j.given, a) {
		j.given = append(j.given, a)
		for _, f := range j.found {
			if f.Code == code && f.Index == index {
				return // a code comes at most once per event
			}
		}
		j.blame(code, index, severity)
	}
}

func blank(s string) bool { return strings.Trim(s, " \t\r\n") == "" }

func (h *hearing) advice() {
	e := h.e
	say := func(code, entity string) { h.advise(code, entity, e.index, I) }

	for _, it := range h.endings() {
		old, last, reopened := h.stream.text(it)
		switch {
		case it.kind == "tool" && old+last == "":
			say("tool-call-without-args", it.id)
		case it.kind == "tool" && !blank(old+last):
			if _, ok := decode([]byte(old + last)); !ok {
				say("tool-args-not-json", it.id)
			}
		case it.kind == "text" || it.kind == "reasoning" && e.revision != "0.x": // which does not order reasoning
			if reopened && last != "" && last == old {
				say("duplicated-text", it.kind+" "+it.id)
			}
		}
	}

	if h.opens() && h.it.kind != "span" && h.snapshotCarried(h.it) {
		say("streamed-after-snapshot", h.it.kind+" "+h.it.id)
	}
	if t := e.tag(); t.tagged && h.run.ended(t.tag) {
		say("tag-after-close", h.runName()+t.tag)
	}
	if e.typ == "RUN_FINISHED" {
		h.finishAdvice()
	}
	if name := e.id("name"); e.typ == "CUSTOM" && !strings.ContainsAny(name, ".:/") {
		say("custom-unprefixed", name)
	}
	if e.root.get("metadata").get("ag-ui") != nil {
		say("metadata-reserved", h.eventName())
	}
	if len(h.frontendTools()) > 0 && h.opens() && h.it.kind == "tool" && !h.frontendTool(e.id("toolCallName")) {
		say("tool-unadvertised", h.it.id)
	}
}

func (h *hearing) finishAdvice() {
	say := func(code, severity string) { h.advise(code, h.eventName(), h.e.index, severity) }
	outcome := h.e.outcome()
	for _, x := range h.run {
		if o, _ := x.root.get("outcome").str("type"); x.typ == "SUBAGENT_FINISHED" && o == "suspended" && outcome != "interrupt" {
			say("suspended-without-interrupt", I)
		}
	}
	if r := h.e.root.get("result"); outcome == "cancelled" && r != nil && r.sort != 'n' {
		say("cancelled-with-result", W)
	}
	if outcome == "success" && h.e.revision != "0.x" && len(h.e.pendingNamed()) == 0 && len(h.run.unanswered()) > 0 {
		say("pending-unnamed", I)
	}
}

// snapshotCarried: an earlier snapshot of this run had the item with content.
func (h *hearing) snapshotCarried(it item) bool {
	for _, e := range h.run {
		if e.typ != "MESSAGES_SNAPSHOT" {
			continue
		}
		for _, m := range e.messages() {
			c := m.root.get("content")
			if m.id == it.id && m.kind() == it.kind && it.kind != "tool" && (c.is('"') && c.text != "" || c.is('[') && len(c.list) > 0) {
				return true
			}
			for _, call := range m.calls() {
				args, _ := call.get("function").str("arguments")
				if id, ok := call.str("id"); ok && id == it.id && it.kind == "tool" && args != "" {
					return true
				}
			}
		}
	}
	return false
}

// Names of entities that exist once per run or once per event.
func (h *hearing) runName() string   { return "run at " + strconv.Itoa(h.run[0].index) + " " }
func (h *hearing) eventName() string { return "event at " + strconv.Itoa(h.e.index) }

// parentUnseen: a call whose parent message came nowhere: not on the stream,
// not in an echo, not in the request. Known at the end; blamed is the START.
func (j *judge) parentUnseen() {
	h := j.past.accepted()
	for _, e := range h {
		it, role := itemOf(e)
		if it.kind != "tool" || role != "start" && !e.chunkOpens() {
			continue
		}
		p, named := e.str("parentMessageId")
		inRequest := slices.ContainsFunc(messagesIn(j.request.get("messages")), func(m message) bool { return m.id == p })
		if named && !inRequest && h.kindOf(p) == "" {
			j.advise("parent-message-unseen", it.id, e.index, I)
		}
	}
}
