package spec

import (
	"regexp"
	"slices"
	"strings"
)

// Profiles producer and consumer: sections 3 to 6.

// A case is one event before the court: the event, and the history before it.
type hearing struct {
	*judge
	e      *entry
	stream history // accepted events of the stream
	run    history // accepted events of the current run
	seen   history // the current run, dropped events included
	phase  string  // the last lifecycle event's type, "" before any

	it   item // what the event is about
	role string
	own  owner // the lane of an event that is no chunk

	chunk resolved
}

// How a chunk finds its lane (section 5).
type resolved struct {
	ambiguous bool
	lane      owner
	foreign   bool   // its id is held in a lane that is not its tag's
	continues *entry // the opener of the item that it continues, nil if it must open one
}

func (j *judge) hear(e *entry) *hearing {
	h := &hearing{judge: j, e: e, phase: j.past.phase(), seen: j.past.run()}
	h.stream, h.run = j.past.accepted(), h.seen.accepted()
	h.it, h.role = itemOf(e)
	h.own = e.tag()
	if h.role == "chunk" {
		h.chunk = h.resolve()
	}
	return h
}

func (h *hearing) resolve() (r resolved) {
	kind := parts[h.e.typ].kind
	id, named := h.e.str(parts[h.e.typ].idName)
	tag := h.e.tag()
	holdsKind := func(l owner) bool { o := h.run.held(l); return o != nil && o.part.kind == kind }
	switch lane, held := h.run.laneOf(item{kind, id}); {
	case named && held:
		r.lane, r.foreign = lane, tag.tagged && tag != lane
	case named || tag.tagged:
		r.lane = tag
	case holdsKind(parentAgent):
		r.lane = parentAgent
	default:
		var others []owner
		for _, l := range h.run.lanes() {
			if holdsKind(l) {
				others = append(others, l)
			}
		}
		r.ambiguous = len(others) > 1
		if len(others) == 1 {
			r.lane = others[0]
		}
	}
	if o := h.run.held(r.lane); o != nil && o.part.kind == kind && (!named || o.part.id == id) {
		r.continues = o
	}
	return r
}

// opens: a START, or a chunk that must open its item.
func (h *hearing) opens() bool {
	return h.role == "start" || h.role == "chunk" && !h.chunk.ambiguous && h.chunk.continues == nil
}

// looseReasoning: 0.x has no reasoning order, only owners.
func (h *hearing) looseReasoning() bool {
	return h.e.revision == "0.x" && (h.it.kind == "reasoning" || h.it.kind == "span")
}

// A clause: the code, when an event is at fault, whether that drops the event,
// and the severities for producer and consumer ("" = not judged).
type clause struct {
	code     string
	when     func(h *hearing) bool
	drops    bool
	p, c     string
	only10   bool // marked ¹: not in 0.x
	perEvent func(h *hearing) int
}

const (
	E, W, I = "error", "warning", "info"
)

var clauses = []clause{
	{code: "run-ended", p: E, c: E, drops: true, when: func(h *hearing) bool {
		return h.phase == "RUN_FINISHED" && h.e.typ != "RUN_STARTED" && h.e.typ != "RUN_ERROR" ||
			h.phase == "RUN_ERROR" && h.e.typ != "RUN_STARTED"
	}},
	{code: "first-event", p: E, c: E, drops: true, when: func(h *hearing) bool {
		return h.phase == "" && h.e.typ != "RUN_STARTED" && h.e.typ != "RUN_ERROR"
	}},
	{code: "duplicate-run-started", p: E, c: E, drops: true, when: func(h *hearing) bool {
		return h.phase == "RUN_STARTED" && h.e.typ == "RUN_STARTED"
	}},
	{code: "chunk-ambiguous", p: E, c: E, drops: true, when: func(h *hearing) bool {
		return h.role == "chunk" && h.chunk.ambiguous
	}},
	{code: "chunk-first", p: E, c: E, drops: true, when: func(h *hearing) bool {
		return h.role == "chunk" && h.opens() &&
			(!h.e.has(parts[h.e.typ].idName) || h.it.kind == "tool" && !h.e.has("toolCallName"))
	}},
	{code: "chunk-mixed", p: E, c: E, drops: true, when: func(h *hearing) bool {
		if h.looseReasoning() {
			return false
		}
		switch h.role {
		case "chunk":
			return h.opens() && h.run.openByStart(h.it)
		case "fill", "end":
			o := h.run.latestOpener(h.it)
			return o != nil && o.opener != nil
		case "start":
			lane, held := h.run.laneOf(h.it)
			return held && lane != h.own
		}
		return false
	}},
	{code: "duplicate-start", p: E, c: E, drops: true, when: func(h *hearing) bool {
		switch {
		case h.role == "start":
			return !h.looseReasoning() && h.run.openByStart(h.it)
		case h.e.typ == "STEP_STARTED":
			return h.run.stepOpen(h.own, h.e.id("stepName"))
		case h.e.typ == "SUBAGENT_STARTED":
			return h.run.announced(h.e.id("subagentRunId"))
		}
		return false
	}},
	{code: "not-open", p: E, c: E, drops: true, when: func(h *hearing) bool {
		switch {
		case h.role == "fill" || h.role == "end":
			return !h.looseReasoning() && !h.run.openByStart(h.it)
		case h.e.typ == "STEP_FINISHED":
			return !h.run.stepOpen(h.own, h.e.id("stepName"))
		case h.e.typ == "SUBAGENT_FINISHED" || h.e.typ == "SUBAGENT_ERROR":
			return !h.run.active(h.e.id("subagentRunId"))
		}
		return false
	}},
	{code: "unknown-id", p: E, c: E, drops: true, when: func(h *hearing) bool {
		p, named := h.e.str("parentSubagentRunId")
		return h.e.typ == "SUBAGENT_STARTED" && named && !h.run.announced(p)
	}},
	{code: "unknown-id", p: I, when: func(h *hearing) bool {
		return h.e.typ == "TOOL_CALL_RESULT" && !h.run.callKnown(h.e.id("toolCallId")) && !h.asksAbout(h.e.id("toolCallId"))
	}},
	{code: "out-of-order", p: W, when: func(h *hearing) bool {
		if h.e.typ != "TOOL_CALL_RESULT" {
			return false
		}
		call := item{"tool", h.e.id("toolCallId")}
		lane, held := h.run.laneOf(call) // a result closes the chunk item of its own lane first
		return h.run.openByStart(call) || held && lane != h.own
	}},
	{code: "open-at-finish", p: E, c: E, when: func(h *hearing) bool {
		return h.e.typ == "RUN_FINISHED" && h.run.anythingOpen(func(it item) bool {
			return h.e.revision != "0.x" || it.kind == "text" || it.kind == "tool"
		})
	}},
	{code: "owner-mismatch", p: E, c: E, drops: true, when: (*hearing).wrongOwner},
	{code: "owner-mismatch", p: E, when: func(h *hearing) bool { // kept
		return h.e.typ == "ACTIVITY_SNAPSHOT" && !replaces(h.e) && h.disagrees(h.run, "activity", h.e.id("messageId"), h.own)
	}},
	{code: "chunk-disagreement", p: E, c: E, drops: true, when: func(h *hearing) bool {
		if h.role != "chunk" || h.chunk.continues == nil {
			return false
		}
		now, then := describes(h.e), describes(h.chunk.continues)
		if parts[h.e.typ].kind == "text" {
			now.a = say(h.e.root, "role") // absent is not repeated
		}
		return parts[h.e.typ].kind != "reasoning" && (now.a.given && now.a != then.a || now.b.given && now.b != then.b)
	}},

	{code: "run-id-mismatch", p: E, c: W, only10: true, when: func(h *hearing) bool { return h.strangeBoundary("runId") }},
	{code: "thread-id-mismatch", p: E, c: W, only10: true, when: func(h *hearing) bool {
		if h.e.typ == "RUN_STARTED" {
			for i := len(h.stream) - 1; i >= 0; i-- {
				if s := h.stream[i]; s.typ == "RUN_STARTED" {
					return s.id("threadId") != h.e.id("threadId")
				}
			}
		}
		return h.strangeBoundary("threadId")
	}},
	{code: "run-id-reused", p: E, only10: true, when: func(h *hearing) bool {
		for _, s := range h.stream {
			if h.e.typ == "RUN_STARTED" && s.typ == "RUN_STARTED" && s.id("runId") == h.e.id("runId") {
				return true
			}
		}
		return false
	}},
	{code: "reopen-disagreement", p: E, only10: true, when: func(h *hearing) bool {
		d, known := h.stream.described(h.it)
		return h.opens() && (h.it.kind == "text" || h.it.kind == "tool") && known && d != describes(h.e)
	}},
	{code: "duplicate-message-id", p: E, only10: true, perEvent: (*hearing).duplicateMessages},
	{code: "empty-interrupts", p: E, c: E, when: func(h *hearing) bool { return emptyInterrupts(h.e) }},
	{code: "duplicate-interrupt-id", p: E, c: W, only10: true, when: func(h *hearing) bool {
		seen := map[string]bool{}
		for _, in := range h.e.interrupts() {
			if id, ok := in.str("id"); ok {
				if seen[id] {
					return true
				}
				seen[id] = true
			}
		}
		return false
	}},
	{code: "pending-tool-calls", p: E, only10: true, when: func(h *hearing) bool {
		named := h.e.pendingNamed()
		return len(named) > 0 && !slices.Equal(named, callIds(h.run.unanswered()))
	}},
	{code: "usage-arithmetic", p: E, only10: true, when: func(h *hearing) bool { return slices.ContainsFunc(h.e.usage(), wrongSums) }},
	{code: "usage-repeated", p: W, only10: true, when: func(h *hearing) bool {
		var seen []description
		for _, u := range h.e.usage() {
			who := description{say(u, "provider"), say(u, "model")}
			if slices.Contains(seen, who) {
				return true
			}
			seen = append(seen, who)
		}
		return false
	}},
	{code: "version-format", p: E, c: W, only10: true, when: func(h *hearing) bool {
		v, given := h.e.str("protocolVersion")
		return h.e.typ == "RUN_STARTED" && given && !versionForm.MatchString(v)
	}},

	{code: "replay-restreamed", p: E, when: func(h *hearing) bool {
		return h.request != nil && !h.requested(h.seen) && h.opens() && (h.it.kind == "text" || h.it.kind == "reasoning") &&
			slices.ContainsFunc(messagesIn(h.request.get("messages")), func(m message) bool { return m.id == h.it.id })
	}},
	{code: "frontend-tool-answered", p: E, when: (*hearing).answersFrontend},
	{code: "frontend-outcome", p: W, when: (*hearing).interruptsForFrontend},

	{code: "state-patch", p: E, c: W, when: func(h *hearing) bool {
		doc := h.state(h.stream)
		return h.e.typ == "STATE_DELTA" && doc != nil && tryable(h.e, "delta") && !appliesTo(doc, h.e, "delta")
	}},
	{code: "activity-patch", p: E, c: W, when: func(h *hearing) bool {
		doc, _ := h.stream.activity(h.e.id("messageId"))
		return h.e.typ == "ACTIVITY_DELTA" && doc != nil && tryable(h.e, "patch") && !patchedActivity(doc, h.e).is('{')
	}},
	{code: "activity-baseline", p: E, c: W, when: func(h *hearing) bool {
		_, known := h.stream.activity(h.e.id("messageId"))
		return h.e.typ == "ACTIVITY_DELTA" && !known
	}},
}

var versionForm = regexp.MustCompile(`\A(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\z`)

// event judges one event in producer or consumer.
func (j *judge) event(index int, raw []byte) {
	sev := func(p, c string) string {
		if j.producer() {
			return p
		}
		return c
	}
	doc, typ, broken := opened(raw)
	if broken == "bad-json" || broken == "not-an-object" {
		j.blame(broken, index, E)
		return
	}
	if !validUTF8(raw) {
		j.blame("bad-utf8", index, E)
	}
	if doc.twice {
		j.blame("duplicate-name", index, sev(E, W))
	}
	if broken != "" {
		j.blame(broken, index, E)
		return
	}
	e := &entry{index: index, typ: typ, root: doc.root}
	e.revision, e.newer = j.revisionOf(e)
	sch := schema10
	if e.revision == "0.x" {
		sch = schema0x
	}
	if sch.types[typ] == nil {
		switch {
		case retired[typ]:
			j.blame("retired-event", index, sev(E, W))
		case e.newer:
			j.blame("unknown-event-type", index, W)
		default:
			j.blame("unknown-event-type", index, sev(E, W))
		}
		return
	}

	// Structure.
	faults := sch.faultsOf(typ, e.root)
	dropped := false
	for _, code := range []string{"missing-field", "wrong-type", "bad-value", "unknown-variant", "null-optional", "unknown-property"} {
		worst := ""
		for _, f := range faults {
			if f.code != code {
				continue
			}
			severity := E
			switch code {
			case "unknown-variant":
				severity = sev(E, W)
			case "unknown-property":
				severity = sev(E, W)
				if e.newer {
					severity = W
				}
			case "null-optional":
				if legacyNull(typ, f.path) {
					severity = sev(E, W)
				}
			}
			if worst != E {
				worst = severity
			}
			if severity == E && code != "unknown-variant" && code != "unknown-property" && orderRead(typ, f.path) {
				dropped = true
			}
		}
		if worst != "" {
			j.blame(code, index, worst)
		}
		if dropped {
			break
		}
	}
	h := j.hear(e)
	if dropped {
		// A lifecycle event changes the phase even when its own members are at
		// fault, where a sound one would have.
		for _, c := range clauses[:3] {
			if c.when(h) {
				j.past = append(j.past, e)
				return
			}
		}
		e.phases = strings.HasPrefix(typ, "RUN_")
		j.past = append(j.past, e)
		return
	}

	// Everything else, in the order of the table, each on the history before.
	for _, c := range clauses {
		severity := sev(c.p, c.c)
		if severity == "" || c.only10 && e.revision == "0.x" {
			continue
		}
		times := 0
		if c.perEvent != nil {
			times = c.perEvent(h)
		} else if c.when(h) {
			times = 1
		}
		for range times {
			j.blame(c.code, index, severity)
		}
		if times > 0 && c.drops {
			j.past = append(j.past, e)
			return
		}
	}

	// It stays.
	e.stays = true
	e.phases = strings.HasPrefix(typ, "RUN_")
	if h.role == "chunk" {
		e.lane = h.chunk.lane
		e.opener = h.chunk.continues
		if e.opener == nil {
			e.opener = e
			e.part = h.it
		} else {
			e.part = e.opener.part
		}
	}
	if j.producer() {
		h.versionMissing()
		h.unannounced()
		if doc.halfPair {
			j.blame("lone-surrogate", index, W)
		}
		h.advice()
	} else if doc.halfPair {
		j.blame("lone-surrogate", index, W)
	}
	j.past = append(j.past, e)
}

// revisionOf: of an event, by the RUN_STARTED of its run (itself, if it starts one).
func (j *judge) revisionOf(e *entry) (revision string, newer bool) {
	var s *entry
	if r := j.past.run(); len(r) > 0 && r[0].typ == "RUN_STARTED" && r[0].phases {
		s = r[0]
	}
	if e.typ == "RUN_STARTED" && j.past.phase() != "RUN_STARTED" {
		s = e
	}
	var declared *node
	if s != nil {
		declared = s.root.get("protocolVersion")
	}
	older := false
	if declared.is('"') && versionForm.MatchString(declared.text) {
		major, minor, _ := strings.Cut(declared.text, ".")
		newer = major != "0" && !(major == "1" && minor == "0")
		older = major == "0"
	}
	switch j.Revision {
	case "0.x":
		return "0.x", false
	case "auto":
		if s != nil && (declared == nil || older) {
			return "0.x", false
		}
	}
	return "1.0", newer
}

// --- the longer clauses ---

func (h *hearing) wrongOwner() bool {
	e, tag := h.e, h.own
	switch {
	case h.role == "chunk" && h.chunk.continues != nil:
		return h.chunk.foreign || h.disagrees(h.run, h.bookOf(h.chunk.continues.part), h.chunk.continues.part.id, tag)
	case h.opens() && h.it.kind == "tool":
		return h.callDisagrees(h.run, e)
	case h.role != "":
		return h.disagrees(h.run, h.bookOf(h.it), h.it.id, tag)
	case e.typ == "ACTIVITY_DELTA":
		return h.disagrees(h.run, "activity", e.id("messageId"), tag)
	case e.typ == "REASONING_ENCRYPTED_VALUE":
		return h.encryptedDisagrees(h.run, e)
	}
	return false
}

// strangeBoundary: RUN_FINISHED names an id that no RUN_STARTED seen since the run
// opened (even a dropped one) has; not judged if none has a readable one.
func (h *hearing) strangeBoundary(name string) bool {
	if h.e.typ != "RUN_FINISHED" {
		return false
	}
	any := false
	for _, s := range h.seen {
		if id, ok := s.str(name); ok && s.typ == "RUN_STARTED" {
			if id == h.e.id(name) {
				return false
			}
			any = true
		}
	}
	return any
}

func (h *hearing) duplicateMessages() int {
	n := 0
	switch {
	case h.opens() && (h.it.kind == "text" || h.it.kind == "reasoning"):
		if k := h.stream.kindOf(h.it.id); k != "" && k != h.it.kind {
			n++
		}
	case h.e.typ == "TOOL_CALL_RESULT":
		if h.stream.kindOf(h.e.id("messageId")) != "" {
			n++
		}
	case h.e.typ == "ACTIVITY_SNAPSHOT":
		if k := h.stream.kindOf(h.e.id("messageId")); k != "" && k != "activity" {
			n++
		}
	default:
		here := map[string]bool{}
		for _, m := range h.e.messages() {
			k := h.stream.kindOf(m.id)
			if here[m.id] || h.e.typ == "MESSAGES_SNAPSHOT" && k != "" && k != m.kind() {
				n++
			}
			here[m.id] = true
		}
	}
	return n
}

// unannounced: known only at SUBAGENT_STARTED; blamed is the run's first event with the tag.
func (h *hearing) unannounced() {
	if h.e.typ != "SUBAGENT_STARTED" || h.e.revision == "0.x" {
		return
	}
	for _, x := range h.run {
		if x.tag() == (owner{h.e.id("subagentRunId"), true}) {
			h.blame("subagent-unannounced", x.index, E)
			return
		}
	}
}

func (h *hearing) versionMissing() {
	if h.e.typ == "RUN_STARTED" && h.Revision == "1.0" && h.e.root.get("protocolVersion") == nil {
		severity := I
		if h.StrictVersion {
			severity = E
		}
		h.blame("version-missing", h.e.index, severity)
	}
}

// outcomeOf is the outcome of a RUN_FINISHED, absent meaning success; "" for one that is not known.
func (e *entry) outcome() string {
	o := e.root.get("outcome")
	if o == nil || o.sort == 'n' {
		return "success"
	}
	switch t, _ := o.str("type"); {
	case t == "cancelled" && e.revision == "0.x":
		return ""
	case t == "success", t == "interrupt", t == "cancelled":
		return t
	}
	return ""
}

func (e *entry) interrupts() []*node {
	if l := e.root.get("outcome").get("interrupts"); e.typ == "RUN_FINISHED" && e.outcome() == "interrupt" && l.is('[') {
		return l.list
	}
	return nil
}

func emptyInterrupts(e *entry) bool {
	l := e.root.get("outcome").get("interrupts")
	return e.typ == "RUN_FINISHED" && e.outcome() == "interrupt" && l.is('[') && len(l.list) == 0
}

func (e *entry) pendingNamed() []string {
	var out []string
	if l := e.root.get("outcome").get("pendingToolCallIds"); e.typ == "RUN_FINISHED" && e.outcome() == "success" && l.is('[') {
		for _, n := range l.list {
			out = append(out, n.text)
		}
	}
	return out
}

func callIds(openers []*entry) []string {
	var out []string
	for _, e := range openers {
		it, _ := itemOf(e)
		out = append(out, it.id)
	}
	return out
}

// usage lists the entries; what is no object is none.
func (e *entry) usage() (entries []*node) {
	l := e.root.get("usage")
	if e.typ != "RUN_FINISHED" && e.typ != "RUN_ERROR" || !l.is('[') {
		return nil
	}
	for _, u := range l.list {
		if u.is('{') {
			entries = append(entries, u)
		}
	}
	return entries
}

func wrongSums(u *node) bool {
	// A count that is absent or no valid count is not there.
	count := func(name string) (int64, bool) {
		n := u.get(name)
		if n == nil || len(whole(0)(n, "")) > 0 {
			return 0, false
		}
		v, _, _ := n.integer()
		return v, true
	}
	in, hasIn := count("inputTokens")
	out, hasOut := count("outputTokens")
	total, hasTotal := count("totalTokens")
	reasoning, _ := count("reasoningTokens")
	cached, _ := count("cachedInputTokens")
	written, _ := count("cacheWriteInputTokens")
	return hasIn && hasOut && hasTotal && total != in+out || hasOut && reasoning > out || hasIn && cached+written > in
}

// --- the request ---

// requested: the run is the one that the request asked for.
func (j *judge) requested(run history) bool {
	return len(run) > 0 && j.asks(run[0])
}

func (j *judge) asks(started *entry) bool {
	want, ok := j.request.str("runId")
	return ok && started.typ == "RUN_STARTED" && started.id("runId") == want
}

// asksAbout: this is the requested run, and an assistant message of the request has the call.
func (h *hearing) asksAbout(call string) bool {
	return h.request != nil && h.requested(h.seen) && slices.ContainsFunc(messagesIn(h.request.get("messages")), func(m message) bool {
		return slices.ContainsFunc(m.calls(), func(c *node) bool {
			id, ok := c.str("id")
			return ok && id == call
		})
	})
}

func (j *judge) requestMismatch() {
	h := j.past.accepted()
	for i := len(h) - 1; i >= 0 && j.request != nil; i-- {
		if h[i].typ == "RUN_STARTED" {
			for _, name := range []string{"runId", "threadId"} {
				if want, ok := j.request.str(name); ok && h[i].id(name) != want {
					j.blame("request-mismatch", h[i].index, E)
					return
				}
			}
			return
		}
	}
}

func (j *judge) frontendTool(name string) bool {
	for _, t := range j.frontendTools() {
		if n, ok := t.str("name"); ok && n == name {
			return true
		}
	}
	return false
}

// frontendTools are the tools that the request lists by a name.
func (j *judge) frontendTools() (tools []*node) {
	l := j.request.get("tools")
	if !l.is('[') {
		return nil
	}
	for _, t := range l.list {
		if _, named := t.str("name"); named {
			tools = append(tools, t)
		}
	}
	return tools
}

// frontendCall: a call that this run made to a listed tool.
func (h *hearing) frontendCall(id string, among []*entry) bool {
	return slices.ContainsFunc(among, func(o *entry) bool {
		it, _ := itemOf(o)
		return it.id == id && h.frontendTool(o.id("toolCallName"))
	})
}

func (h *hearing) answersFrontend() bool {
	made := h.run.callsMade()
	switch h.e.typ {
	case "TOOL_CALL_RESULT":
		return h.frontendCall(h.e.id("toolCallId"), made)
	case "MESSAGES_SNAPSHOT":
		for _, m := range h.e.messages() {
			carried := slices.ContainsFunc(messagesIn(h.request.get("messages")), func(r message) bool { return r.id == m.id })
			if c, ok := m.root.str("toolCallId"); m.role == "tool" && ok && !carried && h.frontendCall(c, made) {
				return true
			}
		}
	}
	return false
}

func (h *hearing) interruptsForFrontend() bool {
	ins := h.e.interrupts()
	open := h.run.unanswered()
	for _, in := range ins {
		if c, ok := in.str("toolCallId"); !ok || !h.frontendCall(c, open) {
			return false
		}
	}
	return len(ins) > 0
}

// --- state and activities ---

// tryable: a patch that is malformed is a matter of structure and is not tried.
func tryable(e *entry, name string) bool {
	p := e.root.get(name)
	if e.revision == "0.x" {
		return p.is('[')
	}
	for _, f := range schema10.types[e.typ](e.root, "") {
		if (f.path == name || strings.HasPrefix(f.path, name+".")) && f.code != "unknown-variant" {
			return false
		}
	}
	return true
}

func appliesTo(doc *node, e *entry, name string) bool {
	_, ok := applyPatch(doc, e.root.get(name), e.revision != "0.x")
	return ok
}

// patched is doc after the event's patch; a patch that fails changes nothing.
func patched(doc *node, e *entry, name string) *node {
	if tryable(e, name) {
		if out, ok := applyPatch(doc, e.root.get(name), e.revision != "0.x"); ok {
			return out
		}
	}
	return doc
}

// patchedActivity is the content after the event's patch; nil if it does not apply.
func patchedActivity(doc *node, e *entry) *node {
	out, ok := applyPatch(doc, e.root.get("patch"), e.revision != "0.x")
	if !ok {
		return nil
	}
	return out
}

// state after the accepted events of h; nil while it is not known.
func (j *judge) state(h history) *node {
	var doc *node
	from := func(input *node, revision string) {
		doc = input.get("state")
		if doc == nil || doc.sort == 'n' && revision == "1.0" { // where null is at fault it reads as absent
			doc = &node{sort: '{'}
		}
	}
	for _, e := range h {
		switch e.typ {
		case "RUN_STARTED":
			if in := e.echo(); in != nil {
				from(in, e.revision)
			} else if j.request != nil && j.asks(e) {
				from(j.request, e.revision)
			}
		case "STATE_SNAPSHOT":
			doc = e.root.get("snapshot")
		case "STATE_DELTA":
			if doc != nil {
				doc = patched(doc, e, "delta")
			}
		}
	}
	return doc
}

// activity: the content of an activity after h (nil if it is not an object, so
// not known), and whether the stream has introduced it.
func (h history) activity(id string) (doc *node, known bool) {
	object := func(n *node) *node {
		if n.is('{') {
			return n
		}
		return nil
	}
	for _, e := range h {
		switch e.typ {
		case "ACTIVITY_SNAPSHOT":
			if e.id("messageId") == id && (!known || replaces(e)) {
				doc, known = object(e.root.get("content")), true
			}
		case "ACTIVITY_DELTA":
			if e.id("messageId") == id && doc != nil && tryable(e, "patch") {
				if out := patchedActivity(doc, e); out.is('{') {
					doc = out
				}
			}
		case "MESSAGES_SNAPSHOT":
			any := false
			for _, m := range e.messages() {
				if m.role != "activity" {
					continue
				}
				if !any {
					any = true
					doc, known = nil, false // a snapshot with activities drops those it leaves out
				}
				if m.id == id {
					doc, known = object(m.root.get("content")), true
				}
			}
		}
	}
	return doc, known
}
