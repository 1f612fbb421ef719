package spec

// The history: everything that was judged so far. An event that was dropped is
// in it only as something seen; every question below is asked of those that stay.

// An owner is a tag or, without one, the parent agent. The empty tag is a tag.
type owner struct {
	tag    string
	tagged bool
}

var parentAgent = owner{}

type entry struct {
	index    int
	typ      string
	root     *node
	revision string // that this event is judged under
	newer    bool   // its run declared a version newer than 1.0

	stays  bool // accepted: not dropped
	phases bool // it moved the phase of the run (lifecycle events, even when dropped for their own members)

	// Chunks in producer and consumer, once accepted: the lane and the item they
	// belong to, and the chunk that opened that item (itself, if it opens).
	lane   owner
	part   item
	opener *entry
}

type history []*entry

func (e *entry) str(name string) (string, bool) { return e.root.str(name) }

func (e *entry) has(name string) bool { _, ok := e.str(name); return ok }

func (e *entry) id(name string) string { s, _ := e.str(name); return s }

func (e *entry) chunkOpens() bool { return e.opener == e }

// tag is the event's attribution.
func (e *entry) tag() owner {
	if !attributed[e.typ] {
		return parentAgent
	}
	s, ok := e.str("subagentRunId")
	return owner{s, ok}
}

func (h history) accepted() history {
	var out history
	for _, e := range h {
		if e.stays {
			out = append(out, e)
		}
	}
	return out
}

// lastPhase is the latest lifecycle event that counted.
func (h history) lastPhase() *entry {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].phases {
			return h[i]
		}
	}
	return nil
}

func (h history) phase() string {
	if e := h.lastPhase(); e != nil {
		return e.typ
	}
	return ""
}

func (h history) everPhase(typ string) bool {
	for _, e := range h {
		if e.phases && e.typ == typ {
			return true
		}
	}
	return false
}

// run is the part of h that belongs to the current run, from its RUN_STARTED on,
// dropped events included.
func (h history) run() history {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].phases && h[i].typ == "RUN_STARTED" {
			return h[i:]
		}
	}
	return h
}

// --- items ---

type item struct{ kind, id string }

type part struct{ kind, role, idName string } // role: start, fill, end, chunk

var parts = map[string]part{
	"TEXT_MESSAGE_START":        {"text", "start", "messageId"},
	"TEXT_MESSAGE_CONTENT":      {"text", "fill", "messageId"},
	"TEXT_MESSAGE_END":          {"text", "end", "messageId"},
	"TEXT_MESSAGE_CHUNK":        {"text", "chunk", "messageId"},
	"TOOL_CALL_START":           {"tool", "start", "toolCallId"},
	"TOOL_CALL_ARGS":            {"tool", "fill", "toolCallId"},
	"TOOL_CALL_END":             {"tool", "end", "toolCallId"},
	"TOOL_CALL_CHUNK":           {"tool", "chunk", "toolCallId"},
	"REASONING_MESSAGE_START":   {"reasoning", "start", "messageId"},
	"REASONING_MESSAGE_CONTENT": {"reasoning", "fill", "messageId"},
	"REASONING_MESSAGE_END":     {"reasoning", "end", "messageId"},
	"REASONING_MESSAGE_CHUNK":   {"reasoning", "chunk", "messageId"},
	"REASONING_START":           {"span", "start", "messageId"},
	"REASONING_END":             {"span", "end", "messageId"},
}

// itemOf names the item that an event is about, and what it does to it.
func itemOf(e *entry) (it item, role string) {
	p, ok := parts[e.typ]
	if !ok {
		return item{}, ""
	}
	if p.role == "chunk" && e.opener != nil {
		return e.part, p.role
	}
	return item{p.kind, e.id(p.idName)}, p.role
}

// openByStart: there is a START of it with no END since.
// (In the server profile a chunk with its id ends it, too.)
func (h history) openByStart(it item) bool {
	for i := len(h) - 1; i >= 0; i-- {
		if have, role := itemOf(h[i]); have == it {
			switch role {
			case "start":
				return true
			case "end":
				return false
			case "chunk":
				if h[i].opener == nil && h[i].has(parts[h[i].typ].idName) {
					return false
				}
			}
		}
	}
	return false
}

func (h history) openItems() []item {
	var out []item
	for _, e := range h {
		if it, role := itemOf(e); role == "start" && h.openByStart(it) {
			out = append(out, it)
		}
	}
	return out
}

// latestOpener is the last START or opening chunk of an item.
func (h history) latestOpener(it item) *entry {
	for i := len(h) - 1; i >= 0; i-- {
		if have, role := itemOf(h[i]); have == it && (role == "start" || role == "chunk" && h[i].chunkOpens()) {
			return h[i]
		}
	}
	return nil
}

// --- lanes (producer, consumer; h is of one run) ---

// closes says whether an accepted event that is no chunk closes the chunk item of a lane.
func closes(e *entry, lane owner) bool {
	switch e.typ {
	case "RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT":
		return true
	case "SUBAGENT_FINISHED", "SUBAGENT_ERROR":
		return lane == owner{e.id("subagentRunId"), true}
	case "RAW", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "REASONING_ENCRYPTED_VALUE", "SUBAGENT_STARTED":
		return false
	}
	return e.tag() == lane && !retired[e.typ]
}

// held is the opener of the chunk item that a lane assembles, or nil.
func (h history) held(lane owner) *entry {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].opener != nil {
			if h[i].lane == lane {
				return h[i].opener
			}
		} else if closes(h[i], lane) {
			return nil
		}
	}
	return nil
}

func (h history) lanes() []owner {
	var out []owner
	for _, e := range h {
		if e.chunkOpens() && h.held(e.lane) == e {
			out = append(out, e.lane)
		}
	}
	return out
}

// laneOf finds the lane that holds an item.
func (h history) laneOf(it item) (owner, bool) {
	for _, l := range h.lanes() {
		if h.held(l).part == it {
			return l, true
		}
	}
	return owner{}, false
}

// --- steps and subagents ---

func (h history) stepOpen(by owner, name string) bool {
	for i := len(h) - 1; i >= 0; i-- {
		if e := h[i]; (e.typ == "STEP_STARTED" || e.typ == "STEP_FINISHED") && e.tag() == by && e.id("stepName") == name {
			return e.typ == "STEP_STARTED"
		}
	}
	return false
}

func (h history) announced(id string) bool {
	for _, e := range h {
		if e.typ == "SUBAGENT_STARTED" && e.id("subagentRunId") == id {
			return true
		}
	}
	return false
}

func (h history) ended(id string) bool {
	for _, e := range h {
		if (e.typ == "SUBAGENT_FINISHED" || e.typ == "SUBAGENT_ERROR") && e.id("subagentRunId") == id {
			return true
		}
	}
	return false
}

func (h history) active(id string) bool { return h.announced(id) && !h.ended(id) }

func (h history) anythingOpen(alsoItem func(item) bool) bool {
	for _, it := range h.openItems() {
		if alsoItem(it) {
			return true
		}
	}
	for _, e := range h {
		if e.typ == "STEP_STARTED" && h.stepOpen(e.tag(), e.id("stepName")) || e.typ == "SUBAGENT_STARTED" && h.active(e.id("subagentRunId")) {
			return true
		}
	}
	return false
}

// --- messages in a snapshot or an echo ---

type message struct {
	id, role string
	by       owner
	root     *node
}

func (m message) calls() []*node {
	if c := m.root.get("toolCalls"); m.role == "assistant" && c.is('[') {
		return c.list
	}
	return nil
}

func (m message) kind() string {
	switch m.role {
	case "tool", "activity", "reasoning":
		return m.role
	}
	return "text"
}

// messagesIn lists messages that can be told apart: those of an unknown role are left out.
func messagesIn(list *node) []message {
	if !list.is('[') {
		return nil
	}
	var out []message
	for _, n := range list.list {
		id, ok := n.str("id")
		role, _ := n.str("role")
		if !ok || !messageRoles[role] {
			continue
		}
		tag, tagged := n.str("subagentRunId")
		out = append(out, message{id, role, owner{tag, tagged}, n})
	}
	return out
}

func (e *entry) echo() *node {
	if in := e.root.get("input"); e.typ == "RUN_STARTED" && in.is('{') {
		return in
	}
	return nil
}

// messages of a snapshot or of an echo.
func (e *entry) messages() []message {
	switch e.typ {
	case "MESSAGES_SNAPSHOT":
		return messagesIn(e.root.get("messages"))
	case "RUN_STARTED":
		return messagesIn(e.echo().get("messages"))
	}
	return nil
}

// --- ownership ---

// books: which record keeps the owner of what. The guards keep one for messages
// of every kind and spans.
type books struct{ joint, server bool }

func (b books) of(kind string) string {
	switch kind {
	case "tool call", "activity":
		return kind
	case "reasoning", "span":
		if !b.joint {
			return "reasoning"
		}
	}
	return "message"
}

// recorded tells who owns an id in a book after the accepted events of h.
func (b books) recorded(h history, book, id string) (who owner, known bool) {
	claim := func(o owner) { // the first one wins
		if !known {
			who, known = o, true
		}
	}
	put := func(o owner) { who, known = o, true }
	for i, e := range h {
		it, role := itemOf(e)
		if role == "chunk" {
			switch {
			case b.server && !e.has(parts[e.typ].idName), !b.server && !e.chunkOpens():
				role = ""
			default:
				role = "start"
			}
		}
		switch {
		case role == "start" && it.kind == "tool":
			if book == "tool call" && it.id == id {
				who, known = b.callOwner(h[:i], e)
			}
		case role == "start":
			if book == b.of(it.kind) && it.id == id {
				claim(e.tag())
			}
		case e.typ == "TOOL_CALL_RESULT":
			if book == "message" && e.id("messageId") == id {
				put(e.tag())
			}
		case e.typ == "ACTIVITY_SNAPSHOT":
			if book == "activity" && e.id("messageId") == id && (!known || replaces(e)) {
				put(e.tag())
			}
		case e.typ == "MESSAGES_SNAPSHOT" || e.typ == "RUN_STARTED":
			set := put
			if e.typ == "RUN_STARTED" {
				set = claim
			}
			for _, m := range e.messages() {
				if book == b.of(m.kind()) && m.id == id {
					set(m.by)
				}
				for _, c := range m.calls() {
					if cid, ok := c.str("id"); ok && book == "tool call" && cid == id {
						set(m.by)
					}
				}
			}
		}
	}
	return who, known
}

// replaces: `replace` absent is true.
func replaces(e *entry) bool {
	r := e.root.get("replace")
	return !r.is('b') || r.flag
}

// callOwner is the owner that a START (or chunk like one) gives its call: the tag,
// else the parent message's owner, else the recorded one, else the parent agent.
func (b books) callOwner(h history, e *entry) (owner, bool) {
	if t := e.tag(); t.tagged {
		return t, true
	}
	if o, ok := b.parentOwner(h, e); ok {
		return o, true
	}
	if o, ok := b.recorded(h, "tool call", e.id("toolCallId")); ok {
		return o, true
	}
	return parentAgent, true
}

func (b books) parentOwner(h history, e *entry) (owner, bool) {
	if p, ok := e.str("parentMessageId"); ok {
		return b.recorded(h, "message", p)
	}
	return owner{}, false
}

// callDisagrees: a START (or chunk like one) of a tool call against its parent
// message's owner and against its own record.
func (b books) callDisagrees(h history, e *entry) bool {
	tag := e.tag()
	parent, known := b.parentOwner(h, e)
	if tag.tagged && known && parent != tag {
		return true
	}
	if !tag.tagged && !known {
		return false
	}
	mine, _ := b.callOwner(h, e)
	rec, ok := b.recorded(h, "tool call", e.id("toolCallId"))
	return ok && rec != mine
}

// disagrees: a tag that is present against a record, if there is one.
func (b books) disagrees(h history, book, id string, tag owner) bool {
	who, known := b.recorded(h, book, id)
	return tag.tagged && known && who != tag
}

// encryptedDisagrees: REASONING_ENCRYPTED_VALUE against what it names.
func (b books) encryptedDisagrees(h history, e *entry) bool {
	id := e.id("entityId")
	switch e.id("subtype") {
	case "tool-call":
		return b.disagrees(h, "tool call", id, e.tag())
	case "message":
		if _, known := b.recorded(h, "message", id); known {
			return b.disagrees(h, "message", id, e.tag())
		}
		return b.disagrees(h, b.of("reasoning"), id, e.tag())
	}
	return false
}

// bookOf names the book of an item's kind.
func (b books) bookOf(it item) string {
	if it.kind == "tool" {
		return "tool call"
	}
	return b.of(it.kind)
}

// --- calls ---

// callKnown: a START, opening chunk (server: any chunk with the id), or an
// assistant message in a snapshot or echo introduced it.
func (h history) callKnown(id string) bool {
	for _, e := range h {
		if it, role := itemOf(e); it == (item{"tool", id}) {
			if role == "start" || role == "chunk" && (e.opener != nil || e.has("toolCallId")) {
				return true
			}
		}
		for _, m := range e.messages() {
			for _, c := range m.calls() {
				if cid, ok := c.str("id"); ok && cid == id {
					return true
				}
			}
		}
	}
	return false
}

// callsMade lists the first openers of the calls that h made, in order.
func (h history) callsMade() []*entry {
	var out []*entry
	seen := map[string]bool{}
	for _, e := range h {
		it, role := itemOf(e)
		if it.kind == "tool" && !seen[it.id] && (role == "start" || role == "chunk" && e.chunkOpens()) {
			seen[it.id] = true
			out = append(out, e)
		}
	}
	return out
}

func (h history) answered(call string) bool {
	for _, e := range h {
		if e.typ == "TOOL_CALL_RESULT" && e.id("toolCallId") == call {
			return true
		}
	}
	return false
}

func (h history) unanswered() []*entry {
	var out []*entry
	for _, e := range h.callsMade() {
		it, _ := itemOf(e)
		if !h.answered(it.id) {
			out = append(out, e)
		}
	}
	return out
}

// --- kinds and descriptions (h is the whole stream) ---

// introduces lists (id, kind) of the messages that an accepted event introduces, in order.
func introduces(e *entry) []item {
	it, role := itemOf(e)
	if role == "start" || role == "chunk" && e.chunkOpens() {
		if it.kind == "text" || it.kind == "reasoning" {
			return []item{it}
		}
		return nil
	}
	switch e.typ {
	case "TOOL_CALL_RESULT":
		return []item{{"tool", e.id("messageId")}}
	case "ACTIVITY_SNAPSHOT":
		return []item{{"activity", e.id("messageId")}}
	}
	var out []item
	for _, m := range e.messages() {
		out = append(out, item{m.kind(), m.id})
	}
	return out
}

// kindOf is the first kind that an id had; "" if it is unknown.
func (h history) kindOf(id string) string {
	for _, e := range h {
		for _, it := range introduces(e) {
			if it.id == id {
				return it.kind
			}
		}
	}
	return ""
}

// A description: what a reopening must repeat. Absence is a value.
type said struct {
	word  string
	given bool
}

func say(n *node, name string) said { s, ok := n.str(name); return said{s, ok} }

type description struct{ a, b said }

// describes is what a START, opening chunk or chunk says of its item.
func describes(e *entry) description {
	if parts[e.typ].kind == "tool" {
		return description{say(e.root, "toolCallName"), say(e.root, "parentMessageId")}
	}
	return textDescription(e.root)
}

func textDescription(n *node) description {
	role := say(n, "role")
	if !role.given {
		role = said{"assistant", true}
	}
	return description{role, say(n, "name")}
}

func (h history) described(it item) (d description, known bool) {
	for _, e := range h {
		have, role := itemOf(e)
		if have == it && !known && (role == "start" || role == "chunk" && e.chunkOpens()) {
			d, known = describes(e), true
		}
		for _, m := range e.messages() {
			if it.kind == "text" && m.kind() == "text" && m.id == it.id && (e.typ == "MESSAGES_SNAPSHOT" || !known) {
				d, known = textDescription(m.root), true
			}
		}
	}
	return d, known
}
