package wire

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func pack(content string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, content) // a Buffer never fails
	w.Close()
	return b.String()
}

func TestResponseHeadersAreSkipped(t *testing.T) {
	const sse = "HTTP/2 200\r\ncontent-type: Text/Event-Stream; charset=utf-8\r\n\r\n"
	const plain = "HTTP/1.1 200 OK\nX: 1\n\n"
	for name, e := range map[string]example{
		"before SSE":                     {plain + "data: {}\n\n", frames(at(4, 28, "{}"))},
		"before lines":                   {plain + "{}\n{}\n", frames(at(4, 22, "{}"), at(5, 25, "{}"))},
		"before an array":                {plain + "[{},\n{}]", frames(at(4, 23, "{}"), at(5, 27, "{}"))},
		"the type decides":               {sse + "{}\n{}\n", nil},
		"the last type decides":          {sse + plain + "{}\n", frames(at(7, 84, "{}"))},
		"a redirect and a proxy":         {"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n" + sse + "data: x\n\n", frames(at(9, 143, "x"))},
		"a folded header":                {"HTTP/1.1 200 OK\nX: 1\n\t2\n 3\n\ndata: {}\n\n", frames(at(6, 34, "{}"))},
		"nothing after":                  {sse, nil},
		"cut":                            {sse[:30], nil},
		"only the version":               {"HTTP/", nil},
		"no blank line before an object": {"HTTP/1.1 200 OK\n{\"a\":1}\n", frames(at(2, 16, `{"a":1}`))},
		"no blank line before a field":   {"HTTP/1.1 200 OK\ndata: 1\n\n", frames(at(2, 22, "1"))},
		"a mark after":                   {plain + "\xef\xbb\xbfdata: {}\n\n", frames(at(4, 31, "{}"))},
		"a mark before":                  {"\xef\xbb\xbf" + plain + "data: {}\n\n", frames(at(4, 31, "{}"))},
		"a compressed body":              {sse + pack("data: {}\n\n"), frames(at(4, 68, "{}"))},
		"a long header":                  {"HTTP/1.1 200 OK\nX: " + strings.Repeat("x", 3*headerBytes) + "\n\n{}", frames(at(4, 21+3*headerBytes, "{}"))},
		"no status line":                 {"HTTP is old\n{}\n", frames(at(1, 0, "HTTP is old"), at(2, 12, "{}"))},
		"an html body":                   {"HTTP/1.1 200 OK\ncontent-type: text/html\n\n<p>\n", frames(at(4, 41, "<p>"))},
	} {
		t.Run(name, func(t *testing.T) { check(t, e.in, Options{}, e.want...) })
	}
}

func TestHeadersAreSkippedInAnyFormat(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\n\r\n"
	check(t, head+"data: {}\n\n", Options{Format: SSE}, at(3, 25, "{}"))
	check(t, head+"[{}]", Options{Format: Array}, at(3, 20, "{}"))
	check(t, head+"{}", Options{Format: NDJSON}, at(3, 19, "{}"))
}

func TestGzipIsTakenOff(t *testing.T) {
	content := "{}\n{\"a\":1}\n"
	want := frames(at(1, 0, "{}"), at(2, 3, `{"a":1}`))
	check(t, pack(content), Options{}, want...)
	check(t, pack(content), Options{Format: NDJSON}, want...)
	check(t, pack("{}\n{\"a")+pack("\":1}\n"), Options{}, want...)
	check(t, pack(""), Options{}, nil...)
	check(t, pack("\xef\xbb\xbfdata: {}\n\n"), Options{Format: SSE}, at(1, 9, "{}"))
	check(t, pack("HTTP/1.1 200 OK\n\n"+pack("data: {}\n\n")), Options{}, at(3, 23, "{}"))
	is, err := IsStream(strings.NewReader(pack(`{"type":"A"}`)))
	assert.NilError(t, err)
	assert.Assert(t, is)
}

func TestLayersOfGzipHaveAnEnd(t *testing.T) {
	bomb := "{}"
	for range 10 {
		bomb = pack(bomb)
	}
	r := NewReader(strings.NewReader(bomb), Options{})
	f, err := r.Next()
	assert.NilError(t, err)
	assert.Assert(t, bytes.HasPrefix(f.Data, []byte(gzipMagic)))
}

func TestCorruptGzipEndsTheFramesWithAnError(t *testing.T) {
	line := "{\"a\":1}\n"
	packed := pack(strings.Repeat(line, 100))
	broken := []byte(packed)
	broken[len(broken)-6] ^= 1 // the checksum
	for name, e := range map[string]struct {
		in     string
		frames int
		cause  error
	}{
		"checksum":     {string(broken), 100, gzip.ErrChecksum},
		"cut at end":   {packed[:len(packed)-3], 100, io.ErrUnexpectedEOF},
		"cut header":   {packed[:5], 0, io.ErrUnexpectedEOF},
		"magic only":   {packed[:3], 0, io.ErrUnexpectedEOF},
		"bytes behind": {packed + "more than ten bytes", 100, gzip.ErrHeader},
	} {
		for how, cut := range cuts {
			n, err := count(NewReader(cut(strings.NewReader(e.in)), Options{}))
			assert.Equal(t, n, e.frames, "%s by %s", name, how)
			assert.Assert(t, errors.Is(err, e.cause), "%s by %s: %v", name, how, err)
			assert.ErrorContains(t, err, "decompress gzip at byte ")
		}
	}
}

func count(r *Reader) (n int, err error) {
	for ; ; n++ {
		if _, err = r.Next(); err != nil {
			return n, err
		}
	}
}
