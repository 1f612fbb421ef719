package model

import "github.com/agentstream/conformance/baseline"

// Tool calls and their results.

// subjectCall draws a call to open, and a tag under which that is legal.
func (s *sim) subjectCall(chunk bool) (*call, owner) {
	if len(s.calls) > 0 && s.chance(30) {
		if c, tags := s.reopenable(chunk); c != nil {
			return c, pick(s.draw, tags)
		}
	}
	c := &call{id: s.fresh("call")}
	s.calls = append(s.calls, c)
	s.describeCall(c)
	return c, pick(s.draw, s.callTags(c, chunk))
}

// reopenable draws a known call that may be opened now; nil if there is none.
func (s *sim) reopenable(chunk bool) (*call, []owner) {
	var list []*call
	for _, c := range s.calls {
		if !s.isOpen("tool", c.id) && !(chunk && s.run.holds("tool", c.id) != nil) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	c := pick(s.draw, list)
	if !c.made {
		s.describeCall(c)
	}
	if tags := s.callTags(c, chunk); len(tags) > 0 {
		return c, tags
	}
	return nil, nil
}

// describeCall gives a call that was never made its name and parent.
func (s *sim) describeCall(c *call) {
	c.name = pick(s.draw, s.toolNames())
	c.parent = s.parent()
	if tags := s.callTags(c, false); len(tags) == 0 { // recorded under another owner than its parent's
		c.parent = opt{}
	}
}

func (s *sim) toolNames() []string {
	if s.request != nil && len(s.request.tools) > 0 && s.chance(60) {
		return s.request.tools
	}
	return s.names
}

// parent draws a parent message: none, a known one, one that never shows, or one
// that shows later.
func (s *sim) parent() opt {
	var known []string
	for _, m := range s.messages {
		if m.kind == "text" || m.kind == "tool" || !s.k.Guard {
			known = append(known, m.id)
		}
	}
	switch kind := s.roll(8); {
	case kind == 7 && s.k.has(Optional):
		id := s.fresh("message")
		s.unborn = append(s.unborn, id)
		s.checkSpans(id, "text")
		return given(id)
	case kind >= 4 && len(known) > 0 && s.k.has(Optional):
		id := pick(s.draw, known)
		if m := s.message(id); m.kind != "text" && m.kind != "tool" || s.ids.taken("span", id) {
			s.fit.OwnersSettled = false
		}
		return given(id)
	}
	return opt{}
}

// callTags lists the tags under which a call may be opened now: a tag agrees with
// the parent message's owner, and the owner that results with the recorded one.
func (s *sim) callTags(c *call, chunk bool) []owner {
	held := s.run.holds("tool", c.id)
	list, _ := s.legalTags(func(o owner) bool {
		if held != nil && !chunk && held.by != o {
			return false
		}
		mine, agrees := s.callOwner(c, o)
		if !agrees {
			return false
		}
		rec, recorded := s.owned("tool", c.id)
		_, parented := s.parentOwner(c)
		return !recorded || rec == mine || !o.tagged && !parented
	})
	return list
}

func (s *sim) parentOwner(c *call) (owner, bool) {
	if !c.parent.given {
		return owner{}, false
	}
	return s.owned("message", c.parent.s)
}

// callOwner is who owns a call that is opened with a tag; false if the tag
// disagrees with the parent message's owner.
func (s *sim) callOwner(c *call, tag owner) (owner, bool) {
	p, known := s.parentOwner(c)
	switch rec, recorded := s.owned("tool", c.id); {
	case tag.tagged:
		return tag, !known || p == tag
	case known:
		return p, true
	case recorded:
		return rec, true
	}
	return parentAgent, true
}

func (s *sim) toolStart() {
	c, o := s.subjectCall(false)
	s.openCall(c, o)
}

func (s *sim) openCall(c *call, o owner) {
	e := s.event(baseline.ToolCallStart, o).put("toolCallId", str(c.id)).put("toolCallName", str(c.name))
	e.opt("parentMessageId", c.parent).emit()
	s.makeCall(c, o)
	s.opened("tool", c.id)
}

// makeCall notes a START or an opening chunk.
func (s *sim) makeCall(c *call, tag owner) {
	mine, _ := s.callOwner(c, tag)
	s.give("tool", c.id, mine)
	c.made = true
	for _, id := range s.made {
		if id == c.id {
			return
		}
	}
	s.made = append(s.made, c.id)
}

func (s *sim) toolArgs() { s.fill("tool", baseline.ToolCallArgs) }

func (s *sim) toolEnd() { s.end("tool", baseline.ToolCallEnd) }

// answerable lists the calls that a result may name: any but those that the
// frontend answers; for a guard only those that this run knows and has ended.
func (s *sim) answerable() []string {
	var out []string
	for _, c := range s.calls {
		if s.frontend(c.id) || s.k.Guard && !s.settled(c.id) {
			continue
		}
		out = append(out, c.id)
	}
	return out
}

// settled: this run introduced the call, and it is not open.
func (s *sim) settled(id string) bool {
	return (s.listed[id] || s.madeHere(id)) && !s.isOpen("tool", id)
}

func (s *sim) madeHere(id string) bool {
	for _, c := range s.made {
		if c == id {
			return true
		}
	}
	return false
}

// frontend: a call of this run to a tool that the request lists.
func (s *sim) frontend(id string) bool {
	if s.request == nil || !s.madeHere(id) {
		return false
	}
	c := s.call(id)
	for _, t := range s.request.tools {
		if t == c.name {
			return true
		}
	}
	return false
}

func (s *sim) toolResult() {
	var id string
	if list := s.answerable(); len(list) > 0 && (s.k.Guard || !s.chance(10)) {
		id = pick(s.draw, list)
	} else {
		id = s.fresh("call")
		s.calls = append(s.calls, &call{id: id})
	}
	s.answer(id, s.anyTag())
}

func (s *sim) answer(id string, o owner) {
	if !s.settled(id) || s.run.holds("tool", id) != nil {
		s.fit.ResultsFollow = false
	}
	msg := s.newMessage("tool")
	msg.call, msg.introduced = id, true
	e := s.event(baseline.ToolCallResult, o).put("messageId", str(msg.id)).put("toolCallId", str(id))
	e.put("content", s.content(e.n))
	e.may("role", func() value { return str("tool") }).emit()
	s.give("message", msg.id, o)
	s.answered[id] = true
}

func (s *sim) unanswered() []string {
	var out []string
	for _, id := range s.made {
		if !s.answered[id] {
			out = append(out, id)
		}
	}
	return out
}
