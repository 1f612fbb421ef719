package materialise

// A run is what one run of the stream has said.
type run struct {
	id         string
	named      bool           // it has an id: a RUN_ERROR that comes first is a run without one
	outcome    string         // empty while it is open
	end        map[string]any // what its end says besides
	states     []any          // that the state took, its first value first
	items      []*item
	activities map[string]*item // by message id
}

// runStarted opens a run, unless one is open.
func (s *Stream) runStarted(e *event) {
	if s.open {
		return
	}
	if input, ok := new(reader).object(e.object("input")); ok {
		s.echoed(input)
	}
	s.newRun()
	r := s.runs[len(s.runs)-1]
	r.id, r.named = e.text("runId")
	s.open = true
}

// echoed takes the input that a RUN_STARTED shows. Where the request is not known it stands for it; else
// what it shows is held already, but for messages of runs that are replayed.
func (s *Stream) echoed(input *event) {
	if !s.known && len(s.runs) == 0 {
		s.stateBegins(input.raw("state"))
	}
	s.held.extend(input.raw("messages"))
}

func (s *Stream) newRun() {
	s.runs = append(s.runs, &run{states: []any{s.state.value}, activities: map[string]*item{}})
}

func (s *Stream) runFinished(e *event) {
	r, end := s.runs[len(s.runs)-1], map[string]any{}
	outcome, _ := valueOf(e.object("outcome")).(map[string]any)
	r.outcome = "success"
	switch outcome["type"] {
	case "interrupt":
		r.outcome = "interrupt"
		copyMembers(end, outcome, "interrupts", "interrupts")
	case "cancelled":
		r.outcome = "cancelled"
	case "success":
		copyNamed(end, outcome, "pendingToolCallIds", "pending")
	}
	copyValue(end, "result", e.raw("result"))
	copyValue(end, "usage", e.raw("usage"))
	r.end = end
	s.closeRun(r)
}

// runError fails the run that is open, or one that has finished, whose end it replaces. Where no run has
// started it is a run by itself; behind another RUN_ERROR it may not come.
func (s *Stream) runError(e *event) {
	switch {
	case len(s.runs) == 0:
		s.newRun()
	case s.runs[len(s.runs)-1].outcome == "error":
		return
	}
	r := s.runs[len(s.runs)-1]
	r.outcome, r.end = "error", map[string]any{}
	copyTexts(r.end, e, "message", "message", "code", "code")
	copyValue(r.end, "usage", e.raw("usage"))
	s.closeRun(r)
}

// closeRun ends all that is open with the run.
func (s *Stream) closeRun(r *run) {
	s.open = false
	s.lanes.clear()
	clear(s.openings)
	clear(s.spans)
	s.settleActivities(r)
	for _, it := range r.items {
		it.content = nil
	}
	r.activities = nil
}
