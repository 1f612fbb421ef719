package session

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A tool is a call of the turn, or a tool that has started without one.
type tool struct {
	id     string
	call   int // position among the calls of the message
	shared bool
	called given // by the message
	given  given // by its last start

	started, ended, resulted bool

	at       verifier.Place // of the start
	endedAt  verifier.Place
	nested   bool
	parent   *tool
	children int // nested ones that are open
	updates  bool
	ran      bool // it is known to have run: an update, no isError, or durationMs

	// Of the end.
	endName string
	isError bool
	content value.Sum
}

// given is what the model wants of a tool.
type given struct {
	name string
	args value.Sum
}

// noCall is the position of a tool that the message does not call.
const noCall = -1

func (c *tool) open() bool { return c.started && !c.ended }

// takeCalls lists the calls that the assistant's message makes. Where two have one id, its events cannot
// be told apart, and the rules leave that id alone.
func (m *machine) takeCalls(content []byte) {
	t := &m.turn
	for _, c := range t.calls {
		c.call = noCall // of another message of the turn, in whose place this one is
	}
	t.calls, t.started, t.answered, t.calling, t.updating, t.unreported = t.calls[:0], 0, 0, 0, 0, 0
	for _, b := range scan.EachElement(content) {
		if !says(scan.Member(b, "type"), "toolCall") {
			continue
		}
		id := string(text(scan.Member(b, "id")))
		c := t.byID[id]
		switch {
		case c == nil:
			c = &tool{id: id}
			t.byID[id] = c
		case c.call >= 0:
			if id != "" { // a call that was cut off has none yet
				m.shareID(c)
			}
			continue
		case c.open(): // it has started before its call was there
			t.calling++
			if c.updates {
				t.updating++
			}
		}
		c.called = given{string(text(scan.Member(b, "name"))), m.sumOf(scan.Member(b, "arguments"))}
		c.call, c.nested = len(t.calls), false
		t.calls = append(t.calls, c)
	}
	m.counted(len(t.byID))
	t.calls = slices.DeleteFunc(t.calls, func(c *tool) bool { return c.shared })
	for i, c := range t.calls {
		c.call = i
	}
}

func (m *machine) shareID(c *tool) {
	if m.On(rules.DuplicateToolID) {
		m.Blame(rules.DuplicateToolID, verifier.Fault{ID: c.id, Entity: "tool", Detail: fmt.Sprintf("two tool calls have the id %q", verifier.Shown(c.id))})
	}
	c.shared, c.resulted = true, true // so that nothing waits for it
	if c.open() {
		m.turn.left(c)
		c.ended = true
	}
}

// tool returns the tool of an event; nil where it is unknown. Shared is set where the rules leave it alone.
func (m *machine) tool(r *record.Record) (c *tool, id []byte, shared bool) {
	id = r.Text(record.ToolCallID)
	c = m.turn.byID[string(id)]
	return c, id, c != nil && c.shared
}

func (m *machine) toolStart(r *record.Record) {
	c, id, shared := m.tool(r)
	if !m.turn.open && c != nil && c.call >= 0 && !c.open() {
		c, shared = nil, false // it was one of a turn that has ended
	}
	m.accept(record.ToolStart, noRole)
	m.judgeAfterFailure("tool_execution_start")
	if shared {
		return
	}
	nested := m.profile == rules.Pi1x && r.Has(record.ParentToolCallID)
	var parent *tool
	if nested {
		parent = m.judgeParent(r)
	} else {
		m.judgeCall(c, id)
	}
	if m.On(rules.ToolOrderTwice) && c != nil && c.started {
		m.Blame(rules.ToolOrderTwice, verifier.Fault{ID: c.id, Entity: "tool", Cause: &c.at, Detail: fmt.Sprintf("tool %q started at record %d", verifier.Shown(c.id), c.at.Index)})
	}
	if c != nil && !nested && c.call >= 0 {
		m.judgeSame(r, c, &c.called, true)
		m.judgeBatch(c)
	}
	m.starts(r, c, parent, nested)
}

// judgeAfterFailure blames a tool event in a turn that has failed.
func (m *machine) judgeAfterFailure(what string) {
	if t := &m.turn; m.On(rules.ToolsAfterFailure) && t.open && t.failed {
		m.Blame(rules.ToolsAfterFailure, verifier.Fault{Entity: "turn", Cause: &t.saidAt, Detail: fmt.Sprintf("%s after the assistant message of record %d failed", what, t.saidAt.Index)})
	}
}

// judgeParent returns the parent of a nested start, and blames one that is not open.
func (m *machine) judgeParent(r *record.Record) *tool {
	id := r.Text(record.ParentToolCallID)
	parent := m.turn.byID[string(id)]
	if m.On(rules.NestedPlaceStart) && (parent == nil || !parent.open()) && (parent == nil || !parent.shared) {
		m.Blame(rules.NestedPlaceStart, verifier.Fault{ID: string(id), Entity: "tool", Pointer: r.Pointer(record.ParentToolCallID), Detail: fmt.Sprintf("the parent %q is not open", verifier.Shown(string(id)))})
	}
	return parent
}

// judgeCall judges whether a start has its call, and comes in the order of the calls.
func (m *machine) judgeCall(c *tool, id []byte) {
	t := &m.turn
	switch {
	case !t.open || !t.assistant:
		if m.On(rules.ToolUnknownEarly) {
			m.Blame(rules.ToolUnknownEarly, verifier.Fault{ID: string(id), Entity: "tool", Detail: fmt.Sprintf("tool %q starts before an assistant message has ended", verifier.Shown(string(id)))})
		}
	case c == nil || c.call < 0:
		if m.On(rules.ToolUnknown) && (c == nil || !c.started) {
			m.Blame(rules.ToolUnknown, verifier.Fault{ID: string(id), Entity: "tool", Cause: &t.saidAt, Detail: fmt.Sprintf("the assistant message of record %d does not call %q", t.saidAt.Index, verifier.Shown(string(id)))})
		}
	case m.On(rules.ToolOrder) && !c.started && t.nextStart() != c:
		m.Blame(rules.ToolOrder, verifier.Fault{ID: c.id, Entity: "tool", Cause: &t.saidAt, Detail: fmt.Sprintf("tool %q starts before %q, which was called first", verifier.Shown(c.id), verifier.Shown(t.nextStart().id))})
	}
}

// nextStart returns the first call that has not started; nil without one.
func (t *turn) nextStart() *tool {
	for t.started < len(t.calls) && t.calls[t.started].started {
		t.started++
	}
	if t.started == len(t.calls) {
		return nil
	}
	return t.calls[t.started]
}

// nextResult returns the first call without a result; nil without one.
func (t *turn) nextResult() *tool {
	for t.answered < len(t.calls) && t.calls[t.answered].resulted {
		t.answered++
	}
	if t.answered == len(t.calls) {
		return nil
	}
	return t.calls[t.answered]
}

// judgeSame compares an event's name, and its args, with what is known of its tool.
func (m *machine) judgeSame(r *record.Record, c *tool, before *given, args bool) {
	if name := r.Text(record.ToolName); m.On(rules.ToolCallChangedName) && string(name) != before.name {
		m.Blame(rules.ToolCallChangedName, verifier.Fault{
			ID: c.id, Entity: "tool", Pointer: r.Pointer(record.ToolName), Cause: m.source(c),
			Detail: fmt.Sprintf("tool %q has the name %q, before it was %q", verifier.Shown(c.id), verifier.Shown(string(name)), verifier.Shown(before.name)),
		})
		return
	}
	if args && m.On(rules.ToolCallChangedArgs) && m.sumOf(r.Value(record.Args)) != before.args {
		m.Blame(rules.ToolCallChangedArgs, verifier.Fault{
			ID: c.id, Entity: "tool", Pointer: r.Pointer(record.Args), Cause: m.source(c), Detail: fmt.Sprintf("tool %q has other args than before", verifier.Shown(c.id)),
		})
	}
}

// source is where a tool's name and args were given: its start, before that its call.
func (m *machine) source(c *tool) *verifier.Place {
	if c.started {
		return &c.at
	}
	return &m.turn.saidAt
}

// judgeBatch judges a start by the calls that came before it: a batch runs in parallel, all starts first,
// or one call after the other.
func (m *machine) judgeBatch(c *tool) {
	t, name := &m.turn, c.id
	updating, unreported := t.updating, t.unreported
	if c.open() && c.updates {
		updating--
	}
	if c.ended && c.ran && !c.resulted {
		unreported--
	}
	if m.On(rules.StartAfterUpdate) && updating > 0 {
		m.Blame(rules.StartAfterUpdate, verifier.Fault{ID: name, Entity: "tool", Cause: at(t.updatedAt), Detail: "a call before it is open and has sent updates"})
	}
	if m.On(rules.StartAfterEnd) && unreported > 0 {
		m.Blame(rules.StartAfterEnd, verifier.Fault{ID: name, Entity: "tool", Cause: at(t.endedAt), Detail: "a call before it has run and ended, and has no result yet"})
	}
	if next := t.nextResult(); m.On(rules.MixedBatch) && t.reported && next != nil && next.call < c.call {
		m.Blame(rules.MixedBatch, verifier.Fault{ID: name, Entity: "tool", Cause: m.source(next), Detail: fmt.Sprintf("a result was sent, but none of tool %q", verifier.Shown(next.id))})
	}
}

// starts opens a tool, whatever it was blamed for.
func (m *machine) starts(r *record.Record, c *tool, parent *tool, nested bool) {
	t := &m.turn
	if c == nil {
		c = &tool{id: string(r.Text(record.ToolCallID)), call: noCall}
		t.byID[c.id] = c
		m.counted(len(t.byID))
	}
	if !c.open() {
		c.nested = c.call < 0 && nested
		if t.running++; c.call >= 0 {
			t.calling++
		}
		if c.parent = parent; parent != nil {
			parent.children++
		}
		c.updates, c.ran = false, false
	}
	c.started, c.ended, c.at = true, false, *m.Place()
	c.given = given{string(r.Text(record.ToolName)), m.sumOf(r.Value(record.Args))}
}

func (m *machine) toolUpdate(r *record.Record) {
	c, id, shared := m.tool(r)
	if !shared && (c == nil || !c.open()) {
		m.blameTool(c, id, "tool_execution_update")
		return
	}
	m.accept(record.ToolUpdate, noRole)
	m.judgeAfterFailure("tool_execution_update")
	if shared {
		return
	}
	m.judgeSame(r, c, &c.given, true)
	if m.On(rules.LengthToolRanUpdate) && m.turn.open && m.turn.length {
		m.Blame(rules.LengthToolRanUpdate, verifier.Fault{ID: c.id, Entity: "tool", Cause: &m.turn.saidAt, Detail: fmt.Sprintf("tool %q has an update, although the message was cut", verifier.Shown(c.id))})
	}
	if !c.updates && c.call >= 0 {
		m.turn.updating++
		m.turn.updatedAt = *m.Place()
	}
	c.updates, c.ran = true, true
}

func (m *machine) blameTool(c *tool, id []byte, what string) {
	f := verifier.Fault{ID: string(id), Entity: "tool", Detail: fmt.Sprintf("%s of tool %q, which did not start", what, verifier.Shown(string(id)))}
	if c != nil && c.ended {
		f.Cause, f.Detail = &c.endedAt, fmt.Sprintf("%s of tool %q, which ended at record %d", what, verifier.Shown(c.id), c.endedAt.Index)
	}
	if m.On(rules.NotOpenTool) {
		m.Blame(rules.NotOpenTool, f)
	}
}

func (m *machine) toolEnd(r *record.Record) {
	c, id, shared := m.tool(r)
	if !shared && (c == nil || !c.open()) {
		m.blameTool(c, id, "tool_execution_end")
		return
	}
	m.accept(record.ToolEnd, noRole)
	m.judgeAfterFailure("tool_execution_end")
	if terminate := scan.Member(r.Value(record.Result), "terminate"); !shared && !c.nested {
		m.turn.ended = true
		m.turn.goesOn = m.turn.goesOn || !isTrue(terminate)
	}
	if shared {
		return
	}
	isError, duration := r.True(record.IsError), r.Has(record.DurationMs)
	m.judgeSame(r, c, &c.given, false)
	if m.On(rules.LengthToolRanEnd) && m.turn.open && m.turn.length && (!isError || duration) {
		m.Blame(rules.LengthToolRanEnd, verifier.Fault{ID: c.id, Entity: "tool", Cause: &m.turn.saidAt, Detail: fmt.Sprintf("tool %q has run, although the message was cut", verifier.Shown(c.id))})
	}
	if m.On(rules.NestedPlaceParent) && c.children > 0 {
		m.Blame(rules.NestedPlaceParent, verifier.Fault{ID: c.id, Entity: "tool", Cause: &c.at, Detail: fmt.Sprintf("tool %q ends while calls nested in it are open", verifier.Shown(c.id))})
	}
	m.ends(r, c, isError, duration)
}

func (m *machine) ends(r *record.Record, c *tool, isError, duration bool) {
	result := r.Value(record.Result)
	c.ended, c.endedAt = true, *m.Place()
	c.ran = c.ran || !isError || duration
	c.isError, c.endName = isError, string(r.Text(record.ToolName))
	c.content = m.sumOf(scan.Member(result, "content"))
	m.turn.left(c)
	if c.parent != nil {
		c.parent.children--
		c.parent = nil
	}
}

// left counts a tool that has ended.
func (t *turn) left(c *tool) {
	t.running--
	if c.call < 0 {
		return
	}
	t.calling--
	if c.updates {
		t.updating--
	}
	if c.ran && !c.resulted {
		t.unreported++
		t.endedAt = c.endedAt
	}
}

// reports notes that a call has its result.
func (t *turn) reports(c *tool) {
	if c.call >= 0 && c.ended && c.ran && !c.resulted {
		t.unreported--
	}
	c.resulted, t.reported = true, true
}

// judgeToolResult judges the message that carries a tool's result.
func (m *machine) judgeToolResult(r *record.Record) {
	msg, t := r.Value(record.Message), &m.turn
	id := text(scan.Member(msg, "toolCallId"))
	c := t.byID[string(id)]
	if c != nil && c.shared {
		return
	}
	if c != nil && c.nested {
		if m.On(rules.NestedPlaceResult) {
			m.Blame(rules.NestedPlaceResult, verifier.Fault{ID: c.id, Entity: "tool", Cause: &c.at, Detail: fmt.Sprintf("tool %q is nested, and its result is its parent's to give", verifier.Shown(c.id))})
		}
		return
	}
	m.judgeResultBeforeEnd(c)
	if next := t.nextResult(); m.On(rules.ResultOrder) && (t.failed || next == nil || next != c) {
		m.Blame(rules.ResultOrder, verifier.Fault{ID: string(id), Entity: "tool", Cause: &t.saidAt, Detail: fmt.Sprintf("the result of %q is not the next in the order of the calls", verifier.Shown(string(id)))})
	}
	if c != nil && c.ended {
		m.judgeResult(r, msg, c)
	}
}

// reports notes that a toolResult message gives the result of its call.
func (m *machine) reports(msg []byte) {
	t := &m.turn
	c := t.byID[string(text(scan.Member(msg, "toolCallId")))]
	switch {
	case c == nil:
		t.reported = true
	case !c.shared && !c.nested:
		t.reports(c)
	}
}

func (m *machine) judgeResultBeforeEnd(c *tool) {
	if !m.On(rules.ResultBeforeEnd) || m.turn.calling == 0 {
		return
	}
	open := c
	if c == nil || !c.open() || c.call < 0 {
		all := m.turn.openTools()
		open = all[slices.IndexFunc(all, func(c *tool) bool { return c.call >= 0 })]
	}
	m.Blame(rules.ResultBeforeEnd, verifier.Fault{ID: open.id, Entity: "tool", Cause: &open.at, Detail: fmt.Sprintf("a toolResult message while tool %q is open", verifier.Shown(open.id))})
}

// judgeResult compares a result with its tool's end.
func (m *machine) judgeResult(r *record.Record, msg []byte, c *tool) {
	p := r.Pointer(record.Message)
	for _, x := range []struct {
		clause verifier.ClauseID
		member string
		equal  bool
	}{
		{rules.ResultChangedName, "toolName", string(text(scan.Member(msg, "toolName"))) == c.endName},
		{rules.ResultChangedError, "isError", isTrue(scan.Member(msg, "isError")) == c.isError},
		{rules.ResultChangedContent, "content", m.sumOf(scan.Member(msg, "content")) == c.content},
	} {
		if m.On(x.clause) && !x.equal {
			m.Blame(x.clause, verifier.Fault{
				ID: c.id, Entity: "tool", Pointer: p + "/" + x.member, Cause: &c.endedAt, Detail: fmt.Sprintf("%s is not that of the tool's end at record %d", x.member, c.endedAt.Index),
			})
			return
		}
	}
}

// isTrue reports whether a JSON value is true.
func isTrue(json []byte) bool { return len(json) > 0 && json[0] == 't' }
