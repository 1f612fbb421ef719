// Package report writes what the kit found: as text for a person, as JSON for a program, and the
// rules as text, JSON or Markdown. Writers print to the io.Writer that they are given.
package report

import "github.com/agentstream/conformance/conformance"

// A Writer writes the streams of a check as they come, then the end.
type Writer interface {
	Stream(*conformance.Stream) error
	End(*conformance.Tally) error
}
