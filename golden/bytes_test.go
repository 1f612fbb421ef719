package golden

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
)

const bytesFolder = "agui/bytes"

// hostile is one file of agui/bytes: header lines, a line of ---, and the bytes of a recording.
type hostile struct {
	fault, input, verdict string
	content               []byte
}

func readHostile(t *testing.T, path string) hostile {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	head, content, found := bytes.Cut(data, []byte("\n---\n"))
	assert.Assert(t, found, "no line of ---")
	h := hostile{content: content}
	for line := range strings.Lines(string(head)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		field := map[string]*string{"fault": &h.fault, "input": &h.input, "verdict": &h.verdict}[name]
		assert.Assert(t, field != nil && *field == "" && value != "", "header line %q", line)
		*field = value
	}
	return h
}

// ways are the ways in which a recording comes in.
var ways = map[string]func(t *testing.T, h hostile) []conformance.Source{
	"file": func(t *testing.T, h hostile) []conformance.Source { return h.file(t, "recording", h.content) },
	"gzip": func(t *testing.T, h hostile) []conformance.Source {
		return h.file(t, "recording.gz", zipped(t, h.content))
	},
	"standard input": func(t *testing.T, h hostile) []conformance.Source { return h.stdin(t, bytes.NewReader(h.content)) },
	"one byte at a time": func(t *testing.T, h hostile) []conformance.Source {
		return h.stdin(t, iotest.OneByteReader(bytes.NewReader(h.content)))
	},
}

func (h hostile) file(t *testing.T, name string, content []byte) []conformance.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	assert.NilError(t, os.WriteFile(path, content, 0o644))
	return h.found(t, path, nil)
}

func (h hostile) stdin(t *testing.T, r io.Reader) []conformance.Source {
	t.Helper()
	return h.found(t, conformance.Stdin, r)
}

func (h hostile) found(t *testing.T, path string, r io.Reader) []conformance.Source {
	t.Helper()
	sources, problems := conformance.Find([]string{path}, r, h.input)
	assert.Equal(t, len(problems), 0)
	sources[0].Name = "recording"
	return sources
}

func zipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(content)
	assert.NilError(t, err)
	assert.NilError(t, w.Close())
	return b.Bytes()
}

func TestHostileBytesGiveTheSameReportInEachWay(t *testing.T) {
	files, err := filepath.Glob(bytesFolder + "/*.bytes")
	assert.NilError(t, err)
	assert.Assert(t, len(files) >= 80, "only %d files", len(files))
	want := map[string]bool{}
	for _, path := range files {
		want[reportOf(path)] = true
		t.Run(strings.TrimSuffix(filepath.Base(path), ".bytes"), func(t *testing.T) {
			h := readHostile(t, path)
			first := ""
			for name, way := range ways {
				streams := judged(t, way(t, h), conformance.CheckOptions{Evidence: true, Workers: 1})
				assert.Equal(t, streams[0].Report.Verdict.String(), h.verdict, "%s: %s", name, h.fault)
				text := string(printed(t, streams))
				if first == "" {
					first = text
				}
				assert.Equal(t, cmp.Diff(first, text), "", name)
			}
			checkGolden(t, reportOf(path), []byte(first))
		})
	}
	deleteStale(t, bytesFolder+"/*.report.txt", want)
}

func reportOf(path string) string { return strings.TrimSuffix(path, ".bytes") + ".report.txt" }
