package agui

import (
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// A call is all that is known of one tool call id.
type call struct {
	id    string
	item  *item
	owner owner

	described bool // by the first accepted opener of the stream
	tool      string
	parent    string
	hasParent bool
	at        verifier.Place

	calls                               string // the tool, by the first opener of the run that made it last
	known                               int    // run that introduced it, by opener or list
	made                                int    // run that made it, by opener
	answered                            int    // run that had a result for it
	carried                             int    // run whose snapshot listed it with arguments
	requested                           bool   // the request lists it
	heard                               arguments
	streamedAfter, unadvertised, orphan bool // advice that was given
	parents                             int  // openings whose parent had not shown
}

func (m *machine) call(id []byte) *call {
	if c := m.knownCall(id); c != nil {
		return c
	}
	c := &call{id: m.remember(id)}
	m.calls[c.id] = c
	return c
}

// knownCall returns the record of an id; nil without one.
func (m *machine) knownCall(id []byte) *call {
	if last := m.lastCall; last != nil && string(id) == last.id {
		return last
	}
	c := m.calls[string(id)]
	if c != nil {
		m.lastCall = c
	}
	return c
}

func (m *machine) callStart(e *event.Event) (dropped bool) {
	c := m.call(e.Text(event.ToolCallID))
	if m.startsInOtherLane(c.item) || m.On(rules.DuplicateStartToolCall) && c.item.isOpen() && m.blameStart(rules.DuplicateStartToolCall, c.item) {
		return true
	}
	return m.openCall(e, c, false)
}

// openCall opens a tool call, by START or by chunk, once it is known not to be open.
func (m *machine) openCall(e *event.Event, c *call, chunk bool) (dropped bool) {
	parent := e.Text(event.ParentMessageID)
	owner, dropped := m.callOwner(c, parent)
	if dropped {
		return true
	}
	name := e.Text(event.ToolCallName)
	m.judgeCallReopened(c, name, parent)
	m.adviseParent(e, c, parent)
	m.adviseAdvertised(c, name)
	m.adviseCallStreamed(c)
	m.closeLane(m.lane)
	if !c.described {
		c.described, c.tool, c.parent, c.hasParent, c.at = true, m.intern(name), m.intern(parent), parent != nil, *m.Place()
	}
	if c.item == nil {
		c.item = newItem(callKind, c.id)
	}
	c.owner.set(owner, m.run)
	if c.made != m.run {
		m.made = append(m.made, c)
		c.calls = m.intern(name)
	}
	c.known, c.made = m.run, m.run
	m.opened(c.item, owner, chunk)
	return false
}

// callOwner works out whose a call is: its tag's, else its parent message's, else whose it was,
// else the parent agent's. It must not change, and tag and parent message must agree.
func (m *machine) callOwner(c *call, parent []byte) (owner *agent, dropped bool) {
	recorded := c.owner.in(m.run)
	var message *agent
	if msg := m.messages[string(parent)]; parent != nil && msg != nil {
		message = msg.owner.in(m.run)
	}
	if m.On(rules.OwnerToolParent) && m.tag != nil && message != nil && message != m.tag && m.Blame(rules.OwnerToolParent, verifier.Fault{
		ID: c.id, Entity: entity(callKind, c.id), Pointer: "/" + event.ParentMessageID.String(),
		Detail: fmt.Sprintf("the call is tagged with %s, its parent message %q belongs to %s", m.tag.shown(), verifier.Shown(string(parent)), message.shown()),
	}) {
		return nil, true
	}
	for _, owner = range [...]*agent{m.tag, message, recorded, &m.parent} {
		if owner != nil {
			break
		}
	}
	if m.On(rules.OwnerToolCall) && recorded != nil && recorded != owner &&
		m.blameOwner(rules.OwnerToolCall, callKind, c.id, recorded, owner, c.item) {
		return nil, true
	}
	return owner, false
}

func (m *machine) judgeCallReopened(c *call, name, parent []byte) {
	if !c.described {
		return
	}
	if m.On(rules.ReopenToolName) && string(name) != c.tool {
		m.blameReopened(rules.ReopenToolName, c.id, callKind, &c.at, "toolCallName", shownText(name, true), shownText([]byte(c.tool), true))
	}
	if m.On(rules.ReopenParent) && !sameOptional(parent, c.parent, c.hasParent) {
		m.blameReopened(rules.ReopenParent, c.id, callKind, &c.at, "parentMessageId", shownText(parent, parent != nil), shownText([]byte(c.parent), c.hasParent))
	}
}

func (m *machine) callContinues(e *event.Event) (dropped bool) {
	id := e.Text(event.ToolCallID)
	c := m.knownCall(id)
	var it *item
	if c != nil {
		it = c.item
	}
	if m.explicitForChunked(it) {
		return true
	}
	if m.On(rules.NotOpenToolCall) && !it.isOpen() && m.blameNotOpen(rules.NotOpenToolCall, callKind, id, it) {
		return true
	}
	if c == nil {
		return false
	}
	if m.On(rules.OwnerToolCall) && m.disagrees(c.owner) && m.blameOwner(rules.OwnerToolCall, callKind, c.id, c.owner.agent, m.tag, it) {
		return true
	}
	m.closeLane(m.lane)
	if e.Type == baseline.ToolCallArgs {
		m.hearArgs(c, e)
		return false
	}
	m.adviseArgs(c)
	if it.isOpen() {
		m.closed(it)
	}
	return false
}

func (m *machine) callResult(e *event.Event) {
	c, msg := m.call(e.Text(event.ToolCallID)), m.message(e.Text(event.MessageID))
	if m.On(rules.UnknownResultCall) && c.known != m.run && !m.isRequested(c) {
		m.Blame(rules.UnknownResultCall, verifier.Fault{
			ID: c.id, Entity: entity(callKind, c.id), Pointer: "/" + event.ToolCallID.String(),
			Detail: fmt.Sprintf("a result for %s %q, which this run did not introduce", callKind, verifier.Shown(c.id)),
		})
	}
	if m.On(rules.OutOfOrder) && (c.item.isOpen() || c.item != nil && c.item.lane != nil && c.item.lane != m.lane) {
		m.Blame(rules.OutOfOrder, verifier.Fault{
			ID: c.id, Entity: entity(callKind, c.id), Cause: &c.item.opener,
			Detail: fmt.Sprintf("the result of %s comes before its end", c.item.shown()),
		})
	}
	if m.On(rules.MessageIDResult) && msg.kind != event.NoMessage {
		m.blameMessageID(rules.MessageIDResult, msg, fmt.Sprintf("a result needs a message id of its own; %q was %s at event %d", verifier.Shown(msg.id), msg.kind, msg.introduced.Index))
	}
	m.judgeFrontendResult(c)
	m.closeLane(m.lane)
	if msg.kind == event.NoMessage {
		msg.kind, msg.introduced = event.ResultMessage, *m.Place()
	}
	msg.owner.set(m.writer(), m.run)
	c.answered = m.run
}
