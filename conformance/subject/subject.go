// Package subject sends requests to what is under test: a server by its address, a command that is started and stopped, or
// a folder of recordings. It keeps what comes back as it came, judges nothing, and never takes longer than its limits.
package subject

import (
	"context"
	"net/http"
	"time"
)

// A Subject answers requests.
type Subject interface {
	// Name is how the subject is written on the command line, without secrets.
	Name() string
	// Describe asks the subject what it is. The zero Description is that of one which does not say.
	Describe(ctx context.Context) (Description, error)
	// Send sends one request and returns when the response has ended. The error is about this side: what the subject does
	// wrong is in the response.
	Send(ctx context.Context, r *Request) (*Response, error)
	// Close stops what was started.
	Close() error
}

// A Description is what a subject says of itself when it is asked by GET.
type Description struct {
	Version    int      `json:"version"`
	Subject    string   `json:"subject"`
	SDK        string   `json:"sdk"`
	SDKVersion string   `json:"sdkVersion"`
	Driver     string   `json:"driver"` // sdk or adapter: who writes RUN_STARTED and the terminal event
	Features   []string `json:"features"`
}

// A Request is one POST of a RunAgentInput.
type Request struct {
	// Scenario and Run name the request: recordings are found by them.
	Scenario, Run string
	Body          []byte
	// Accept is always said; empty stands for text/event-stream.
	Accept string
	// Header is laid over the headers that all requests have.
	Header http.Header
	// Event is told each event when it has come, and may open gates or hang up. May be nil.
	Event func(data []byte, c *Call)
}

// A Call is a request that is under way.
type Call struct {
	open   func(gate string) error
	hangUp context.CancelCauseFunc
}

// Open opens a gate at which the agent waits: RUN/NAME.
func (c *Call) Open(gate string) error { return c.open(gate) }

// HangUp goes away in the middle of the response.
func (c *Call) HangUp() { c.hangUp(errHungUp) }

// A Response is what came back.
type Response struct {
	Status int
	Header http.Header
	// Events are the data of the frames, in order. Of what is no event stream there are none.
	Events [][]byte
	// Chunks are the body as it came, read by read.
	Chunks []Chunk
	// Cause says what ended the response early; empty for one that ended by itself.
	Cause Cause
	// Detail says more about the cause, for a reader.
	Detail string
}

// A Chunk is the bytes of one read.
type Chunk struct {
	Data  []byte
	After time.Duration // since the response's head
}

// A Cause is why a response ended early, or never came.
type Cause string

// The causes. None of them is the code of a rule.
const (
	LimitTime   Cause = "limit:time"
	LimitBytes  Cause = "limit:bytes"
	LimitEvents Cause = "limit:events"
	Exited      Cause = "exited"  // the command went away
	Refused     Cause = "refused" // no connection
	Lost        Cause = "lost"    // the connection broke
	HungUp      Cause = "hung-up" // this side went away, as it was told to
)

// IsStream tells whether the response is an event stream: a run that starts is answered by 200.
func (r *Response) IsStream() bool {
	return r.Status == http.StatusOK && mediaType(r.Header) == EventStream
}

// Body returns the body's bytes.
func (r *Response) Body() (body []byte) {
	for _, c := range r.Chunks {
		body = append(body, c.Data...)
	}
	return body
}

// EventStream is the media type of server-sent events.
const EventStream = "text/event-stream"

// Limits bound what one request may cost.
type Limits struct {
	Start   time.Duration // of a command, until it has said its address
	Connect time.Duration
	Request time.Duration // from the first byte sent to the last byte read
	Bytes   int64         // of a response's body
	Events  int           // of a response
}

// DefaultLimits are those of the contract.
func DefaultLimits() Limits {
	return Limits{Start: 30 * time.Second, Connect: 5 * time.Second, Request: 30 * time.Second, Bytes: 64 << 20, Events: 1_000_000}
}
