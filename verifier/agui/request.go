package agui

import (
	"fmt"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// A request is the RunAgentInput that the stream answers, as far as rules read it.
type request struct {
	input            []byte
	run, thread      []byte // nil where it does not say
	tools            map[string]bool
	lastRun, lastThr string // of the last accepted RUN_STARTED
	last             verifier.Place
	started, current bool // some run was; the run that is open is the requested one
}

// readRequest reads a request that is known to be a JSON object.
func readRequest(input []byte) *request {
	r := &request{
		input: input, tools: map[string]bool{},
		run: event.String(scan.Member(input, event.RunID.String())), thread: event.String(scan.Member(input, event.ThreadID.String())),
	}
	if tools := scan.Member(input, "tools"); len(tools) > 0 && tools[0] == '[' {
		for _, t := range scan.EachElement(tools) {
			if name := event.String(scan.Member(t, event.Name.String())); name != nil {
				r.tools[string(name)] = true
			}
		}
	}
	return r
}

// seedRequest notes which messages the request carried.
func (m *machine) seedRequest() {
	if m.request == nil {
		return
	}
	for l := range event.Listings(scan.Member(m.request.input, event.Messages.String())) {
		m.message(l.ID).requested = true
		for c := range l.Calls() {
			m.call(c.ID).requested = true
		}
	}
}

// isRequested tells whether the open run is the requested one, and the request lists the call.
func (m *machine) isRequested(c *call) bool { return c.requested && m.request.current }

// requestCurrent notes whether the run that starts is the requested one, also where its RUN_STARTED
// is at fault in other members.
func (m *machine) requestCurrent(run []byte) {
	if r := m.request; r != nil {
		r.current = r.run != nil && run != nil && string(r.run) == string(run)
	}
}

// requestedRun is told of every accepted RUN_STARTED. The requested run begins with the request's
// state; an echo, which comes after, sets it anew.
func (m *machine) requestedRun(run, thread []byte) {
	r := m.request
	if r == nil {
		return
	}
	r.started, r.last = true, *m.Place()
	r.lastRun, r.lastThr = string(run), string(thread)
	if r.current {
		m.baseState(scan.Member(r.input, "state"))
	}
}

func (m *machine) finishRequest() {
	r := m.request
	if r == nil || !r.started {
		return
	}
	if m.On(rules.RequestRun) && r.run != nil && string(r.run) != r.lastRun {
		m.blameRequest(rules.RequestRun, event.RunID, r.lastRun, r.run)
		return
	}
	if m.On(rules.RequestThread) && r.thread != nil && string(r.thread) != r.lastThr {
		m.blameRequest(rules.RequestThread, event.ThreadID, r.lastThr, r.thread)
	}
}

func (m *machine) blameRequest(c verifier.ClauseID, f event.Field, got string, want []byte) {
	m.Blame(c, verifier.Fault{
		ID: got, Entity: "run", At: &m.request.last, Type: baseline.RunStarted.String(), Pointer: "/" + f.String(),
		Detail: fmt.Sprintf("%s %q is that of the last run; the request asked for %q", f, verifier.Shown(got), verifier.Shown(string(want))),
	})
}

func (m *machine) judgeRestreamed(msg *message) {
	if m.request == nil || m.request.current || !msg.requested || !m.On(rules.ReplayRestreamed) {
		return
	}
	m.Blame(rules.ReplayRestreamed, verifier.Fault{
		ID: msg.id, Entity: fmt.Sprintf("message %q", verifier.Shown(msg.id)),
		Detail: fmt.Sprintf("the request carried message %q; a replayed run restates it by snapshot", verifier.Shown(msg.id)),
	})
}

// frontend reports whether a call of this run is to a tool that the request lists.
func (m *machine) frontend(c *call) bool {
	return m.request != nil && c != nil && c.made == m.run && m.request.tools[c.calls]
}

func (m *machine) judgeFrontendResult(c *call) {
	if m.frontend(c) && m.On(rules.FrontendResult) {
		m.blameFrontend(rules.FrontendResult, c, "")
	}
}

func (m *machine) judgeFrontendSnapshot(l *event.Listing) {
	if m.request == nil || l.Kind != event.ResultMessage || l.ToolCallID == nil || m.message(l.ID).requested {
		return
	}
	if c := m.calls[string(l.ToolCallID)]; m.frontend(c) && m.On(rules.FrontendSnapshot) {
		m.blameFrontend(rules.FrontendSnapshot, c, "/"+event.Messages.String())
	}
}

func (m *machine) blameFrontend(c verifier.ClauseID, call *call, pointer string) {
	m.Blame(c, verifier.Fault{
		ID: call.id, Entity: entity(callKind, call.id), Cause: &call.at, Pointer: pointer,
		Detail: fmt.Sprintf("the request lists tool %q: its call %q is the frontend's to answer", verifier.Shown(call.calls), verifier.Shown(call.id)),
	})
}

func (m *machine) adviseAdvertised(c *call, name []byte) {
	r := m.request
	if r == nil || c.unadvertised || len(r.tools) == 0 || r.tools[string(name)] || !m.On(rules.ToolUnadvertised) {
		return
	}
	c.unadvertised = true
	m.Blame(rules.ToolUnadvertised, verifier.Fault{
		ID: c.id, Entity: entity(callKind, c.id), Pointer: "/" + event.ToolCallName.String(),
		Detail: fmt.Sprintf("tool %q is not among those that the request lists", verifier.Shown(string(name))),
	})
}

// judgeFrontendOutcome: a run that stopped for the frontend's tools alone ends as a success.
func (m *machine) judgeFrontendOutcome(outcome []byte) {
	list := event.Interrupts(outcome)
	if m.request == nil || list == nil || event.IsEmptyArray(list) || !m.On(rules.FrontendOutcome) || !m.waitsForFrontend() {
		return
	}
	for _, v := range scan.EachElement(list) {
		id := event.String(scan.Member(v, event.ToolCallID.String()))
		if c := m.calls[string(id)]; id == nil || !m.frontend(c) || c.answered == m.run {
			return
		}
	}
	m.Blame(rules.FrontendOutcome, verifier.Fault{Entity: "outcome", Pointer: "/" + event.Outcome.String() + "/type",
		Detail: "every interrupt is about a call that the frontend answers; such a run ends as a success"})
}

func (m *machine) waitsForFrontend() bool {
	for _, c := range m.made {
		if m.frontend(c) && c.answered != m.run {
			return true
		}
	}
	return false
}
