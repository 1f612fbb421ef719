package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/agentstream/conformance/conformance/internal/oneline"
	"github.com/agentstream/conformance/verifier/wire"
)

// ReadEvents returns all events of a recording, each as it can stand on a line of its own: what
// keeps it from that is replaced by what means the same. It fails on a recording that cannot be read
// to its end and on an event over the limit of bytes.
func ReadEvents(s Source, l Limits) ([][]byte, error) {
	o := &CheckOptions{Options: Options{Limits: l.OrDefault()}}
	r, err := s.reader(o)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", s.Name, Plain(err))
	}
	defer r.Close()
	var events [][]byte
	for frames := wire.NewReader(r, o.wire(s)); ; {
		f, err := frames.Next()
		switch {
		case errors.Is(err, io.EOF):
			return events, nil
		case err != nil:
			return nil, fmt.Errorf("cannot read %s: %w", s.Name, Plain(err))
		case f.Over:
			return nil, fmt.Errorf("event %d of %s is bigger than %d bytes; --limit-event-bytes raises the limit", len(events), s.Name, o.Limits.EventBytes)
		}
		events = append(events, oneLine(f.Data))
	}
}

// oneLine returns a copy of an event that can stand on a line. In JSON, a space is as good as a line
// end. What is no JSON must stay that: a control character is nowhere in JSON.
func oneLine(event []byte) []byte {
	text := bytes.Clone(bytes.Trim(event, oneline.White))
	if len(text) == 0 {
		return []byte("?")
	}
	space := byte(' ')
	if !oneline.IsJSON(text) {
		space = '\x01'
	}
	for i, b := range text {
		if b == '\n' {
			text[i] = space
		}
	}
	return text
}

// Bytes returns how many bytes a list has, written one event a line.
func Bytes(events [][]byte) int {
	n := 0
	for _, e := range events {
		n += len(e) + 1
	}
	return n
}

// Lines writes a stream one event a line.
func Lines(events [][]byte) []byte {
	out := make([]byte, 0, Bytes(events))
	for _, e := range events {
		out = append(append(out, e...), '\n')
	}
	return out
}
