package session

// point is where something else may happen between two records of the agent: a command comes in or is taken up, a
// task goes on, an extension speaks.
func (s *sim) point() {
	if s.quiet || s.nested || s.bustle == 0 {
		return
	}
	s.nested = true
	for n := 0; n < 6 && s.chance(s.bustle); n++ {
		s.meanwhile()
	}
	s.nested = false
}

func (s *sim) meanwhile() {
	switch {
	case s.class == Agent || s.class == JSON && s.chance(50):
		if s.run != nil && s.k.has(Failures) && s.chance(5) {
			s.abort = true
		}
	case s.class == JSON:
		s.extension()
	case len(s.commands) > 0 && s.chance(60):
		s.takeOne()
	case len(s.tasks) > 0 && s.chance(60):
		pick(s.draw, s.tasks).step(s)
	case s.chance(20):
		s.extension()
	case s.room() || s.busy && s.chance(20):
		s.send()
	}
}

// extension does what extensions may do at any time.
func (s *sim) extension() {
	switch s.roll(4) {
	case 0:
		if s.k.has(Handled) && s.served() {
			s.extensionError()
		}
	case 1:
		if s.k.has(Queue) && s.run != nil && s.mayQueue() {
			s.enqueue(s.roll(2), s.line())
		}
	case 2:
		if s.k.has(Dialogs) && s.served() {
			s.notice()
		}
	case 3:
		if s.k.has(Customs) {
			s.appendEntry(s.customEntry())
		}
	}
}

func (s *sim) extensionError() {
	n := s.noise()
	s.emit(typed("extension_error", m("extensionPath", str(among(n, []string{"/home/dev/project/ext.mjs", "command:boom", ""}))),
		m("event", str(among(n, []string{"tool_result", "tool_call", "command", "agent_end"}))), m("error", str(among(n, []string{"handler exploded", "", "é"})))))
}
