package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A role is who a message is from.
type role uint8

const (
	noRole role = iota
	otherRole
	userRole
	assistantRole
	toolResultRole
	systemRole
	customRole
)

var roles = map[string]role{"user": userRole, "assistant": assistantRole, "toolResult": toolResultRole, "system": systemRole, "custom": customRole}

func roleOf(message []byte) role {
	name := text(scan.Member(message, "role"))
	if known := roles[string(name)]; known != noRole || name == nil {
		return known
	}
	return otherRole
}

// A message is the one that is open.
type message struct {
	open    bool
	at      verifier.Place
	role    role
	name    string // of a role that has none of the names above
	content value.Sum
	outside bool // a custom message that belongs to no turn
}

func (m *machine) closeMessage() {
	if m.message.open && m.message.role == assistantRole {
		m.stream.Forget()
	}
	m.message = message{}
}

func (m *machine) messageStart(r *record.Record) {
	msg := r.Value(record.Message)
	who := roleOf(msg)
	outside := who == customRole && !m.turn.open
	if !m.turn.open && !outside {
		m.blameNotOpen(rules.NotOpenTurn, "message", "", "a message outside of a turn")
		return
	}
	switch {
	case m.message.open:
		if m.On(rules.MessageOverlap) {
			m.Blame(rules.MessageOverlap, verifier.Fault{Entity: "message", Cause: at(m.message.at), Detail: fmt.Sprintf("the message of record %d is still open", m.message.at.Index)})
		}
	case !outside:
		m.judgeInput(who, r)
		if m.queue.leaving.pending {
			m.judgeLeft(who, msg)
		}
		m.accept(record.MessageStart, who)
	}
	if !outside {
		m.begins(who, msg)
	}
	m.closeMessage()
	m.message = message{open: true, at: *m.Place(), role: who, outside: outside}
	if who == assistantRole {
		m.stream.Start()
		return
	}
	if who == otherRole {
		m.message.name = string(text(scan.Member(msg, "role")))
	}
	m.message.content = m.sumOf(scan.Member(msg, "content"))
}

// judgeInput judges whether a message of that role may begin here.
func (m *machine) judgeInput(who role, r *record.Record) {
	t := &m.turn
	if m.On(rules.LateInput) && t.assistant && (who == userRole || who == systemRole || who == customRole) {
		m.Blame(rules.LateInput, verifier.Fault{Entity: "message", Cause: &t.saidAt, Detail: fmt.Sprintf("an input after the assistant message of record %d", t.saidAt.Index)})
	}
	if m.On(rules.RetryWithInput) && who == userRole && m.run.retried && !m.leaves(r.Value(record.Message)) {
		m.Blame(rules.RetryWithInput, verifier.Fault{Entity: "message", Cause: &m.run.at, Detail: "a user message in a retried run that did not just leave the queue"})
	}
	if m.On(rules.SystemPlace) && who == systemRole && m.run.said {
		m.Blame(rules.SystemPlace, verifier.Fault{Entity: "message", Cause: &m.run.at, Detail: "a system message that is not the first of its run"})
	}
	switch who {
	case assistantRole:
		m.judgeAnswer()
	case toolResultRole:
		m.judgeToolResult(r)
	}
}

func (m *machine) judgeAnswer() {
	t, e := &m.turn, &m.run.ended
	if m.On(rules.SecondAssistant) && t.assistant {
		m.Blame(rules.SecondAssistant, verifier.Fault{Entity: "message", Cause: &t.saidAt, Detail: fmt.Sprintf("the turn has the assistant message of record %d", t.saidAt.Index)})
	}
	if m.On(rules.EmptyTurn) && e.spoke && !e.tools && t.inputs == 0 && !m.run.appended && !m.run.appendedBefore {
		m.Blame(rules.EmptyTurn, verifier.Fault{Entity: "turn", Cause: &e.at, Detail: "an answer to nothing: the turn has no input, and the one before had no tools"})
	}
	if m.On(rules.RestartWithoutCause) && m.run.unsettled && !m.run.answered && !m.rest.caused {
		m.Blame(rules.RestartWithoutCause, verifier.Fault{
			Entity: "run", Cause: &m.run.at, Detail: "the run began before agent_settled, and no retry, compaction, queued message or entry was its cause",
		})
	}
}

// begins notes that a message has begun in the turn, whatever it was blamed for.
func (m *machine) begins(who role, msg []byte) {
	m.run.last, m.run.lastRole = record.MessageStart, who
	m.queue.leaving.pending = false
	switch who {
	case assistantRole:
	case toolResultRole:
		m.reports(msg)
	default:
		m.turn.inputs++
	}
}

// enters notes that a message of the turn has ended. One that another has replaced is none.
func (m *machine) enters(who role) {
	m.run.said = true
	m.run.answered = m.run.answered || who == assistantRole
}

func (m *machine) messageUpdate(r *record.Record) {
	if !m.message.open {
		m.blameNotOpen(rules.NotOpenMessage, "message", "", "message_update without a message")
		return
	}
	m.accept(record.MessageUpdate, m.message.role)
	mine := m.message.role == assistantRole
	if m.On(rules.UpdateForRole) && !mine {
		m.Blame(rules.UpdateForRole, verifier.Fault{Entity: "message", Cause: at(m.message.at), Detail: fmt.Sprintf("the message of record %d is not the assistant's", m.message.at.Index)})
	}
	event := r.Value(record.AssistantEvent)
	if m.On(rules.FullUpdate) {
		m.judgeFull(r, event)
	}
	if !mine || event == nil {
		return
	}
	if k := m.stream.Update(event, r.Pointer(record.AssistantEvent)); m.On(rules.EmbeddedTerminal) && (k == assistant.Start || k == assistant.Terminal) {
		m.Blame(rules.EmbeddedTerminal, verifier.Fault{
			Entity: "message", Pointer: r.Pointer(record.AssistantEvent) + "/type", Cause: at(m.message.at),
			Detail: fmt.Sprintf("message_update carries %s", verifier.Shown(string(text(scan.Member(event, "type"))))),
		})
	}
}

func (m *machine) judgeFull(r *record.Record, event []byte) {
	var where, has string
	switch {
	case r.Has(record.Message):
		where, has = r.Pointer(record.Message), "the whole message"
	case r.Has(record.Partial):
		where, has = r.Pointer(record.Partial), "a partial"
	case scan.Member(event, "partial") != nil:
		where, has = r.Pointer(record.AssistantEvent)+"/partial", "a partial"
	default:
		return
	}
	m.Blame(rules.FullUpdate, verifier.Fault{Entity: "message", Pointer: where, Cause: at(m.message.at), Detail: "message_update has " + has})
}

func (m *machine) messageEnd(r *record.Record) {
	if !m.message.open {
		m.blameNotOpen(rules.NotOpenMessage, "message", "", "message_end without a message")
		return
	}
	msg := r.Value(record.Message)
	who := roleOf(msg)
	if !m.message.outside {
		m.accept(record.MessageEnd, who)
	}
	m.judgeChanged(r, who)
	began := m.message
	if began.role == assistantRole && who == assistantRole {
		m.stream.End(msg, r.Pointer(record.Message))
	}
	m.closeMessage()
	if began.outside {
		return
	}
	sum := m.sumOf(msg)
	m.run.messages = append(m.run.messages, sum)
	m.enters(who)
	switch who {
	case assistantRole:
		m.says(msg, sum)
	case toolResultRole:
		m.turn.results = append(m.turn.results, sum)
	}
}

func (m *machine) judgeChanged(r *record.Record, who role) {
	msg, began := r.Value(record.Message), &m.message
	changed := who != began.role || who == otherRole && string(text(scan.Member(msg, "role"))) != began.name
	if m.On(rules.MessageChangedRole) && changed {
		m.Blame(rules.MessageChangedRole, verifier.Fault{
			Entity: "message", Pointer: r.Pointer(record.Message) + "/role", Cause: at(began.at), Detail: fmt.Sprintf("the message of record %d has another role", began.at.Index),
		})
		return
	}
	if m.On(rules.MessageChangedContent) && !changed && who != assistantRole && m.sumOf(scan.Member(msg, "content")) != began.content {
		m.Blame(rules.MessageChangedContent, verifier.Fault{
			Entity: "message", Pointer: r.Pointer(record.Message) + "/content", Cause: at(began.at), Detail: fmt.Sprintf("the content is not that of record %d", began.at.Index),
		})
	}
}

// says takes the assistant message of the turn, with the calls that its content makes.
func (m *machine) says(msg []byte, sum value.Sum) {
	t := &m.turn
	reason := scan.Member(msg, "stopReason")
	t.assistant, t.said, t.saidAt = true, sum, *m.Place()
	t.failed, t.length = failed(reason), says(reason, "length")
	m.takeCalls(scan.Member(msg, "content"))
}
