package conformance

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestEveryClauseIsExplainedByAnExample(t *testing.T) {
	for _, p := range protocols {
		for _, code := range Codes(p.name()) {
			if r, _ := p.table.Rule(code); r.Protocol != "" {
				continue
			}
			all, err := Explain(p.name() + "/" + code)
			assert.NilError(t, err)
			assert.Equal(t, len(all), 1)
			for _, c := range all[0].Clauses {
				t.Run(p.name()+"/"+c.Name, func(t *testing.T) { isExplained(t, p, c) })
			}
		}
	}
}

func isExplained(t *testing.T, p *protocol, c ClauseExplanation) {
	if c.Title == "" || len(c.Good) == 0 {
		t.Errorf("scenarios/%s needs a file for %s with a title, bad.stream and good.stream", p.name(), c.Name)
	}
	one, err := Explain(strings.ToUpper(p.name() + "/" + c.Name))
	assert.NilError(t, err)
	assert.Equal(t, one[0].Clauses[0].Name, c.Name)
}

// The event at fault is marked; where the end of the stream is, none can be.
func TestTheEventAtFaultIsMarked(t *testing.T) {
	e, err := Explain("not-open/text")
	assert.NilError(t, err)
	bad := e[0].Clauses[0].Bad
	at := slices.IndexFunc(bad, func(l Line) bool { return l.Fault })
	assert.Assert(t, at > 0 && strings.Contains(bad[at].Text, "TEXT_MESSAGE_CONTENT"))
}
