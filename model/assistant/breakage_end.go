package assistant

import (
	"slices"

	"github.com/agentstream/conformance/baseline/pi"
)

// Faults of done and error.

const withMessage = pi.InProcess | pi.Wire

var endFaults = []fault{
	{clause: "open-at-done", severities: "EEEE", do: func(s *sim) int {
		if len(s.openBlocks()) == 0 {
			s.begin(s.plan(s.kind()))
		}
		s.done()
		return s.last()
	}},
	{clause: "reason-mismatch", severities: "EEEE", forms: withMessage, do: func(s *sim) int {
		return s.finishSpoiled(func(v value, typ string) value {
			other := map[string][]string{"done": {"error", "", "STOP", "pending"}, "error": {"stop", "errored"}}[typ]
			return inside(v, s.messageName(typ), func(v value) value { return v.with("stopReason", str(pick(s.draw, other))) })
		})
	}},
	{clause: "bad-reason/done", severities: "WEEE", do: func(s *sim) int {
		wrong := []string{"banana", "error", "aborted", "", "pending"}
		switch s.k.Profile {
		case DiCode:
			wrong = append(wrong, "toolUse", "deferred")
		case pi.Pi1x:
			wrong = append(wrong, "tool_use")
		default:
			wrong = append(wrong, "tool_use", "deferred")
		}
		s.endAll()
		n := s.noise()
		s.finish(n, "done", pick(s.draw, wrong), s.content(n))
		return s.last()
	}},
	{clause: "bad-reason/error", severities: "WEEE", do: func(s *sim) int {
		n := s.noise()
		s.finish(n, "error", pick(s.draw, []string{"banana", "stop", "length", "", "pending"}), s.content(n))
		return s.last()
	}},
	{clause: "final-content", severities: "EEEE", forms: withMessage, do: func(s *sim) int {
		s.endAll()
		n := s.noise()
		s.finish(n, "done", pick(s.draw, doneReasons(s.k.Profile)), s.differing(s.content(n)))
		return s.last()
	}},
	{clause: "final-content/more-members", severities: "E---", do: func(s *sim) int {
		b := s.fresh(s.plan(s.kind()))
		s.drain(b)
		s.end(b)
		n := s.noise()
		s.finish(n, "done", "stop", s.oneMore(s.content(n)))
		return s.last()
	}},
	{clause: "final-content/undefined-id", severities: "E---", do: func(s *sim) int {
		s.endAll()
		without := func(v value) value { return v.without("id") }
		s.mangle = without
		b := s.begin(called(empty))
		s.endSpoiled(b, func(v value) value { return inside(v, "toolCall", without) })
		n := s.noise()
		content := s.content(n)
		last := len(content.list) - 1
		content.list[last] = without(content.list[last]) // no message can say undefined
		if s.chance(50) {
			content.list[last] = content.list[last].with("x", null)
		}
		s.finish(n, "done", "stop", content)
		return s.last()
	}},
	{clause: "partial-content", severities: "EEEE", forms: withMessage, do: func(s *sim) int {
		n := s.noise()
		s.finish(n, "error", pick(s.draw, pi.ErrorReasons()), s.differing(s.content(n)))
		return s.last()
	}},
	{clause: "partial-content/left-out", severities: "E---", do: func(s *sim) int {
		b := s.fresh(s.plan(pick(s.draw, []string{"text", "thinking"})))
		if s.chance(50) {
			s.drain(b)
		}
		n := s.noise()
		content := s.content(n)
		s.finish(n, "error", "error", array(content.list[:len(content.list)-1]...))
		return s.last()
	}},
	{clause: "partial-content/open-call", severities: "E---", do: func(s *sim) int {
		b := s.fresh(called(empty, "{}"))
		s.drain(b)
		n := s.noise()
		content := s.content(n)
		s.finish(n, "error", "aborted", array(append(content.list, s.call(b))...))
		return s.last()
	}},
}

func (s *sim) oneMore(content value) value {
	list := slices.Clone(content.list)
	i := s.even(len(list))
	list[i] = list[i].with(pick(s.draw, []string{"textSignature", "extra", "argumentsError"}), str("x"))
	return array(list...)
}

// differing is content that is not that of the stream, though its shape is sound.
func (s *sim) differing(content value) value {
	list := slices.Clone(content.list)
	i := s.even(max(1, len(list)))
	switch {
	case len(list) == 0 || s.chance(20):
		return array(slices.Insert(list, s.even(len(list)+1), object(m("type", str("text")), m("text", str("never said"))))...)
	case len(list) > 1 && s.chance(40):
		return array(slices.Delete(list, i, i+1)...)
	}
	list[i] = s.altered(list[i])
	return array(list...)
}

// altered is another block than that.
func (s *sim) altered(v value) value {
	for _, kind := range []string{"text", "thinking"} {
		said, ok := v.get(kind)
		if !ok {
			continue
		}
		if redacted, _ := v.get("redacted"); redacted.kind == 't' || s.chance(30) { // what is redacted may say anything
			return object(m("type", str("toolCall")), m("id", str("c")), m("name", str("read")), m("arguments", empty))
		}
		return v.with(kind, text(append(slices.Clone(said.units), '!')))
	}
	if s.chance(50) || s.callsOpen() {
		return object(m("type", str("text")), m("text", str("")))
	}
	name := pick(s.draw, []string{"id", "name"})
	was, _ := v.get(name)
	return v.with(name, text(append(slices.Clone(was.units), '!')))
}

// callsOpen tells whether a call is open: its id, name and arguments may still come.
func (s *sim) callsOpen() bool {
	return slices.ContainsFunc(s.openBlocks(), func(b *block) bool { return b.kind == "tool" })
}
