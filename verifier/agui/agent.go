package agui

import (
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// An agent is a subagent, known by its tag, or the parent agent. The record also holds the agent's
// lane and its invocation in the run.
type agent struct {
	id       string
	isParent bool
	lane     lane
	item     item // the invocation: open between SUBAGENT_STARTED and its end

	announced int // run whose SUBAGENT_STARTED named it
	ended     int // run that has closed it
	tagged    int // run of firstTag
	firstTag  verifier.Place
	firstType baseline.EventType
	lateTag   int // run in which tag-after-close was given
}

// agent returns the record of a tag.
func (m *machine) agent(tag []byte) *agent {
	if a, ok := m.agents[string(tag)]; ok {
		return a
	}
	a := &agent{id: m.remember(tag)}
	a.item = item{kind: subagentKind, id: a.id, owner: a}
	m.agents[a.id] = a
	return a
}

// shown names an owner for a detail.
func (a *agent) shown() string {
	if a.isParent {
		return "the parent agent"
	}
	return fmt.Sprintf("subagent %q", verifier.Shown(a.id))
}

// An owner is who an entity belongs to in one run.
type owner struct {
	agent *agent
	run   int
}

// in returns the owner recorded in a run; nil without one.
func (o owner) in(run int) *agent {
	if o.run != run {
		return nil
	}
	return o.agent
}

func (o *owner) set(a *agent, run int) { *o = owner{a, run} }

// claim records an owner unless there is one: the first writer owns.
func (o *owner) claim(a *agent, run int) {
	if o.run != run {
		o.set(a, run)
	}
}

// disagrees reports whether the event's tag names another owner than the recorded one.
func (m *machine) disagrees(o owner) bool {
	a := o.in(m.run)
	return m.tag != nil && a != nil && a != m.tag
}

// writer is who the event speaks for: its tag, else the parent agent.
func (m *machine) writer() *agent { return m.lane }

func (m *machine) blameOwner(c verifier.ClauseID, k kind, id string, has, named *agent, it *item) bool {
	f := verifier.Fault{
		ID: id, Entity: entity(k, id),
		Detail: fmt.Sprintf("%s %q belongs to %s, the event names %s", k, verifier.Shown(id), has.shown(), named.shown()),
	}
	if it != nil && it.run == m.run {
		f.Cause = &it.opener
	}
	return m.Blame(c, f)
}

// noteTag records the first event of the run that an agent is the tag of.
func (m *machine) noteTag(e *event.Event) {
	a := m.tag
	if a == nil {
		return
	}
	if a.tagged != m.run {
		a.tagged, a.firstTag, a.firstType = m.run, *m.Place(), e.Type
	}
	if m.On(rules.TagAfterClose) && a.ended == m.run && a.lateTag != m.run {
		a.lateTag = m.run
		m.Blame(rules.TagAfterClose, verifier.Fault{
			ID: a.id, Entity: entity(subagentKind, a.id),
			Detail: fmt.Sprintf("%s finished at event %d", a.shown(), a.item.ended),
		})
	}
}

func (m *machine) subagentStarted(e *event.Event) (dropped bool) {
	id := e.Text(event.SubagentRunID)
	if id == nil {
		return false
	}
	a := m.agent(id)
	if m.On(rules.DuplicateStartSubagent) && a.item.isOpen() && m.blameStart(rules.DuplicateStartSubagent, &a.item) {
		return true
	}
	if m.On(rules.DuplicateStartSubagentReused) && a.ended == m.run && !a.item.isOpen() && m.Blame(rules.DuplicateStartSubagentReused, verifier.Fault{
		ID: a.id, Entity: entity(subagentKind, a.id), Cause: &a.item.opener,
		Detail: fmt.Sprintf("%s already ran in this run, from event %d to %d", a.shown(), a.item.opener.Index, a.item.ended),
	}) {
		return true
	}
	if m.unknownParent(e, a) {
		return true
	}
	if m.On(rules.SubagentUnannounced) && a.tagged == m.run && a.announced != m.run {
		m.Blame(rules.SubagentUnannounced, verifier.Fault{
			ID: a.id, Entity: entity(subagentKind, a.id), At: &a.firstTag, Type: a.firstType.String(), Cause: m.Place(),
			Detail: fmt.Sprintf("tagged with %s, which is announced only at event %d", a.shown(), m.Place().Index),
		})
	}
	a.announced, a.ended = m.run, 0
	m.opened(&a.item, a, false)
	return false
}

func (m *machine) unknownParent(e *event.Event, a *agent) bool {
	id := e.Text(event.ParentSubagentRunID)
	if id == nil || !m.On(rules.UnknownParentSubagent) {
		return false
	}
	if p := m.agents[string(id)]; p != nil && p.announced == m.run {
		return false
	}
	return m.Blame(rules.UnknownParentSubagent, verifier.Fault{
		ID: string(id), Entity: entity(subagentKind, a.id), Pointer: "/" + event.ParentSubagentRunID.String(),
		Detail: fmt.Sprintf("no SUBAGENT_STARTED of this run named %q before", verifier.Shown(string(id))),
	})
}

func (m *machine) subagentEnds(e *event.Event) (dropped bool) {
	id := e.Text(event.SubagentRunID)
	if id == nil {
		return false
	}
	a := m.agents[string(id)]
	if m.On(rules.NotOpenSubagent) && (a == nil || !a.item.isOpen()) {
		var it *item
		if a != nil {
			it = &a.item
		}
		if m.blameNotOpen(rules.NotOpenSubagent, subagentKind, id, it) {
			return true
		}
	}
	if a == nil {
		return false
	}
	m.closeLane(a)
	if a.item.isOpen() {
		m.closed(&a.item)
	}
	a.ended = m.run
	if string(event.OutcomeType(e.Value(event.Outcome))) == "suspended" && !m.suspends {
		m.suspends, m.suspended = true, *m.Place()
	}
	return false
}
