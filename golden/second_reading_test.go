package golden

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier/agui"
)

// reading is one line of agui/second-reading.jsonl: a tricky stream with the findings that somebody
// worked out from the contract alone, without seeing a verifier, and the sentence that decides. What
// the contract leaves open is left out; model/spec/READINGS.md says how that is read.
type reading struct {
	ID       string                 `json:"id"`
	Events   []json.RawMessage      `json:"events"`
	Revision string                 `json:"revision"`
	Request  json.RawMessage        `json:"request"`
	Advice   bool                   `json:"advice"` // the findings include it
	Expect   map[string]expectation `json:"expect"`
	Why      string                 `json:"why"`
}

func TestASecondReadingOfTheContractIsMet(t *testing.T) {
	assert.Equal(t, checkReadings(t, "agui/second-reading.jsonl"), 594)
}

// Each of these streams is judged otherwise once a condition of the verifier is bent, and was not
// shown by any other test. Verifier and executable specification agree on all of them.
func TestStreamsAtTheEdgesOfRulesGiveTheirFindings(t *testing.T) {
	assert.Equal(t, checkReadings(t, "agui/edges.jsonl"), 159)
}

func checkReadings(t *testing.T, path string) (n int) {
	t.Helper()
	f, err := os.Open(path)
	assert.NilError(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var r reading
		assert.NilError(t, json.Unmarshal(lines.Bytes(), &r))
		for profile, want := range r.Expect {
			o := agui.Options{Profile: profile, Revision: r.Revision, Request: r.Request}
			got := expected(judge(t, o, r.Events), r.Advice)
			bySort(got.Findings)
			bySort(want.Findings)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in %s: %s (-want +got):\n%s", r.ID, profile, r.Why, diff)
			}
		}
	}
	return n
}

// bySort orders findings so that the order on one event does not count: it has tests of its own.
func bySort(f []finding) {
	slices.SortFunc(f, func(a, b finding) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return slices.Compare([]byte(a.Code), []byte(b.Code))
	})
}
