package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A run is the agent's run that is open, or was last.
type run struct {
	open     bool
	at       verifier.Place
	messages []value.Sum // of each message_end, in order
	ended    ended       // its last turn
	last     record.Type // its last record
	lastRole role        // of that, where it is about a message

	said      bool // it has had a message
	answered  bool // it has had an assistant message
	unsettled bool // it began before the session had settled
	retried   bool // it began in a retry
	claimed   bool // a prompt was answered with started for it
	appended  bool // an entry was appended since the last turn began
	// appendedBefore is the same for the turn before.
	appendedBefore bool
}

// ended is what is known of a turn that has ended. The zero value is that of no turn.
type ended struct {
	at     verifier.Place
	some   bool // there was one
	failed bool // in error, or aborted
	spoke  bool // its assistant message is known
	tools  bool // it had tools
	goesOn bool // a tool's result does not terminate
	stops  bool // all results of tools terminate
}

func (m *machine) agentStart() {
	if m.On(rules.NestedRun) && m.run.open {
		m.Blame(rules.NestedRun, verifier.Fault{Entity: "run", Cause: &m.run.at, Detail: fmt.Sprintf("the run of record %d is still open", m.run.at.Index)})
	}
	m.judgeAnnounced()
	if m.On(rules.ContextEditMissing) && (m.retry.open || m.rest.compacted) && !m.rest.edited {
		m.Blame(rules.ContextEditMissing, verifier.Fault{Entity: "retry", Cause: at(m.rest.at), Detail: "the failed run is tried again without entry_appended(context_edit)"})
	}
	m.accept(record.AgentStart, noRole)
	m.endRun()
	m.run = run{
		open: true, at: *m.Place(), messages: m.run.messages[:0], last: record.AgentStart,
		unsettled: m.rest.unsettled, retried: m.retry.open, claimed: m.pipe.claim(),
	}
	m.replaced.cut = false
}

// endRun closes a run with all that is in it.
func (m *machine) endRun() {
	m.run.open = false
	m.closeTurn()
	if !m.message.outside {
		m.closeMessage()
	}
}

func (m *machine) agentEnd(r *record.Record) {
	if !m.run.open {
		m.blameNotOpen(rules.NotOpenRun, "run", "", "agent_end without a run")
		return
	}
	threw := m.judgeEndOfTurns()
	m.accept(record.AgentEnd, noRole)
	e := m.run.ended
	if m.On(rules.StoppedEarly) && !m.turn.open && !e.failed && e.goesOn {
		m.Blame(rules.StoppedEarly, verifier.Fault{Entity: "run", Cause: &e.at, Detail: "agent_end although not all results of the turn terminate"})
	}
	m.judgeEndMessages(r, threw)
	if m.On(rules.QueueLeft) && m.wentWell() && !threw && m.queue.len() > 0 {
		m.Blame(rules.QueueLeft, verifier.Fault{Entity: "queue", Cause: &m.queue.at, Detail: fmt.Sprintf("agent_end with %d queued messages", m.queue.len())})
	}
	m.rest.end(*m.Place(), r.True(record.WillRetry))
	m.endRun()
}

// wentWell reports whether the last turn of the run was neither in error nor aborted.
func (m *machine) wentWell() bool {
	if m.turn.open {
		return !m.turn.failed
	}
	return m.run.ended.some && !m.run.ended.failed
}

// judgeEndOfTurns blames an agent_end that does not follow a turn_end, and reports whether it is that of
// a 0.73 whose function that streams has thrown: behind the inputs alone, without turn_end.
func (m *machine) judgeEndOfTurns() (threw bool) {
	if m.turn.open {
		threw = m.profile == rules.Pi073 && !m.turn.assistant && !m.message.open
		if m.On(rules.TurnOrderInTurn) && !threw {
			m.Blame(rules.TurnOrderInTurn, verifier.Fault{Entity: "turn", Cause: &m.turn.at, Detail: fmt.Sprintf("agent_end while the turn of record %d is open", m.turn.at.Index)})
		}
		return threw
	}
	if m.On(rules.TurnOrderNoTurn) && m.run.last != record.TurnEnd {
		m.Blame(rules.TurnOrderNoTurn, verifier.Fault{Entity: "run", Cause: &m.run.at, Detail: "agent_end elsewhere than right after turn_end"})
	}
	return false
}

// judgeEndMessages compares the messages of agent_end with those of the run. A failure that the agent made
// up itself stands there alone.
func (m *machine) judgeEndMessages(r *record.Record, threw bool) {
	if !m.On(rules.EndMessages) {
		return
	}
	n, differs := 0, -1
	var only []byte
	for i, v := range scan.EachElement(r.Value(record.Messages)) {
		if n, only = n+1, v; differs < 0 && (i >= len(m.run.messages) || m.sumOf(v) != m.run.messages[i]) {
			differs = i
		}
	}
	if differs < 0 && n < len(m.run.messages) {
		differs = n
	}
	switch {
	case differs < 0:
	case n == 1 && threw && failure(only):
	case n == 1 && !m.turn.open && m.run.ended.failed && m.sumOf(only) == m.turn.said:
	default:
		m.Blame(rules.EndMessages, verifier.Fault{
			Entity: "run", Pointer: fmt.Sprintf("%s/%d", r.Pointer(record.Messages), differs), Cause: &m.run.at,
			Detail: fmt.Sprintf("message %d of %d is not that of the run, which has %d", differs, n, len(m.run.messages)),
		})
	}
}

// failure reports whether a message is an assistant's that ended in error or was aborted.
func failure(message []byte) bool {
	return roleOf(message) == assistantRole && failed(scan.Member(message, "stopReason"))
}

func failed(stopReason []byte) bool { return says(stopReason, "error") || says(stopReason, "aborted") }

// accept notes a record of a run that is not dropped, and judges what it may not come between.
func (m *machine) accept(t record.Type, about role) {
	if m.On(rules.CompactionPlaceRun) && m.compaction.open {
		m.Blame(rules.CompactionPlaceRun, verifier.Fault{Entity: "compaction", Cause: &m.compaction.at, Detail: fmt.Sprintf("%s while the compaction of record %d is open", t, m.compaction.at.Index)})
	}
	if m.queue.leaving.pending && t != record.MessageStart {
		m.judgeLeft(about, nil)
	}
	m.run.last, m.run.lastRole = t, about
}

// blameNotOpen blames an end or a continuation. All of those clauses drop.
func (m *machine) blameNotOpen(c verifier.ClauseID, entity, id, detail string) {
	if m.On(c) {
		m.Blame(c, verifier.Fault{ID: id, Entity: entity, Detail: detail})
	}
}

// truncated judges what is open at the end of the recording.
func (m *machine) truncated() {
	if m.On(rules.TruncatedRun) && m.run.open {
		m.Blame(rules.TruncatedRun, verifier.Fault{Entity: "end of recording", Cause: &m.run.at, Detail: "the recording ends while a run is open"})
		return
	}
	if m.On(rules.TruncatedUnsettled) && m.rest.owed {
		m.Blame(rules.TruncatedUnsettled, verifier.Fault{Entity: "end of recording", Cause: &m.rest.owedAt, Detail: "the recording ends without agent_settled after the last agent_end"})
	}
}
