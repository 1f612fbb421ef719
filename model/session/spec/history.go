package spec

import (
	"slices"
	"strings"
)

// The history: the records that were accepted so far, in order. A record that was dropped is not in it.
type history []*entry

// after returns what comes after the last record that ok picks; all of h where there is none.
func (h history) after(ok func(*entry) bool) history {
	for i := len(h) - 1; i >= 0; i-- {
		if ok(h[i]) {
			return h[i+1:]
		}
	}
	return h
}

// last is the last record that ok picks, nil without one.
func (h history) last(ok func(*entry) bool) *entry {
	for i := len(h) - 1; i >= 0; i-- {
		if ok(h[i]) {
			return h[i]
		}
	}
	return nil
}

func (h history) any(ok func(*entry) bool) bool { return h.last(ok) != nil }

func (h history) all(ok func(*entry) bool) history {
	var out history
	for _, e := range h {
		if ok(e) {
			out = append(out, e)
		}
	}
	return out
}

// before is what came before e, which is in h.
func (h history) before(e *entry) history { return h[:slices.Index(h, e)] }

func is(types ...string) func(*entry) bool {
	return func(e *entry) bool { return e.dir == "stdout" && slices.Contains(types, e.typ) }
}

// session is what happened since the last replacement: a new session starts fresh.
func (h history) session() history { return h.after((*entry).replaced) }

// --- runs, turns, messages ---

// run is the open run from its agent_start on, nil where none is open.
func (h history) run() history {
	for i := len(h) - 1; i >= 0; i-- {
		switch e := h[i]; {
		case e.is("agent_start"):
			return h[i:]
		case e.is("agent_end") || e.cuts():
			return nil
		}
	}
	return nil
}

func boundary(e *entry) bool {
	return is("agent_start", "agent_end", "turn_start", "turn_end")(e) || e.cuts()
}

// turn is the open turn from its turn_start on, nil where none is open.
func (h history) turn() history {
	if b := h.last(boundary); b != nil && b.is("turn_start") {
		return h[slices.Index(h, b):]
	}
	return nil
}

// scope is what came since the last beginning or end of a turn or run.
func (h history) scope() history { return h.after(boundary) }

// turns are the closed turns of a run, each with its turn_end. A turn that another replaced is none.
func (h history) turns() []history {
	var out []history
	from := -1
	for i, e := range h {
		switch {
		case e.is("turn_start"):
			from = i
		case e.is("turn_end") && from >= 0:
			out = append(out, h[from:i+1])
			from = -1
		}
	}
	return out
}

// message is the start of the open message, nil where none is open. A custom message outside of turns
// stays open across their borders, any other ends with its turn.
func (h history) message() *entry {
	for i := len(h) - 1; i >= 0; i-- {
		switch e := h[i]; {
		case e.is("message_end") || e.replaced():
			return nil
		case e.is("message_start"):
			if !e.outside && h[i:].any(boundary) {
				return nil
			}
			return e
		}
	}
	return nil
}

// assistants are the assistant messages of a turn that were ended.
func (h history) assistants() history {
	return h.all(func(e *entry) bool { return e.ends("assistant") && !e.outside })
}

// assistant is the turn's assistant message, nil where none was ended.
func (h history) assistant() *node {
	if e := h.last(func(e *entry) bool { return e.ends("assistant") && !e.outside }); e != nil {
		return e.root.get("message")
	}
	return nil
}

// inputs are the messages of a turn that are neither the assistant's nor a tool's.
func (h history) inputs() history {
	return h.all(func(e *entry) bool {
		return e.is("message_start") && !e.outside && e.role() != "assistant" && e.role() != "toolResult"
	})
}

// sent are the messages that were ended in a turn or run, in order.
func (h history) sent() []*node {
	var out []*node
	for _, e := range h {
		if e.is("message_end") && !e.outside {
			out = append(out, e.root.get("message"))
		}
	}
	return out
}

func failed(message *node) bool {
	s := message.text1("stopReason")
	return s == "error" || s == "aborted"
}

// calls are the tool calls of an assistant message; those of an id that comes twice are left alone.
func calls(message *node) []*node {
	var out []*node
	for _, b := range message.items("content") {
		if b.text1("type") == "toolCall" && !twice(message, b.text1("id")) {
			out = append(out, b)
		}
	}
	return out
}

func callOf(message *node, id string) *node {
	for _, c := range calls(message) {
		if c.text1("id") == id {
			return c
		}
	}
	return nil
}

// before are the calls of an assistant message before that one.
func before(message *node, id string) []*node {
	all := calls(message)
	return all[:max(0, slices.IndexFunc(all, func(c *node) bool { return c.text1("id") == id }))]
}

func hasCalls(message *node) bool {
	return slices.ContainsFunc(message.items("content"), func(b *node) bool { return b.text1("type") == "toolCall" })
}

// twice reports whether an assistant message has two calls of that id.
func twice(message *node, id string) bool {
	n := 0
	for _, b := range message.items("content") {
		if b.text1("type") == "toolCall" && b.text1("id") == id {
			n++
		}
	}
	return n > 1 && id != "" // a call that was cut off may have none yet
}

// --- tools: questions asked of the scope of a turn ---

// toolStart is the last start of a tool.
func (h history) toolStart(id string) *entry {
	return h.last(func(e *entry) bool { return e.is("tool_execution_start") && e.tool() == id })
}

// toolEnd is the end of a tool since it last started.
func (h history) toolEnd(id string) *entry {
	e := h.last(func(e *entry) bool { return is("tool_execution_start", "tool_execution_end")(e) && e.tool() == id })
	if e != nil && e.is("tool_execution_end") {
		return e
	}
	return nil
}

// toolOpen is the start of a tool that has not ended since.
func (h history) toolOpen(id string) *entry {
	e := h.last(func(e *entry) bool { return is("tool_execution_start", "tool_execution_end")(e) && e.tool() == id })
	if e != nil && e.is("tool_execution_start") {
		return e
	}
	return nil
}

// openTools are the starts of the tools that are open.
func (h history) openTools() history {
	return h.all(func(e *entry) bool { return e.is("tool_execution_start") && h.toolOpen(e.tool()) == e })
}

// updated reports whether a tool had an update since that start of it.
func (h history) updated(start *entry) bool {
	return h[slices.Index(h, start):].any(func(e *entry) bool { return e.is("tool_execution_update") && e.tool() == start.tool() })
}

// result is the start of the toolResult message of a tool, after something that asks for it: the assistant
// message, or a start.
func (h history) result(id string) *entry {
	asked := func(e *entry) bool {
		return e.ends("assistant") && !e.outside || e.is("tool_execution_start") && e.tool() == id
	}
	return h.last(func(e *entry) bool {
		return e.starts("toolResult") && e.root.text1("message", "toolCallId") == id && h.before(e).any(asked)
	})
}

// outcome says of a turn that did not fail whether some tool of it ended (nested calls, where there are any, left out), and whether all that ended said terminate.
func (h history) outcome(nested bool) (tools, terminate bool) {
	m := h.assistant()
	ends := h.all(func(e *entry) bool {
		return e.is("tool_execution_end") && !(nested && e.nested()) && !twice(m, e.tool())
	})
	tools = !failed(m) && len(ends) > 0
	return tools, tools && !ends.any(func(e *entry) bool { return !e.root.yes("result", "terminate") })
}

// --- recovery, queue ---

// openRetry is the auto_retry_start that no auto_retry_end followed.
func (h history) openRetry() *entry {
	e := h.session().last(is("auto_retry_start", "auto_retry_end"))
	if e != nil && e.is("auto_retry_start") {
		return e
	}
	return nil
}

func (h history) openCompaction() *entry {
	e := h.session().last(is("compaction_start", "compaction_end"))
	if e != nil && e.is("compaction_start") {
		return e
	}
	return nil
}

// unsettled reports whether a run ended and no agent_settled came since.
func (h history) unsettled() bool {
	e := h.session().last(is("agent_end", "agent_settled"))
	return e != nil && e.is("agent_end")
}

// A change is what a queue_update did.
type change struct {
	kind string // same added removed cleared jump
	list string // steering followUp, where one item was added or removed
	text string
	last bool // nothing is left where there was one item: it may have been cleared, too
}

// queue is what is queued.
func (h history) queue() (steering, followUp []string) {
	e := h.session().last(is("queue_update"))
	if e == nil {
		return nil, nil
	}
	return texts(e.root.items("steering")), texts(e.root.items("followUp"))
}

func texts(list []*node) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.text)
	}
	return out
}

// change says what the queue_update e did to the queue of h.
func (h history) change(e *entry) change {
	s0, f0 := h.queue()
	s1, f1 := texts(e.root.items("steering")), texts(e.root.items("followUp"))
	sameS, sameF := slices.Equal(s0, s1), slices.Equal(f0, f1)
	last := len(s0)+len(f0) == 1
	switch {
	case sameS && sameF:
		return change{kind: "same"}
	case sameF && len(s1) > 0 && slices.Equal(s0, s1[:len(s1)-1]):
		return change{kind: "added", list: "steering", text: s1[len(s1)-1]}
	case sameS && len(f1) > 0 && slices.Equal(f0, f1[:len(f1)-1]):
		return change{kind: "added", list: "followUp", text: f1[len(f1)-1]}
	case sameF && lost(s0, s1) >= 0:
		return change{"removed", "steering", s0[lost(s0, s1)], last}
	case sameS && lost(f0, f1) >= 0:
		return change{"removed", "followUp", f0[lost(f0, f1)], last}
	case len(s1)+len(f1) == 0:
		return change{kind: "cleared"}
	}
	return change{kind: "jump"}
}

// lost is the place of the one item that b lacks of a, -1 where they differ otherwise.
func lost(a, b []string) int {
	if len(a) != len(b)+1 {
		return -1
	}
	for i := range a {
		if slices.Equal(slices.Delete(slices.Clone(a), i, i+1), b) {
			return i
		}
	}
	return -1
}

// removals are the queue_updates since the last record of a run that took one item out.
func (h history) removals() history {
	return h.after((*entry).ran).all(func(e *entry) bool {
		return e.is("queue_update") && h.before(e).change(e).kind == "removed"
	})
}

// carries reports whether a user message has that text; of one with images the text may say more.
func carries(message *node, text string) bool {
	if s, ok := message.str("content"); ok {
		return s == text
	}
	joined, images := "", false
	for _, b := range message.items("content") {
		joined += b.text1("text")
		images = images || b.text1("type") == "image"
	}
	return joined == text || images && strings.Contains(joined, text)
}
