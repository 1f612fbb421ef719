package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// A compaction is the one that is open.
type compaction struct {
	open   bool
	at     verifier.Place
	reason string

	manual      verifier.Place // where the last manual one began
	manualEnd   verifier.Place // and ended
	manualEnded bool
	manualGave  bool // a result
}

func (m *machine) compactionStart(r *record.Record) {
	c, reason := &m.compaction, string(r.Text(record.Reason))
	manual := reason == "manual"
	if manual && m.run.open {
		m.cutRun(rules.RunCutCompaction, "a compaction")
	}
	if m.On(rules.CompactionOverlap) && c.open {
		m.Blame(rules.CompactionOverlap, verifier.Fault{Entity: "compaction", Cause: at(c.at), Detail: fmt.Sprintf("the compaction of record %d is still open", c.at.Index)})
	}
	if m.On(rules.CompactionPlaceTurn) && !manual && m.turn.open {
		m.Blame(rules.CompactionPlaceTurn, verifier.Fault{Entity: "compaction", Cause: &m.turn.at, Detail: fmt.Sprintf("compaction_start while the turn of record %d is open", m.turn.at.Index)})
	}
	c.open, c.at, c.reason = true, *m.Place(), reason
	if manual {
		c.manual = c.at
	}
}

// cutRun closes a run that something has cut off.
func (m *machine) cutRun(c verifier.ClauseID, by string) {
	if m.On(c) {
		m.blameCut(c, by)
	}
	m.endRun()
	m.rest.ended = true
	m.queue.leaving.pending = false
}

func (m *machine) blameCut(c verifier.ClauseID, by string) {
	m.Blame(c, verifier.Fault{Entity: "run", Cause: &m.run.at, Detail: fmt.Sprintf("%s cuts off the run of record %d, which has no agent_end", by, m.run.at.Index)})
}

func (m *machine) compactionEnd(r *record.Record) {
	c, reason := &m.compaction, string(r.Text(record.Reason))
	refused := reason == "overflow" && r.Has(record.ErrorMessage)
	if !c.open && !refused {
		m.blameNotOpen(rules.NotOpenCompaction, "compaction", "", "compaction_end without a compaction")
		return
	}
	if m.On(rules.CompactionChanged) && c.open && reason != c.reason {
		m.Blame(rules.CompactionChanged, verifier.Fault{Entity: "compaction", Pointer: r.Pointer(record.Reason), Cause: at(c.at), Detail: fmt.Sprintf("the reason is %s, at the start it was %s", reason, c.reason)})
	}
	m.judgeOutcome(r, reason)
	if reason == "manual" {
		c.manualEnd, c.manualEnded, c.manualGave = *m.Place(), true, r.Has(record.Result)
	}
	if r.True(record.WillRetry) {
		m.rest.caused, m.rest.compacted = true, true
	}
	c.open = false
}

func (m *machine) judgeOutcome(r *record.Record, reason string) {
	n := 0
	for _, there := range []bool{r.Has(record.Result), r.True(record.Aborted), r.Has(record.ErrorMessage)} {
		if there {
			n++
		}
	}
	f := verifier.Fault{Entity: "compaction"}
	if m.compaction.open {
		f.Cause = at(m.compaction.at)
	}
	if m.On(rules.CompactionOutcome) && n != 1 {
		f.Detail = fmt.Sprintf("%d of result, aborted and errorMessage, where there is one", n)
		m.Blame(rules.CompactionOutcome, f)
	}
	if m.On(rules.CompactionOutcomeRetry) && r.True(record.WillRetry) && !(reason == "overflow" && r.Has(record.Result)) {
		f.Pointer, f.Detail = r.Pointer(record.WillRetry), "willRetry elsewhere than at an overflow with a result"
		m.Blame(rules.CompactionOutcomeRetry, f)
	}
}

// A summary is the retry of a summary that is scheduled. Where it belongs to shows only with its attempt.
type summary struct {
	scheduled bool
	at        verifier.Place
	outside   bool // no compaction was open
}

func (m *machine) summaryScheduled() {
	m.summary = summary{scheduled: true, at: *m.Place(), outside: !m.compaction.open}
}

func (m *machine) summaryAttempt(r *record.Record) {
	s := &m.summary
	if m.On(rules.SummaryRetryUnscheduled) && !s.scheduled {
		m.Blame(rules.SummaryRetryUnscheduled, verifier.Fault{Entity: "summary", Detail: "an attempt that was not scheduled"})
	}
	if m.On(rules.SummaryRetryOutside) && s.scheduled && s.outside && string(r.Text(record.Source)) == "compaction" {
		m.Blame(rules.SummaryRetryOutside, verifier.Fault{Entity: "summary", Cause: at(s.at), Detail: "the retry of a compaction's summary was scheduled outside of a compaction"})
	}
	s.outside = false
}

func (m *machine) summaryFinished() {
	if m.On(rules.SummaryRetryUnscheduled) && !m.summary.scheduled {
		m.Blame(rules.SummaryRetryUnscheduled, verifier.Fault{Entity: "summary", Detail: "the end of a retry that was not scheduled"})
	}
	m.summary = summary{}
}
