package golden

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// The specification's own consumer corpus is no part of this repository. CONFORMANCE_UPSTREAM names
// the folder that has it, with the producer's verdict of each stream in its INDEX.md.

// corpusRow is one row of the index's table.
type corpusRow struct {
	name, snapshot, verdict, outcome string
	index                            int // of reject and tolerated
	doubt                            bool
}

var rowVerdict = regexp.MustCompile(`^(accept|reject|tolerated)(?: (?:EOF\()?(\d+)\)?)?$`)

func corpus(t *testing.T) (folder string, rows []corpusRow) {
	folder = os.Getenv("CONFORMANCE_UPSTREAM")
	if folder == "" {
		t.Skip("CONFORMANCE_UPSTREAM does not name the folder of the specification's corpus")
	}
	index, err := os.ReadFile(filepath.Join(folder, "INDEX.md"))
	assert.NilError(t, err, "CONFORMANCE_UPSTREAM has to name a folder with an INDEX.md")
	for line := range strings.Lines(string(index)) {
		cells := strings.Split(line, "|")
		if len(cells) < 9 {
			continue
		}
		m := rowVerdict.FindStringSubmatch(strings.TrimSpace(cells[4]))
		if m == nil {
			continue
		}
		at, _ := strconv.Atoi(m[2])
		rows = append(rows, corpusRow{
			name: strings.TrimSpace(cells[1]), snapshot: strings.TrimSpace(cells[2]), verdict: m[1],
			outcome: strings.TrimSpace(cells[5]), index: at, doubt: strings.Contains(line, "DOUBT"),
		})
	}
	assert.Equal(t, len(rows), 77)
	return folder, rows
}

func TestUpstreamCorpusGivesItsVerdicts(t *testing.T) {
	folder, rows := corpus(t)
	for _, row := range rows {
		data, err := os.ReadFile(filepath.Join(folder, row.name+".json"))
		assert.NilError(t, err)
		var fixture struct {
			Stream []json.RawMessage `json:"stream"`
			Expect struct {
				Outcome string `json:"outcome"`
			} `json:"expect"`
		}
		assert.NilError(t, json.Unmarshal(data, &fixture))
		t.Run("producer/"+row.name, func(t *testing.T) {
			checkProducer(t, row, judge(t, agui.Options{}, fixture.Stream))
		})
		t.Run("consumer/"+row.name, func(t *testing.T) {
			checkConsumer(t, row, fixture.Expect.Outcome, judge(t, agui.Options{Profile: agui.Consumer}, fixture.Stream))
		})
	}
}

func checkProducer(t *testing.T, row corpusRow, r verifier.Report) {
	switch row.verdict {
	case "reject":
		assert.Equal(t, r.Verdict.Outcome, verifier.Reject)
		assert.Equal(t, r.Verdict.Index, row.index, "%v", r.Findings)
	case "accept":
		if !row.doubt {
			assert.Equal(t, r.Verdict.Outcome, verifier.Accept, "%v", r.Findings)
		}
	case "tolerated":
		for _, f := range r.Findings {
			if f.Index == row.index && f.Severity >= verifier.Warning {
				return
			}
		}
		assert.Assert(t, row.doubt, "nothing at %d: %v", row.index, r.Findings)
	}
}

// checkConsumer: an error exactly where the fixture expects the run to fail. Left out are the fixture
// that pins an admitted gap of the first client, and the five of the draft behind 1.0.
func checkConsumer(t *testing.T, row corpusRow, outcome string, r verifier.Report) {
	if row.name == "truncated-run-reported-as-completed" || strings.HasPrefix(row.snapshot, "draft@") {
		return
	}
	assert.Equal(t, r.Verdict.Outcome == verifier.Reject, outcome == "failed", "%v", r.Findings)
	if outcome == "failed" {
		assert.Equal(t, r.Verdict.Index, row.index)
	}
}
