package session

// The life of a session as an extension sees it.

// life writes what an extension logs, where one does.
func (s *sim) life(typ string, ms ...member) int {
	switch {
	case s.class == Extension:
		v := object(m("ext", str(typ)))
		v.members = append(v.members, ms...)
		return s.write(v)
	case s.logged:
		v := typed(typ, ms...)
		return s.write(s.enveloped("ext", m("record", v)))
	}
	return s.last()
}

func because(reason string) member { return m("reason", str(reason)) }

// begin is how a session begins.
func (s *sim) begin(reason string) {
	s.life("session_start", because(reason))
	if reason != "reload" {
		reason = "startup" // whatever the session begins for
	}
	s.life("resources_discover", because(reason))
}

// before is what extensions are asked before a session is replaced.
func (s *sim) before(reason string) {
	if reason == "fork" {
		s.life("session_before_fork")
	} else {
		s.life("session_before_switch", because(reason))
	}
}

// replaceRuntime ends the present runtime and begins the next.
func (s *sim) replaceRuntime(reason string, open func()) {
	s.life("session_shutdown", because(reason))
	s.unbind()
	open()
	s.bind()
	s.begin(reason)
	s.attach()
}

// recordLife writes the log of an extension.
func (s *sim) recordLife() {
	s.begin("startup")
	for s.room() {
		switch s.roll(6) {
		case 0, 1, 2:
			s.lifeOfRun()
		case 3:
			s.lifeOfReplacement()
		case 4:
			s.life("session_shutdown", because("reload"))
			s.begin("reload")
		case 5:
			s.life(pick(s.draw, []string{"input", "model_select", "session_before_compact", "session_compact", "user_bash", "x:other"}))
		}
	}
	if s.chance(80) {
		s.life("session_shutdown", because("quit"))
	}
}

func (s *sim) lifeOfReplacement() {
	reason := pick(s.draw, []string{"new", "resume", "fork"})
	s.before(reason)
	if s.chance(25) {
		return // cancelled, or it could not be done
	}
	s.life("session_shutdown", because(reason))
	s.begin(reason)
}

func (s *sim) lifeOfRun() {
	role := func(r string) member { return m("role", str(r)) }
	s.life("input")
	s.life("before_agent_start")
	s.life("agent_start")
	for turn := 0; turn == 0 || s.chance(30); turn++ {
		s.life("turn_start")
		for _, r := range []string{"user", "assistant"}[min(turn, 1):] {
			s.life("message_start", role(r))
			s.life("message_end", role(r))
		}
		if s.k.has(Tools) && s.chance(30) {
			s.lifeOfTools()
		}
		s.life("turn_end", role("assistant"))
	}
	s.life("agent_end")
	if s.era == pi1x {
		s.life("agent_settled", m("aborted", no))
	}
}

// lifeOfTools is what is logged of calls: some are refused, the others end in any order.
func (s *sim) lifeOfTools() {
	var open []member
	calls := 1 + s.roll(4)
	for range calls {
		id := m("toolCallId", str(s.id("call_")))
		s.life("tool_execution_start", id, m("args", empty))
		if s.chance(30) {
			s.life("tool_execution_end", id, m("isError", yes))
			continue
		}
		s.life("tool_call", id, m("input", empty))
		open = append(open, id)
	}
	done := 0
	for at := 0; done < len(open); {
		if at < len(open) && (at == done || s.chance(50)) {
			s.life("tool_result", open[at], m("input", empty), m("isError", no))
			at++
			continue
		}
		s.life("tool_execution_end", open[done], m("isError", no))
		done++
	}
	for range calls {
		s.life("message_start", m("role", str("toolResult")))
		s.life("message_end", m("role", str("toolResult")))
	}
}
