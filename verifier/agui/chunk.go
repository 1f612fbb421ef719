package agui

import (
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// A lane is the parent agent's or a tag's. It holds one chunk item of any kind.
type lane struct {
	item *item // nil where the lane holds nothing
	pos  int   // among the machine's lanes

	// What the opener established; later chunks may only repeat it. Absence is a value.
	role, name, tool, parent string
	hasName, hasParent       bool
	message                  *message // of a text or reasoning item
	call                     *call    // of a tool call
}

// holds makes an item the chunk item of the event's lane. The lane is empty: opening closed it.
func (m *machine) holds(it *item) {
	a := m.lane
	a.lane.item, it.lane = it, a
	a.lane.pos = len(m.lanes)
	m.lanes = append(m.lanes, a)
}

// closeLane ends the chunk item that an agent's lane holds, if it holds one. That is never at fault.
func (m *machine) closeLane(a *agent) {
	l := &a.lane
	if l.item == nil {
		return
	}
	m.adviseChunkEnd(l)
	m.emptyLane(a)
}

// emptyLane takes a chunk item out of its lane without giving advice on it.
func (m *machine) emptyLane(a *agent) {
	l := &a.lane
	l.item.lane, l.item.ended, l.item = nil, m.Place().Index, nil
	last := m.lanes[len(m.lanes)-1]
	m.lanes[l.pos], last.lane.pos = last, l.pos
	m.lanes = m.lanes[:len(m.lanes)-1]
}

func (m *machine) closeLanes() {
	for len(m.lanes) > 0 {
		m.closeLane(m.lanes[len(m.lanes)-1])
	}
}

// emptyLanes is for a run that starts behind an end that was dropped, and so closed nothing.
func (m *machine) emptyLanes() {
	for len(m.lanes) > 0 {
		m.emptyLane(m.lanes[len(m.lanes)-1])
	}
}

// startsInOtherLane blames a START for an item that a chunk holds open in another lane. In its own
// lane a START closes the chunk item and reopens it.
func (m *machine) startsInOtherLane(it *item) (dropped bool) {
	if !m.On(rules.ChunkMixedOtherLane) || it == nil || it.lane == nil || it.lane == m.lane || m.unordered(it.kind) {
		return false
	}
	return m.Blame(rules.ChunkMixedOtherLane, verifier.Fault{
		ID: it.id, Entity: entity(it.kind, it.id), Cause: &it.opener,
		Detail: fmt.Sprintf("%s %q is being streamed as chunks of %s since event %d", it.kind, verifier.Shown(it.id), it.lane.shown(), it.opener.Index),
	})
}

// explicitForChunked blames content, arguments or an end for an item that chunks opened.
func (m *machine) explicitForChunked(it *item) (dropped bool) {
	if !m.On(rules.ChunkMixedExplicit) || !it.inChunks(m.run) || m.unordered(it.kind) {
		return false
	}
	return m.Blame(rules.ChunkMixedExplicit, verifier.Fault{
		ID: it.id, Entity: entity(it.kind, it.id), Cause: &it.opener,
		Detail: fmt.Sprintf("%s %q was opened by the chunk of event %d; only chunks may continue it", it.kind, verifier.Shown(it.id), it.opener.Index),
	})
}

// unordered: revision 0.x does not order reasoning.
func (m *machine) unordered(k kind) bool { return m.version.Early && k == reasoningKind }

// chunk expands one chunk and judges what it stands for: the continuation of a lane's item, or the
// opening of one.
func (m *machine) chunk(e *event.Event) (dropped bool) {
	k, id := chunkOf(e)
	if c, it := m.chunked(k, id); c != nil {
		if m.tag != nil && m.tag != c && m.On(rules.OwnerChunkLane) && m.blameLane(it, c) {
			return true
		}
		m.lane = c
		return m.continues(e, it)
	}
	if id == nil && m.tag == nil {
		a, ambiguous := m.untagged(k)
		if ambiguous && m.blameAmbiguous(k) {
			return true
		}
		m.lane = a
	}
	if held := m.lane.lane.item; held != nil && held.kind == k && id == nil {
		return m.continues(e, held)
	}
	return m.chunkOpens(e, k, id)
}

func chunkOf(e *event.Event) (k kind, id []byte) {
	switch e.Type {
	case baseline.ToolCallChunk:
		return callKind, e.Text(event.ToolCallID)
	case baseline.ReasoningMessageChunk:
		return reasoningKind, e.Text(event.MessageID)
	}
	return textKind, e.Text(event.MessageID)
}

// itemOf returns the item of a kind and id; nil where it was never open.
func (m *machine) itemOf(k kind, id []byte) *item {
	if k == callKind {
		if c := m.knownCall(id); c != nil {
			return c.item
		}
		return nil
	}
	msg := m.knownMessage(id)
	switch {
	case msg == nil:
		return nil
	case k == reasoningKind:
		return msg.reasoningItem
	}
	return msg.textItem
}

// chunked returns the lane that holds the item of that id, and the item.
func (m *machine) chunked(k kind, id []byte) (*agent, *item) {
	if id == nil {
		return nil, nil
	}
	it := m.itemOf(k, id)
	if it == nil || it.lane == nil {
		return nil, nil
	}
	return it.lane, it
}

// untagged finds the lane of a chunk without id and tag: the parent's if it holds the kind, else the
// only one that does, else the parent's.
func (m *machine) untagged(k kind) (a *agent, ambiguous bool) {
	if it := m.parent.lane.item; it != nil && it.kind == k {
		return &m.parent, false
	}
	for _, l := range m.lanes {
		switch {
		case l.lane.item.kind != k:
		case a != nil:
			return &m.parent, true
		default:
			a = l
		}
	}
	if a == nil {
		a = &m.parent
	}
	return a, false
}

func (m *machine) blameAmbiguous(k kind) (dropped bool) {
	return m.On(rules.ChunkAmbiguous) && m.Blame(rules.ChunkAmbiguous, verifier.Fault{
		Detail: fmt.Sprintf("several subagents have a %s open as chunks; without id or tag it cannot be told which one this continues", k),
	})
}

func (m *machine) blameLane(it *item, held *agent) (dropped bool) {
	return m.Blame(rules.OwnerChunkLane, verifier.Fault{
		ID: it.id, Entity: entity(it.kind, it.id), Cause: &it.opener,
		Detail: fmt.Sprintf("%s %q is being streamed in the lane of %s, the chunk names %s", it.kind, verifier.Shown(it.id), held.shown(), m.tag.shown()),
	})
}

// chunkOpens judges a chunk that has to open an item, and opens it.
func (m *machine) chunkOpens(e *event.Event, k kind, id []byte) (dropped bool) {
	if id == nil {
		return m.On(rules.ChunkFirstID) && m.Blame(rules.ChunkFirstID, verifier.Fault{
			Detail: fmt.Sprintf("no %s is open in the lane of %s, so this chunk opens one, and it has no id", k, m.lane.shown()),
		})
	}
	if k == callKind && m.On(rules.ChunkFirstToolName) && !e.Has(event.ToolCallName) && m.Blame(rules.ChunkFirstToolName, verifier.Fault{
		ID: string(id), Entity: entity(k, string(id)),
		Detail: fmt.Sprintf("tool call %q is not open, so this chunk opens it, and it has no toolCallName", verifier.Shown(string(id))),
	}) {
		return true
	}
	if it := m.itemOf(k, id); m.On(rules.ChunkMixedStarted) && it.isOpen() && m.Blame(rules.ChunkMixedStarted, verifier.Fault{
		ID: it.id, Entity: entity(k, it.id), Cause: &it.opener,
		Detail: fmt.Sprintf("%s was opened by the START of event %d; chunks may not continue it", it.shown(), it.opener.Index),
	}) {
		return true
	}
	return m.expand(e, k, id)
}

// expand opens the item and lets the chunk's own delta continue it.
func (m *machine) expand(e *event.Event, k kind, id []byte) (dropped bool) {
	l := &m.lane.lane
	var msg *message
	var c *call
	switch k {
	case textKind:
		msg = m.message(id)
		dropped = m.openText(e, msg, true)
	case reasoningKind:
		msg = m.message(id)
		dropped = m.openReasoning(msg, true)
	case callKind:
		c = m.call(id)
		dropped = m.openCall(e, c, true)
	}
	if dropped {
		return true
	}
	l.message, l.call = msg, c
	m.establish(l, e)
	m.feed(l, e)
	return false
}

// establish keeps what the opener says. The strings are shared and accounted for like ids.
func (m *machine) establish(l *lane, e *event.Event) {
	name, parent := e.Text(event.Name), e.Text(event.ParentMessageID)
	l.role, l.hasName, l.hasParent = event.DefaultRole, name != nil, parent != nil
	if role := e.Text(event.Role); role != nil {
		l.role = m.intern(role)
	}
	l.name, l.tool, l.parent = m.intern(name), m.intern(e.Text(event.ToolCallName)), m.intern(parent)
}

// feed hands a chunk's delta to what follows texts and arguments.
func (m *machine) feed(l *lane, e *event.Event) {
	if l.call != nil {
		m.hearArgs(l.call, e)
	} else {
		m.say(l.item, e)
	}
}

// continues judges a chunk for the item that its lane holds.
func (m *machine) continues(e *event.Event, it *item) (dropped bool) {
	l := &m.lane.lane
	o, c := m.liveOwner(l)
	if m.On(c) && m.disagrees(o) && m.blameOwner(c, it.kind, it.id, o.agent, m.tag, it) {
		return true
	}
	if m.disagreesWithOpener(e, l) {
		return true
	}
	m.feed(l, e)
	return false
}

// liveOwner is the owner record of a lane's item, with the clause that guards it.
func (m *machine) liveOwner(l *lane) (owner, verifier.ClauseID) {
	switch l.item.kind {
	case callKind:
		return l.call.owner, rules.OwnerToolCall
	case reasoningKind:
		return l.message.reasoningOwner, rules.OwnerReasoning
	}
	return l.message.owner, rules.OwnerText
}

func (m *machine) disagreesWithOpener(e *event.Event, l *lane) (dropped bool) {
	for _, x := range [...]struct {
		clause verifier.ClauseID
		field  event.Field
		was    string
		had    bool
	}{
		{rules.ChunkRole, event.Role, l.role, true},
		{rules.ChunkName, event.Name, l.name, l.hasName},
		{rules.ChunkToolName, event.ToolCallName, l.tool, true},
		{rules.ChunkParent, event.ParentMessageID, l.parent, l.hasParent},
	} {
		now := e.Text(x.field)
		if now == nil || x.had && string(now) == x.was || !m.On(x.clause) {
			continue
		}
		if m.Blame(x.clause, verifier.Fault{
			ID: l.item.id, Entity: entity(l.item.kind, l.item.id), Cause: &l.item.opener, Pointer: "/" + x.field.String(),
			Detail: fmt.Sprintf("%s is %s here; the chunk that opened %s %q at event %d established %s",
				x.field, shownText(now, true), l.item.kind, verifier.Shown(l.item.id), l.item.opener.Index, shownText([]byte(x.was), x.had)),
		}) {
			return true
		}
	}
	return false
}
