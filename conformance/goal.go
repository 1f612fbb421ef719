package conformance

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/wire"
)

// ErrNothing is the error of a stream that has nothing to keep.
var ErrNothing = errors.New("the stream is accepted: there is no verdict to keep; --keep CODE keeps a warning or advice")

// A Goal is what a stream must keep while it is made smaller: its first verdict or a finding.
type Goal struct {
	options  Options
	protocol *protocol
	fault    *Violation // that decides the verdict; nil: a finding is kept
	clauses  []string   // of which one must be found
	// recognised says that the stream, one event a line, is read as that without being told.
	recognised bool
}

// NewGoal returns the goal for a stream: the fault that decides its verdict, which is the clause, the
// type of the event and the member; or, where keep is not empty, any finding of that CODE or
// CODE/CLAUSE. It fails on options that make no sense, on a code that there is not, and on a stream
// that has no such thing.
func NewGoal(events [][]byte, keep string, o Options) (*Goal, error) {
	if err := Validate(o); err != nil {
		return nil, err
	}
	var first []byte
	if len(events) > 0 {
		first = events[0]
	}
	p, err := o.protocolOf(first)
	if err != nil {
		return nil, err
	}
	o.Protocol = p.name() // also where what is left of the stream shows another
	g := &Goal{options: o, protocol: p, recognised: recognised(events)}
	if keep == "" {
		return g, g.keepVerdict(events)
	}
	return g, g.keepFinding(events, keep)
}

func (g *Goal) keepVerdict(events [][]byte) error {
	if g.fault = g.Judge(events).Fault; g.fault == nil {
		return ErrNothing
	}
	return nil
}

func (g *Goal) keepFinding(events [][]byte, keep string) error {
	table := g.protocol.table
	_, clauses, err := clausesOf(table, keep)
	if err != nil {
		return err
	}
	for _, c := range clauses {
		g.clauses = append(g.clauses, table.ClauseName(c.ID))
	}
	if r := g.Judge(events); r.Kept == nil {
		return fmt.Errorf("the stream has no finding of %s; %s", keep, r.has())
	}
	return nil
}

// Protocol is the one that the stream was found to be of.
func (g *Goal) Protocol() string { return g.protocol.name() }

// A Judgement is what a stream comes to, seen from a goal.
type Judgement struct {
	Verdict verifier.Verdict
	// Fault is what decides the verdict; nil for an accepted stream.
	Fault *Violation
	// Kept is the first finding of the goal's; nil without one, and where the verdict is the goal.
	Kept *Violation

	clauses []string // found, the first of each
}

func (j *Judgement) has() string {
	if len(j.clauses) == 0 {
		return "it has none at all"
	}
	return "it has " + strings.Join(j.clauses, ", ")
}

// Judge judges a stream.
func (g *Goal) Judge(events [][]byte) Judgement {
	v, err := g.protocol.open(g.options)
	if err != nil {
		panic(err) // NewGoal has tried
	}
	var j Judgement
	for _, e := range events {
		g.note(&j, v.Observe(e), v.Verdict())
	}
	g.note(&j, v.Finish(), v.Verdict())
	return j
}

// note adds what an event was blamed for, after which the verdict is now.
func (g *Goal) note(j *Judgement, found []Violation, now verifier.Verdict) {
	changed := now != j.Verdict
	j.Verdict = now
	for i := range found {
		f := found[i]
		if changed && f.Severity == Error && f.Code == now.Code && f.Index == now.Index {
			j.Fault, changed = &f, false
		}
		if slices.Contains(g.clauses, f.Clause) && (j.Kept == nil || f.Index < j.Kept.Index) {
			j.Kept = &f
		}
		if !slices.Contains(j.clauses, f.Clause) {
			j.clauses = append(j.clauses, f.Clause)
		}
	}
}

// Met reports whether a stream has what is to be kept and can be written one event a line.
func (g *Goal) Met(events [][]byte) bool {
	j := g.Judge(events)
	met := j.Kept != nil
	if g.fault != nil {
		met = sameFault(j.Fault, g.fault)
	}
	return met && (!g.recognised || recognised(events))
}

// sameFault tells whether two faults are one of a kind.
func sameFault(a, b *Violation) bool {
	return a != nil && a.Clause == b.Clause && a.EventType == b.EventType && member(a.Pointer) == member(b.Pointer)
}

// member returns the member of the event that a pointer leads into.
func member(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return name
}

// String says the verdict and, where that is not the goal, the finding that is kept.
func (j Judgement) String() string {
	if j.Kept == nil {
		return j.Verdict.String()
	}
	return fmt.Sprintf("%s; %s %s at %d", j.Verdict, j.Kept.Severity, j.Kept.Clause, j.Kept.Index)
}

// recognised tells whether a stream, one event a line, is read as that by who is not told so.
func recognised(events [][]byte) bool {
	if len(events) == 0 || bytes.HasPrefix(events[0], []byte("{")) {
		return true
	}
	r := wire.NewReader(bytes.NewReader(Lines(events)), wire.Options{})
	f, err := r.Next()
	return err == nil && r.Format() == wire.NDJSON && bytes.Equal(f.Data, events[0])
}

// Recognised tells whether check reads Lines of a stream without --input ndjson.
func (g *Goal) Recognised() bool { return g.recognised }

// Vector returns a stream with the verdict that it gets.
func (g *Goal) Vector(id string, events [][]byte) Vector {
	return Vector{
		ID: id, Protocol: g.protocol.named(), Profile: cmp.Or(g.options.Profile, g.protocol.table.Profiles[0]), Revision: g.options.Revision,
		Request: g.options.Request, Events: events, Expect: g.Judge(events).Verdict,
	}
}
