package assistant

import "github.com/agentstream/conformance/baseline/pi"

// Faults of order: where a stream begins and ends, which block is open, and its index.

var orderFaults = []fault{
	{clause: "stream-ended/after-done", severities: "EEEE", do: func(s *sim) int {
		s.endAll()
		s.done()
		return s.afterEnd()
	}},
	{clause: "stream-ended/after-error", severities: "EEEE", do: func(s *sim) int {
		s.failure()
		return s.afterEnd()
	}},
	{clause: "first-event", severities: "EEEE", first: true, do: func(s *sim) int {
		n := s.noise()
		b := said("text", nil)
		events := []value{s.at(n, b, "start"), s.at(n, b, "delta", m("delta", str("a"))), s.at(n, b, "end", m("content", str("")))}
		return s.refused(pick(s.draw, events))
	}},
	{clause: "first-event/end", severities: "EEEE", first: true, do: func(s *sim) int {
		if s.dicode() && s.chance(50) {
			s.failure()
		} else {
			s.done()
		}
		s.over = false
		return s.last()
	}},
	{clause: "duplicate-stream-start", severities: "EEEE", do: func(s *sim) int {
		s.start()
		return s.last()
	}},
	{clause: "truncated/open", severities: "WEEE", do: func(s *sim) int {
		s.over = true
		return len(s.out)
	}},
	{clause: "truncated/nothing", severities: "WEEE", first: true, do: func(s *sim) int {
		s.over = true
		return 0
	}},
	{clause: "block-overlap", severities: "E---", do: func(s *sim) int {
		if len(s.openBlocks()) == 0 {
			s.begin(s.plan(s.kind()))
		}
		b := s.plan(s.kind())
		b.index = len(s.blocks) - s.even(2)
		return s.refused(s.startOf(b))
	}},
	{clause: "index-gap", severities: "EEEE", do: func(s *sim) int {
		if s.dicode() {
			s.endAll()
		}
		next := len(s.blocks)
		wrong := []value{number(next + 1), number(-1), literal("0.5"), number(next + 100), literal("1e300"), number(next - 1)}
		if s.dicode() {
			wrong = append(wrong, str("0"), null, yes, value{})
		}
		return s.refused(indexed(s.startOf(s.plan(s.kind())), pick(s.draw, wrong)))
	}},
	{clause: "not-open/nothing", severities: "EEEE", do: func(s *sim) int {
		if s.dicode() {
			s.endAll()
		}
		b := s.plan(s.kind())
		b.index = len(s.blocks)
		return s.refused(s.laterOf(b))
	}},
	{clause: "not-open/ended", severities: "EEEE", do: func(s *sim) int {
		b := s.fresh(s.plan(s.kind()))
		s.drain(b)
		s.end(b)
		return s.refused(s.laterOf(b))
	}},
	{clause: "not-open/other-kind", severities: "EEEE", do: func(s *sim) int {
		b := s.fresh(s.plan("text"))
		other := s.plan(pick(s.draw, []string{"thinking", "tool"}))
		other.index = b.index
		return s.refused(s.laterOf(other))
	}},
	{clause: "not-open/other-index", severities: "-EEE", do: func(s *sim) int {
		b := s.fresh(s.plan(s.kind()))
		wrong := []value{number(b.index + 1), number(-1), literal("0.5")}
		return s.refused(indexed(s.laterOf(b), pick(s.draw, wrong)))
	}},
	{clause: "wrong-index", severities: "E---", do: func(s *sim) int {
		b := s.fresh(s.plan(s.kind()))
		wrong := []value{number(b.index + 1), number(b.index - 1), literal("0.5"), str("0"), null, {}}
		return s.refused(indexed(s.laterOf(b), pick(s.draw, wrong)))
	}},
}

// indexed gives an event another contentIndex; the zero value takes it away.
func indexed(v, index value) value {
	if index.kind == 0 {
		return v.without("contentIndex")
	}
	return v.with("contentIndex", index)
}

// afterEnd says something when all is said.
func (s *sim) afterEnd() int {
	n := s.noise()
	b := said("text", nil)
	b.index = len(s.blocks)
	switch s.even(5) {
	case 0:
		s.start()
	case 1:
		s.done()
	case 2:
		s.failure()
	case 3:
		s.emit(s.startOf(b))
	default:
		s.emit(s.at(n, b, "delta", m("delta", str("a")), m("argumentsDelta", str("a"))))
	}
	return s.last()
}

// startOf is the start of a block that the stream does not have.
func (s *sim) startOf(b *block) value {
	v := s.at(s.noise(), b, "start")
	if b.kind == "tool" && s.form != pi.InProcess {
		v = s.named(s.noise(), b, v)
	}
	return v
}

// laterOf is a delta or an end of a block, whatever its state.
func (s *sim) laterOf(b *block) value {
	n := s.noise()
	switch {
	case s.chance(50) && b.kind == "tool" && s.dicode():
		return s.at(n, b, "delta", m("argumentsDelta", str("{")))
	case s.chance(50):
		return s.at(n, b, "delta", m("delta", str("{")), m("argumentsDelta", str("{")))
	case b.kind == "tool":
		return s.at(n, b, "end", m("toolCall", s.call(b)))
	}
	return s.at(n, b, "end", m("content", text(b.said)))
}
