package spec

import (
	"slices"
	"strconv"
	"strings"
)

// The severities.
const (
	E, W, I = "error", "warning", "info"
)

// precedence of codes on one record: structure, then the table's rows as they stand. An unknown type of
// di-code is refused where the original does it.
var precedence = append([]string{
	"bad-json", "not-an-object", "bad-utf8", "duplicate-name", "missing-field", "wrong-type", "bad-value", "null-optional",
}, rows()...)

func rows() []string {
	var out []string
	for _, c := range clauses {
		out = append(out, c.code)
	}
	return slices.Insert(out, 3, "truncated")
}

// A hearing is one event before the history of those accepted before it.
type hearing struct {
	*judge
	e   *event
	now history // with the event
}

// A clause: the code, when an event is at fault and by what earlier record (-1: none), and the severities
// for di-code, pi-0.73 and pi-0.80, pi-1.x ("" = not judged). In di-code every error drops the event.
type clause struct {
	code    string
	d, p, x string
	drops   bool // in pi
	when    func(h *hearing) (bool, int)
}

func (c clause) severity(profile string) string {
	switch profile {
	case "di-code":
		return c.d
	case "pi-1.x":
		return c.x
	}
	return c.p
}

func (h *hearing) drops(c clause, severity string) bool {
	return c.drops || h.dicode() && severity == E
}

func alone(is func(h *hearing) bool) func(h *hearing) (bool, int) {
	return func(h *hearing) (bool, int) { return is(h), -1 }
}

// because blames with an earlier event as the cause; nil where there is none.
func because(of func(h *hearing) *event) func(h *hearing) (bool, int) {
	return func(h *hearing) (bool, int) {
		if e := of(h); e != nil {
			return true, e.index
		}
		return false, -1
	}
}

var clauses = []clause{
	{code: "stream-ended", d: E, p: E, x: E, drops: true, when: because(func(h *hearing) *event { return h.past.ended() })},
	{code: "first-event", d: E, p: E, x: E, drops: true, when: alone(func(h *hearing) bool {
		return !h.embedded && h.past.started() == nil && h.e.typ != "start" && (h.dicode() || h.e.typ != "error")
	})},
	{code: "duplicate-stream-start", d: E, p: E, x: E, when: because(func(h *hearing) *event {
		if h.e.typ != "start" {
			return nil
		}
		return h.past.started()
	})},
	{code: "unknown-event-type", d: E, when: alone(func(h *hearing) bool { return dicodeEvents[h.e.typ] == nil })},
	{code: "block-overlap", d: E, when: because(func(h *hearing) *event {
		if a := h.active(); a != nil && h.e.role() == "start" {
			return a.start
		}
		return nil
	})},
	{code: "index-gap", d: E, p: E, x: E, drops: true, when: alone(func(h *hearing) bool {
		i, isNumber := h.e.contentIndex()
		return h.e.role() == "start" && (!isNumber || i != float64(h.nextIndex()))
	})},
	{code: "not-open", d: E, p: E, x: E, drops: true, when: alone(func(h *hearing) bool {
		if h.e.role() != "delta" && h.e.role() != "end" {
			return false
		}
		if h.dicode() {
			return h.active() == nil || h.active().kind() != h.e.kind()
		}
		return h.past.of(h.e) == nil
	})},
	{code: "wrong-index", d: E, when: alone(func(h *hearing) bool {
		a := h.active()
		return (h.e.role() == "delta" || h.e.role() == "end") && a != nil && a.kind() == h.e.kind() && !a.takes(h.e)
	})},
	{code: "content-mismatch", d: E, p: E, x: E, when: because((*hearing).wrongContent)},
	{code: "bad-tool-call", p: E, x: E, when: alone(func(h *hearing) bool {
		c := h.call()
		return c != nil && (!c.get("type").says("toolCall") || c.get("id").says("") || c.get("name").says(""))
	})},
	{code: "arguments-not-json", d: E, when: alone(func(h *hearing) bool {
		t, known := h.argumentsText()
		_, _, isJSON := parse(t)
		return h.call() != nil && known && h.sawDelta() && !isJSON
	})},
	{code: "arguments-not-object", d: E, p: E, x: E, when: alone(func(h *hearing) bool {
		if h.call() == nil {
			return false
		}
		if h.dicode() && h.sawDelta() {
			t, known := h.argumentsText()
			v, _, _ := parse(t)
			return known && !jsonObject(v)
		}
		return !jsonObject(h.call().get("arguments"))
	})},
	{code: "tool-id-changed", d: E, p: E, x: E, when: because(func(h *hearing) *event { return h.renamed("id") })},
	{code: "tool-name-changed", d: E, p: E, x: E, when: because(func(h *hearing) *event { return h.renamed("name") })},
	{code: "arguments-mismatch", d: E, p: E, x: E, when: alone(func(h *hearing) bool {
		said, isObject, judged := h.arguments()
		return judged && isObject && !equal(said, h.call().get("arguments"))
	})},
	{code: "arguments-repaired", p: I, x: I, when: alone(func(h *hearing) bool {
		_, isObject, judged := h.arguments()
		return judged && !isObject && len(h.call().get("arguments").members) > 0
	})},
	{code: "arguments-error-missing", x: E, when: alone(func(h *hearing) bool {
		_, isObject, judged := h.arguments()
		return judged && !isObject && len(h.call().get("arguments").members) == 0 && !h.call().get("argumentsError").given()
	})},
	{code: "open-at-done", d: E, p: E, x: E, when: because(func(h *hearing) *event {
		if open := h.past.openBlocks(); h.e.typ == "done" && len(open) > 0 {
			return open[0].start
		}
		return nil
	})},
	{code: "reason-mismatch", d: E, p: E, x: E, when: alone(func(h *hearing) bool {
		m := h.final()
		return m != nil && !same(h.e.get("reason"), m.get("stopReason"))
	})},
	{code: "bad-reason", d: W, p: E, x: E, when: alone((*hearing).badReason)},
	{code: "final-content", d: E, p: E, x: E, when: alone(func(h *hearing) bool { return h.e.typ == "done" && h.otherContent() })},
	{code: "partial-content", d: E, p: E, x: E, when: alone(func(h *hearing) bool { return h.e.typ == "error" && h.otherContent() })},
}

// active is the block that is open; di-code has one at most.
func (h *hearing) active() *piece {
	if open := h.past.openBlocks(); len(open) > 0 {
		return open[0]
	}
	return nil
}

// nextIndex is what the next block's index must be: pi counts at starts, di-code at ends.
func (h *hearing) nextIndex() int {
	n := len(h.past.blocks())
	if h.dicode() {
		n -= len(h.past.openBlocks())
	}
	return n
}

// --- text and thinking ---

// wrongContent is the end whose content is not what its deltas say, where that is certain now.
func (h *hearing) wrongContent() *event {
	if h.e.role() == "end" && h.e.kind() != "tool" && !h.placeholder(h.past.of(h.e), h.e) {
		if start := h.differing(); start != nil {
			return start
		}
	}
	for _, b := range h.now.blocks() {
		if b.end == nil || !h.placeholder(b, b.end) {
			continue
		}
		if redacted, now := h.revealed(b); now && !redacted {
			return b.end
		}
	}
	return nil
}

func (h *hearing) differing() *event {
	c, b := h.e.get("content"), h.past.of(h.e)
	said, known := b.joined()
	if !known || !h.dicode() && !c.given() {
		return nil // nothing to compare
	}
	if c.is('"') && slices.Equal(c.text, said) {
		return nil
	}
	return b.start
}

// placeholder tells whether an end may be that of a redacted block: thinking without deltas, and yet with content.
func (h *hearing) placeholder(b *piece, end *event) bool {
	c := end.get("content")
	return !h.dicode() && b.kind() == "thinking" && len(b.deltas) == 0 && c.is('"') && len(c.text) > 0
}

// revealed tells whether the event is the first that says of an ended block if it is redacted, and what it says.
func (h *hearing) revealed(b *piece) (redacted, now bool) {
	for _, e := range h.now[slices.Index(h.now, b.end):] {
		if said, ok := h.reveals(e, b); ok {
			return said, e == h.e
		}
	}
	return false, false
}

func (h *hearing) reveals(e *event, b *piece) (redacted, ok bool) {
	if r := e.get("redacted"); e == b.end && r.is('b') {
		return r.flag, true
	}
	for _, m := range []*node{e.get("partial"), h.message(e)} {
		if shown := m.get("content").at(b.number); shown.get("type").says("thinking") {
			return shown.get("redacted").flag, true
		}
	}
	return false, false
}

// --- tool calls ---

// call is the toolCall of a tool's end, else nil.
func (h *hearing) call() *node {
	if h.e.kind() != "tool" || h.e.role() != "end" {
		return nil
	}
	return h.e.get("toolCall")
}

func (h *hearing) block() *piece { return h.past.of(h.e) }

func (h *hearing) sawDelta() bool { return h.block() != nil && len(h.block().deltas) > 0 }

func (h *hearing) argumentsText() (t text, known bool) {
	if h.block() == nil {
		return nil, false
	}
	return h.block().joined()
}

func jsonObject(n *node) bool { return n.is('{') && n.finite() }

// arguments is what the text says that the arguments are, and whether it says an object. It is not judged
// where the arguments are no object, or the text is not known, or in di-code where there is none.
func (h *hearing) arguments() (said *node, isObject, judged bool) {
	t, known := h.argumentsText()
	if h.call() == nil || !known {
		return absent, false, false
	}
	v, _, ok := parse(t)
	isObject = ok && v.is('{')
	if h.dicode() {
		return v, isObject, h.sawDelta()
	}
	if blank(t) {
		return &node{sort: '{'}, true, jsonObject(h.call().get("arguments"))
	}
	return recorded(v), isObject, jsonObject(h.call().get("arguments"))
}

// blank: nothing, or what JavaScript trims.
func blank(t text) bool {
	for _, u := range t {
		if !strings.ContainsRune("\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff", rune(u)) {
			return false
		}
	}
	return true
}

// recorded is a value as a recording shows it: a number that is not finite is written as null.
func recorded(n *node) *node {
	out := *n
	out.list, out.members = nil, nil
	if !n.finite() && n.is('#') {
		return &node{sort: 'n'}
	}
	for _, e := range n.list {
		out.list = append(out.list, recorded(e))
	}
	for _, m := range n.members {
		out.members = append(out.members, member{m.name, recorded(m.val)})
	}
	return &out
}

// renamed is the start that gave a call another id or name than its end.
func (h *hearing) renamed(what string) *event {
	if h.call() == nil || h.block() == nil {
		return nil
	}
	was := h.introduced(h.block(), what)
	if !h.dicode() && (was.is('u') || was.says("")) || same(was, h.call().get(what)) {
		return nil
	}
	return h.block().start
}

// introduced is the id or name that a call's start gives, in whichever serialisation.
func (h *hearing) introduced(b *piece, what string) *node {
	if h.dicode() {
		return b.start.get(what)
	}
	member := map[string]string{"id": "id", "name": "toolName"}[what]
	if n := b.start.get(member); n.is('"') {
		return n
	}
	shown := b.start.get("partial").get("content").at(b.number)
	if n := shown.get(what); n.is('"') && shown.get("type").says("toolCall") {
		return n
	}
	return absent
}

// same is JavaScript's ===; two arrays or objects never are the same.
func same(a, b *node) bool {
	return !a.is('[') && !a.is('{') && equal(a, b)
}

// --- ends ---

// message is the final message of an event; absent where there is none.
func (j *judge) message(e *event) *node {
	switch {
	case e.typ == "error" && !j.dicode():
		return e.get("error")
	case e.terminal():
		return e.get("message")
	}
	return absent
}

// final is the message of a terminal event, nil where it has none.
func (h *hearing) final() *node {
	if m := h.message(h.e); m.given() {
		return m
	}
	return nil
}

var reasons = map[string]map[string][]string{
	"di-code": {"done": {"stop", "length", "tool_use"}, "error": {"error", "aborted"}},
	"pi-1.x":  {"done": {"stop", "length", "toolUse", "deferred"}, "error": {"error", "aborted"}},
	"pi-0.80": {"done": {"stop", "length", "toolUse"}, "error": {"error", "aborted"}},
	"pi-0.73": {"done": {"stop", "length", "toolUse"}, "error": {"error", "aborted"}},
}

func (h *hearing) badReason() bool {
	reason := h.e.get("reason")
	if !h.e.terminal() || !reason.is('"') {
		return false
	}
	m := h.final()
	return !slices.ContainsFunc(reasons[h.profile][h.e.typ], reason.says) || !h.dicode() && m != nil && m.get("stopReason").says("pending")
}

// otherContent tells whether the final message has another content than the stream.
func (h *hearing) otherContent() bool {
	m := h.final()
	if m == nil {
		return false
	}
	if h.dicode() {
		return !equal(h.dicodeContent(), m.get("content"))
	}
	shown, blocks := m.get("content"), h.past.blocks()
	if h.e.typ == "error" && len(shown.list) == 0 {
		return false
	}
	if len(shown.list) != len(blocks) {
		return true
	}
	for i, b := range blocks {
		if !h.shows(b, shown.list[i]) {
			return true
		}
	}
	return false
}

// shows tells whether a pi message's content has a block as the stream had it; it may have more members.
func (h *hearing) shows(b *piece, shown *node) bool {
	switch {
	case b.kind() != "tool":
		return shown.get("type").says(b.kind()) && h.tells(b, shown)
	case !shown.get("type").says("toolCall"):
		return false
	case b.open():
		return h.agrees(b, "id", shown) && h.agrees(b, "name", shown)
	}
	call := b.end.get("toolCall")
	for _, name := range []string{"id", "name", "arguments"} {
		if !equal(call.get(name), shown.get(name)) {
			return false
		}
	}
	return true
}

// tells compares the text of a block: that of its end, else that of its deltas.
func (h *hearing) tells(b *piece, shown *node) bool {
	has := shown.get(b.kind())
	if b.end != nil && b.end.get("content").is('"') {
		return equal(b.end.get("content"), has)
	}
	if b.kind() == "thinking" && len(b.deltas) == 0 && shown.get("redacted").flag {
		return true // a placeholder that nothing announced
	}
	t, _ := b.joined()
	return has.is('"') && slices.Equal(has.text, t)
}

// agrees compares the id or name of an open call, which may come late.
func (h *hearing) agrees(b *piece, what string, shown *node) bool {
	was := h.introduced(b, what)
	return was.is('u') || was.says("") || equal(was, shown.get(what))
}

// dicodeContent is what a final message of di-code must have, exactly.
func (h *hearing) dicodeContent() *node {
	out := &node{sort: '['}
	for _, b := range h.past.blocks() {
		if !b.open() || b.kind() != "tool" {
			out.list = append(out.list, dicodeBlock(b))
		}
	}
	return out
}

// anything is a value that is not judged.
var anything = &node{sort: '?'}

func dicodeBlock(b *piece) *node {
	word := func(s string) *node { return &node{sort: '"', text: units(s)} }
	t, known := b.joined()
	said := anything
	if b.kind() != "tool" {
		if known {
			said = &node{sort: '"', text: t}
		}
		return &node{sort: '{', members: []member{{"type", word(b.kind())}, {b.kind(), said}}}
	}
	if known {
		said, _, _ = parse(t)
	}
	if len(b.deltas) == 0 {
		said = b.end.get("toolCall").get("arguments")
	}
	return &node{sort: '{', members: []member{
		{"type", word("tool_call")}, {"id", b.start.get("id")}, {"name", b.start.get("name")}, {"arguments", said},
	}}
}

// spelled is a number as JavaScript writes it.
func spelled(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	switch a := max(f, -f); {
	case a == 0:
		return "0"
	case a > maxFinite:
		return strings.TrimPrefix(strings.Replace(s, "Inf", "Infinity", 1), "+")
	case a >= 1e-6 && a < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s = strconv.FormatFloat(f, 'e', -1, 64)
	return strings.Replace(strings.Replace(s, "e-0", "e-", 1), "e+0", "e+", 1)
}

const maxFinite = 0x1p1023 * (1 + (1 - 0x1p-52))
