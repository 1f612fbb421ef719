package session

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// Expect is the judgement that a broken recording must get.
type Expect struct {
	Finding         // for the fault
	Verdict string  // accept reject
	First   Finding // the first error, where the verdict is reject: the fault's own, but where no recording has the fault first
}

// Broken is a recording with one fault.
type Broken struct {
	Stream
	Clause string // of the breakage
	Expect Expect
}

// String is the recording and what is expected of it.
func (b Broken) String() string {
	x := b.Expect
	return fmt.Sprintf("%swant %s: %s %s at %d (%s)\n", b.Stream, x.Verdict, x.Severity, x.Code, x.Index, b.Clause)
}

// GoString is String.
func (b Broken) GoString() string { return "\n" + b.String() }

// Breakage is a way to break a rule in the eyes of a profile.
type Breakage struct {
	Clause   string // "not-open/turn_end": the code, and the way
	Code     string // "not-open"
	Profile  string
	Severity string // of the finding

	fault fault
}

// fault is how a rule is broken.
type fault struct {
	clause     string
	severities string           // for pi-0.73, pi-0.80, pi-1.x: Error, Warning, Info or - for not judged
	do         func(s *sim) int // breaks the recording and gives the index of the record that is blamed
	classes    []Class          // that can show it; none: all that have runs
}

var severityNames = map[byte]string{'E': "error", 'W': "warning", 'I': "info"}

// The classes that show a fault.
var (
	anyRun  = []Class{Agent, JSON, RPC, Transcript}
	stdouts = []Class{JSON, RPC, Transcript}
	pipes   = []Class{RPC, Transcript}
	both    = []Class{Transcript}
)

// Breakages lists them all, code by code, and for each way one for each profile that judges it.
func Breakages() []Breakage {
	var out []Breakage
	for _, list := range [][]fault{structureFaults, streamFaults, runFaults, turnFaults, toolFaults, batchFaults, sessionFaults, queueFaults, recoveryFaults,
		commandFaults, replaceFaults, entryFaults, dialogFaults, lifeFaults, hostFaults, gateFaults} {
		for _, f := range list {
			out = append(out, f.breakages()...)
		}
	}
	return out
}

func (f fault) breakages() []Breakage {
	code, _, _ := strings.Cut(f.clause, "/")
	var out []Breakage
	for i, profile := range Profiles() {
		if severity, judged := severityNames[f.severities[i]]; judged {
			out = append(out, Breakage{f.clause, code, profile, severity, f})
		}
	}
	return out
}

// Generate gives recordings that are legal but for this one fault. What the fault needs occurs whatever the knobs
// say; a class of theirs that cannot show it is another.
func (b Breakage) Generate(k Knobs) *rapid.Generator[Broken] {
	k = k.normal()
	k.Profile = b.Profile
	k.Without |= Cuts | Rude
	return rapid.Custom(func(t *rapid.T) Broken {
		k, d := k, draw{t}
		if classes := b.fault.in(); !slices.Contains(classes, k.Class) {
			k.Class = pick(d, classes)
		}
		s := newSim(d, k)
		s.prelude()
		own := Finding{b.Code, b.Severity, b.fault.do(s)}
		x := Expect{Finding: own, Verdict: "accept"}
		if b.Severity == "error" {
			x.Verdict, x.First = "reject", own
			if s.earlier.Code != "" {
				x.First = s.earlier
			}
		}
		return Broken{s.result(), b.Clause, x}
	})
}

func (f fault) in() []Class {
	if f.classes == nil {
		return anyRun
	}
	return f.classes
}

// prelude is something legal before the fault. Then nothing happens by itself any more.
func (s *sim) prelude() {
	asked := s.k
	s.until = s.roll(30)
	s.k.Without |= Queue | BadArguments
	switch s.class {
	case Agent:
		if s.room() {
			s.recordAgent()
		}
	case JSON:
		s.header()
		if s.room() {
			s.work(s.opening(s.line()))
		}
	case Extension, Host: // their faults begin them
	default:
		s.serveSome()
	}
	s.k = asked
	s.quiet, s.early = true, false
	s.k.Without |= Failures | BadArguments | Refused | Queue | Customs | Retries | Compactions
	s.abort, s.hold = false, false
}

// serveSome serves a client for a while.
func (s *sim) serveSome() {
	for s.room() {
		s.send()
		s.takeIdle()
	}
	s.finishTasks()
}
