package wire

import (
	"bytes"
	"io"
)

// nextLine returns the next line that is not blank.
func (r *Reader) nextLine() (Frame, error) {
	if err := r.skipWhite(); err != nil {
		return Frame{}, err
	}
	r.begin()
	for {
		u := r.in.unread()
		if i := bytes.IndexByte(u, '\n'); i >= 0 {
			r.in.advance(i + 1)
			r.line++
			return r.trimmed(u[:i]), nil
		}
		if err := r.spillOver(); err == io.EOF {
			return r.trimmed(nil), nil
		} else if err != nil {
			return Frame{}, err
		}
	}
}

// trimmed is finish for formats in which white space after the data is none of it.
func (r *Reader) trimmed(last []byte) Frame {
	f := r.finish(last)
	f.Data = trimRight(f.Data)
	return f
}

// skipWhite skips white space and the lines that are nothing else.
func (r *Reader) skipWhite() error {
	for {
		u := r.in.unread()
		i := 0
		for ; i < len(u) && isWhite(u[i]); i++ {
			if u[i] == '\n' {
				r.line++
			}
		}
		r.in.advance(i)
		if i < len(u) {
			return nil
		}
		if err := r.in.fill(); err != nil {
			return err
		}
	}
}

func trimLeft(b []byte) []byte {
	for len(b) > 0 && isWhite(b[0]) {
		b = b[1:]
	}
	return b
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && isWhite(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// isWhite tells whether c is white space of JSON.
func isWhite(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
