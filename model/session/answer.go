package session

import "slices"

// block is a part of an assistant message as it is streamed.
type block struct {
	kind      string // text thinking tool
	text      string // all of it, or the text of the arguments
	deltas    []string
	redacted  bool
	id, name  string
	late      bool // id and name are known at the end only
	args      value
	argsError string

	begun, ended bool
	sent         int // deltas
}

// answer writes the assistant message of a turn: so many tool calls, if nothing goes wrong.
func (s *sim) answer(tools int) ending {
	end := s.fate(tools)
	if s.abort || end.text != "" && s.chance(20) {
		return s.failBeforeStreaming(end)
	}
	n := s.noise()
	blocks := s.blocks(n, tools)
	early := "pending"
	if s.era < pi1x {
		early = end.stop
	}
	head := s.head(n)
	s.emit(typed("message_start", m("message", s.partial(head, array(), early, end.text))))
	s.stream(n, blocks, &end, func(content value) value { return s.partial(head, content, early, end.text) })
	content := contentOf(n, blocks, true)
	if end.stop == "error" && n.chance(8) {
		content = array() // the adapter itself failed
	}
	s.finish(s.completed(n, s.partial(head, content, end.stop, end.text)), end)
	return end
}

// fate draws how the message is to end, as far as that is not up to somebody else.
func (s *sim) fate(tools int) ending {
	end := ending{stop: "stop"}
	if tools > 0 && !s.chance(10) {
		end.stop = "toolUse"
	}
	if !s.k.has(Failures) {
		return end
	}
	switch failing := s.chance(14) || s.retry.attempt > 0 && s.chance(40); {
	case failing:
		kinds := []string{"fatal"}
		if s.k.has(Retries) {
			kinds = append(kinds, "retryable", "retryable")
		}
		if s.k.has(Compactions) && s.retry.attempt == 0 {
			kinds = append(kinds, "overflow")
		}
		if s.spilled && s.retry.attempt == 0 && s.chance(50) {
			kinds = []string{"overflow"}
		}
		end.stop, end.failure = "error", pick(s.draw, kinds)
		end.text = among(s.noise(), failureTexts[end.failure])
	case s.chance(6):
		end.stop = "length"
	case s.chance(4):
		s.abort = s.abort || s.class == Agent
	}
	return end
}

// failBeforeStreaming writes the message of a request that was aborted or failed before anything came: a start, an
// end, no update.
func (s *sim) failBeforeStreaming(end ending) ending {
	n := s.noise()
	content := array()
	if s.abort {
		end = ending{stop: "aborted", text: "Request was aborted"}
	} else if n.chance(50) {
		content = array(typed("text", m("text", str(among(n, []string{"", "no"})))))
		s.run.turn.threw = n.chance(50)
	}
	v := s.completed(n, s.partial(s.head(n), content, end.stop, end.text))
	s.emit(typed("message_start", m("message", v)))
	s.finish(v, end)
	return end
}

// completed adds what only a message that is complete has.
func (s *sim) completed(n *noise, v value) value {
	if s.era == pi1x && s.optional(n, 80) || s.optional(n, 3) {
		v = v.with("durationMs", number(n.below(900))).with("thinkingLevel", str(among(n, []string{"off", "medium", "max"})))
	}
	if s.optional(n, 5) {
		v = v.with("diagnostics", array(empty)).with("rawStopReason", str("end_turn")).with("endTurn", yes).with("providerThinkingLevel", str("medium"))
	}
	return v
}

// finish writes message_end, and the end of a retry that has got an answer.
func (s *sim) finish(v value, end ending) {
	s.run.turn.assistant, s.run.turn.stop = v, end.stop
	s.said(v)
	s.emit(typed("message_end", m("message", v)))
	if s.retry.attempt > 0 && end.stop != "error" {
		attempt := s.retry.attempt
		s.retry.attempt = 0
		s.emit(typed("auto_retry_end", m("success", yes), m("attempt", number(attempt))))
	}
}

// head is what all versions of a message have.
func (s *sim) head(n *noise) value {
	v := object(m("api", str(s.model.api)), m("provider", str(s.model.provider)), m("model", str(s.model.name)), m("usage", s.usage(n)), m("timestamp", s.now()))
	if s.optional(n, 10) {
		v = v.with("responseId", str("msg_1")).with("responseModel", str("faux-1-20261101"))
	}
	return v
}

// partial is a version of a message.
func (s *sim) partial(head, content value, stop, text string) value {
	v := object(m("role", str("assistant")), m("content", content))
	v.members = append(v.members, head.members...)
	v = v.with("stopReason", str(stop))
	if stop == "error" || stop == "aborted" {
		v = v.with("errorMessage", str(text))
	}
	return v
}

// envelope is a message that was never streamed.
func (s *sim) envelope(n *noise, content value, stop, text string) value {
	return s.partial(s.head(n), content, stop, text)
}

// --- blocks ---

// wanted draws how many tool calls a message has.
func (s *sim) wanted() int {
	if !s.k.has(Tools) || !s.room() || s.chance(45) {
		return 0
	}
	return 1 + s.roll(4)
}

func (s *sim) blocks(n *noise, tools int) []*block {
	var out []*block
	for range s.roll(3) {
		out = append(out, s.proseBlock(n))
	}
	ids := map[string]bool{}
	for range tools {
		out = append(out, s.toolBlock(n, ids))
	}
	if len(out) == 0 && !n.chance(10) {
		out = append(out, s.proseBlock(n))
	}
	if s.k.has(Interleaved) && n.chance(20) && len(out) > 1 {
		i := n.below(len(out) - 1)
		out[i], out[i+1] = out[i+1], out[i]
	}
	return out
}

func (s *sim) proseBlock(n *noise) *block {
	b := &block{kind: "text", text: s.prose(n)}
	if s.k.has(Thinking) && n.chance(30) {
		b.kind = "thinking"
		if n.chance(15) {
			b.text, b.redacted = "[Reasoning redacted]", true
			return b
		}
	}
	b.deltas = pieces(n, b.text)
	return b
}

var toolNames = []string{"slow", "bash", "outer", "read", "nosuch", "mcp__x", "werkzeug_é"}

func (s *sim) toolBlock(n *noise, taken map[string]bool) *block {
	b := &block{kind: "tool", id: s.callID(n, taken), name: among(n, toolNames), late: s.k.has(Interleaved) && n.chance(5)}
	switch {
	case n.chance(8):
		b.args, b.deltas = empty, among(n, [][]string{nil, {""}, {" "}, {" \n", "\t"}})
	case s.k.has(BadArguments) && n.chance(8):
		s.badArguments(n, b)
	default:
		b.args = s.anyObject(n, 2)
		b.text = string(spell(n, s.k.has(Odd)).bytes(b.args))
		b.deltas = pieces(n, b.text)
	}
	return b
}

// badArguments are a text that is no JSON object. The agent gives up on it, or repairs it, which gets a remark.
func (s *sim) badArguments(n *noise, b *block) {
	b.text = among(n, []string{`{"a":`, `[1]`, `null`, `{"a":1}}`, `{'a':1}`, "{\"a\":\"x\ny\"}", `{"a":1,}`})
	b.deltas = pieces(n, b.text)
	if b.args = empty; n.chance(60) {
		if s.era == pi1x || n.chance(30) {
			b.argsError = "arguments are no JSON object"
		}
		return
	}
	b.args = object(m("a", str("repaired")))
}

// callID is an id that no other call of the message has.
func (s *sim) callID(n *noise, taken map[string]bool) string {
	id := among(n, []string{"call_A", "toolu_01", "1", "a|b:c/d", "x", "x/1"})
	if s.k.has(Unicode) && n.chance(20) {
		id = among(n, []string{"unié|x", "👩", "\u2028", " "})
	}
	for taken[id] || n.chance(50) && !taken["_"] {
		id, taken["_"] = s.id("call_"), true
	}
	delete(taken, "_")
	taken[id] = true
	return id
}

// content is the block as a message has it now.
func (b *block) content(n *noise, final bool) value {
	switch b.kind {
	case "text":
		v := typed("text", m("text", str(b.sofar())))
		if final && n.chance(10) {
			v = v.with("textSignature", str("sig"))
		}
		return v
	case "thinking":
		v := typed("thinking", m("thinking", str(b.sofar())))
		if b.redacted {
			v = v.with("thinkingSignature", str("opaque")).with("redacted", yes)
		} else if final && n.chance(10) {
			v = v.with("thinkingSignature", str("sig"))
		}
		return v
	}
	id, name, args := b.id, b.name, empty
	if b.ended {
		args = b.args
	} else if b.late {
		id, name = "", ""
	} else if final && n.chance(50) {
		args = object(m("a", number(1)))
	}
	return b.call(id, name, args)
}

func (b *block) call(id, name string, args value) value {
	v := typed("toolCall", m("id", str(id)), m("name", str(name)), m("arguments", args))
	if b.ended && b.argsError != "" {
		v = v.with("argumentsError", str(b.argsError))
	}
	return v
}

// sofar is what the deltas have said.
func (b *block) sofar() string {
	if b.redacted {
		return b.text
	}
	var all []uint16
	for _, d := range b.deltas[:b.sent] {
		all = append(all, units(d)...)
	}
	return joined(all)
}

func contentOf(n *noise, blocks []*block, final bool) value {
	out := array()
	for _, b := range blocks {
		if b.begun {
			out.list = append(out.list, b.content(n, final))
		}
	}
	return out
}

// calls are the tool calls of a finished message.
func callsOf(v value) []value {
	return slices.DeleteFunc(slices.Clone(v.get("content").list), func(b value) bool { return b.get("type").text != "toolCall" })
}
