package model

import "github.com/agentstream/conformance/baseline"

// Faults of order: what is open, what a run knows, where it ends.

var orderFaults = []fault{
	{clause: "run-ended/after-finish", severities: "EEEE", do: func(s *sim) int {
		s.closeAll()
		s.finish()
		return s.afterEnd()
	}},
	{clause: "run-ended/after-error", severities: "EEEE", do: func(s *sim) int {
		s.runError()
		if s.chance(40) {
			s.over = true
			return s.spoil((*sim).runError, func(*event) {})
		}
		return s.afterEnd()
	}},
	{clause: "first-event", severities: "EE-E", when: nothing, do: (*sim).firstEvent},
	{clause: "duplicate-run-started", severities: "EEEE", do: func(s *sim) int {
		id := pick(s.draw, []string{s.run.id, s.fresh("run")})
		e := s.event(baseline.RunStarted, parentAgent).put("threadId", str(s.thread)).put("runId", str(id))
		return e.refused()
	}},
	{clause: "duplicate-start/text", severities: "EEEE", do: func(s *sim) int { return s.startTwice("text") }},
	{clause: "duplicate-start/reasoning", severities: "EEEE", do: func(s *sim) int { return s.startTwice("reasoning") }},
	{clause: "duplicate-start/span", severities: "EEE-", do: func(s *sim) int { return s.startTwice("span") }},
	{clause: "duplicate-start/tool-call", severities: "EEEE", do: func(s *sim) int { return s.startTwice("tool") }},
	{clause: "duplicate-start/step", severities: "EEEE", do: func(s *sim) int {
		if len(s.run.steps) == 0 {
			s.stepStarted()
		}
		st := pick(s.draw, s.run.steps)
		return s.event(baseline.StepStarted, st.by).put("stepName", str(st.name)).refused()
	}},
	{clause: "duplicate-start/subagent", severities: "EEEE", do: func(s *sim) int { return s.announceAgain(s.newSubagent()) }},
	{clause: "duplicate-start/subagent-reused", severities: "EEEE", do: func(s *sim) int {
		id := s.newSubagent()
		s.finishSubagent(id)
		s.some()
		return s.announceAgain(id)
	}},
	{clause: "not-open/text", severities: "EEEE", do: func(s *sim) int {
		return s.notOpen("text", baseline.TextMessageContent, baseline.TextMessageEnd)
	}},
	{clause: "not-open/reasoning", severities: "EEEE", do: func(s *sim) int {
		return s.notOpen("reasoning", baseline.ReasoningMessageContent, baseline.ReasoningMessageEnd)
	}},
	{clause: "not-open/span", severities: "EEE-", do: func(s *sim) int { return s.notOpen("span", baseline.ReasoningEnd) }},
	{clause: "not-open/tool-call", severities: "EEEE", do: func(s *sim) int {
		return s.notOpen("tool", baseline.ToolCallArgs, baseline.ToolCallEnd)
	}},
	{clause: "not-open/step", severities: "EEEE", do: func(s *sim) int {
		return s.event(baseline.StepFinished, s.anyTag()).put("stepName", str(s.fresh("step"))).refused()
	}},
	{clause: "not-open/step-other-owner", severities: "EEEE", do: func(s *sim) int {
		st := step{s.anyTag(), s.fresh("step")}
		s.event(baseline.StepStarted, st.by).put("stepName", str(st.name)).emit()
		s.run.steps = append(s.run.steps, st)
		return s.event(baseline.StepFinished, s.other(st.by)).put("stepName", str(st.name)).refused()
	}},
	{clause: "not-open/subagent", severities: "EEEE", do: (*sim).endNobody},
	{clause: "unknown-id/parent-subagent", severities: "EEEE", do: func(s *sim) int {
		id := s.fresh("agent")
		e := s.event(baseline.SubagentStarted, parentAgent).put("subagentRunId", str(id)).put("name", str("researcher"))
		return e.put("parentSubagentRunId", str(pick(s.draw, []string{id, s.fresh("agent")}))).refused()
	}},
	{clause: "unknown-id/result", severities: "I-E-", do: func(s *sim) int {
		id := s.fresh("call")
		s.calls = append(s.calls, &call{id: id})
		s.answer(id, s.anyTag())
		return s.last()
	}},
	{clause: "out-of-order", severities: "W-EE", do: func(s *sim) int {
		it := s.newCall(s.anyTag())
		s.answer(it.id, s.anyTag())
		return s.last()
	}},
	{clause: "open-at-finish/run", severities: "EE-E", do: (*sim).finishOpen},
	{clause: "open-at-finish/guard", severities: "--E-", do: (*sim).finishOpen},
	{clause: "truncated/no-run", severities: "EE-E", when: nothing, do: func(s *sim) int {
		if s.profile == "client" { // which ignores these
			s.run = newRun("")
			for range s.roll(3) {
				s.raw()
			}
		}
		return len(s.out)
	}},
	{clause: "truncated/open-run", severities: "EE-E", do: func(s *sim) int {
		s.over = true
		return len(s.out)
	}},
}

// afterEnd emits an event that nothing but a new run, or a late error, may be.
func (s *sim) afterEnd() int {
	s.over = true
	does := []func(*sim){
		(*sim).raw, (*sim).custom, (*sim).textStart, (*sim).stateSnapshot, (*sim).messagesSnapshot, (*sim).finish,
		(*sim).subagentStarted, (*sim).stepStarted, (*sim).toolStart, (*sim).encryptedValue,
	}
	if s.k.Guard { // a guard has one run
		does = append(does, (*sim).runError, func(s *sim) { s.startRun(false) })
	}
	return s.spoil(pick(s.draw, does), func(*event) {})
}

func (s *sim) firstEvent() int {
	s.run = newRun("")
	does := []func(*sim){(*sim).textStart, (*sim).stateSnapshot, (*sim).stepStarted, (*sim).messagesSnapshot, (*sim).subagentStarted, (*sim).activitySnapshot}
	if s.profile != "client" {
		does = append(does, (*sim).raw, (*sim).custom)
	}
	index := s.spoil(pick(s.draw, does), func(*event) {})
	s.wholeRun(true)
	return index
}

// startTwice opens an item that is open.
func (s *sim) startTwice(kind string) int {
	it := s.newItem(kind, s.anyTag())
	s.some()
	if !s.isOpen(kind, it.id) { // it was ended meanwhile
		it = s.newItem(kind, s.anyTag())
	}
	e := s.event(startTypes[kind], pick(s.draw, []owner{parentAgent, it.opened})).put(idName(kind), str(it.id))
	if !s.agrees(bookOf(kind), it.id, e.own) {
		e.own = parentAgent
	}
	switch kind {
	case "reasoning":
		e.put("role", str("reasoning"))
	case "tool":
		e.put("toolCallName", str("search"))
	}
	return e.refused()
}

func (s *sim) announceAgain(id string) int {
	return s.event(baseline.SubagentStarted, parentAgent).put("subagentRunId", str(id)).put("name", str("researcher")).refused()
}

// notOpen continues or ends what was never open, or was ended.
func (s *sim) notOpen(kind string, types ...baseline.EventType) int {
	id := s.fresh("entity")
	if s.isOpen(kind, id) || s.chunked[thing{kind, id}] {
		id += "?"
	}
	if s.chance(50) {
		it := s.newItem(kind, s.anyTag())
		s.close(it)
		id = it.id
	}
	typ := pick(s.draw, types)
	e := s.event(typ, parentAgent).put(idName(kind), str(id))
	if typ == baseline.TextMessageContent || typ == baseline.ReasoningMessageContent || typ == baseline.ToolCallArgs {
		e.put("delta", str(s.prose(e.n)))
	}
	return e.refused()
}

// other is an owner that is not that one; the parent agent is one, too.
func (s *sim) other(than owner) owner {
	if than.tagged && s.chance(50) {
		return parentAgent
	}
	return s.stranger(than)
}

func (s *sim) endNobody() int {
	id := s.fresh("agent")
	if s.chance(50) {
		id = s.newSubagent()
		s.finishSubagent(id)
	}
	e := s.event(pick(s.draw, []baseline.EventType{baseline.SubagentFinished, baseline.SubagentError}), parentAgent).put("subagentRunId", str(id))
	if e.typ == baseline.SubagentError {
		e.put("message", str("failed"))
	}
	return e.refused()
}

// finishOpen finishes the run over something open.
func (s *sim) finishOpen() int {
	switch s.roll(3) {
	case 0:
		s.newItem(pick(s.draw, []string{"text", "tool", "reasoning"}), s.anyTag())
	case 1:
		s.stepStarted()
	case 2:
		s.newSubagent()
	}
	s.over = true
	s.finish()
	return s.last()
}
