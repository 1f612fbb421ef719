package session

// replacement is a command that puts another session in the place of the present one.
func (s *sim) replacement() *command {
	n := s.noise()
	switch n.below(4) {
	case 0:
		if s.optional(n, 30) {
			return s.compose("new_session", m("parentSession", str(s.sess.file)))
		}
		return s.compose("new_session")
	case 1:
		return s.compose("switch_session", m("sessionPath", str(s.otherSession(n))))
	case 2:
		return s.compose("fork", m("entryId", str(s.forkPoint(n))))
	}
	return s.compose("clone")
}

func (s *sim) otherSession(n *noise) string {
	if len(s.known) > 1 && n.chance(70) {
		return s.known[n.below(len(s.known))].file
	}
	return "/home/dev/project/another.jsonl"
}

// forkPoint is an entry of a user's message, or one that is not there.
func (s *sim) forkPoint(n *noise) string {
	if points := s.forkMessages().list; len(points) > 0 && n.chance(80) {
		return among(n, points).get("entryId").text
	}
	return "nope"
}

// replaceFor replaces the session because it was asked for, unless an extension says no or it cannot be done.
func (s *sim) replaceFor(c *command) {
	for len(s.tasks) > 0 {
		s.tasks[0].step(s)
	}
	n := s.noise()
	reason := map[string]string{"new_session": "new", "switch_session": "resume", "fork": "fork", "clone": "fork"}[c.typ]
	s.before(reason)
	next := s.successor(c)
	switch {
	case next == nil:
		s.refuse(c, "Invalid entry ID for forking")
		return
	case n.chance(15):
		s.respond(c, object(m("cancelled", yes)))
		return
	}
	s.replaceRuntime(reason, func() { s.open(next) })
	data := object(m("cancelled", no))
	if c.typ == "fork" && n.chance(80) {
		data = object(m("text", str("scn:text")), m("cancelled", no))
	}
	s.respond(c, data)
	s.rebound()
}

// successor is the session that a command asks for, or none.
func (s *sim) successor(c *command) *sess {
	switch c.typ {
	case "new_session":
		return s.newSession()
	case "switch_session":
		return s.sessionAt(c.v.get("sessionPath").text)
	case "fork":
		for _, e := range s.sess.entries {
			if e.id == c.v.get("entryId").text {
				return s.branch(s.sess)
			}
		}
		return nil
	}
	return s.branch(s.sess)
}

// sessionAt is the session in a file; the present one is left for another.
func (s *sim) sessionAt(file string) *sess {
	for _, se := range s.known {
		if se.file == file && se != s.sess {
			return se
		}
	}
	return s.newSession()
}
