package fuzz

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/verifier/agui"
)

// A source decides what a maker makes: chance, rapid's draws (which shrink), or a fuzzer's bytes.
type source interface{ IntN(n int) int }

// drawn are choices that rapid makes.
type drawn struct{ t *rapid.T }

func (d drawn) IntN(n int) int {
	switch {
	case n == 1:
		return 0
	case n >= len(generators):
		return rapid.IntRange(0, n-1).Draw(d.t, "choice")
	}
	return generators[n].Draw(d.t, "choice")
}

// generators are made once: making one costs more than drawing from it.
var generators = func() (all [64]*rapid.Generator[int]) {
	for n := 1; n < len(all); n++ {
		all[n] = rapid.IntRange(0, n-1)
	}
	return all
}()

// given are choices that somebody else wrote down, one byte each; where they end, all are the first.
type given struct{ left []byte }

func (g *given) IntN(n int) int {
	if len(g.left) == 0 {
		return 0
	}
	c := int(g.left[0]) % n
	g.left = g.left[1:]
	return c
}

// A trial is a stream with the way in which it is judged.
type trial struct {
	events  [][]byte
	options agui.Options
}

// GoString is how rapid shows a trial.
func (x trial) GoString() string { return x.String() }

func (x trial) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "profile %q, revision %q, strict version %v", x.options.Profile, x.options.Revision, x.options.StrictVersion)
	if x.options.Request != nil {
		fmt.Fprintf(&b, ", request %s", x.options.Request)
	}
	b.WriteByte('\n')
	for i, e := range x.events {
		fmt.Fprintf(&b, "%3d %s\n", i, legible(e))
	}
	return b.String()
}

// legible leaves an event as it is if a terminal can show it.
func legible(e []byte) string {
	q := fmt.Sprintf("%+q", e)
	if plain := strings.ReplaceAll(strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`), `\\`, `\`); plain == string(e) {
		return plain
	}
	return q
}

// with is the trial with other events.
func (x trial) with(events [][]byte) trial {
	x.events = events
	return x
}

// anyTrial draws a stream of any kind, and any way to judge it: near the rules' borders, legal, broken in one
// way, or damaged.
func anyTrial() *rapid.Generator[trial] { return trials }

var trials = rapid.Custom(func(t *rapid.T) trial {
	m := maker{drawn{t}}
	switch m.IntN(6) {
	case 3:
		return m.modelled(legalStreams.Draw(t, "stream"))
	case 4:
		b := breakages[m.IntN(len(breakages))]
		return m.modelled(brokenStreams[b.Clause+b.Profile].Draw(t, "stream").Stream)
	case 5:
		return m.modelled(model.Mutate(legalStreams.Draw(t, "stream")).Draw(t, "mutant"))
	}
	return m.trial(m.stream(6 + m.IntN(20)))
})

// modelled judges a stream of the model as it is meant to be, or in any way.
func (m maker) modelled(s model.Stream) trial {
	if m.in(3) {
		return m.trial(s.Events)
	}
	x := modelled(s)
	x.options.Profile = m.one(agui.Rules().Profiles...)
	return x
}

// trial judges events in some way.
func (m maker) trial(events [][]byte) trial {
	o := agui.Options{
		Profile:       m.one(agui.Rules().Profiles...),
		Revision:      m.one("", "1.0", "0.x", "auto"),
		StrictVersion: m.in(4),
	}
	if r := requests[m.IntN(len(requests))]; r != "" {
		o.Request = []byte(r)
	}
	return trial{events, o}
}
