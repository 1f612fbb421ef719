package fuzz

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// How a stream was written down and how it comes in changes nothing.

// fed judges a recording as the check command does.
func fed(t rapid.TB, x trial, r io.Reader, f wire.Format) verifier.Report {
	t.Helper()
	v, err := agui.New(x.options)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := wire.Feed(r, wire.Options{Format: f, EventBytes: x.options.Limits.EventBytes}, v); err != nil {
		t.Fatalf("%v", err)
	}
	return v.Report()
}

func read(t *rapid.T) {
	x := anyTrial().Draw(t, "trial")
	want := findings(t, x)
	// One after the other: the next must not change what the one before has made.
	data, format := recorded(t, x)
	data = enveloped(t, data)
	if got := outline(fed(t, x, pieces(t, data), format).Findings); !slices.Equal(want, got) {
		t.Logf("%s: %q", format, data)
		disagree(t, x, "event by event", want, "as a recording", got)
	}
}

func TestTheFormOfARecordingDoesNotCount(t *testing.T) { rapid.Check(t, read) }

func FuzzReading(f *testing.F) { fuzzDrawn(f, read) }

// recorded writes the stream in a form that can hold it.
func recorded(t *rapid.T, x trial) ([]byte, wire.Format) {
	var forms []wire.Format
	for f, ok := range map[wire.Format]bool{wire.NDJSON: isLines(x.events), wire.Array: isElements(x.events), wire.SSE: isFrames(x.events)} {
		if ok {
			forms = append(forms, f)
		}
	}
	if len(forms) == 0 {
		t.Skip("no form holds the stream")
	}
	slices.Sort(forms)
	form := rapid.SampledFrom(forms).Draw(t, "form")
	told := form
	if bare(x.events) && len(x.events) > 0 && x.options.Profile != "" && rapid.Bool().Draw(t, "sniffed") {
		told = wire.Auto
	}
	switch form {
	case wire.SSE:
		return noisy(t, sse(x.events)), told
	case wire.Array:
		return array(x.events), told
	}
	return []byte(ended(t, string(ndjson(x.events)), "\n", "\r\n")), told
}

// noisy puts in what the SSE grammar ignores, and ends lines in one of its ways.
func noisy(t *rapid.T, data []byte) []byte {
	noise := []string{": comment\n", "event: message\n", "id: 7\nretry: 10\n", "\n", "datum: x\n", "dat\n", "data\x00: x\n", ""}
	var b strings.Builder
	for frame := range strings.SplitAfterSeq(string(data), "\n\n") {
		b.WriteString(rapid.SampledFrom(noise).Draw(t, "noise"))
		b.WriteString(frame)
	}
	return []byte(ended(t, b.String(), "\n", "\r\n", "\r"))
}

func ended(t *rapid.T, text string, ends ...string) string {
	return strings.ReplaceAll(text, "\n", rapid.SampledFrom(ends).Draw(t, "line end"))
}

// enveloped puts around a recording what readers take off.
func enveloped(t *rapid.T, data []byte) []byte {
	const headers = "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 200\r\ncache-control: no-store,\r\n  no-cache\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n"
	around := map[string]func() []byte{
		"nothing": func() []byte { return data },
		"mark":    func() []byte { return append([]byte("\xef\xbb\xbf"), data...) },
		"headers": func() []byte { return append([]byte(headers), data...) },
		"gzip":    func() []byte { return zipped(data) },
		"packed body, packed again": func() []byte {
			return zipped(append([]byte(headers), zipped(data)...))
		},
	}
	return around[rapid.SampledFrom([]string{"nothing", "mark", "headers", "gzip", "packed body, packed again"}).Draw(t, "around")]()
}

// pieces reads data in some way.
func pieces(t *rapid.T, data []byte) io.Reader {
	r := bytes.NewReader(data)
	switch rapid.SampledFrom([]string{"whole", "bytes", "halves", "end with data", "end with bytes"}).Draw(t, "pieces") {
	case "bytes":
		return iotest.OneByteReader(r)
	case "halves":
		return iotest.HalfReader(r)
	case "end with data":
		return iotest.DataErrReader(r)
	case "end with bytes":
		return iotest.OneByteReader(iotest.DataErrReader(r))
	}
	return r
}

func TestFormatsAreToldByName(t *testing.T) {
	for _, f := range []wire.Format{wire.Auto, wire.NDJSON, wire.Array, wire.SSE} {
		if got, err := wire.ParseFormat(f.String()); got != f || err != nil {
			t.Errorf("%s reads as %s, %v", f, got, err)
		}
	}
	if _, err := wire.ParseFormat(wire.Format(9).String()); err == nil {
		t.Error("a format that there is not has a name")
	}
	for name, want := range map[string]wire.Format{"a.SSE": wire.SSE, "a.sse.gz": wire.SSE, "a.jsonl": wire.NDJSON, "b/a.ndjson": wire.NDJSON, "a.json": wire.Auto, "sse": wire.Auto} {
		if got := wire.FormatOf(name); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}
