package session

// Faults of the provider's stream inside message_update.

// draft is an assistant message that a fault writes event by event.
type draft struct {
	s      *sim
	n      *noise
	head   value
	blocks []*block
}

// drafted begins a turn and its assistant message.
func (s *sim) drafted(blocks ...*block) *draft {
	s.beginTurn()
	d := &draft{s, s.noise(), value{}, blocks}
	d.head = s.head(d.n)
	s.emit(started(d.message("pending")))
	return d
}

// message is the message as it is now; older releases show no pending.
func (d *draft) message(stop string) value {
	if stop == "pending" && d.s.era < pi1x {
		stop = "stop"
	}
	return d.s.partial(d.head, contentOf(new(noise), d.blocks, true), stop, "")
}

// next sends a block's next event.
func (d *draft) next(b *block) int {
	d.s.update(d.n, d.blocks, b, func(content value) value { return d.message("pending") })
	return d.s.last()
}

// all sends what is left of the blocks.
func (d *draft) all() {
	for _, b := range d.blocks {
		for !b.ended {
			d.next(b)
		}
	}
}

// send sends an event, whatever the blocks say.
func (d *draft) send(e value) int {
	return d.s.emit(d.s.updateOf(d.n, e, func() value { return d.message("pending") }))
}

// finish ends the message.
func (d *draft) finish(v value) int {
	d.s.run.turn.assistant, d.s.run.turn.stop = v, v.get("stopReason").text
	d.s.said(v)
	return d.s.emit(finished(v))
}

// close ends the run legally.
func (d *draft) close() {
	d.s.closeTurn()
	d.s.closeRun(false)
	if d.s.session() {
		d.s.settled()
	}
}

func (s *sim) textOf(kind string) *block {
	b := &block{kind: kind, text: "Hello é"}
	b.deltas = pieces(s.noise(), b.text)
	return b
}

func aCall() *block {
	return &block{kind: "tool", id: "call_A", name: "slow", text: `{"a":1}`, deltas: []string{`{"a"`, `:1}`}, args: object(m("a", number(1)))}
}

func event(typ string, index int, ms ...member) value {
	v := typed(typ, m("contentIndex", number(index)))
	v.members = append(v.members, ms...)
	return v
}

// lastOf sends a block up to its end, which is changed.
func (d *draft) lastOf(b *block, how func(v value) value) int {
	for b.sent < len(b.deltas) || !b.begun {
		d.next(b)
	}
	e := b.next(0)
	if b.kind == "tool" {
		return d.send(e.with("toolCall", how(e.get("toolCall"))))
	}
	return d.send(how(e))
}

// callEnding is a fault in the end of a tool call.
func callEnding(change func(b *block), how func(v value) value) func(s *sim) int {
	return func(s *sim) int {
		b := aCall()
		if change != nil {
			change(b)
		}
		return s.drafted(b).lastOf(b, how)
	}
}

func with(name string, as value) func(v value) value {
	return func(v value) value { return v.with(name, as) }
}

func same(v value) value { return v }

var streamFaults = []fault{
	{clause: "embedded-terminal/start", severities: "EEE", do: func(s *sim) int {
		d := s.drafted()
		return s.emit(s.updateOf(d.n, typed("start"), func() value { return d.message("pending") }))
	}},
	{clause: "embedded-terminal/done", severities: "EEE", do: func(s *sim) int {
		d := s.drafted()
		return s.emit(s.updateOf(d.n, typed("done", m("reason", str("stop")), m("message", d.message("stop"))), func() value { return d.message("pending") }))
	}},
	{clause: "embedded-terminal/error", severities: "EEE", do: func(s *sim) int {
		d := s.drafted()
		return s.emit(s.updateOf(d.n, typed("error", m("reason", str("error")), m("error", d.message("error"))), func() value { return d.message("pending") }))
	}},
	{clause: "missing-field/delta", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.next(b)
		return d.send(event("text_delta", 0))
	}},
	{clause: "missing-field/toolCall", severities: "EEE", do: func(s *sim) int {
		b := aCall()
		d := s.drafted(b)
		d.next(b)
		return d.send(event("toolcall_end", 0))
	}},
	{clause: "wrong-type/delta", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.next(b)
		return d.send(event("text_delta", 0, m("delta", number(5))))
	}},
	{clause: "index-gap/first", severities: "EEE", do: func(s *sim) int { return s.drafted().send(event("text_start", 1)) }},
	{clause: "index-gap/again", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.all()
		return d.send(event("thinking_start", 0))
	}},
	{clause: "not-open/delta", severities: "EEE", do: func(s *sim) int {
		return s.drafted().send(event("text_delta", 0, m("delta", str("x"))))
	}},
	{clause: "not-open/tool-delta", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.next(b)
		return d.send(event("toolcall_delta", s.roll(2), m("delta", str("{}"))))
	}},
	{clause: "not-open/tool-end", severities: "EEE", do: func(s *sim) int {
		b := aCall()
		d := s.drafted(b)
		d.all()
		return d.send(event("toolcall_end", 0, m("toolCall", b.call(b.id, b.name, b.args))))
	}},
	{clause: "not-open/block-of-another-kind", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.next(b)
		return d.send(event("thinking_delta", 0, m("delta", str("x"))))
	}},
	{clause: "not-open/block-ended", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.all()
		return d.send(event("text_end", 0, m("content", str(b.text))))
	}},
	{clause: "content-mismatch/text", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		return s.drafted(b).lastOf(b, with("content", str("Hello")))
	}},
	{clause: "content-mismatch/thinking", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("thinking")
		return s.drafted(b).lastOf(b, with("content", str("Hello e\u0301")))
	}},
	{clause: "content-mismatch/not-redacted", severities: "EEE", do: func(s *sim) int {
		b := &block{kind: "thinking", text: "[Reasoning redacted]"} // it says nothing of being redacted
		d := s.drafted(b)
		d.next(b)
		at := d.next(b)
		if s.named() { // the message is seen at its end only
			at = d.finish(d.message("stop").with("content", array(typed("thinking", m("thinking", str(b.text))))))
		}
		return at
	}},
	{clause: "bad-tool-call/type", severities: "EEE", do: callEnding(nil, with("type", str("tool_call")))},
	{clause: "bad-tool-call/id", severities: "EEE", do: callEnding(func(b *block) { b.late = true }, with("id", str("")))},
	{clause: "bad-tool-call/name", severities: "EEE", do: callEnding(func(b *block) { b.late = true }, with("name", str("")))},
	{clause: "arguments-not-object/array", severities: "EEE", do: callEnding(nil, with("arguments", array()))},
	{clause: "arguments-not-object/not-finite", severities: "EEE", do: callEnding(nil, with("arguments", object(m("a", literal("1e400")))))},
	{clause: "tool-id-changed/end", severities: "EEE", do: callEnding(nil, with("id", str("call_B")))},
	{clause: "tool-name-changed/end", severities: "EEE", do: callEnding(nil, with("name", str("fast")))},
	{clause: "arguments-mismatch/value", severities: "EEE", do: callEnding(nil, with("arguments", object(m("a", number(2)))))},
	{clause: "arguments-mismatch/blank", severities: "EEE", do: callEnding(func(b *block) { b.deltas = []string{" "} }, same)},
	{clause: "arguments-error-missing/no-json", severities: "--E", do: callEnding(func(b *block) { b.deltas, b.args = []string{`{"a":`}, empty }, same)},
	{clause: "arguments-repaired/no-json", severities: "III", do: callEnding(func(b *block) { b.deltas = []string{"{\"a\":1,}"} }, same)},
	{clause: "open-at-done/message_end", severities: "EEE", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.next(b)
		return d.finish(d.message("stop"))
	}},
	{clause: "bad-reason/pending", severities: "EEE", do: func(s *sim) int {
		d := s.drafted()
		return d.finish(d.message("stop").with("stopReason", str("pending")))
	}},
	{clause: "bad-reason/other", severities: "EEE", do: func(s *sim) int {
		d := s.drafted()
		return d.finish(d.message("stop").with("stopReason", str("banana")))
	}},
	{clause: "final-content/patched", severities: "WWW", do: func(s *sim) int {
		d := s.drafted(s.textOf("text"))
		d.all()
		at := d.finish(d.message("stop").with("content", array(typed("text", m("text", str("patched"))))))
		d.close()
		return at
	}},
	{clause: "final-content/left-out", severities: "WWW", do: func(s *sim) int {
		d := s.drafted(s.textOf("thinking"), s.textOf("text"))
		d.all()
		v := d.message("stop")
		at := d.finish(v.with("content", array(v.get("content").list[1])))
		d.close()
		return at
	}},
	{clause: "partial-content/other-text", severities: "WWW", do: func(s *sim) int {
		b := s.textOf("text")
		d := s.drafted(b)
		d.next(b)
		d.next(b)
		at := d.finish(d.message("error").with("content", array(typed("text", m("text", str("other"))))))
		d.close()
		return at
	}},
}
