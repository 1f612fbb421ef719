// Package wire turns the recording of an agent event stream into frames: the raw bytes of one event each, with the
// place where they stood. It knows lines, brackets and fields, and nothing of what an event says.
//
// It reads as a tolerant reader would: a frame is delivered however odd its content is, and the frames after it too.
// Three formats are read: NDJSON, one JSON array, and text/event-stream captures (SSE). The response headers that
// `curl -i` writes in front of a body are skipped, a byte order mark at the start of the content or of that body
// too, and gzip is decompressed wherever its magic bytes begin the file or the body.
//
// Lines and byte offsets count in the content as it is read: after decompression (a compressed body counts as if it
// stood there uncompressed), with headers and the byte order mark. A line ends at LF, and in SSE at CR and CR LF as well.
package wire

import (
	"io"

	"github.com/agentstream/conformance/verifier"
)

const showBytes = 128 // of an event over the limit

// Options say how a recording is read. The zero value recognises the format and has the default limit.
type Options struct {
	// Format is the format, if it is known: from a flag or by FormatOf.
	Format Format
	// EventBytes is the most bytes that one event may have; 0 or less means that of verifier.DefaultLimits. What counts is the event's
	// line without its end and the white space before it, the array element with the white space after it, or the joined
	// data of an SSE frame. The reader's memory is a small multiple of it at most, whatever the input.
	EventBytes int
}

// Frame is one event as it was recorded.
type Frame struct {
	// Data is the event's bytes, without white space around them in NDJSON and arrays. It may be empty and need not be
	// JSON. It is valid until the next call of Next and must not be changed.
	Data []byte
	// Line is the line, from 1, where the data begins.
	Line int
	// Offset is the place of the first byte of data in the content, in bytes from 0. The data of one line or array
	// element stands there as it is; the lines of multi-line SSE data are spread over the content.
	Offset int64
	// Over says that the event was over the limit. Data is then a short prefix of it, to show.
	Over bool
}

// Reader reads frames. Its memory does not depend on the length of the content or of its lines.
type Reader struct {
	in     window
	limit  int
	format Format
	opened bool
	layers int    // of gzip taken off
	hint   Format // what the last response headers promise
	err    error  // that ended the reading

	line  int    // of the next unread byte
	frame Frame  // being gathered
	spill []byte // what the frame has so far, where it is not one piece of the window

	list listState // Array
	nest nest      // Array: the open element
	cr   bool      // SSE: the last line ended at a CR, and an LF would still belong to it
}

// NewReader returns a reader of the recording in r. Nothing is read before the first call of Next.
func NewReader(r io.Reader, o Options) *Reader { return newReader(r, o, windowBytes) }

func newReader(r io.Reader, o Options, size int) *Reader {
	limit := o.EventBytes
	if limit <= 0 {
		limit = verifier.DefaultLimits().EventBytes
	}
	return &Reader{in: newWindow(r, "read", size), limit: limit, format: o.Format, line: 1}
}

// Next returns the next frame, or io.EOF at the end of the recording. Any other error is one of reading or
// decompressing and says at which byte. An event that such an error cuts is not delivered; one that the end of the
// recording cuts is. After an error, every call returns it again.
func (r *Reader) Next() (Frame, error) {
	if err := r.start(); err != nil {
		return Frame{}, err
	}
	f, err := r.next()
	if err != nil {
		r.err = err
		return Frame{}, err
	}
	return f, nil
}

// start opens the recording at the first call. It returns the error that ended the reading, if one has.
func (r *Reader) start() error {
	if !r.opened {
		r.opened = true
		r.err = r.open()
	}
	return r.err
}

func (r *Reader) next() (Frame, error) {
	switch r.format {
	case SSE:
		return r.nextSSE()
	case Array:
		return r.nextElement()
	default:
		return r.nextLine()
	}
}

// Format returns the format in which the recording is read: after the first call of Next never Auto. Content that looks
// like no format at all, even none, is read as NDJSON.
func (r *Reader) Format() Format { return r.format }

// begin starts to gather a frame whose data begins at the next unread byte.
func (r *Reader) begin() {
	r.frame = Frame{Line: r.line, Offset: r.in.offset()}
	r.spill = r.spill[:0]
}

// keep adds a copy of b to the frame.
func (r *Reader) keep(b []byte) {
	if r.frame.Over {
		return
	}
	if len(r.spill)+len(b) > r.limit {
		r.cut(b)
		return
	}
	r.spill = append(r.spill, b...)
}

// cut makes the frame one over the limit, which b takes it over, and keeps of it what is shown.
func (r *Reader) cut(b []byte) {
	r.frame.Over = true
	show := min(showBytes, r.limit)
	if more := show - len(r.spill); more > 0 {
		r.spill = append(r.spill, b[:more]...)
	}
	r.spill = r.spill[:show]
}

// finish returns the gathered frame with last as its last bytes; they are not copied where they are all there is.
func (r *Reader) finish(last []byte) Frame {
	if len(r.spill) == 0 && len(last) <= r.limit {
		r.frame.Data = last
		return r.frame
	}
	r.keep(last)
	r.frame.Data = r.spill
	return r.frame
}

// spillOver keeps all unread bytes as data of the frame and reads on.
func (r *Reader) spillOver() error {
	u := r.in.unread()
	r.keep(u)
	r.in.advance(len(u))
	return r.in.fill()
}
