package assistant

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/baseline/pi"
)

// Expect is the judgement that a broken stream must get. For an error it is the stream's first; a warning
// or an information is among the findings, and the verdict is accept.
type Expect struct {
	Verdict  string // accept reject
	Code     string
	Index    int    // of the record that is blamed; the number of records where the end is at fault
	Severity string // error warning info
}

// Broken is a stream with one fault.
type Broken struct {
	Stream
	Clause string // of the breakage
	Expect Expect
}

// String is the stream and what is expected of it.
func (b Broken) String() string {
	x := b.Expect
	return fmt.Sprintf("%swant %s: %s %s at %d (%s)\n", b.Stream, x.Verdict, x.Severity, x.Code, x.Index, b.Clause)
}

// GoString is String.
func (b Broken) GoString() string { return "\n" + b.String() }

// Breakage is a way to break a rule in the eyes of a profile.
type Breakage struct {
	Clause   string // "not-open/ended": the code, and the way
	Code     string // "not-open"
	Profile  string
	Severity string // of the finding

	fault fault
}

// fault is how a rule is broken.
type fault struct {
	clause     string
	severities string           // for di-code, pi-0.73, pi-0.80, pi-1.x: Error, Warning, Info or - for not judged
	do         func(s *sim) int // breaks the stream and gives the index of the record that is blamed
	first      bool             // it is done before the start, which it leaves to the stream
	forms      pi.Forms         // of the pi family that can have it; 0: all
	without    Feature          // what would hide it
}

var severityNames = map[byte]string{'E': "error", 'W': "warning", 'I': "info"}

// Breakages lists them all, code by code, and for each way one for each profile that judges it.
func Breakages() []Breakage {
	var out []Breakage
	for _, list := range [][]fault{structureFaults, memberFaults, orderFaults, textFaults, toolFaults, endFaults} {
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

// Generate gives streams that are legal but for this one fault. What the fault needs occurs whatever the
// knobs say. After a fault that drops its record the stream goes on as if nothing had been.
func (b Breakage) Generate(k Knobs) *rapid.Generator[Broken] {
	k.Profile = b.Profile
	k.Without |= b.fault.without
	k = k.normal()
	return rapid.Custom(func(t *rapid.T) Broken {
		d := draw{t}
		own := k
		if b.fault.forms != 0 && isPi(b.Profile) && own.Form&b.fault.forms == 0 {
			own.Form = pick(d, slices.DeleteFunc(Forms(b.Profile), func(f pi.Forms) bool { return f&b.fault.forms == 0 }))
		}
		s := newSim(d, own)
		index := s.broken(b.fault)
		verdict := "accept"
		if b.Severity == "error" {
			verdict = "reject"
		}
		return Broken{s.result(), b.Clause, Expect{verdict, b.Code, index, b.Severity}}
	})
}

// broken plays a stream around a fault and gives the index of what is blamed.
func (s *sim) broken(f fault) int {
	if !f.first {
		s.start()
		s.some(s.even(s.most))
	}
	index := f.do(s)
	if f.first && !s.over {
		s.start()
	}
	if !s.over {
		s.some(len(s.out) + s.owed() + 1 + s.even(max(1, s.most/2)))
		s.stop()
	}
	return index
}

// --- what faults need ---

// refused writes an event that has no effect, and gives its index.
func (s *sim) refused(v value) int {
	s.emit(v)
	return s.last()
}

// spoil lets the stream go on and spoils the event that it does so with.
func (s *sim) spoil(how func(v value) value) int {
	s.mangle = how
	s.next()
	return s.last()
}

// next does anything that a stream may do now.
func (s *sim) next() {
	if open := s.openBlocks(); len(open) > 0 {
		s.forth(pick(s.draw, open))
		return
	}
	s.begin(s.plan("text"))
}

// fresh begins a block; in di-code all others are ended first.
func (s *sim) fresh(b *block) *block {
	if s.dicode() {
		s.endAll()
	}
	return s.begin(b)
}

// said is a block of text or thinking that says that, in one delta.
func said(kind string, units []uint16) *block {
	return &block{kind: kind, said: units, pieces: [][]uint16{units}, keeps: empty}
}

// called is a call whose text is in one delta, or has none.
func called(args value, pieces ...string) *block {
	b := &block{kind: "tool", id: "call_1", name: "read", introduced: true, args: args, keeps: empty}
	for _, p := range pieces {
		b.pieces = append(b.pieces, unitsOf(p))
	}
	return b
}

// drain sends what is left of a block's deltas.
func (s *sim) drain(b *block) {
	for b.sent < len(b.pieces) {
		s.delta(b)
	}
}

// endSpoiled drains a block and spoils its end.
func (s *sim) endSpoiled(b *block, how func(v value) value) int {
	s.drain(b)
	s.mangle = how
	s.end(b)
	return s.last()
}

// refuseEnd is endSpoiled for what di-code drops: there the right end comes afterwards.
func (s *sim) refuseEnd(b *block, how func(v value) value) int {
	index := s.endSpoiled(b, how)
	b.ended = !s.dicode()
	return index
}

// inside changes a member of a member.
func inside(v value, name string, how func(v value) value) value {
	in, ok := v.get(name)
	if !ok {
		return v
	}
	return v.with(name, how(in))
}

// messageName is how a terminal event's message is called.
func (s *sim) messageName(typ string) string {
	if typ == "error" && !s.dicode() {
		return "error"
	}
	return "message"
}

// finishSpoiled ends the stream, with a done or an error, and spoils that.
func (s *sim) finishSpoiled(how func(v value, typ string) value) int {
	typ := pick(s.draw, []string{"done", "error"})
	s.mangle = func(v value) value { return how(v, typ) }
	if typ == "error" {
		s.failure()
		return s.last()
	}
	s.endAllBut(nil)
	s.done()
	return s.last()
}

// endAllBut ends all blocks without spoiling them.
func (s *sim) endAllBut(not *block) {
	how := s.mangle
	s.mangle = nil
	for open := s.openBlocks(); len(open) > 0; open = s.openBlocks() {
		open = slices.DeleteFunc(open, func(b *block) bool { return b == not })
		if len(open) == 0 {
			break
		}
		s.forth(pick(s.draw, open))
	}
	s.mangle = how
}
