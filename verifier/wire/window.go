package wire

import (
	"fmt"
	"io"
)

const (
	windowBytes = 64 << 10 // one read; also the most that can be looked at without consuming it
	emptyReads  = 100      // reads in a row that bring neither a byte nor an error, as in package bufio
)

// window is the part of the content that is in memory. It never grows: whoever needs bytes beyond it keeps a copy of
// what it has seen, so that a look-ahead is all that is ever moved.
//
// Invariant: 0 <= pos <= end <= len(buf), and buf[pos:end] are the bytes not yet consumed.
type window struct {
	src      io.Reader
	verb     string // what reading src is called in an error
	buf      []byte
	pos, end int
	base     int64 // offset of buf[0] in the content
	err      error // comes after buf[pos:end]; io.EOF, or an error with context
}

func newWindow(src io.Reader, verb string, size int) window {
	return window{src: src, verb: verb, buf: make([]byte, size)}
}

func (w *window) unread() []byte { return w.buf[w.pos:w.end] }

func (w *window) offset() int64 { return w.base + int64(w.pos) }

func (w *window) advance(n int) { w.pos += n }

func (w *window) full() bool { return w.end-w.pos == len(w.buf) }

// fill adds at least one byte to the unread ones, or returns why it cannot: io.EOF, or an error with context, which
// stays. Slices of the window are void after it. It must not be called on a full window.
func (w *window) fill() error {
	if w.err != nil {
		return w.err
	}
	w.slide()
	for range emptyReads {
		if n := w.read(); n > 0 {
			return nil // an error that came with the bytes waits for the next call
		}
		if w.err != nil {
			return w.err
		}
	}
	w.err = w.explain(io.ErrNoProgress)
	return w.err
}

// slide makes all room that there is available behind the unread bytes.
func (w *window) slide() {
	w.base += int64(w.pos)
	w.end = copy(w.buf, w.unread())
	w.pos = 0
}

func (w *window) read() int {
	n, err := w.src.Read(w.buf[w.end:])
	w.end += n
	if err != nil {
		w.err = w.explain(err)
	}
	return n
}

func (w *window) explain(err error) error {
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("%s at byte %d: %w", w.verb, w.base+int64(w.end), err)
}

// Read makes the rest of the content the input of a decompressor.
func (w *window) Read(p []byte) (int, error) {
	if w.pos == w.end {
		if err := w.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.unread())
	w.advance(n)
	return n, nil
}

// at tells whether the unread bytes begin with prefix. It reads no more than it needs to know that, so that a live
// stream is not held up.
func (w *window) at(prefix string) bool {
	for {
		u := w.unread()
		n := min(len(u), len(prefix))
		if string(u[:n]) != prefix[:n] {
			return false
		}
		if n == len(prefix) {
			return true
		}
		if w.full() || w.fill() != nil {
			return false
		}
	}
}
