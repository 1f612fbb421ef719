package model

import "github.com/agentstream/conformance/baseline"

// State: snapshots, and deltas that apply to the state where it is known.

func (s *sim) stateSnapshot() {
	e := s.event(baseline.StateSnapshot, s.anyTag())
	doc := s.anything(e.n, 2, true)
	if e.n.chance(70) {
		doc = s.record(e.n, 2)
	}
	e.put("snapshot", doc).emit()
	s.state = &doc
}

func (s *sim) stateDelta() {
	e := s.event(baseline.StateDelta, s.anyTag())
	if s.state == nil { // nobody can tell what it applies to
		patch, _ := s.patch(e.n, s.record(e.n, 2), false)
		e.put("delta", patch).emit()
		return
	}
	patch, after := s.patch(e.n, *s.state, false)
	e.put("delta", patch).emit()
	s.state = &after
}
