package spec

import "slices"

// A hearing is one record before the court: the record, and the history before it.
type hearing struct {
	*judge
	e     *entry
	h     history
	cause *entry // of the clause that is being asked
}

// because names the record that explains the fault, if there is one.
func (h *hearing) because(e *entry) bool {
	h.cause = e
	return e != nil
}

// A clause: the code, the severities for pi-0.73, pi-0.80 and pi-1.x ("" = not judged), the class that it
// needs, when a record is at fault, whether that drops the record, and how often the end is at fault.
type clause struct {
	code    string
	s, e, x string
	needs   class
	drops   bool
	when    func(h *hearing) bool
	atEnd   func(past history, profile string) int

	// replaces picks the records that, where they are at fault, are blamed for nothing more.
	replaces func(e *entry) bool
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (c clause) severity(profile string) string {
	switch profile {
	case "pi-0.73":
		return c.s
	case "pi-0.80":
		return c.e
	}
	return c.x
}

// clauses are the rows of sections 4 and 5, in their order.
var clauses = slices.Concat(agentClauses, sessionClauses, rpcClauses, extClauses, hostClauses)

// note makes the marks of a record that is accepted.
func (h *hearing) note() {
	switch {
	case h.e.is("message_start"):
		h.e.outside = h.e.starts("custom") && h.h.turn() == nil
	case h.e.is("message_end"):
		h.e.of = h.h.message()
		h.e.outside = h.e.of != nil && h.e.of.outside
	case h.e.is("tool_execution_start"):
		h.e.joined = h.joins()
	case h.e.is("message_update"):
		h.e.of = h.h.message()
	}
}

func (h *hearing) x() bool     { return h.profile == "pi-1.x" }
func (h *hearing) early() bool { return h.profile == "pi-0.73" }

// ran reports whether the record is one that the agent rules look at.
func (h *hearing) ran() bool {
	switch {
	case h.e.dir != "stdout" || !runTypes[h.e.typ]:
		return false
	case h.e.is("message_start"):
		return h.e.role() != "custom" || h.h.turn() != nil
	case h.e.is("message_end"):
		m := h.h.message()
		return m == nil || !m.outside
	}
	return true
}

// nested reports whether a tool event belongs to a call inside a tool; only 1.x has those.
func (h *hearing) nested(e *entry) bool { return h.x() && e.nested() }

// tool reports whether the record is a tool event whose id the tool rules do not leave alone.
func (h *hearing) tool(types ...string) bool {
	return is(types...)(h.e) && !twice(h.h.scope().assistant(), h.e.tool())
}

// result is the id of the tool whose result message starts here.
func (h *hearing) result() (id string, ok bool) {
	if !h.e.starts("toolResult") {
		return "", false
	}
	id = h.e.root.text1("message", "toolCallId")
	return id, !twice(h.h.scope().assistant(), id)
}

// stale: the run that the record goes on with was cut by a replacement.
func (h *hearing) stale() bool {
	if !h.ran() || h.e.is("agent_start") || h.class < transcript {
		return false
	}
	b := h.h.last(func(e *entry) bool { return is("agent_start", "agent_end")(e) || e.cuts() })
	return b != nil && b.replaced() && h.h.before(b).run() != nil && h.because(b)
}

var agentClauses = []clause{
	{code: "nested-run", s: E, e: E, x: E, when: func(h *hearing) bool {
		run := h.h.run()
		return h.e.is("agent_start") && run != nil && h.because(run[0])
	}},
	{code: "stale-event", s: E, e: E, x: E, needs: transcript, drops: true, when: (*hearing).stale},
	{code: "not-open", s: E, e: E, x: E, drops: true, when: (*hearing).notOpen},
	{code: "run-cut", s: E, e: E, x: E, needs: stdout, when: func(h *hearing) bool {
		run := h.h.run()
		return h.e.cuts() && run != nil && h.because(run[0])
	}},
	{code: "turn-order", s: E, e: E, x: E, replaces: is("turn_start"), when: func(h *hearing) bool {
		turn := h.h.turn()
		switch {
		case h.e.is("turn_start"):
			return turn != nil && h.because(turn[0])
		case !h.e.is("agent_end"):
			return false
		case turn == nil:
			e := h.h.last((*entry).ran)
			return !e.is("turn_end")
		}
		h.because(turn[0])
		return !h.threw()
	}},
	{code: "open-at-turn-end", s: E, e: E, x: E, when: func(h *hearing) bool {
		if !h.e.is("turn_end") {
			return false
		}
		if m := h.h.message(); m != nil && !m.outside {
			return h.because(m)
		}
		m := h.h.scope().assistant()
		open := h.h.scope().openTools().all(func(e *entry) bool { return !twice(m, e.tool()) })
		return len(open) > 0 && h.because(open[0])
	}},
	{code: "message-overlap", s: E, e: E, x: E, replaces: is("message_start"), when: func(h *hearing) bool {
		return h.e.is("message_start") && h.because(h.h.message())
	}},
	{code: "message-changed", s: E, e: E, x: E, when: func(h *hearing) bool {
		if !h.e.is("message_end") {
			return false
		}
		start := h.h.message()
		now, then := h.e.root.get("message"), start.root.get("message")
		h.because(start)
		return h.e.role() != start.role() || h.e.role() != "assistant" && !equal(now.get("content"), then.get("content"))
	}},
	{code: "update-for-role", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.e.is("message_update") && h.h.message().role() != "assistant" && h.because(h.h.message())
	}},
	{code: "embedded-terminal", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.e.is("message_update") && h.h.message().role() == "assistant" && set("start done error")[h.e.root.text1("assistantMessageEvent", "type")]
	}},
	{code: "full-update", x: E, needs: stdout, when: func(h *hearing) bool {
		return h.e.is("message_update") && (h.e.root.has("message") || h.e.root.has("assistantMessageEvent", "partial"))
	}},
	{code: "late-input", s: E, e: E, x: E, when: func(h *hearing) bool {
		if !h.ran() || !(h.e.starts("user") || h.e.starts("system") || h.e.starts("custom")) {
			return false
		}
		return len(h.h.scope().assistants()) > 0 && h.because(h.h.scope().assistants()[0])
	}},
	{code: "second-assistant", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.e.starts("assistant") && len(h.h.scope().assistants()) > 0 && h.because(h.h.scope().assistants()[0])
	}},
	{code: "assistant-missing", s: E, e: E, x: E, when: func(h *hearing) bool {
		open := h.h.message()
		return h.e.is("turn_end") && h.h.scope().assistant() == nil && !(open != nil && open.starts("assistant"))
	}},
	{code: "tools-after-failure", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.tool("tool_execution_start", "tool_execution_update", "tool_execution_end") && failed(h.h.scope().assistant())
	}},
	{code: "tool-not-run", s: E, e: E, x: E, when: func(h *hearing) bool {
		m, turn := h.h.scope().assistant(), h.h.scope()
		return h.e.is("turn_end") && !failed(m) && slices.ContainsFunc(calls(m), func(c *node) bool {
			id := c.text1("id")
			return turn.toolStart(id) == nil || turn.toolEnd(id) == nil || turn.result(id) == nil
		})
	}},
	{code: "tool-unknown", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.tool("tool_execution_start") && !h.nested(h.e) && callOf(h.h.scope().assistant(), h.e.tool()) == nil
	}},
	{code: "tool-order", s: E, e: E, x: E, when: func(h *hearing) bool {
		if !h.tool("tool_execution_start") {
			return false
		}
		turn := h.h.scope()
		if before := turn.toolStart(h.e.tool()); before != nil {
			return h.because(before)
		}
		m := turn.assistant()
		if h.nested(h.e) || callOf(m, h.e.tool()) == nil {
			return false
		}
		for _, c := range calls(m) {
			if turn.toolStart(c.text1("id")) == nil {
				return c.text1("id") != h.e.tool()
			}
		}
		return false
	}},
	{code: "tool-call-changed", s: E, e: E, x: E, when: func(h *hearing) bool {
		turn := h.h.scope()
		switch {
		case h.tool("tool_execution_start"):
			c := callOf(turn.assistant(), h.e.tool())
			return c != nil && !h.nested(h.e) && (c.text1("name") != h.e.root.text1("toolName") || !equal(c.get("arguments"), h.e.root.get("args")))
		case h.tool("tool_execution_update"):
			s := turn.toolStart(h.e.tool())
			h.because(s)
			return s.root.text1("toolName") != h.e.root.text1("toolName") || !equal(s.root.get("args"), h.e.root.get("args"))
		case h.tool("tool_execution_end"):
			s := turn.toolStart(h.e.tool())
			h.because(s)
			return s.root.text1("toolName") != h.e.root.text1("toolName")
		}
		return false
	}},
	{code: "start-after-update", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.joins() && h.because(h.batch().last(func(s *entry) bool {
			return s.tool() != h.e.tool() && h.h.scope().toolOpen(s.tool()) == s && h.h.scope().updated(s)
		}))
	}},
	{code: "start-after-end", s: E, e: E, x: E, when: func(h *hearing) bool {
		return h.joins() && h.because(h.batch().last(func(s *entry) bool {
			turn := h.h.scope()
			return s.tool() != h.e.tool() && turn.toolOpen(s.tool()) == nil && h.worked(s) && turn.result(s.tool()) == nil
		}))
	}},
	{code: "result-before-end", s: E, e: E, x: E, when: func(h *hearing) bool {
		id, ok := h.result()
		if own := h.h.scope().toolStart(id); own != nil && h.nested(own) {
			return false
		}
		return ok && h.because(h.h.scope().openTools().last(func(s *entry) bool { return !h.nested(s) && callOf(h.h.scope().assistant(), s.tool()) != nil }))
	}},
	{code: "mixed-batch", s: E, e: E, x: E, when: func(h *hearing) bool {
		turn := h.h.scope()
		return h.joins() &&
			turn.any(func(e *entry) bool { return e.starts("toolResult") }) &&
			slices.ContainsFunc(before(turn.assistant(), h.e.tool()), func(c *node) bool { return turn.result(c.text1("id")) == nil })
	}},
	{code: "result-order", s: E, e: E, x: E, when: func(h *hearing) bool {
		id, ok := h.result()
		if turn := h.h.scope(); !ok || turn.toolStart(id) != nil && h.nested(turn.toolStart(id)) {
			return false
		}
		m := h.h.scope().assistant()
		if !failed(m) {
			for _, c := range calls(m) {
				if h.h.scope().result(c.text1("id")) == nil {
					return c.text1("id") != id
				}
			}
		}
		return true
	}},
	{code: "result-changed", s: E, e: E, x: E, when: func(h *hearing) bool {
		id, ok := h.result()
		end := h.h.scope().toolEnd(id)
		if !ok || !h.because(end) || h.nested(end) {
			return false
		}
		m := h.e.root.get("message")
		return m.text1("toolName") != end.root.text1("toolName") || !equal(m.get("isError"), end.root.get("isError")) ||
			!equal(m.get("content"), end.root.get("result", "content"))
	}},
	{code: "length-tool-ran", x: E, when: func(h *hearing) bool {
		m := h.h.scope().assistant()
		return m.text1("stopReason") == "length" && (h.tool("tool_execution_update") ||
			h.tool("tool_execution_end") && (h.e.root.no("isError") || h.e.root.has("durationMs")))
	}},
	{code: "nested-place", x: E, when: func(h *hearing) bool {
		turn := h.h.scope()
		switch id, result := h.result(); {
		case result:
			return turn.toolStart(id) != nil && turn.toolStart(id).nested() && h.because(turn.toolStart(id))
		case h.tool("tool_execution_start"):
			return h.e.nested() && turn.toolOpen(h.e.parent()) == nil
		case h.tool("tool_execution_end"):
			return h.because(turn.openTools().last(func(s *entry) bool { return s.nested() && s.parent() == h.e.tool() }))
		}
		return false
	}},
	{code: "duplicate-tool-id", s: E, e: E, x: E, when: func(h *hearing) bool {
		m := h.e.root.get("message")
		return h.e.ends("assistant") && slices.ContainsFunc(m.items("content"), func(b *node) bool {
			return b.text1("type") == "toolCall" && twice(m, b.text1("id"))
		})
	}},
	{code: "turn-summary", s: E, e: E, x: E, when: func(h *hearing) bool {
		if !h.e.is("turn_end") {
			return false
		}
		var results []*node
		for _, m := range h.h.scope().sent() {
			if m.text1("role") == "toolResult" {
				results = append(results, m)
			}
		}
		m := h.h.scope().assistant()
		return m != nil && !equal(m, h.e.root.get("message")) || !equalAll(results, h.e.root.items("toolResults"))
	}},
	{code: "turn-after-failure", s: E, e: E, x: E, when: func(h *hearing) bool {
		t := h.previous()
		return h.e.is("turn_start") && failed(t.assistant()) && h.because(t[len(t)-1])
	}},
	{code: "stopped-early", s: W, e: W, x: W, when: func(h *hearing) bool {
		tools, terminate := h.previous().outcome(h.x())
		return h.e.is("agent_end") && tools && !terminate
	}},
	{code: "turn-after-terminate", s: W, e: W, x: W, when: func(h *hearing) bool {
		tools, terminate := h.previous().outcome(h.x())
		return h.e.is("turn_start") && tools && terminate
	}},
	{code: "empty-turn", s: W, e: W, x: W, when: func(h *hearing) bool {
		if !h.e.starts("assistant") || h.h.turn() == nil {
			return false
		}
		turn := h.h.turn()
		closed := h.h.before(turn[0]).run().turns()
		if len(closed) == 0 || len(turn.inputs()) > 0 {
			return false
		}
		t := closed[len(closed)-1]
		since := h.h[slices.Index(h.h, t[0]):]
		return t.assistant() != nil && !hasCalls(t.assistant()) && !t.any(is("tool_execution_start")) && !since.any(is("entry_appended"))
	}},
	{code: "end-messages", s: E, e: E, x: E, when: func(h *hearing) bool {
		if !h.e.is("agent_end") {
			return false
		}
		sent, told := h.h.run().sent(), h.e.root.items("messages")
		if equalAll(sent, told) {
			return false
		}
		alone := len(told) == 1 && told[0].text1("role") == "assistant"
		if h.threw() {
			return !(alone && failed(told[0]))
		}
		t := h.previous()
		return !(alone && failed(told[0]) && t.assistant() != nil && equal(t.assistant(), told[0]))
	}},
	{code: "queue-left", s: E, e: E, x: E, when: func(h *hearing) bool {
		s, f := h.h.queue()
		t := h.h.turn()
		if t == nil {
			t = h.previous()
		}
		return h.e.is("agent_end") && !h.threw() && t != nil && !failed(t.assistant()) && len(s)+len(f) > 0 && h.because(h.h.last(is("queue_update")))
	}},
	{code: "follow-up-early", s: E, e: E, x: E, when: (*hearing).followsEarly},
}

// followsEarly: a follow-up leaves the queue too soon. Where it may have been cleared instead, that it was
// not shows at its user message.
func (h *hearing) followsEarly() bool {
	switch {
	case h.e.is("queue_update"):
		c := h.h.change(h.e)
		if c.kind != "removed" || c.list != "followUp" {
			return false
		}
		steering, _ := h.h.queue()
		return len(steering) > 0 || !h.cleared(h.e, c) && h.toolsGoOn(h.h)
	case h.e.starts("user"):
		return h.h.removals().any(func(r *entry) bool {
			past := h.h.before(r)
			c := past.change(r)
			then := &hearing{judge: &judge{profile: h.profile, class: r.class}, e: r, h: past}
			return c.list == "followUp" && then.cleared(r, c) && !h.clearedSince(r) && carries(h.e.root.get("message"), c.text) && h.toolsGoOn(past)
		})
	}
	return false
}

// toolsGoOn: a turn has begun after one whose tools do not all terminate, and has no answer yet.
func (h *hearing) toolsGoOn(past history) bool {
	if past.turn() == nil || past.scope().assistant() != nil {
		return false
	}
	t := h.previousOf(past.turn()[0])
	tools, terminate := t.outcome(h.x())
	return tools && !terminate && h.because(t[len(t)-1])
}

// notOpen: an end or a continuation of what is not open, or something outside of what it belongs in.
func (h *hearing) notOpen() bool {
	switch h.e.typ {
	case "agent_end", "turn_start":
		return h.e.dir == "stdout" && h.h.run() == nil
	case "turn_end":
		return h.e.dir == "stdout" && h.h.turn() == nil
	case "message_start":
		return h.e.dir == "stdout" && h.e.role() != "custom" && h.h.turn() == nil
	case "message_end", "message_update":
		return h.e.dir == "stdout" && h.h.message() == nil
	case "tool_execution_update", "tool_execution_end":
		return h.tool(h.e.typ) && h.h.scope().toolOpen(h.e.tool()) == nil
	case "auto_retry_end":
		return h.class >= stdout && h.e.dir == "stdout" && h.h.openRetry() == nil
	case "compaction_end":
		refused := h.e.root.text1("reason") == "overflow" && h.e.root.has("errorMessage")
		return h.class >= stdout && h.e.dir == "stdout" && h.h.openCompaction() == nil && !refused
	}
	return false
}

// threw: in 0.73 a stream function that throws ends the run after the inputs alone.
func (h *hearing) threw() bool {
	turn := h.h.turn()
	return h.early() && h.e.is("agent_end") && turn != nil && turn.assistant() == nil && h.h.message() == nil
}

// previous is the turn that ended last in the run, where none is open.
func (h *hearing) previous() history {
	if h.h.turn() != nil {
		return nil
	}
	return lastTurn(h.h.run())
}

// previousOf is the turn that ended last before a turn_start.
func (h *hearing) previousOf(start *entry) history { return lastTurn(h.h.before(start).run()) }

func lastTurn(run history) history {
	if turns := run.turns(); len(turns) > 0 {
		return turns[len(turns)-1]
	}
	return nil
}

// joins reports whether the record is the start of a call of the assistant message.
func (h *hearing) joins() bool {
	return h.tool("tool_execution_start") && !h.nested(h.e) && callOf(h.h.scope().assistant(), h.e.tool()) != nil
}

// batch are the starts of this turn's calls.
func (h *hearing) batch() history {
	return h.h.scope().all(func(e *entry) bool { return e.is("tool_execution_start") && e.joined })
}

// worked reports whether a tool that has ended did run: it had an update, no error or a duration.
func (h *hearing) worked(start *entry) bool {
	end := h.h.scope().toolEnd(start.tool())
	return end != nil && (h.h.scope().updated(start) || end.root.no("isError") || end.root.has("durationMs"))
}

// cleared reports whether the removal of the last item may have been a clear_queue.
func (h *hearing) cleared(removal *entry, c change) bool {
	if !c.last || !h.x() {
		return false
	}
	if h.class < transcript {
		return removal == h.e || h.clearedSince(removal)
	}
	before := h.h
	if removal != h.e {
		before = h.h.before(removal)
	}
	return slices.ContainsFunc(before.exchange().open, func(l *line) bool { return l.command() == "clear_queue" })
}

// clearedSince reports whether a clear_queue was answered after that record.
func (h *hearing) clearedSince(r *entry) bool {
	since := h.h.after(func(e *entry) bool { return e == r })
	return since.any(func(e *entry) bool { return e.is("response") && e.root.text1("command") == "clear_queue" })
}
