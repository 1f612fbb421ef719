package session

// run is one from agent_start to agent_end.
type run struct {
	messages []value
	turns    int
	turn     *turn // the open one
	last     turn  // the one before
}

type turn struct {
	assistant value
	stop      string
	calls     []*call
	results   []value
	stops     bool // all results terminate
	threw     bool // the request failed before it streamed
	goesOn    bool // an extension asks for one more turn
}

// ending says how a run ended.
type ending struct {
	stop     string // of its last assistant message
	failure  string // retryable, overflow, fatal, where it is error
	text     string // of the error
	retry    bool   // it is to be retried
	threwOut bool   // the stream function threw
}

var failureTexts = map[string][]string{
	"retryable": {"529 overloaded", "503 service unavailable"},
	"overflow":  {"prompt is too long: 300000 tokens > 200000 maximum"},
	"fatal":     {"401 invalid key", "boom", ""},
}

// agentRun writes a run that begins with these messages.
func (s *sim) agentRun(inputs []message) ending {
	s.run = &run{}
	s.ran, s.started = true, false
	s.emit(typed("agent_start"))
	end := s.turns(inputs)
	if end.stop == "error" && s.session() {
		end.retry = end.failure == "retryable" && s.retry.attempt < s.retry.max && s.k.has(Retries) && !s.autoOff.retry
	}
	s.endRun(end)
	return end
}

func (s *sim) turns(inputs []message) ending {
	for {
		end := s.oneTurn(inputs)
		if end.threwOut {
			return end
		}
		var more bool
		if inputs, more = s.between(end); !more {
			return end
		}
	}
}

func (s *sim) endRun(end ending) {
	said := s.run.messages
	if end.threwOut {
		said = []value{s.threw(end.text)}
	} else if end.stop == "error" && s.era == pi1x && s.run.last.threw {
		said = said[len(said)-1:]
	}
	v := typed("agent_end", m("messages", array(said...)))
	if s.session() && s.era >= pi080 {
		v = v.with("willRetry", boolean(end.retry))
	}
	s.run, s.hold = nil, false
	s.emit(v)
}

// threw is the message of a run whose stream function threw.
func (s *sim) threw(text string) value {
	n := s.noise()
	return s.envelope(n, array(typed("text", m("text", str("")))), "error", text)
}

// oneTurn writes a turn.
func (s *sim) oneTurn(inputs []message) ending {
	r := s.run
	r.turns++
	r.turn = &turn{}
	s.emit(typed("turn_start"))
	for _, in := range inputs {
		s.say(in)
	}
	s.deliver()
	if s.throws() {
		r.turn = nil
		return ending{stop: "error", failure: "fatal", text: "boom", threwOut: true}
	}
	end := s.answer(s.wanted())
	if end.stop != "error" && end.stop != "aborted" {
		s.batch(end.stop)
	}
	s.remind(end)
	t := r.turn
	r.last, r.turn = *t, nil
	s.emit(typed("turn_end", m("message", t.assistant), m("toolResults", array(t.results...))))
	return end
}

// throws says whether the stream function throws, in a release that writes nothing more of the turn then.
func (s *sim) throws() bool {
	return s.era == pi073 && s.k.has(Failures) && s.retry.attempt == 0 && len(s.queue[0])+len(s.queue[1]) == 0 && s.chance(3)
}

// remind lets an extension ask for one more turn, which needs no input then.
func (s *sim) remind(end ending) {
	t := s.run.turn
	if !s.session() || !s.k.has(Customs) || end.stop != "stop" || len(t.calls) > 0 || !s.room() || !s.chance(8) {
		return
	}
	n := s.noise()
	t.goesOn = true
	s.appendEntry(s.enter(s.sess, "custom_message", m("customType", str("reminder")), m("content", str(s.prose(n))), m("display", yes)))
}

// between is what happens behind a turn. It gives the messages of the next turn, and whether there is one.
func (s *sim) between(end ending) ([]message, bool) {
	t := s.run.last
	s.aside()
	switch {
	case end.stop == "error" || end.stop == "aborted" || t.stops:
		return nil, false
	case len(t.calls) > 0:
		s.compactBetweenTurns()
		if !s.abort {
			return s.injected(15), true
		}
		return nil, true
	case s.queued() > 0:
		s.hold = true
		return nil, true
	case t.goesOn:
		return nil, true
	}
	s.hold = true
	if in := s.injected(8); len(in) > 0 {
		s.hold = false
		return in, true
	}
	return nil, false
}

// aside writes messages of extensions that belong to no turn.
func (s *sim) aside() {
	if s.session() && s.k.has(Customs) && s.chance(6) {
		s.say(s.note())
	}
}

// injected are messages that the next turn begins with: those of extensions, and in the class of agents, where no
// queue is seen, those of the user.
func (s *sim) injected(percent int) []message {
	if !s.room() {
		return nil
	}
	if s.session() {
		if s.k.has(Customs) && s.chance(percent) {
			return []message{s.note()}
		}
		return nil
	}
	if !s.k.has(Queue) || !s.chance(percent+15) {
		return nil
	}
	out := []message{s.user(s.line())}
	if s.chance(40) {
		out = append(out, s.user(s.line()))
	}
	return out
}

// opening is what the first turn of a prompt's run begins with.
func (s *sim) opening(text string) []message {
	out := s.firstWords()
	out = append(out, s.user(text))
	if s.session() && s.k.has(Customs) && s.chance(8) {
		out = append(out, s.note())
	}
	return out
}

// firstWords is the system message, where one is due.
func (s *sim) firstWords() []message {
	if s.era < pi1x || s.sess.spoken && !s.chance(4) {
		return nil
	}
	s.sess.spoken = true
	if s.class == Agent && !s.chance(20) {
		return nil
	}
	return []message{s.system()}
}
