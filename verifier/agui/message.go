package agui

import (
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// A message is all that is known of one message id. Kind and description are the stream's, owners
// and items the run's.
type message struct {
	id         string
	kind       event.MessageKind
	introduced verifier.Place
	text       description

	textItem, reasoningItem, spanItem *item // nil until first opened

	owner          owner // as a text or tool message
	reasoningOwner owner // as a reasoning message or span, which share it
	activityOwner  owner

	activity       held                            // its content, where that is known
	known          bool                            // as an activity, by a snapshot
	activityListed int                             // number of the last list that held it as one
	listed         int                             // number of the last list that held it
	carried        [event.ActivityMessage + 1]int  // by kind: run whose snapshot held it with content
	requested      bool                            // the request held it
	streamed       [event.ActivityMessage + 1]bool // by kind: streamed-after-snapshot was given
}

// A description is what a reopening must agree with. Absence is a value.
type description struct {
	given      bool
	role, name string
	named      bool
	at         verifier.Place
}

// message returns the record of an id, made if need be.
func (m *machine) message(id []byte) *message {
	if msg := m.knownMessage(id); msg != nil {
		return msg
	}
	msg := &message{id: m.remember(id)}
	m.messages[msg.id] = msg
	return msg
}

// knownMessage returns the record of an id; nil without one. Most events are about the message of
// the one before.
func (m *machine) knownMessage(id []byte) *message {
	if last := m.lastMessage; last != nil && string(id) == last.id {
		return last
	}
	msg := m.messages[string(id)]
	if msg != nil {
		m.lastMessage = msg
	}
	return msg
}

// newItem returns an item that was never open.
func newItem(k kind, id string) *item { return &item{kind: k, id: id} }

// item returns the message's text or reasoning item, made if need be.
func (msg *message) item(k kind) *item {
	it := &msg.textItem
	if k == reasoningKind {
		it = &msg.reasoningItem
	}
	if *it == nil {
		*it = newItem(k, msg.id)
	}
	return *it
}

// setSaid tells a text or reasoning message what it said, as a list gives it.
func (msg *message) setSaid(k event.MessageKind, content []byte) {
	switch k {
	case event.TextMessage:
		msg.item(textKind).said.replace(content)
	case event.ReasoningMessage:
		msg.item(reasoningKind).said.replace(content)
	}
}

// hadSaid is setSaid for a message that has said nothing on the stream.
func (msg *message) hadSaid(k event.MessageKind, content []byte) {
	if k == event.TextMessage && msg.textItem.silent() || k == event.ReasoningMessage && msg.reasoningItem.silent() {
		msg.setSaid(k, content)
	}
}

func (it *item) silent() bool { return it == nil || it.said.whole.length+it.said.now.length == 0 }

func (m *machine) textStart(e *event.Event) (dropped bool) {
	msg := m.message(e.Text(event.MessageID))
	if m.startsInOtherLane(msg.textItem) || m.On(rules.DuplicateStartText) && msg.textItem.isOpen() && m.blameStart(rules.DuplicateStartText, msg.textItem) {
		return true
	}
	return m.openText(e, msg, false)
}

// openText opens a text message, by START or by chunk, once it is known not to be open.
func (m *machine) openText(e *event.Event, msg *message, chunk bool) (dropped bool) {
	if m.On(rules.OwnerText) && m.disagrees(msg.owner) &&
		m.blameOwner(rules.OwnerText, textKind, msg.id, msg.owner.agent, m.tag, msg.textItem) {
		return true
	}
	m.judgeReopened(e, msg)
	m.introduce(msg, event.TextMessage)
	m.judgeRestreamed(msg)
	m.adviseStreamed(msg, event.TextMessage)
	m.closeLane(m.lane)
	msg.item(textKind)
	msg.owner.claim(m.writer(), m.run)
	if !msg.text.given {
		msg.text = m.describe(e.Text(event.Role), e.Text(event.Name))
	}
	msg.textItem.said.open()
	m.opened(msg.textItem, msg.owner.agent, chunk)
	return false
}

// describe keeps a role and name. Roles are few and names rarely new: both are shared.
func (m *machine) describe(role, name []byte) description {
	d := description{given: true, role: event.DefaultRole, named: name != nil, at: *m.Place()}
	if role != nil {
		d.role = m.intern(role)
	}
	if name != nil {
		d.name = m.intern(name)
	}
	return d
}

func (m *machine) judgeReopened(e *event.Event, msg *message) {
	d := &msg.text
	if !d.given {
		return
	}
	role, name := e.Text(event.Role), e.Text(event.Name)
	if role == nil {
		role = []byte(event.DefaultRole)
	}
	if m.On(rules.ReopenRole) && string(role) != d.role {
		m.blameReopened(rules.ReopenRole, msg.id, textKind, &d.at, "role", shownText(role, true), shownText([]byte(d.role), true))
	}
	if m.On(rules.ReopenName) && !sameOptional(name, d.name, d.named) {
		m.blameReopened(rules.ReopenName, msg.id, textKind, &d.at, "name", shownText(name, name != nil), shownText([]byte(d.name), d.named))
	}
}

// sameOptional compares an optional string with one that was kept.
func sameOptional(now []byte, then string, had bool) bool {
	return (now != nil) == had && string(now) == then
}

func shownText(text []byte, given bool) string {
	if !given {
		return "none"
	}
	return fmt.Sprintf("%q", verifier.Shown(string(text)))
}

func (m *machine) blameReopened(c verifier.ClauseID, id string, k kind, at *verifier.Place, what, now, then string) {
	m.Blame(c, verifier.Fault{
		ID: id, Entity: entity(k, id), Cause: at,
		Detail: fmt.Sprintf("%s %q is reopened with %s %s; at event %d it was %s", k, verifier.Shown(id), what, now, at.Index, then),
	})
}

// introduce gives an id its kind, and blames one that has another.
func (m *machine) introduce(msg *message, k event.MessageKind) {
	if msg.kind == event.NoMessage {
		msg.kind, msg.introduced = k, *m.Place()
		return
	}
	if m.On(rules.MessageIDKind) && msg.kind != k {
		m.blameMessageID(rules.MessageIDKind, msg, fmt.Sprintf("message id %q is %s here; at event %d it was %s", verifier.Shown(msg.id), k, msg.introduced.Index, msg.kind))
	}
}

func (m *machine) blameMessageID(c verifier.ClauseID, msg *message, detail string) {
	m.Blame(c, verifier.Fault{ID: msg.id, Entity: fmt.Sprintf("message %q", verifier.Shown(msg.id)), Cause: &msg.introduced, Detail: detail})
}

func (m *machine) textContinues(e *event.Event) (dropped bool) {
	id := e.Text(event.MessageID)
	msg := m.knownMessage(id)
	var it *item
	if msg != nil {
		it = msg.textItem
	}
	if m.explicitForChunked(it) {
		return true
	}
	if m.On(rules.NotOpenText) && !it.isOpen() && m.blameNotOpen(rules.NotOpenText, textKind, id, it) {
		return true
	}
	if msg != nil && m.On(rules.OwnerText) && m.disagrees(msg.owner) &&
		m.blameOwner(rules.OwnerText, textKind, msg.id, msg.owner.agent, m.tag, it) {
		return true
	}
	m.spoken(e, it, e.Type == baseline.TextMessageContent)
	return false
}

// spoken applies content or an end to the item that it is for, where there is one.
func (m *machine) spoken(e *event.Event, it *item, content bool) {
	m.closeLane(m.lane)
	switch {
	case it == nil:
	case content:
		m.say(it, e)
	default:
		m.adviseRepeated(it)
		if it.isOpen() {
			m.closed(it)
		}
	}
}

func (m *machine) reasoningStart(e *event.Event) (dropped bool) {
	msg := m.message(e.Text(event.MessageID))
	if m.startsInOtherLane(msg.reasoningItem) ||
		m.On(rules.DuplicateStartReasoning) && msg.reasoningItem.isOpen() && m.blameStart(rules.DuplicateStartReasoning, msg.reasoningItem) {
		return true
	}
	return m.openReasoning(msg, false)
}

func (m *machine) openReasoning(msg *message, chunk bool) (dropped bool) {
	if m.reasoningDisagrees(msg, msg.reasoningItem, reasoningKind) {
		return true
	}
	m.introduce(msg, event.ReasoningMessage)
	m.judgeRestreamed(msg)
	m.adviseStreamed(msg, event.ReasoningMessage)
	m.closeLane(m.lane)
	msg.item(reasoningKind)
	msg.reasoningOwner.claim(m.writer(), m.run)
	msg.reasoningItem.said.open()
	m.openReasoningItem(msg.reasoningItem, msg.reasoningOwner.agent, chunk)
	return false
}

// openReasoningItem opens a span or reasoning message. Revision 0.x does not order them: there they
// are never open, only owned.
func (m *machine) openReasoningItem(it *item, owner *agent, chunk bool) {
	if !m.version.Early || chunk {
		m.opened(it, owner, chunk)
	}
}

func (m *machine) reasoningDisagrees(msg *message, it *item, k kind) (dropped bool) {
	return m.On(rules.OwnerReasoning) && m.disagrees(msg.reasoningOwner) &&
		m.blameOwner(rules.OwnerReasoning, k, msg.id, msg.reasoningOwner.agent, m.tag, it)
}

func (m *machine) reasoningContinues(e *event.Event) (dropped bool) {
	id := e.Text(event.MessageID)
	msg := m.knownMessage(id)
	var it *item
	if msg != nil {
		it = msg.reasoningItem
	}
	if m.explicitForChunked(it) {
		return true
	}
	if m.On(rules.NotOpenReasoning) && !m.version.Early && !it.isOpen() && m.blameNotOpen(rules.NotOpenReasoning, reasoningKind, id, it) {
		return true
	}
	if msg != nil && m.reasoningDisagrees(msg, it, reasoningKind) {
		return true
	}
	m.spoken(e, it, e.Type == baseline.ReasoningMessageContent)
	return false
}

// span judges REASONING_START and REASONING_END. Spans have ids of their own, but share the owners
// of reasoning messages.
func (m *machine) span(e *event.Event) (dropped bool) {
	msg := m.message(e.Text(event.MessageID))
	it, starts := msg.spanItem, e.Type == baseline.ReasoningStart
	switch {
	case starts && m.On(rules.DuplicateStartSpan) && it.isOpen() && m.blameStart(rules.DuplicateStartSpan, it):
		return true
	case !starts && m.On(rules.NotOpenSpan) && !m.version.Early && !it.isOpen() && m.blameNotOpen(rules.NotOpenSpan, spanKind, []byte(msg.id), it):
		return true
	case m.reasoningDisagrees(msg, it, spanKind):
		return true
	}
	m.closeLane(m.lane)
	if starts {
		if it == nil {
			msg.spanItem = newItem(spanKind, msg.id)
		}
		msg.reasoningOwner.claim(m.writer(), m.run)
		m.openReasoningItem(msg.spanItem, msg.reasoningOwner.agent, false)
	} else if it.isOpen() {
		m.closed(it)
	}
	return false
}

// encryptedValue must agree with the owner of what it names; what is unknown has none.
func (m *machine) encryptedValue(e *event.Event) (dropped bool) {
	id := e.Text(event.EntityID)
	k, has := callKind, owner{}
	switch subtype := e.Text(event.Subtype); string(subtype) {
	case "tool-call":
		if c := m.calls[string(id)]; c != nil {
			has = c.owner
		}
	case "message":
		if msg := m.messages[string(id)]; msg != nil {
			if k, has = textKind, msg.owner; has.in(m.run) == nil {
				k, has = reasoningKind, msg.reasoningOwner
			}
		}
	}
	return m.On(rules.OwnerEncrypted) && m.disagrees(has) &&
		m.blameOwner(rules.OwnerEncrypted, k, string(id), has.agent, m.tag, nil)
}

// intern keeps one copy of a short string that comes again and again.
func (m *machine) intern(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	if s, ok := m.strings[string(text)]; ok {
		return s
	}
	s := m.remember(text)
	m.strings[s] = s
	return s
}
