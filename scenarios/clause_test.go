package scenarios_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
)

// A clause is a row of a rule table, as scenarios see it. The zero value is that of a scenario which shows none.
type clause struct {
	protocol *protocol
	// of is the protocol that the rule belongs to: another one where the table has it from there.
	of     string
	id     verifier.ClauseID
	code   string
	name   string // CODE or CODE/NAME
	since  string
	levels verifier.Levels
}

// level returns the clause's severity in a profile.
func (c *clause) level(profile string) verifier.Severity {
	if c.protocol == nil {
		return verifier.None
	}
	column, ok := c.protocol.table.Profile(profile)
	if !ok {
		return verifier.None
	}
	return c.levels.In(column)
}

func (c *clause) judgedIn(profile string) bool { return c.level(profile) != verifier.None }

// isOwn tells whether the clause belongs to the protocol of its table: those that do not have their scenarios there.
func (c *clause) isOwn() bool { return c.of == c.protocol.name }

// clauses returns the table's clauses by what a scenario calls them: CODE or CODE/NAME, behind the protocol where that
// is another one.
func (p *protocol) clauses() map[string]clause {
	all := map[string]clause{}
	for i := range p.table.Rules {
		r := &p.table.Rules[i]
		for _, x := range r.Clauses {
			c := clause{protocol: p, of: p.table.Of(r), id: x.ID, code: r.Code, name: p.table.ClauseName(x.ID), since: r.Since, levels: p.table.ClauseLevels(x.ID)}
			if c.isOwn() {
				all[c.name] = c
			} else {
				all[c.of+"/"+c.name] = c
			}
		}
	}
	return all
}

// scripts returns the protocol's scenarios for verifiers by name, with the clause that each shows.
func (p *protocol) scripts() map[string]clause {
	shown, all := map[string]clause{}, p.clauses()
	if p.name == scenarios.AGUI {
		for name, c := range all {
			if !strings.Contains(name, "/") {
				name += "/" + name
			}
			shown[name] = c
		}
		return shown
	}
	for _, name := range scenarios.Of(p.name) {
		s, err := scenarios.ReadOf(p.name, name)
		if err != nil {
			panic(err) // it was listed
		}
		shown[name] = all[s.Shows()]
	}
	return shown
}

// names are those of the scenarios for verifiers, sorted.
func (p *protocol) names() []string { return slices.Sorted(maps.Keys(p.scripts())) }
