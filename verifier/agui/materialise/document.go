package materialise

import (
	"bytes"
	"fmt"

	"github.com/agentstream/conformance/verifier/agui/document"
)

// maxDocument bounds each state or activity, and maxRead what is read of all of them after patches: a
// patch of a few bytes may make a big document anew.
const (
	maxDocument = 64 << 20
	maxRead     = 64 << 20
)

// A doc is a document as it was given, until the first patch comes for it.
type doc struct {
	raw    []byte
	parsed *document.Document // nil before
	value  any                // what it is, where built is set
	built  bool
}

func newDoc(raw []byte) *doc { return &doc{raw: bytes.Clone(raw)} }

// apply applies a patch wholly or not at all, and reports which.
func (d *doc) apply(patch []byte, apply func(*document.Document, []byte) error) bool {
	if d.parsed == nil {
		p, err := document.Parse(d.raw, maxDocument)
		if err != nil {
			return false
		}
		d.parsed, d.raw = p, nil
	}
	if apply(d.parsed, patch) != nil {
		return false
	}
	d.built = false
	return true
}

func (d *doc) size() int {
	if d.parsed == nil {
		return len(d.raw)
	}
	return d.parsed.Size()
}

// readDoc returns what a document is now. Over a limit ok is false, and Err says so from then on.
func (s *Stream) readDoc(d *doc) (v any, ok bool) {
	if d.built {
		return d.value, true
	}
	if s.read += d.size(); s.read > maxRead {
		s.err = fmt.Errorf("states and activities add up to more than %d bytes", maxRead)
		return nil, false
	}
	raw := d.raw
	if d.parsed != nil {
		raw = d.parsed.AppendJSON(nil)
	}
	if raw, _ = readable(&s.scanner, raw); raw == nil {
		s.err = fmt.Errorf("a patch nests a state or activity deeper than %d", maxDepth)
		return nil, false
	}
	d.value, d.built = valueOf(raw), true
	return d.value, true
}

// stateIs makes JSON the state, as it was said: that costs no more than reading the event did.
func (s *Stream) stateIs(raw []byte) {
	s.state = newDoc(raw)
	s.state.value, s.state.built = valueOf(raw), true
}

// stateBegins gives the state that a stream begins with. What is absent, or null where the protocol has
// none, is the empty object.
func (s *Stream) stateBegins(raw []byte) {
	if len(raw) == 0 || raw[0] == 'n' {
		raw = []byte("{}")
	}
	s.stateIs(raw)
}

func (s *Stream) stateSnapshot(e *event) {
	if raw, before := e.raw("snapshot"), s.state.value; raw != nil {
		s.stateIs(raw)
		s.noteState(before)
	}
}

func (s *Stream) stateDelta(e *event) {
	patch, before := e.list("delta"), s.state.value
	if patch == nil || !s.state.apply(patch, (*document.Document).Apply) {
		return
	}
	if _, ok := s.readDoc(s.state); ok {
		s.noteState(before)
	}
}

// noteState notes the state in the run, unless it is what it was before.
func (s *Stream) noteState(before any) {
	now, same := share(before, s.state.value)
	if s.state.value = now; !same {
		r := s.runs[len(s.runs)-1]
		r.states = append(r.states, now)
	}
}
