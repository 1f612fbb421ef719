package scenarios_test

import (
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// A clause is a row of the rule table, as scenarios see it.
type clause struct {
	id     verifier.ClauseID
	code   string
	name   string // CODE or CODE/NAME
	since  string
	levels verifier.Levels
}

// scenario is the name of the file that shows the clause.
func (c *clause) scenario() string {
	if strings.Contains(c.name, "/") {
		return c.name
	}
	return c.name + "/" + c.name
}

// level returns the clause's severity in a profile.
func (c *clause) level(profile string) verifier.Severity {
	column, ok := agui.Rules().Profile(profile)
	if !ok {
		return verifier.None
	}
	return c.levels.In(column)
}

func (c *clause) judgedIn(profile string) bool { return c.level(profile) != verifier.None }

// clauses returns the rule table's clauses by the name of their scenario.
func clauses() map[string]clause {
	table, all := agui.Rules(), map[string]clause{}
	for _, r := range table.Rules {
		for _, x := range r.Clauses {
			c := clause{id: x.ID, code: r.Code, name: table.ClauseName(x.ID), since: r.Since, levels: table.ClauseLevels(x.ID)}
			all[c.scenario()] = c
		}
	}
	return all
}
