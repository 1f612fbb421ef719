package wire

import (
	"bytes"
	"io"
)

// listState is where in the array the reader stands.
type listState uint8

const (
	beforeList   listState = iota
	firstElement           // after the opening bracket: there need not be one
	afterComma             // there must be one
	afterList
)

// nextElement returns the next element of the array. What is no element but stands where one must is an empty frame, so
// that it is blamed at its index; what follows the array, or stands there instead of one, is a single frame.
func (r *Reader) nextElement() (Frame, error) {
	err := r.skipWhite()
	if err == nil && r.list == beforeList {
		err = r.openList()
	}
	if err == io.EOF && r.list == afterComma {
		r.list = afterList
		r.begin()
		return r.finish(nil), nil
	}
	if err != nil {
		return Frame{}, err
	}
	if r.list == firstElement && r.in.unread()[0] == ']' {
		r.closeList()
		return r.nextElement()
	}
	return r.element()
}

func (r *Reader) openList() error {
	if r.in.unread()[0] != '[' {
		r.list = afterList
		return nil
	}
	r.in.advance(1)
	r.list = firstElement
	return r.skipWhite()
}

func (r *Reader) closeList() {
	r.in.advance(1)
	r.list = afterList
}

// element gathers what there is up to the comma or bracket that ends it. After the array nothing ends it.
func (r *Reader) element() (Frame, error) {
	r.begin()
	r.nest.reset()
	for {
		u := r.in.unread()
		n := len(u)
		if r.list != afterList {
			n = r.nest.scan(u)
		}
		r.line += bytes.Count(u[:n], []byte{'\n'})
		if n < len(u) {
			return r.endElement(u, n), nil
		}
		if err := r.spillOver(); err == io.EOF {
			return r.lastElement(), nil
		} else if err != nil {
			return Frame{}, err
		}
	}
}

// endElement ends the element at the comma or bracket u[n].
func (r *Reader) endElement(u []byte, n int) Frame {
	r.list = afterComma
	if u[n] == ']' {
		r.list = afterList
	}
	r.in.advance(n + 1)
	return r.trimmed(u[:n])
}

// lastElement ends the element that no comma or bracket ended. If it lacks a closing brace, the bracket of the array was
// taken for one inside of it; but if nothing follows that bracket, it was the array's.
func (r *Reader) lastElement() Frame {
	r.list = afterList
	f := r.trimmed(nil)
	if i := r.nest.stray; i >= 0 && i == len(f.Data)-1 && !f.Over {
		f.Data = trimRight(f.Data[:i])
	}
	return f
}
