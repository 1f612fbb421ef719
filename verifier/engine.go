package verifier

import (
	"cmp"
	"slices"
)

// A Fault is what a transition knows about a broken clause; the engine adds the rest.
type Fault struct {
	// ID and Entity name what the fault is about.
	ID, Entity string
	// Pointer is the JSON pointer of the member at fault.
	Pointer string
	// Detail is one sentence, without a full stop.
	Detail string
	// Cause is the place of the event that explains this one.
	Cause *Place
	// At is set where an earlier event is to blame, with the type of it. That a code comes once
	// per event is then the caller's to see to.
	At   *Place
	Type string
	// Soft caps the severity at a warning.
	Soft bool
}

// An Engine turns broken clauses into violations by the table, and does what is the same for all
// protocols: severity, disposition, once per event, switching clauses off, counting, the verdict.
type Engine struct {
	table   *Table
	profile int
	limits  Limits

	judged    *Mask    // clauses that this profile and revision judge
	evaluated []uint64 // by clause
	fired     []uint64

	place Place
	typ   string
	seen  Mask // rules blamed on this event, by order
	found []Violation

	kept    []Violation
	counts  [Error + 1]int
	verdict Verdict
	best    Violation // decides the verdict, once there is one
	stopped bool

	// Dump, when set, is asked for what is open at each violation, as long as they are kept.
	Dump func() []Item
}

// NewEngine returns an engine for one profile of a table.
func NewEngine(t *Table, profile int, l Limits) *Engine {
	return &Engine{
		table: t, profile: profile, limits: l,
		evaluated: make([]uint64, len(t.clauses)), fired: make([]uint64, len(t.clauses)),
	}
}

// Judged returns the clauses that the profile judges in a revision and a class of input, without those
// switched off. Rules with a Since are left out where early is set.
func (e *Engine) Judged(early bool, class Classes, off Mask) Mask {
	var m Mask
	for id := range e.table.clauses {
		c := &e.table.clauses[id]
		if c.levels.In(e.profile) == None || off.Has(ClauseID(id)) || early && c.rule.Since != "" || !c.rule.shownIn(class) {
			continue
		}
		m.Set(ClauseID(id))
	}
	return m
}

// Judge sets which clauses are judged from now on.
func (e *Engine) Judge(m *Mask) { e.judged = m }

// Begin starts the judging of the event at that place.
func (e *Engine) Begin(p Place) {
	e.place, e.typ = p, ""
	e.seen = Mask{}
	e.found = e.found[:0]
}

// Type tells the engine the type of the event, once known.
func (e *Engine) Type(t string) { e.typ = t }

// Place returns where the event stands that is being judged.
func (e *Engine) Place() *Place { return &e.place }

// Found returns what the event was blamed for. Valid until the next Begin.
func (e *Engine) Found() []Violation { return e.found }

// Stopped reports whether a limit of the kit ended the judging.
func (e *Engine) Stopped() bool { return e.stopped }

// On reports whether a clause is judged, and counts that it was.
func (e *Engine) On(c ClauseID) bool {
	if !e.judged.Has(c) {
		return false
	}
	e.evaluated[c]++
	return true
}

// Blame records that the event breaks a clause and reports whether that drops the event. A clause
// that is not judged blames and drops nothing.
func (e *Engine) Blame(id ClauseID, f Fault) (drops bool) {
	if !e.judged.Has(id) {
		return false
	}
	c := &e.table.clauses[id]
	severity := c.levels.In(e.profile)
	if f.Soft {
		severity = min(severity, Warning)
	}
	if f.At != nil || c.rule.Repeats || !e.seen.Has(ClauseID(c.order)) {
		if f.At == nil {
			e.seen.Set(ClauseID(c.order))
		}
		e.fired[id]++
		e.add(c, severity, f)
	}
	if c.rule.Limit {
		e.stopped = true
	}
	return c.leaves == DropAlways || c.leaves == Drop && severity == Error
}

func (e *Engine) add(c *clause, severity Severity, f Fault) {
	place, typ := e.place, e.typ
	if f.At != nil {
		place, typ = *f.At, f.Type
	}
	v := Violation{
		Protocol: e.table.Of(c.rule), Code: c.rule.Code, Clause: c.name, Severity: severity,
		Index: place.Index, Line: place.Line, Offset: place.Offset, EventType: typ,
		ID: Shown(f.ID), Entity: f.Entity, Pointer: f.Pointer, Related: -1, Detail: f.Detail,
		Page: e.table.PageURL(c.rule), order: c.order,
	}
	if f.Cause != nil {
		v.Related = f.Cause.Index
	}
	if e.Dump != nil && len(e.kept) < e.limits.Findings {
		v.Open = e.Dump()
	}
	e.found = append(e.found, v)
	e.keep(v, c.rule.Limit)
}

// keep counts a violation, lets it decide the verdict and stores it while there is room. The one
// that decides is always stored.
func (e *Engine) keep(v Violation, limit bool) {
	e.counts[v.Severity]++
	decides := v.Severity == Error && (e.verdict.Outcome == Accept || compare(v, e.best) < 0)
	if decides {
		e.best = v
		e.verdict = Verdict{Outcome: Reject, Code: v.Code, Index: v.Index}
		if limit {
			e.verdict.Outcome = Incomplete
		}
	}
	switch {
	case len(e.kept) < e.limits.Findings:
		e.kept = append(e.kept, v)
	case decides && len(e.kept) > 0:
		e.kept[len(e.kept)-1] = v
	}
}

// compare orders findings by place, then by precedence.
func compare(a, b Violation) int {
	return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.order, b.order))
}

// Verdict returns the verdict as far as the stream was judged.
func (e *Engine) Verdict() Verdict { return e.verdict }

// Findings returns the violations kept, by place and precedence, how many were found of each
// severity, and how many of them were not kept.
func (e *Engine) Findings() (kept []Violation, counts map[Severity]int, omitted int) {
	kept = slices.Clone(e.kept)
	slices.SortStableFunc(kept, compare)
	counts = map[Severity]int{}
	total := 0
	for s := Info; s <= Error; s++ {
		counts[s] = e.counts[s]
		total += e.counts[s]
	}
	return kept, counts, total - len(kept)
}

// Coverage returns how often a clause was looked at and how often it was broken.
func (e *Engine) Coverage(c ClauseID) (evaluated, fired uint64) { return e.evaluated[c], e.fired[c] }
