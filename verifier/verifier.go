// Package verifier has what all protocols share: rules as data, the engine that turns a broken
// clause into a finding, the verdict, limits and the report. It knows no protocol.
package verifier

// A Verifier judges one stream, event by event. It is not safe for concurrent use.
type Verifier interface {
	// Observe judges the next event, given as its JSON, and returns what it is blamed for. Some
	// faults are known only later: a finding may carry a lower index than the event observed. The
	// slice is valid until the next call; the event's bytes are not kept.
	Observe(event []byte) []Violation
	// Finish judges the end of the stream and returns what was left to say. Nothing may be
	// observed after it.
	Finish() []Violation
}

// A Judge is a verifier of whole recordings, as each protocol has one.
type Judge interface {
	Verifier
	// ObserveAt is Observe for an event whose line and byte offset are known.
	ObserveAt(event []byte, at Place) []Violation
	// ObserveOver takes an event that is over the limit of bytes and was not read.
	ObserveOver(at Place) []Violation
	// Verdict is what the stream comes to as far as it was observed.
	Verdict() Verdict
	// Report returns all that is known of the stream. It is complete after Finish.
	Report() Report
	// Coverage returns how often a clause was looked at and how often it was broken.
	Coverage(c ClauseID) (evaluated, fired uint64)
}

// Off is a verifier that judges nothing. It has size zero, and observing through it costs nothing,
// so a producer can switch verification off by type.
type Off struct{}

// Observe returns nothing.
func (Off) Observe([]byte) []Violation { return nil }

// Finish returns nothing.
func (Off) Finish() []Violation { return nil }

var _ Verifier = Off{}
