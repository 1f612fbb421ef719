package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
)

// at is what a test expects of a frame, written as the reports place it: line@offset data.
func at(line int, offset int64, data string) string {
	return fmt.Sprintf("%d@%d %s", line, offset, data)
}

func over(line int, offset int64, data string) string { return at(line, offset, data) + " (over)" }

func show(f Frame) string {
	if f.Over {
		return over(f.Line, f.Offset, string(f.Data))
	}
	return at(f.Line, f.Offset, string(f.Data))
}

// drain reads all frames. An error other than the end is the last string.
func drain(r *Reader) []string {
	var all []string
	for {
		f, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			return append(all, "error: "+err.Error())
		}
		all = append(all, show(f))
	}
}

// cuts are ways to deliver the same bytes.
var cuts = map[string]func(io.Reader) io.Reader{
	"whole":        func(r io.Reader) io.Reader { return r },
	"one byte":     iotest.OneByteReader,
	"half":         iotest.HalfReader,
	"end and data": iotest.DataErrReader,
	"one and end":  func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
	"three bytes":  func(r io.Reader) io.Reader { return &threes{r} },
}

type threes struct{ r io.Reader }

func (t *threes) Read(p []byte) (int, error) { return t.r.Read(p[:min(3, len(p))]) }

// smallWindow is the smallest that all look-aheads but those of sniffing and headers fit in.
const smallWindow = 8

// check reads in with every cut and wants the same frames of all.
func check(t *testing.T, in string, o Options, want ...string) {
	t.Helper()
	for name, cut := range cuts {
		got := drain(NewReader(cut(strings.NewReader(in)), o))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, read by %s: -want +got\n%s", o.Format, name, diff)
		}
		if o.Format == Auto || strings.HasPrefix(in, "HTTP/") {
			continue
		}
		got = drain(newReader(cut(strings.NewReader(in)), o, smallWindow))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, read by %s in a small window: -want +got\n%s", o.Format, name, diff)
		}
	}
}

type example struct {
	in   string
	want []string
}

func checkAll(t *testing.T, f Format, examples map[string]example) {
	for name, e := range examples {
		t.Run(name, func(t *testing.T) { check(t, e.in, Options{Format: f}, e.want...) })
	}
}

func frames(f ...string) []string { return f }

func TestAnEventOverTheLimitIsShownAndSkipped(t *testing.T) {
	// Each event but the second has at most 8 bytes; that one has 9 and more.
	for name, e := range map[string]struct {
		format Format
		example
	}{
		"a line":              {NDJSON, example{"{\"a\":1}\n  123456789\n12345678\n", frames(at(1, 0, `{"a":1}`), over(2, 10, "12345678"), at(3, 20, "12345678"))}},
		"a last line":         {NDJSON, example{"1\n123456789", frames(at(1, 0, "1"), over(2, 2, "12345678"))}},
		"blanks are no event": {NDJSON, example{"1\n             \n2", frames(at(1, 0, "1"), at(3, 16, "2"))}},
		"an element":          {Array, example{"[12345678,\n[2,\n \"]\",3,45],3]", frames(at(1, 1, "12345678"), over(2, 11, "[2,\n \"]\""), at(3, 26, "3"))}},
		"a last element":      {Array, example{"[1,123456789", frames(at(1, 1, "1"), over(1, 3, "12345678"))}},
		"bytes after":         {Array, example{"[1]123456789", frames(at(1, 1, "1"), over(1, 3, "12345678"))}},
		"a data line":         {SSE, example{"data: 12345678\n\ndata: 123456789\n\ndata: 3\n\n", frames(at(1, 6, "12345678"), over(3, 22, "12345678"), at(5, 39, "3"))}},
		"joined data":         {SSE, example{"data: 1234\ndata:567\n\ndata: 1234\ndata: 5678\ndata: 9\n\ndata: 3\n\n", frames(at(1, 6, "1234\n567"), over(4, 27, "1234\n567"), at(8, 58, "3"))}},
		"empty data lines":    {SSE, example{strings.Repeat("data\n", 9) + "\n" + strings.Repeat("data\n", 10) + "\ndata: 3", frames(at(1, 4, "\n\n\n\n\n\n\n\n"), over(11, 50, "\n\n\n\n\n\n\n\n"), at(22, 103, "3"))}},
		"a comment is none":   {SSE, example{":234567890123\ndata: 3\n\n", frames(at(2, 20, "3"))}},
	} {
		t.Run(name, func(t *testing.T) { check(t, e.in, Options{Format: e.format, EventBytes: 8}, e.want...) })
	}
}

func TestOfAnEventOverTheLimitAShortPrefixIsShown(t *testing.T) {
	long := strings.Repeat("x", 5000)
	want := over(1, 0, long[:showBytes])
	check(t, long, Options{Format: NDJSON, EventBytes: 4096}, want)
	check(t, long+"\n", Options{Format: NDJSON, EventBytes: 4096}, want)
}

func TestAReadErrorEndsTheFramesAndStays(t *testing.T) {
	lost := errors.New("connection lost")
	for _, e := range []struct {
		format Format
		in     string
	}{
		{NDJSON, "{}\n{\"cut"}, {Array, "[{},{\"cut"}, {SSE, "data: {}\n\ndata: {\"cut"}, {SSE, "data: {}\n\ndata: {}\n"},
		{Array, "[{},"}, {NDJSON, "{}\n  "}, {SSE, "data: {}\n\n"}, {SSE, "data: {}\n\n: com"},
	} {
		r := NewReader(io.MultiReader(strings.NewReader(e.in), iotest.ErrReader(lost)), Options{Format: e.format})
		f, err := r.Next()
		assert.NilError(t, err)
		assert.Equal(t, string(f.Data), "{}")
		for range 2 {
			_, err = r.Next()
			assert.ErrorIs(t, err, lost)
			assert.Error(t, err, fmt.Sprintf("read at byte %d: connection lost", len(e.in)))
		}
	}
}

func TestTheEndStays(t *testing.T) {
	for _, f := range []Format{Auto, NDJSON, Array, SSE} {
		r := NewReader(strings.NewReader(""), Options{Format: f})
		for range 2 {
			_, err := r.Next()
			assert.Equal(t, err, io.EOF)
		}
	}
}

func TestAReaderThatNeverDeliversIsGivenUp(t *testing.T) {
	_, err := NewReader(stuck{}, Options{}).Next()
	assert.ErrorIs(t, err, io.ErrNoProgress)
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// A live stream stands still behind an event: nothing behind its last byte may be asked for.
func TestAnEventIsDeliveredAsSoonAsItIsComplete(t *testing.T) {
	for _, e := range []struct {
		format Format
		in     string
	}{
		{NDJSON, "{}\n"}, {Array, "[{},"}, {Array, "[{}]"},
		{SSE, "data: {}\n\n"}, {SSE, "data: {}\r\r"}, {SSE, "data: {}\r\n\r\n"}, {SSE, "data:{}\ndata:\n\n"},
		{Auto, "{}\n"}, {Auto, "data: {}\n\n"}, {Auto, ": hello\n\nid: 1\ndata: {}\n\n"},
		{Auto, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n"},
	} {
		for name, cut := range cuts {
			standing := io.MultiReader(cut(&silent{b: []byte(e.in)}), standstill{t, e.in + " by " + name})
			f, err := NewReader(standing, Options{Format: e.format}).Next()
			assert.NilError(t, err)
			assert.Equal(t, strings.TrimSpace(string(f.Data)), "{}")
		}
	}
}

// silent delivers its bytes and ends only when asked again.
type silent struct{ b []byte }

func (s *silent) Read(p []byte) (int, error) {
	if len(s.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.b)
	s.b = s.b[n:]
	return n, nil
}

type standstill struct {
	t    *testing.T
	what string
}

func (s standstill) Read([]byte) (int, error) {
	s.t.Errorf("%q: more was read than the event", s.what)
	return 0, io.EOF
}

func TestRandomCutsDoNotMatter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, f := range []Format{NDJSON, Array, SSE} {
		for range 3000 {
			in := randomContent(rnd, f)
			o := Options{Format: f, EventBytes: 1 + rnd.IntN(40)}
			want := drain(NewReader(bytes.NewReader(in), o))
			for range 3 {
				size := smallWindow + rnd.IntN(40)
				got := drain(newReader(&randomCuts{bytes.NewReader(in), rnd}, o, size))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s, limit %d, window %d, of %q: -whole +cut\n%s", f, o.EventBytes, size, in, diff)
				}
			}
		}
	}
}

// randomContent strings together what each format's scanner has to tell apart.
func randomContent(rnd *rand.Rand, f Format) []byte {
	parts := map[Format][]string{
		NDJSON: {"{}", "\n", "\r\n", " ", "xxxxxxxxxxxxxxx", "\t", "\x00", "\r"},
		Array:  {"{", "}", "[", "]", ",", `"`, `\`, "\n", " ", "x", "xxxxxxxxxxxxxx", "{}", `"]"`},
		SSE:    {"data:", "data: ", "data", "d", ":", "id: 1", "\n", "\n\n", "\r", "\r\n", "\r\n\r\n", " ", "{}", "xxxxxxxxxxxxxxxxx"},
	}[f]
	var b []byte
	if f == Array {
		b = append(b, '[')
	}
	for range rnd.IntN(30) {
		b = append(b, parts[rnd.IntN(len(parts))]...)
	}
	return b
}

type randomCuts struct {
	r   io.Reader
	rnd *rand.Rand
}

func (c *randomCuts) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.rnd.IntN(20))]) }
