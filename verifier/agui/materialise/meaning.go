package materialise

import "maps"

// Meaning returns what the stream says, as section 4 of docs/scripted-agent.md describes it:
//
//	{"runs":[{"runId","outcome","result"?,"interrupts"?,"pending"?,"message"?,"code"?,"usage"?,"states":[…],"items":[…]}]}
//
// A run that is open has no outcome, and one that failed before it started no runId. The value is the
// stream's: it must not be changed, and it is good until the next event.
func (s *Stream) Meaning() map[string]any {
	runs := []any{}
	for _, r := range s.runs {
		run := r.ending()
		run["states"], run["items"] = r.states, s.items(r)
		runs = append(runs, run)
	}
	return map[string]any{"runs": runs}
}

// ending is a run without what it says.
func (r *run) ending() map[string]any {
	end := map[string]any{}
	maps.Copy(end, r.end)
	if r.named {
		end["runId"] = r.id
	}
	if r.outcome != "" {
		end["outcome"] = r.outcome
	}
	return end
}

func (s *Stream) items(r *run) []any {
	s.settleActivities(r)
	items := []any{}
	for _, it := range r.items {
		items = append(items, it.settled())
	}
	return items
}
