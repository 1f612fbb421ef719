package spec

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recordings are the recorded sessions in the folder that CONFORMANCE_CAPTURES names. Without it the
// test is skipped, and with it they must be there.
func recordings(t *testing.T) []string {
	t.Helper()
	root := os.Getenv("CONFORMANCE_CAPTURES")
	if root == "" {
		t.Skip("CONFORMANCE_CAPTURES names no folder of recorded streams")
	}
	var all []string
	for _, kind := range []string{"agent-", "json-", "rpc-"} {
		files, err := filepath.Glob(filepath.Join(root, "pi", kind+"*.jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no recording %s* in %s: %v", kind, root, err)
		}
		all = append(all, files...)
	}
	return all
}

func lines(t *testing.T, path string) [][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out [][]byte
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		out = append(out, bytes.Clone(in.Bytes()))
	}
	if in.Err() != nil {
		t.Fatal(in.Err())
	}
	return out
}

func profileOf(name string) string {
	switch {
	case strings.Contains(name, "-0.73"):
		return "pi-0.73"
	case strings.Contains(name, "-0.80"):
		return "pi-0.80"
	}
	return "pi-1.x"
}

func show(fs []Finding) string {
	var b strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&b, "%s at %d %s\n", f.Code, f.Index, f.Severity)
	}
	return b.String()
}

// What the recordings show: the faults of their releases, clients that misbehave, processes that were
// stopped in a run. All others have no finding.
var recorded = map[string]string{
	"rpc-0.73.1-eof-mid-run.duplex":           "truncated at 9 warning\n",
	"rpc-0.80.10-eof-mid-run.duplex":          "truncated at 9 warning\n",
	"rpc-0.80.10-sigterm-mid-run.duplex":      "truncated at 9 warning\n",
	"rpc-0.80.10-ui-gate-exit-pending.duplex": "truncated at 14 warning\n",
	"rpc-1.6.0-ui-gate-exit-pending.duplex":   "truncated at 18 warning\n",
	"rpc-0.73.1-errors-and-framing.duplex":    "response-unknown at 15 error\nresponse-missing at 43 warning\n",
	"rpc-0.73.1-new-session-mid-run.duplex":   "run-cut at 9 error\n",
	"rpc-0.80.10-new-session-mid-run.duplex":  "run-cut at 9 error\n",
	"rpc-0.80.10-ui-gate-deny.duplex":         "ui-answer at 14 warning\nui-answer at 15 warning\n",
	"rpc-1.6.0-x-concurrent-dialogs.duplex":   "ui-answer at 4 warning\nui-answer at 5 warning\n",
	"rpc-1.6.0-x-dupids.duplex":               "duplicate-tool-id at 15 error\n",
	"rpc-1.6.0-x-patchend.duplex":             "final-content at 12 warning\n",
	"rpc-1.6.0-x-two-prompts-race.duplex":     "settled-in-run at 5 error\n",
}

func TestRecordingsHaveTheFindingsThatAreKnown(t *testing.T) {
	for _, path := range recordings(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		o := Judge(lines(t, path), Options{Profile: profileOf(name)})
		if diff := cmp.Diff(recorded[name], show(o.Findings)); diff != "" {
			t.Errorf("%s (%s): %s", name, o.Class, diff)
		}
	}
}
