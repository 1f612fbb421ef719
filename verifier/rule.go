package verifier

import (
	"cmp"
	"fmt"
)

// Disposition says what a blamed event leaves behind.
type Disposition uint8

const (
	// Keep: the event is blamed and takes full effect.
	Keep Disposition = iota
	// Drop: where it is an error, the event has no effect at all.
	Drop
	// DropAlways: the event has no effect at any severity, as for what a reader does not know.
	DropAlways
)

var dispositionNames = [...]string{"keep", "drop", "drop"}

func (d Disposition) String() string { return dispositionNames[d] }

// A Rule is one code of a protocol: what it is, what breaks, what decides it. The literal is the
// single source for judging, explain, the rules page and every report.
type Rule struct {
	// Code names the rule in verdicts, reports and scenarios.
	Code string
	// Title says in one line what is blamed.
	Title string
	// Effect says what goes wrong in a client.
	Effect string
	// Page is the specification's page (below its site) that decides, Strength the word it uses there.
	Page, Strength string
	// Facts are the names that the page gives to what is required, as AG-TOOL-START. Empty where it
	// names nothing.
	Facts string
	// Protocol is set where a table has the rule from another protocol, whose events the own ones
	// carry; empty: the table's.
	Protocol string
	// Needs are the classes of input that can show the fault; 0: every class can.
	Needs Classes
	// Note names the source that was followed where two disagree. Often empty.
	Note string
	// Since is the first revision that judges the rule; empty: every one.
	Since string
	// Levels has the severity in each profile.
	Levels Levels
	// Leaves says what a blamed event leaves behind.
	Leaves Disposition
	// Advice marks what no page demands.
	Advice bool
	// Limit marks a limit of the kit: the verdict is incomplete, the producer not at fault.
	Limit bool
	// Repeats lets the code come more than once per event, once per thing at fault.
	Repeats bool
	// Clauses are the separate faults that share the code. Each has a scenario of its own.
	Clauses []Clause
}

// A Clause is one fault of a rule.
type Clause struct {
	// ID is the clause's constant, unique in its table.
	ID ClauseID
	// Name tells the clause from its siblings; a rule with a single clause may leave it empty.
	Name string
	// Levels and Leaves replace the rule's where the clause differs from it.
	Levels Levels
	Leaves *Disposition
}

// ClauseID is the index of a clause in its protocol's table.
type ClauseID uint16

// MaxClauses is the most a table may hold, the width of a Mask.
const MaxClauses = 256

// Classes is a set of classes of input, a bit for each in the order of its table. What a recording
// can show depends on where it was made: on one side of a pipe, on both, inside a process.
type Classes uint8

// Mask is a set of clauses.
type Mask [MaxClauses / 64]uint64

// Set adds the clause.
func (m *Mask) Set(c ClauseID) { m[c/64] |= 1 << (c % 64) }

// Has reports whether the clause is in the set.
func (m *Mask) Has(c ClauseID) bool { return m[c/64]&(1<<(c%64)) != 0 }

// A Table is all rules of a protocol, in order of precedence: of the faults of one event the one
// whose rule stands first decides the verdict.
type Table struct {
	// Protocol is the prefix of its codes where several protocols meet, as in agui/not-open.
	Protocol string
	// Site is what a rule's Page is relative to.
	Site string
	// Profiles are the names of the columns of Levels.
	Profiles []string
	// Classes are the names of the bits of Needs. Empty where every input can show everything.
	Classes []string
	Rules   []Rule

	clauses []clause
}

// clause is a clause with what it takes from its rule.
type clause struct {
	rule   *Rule
	order  int // of the rule
	name   string
	levels Levels
	leaves Disposition
}

// NewTable indexes rules by clause. It panics on a table that contradicts itself; tables are literals.
func NewTable(t Table, clauses int) *Table {
	t.clauses = make([]clause, clauses)
	for i := range t.Rules {
		t.index(i)
	}
	for id := range t.clauses {
		if t.clauses[id].rule == nil {
			panic(fmt.Sprintf("verifier: clause %d of %s has no rule", id, t.Protocol))
		}
	}
	return &t
}

func (t *Table) index(order int) {
	r := &t.Rules[order]
	for _, c := range r.Clauses {
		if t.clauses[c.ID].rule != nil {
			panic(fmt.Sprintf("verifier: %s and %s share a clause", r.Code, t.clauses[c.ID].rule.Code))
		}
		x := clause{rule: r, order: order, name: r.Code, levels: r.Levels, leaves: r.Leaves}
		if c.Name != "" {
			x.name = r.Code + "/" + c.Name
		}
		if c.Levels != "" {
			x.levels = c.Levels
		}
		if c.Leaves != nil {
			x.leaves = *c.Leaves
		}
		t.clauses[c.ID] = x
	}
}

// Rule returns the rule with that code.
func (t *Table) Rule(code string) (*Rule, bool) {
	for i := range t.Rules {
		if t.Rules[i].Code == code {
			return &t.Rules[i], true
		}
	}
	return nil, false
}

// Profile returns the column of a profile.
func (t *Table) Profile(name string) (int, bool) {
	for i, p := range t.Profiles {
		if p == name {
			return i, true
		}
	}
	return 0, false
}

// Of returns the protocol that a rule of the table belongs to.
func (t *Table) Of(r *Rule) string { return cmp.Or(r.Protocol, t.Protocol) }

// Hidden returns the codes that a profile judges, but not in an input of that class.
func (t *Table) Hidden(profile int, class Classes) []string {
	var codes []string
	for i := range t.Rules {
		if r := &t.Rules[i]; r.Levels.In(profile) != None && !r.shownIn(class) {
			codes = append(codes, r.Code)
		}
	}
	return codes
}

// ClassNames returns the classes of input that can show a rule's fault; none where every one can.
func (t *Table) ClassNames(r *Rule) []string {
	var names []string
	for i, name := range t.Classes {
		if r.Needs&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

func (r *Rule) shownIn(class Classes) bool { return r.Needs == 0 || r.Needs&class != 0 }

// ClauseName returns the clause's full name, CODE or CODE/NAME.
func (t *Table) ClauseName(c ClauseID) string { return t.clauses[c].name }

// ClauseLevels returns the clause's severity in each profile.
func (t *Table) ClauseLevels(c ClauseID) Levels { return t.clauses[c].levels }

// PageURL returns where a rule's page is to be read.
func (t *Table) PageURL(r *Rule) string { return t.Site + r.Page }

// Precedence returns the position of a clause's rule; the lower one decides a verdict.
func (t *Table) Precedence(c ClauseID) int { return t.clauses[c].order }
