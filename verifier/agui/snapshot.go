package agui

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// snapshot replaces what is known of the messages it contains.
func (m *machine) snapshot(e *event.Event) {
	m.closeLanes()
	m.lists++
	activities := false
	for l := range event.Listings(e.Value(event.Messages)) {
		msg := m.message(l.ID)
		m.judgeListed(msg, &l)
		m.judgeFrontendSnapshot(&l)
		m.applyListed(msg, &l)
		activities = activities || l.Kind == event.ActivityMessage
	}
	if activities {
		m.dropActivities()
	}
}

// judgeListed blames an id that stands twice in one snapshot, or changes its kind.
func (m *machine) judgeListed(msg *message, l *event.Listing) {
	switch {
	case msg.listed == m.lists:
		if m.On(rules.MessageIDList) {
			m.blameMessageID(rules.MessageIDList, msg, fmt.Sprintf("message id %q stands twice in one list", verifier.Shown(msg.id)))
		}
	case msg.kind != event.NoMessage && msg.kind != l.Kind && m.On(rules.MessageIDSnapshotKind):
		m.blameMessageID(rules.MessageIDSnapshotKind, msg, fmt.Sprintf("message %q is %s in the snapshot; at event %d it was %s", verifier.Shown(msg.id), l.Kind, msg.introduced.Index, msg.kind))
	}
}

func (m *machine) applyListed(msg *message, l *event.Listing) {
	msg.listed = m.lists
	if msg.kind == event.NoMessage {
		msg.kind, msg.introduced = l.Kind, *m.Place()
	}
	owner := m.ownerOf(l.Tag)
	switch l.Kind {
	case event.ReasoningMessage:
		msg.reasoningOwner.set(owner, m.run)
	case event.ActivityMessage:
		msg.activityOwner.set(owner, m.run)
		msg.activityListed = m.lists
		m.setActivity(msg, l.Content)
	default:
		msg.owner.set(owner, m.run)
	}
	if l.Kind == event.TextMessage {
		msg.text = m.describe(l.Role, l.Name)
	}
	if l.HasContent() {
		msg.carried[l.Kind] = m.run
	}
	msg.setSaid(l.Kind, l.Content)
	for listed := range l.Calls() {
		c := m.call(listed.ID)
		c.owner.set(owner, m.run)
		c.known = m.run
		if len(listed.Arguments) > 0 {
			c.carried = m.run
		}
	}
}

func (m *machine) ownerOf(tag []byte) *agent {
	if tag == nil {
		return &m.parent
	}
	return m.agent(tag)
}

// echo seeds what a run's own input carried, for what is not yet known: owners of this run, kinds
// and descriptions of the stream. It sets the state anew.
func (m *machine) echo(input []byte) {
	if len(input) == 0 || input[0] != '{' {
		return
	}
	m.lists++
	for l := range event.Listings(scan.Member(input, event.Messages.String())) {
		msg := m.message(l.ID)
		if msg.listed == m.lists && m.On(rules.MessageIDList) {
			m.blameMessageID(rules.MessageIDList, msg, fmt.Sprintf("message id %q stands twice in one list", verifier.Shown(msg.id)))
		}
		m.applyEchoed(msg, &l)
	}
	m.baseState(scan.Member(input, "state"))
}

func (m *machine) applyEchoed(msg *message, l *event.Listing) {
	msg.listed = m.lists
	if msg.kind == event.NoMessage {
		msg.kind, msg.introduced = l.Kind, *m.Place()
	}
	msg.hadSaid(l.Kind, l.Content)
	owner := m.ownerOf(l.Tag)
	switch l.Kind {
	case event.ReasoningMessage:
		msg.reasoningOwner.claim(owner, m.run)
	case event.ActivityMessage:
		msg.activityOwner.claim(owner, m.run)
	default:
		msg.owner.claim(owner, m.run)
	}
	if l.Kind == event.TextMessage && !msg.text.given {
		msg.text = m.describe(l.Role, l.Name)
	}
	for listed := range l.Calls() {
		c := m.call(listed.ID)
		c.owner.claim(owner, m.run)
		c.known = m.run
	}
}
