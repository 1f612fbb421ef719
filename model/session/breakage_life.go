package session

// Faults in the life of a session.

var logs = []Class{Extension, Transcript}

// lived lets a session begin, and more.
func (s *sim) lived() {
	s.logged = true
	s.begin("startup")
	s.k.Without |= Tools
	for s.class == Extension && s.chance(30) {
		s.lifeOfRun()
	}
}

func (s *sim) shutDown(reason string) int { return s.life("session_shutdown", because(reason)) }

var lifeFaults = []fault{
	{clause: "lifecycle-order/discover-first", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.logged = true
		return s.life("resources_discover", because("startup"))
	}},
	{clause: "lifecycle-order/started-twice", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.lived()
		return s.life("session_start", because("new"))
	}},
	{clause: "lifecycle-order/after-shutdown", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.lived()
		s.shutDown(pick(s.draw, []string{"quit", "new", "reload"}))
		return s.life(pick(s.draw, []string{"input", "agent_start", "resources_discover", "session_shutdown"}), because("new"))
	}},
	{clause: "lifecycle-order/run-first", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.logged = true
		return s.life("agent_start")
	}},
	{clause: "lifecycle-reason/differs", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.lived()
		s.shutDown("new")
		return s.life("session_start", because("resume"))
	}},
	{clause: "lifecycle-reason/after-quit", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.lived()
		s.shutDown("quit")
		return s.life("session_start", because("startup"))
	}},
	{clause: "lifecycle-reason/startup-again", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.lived()
		s.shutDown("fork")
		return s.life("session_start", because("startup"))
	}},
	{clause: "lifecycle-reason/unknown-start", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.logged = true
		return s.life("session_start", because("because"))
	}},
	{clause: "lifecycle-reason/unknown-shutdown", severities: "EEE", classes: logs, do: func(s *sim) int {
		s.lived()
		return s.shutDown("startup")
	}},
}
