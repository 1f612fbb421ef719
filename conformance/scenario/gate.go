package scenario

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/conformance/faithful"
	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/verifier/agui/materialise"
)

// gates opens a run's gates, each as soon as all that the script says before it has come.
type gates struct {
	answer *answer
	names  *faithful.Names
	left   []string // names of gates, in the script's order
	abort  string   // the gate at which to hang up
	said   *materialise.Stream
	err    error
}

// gates returns what opens the gates of an answer's script; nil where it has none.
func (x *session) gates(a *answer, abort string) *gates {
	left := a.script.Gates()
	if len(left) == 0 {
		return nil
	}
	return &gates{answer: a, names: a.thread.names, left: left, abort: abort, said: materialise.New(a.request)}
}

// event is told each event when it comes. Gates of branches that run side by side are reached in any order.
func (g *gates) event(data []byte, c *subject.Call) {
	g.said.Observe(data)
	for i := 0; i < len(g.left) && g.err == nil; {
		gate := g.left[i]
		if !g.reached(gate) {
			i++
			continue
		}
		g.left = slices.Delete(g.left, i, i+1)
		if gate == g.abort {
			c.HangUp()
			return
		}
		g.err = c.Open(g.answer.runID + "/" + gate)
		i = 0
	}
}

// reached tells whether all that stands before a gate has come.
func (g *gates) reached(gate string) bool {
	want, err := g.answer.script.Until(gate).Means(inputOf(g.answer))
	if err != nil {
		g.err = err
		return false
	}
	return faithful.Begun(want, g.said.Meaning(), g.names)
}

// note adds to a response that ended at a gate which one that was.
func (g *gates) note(p *subject.Response) {
	switch {
	case p == nil || len(g.left) == 0 && g.err == nil:
	case g.err != nil:
		p.Detail = fmt.Sprintf("%s; %v", p.Detail, g.err)
	default:
		p.Detail = fmt.Sprintf("%s; gate %s stayed closed: not all that the script says before it has come", p.Detail, g.left[0])
	}
}
