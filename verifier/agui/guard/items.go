package guard

import (
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// ownerClause, startClause and openClause are the clauses of each kind.
var (
	ownerClause = [...]verifier.ClauseID{rules.OwnerText, rules.OwnerReasoning, rules.OwnerReasoning, rules.OwnerToolCall}
	startClause = [...]verifier.ClauseID{rules.DuplicateStartText, rules.DuplicateStartReasoning, rules.DuplicateStartSpan,
		rules.DuplicateStartToolCall, rules.DuplicateStartStep, rules.DuplicateStartSubagent}
	openClause = [...]verifier.ClauseID{rules.NotOpenText, rules.NotOpenReasoning, rules.NotOpenSpan,
		rules.NotOpenToolCall, rules.NotOpenStep, rules.NotOpenSubagent}
)

func entity(k kind, id string) string { return fmt.Sprintf("%s %q", k, verifier.Shown(id)) }

// tagOf returns the event's attribution as an owner.
func tagOf(e *event.Event) owner {
	if tag := e.Tag(); tag != nil {
		return owner{true, string(tag)}
	}
	return owner{}
}

// recordCost is what a remembered id costs besides its bytes.
const recordCost = 256

func (m *Machine) remember(id string) string {
	if m.idBytes += len(id) + recordCost; m.idBytes > m.limits.IDBytes && m.exceeded == "" {
		m.exceeded = fmt.Sprintf("the ids and names to remember take more than %d bytes", m.limits.IDBytes)
	}
	return id
}

// disagrees reports whether a tag names another owner than the recorded one.
func disagrees(has owner, recorded bool, tag owner) bool { return recorded && tag.tagged && has != tag }

func (m *Machine) blameOwner(c verifier.ClauseID, what, id string, has, named owner, cause *verifier.Place) (dropped bool) {
	return m.Blame(c, verifier.Fault{
		ID: id, Entity: fmt.Sprintf("%s %q", what, verifier.Shown(id)), Cause: cause,
		Detail: fmt.Sprintf("%s %q belongs to %s, the event names %s", what, verifier.Shown(id), has, named),
	})
}

// owned judges a tag against a record of owners.
func (m *Machine) owned(c verifier.ClauseID, e *event.Event, what string, owners map[string]owner, id []byte) (dropped bool) {
	has, recorded := owners[string(id)]
	return m.On(c) && disagrees(has, recorded, tagOf(e)) && m.blameOwner(c, what, string(id), has, tagOf(e), nil)
}

// claim records an owner unless there is one: the first writer owns.
func (m *Machine) claim(owners map[string]owner, id string, o owner) owner {
	if has, ok := owners[id]; ok {
		return has
	}
	owners[m.remember(id)] = o
	return o
}

// tracks reports whether the guard knows what of this kind is open. The client's keeps no spans.
func (m *Machine) tracks(k kind) bool { return k != span || !m.client }

// start opens a text message, reasoning message or span.
func (m *Machine) start(e *event.Event, k kind, id []byte) (dropped bool) {
	if m.owned(ownerClause[k], e, k.String(), m.messages, id) || m.isOpen(key{kind: k, id: string(id)}) {
		return true
	}
	o := m.claim(m.messages, string(id), tagOf(e))
	m.opens(key{kind: k, id: string(id)}, o)
	return false
}

// isOpen blames an opener for what is open.
func (m *Machine) isOpen(k key) (dropped bool) {
	o := m.open[k]
	return o != nil && m.On(startClause[k.kind]) && m.Blame(startClause[k.kind], verifier.Fault{
		ID: k.id, Entity: entity(k.kind, k.id), Cause: &o.at, Detail: fmt.Sprintf("%s %q is open since event %d", k.kind, verifier.Shown(k.id), o.at.Index),
	})
}

func (m *Machine) opens(k key, o owner) {
	if m.tracks(k.kind) {
		m.remember(k.id)
		m.open[k] = &opening{o, *m.Place()}
	}
}

// continues judges content, arguments or an end against the owner at the time of opening.
func (m *Machine) continues(e *event.Event, k kind, id []byte, ends bool) (dropped bool) {
	if !m.tracks(k) {
		return ends && m.owned(ownerClause[k], e, k.String(), m.messages, id)
	}
	at := key{kind: k, id: string(id)}
	o := m.open[at]
	if o == nil {
		return m.On(openClause[k]) && m.Blame(openClause[k], verifier.Fault{
			ID: at.id, Entity: entity(k, at.id), Detail: fmt.Sprintf("%s %q is not open", k, verifier.Shown(at.id)),
		})
	}
	if m.On(ownerClause[k]) && disagrees(o.owner, true, tagOf(e)) && m.blameOwner(ownerClause[k], k.String(), at.id, o.owner, tagOf(e), &o.at) {
		return true
	}
	if ends {
		delete(m.open, at)
	}
	return false
}

func (m *Machine) callStart(e *event.Event) (dropped bool) {
	id := string(e.Text(event.ToolCallID))
	o, dropped := m.callOwner(e, id)
	if dropped || m.isOpen(key{kind: call, id: id}) {
		return true
	}
	m.claim(m.calls, id, o)
	m.known[id] = true
	m.opens(key{kind: call, id: id}, o)
	return false
}

// callOwner works out whose a call is: its tag's, else its parent message's, else whose it was,
// else the parent agent's. It must not change, and tag and parent message must agree.
func (m *Machine) callOwner(e *event.Event, id string) (o owner, dropped bool) {
	tag, parent := tagOf(e), e.Text(event.ParentMessageID)
	message, hasMessage := m.messages[string(parent)]
	hasMessage = hasMessage && parent != nil
	if m.On(rules.OwnerToolParent) && disagrees(message, hasMessage, tag) && m.Blame(rules.OwnerToolParent, verifier.Fault{
		ID: id, Entity: entity(call, id), Pointer: "/" + event.ParentMessageID.String(),
		Detail: fmt.Sprintf("the call is tagged with %s, its parent message %q belongs to %s", tag, verifier.Shown(string(parent)), message),
	}) {
		return o, true
	}
	recorded, hasRecord := m.calls[id]
	switch {
	case tag.tagged:
		o = tag
	case hasMessage:
		o = message
	case hasRecord:
		o = recorded
	}
	if m.On(rules.OwnerToolCall) && hasRecord && recorded != o && m.blameOwner(rules.OwnerToolCall, call.String(), id, recorded, o, nil) {
		return o, true
	}
	return o, false
}

func (m *Machine) result(e *event.Event) (dropped bool) {
	id := string(e.Text(event.ToolCallID))
	if m.On(rules.UnknownResultCall) && !m.known[id] && m.Blame(rules.UnknownResultCall, verifier.Fault{
		ID: id, Entity: entity(call, id), Detail: fmt.Sprintf("a result for %s %q, which the run did not introduce", call, verifier.Shown(id)),
	}) {
		return true
	}
	if o := m.open[key{kind: call, id: id}]; o != nil && m.On(rules.OutOfOrder) && m.Blame(rules.OutOfOrder, verifier.Fault{
		ID: id, Entity: entity(call, id), Cause: &o.at, Detail: fmt.Sprintf("the result of %s %q comes before its end", call, verifier.Shown(id)),
	}) {
		return true
	}
	m.messages[m.remember(string(e.Text(event.MessageID)))] = tagOf(e)
	return false
}

// messageChunk: a chunk with an id stands for a whole item. The client's guard makes nothing of it.
func (m *Machine) messageChunk(e *event.Event, k kind) (dropped bool) {
	id := e.Text(event.MessageID)
	if m.client || id == nil {
		return false
	}
	if m.owned(ownerClause[k], e, k.String(), m.messages, id) {
		return true
	}
	delete(m.open, key{kind: k, id: string(id)})
	m.claim(m.messages, string(id), tagOf(e))
	return false
}

func (m *Machine) callChunk(e *event.Event) (dropped bool) {
	id := e.Text(event.ToolCallID)
	if m.client || id == nil {
		return false
	}
	o, dropped := m.callOwner(e, string(id))
	if dropped {
		return true
	}
	delete(m.open, key{kind: call, id: string(id)})
	m.claim(m.calls, string(id), o)
	m.known[string(id)] = true
	return false
}

func (m *Machine) step(e *event.Event) (dropped bool) {
	k := key{kind: step, id: string(e.Text(event.StepName)), owner: tagOf(e)}
	if e.Type == baseline.StepStarted {
		if m.isOpen(k) {
			return true
		}
		m.opens(k, k.owner)
		return false
	}
	if m.open[k] == nil {
		return m.notOpenStep(k)
	}
	delete(m.open, k)
	return false
}

// notOpenStep tells a step that nobody has open from one that another owner has.
func (m *Machine) notOpenStep(k key) (dropped bool) {
	if o := m.stepOf(k.id); o != nil && m.On(rules.NotOpenStepOtherOwner) {
		return m.Blame(rules.NotOpenStepOtherOwner, verifier.Fault{
			ID: k.id, Entity: entity(step, k.id), Cause: &o.at,
			Detail: fmt.Sprintf("step %q is open for %s, not for %s; a step's end carries the tag of its start", verifier.Shown(k.id), o.owner, k.owner),
		})
	}
	return m.On(rules.NotOpenStep) && m.Blame(rules.NotOpenStep, verifier.Fault{
		ID: k.id, Entity: entity(step, k.id), Detail: fmt.Sprintf("step %q is not open", verifier.Shown(k.id)),
	})
}

// stepOf returns the step of that name that was opened first; nil without one. It looks through what
// is open: only a server that is at fault pays for it.
func (m *Machine) stepOf(name string) (first *opening) {
	for k, o := range m.open {
		if k.kind == step && k.id == name && (first == nil || o.at.Index < first.at.Index) {
			first = o
		}
	}
	return first
}

func (m *Machine) subagentStarted(e *event.Event) (dropped bool) {
	id, parent := string(e.Text(event.SubagentRunID)), e.Text(event.ParentSubagentRunID)
	k := key{kind: subagent, id: id}
	if m.isOpen(k) {
		return true
	}
	if m.announced[id] && m.On(rules.DuplicateStartSubagentReused) && m.Blame(rules.DuplicateStartSubagentReused, verifier.Fault{
		ID: id, Entity: entity(subagent, id), Detail: fmt.Sprintf("subagent %q already ran in this run", verifier.Shown(id)),
	}) {
		return true
	}
	if parent != nil && !m.announced[string(parent)] && m.On(rules.UnknownParentSubagent) && m.Blame(rules.UnknownParentSubagent, verifier.Fault{
		ID: string(parent), Entity: entity(subagent, id), Pointer: "/" + event.ParentSubagentRunID.String(),
		Detail: fmt.Sprintf("no SUBAGENT_STARTED of this run named %q before", verifier.Shown(string(parent))),
	}) {
		return true
	}
	m.announced[m.remember(id)] = true
	m.opens(k, owner{true, id})
	return false
}

func (m *Machine) subagentEnds(e *event.Event) (dropped bool) {
	k := key{kind: subagent, id: string(e.Text(event.SubagentRunID))}
	if m.open[k] == nil {
		return m.On(rules.NotOpenSubagent) && m.Blame(rules.NotOpenSubagent, verifier.Fault{
			ID: k.id, Entity: entity(subagent, k.id), Detail: fmt.Sprintf("subagent %q is not active", verifier.Shown(k.id)),
		})
	}
	delete(m.open, k)
	return false
}

func (m *Machine) activitySnapshot(e *event.Event) {
	id := string(e.Text(event.MessageID))
	if _, has := m.activities[id]; !has || !e.IsFalse(event.Replace) {
		m.activities[m.remember(id)] = tagOf(e)
	}
}

// encryptedValue must agree with the owner of what it names; what is unknown has none.
func (m *Machine) encryptedValue(e *event.Event) (dropped bool) {
	switch subtype := e.Text(event.Subtype); string(subtype) {
	case "tool-call":
		return m.owned(rules.OwnerEncrypted, e, call.String(), m.calls, e.Text(event.EntityID))
	case "message":
		return m.owned(rules.OwnerEncrypted, e, "message", m.messages, e.Text(event.EntityID))
	}
	return false
}
