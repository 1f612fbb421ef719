package fuzz

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
	"pgregory.net/rapid"
)

// disagree fails with the stream, the two opinions, and the command that shows the verifier's.
func disagree(t rapid.TB, x trial, one string, first []finding, other string, second []finding) {
	t.Helper()
	t.Fatalf("%s\n(-%s +%s)\n%s\nreplay: %s", x, one, other, cmp.Diff(first, second), replay(x))
}

// shrink takes events out while the trial still fails.
func shrink(x trial, fails func(trial) bool) trial {
	for again := true; again; {
		again = false
		for i := 0; i < len(x.events); i++ {
			if less := x.with(without(x.events, i)); fails(less) {
				x, again = less, true
				i--
			}
		}
	}
	return x
}

func without(events [][]byte, i int) [][]byte {
	return append(append([][]byte{}, events[:i]...), events[i+1:]...)
}

// replay is the command, for bash in the repository's root, that lets the verifier judge the trial.
func replay(x trial) string {
	var b strings.Builder
	record, input := ndjson, "ndjson"
	if !isLines(x.events) {
		record, input = sse, "sse"
	}
	fmt.Fprintf(&b, "printf %%s %s | go run ./cmd/conformance check --input %s --profile %s", quote(record(x.events)), input, x.options.Profile)
	if x.options.Revision != "" {
		fmt.Fprintf(&b, " --revision %s", x.options.Revision)
	}
	if x.options.StrictVersion {
		b.WriteString(" --strict-version")
	}
	if x.options.Request != nil {
		fmt.Fprintf(&b, " --request <(printf %%s %s)", quote(x.options.Request))
	}
	b.WriteString(" -")
	return b.String()
}

// quote writes bytes as one word of bash.
func quote(data []byte) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range data {
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

func TestTheReplayCommandShowsTheFindings(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the command is for bash: ", err)
	}
	x := newMaker(3).trial([][]byte{[]byte(`{"type":"RUN_STARTED","threadId":"t'","runId":"r2"}`), nil, []byte("{\"type\":\"RAW\",\n\"event\":\"\\\\ é\xff\"}")})
	x.options.Profile, x.options.Revision, x.options.StrictVersion, x.options.Request = "producer", "1.0", true, []byte(requests[1])
	command := exec.Command(bash, "-c", strings.Replace(replay(x), " -", " --format json -", 1))
	command.Dir = ".."
	out, _ := command.Output() // the exit code says that there are findings
	for _, f := range findings(t, x) {
		assert.Assert(t, bytes.Contains(out, fmt.Appendf(nil, `"code":%q`, f.Code)) || bytes.Contains(out, fmt.Appendf(nil, `"code": %q`, f.Code)), "%v is not in %s", f, out)
	}
}
