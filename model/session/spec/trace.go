package spec

import "slices"

// Section 5: what an extension logs, and what the application around the process writes.

func (e *entry) ext(types ...string) bool { return e.dir == "ext" && slices.Contains(types, e.typ) }

// host reports whether e is one of these records of a host. What it says of another runtime than the bound one counts for nothing.
func (e *entry) host(types ...string) bool {
	return e.dir == "host" && !e.foreign && slices.Contains(types, e.typ)
}

func isExt(types ...string) func(*entry) bool {
	return func(e *entry) bool { return e.ext(types...) }
}

func isHost(types ...string) func(*entry) bool {
	return func(e *entry) bool { return e.host(types...) }
}

var reasons = map[string]map[string]bool{
	"session_start":    set("startup reload new resume fork"),
	"session_shutdown": set("quit reload new resume fork"),
}

var extClauses = []clause{
	{code: "lifecycle-order", s: E, e: E, x: E, when: func(h *hearing) bool {
		if h.e.dir != "ext" {
			return false
		}
		last := h.h.last(isExt("session_start", "session_shutdown"))
		switch {
		case h.e.typ == "session_start":
			return last != nil && last.typ == "session_start" && h.because(last)
		case last != nil && last.typ == "session_shutdown":
			return h.because(last)
		case h.e.typ == "resources_discover":
			e := h.h.last(isExt("session_start", "resources_discover"))
			return e == nil || e.typ != "session_start"
		}
		return last == nil && h.e.typ == "agent_start"
	}},
	{code: "lifecycle-reason", s: E, e: E, x: E, when: func(h *hearing) bool {
		reason, given := h.e.root.str("reason")
		if h.e.dir != "ext" || !given {
			return false
		}
		if known := reasons[h.e.typ]; known != nil && !known[reason] {
			return true
		}
		if h.e.typ != "session_start" {
			return false
		}
		last := h.h.last(isExt("session_start", "session_shutdown"))
		if last == nil || last.typ == "session_start" {
			return false // that is lifecycle-order
		}
		h.because(last)
		was, told := last.root.str("reason")
		return reason == "startup" || told && was != reason
	}},
}

// gen is the number of the runtime that a host record belongs to.
func (e *entry) gen() float64 { return e.root.get("gen").number() }

func (e *entry) seq() float64 { return e.root.get("seq").number() }

// bound is the last bind.
func (h history) bound() *entry { return h.last(isHost("bind")) }

// generation is what came since the last bind.
func (h history) generation() history { return h.after(isHost("bind")) }

// opened reports whether a dialog was opened at all. To close what never was says nothing.
func (h history) opened(id string) bool {
	return h.any(func(e *entry) bool { return e.host("ui-open") && e.root.text1("id") == id })
}

// dialogs are the ui-opens that were not closed since, the last of each id.
func (h history) dialogs() history {
	return h.all(func(o *entry) bool {
		return o.host("ui-open") && o == h.last(func(e *entry) bool {
			return e.host("ui-open", "ui-close") && e.root.text1("id") == o.root.text1("id")
		})
	})
}

var hostClauses = []clause{
	{code: "teardown-order", s: E, e: E, x: E, when: (*hearing).outOfTeardown},
	{code: "stale-generation", s: E, e: E, x: E, when: func(h *hearing) bool {
		b := h.h.bound()
		return h.e.dir == "host" && h.e.foreign && b != nil && h.e.gen() < b.gen() &&
			h.e.typ != "invalidate" && h.e.typ != "dispose" && h.because(b)
	}},
	{code: "ui-left-open", s: E, e: E, x: E, atEnd: func(past history, _ string) int { return len(past.leftOpen()) }},
	{code: "ui-close-twice", s: E, e: E, x: E, when: func(h *hearing) bool {
		id := h.e.root.text1("id")
		same := func(e *entry) bool { return e.host("ui-open", "ui-close") && e.root.text1("id") == id }
		last := h.h.last(same)
		return h.e.host("ui-close") && h.h.opened(id) && last.host("ui-close") && h.because(last)
	}},
	{code: "ui-late-answer", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.e.dir == "stdin" && slices.ContainsFunc(h.sentHere(), func(l *line) bool {
			closed := h.h.last(func(e *entry) bool { return e.host("ui-open", "ui-close") && e.root.text1("id") == l.root.text1("id") })
			return l.command() == "extension_ui_response" && h.h.opened(l.root.text1("id")) && closed.host("ui-close") &&
				set("timeout exit window")[closed.root.text1("cause")] && h.because(closed)
		})
	}},
	{code: "approval-unbound", s: E, e: E, x: E, when: func(h *hearing) bool {
		id, named := h.e.root.str("toolCallId")
		return h.e.host("ui-open") && named && h.piped && h.h.generation().toolOpen(id) == nil
	}},
	{code: "snapshot-before-subscribe", s: E, e: E, x: E, when: func(h *hearing) bool {
		b := h.h.bound()
		return h.e.dir == "stdin" && b != nil && !h.h.generation().any(isHost("subscribe")) &&
			slices.ContainsFunc(h.sentHere(), func(l *line) bool { return set("get_state get_messages get_entries")[l.command()] }) && h.because(b)
	}},
	{code: "gate-order", s: E, e: E, x: E, when: (*hearing).outOfGate},
	{code: "sequence-order", s: E, e: E, x: E, when: func(h *hearing) bool {
		gen := h.h.generation()
		var counted history
		switch {
		case h.e.host("buffer"):
			counted = gen.all(isHost("buffer"))
		case h.e.host("replay", "skip"):
			counted = gen.all(isHost("replay", "skip"))
		case h.e.host("deliver"):
			counted = gen.all(isHost("buffer", "deliver"))
		default:
			return false
		}
		last := 0.0
		for _, e := range counted {
			last = max(last, e.seq())
		}
		return h.e.seq() != last+1
	}},
	{code: "entry-twice", s: E, e: E, x: E, when: func(h *hearing) bool {
		applied := h.h.generation().last(func(e *entry) bool {
			return e.host("apply") && e.root.text1("entry") == h.e.root.text1("entry")
		})
		return h.e.host("apply") && h.because(applied) || h.e.host("skip") && applied == nil
	}},
}

// outOfTeardown: not shutdown, invalidate, dispose, bind of the next generation, start. A record is at fault where
// the one that it needs has not come, or where it came before; so of two that are swapped it is the first.
func (h *hearing) outOfTeardown() bool {
	b, gen := h.h.bound(), h.h.generation()
	told := h.h.last(isExt("session_start", "session_shutdown"))
	down := told != nil && told.typ == "session_shutdown"
	switch {
	case h.e.foreign: // what an older one still has to say of its end comes late, and the bind before it is at fault
		return (h.e.typ == "invalidate" || h.e.typ == "dispose") && (b == nil || h.e.gen() > b.gen())
	case h.e.host("invalidate"):
		logged := h.h.any(func(e *entry) bool { return e.dir == "ext" })
		return gen.any(isHost("invalidate")) || logged && !gen.any(func(e *entry) bool { return e.ext("session_shutdown") && e.root.text1("reason") != "reload" })
	case h.e.host("dispose"):
		return !gen.any(isHost("invalidate")) || gen.any(isHost("dispose"))
	case h.e.host("bind"):
		return b != nil && (!gen.any(isHost("dispose")) || h.e.gen() != b.gen()+1)
	case h.e.ext("session_shutdown"):
		own := gen.after(isExt("session_start"))
		return own.any(isHost("dispose")) && !own.any(isHost("invalidate"))
	case h.e.ext("session_start"):
		reload := down && told.root.text1("reason") == "reload" // the runtime stays
		return b != nil && !reload && down && b.index < told.index
	}
	return false
}

// leftOpen are the dialogs that were open at the end of what they belong to, and still are.
func (h history) leftOpen() history {
	over := func(e *entry) bool { return e.dir == "exit" || e.host("window-close", "invalidate", "dispose", "bind") }
	rest := h
	for len(rest) > 0 && rest[len(rest)-1].host("ui-close") {
		rest = rest[:len(rest)-1]
	}
	if len(rest) == 0 || !over(rest[len(rest)-1]) {
		return nil
	}
	return h.dialogs().all(func(o *entry) bool { return !h.blamedBefore(o, over) })
}

// blamedBefore reports whether a dialog was open at an earlier end already: it is blamed once.
func (h history) blamedBefore(o *entry, over func(*entry) bool) bool {
	ends := 0
	for _, e := range h[slices.Index(h, o):] {
		if over(e) {
			ends++
		}
	}
	return ends > 1
}

// outOfGate: replayed before the snapshot was there and applied, delivered before the gate was open,
// or opened while something waited.
func (h *hearing) outOfGate() bool {
	gen := h.h.generation()
	switch {
	case h.e.host("replay", "skip") && h.piped:
		snapshot := gen.last(func(e *entry) bool {
			return e.is("response") && e.root.text1("command") == "get_entries" && e.root.yes("success")
		})
		return snapshot == nil || slices.ContainsFunc(snapshot.root.items("data", "entries"), func(x *node) bool {
			return !gen.any(func(e *entry) bool { return e.host("apply") && e.root.text1("entry") == x.text1("id") })
		})
	case h.e.host("deliver"):
		return !gen.any(isHost("live"))
	case h.e.host("live"):
		return gen.any(func(b *entry) bool {
			return b.host("buffer") && !gen.any(func(e *entry) bool { return e.host("replay", "skip") && e.seq() == b.seq() })
		})
	}
	return false
}
