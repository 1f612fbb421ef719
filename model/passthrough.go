package model

import "github.com/agentstream/conformance/baseline"

func (s *sim) raw() {
	e := s.event(baseline.Raw, s.anyTag())
	e.put("event", s.anything(e.n, 2, true))
	e.may("source", func() value { return str(s.name(e.n)) }).emit()
}

func (s *sim) custom() {
	e := s.event(baseline.Custom, s.anyTag())
	name := "acme.x"
	if e.n.chance(30) {
		name = s.name(e.n)
	}
	e.put("name", str(name)).put("value", s.anything(e.n, 2, true)).emit()
}
