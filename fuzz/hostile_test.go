package fuzz

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// Bytes that nobody would call a recording: reading and judging them ends without a panic, and comes to the
// same however reads are cut.

// crumbs are what a reader has to tell apart.
var crumbs = []string{
	"[", "]", "{", "}", ",", `"`, `\`, ":", "\n", "\r", "\r\n", "\n\n", " ", "\t", "data", "data:", "data: ", "event: x\n", ": c\n", "x", "\x00", "\xff",
	`{"type":"RAW","event":1}`, `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`, `{"a":[1,{}],"type":"RAW"}`, `{"type":1}`, "[]", "[[1]\n", "1", `"s"`, "null",
	"HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\n\n", "Content-Type: text/event-stream\r\n", "content-type: application/x-ndjson; a=b\n", "content-type: application/json\n", "\xef\xbb\xbf",
	"\x1f\x8b\x08", string(zipped(nil)), string(zipped([]byte("{}\n{"))), string(zipped([]byte("HTTP/1.1 200 OK\n\n[{}]")))[:20],
	strings.Repeat("x", 5000), strings.Repeat("[", 5000), strings.Repeat(" ", 3000), "data: " + strings.Repeat("y", 300) + "\n",
}

func anyBytes() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
			return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		}
		return []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(crumbs), 0, 12).Draw(t, "crumbs"), ""))
	})
}

func hostile(t *rapid.T) {
	in := anyBytes().Draw(t, "content")
	how, format := rapid.Byte().Draw(t, "how"), rapid.Byte().Draw(t, "format")
	checkedAlike(t, in, how, format)
	told := []bool{isStream(t, bytes.NewReader(in)), isStream(t, iotest.OneByteReader(bytes.NewReader(in)))}
	if told[0] != told[1] {
		t.Fatalf("%q is a stream: %v, and read byte by byte: %v", in, told[0], told[1])
	}
}

func TestAnyBytesAreJudgedAlikeInAnyPieces(t *testing.T) { rapid.Check(t, hostile) }

func FuzzHostile(f *testing.F) { fuzzDrawn(f, hostile) }

func isStream(t rapid.TB, r io.Reader) bool {
	t.Helper()
	ok, err := wire.IsStream(r)
	if ok && err != nil {
		t.Fatalf("a stream, and %v", err)
	}
	return ok
}

// checkedAlike judges bytes under limits that they do reach, read in several ways.
func checkedAlike(t rapid.TB, in []byte, how, format byte) {
	t.Helper()
	x := trial{}
	x.options.Profile = agui.Rules().Profiles[how%4]
	x.options.Revision = agui.Revisions()[int(how/4)%3]
	x.options.Limits = verifier.Limits{EventBytes: 2 << 10, Depth: 32, Open: 20, IDBytes: 32 << 10, DocumentBytes: 4 << 10, Findings: 20}
	want := checked(t, x, bytes.NewReader(in), format)
	for _, r := range []io.Reader{iotest.OneByteReader(bytes.NewReader(in)), iotest.DataErrReader(bytes.NewReader(in))} {
		if got := checked(t, x, r, format); !slices.Equal(want, got) {
			t.Fatalf("%q: (-whole +cut)\n%s", in, cmp.Diff(want, got))
		}
	}
}

// checked are the findings on a recording, with the error that reading it ended with as one more.
func checked(t rapid.TB, x trial, r io.Reader, format byte) []finding {
	t.Helper()
	v, err := agui.New(x.options)
	if err != nil {
		t.Fatalf("%v", err)
	}
	err = wire.Feed(r, wire.Options{Format: wire.Format(format % 4), EventBytes: x.options.Limits.EventBytes}, v)
	report := v.Report()
	if len(report.Findings) > x.options.Limits.Findings || report.Verdict != v.Verdict() {
		t.Fatalf("%+v", report)
	}
	all := outline(report.Findings)
	if err != nil {
		all = append(all, finding{Code: err.Error()})
	}
	return all
}

var errLost = errors.New("the connection was lost")

// lost holds that an error of reading is told, and that what came before it was judged as always.
func lost(t *rapid.T) {
	x := anyTrial().Draw(t, "trial")
	if !isLines(x.events) {
		return
	}
	data := ndjson(x.events)
	cut := rapid.IntRange(0, len(data)).Draw(t, "cut")
	v, err := agui.New(x.options)
	if err != nil {
		t.Fatalf("%v", err)
	}
	err = wire.Feed(io.MultiReader(bytes.NewReader(data[:cut]), iotest.ErrReader(errLost)), wire.Options{Format: wire.NDJSON}, v)
	if !errors.Is(err, errLost) {
		t.Fatalf("got %v", err)
	}
	whole := min(bytes.Count(data[:cut], []byte("\n")), len(x.events))
	want, _ := agui.New(x.options) // as above
	for _, e := range x.events[:whole] {
		want.Observe(e)
	}
	if a, b := outline(want.Report().Findings), outline(v.Report().Findings); !slices.Equal(a, b) {
		disagree(t, x, "given", a, "read until the error", b)
	}
}

func TestALostConnectionLosesNothingThatCameBefore(t *testing.T) { rapid.Check(t, lost) }

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, o := range map[string]agui.Options{
		"profile":  {Profile: "observer"},
		"revision": {Revision: "2"},
		"bytes":    {Limits: verifier.Limits{EventBytes: 1 << 40}},
		"depth":    {Limits: verifier.Limits{Depth: 1 << 20}},
		"request":  {Request: []byte("[]")},
		"no JSON":  {Request: []byte("{")},
	} {
		if _, err := agui.New(o); err == nil {
			t.Errorf("%s: %+v is taken", name, o)
		}
	}
}
