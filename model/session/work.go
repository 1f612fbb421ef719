package session

// work is everything from the first run to agent_settled.
func (s *sim) work(inputs []message) {
	s.busy = true
	end := s.agentRun(inputs)
	for s.recover(end) {
		end = s.agentRun(nil)
	}
	s.settle()
}

// recover does what follows a run, and says whether there is another run.
func (s *sim) recover(end ending) bool {
	switch {
	case end.retry:
		return s.retryRun(end.text)
	case end.failure == "overflow" && s.k.has(Compactions) && !s.autoOff.compaction:
		return s.recoverFromOverflow()
	case end.stop == "error":
		s.giveUp(end.text)
		return false
	case end.stop == "aborted":
		return s.era == pi080 && s.restart(70)
	}
	if s.k.has(Compactions) && s.room() && !s.abort && !s.autoOff.compaction && s.chance(8) {
		s.compactNow("threshold", false)
		return !s.abort && s.restart(80)
	}
	return false
}

// giveUp ends a retry that did not help.
func (s *sim) giveUp(text string) {
	if s.retry.attempt == 0 {
		return
	}
	attempt := s.retry.attempt
	s.retry.attempt = 0
	s.emit(typed("auto_retry_end", m("success", no), m("attempt", number(attempt)), m("finalError", str(text))))
}

// retryRun announces a retry and waits for it.
func (s *sim) retryRun(text string) bool {
	s.retry.attempt++
	s.abort = false
	s.backoff = true
	s.emit(typed("auto_retry_start", m("attempt", number(s.retry.attempt)), m("maxAttempts", number(s.retry.max)),
		m("delayMs", number(60<<s.retry.attempt)), m("errorMessage", str(text))))
	s.impatience()
	if s.era == pi1x {
		s.appendEntry(s.edit())
	}
	s.backoff = false
	if !s.abort {
		return true
	}
	s.giveUp("Retry cancelled")
	if c := s.cancels; c != nil {
		s.cancels, s.abort = nil, len(s.waiting) > 0
		s.respond(c, value{})
	}
	return false
}

// impatience lets somebody put an end to a retry that waits.
func (s *sim) impatience() {
	switch {
	case !s.k.has(Failures) || !s.chance(20):
	case !s.served():
		s.abort = true // by an extension
	case s.chance(50):
		s.insist("abort_retry")
	default:
		s.insist("abort")
	}
}

// insist sends a command that is taken up at once.
func (s *sim) insist(typ string, ms ...member) {
	c := s.compose(typ, ms...)
	s.submit(c)
	s.commands = s.commands[:len(s.commands)-1]
	s.takeAny(c)
}

func (s *sim) recoverFromOverflow() bool {
	if s.spilled {
		s.retry.attempt = 0
		s.emit(typed("compaction_end", m("reason", str("overflow")), m("aborted", no), m("willRetry", no),
			m("errorMessage", str("Context overflow recovery failed after one compact-and-retry attempt"))))
		return false
	}
	s.spilled = true
	if s.era == pi1x {
		s.appendEntry(s.edit())
	}
	return s.compactNow("overflow", true).done
}

// restart says whether what is in the queue begins another run.
func (s *sim) restart(percent int) bool {
	if s.queued() == 0 || !s.chance(percent) {
		return false
	}
	s.hold, s.abort = true, false
	return true
}

// settle ends the work.
func (s *sim) settle() {
	aborted := s.abort
	s.abort, s.spilled, s.retry.attempt, s.busy = false, false, 0, false
	if s.era == pi073 {
		s.answerWaiting()
		return
	}
	v := typed("agent_settled")
	if s.era == pi1x && !s.early {
		v = v.with("aborted", boolean(aborted))
	}
	nested := s.nested
	s.nested = true // what waited for this is answered first
	s.emit(v)
	s.answerWaiting()
	s.nested = nested
	s.point()
}

// --- compaction ---

// compacted is what became of a compaction.
type compacted struct {
	done   bool
	result value
	text   string // of its failure
}

// compactBetweenTurns compacts in the middle of a run.
func (s *sim) compactBetweenTurns() {
	if s.session() && s.k.has(Compactions) && s.room() && !s.autoOff.compaction && s.chance(5) {
		s.compactNow("threshold", false)
	}
}

// compactNow compacts. Only a recovery from overflow is followed by a retry.
func (s *sim) compactNow(reason string, retries bool) compacted {
	n := s.noise()
	s.compact = reason
	s.emit(typed("compaction_start", m("reason", str(reason))))
	if reason == "manual" && s.served() && s.chance(20) && !s.quiet {
		s.insist("prompt", m("message", str("hi"))) // which is refused
		if s.chance(50) {
			s.insist("get_state")
		}
	}
	if s.era >= pi080 && n.chance(20) {
		s.retrySummary(n, "compaction")
	}
	out := compacted{done: true}
	v := typed("compaction_end", m("reason", str(reason)))
	switch {
	case reason != "overflow" && n.chance(15):
		out = compacted{text: "Compaction failed: Already compacted"}
		v = v.with("aborted", no).with("willRetry", no).with("errorMessage", str(out.text))
	case s.abort || n.chance(8):
		out = compacted{text: "Compaction cancelled"}
		v = v.with("aborted", yes).with("willRetry", no)
	default:
		out.result = s.summary(n)
		v = v.with("result", out.result).with("aborted", no).with("willRetry", boolean(retries))
		s.enter(s.sess, "compaction", m("summary", out.result.get("summary")), m("firstKeptEntryId", out.result.get("firstKeptEntryId")), m("tokensBefore", number(4407)))
	}
	s.compact = ""
	s.emit(v)
	return out
}

func (s *sim) summary(n *noise) value {
	v := object(m("summary", str(s.prose(n))), m("firstKeptEntryId", str(s.sess.entries[n.below(len(s.sess.entries))].id)), m("tokensBefore", number(1+n.below(9000))))
	if s.optional(n, 50) {
		v = v.with("estimatedTokensAfter", number(n.below(3000))).with("usage", s.usage(n)).with("details", object(m("readFiles", array()), m("modifiedFiles", array())))
	}
	return v
}

// retrySummary writes that the summary's request failed and was made again.
func (s *sim) retrySummary(n *noise, source string) {
	attempts := 1 + n.below(2)
	for i := range attempts {
		s.emit(typed("summarization_retry_scheduled", m("attempt", number(i+1)), m("maxAttempts", number(3)), m("delayMs", number(100)), m("errorMessage", str("529 overloaded"))))
		v := typed("summarization_retry_attempt_start", m("source", str(source)))
		if source == "compaction" {
			v = v.with("reason", str(s.compact))
		}
		s.emit(v)
	}
	s.emit(typed("summarization_retry_finished"))
}
