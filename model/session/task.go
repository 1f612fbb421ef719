package session

// task is something that goes on beside the agent: a command of an extension or of a shell.
type task struct {
	c     *command
	bash  bool
	steps []func(s *sim) bool // each says whether it is done
	busy  bool                // with one
}

// step goes on with a task.
func (t *task) step(s *sim) {
	if t.busy {
		return
	}
	t.busy = true
	if t.steps[0](s) {
		t.steps = t.steps[1:]
	}
	t.busy = false
	if len(t.steps) > 0 {
		return
	}
	for i, x := range s.tasks {
		if x == t {
			s.tasks = append(s.tasks[:i:i], s.tasks[i+1:]...)
			return
		}
	}
}

// then adds a step that is done at once.
func (t *task) then(do func(s *sim)) {
	t.steps = append(t.steps, func(s *sim) bool { do(s); return true })
}

// --- the shell ---

// bashTask runs a command of the shell, and shows what it writes where the release does.
func (s *sim) bashTask(c *command) *task {
	t := &task{c: c, bash: true}
	n := s.noise()
	output := ""
	for _, part := range pieces(n, s.prose(n)) {
		if s.bashSeen {
			output = joined(append(units(output), units(part)...))
			t.then(func(s *sim) { s.bashUpdate(c, part) })
		} else {
			output += part
		}
	}
	truncated := s.optional(n, 10)
	if truncated {
		output = "…"
	}
	v := object(m("output", str(joined(units(output)))))
	if cancelled := n.chance(15); cancelled {
		v = v.with("cancelled", yes)
	} else {
		v = v.with("exitCode", number(n.below(4))).with("cancelled", no)
	}
	v = v.with("truncated", boolean(truncated))
	if truncated {
		v = v.with("fullOutputPath", str("/home/dev/project/out.txt"))
	}
	t.then(func(s *sim) {
		s.sess.messages = append(s.sess.messages, object(m("role", str("bashExecution")), m("command", c.v.get("command")), m("output", v.get("output")),
			m("cancelled", v.get("cancelled")), m("truncated", v.get("truncated")), m("timestamp", s.now())))
		s.respond(c, v)
	})
	return t
}

func (s *sim) bashUpdate(c *command, delta string) int {
	v := typed("bash_execution_update")
	if c.id.kind != 0 {
		v = v.with("id", c.id)
	}
	return s.emit(v.with("delta", str(delta)))
}

// --- commands of extensions ---

// handle takes up a prompt that an extension answers: no run is due to it.
func (s *sim) handle(c *command, text string) {
	t := &task{c: c}
	switch text {
	case "/hello":
		if s.k.has(Dialogs) {
			t.then((*sim).notice)
		}
	case "/boom":
		t.then(func(s *sim) { s.extensionError() })
	case "/dialogs":
		if s.k.has(Dialogs) {
			for range 1 + s.roll(4) {
				t.asks(s)
			}
			for range s.roll(3) {
				t.then((*sim).notice)
			}
		}
	case "/append":
		if s.k.has(Customs) {
			t.then(func(s *sim) { s.appendEntry(s.customEntry()) })
		}
	case "/tree":
		t.then(func(s *sim) {
			if s.k.has(Compactions) && s.era >= pi080 && s.compact == "" {
				s.retrySummary(s.noise(), "branchSummary")
			}
		})
	case "/sendmsg":
		t.then(func(s *sim) {
			if s.k.has(Customs) && s.idle() {
				s.say(s.note())
			}
		})
	}
	t.then(func(s *sim) { s.accept(c, "handled") })
	s.tasks = append(s.tasks, t)
}

// idle says whether nothing runs, so that a message stands alone.
func (s *sim) idle() bool { return !s.busy && !s.started && !s.saying && s.compact == "" }
