package model

import "github.com/agentstream/conformance/baseline"

// What is only advised against. The stream stays legal.

var advice = []fault{
	{clause: "tool-args-not-json", severities: "I---", do: func(s *sim) int { return s.callWith("{", "not json", "{}{}", "[1,") }},
	{clause: "tool-call-without-args", severities: "I---", do: func(s *sim) int { return s.callWith("") }},
	{clause: "parent-message-unseen", severities: "I---", do: func(s *sim) int {
		c := s.callOf("search")
		c.parent = given(s.fresh("message"))
		s.openCall(c, s.anyTag())
		return s.last()
	}},
	{clause: "duplicated-text", severities: "I---", do: func(s *sim) int {
		it := s.newText(s.anyTag())
		s.say(it, "Hello.")
		s.close(it)
		s.openText(s.message(it.id), s.openingTag("text", it.id))
		s.say(it, "Hel")
		s.say(it, "lo.")
		s.close(it)
		return s.last()
	}},
	{clause: "streamed-after-snapshot", severities: "I---", do: func(s *sim) int {
		msg := s.newMessage("text")
		msg.introduced, msg.described, msg.role = true, true, "assistant"
		v := object(m("id", str(msg.id)), m("role", str("assistant")), m("content", str("Hello.")))
		s.event(baseline.MessagesSnapshot, parentAgent).put("messages", array(v)).emit()
		s.give("message", msg.id, parentAgent)
		s.openText(msg, parentAgent)
		return s.last()
	}},
	{clause: "tag-after-close", severities: "I---", do: func(s *sim) int {
		id := s.newSubagent()
		s.finishSubagent(id)
		return s.event(baseline.Custom, by(id)).put("name", str("acme.x")).put("value", null).kept()
	}},
	{clause: "suspended-without-interrupt", severities: "I---", do: func(s *sim) int {
		id := s.newSubagent()
		s.spoil(func(s *sim) { s.finishSubagent(id) }, func(e *event) {
			e.body = e.body.with("outcome", object(m("type", str("suspended"))))
		})
		return s.finishWith(func(e *event) { e.body = e.body.without("outcome") })
	}},
	{clause: "custom-unprefixed", severities: "I---", do: func(s *sim) int {
		return s.event(baseline.Custom, s.anyTag()).put("name", str("progress_update")).put("value", null).kept()
	}},
	{clause: "metadata-reserved", severities: "I---", do: func(s *sim) int {
		return s.spoil(pick(s.draw, s.ready()), func(e *event) {
			e.body = e.body.with("metadata", object(m("ag-ui", empty)))
		})
	}},
	{clause: "tool-unadvertised", severities: "I---", plan: asked, do: func(s *sim) int {
		s.newCall(s.anyTag())
		return s.last()
	}},
	{clause: "cancelled-with-result", severities: "W---", do: func(s *sim) int {
		return s.finishWith(func(e *event) {
			e.body = e.body.with("outcome", object(m("type", str("cancelled")))).with("result", number(1))
		})
	}},
	{clause: "pending-unnamed", severities: "I---", do: func(s *sim) int {
		s.newCall(s.anyTag())
		return s.finishWith(func(e *event) {
			e.body = e.body.without("outcome")
			if e.n.chance(50) {
				e.body = e.body.with("outcome", object(m("type", str("success")), m("pendingToolCallIds", array())))
			}
		})
	}},
}

// callWith makes a call with one of these arguments, and gives the index of its end.
func (s *sim) callWith(args ...string) int {
	it := s.newCall(s.anyTag())
	if text := pick(s.draw, args); text != "" || s.chance(30) {
		s.say(it, text)
	}
	s.close(it)
	return s.last()
}

// say fills an open item.
func (s *sim) say(it item, text string) {
	s.event(fillTypes[it.kind], s.continuationTag(it)).put(idName(it.kind), str(it.id)).put("delta", str(text)).emit()
}
