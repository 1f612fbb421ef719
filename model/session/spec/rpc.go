package spec

import (
	"slices"
	"strings"
)

// A line is what the client wrote up to a line feed.
type line struct {
	index  int   // of the record that completed it
	root   *node // nil where it is no JSON
	object bool
}

// command is the type of a command, "" where it has none.
func (l *line) command() string { return l.root.text1("type") }

func lineOf(text string, index int) *line {
	doc, _ := decode([]byte(strings.TrimSuffix(text, "\r")))
	return &line{index, doc.root, doc.root.is('{')}
}

// answered reports whether a line wants a response: an answer to a dialog wants none.
func (l *line) wants() bool { return !l.object || l.command() != "extension_ui_response" }

// fits reports whether a response may be the one to a line. In 0.73 nothing differs: that an unknown
// command loses its id there is a fault of that release.
func (l *line) fits(response *node) bool {
	switch {
	case l.root == nil:
		return response.text1("command") == "parse" && !response.has("id")
	case !l.object:
		return !response.has("command") && !response.has("id")
	}
	return same(l.root.get("type"), response.get("command")) && same(l.root.get("id"), response.get("id"))
}

// same is equality where null and absent are one.
func same(a, b *node) bool {
	if a.isNull() {
		a = nil
	}
	if b.isNull() {
		b = nil
	}
	return equal(a, b)
}

// An exchange is what was asked and answered so far.
type exchange struct {
	lines    []*line // all of them
	open     []*line // not answered
	answered map[*entry]*line
	pending  string // the pieces of a line that has no end yet
	at       int    // the record of its last piece
}

func (h history) exchange() *exchange {
	x := &exchange{answered: map[*entry]*line{}}
	for _, e := range h {
		switch {
		case e.dir == "stdin" && e.raw != nil:
			x.pieces(e.raw.text, e.index)
		case e.dir == "stdin":
			x.add(&line{e.index, e.root, e.root.is('{')})
		case e.is("response"):
			if l := x.match(e.root); l != nil {
				x.answered[e] = l
				x.open = slices.DeleteFunc(x.open, func(o *line) bool { return o == l })
			}
		}
	}
	return x
}

func (x *exchange) add(l *line) {
	x.lines = append(x.lines, l)
	if l.wants() {
		x.open = append(x.open, l)
	}
}

func (x *exchange) pieces(text string, index int) {
	all := strings.Split(x.pending+text, "\n")
	for _, l := range all[:len(all)-1] {
		x.add(lineOf(l, index))
	}
	x.pending, x.at = all[len(all)-1], index
}

// match finds the first line that a response may be to. A line without an end is one, too, when
// something answers it: then standard input was closed.
func (x *exchange) match(response *node) *line {
	for _, l := range x.open {
		if l.fits(response) {
			return l
		}
	}
	if l := lineOf(x.pending, x.at); x.pending != "" && l.wants() && l.fits(response) {
		x.pending = ""
		x.lines = append(x.lines, l)
		return l
	}
	return nil
}

// response reports whether the record is a response to one of these commands, and to which line.
func (h *hearing) response(commands ...string) (*line, bool) {
	if !h.e.is("response") || !slices.Contains(commands, h.e.root.text1("command")) {
		return nil, false
	}
	l := h.h.exchange().match(h.e.root)
	return l, l != nil
}

func (h *hearing) success() bool       { return h.e.root.yes("success") }
func (h *hearing) disposition() string { return h.e.root.text1("data", "disposition") }

// since is what came after a line was sent.
func (h *hearing) since(l *line) history {
	return h.h.after(func(e *entry) bool { return e.index <= l.index })
}

var rpcClauses = []clause{
	{code: "response-unknown", s: E, e: E, x: E, needs: transcript, drops: true, when: func(h *hearing) bool {
		return h.e.is("response") && h.h.exchange().match(h.e.root) == nil
	}},
	{code: "response-missing", s: W, e: W, x: W, needs: transcript, atEnd: func(past history, _ string) int {
		x := past.exchange()
		return count(len(x.open) > 0 || x.pending != "")
	}},
	{code: "response-shape", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("response") && h.misshapen(h.e)
	}},
	{code: "run-before-response", x: E, needs: transcript, when: func(h *hearing) bool {
		l, ok := h.response("prompt")
		return ok && h.success() && h.disposition() == "started" && h.because(h.ownRun(l))
	}},
	{code: "disposition", x: E, needs: transcript, when: func(h *hearing) bool {
		l, ok := h.response("prompt", "steer", "follow_up")
		if !ok || !h.success() {
			return false
		}
		busy := h.h.run() != nil || h.h.unsettled()
		switch h.disposition() {
		case "started":
			return busy && h.ownRun(l) == nil
		case "queued":
			queued := h.since(l).any(func(e *entry) bool { return e.is("queue_update") && h.h.before(e).change(e).kind == "added" })
			prompt := l.command() == "prompt"
			return !queued || prompt && !busy || prompt && !l.root.has("streamingBehavior")
		}
		return false
	}},
	{code: "abort-early", s: E, e: E, x: E, needs: transcript, when: func(h *hearing) bool {
		l, ok := h.response("abort")
		if !ok || !h.success() {
			return false
		}
		if h.early() {
			return h.h.run() != nil && !h.since(l).any(is("agent_end"))
		}
		return (h.h.run() != nil || h.h.unsettled()) && !h.since(l).any(is("agent_settled"))
	}},
	{code: "compact-response", s: E, e: E, x: E, needs: transcript, when: func(h *hearing) bool {
		l, ok := h.response("compact")
		if !ok {
			return false
		}
		manual := func(e *entry) bool { return e.root.text1("reason") == "manual" }
		start := h.since(l).last(func(e *entry) bool { return e.is("compaction_start") && manual(e) })
		end := h.since(l).last(func(e *entry) bool { return e.is("compaction_end") && manual(e) })
		switch {
		case !h.success() && h.otherCompact(l):
			return false // it may be the other one that was refused
		case end == nil:
			return h.success() || start != nil
		case start != nil && start.index > end.index:
			return true
		}
		return h.success() != end.root.has("result") && h.because(end)
	}},
	{code: "bash-output", e: E, x: E, needs: transcript, when: func(h *hearing) bool {
		if h.e.is("bash_execution_update") {
			return len(h.shells(h.e.root)) == 0
		}
		l, ok := h.response("bash")
		if !ok || !h.success() || h.e.root.yes("data", "truncated") || len(h.shells(l.root)) != 1 {
			return false
		}
		updates := h.since(l).all(func(e *entry) bool { return e.is("bash_execution_update") && same(e.root.get("id"), l.root.get("id")) })
		var deltas []string
		for _, u := range updates {
			deltas = append(deltas, u.root.text1("delta"))
		}
		joined := join(deltas)
		output, given := h.e.root.str("data", "output")
		return given && joined != output && (h.x() || len(updates) > 0)
	}},
	{code: "session-identity", s: E, e: E, x: E, needs: transcript, when: (*hearing).otherSession},
	{code: "ui-id-reused", s: E, e: E, x: E, needs: transcript, drops: true, when: func(h *hearing) bool {
		return h.e.is("extension_ui_request") && h.because(h.h.dialog(h.e.root.get("id")))
	}},
	{code: "ui-answer", s: W, e: W, x: W, needs: transcript, when: (*hearing).badAnswer},
	{code: "entries", e: E, x: E, s: E, needs: transcript, when: (*hearing).badEntries},
}

// otherCompact reports whether more than one compact waits for its response.
func (h *hearing) otherCompact(own *line) bool {
	return slices.ContainsFunc(h.h.exchange().open, func(l *line) bool { return l != own && l.command() == "compact" && l.index != own.index })
}

// ownRun is the run that began between a command and here, and that no other `started` announced.
func (h *hearing) ownRun(l *line) *entry {
	run := h.h.run()
	if run == nil || run[0].index < l.index {
		return nil
	}
	claimed := h.h.before(run[0]).after(is("agent_start")).any(func(e *entry) bool {
		return e.is("response") && e.root.text1("command") == "prompt" && e.root.text1("data", "disposition") == "started"
	})
	if claimed {
		return nil
	}
	return run[0]
}

// misshapen: an answer that has what it must not have, or lacks what it must.
func (j *judge) misshapen(e *entry) bool {
	data, command := e.root.get("data"), e.root.text1("command")
	success, newest := e.root.yes("success"), j.profile == "pi-1.x"
	if data.isNull() && spare(command, j.profile) {
		data = nil // that is null-optional
	}
	if !success {
		return e.root.has("data") || !e.root.has("error")
	}
	disposed := slices.Contains([]string{"prompt", "steer", "follow_up"}, command)
	switch {
	case disposed && !newest:
		return e.root.has("data")
	case disposed && data == nil:
		return false // releases before 0.99 give none
	case j.profile == "pi-0.73" && later[command]:
		return false // 0.73 has no such command
	case command == "cycle_model" || command == "cycle_thinking_level":
		return data == nil || !data.isNull() && j.malformed(command, data)
	case command == "set_model" || command == "get_session_stats":
		return !data.is('{')
	}
	if _, gives := shapes["data "+command]; gives {
		return data == nil || j.malformed(command, data)
	}
	return e.root.has("data")
}

// later are the commands that came after 0.73.
var later = set("get_entries get_tree clear_queue get_available_thinking_levels")

func (j *judge) malformed(command string, data *node) bool {
	f := &former{profile: j.profile}
	f.value(data, "@data "+command)
	return slices.ContainsFunc(f.codes, func(c string) bool { return c != "null-optional" })
}

// shells are the open bash commands with the id of a node.
func (h *hearing) shells(id *node) []*line {
	var out []*line
	for _, l := range h.h.exchange().open {
		if l.command() == "bash" && same(l.root.get("id"), id.get("id")) {
			out = append(out, l)
		}
	}
	return out
}

// otherSession: two get_state answers do not say what the replacements between them do.
func (h *hearing) otherSession() bool {
	_, ok := h.response("get_state")
	now, named := h.e.root.str("data", "sessionId")
	if !ok || !named || !h.success() {
		return false
	}
	x := h.h.exchange()
	first := h.h.last(func(e *entry) bool {
		return e.is("response") && e.root.text1("command") == "get_state" && e.root.yes("success") && e.root.text1("data", "sessionId") != ""
	})
	if first == nil {
		return false
	}
	h.because(first)
	changed := first.root.text1("data", "sessionId") != now
	tried, done, last, sure := 0, 0, "", true
	for _, e := range h.since(&line{index: first.index}) {
		a := x.answered[e]
		if a == nil || !replacements[a.command()] {
			continue
		}
		tried++
		if e.replaced() {
			done++
			last = a.command()
			sure = sure && a.index > first.index // else the first answer may be of the new session
		}
	}
	if slices.ContainsFunc(x.open, func(o *line) bool { return replacements[o.command()] }) {
		return false
	}
	return sure && (done == 1 || done > 1 && last != "switch_session") && !changed || tried > 0 && done == 0 && changed
}

// dialog is the first request with that id.
func (h history) dialog(id *node) *entry {
	for _, e := range h {
		if e.is("extension_ui_request") && equal(e.root.get("id"), id) {
			return e
		}
	}
	return nil
}

// badAnswer: an answer that nobody asked for, or of another kind than was asked for.
func (h *hearing) badAnswer() bool {
	if h.e.dir != "stdin" {
		return false
	}
	for _, l := range h.sentHere() {
		if l.object && l.command() == "extension_ui_response" && h.wrongAnswer(l) {
			return true
		}
	}
	return false
}

// sentHere are the lines that this record completes.
func (h *hearing) sentHere() []*line {
	all := append(slices.Clone(h.h), h.e).exchange().lines
	return slices.DeleteFunc(slices.Clone(all), func(l *line) bool { return l.index != h.e.index })
}

func (h *hearing) wrongAnswer(l *line) bool {
	asked := h.h.dialog(l.root.get("id"))
	if asked == nil {
		return true
	}
	h.because(asked)
	for _, before := range h.h.exchange().lines {
		if before.index > asked.index && before.command() == "extension_ui_response" && equal(before.root.get("id"), l.root.get("id")) {
			return true
		}
	}
	method := asked.root.text1("method")
	if !slices.Contains([]string{"select", "confirm", "input", "editor"}, method) {
		return true
	}
	if l.root.yes("cancelled") {
		return false
	}
	value, text := l.root.str("value")
	switch method {
	case "confirm":
		return !l.root.get("confirmed").is('b')
	case "select":
		return !text || !slices.Contains(texts(asked.root.items("options")), value)
	}
	return !text
}

// badEntries: what get_entries answers does not fit what it answered before.
func (h *hearing) badEntries() bool {
	l, ok := h.response("get_entries")
	if !ok || !h.success() || !h.e.root.get("data", "entries").is('[') {
		return false
	}
	entries := h.e.root.items("data", "entries")
	session := h.h.session()
	var known []string // anywhere
	var order []string // in answers
	var cursors []string
	listed := false // all of them, up to some moment
	for _, e := range session {
		if e.is("entry_appended") {
			known = append(known, e.root.text1("entry", "id"))
		}
		a := h.h.exchange().answered[e]
		if a != nil && a.command() == "get_entries" && e.root.yes("success") && e.root.get("data", "entries").is('[') {
			if cursor, cut := a.root.str("since"); cut {
				cursors = append(cursors, cursor) // it went well, so there is one
			} else {
				listed, cursors = true, nil // unless it is not in a whole answer
			}
			for _, x := range e.root.items("data", "entries") {
				known = append(known, x.text1("id"))
				if !slices.Contains(order, x.text1("id")) {
					order = append(order, x.text1("id"))
				}
			}
		}
	}
	known = append(known, cursors...)
	since, cut := l.root.str("since")
	at := slices.Index(order, since)
	var here []string
	for _, x := range entries {
		id := x.text1("id")
		parent, has := x.str("parentId")
		switch {
		case slices.Contains(here, id):
			return true
		case cut && (id == since || at >= 0 && slices.Contains(order[:at], id)):
			return true
		case has && (!cut || listed && at >= 0) && !slices.Contains(here, parent) && !(cut && slices.Contains(known, parent)):
			return true
		}
		here = append(here, id)
	}
	if cut && listed && !slices.Contains(known, since) {
		return true
	}
	leaf, has := h.e.root.str("data", "leafId")
	return has && (!cut || listed && at >= 0) && !slices.Contains(here, leaf) && !(cut && slices.Contains(known, leaf))
}
