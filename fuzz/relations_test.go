package fuzz

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What changes nothing that a rule speaks of changes no finding.

// A relation changes a trial and says what the findings become; ok is false where it has nothing to change.
type relation func(s source, x trial, was []finding) (y trial, want []finding, ok bool)

var relations = map[string]relation{
	"member order":     rewritten(style{order: true}),
	"escapes":          rewritten(style{escapes: true}),
	"white space":      rewritten(style{space: true}),
	"other ids":        reidentified,
	"one more RAW":     padded,
	"swapped events":   swapped,
	"all that is text": rewritten(style{order: true, escapes: true, space: true}),
}

func relate(name string) func(*rapid.T) {
	return func(t *rapid.T) {
		x := anyTrial().Draw(t, "trial")
		// By a seed: a change of every character would take more draws than the stream.
		related(t, newMaker(rapid.Uint64().Draw(t, "change")), name, x)
	}
}

func related(t rapid.TB, s source, name string, x trial) {
	was := findings(t, x)
	y, want, ok := relations[name](s, x, was)
	if !ok {
		return
	}
	if got := findings(t, y); !slices.Equal(want, got) {
		t.Logf("%s, of what this shows: %s", name, replay(x))
		disagree(t, y, "expected", want, "changed", got)
	}
}

func TestFindingsStayTheSameUnder(t *testing.T) {
	for name := range relations {
		t.Run(name, rapid.MakeCheck(relate(name)))
	}
}

func FuzzRelations(f *testing.F) {
	fuzzDrawn(f, func(t *rapid.T) {
		name := rapid.SampledFrom(relationNames()).Draw(t, "relation")
		relate(name)(t)
	})
}

func relationNames() (names []string) {
	for name := range relations {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// rewritten writes the events down in another style. Of a repeated name the last one counts, so members
// keep their order where there is one.
func rewritten(how style) relation {
	return func(s source, x trial, was []finding) (trial, []finding, bool) {
		how := how
		how.source = s
		free := how.order
		return x.with(remade(x.events, func(n *node) []byte {
			how.order = free && !n.twice()
			return how.write(n)
		})), was, true
	}
}

// remade makes each event anew that is a JSON value.
func remade(events [][]byte, make func(*node) []byte) (all [][]byte) {
	for _, e := range events {
		if n := parse(e); n != nil {
			e = make(n)
		}
		all = append(all, e)
	}
	return all
}

func reidentified(s source, x trial, was []finding) (trial, []finding, bool) {
	before := []string{"", "x", "é", `\ud83d\ude00`, "\u2028"}[s.IntN(5)]
	after := []string{"y", "-", `\u0000`, strings.Repeat("long", 100)}[s.IntN(4)]
	again := func(n *node) []byte {
		rename(n, before, after)
		return style{}.write(n)
	}
	x.events = remade(x.events, again)
	if x.options.Request != nil {
		x.options.Request = again(parse(x.options.Request))
	}
	return x, was, true
}

// padded puts an untagged RAW between any two events. Where it may not stand, it is dropped for that and leaves no trace.
func padded(s source, x trial, was []finding) (trial, []finding, bool) {
	at := s.IntN(len(x.events) + 1)
	events := slices.Insert(slices.Clone(x.events), at, []byte(`{"type":"RAW","event":{}}`))
	want := moved(was, at, 1)
	if code := phaseFault(x, at); code != "" {
		want = append(want, finding{Code: code, Index: at, Severity: "error"})
		slices.SortStableFunc(want, func(a, b finding) int { return a.Index - b.Index })
	}
	return x.with(events), want, true
}

// phaseFault is what the specification has against a RAW at that place, by what came before.
func phaseFault(x trial, at int) string {
	x.events = append(slices.Clone(x.events[:at]), []byte(`{"type":"RAW","event":{}}`))
	for _, f := range specified(x) {
		if f.Index == at && (f.Code == "run-ended" || f.Code == "first-event") {
			return f.Code
		}
	}
	return ""
}

// swapped exchanges two neighbours that have nothing to do with each other: of other entities, in other
// lanes, and neither a lifecycle, lane-closing, snapshot or subagent event. What closes its own lane at
// most is let in: the other one is not in that lane.
func swapped(s source, x trial, was []finding) (trial, []finding, bool) {
	var pairs []int
	for i := range len(x.events) - 1 {
		if apart(x, i) {
			pairs = append(pairs, i)
		}
	}
	if len(pairs) == 0 {
		return x, nil, false
	}
	i := pairs[s.IntN(len(pairs))]
	events := slices.Clone(x.events)
	events[i], events[i+1] = events[i+1], events[i]
	return x.with(events), exchanged(was, i), true
}

func exchanged(all []finding, i int) []finding {
	all = slices.Clone(all)
	for k := range all {
		switch all[k].Index {
		case i:
			all[k].Index = i + 1
		case i + 1:
			all[k].Index = i
		}
	}
	slices.SortStableFunc(all, func(a, b finding) int { return a.Index - b.Index })
	return all
}

// A part is what an event concerns, as far as neighbours may share it.
type part struct {
	lane     string   // its tag
	entities []string // ids and names
	calls    bool     // it may make a call: the order of those counts
	chunk    bool
	named    bool // the id of its item is there
}

var movable = regexp.MustCompile(`^(TEXT_MESSAGE_|TOOL_CALL_(START|ARGS|END|CHUNK)|REASONING_|STEP_|ACTIVITY_DELTA|CUSTOM|RAW|STATE_DELTA)`)

// partOf reads an event; ok is false where it is none of those that may move.
func partOf(e []byte) (p part, ok bool) {
	var v map[string]any
	if n := parse(e); n == nil || n.twice() || json.Unmarshal(e, &v) != nil {
		return p, false
	}
	kind, _ := v["type"].(string)
	if !movable.MatchString(kind) {
		return p, false
	}
	p.chunk = strings.HasSuffix(kind, "_CHUNK")
	p.calls = kind == "TOOL_CALL_START" || kind == "TOOL_CALL_CHUNK"
	p.lane = fmt.Sprint(v["subagentRunId"])
	for _, name := range []string{"messageId", "toolCallId", "parentMessageId", "entityId", "stepName"} {
		if id, given := v[name]; given {
			p.entities = append(p.entities, fmt.Sprint(id))
			p.named = p.named || name != "parentMessageId"
		}
	}
	switch kind {
	case "CUSTOM": // advice comes once for each name
		p.entities = append(p.entities, fmt.Sprint(v["name"]))
	case "STATE_DELTA":
		p.entities = append(p.entities, "the state")
	}
	return p, true
}

// apart tells whether the events at i and behind it may be exchanged.
func apart(x trial, i int) bool {
	a, ok := partOf(x.events[i])
	b, and := partOf(x.events[i+1])
	if !ok || !and || a.lane == b.lane || a.calls && b.calls {
		return false
	}
	return !a.shares(b) && settled(x, a) && settled(x, b)
}

// settled tells whether no chunk of another lane concerns the same, nor this chunk what another lane has: a
// chunk with an id follows its item, and a START for an item in another lane depends on what that lane holds.
// A chunk that names nothing follows whatever is open.
func settled(x trial, p part) bool {
	if p.chunk && !p.named {
		return false
	}
	for _, e := range x.events {
		o, ok := partOf(e)
		if ok && o.lane != p.lane && (o.chunk || p.chunk) && p.shares(o) {
			return false
		}
	}
	return true
}

func (p part) shares(o part) bool {
	return slices.ContainsFunc(o.entities, func(id string) bool { return slices.Contains(p.entities, id) })
}
