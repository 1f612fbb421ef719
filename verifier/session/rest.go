package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// A rest is what keeps a session from coming to rest after its runs.
type rest struct {
	unsettled bool           // agent_end came, and no agent_settled since
	at        verifier.Place // of that agent_end
	ended     bool           // there was an agent_end since the last agent_settled, or since the session began
	settledAt verifier.Place
	settled   bool // there was an agent_settled
	willRetry bool // the last agent_end said so
	retried   bool // auto_retry_start came since
	caused    bool // something since the last agent_end makes the next run begin
	edited    bool // entry_appended(context_edit) since then
	compacted bool // compaction_end with willRetry since then

	owed   bool // an agent_settled, for the last agent_end of all sessions
	owedAt verifier.Place
}

// end takes an agent_end.
func (s *rest) end(at verifier.Place, willRetry bool) {
	s.unsettled, s.ended, s.at = true, true, at
	s.willRetry, s.retried, s.caused, s.edited, s.compacted = willRetry, false, false, false, false
	s.owed, s.owedAt = true, at
}

func (m *machine) settled(r *record.Record) {
	s := &m.rest
	switch {
	case m.run.open:
		if m.On(rules.SettledInRun) {
			m.Blame(rules.SettledInRun, verifier.Fault{Entity: "run", Cause: &m.run.at, Detail: fmt.Sprintf("agent_settled while the run of record %d is open", m.run.at.Index)})
		}
	case m.On(rules.SettledTwice) && !s.ended:
		f := verifier.Fault{Entity: "session", Detail: "agent_settled without an agent_end"}
		if s.settled {
			f.Cause, f.Detail = at(s.settledAt), fmt.Sprintf("agent_settled without an agent_end since that of record %d", s.settledAt.Index)
		}
		m.Blame(rules.SettledTwice, f)
	}
	if m.On(rules.SettledInRetry) && m.retry.open {
		m.Blame(rules.SettledInRetry, verifier.Fault{Entity: "retry", Cause: &m.retry.at, Detail: fmt.Sprintf("agent_settled while the retry of record %d is open", m.retry.at.Index)})
	}
	if m.On(rules.SettledInCompaction) && m.compaction.open {
		m.Blame(rules.SettledInCompaction, verifier.Fault{Entity: "compaction", Cause: &m.compaction.at, Detail: fmt.Sprintf("agent_settled while the compaction of record %d is open", m.compaction.at.Index)})
	}
	m.judgeAnnounced()
	s.unsettled, s.ended, s.owed, s.settled, s.settledAt = false, false, false, true, *m.Place()
	m.pipe.settledAt = m.Place().Index
}

// judgeAnnounced blames a retry that was promised and did not come.
func (m *machine) judgeAnnounced() {
	s := &m.rest
	if m.On(rules.RetryMissing) && s.willRetry && !s.retried {
		m.Blame(rules.RetryMissing, verifier.Fault{Entity: "retry", Cause: at(s.at), Detail: fmt.Sprintf("the agent_end of record %d said willRetry, and no auto_retry_start came", s.at.Index)})
	}
	s.retried = true // once is enough
}

func (m *machine) entryAppended(r *record.Record) {
	entry := r.Value(record.Entry)
	m.rest.caused, m.run.appended = true, true
	if says(scan.Member(entry, "type"), "context_edit") {
		m.rest.edited = true
	}
	m.knowEntry(text(scan.Member(entry, "id")))
}

// header judges the place of a session header. It stands first in the output of JSON mode.
func (m *machine) header() {
	if m.On(rules.HeaderPlace) && m.outputs > 1 {
		m.Blame(rules.HeaderPlace, verifier.Fault{Entity: "header", Detail: "the session header is not the first record"})
	}
}
