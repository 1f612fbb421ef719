package agui

import (
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// A machine is the state behind profiles producer and consumer: one stream, with its runs, lanes,
// owners and documents. Invariant: an event that was dropped has changed nothing that a rule reads.
//
// What is kept per run carries the number of that run and counts for nothing in another, so that
// starting a run touches no record.
type machine struct {
	*verifier.Engine
	limits  verifier.Limits
	options Options
	request *request // nil where it is not known

	run     int // number of the run that is open, or was last; 1 before the first, so that 0 is none
	phase   phase
	version event.Version
	ids     identities

	agents        map[string]*agent
	parent        agent // the parent agent, the owner of what has no tag
	messages      map[string]*message
	calls         map[string]*call
	steps         map[stepKey]*step
	stepNames     map[string]*stepName
	strings       map[string]string   // roles and names, one copy of each
	customs       map[string]struct{} // unprefixed names seen
	open          openSet
	lanes         []*agent // whose lane holds a chunk item
	made          []*call  // this run's calls, in the order first made
	suspended     verifier.Place
	suspends      bool // a subagent of this run was suspended, at that place
	state         state
	activities    []*message // that have a document
	unseen        []unseen
	spare         [][]byte // buffers of ended calls
	idBytes       int
	argBytes      int
	documentBytes int
	lists         int // snapshots and echoes so far, to tell a list's doubles
	limit         exceeded

	lastMessage *message // looked up last
	lastCall    *call

	// Of the event being judged.
	tag  *agent // its attribution, nil without one
	lane *agent // of its tag, else the parent's
}

// beforeFirst is the run number before the first run.
const beforeFirst = 1

// phase is where a stream stands between its lifecycle events.
type phase uint8

const (
	beforeRun phase = iota
	running
	finished
	errored
)

func newMachine(e *verifier.Engine, o Options, req *request) *machine {
	m := &machine{
		Engine: e, options: o, limits: o.Limits, request: req, run: beforeFirst,
		agents: map[string]*agent{}, messages: map[string]*message{}, calls: map[string]*call{},
		steps: map[stepKey]*step{}, stepNames: map[string]*stepName{}, customs: map[string]struct{}{}, strings: map[string]string{},
	}
	m.parent = agent{isParent: true}
	m.ids.runs, m.ids.threads = map[string]*mark{}, map[string]*mark{}
	m.seedRequest()
	return m
}

// observe judges one decoded event and applies what it leaves behind.
func (m *machine) observe(e *event.Event) {
	m.tag, m.lane = nil, &m.parent
	if m.structure(e) {
		m.phaseOnly(e)
		return
	}
	if e.Type == 0 || m.sequence(e) {
		return
	}
	if tag := e.Tag(); tag != nil {
		m.tag = m.agent(tag)
		m.lane = m.tag
	}
	if m.transition(e) {
		return
	}
	m.loneSurrogate(e)
	m.noteTag(e)
	m.adviseMetadata(e)
}

func (m *machine) loneSurrogate(e *event.Event) {
	for i := range e.Faults {
		if f := &e.Faults[i]; f.Clause == rules.LoneSurrogate && m.On(f.Clause) {
			m.Blame(f.Clause, verifier.Fault{Pointer: f.Pointer, Detail: f.Detail})
		}
	}
}

// structure blames what is wrong with the event by itself and reports whether that drops it. The
// first code that drops ends the judging; faults are in order of precedence.
func (m *machine) structure(e *event.Event) (drops bool) {
	for i := range e.Faults {
		f := &e.Faults[i]
		if f.Clause == rules.LoneSurrogate {
			continue // it ranks behind the order rules: only an event that is kept is blamed for it
		}
		if m.On(f.Clause) && m.Blame(f.Clause, verifier.Fault{Pointer: f.Pointer, Detail: f.Detail, Soft: f.Soft}) {
			return true
		}
	}
	return false
}

// sequence blames an event that may not come in this phase and reports whether that drops it.
func (m *machine) sequence(e *event.Event) (drops bool) {
	starts, errors := e.Type == baseline.RunStarted, e.Type == baseline.RunError
	switch m.phase {
	case beforeRun:
		return m.On(rules.FirstEvent) && !starts && !errors &&
			m.Blame(rules.FirstEvent, verifier.Fault{Detail: fmt.Sprintf("%s before any RUN_STARTED", e.Type)})
	case finished:
		return m.On(rules.EndedAfterFinish) && !starts && !errors && m.blameEnded(rules.EndedAfterFinish, e)
	case errored:
		return m.On(rules.EndedAfterError) && !starts && m.blameEnded(rules.EndedAfterError, e)
	}
	if m.On(rules.DuplicateRunStarted) && starts {
		m.ids.see(m, e)
		return m.Blame(rules.DuplicateRunStarted, verifier.Fault{
			ID: string(e.Text(event.RunID)), Entity: "run", Cause: &m.ids.started,
			Detail: fmt.Sprintf("the run of event %d is still open", m.ids.started.Index),
		})
	}
	return false
}

func (m *machine) blameEnded(c verifier.ClauseID, e *event.Event) bool {
	return m.Blame(c, verifier.Fault{
		Entity: "end of run", Cause: &m.ids.ended,
		Detail: fmt.Sprintf("%s after the run's end at event %d", e.Type, m.ids.ended.Index),
	})
}

// transition judges an event in a phase where it may come and applies it unless it is dropped.
func (m *machine) transition(e *event.Event) (dropped bool) {
	switch e.Type {
	case baseline.TextMessageStart:
		return m.textStart(e)
	case baseline.TextMessageContent, baseline.TextMessageEnd:
		return m.textContinues(e)
	case baseline.ReasoningMessageStart:
		return m.reasoningStart(e)
	case baseline.ReasoningMessageContent, baseline.ReasoningMessageEnd:
		return m.reasoningContinues(e)
	case baseline.ReasoningStart, baseline.ReasoningEnd:
		return m.span(e)
	case baseline.ReasoningEncryptedValue:
		return m.encryptedValue(e)
	case baseline.ToolCallStart:
		return m.callStart(e)
	case baseline.ToolCallArgs, baseline.ToolCallEnd:
		return m.callContinues(e)
	case baseline.ToolCallResult:
		m.callResult(e)
	case baseline.TextMessageChunk, baseline.ReasoningMessageChunk, baseline.ToolCallChunk:
		return m.chunk(e)
	case baseline.StepStarted:
		return m.stepStarted(e)
	case baseline.StepFinished:
		return m.stepFinished(e)
	case baseline.SubagentStarted:
		return m.subagentStarted(e)
	case baseline.SubagentFinished, baseline.SubagentError:
		return m.subagentEnds(e)
	case baseline.StateSnapshot, baseline.StateDelta:
		m.stateEvent(e)
	case baseline.MessagesSnapshot:
		m.snapshot(e)
	case baseline.ActivitySnapshot:
		m.activitySnapshot(e)
	case baseline.ActivityDelta:
		return m.activityDelta(e)
	case baseline.Custom:
		m.custom(e)
	case baseline.RunStarted:
		m.runStarted(e)
	case baseline.RunFinished:
		m.runFinished(e)
	case baseline.RunError:
		m.runError(e)
	}
	return false
}

// finish judges the end of the stream, at the place behind its last event.
func (m *machine) finish() {
	if m.phase == beforeRun && m.On(rules.TruncatedNoRun) {
		m.Blame(rules.TruncatedNoRun, verifier.Fault{Entity: "end of stream", Detail: "the stream ends without any run"})
	}
	if m.phase == running && m.On(rules.TruncatedOpenRun) {
		m.Blame(rules.TruncatedOpenRun, verifier.Fault{
			Entity: "end of stream", Cause: &m.ids.started, ID: m.ids.runID,
			Detail: "the stream ends without RUN_FINISHED or RUN_ERROR" + m.open.listed("; still open: "),
		})
	}
	m.finishRequest()
	m.finishAdvice()
}

// exceeded remembers a limit that a transition reached, to be blamed behind it.
type exceeded struct {
	reached bool
	clause  verifier.ClauseID
	detail  string
}

func (m *machine) exceed(c verifier.ClauseID, format string, args ...any) {
	if !m.limit.reached {
		m.limit = exceeded{true, c, fmt.Sprintf(format, args...)}
	}
}

// recordCost is what a remembered id costs besides its bytes.
const recordCost = 512

// remember accounts for an id that has to be kept.
func (m *machine) remember(id []byte) string {
	if m.idBytes += len(id) + recordCost; m.idBytes > m.limits.IDBytes {
		m.exceed(rules.LimitIDs, "the ids and names to remember take more than %d bytes", m.limits.IDBytes)
	}
	return string(id)
}
