package wire

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// FuzzReader holds that reading ends without a panic, that it does not matter how reads are cut, that events stand one
// behind the other, and that the data of a line or element is what the content has there.
func FuzzReader(f *testing.F) {
	for _, in := range contents(3) {
		for format := range Format(len(formatNames)) {
			f.Add([]byte(in), uint8(format), uint16(1000))
		}
	}
	for _, in := range []string{"[{\"a\":[1},{}]", "[1,,{\"]\":2 ] \n", "data\ndata: \r\n\rdata", "HTTP/1.1 200 OK\nA: b\n\n[{}]\n{}", "\xef\xbb\xbf{}\n\n{", pack("{}\n{}"), "x\ndata: {}"} {
		f.Add([]byte(in), uint8(Auto), uint16(4))
	}
	f.Fuzz(func(t *testing.T, in []byte, format uint8, limit uint16) {
		if len(in) > 2*sniffBytes {
			return // byte by byte takes its time
		}
		o := Options{Format: Format(format % uint8(len(formatNames))), EventBytes: int(limit)}
		whole := NewReader(bytes.NewReader(in), o)
		want := readPlaced(t, whole, in)
		for name, r := range map[string]io.Reader{
			"one byte": iotest.OneByteReader(bytes.NewReader(in)), "half": iotest.HalfReader(bytes.NewReader(in)),
			"end and data": iotest.DataErrReader(bytes.NewReader(in)),
		} {
			same(t, name, want, drain(NewReader(r, o)))
		}
		if whole.layers > 0 || bytes.Contains(in, []byte("HTTP/")) {
			return // where headers and packed bytes end depends on the window
		}
		o.Format = whole.Format()
		same(t, "a small window", want, drain(newReader(bytes.NewReader(in), o, smallWindow)))
	})
}

// same leaves the slow comparison to those that differ.
func same(t *testing.T, how string, want, got []string) {
	if !slices.Equal(want, got) {
		t.Fatalf("read by %s: -whole +cut\n%s", how, cmp.Diff(want, got))
	}
}

// readPlaced is drain with a look at where frames stand.
func readPlaced(t *testing.T, r *Reader, in []byte) []string {
	var all []string
	last := Frame{Line: 1, Offset: -1}
	for {
		f, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			return append(all, "error: "+err.Error())
		}
		all = append(all, show(f))
		if f.Offset < last.Offset || f.Offset == last.Offset && len(f.Data) > 0 || f.Line < last.Line {
			t.Fatalf("%s stands before %d@%d", show(f), last.Line, last.Offset)
		}
		if r.layers == 0 {
			checkPlace(t, r.Format(), f, in)
		}
		last = Frame{Line: f.Line, Offset: f.Offset}
	}
}

func checkPlace(t *testing.T, format Format, f Frame, in []byte) {
	before, from := in[:f.Offset], in[f.Offset:]
	if format == SSE {
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(before))
		if lines := 1 + strings.Count(text, "\n"); lines != f.Line && !bytes.HasPrefix(in, []byte("HTTP/")) {
			t.Fatalf("%s: stands in line %d", show(f), lines)
		}
		from = from[:min(len(from), len(f.Data))]
		if !bytes.Contains(f.Data, []byte("\n")) && !bytes.Equal(from, f.Data) {
			t.Fatalf("%s: %q stands there", show(f), from)
		}
		return
	}
	if lines := 1 + bytes.Count(before, []byte("\n")); lines != f.Line {
		t.Fatalf("%s: stands in line %d", show(f), lines)
	}
	if !bytes.HasPrefix(from, f.Data) {
		t.Fatalf("%s: does not stand there", show(f))
	}
}
