package wire

import (
	"errors"
	"io"

	"github.com/agentstream/conformance/verifier"
)

// A Judge takes events with their places, as the verifiers of this module do.
type Judge interface {
	ObserveAt(event []byte, at verifier.Place) []verifier.Violation
	// ObserveOver takes an event that is over the limit and was not read.
	ObserveOver(at verifier.Place) []verifier.Violation
	Finish() []verifier.Violation
}

// Feed gives a whole recording to a judge, event by event, then its end. It returns the error that
// reading ended with; the judge has seen what came before it, but then not the end.
func Feed(r io.Reader, o Options, j Judge) error {
	for reader := NewReader(r, o); ; {
		f, err := reader.Next()
		if errors.Is(err, io.EOF) {
			j.Finish()
			return nil
		}
		if err != nil {
			return err
		}
		at := verifier.Place{Line: f.Line, Offset: f.Offset}
		if f.Over {
			j.ObserveOver(at)
			continue
		}
		j.ObserveAt(f.Data, at)
	}
}
