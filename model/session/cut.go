package session

import "slices"

// mark is what would be unfinished if a recording stopped there.
type mark struct {
	unanswered int  // commands
	unsettled  bool // a run, or what follows one
	midLine    bool // of standard input
	asking     bool // a question
	shown      bool // that it is standard output and not an agent's events alone
}

// ofAgent are the types of records that an agent without a session writes as well.
var ofAgent = []string{"agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update", "message_end",
	"tool_execution_start", "tool_execution_update", "tool_execution_end"}

// follow notes what a record of standard output begins and finishes, and whether it shows where it is from.
func (s *sim) follow(v value) {
	typ := v.get("type").text
	s.shown = s.shown || !slices.Contains(ofAgent, typ) || v.has("willRetry") || v.has("usage")
	switch typ {
	case "agent_start":
		s.running, s.unsettled = true, false
	case "agent_end":
		s.running, s.unsettled = false, s.era >= pi080
	case "agent_settled":
		s.unsettled = false
	case "response":
		s.unanswered--
	}
}

// stopEarly lets some recordings stop in the middle, as when the process is told to stop. They get warnings for what
// is unfinished.
func (s *sim) stopEarly() {
	if !s.k.has(Cuts) || s.class == Agent || s.class == Host || len(s.out) < 2 {
		return
	}
	n := s.noise()
	if !n.chance(8) {
		return
	}
	at := 1 + n.below(len(s.out)-1)
	for i := range s.marks[:at] {
		if s.marks[i].asking && n.chance(30) {
			at = i + 1
			break
		}
	}
	left := s.marks[at-1]
	if left.midLine {
		return
	}
	s.out, s.marks = s.out[:at:at], s.marks[:at]
	expected := s.expected
	s.expected = nil
	for _, f := range expected {
		if f.Index < at {
			s.expected = append(s.expected, f)
		}
	}
	if s.class == Transcript && n.chance(80) {
		s.exit(143)
	}
	if left.unsettled && (left.shown || s.class != RPC) && s.class != Extension {
		s.expect("truncated", "warning", len(s.out))
	}
	if s.class == Transcript {
		if left.unanswered > 0 {
			s.expect("response-missing", "warning", len(s.out))
		}
	}
}
