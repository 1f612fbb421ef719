package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
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

// Explain returns what is known of a code. It takes CODE, CODE/CLAUSE and either behind the
// protocol, agui/CODE; case does not count. For what there is not, the error names the nearest.
func Explain(name string) (*Explanation, error) {
	table := agui.Rules()
	rule, clauses, err := named(table, name)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Table: table, Rule: rule}
	for _, c := range clauses {
		e.Clauses = append(e.Clauses, explainClause(table, rule, c))
	}
	return e, nil
}

// ValidateCode says that there is no such CODE or CODE/CLAUSE, where there is none.
func ValidateCode(name string) error {
	_, _, err := named(agui.Rules(), name)
	return err
}

// named returns the rule and the clauses of it that a code, with or without a clause, names.
func named(table *verifier.Table, name string) (*verifier.Rule, []verifier.Clause, error) {
	wanted := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), table.Protocol+"/")
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
	if near := verifier.Nearest(code, Codes()); near != "" {
		hint = fmt.Sprintf("did you mean %s? ", near)
	}
	return fmt.Errorf("there is no rule %q; %sconformance rules lists them all", verifier.Shown(name), hint)
}

// Codes are the names of all rules, in order of precedence.
func Codes() []string {
	var codes []string
	for _, r := range agui.Rules().Rules {
		codes = append(codes, r.Code)
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

func explainClause(t *verifier.Table, r *verifier.Rule, c verifier.Clause) ClauseExplanation {
	e := ClauseExplanation{Name: t.ClauseName(c.ID), Short: cmp.Or(c.Name, r.Code), Levels: t.ClauseLevels(c.ID), Leaves: r.Leaves}
	if c.Leaves != nil {
		e.Leaves = *c.Leaves
	}
	s, err := scenarios.Read(e.Name)
	if err != nil {
		return e // a test wants an example for every clause
	}
	e.Title, e.Bad, e.Good = s.Title(), lines(s.Bad()), lines(s.Good())
	request, _ := s.File(requestFile)
	e.mark(t, request)
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
func (e *ClauseExplanation) mark(t *verifier.Table, request []byte) {
	profile := slices.IndexFunc(t.Profiles, func(p string) bool { i, _ := t.Profile(p); return e.Levels.In(i) != verifier.None })
	if profile < 0 {
		return
	}
	for _, o := range []Options{{}, {Request: request}, {StrictVersion: true}} {
		o.Profile, o.Revision = t.Profiles[profile], agui.Revision1
		at := e.blamed(o)
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
func (e *ClauseExplanation) blamed(o Options) int {
	v, err := agui.New(o)
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
