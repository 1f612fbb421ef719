package fuzz

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// Targets whose input are the bytes themselves. Their seeds are the scenarios and goldens.

// most is how many bytes are looked at: reading byte by byte and the specification take their time.
const most = 16 << 10

// FuzzSSE holds the reader of captures to a plain reading of the grammar.
func FuzzSSE(f *testing.F) {
	for _, r := range recordings(f) {
		f.Add(r)
	}
	for _, s := range some(streams(f)) {
		f.Add(sse(bytes.Split(bytes.TrimSpace(s), []byte("\n"))))
	}
	for _, odd := range []string{"data", "data\n\n", "data:\rdata:\r\n\ndata: x", ": c\ndata:a\nevent:b\n\n\n", "\ndata:\n\x00"} {
		f.Add([]byte(odd))
	}
	f.Fuzz(func(t *testing.T, in []byte) { readAs(t, wire.SSE, in, plainSSE) })
}

// FuzzNDJSON holds the reader of lines to a plain reading of them.
func FuzzNDJSON(f *testing.F) {
	for _, s := range slices.Concat(recordings(f), some(streams(f))) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in []byte) { readAs(t, wire.NDJSON, in, plainLines) })
}

// readAs holds that a reader gives the frames that a plain reading has, in order of their places, however
// reads are cut.
func readAs(t *testing.T, format wire.Format, in []byte, plain func([]byte) []string) {
	if len(in) > most || wrapped(in) {
		return
	}
	want := plain(in)
	for name, r := range map[string]io.Reader{
		"whole": bytes.NewReader(in), "bytes": iotest.OneByteReader(bytes.NewReader(in)),
		"halves": iotest.HalfReader(bytes.NewReader(in)), "end with data": iotest.DataErrReader(bytes.NewReader(in)),
	} {
		got := framesOf(t, wire.NewReader(r, wire.Options{Format: format}))
		if !slices.Equal(want, got) {
			t.Fatalf("%q read as %s by %s: (-plain +read)\n%s", in, format, name, cmp.Diff(want, got))
		}
	}
}

// wrapped tells whether a reader takes something off in front.
func wrapped(in []byte) bool {
	return slices.ContainsFunc([]string{"\x1f\x8b\x08", "\xef\xbb\xbf", "HTTP/"}, func(p string) bool { return bytes.HasPrefix(in, []byte(p)) })
}

func framesOf(t *testing.T, r *wire.Reader) (all []string) {
	for offset, line := int64(-1), 1; ; {
		f, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.Offset < offset || f.Line < line || f.Over {
			t.Fatalf("frame %d %q stands at %d:%d, before its predecessor", len(all), f.Data, f.Line, f.Offset)
		}
		offset, line = f.Offset, f.Line
		all = append(all, string(f.Data))
	}
}

func plainLines(in []byte) (all []string) {
	for line := range bytes.SplitSeq(in, []byte("\n")) {
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 {
			all = append(all, string(line))
		}
	}
	return all
}

// plainSSE makes a frame of all data lines before a blank line or the end.
func plainSSE(in []byte) (all []string) {
	in = bytes.ReplaceAll(in, []byte("\r\n"), []byte("\n"))
	in = bytes.ReplaceAll(in, []byte("\r"), []byte("\n"))
	var data []string
	for line := range bytes.SplitSeq(append(in, "\n\n"...), []byte("\n")) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case len(line) == 0 && data != nil:
			all, data = append(all, join(data)), nil
		case string(name) == "data":
			data = append(data, string(bytes.TrimPrefix(value, []byte(" "))))
		}
	}
	return all
}

func join(lines []string) string {
	joined := lines[0]
	for _, l := range lines[1:] {
		joined += "\n" + l
	}
	return joined
}

// FuzzStructure sets the verifier against the specification on one event's bytes.
func FuzzStructure(f *testing.F) {
	for _, e := range events(f) {
		f.Add(e)
	}
	f.Fuzz(func(t *testing.T, e []byte) {
		if len(e) > most || deep(e) {
			return
		}
		for _, revision := range []string{agui.Revision1, agui.Revision0, agui.RevisionAuto} {
			for _, profile := range agui.Rules().Profiles {
				o := agui.Options{Profile: profile, Revision: revision}
				compare(t, trial{[][]byte{e}, o})
				compare(t, trial{[][]byte{[]byte(`{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}`), e}, o})
			}
		}
	})
}

// deep tells whether bytes may nest deeper than the kit reads by default: the specification has no limits.
func deep(in []byte) bool { return bytes.Count(in, []byte("["))+bytes.Count(in, []byte("{")) > 500 }

// FuzzDifferential sets the verifier against the specification on lines of bytes.
func FuzzDifferential(f *testing.F) {
	for i, s := range streams(f) {
		f.Add(s, byte(i))
	}
	f.Fuzz(func(t *testing.T, in []byte, how byte) {
		if len(in) > most || deep(in) || bytes.Count(in, []byte("\n")) > 50 {
			return // the specification walks the whole history for each event
		}
		x := trial{events: bytes.Split(bytes.TrimSuffix(in, []byte("\n")), []byte("\n"))}
		x.options.Revision = append(agui.Revisions(), "")[how%4]
		if r := requests[int(how/4)%len(requests)]; r != "" {
			x.options.Request = []byte(r)
		}
		x.options.StrictVersion = how >= 128
		for _, x.options.Profile = range agui.Rules().Profiles {
			compare(t, x)
		}
	})
}

// FuzzCheck judges any recording in any format, under limits that hostile bytes do reach: it ends without a
// panic, keeps no more than it may, and comes to the same however reads are cut.
func FuzzCheck(f *testing.F) {
	for i, r := range slices.Concat(recordings(f), some(streams(f))) {
		f.Add(r, byte(i), byte(i/16))
		if i%16 == 0 {
			f.Add(zipped(r), byte(i), byte(i/16))
		}
	}
	for _, c := range crumbs {
		f.Add([]byte(c+c), byte(len(c)), byte(0))
	}
	f.Fuzz(func(t *testing.T, in []byte, how, format byte) {
		if len(in) <= most {
			checkedAlike(t, in, how, format)
		}
	})
}
