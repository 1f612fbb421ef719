package agui

import (
	"fmt"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// unseen is a call whose parent message had not shown when it was opened.
type unseen struct {
	call   *call
	parent *message
	at     verifier.Place
	typ    baseline.EventType
}

// maxParents is how many different openings of one call are remembered for their parent.
const maxParents = 4

// adviseParent remembers a parent message that has not shown, to be asked for at the end.
func (m *machine) adviseParent(e *event.Event, c *call, parent []byte) {
	if parent == nil || c.parents == maxParents || !m.On(rules.ParentMessageUnseen) {
		return
	}
	msg := m.message(parent)
	if msg.kind == event.NoMessage && !msg.requested {
		c.parents++
		m.unseen = append(m.unseen, unseen{c, msg, *m.Place(), e.Type})
	}
}

func (m *machine) finishAdvice() {
	for i := range m.unseen {
		u := &m.unseen[i]
		if u.parent.kind == event.NoMessage && !u.call.orphan && m.On(rules.ParentMessageUnseen) {
			u.call.orphan = true
			m.Blame(rules.ParentMessageUnseen, verifier.Fault{
				ID: u.call.id, Entity: entity(callKind, u.call.id), At: &u.at, Type: u.typ.String(), Pointer: "/" + event.ParentMessageID.String(),
				Detail: fmt.Sprintf("message %q, the parent of tool call %q, never shows", verifier.Shown(u.parent.id), verifier.Shown(u.call.id)),
			})
		}
	}
}

func (m *machine) adviseStreamed(msg *message, as event.MessageKind) {
	if !m.On(rules.StreamedAfterSnapshot) || msg.carried[as] != m.run || msg.streamed[as] {
		return
	}
	msg.streamed[as] = true
	m.Blame(rules.StreamedAfterSnapshot, verifier.Fault{
		ID: msg.id, Entity: fmt.Sprintf("message %q", verifier.Shown(msg.id)),
		Detail: fmt.Sprintf("a snapshot of this run already gave message %q its content; what is streamed now is appended to it", verifier.Shown(msg.id)),
	})
}

func (m *machine) adviseCallStreamed(c *call) {
	if !m.On(rules.StreamedAfterSnapshot) || c.carried != m.run || c.streamedAfter {
		return
	}
	c.streamedAfter = true
	m.Blame(rules.StreamedAfterSnapshot, verifier.Fault{
		ID: c.id, Entity: entity(callKind, c.id),
		Detail: fmt.Sprintf("a snapshot of this run already gave tool call %q its arguments; what is streamed now is appended to them", verifier.Shown(c.id)),
	})
}

// custom closes its lane and gives advice on a name without a prefix, once for each name.
func (m *machine) custom(e *event.Event) {
	m.closeLane(m.lane)
	name := e.Text(event.Name)
	if !m.On(rules.CustomUnprefixed) || name == nil || strings.ContainsAny(string(name), ".:/") {
		return
	}
	if _, ok := m.customs[string(name)]; ok {
		return
	}
	m.customs[m.remember(name)] = struct{}{}
	m.Blame(rules.CustomUnprefixed, verifier.Fault{
		ID: string(name), Entity: "custom event", Pointer: "/" + event.Name.String(),
		Detail: fmt.Sprintf("%q has no prefix, as acme.%s would", verifier.Shown(string(name)), verifier.Shown(string(name))),
	})
}

// reservedKey is the metadata key that the protocol keeps for itself.
const reservedKey = "ag-ui"

func (m *machine) adviseMetadata(e *event.Event) {
	v := e.Value(event.Metadata)
	if v == nil || !m.On(rules.MetadataReserved) || scan.Member(v, reservedKey) == nil {
		return
	}
	m.Blame(rules.MetadataReserved, verifier.Fault{
		Pointer: "/" + event.Metadata.String() + "/" + reservedKey, Detail: fmt.Sprintf("the key %q is reserved for the protocol", reservedKey),
	})
}

// adviseFinish is about a RUN_FINISHED as a whole.
func (m *machine) adviseFinish(e *event.Event, outcome []byte) {
	typ := string(event.OutcomeType(outcome))
	if m.On(rules.SuspendedWithoutInterrupt) && m.suspends && typ != "interrupt" {
		m.Blame(rules.SuspendedWithoutInterrupt, verifier.Fault{Entity: "outcome", Cause: &m.suspended,
			Detail: fmt.Sprintf("a subagent was suspended at event %d, and the run does not end as an interrupt", m.suspended.Index)})
	}
	if result := e.Value(event.Result); m.On(rules.CancelledWithResult) && typ == "cancelled" && result != nil && string(result) != "null" {
		m.Blame(rules.CancelledWithResult, verifier.Fault{Entity: "outcome", Pointer: "/" + event.Result.String(),
			Detail: "the run was cancelled and carries a result"})
	}
	if !m.On(rules.PendingUnnamed) || typ != "success" && (typ != "" || e.Has(event.Outcome)) {
		return
	}
	named := scan.Member(outcome, "pendingToolCallIds")
	if pending := m.unanswered(); len(pending) > 0 && (len(named) == 0 || named[0] != '[' || event.IsEmptyArray(named)) {
		m.Blame(rules.PendingUnnamed, verifier.Fault{Entity: "pending tool calls", Pointer: "/outcome/pendingToolCallIds",
			Detail: "calls without a result: " + quoted(pending)})
	}
}
