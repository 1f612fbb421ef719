package session

// recordAgent writes the events of an agent without a session around it.
func (s *sim) recordAgent() {
	for first := true; first || s.room(); first = false {
		end := s.agentRun(s.agentInputs(first))
		s.abort = false
		if end.stop == "error" && s.chance(50) && s.room() {
			s.agentRun(nil) // it is asked to continue
			s.abort = false
		}
	}
}

func (s *sim) agentInputs(first bool) []message {
	out := s.firstWords()
	switch {
	case first || s.chance(80):
		out = append(out, s.user(s.line()))
		if s.k.has(Queue) && s.chance(10) {
			out = append(out, s.user(s.line()))
		}
	case s.k.has(Customs) && s.chance(50):
		out = append(out, s.note())
	}
	return out
}

// recordJSON writes the standard output of JSON mode: a header, then one prompt after the other.
func (s *sim) recordJSON() {
	s.header()
	s.point()
	for first := true; first || s.room(); first = false {
		if s.k.has(Customs) && s.chance(4) {
			s.say(s.note())
		}
		if !first && s.k.has(Compactions) && s.chance(4) {
			s.compactNow("threshold", false)
		}
		s.work(s.opening(s.line()))
		s.afterwards()
	}
}

func (s *sim) header() int {
	return s.write(typed("session", m("version", number(3)), m("id", str(s.sess.id)), m("timestamp", s.iso()), m("cwd", str("/home/dev/project/work"))))
}
