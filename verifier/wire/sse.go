package wire

import (
	"bytes"
	"io"
)

// nextSSE returns the next frame that has a data field. It follows the SSE grammar, except that a frame which the end of the
// content cuts, or whose data is empty, is one too. Lines that are no field are ignored, even those that are JSON.
func (r *Reader) nextSSE() (Frame, error) {
	open := false // a data field was seen
	for {
		kind, err := r.startLine()
		switch {
		case err == io.EOF && open:
			return r.finish(nil), nil
		case err != nil:
			return Frame{}, err
		case kind == blankLine && open:
			r.endLine(0)
			return r.finish(nil), nil
		case kind == dataLine:
			done, err := r.addData(open)
			if err != nil {
				return Frame{}, err
			} else if done {
				return r.frame, nil
			}
			open = true
		default:
			if err := r.restOfLine(false); err != nil {
				return Frame{}, err
			}
		}
	}
}

// addData adds the data line at whose value the reader stands to the frame. It reports true if it saw that the frame is
// complete: the common frame of one data line is then never copied.
func (r *Reader) addData(open bool) (bool, error) {
	if open {
		r.keep([]byte{'\n'})
		return false, r.restOfLine(true)
	}
	r.begin()
	u := r.in.unread()
	n := lineEnd(u)
	if n < 0 {
		return false, r.restOfLine(true)
	}
	r.endLine(n)
	if r.blankFollows() {
		r.finish(u[:n])
		return true, nil
	}
	r.keep(u[:n])
	return false, nil
}

// restOfLine skips the rest of the line; if data is set, it is data of the frame.
func (r *Reader) restOfLine(data bool) error {
	for {
		u := r.in.unread()
		n := lineEnd(u)
		end := n >= 0
		if !end {
			n = len(u)
		}
		if data {
			r.keep(u[:n])
		}
		if end {
			r.endLine(n)
			return nil
		}
		r.in.advance(n)
		if err := r.in.fill(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// endLine consumes n bytes and the CR or LF behind them. Whether an LF follows a CR is not looked at here: a live stream
// would be held up for it.
func (r *Reader) endLine(n int) {
	r.cr = r.in.unread()[n] == '\r'
	r.in.advance(n + 1)
	r.line++
}

// blankFollows consumes a blank line, if one is seen in the window.
func (r *Reader) blankFollows() bool {
	r.endCRLF()
	if u := r.in.unread(); len(u) == 0 || u[0] != '\n' && u[0] != '\r' {
		return false
	}
	r.endLine(0)
	return true
}

// endCRLF consumes the LF of a CR LF, if it is seen in the window. It leaves the question open if nothing is.
func (r *Reader) endCRLF() {
	u := r.in.unread()
	if !r.cr || len(u) == 0 {
		return
	}
	r.cr = false
	if u[0] == '\n' {
		r.in.advance(1)
	}
}

// lineKind is what the SSE grammar makes of a line.
type lineKind uint8

const (
	undecided lineKind = iota
	blankLine          // ends a frame
	dataLine           // has data
	otherLine          // is ignored
)

// startLine tells what the next line is. If it has data, the reader stands at its value.
func (r *Reader) startLine() (lineKind, error) {
	for {
		r.endCRLF()
		u := r.in.unread()
		kind, skip := kindOf(u)
		if kind != undecided {
			r.in.advance(skip)
			return kind, nil
		}
		if err := r.in.fill(); err == io.EOF {
			return r.lastKind()
		} else if err != nil {
			return undecided, err
		}
	}
}

// lastKind is startLine for what kindOf cannot decide at the end of the content.
func (r *Reader) lastKind() (lineKind, error) {
	u := r.in.unread()
	r.in.advance(len(u))
	switch {
	case len(u) == 0:
		return undecided, io.EOF
	case len(u) < len("data"):
		return otherLine, nil
	}
	return dataLine, nil
}

// kindOf tells what the line at the start of u is, and how many bytes stand before its value if it has data.
func kindOf(u []byte) (kind lineKind, skip int) {
	const field = "data:"
	if len(u) > len(field) && string(u[:len(field)]) == field {
		if u[len(field)] == ' ' {
			return dataLine, len(field) + 1
		}
		return dataLine, len(field)
	}
	if len(u) > 0 && isLineEnd(u[0]) {
		return blankLine, 0
	}
	n := min(len(u), len(field))
	if string(u[:n]) == field[:n] {
		return undecided, 0
	}
	if n == len(field) && string(u[:4]) == "data" && isLineEnd(u[4]) {
		return dataLine, 4
	}
	return otherLine, 0
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// lineEnd returns the index of the first CR or LF in b, or -1. It searches in growing pieces: a search of all b for the one
// would be repeated for every line of content that has only the other.
func lineEnd(b []byte) int {
	for i, size := 0, 256; i < len(b); size *= 2 {
		piece := b[i:min(i+size, len(b))]
		lf := bytes.IndexByte(piece, '\n')
		if lf >= 0 {
			piece = piece[:lf]
		}
		if cr := bytes.IndexByte(piece, '\r'); cr >= 0 {
			return i + cr
		}
		if lf >= 0 {
			return i + lf
		}
		i += len(piece)
	}
	return -1
}
