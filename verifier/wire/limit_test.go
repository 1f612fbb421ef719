package wire

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// stream is head, then the period over and over until size bytes have been read, then tail.
func stream(head, period string, size int64, tail string) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(&endless{bytes.Repeat([]byte(period), 1000), 0}, size), strings.NewReader(tail))
}

type endless struct {
	period []byte
	at     int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k := copy(p[n:], e.period[e.at:])
		e.at = (e.at + k) % len(e.period)
		n += k
	}
	return n, nil
}

// What is allocated in all bounds what is in use at any time.
func TestMemoryDoesNotDependOnTheInput(t *testing.T) {
	const size, limit = 16 << 20, 256 << 10
	for name, e := range map[string]struct {
		format             Format
		head, period, tail string
		want               int // frames
	}{
		"a line":                 {NDJSON, "1\n", "x", "\n3\n", 3},
		"a line without end":     {NDJSON, "1\n", "x", "", 2},
		"blank lines":            {NDJSON, "1\n", "\r\n", "2\n", 2},
		"spaces":                 {NDJSON, "1\n", " ", "2\n", 2},
		"an element":             {Array, "[1,", "x", ",3]", 3},
		"a string":               {Array, `[1,"`, `\"`, `",3]`, 3},
		"escapes":                {Array, `[1,"`, `\n`, `",3]`, 3},
		"backslashes":            {Array, `[1,"`, `\\`, `",3]`, 3},
		"open brackets":          {Array, "[1,", "[", ",3]", 2},
		"open and stray ones":    {Array, "[1,", "[}", "", 2},
		"brackets":               {Array, "[1,", "{}", ",3]", 3},
		"lines in an element":    {Array, "[1,x", "\n", ",3]", 3},
		"bytes after an array":   {Array, "[1]", "[\n", "", 2},
		"a data line":            {SSE, "data: 1\n\ndata: ", "x", "\n\ndata: 3\n\n", 3},
		"a data line, no end":    {SSE, "data: 1\n\ndata: ", "x", "", 2},
		"short data lines":       {SSE, "data: 1\n\n", "data: 2\n", "\ndata: 3\n\n", 3},
		"empty data lines":       {SSE, "data: 1\n\n", "data\n", "\ndata: 3\n\n", 3},
		"a comment":              {SSE, "data: 1\n\n:", " ", "\ndata: 3\n\n", 2},
		"comments":               {SSE, "data: 1\n\n", ": x\n\n", "data: 3\n\n", 2},
		"comments in a frame":    {SSE, "data: 1\n\ndata: 2\n", ": x\n", "\ndata: 3\n\n", 3},
		"line ends of CR":        {SSE, "data: 1\n\n", "\r", "data: 3\n\n", 2},
		"a header":               {Auto, "HTTP/1.1 200 OK\nX: ", "x", "\n\ndata: 1\n\n", 1},
		"headers":                {Auto, "HTTP/1.1 200 OK\n", "x-header: 1\r\n", "\r\n{}", 1},
		"blocks of headers":      {Auto, "", "HTTP/1.1 100 Continue\n\n", "{}", 1},
		"a line of an auto read": {Auto, "", "x", "\n{}", 2},
		"an array, auto":         {Auto, "[", "1", ",2]", 2},
		"spaces, auto":           {Auto, "", " ", "{}", 1},
	} {
		t.Run(name, func(t *testing.T) {
			whole := size / len(e.period) * len(e.period)
			in := stream(e.head, e.period, int64(whole), e.tail)
			var n int
			used := allocated(func() {
				var err error
				n, err = count(NewReader(in, Options{Format: e.format, EventBytes: limit}))
				assert.Equal(t, err, io.EOF)
			})
			assert.Equal(t, n, e.want)
			assert.Assert(t, used < 6*limit, "%d bytes were allocated", used)
		})
	}
}

func TestMemoryDoesNotDependOnWhatIsPacked(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.Copy(w, stream("1\n", "x", 64<<20, "\n3\n"))
	assert.NilError(t, err)
	assert.NilError(t, w.Close())
	used := allocated(func() {
		n, err := count(NewReader(&packed, Options{EventBytes: 1 << 20}))
		assert.Equal(t, err, io.EOF)
		assert.Equal(t, n, 3)
	})
	assert.Assert(t, used < 6<<20, "%d bytes were allocated", used)
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// contents are a few thousand ordinary events in each format, for benchmarks and for the steady state.
func contents(n int) map[string]string {
	const event = `{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_0123456789","delta":"some words of an answer, and \"more\" of them","timestamp":1712345678901}`
	return map[string]string{
		"ndjson":        strings.Repeat(event+"\n", n),
		"array":         "[" + strings.Repeat(event+",\n", n-1) + event + "]",
		"sse":           strings.Repeat("data: "+event+"\n\n", n),
		"sse CR LF":     strings.Repeat("data: "+event+"\r\n\r\n", n),
		"sse CR":        strings.Repeat("data: "+event+"\r\r", n),
		"sse id behind": strings.Repeat("data: "+event+"\nid: 17\n\n", n),
		"sse two lines": strings.Repeat("data: "+event[:40]+"\ndata: "+event[40:]+"\n\n", n),
	}
}

func TestAFrameIsNotAllocated(t *testing.T) {
	const n = 20_000
	for name, in := range contents(n) {
		r := NewReader(strings.NewReader(in), Options{})
		for range n / 2 {
			_, err := r.Next()
			assert.NilError(t, err)
		}
		allocs := testing.AllocsPerRun(n/4, func() { r.Next() })
		assert.Equal(t, allocs, 0.0, name)
	}
}

func BenchmarkReader(b *testing.B) {
	const n = 20_000
	for name, in := range contents(n) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				if got, err := count(NewReader(strings.NewReader(in), Options{})); got != n || err != io.EOF {
					b.Fatalf("%d frames, %v", got, err)
				}
			}
		})
	}
}
