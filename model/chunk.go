package model

import "github.com/agentstream/conformance/baseline"

// Chunks and lanes.

var chunkTypes = map[string]baseline.EventType{
	"text": baseline.TextMessageChunk, "tool": baseline.ToolCallChunk, "reasoning": baseline.ReasoningMessageChunk,
}

// holds is the lane that assembles an item; nil if none does.
func (r *run) holds(kind, id string) *lane {
	for i := range r.lanes {
		if l := &r.lanes[i]; l.kind == kind && l.id == id {
			return l
		}
	}
	return nil
}

// closeLanes drops the chunk items that an event that is no chunk closes.
func (s *sim) closeLanes(e *event) {
	kept := s.lanes[:0:0]
	for _, l := range s.lanes {
		if !e.closes(l) {
			kept = append(kept, l)
		}
	}
	s.lanes = kept
}

func (e *event) closes(l lane) bool {
	switch e.typ {
	case baseline.RunStarted, baseline.RunFinished, baseline.RunError, baseline.MessagesSnapshot:
		return true
	case baseline.SubagentFinished, baseline.SubagentError:
		id, _ := e.body.get("subagentRunId")
		return l.by == by(id.text)
	case baseline.Raw, baseline.ActivitySnapshot, baseline.ActivityDelta, baseline.ReasoningEncryptedValue, baseline.SubagentStarted,
		baseline.TextMessageChunk, baseline.ToolCallChunk, baseline.ReasoningMessageChunk:
		return false
	}
	return l.by == e.own
}

func (s *sim) chunk(kind string) {
	if list := s.lanesOf(kind); len(list) > 0 && s.chance(60) {
		s.continueChunk(pick(s.draw, list))
		return
	}
	s.openChunk(kind)
}

func (s *sim) textChunk()      { s.chunk("text") }
func (s *sim) toolChunk()      { s.chunk("tool") }
func (s *sim) reasoningChunk() { s.chunk("reasoning") }

func (s *sim) lanesOf(kind string) []lane {
	var out []lane
	for _, l := range s.lanes {
		if l.kind == kind {
			out = append(out, l)
		}
	}
	return out
}

// openChunk opens an item in a lane; what the lane assembled ends.
func (s *sim) openChunk(kind string) {
	if kind == "tool" {
		c, o := s.subjectCall(true)
		s.chunkCall(c, o)
		return
	}
	msg := s.subject(kind, true)
	s.chunkMessage(msg, s.tag(func(o owner) bool { return s.agrees(bookOf(kind), msg.id, o) }))
}

func (s *sim) chunkMessage(msg *message, o owner) {
	s.fit.NoChunks = false
	kind := msg.kind
	e := s.event(chunkTypes[kind], o).put("messageId", str(msg.id))
	if kind == "text" {
		e.describeText(msg)
	}
	msg.introduced = true
	e.chunkDelta().emit()
	s.claim(bookOf(kind), msg.id, o)
	s.hold(lane{o, kind, msg.id})
}

func (s *sim) chunkCall(c *call, o owner) {
	s.fit.NoChunks = false
	e := s.event(baseline.ToolCallChunk, o).put("toolCallId", str(c.id)).put("toolCallName", str(c.name))
	e.opt("parentMessageId", c.parent).chunkDelta().emit()
	s.makeCall(c, o)
	s.hold(lane{o, "tool", c.id})
}

func (e *event) chunkDelta() *event {
	if e.n.chance(20) {
		return e
	}
	return e.put("delta", str(e.s.prose(e.n)))
}

func (s *sim) hold(l lane) {
	kept := s.lanes[:0:0]
	for _, have := range s.lanes {
		if have.by != l.by {
			kept = append(kept, have)
		}
	}
	s.lanes = append(kept, l)
	s.chunked[thing{l.kind, l.id}] = true
}

// continueChunk continues a lane's item: by its id, by the lane's tag, by both, or
// by neither where that leads to this lane. A delta, members that repeat the
// opener's, or nothing but what every event may have.
func (s *sim) continueChunk(l lane) {
	s.fit.NoChunks = false
	own, named := l.by, true
	switch s.roll(4) {
	case 1:
		own = parentAgent
	case 2:
		named = false
	case 3:
		own, named = parentAgent, !s.found(l)
	}
	if !s.agrees(bookOf(l.kind), l.id, own) {
		own, named = parentAgent, true
	}
	e := s.event(chunkTypes[l.kind], own)
	if named {
		e.put(idName(l.kind), str(l.id))
	}
	switch l.kind {
	case "text":
		e.repeatText(s.message(l.id))
	case "tool":
		e.repeatCall(s.call(l.id))
	}
	e.chunkDelta().emit()
}

// found: an untagged chunk without an id goes to this lane.
func (s *sim) found(l lane) bool {
	list := s.lanesOf(l.kind)
	for _, have := range list {
		if have.by == parentAgent {
			return l.by == parentAgent
		}
	}
	return len(list) == 1
}

func (e *event) repeatText(msg *message) {
	if e.wants() {
		e.put("role", str(msg.role))
	}
	if e.wants() {
		e.opt("name", msg.name)
	}
}

func (e *event) repeatCall(c *call) {
	if e.wants() {
		e.put("toolCallName", str(c.name))
	}
	if e.wants() {
		e.opt("parentMessageId", c.parent)
	}
}
