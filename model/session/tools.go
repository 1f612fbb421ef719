package session

import (
	"slices"
	"strconv"
)

// call is a tool call that is carried out, or refused.
type call struct {
	id, name string
	args     value
	parent   *call
	runs     bool // it gets as far as being executed
	updates  int  // still to come
	kids     []*call
	open     bool

	fails   bool
	content value // of its result
	took    value // durationMs
}

// batch carries out the tool calls of the turn's message.
func (s *sim) batch(stop string) {
	t := s.run.turn
	for _, v := range callsOf(t.assistant) {
		t.calls = append(t.calls, s.planned(v, stop))
	}
	if len(t.calls) == 0 {
		return
	}
	if s.queued() == 0 && stop != "length" && s.chance(8) {
		t.stops, s.hold = true, true // with a message in the queue the run could not end
	}
	if stop == "length" && s.era == pi1x || s.k.has(Sequential) && s.chance(25) {
		s.oneByOne(t.calls)
	} else {
		s.together(t.calls)
	}
}

// planned draws what becomes of a call.
func (s *sim) planned(v value, stop string) *call {
	n := s.noise()
	c := &call{id: v.get("id").text, name: v.get("name").text, args: v.get("arguments"), runs: true, updates: n.below(4), fails: n.chance(15)}
	if stop == "length" && s.era == pi1x || s.k.has(Refused) && (c.name == "nosuch" || v.has("argumentsError") || n.chance(12)) {
		c.runs = false
	}
	return c
}

func (s *sim) oneByOne(calls []*call) {
	for _, c := range calls {
		s.start(c)
		s.carryOut([]*call{c})
		s.resultOf(c)
	}
}

func (s *sim) together(calls []*call) {
	for _, c := range calls {
		s.start(c)
	}
	s.carryOut(calls)
	for _, c := range calls {
		s.resultOf(c)
	}
}

// start begins a call. One that does not run ends at once.
func (s *sim) start(c *call) {
	c.open = true
	s.emit(s.toolEvent("tool_execution_start", c, m("args", c.args)))
	if c.runs && c.parent == nil {
		s.gate(c)
	}
	if s.abort {
		c.runs = false
	}
	if !c.runs {
		c.fails = true
		s.end(c)
	}
}

// carryOut runs calls side by side until all have ended.
func (s *sim) carryOut(calls []*call) {
	open := slices.DeleteFunc(slices.Clone(calls), func(c *call) bool { return !c.open })
	for len(open) > 0 {
		ready := slices.DeleteFunc(slices.Clone(open), func(c *call) bool { return c.updates == 0 && c.waits() })
		if kid := s.advance(pick(s.draw, ready)); kid != nil && kid.open {
			open = append(open, kid)
		}
		open = slices.DeleteFunc(open, func(c *call) bool { return !c.open })
	}
}

// advance is the next thing that a call does: an update, a call of its own, which is given back, or its end.
func (s *sim) advance(c *call) *call {
	switch {
	case c.updates > 0 && (c.waits() || !s.abort):
		c.updates--
		s.progress(c)
		return nil
	case s.mayCall(c):
		return s.calls(c)
	}
	c.fails = c.fails || s.abort && s.chance(70)
	s.end(c)
	return nil
}

// waits says whether a call of its own is open.
func (c *call) waits() bool {
	return slices.ContainsFunc(c.kids, func(k *call) bool { return k.open })
}

func (s *sim) progress(c *call) {
	n := s.noise()
	part := object(m("content", s.output(n)))
	if n.chance(60) {
		part = part.with("details", s.anything(n, 1))
	}
	s.emit(s.toolEvent("tool_execution_update", c, m("args", c.args), m("partialResult", part)))
}

func (s *sim) mayCall(c *call) bool {
	return s.era == pi1x && !s.early && s.session() && s.k.has(Nested) && !s.abort && s.room() && len(c.kids) < 3 && (c.name == "outer" && s.chance(60) || s.chance(5))
}

// calls lets a call make one of its own.
func (s *sim) calls(c *call) *call {
	n := s.noise()
	kid := &call{id: c.id + "/" + strconv.Itoa(len(c.kids)+1), name: among(n, toolNames), args: s.anyObject(n, 2), parent: c, runs: true, updates: n.below(3), fails: n.chance(20)}
	kid.runs = kid.name != "nosuch"
	for s.taken(kid.id) {
		kid.id += "'"
	}
	c.kids = append(c.kids, kid)
	s.start(kid)
	return kid
}

// taken says whether a call of the turn has an id.
func (s *sim) taken(id string) bool {
	var in func(list []*call) bool
	in = func(list []*call) bool {
		return slices.ContainsFunc(list, func(c *call) bool { return c.id == id || in(c.kids) })
	}
	return in(s.run.turn.calls)
}

func (s *sim) toolEvent(typ string, c *call, ms ...member) value {
	v := typed(typ, m("toolCallId", str(c.id)), m("toolName", str(c.name)))
	v.members = append(v.members, ms...)
	if c.parent != nil {
		v = v.with("parentToolCallId", str(c.parent.id))
	}
	return v
}

// output is the content of a result.
func (s *sim) output(n *noise) value {
	out := array()
	for range n.below(3) {
		b := s.textBlock(n, s.prose(n))
		if s.optional(n, 10) {
			b = s.image(n)
		}
		out.list = append(out.list, b)
	}
	return out
}

// end ends a call.
func (s *sim) end(c *call) {
	n := s.noise()
	if c.runs && s.served() && s.k.has(Handled) && s.chance(3) {
		s.extensionError()
	}
	c.open, c.content = false, s.output(n)
	if c.fails && len(c.content.list) == 0 {
		c.content = array(typed("text", m("text", str(among(n, []string{"Tool nosuch not found", "Operation aborted", "tool failed"})))))
	}
	if c.runs && (s.era == pi1x || s.optional(n, 5)) {
		c.took = number(n.below(2000))
	}
	v := s.toolEvent("tool_execution_end", c, m("result", s.outcome(n, c)), m("isError", boolean(c.fails)))
	if c.took.kind != 0 {
		v = v.with("durationMs", c.took)
	}
	s.emit(v)
}

// outcome is what a call's end carries.
func (s *sim) outcome(n *noise, c *call) value {
	v := object(m("content", c.content))
	if n.chance(85) {
		v = v.with("details", s.anything(n, 1))
	}
	if s.optional(n, 15) {
		v = v.with("structuredContent", object(m("output", str("l1\nl2")), m("exit_code", number(0)))).with("isError", boolean(c.fails))
	}
	if s.optional(n, 5) {
		v = v.with("usage", s.usage(n))
	}
	if s.run.turn.stops && c.parent == nil {
		v = v.with("terminate", yes)
	} else if c.parent == nil && len(s.run.turn.calls) > 1 && c != s.run.turn.calls[0] && n.chance(10) {
		v = v.with("terminate", yes) // one of several does not end the run
	} else if n.chance(5) {
		v = v.with("terminate", no)
	}
	return v
}

// resultOf writes the message that tells the model of a call's result.
func (s *sim) resultOf(c *call) {
	v := s.resultMessage(c)
	s.run.turn.results = append(s.run.turn.results, v)
	s.say(message{"toolResult", v})
}

func (s *sim) resultMessage(c *call) value {
	n := s.noise()
	v := object(m("role", str("toolResult")), m("toolCallId", str(c.id)), m("toolName", str(c.name)), m("content", c.content))
	if n.chance(85) {
		v = v.with("details", s.anything(n, 1))
	}
	v = v.with("isError", boolean(c.fails))
	if c.took.kind != 0 {
		v = v.with("durationMs", c.took)
	}
	if s.optional(n, 5) {
		v = v.with("usage", s.usage(n))
	}
	v = v.with("timestamp", s.now())
	if len(c.kids) > 0 {
		v = v.with("nestedCalls", nestedCalls(c))
	}
	return v
}

func nestedCalls(c *call) value {
	out := array()
	for _, k := range c.kids {
		status := "ok"
		if k.fails {
			status = "error"
		}
		out.list = append(out.list, object(m("id", str(k.id)), m("name", str(k.name)), m("status", str(status)), m("arguments", k.args)))
	}
	return object(m("calls", out), m("complete", yes))
}
