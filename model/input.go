package model

// The request, and the input that a run echoes.

// request is the RunAgentInput that asks for the stream's last run.
type request struct {
	run   string
	tools []string // the frontend's
	state value    // {} if it has none
	doc   value
	bytes []byte
}

func (s *sim) makeRequest() {
	r := &request{run: s.fresh("run"), state: empty}
	n := s.noise()
	l := s.newList(n, "request")
	for range s.roll(4) {
		l.add(l.newMessage())
	}
	if s.plan.request == wanted {
		l.add(s.newMessage("text"))
		l.add(s.newMessage("reasoning"))
		r.tools = append(r.tools, "ui.ask")
	}
	for _, m := range s.messages {
		m.carried = true
	}
	for _, name := range s.names {
		if s.k.has(Tools) && s.roll(2) == 1 {
			r.tools = append(r.tools, "ui."+name)
		}
	}
	r.doc = s.input(n, r.run, l.out, r.tools)
	if st, ok := r.doc.get("state"); ok {
		r.state = st
	}
	r.bytes = spell(n, s.k.has(Odd)).bytes(r.doc)
	s.request = r
}

// input is a RunAgentInput with the optional members as they come.
func (s *sim) input(n *noise, run string, messages value, tools []string) value {
	v := object(m("threadId", str(s.thread)), m("runId", str(run)), m("messages", messages))
	maybe := func(name string, f func() value) {
		if s.k.has(Optional) && n.chance(30) {
			v = v.with(name, f())
		}
	}
	if len(tools) > 0 {
		v = v.with("tools", s.tools(n, tools))
	} else {
		maybe("tools", func() value { return array() })
	}
	maybe("protocolVersion", func() value { return str("1.0") })
	maybe("parentRunId", func() value { return str("r0") })
	maybe("state", func() value { return s.inputState(n) })
	maybe("context", func() value {
		return array(object(m("description", str(s.name(n))), m("value", str(s.prose(n)))))
	})
	maybe("forwardedProps", func() value { return s.anything(n, 2, false) })
	maybe("resume", func() value { return s.resume(n) })
	return v
}

func (s *sim) inputState(n *noise) value {
	if n.chance(80) {
		return s.record(n, 2)
	}
	return s.anything(n, 1, false)
}

func (s *sim) tools(n *noise, names []string) value {
	out := array()
	for _, name := range names {
		t := object(m("name", str(name)), m("description", str(s.prose(n))))
		if s.k.has(Optional) && n.chance(50) {
			t = t.with("parameters", s.anything(n, 2, false))
		}
		if s.k.has(Optional) && n.chance(20) {
			t = t.with("metadata", s.metadata(n))
		}
		out.list = append(out.list, t)
	}
	return out
}

func (s *sim) resume(n *noise) value {
	e := object(m("interruptId", str("i1")), m("status", str(among(n, []string{"resolved", "cancelled"}))))
	if n.chance(50) {
		e = e.with("payload", s.anything(n, 2, false))
	}
	if n.chance(30) {
		e = e.with("metadata", s.metadata(n))
	}
	return array(e)
}

// echo is the input that a RUN_STARTED carries, and its effect on what is known.
func (s *sim) echo(n *noise) value {
	if s.asked && n.chance(70) {
		s.echoed(s.request.doc)
		return s.request.doc
	}
	l := s.newList(n, "echo")
	l.fill()
	in := s.input(n, s.run.id, l.out, nil)
	s.takeState(in)
	return in
}

func (s *sim) takeState(in value) {
	st, ok := in.get("state")
	if !ok {
		st = empty
	}
	s.state = &st
}

// echoed notes what the echo of the request itself introduces.
func (s *sim) echoed(in value) {
	s.takeState(in)
	messages, _ := in.get("messages")
	for _, v := range messages.list {
		id, _ := v.get("id")
		msg := s.message(id.text)
		book := "message"
		if msg.kind == "reasoning" || msg.kind == "activity" {
			book = msg.kind
		}
		msg.introduced = true
		s.claim(book, msg.id, parentAgent)
		calls, _ := v.get("toolCalls")
		for _, c := range calls.list {
			cid, _ := c.get("id")
			s.claim("tool", cid.text, parentAgent)
			s.listed[cid.text] = true
		}
		if role, _ := v.get("role"); msg.kind == "text" && !msg.described {
			msg.described, msg.role = true, role.text
			msg.name = opt{}
			if name, ok := v.get("name"); ok {
				msg.name = given(name.text)
			}
		}
	}
}
