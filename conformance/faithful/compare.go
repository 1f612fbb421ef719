// Package faithful finds out whether a stream says what a script says: section 4 of docs/scripted-agent.md. It is told what
// both mean, by two translations that share no code, and looks for an interleaving and for names that make them equal.
package faithful

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/model/script"
)

// The work that may be done before giving up, in comparisons of two items or so.
const (
	workToDecide  = 2_000_000
	workToExplain = 500_000
	workToTry     = 20_000
	workToBegin   = 200_000
)

// Compare returns how what a stream says differs from what a script says, nil where it is faithful. got is the JSON value of
// section 4, as encoding/json has it. The names that it found are in names from then on; of a stream that is not faithful, those
// of the part that agrees, so that a scenario can go on.
func Compare(want script.Meaning, got any, names *Names) *Difference {
	s, err := readStream(got)
	if err != nil {
		return &Difference{GaveUp: true, sentence: err.Error()}
	}
	s.mark(want.Messages)
	p := compile(want, true)
	look := p.search(s, names, workToDecide)
	if p.parallel {
		look.colors = colour(p.items, s, names)
	}
	switch {
	case look.found(p.start, 0):
		names.learn(look.names)
		return compareEnds(p.ends, s.ends(), look.names)
	case look.gaveUp:
		return &Difference{GaveUp: true, sentence: fmt.Sprintf("too many interleavings look alike: gave up after %d comparisons", workToDecide)}
	}
	return explain(p, s, names)
}

// Begun tells whether all that a script says, its end aside, is in what has come of a stream so far; anything else may be there
// too. Where that is hard to tell it says yes.
func Begun(want script.Meaning, got any, names *Names) bool {
	s, err := readStream(got)
	if err != nil || len(want.Runs) == 0 {
		return false
	}
	p := compile(want, false)
	look := p.search(s.withoutEnds(), names, workToBegin)
	look.loose = true
	return look.found(p.start, 0) || look.gaveUp
}

func (p *program) search(s stream, names *Names, work int) *search {
	return &search{stream: s, homes: p.homes, names: newBindings(names), work: work, failed: map[string]bool{}}
}

// mark marks what a subject may do unasked.
func (s stream) mark(request []any) {
	s.markExtras(request)
	s.markClosers()
}

// markClosers marks the ends of what is open when a run fails.
func (s stream) markClosers() {
	from := 0
	for i, it := range s {
		if it.end == nil {
			continue
		}
		if it.end.outcome == script.Failed {
			s[from:i].markClosersOfRun()
		}
		from = i + 1
	}
}

// openers are the kinds of item that have an end item, by the kind of that.
var openers = map[string]string{"stepEnd": "step", "spanEnd": "span", "subagentEnd": "subagent"}

func (s stream) markClosersOfRun() {
	open := map[string]int{}
	for _, it := range s {
		opener, isEnd := openers[it.kind]
		if !isEnd {
			open[it.bracket(it.kind)]++
			continue
		}
		which := it.bracket(opener)
		it.closes = open[which] > 0 && it.isPlainEnd()
		open[which]--
	}
}

// bracket spells which bracket an item opens or ends.
func (it *item) bracket(kind string) string {
	if kind == "step" {
		return kind + spelt(it.members["name"]) + spelt(it.members["owner"])
	}
	return kind + spelt(it.members["id"])
}

// isPlainEnd: an SDK that closes a subagent because the run failed does not make up what it did.
func (it *item) isPlainEnd() bool {
	if it.kind != "subagentEnd" {
		return true
	}
	_, hasResult := it.members["result"]
	outcome := it.members["outcome"]
	return outcome == script.Failed || outcome == script.Success && !hasResult
}

func (s stream) ends() (ends []*ending) {
	for _, it := range s {
		if it.end != nil {
			ends = append(ends, it.end)
		}
	}
	return ends
}

func (s stream) withoutEnds() stream {
	return slices.DeleteFunc(slices.Clone(s), func(it *item) bool { return it.end != nil })
}
