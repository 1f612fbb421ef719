package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
)

// An Explanation is all that is known of a rule, or of one of its clauses.
type Explanation struct {
	Table *verifier.Table
	Rule  *verifier.Rule
	// Clauses are the rule's, or the one that was asked for.
	Clauses []ClauseExplanation
}

// A ClauseExplanation is one clause with its example.
type ClauseExplanation struct {
	// Name is the full name, CODE or CODE/NAME; Short is NAME or else CODE.
	Name, Short string
	Levels      verifier.Levels
	Leaves      verifier.Disposition
	// Title says in a sentence what the example shows. Bad breaks the clause, also by
	// having no event; Good is its legal near twin.
	Title     string
	Bad, Good []Line
	// AtEnd says that the end of the bad stream is at fault, not an event.
	AtEnd bool
	// Request is the RunAgentInput that both streams answer; nil where the clause does not need it.
	Request []byte
}

// A Line is one event of an example.
type Line struct {
	Text string
	// Fault marks the event that the clause is blamed on.
	Fault bool
}

// Explain returns what is known of a code, in each protocol that has it. It takes CODE, CODE/CLAUSE and
// either behind one protocol, agui/CODE; case does not count. For what there is not, the error names
// the nearest.
func Explain(name string) ([]*Explanation, error) {
	var all []*Explanation
	var failed error
	for _, p := range named(name) {
		rule, clauses, err := clausesOf(p.table, name)
		if err != nil {
			failed = firstError(failed, err)
			continue
		}
		e := &Explanation{Table: p.table, Rule: rule}
		for _, c := range clauses {
			e.Clauses = append(e.Clauses, p.explain(rule, c))
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		return nil, failed
	}
	return all, nil
}

// named returns the protocols whose codes a name may be of: those that have the code, one where it
// stands in front.
func named(name string) []*protocol {
	front, _, qualified := strings.Cut(plainName(name), "/")
	if p, ok := protocolNamed(front); ok && qualified {
		return []*protocol{p}
	}
	var having []*protocol
	for _, p := range protocols {
		if r, ok := p.table.Rule(front); ok && r.Protocol == "" {
			having = append(having, p)
		}
	}
	if having == nil {
		return protocols[:1]
	}
	return having
}

func plainName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// ValidateCode says that there is no such CODE or CODE/CLAUSE, where there is none.
func ValidateCode(name string) error {
	var failed error
	for _, p := range named(name) {
		_, _, err := clausesOf(p.table, name)
		if err == nil {
			return nil
		}
		failed = firstError(failed, err)
	}
	return failed
}

// clausesOf returns the rule and the clauses of it that a code, with or without a clause, names.
func clausesOf(table *verifier.Table, name string) (*verifier.Rule, []verifier.Clause, error) {
	wanted := strings.TrimPrefix(plainName(name), table.Protocol+"/")
	code, _, one := strings.Cut(wanted, "/")
	rule, ok := table.Rule(code)
	if !ok {
		return nil, nil, unknownCode(name, code)
	}
	if !one {
		return rule, rule.Clauses, nil
	}
	for _, c := range rule.Clauses {
		if table.ClauseName(c.ID) == wanted {
			return rule, []verifier.Clause{c}, nil
		}
	}
	return nil, nil, Unknown("clause", name, clauseNames(table, rule))
}

func unknownCode(name, code string) error {
	hint := ""
	if near := verifier.Nearest(code, Codes("")); near != "" {
		hint = fmt.Sprintf("did you mean %s? ", near)
	}
	return fmt.Errorf("there is no rule %q; %sconformance rules lists them all", verifier.Shown(name), hint)
}

// Codes are the names of all rules of a protocol, in order of precedence; of the empty name, those of
// all protocols.
func Codes(protocol string) []string {
	var codes []string
	for _, p := range protocols {
		if protocol != "" && protocol != p.name() {
			continue
		}
		for _, r := range p.table.Rules {
			if !slices.Contains(codes, r.Code) {
				codes = append(codes, r.Code)
			}
		}
	}
	return codes
}

func clauseNames(t *verifier.Table, r *verifier.Rule) []string {
	var names []string
	for _, c := range r.Clauses {
		names = append(names, t.ClauseName(c.ID))
	}
	return names
}

func (p *protocol) explain(r *verifier.Rule, c verifier.Clause) ClauseExplanation {
	t := p.table
	e := ClauseExplanation{Name: t.ClauseName(c.ID), Short: cmp.Or(c.Name, r.Code), Levels: t.ClauseLevels(c.ID), Leaves: r.Leaves}
	if c.Leaves != nil {
		e.Leaves = *c.Leaves
	}
	s, err := scenarios.Example(t.Protocol, e.Name)
	if err != nil {
		return e // a test wants an example for every clause
	}
	e.Title, e.Bad, e.Good = s.Title(), lines(s.Bad()), lines(s.Good())
	request, _ := s.File(requestFile)
	e.mark(p, request)
	return e
}

func lines(stream []byte) []Line {
	var out []Line
	for text := range strings.Lines(string(stream)) {
		if text = strings.TrimRight(text, "\r\n"); text != "" {
			out = append(out, Line{Text: text})
		}
	}
	return out
}

// requestFile is the file of a scenario that holds the run's RunAgentInput, where the clause needs it.
const requestFile = "request.json"

// mark marks the event of the bad stream that the clause is blamed on, in the first profile that
// judges it. Where that takes more than the stream, as for limits, nothing is marked.
func (e *ClauseExplanation) mark(p *protocol, request []byte) {
	t := p.table
	profile := slices.IndexFunc(t.Profiles, func(p string) bool { i, _ := t.Profile(p); return e.Levels.In(i) != verifier.None })
	if profile < 0 {
		return
	}
	for _, o := range []Options{{}, {Request: request}, {StrictVersion: true}} {
		o.Profile = t.Profiles[profile]
		if p.revisions != nil {
			o.Revision = p.revisions[0]
		}
		at := e.blamed(p, o)
		switch {
		case at < 0:
			continue
		case at < len(e.Bad):
			e.Bad[at].Fault = true
		default:
			e.AtEnd = true
		}
		e.Request = o.Request
		return
	}
}

// blamed returns the index that the clause is blamed on, -1 without one.
func (e *ClauseExplanation) blamed(p *protocol, o Options) int {
	v, err := p.open(o)
	if err != nil {
		return -1
	}
	for _, l := range e.Bad {
		v.Observe([]byte(l.Text))
	}
	v.Finish()
	for _, f := range v.Report().Findings {
		if f.Clause == e.Name {
			return f.Index
		}
	}
	return -1
}
