// Package guard has the two small verifiers that an SDK runs inside itself: the server's, which
// judges each event before it is sent (an event that fails was not sent), and the client's, which
// judges each event as it arrives. They follow one run, know no chunk lanes, and read only the
// members that their rules are about.
package guard

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// A Machine is one guard. Its maps hold what the run has opened, owned and introduced.
type Machine struct {
	*verifier.Engine
	limits verifier.Limits
	client bool

	started, ended bool
	failed         bool // ended by RUN_ERROR
	startedAt      verifier.Place
	endedAt        verifier.Place

	open       map[key]*opening
	messages   map[string]owner // text, tool and reasoning messages, and spans
	calls      map[string]owner
	activities map[string]owner
	known      map[string]bool // calls that the run introduced
	announced  map[string]bool // subagents
	idBytes    int
	exceeded   string // detail of the id limit, once reached
}

// kind is what can be open.
type kind uint8

const (
	text kind = iota
	reasoning
	span
	call
	step
	subagent
)

var kindNames = [...]string{"text message", "reasoning message", "reasoning span", "tool call", "step", "subagent"}

func (k kind) String() string { return kindNames[k] }

// key names what is open. Steps are named by owner too.
type key struct {
	kind  kind
	id    string
	owner owner
}

// An owner is a tag, or the parent agent.
type owner struct {
	tagged bool
	tag    string
}

func (o owner) String() string {
	if !o.tagged {
		return "the parent agent"
	}
	return fmt.Sprintf("subagent %q", verifier.Shown(o.tag))
}

type opening struct {
	owner owner // when it was opened
	at    verifier.Place
}

// New returns the guard of a server or of a client.
func New(e *verifier.Engine, client bool, l verifier.Limits) *Machine {
	return &Machine{
		Engine: e, limits: l, client: client,
		open: map[key]*opening{}, messages: map[string]owner{}, calls: map[string]owner{},
		activities: map[string]owner{}, known: map[string]bool{}, announced: map[string]bool{},
	}
}

// Observe judges one decoded event and applies it unless it is dropped.
func (m *Machine) Observe(e *event.Event) {
	for i := range e.Faults {
		f := &e.Faults[i]
		if m.On(f.Clause) && m.Blame(f.Clause, verifier.Fault{Pointer: f.Pointer, Detail: f.Detail}) {
			m.phaseOnly(e)
			return
		}
	}
	if e.Type == 0 || m.sequence(e) || m.transition(e) {
		return
	}
	if m.exceeded != "" {
		m.Blame(rules.LimitIDs, verifier.Fault{Detail: m.exceeded})
	}
	if len(m.open) > m.limits.Open {
		m.Blame(rules.LimitOpen, verifier.Fault{Detail: fmt.Sprintf("more than %d items are open at once", m.limits.Open)})
	}
}

// phaseOnly: a lifecycle event at fault in its own members starts or ends the run all the same.
func (m *Machine) phaseOnly(e *event.Event) {
	switch {
	case m.ended || e.Type == 0:
	case e.Type == baseline.RunStarted && !m.started:
		m.started, m.startedAt = true, *m.Place()
	case e.Type == baseline.RunFinished || e.Type == baseline.RunError:
		if m.started || !m.client {
			m.ended, m.failed, m.endedAt = true, e.Type == baseline.RunError, *m.Place()
		}
	}
}

func (m *Machine) sequence(e *event.Event) (dropped bool) {
	after := rules.EndedAfterFinish
	if m.failed {
		after = rules.EndedAfterError
	}
	if m.ended && m.On(after) && m.Blame(after, verifier.Fault{
		Entity: "end of run", Cause: &m.endedAt, Detail: fmt.Sprintf("%s after the run's end at event %d", e.Type, m.endedAt.Index),
	}) {
		return true
	}
	outside := e.Type == baseline.Raw || e.Type == baseline.Custom || e.Type == baseline.RunStarted
	if !m.started && !outside && m.On(rules.FirstEvent) &&
		m.Blame(rules.FirstEvent, verifier.Fault{Detail: fmt.Sprintf("%s before RUN_STARTED", e.Type)}) {
		return true
	}
	return e.Type == baseline.RunStarted && m.started && m.On(rules.DuplicateRunStarted) && m.Blame(rules.DuplicateRunStarted, verifier.Fault{
		Entity: "run", Cause: &m.startedAt, Detail: fmt.Sprintf("the run was started at event %d", m.startedAt.Index),
	})
}

func (m *Machine) transition(e *event.Event) (dropped bool) {
	switch e.Type {
	case baseline.RunStarted:
		m.started, m.startedAt = true, *m.Place()
		m.echo(e.Value(event.Input))
	case baseline.RunFinished:
		return m.finished(e)
	case baseline.RunError:
		m.ended, m.failed, m.endedAt = true, true, *m.Place()
	case baseline.TextMessageStart:
		return m.start(e, text, e.Text(event.MessageID))
	case baseline.ReasoningMessageStart:
		return m.start(e, reasoning, e.Text(event.MessageID))
	case baseline.ReasoningStart:
		return m.start(e, span, e.Text(event.MessageID))
	case baseline.TextMessageContent, baseline.TextMessageEnd:
		return m.continues(e, text, e.Text(event.MessageID), e.Type == baseline.TextMessageEnd)
	case baseline.ReasoningMessageContent, baseline.ReasoningMessageEnd:
		return m.continues(e, reasoning, e.Text(event.MessageID), e.Type == baseline.ReasoningMessageEnd)
	case baseline.ReasoningEnd:
		return m.continues(e, span, e.Text(event.MessageID), true)
	case baseline.ToolCallStart:
		return m.callStart(e)
	case baseline.ToolCallArgs, baseline.ToolCallEnd:
		return m.continues(e, call, e.Text(event.ToolCallID), e.Type == baseline.ToolCallEnd)
	case baseline.ToolCallResult:
		return m.result(e)
	case baseline.TextMessageChunk:
		return m.messageChunk(e, text)
	case baseline.ReasoningMessageChunk:
		return m.messageChunk(e, reasoning)
	case baseline.ToolCallChunk:
		return m.callChunk(e)
	case baseline.StepStarted, baseline.StepFinished:
		return m.step(e)
	case baseline.SubagentStarted:
		return m.subagentStarted(e)
	case baseline.SubagentFinished, baseline.SubagentError:
		return m.subagentEnds(e)
	case baseline.MessagesSnapshot:
		m.snapshot(e.Value(event.Messages))
	case baseline.ActivitySnapshot:
		m.activitySnapshot(e)
	case baseline.ActivityDelta:
		return m.owned(rules.OwnerActivity, e, "activity", m.activities, e.Text(event.MessageID))
	case baseline.ReasoningEncryptedValue:
		return m.encryptedValue(e)
	}
	return false
}

// Finish judges the end of the stream. A server's guard has nothing to say about it.
func (m *Machine) Finish() {
	switch {
	case m.ended:
	case !m.started && m.On(rules.TruncatedNoRun):
		m.Blame(rules.TruncatedNoRun, verifier.Fault{Entity: "end of stream", Detail: "the stream ends without any run"})
	case m.started && m.On(rules.TruncatedOpenRun):
		m.Blame(rules.TruncatedOpenRun, verifier.Fault{
			Entity: "end of stream", Cause: &m.startedAt, Detail: "the stream ends without RUN_FINISHED or RUN_ERROR" + m.listed("; still open: "),
		})
	}
}

func (m *Machine) finished(e *event.Event) (dropped bool) {
	if len(m.open) > 0 {
		f := verifier.Fault{Entity: "end of run", Detail: m.listed("still open: ")}
		if m.On(rules.OpenAtFinish) {
			m.Blame(rules.OpenAtFinish, f)
		}
		if m.On(rules.OpenAtFinishGuard) && m.Blame(rules.OpenAtFinishGuard, f) {
			return true
		}
	}
	if m.On(rules.EmptyInterrupts) && asksNothing(e.Value(event.Outcome)) {
		m.Blame(rules.EmptyInterrupts, verifier.Fault{Pointer: "/outcome/interrupts", Detail: "the outcome is an interrupt, and its list of interrupts is empty"})
	}
	m.ended, m.endedAt = true, *m.Place()
	return false
}

func (m *Machine) listed(prefix string) string {
	if len(m.open) == 0 {
		return ""
	}
	names := make([]string, 0, len(m.open))
	for k, o := range m.open {
		name := fmt.Sprintf("%s %q", k.kind, verifier.Shown(k.id))
		if o.owner.tagged && k.kind != subagent {
			name += " of " + o.owner.String()
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return prefix + verifier.Listed(names)
}

// Open returns what is open, for the dump of a violation.
func (m *Machine) Open() []verifier.Item {
	var items []verifier.Item
	for k, o := range m.open {
		items = append(items, verifier.Item{Kind: k.kind.String(), ID: verifier.Shown(k.id), Owner: verifier.Shown(o.owner.tag), Parent: !o.owner.tagged, Opener: o.at.Index})
	}
	slices.SortFunc(items, func(a, b verifier.Item) int { return a.Opener - b.Opener })
	return items[:min(len(items), 100)]
}
