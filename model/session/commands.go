package session

import "slices"

// command is one that was sent on standard input.
type command struct {
	typ   string // "": it has none; parse: it is no JSON
	id    value  // no value: it has none
	v     value
	known bool // the release knows it
}

// send lets the client write a line.
func (s *sim) send() {
	if s.k.has(Rude) && s.duplex() && s.chance(4) && s.host == nil {
		s.strayAnswer()
		return
	}
	s.submit(s.drawCommand())
}

// submit writes a command on standard input.
func (s *sim) submit(c *command) {
	if c.typ == "parse" || c.typ == "" && c.v.kind != '{' {
		s.writeRaw(c.v.text + "\n")
	} else if s.duplex() && s.k.has(Raw) && s.host == nil && s.chance(8) {
		s.writeRaw(string(spell(s.noise(), s.k.has(Odd)).bytes(c.v)) + pick(s.draw, []string{"\n", "\r\n"}))
	} else {
		s.unanswered++
		s.writeIn(c.v)
	}
	s.commands = append(s.commands, c)
}

// writeIn writes a record of standard input, where that is recorded.
func (s *sim) writeIn(v value) int {
	if !s.duplex() {
		return s.last()
	}
	return s.write(s.enveloped("stdin", m("record", v)))
}

// writeRaw writes a line of standard input in pieces.
func (s *sim) writeRaw(line string) {
	if !s.duplex() {
		return
	}
	parts := []string{line}
	if s.chance(40) {
		parts = pieces(s.noise(), line)
	}
	for i, p := range parts {
		if s.midLine = i < len(parts)-1; !s.midLine {
			s.unanswered++
		}
		s.write(s.enveloped("stdin", m("raw", str(p))))
	}
}

// kinds of commands by the oldest release that has them.
var commandsSince = map[era][]string{
	pi073: {"get_state", "get_messages", "set_model", "cycle_model", "get_available_models", "set_thinking_level", "cycle_thinking_level",
		"set_steering_mode", "set_follow_up_mode", "set_auto_compaction", "set_auto_retry", "abort_bash", "get_session_stats", "export_html",
		"get_fork_messages", "get_last_assistant_text", "set_session_name", "get_commands"},
	pi080: {"get_tree", "get_available_thinking_levels"},
}

// drawCommand draws a command of those that may be sent now.
func (s *sim) drawCommand() *command {
	type choice struct {
		weight int
		typ    string
		on     bool
	}
	choices := []choice{
		{30, "prompt", true},
		{8, "steer", s.k.has(Queue)}, {8, "follow_up", s.k.has(Queue)}, {4, "clear_queue", s.k.has(Queue) && s.era == pi1x},
		{6, "abort", s.k.has(Failures)}, {3, "abort_retry", s.backoff},
		{6, "compact", s.k.has(Compactions)},
		{8, "bash", s.k.has(Bash) && s.bashes() < 2},
		{9, "replace", s.k.has(Replacements)},
		{20, "other", s.k.has(Commands)},
		{5, "get_entries", s.k.has(Commands) && s.era >= pi080 && (s.host == nil || s.host.gate)},
		{4, "odd", s.k.has(Raw)},
	}
	choices = slices.DeleteFunc(choices, func(c choice) bool { return !c.on })
	total := 0
	for _, c := range choices {
		total += c.weight
	}
	at := s.roll(total)
	for _, c := range choices {
		if at -= c.weight; at < 0 {
			return s.commandOf(c.typ)
		}
	}
	return s.commandOf("prompt")
}

func (s *sim) commandOf(kind string) *command {
	switch kind {
	case "odd":
		return s.oddLine()
	case "replace":
		return s.replacement()
	case "other":
		list := slices.Clone(commandsSince[pi073])
		if s.era >= pi080 {
			list = append(list, commandsSince[pi080]...)
		}
		kind = pick(s.draw, list)
	}
	return s.compose(kind, s.arguments(kind)...)
}

// compose gives a command an id, mostly: a string, a number, or one that is used again.
func (s *sim) compose(typ string, ms ...member) *command {
	c := &command{typ: typ, known: true}
	switch n := s.roll(10); {
	case n < 7 || typ == "bash" && s.bashes() > 0:
		c.id = str(s.id("c"))
	case n == 7 && s.k.has(Odd) && typ != "bash":
		c.id = number(7)
	case n == 8 && typ != "bash":
		c.id = str("dup")
	}
	if typ == "prompt" && s.outstanding(c.id) { // whose answer it is could not be told
		c.id = str(s.id("c"))
	}
	c.v = object()
	if c.id.kind != 0 {
		c.v = c.v.with("id", c.id)
	}
	c.v = c.v.with("type", str(typ))
	c.v.members = append(c.v.members, ms...)
	return c
}

// outstanding says whether a prompt of that id has no answer yet.
func (s *sim) outstanding(id value) bool {
	same := func(c *command) bool { return c != nil && c.typ == "prompt" && plain(c.id) == plain(id) }
	return slices.ContainsFunc(s.commands, same) || slices.ContainsFunc(s.tasks, func(t *task) bool { return same(t.c) })
}

// arguments are the members of a command.
func (s *sim) arguments(typ string) []member {
	n := s.noise()
	switch typ {
	case "prompt":
		return s.promptArguments(n)
	case "steer", "follow_up":
		return s.images(n, m("message", str(s.line())))
	case "set_model":
		return []member{m("provider", str(among(n, []string{"faux", "no"}))), m("modelId", str(among(n, []string{"faux-1", "no"})))}
	case "set_thinking_level":
		return []member{m("level", str(among(n, []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"})))}
	case "set_steering_mode", "set_follow_up_mode":
		return []member{m("mode", str(among(n, []string{"all", "one-at-a-time"})))}
	case "set_auto_compaction", "set_auto_retry":
		return []member{m("enabled", boolean(n.chance(70)))}
	case "compact":
		if n.chance(30) {
			return []member{m("customInstructions", str("short"))}
		}
	case "bash":
		out := []member{m("command", str(among(n, []string{"echo one; sleep 0.1; echo two", "ls", "é"})))}
		if s.optional(n, 20) {
			out = append(out, m("excludeFromContext", yes))
		}
		return out
	case "export_html":
		if n.chance(50) {
			return []member{m("outputPath", str("/home/dev/project/out.html"))}
		}
	case "set_session_name":
		return []member{m("name", str(among(n, []string{"a name", "a name", "  ", "é"})))}
	case "get_entries":
		return s.cursor(n)
	}
	return nil
}

func (s *sim) promptArguments(n *noise) []member {
	text := s.line()
	if s.k.has(Handled) && n.chance(15) {
		text = among(n, []string{"/hello", "/dialogs", "/dialogs", "/dialogs", "/boom", "/append", "/sendmsg", "/quiet", "/tree"})
	}
	out := s.images(n, m("message", str(text)))
	if s.k.has(Queue) && (s.busy && n.chance(70) || n.chance(5)) {
		out = append(out, m("streamingBehavior", str(among(n, []string{"steer", "followUp"}))))
	}
	return out
}

func (s *sim) images(n *noise, message member) []member {
	if s.optional(n, 8) {
		return []member{message, m("images", array(s.image(n)))}
	}
	return []member{message}
}

// cursor is what entries are asked for: all of them, those behind one that is known, or behind none.
func (s *sim) cursor(n *noise) []member {
	var known []string
	for _, e := range s.sess.entries {
		if s.listed[e.id] {
			known = append(known, e.id)
		}
	}
	switch {
	case s.full && len(known) > 0 && n.chance(60):
		return []member{m("since", str(among(n, known)))}
	case n.chance(10):
		return []member{m("since", str("nope"))}
	}
	return nil
}

// oddLine is a line that is no command, or none that anybody knows.
func (s *sim) oddLine() *command {
	n := s.noise()
	switch {
	case n.chance(30):
		return &command{typ: "parse", v: str(among(n, []string{"{not json}", "", "{\"id\":", "\xed\xa0\xbd"}))}
	case n.chance(40):
		return &command{v: str(among(n, []string{`"a string"`, "[]", "7", "true"}))}
	case n.chance(50) || s.era == pi073: // there an unknown command loses its id
		return &command{typ: "no_such_command", v: object(m("type", str("no_such_command")))}
	}
	return s.unknown()
}

func (s *sim) unknown() *command {
	c := s.compose("no_such_command")
	c.known = false
	return c
}

func (s *sim) bashes() int {
	n := 0
	for _, c := range s.commands {
		if c.typ == "bash" {
			n++
		}
	}
	for _, t := range s.tasks {
		if t.bash {
			n++
		}
	}
	return n
}
