package agui

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// A step is known by its owner and name: two agents may run steps of one name at once, and neither
// can end the other's.
type step struct {
	item item
	name *stepName
	at   int // position among its name's open steps
}

type stepKey struct {
	owner *agent
	name  string
}

// stepName has the open steps of one name, to say whose a step is that nobody here has open.
type stepName struct {
	run  int // the run that open is of
	open []*step
}

func (m *machine) step(name []byte) *step {
	if s, ok := m.steps[stepKey{m.writer(), string(name)}]; ok {
		return s
	}
	id := m.remember(name)
	n := m.stepNames[id]
	if n == nil {
		n = &stepName{}
		m.stepNames[id] = n
	}
	s := &step{item: item{kind: stepKind, id: id}, name: n}
	m.steps[stepKey{m.writer(), id}] = s
	return s
}

func (m *machine) stepStarted(e *event.Event) (dropped bool) {
	s := m.step(e.Text(event.StepName))
	if m.On(rules.DuplicateStartStep) && s.item.isOpen() && m.blameStart(rules.DuplicateStartStep, &s.item) {
		return true
	}
	m.closeLane(m.lane)
	m.opened(&s.item, m.writer(), false)
	s.name.add(s, m.run)
	return false
}

func (m *machine) stepFinished(e *event.Event) (dropped bool) {
	name := e.Text(event.StepName)
	s := m.steps[stepKey{m.writer(), string(name)}]
	if s == nil || !s.item.isOpen() {
		if m.blameStep(name, s) {
			return true
		}
	}
	m.closeLane(m.lane)
	if s != nil && s.item.isOpen() {
		m.closed(&s.item)
		s.name.remove(s)
	}
	return false
}

func (m *machine) blameStep(name []byte, s *step) (dropped bool) {
	other := m.stepNames[string(name)].in(m.run)
	if other != nil && m.On(rules.NotOpenStepOtherOwner) {
		return m.Blame(rules.NotOpenStepOtherOwner, verifier.Fault{
			ID: string(name), Entity: entity(stepKind, string(name)), Cause: &other.item.opener,
			Detail: fmt.Sprintf("step %q is open for %s, not for %s; a step's end carries the tag of its start",
				verifier.Shown(string(name)), other.item.owner.shown(), m.writer().shown()),
		})
	}
	var it *item
	if s != nil {
		it = &s.item
	}
	return m.On(rules.NotOpenStep) && m.blameNotOpen(rules.NotOpenStep, stepKind, name, it)
}

func (n *stepName) add(s *step, run int) {
	if n.run != run {
		n.run, n.open = run, n.open[:0]
	}
	s.at = len(n.open)
	n.open = append(n.open, s)
}

func (n *stepName) remove(s *step) {
	last := n.open[len(n.open)-1]
	n.open[s.at], last.at = last, s.at
	n.open = n.open[:len(n.open)-1]
}

// in returns a step of that name that is open in the run; nil without one.
func (n *stepName) in(run int) *step {
	if n == nil || n.run != run || len(n.open) == 0 {
		return nil
	}
	return n.open[0]
}
