package wire

import (
	"bytes"
	"io"
	"strings"
)

// headerBytes is how much of a header line is looked at. Longer lines are skipped like others.
const headerBytes = 4 << 10

// skipHeaders skips a status line and the header lines after it, with the blank line that ends them, and notes the
// format that they promise. A line that is no header ends them too: it is kept for the format's own reader.
func (r *Reader) skipHeaders() error {
	r.hint = Auto
	for n := 0; ; n++ {
		line, err := r.peekLine()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		blank := len(trimRight(line)) == 0
		if n > 0 && !blank && !isHeader(line) {
			return nil
		}
		r.noteHeader(line)
		if err := r.skipLine(); err != nil || blank {
			return err
		}
	}
}

// peekLine returns the next line's beginning, up to headerBytes of it, without consuming it.
func (r *Reader) peekLine() ([]byte, error) {
	for {
		u := r.in.unread()
		u = u[:min(len(u), headerBytes)]
		if i := bytes.IndexByte(u, '\n'); i >= 0 {
			return u[:i], nil
		}
		if len(u) == headerBytes || r.in.full() {
			return u, nil
		}
		if err := r.in.fill(); err != nil {
			return r.cutLine(err)
		}
	}
}

// cutLine returns what is left before err, which ends the content.
func (r *Reader) cutLine(err error) ([]byte, error) {
	if u := r.in.unread(); err == io.EOF && len(u) > 0 {
		return u, nil
	}
	return nil, err
}

// skipLine skips all up to the next LF and that.
func (r *Reader) skipLine() error {
	for {
		u := r.in.unread()
		if i := bytes.IndexByte(u, '\n'); i >= 0 {
			r.in.advance(i + 1)
			r.line++
			return nil
		}
		r.in.advance(len(u))
		if err := r.in.fill(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *Reader) noteHeader(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	if bytes.EqualFold(name, []byte("content-type")) {
		r.hint = mediaFormat(string(value))
	}
}

// isHeader tells whether line is a header or goes on with one. An SSE field looks like a header, but is an event.
func isHeader(line []byte) bool {
	if line[0] == ' ' || line[0] == '\t' {
		return true
	}
	name, _, ok := bytes.Cut(line, []byte(":"))
	return ok && len(name) > 0 && bytes.IndexFunc(name, notInToken) < 0 && !isField(line)
}

func notInToken(c rune) bool {
	return c <= ' ' || c >= 0x7f || strings.ContainsRune(`"(),/;<=>?@[\]{}`, c)
}
