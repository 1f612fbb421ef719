package model

import "github.com/agentstream/conformance/baseline"

// Runs: their start, their end, and what stands between.

// stream draws a whole stream.
func (s *sim) stream() {
	runs := s.countRuns()
	for i := range runs {
		s.until = s.plan.size * (i + 1) / runs
		s.startRun(i == runs-1)
		s.act(s.until)
		s.stopRun()
	}
}

// countRuns decides on the number of runs; a failure before the first is possible.
func (s *sim) countRuns() int {
	if s.k.Guard {
		s.fit.SingleRun = true
		return 1
	}
	runs := 1
	if s.k.has(Runs) && s.chance(50) {
		runs = max(1, min(2+s.roll(3), s.plan.size/3))
	}
	if s.k.has(Errors) && s.plan.size > 3 && s.chance(4) {
		s.fit.SingleRun = false
		s.runError()
		if s.chance(40) {
			return 0
		}
	} else {
		s.fit.SingleRun = runs == 1
	}
	return runs
}

func (s *sim) startRun(last bool) {
	asked := last && s.request != nil
	var id string
	if asked {
		id = s.request.run
	} else {
		id = s.fresh("run")
	}
	s.run = newRun(id)
	s.run.asked = asked
	e := s.event(baseline.RunStarted, parentAgent).put("threadId", str(s.thread)).put("runId", str(id))
	s.version(e)
	e.may("parentRunId", func() value { return str(s.name(e.n)) })
	switch {
	case s.k.has(Echoes) && e.wants():
		e.put("input", s.echo(e.n))
	case asked:
		st := s.request.state
		s.state = &st
	}
	e.emit()
}

func (s *sim) version(e *event) {
	v := s.plan.version
	switch {
	case v != "":
	case !s.k.has(Optional) || e.n.chance(70):
		v = "1.0"
	case s.k.has(Versions) && e.n.chance(50):
		v = among(e.n, []string{"1.1", "2.0", "0.9", "1.10", "10.0"})
	}
	if v != "" && v != "absent" {
		e.put("protocolVersion", str(v))
	}
}

// act draws actions until the stream has that many events and only room to close
// what is open.
func (s *sim) act(until int) {
	for len(s.out)+s.pendingEnds()+2 < until {
		list := s.ready()
		if len(list) == 0 {
			return
		}
		list[s.even(len(list))](s)
	}
}

func (s *sim) pendingEnds() int { return len(s.open) + len(s.run.steps) + len(s.active()) }

// stopRun ends the run: by an error, or by closing everything and finishing; a
// late error may follow.
func (s *sim) stopRun() {
	if s.k.has(Errors) && s.chance(20) {
		s.closeSome(s.roll(s.pendingEnds() + 1))
		s.runError()
		return
	}
	s.closeAll()
	s.finish()
	if s.k.has(Errors) && !s.k.Guard && len(s.out) < s.until && s.chance(10) {
		s.fit.SingleRun = false
		s.runError()
	}
}

func (s *sim) closeAll() { s.closeSome(s.pendingEnds()) }

// closeSome ends that many things of what is open, in any order.
func (s *sim) closeSome(count int) {
	for range count {
		open, steps, subs := len(s.open), len(s.run.steps), s.active()
		switch i := s.even(s.pendingEnds()); {
		case i < open:
			it := s.open[i]
			s.endItem(it, endTypes[it.kind])
		case i < open+steps:
			s.finishStep(i - open)
		case s.chance(20):
			s.failSubagent(subs[i-open-steps])
		default:
			s.finishSubagent(subs[i-open-steps])
		}
	}
}

func (s *sim) runError() {
	e := s.event(baseline.RunError, parentAgent)
	e.put("message", str(s.prose(e.n)))
	e.may("code", func() value { return str(s.name(e.n)) })
	e.may("usage", func() value { return s.usage(e.n) }).emit()
}

func (s *sim) finish() {
	e := s.event(baseline.RunFinished, parentAgent).put("threadId", str(s.thread)).put("runId", str(s.run.id))
	cancelled := s.outcome(e)
	if !cancelled {
		e.may("result", func() value { return s.anything(e.n, 2, false) })
	}
	e.may("usage", func() value { return s.usage(e.n) }).emit()
}

// outcome puts the outcome and tells whether it is cancelled.
func (s *sim) outcome(e *event) bool {
	if s.k.has(Interrupts) && (s.paused && e.n.chance(80) || e.n.chance(15)) {
		e.put("outcome", object(m("type", str("interrupt")), m("interrupts", s.interrupts(e.n))))
		return false
	}
	if !s.k.has(Optional) {
		return false
	}
	switch e.n.below(8) {
	case 1:
		e.put("outcome", object(m("type", str("cancelled"))))
		return true
	case 2:
		e.put("outcome", object(m("type", str("success"))))
	case 3, 4, 5:
		e.put("outcome", object(m("type", str("success")), m("pendingToolCallIds", strs(s.unanswered()))))
	case 6:
		e.put("outcome", object(m("type", str("success")), m("pendingToolCallIds", array())))
	}
	return false
}

func (s *sim) interrupts(n *noise) value {
	out := array()
	for i := range 1 + n.below(3) {
		v := object(m("id", str("i"+string(rune('1'+i)))), m("reason", str(among(n, []string{"tool_call", "input", ""}))))
		may := func(name string, f func() value) {
			if s.k.has(Optional) && n.chance(30) {
				v = v.with(name, f())
			}
		}
		may("message", func() value { return str(s.prose(n)) })
		may("toolCallId", func() value { return str(s.someCall(n)) })
		may("responseSchema", func() value { return s.record(n, 2) })
		may("expiresAt", func() value { return str("2030-01-01T00:00:00Z") })
		may("metadata", func() value { return s.metadata(n) })
		if s.k.has(Subagents) {
			may("subagentRunId", func() value { return str(s.someSubagent(n)) })
		}
		out.list = append(out.list, v)
	}
	return out
}

func (s *sim) someSubagent(n *noise) string {
	if len(s.run.subs) > 0 {
		return among(n, s.run.subs).id
	}
	return "a0"
}

// usage is a list whose sums are right, one entry for a provider and model.
func (s *sim) usage(n *noise) value {
	out := array()
	for i := range n.below(3) {
		in, reply := int64(n.below(5000))*10, int64(n.below(5000))*10
		u := empty
		may := func(name string, v value) {
			if n.chance(60) {
				u = u.with(name, v)
			}
		}
		may("provider", str("acme"))
		if i > 0 { // without a model is one model, too
			u = u.with("model", str([]string{"", "large"}[i-1]))
		}
		may("inputTokens", s.spellInt(n, in))
		may("outputTokens", s.spellInt(n, reply))
		may("totalTokens", s.spellInt(n, in+reply))
		may("reasoningTokens", s.spellInt(n, reply/2))
		may("cachedInputTokens", s.spellInt(n, in/2))
		may("cacheWriteInputTokens", s.spellInt(n, in-in/2))
		out.list = append(out.list, u)
	}
	return out
}
