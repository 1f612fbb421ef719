package model

import "github.com/agentstream/conformance/baseline"

// Subagents and steps.

// announceable lists the known ids that may be announced now: not announced in
// this run, and not used as a tag in it.
func (s *sim) announceable() []string {
	var out []string
	for _, id := range append(append([]string(nil), s.subs...), s.ghosts...) {
		if !s.announced(id) && !s.seen[id] {
			out = append(out, id)
		}
	}
	return out
}

func (r *run) announced(id string) bool {
	for _, a := range r.subs {
		if a.id == id {
			return true
		}
	}
	return false
}

func (s *sim) subagentStarted() {
	var id string
	if known := s.announceable(); len(known) > 0 && s.chance(30) {
		id = pick(s.draw, known)
	} else {
		id = s.fresh("agent")
		s.subs = append(s.subs, id)
	}
	e := s.event(baseline.SubagentStarted, parentAgent).put("subagentRunId", str(id))
	e.put("name", str(s.name(e.n)))
	if len(s.run.subs) > 0 && s.chance(50) {
		e.put("parentSubagentRunId", str(pick(s.draw, s.run.subs).id))
	}
	e.may("description", func() value { return str(s.prose(e.n)) })
	e.may("parentToolCallId", func() value { return str(s.someCall(e.n)) })
	e.may("parentMessageId", func() value { return str(s.someMessage(e.n)) })
	e.emit()
	s.run.subs = append(s.run.subs, subagent{id, true})
}

// someCall is an id that nothing is looked up by.
func (s *sim) someCall(n *noise) string {
	if len(s.calls) > 0 && n.chance(80) {
		return among(n, s.calls).id
	}
	return "c0"
}

func (s *sim) someMessage(n *noise) string {
	if len(s.messages) > 0 && n.chance(80) {
		return among(n, s.messages).id
	}
	return "m0"
}

func (s *sim) active() []string {
	var out []string
	for _, a := range s.run.subs {
		if a.active {
			out = append(out, a.id)
		}
	}
	return out
}

func (s *sim) subagentFinished() { s.finishSubagent(pick(s.draw, s.active())) }

func (s *sim) finishSubagent(id string) {
	e := s.event(baseline.SubagentFinished, parentAgent).put("subagentRunId", str(id))
	e.may("result", func() value { return s.anything(e.n, 2, false) })
	e.may("outcome", func() value { return s.subagentOutcome(e.n) })
	e.emit()
	s.ended(id)
}

func (s *sim) subagentOutcome(n *noise) value {
	if !s.k.has(Interrupts) || n.chance(50) {
		return object(m("type", str("success")))
	}
	s.paused = true
	out := object(m("type", str("suspended")))
	if n.chance(70) {
		ids := []string{}
		for i := range n.below(3) {
			ids = append(ids, "i"+string(rune('1'+i)))
		}
		s.suspended = append(s.suspended, ids...)
		out = out.with("interruptIds", strs(ids))
	}
	return out
}

func (s *sim) subagentError() { s.failSubagent(pick(s.draw, s.active())) }

func (s *sim) failSubagent(id string) {
	e := s.event(baseline.SubagentError, parentAgent).put("subagentRunId", str(id))
	e.put("message", str(s.prose(e.n)))
	e.may("code", func() value { return str(s.name(e.n)) }).emit()
	s.ended(id)
}

func (s *sim) ended(id string) {
	for i := range s.run.subs {
		if s.run.subs[i].id == id {
			s.run.subs[i].active = false
		}
	}
}

// --- steps: keyed by owner and name, both for the start and for the end ---

var stepNames = []string{"plan", "act", "", "plan 2"}

func (s *sim) stepStarted() {
	st := step{s.anyTag(), pick(s.draw, stepNames)}
	if s.stepOpen(st) {
		st.name = s.fresh("step")
	}
	s.event(baseline.StepStarted, st.by).put("stepName", str(st.name)).emit()
	s.run.steps = append(s.run.steps, st)
}

func (s *sim) stepOpen(st step) bool {
	for _, have := range s.run.steps {
		if have == st {
			return true
		}
	}
	return false
}

func (s *sim) stepFinished() { s.finishStep(s.roll(len(s.run.steps))) }

func (s *sim) finishStep(i int) {
	st := s.run.steps[i]
	s.event(baseline.StepFinished, st.by).put("stepName", str(st.name)).emit()
	s.run.steps = append(s.run.steps[:i:i], s.run.steps[i+1:]...)
}
