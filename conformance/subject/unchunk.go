package subject

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http/httputil"
	"net/textproto"
	"strings"
)

// maxHead is the longest head of a response that is looked through.
const maxHead = 64 << 10

// Unchunk returns a reader of the same recording in which a response's body is joined, where it came in chunks: what
// WriteCapture wrote, or `curl -i --raw`. The head stays. Anything else comes through as it is.
func Unchunk(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, maxHead)
	if start, _ := in.Peek(len("HTTP/1.")); string(start) != "HTTP/1." {
		return in
	}
	head := readHead(in)
	if !isChunked(head) {
		return io.MultiReader(bytes.NewReader(head), in)
	}
	return io.MultiReader(bytes.NewReader(head), &cutBody{httputil.NewChunkedReader(in)})
}

// readHead reads up to the blank line behind the headers.
func readHead(in *bufio.Reader) (head []byte) {
	for len(head) < maxHead {
		line, err := in.ReadSlice('\n')
		head = append(head, line...)
		if err != nil || len(bytes.TrimSpace(line)) == 0 {
			break
		}
	}
	return head
}

func isChunked(head []byte) bool {
	in := textproto.NewReader(bufio.NewReader(bytes.NewReader(head)))
	if _, err := in.ReadLine(); err != nil {
		return false
	}
	header, _ := in.ReadMIMEHeader()
	return strings.EqualFold(header.Get("Transfer-Encoding"), "chunked")
}

// A cutBody ends where its chunks were cut: what came before is judged, and that the stream is cut shows there.
type cutBody struct{ io.Reader }

func (c *cutBody) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}
