package session

// dialog is a question to the user.
type dialog struct {
	id, method string
	options    []string
	timeout    bool
}

// asks adds a question to a task: it is asked, and answered or given up later.
func (t *task) asks(s *sim) {
	d := &dialog{method: pick(s.draw, []string{"select", "confirm", "input", "editor"})}
	t.then(func(s *sim) { s.ask(d) })
	t.then(func(s *sim) { s.resolve(d) })
}

// ask writes the question.
func (s *sim) ask(d *dialog) int {
	n := s.noise()
	d.id = s.uuid()
	v := typed("extension_ui_request", m("id", str(d.id)), m("method", str(d.method)), m("title", str(among(n, []string{"Run tool?", "", "é"}))))
	switch d.method {
	case "select":
		d.options = among(n, [][]string{{"a", "b"}, {"yes", "no", "é"}, {""}})
		v = v.with("options", strs(d.options))
	case "confirm":
		v = v.with("message", str(s.prose(n)))
	case "input":
		if n.chance(50) {
			v = v.with("placeholder", str("ph"))
		}
	case "editor":
		if n.chance(50) {
			v = v.with("prefill", str("pre"))
		}
	}
	if d.method != "editor" && n.chance(25) {
		d.timeout = true
		v = v.with("timeout", number(1000))
	}
	return s.emit(v)
}

// resolve answers a question, or lets it time out. It says whether the answer is a yes.
func (s *sim) resolve(d *dialog) bool {
	n := s.noise()
	if d.timeout && n.chance(50) {
		s.closed(d, "timeout")
		return false
	}
	if s.k.has(Rude) && s.class == Transcript && n.chance(6) {
		s.rude(n, d)
		return false
	}
	v := s.reply(n, d)
	s.writeIn(v)
	if v.has("cancelled") {
		s.closed(d, "cancelled")
	} else {
		s.closed(d, "answered")
	}
	if s.k.has(Rude) && s.class == Transcript && n.chance(4) {
		s.expect("ui-answer", "warning", s.writeIn(s.reply(n, d)))
	}
	return v.get("confirmed").kind == 't'
}

// closed tells the host that a question is done with.
func (s *sim) closed(d *dialog, cause string) {
	if s.host != nil {
		s.host.closed(s, d, cause)
	}
}

// reply is an answer that fits.
func (s *sim) reply(n *noise, d *dialog) value {
	v := typed("extension_ui_response", m("id", str(d.id)))
	switch {
	case n.chance(20):
		return v.with("cancelled", yes)
	case d.method == "select":
		return v.with("value", str(among(n, d.options)))
	case d.method == "confirm":
		return v.with("confirmed", boolean(n.chance(60)))
	}
	return v.with("value", str(s.prose(n)))
}

// rude is an answer of the wrong kind, or one that was not among the options.
func (s *sim) rude(n *noise, d *dialog) {
	v := typed("extension_ui_response", m("id", str(d.id)))
	switch d.method {
	case "select":
		if n.chance(50) {
			v = v.with("value", str("not an option"))
			break
		}
		v = v.with("confirmed", yes)
	case "confirm":
		v = v.with("value", str("yes"))
	default:
		v = v.with("confirmed", yes)
	}
	s.expect("ui-answer", "warning", s.writeIn(v))
}

// strayAnswer is an answer to a question that nobody asked.
func (s *sim) strayAnswer() {
	s.expect("ui-answer", "warning", s.writeIn(typed("extension_ui_response", m("id", str("no-such-id")), m("confirmed", yes))))
}

// gate asks the user before a tool runs.
func (s *sim) gate(c *call) {
	if !s.served() || !s.k.has(Dialogs) || !s.chance(8) {
		return
	}
	d := &dialog{method: "confirm"}
	s.asking = c
	s.ask(d)
	s.asking = nil
	if s.k.has(Failures) && s.chance(15) {
		s.insist("abort") // which waits for the answer
	}
	c.runs = s.resolve(d)
}

// notice is a request that wants no answer.
func (s *sim) notice() {
	n := s.noise()
	v := typed("extension_ui_request", m("id", str(s.uuid())))
	switch n.below(5) {
	case 0:
		v = v.with("method", str("notify")).with("message", str(s.prose(n)))
		if n.chance(50) {
			v = v.with("notifyType", str(among(n, []string{"info", "warning", "error"})))
		}
	case 1:
		v = v.with("method", str("setStatus")).with("statusKey", str("k"))
		if n.chance(50) {
			v = v.with("statusText", str("v"))
		}
	case 2:
		v = v.with("method", str("setWidget")).with("widgetKey", str("w"))
		if n.chance(50) {
			v = v.with("widgetLines", strs([]string{"l1"})).with("widgetPlacement", str(among(n, []string{"aboveEditor", "belowEditor"})))
		}
	case 3:
		v = v.with("method", str("setTitle")).with("title", str("title"))
	default:
		v = v.with("method", str("set_editor_text")).with("text", str("txt"))
	}
	s.emit(v)
}
