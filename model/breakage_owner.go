package model

import "github.com/agentstream/conformance/baseline"

// Faults of ownership.

var ownerFaults = []fault{
	{clause: "owner-mismatch/text", severities: "EEEE", do: func(s *sim) int { return s.foreign("text") }},
	{clause: "owner-mismatch/reasoning", severities: "EEEE", do: func(s *sim) int {
		return s.foreign(pick(s.draw, []string{"reasoning", "span"}))
	}},
	{clause: "owner-mismatch/tool-call", severities: "EEEE", do: func(s *sim) int { return s.foreign("tool") }},
	{clause: "owner-mismatch/tool-parent", severities: "EEEE", do: func(s *sim) int {
		msg := s.newText(s.anyTag())
		c := s.callOf("search")
		e := s.event(baseline.ToolCallStart, s.stranger(msg.opened)).put("toolCallId", str(c.id)).put("toolCallName", str(c.name))
		return e.put("parentMessageId", str(msg.id)).refused()
	}},
	{clause: "owner-mismatch/activity", severities: "EEEE", do: func(s *sim) int {
		msg, o := s.newActivity()
		e := s.event(baseline.ActivityDelta, s.stranger(o)).put("messageId", str(msg.id)).put("activityType", str("plan"))
		return e.put("patch", array()).refused()
	}},
	{clause: "owner-mismatch/activity-replace-false", severities: "E---", do: func(s *sim) int {
		msg, o := s.newActivity()
		e := s.event(baseline.ActivitySnapshot, s.stranger(o)).put("messageId", str(msg.id)).put("activityType", str("plan"))
		return e.put("content", empty).put("replace", no).kept()
	}},
	{clause: "owner-mismatch/encrypted-value", severities: "EEEE", do: func(s *sim) int {
		kind := pick(s.draw, []string{"text", "reasoning", "tool"})
		it := s.newItem(kind, s.anyTag())
		subtype := "message"
		if kind == "tool" {
			subtype = "tool-call"
		}
		e := s.event(baseline.ReasoningEncryptedValue, s.stranger(it.opened)).put("subtype", str(subtype)).put("entityId", str(it.id))
		return e.put("encryptedValue", str(s.prose(e.n))).refused()
	}},
	{clause: "owner-mismatch/chunk-lane", severities: "EE--", do: func(s *sim) int {
		l := s.newChunk(s.anyKind(), s.anyTag())
		return s.event(chunkTypes[l.kind], s.stranger(l.by)).put(idName(l.kind), str(l.id)).chunkDelta().refused()
	}},
}

// foreign continues, ends or reopens an item under another tag than its owner's.
func (s *sim) foreign(kind string) int {
	it := s.newItem(kind, s.anyTag())
	typ := endTypes[kind]
	switch {
	case s.chance(30):
		s.close(it)
		typ = startTypes[kind]
	case kind != "span" && s.chance(50):
		typ = fillTypes[kind]
	}
	e := s.event(typ, s.stranger(it.opened)).put(idName(kind), str(it.id))
	switch typ {
	case baseline.ReasoningMessageStart:
		e.put("role", str("reasoning"))
	case baseline.ToolCallStart:
		e.put("toolCallName", str("search"))
	case fillTypes[kind]:
		e.put("delta", str(s.prose(e.n)))
	}
	return e.refused()
}

func (s *sim) newActivity() (*message, owner) {
	msg, o := s.newMessage("activity"), s.anyTag()
	s.putActivity(msg, o, opt{})
	return msg, o
}
