package model

import "github.com/agentstream/conformance/baseline"

// Text messages, and what they share with reasoning messages: both are opened,
// filled and ended by message id.

var textRoles = []string{"assistant", "user", "developer", "system"}

// openable lists the known text messages that a START (or an opening chunk, if
// chunked) may open now: reopening.
func (s *sim) openable(kind string, chunk bool) []*message {
	var out []*message
	for _, m := range s.messagesOf(kind) {
		restreamed := m.carried && !s.asked
		if restreamed || s.isOpen(kind, m.id) || s.run.holds(kind, m.id) != nil && chunk {
			continue
		}
		out = append(out, m)
	}
	return out
}

// subject draws a message to open: a new one, or one that is known.
func (s *sim) subject(kind string, chunk bool) *message {
	known := s.openable(kind, chunk)
	if len(known) > 0 && s.chance(35) {
		return pick(s.draw, known)
	}
	if kind == "text" && len(s.unborn) > 0 && s.chance(50) {
		m := &message{id: s.unborn[0], kind: kind}
		s.unborn = s.unborn[1:]
		s.messages = append(s.messages, m)
		s.checkSpans(m.id, kind)
		return m
	}
	return s.newMessage(kind)
}

// openingTag draws the tag of a START for an item whose owner may be known, with
// regard to the lane that assembles it from chunks.
func (s *sim) openingTag(kind, id string) owner {
	held := s.run.holds(kind, id)
	return s.tag(func(o owner) bool {
		return s.agrees(bookOf(kind), id, o) && (held == nil || held.by == o)
	})
}

func (s *sim) textStart() {
	msg := s.subject("text", false)
	s.openText(msg, s.openingTag("text", msg.id))
}

func (s *sim) openText(msg *message, o owner) {
	e := s.event(baseline.TextMessageStart, o).put("messageId", str(msg.id))
	e.describeText(msg)
	e.emit()
	s.claim("message", msg.id, e.own)
	s.opened("text", msg.id)
}

// describeText puts role and name: those that the message has, or new ones.
func (e *event) describeText(msg *message) {
	if !msg.described && !msg.carried {
		msg.role = "assistant"
		if e.wants() {
			msg.role = among(e.n, textRoles)
		}
		if e.wants() {
			msg.name = given(e.s.name(e.n))
		}
	}
	msg.introduced, msg.described = true, true
	if msg.role != "assistant" || e.wants() {
		e.put("role", str(msg.role))
	}
	e.opt("name", msg.name)
}

func (s *sim) textContent() { s.fill("text", baseline.TextMessageContent) }

func (s *sim) textEnd() { s.end("text", baseline.TextMessageEnd) }

// fill emits content for an open item.
func (s *sim) fill(kind string, typ baseline.EventType) {
	it := pick(s.draw, s.openOf(kind))
	e := s.event(typ, s.continuationTag(it)).put(idName(kind), str(it.id))
	e.put("delta", str(s.prose(e.n))).emit()
}

func (s *sim) end(kind string, typ baseline.EventType) { s.endItem(pick(s.draw, s.openOf(kind)), typ) }

func (s *sim) endItem(it item, typ baseline.EventType) {
	s.event(typ, s.continuationTag(it)).put(idName(it.kind), str(it.id)).emit()
	s.closed(it)
}

func idName(kind string) string {
	if kind == "tool" {
		return "toolCallId"
	}
	return "messageId"
}

var startTypes = map[string]baseline.EventType{
	"text": baseline.TextMessageStart, "tool": baseline.ToolCallStart, "reasoning": baseline.ReasoningMessageStart, "span": baseline.ReasoningStart,
}

var fillTypes = map[string]baseline.EventType{
	"text": baseline.TextMessageContent, "tool": baseline.ToolCallArgs, "reasoning": baseline.ReasoningMessageContent,
}

var endTypes = map[string]baseline.EventType{
	"text": baseline.TextMessageEnd, "tool": baseline.ToolCallEnd, "reasoning": baseline.ReasoningMessageEnd, "span": baseline.ReasoningEnd,
}
