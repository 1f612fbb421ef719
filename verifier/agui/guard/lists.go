package guard

import (
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/scan"
)

// snapshot sets the owners of what it contains; other records stay.
func (m *Machine) snapshot(list []byte) {
	for l := range event.Listings(list) {
		o := listedOwner(&l)
		m.ownersOf(&l)[m.remember(string(l.ID))] = o
		for c := range l.Calls() {
			m.calls[m.remember(string(c.ID))] = o
			m.known[string(c.ID)] = true
		}
	}
}

// echo does the same for what is not yet recorded.
func (m *Machine) echo(input []byte) {
	for l := range event.Listings(scan.Member(input, event.Messages.String())) {
		o := listedOwner(&l)
		m.claim(m.ownersOf(&l), string(l.ID), o)
		for c := range l.Calls() {
			m.claim(m.calls, string(c.ID), o)
			m.known[string(c.ID)] = true
		}
	}
}

func listedOwner(l *event.Listing) owner {
	return owner{l.Tag != nil, string(l.Tag)}
}

func (m *Machine) ownersOf(l *event.Listing) map[string]owner {
	if l.Kind == event.ActivityMessage {
		return m.activities
	}
	return m.messages
}

// asksNothing reports whether an outcome is an interrupt with an empty list.
func asksNothing(outcome []byte) bool {
	list := event.Interrupts(outcome)
	return list != nil && event.IsEmptyArray(list)
}
