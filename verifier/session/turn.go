package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A turn is the turn that is open, or was last.
type turn struct {
	open      bool
	at        verifier.Place
	inputs    int
	assistant bool // its assistant message has ended
	failed    bool // that message, in error or aborted
	length    bool // that message was cut
	said      value.Sum
	saidAt    verifier.Place
	results   []value.Sum // of each toolResult message, in order

	calls    []*tool          // of the assistant message, in order; those of one id are left out
	byID     map[string]*tool // all tools of the turn
	running  int              // tools that are open
	calling  int              // of these, calls of the message
	started  int              // calls before that position have started
	answered int              // calls before that position have a result
	ended    bool             // one of them, nested ones apart
	goesOn   bool             // and its result does not terminate

	updating   int // calls that are open and have sent updates
	updatedAt  verifier.Place
	unreported int // calls that have run and ended, and have no result
	endedAt    verifier.Place
	reported   bool // there was a result
}

// begin empties the turn for the next one.
func (t *turn) begin(at verifier.Place) {
	clear(t.byID)
	clear(t.calls)
	*t = turn{open: true, at: at, results: t.results[:0], calls: t.calls[:0], byID: t.byID}
}

func (m *machine) turnStart() {
	if !m.run.open {
		m.blameNotOpen(rules.NotOpenRun, "turn", "", "turn_start outside of a run")
		return
	}
	if m.turn.open {
		if m.On(rules.TurnOrderNested) {
			m.Blame(rules.TurnOrderNested, verifier.Fault{Entity: "turn", Cause: at(m.turn.at), Detail: fmt.Sprintf("the turn of record %d is still open", m.turn.at.Index)})
		}
		m.beginTurn()
		return
	}
	e := &m.run.ended
	if m.On(rules.TurnAfterFailure) && e.failed {
		m.Blame(rules.TurnAfterFailure, verifier.Fault{Entity: "turn", Cause: at(e.at), Detail: "turn_start after a turn that ended in error or was aborted"})
	}
	if m.On(rules.TurnAfterTerminate) && e.stops && !e.failed {
		m.Blame(rules.TurnAfterTerminate, verifier.Fault{Entity: "turn", Cause: at(e.at), Detail: "turn_start although all results of the turn before terminate"})
	}
	m.accept(record.TurnStart, noRole)
	m.run.appendedBefore, m.run.appended = m.run.appended, false
	m.beginTurn()
}

// beginTurn begins a turn, whatever was open in the one before.
func (m *machine) beginTurn() {
	m.run.last, m.run.lastRole = record.TurnStart, noRole
	if !m.message.outside {
		m.closeMessage()
	}
	m.turn.begin(*m.Place())
}

func (m *machine) turnEnd(r *record.Record) {
	if !m.turn.open {
		m.blameNotOpen(rules.NotOpenTurn, "turn", "", "turn_end without a turn")
		return
	}
	m.accept(record.TurnEnd, noRole)
	m.judgeOpenAtTurnEnd()
	t := &m.turn
	if m.On(rules.AssistantMissing) && !t.assistant && !(m.message.open && m.message.role == assistantRole) {
		m.Blame(rules.AssistantMissing, verifier.Fault{Entity: "turn", Cause: &t.at, Detail: "turn_end without an assistant message"})
	}
	if !t.failed {
		m.judgeNotRun()
	}
	m.judgeSummary(r)
	m.run.ended = ended{at: *m.Place(), some: true, failed: t.failed, spoke: t.assistant, tools: len(t.byID) > 0 || t.reported, goesOn: t.goesOn, stops: t.ended && !t.goesOn}
	if !m.message.outside {
		m.closeMessage()
	}
	m.closeTurn()
}

// closeTurn closes a turn with all tools that are open in it.
func (m *machine) closeTurn() {
	t := &m.turn
	t.open = false
	if t.running == 0 {
		return
	}
	for _, c := range t.byID {
		if c.open() {
			c.ended, c.endedAt = true, *m.Place()
		}
	}
	t.running, t.calling = 0, 0
}

func (m *machine) judgeOpenAtTurnEnd() {
	if m.On(rules.OpenAtTurnEndMessage) && m.message.open && !m.message.outside {
		m.Blame(rules.OpenAtTurnEndMessage, verifier.Fault{Entity: "message", Cause: &m.message.at, Detail: fmt.Sprintf("turn_end while the message of record %d is open", m.message.at.Index)})
	}
	if !m.On(rules.OpenAtTurnEndTool) || m.turn.running == 0 {
		return
	}
	open := m.turn.openTools()
	var names []string
	for _, c := range open {
		names = append(names, fmt.Sprintf("%q", verifier.Shown(c.id)))
	}
	m.Blame(rules.OpenAtTurnEndTool, verifier.Fault{ID: open[0].id, Entity: "tool", Cause: &open[0].at, Detail: "turn_end while tools are open: " + verifier.Listed(names)})
}

// openTools returns the tools that are open, in the order of their starts.
func (t *turn) openTools() []*tool {
	var open []*tool
	for _, c := range t.byID {
		if c.open() {
			open = append(open, c)
		}
	}
	slices.SortFunc(open, func(a, b *tool) int { return a.at.Index - b.at.Index })
	return open
}

// judgeNotRun blames the first call of the message that has not gone through start, end and result.
func (m *machine) judgeNotRun() {
	if !m.On(rules.ToolNotRun) {
		return
	}
	for _, c := range m.turn.calls {
		var lacks []string
		for _, s := range []struct {
			there bool
			name  string
		}{{c.started, "start"}, {c.ended, "end"}, {c.resulted, "result"}} {
			if !s.there {
				lacks = append(lacks, s.name)
			}
		}
		if lacks != nil {
			m.Blame(rules.ToolNotRun, verifier.Fault{
				ID: c.id, Entity: "tool", Cause: &m.turn.saidAt, Detail: fmt.Sprintf("tool call %q has no %s", verifier.Shown(c.id), strings.Join(lacks, ", no ")),
			})
			return
		}
	}
}

// judgeSummary compares what turn_end repeats with what was sent.
func (m *machine) judgeSummary(r *record.Record) {
	t := &m.turn
	if m.On(rules.TurnSummaryMessage) && t.assistant && m.sumOf(r.Value(record.Message)) != t.said {
		m.Blame(rules.TurnSummaryMessage, verifier.Fault{
			Entity: "turn", Pointer: r.Pointer(record.Message), Cause: &t.saidAt, Detail: fmt.Sprintf("the message is not that of record %d", t.saidAt.Index),
		})
	}
	if !m.On(rules.TurnSummaryResults) {
		return
	}
	n, differs := 0, -1
	for i, v := range scan.EachElement(r.Value(record.ToolResults)) {
		if n++; differs < 0 && (i >= len(t.results) || m.sumOf(v) != t.results[i]) {
			differs = i
		}
	}
	if differs < 0 && n < len(t.results) {
		differs = n
	}
	if differs >= 0 {
		m.Blame(rules.TurnSummaryResults, verifier.Fault{
			Entity: "turn", Pointer: fmt.Sprintf("%s/%d", r.Pointer(record.ToolResults), differs), Cause: &t.at,
			Detail: fmt.Sprintf("result %d of %d is not that of the turn, which has %d", differs, n, len(t.results)),
		})
	}
}
