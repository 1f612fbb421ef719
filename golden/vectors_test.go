package golden

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
)

// A vector is one line of PROTOCOL/clauses.jsonl, in the form that conformance verdicts reads: a tiny
// stream that breaks a clause in a profile, or its near twin that does not.
type vector struct {
	ID, Profile string
	Events      [][]byte
	Expect      struct {
		Verdict, Code string
		Index         int
		Finding       *struct {
			Clause, Severity string
			Index            int
		}
	}
}

func vectorsOf(t *testing.T, protocol string) (vectors []vector) {
	t.Helper()
	data, err := os.ReadFile(protocol + "/clauses.jsonl")
	assert.NilError(t, err)
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		// Events may be no JSON: they are cut out by their brackets first.
		var v vector
		head, rest, ok := bytes.Cut(line, []byte(`,"events":`))
		assert.Assert(t, ok, "%s", line)
		end := scan.Skip(rest, 0)
		assert.NilError(t, json.Unmarshal(append(bytes.Clone(head), rest[end:]...), &v), "%s", line)
		for _, e := range scan.EachElement(rest[:end]) {
			v.Events = append(v.Events, e)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func judgeAs(t *testing.T, protocol, profile string, events [][]byte) verifier.Report {
	t.Helper()
	r, err := conformance.JudgeAll(events, conformance.Options{Protocol: protocol, Profile: profile})
	assert.NilError(t, err)
	return r
}

func TestVectorsOfClausesGiveTheirVerdictsAndFindings(t *testing.T) {
	for _, protocol := range []string{"assistant", "session"} {
		t.Run(protocol, func(t *testing.T) {
			shown := map[string]bool{} // clause and profile
			for _, v := range vectorsOf(t, protocol) {
				if v.holds(t, judgeAs(t, protocol, v.Profile, v.Events)) {
					shown[v.Expect.Finding.Clause+" in "+v.Profile] = true
				}
			}
			areShown(t, conformance.Rules(protocol), shown)
		})
	}
}

// holds compares a report with what the vector expects, and tells whether that is a finding.
func (v *vector) holds(t *testing.T, r verifier.Report) (shows bool) {
	t.Helper()
	want := verifier.Verdict{Code: v.Expect.Code, Index: v.Expect.Index}
	if v.Expect.Verdict == "reject" {
		want.Outcome = verifier.Reject
	}
	assert.Check(t, r.Verdict.String() == want.String(), "%s: %s, not %s: %v", v.ID, r.Verdict, want, r.Findings)
	if v.Expect.Finding == nil {
		clause := strings.ReplaceAll(v.ID[:strings.IndexByte(v.ID, '@')], ":", "/")
		assert.Check(t, !slices.ContainsFunc(r.Findings, func(f verifier.Violation) bool { return f.Clause == clause }), "%s: %v", v.ID, r.Findings)
		return false
	}
	at := slices.IndexFunc(r.Findings, func(f verifier.Violation) bool {
		return f.Clause == v.Expect.Finding.Clause && f.Index == v.Expect.Finding.Index && f.Severity.String() == v.Expect.Finding.Severity
	})
	assert.Check(t, at >= 0, "%s: %+v in %v", v.ID, *v.Expect.Finding, r.Findings)
	return true
}

// areShown wants each clause of a table shown in each profile that judges it, and in no other. Limits take
// more than a small stream, and rules of another protocol have their vectors there.
func areShown(t *testing.T, table *verifier.Table, shown map[string]bool) {
	t.Helper()
	for _, r := range table.Rules {
		if r.Protocol != "" || r.Limit {
			continue
		}
		for _, c := range r.Clauses {
			for i, profile := range table.Profiles {
				judged := table.ClauseLevels(c.ID).In(i) != verifier.None
				if key := table.ClauseName(c.ID) + " in " + profile; judged != shown[key] {
					t.Errorf("%s: judged %v, shown %v", key, judged, shown[key])
				}
			}
		}
	}
}
