package session

// Faults of the session around the runs: settling, the queue, retries and compactions.

func queueOf(steering, followUp []string) value {
	return typed("queue_update", m("steering", strs(steering)), m("followUp", strs(followUp)))
}

func (s *sim) compacting(reason string) int {
	return s.emit(typed("compaction_start", m("reason", str(reason))))
}

// compactedEnd is an end of a compaction with a result.
func (s *sim) compactedEnd(reason string, willRetry bool) value {
	return typed("compaction_end", m("reason", str(reason)), m("result", s.summary(s.noise())), m("aborted", no), m("willRetry", boolean(willRetry)))
}

func (s *sim) retrying(attempt, most int) int {
	return s.emit(typed("auto_retry_start", m("attempt", number(attempt)), m("maxAttempts", number(most)), m("delayMs", number(60)), m("errorMessage", str("529 overloaded"))))
}

func retryEnd(success bool, attempt int) value {
	v := typed("auto_retry_end", m("success", boolean(success)), m("attempt", number(attempt)))
	if !success {
		v = v.with("finalError", str("529 overloaded"))
	}
	return v
}

// edited says that a failed message was taken out of the context, where the release does that.
func (s *sim) edited() {
	if s.era == pi1x {
		s.appendEntry(s.edit())
	}
}

// retried begins a run that tries again, as far as the turn.
func (s *sim) retried() {
	s.failedRun(true)
	s.retrying(1, 2)
	s.edited()
	s.beginRun()
	s.openTurn()
}

// aQueue puts messages into the queue, one by one.
func (s *sim) aQueue(list int, texts ...string) {
	for _, text := range texts {
		s.enqueue(list, text)
	}
}

var sessionFaults = []fault{
	{clause: "settled-in-run/in-turn", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		return s.emit(s.settledRecord())
	}},
	{clause: "settled-in-run/at-once", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.openRun()
		return s.emit(s.settledRecord())
	}},
	{clause: "settled-twice/again", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		s.settled()
		return s.emit(s.settledRecord())
	}},
	{clause: "settled-in-recovery/retry", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		s.retrying(1, 2)
		return s.emit(s.settledRecord())
	}},
	{clause: "settled-in-recovery/compaction", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		s.compacting("threshold")
		return s.emit(s.settledRecord())
	}},
	{clause: "restart-without-cause/none", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		s.beginRun()
		s.openTurn()
		s.say(s.user("hi"))
		at := len(s.out)
		s.answer(0)
		return at
	}},
	{clause: "run-cut/compaction", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		return s.compacting("manual")
	}},
	{clause: "header-place/second", severities: "EEE", classes: []Class{JSON}, do: func(s *sim) int {
		s.wholeRun()
		s.settled()
		return s.header()
	}},
	{clause: "header-place/late", severities: "EEE", classes: []Class{RPC}, do: func(s *sim) int {
		s.respond(s.compose("abort"), value{})
		return s.header()
	}},
}

func (s *sim) settledRecord() value {
	if s.era == pi1x {
		return typed("agent_settled", m("aborted", no))
	}
	return typed("agent_settled")
}

var queueFaults = []fault{
	{clause: "queue-jump/two-added", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		s.aQueue(0, "a")
		return s.emit(queueOf([]string{"a", "b", "c"}, nil))
	}},
	{clause: "queue-jump/both-lists", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		s.aQueue(s.roll(2), "a")
		return s.emit(queueOf(append(s.queue[0], "b"), append(s.queue[1], "c")))
	}},
	{clause: "queue-jump/in-front", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		s.aQueue(0, "a", "b")
		return s.emit(queueOf([]string{"c", "a", "b"}, nil))
	}},
	{clause: "queue-jump/order", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		s.aQueue(1, "a", "b")
		return s.emit(queueOf(nil, []string{"b", "a"}))
	}},
	{clause: "queue-lost/next-is-the-answer", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		s.aQueue(0, "a", "b")
		s.queue[0] = s.queue[0][1:]
		s.queueUpdate()
		at := len(s.out)
		s.answer(0)
		return at
	}},
	{clause: "queue-lost/other-text", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		s.aQueue(0, "a", "b")
		s.queue[0] = s.queue[0][1:]
		s.queueUpdate()
		return s.emit(started(s.user("zzz").v))
	}},
	{clause: "queue-left/steering", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.beginTurn()
		s.aQueue(0, "a")
		s.answer(0)
		s.closeTurn()
		return s.closeRun(false)
	}},
	{clause: "queue-left/follow-up", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.answered(0)
		s.closeTurn()
		s.aQueue(1, "a", "b")
		return s.closeRun(false)
	}},
	{clause: "follow-up-early/steering-waits", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.answered(0)
		s.aQueue(0, "s")
		s.aQueue(1, "a", "b")
		s.closeTurn()
		s.openTurn()
		s.queue[1] = s.queue[1][1:]
		return s.queueUpdate()
	}},
	{clause: "follow-up-early/after-tools", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.carried(s.answered(1))
		s.aQueue(1, "a", "b")
		s.closeTurn()
		s.openTurn()
		s.queue[1] = s.queue[1][1:]
		return s.queueUpdate()
	}},
}

var recoveryFaults = []fault{
	{clause: "not-open/auto_retry_end", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		return s.emit(retryEnd(false, 1))
	}},
	{clause: "not-open/compaction_end", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		return s.emit(s.compactedEnd(pick(s.draw, []string{"manual", "threshold", "overflow"}), false))
	}},
	{clause: "retry-unannounced/willRetry-false", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(false)
		return s.retrying(1, 2)
	}},
	{clause: "retry-missing/settled", severities: "-WW", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		return s.settled()
	}},
	{clause: "retry-count/skipped", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		return s.retrying(2, 3)
	}},
	{clause: "retry-count/again", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.retried()
		s.failedAnswer("529 overloaded")
		s.closeTurn()
		s.closeRun(true)
		return s.retrying(1, 2)
	}},
	{clause: "retry-count/too-many", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		return s.retrying(1, 0)
	}},
	{clause: "retry-count/end", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		s.retrying(1, 2)
		return s.emit(retryEnd(false, 2))
	}},
	{clause: "retry-outcome/no-finalError", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		s.retrying(1, 2)
		return s.emit(retryEnd(false, 1).without("finalError"))
	}},
	{clause: "retry-outcome/finalError", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.retried()
		s.answer(0)
		return s.emit(retryEnd(true, 1).with("finalError", str("boom")))
	}},
	{clause: "retry-outcome/failure-in-run", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.retried()
		s.failedAnswer("529 overloaded")
		return s.emit(retryEnd(false, 1))
	}},
	{clause: "retry-outcome/success-outside", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		s.retrying(1, 2)
		return s.emit(retryEnd(true, 1))
	}},
	{clause: "retry-outcome/success-late", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.retried()
		s.answer(0)
		s.closeTurn()
		return s.emit(retryEnd(true, 1))
	}},
	{clause: "retry-with-input/prompt", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.retried()
		return s.emit(started(userMessage(s)))
	}},
	{clause: "context-edit-missing/retry", severities: "--W", classes: stdouts, do: func(s *sim) int {
		s.failedRun(true)
		s.retrying(1, 2)
		at := s.beginRun()
		s.openTurn()
		s.answer(0)
		s.emit(retryEnd(true, 1))
		s.finished()
		return at
	}},
	{clause: "compaction-overlap/two", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		s.compacting("threshold")
		return s.compacting("threshold")
	}},
	{clause: "compaction-changed/reason", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.compacting("manual")
		return s.emit(s.compactedEnd("threshold", false))
	}},
	{clause: "compaction-outcome/none", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.compacting("manual")
		return s.emit(s.compactedEnd("manual", false).without("result"))
	}},
	{clause: "compaction-outcome/two", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.compacting("manual")
		return s.emit(s.compactedEnd("manual", false).with("errorMessage", str("boom")))
	}},
	{clause: "compaction-outcome/aborted-with-result", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.compacting("manual")
		return s.emit(s.compactedEnd("manual", false).with("aborted", yes))
	}},
	{clause: "compaction-outcome/retry-of-threshold", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		s.compacting("threshold")
		return s.emit(s.compactedEnd("threshold", true))
	}},
	{clause: "compaction-outcome/retry-without-result", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.failedRun(false)
		s.edited()
		s.compacting("overflow")
		return s.emit(s.compactedEnd("overflow", true).without("result").with("errorMessage", str("boom")))
	}},
	{clause: "compaction-place/in-turn", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.answered(0)
		return s.compacting(pick(s.draw, []string{"threshold", "overflow"}))
	}},
	{clause: "compaction-place/run", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.wholeRun()
		s.settled()
		s.asked()
		s.compacting("threshold")
		return s.beginRun()
	}},
	{clause: "compaction-place/turn", severities: "EEE", classes: stdouts, do: func(s *sim) int {
		s.carried(s.answered(1))
		s.closeTurn()
		s.compacting("threshold")
		return s.openTurn()
	}},
	{clause: "summary-retry-order/attempt", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.compacting("manual")
		return s.emit(typed("summarization_retry_attempt_start", m("source", str("compaction")), m("reason", str("manual"))))
	}},
	{clause: "summary-retry-order/finished", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.compacting("manual")
		return s.emit(typed("summarization_retry_finished"))
	}},
	{clause: "summary-retry-order/outside", severities: "-EE", classes: stdouts, do: func(s *sim) int {
		s.emit(typed("summarization_retry_scheduled", m("attempt", number(1)), m("maxAttempts", number(3)), m("delayMs", number(100)), m("errorMessage", str("529 overloaded"))))
		return s.emit(typed("summarization_retry_attempt_start", m("source", str("compaction")), m("reason", str("manual"))))
	}},
}
