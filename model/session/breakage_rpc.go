package session

import "slices"

// Faults of commands and their answers, of replacements, entries and dialogs.

// sent lets the client send a command and gives it, not taken up.
func (s *sim) sent(typ string, ms ...member) *command {
	c := s.compose(typ, ms...)
	c.id = str(s.id("own"))
	c.v = c.v.without("id").with("id", c.id)
	s.unanswered++
	s.writeIn(c.v)
	return c
}

func (s *sim) prompt(ms ...member) *command {
	return s.sent("prompt", append([]member{m("message", str("hi"))}, ms...)...)
}

func disposition(d string) value { return object(m("disposition", str(d))) }

var commandFaults = []fault{
	{clause: "response-unknown/id", severities: "EEE", classes: both, do: func(s *sim) int {
		c := s.sent("get_commands")
		c.id = str("another")
		return s.respond(c, s.data(s.noise(), c))
	}},
	{clause: "response-unknown/type", severities: "EEE", classes: both, do: func(s *sim) int {
		c := s.sent("abort_bash")
		c.typ = "set_auto_retry"
		return s.respond(c, value{})
	}},
	{clause: "response-unknown/again", severities: "EEE", classes: both, do: func(s *sim) int {
		c := s.sent("abort_bash")
		s.respond(c, value{})
		return s.respond(c, value{})
	}},
	{clause: "response-unknown/kind-of-id", severities: "EEE", classes: both, do: func(s *sim) int {
		c := &command{typ: "abort_bash", id: number(7)}
		s.writeIn(object(m("id", c.id), m("type", str("abort_bash"))))
		c.id = str("7")
		return s.respond(c, value{})
	}},
	{clause: "response-unknown/parse", severities: "EEE", classes: both, do: func(s *sim) int {
		s.respond(s.sent("abort_bash"), value{})
		return s.refuse(&command{typ: "parse"}, "Failed to parse command")
	}},
	{clause: "response-missing/abort_bash", severities: "WWW", classes: both, do: func(s *sim) int {
		s.sent("abort_bash")
		if s.chance(50) {
			s.exit(0)
		}
		return len(s.out)
	}},
	{clause: "response-shape/failure-with-data", severities: "EEE", classes: pipes, do: func(s *sim) int {
		return s.emit(s.response(s.sent("get_session_stats"), false).with("error", str("no")).with("data", empty))
	}},
	{clause: "response-shape/failure-without-error", severities: "EEE", classes: pipes, do: func(s *sim) int {
		return s.emit(s.response(s.sent("get_session_stats"), false))
	}},
	{clause: "response-shape/data", severities: "EEE", classes: pipes, do: func(s *sim) int {
		return s.respond(s.sent("abort_bash"), object(m("extra", yes)))
	}},
	{clause: "response-shape/no-disposition-yet", severities: "EE-", classes: pipes, do: func(s *sim) int {
		return s.respond(s.prompt(), disposition("started"))
	}},
	{clause: "run-before-response/started", severities: "--E", classes: both, do: func(s *sim) int {
		c := s.prompt()
		s.beginRun()
		s.openTurn()
		return s.respond(c, disposition("started"))
	}},
	{clause: "disposition/started-in-run", severities: "--E", classes: both, do: func(s *sim) int {
		s.beginTurn()
		return s.respond(s.prompt(), disposition("started"))
	}},
	{clause: "disposition/started-unsettled", severities: "--E", classes: both, do: func(s *sim) int {
		s.wholeRun()
		return s.respond(s.prompt(), disposition("started"))
	}},
	{clause: "disposition/queued-without-update", severities: "--E", classes: both, do: func(s *sim) int {
		s.beginTurn()
		return s.respond(s.sent("steer", m("message", str("a"))), disposition("queued"))
	}},
	{clause: "disposition/prompt-queued-settled", severities: "--E", classes: both, do: func(s *sim) int {
		c := s.prompt(m("streamingBehavior", str("steer")))
		s.aQueue(0, "hi")
		return s.respond(c, disposition("queued"))
	}},
	{clause: "disposition/no-behaviour", severities: "--E", classes: both, do: func(s *sim) int {
		s.beginTurn()
		c := s.prompt()
		s.aQueue(0, "hi")
		return s.respond(c, disposition("queued"))
	}},
	{clause: "abort-early/in-run", severities: "EEE", classes: both, do: func(s *sim) int {
		s.beginTurn()
		return s.respond(s.sent("abort"), value{})
	}},
	{clause: "abort-early/unsettled", severities: "-EE", classes: both, do: func(s *sim) int {
		s.answered(0)
		c := s.sent("abort")
		s.closeTurn()
		s.closeRun(false)
		return s.respond(c, value{})
	}},
	{clause: "compact-response/early", severities: "EEE", classes: both, do: func(s *sim) int {
		c := s.sent("compact")
		s.compacting("manual")
		return s.respond(c, s.summary(s.noise()))
	}},
	{clause: "compact-response/failed-and-answered", severities: "EEE", classes: both, do: func(s *sim) int {
		c := s.sent("compact")
		s.compacting("manual")
		s.emit(typed("compaction_end", m("reason", str("manual")), m("aborted", no), m("willRetry", no), m("errorMessage", str("boom"))))
		return s.respond(c, s.summary(s.noise()))
	}},
	{clause: "compact-response/done-and-refused", severities: "EEE", classes: both, do: func(s *sim) int {
		c := s.sent("compact")
		s.compacting("manual")
		s.emit(s.compactedEnd("manual", false))
		return s.refuse(c, "boom")
	}},
	{clause: "bash-output/nothing-runs", severities: "-EE", classes: both, do: func(s *sim) int {
		s.sent("abort_bash")
		return s.bashUpdate(&command{id: str("none")}, "x")
	}},
	{clause: "bash-output/other-text", severities: "-EE", classes: both, do: func(s *sim) int {
		c := s.sent("bash", m("command", str("ls")))
		s.bashUpdate(c, "one")
		return s.respond(c, object(m("output", str("two")), m("cancelled", no), m("truncated", no)))
	}},
}

// stateAnswer asks for the state and answers, as of a session of that id.
func (s *sim) stateAnswer(id string) int {
	return s.respond(s.sent("get_state"), s.state(s.noise()).with("sessionId", str(id)))
}

var replaceFaults = []fault{
	{clause: "run-cut/replacement", severities: "EEE", classes: pipes, do: func(s *sim) int {
		s.beginTurn()
		return s.respond(s.sent("new_session"), object(m("cancelled", no)))
	}},
	{clause: "session-identity/cancelled", severities: "EEE", classes: both, do: func(s *sim) int {
		s.stateAnswer(s.sess.id)
		s.respond(s.sent("new_session"), object(m("cancelled", yes)))
		return s.stateAnswer(s.uuid())
	}},
	{clause: "session-identity/failed", severities: "EEE", classes: both, do: func(s *sim) int {
		s.stateAnswer(s.sess.id)
		s.refuse(s.sent("fork", m("entryId", str("nope"))), "Invalid entry ID for forking")
		return s.stateAnswer(s.uuid())
	}},
	{clause: "session-identity/same", severities: "EEE", classes: both, do: func(s *sim) int {
		s.stateAnswer(s.sess.id)
		s.respond(s.sent(pick(s.draw, []string{"new_session", "clone"})), object(m("cancelled", no)))
		return s.stateAnswer(s.sess.id)
	}},
	{clause: "stale-event/turn", severities: "EEE", classes: both, do: func(s *sim) int {
		s.answered(0)
		s.earlierError("run-cut", s.respond(s.sent("new_session"), object(m("cancelled", no))))
		return s.closeTurn()
	}},
	{clause: "stale-event/update", severities: "EEE", classes: both, do: func(s *sim) int {
		s.beginTurn()
		n := s.noise()
		b := &block{kind: "text"}
		s.emit(started(s.envelope(n, array(), "stop", "")))
		s.earlierError("run-cut", s.respond(s.sent("clone"), object(m("cancelled", no))))
		s.update(n, []*block{b}, b, func(content value) value { return s.envelope(n, content, "stop", "") })
		return s.last()
	}},
}

// entriesAnswer asks for entries and answers with these.
func (s *sim) entriesAnswer(since string, entries []value, leaf value) int {
	var ms []member
	if since != "" {
		ms = []member{m("since", str(since))}
	}
	return s.respond(s.sent("get_entries", ms...), object(m("entries", array(entries...)), m("leafId", leaf)))
}

// someEntries are a few that the session has, in order.
func (s *sim) someEntries() []value {
	var out []value
	s.enter(s.sess, "custom", m("customType", str("mark")))
	for _, e := range s.sess.entries {
		out = append(out, e.v)
	}
	return out
}

var entryFaults = []fault{
	{clause: "entries/at-the-cursor", severities: "EEE", classes: both, do: func(s *sim) int {
		all := s.someEntries()
		s.entriesAnswer("", all, s.leaf())
		return s.entriesAnswer(all[1].get("id").text, all[1:], s.leaf())
	}},
	{clause: "entries/before-the-cursor", severities: "EEE", classes: both, do: func(s *sim) int {
		all := s.someEntries()
		s.entriesAnswer("", all, s.leaf())
		return s.entriesAnswer(all[1].get("id").text, append(slices.Clone(all[2:]), all[0]), s.leaf())
	}},
	{clause: "entries/twice", severities: "EEE", classes: both, do: func(s *sim) int {
		all := s.someEntries()
		return s.entriesAnswer("", append(all, all[len(all)-1]), s.leaf())
	}},
	{clause: "entries/parent", severities: "EEE", classes: both, do: func(s *sim) int {
		all := s.someEntries()
		all[1] = all[1].with("parentId", str("stranger"))
		return s.entriesAnswer("", all, s.leaf())
	}},
	{clause: "entries/leaf", severities: "EEE", classes: both, do: func(s *sim) int {
		return s.entriesAnswer("", s.someEntries(), str("stranger"))
	}},
	{clause: "entries/unknown-cursor", severities: "EEE", classes: both, do: func(s *sim) int {
		s.entriesAnswer("", s.someEntries(), s.leaf())
		return s.entriesAnswer("nope", nil, s.leaf())
	}},
}

// question asks something of that kind and gives it.
func (s *sim) question(method string) *dialog {
	d := &dialog{method: method}
	s.sent("prompt", m("message", str("/dialogs")))
	s.ask(d)
	return d
}

func answerTo(id string) value { return typed("extension_ui_response", m("id", str(id))) }

var dialogFaults = []fault{
	{clause: "ui-id-reused/dialog", severities: "EEE", classes: both, do: func(s *sim) int {
		d := &dialog{method: "confirm"}
		s.ask(d)
		return s.emit(typed("extension_ui_request", m("id", str(d.id)), m("method", str("notify")), m("message", str("again"))))
	}},
	{clause: "ui-answer/unknown", severities: "WWW", classes: both, do: func(s *sim) int {
		return s.writeIn(answerTo("no-such-id").with("cancelled", yes))
	}},
	{clause: "ui-answer/again", severities: "WWW", classes: both, do: func(s *sim) int {
		d := s.question("confirm")
		s.writeIn(s.reply(s.noise(), d))
		return s.writeIn(s.reply(s.noise(), d))
	}},
	{clause: "ui-answer/no-answer-wanted", severities: "WWW", classes: both, do: func(s *sim) int {
		id := s.uuid()
		s.emit(typed("extension_ui_request", m("id", str(id)), m("method", str("notify")), m("message", str("hi"))))
		return s.writeIn(answerTo(id).with("confirmed", yes))
	}},
	{clause: "ui-answer/wrong-kind", severities: "WWW", classes: both, do: func(s *sim) int {
		if s.chance(50) {
			return s.writeIn(answerTo(s.question("confirm").id).with("value", str("yes")))
		}
		return s.writeIn(answerTo(s.question(pick(s.draw, []string{"select", "input", "editor"})).id).with("confirmed", yes))
	}},
	{clause: "ui-answer/not-an-option", severities: "WWW", classes: both, do: func(s *sim) int {
		return s.writeIn(answerTo(s.question("select").id).with("value", str("something else")))
	}},
}
