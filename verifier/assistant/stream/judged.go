package stream

import (
	"bytes"
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/scan"
)

// A SequenceError says which event may not have come, and which rule says so.
type SequenceError struct {
	// Violation is the error that the event was blamed for first.
	Violation verifier.Violation
}

func (e *SequenceError) Error() string {
	v := &e.Violation
	return fmt.Sprintf("event %d (%s): %s: %s; see %s", v.Index, v.EventType, v.Code, v.Detail, v.Page)
}

// Judged returns a stream of events as JSON that is judged by a profile of the provider stream. It comes to
// the message of the event that ends it, as JSON; to that event where it has none. What is pushed may be
// changed afterwards: the stream and its rules keep copies.
func Judged(o assistant.Options) (*Judge, error) {
	v, err := assistant.New(o)
	if err != nil {
		return nil, err
	}
	return &Judge{New(Rules[[]byte, []byte]{
		Validate:   func(e []byte) error { return sequenceError(v.Observe(e)) },
		IsTerminal: isTerminal,
		Result:     result,
	})}, nil
}

// A Judge is a stream of events as JSON.
type Judge struct{ *Stream[[]byte, []byte] }

// Push gives an event to the readers. See Stream.Push.
func (j *Judge) Push(event []byte) error { return j.Stream.Push(bytes.Clone(event)) }

func sequenceError(found []verifier.Violation) error {
	for _, v := range found {
		if v.Severity == verifier.Error {
			return &SequenceError{v}
		}
	}
	return nil
}

func isTerminal(e []byte) bool {
	typ := scan.Member(whole(e), "type")
	return event.Is(typ, "done") || event.Is(typ, "error")
}

func result(e []byte) ([]byte, error) {
	for _, name := range [...]string{"message", "error"} {
		if m := scan.Member(whole(e), name); len(m) > 0 && m[0] == '{' {
			return m, nil
		}
	}
	return e, nil
}

// whole returns an event, which is valid JSON, without the space in front of it.
func whole(e []byte) []byte { return e[scan.Space(e, 0):] }
