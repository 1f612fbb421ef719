package model

import "github.com/agentstream/conformance/baseline"

// Faults of identity: ids that disagree, are used twice, or come too late; and of
// what a run's boundaries say.

var identityFaults = []fault{
	{clause: "run-id-mismatch", severities: "EW--", do: func(s *sim) int {
		id := s.fresh("run")
		return s.finishWith(func(e *event) { e.body = e.body.with("runId", str(id)) })
	}},
	{clause: "thread-id-mismatch/finish", severities: "EW--", do: func(s *sim) int {
		id := s.fresh("thread")
		return s.finishWith(func(e *event) { e.body = e.body.with("threadId", str(id)) })
	}},
	{clause: "thread-id-mismatch/next-run", severities: "EW--", do: func(s *sim) int {
		s.stopRun()
		s.thread = s.fresh("thread")
		return s.spoil(func(s *sim) { s.startRun(false) }, func(*event) {})
	}},
	{clause: "run-id-reused", severities: "E---", do: func(s *sim) int {
		id := s.run.id
		s.stopRun()
		s.startRun(false)
		s.stopRun()
		return s.spoil(func(s *sim) { s.startRun(false) }, func(e *event) {
			s.run.id = id
			e.body = e.body.with("runId", str(id))
		})
	}, plan: plan{request: never}},
	{clause: "reopen-disagreement/role", severities: "E---", do: func(s *sim) int {
		return s.reopenText(func(e *event, msg *message) {
			e.put("role", str(map[bool]string{true: "user", false: "assistant"}[msg.role == "assistant"])).opt("name", msg.name)
		})
	}},
	{clause: "reopen-disagreement/name", severities: "E---", do: func(s *sim) int {
		return s.reopenText(func(e *event, msg *message) {
			if msg.role != "assistant" {
				e.put("role", str(msg.role))
			}
			if !msg.name.given || e.n.chance(50) {
				e.put("name", str(msg.name.s+"?"))
			}
		})
	}},
	{clause: "reopen-disagreement/tool-name", severities: "E---", do: func(s *sim) int {
		return s.reopenCall(func(e *event) { e.put("toolCallName", str("find")) })
	}},
	{clause: "reopen-disagreement/parent", severities: "E---", do: func(s *sim) int {
		id := s.fresh("message")
		return s.reopenCall(func(e *event) { e.put("toolCallName", str("search")).put("parentMessageId", str(id)) })
	}},
	{clause: "duplicate-message-id/kind", severities: "E---", do: (*sim).otherKind},
	{clause: "duplicate-message-id/result", severities: "E---", do: func(s *sim) int {
		kind := pick(s.draw, []string{"text", "reasoning"})
		it := s.newItem(kind, s.anyTag())
		id := s.fresh("call")
		s.calls = append(s.calls, &call{id: id})
		return s.event(baseline.ToolCallResult, parentAgent).put("messageId", str(it.id)).put("toolCallId", str(id)).put("content", str("")).kept()
	}},
	{clause: "duplicate-message-id/list", severities: "E---", do: func(s *sim) int {
		one := reasoningMessage(s.newMessage("reasoning").id)
		return s.event(baseline.MessagesSnapshot, parentAgent).put("messages", array(one, one)).kept()
	}},
	{clause: "duplicate-message-id/snapshot-kind", severities: "E---", do: func(s *sim) int {
		id := s.newText(s.anyTag()).id
		return s.event(baseline.MessagesSnapshot, parentAgent).put("messages", array(reasoningMessage(id))).kept()
	}},
	{clause: "subagent-unannounced", severities: "E---", do: func(s *sim) int {
		id := s.fresh("agent")
		do := pick(s.draw, []baseline.EventType{baseline.Raw, baseline.Custom, baseline.StateSnapshot})
		e := s.event(do, by(id))
		switch do {
		case baseline.Raw:
			e.put("event", null)
		case baseline.Custom:
			e.put("name", str("acme.x")).put("value", null)
		case baseline.StateSnapshot:
			e.put("snapshot", empty)
			s.state = &value{kind: '{'}
		}
		index := e.kept()
		s.some()
		s.announceAgain(id)
		s.run.subs = append(s.run.subs, subagent{id, true})
		return index
	}},
	{clause: "empty-interrupts", severities: "EE-E", do: func(s *sim) int {
		return s.finishWith(func(e *event) { e.body = e.body.with("outcome", interruptOutcome()) })
	}},
	{clause: "duplicate-interrupt-id", severities: "EW--", do: func(s *sim) int {
		in := object(m("id", str("i1")), m("reason", str("input")))
		list := []value{in, object(m("id", str("i2")), m("reason", str(""))), in}[s.roll(2):]
		if len(list) == 2 {
			list[0] = in.with("message", str("again"))
		}
		return s.finishWith(func(e *event) { e.body = e.body.with("outcome", interruptOutcome(list...)) })
	}},
	{clause: "pending-tool-calls", severities: "E---", do: (*sim).wrongPending},
	{clause: "usage-arithmetic/total", severities: "E---", do: func(s *sim) int {
		return s.wrongUsage(object(m("inputTokens", number(10)), m("outputTokens", number(5)), m("totalTokens", number(16))))
	}},
	{clause: "usage-arithmetic/reasoning", severities: "E---", do: func(s *sim) int {
		return s.wrongUsage(object(m("outputTokens", number(5)), m("reasoningTokens", number(6))))
	}},
	{clause: "usage-arithmetic/input", severities: "E---", do: func(s *sim) int {
		return s.wrongUsage(object(m("inputTokens", number(10)), m("cachedInputTokens", number(6)), m("cacheWriteInputTokens", literal("5.0"))))
	}},
	{clause: "usage-repeated", severities: "W---", do: func(s *sim) int {
		u := object(m("provider", str("acme")), m("model", str("small")))
		if s.chance(50) {
			u = empty
		}
		return s.wrongUsage(u.with("inputTokens", number(1)), u)
	}},
	{clause: "version-format", severities: "EW--", when: start, do: func(s *sim) int {
		v := pick(s.draw, []string{"1", "v1.0", "1.0.0", "", "01.0", "1.0\n", " 1.0", "1.", "1.x", "１.0"})
		return s.spoil(func(s *sim) { s.startRun(true) }, func(e *event) { e.body = e.body.with("protocolVersion", str(v)) })
	}},
	{clause: "version-missing/asked", severities: "I---", when: start, do: (*sim).withoutVersion, plan: plan{version: "1.0"},
		knows: func(out *Stream) { out.Revision = "1.0" }},
	{clause: "version-missing/strict", severities: "E---", when: start, do: (*sim).withoutVersion, plan: plan{version: "1.0"},
		knows: func(out *Stream) { out.Revision, out.Strict = "1.0", true }},
}

func (s *sim) withoutVersion() int {
	s.plan.version = "absent"
	return s.spoil(func(s *sim) { s.startRun(true) }, func(*event) {})
}

func interruptOutcome(list ...value) value {
	return object(m("type", str("interrupt")), m("interrupts", array(list...)))
}

func reasoningMessage(id string) value {
	return object(m("id", str(id)), m("role", str("reasoning")), m("content", str("")))
}

// reopenText reopens a message that was ended, described in another way.
func (s *sim) reopenText(describe func(e *event, msg *message)) int {
	it := s.newText(s.anyTag())
	s.close(it)
	e := s.event(baseline.TextMessageStart, parentAgent).put("messageId", str(it.id))
	describe(e, s.message(it.id))
	index := e.kept()
	s.opened("text", it.id)
	return index
}

func (s *sim) reopenCall(describe func(e *event)) int {
	it := s.newCall(s.anyTag())
	s.close(it)
	e := s.event(baseline.ToolCallStart, parentAgent).put("toolCallId", str(it.id))
	describe(e)
	index := e.kept()
	s.opened("tool", it.id)
	return index
}

// otherKind opens a message whose id is that of one of another kind.
func (s *sim) otherKind() int {
	switch s.roll(3) {
	case 0:
		it := s.newReasoning(s.anyTag())
		index := s.event(baseline.TextMessageStart, parentAgent).put("messageId", str(it.id)).kept()
		s.claim("message", it.id, parentAgent)
		s.opened("text", it.id)
		return index
	case 1:
		it := s.newText(s.anyTag())
		return s.event(baseline.ActivitySnapshot, parentAgent).put("messageId", str(it.id)).put("activityType", str("plan")).put("content", empty).kept()
	}
	msg, _ := s.newActivity()
	index := s.event(baseline.ReasoningMessageChunk, parentAgent).put("messageId", str(msg.id)).kept()
	s.hold(lane{parentAgent, "reasoning", msg.id})
	return index
}

// wrongPending names too many calls, too few, or the right ones in another order.
func (s *sim) wrongPending() int {
	s.newCall(s.anyTag())
	s.newCall(s.anyTag())
	right := s.unanswered()
	var wrong []string
	switch s.roll(4) {
	case 0:
		wrong = append([]string{s.fresh("call")}, right...)
	case 1:
		wrong = right[1:]
	case 2:
		wrong = append([]string{right[len(right)-1]}, right[:len(right)-1]...)
	case 3:
		wrong = append(right[:len(right):len(right)], right[0])
	}
	return s.finishWith(func(e *event) {
		e.body = e.body.with("outcome", object(m("type", str("success")), m("pendingToolCallIds", strs(wrong))))
	})
}

// wrongUsage ends the run with that usage.
func (s *sim) wrongUsage(list ...value) int {
	how := func(e *event) { e.body = e.body.with("usage", array(list...)) }
	if s.chance(40) {
		s.over = true
		return s.spoil((*sim).runError, how)
	}
	return s.finishWith(how)
}
