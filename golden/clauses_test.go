package golden

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// clauseVector is one line of agui/clauses.jsonl: a tiny stream with what each profile finds in it,
// advice apart.
type clauseVector struct {
	ID     string            `json:"id"`
	Events []json.RawMessage `json:"events"`
	Expect map[string]expectation
}

type expectation struct {
	Verdict  string    `json:"verdict"`
	Code     string    `json:"code"`
	Index    int       `json:"index"`
	Findings []finding `json:"findings"`
}

type finding struct {
	Index    int    `json:"index"`
	Code     string `json:"code"`
	Severity string `json:"severity"`
}

// amended are vectors that contradict the specification, with what is expected instead.
var amended = map[string]map[string]expectation{
	// The stream's user message has toolCalls, which UserMessage does not describe: /spec/1.0/schema,
	// and unknown-property of the codes. The vectors were made without judging structure.
	"result/user-message-calls-do-not-count": {
		"producer": {Verdict: "reject", Code: "unknown-property", Index: 1, Findings: []finding{{1, "unknown-property", "error"}, {2, "unknown-id", "info"}}},
		"consumer": {Verdict: "accept", Findings: []finding{{1, "unknown-property", "warning"}}},
	},
}

func clauseVectors(t *testing.T) []clauseVector {
	t.Helper()
	f, err := os.Open("agui/clauses.jsonl")
	assert.NilError(t, err)
	defer f.Close()
	var vectors []clauseVector
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v clauseVector
		assert.NilError(t, json.Unmarshal(lines.Bytes(), &v))
		for profile, e := range amended[v.ID] {
			v.Expect[profile] = e
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func judge(t *testing.T, o agui.Options, events []json.RawMessage) verifier.Report {
	t.Helper()
	v, err := agui.New(o)
	assert.NilError(t, err)
	for _, e := range events {
		v.Observe(e)
	}
	v.Finish()
	return v.Report()
}

func TestClauseVectorsGiveTheirVerdictsAndFindings(t *testing.T) {
	vectors := clauseVectors(t)
	assert.Equal(t, len(vectors), 260)
	for _, v := range vectors {
		for _, profile := range agui.Rules().Profiles {
			want := v.Expect[profile]
			got := expected(judge(t, agui.Options{Profile: profile}, v.Events), false)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %s (-want +got):\n%s", v.ID, profile, diff)
			}
		}
	}
}

// expected puts a report in the vectors' words, with advice or without it.
func expected(r verifier.Report, advice bool) expectation {
	e := expectation{Verdict: r.Verdict.Outcome.String(), Code: r.Verdict.Code, Index: r.Verdict.Index, Findings: []finding{}}
	for _, f := range r.Findings {
		if rule, _ := agui.Rules().Rule(f.Code); advice || !rule.Advice {
			e.Findings = append(e.Findings, finding{f.Index, f.Code, f.Severity.String()})
		}
	}
	return e
}
