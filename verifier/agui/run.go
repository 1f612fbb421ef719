package agui

import (
	"bytes"
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// identities are the run and thread ids of a stream.
type identities struct {
	runs, threads map[string]*mark
	seenRuns      int    // RUN_STARTED with a run id since the run opened
	seenThreads   int    // and with a thread id
	runID         string // of the run that is open or was last
	thread        *mark  // of the last accepted RUN_STARTED; nil before the first
	started       verifier.Place
	ended         verifier.Place
	history       []verifier.Run
}

// mark is what is known of a run or thread id.
type mark struct {
	id       string
	run      int // in which a RUN_STARTED gave it last
	accepted bool
}

// see notes the ids of a RUN_STARTED, accepted or not: RUN_FINISHED may agree with any of them.
func (i *identities) see(m *machine, e *event.Event) {
	if run := e.Text(event.RunID); run != nil {
		i.seenRuns++
		m.mark(i.runs, run).run = m.run
	}
	if thread := e.Text(event.ThreadID); thread != nil {
		i.seenThreads++
		m.mark(i.threads, thread).run = m.run
	}
}

func (m *machine) mark(marks map[string]*mark, id []byte) *mark {
	if k, ok := marks[string(id)]; ok {
		return k
	}
	k := &mark{id: m.remember(id)}
	marks[k.id] = k
	return k
}

// phaseOnly moves the phase for a lifecycle event that was dropped for its own members: a run has
// started or ended all the same, and the rest of the stream should not be blamed for it.
func (m *machine) phaseOnly(e *event.Event) {
	switch {
	case e.Type == baseline.RunStarted && m.phase == running:
		m.ids.see(m, e)
	case e.Type == baseline.RunStarted:
		m.startRun(e)
	case e.Type == baseline.RunFinished && m.phase == running:
		m.endRun(finished, outcomeOf(e))
	case e.Type == baseline.RunError && m.phase != errored:
		m.endRun(errored, verifier.RunError)
	}
}

func (m *machine) startRun(e *event.Event) {
	m.run++
	m.phase, m.version = running, e.Version
	m.emptyLanes()
	m.open.clear()
	m.made, m.suspends = m.made[:0], false
	m.ids.seenRuns, m.ids.seenThreads, m.ids.started = 0, 0, *m.Place()
	m.ids.see(m, e)
	m.requestCurrent(e.Text(event.RunID))
	run := verifier.Run{ThreadID: known(m.ids.threads, e.Text(event.ThreadID)), RunID: known(m.ids.runs, e.Text(event.RunID)), Outcome: verifier.RunOpen}
	m.ids.runID = run.RunID
	if len(m.ids.history) < m.limits.Findings {
		m.ids.history = append(m.ids.history, run)
	}
}

// known returns an id as it is remembered; empty where it is not.
func known(marks map[string]*mark, id []byte) string {
	if k := marks[string(id)]; k != nil {
		return k.id
	}
	return ""
}

func (m *machine) endRun(p phase, outcome verifier.RunOutcome) {
	m.open.clear()
	m.phase, m.ids.ended = p, *m.Place()
	if h := m.ids.history; len(h) > 0 && m.run == beforeFirst+len(h) {
		h[len(h)-1].Outcome = outcome
	}
}

func (m *machine) runStarted(e *event.Event) {
	run, thread := e.Text(event.RunID), e.Text(event.ThreadID)
	m.closeLanes()
	m.startRun(e)
	m.judgeThread(m.mark(m.ids.threads, thread))
	m.judgeRunID(m.mark(m.ids.runs, run))
	m.judgeVersion(e)
	m.requestedRun(run, thread)
	m.echo(e.Value(event.Input))
}

func (m *machine) judgeThread(now *mark) {
	if before := m.ids.thread; m.On(rules.ThreadIDNextRun) && before != nil && before != now {
		m.Blame(rules.ThreadIDNextRun, verifier.Fault{
			ID: now.id, Entity: "thread", Pointer: "/" + event.ThreadID.String(),
			Detail: fmt.Sprintf("thread %q; the run before was on %q", verifier.Shown(now.id), verifier.Shown(before.id)),
		})
	}
	m.ids.thread = now
}

func (m *machine) judgeRunID(run *mark) {
	if m.On(rules.RunIDReused) && run.accepted {
		m.Blame(rules.RunIDReused, verifier.Fault{
			ID: run.id, Entity: "run", Pointer: "/" + event.RunID.String(),
			Detail: fmt.Sprintf("run id %q was that of an earlier run of this stream", verifier.Shown(run.id)),
		})
	}
	run.accepted = true
}

func (m *machine) judgeVersion(e *event.Event) {
	if !e.Has(event.ProtocolVersion) {
		if m.options.Revision == Revision1 && !blamed(e, event.ProtocolVersion) {
			c := rules.VersionMissing
			if m.options.StrictVersion {
				c = rules.VersionMissingStrict
			}
			if m.On(c) {
				m.Blame(c, verifier.Fault{Detail: "RUN_STARTED declares no protocolVersion", Pointer: "/" + event.ProtocolVersion.String()})
			}
		}
		return
	}
	text := e.Text(event.ProtocolVersion)
	if _, _, ok := event.ParseVersion(text); m.On(rules.VersionFormat) && !ok {
		m.Blame(rules.VersionFormat, verifier.Fault{
			Pointer: "/" + event.ProtocolVersion.String(),
			Detail:  fmt.Sprintf("protocolVersion %q is not MAJOR.MINOR, as 1.0 is", verifier.Shown(string(text))),
		})
	}
}

// blamed reports whether a field is absent because its value was at fault.
func blamed(e *event.Event, f event.Field) bool {
	for i := range e.Faults {
		if e.Faults[i].Pointer == "/"+f.String() {
			return true
		}
	}
	return false
}

func (m *machine) runFinished(e *event.Event) {
	if m.On(rules.OpenAtFinish) && len(m.open.items) > 0 {
		m.Blame(rules.OpenAtFinish, m.openFault())
	}
	m.judgeFinishIDs(e)
	outcome := e.Value(event.Outcome)
	m.judgeInterrupts(outcome)
	m.judgePending(outcome)
	m.judgeUsage(e)
	m.judgeFrontendOutcome(outcome)
	m.adviseFinish(e, outcome)
	m.closeLanes()
	m.endRun(finished, outcomeOf(e))
}

// openFault is about all that is open; where it is a single item, about that.
func (m *machine) openFault() verifier.Fault {
	first := m.open.items[0]
	for _, it := range m.open.items {
		if it.opener.Index < first.opener.Index {
			first = it
		}
	}
	f := verifier.Fault{Cause: &first.opener, Detail: m.open.listed("still open: "), Entity: "end of run"}
	if len(m.open.items) == 1 {
		f.ID, f.Entity = first.id, entity(first.kind, first.id)
	}
	return f
}

func (m *machine) judgeFinishIDs(e *event.Event) {
	run, thread := e.Text(event.RunID), e.Text(event.ThreadID)
	if k := m.ids.runs[string(run)]; m.On(rules.RunIDMismatch) && run != nil && m.ids.seenRuns > 0 && (k == nil || k.run != m.run) {
		m.Blame(rules.RunIDMismatch, verifier.Fault{
			ID: string(run), Entity: "run", Pointer: "/" + event.RunID.String(), Cause: &m.ids.started,
			Detail: fmt.Sprintf("RUN_FINISHED names run %q, RUN_STARTED named %q", verifier.Shown(string(run)), verifier.Shown(m.ids.runID)),
		})
	}
	if k := m.ids.threads[string(thread)]; m.On(rules.ThreadIDFinish) && thread != nil && m.ids.seenThreads > 0 && (k == nil || k.run != m.run) {
		m.Blame(rules.ThreadIDFinish, verifier.Fault{
			ID: string(thread), Entity: "thread", Pointer: "/" + event.ThreadID.String(), Cause: &m.ids.started,
			Detail: fmt.Sprintf("RUN_FINISHED names thread %q, which its RUN_STARTED did not", verifier.Shown(string(thread))),
		})
	}
}

func (m *machine) runError(e *event.Event) {
	m.judgeUsage(e)
	m.closeLanes()
	m.endRun(errored, verifier.RunError)
}

// outcomeOf reads how a RUN_FINISHED says that the run ended. What is absent or unknown is a success.
func outcomeOf(e *event.Event) verifier.RunOutcome {
	switch t := event.OutcomeType(e.Value(event.Outcome)); {
	case bytes.Equal(t, []byte("interrupt")):
		return verifier.RunInterrupt
	case bytes.Equal(t, []byte("cancelled")):
		return verifier.RunCancelled
	}
	return verifier.RunSuccess
}
