package session

// What faults are made of: the parts of a run, one by one.

// asked is the prompt that a run is due to.
func (s *sim) asked() {
	if !s.served() {
		return
	}
	c := s.compose("prompt", m("message", str("hi")))
	s.unanswered++
	s.writeIn(c.v)
	s.accept(c, "started")
}

// openRun begins a run that a prompt asks for.
func (s *sim) openRun() int {
	s.asked()
	return s.beginRun()
}

// beginRun begins a run.
func (s *sim) beginRun() int {
	s.run, s.ran = &run{}, true
	return s.emit(typed("agent_start"))
}

func (s *sim) openTurn() int {
	s.run.turns++
	s.run.turn = &turn{}
	return s.emit(typed("turn_start"))
}

// beginTurn begins a run and its first turn, as far as the user's message.
func (s *sim) beginTurn() {
	s.openRun()
	s.openTurn()
	for _, msg := range append(s.firstWords(), s.user("hi")) {
		s.say(msg)
	}
}

// answered begins a run and lets it be answered, with so many calls.
func (s *sim) answered(calls int) []*call {
	s.beginTurn()
	return s.withCalls(calls)
}

// withCalls answers with so many calls, none of them carried out yet.
func (s *sim) withCalls(calls int) []*call {
	s.answer(calls)
	t := s.run.turn
	for _, v := range callsOf(t.assistant) {
		t.calls = append(t.calls, &call{id: v.get("id").text, name: v.get("name").text, args: v.get("arguments"), runs: true})
	}
	return t.calls
}

// failed begins a run whose first turn has failed, with an unfinished thought about a tool.
func (s *sim) failed(text string) {
	s.beginTurn()
	s.failedAnswer(text)
}

func (s *sim) failedAnswer(text string) {
	n := s.noise()
	v := s.envelope(n, array(typed("text", m("text", str("")))), "error", text)
	s.emit(typed("message_start", m("message", v)))
	s.finish(v, ending{stop: "error", text: text})
}

func (s *sim) closeTurn() int {
	t := s.run.turn
	s.run.last, s.run.turn = *t, nil
	return s.emit(typed("turn_end", m("message", t.assistant), m("toolResults", array(t.results...))))
}

// closeRun ends a run; willRetry where a retry is announced.
func (s *sim) closeRun(willRetry bool) int {
	s.endRun(ending{retry: willRetry})
	return s.last()
}

func (s *sim) settled() int {
	s.settle()
	return s.last()
}

// wholeRun is a run with a turn that succeeds.
func (s *sim) wholeRun() {
	s.answered(0)
	s.closeTurn()
	s.closeRun(false)
}

// failedRun is a run whose turn fails.
func (s *sim) failedRun(willRetry bool) {
	s.failed("529 overloaded")
	s.closeTurn()
	s.closeRun(willRetry)
}

// finished closes what a fault has left open of a run, legally.
func (s *sim) finished() {
	s.closeTurn()
	s.closeRun(false)
	s.settled()
}

// carried carries out calls that are left, in order.
func (s *sim) carried(calls []*call) {
	for _, c := range calls {
		s.launched(c)
	}
	for _, c := range calls {
		s.end(c)
	}
	for _, c := range calls {
		s.resultOf(c)
	}
}

func (s *sim) launched(c *call) int {
	c.open = true
	return s.emit(s.toolEvent("tool_execution_start", c, m("args", c.args)))
}

func (s *sim) updated(c *call) int {
	return s.emit(s.toolEvent("tool_execution_update", c, m("args", c.args), m("partialResult", object(m("content", array()), m("details", empty)))))
}

// ended ends a call and gives the index.
func (s *sim) ended(c *call) int {
	s.end(c)
	return s.last()
}

// resulted writes the start of a result's message.
func (s *sim) resulted(c *call) int {
	return s.emit(typed("message_start", m("message", s.resultMessage(c))))
}

// spoiled does something whose first record is spoiled, and gives that record's index.
func (s *sim) spoiled(how func(v value) value, do func()) int {
	at := len(s.out)
	s.mangle = func(v value) value {
		at = len(s.out)
		return how(v)
	}
	do()
	return at
}

// earlierError notes that the recording has an error before the fault, which is always so for such a fault.
func (s *sim) earlierError(code string, at int) { s.earlier = Finding{code, "error", at} }
