// Package aguitest checks event streams in the tests of those who produce them: one line says
// whether what an agent sent is legal AG-UI, and what to fix where it is not.
package aguitest

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// T is the part of *testing.T that is used, so that other frameworks can be.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Legal reads a whole recording (SSE as a server sends it, one event a line, or a JSON array) and
// fails the test for every error in it. Options may hold the request or another profile; at most one
// is used.
func Legal(t T, recording io.Reader, options ...agui.Options) bool {
	t.Helper()
	v, err := agui.New(first(options))
	if err != nil {
		t.Errorf("aguitest: %v", err)
		return false
	}
	if err := wire.Feed(recording, wire.Options{}, v); err != nil {
		t.Errorf("aguitest: %v", err)
		return false
	}
	r := v.Report()
	for _, f := range r.Findings {
		if f.Severity == verifier.Error {
			t.Errorf("%s", Sentence(f))
		}
	}
	return r.Verdict.Outcome == verifier.Accept
}

// LegalEvents is Legal for events that are at hand one by one, each as its JSON.
func LegalEvents(t T, events [][]byte, options ...agui.Options) bool {
	t.Helper()
	return Legal(t, bytes.NewReader(append(bytes.Join(events, []byte("\n")), '\n')), options...)
}

func first(options []agui.Options) agui.Options {
	if len(options) == 0 {
		return agui.Options{}
	}
	return options[0]
}

// Sentence says a finding in one line.
func Sentence(f verifier.Violation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "event %d", f.Index)
	if f.EventType != "" {
		fmt.Fprintf(&b, " (%s)", f.EventType)
	}
	fmt.Fprintf(&b, ": %s: %s", f.Code, f.Detail)
	if f.Pointer != "" {
		fmt.Fprintf(&b, " at %s", f.Pointer)
	}
	fmt.Fprintf(&b, "; see %s", f.Page)
	return b.String()
}
