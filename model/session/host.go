package session

import "slices"

// host is the application around the agent. It shows the user what the agent does: first what a snapshot has, then
// what came meanwhile, then what comes.
type host struct {
	gen      int
	attached bool // it has subscribed to this generation
	gate     bool // it shows events as they come
	seq      int
	waiting  []buffered
	applied  []entry
	asks     *command // for the entries of this generation
}

// buffered is an event that came before the gate was open.
type buffered struct {
	seq int
	v   value
}

// recordHost writes a transcript with the records of a host.
func (s *sim) recordHost() {
	s.host, s.logged = &host{}, s.chance(75)
	s.bind()
	s.begin("startup")
	s.attach()
	s.rebound()
	s.serve()
	s.host.end(s)
}

// hosted writes a record of the host.
func (s *sim) hosted(typ string, ms ...member) int {
	v := typed(typ, m("gen", number(s.host.gen)))
	v.members = append(v.members, ms...)
	return s.write(s.enveloped("host", m("record", v)))
}

func sequence(n int) member { return m("seq", number(n)) }

func (s *sim) bind() {
	if s.host == nil {
		return
	}
	*s.host = host{gen: s.host.gen + 1}
	s.hosted("bind")
}

func (s *sim) unbind() {
	if s.host != nil {
		s.hosted("invalidate")
		s.hosted("dispose")
	}
}

func (s *sim) subscribe() {
	if s.host != nil {
		s.hosted("subscribe")
		s.host.attached = true
	}
}

// attach subscribes; a release that has no entries to be asked for is shown as it comes.
func (s *sim) attach() {
	s.subscribe()
	if s.host != nil && s.era == pi073 {
		s.hosted("live")
		s.host.gate = true
	}
}

// rebound asks for a snapshot of the session that is bound now.
func (s *sim) rebound() {
	h := s.host
	if h == nil || s.era == pi073 {
		return
	}
	if s.chance(30) {
		s.submit(s.compose("prompt", m("message", str("hi")))) // so that something happens meanwhile
	}
	if s.chance(60) {
		s.submit(s.compose("get_state"))
	}
	if s.chance(30) {
		s.submit(s.compose("get_messages"))
	}
	h.asks = s.compose("get_entries")
	h.asks.id = str(s.id("entries"))
	h.asks.v = h.asks.v.without("id").with("id", h.asks.id)
	s.submit(h.asks)
}

// live is told of every record of standard output.
func (h *host) live(s *sim, v value) {
	switch v.get("type").text {
	case "response":
		if h.asks != nil && v.get("id").text == h.asks.id.text && v.has("data") {
			s.tasks = append(s.tasks, h.catchUp(v.get("data").get("entries").list))
		}
		return
	case "extension_ui_request":
		h.opened(s, v)
		return
	}
	switch {
	case h.gate:
		h.seq++
		s.hosted("deliver", sequence(h.seq))
	case h.attached:
		h.seq++
		h.waiting = append(h.waiting, buffered{h.seq, v})
		s.hosted("buffer", sequence(h.seq))
	}
}

// catchUp applies the entries of a snapshot, then shows what came meanwhile, then opens the gate.
func (h *host) catchUp(entries []value) *task {
	t := &task{}
	for _, e := range entries {
		t.then(func(s *sim) {
			h.applied = append(h.applied, entry{e.get("id").text, e})
			s.hosted("apply", m("entry", e.get("id")))
		})
	}
	t.steps = append(t.steps, func(s *sim) bool {
		if len(h.waiting) == 0 {
			s.hosted("live")
			h.gate, h.asks = true, nil
			return true
		}
		h.show(s, h.waiting[0])
		h.waiting = h.waiting[1:]
		return false
	})
	return t
}

// show replays an event, or leaves it out because the snapshot has it.
func (h *host) show(s *sim, b buffered) {
	said := plain(b.v.get("message"))
	at := slices.IndexFunc(h.applied, func(e entry) bool { return e.v.has("message") && plain(e.v.get("message")) == said })
	if b.v.get("type").text == "message_end" && at >= 0 {
		s.hosted("skip", sequence(b.seq), m("entry", str(h.applied[at].id)))
		return
	}
	s.hosted("replay", sequence(b.seq))
}

// opened is told of a request of an extension: it shows a dialog where one is wanted.
func (h *host) opened(s *sim, v value) {
	if !slices.Contains([]string{"select", "confirm", "input", "editor"}, v.get("method").text) {
		return
	}
	ms := []member{m("id", v.get("id"))}
	if s.asking != nil {
		ms = append(ms, m("toolCallId", str(s.asking.id)))
	}
	s.hosted("ui-open", ms...)
}

// closed closes a dialog.
func (h *host) closed(s *sim, d *dialog, cause string) {
	if cause == "timeout" && s.chance(30) {
		s.hosted("window-close")
		cause = "window"
	}
	s.hosted("ui-close", m("id", str(d.id)), m("cause", str(cause)))
}

// end ends the process: as it should, or while a dialog is open.
func (h *host) end(s *sim) {
	s.quiet = true
	if s.k.has(Dialogs) && s.k.has(Handled) && s.chance(20) {
		s.submit(s.compose("prompt", m("message", str("/dialogs"))))
		s.commands = nil
		d := &dialog{method: "confirm"}
		s.ask(d)
		s.exit(143)
		s.hosted("ui-close", m("id", str(d.id)), m("cause", str("exit")))
		s.expect("response-missing", "warning", len(s.out))
		return
	}
	s.life("session_shutdown", because("quit"))
	s.unbind()
	s.exit(0)
}
