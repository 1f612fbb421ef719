package subject

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"
)

// Suffix is that of a capture's file.
const Suffix = ".http"

// A capture is the response as HTTP/1.1 has it on the wire (RFC 9112), body in chunks: one chunk for each read, with the time
// since the head in milliseconds as its extension t. The last chunk is missing where the response was not read to its end; a
// header Conformance-Cause says why. So a capture is also what `curl -i --raw` shows, and any reader of HTTP reads it.

const (
	causeHeader  = "Conformance-Cause"
	detailHeader = "Conformance-Detail"
)

// left are the headers that a capture does not keep: they are about the connection, or the clock's, or may be secret.
var left = []string{"Connection", "Content-Length", "Date", "Keep-Alive", "Set-Cookie", "Transfer-Encoding"}

// WriteCapture writes a response that has a status.
func WriteCapture(w io.Writer, r *Response) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %03d %s\r\n", r.Status, http.StatusText(r.Status))
	header := r.Header.Clone()
	for _, name := range left {
		header.Del(name)
	}
	if r.Cause != "" {
		header.Set(causeHeader, string(r.Cause))
		header.Set(detailHeader, r.Detail)
	}
	header.Set("Transfer-Encoding", "chunked")
	if err := header.Write(&b); err != nil {
		return err
	}
	b.WriteString("\r\n")
	for _, c := range r.Chunks {
		fmt.Fprintf(&b, "%x;t=%d\r\n%s\r\n", len(c.Data), c.After.Milliseconds(), c.Data)
	}
	if r.Cause == "" {
		b.WriteString("0\r\n\r\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// ReadCapture reads what WriteCapture wrote: the response with its chunks, without its events.
func ReadCapture(r io.Reader) (*Response, error) {
	in := textproto.NewReader(bufio.NewReader(r))
	status, err := in.ReadLine()
	if err != nil {
		return nil, fmt.Errorf("no capture: %w", err)
	}
	protocol, rest, _ := strings.Cut(status, " ")
	code, _, _ := strings.Cut(rest, " ")
	out := &Response{}
	if out.Status, err = strconv.Atoi(code); err != nil || !strings.HasPrefix(protocol, "HTTP/") {
		return nil, fmt.Errorf("no capture: its first line is %q", cut(status))
	}
	header, err := in.ReadMIMEHeader()
	if err != nil {
		return nil, fmt.Errorf("no capture: %w", err)
	}
	out.Header = http.Header(header)
	out.Cause, out.Detail = Cause(header.Get(causeHeader)), header.Get(detailHeader)
	for _, name := range []string{causeHeader, detailHeader, "Transfer-Encoding"} {
		header.Del(name)
	}
	return out, readChunks(in, out)
}

// readChunks reads the body up to the last chunk, or to where it was cut.
func readChunks(in *textproto.Reader, out *Response) error {
	for {
		line, err := in.ReadLine()
		if err == io.EOF && out.Cause != "" {
			return nil
		} else if err != nil {
			return fmt.Errorf("chunk %d: %w", len(out.Chunks), err)
		}
		size, extension, _ := strings.Cut(line, ";")
		n, err := strconv.ParseUint(size, 16, 31)
		if err != nil {
			return fmt.Errorf("chunk %d has the size %q", len(out.Chunks), cut(size))
		}
		if n == 0 {
			return nil
		}
		after, _ := strconv.Atoi(strings.TrimPrefix(extension, "t="))
		c := Chunk{After: time.Duration(after) * time.Millisecond}
		if c.Data, err = io.ReadAll(io.LimitReader(in.R, int64(n))); err != nil {
			return err
		}
		if len(c.Data) < int(n) {
			return fmt.Errorf("chunk %d: %w", len(out.Chunks), io.ErrUnexpectedEOF)
		}
		out.Chunks = append(out.Chunks, c)
		if _, err := in.ReadLine(); err != nil && err != io.EOF {
			return err
		}
	}
}

// cut shortens what is shown of a file that is something else.
func cut(s string) string { return s[:min(len(s), 80)] }
