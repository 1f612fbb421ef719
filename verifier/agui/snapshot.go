package agui

import (
	"bytes"
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// A listing is one message of a MESSAGES_SNAPSHOT or of an input echo, as far as rules read it.
type listing struct {
	raw       []byte
	id        []byte
	kind      messageKind
	role      []byte
	name      []byte
	tag       []byte
	toolCalls []byte
	answers   []byte // toolCallId
	content   []byte
}

// listings ranges over the messages of a list that rules can read. One of an unknown role is passed
// over, as a consumer does; malformed ones have been blamed.
func (m *machine) listings(list []byte) func(yield func(listing) bool) {
	return func(yield func(listing) bool) {
		if len(list) == 0 || list[0] != '[' {
			return
		}
		for _, v := range scan.EachElement(list) {
			if l, ok := readListing(v); ok && !yield(l) {
				return
			}
		}
	}
}

func readListing(v []byte) (l listing, ok bool) {
	if v[0] != '{' {
		return l, false
	}
	l.raw = v
	for name, value := range scan.EachMember(v) {
		switch {
		case scan.SameName(name, "id"):
			l.id = stringOf(value)
		case scan.SameName(name, event.Role.String()):
			l.role = stringOf(value)
		case scan.SameName(name, event.Name.String()):
			l.name = stringOf(value)
		case scan.SameName(name, event.SubagentRunID.String()):
			l.tag = stringOf(value)
		case scan.SameName(name, "toolCalls"):
			l.toolCalls = value
		case scan.SameName(name, event.ToolCallID.String()):
			l.answers = stringOf(value)
		case scan.SameName(name, event.Content.String()):
			l.content = value
		}
	}
	l.kind = kindOfRole(l.role)
	return l, l.id != nil && l.kind != noMessage
}

// kindOfRole says what kind of message a role stands for; a role that no message has stands for none.
func kindOfRole(role []byte) messageKind {
	if role == nil || !event.IsMessageRole(role) {
		return noMessage
	}
	switch string(role) {
	case "tool":
		return resultMessage
	case "reasoning":
		return reasoningMessage
	case "activity":
		return activityMessage
	}
	return textMessage
}

// calls ranges over the ids and arguments of the calls that an assistant message lists. The lists
// of other messages do not count.
func (l *listing) calls(yield func(id, arguments []byte)) {
	if string(l.role) != defaultRole || len(l.toolCalls) == 0 || l.toolCalls[0] != '[' {
		return
	}
	for _, v := range scan.EachElement(l.toolCalls) {
		if id := stringOf(scan.Member(v, "id")); id != nil {
			yield(id, stringOf(scan.Member(scan.Member(v, "function"), "arguments")))
		}
	}
}

// snapshot replaces what is known of the messages it contains.
func (m *machine) snapshot(e *event.Event) {
	m.closeLanes()
	m.lists++
	activities := false
	for l := range m.listings(e.Value(event.Messages)) {
		msg := m.message(l.id)
		m.judgeListed(msg, &l)
		m.judgeFrontendSnapshot(&l)
		m.applyListed(msg, &l)
		activities = activities || l.kind == activityMessage
	}
	if activities {
		m.dropActivities()
	}
}

// judgeListed blames an id that stands twice in one snapshot, or changes its kind.
func (m *machine) judgeListed(msg *message, l *listing) {
	switch {
	case msg.listed == m.lists:
		if m.On(rules.MessageIDList) {
			m.blameMessageID(rules.MessageIDList, msg, fmt.Sprintf("message id %q stands twice in one list", verifier.Shown(msg.id)))
		}
	case msg.kind != noMessage && msg.kind != l.kind && m.On(rules.MessageIDSnapshotKind):
		m.blameMessageID(rules.MessageIDSnapshotKind, msg, fmt.Sprintf("message %q is %s in the snapshot; at event %d it was %s", verifier.Shown(msg.id), l.kind, msg.introduced.Index, msg.kind))
	}
}

func (m *machine) applyListed(msg *message, l *listing) {
	msg.listed = m.lists
	if msg.kind == noMessage {
		msg.kind, msg.introduced = l.kind, *m.Place()
	}
	owner := m.ownerOf(l.tag)
	switch l.kind {
	case reasoningMessage:
		msg.reasoningOwner.set(owner, m.run)
	case activityMessage:
		msg.activityOwner.set(owner, m.run)
		msg.activityListed = m.lists
		m.setActivity(msg, l.content)
	default:
		msg.owner.set(owner, m.run)
	}
	if l.kind == textMessage {
		msg.text = m.describe(l.role, l.name)
	}
	if hasContent(l.content) {
		msg.carried = m.run
	}
	msg.said.replace(l.content)
	l.calls(func(id, arguments []byte) {
		c := m.call(id)
		c.owner.set(owner, m.run)
		c.known = m.run
		if len(arguments) > 0 {
			c.carried = m.run
		}
	})
}

func (m *machine) ownerOf(tag []byte) *agent {
	if tag == nil {
		return &m.parent
	}
	return m.agent(tag)
}

// hasContent reports whether a message's content says anything.
func hasContent(content []byte) bool {
	return len(content) > 2 && !bytes.Equal(content, []byte("null"))
}

// echo seeds what a run's own input carried, for what is not yet known: owners of this run, kinds
// and descriptions of the stream. It sets the state anew.
func (m *machine) echo(input []byte) {
	if len(input) == 0 || input[0] != '{' {
		return
	}
	m.lists++
	for l := range m.listings(scan.Member(input, event.Messages.String())) {
		msg := m.message(l.id)
		if msg.listed == m.lists && m.On(rules.MessageIDList) {
			m.blameMessageID(rules.MessageIDList, msg, fmt.Sprintf("message id %q stands twice in one list", verifier.Shown(msg.id)))
		}
		m.applyEchoed(msg, &l)
	}
	m.baseState(scan.Member(input, "state"))
}

func (m *machine) applyEchoed(msg *message, l *listing) {
	msg.listed = m.lists
	if msg.kind == noMessage {
		msg.kind, msg.introduced = l.kind, *m.Place()
		msg.said.replace(l.content)
	}
	owner := m.ownerOf(l.tag)
	switch l.kind {
	case reasoningMessage:
		msg.reasoningOwner.claim(owner, m.run)
	case activityMessage:
		msg.activityOwner.claim(owner, m.run)
	default:
		msg.owner.claim(owner, m.run)
	}
	if l.kind == textMessage && !msg.text.given {
		msg.text = m.describe(l.role, l.name)
	}
	l.calls(func(id, _ []byte) {
		c := m.call(id)
		c.owner.claim(owner, m.run)
		c.known = m.run
	})
}
