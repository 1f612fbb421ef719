package reference

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// A guard looks at each event before it is sent.
type guard struct {
	verifier *agui.Verifier
	calls    map[string]bool // that the request's messages list
}

func newGuard(r *request) (*guard, error) {
	v, err := agui.New(agui.Options{Profile: agui.Producer, Request: r.input})
	if err != nil {
		return nil, err
	}
	return &guard{v, callsOf(r.input)}, nil
}

func callsOf(input jsontext.Value) map[string]bool {
	calls := map[string]bool{}
	for _, message := range elements(membersOf(input)["messages"]) {
		for _, call := range elements(membersOf(message)["toolCalls"]) {
			calls[textOf(membersOf(call)["id"])] = true
		}
	}
	return calls
}

// check returns why an event must not be sent; nil for one that may. emitted says that it came past the types: about results the
// contract then asks for more than profile producer does.
func (g *guard) check(e event, data []byte, emitted bool) *failure {
	for _, v := range g.verifier.Observe(data) {
		if v.Code == "limit" {
			continue // of the verifier, which looks no further
		}
		if v.Severity == verifier.Error || emitted && g.isAboutResult(e, v) {
			return &failure{message: strings.TrimPrefix(v.EventType+": "+v.Detail, ": "), code: &v.Code}
		}
	}
	return nil
}

// isAboutResult: a result for a call that is open, or that neither this run nor the request knows.
func (g *guard) isAboutResult(e event, v verifier.Violation) bool {
	return v.Code == "out-of-order" || v.Code == "unknown-id" && e.is(baseline.ToolCallResult) && !g.calls[e.text("toolCallId")]
}
