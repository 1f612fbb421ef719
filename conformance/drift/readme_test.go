package drift

import (
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/conformance/drift/reader"
)

func TestTheReadmeNamesEveryKindAndEveryReader(t *testing.T) {
	text, err := os.ReadFile("README.md")
	assert.NilError(t, err)
	for _, k := range Kinds() {
		assert.Check(t, cmp.Contains(string(text), "`"+string(k.Kind)+"`"))
	}
	for _, r := range reader.All() {
		row := "| `" + r.Name + "` |"
		if r.Experimental {
			row = "| `" + r.Name + "` (experimental) |"
		}
		assert.Check(t, cmp.Contains(string(text), row))
		assert.Check(t, r.Optionality != "" && r.Language != "", r.Name)
	}
}

// The table of who is behind is what the reports say.
func TestTheReadmeCountsWhatTheReportsCount(t *testing.T) {
	text, err := os.ReadFile("README.md")
	assert.NilError(t, err)
	for _, line := range strings.Split(string(text), "\n") {
		_, link, ok := strings.Cut(line, "](packages/")
		if !ok || !strings.HasPrefix(line, "| ") {
			continue
		}
		name, _, _ := strings.Cut(link, ")")
		report, err := os.ReadFile("packages/" + name)
		assert.NilError(t, err)
		_, verdict, _ := strings.Cut(string(report), "\nDRIFT  ")
		count, _, _ := strings.Cut(verdict, " ")
		cells := strings.Split(line, " | ")
		assert.Equal(t, cells[1], count, name)
	}
}
