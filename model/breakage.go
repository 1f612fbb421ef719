package model

import (
	"fmt"
	"math"
	"strings"

	"pgregory.net/rapid"
)

// Expect is the judgement that a broken stream must get. For an error it is the
// stream's first; a warning or an advice is among the findings, and the verdict
// is accept.
type Expect struct {
	Verdict  string // accept reject
	Code     string
	Clause   string // as in docs/rules.md
	Index    int    // of the event that is blamed; the number of events where the end is at fault
	Severity string // error warning info
}

// Broken is a stream with one fault, made for one profile.
type Broken struct {
	Stream
	Profile string
	Expect  Expect
}

// String is the stream and what is expected of it.
func (b Broken) String() string {
	x := b.Expect
	return fmt.Sprintf("%swant %s in %s: %s %s at %d (%s)\n", b.Stream, x.Verdict, b.Profile, x.Severity, x.Code, x.Index, x.Clause)
}

// GoString is String.
func (b Broken) GoString() string { return "\n" + b.String() }

// Breakage is a way to break a clause in the eyes of a profile.
type Breakage struct {
	Clause   string // "not-open/text", as in docs/rules.md
	Code     string // "not-open"
	Profile  string
	Severity string // of the finding

	fault fault
}

// fault is how a clause is broken.
type fault struct {
	clause     string
	severities string            // for producer, consumer, server, client: Error, Warning, Info or - for not judged
	do         func(s *sim) int  // breaks the stream and gives the index of the event that is blamed
	when       moment            // it is done
	plan       plan              // of the stream that it is done to
	knows      func(out *Stream) // what else is known beside the stream
}

// moment says where in a stream a fault is done.
type moment int

const (
	inside  moment = iota // in the last run
	replay                // in a run before the last
	start                 // instead of the last run's start; do starts it
	nothing               // instead of the stream
)

var severityNames = map[byte]string{'E': "error", 'W': "warning", 'I': "info"}

// Breakages lists them all, clause by clause in the order of docs/rules.md, and
// for a clause one for each profile that judges it.
func Breakages() []Breakage {
	var out []Breakage
	for _, list := range [][]fault{documentFaults, orderFaults, chunkFaults, ownerFaults, identityFaults, requestFaults, contentFaults, advice} {
		for _, f := range list {
			out = append(out, f.breakages()...)
		}
	}
	return out
}

func (f fault) breakages() []Breakage {
	var out []Breakage
	code, _, _ := strings.Cut(f.clause, "/")
	for i, profile := range Profiles() {
		if severity, judged := severityNames[f.severities[i]]; judged {
			out = append(out, Breakage{f.clause, code, profile, severity, f})
		}
	}
	return out
}

func (b Breakage) guarded() bool { return b.Profile == "server" || b.Profile == "client" }

// Generate gives streams that are legal but for this one fault. What the fault
// needs occurs whatever the knobs say.
func (b Breakage) Generate(k Knobs) *rapid.Generator[Broken] {
	k.Guard = b.guarded()
	k = k.normal()
	k.Without |= Versions // a declared newer version softens faults
	return rapid.Custom(func(t *rapid.T) Broken {
		s := newSim(draw{t}, k, b.fault.plan)
		s.profile = b.Profile
		index := s.broken(b.fault)
		verdict := "accept"
		if b.Severity == "error" {
			verdict = "reject"
		}
		out := Broken{s.result(), b.Profile, Expect{verdict, b.Code, b.Clause, index, b.Severity}}
		if b.fault.knows != nil {
			b.fault.knows(&out.Stream)
		}
		return out
	})
}

// broken draws a stream around a fault and gives the index of what is blamed.
func (s *sim) broken(f fault) int {
	s.until = math.MaxInt
	if f.when == nothing {
		return f.do(s)
	}
	if f.when != replay && !s.k.Guard && s.k.has(Runs) && s.chance(30) {
		s.wholeRun(false)
	}
	if f.when != start {
		s.startRun(f.when == inside)
		s.some()
	}
	index := f.do(s)
	if !s.over {
		s.some()
		s.stopRun()
	}
	if f.when == replay {
		s.wholeRun(true)
	}
	return index
}

func (s *sim) wholeRun(last bool) {
	s.startRun(last)
	s.some()
	s.stopRun()
}

// some does a part of what the stream's size allows.
func (s *sim) some() { s.act(len(s.out) + s.pendingEnds() + 2 + s.roll(s.plan.size/2+1)) }

// last is the index of the event that was written last.
func (s *sim) last() int { return len(s.out) - 1 }

// refused writes an event that has no effect, and gives its index.
func (e *event) refused() int {
	e.common()
	e.write()
	return e.s.last()
}

// kept writes an event that has its effect on lanes and tags, and gives its index.
func (e *event) kept() int {
	e.emit()
	return e.s.last()
}

// spoil does an action and spoils the event that it emits.
func (s *sim) spoil(do func(*sim), how func(e *event)) int {
	s.mangle = how
	do(s)
	return s.last()
}

// finishWith ends the run with a RUN_FINISHED that is spoiled, and the stream.
func (s *sim) finishWith(how func(e *event)) int {
	s.closeAll()
	s.over = true
	return s.spoil((*sim).finish, how)
}

// --- what faults need ---

// stranger is a tag that is not that owner, of a subagent that may be used now.
func (s *sim) stranger(than owner) owner {
	var list []owner
	for _, o := range s.tags() {
		if o.tagged && o != than {
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		s.subagentStarted()
		return s.stranger(than)
	}
	return pick(s.draw, list)
}

func (s *sim) newText(o owner) item {
	msg := s.newMessage("text")
	s.openText(msg, o)
	return item{"text", msg.id, o}
}

// apart is a new message whose id nothing else has, spans included.
func (s *sim) apart(kind string) *message {
	s.plainIDs = true
	defer func() { s.plainIDs = false }()
	return s.newMessage(kind)
}

func (s *sim) newReasoning(o owner) item {
	msg := s.apart("reasoning")
	s.openReasoning(msg, o)
	return item{"reasoning", msg.id, o}
}

func (s *sim) newSpan(o owner) item {
	s.plainIDs = true
	id := s.fresh("span")
	s.plainIDs = false
	s.noteSpan(id)
	s.openSpan(id, o)
	return item{"span", id, o}
}

// newCall is a call of a tool that no request lists, without a parent.
func (s *sim) newCall(o owner) item {
	c := s.callOf("search")
	s.openCall(c, o)
	return item{"tool", c.id, o}
}

func (s *sim) callOf(tool string) *call {
	c := &call{id: s.fresh("call"), name: tool}
	s.calls = append(s.calls, c)
	return c
}

func (s *sim) newItem(kind string, o owner) item {
	switch kind {
	case "text":
		return s.newText(o)
	case "reasoning":
		return s.newReasoning(o)
	case "span":
		return s.newSpan(o)
	}
	return s.newCall(o)
}

func (s *sim) close(it item) { s.endItem(it, endTypes[it.kind]) }

// newSubagent announces one.
func (s *sim) newSubagent() string {
	s.subagentStarted()
	return s.run.subs[len(s.run.subs)-1].id
}
