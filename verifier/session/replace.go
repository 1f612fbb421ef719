package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// replaced is what is known of the session's identity and of attempts to replace it.
type replaced struct {
	cut   bool // a replacement cut a run off, and none has begun since
	cutAt verifier.Place

	id        string // by the last get_state
	known     bool
	idAt      verifier.Place
	successes int // replacements since then
	attempts  int // those that were cancelled or failed
	back      bool
	lastAt    verifier.Place // of the last of either
}

func isReplacement(typ string) bool {
	switch typ {
	case "new_session", "switch_session", "fork", "clone":
		return true
	}
	return false
}

// byReplacement is what cuts a run off, in a sentence.
const byReplacement = "the replacement of the session"

// replaces reports whether a response says that the session was replaced.
func replaces(r *record.Record) bool {
	return isReplacement(string(r.Text(record.Command))) && r.True(record.Success) && !isTrue(scan.Member(r.Value(record.Data), "cancelled"))
}

// replacement takes the response of a replacement. After one that was not cancelled everything starts
// afresh, whatever was open.
func (m *machine) replacement(r *record.Record, typ string) {
	x := &m.replaced
	x.lastAt = *m.Place()
	if !replaces(r) {
		x.attempts++
		return
	}
	x.successes++
	x.back = typ == "switch_session"
	if m.run.open {
		m.cutRun(rules.RunCutReplaced, byReplacement)
		x.cut, x.cutAt = true, *m.Place()
	}
	before := m.rest
	m.rest = rest{ended: x.cut, settled: before.settled, settledAt: before.settledAt, owed: before.owed, owedAt: before.owedAt}
	m.retry, m.compaction, m.summary = retry{}, compaction{}, summary{}
	m.queue = queue{nextSteering: m.queue.nextSteering[:0], nextFollowUp: m.queue.nextFollowUp[:0]}
	m.entries.forget()
}

// stale judges a record that continues a run which a replacement has cut off, and reports whether it does.
func (m *machine) stale(r *record.Record) bool {
	x := &m.replaced
	if !x.cut || r.Type == record.AgentStart || !m.On(rules.StaleEvent) {
		return false
	}
	if r.Type == record.MessageStart && roleOf(r.Value(record.Message)) == customRole {
		return false // it belongs to no turn
	}
	if m.message.open && (r.Type == record.MessageUpdate || r.Type == record.MessageEnd) {
		return false // that message
	}
	m.Blame(rules.StaleEvent, verifier.Fault{Entity: "run", Cause: at(x.cutAt), Detail: fmt.Sprintf("%s of a run that the replacement of record %d has cut off", r.Type, x.cutAt.Index)})
	return true
}

// judgeState compares the session's id with what replacements have made of it.
func (m *machine) judgeState(r *record.Record) {
	id := text(scan.Member(r.Value(record.Data), "sessionId"))
	if !r.True(record.Success) || id == nil {
		return
	}
	x := &m.replaced
	f := verifier.Fault{ID: string(id), Entity: "session", Pointer: r.Pointer(record.Data) + "/sessionId", Cause: at(x.lastAt)}
	kept := string(id) == x.id
	switch {
	case !x.known || m.pipe.replaces > 0:
	case x.successes == 0 && x.attempts > 0:
		if m.On(rules.SessionIdentityChanged) && !kept {
			f.Detail = "the session is another one, although its replacement was cancelled or failed"
			m.Blame(rules.SessionIdentityChanged, f)
		}
	case x.successes == 1 || x.successes > 1 && !x.back:
		if m.On(rules.SessionIdentityKept) && kept {
			f.Detail = fmt.Sprintf("the session is that of record %d, although it was replaced", x.idAt.Index)
			m.Blame(rules.SessionIdentityKept, f)
		}
	}
	// While a replacement is in flight it is not known which of the two sessions answers.
	x.known = m.pipe.replaces == 0
	x.id, x.idAt, x.successes, x.attempts = string(id), *m.Place(), 0, 0
}
