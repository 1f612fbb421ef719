package materialise

import (
	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier/scan"
)

// A reader reads events one after the other and keeps its memory between them.
type reader struct {
	scanner scan.Scanner
	last    event
}

// An event is a JSON object, valid until the next one is read.
type event struct {
	kind    baseline.EventType // zero where the object has none that is known
	data    []byte
	members []scan.Entry
}

// event reads an event; ok is false where the bytes are no object.
func (r *reader) event(data []byte) (e *event, ok bool) {
	if e, ok = r.object(data); ok {
		name, _ := e.text("type")
		e.kind = baseline.EventTypeOf([]byte(name))
	}
	return e, ok
}

// object reads an object. Of a name that comes twice the last value counts.
func (r *reader) object(data []byte) (e *event, ok bool) {
	e = &r.last
	*e = event{}
	clean := false
	if e.data, clean = readable(&r.scanner, data); e.data == nil {
		return e, false
	}
	at := scan.Space(e.data, 0)
	if e.data[at] != '{' {
		return e, false
	}
	if e.members = r.scanner.Entries; !clean {
		e.members = scan.EntriesOf(r.scanner.Entries[:0], e.data, at)
	}
	return e, true
}

// readable returns JSON that can be walked, and whether it is what was given; nil where there is none,
// or it is too deep.
func readable(s *scan.Scanner, data []byte) (json []byte, clean bool) {
	switch {
	case len(data) > scan.MaxBytes:
		return nil, false
	case s.Clean(data, maxDepth):
		return data, true
	}
	return scan.Diagnose(data, maxDepth).Cleaned, false
}

// raw returns a member's JSON; nil without one.
func (e *event) raw(name string) []byte {
	for i := range e.members {
		if m := &e.members[i]; scan.SameName(e.data[m.NameFrom:m.NameTo], name) {
			return e.data[m.From:m.To]
		}
	}
	return nil
}

// text returns what a string member says; ok is false where it is absent or no string.
func (e *event) text(name string) (said string, ok bool) {
	v := e.raw(name)
	if len(v) == 0 || v[0] != '"' {
		return "", false
	}
	t, _ := scan.Text(v, nil)
	return string(t), true
}

// list returns a member that is an array, else nil.
func (e *event) list(name string) []byte { return e.bracketed(name, '[') }

// object returns a member that is an object, else nil.
func (e *event) object(name string) []byte { return e.bracketed(name, '{') }

func (e *event) bracketed(name string, bracket byte) []byte {
	if v := e.raw(name); len(v) > 0 && v[0] == bracket {
		return v
	}
	return nil
}

// metadata returns the event's own; nil where it says nothing.
func (e *event) metadata() map[string]any {
	m, _ := valueOf(e.object("metadata")).(map[string]any)
	return m
}

// An owner is a subagent, by its tag, or without one the parent agent.
type owner struct {
	tag    string
	tagged bool
}

// owner returns who the event speaks for.
func (e *event) owner() owner {
	tag, ok := e.text("subagentRunId")
	return owner{tag, ok}
}

// or is the owner, or where that is the parent agent another one.
func (o owner) or(other owner) owner {
	if o.tagged {
		return o
	}
	return other
}

// note writes the owner down under a name; the parent agent has none.
func (o owner) note(fields map[string]any, name string) {
	if o.tagged {
		fields[name] = o.tag
	} else {
		delete(fields, name)
	}
}

// copyTexts copies string members from an event, under other names: pairs of theirs and ours.
func copyTexts(to map[string]any, e *event, names ...string) {
	for i := 0; i < len(names); i += 2 {
		if t, ok := e.text(names[i]); ok {
			to[names[i+1]] = t
		}
	}
}

// copyValue copies an optional member; null is no value for one.
func copyValue(to map[string]any, name string, raw []byte) {
	if raw != nil && raw[0] != 'n' {
		to[name] = valueOf(raw)
	}
}
