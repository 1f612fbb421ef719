package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// A retry is open from the first auto_retry_start to its auto_retry_end, over all attempts.
type retry struct {
	open    bool
	at      verifier.Place
	attempt int64 // of the last start; 0 after an end
}

func (m *machine) retryStart(r *record.Record) {
	attempt, most := r.Number(record.Attempt), r.Number(record.MaxAttempts)
	if m.On(rules.RetryUnannounced) && !m.rest.willRetry {
		f := verifier.Fault{Entity: "retry", Detail: "auto_retry_start, and no agent_end has said willRetry"}
		if m.rest.ended || m.rest.settled {
			f.Cause = at(m.rest.at)
		}
		m.Blame(rules.RetryUnannounced, f)
	}
	if m.On(rules.RetryCountStart) && attempt != m.retry.attempt+1 {
		m.Blame(rules.RetryCountStart, m.countFault(r, record.Attempt, fmt.Sprintf("attempt %d after %d", attempt, m.retry.attempt)))
	}
	if m.On(rules.RetryCountMax) && attempt > most {
		m.Blame(rules.RetryCountMax, m.countFault(r, record.Attempt, fmt.Sprintf("attempt %d of at most %d", attempt, most)))
	}
	m.retry = retry{open: true, at: *m.Place(), attempt: attempt}
	m.rest.retried, m.rest.caused = true, true
}

func (m *machine) countFault(r *record.Record, f record.Field, detail string) verifier.Fault {
	out := verifier.Fault{Entity: "retry", Pointer: r.Pointer(f), Detail: detail}
	if m.retry.open {
		out.Cause = at(m.retry.at)
	}
	return out
}

func (m *machine) retryEnd(r *record.Record) {
	if !m.retry.open {
		m.blameNotOpen(rules.NotOpenRetry, "retry", "", "auto_retry_end without a retry")
		return
	}
	attempt, success := r.Number(record.Attempt), r.True(record.Success)
	if m.On(rules.RetryCountEnd) && attempt != m.retry.attempt {
		m.Blame(rules.RetryCountEnd, m.countFault(r, record.Attempt, fmt.Sprintf("the end is of attempt %d, the start was of %d", attempt, m.retry.attempt)))
	}
	if m.On(rules.RetryOutcomeError) && r.Has(record.FinalError) == success {
		m.Blame(rules.RetryOutcomeError, m.countFault(r, record.FinalError, "finalError belongs to a failure, and to nothing else"))
	}
	if m.On(rules.RetryOutcomeFailure) && !success && m.run.open {
		m.Blame(rules.RetryOutcomeFailure, m.countFault(r, record.Success, fmt.Sprintf("a failure while the run of record %d is open", m.run.at.Index)))
	}
	answered := m.run.open && m.run.last == record.MessageEnd && m.run.lastRole == assistantRole
	if m.On(rules.RetryOutcomeSuccess) && success && !answered {
		m.Blame(rules.RetryOutcomeSuccess, m.countFault(r, record.Success, "a success elsewhere than right after the end of an assistant message"))
	}
	m.retry = retry{}
}
