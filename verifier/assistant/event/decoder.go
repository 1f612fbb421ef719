package event

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/assistant/shape"
	"github.com/agentstream/conformance/verifier/scan"
)

// A Decoder reads events one after the other and keeps its memory between them.
type Decoder struct {
	vocabulary *Vocabulary
	depth      int

	scanner scan.Scanner
	checker shape.Checker
	event   Event
	data    []byte // of the event, valid
	base    string // pointer of the event in its record
	entries []scan.Entry
	scratch []byte
}

// NewDecoder returns a decoder for events nested at most depth deep.
func NewDecoder(v *Vocabulary, depth int) *Decoder {
	return &Decoder{vocabulary: v, depth: depth, scanner: scan.Scanner{Halves: true}}
}

// Decode reads one event. The event and all of its bytes are valid until the next call and as long as data
// is not changed.
func (d *Decoder) Decode(data []byte) *Event {
	d.reset(data, "")
	clean := d.scanner.Clean(data, d.depth)
	if !clean && !d.diagnose() {
		return &d.event
	}
	at := scan.Space(d.data, 0)
	if d.data[at] != '{' {
		f := Fault{Clause: rules.NotAnObject, Detail: "the event is " + scan.KindOf(d.data[at]).String() + ", not an object"}
		d.event.Faults = slices.Insert(d.event.Faults, 0, f)
		return &d.event
	}
	if d.entries = d.scanner.Entries; !clean {
		d.entries = scan.EntriesOf(d.scanner.Entries[:0], d.data, at)
	}
	if t := d.typed(); t != nil {
		d.read(t)
	}
	return &d.event
}

// Embedded reads an event that stands inside a record at that pointer: valid JSON, without two members of
// one name. Of what begins or ends a stream, and of what is no object, nothing is judged.
func (d *Decoder) Embedded(data []byte, pointer string) *Event {
	d.reset(data, pointer)
	if data[0] != '{' {
		return &d.event
	}
	d.entries = scan.EntriesOf(d.entries[:0], data, 0)
	t := d.typed()
	switch {
	case t == nil:
	case t.block == NoBlock:
		d.event.Op, d.event.Type = t.op, t.name
	default:
		d.read(t)
	}
	return &d.event
}

// Exceeds returns an event of which nothing was read because it is over a limit.
func (d *Decoder) Exceeds(limit verifier.ClauseID, detail string) *Event {
	d.reset(nil, "")
	d.fault(limit, "", detail)
	return &d.event
}

func (d *Decoder) reset(data []byte, base string) {
	e := &d.event
	e.Op, e.Block, e.Type, e.Faults, e.names, e.base, e.decoder = None, NoBlock, "", e.Faults[:0], nil, base, d
	clear(e.fields[:])
	d.data, d.base, d.scratch = data, base, d.scratch[:0]
}

// diagnose blames the bytes and reports whether they can still be read.
func (d *Decoder) diagnose() bool {
	x := scan.Diagnose(d.data, d.depth)
	for _, p := range [...]struct {
		defect scan.Defect
		clause verifier.ClauseID
	}{{x.Broken, rules.BadJSON}, {x.TooDeep, rules.LimitDepth}, {x.BadUTF8, rules.BadUTF8}, {x.DuplicateName, rules.DuplicateName}} {
		if p.defect.Found {
			d.fault(p.clause, p.defect.Pointer, p.defect.Detail)
		}
	}
	if x.Cleaned == nil {
		return false
	}
	d.data = x.Cleaned
	return true
}

func (d *Decoder) fault(c verifier.ClauseID, pointer, detail string) {
	d.event.Faults = append(d.event.Faults, Fault{Clause: c, Pointer: pointer, Detail: detail})
}

// typed finds the event's type; nil where there is none that is known.
func (d *Decoder) typed() *typ {
	x := d.entry("type")
	if x == nil {
		d.fault(d.orRead(rules.MissingField, rules.MissingRead), d.base+"/type", `the event has no "type"`)
		return nil
	}
	if d.data[x.From] != '"' {
		d.fault(d.orRead(rules.WrongType, rules.WrongTypeRead), d.base+"/type", `"type" is `+scan.KindOf(d.data[x.From]).String()+", not a string")
		return nil
	}
	name := d.data[x.From+1 : x.To-1]
	if x.Escaped {
		name, d.scratch = scan.Unescape(name, d.scratch)
	}
	t := d.vocabulary.types[string(name)]
	if t == nil {
		d.fault(rules.UnknownEventType, d.base+"/type", d.unknown(string(name)))
	}
	return t
}

// orRead is the clause of a member that JavaScript cannot go on without, where it reads.
func (d *Decoder) orRead(member, read verifier.ClauseID) verifier.ClauseID {
	if d.vocabulary.javascript {
		return read
	}
	return member
}

// entry returns the event's member of that name; nil without one.
func (d *Decoder) entry(name string) *scan.Entry {
	for i := range d.entries {
		x := &d.entries[i]
		if scan.SameName(d.data[x.NameFrom:x.NameTo], name) {
			return x
		}
	}
	return nil
}

func (d *Decoder) unknown(name string) string {
	v := d.vocabulary
	detail := fmt.Sprintf("%q is no event type of %s", verifier.Shown(name), v.title)
	if v.other.types[name] != nil {
		return detail + "; this looks like " + v.other.title
	}
	if near := verifier.Nearest(name, v.names); near != "" {
		return detail + "; did you mean " + near + "?"
	}
	return detail
}

// read takes the members of an event and blames those that are not as its type has them.
func (d *Decoder) read(t *typ) {
	e := &d.event
	e.Op, e.Block, e.Type, e.names = t.op, t.block, t.name, t
	d.checker.Reset(d.data, d.base)
	seen, at := uint64(0), -1
	for i := range d.entries {
		x := &d.entries[i]
		at = d.checker.Next(t.shape, at, d.data[x.NameFrom:x.NameTo], int(x.From), &seen)
		if at >= 0 && t.fields[at] != fieldCount && (d.data[x.From] != 'n' || d.vocabulary.javascript) {
			e.fields[t.fields[at]] = uint32(i + 1)
		}
	}
	d.checker.Missing(t.shape, seen)
	if t.ends && e.fields[Message] == 0 && e.fields[Usage] == 0 {
		d.needUsage(t)
	}
	d.unread(t)
	if d.checker.Any() {
		d.blame()
	}
}

// needUsage blames an end without a message for its usage.
func (d *Decoder) needUsage(t *typ) {
	name := t.called[Usage]
	if d.entry(name) != nil {
		d.checker.Wrong(name, fmt.Sprintf("%q is null, and there is no %q", name, t.called[Message]))
		return
	}
	d.checker.Lacks(t.called[Message], fmt.Sprintf("%s has neither %q nor %q", t.name, t.called[Message], name))
}

// unread blames what JavaScript dies of: it cannot read a member of nothing.
func (d *Decoder) unread(t *typ) {
	if !d.vocabulary.javascript || !t.needs {
		return
	}
	name := t.called[t.needed]
	switch v := d.event.Value(t.needed); {
	case v == nil:
		d.fault(rules.MissingRead, "/"+name, fmt.Sprintf("%s has no %q, which is read", t.name, name))
	case v[0] == 'n':
		d.fault(rules.WrongTypeRead, "/"+name, fmt.Sprintf("%q is null, and is read", name))
	}
}

// sorts are the clauses of what a checker finds, by its sort.
var sorts = [...]verifier.ClauseID{
	shape.Missing: rules.MissingField, shape.WrongType: rules.WrongType, shape.BadValue: rules.BadValue, shape.Null: rules.NullOptional,
}

// blame adds what the checker found. A member that cannot be read stands in front of its like.
func (d *Decoder) blame() {
	var read Fault
	if n := len(d.event.Faults); n > 0 {
		if last := d.event.Faults[n-1]; last.Clause == rules.MissingRead || last.Clause == rules.WrongTypeRead {
			read, d.event.Faults = last, d.event.Faults[:n-1]
		}
	}
	for s, c := range sorts {
		if read.Clause == rules.MissingRead && c == rules.MissingField || read.Clause == rules.WrongTypeRead && c == rules.WrongType {
			d.event.Faults = append(d.event.Faults, read)
		}
		if f := d.checker.Faults[s]; f.Found {
			d.fault(c, f.Pointer, f.Detail)
		}
	}
}
