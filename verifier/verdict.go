package verifier

import "fmt"

// Outcome is the kind of a verdict.
type Outcome uint8

const (
	// Accept: no error.
	Accept Outcome = iota
	// Reject: the error with the lowest index decides.
	Reject
	// Incomplete: a limit of the kit was reached before any error.
	Incomplete
)

var outcomeNames = [...]string{"accept", "reject", "incomplete"}

func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Verdict is what a stream comes to. Code and Index are set unless it is accepted.
type Verdict struct {
	Outcome Outcome
	Code    string
	Index   int
}

func (v Verdict) String() string {
	if v.Outcome == Accept {
		return "accept"
	}
	return fmt.Sprintf("%s %s at %d", v.Outcome, v.Code, v.Index)
}
