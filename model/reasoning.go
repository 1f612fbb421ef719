package model

import "github.com/agentstream/conformance/baseline"

// Reasoning: messages, spans (which may share a message's id) and encrypted values.

func (s *sim) reasoningStart() {
	msg := s.subject("reasoning", false)
	s.openReasoning(msg, s.openingTag("reasoning", msg.id))
}

func (s *sim) openReasoning(msg *message, o owner) {
	e := s.event(baseline.ReasoningMessageStart, o).put("messageId", str(msg.id))
	e.put("role", str("reasoning")).emit()
	msg.introduced = true
	s.claim("reasoning", msg.id, o)
	s.opened("reasoning", msg.id)
}

func (s *sim) reasoningContent() { s.fill("reasoning", baseline.ReasoningMessageContent) }

func (s *sim) reasoningEnd() { s.end("reasoning", baseline.ReasoningMessageEnd) }

func (s *sim) spanStart() {
	id := s.spanID()
	s.openSpan(id, s.tag(func(o owner) bool { return s.agrees("reasoning", id, o) }))
}

func (s *sim) openSpan(id string, o owner) {
	s.event(baseline.ReasoningStart, o).put("messageId", str(id)).emit()
	s.claim("reasoning", id, o)
	s.opened("span", id)
}

// spanID draws a span's id: a new one, that of a closed span, or a message's.
func (s *sim) spanID() string {
	var known []string
	for _, id := range s.spans {
		if !s.isOpen("span", id) {
			known = append(known, id)
		}
	}
	for _, m := range s.messages {
		if (m.kind == "reasoning" || !s.k.Guard) && !s.isOpen("span", m.id) {
			known = append(known, m.id)
		}
	}
	if len(known) == 0 || !s.chance(40) {
		id := s.fresh("span")
		s.noteSpan(id)
		return id
	}
	id := pick(s.draw, known)
	s.noteSpan(id)
	return id
}

func (s *sim) noteSpan(id string) {
	if m := s.message(id); m == nil && s.ids.taken("message", id) || m != nil && m.kind != "reasoning" {
		s.fit.OwnersSettled = false
	}
	for _, have := range s.spans {
		if have == id {
			return
		}
	}
	s.spans = append(s.spans, id)
	if !s.ids.taken("span", id) {
		s.ids.take("span", id)
	}
}

func (s *sim) spanEnd() { s.end("span", baseline.ReasoningEnd) }

func (s *sim) encryptedValue() {
	subtype, book, id := "message", "message", ""
	switch kind := s.roll(4); {
	case kind == 3 && len(s.calls) > 0:
		subtype, book, id = "tool-call", "tool", pick(s.draw, s.calls).id
	case kind >= 1 && len(s.messages) > 0:
		id = pick(s.draw, s.messages).id
	default:
		id = s.fresh("entity")
		subtype = pick(s.draw, []string{"message", "tool-call"})
		if subtype == "tool-call" {
			book = "tool"
		}
	}
	if _, known := s.owned("message", id); book == "message" && !known {
		book = "reasoning"
	}
	e := s.event(baseline.ReasoningEncryptedValue, s.tag(func(o owner) bool { return s.agrees(book, id, o) }))
	e.put("subtype", str(subtype)).put("entityId", str(id)).put("encryptedValue", str(s.prose(e.n))).emit()
}
