package session

// stream writes the updates of a message, block by block or several at once, until it is complete, fails or is
// aborted. What comes of it is noted in end.
func (s *sim) stream(n *noise, blocks []*block, end *ending, partial func(content value) value) {
	together := s.k.has(Interleaved) && n.chance(25)
	fails := -1
	if end.stop == "error" {
		fails = s.roll(8)
	}
	for step := 0; ; step++ {
		b := nextBlock(n, blocks, together)
		switch {
		case s.abort:
			*end = ending{stop: "aborted", text: "Request was aborted"}
			return
		case b == nil || step == fails:
			return
		}
		s.update(n, blocks, b, partial)
	}
}

// nextBlock draws the block that goes on: blocks begin in order.
func nextBlock(n *noise, blocks []*block, together bool) *block {
	var open []*block
	for _, b := range blocks {
		if b.ended {
			continue
		}
		open = append(open, b)
		if !b.begun || !together {
			break
		}
	}
	if len(open) == 0 {
		return nil
	}
	return among(n, open)
}

// update writes the next event of a block.
func (s *sim) update(n *noise, blocks []*block, b *block, partial func(content value) value) {
	e := b.next(index(blocks, b))
	if s.named() && e.get("type").text == "toolcall_start" {
		id, name := b.id, b.name
		if b.late {
			id, name = "", ""
		}
		e = e.with("id", str(id)).with("toolName", str(name))
	}
	at := s.emit(s.updateOf(n, e, func() value { return partial(contentOf(n, blocks, false)) }))
	if b.ended && b.argsError == "" && b.repaired() {
		s.expect("arguments-repaired", "info", at)
	}
}

// named says whether a call's id and name are given at its start.
func (s *sim) named() bool { return s.era == pi1x && s.session() }

// updateOf wraps an event as the profile does: alone with what it has cost, or with the whole message twice.
func (s *sim) updateOf(n *noise, e value, partial func() value) value {
	if s.named() {
		return typed("message_update", m("usage", s.usage(n)), m("assistantMessageEvent", e))
	}
	v := partial()
	return typed("message_update", m("assistantMessageEvent", e.with("partial", v)), m("message", v))
}

func index(blocks []*block, b *block) int {
	for i, x := range blocks {
		if x == b {
			return i
		}
	}
	return -1
}

var eventNames = map[string]string{"text": "text", "thinking": "thinking", "tool": "toolcall"}

// next is the block's next event; it is noted as sent.
func (b *block) next(at int) value {
	name := eventNames[b.kind]
	switch {
	case !b.begun:
		b.begun = true
		return typed(name+"_start", m("contentIndex", number(at)))
	case b.sent < len(b.deltas):
		b.sent++
		return typed(name+"_delta", m("contentIndex", number(at)), m("delta", str(b.deltas[b.sent-1])))
	}
	b.ended = true
	v := typed(name+"_end", m("contentIndex", number(at)))
	if b.kind == "tool" {
		return v.with("toolCall", b.call(b.id, b.name, b.args))
	}
	return v.with("content", str(b.text))
}

// repaired says whether the arguments are not what their text says.
func (b *block) repaired() bool {
	return b.kind == "tool" && b.args.get("a").text == "repaired"
}
