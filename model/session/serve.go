package session

import "slices"

// serve writes a recording of RPC mode: a client sends commands, the agent takes them up.
func (s *sim) serve() {
	for s.room() {
		for len(s.commands) == 0 || s.chance(20) {
			s.send()
		}
		s.takeIdle()
		if len(s.tasks) > 0 && s.chance(70) {
			pick(s.draw, s.tasks).step(s)
		} else if s.logged || !s.duplex() || len(s.out) > 1 {
			s.afterwards()
		}
	}
	s.finishUp()
}

// finishTasks finishes what is open.
func (s *sim) finishTasks() {
	for len(s.commands)+len(s.tasks) > 0 {
		if len(s.commands) > 0 {
			s.takeIdle()
		} else {
			s.tasks[0].step(s)
		}
	}
}

// finishUp finishes what is open and ends the process.
func (s *sim) finishUp() {
	s.finishTasks()
	if s.class == Transcript {
		s.lastWord()
	}
	if s.class == Transcript && s.chance(85) {
		s.life("session_shutdown", because("quit"))
		s.exit(pick(s.draw, []int{0, 0, 143, 129}))
	}
}

// lastWord is a line without an end, which is taken up when standard input ends.
func (s *sim) lastWord() {
	if !s.k.has(Raw) || !s.chance(8) {
		return
	}
	c := s.compose("abort_bash")
	s.unanswered++
	s.write(s.enveloped("stdin", m("raw", str(plain(c.v)))))
	s.respond(c, value{})
}

func (s *sim) exit(code int) int {
	return s.write(s.enveloped("exit", m("record", object(m("code", number(code)), m("signal", null)))))
}

// takeIdle takes up the first command while nothing runs.
func (s *sim) takeIdle() {
	if len(s.commands) == 0 {
		return
	}
	c := s.commands[0]
	s.commands = s.commands[1:]
	switch c.typ {
	case "prompt":
		s.promptIdle(c)
	case "compact":
		s.compactFor(c)
	case "new_session", "switch_session", "fork", "clone":
		s.replaceFor(c)
	default:
		s.takeAny(c)
	}
}

// takeOne takes up a command beside whatever happens, if there is one that can be.
func (s *sim) takeOne() {
	for i, c := range s.commands {
		if !s.mayTake(c) {
			continue
		}
		s.commands = slices.Delete(slices.Clone(s.commands), i, i+1)
		s.takeAny(c)
		return
	}
}

// mayTake says whether a command can be taken up beside what happens. Where nothing runs, prompts and the like wait
// for the main loop.
func (s *sim) mayTake(c *command) bool {
	switch c.typ {
	case "prompt":
		return s.busy && (!s.streaming(c) || s.mayQueue()) && !s.started || s.compact == "manual"
	case "steer", "follow_up":
		return s.mayQueue()
	case "clear_queue": // of one follow-up it would look as if that were taken
		return s.mayQueue() && !(s.run != nil && len(s.queue[0]) == 0 && len(s.queue[1]) == 1)
	case "abort":
		return !s.started && (s.busy || s.compact == "") && !s.hold
	case "compact", "new_session", "switch_session", "fork", "clone":
		return s.busy && s.era == pi1x && !s.started && !s.hold && s.compact == "" && len(s.tasks) == 0
	}
	return true
}

// streaming says whether a prompt may be queued.
func (s *sim) streaming(c *command) bool { return c.v.has("streamingBehavior") }

// takeAny takes up a command whatever happens.
func (s *sim) takeAny(c *command) {
	switch c.typ {
	case "prompt":
		s.promptBusy(c)
	case "steer":
		s.enqueue(0, c.v.get("message").text)
		s.accept(c, "queued")
	case "follow_up":
		s.enqueue(1, c.v.get("message").text)
		s.accept(c, "queued")
	case "clear_queue":
		was := s.clear()
		s.respond(c, object(m("steering", strs(was[0])), m("followUp", strs(was[1]))))
	case "abort", "compact", "new_session", "switch_session", "fork", "clone":
		s.interrupt(c)
	case "abort_retry":
		s.abortRetry(c)
	case "bash":
		s.tasks = append(s.tasks, s.bashTask(c))
	default:
		s.answerQuery(c)
	}
}

// interrupt stops what runs; the command is answered when that has settled.
func (s *sim) interrupt(c *command) {
	if !s.busy {
		s.respond(c, value{})
		return
	}
	s.abort = true
	s.waiting = append(s.waiting, c)
}

// answerWaiting answers what waited for the agent to settle.
func (s *sim) answerWaiting() {
	list := s.waiting
	s.waiting = nil
	for _, c := range list {
		switch c.typ {
		case "abort":
			s.respond(c, value{})
		case "compact":
			s.compactFor(c)
		default:
			s.replaceFor(c)
		}
	}
}

func (s *sim) abortRetry(c *command) {
	if s.backoff && s.cancels == nil {
		s.abort = true
		s.cancels = c
		return
	}
	s.respond(c, value{})
}

// --- prompts ---

func (s *sim) accept(c *command, disposition string) {
	if s.era < pi1x || s.early {
		s.respond(c, value{})
		return
	}
	s.respond(c, object(m("disposition", str(disposition))))
}

// promptIdle takes up a prompt while nothing runs.
func (s *sim) promptIdle(c *command) {
	text := c.v.get("message").text
	if s.handled(text) {
		s.handle(c, text)
		return
	}
	s.started = true
	s.accept(c, "started")
	if s.k.has(Compactions) && !s.autoOff.compaction && s.ran && s.chance(4) {
		s.compactNow("threshold", false) // before the run that the prompt asks for
	}
	s.work(s.opening(text))
	s.afterwards()
}

// promptBusy takes up a prompt while the agent is busy.
func (s *sim) promptBusy(c *command) {
	text := c.v.get("message").text
	switch {
	case s.handled(text):
		s.handle(c, text)
	case !s.busy:
		s.refuse(c, "Cannot submit a prompt while compaction is in progress")
	case !s.streaming(c):
		s.refuse(c, "Agent is already processing. Specify streamingBehavior")
	case c.v.get("streamingBehavior").text == "steer":
		s.enqueue(0, text)
		s.accept(c, "queued")
	default:
		s.enqueue(1, text)
		s.accept(c, "queued")
	}
}

func (s *sim) handled(text string) bool { return len(text) > 1 && text[0] == '/' && text[1] != '/' }

// afterwards lets extensions start runs of their own while nothing runs.
func (s *sim) afterwards() {
	for s.k.has(Handled) && s.room() && s.chance(6) {
		words := s.firstWords()
		if s.k.has(Customs) && s.chance(50) {
			words = append(words, s.note())
		} else {
			words = append(words, s.user("started by an extension"))
		}
		s.work(words)
	}
}

// compactFor compacts because it was asked for.
func (s *sim) compactFor(c *command) {
	out := s.compactNow("manual", false)
	if out.done {
		s.respond(c, out.result)
	} else {
		s.refuse(c, out.text)
	}
}
