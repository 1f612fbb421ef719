package session

import "slices"

// Faults of the application around the agent.

var traces = []Class{Host}

// traced begins a trace, as far as the gate: open or not.
func (s *sim) traced(live bool) *host {
	s.host, s.logged = &host{}, true
	s.bind()
	s.begin("startup")
	s.subscribe()
	switch {
	case !live:
	case s.era == pi073:
		s.hosted("live")
		s.host.gate = true
	default:
		s.caughtUp(s.snapshot())
	}
	return s.host
}

// snapshot asks for the entries and gives them.
func (s *sim) snapshot() []value {
	all := s.someEntries()
	s.entriesAnswer("", all, s.leaf())
	return all
}

// caughtUp applies entries and opens the gate.
func (s *sim) caughtUp(entries []value) {
	t := s.host.catchUp(entries)
	for len(t.steps) > 0 {
		if t.steps[0](s) {
			t.steps = t.steps[1:]
		}
	}
}

// dialogOpened asks something and shows it.
func (s *sim) dialogOpened() *dialog {
	d := &dialog{method: "confirm"}
	s.ask(d)
	return d
}

func (s *sim) uiClosed(d *dialog, cause string) int {
	return s.hosted("ui-close", m("id", str(d.id)), m("cause", str(cause)))
}

func (s *sim) appended() int {
	return s.emit(typed("queue_update", m("steering", array()), m("followUp", array())))
}

// generation writes a record of the host as of another generation.
func (s *sim) generation(gen int, typ string, ms ...member) int {
	now := s.host.gen
	s.host.gen = gen
	at := s.hosted(typ, ms...)
	s.host.gen = now
	return at
}

var hostFaults = []fault{
	{clause: "teardown-order/dispose-first", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		s.shutDown("new")
		return s.hosted("dispose")
	}},
	{clause: "teardown-order/no-shutdown", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		return s.hosted("invalidate")
	}},
	{clause: "teardown-order/bind-first", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		s.shutDown("new")
		s.hosted("invalidate")
		return s.generation(2, "bind")
	}},
	{clause: "teardown-order/started-unbound", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		s.shutDown("new")
		s.unbind()
		return s.life("session_start", because("new"))
	}},
	{clause: "teardown-order/generation", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		s.shutDown("new")
		s.unbind()
		return s.generation(3, "bind")
	}},
	{clause: "stale-generation/subscribe", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		s.replaceRuntime("new", func() { s.open(s.newSession()) })
		return s.generation(1, pick(s.draw, []string{"subscribe", "live", "window-close"}))
	}},
	{clause: "ui-left-open/exit", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(false)
		s.dialogOpened()
		s.exit(0)
		return len(s.out)
	}},
	{clause: "ui-left-open/window-close", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(true)
		a, b := s.dialogOpened(), s.dialogOpened()
		s.hosted("window-close")
		s.uiClosed(pick(s.draw, []*dialog{a, b}), "window")
		return s.appended()
	}},
	{clause: "ui-left-open/invalidate", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(false)
		s.dialogOpened()
		s.shutDown("quit")
		s.hosted("invalidate")
		return s.hosted("dispose")
	}},
	{clause: "ui-close-twice/again", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		d := s.dialogOpened()
		s.uiClosed(d, "timeout")
		return s.uiClosed(d, pick(s.draw, []string{"timeout", "exit", "answered"}))
	}},
	{clause: "ui-late-answer/answered", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(s.chance(50))
		d := s.dialogOpened()
		s.uiClosed(d, pick(s.draw, []string{"timeout", "exit", "window"}))
		return s.writeIn(answerTo(d.id).with("confirmed", yes))
	}},
	{clause: "approval-unbound/unknown", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(true)
		s.appended()
		return s.hosted("ui-open", m("id", str("u1")), m("toolCallId", str("stranger")))
	}},
	{clause: "approval-unbound/ended", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(true)
		c := s.answered(1)[0]
		s.launched(c)
		s.end(c)
		return s.hosted("ui-open", m("id", str("u1")), m("toolCallId", str(c.id)))
	}},
	{clause: "snapshot-before-subscribe/asked", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.host, s.logged = &host{}, true
		s.bind()
		s.begin("startup")
		s.sent(pick(s.draw, []string{"get_state", "get_messages"}))
		return s.last()
	}},
	{clause: "entry-twice/apply", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(false)
		all := s.snapshot()
		s.hosted("apply", m("entry", all[0].get("id")))
		return s.hosted("apply", m("entry", all[0].get("id")))
	}},
	{clause: "entry-twice/skip", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(false)
		s.appended()
		all := s.snapshot()
		for _, e := range all {
			s.hosted("apply", m("entry", e.get("id")))
		}
		return s.hosted("skip", sequence(1), m("entry", str("stranger")))
	}},
}

var gateFaults = []fault{
	{clause: "gate-order/replay-first", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(false)
		s.appended()
		return s.hosted("replay", sequence(1))
	}},
	{clause: "gate-order/replay-before-applies", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(false)
		s.appended()
		all := s.snapshot()
		s.hosted("apply", m("entry", all[0].get("id")))
		return s.hosted("replay", sequence(1))
	}},
	{clause: "gate-order/deliver-first", severities: "EEE", classes: traces, do: func(s *sim) int {
		h := s.traced(false)
		h.attached = false
		s.appended()
		return s.hosted("deliver", sequence(1))
	}},
	{clause: "gate-order/left-over", severities: "EEE", classes: traces, do: func(s *sim) int {
		h := s.traced(false)
		s.appended()
		s.appended()
		all := s.snapshot()
		for _, e := range all {
			s.hosted("apply", m("entry", e.get("id")))
		}
		h.show(s, h.waiting[0])
		return s.hosted("live")
	}},
	{clause: "sequence-order/buffer-missing", severities: "EEE", classes: traces, do: func(s *sim) int {
		h := s.traced(false)
		h.attached = false
		s.appended()
		s.hosted("buffer", sequence(1))
		s.appended()
		return s.hosted("buffer", sequence(3))
	}},
	{clause: "sequence-order/buffer-twice", severities: "EEE", classes: traces, do: func(s *sim) int {
		s.traced(false)
		s.appended()
		return s.hosted("buffer", sequence(1))
	}},
	{clause: "sequence-order/replay", severities: "EEE", classes: traces, do: func(s *sim) int {
		h := s.traced(false)
		s.appended()
		s.appended()
		all := s.snapshot()
		for _, e := range all {
			s.hosted("apply", m("entry", e.get("id")))
		}
		slices.Reverse(h.waiting)
		return s.hosted("replay", sequence(h.waiting[0].seq))
	}},
	{clause: "sequence-order/deliver", severities: "EEE", classes: traces, do: func(s *sim) int {
		h := s.traced(true)
		h.attached, h.gate = false, false
		s.appended()
		return s.hosted("deliver", sequence(2))
	}},
}
