package model

import "github.com/agentstream/conformance/baseline"

// Faults that show only beside the request.

var asked = plan{request: wanted}

var requestFaults = []fault{
	{clause: "request-mismatch/run", severities: "E---", when: start, plan: asked, do: func(s *sim) int {
		return s.spoil(func(s *sim) { s.startRun(false) }, func(*event) {})
	}},
	{clause: "request-mismatch/thread", severities: "E---", when: nothing, plan: asked, do: func(s *sim) int {
		s.thread = s.fresh("thread")
		if s.k.has(Runs) && s.chance(30) {
			s.wholeRun(false)
		}
		index := s.spoil(func(s *sim) { s.startRun(true) }, func(*event) {})
		s.some()
		s.stopRun()
		return index
	}},
	{clause: "replay-restreamed", severities: "E---", when: replay, plan: asked, do: func(s *sim) int {
		msg := pick(s.draw, s.carried())
		o := s.openingTag(msg.kind, msg.id)
		chunked := s.chance(50)
		switch {
		case chunked:
			s.chunkMessage(msg, o)
		case msg.kind == "text":
			s.openText(msg, o)
		default:
			s.openReasoning(msg, o)
		}
		return s.last()
	}},
	{clause: "frontend-tool-answered/result", severities: "E---", plan: asked, do: func(s *sim) int {
		c := s.frontendCall()
		s.answer(c.id, s.anyTag())
		return s.last()
	}},
	{clause: "frontend-tool-answered/snapshot", severities: "E---", plan: asked, do: func(s *sim) int {
		c := s.frontendCall()
		msg := s.newMessage("tool")
		msg.call = c.id
		answer := object(m("id", str(msg.id)), m("role", str("tool")), m("toolCallId", str(c.id)), m("content", str("done")))
		return s.event(baseline.MessagesSnapshot, parentAgent).put("messages", array(answer)).kept()
	}},
	{clause: "frontend-outcome", severities: "W---", plan: asked, do: func(s *sim) int {
		c := s.frontendCall()
		in := object(m("id", str("i1")), m("reason", str("tool_call")), m("toolCallId", str(c.id)))
		return s.finishWith(func(e *event) { e.body = e.body.with("outcome", interruptOutcome(in)) })
	}},
}

// carried lists the messages of the request that can be streamed.
func (s *sim) carried() []*message {
	var out []*message
	for _, msg := range s.messages {
		if msg.carried && (msg.kind == "text" || msg.kind == "reasoning") && s.run.holds(msg.kind, msg.id) == nil {
			out = append(out, msg)
		}
	}
	return out
}

// frontendCall makes and ends a call that the frontend answers.
func (s *sim) frontendCall() *call {
	c := s.callOf("ui.ask")
	s.openCall(c, s.anyTag())
	s.close(item{"tool", c.id, owner{}})
	return c
}
