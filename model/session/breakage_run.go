package session

import "slices"

// Faults of runs, turns and messages.

func userMessage(s *sim) value { return s.user("hi").v }

func started(v value) value { return typed("message_start", m("message", v)) }

func finished(v value) value { return typed("message_end", m("message", v)) }

var runFaults = []fault{
	{clause: "nested-run/in-turn", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		return s.emit(typed("agent_start"))
	}},
	{clause: "nested-run/at-once", severities: "EEE", do: func(s *sim) int {
		s.openRun()
		return s.emit(typed("agent_start"))
	}},
	{clause: "not-open/agent_end", severities: "EEE", do: func(s *sim) int {
		s.wholeRun()
		s.run = &run{}
		return s.closeRun(false)
	}},
	{clause: "not-open/turn_end", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		t := s.run.turn
		s.closeTurn()
		s.run.turn = t
		return s.closeTurn()
	}},
	{clause: "not-open/turn_start", severities: "EEE", do: func(s *sim) int {
		s.wholeRun()
		return s.emit(typed("turn_start"))
	}},
	{clause: "not-open/message_start", severities: "EEE", do: func(s *sim) int {
		s.openRun()
		return s.emit(started(userMessage(s)))
	}},
	{clause: "not-open/message_end", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		return s.emit(finished(userMessage(s)))
	}},
	{clause: "not-open/message_update", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		return s.emit(s.anUpdate())
	}},
	{clause: "not-open/tool_execution_update", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		return s.updated(c)
	}},
	{clause: "not-open/tool-ended", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		s.end(c)
		return s.updated(c)
	}},
	{clause: "not-open/tool_execution_end", severities: "EEE", do: func(s *sim) int {
		return s.ended(s.answered(1)[0])
	}},
	{clause: "turn-order/turn-in-turn", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		return s.emit(typed("turn_start"))
	}},
	{clause: "turn-order/end-in-turn", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		return s.closeRun(false)
	}},
	{clause: "turn-order/end-at-once", severities: "EEE", do: func(s *sim) int {
		s.openRun()
		return s.closeRun(false)
	}},
	{clause: "end-messages/missing", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		s.closeTurn()
		s.run.messages = s.run.messages[1:]
		return s.closeRun(false)
	}},
	{clause: "end-messages/more", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		s.closeTurn()
		s.run.messages = append(s.run.messages, userMessage(s))
		return s.closeRun(false)
	}},
	{clause: "end-messages/order", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		s.closeTurn()
		slices.Reverse(s.run.messages)
		return s.closeRun(false)
	}},
	{clause: "turn-after-failure/error", severities: "EEE", do: func(s *sim) int {
		s.failed("boom")
		s.closeTurn()
		return s.openTurn()
	}},
	{clause: "stopped-early/results", severities: "WWW", do: func(s *sim) int {
		s.carried(s.answered(1 + s.roll(2)))
		s.closeTurn()
		at := s.closeRun(false)
		s.settled()
		return at
	}},
	{clause: "turn-after-terminate/all", severities: "WWW", do: func(s *sim) int {
		calls := s.answered(1 + s.roll(2))
		s.run.turn.stops = true
		s.carried(calls)
		s.closeTurn()
		at := s.openTurn()
		s.answer(0)
		s.finished()
		return at
	}},
	{clause: "empty-turn/nothing-new", severities: "WWW", do: func(s *sim) int {
		s.answered(0)
		s.closeTurn()
		s.openTurn()
		at := len(s.out)
		s.answer(0)
		s.finished()
		return at
	}},
	{clause: "truncated/run", severities: "WWW", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		return len(s.out)
	}},
	{clause: "truncated/unsettled", severities: "-WW", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		return len(s.out)
	}},
}

// anUpdate is an update of a message that has begun with nothing in it.
func (s *sim) anUpdate() value {
	b := &block{kind: "text"}
	e := b.next(0)
	n := s.noise()
	return s.updateOf(n, e, func() value { return s.partial(s.head(n), array(b.content(n, false)), "stop", "") })
}

var turnFaults = []fault{
	{clause: "open-at-turn-end/message", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		v := s.envelope(s.noise(), array(), "stop", "")
		s.emit(started(v))
		s.run.turn.assistant = v
		return s.closeTurn()
	}},
	{clause: "open-at-turn-end/tool", severities: "EEE", do: func(s *sim) int {
		s.launched(s.answered(1)[0])
		return s.closeTurn()
	}},
	{clause: "message-overlap/user", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		s.emit(started(userMessage(s)))
		return s.emit(started(userMessage(s)))
	}},
	{clause: "message-overlap/assistant", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		s.emit(started(s.envelope(s.noise(), array(), "stop", "")))
		return s.emit(started(userMessage(s)))
	}},
	{clause: "message-changed/content", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		v := userMessage(s)
		s.emit(started(v))
		return s.emit(finished(v.with("content", array(typed("text", m("text", str("other")))))))
	}},
	{clause: "message-changed/role", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		s.emit(started(s.note().v))
		return s.emit(finished(userMessage(s)))
	}},
	{clause: "update-for-role/user", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		s.emit(started(userMessage(s)))
		return s.emit(s.anUpdate())
	}},
	{clause: "full-update/message", severities: "--E", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		v := s.envelope(s.noise(), array(), "pending", "")
		s.emit(started(v))
		return s.emit(s.anUpdate().with("message", v))
	}},
	{clause: "full-update/partial", severities: "--E", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		v := s.envelope(s.noise(), array(), "pending", "")
		s.emit(started(v))
		u := s.anUpdate()
		return s.emit(u.with("assistantMessageEvent", u.get("assistantMessageEvent").with("partial", v.with("content", array(typed("text", m("text", str(""))))))))
	}},
	{clause: "late-input/user", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		return s.emit(started(userMessage(s)))
	}},
	{clause: "late-input/custom", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		return s.emit(started(s.note().v))
	}},
	{clause: "late-input/system", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		return s.emit(started(s.system().v))
	}},
	{clause: "late-input/between-tools", severities: "EEE", do: func(s *sim) int {
		s.launched(s.answered(1)[0])
		return s.emit(started(userMessage(s)))
	}},
	{clause: "second-assistant/again", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		return s.emit(started(s.envelope(s.noise(), array(), "stop", "")))
	}},
	{clause: "assistant-missing/none", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		s.run.turn.assistant = s.envelope(s.noise(), array(), "stop", "")
		return s.closeTurn()
	}},
	{clause: "turn-summary/message", severities: "EEE", do: func(s *sim) int {
		s.answered(0)
		s.run.turn.assistant = s.run.turn.assistant.with("model", str("another"))
		return s.closeTurn()
	}},
	{clause: "turn-summary/results", severities: "EEE", do: func(s *sim) int {
		s.carried(s.answered(1 + s.roll(3)))
		s.run.turn.results = s.run.turn.results[1:]
		return s.closeTurn()
	}},
	{clause: "system-place/second", severities: "WWW", do: func(s *sim) int {
		s.beginTurn()
		at := len(s.out)
		s.say(s.system())
		s.answer(0)
		s.finished()
		return at
	}},
}
