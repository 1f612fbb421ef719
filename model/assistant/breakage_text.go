package assistant

import (
	"slices"

	"github.com/agentstream/conformance/baseline/pi"
)

// Faults of what text and thinking say at their end.

const withContent = pi.InProcess | pi.Wire | pi.SSE

var textFaults = []fault{
	{clause: "content-mismatch/text", severities: "EEEE", forms: withContent, do: func(s *sim) int { return s.saysOther("text") }},
	{clause: "content-mismatch/thinking", severities: "EEEE", forms: withContent, do: func(s *sim) int { return s.saysOther("thinking") }},
	{clause: "content-mismatch/no-string", severities: "E---", do: func(s *sim) int {
		other := pick(s.draw, []value{{}, null, number(5), array()})
		return s.refuseEnd(s.fresh(said("text", unitsOf("5"))), func(v value) value {
			if other.kind == 0 {
				return v.without("content")
			}
			return v.with("content", other)
		})
	}},
	{clause: "content-mismatch/no-delta", severities: "EEEE", forms: withContent, do: func(s *sim) int {
		b := said("text", nil)
		b.pieces = nil
		return s.refuseEnd(s.fresh(b), func(v value) value { return v.with("content", str("a")) })
	}},
	{clause: "content-mismatch/thinking-without-delta", severities: "E---", do: func(s *sim) int {
		b := said("thinking", nil)
		b.pieces = nil
		return s.refuseEnd(s.fresh(b), func(v value) value { return v.with("content", str("[Reasoning redacted]")) })
	}},
	{clause: "content-mismatch/not-redacted", severities: "-EEE", forms: pi.InProcess | pi.SSE, do: func(s *sim) int {
		return s.endSpoiled(s.fresh(withheld()), func(v value) value {
			if s.form == pi.SSE {
				return v.with("redacted", no)
			}
			return v
		})
	}},
	{clause: "content-mismatch/not-redacted-at-last", severities: "-EEE", forms: pi.Wire, without: Foreign, do: func(s *sim) int {
		b := s.fresh(withheld())
		s.end(b)
		s.some(len(s.out) + s.owed() + 1 + s.even(6))
		n := s.noise()
		if s.chance(30) {
			s.finish(n, "error", "error", s.content(n))
			return s.last()
		}
		s.endAll()
		s.done()
		return s.last()
	}},
}

// withheld is thinking without deltas that is not said to be redacted.
func withheld() *block {
	return &block{kind: "thinking", said: unitsOf("[Reasoning redacted]"), keeps: empty}
}

// almost are pairs of texts that are not the same.
var almost = [][2][]uint16{
	{unitsOf("é"), unitsOf("e\u0301")}, {{0xd800}, unitsOf("\ufffd")}, {unitsOf("a"), unitsOf("A")}, {unitsOf("ab"), unitsOf("a")}, {nil, unitsOf("a")},
	{unitsOf("a"), nil}, {{0xd83d, 0xde00}, {0xde00, 0xd83d}}, {unitsOf("\ufeffa"), unitsOf("a")}, {unitsOf("a\r\n"), unitsOf("a\n")}, {unitsOf("a "), unitsOf("a")},
}

func (s *sim) saysOther(kind string) int {
	pair := pick(s.draw, almost)
	before := s.prose(s.noise())
	b := said(kind, slices.Concat(before, pair[0]))
	b.pieces = [][]uint16{before, pair[0]}
	other := slices.Concat(before, pair[1])
	index := s.refuseEnd(s.fresh(b), func(v value) value { return v.with("content", text(other)) })
	if !s.dicode() {
		b.said = other // the block is what its end says
	}
	return index
}
