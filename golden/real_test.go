package golden

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/report"
)

// realFolder holds what real producers sent, as bytes: a folder each, and each recording with the report that it must give.
const realFolder = "agui/real"

func TestRealRecordingsGiveTheirReports(t *testing.T) {
	want := map[string]bool{}
	for _, p := range producers(t) {
		for _, c := range p.cases {
			text, object := reports(t, c)
			for suffix, got := range map[string][]byte{".report.txt": text, ".report.json": object} {
				path := p.folder + "/" + c.name + suffix
				want[path] = true
				checkGolden(t, path, got)
			}
		}
	}
	assert.Assert(t, len(want) >= 200, "only %d reports", len(want))
	deleteStale(t, realFolder+"/*/*.report.*", want)
}

// reports writes what a recording came to as the check command does, with both writers.
func reports(t *testing.T, c recorded) (text, object []byte) {
	t.Helper()
	var asJSON bytes.Buffer
	program := report.NewJSON(&asJSON)
	text = printed(t, []*conformance.Stream{c.stream}, program.Stream)
	assert.NilError(t, program.End(nil))
	return text, withoutTool(t, asJSON.Bytes())
}

// withoutTool takes the tool's own version out, which changes from build to build.
func withoutTool(t *testing.T, object []byte) []byte {
	t.Helper()
	var all map[string]any
	assert.NilError(t, json.Unmarshal(object, &all))
	delete(all, "tool")
	out, err := conformance.MarshalIndent(all)
	assert.NilError(t, err)
	return append(bytes.TrimRight(out, "\n"), '\n')
}

// updating is set by the one switch that refreshes every golden of the tree.
func updating() bool { return os.Getenv("CONFORMANCE_UPDATE") != "" }

func checkGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if updating() {
		assert.NilError(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v; CONFORMANCE_UPDATE=1 go test ./golden makes it", err)
		return
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what is reported now (-golden +now); CONFORMANCE_UPDATE=1 go test ./golden refreshes it:\n%s", path, diff)
	}
}

// deleteStale deletes the goldens of a pattern that nothing makes any more.
func deleteStale(t *testing.T, pattern string, want map[string]bool) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	assert.NilError(t, err)
	for _, path := range paths {
		switch {
		case want[filepath.ToSlash(path)]:
		case updating():
			assert.NilError(t, os.Remove(path))
		default:
			t.Errorf("%s is the report of no recording; CONFORMANCE_UPDATE=1 go test ./golden deletes it", path)
		}
	}
}

// printed returns what the check command prints of judged streams; other writers may see each one too.
func printed(t *testing.T, streams []*conformance.Stream, others ...func(*conformance.Stream) error) []byte {
	t.Helper()
	var b bytes.Buffer
	text := report.NewText(&b, report.TextOptions{})
	var sum conformance.Tally
	for _, s := range streams {
		sum.Add(s)
		assert.NilError(t, text.Stream(s))
		for _, write := range others {
			assert.NilError(t, write(s))
		}
	}
	assert.NilError(t, text.End(&sum))
	return b.Bytes()
}

// judged judges recordings as the check command does.
func judged(t *testing.T, sources []conformance.Source, o conformance.CheckOptions) []*conformance.Stream {
	t.Helper()
	streams, err := conformance.Check(sources, o)
	assert.NilError(t, err)
	return slices.Collect(streams)
}
