package conformance

import (
	"bytes"
	"errors"

	"github.com/agentstream/conformance/conformance/shrink"
	"github.com/agentstream/conformance/verifier"
)

// A Vector is a stream with the verdict that it must get.
type Vector struct {
	ID string
	// Protocol, Profile and Revision say how it is judged; empty ones are left out.
	Protocol, Profile, Revision string
	// Request is the RunAgentInput that the stream answers, as JSON; nil without one.
	Request []byte
	Events  [][]byte
	Expect  verifier.Verdict
	// Finding must be among the stream's; nil where nothing is said of them.
	Finding *ExpectedFinding
}

// An ExpectedFinding is one that a stream must have. The clause is empty where the model does not know it.
type ExpectedFinding struct {
	Code     string `json:"code,omitempty"`
	Clause   string `json:"clause,omitempty"`
	Severity string `json:"severity"`
	Index    int    `json:"index"`
}

// expectation is how a vector's verdict is written; of an accepted stream only that.
type expectation struct {
	Verdict verifier.Outcome `json:"verdict"`
	Code    string           `json:"code,omitempty"`
	Index   *int             `json:"index,omitempty"`
	Finding *ExpectedFinding `json:"finding,omitempty"`
}

// ErrNoLine is the error of a vector with an event that cannot stand in a line of JSON: one with a
// line end, or with brackets or quotes that do not end.
var ErrNoLine = errors.New("an event of the stream is cut off or has a line end, and cannot stand in one line with others")

// Line returns the vector as one line of JSON, with its end: what Verdicts reads. The events stand in
// it byte for byte, whatever they are.
func (v Vector) Line() ([]byte, error) {
	e := expectation{Verdict: v.Expect.Outcome, Finding: v.Finding}
	if v.Expect.Outcome != verifier.Accept {
		e.Code, e.Index = v.Expect.Code, &v.Expect.Index
	}
	head, err := Marshal(struct {
		ID       string `json:"id"`
		Protocol string `json:"protocol,omitempty"`
		Profile  string `json:"profile,omitempty"`
		Revision string `json:"revision,omitempty"`
	}{v.ID, v.Protocol, v.Profile, v.Revision})
	if err != nil {
		return nil, err
	}
	tail, err := Marshal(e)
	if err != nil {
		return nil, err
	}
	out := head[:len(head)-1]
	if v.Request != nil {
		out = append(append(out, `,"request":`...), shrink.Compact(v.Request)...)
	}
	out = append(append(out, `,"events":[`...), bytes.Join(v.Events, []byte(","))...)
	out = append(append(append(out, `],"expect":`...), tail...), '}')
	if !v.isIn(out) {
		return nil, ErrNoLine
	}
	return append(out, '\n'), nil
}

// isIn tells whether the line says what the vector says.
func (v Vector) isIn(line []byte) bool {
	q, err := parseQuery(line)
	if err != nil || bytes.IndexByte(line, '\n') >= 0 {
		return false
	}
	n := 0
	for e := range q.events() {
		if n == len(v.Events) || !bytes.Equal(e, v.Events[n]) {
			return false
		}
		n++
	}
	return n == len(v.Events)
}
