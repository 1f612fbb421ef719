package golden

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/report"
	"github.com/agentstream/conformance/verifier/agui"
)

// realFolder holds what real producers sent, as bytes, each with the report that it must give.
const realFolder = "agui/real"

// declared are producers from before 1.0: they are judged by what each run declares.
var declared = []string{"ag-ui-go-sdk-"}

func TestRealRecordingsGiveTheirReports(t *testing.T) {
	entries, err := os.ReadDir(realFolder)
	assert.NilError(t, err)
	want := map[string]bool{}
	for _, e := range entries {
		if strings.Contains(e.Name(), ".report.") {
			continue
		}
		path := filepath.ToSlash(filepath.Join(realFolder, e.Name()))
		text, object := reports(t, path, e.Name())
		for suffix, got := range map[string][]byte{".report.txt": text, ".report.json": object} {
			want[e.Name()+suffix] = true
			checkGolden(t, path+suffix, got)
		}
	}
	assert.Assert(t, len(want) >= 20, "only %d reports", len(want))
	for _, e := range entries {
		if strings.Contains(e.Name(), ".report.") && !want[e.Name()] {
			stale(t, filepath.Join(realFolder, e.Name()))
		}
	}
}

// reports judges a recording as the check command does, with both writers.
func reports(t *testing.T, path, name string) (text, object []byte) {
	t.Helper()
	o := conformance.CheckOptions{Evidence: true, Workers: 1}
	if slices.ContainsFunc(declared, func(p string) bool { return strings.HasPrefix(name, p) }) {
		o.Revision = agui.RevisionAuto
	}
	sources, problems := conformance.Find([]string{path}, nil, "auto")
	assert.Equal(t, len(problems), 0)
	var asJSON bytes.Buffer
	program := report.NewJSON(&asJSON, o.Options)
	text = printed(t, sources, o, program.Stream)
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

// stale deletes a golden that nothing makes any more.
func stale(t *testing.T, path string) {
	t.Helper()
	if updating() {
		assert.NilError(t, os.Remove(path))
		return
	}
	t.Errorf("%s is the report of no recording; CONFORMANCE_UPDATE=1 go test ./golden deletes it", path)
}

// printed judges recordings and returns what the check command prints; other writers may see each
// stream too.
func printed(t *testing.T, sources []conformance.Source, o conformance.CheckOptions, others ...func(*conformance.Stream) error) []byte {
	t.Helper()
	streams, err := conformance.Check(sources, o)
	assert.NilError(t, err)
	var b bytes.Buffer
	text := report.NewText(&b, report.TextOptions{Rules: conformance.Rules()})
	var sum conformance.Tally
	for s := range streams {
		sum.Add(s)
		assert.NilError(t, text.Stream(s))
		for _, write := range others {
			assert.NilError(t, write(s))
		}
	}
	assert.NilError(t, text.End(&sum))
	return b.Bytes()
}
