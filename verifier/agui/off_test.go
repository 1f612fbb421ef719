package agui_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// A clause that is switched off leaves states that the rules would not: nothing may rely on them.
func TestAnyClauseCanBeSwitchedOff(t *testing.T) {
	f, err := os.Open("../../golden/agui/clauses.jsonl")
	assert.NilError(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v struct{ Events []json.RawMessage }
		assert.NilError(t, json.Unmarshal(lines.Bytes(), &v))
		v.Events = append(v.Events, v.Events...) // once more behind the end, where everything is out of place
		for off := range clauses() {
			judgeWithout(t, off, v.Events)
		}
	}
}

func clauses() (n verifier.ClauseID) {
	for _, r := range agui.Rules().Rules {
		n += verifier.ClauseID(len(r.Clauses))
	}
	return n
}

func judgeWithout(t *testing.T, off verifier.ClauseID, events []json.RawMessage) {
	t.Helper()
	o := agui.Options{Dump: true}
	o.Off.Set(off)
	v, err := agui.New(o)
	assert.NilError(t, err)
	for _, e := range events {
		for _, x := range v.Observe(e) {
			assert.Assert(t, x.Clause != agui.Rules().ClauseName(off))
		}
	}
	v.Finish()
}
