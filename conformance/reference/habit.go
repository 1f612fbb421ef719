package reference

import (
	"errors"
	"net/http"
	"slices"
)

// A Habit is a small change of the agent.
type Habit struct {
	Name string
	// Does says in a sentence what it does.
	Does string
	// Script is one that shows it. Input has the members that are laid over an ordinary input for it, null takes one away; ""
	// for none.
	Script, Input string
	// Body is what has to be sent in place of an input, "" for one. A right agent refuses it.
	Body string
	// Abort is the gate of the script at which a client has to hang up once, before it shows; "" for none.
	Abort string
	// Clause is the one of the rule table that the stream breaks, by its full name; "" where it breaks none.
	Clause string
	// Cause is why a scenario of that script fails; empty for a liberty, which passes.
	Cause Cause

	habits
}

// A Cause is one of those that results of scenarios have.
type Cause string

// The causes.
const (
	Rule        Cause = "rule"        // Clause is broken
	Unfaithful  Cause = "unfaithful"  // the stream is legal, and does not say what the script said
	Expectation Cause = "expectation" // it shows only to a scenario that looks for it
	HTTP        Cause = "http"        // the answer is no event stream
	Status501   Cause = "501"         // a declared feature is refused
	Lost        Cause = "lost"        // the connection breaks off
	LimitTime   Cause = "limit:time"
	LimitEvents Cause = "limit:events"
)

// habits are where the agent can be changed. The zero value changes nothing.
type habits struct {
	rewrite     func() rewriter                             // of one response
	write       func(r *response, n int, data []byte) error // sends event n, from 0
	instead     func(q *http.Request, r *request) error     // answers in place of a run by a refusal, or breaks off; nil: runs
	status      int
	contentType string
	refuses     int    // the status of an early failure
	spans       string // around reasoning without one: aroundAll, aroundEach
	tolerates   bool   // what is no input
	sulks       bool   // once a client has gone away at a gate
	echoes      bool   // the client's version
	starts      bool   // a run before it fails early
	crashes     bool   // a panic is not recovered
	unguarded   bool   // illegal events go out
	closes      bool   // Options.CloseBeforeError
	chunks      bool   // where a script leaves the form open
	tags        bool   // continuations too
	mints       bool   // ids of its own
	names       bool   // pending calls unasked
}

// Faults are what makes the agent a wrong one, each with a script that shows it.
func Faults() []Habit {
	return slices.Concat(structureFaults(), orderFaults(), chunkFaults(), ownerFaults(), identityFaults(), requestFaults(), documentFaults(),
		transportFaults(), unfaithful())
}

// find returns the fault or liberty of that name.
func find(name string) (Habit, bool) {
	for _, h := range slices.Concat(Faults(), Liberties()) {
		if h.Name == name {
			return h, true
		}
	}
	return Habit{}, false
}

// errCut ends a response in the middle.
var errCut = errors.New("cut")

// recovered is what becomes of a panic.
func (h *habits) recovered() error {
	if h.crashes {
		return errCut
	}
	code := "internal-error"
	return &failure{message: "internal error", code: &code}
}

// early is what becomes of a failure before the run.
func (h *habits) early(m members) error {
	if h.refuses != 0 {
		return &refusal{h.refuses, map[string]any{"error": m.text("message")}}
	}
	return reported(m)
}
