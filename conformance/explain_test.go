package conformance

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestEveryClauseIsExplainedByAnExample(t *testing.T) {
	for _, code := range Codes() {
		e, err := Explain(code)
		assert.NilError(t, err)
		for _, c := range e.Clauses {
			t.Run(c.Name, func(t *testing.T) {
				if c.Title == "" || len(c.Good) == 0 {
					t.Errorf("scenarios/agui needs a file for %s with a title, bad.stream and good.stream", c.Name)
				}
				one, err := Explain(strings.ToUpper("agui/" + c.Name))
				assert.NilError(t, err)
				assert.Equal(t, one.Clauses[0].Name, c.Name)
			})
		}
	}
}

// The event at fault is marked; where the end of the stream is, none can be.
func TestTheEventAtFaultIsMarked(t *testing.T) {
	e, err := Explain("not-open/text")
	assert.NilError(t, err)
	at := slices.IndexFunc(e.Clauses[0].Bad, func(l Line) bool { return l.Fault })
	assert.Assert(t, at > 0 && strings.Contains(e.Clauses[0].Bad[at].Text, "TEXT_MESSAGE_CONTENT"))
}
