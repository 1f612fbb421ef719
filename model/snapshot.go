package model

import "github.com/agentstream/conformance/baseline"

// Lists of messages: MESSAGES_SNAPSHOT, the echoed input, the request.

var messageKinds = []string{"text", "tool", "reasoning", "activity"}

// A list is what the messages of one list have in common.
type list struct {
	s     *sim
	n     *noise
	use   string          // snapshot echo request
	calls map[string]bool // listed already
	any   bool            // an activity was listed
	out   value
}

func (s *sim) messagesSnapshot() {
	e := s.event(baseline.MessagesSnapshot, parentAgent)
	l := s.newList(e.n, "snapshot")
	l.fill()
	e.put("messages", l.out).emit()
}

func (s *sim) newList(n *noise, use string) *list {
	return &list{s: s, n: n, use: use, calls: map[string]bool{}, out: array()}
}

// fill lists some of the known messages, in any order, and some new ones.
func (l *list) fill() {
	s := l.s
	known := append([]*message(nil), s.messages...)
	for i := len(known); i > 0 && len(l.out.list) < 8; i-- {
		if s.roll(2) == 0 {
			continue
		}
		j := s.roll(i)
		m := known[j]
		known[j], known[i-1] = known[i-1], known[j]
		if l.may(m) {
			l.add(m)
		}
	}
	for range s.roll(3) {
		l.add(l.newMessage())
	}
}

// may: what the list may restate. The producer slips in no answer to a call that
// the frontend answers.
func (l *list) may(m *message) bool {
	if m.kind == "tool" && !m.carried && l.s.run != nil && l.s.frontend(m.call) {
		return false
	}
	return l.kindOn(m.kind)
}

func (l *list) kindOn(kind string) bool {
	switch kind {
	case "tool":
		return l.s.k.has(Tools)
	case "reasoning":
		return l.s.k.has(Reasoning)
	case "activity":
		return l.s.k.has(Activities)
	}
	return true
}

func (l *list) newMessage() *message {
	kind := pick(l.s.draw, messageKinds)
	if !l.kindOn(kind) {
		kind = "text"
	}
	m := l.s.newMessage(kind)
	if kind == "tool" {
		m.call = l.answered()
	}
	return m
}

// answered draws the call of a new tool message.
func (l *list) answered() string {
	if l.s.run != nil {
		if ids := l.s.answerable(); len(ids) > 0 && l.s.chance(70) {
			return pick(l.s.draw, ids)
		}
	}
	id := l.s.fresh("call")
	l.s.calls = append(l.s.calls, &call{id: id})
	return id
}

func (l *list) add(msg *message) {
	s, n := l.s, l.n
	v := object(m("id", str(msg.id)))
	o := parentAgent
	if s.run != nil {
		o = s.anyTag()
	}
	if o.tagged {
		v = v.with("subagentRunId", str(o.tag))
	}
	if s.k.has(Optional) && n.chance(20) {
		v = v.with("metadata", s.metadata(n))
	}
	switch msg.kind {
	case "text":
		v = l.text(v, msg, o)
	case "tool":
		v = v.with("role", str("tool")).with("content", s.content(n)).with("toolCallId", str(msg.call))
		v = l.maybe(v, "error")
		v = l.maybe(v, "encryptedValue")
	case "reasoning":
		v = l.maybe(v.with("role", str("reasoning")).with("content", str(s.prose(n))), "encryptedValue")
	case "activity":
		v = l.activity(v, msg)
	}
	l.own(msg, o)
	msg.introduced = msg.introduced || l.use != "request"
	l.out.list = append(l.out.list, v)
}

func (l *list) maybe(v value, name string) value {
	if l.s.k.has(Optional) && l.n.chance(25) {
		return v.with(name, str(l.s.prose(l.n)))
	}
	return v
}

// own records the owner: a snapshot gives it, an echo claims it where none is recorded.
func (l *list) own(msg *message, o owner) {
	book := "message"
	if msg.kind == "reasoning" || msg.kind == "activity" {
		book = msg.kind
	}
	l.record(book, msg.id, o)
}

func (l *list) record(book, id string, o owner) {
	switch l.use {
	case "snapshot":
		l.s.give(book, id, o)
	case "echo":
		l.s.claim(book, id, o)
	}
}

// text writes a text message. A snapshot and a request describe it anew; an echo
// repeats what is known.
func (l *list) text(v value, msg *message, o owner) value {
	s, n := l.s, l.n
	fresh := !msg.described && !msg.carried
	if fresh || l.use == "snapshot" && s.k.has(Optional) && n.chance(15) {
		msg.role, msg.name = "assistant", opt{}
		if n.chance(60) {
			msg.role = among(n, textRoles)
		}
		if s.k.has(Optional) && n.chance(20) {
			msg.name = given(s.name(n))
		}
	}
	msg.described = msg.described || l.use != "request"
	v = v.with("role", str(msg.role))
	if msg.name.given {
		v = v.with("name", str(msg.name.s))
	}
	v = l.maybe(v, "encryptedValue")
	switch msg.role {
	case "user":
		return v.with("content", s.content(n))
	case "assistant":
		return l.assistant(v, o)
	}
	return v.with("content", str(s.prose(n)))
}

func (l *list) assistant(v value, o owner) value {
	s, n := l.s, l.n
	if n.chance(70) {
		v = v.with("content", str(s.prose(n)))
	}
	if !s.k.has(Tools) || !n.chance(40) {
		return v
	}
	calls := array()
	for range n.below(3) {
		if c := l.call(); !l.calls[c.id] {
			l.calls[c.id] = true
			calls.list = append(calls.list, l.listed(c))
			l.record("tool", c.id, o)
			if s.run != nil {
				s.listed[c.id] = true
			}
		}
	}
	return v.with("toolCalls", calls)
}

// call is one that is known or a new one.
func (l *list) call() *call {
	if s := l.s; len(s.calls) > 0 && s.roll(3) > 0 {
		return pick(s.draw, s.calls)
	}
	c := &call{id: l.s.fresh("call")}
	l.s.calls = append(l.s.calls, c)
	return c
}

func (l *list) listed(c *call) value {
	name := c.name
	if name == "" {
		name = "search"
	}
	args := among(l.n, []string{"{}", `{"q":"x"}`, "", "not json"})
	v := object(m("id", str(c.id)), m("type", str("function")), m("function", object(m("name", str(name)), m("arguments", str(args)))))
	v = l.maybe(v, "encryptedValue")
	if l.s.k.has(Optional) && l.n.chance(20) {
		v = v.with("metadata", l.s.metadata(l.n))
	}
	return v
}

// activity writes an activity message. Only a snapshot introduces it for deltas;
// it drops those that it leaves out.
func (l *list) activity(v value, msg *message) value {
	content := l.s.record(l.n, 2)
	if l.use == "snapshot" {
		if !l.any {
			l.any = true
			for _, m := range l.s.messagesOf("activity") {
				m.known = false
			}
		}
		msg.known, msg.content = true, content
	}
	return v.with("role", str("activity")).with("activityType", str("plan")).with("content", content)
}
