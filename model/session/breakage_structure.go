package session

// Faults of records by themselves.

// garbled writes a line that is no record.
func (s *sim) garbled(line string) int {
	s.out = append(s.out, []byte(line))
	s.marks = append(s.marks, mark{})
	return s.last()
}

// lacking is a record without one of its members.
func lacking(name string, do func(s *sim)) func(s *sim) int {
	return func(s *sim) int {
		return s.spoiled(func(v value) value { return v.without(name) }, func() { do(s) })
	}
}

// having is a record with a member that is something else.
func having(name string, as value, do func(s *sim)) func(s *sim) int {
	return func(s *sim) int {
		return s.spoiled(func(v value) value { return v.with(name, as) }, func() { do(s) })
	}
}

// inMessage changes the message of a record.
func inMessage(how func(v value) value, do func(s *sim)) func(s *sim) int {
	return func(s *sim) int {
		return s.spoiled(func(v value) value { return v.with("message", how(v.get("message"))) }, func() { do(s) })
	}
}

func sayUser(s *sim) {
	s.emit(started(userMessage(s)))
}

func inTurn(do func(s *sim)) func(s *sim) int {
	return func(s *sim) int {
		s.beginTurn()
		do(s)
		return s.last()
	}
}

// then lets something come before what is spoiled.
func then(before func(s *sim), do func(s *sim) int) func(s *sim) int {
	return func(s *sim) int {
		before(s)
		return do(s)
	}
}

var structureFaults = []fault{
	{clause: "bad-json/garbage", severities: "EEE", do: func(s *sim) int {
		return s.garbled(pick(s.draw, []string{"{", "", "{\"type\":\"agent_start\"", "agent_start", "{\"type\":'agent_start'}", "{} {}"}))
	}},
	{clause: "bad-json/raw-output", severities: "EEE", classes: both, do: func(s *sim) int {
		return s.write(s.enveloped("stdout", m("raw", str("npm warn"))))
	}},
	{clause: "not-an-object/array", severities: "EEE", do: func(s *sim) int {
		return s.garbled(pick(s.draw, []string{"[]", "null", "7", "\"agent_start\"", "true"}))
	}},
	{clause: "not-an-object/record", severities: "EEE", classes: both, do: func(s *sim) int {
		return s.write(s.enveloped("stdout", m("record", array())))
	}},
	{clause: "bad-utf8/text", severities: "EEE", do: inTurn(func(s *sim) {
		s.emit(started(object(m("role", str("user")), m("content", str("a\xffb")), m("timestamp", s.now()))))
	})},
	{clause: "duplicate-name/type", severities: "WWW", do: func(s *sim) int {
		at := s.spoiled(func(v value) value { return value{kind: '{', members: append(v.members, v.members...)} }, func() { s.wholeRun() })
		if s.session() {
			s.settled()
		}
		return at
	}},
	{clause: "unknown-event-type/other", severities: "WWW", do: func(s *sim) int {
		return s.emit(typed(pick(s.draw, []string{"agent_paused", "", "AGENT_START", "message_delta"})))
	}},
	{clause: "unknown-event-type/agent_settled", severities: "W--", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		return s.emit(typed("agent_settled"))
	}},
	{clause: "missing-field/type", severities: "EEE", do: func(s *sim) int { return s.emit(object(m("kind", str("agent_start")))) }},
	{clause: "missing-field/messages", severities: "EEE", do: then(func(s *sim) { s.answered(0); s.closeTurn() }, lacking("messages", func(s *sim) { s.closeRun(false) }))},
	{clause: "missing-field/willRetry", severities: "-EE", classes: stdouts, do: then(func(s *sim) { s.answered(0); s.closeTurn() }, lacking("willRetry", func(s *sim) { s.closeRun(false) }))},
	{clause: "missing-field/toolResults", severities: "EEE", do: then(func(s *sim) { s.answered(0) }, lacking("toolResults", func(s *sim) { s.closeTurn() }))},
	{clause: "missing-field/message", severities: "EEE", do: then((*sim).beginTurn, lacking("message", sayUser))},
	{clause: "missing-field/role", severities: "EEE", do: then((*sim).beginTurn, inMessage(func(v value) value { return v.without("role") }, sayUser))},
	{clause: "missing-field/timestamp", severities: "EEE", do: then((*sim).beginTurn, inMessage(func(v value) value { return v.without("timestamp") }, sayUser))},
	{clause: "missing-field/args", severities: "EEE", do: then(func(s *sim) { s.answered(1) }, lacking("args", func(s *sim) { s.launched(s.run.turn.calls[0]) }))},
	{clause: "missing-field/usage", severities: "--E", classes: stdouts, do: then(func(s *sim) {
		s.beginTurn()
		s.emit(started(s.envelope(s.noise(), array(), "pending", "")))
	}, lacking("usage", func(s *sim) { s.emit(s.anUpdate()) }))},
	{clause: "missing-field/assistantMessageEvent", severities: "EEE", do: then(func(s *sim) {
		s.beginTurn()
		s.emit(started(s.envelope(s.noise(), array(), "stop", "")))
	}, lacking("assistantMessageEvent", func(s *sim) { s.emit(s.anUpdate()) }))},
	{clause: "missing-field/reason", severities: "EEE", classes: stdouts, do: lacking("reason", func(s *sim) { s.compacting("manual") })},
	{clause: "missing-field/followUp", severities: "EEE", classes: stdouts, do: lacking("followUp", func(s *sim) { s.queueUpdate() })},
	{clause: "missing-field/attempt", severities: "EEE", classes: stdouts, do: then(func(s *sim) { s.failedRun(true) }, lacking("attempt", func(s *sim) { s.retrying(1, 2) }))},
	{clause: "missing-field/success", severities: "EEE", classes: pipes, do: func(s *sim) int {
		c := s.sent("abort_bash")
		return s.emit(s.response(c, true).without("success"))
	}},
	{clause: "missing-field/title", severities: "EEE", classes: pipes, do: lacking("title", func(s *sim) { s.ask(&dialog{method: "confirm"}) })},
	{clause: "wrong-type/messages", severities: "EEE", do: then(func(s *sim) { s.answered(0); s.closeTurn() }, having("messages", empty, func(s *sim) { s.closeRun(false) }))},
	{clause: "wrong-type/isError", severities: "EEE", do: then(func(s *sim) { s.launched(s.answered(1)[0]) }, having("isError", str("false"), func(s *sim) { s.end(s.run.turn.calls[0]) }))},
	{clause: "wrong-type/toolCallId", severities: "EEE", do: then(func(s *sim) { s.answered(1) }, having("toolCallId", number(1), func(s *sim) { s.launched(s.run.turn.calls[0]) }))},
	{clause: "wrong-type/content", severities: "EEE", do: then((*sim).beginTurn, inMessage(func(v value) value { return v.with("content", number(1)) }, sayUser))},
	{clause: "wrong-type/null", severities: "EEE", do: then((*sim).beginTurn, inMessage(func(v value) value { return v.with("content", null) }, sayUser))},
	{clause: "wrong-type/steering", severities: "EEE", classes: stdouts, do: having("steering", array(number(1)), func(s *sim) { s.queueUpdate() })},
	{clause: "wrong-type/delayMs", severities: "EEE", classes: stdouts, do: then(func(s *sim) { s.failedRun(true) }, having("delayMs", str("60"), func(s *sim) { s.retrying(1, 2) }))},
	{clause: "bad-value/reason", severities: "EEE", classes: stdouts, do: having("reason", str("because"), func(s *sim) { s.compacting("manual") })},
	{clause: "bad-value/method", severities: "EEE", classes: pipes, do: having("method", str("shout"), func(s *sim) { s.ask(&dialog{method: "confirm"}) })},
	{clause: "bad-value/block", severities: "EEE", do: then((*sim).beginTurn, inMessage(func(v value) value {
		return v.with("content", array(typed("hologram", m("text", str("hi")))))
	}, sayUser))},
	{clause: "null-optional/errorMessage", severities: "WWW", classes: stdouts, do: func(s *sim) int {
		s.compacting("manual")
		return s.emit(s.compactedEnd("manual", false).with("errorMessage", null))
	}},
	{clause: "null-optional/durationMs", severities: "--W", do: func(s *sim) int {
		c := s.answered(1)[0]
		refused(c)
		s.launched(c)
		at := s.spoiled(func(v value) value { return v.with("durationMs", null) }, func() { s.end(c) })
		s.resultOf(c)
		s.closeTurn()
		s.openTurn()
		s.answer(0)
		s.closeTurn()
		s.closeRun(false)
		if s.session() {
			s.settled()
		}
		return at
	}},
}
