package model

import "github.com/agentstream/conformance/baseline"

// Faults of chunks.

var chunkFaults = []fault{
	{clause: "chunk-ambiguous", severities: "EE--", do: (*sim).ambiguous},
	{clause: "chunk-first/id", severities: "EE--", do: func(s *sim) int {
		s.clearLanes()
		kind := s.anyKind()
		e := s.event(chunkTypes[kind], s.anyTag())
		if kind == "tool" && s.chance(50) {
			e.put("toolCallName", str("search"))
		}
		return e.chunkDelta().refused()
	}},
	{clause: "chunk-first/tool-name", severities: "EE--", do: func(s *sim) int {
		return s.event(chunkTypes["tool"], s.anyTag()).put("toolCallId", str(s.fresh("call"))).chunkDelta().refused()
	}},
	{clause: "chunk-mixed/chunk-for-started", severities: "EE--", do: func(s *sim) int {
		kind := s.anyKind()
		it := s.newItem(kind, s.anyTag())
		e := s.event(chunkTypes[kind], pick(s.draw, []owner{it.opened, parentAgent})).put(idName(kind), str(it.id))
		if kind == "tool" {
			e.put("toolCallName", str("search"))
		}
		return e.chunkDelta().refused()
	}},
	{clause: "chunk-mixed/explicit-for-chunked", severities: "EE--", do: (*sim).explicitForChunked},
	{clause: "chunk-mixed/start-in-other-lane", severities: "EE--", do: func(s *sim) int {
		kind := s.anyKind()
		l := s.newChunk(kind, s.anyTag())
		e := s.event(startTypes[kind], s.other(l.by)).put(idName(kind), str(l.id))
		switch kind {
		case "reasoning":
			e.put("role", str("reasoning"))
		case "tool":
			e.put("toolCallName", str("search"))
		}
		return e.refused()
	}},
	{clause: "chunk-disagreement/role", severities: "EE--", do: func(s *sim) int {
		l := s.newChunk("text", s.anyTag())
		role := pick(s.draw, textRoles)
		if role == s.message(l.id).role {
			role = map[string]string{"assistant": "user"}[role]
			if role == "" {
				role = "assistant"
			}
		}
		return s.continuation(l).put("role", str(role)).chunkDelta().refused()
	}},
	{clause: "chunk-disagreement/name", severities: "EE--", do: func(s *sim) int {
		l := s.newChunk("text", s.anyTag())
		return s.continuation(l).put("name", str(s.message(l.id).name.s+"?")).chunkDelta().refused()
	}},
	{clause: "chunk-disagreement/tool-name", severities: "EE--", do: func(s *sim) int {
		return s.continuation(s.newChunk("tool", s.anyTag())).put("toolCallName", str("find")).chunkDelta().refused()
	}},
	{clause: "chunk-disagreement/parent", severities: "EE--", do: func(s *sim) int {
		return s.continuation(s.newChunk("tool", s.anyTag())).put("parentMessageId", str(s.fresh("message"))).chunkDelta().refused()
	}},
}

func (s *sim) anyKind() string { return pick(s.draw, []string{"text", "tool", "reasoning"}) }

// newChunk opens a new item of a kind in a lane.
func (s *sim) newChunk(kind string, o owner) lane {
	switch kind {
	case "tool":
		s.chunkCall(s.callOf("search"), o)
	default:
		s.chunkMessage(s.apart(kind), o)
	}
	return s.lanes[len(s.lanes)-1]
}

// continuation starts a chunk that continues a lane's item.
func (s *sim) continuation(l lane) *event {
	e := s.event(chunkTypes[l.kind], pick(s.draw, []owner{l.by, parentAgent}))
	return e.put(idName(l.kind), str(l.id))
}

// clearLanes closes what every lane assembles.
func (s *sim) clearLanes() {
	if len(s.lanes) > 0 {
		s.messagesSnapshot()
	}
}

// ambiguous: two subagents have an item of a kind open, the parent agent has none.
func (s *sim) ambiguous() int {
	kind := s.anyKind()
	first := s.newChunk(kind, s.stranger(parentAgent))
	s.newChunk(kind, s.stranger(first.by))
	if l := s.laneBy(parentAgent); l != nil && l.kind == kind {
		s.event(baseline.Custom, parentAgent).put("name", str("acme.x")).put("value", null).emit()
	}
	e := s.event(chunkTypes[kind], parentAgent)
	if kind == "tool" && s.chance(30) {
		e.put("toolCallName", str("search"))
	}
	return e.chunkDelta().refused()
}

func (r *run) laneBy(o owner) *lane {
	for i := range r.lanes {
		if r.lanes[i].by == o {
			return &r.lanes[i]
		}
	}
	return nil
}

// explicitForChunked continues an item explicitly that was opened by a chunk, as
// long as it is open and after.
func (s *sim) explicitForChunked() int {
	kind := s.anyKind()
	l := s.newChunk(kind, s.anyTag())
	if s.chance(40) {
		s.clearLanes()
	}
	typ := endTypes[kind]
	fills := s.chance(50)
	if fills {
		typ = fillTypes[kind]
	}
	e := s.event(typ, pick(s.draw, []owner{l.by, parentAgent})).put(idName(kind), str(l.id))
	if fills {
		e.put("delta", str(s.prose(e.n)))
	}
	return e.refused()
}
