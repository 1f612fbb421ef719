package script

import "github.com/go-json-experiment/json/jsontext"

// Gates returns the names of the script's gates, in their order.
func (s Script) Gates() (names []string) {
	for a := range s.all() {
		if a.Gate != nil {
			names = append(names, a.Gate.Name)
		}
	}
	return names
}

// Emits returns the events that the script emits as they are, in their order.
func (s Script) Emits() (events []jsontext.Value) {
	for a := range s.all() {
		if a.Emit != nil {
			events = append(events, a.Emit.Event)
		}
	}
	return events
}

// Until returns the script up to a gate, at which it fails: so what stands behind the gate is not said, and what is open around
// it stays open. Branches beside the gate's are left out: how far they are nobody knows.
func (s Script) Until(gate string) Script {
	out, _ := cutter{gate}.actions(s)
	return out
}

// A cutter cuts a script at a gate. Its methods tell whether they came to it.
type cutter struct {
	gate string
}

func (c cutter) actions(all []Action) (out []Action, cut bool) {
	for _, a := range all {
		if a.Parallel != nil {
			if branch, cut := c.parallel(a.Parallel); cut {
				return append(out, branch...), true
			}
		}
		a, cut := c.action(a)
		if out = append(out, a); cut {
			return out, true
		}
	}
	return out, false
}

func (c cutter) action(a Action) (Action, bool) {
	cut := false
	switch {
	case a.Gate != nil && a.Gate.Name == c.gate:
		return Action{Fail: &Fail{Message: "cut at a gate"}}, true
	case a.Text != nil:
		x := *a.Text
		x.Stream, cut = c.stream(x.Stream)
		a.Text = &x
	case a.ToolCall != nil:
		x := *a.ToolCall
		x.Stream, cut = c.stream(x.Stream)
		a.ToolCall = &x
	case a.Reasoning != nil:
		x := *a.Reasoning
		x.Messages, cut = c.reasoning(x.Messages)
		a.Reasoning = &x
	case a.Replay != nil:
		x := *a.Replay
		x.Do, cut = c.actions(x.Do)
		a.Replay = &x
	case a.Step != nil:
		x := *a.Step
		x.Do, cut = c.actions(x.Do)
		a.Step = &x
	case a.Subagent != nil:
		x := *a.Subagent
		x.Do, cut = c.actions(x.Do)
		a.Subagent = &x
	}
	return a, cut
}

func (c cutter) stream(pieces []Piece) (out []Piece, cut bool) {
	for _, p := range pieces {
		if p.Action != nil && p.Action.Parallel != nil {
			if branch, cut := c.parallel(p.Action.Parallel); cut {
				for i := range branch {
					out = append(out, Piece{Action: &branch[i]})
				}
				return out, true
			}
		}
		if p.Action != nil {
			var a Action
			a, cut = c.action(*p.Action)
			p.Action = &a
		}
		if out = append(out, p); cut {
			return out, true
		}
	}
	return out, false
}

func (c cutter) reasoning(all []ReasoningMessage) (out []ReasoningMessage, cut bool) {
	for _, m := range all {
		m.Stream, cut = c.stream(m.Stream)
		if out = append(out, m); cut {
			return out, true
		}
	}
	return out, false
}

// parallel returns the branch that has the gate, up to there.
func (c cutter) parallel(p *Parallel) ([]Action, bool) {
	for _, b := range p.Branches {
		if b, cut := c.actions(b); cut {
			return b, true
		}
	}
	return nil, false
}
