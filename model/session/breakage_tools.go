package session

// Faults of tool calls, and of their order in a batch.

var toolFaults = []fault{
	{clause: "tools-after-failure/error", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		n := s.noise()
		v := s.envelope(n, array(typed("toolCall", m("id", str("x")), m("name", str("slow")), m("arguments", empty))), "error", "boom")
		s.emit(started(v))
		s.finish(v, ending{stop: "error"})
		return s.launched(&call{id: "x", name: "slow", args: empty})
	}},
	{clause: "tool-not-run/not-started", severities: "EEE", do: func(s *sim) int {
		s.answered(1 + s.roll(2))
		return s.closeTurn()
	}},
	{clause: "tool-not-run/no-result", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		s.end(c)
		return s.closeTurn()
	}},
	{clause: "tool-unknown/id", severities: "EEE", do: func(s *sim) int {
		s.answered(s.roll(2))
		return s.launched(&call{id: "stranger", name: "slow", args: empty})
	}},
	{clause: "tool-unknown/before-message_end", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		n := s.noise()
		b := &block{kind: "tool", id: "x", name: "slow", args: empty}
		s.emit(started(s.envelope(n, array(), "stop", "")))
		for !b.ended {
			s.update(n, []*block{b}, b, func(content value) value { return s.envelope(n, content, "toolUse", "") })
		}
		return s.launched(&call{id: "x", name: "slow", args: empty})
	}},
	{clause: "tool-order/second-first", severities: "EEE", do: func(s *sim) int {
		return s.launched(s.answered(2)[1])
	}},
	{clause: "tool-order/again", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		s.end(c)
		s.resultOf(c)
		return s.launched(c)
	}},
	{clause: "tool-call-changed/name", severities: "EEE", do: func(s *sim) int {
		c := *s.answered(1)[0]
		c.name += "x"
		return s.launched(&c)
	}},
	{clause: "tool-call-changed/args", severities: "EEE", do: func(s *sim) int {
		c := *s.answered(1)[0]
		c.args = c.args.with("other", yes)
		return s.launched(&c)
	}},
	{clause: "tool-call-changed/update", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		c.args = c.args.with("other", yes)
		return s.updated(c)
	}},
	{clause: "tool-call-changed/end", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		c.name += "x"
		return s.ended(c)
	}},
	{clause: "result-changed/toolName", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		s.end(c)
		c.name += "x"
		return s.resulted(c)
	}},
	{clause: "result-changed/isError", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		s.end(c)
		c.fails = !c.fails
		return s.resulted(c)
	}},
	{clause: "result-changed/content", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		s.end(c)
		c.content = array(typed("text", m("text", str("another result"))))
		return s.resulted(c)
	}},
	{clause: "nested-place/parent-not-open", severities: "--E", classes: stdouts, do: func(s *sim) int {
		c := s.answered(1)[0]
		return s.launched(&call{id: "kid", name: "slow", args: empty, parent: c})
	}},
	{clause: "nested-place/parent-ends-first", severities: "--E", classes: stdouts, do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		s.launched(&call{id: "kid", name: "slow", args: empty, parent: c})
		return s.ended(c)
	}},
	{clause: "nested-place/result", severities: "--E", classes: stdouts, do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		kid := &call{id: "kid", name: "slow", args: empty, parent: c, runs: true}
		s.launched(kid)
		s.end(kid)
		s.end(c)
		return s.resulted(kid)
	}},
	{clause: "duplicate-tool-id/twice", severities: "EEE", do: func(s *sim) int {
		s.beginTurn()
		n := s.noise()
		twin := typed("toolCall", m("id", str("same")), m("name", str("slow")), m("arguments", empty))
		v := s.envelope(n, array(twin, twin), "toolUse", "")
		s.emit(started(v))
		return s.emit(finished(v))
	}},
}

// refused marks a call as one that does not run.
func refused(c *call) *call {
	c.runs, c.fails = false, true
	return c
}

var batchFaults = []fault{
	{clause: "start-after-update/parallel", severities: "EEE", do: func(s *sim) int {
		calls := s.answered(2)
		s.launched(calls[0])
		s.updated(calls[0])
		return s.launched(calls[1])
	}},
	{clause: "start-after-end/success", severities: "EEE", do: func(s *sim) int {
		calls := s.answered(2)
		s.launched(calls[0])
		s.end(calls[0])
		return s.launched(calls[1])
	}},
	{clause: "start-after-end/failure-with-duration", severities: "--E", do: func(s *sim) int {
		calls := s.answered(2)
		calls[0].fails = true
		s.launched(calls[0])
		s.end(calls[0])
		return s.launched(calls[1])
	}},
	{clause: "start-after-end/failure-with-update", severities: "EEE", do: func(s *sim) int {
		calls := s.answered(2)
		s.launched(calls[0])
		s.updated(calls[0])
		s.end(refused(calls[0]))
		return s.launched(calls[1])
	}},
	{clause: "result-before-end/other", severities: "EEE", do: func(s *sim) int {
		calls := s.answered(2)
		s.launched(calls[0])
		s.launched(calls[1])
		s.end(calls[0])
		return s.resulted(calls[0])
	}},
	{clause: "result-before-end/own", severities: "EEE", do: func(s *sim) int {
		c := s.answered(1)[0]
		s.launched(c)
		c.content = array()
		return s.resulted(c)
	}},
	{clause: "mixed-batch/result-between", severities: "EEE", do: func(s *sim) int {
		calls := s.answered(3)
		s.launched(calls[0])
		s.end(refused(calls[0]))
		s.launched(calls[1])
		s.end(refused(calls[1]))
		s.resultOf(calls[0])
		return s.launched(calls[2])
	}},
	{clause: "result-order/second-first", severities: "EEE", do: func(s *sim) int {
		calls := s.answered(2)
		for _, c := range calls {
			s.launched(c)
		}
		for _, c := range calls {
			s.end(c)
		}
		return s.resulted(calls[1])
	}},
	{clause: "length-tool-ran/update", severities: "--E", do: func(s *sim) int {
		c := s.cutOff()
		s.launched(c)
		return s.updated(c)
	}},
	{clause: "length-tool-ran/success", severities: "--E", do: func(s *sim) int {
		c := s.cutOff()
		c.runs, c.fails = false, false
		s.launched(c)
		return s.ended(c)
	}},
	{clause: "length-tool-ran/duration", severities: "--E", do: func(s *sim) int {
		c := s.cutOff()
		c.fails = true
		s.launched(c)
		return s.ended(c)
	}},
}

// cutOff is the call of a message that was cut at its length.
func (s *sim) cutOff() *call {
	s.beginTurn()
	n := s.noise()
	v := s.envelope(n, array(typed("toolCall", m("id", str("x")), m("name", str("slow")), m("arguments", empty))), "length", "")
	s.emit(started(v))
	s.finish(v, ending{stop: "length"})
	c := &call{id: "x", name: "slow", args: empty, runs: true}
	s.run.turn.calls = []*call{c}
	return c
}
