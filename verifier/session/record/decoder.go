package record

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/shape"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// A Decoder reads records one after the other and keeps its memory between them.
type Decoder struct {
	*vocabulary
	depth int

	scanner scan.Scanner
	checker shape.Checker
	brought shape.Checker // of what a success brings
	record  Record
	inner   []scan.Entry
	clean   bool
}

// NewDecoder returns a decoder for the records of a release.
func NewDecoder(profile string, depth int) *Decoder {
	return &Decoder{vocabulary: vocabularies()[profile], depth: depth, scanner: scan.Scanner{Halves: true}}
}

// Decode reads one line. Session says that the line is known to be of a session's recording: some records
// have more members there than inside an agent's process. The record and all of its bytes are valid until
// the next call and as long as data is not changed.
func (d *Decoder) Decode(data []byte, session bool) *Record {
	r := d.reset()
	d.clean = d.scanner.Clean(data, d.depth)
	if r.data = data; d.clean || d.diagnose() {
		d.line(session)
	}
	if len(r.Faults) > 1 {
		slices.SortStableFunc(r.Faults, func(a, b Fault) int { return rank(a.Clause) - rank(b.Clause) })
	}
	return r
}

func rank(c verifier.ClauseID) int { return rules.Table().Precedence(c) }

// line reads a line that is JSON.
func (d *Decoder) line(session bool) {
	r := &d.record
	at := scan.Space(r.data, 0)
	if r.data[at] != '{' {
		d.fault(rules.NotAnObject, "", "the record is "+scan.KindOf(r.data[at]).String()+", not an object")
		return
	}
	if r.entries = d.scanner.Entries; !d.clean {
		r.entries = scan.EntriesOf(d.scanner.Entries[:0], r.data, at)
	}
	r.JSON = r.data[at:]
	if d.open() {
		d.read(session)
	}
}

// Exceeds returns a record of which nothing was read because it is over a limit.
func (d *Decoder) Exceeds(limit verifier.ClauseID, detail string) *Record {
	d.reset()
	d.fault(limit, "", detail)
	return &d.record
}

func (d *Decoder) reset() *Record {
	r := &d.record
	*r = Record{Faults: r.Faults[:0], scratch: r.scratch[:0]}
	return r
}

func (d *Decoder) fault(c verifier.ClauseID, pointer, detail string) {
	d.record.Faults = append(d.record.Faults, Fault{c, pointer, detail})
}

// diagnose blames the bytes and reports whether they can still be read.
func (d *Decoder) diagnose() bool {
	x := scan.Diagnose(d.record.data, d.depth)
	for _, p := range []struct {
		defect scan.Defect
		clause verifier.ClauseID
	}{{x.TooDeep, rules.LimitDepth}, {x.Broken, rules.BadJSON}, {x.BadUTF8, rules.BadUTF8}, {x.DuplicateName, rules.DuplicateName}} {
		if p.defect.Found {
			d.fault(p.clause, p.defect.Pointer, p.defect.Detail)
		}
	}
	if x.Cleaned == nil {
		return false
	}
	d.record.data = x.Cleaned
	return true
}

// open takes the envelope off and reports whether there is a record to read.
func (d *Decoder) open() bool {
	r := &d.record
	if x := d.entry("dir"); x != nil {
		r.Enveloped = true
		return d.direction(x) && d.content()
	}
	if x := d.entry("ext"); x != nil {
		r.Enveloped, r.Dir = true, Ext
		return d.name("ext", x)
	}
	return true
}

func (d *Decoder) direction(x *scan.Entry) bool {
	name, ok := d.string("dir", x)
	if !ok {
		return false
	}
	for dir, known := range dirNames {
		if string(name) == known {
			d.record.Dir = Dir(dir)
			return true
		}
	}
	d.fault(rules.BadValue, "/dir", fmt.Sprintf("%q is not one of %s", verifier.Shown(string(name)), strings.Join(dirNames[:], ", ")))
	return false
}

// content finds the record in its envelope, or the bytes that stand for it.
func (d *Decoder) content() bool {
	r := &d.record
	x := d.entry("record")
	if x == nil {
		return d.raw()
	}
	r.JSON, r.base = r.data[x.From:x.To], inEnvelope
	if r.Dir == Stdin {
		return false // whatever a client sends, its shape is not judged
	}
	if r.JSON[0] != '{' {
		d.fault(rules.NotAnObject, r.base, "the record is "+scan.KindOf(r.JSON[0]).String()+", not an object")
		return false
	}
	d.inner = scan.EntriesOf(d.inner[:0], r.data, int(x.From))
	r.entries = d.inner
	return true
}

func (d *Decoder) raw() bool {
	r := &d.record
	r.JSON = nil
	x := d.entry("raw")
	if x == nil {
		d.fault(rules.MissingField, "/record", "the line has neither record nor raw")
		return false
	}
	if _, ok := d.string("raw", x); !ok {
		return false
	}
	if r.Dir != Stdin {
		d.fault(rules.BadJSONRaw, "/raw", fmt.Sprintf("what came from %s was not one JSON record", dirNames[r.Dir]))
		return false
	}
	r.Raw = r.data[x.From:x.To]
	return false
}

// entry returns the record's member of that name; nil without one.
func (d *Decoder) entry(name string) *scan.Entry {
	r := &d.record
	for i := range r.entries {
		x := &r.entries[i]
		if raw := r.data[x.NameFrom:x.NameTo]; string(raw) == name || !d.clean && scan.SameName(raw, name) {
			return x
		}
	}
	return nil
}

// string returns what a member says that has to be a string.
func (d *Decoder) string(name string, x *scan.Entry) (text []byte, ok bool) {
	r := &d.record
	if r.data[x.From] != '"' {
		d.fault(rules.WrongType, r.base+"/"+name, fmt.Sprintf("%q is %s, not a string", name, scan.KindOf(r.data[x.From])))
		return nil, false
	}
	text, r.scratch = scan.Text(r.data[x.From:x.To], r.scratch)
	return text, true
}

// name reads the record's type.
func (d *Decoder) name(member string, x *scan.Entry) bool {
	if x == nil {
		d.fault(rules.MissingField, d.record.base+"/"+member, fmt.Sprintf("the record has no %q", member))
		return false
	}
	var ok bool
	d.record.Name, ok = d.string(member, x)
	return ok
}

// read reads the record itself: its type, then its members.
func (d *Decoder) read(session bool) {
	r := &d.record
	switch r.Dir {
	case Exit:
		return
	case Ext:
		if r.Name != nil || d.name("type", d.entry("type")) {
			d.note()
			d.reasoned()
		}
		return
	}
	if !d.name("type", d.entry("type")) {
		return
	}
	types := d.types
	if r.Dir == Host {
		types = d.hosts
	}
	t := types[string(r.Name)]
	if t == 0 || d.shapes[t] == nil {
		d.fault(rules.UnknownEventType, r.base+"/type", fmt.Sprintf("%s has no record of type %q", d.profile, verifier.Shown(string(r.Name))))
		return
	}
	r.Type = t
	d.note()
	d.check(t, session || r.Enveloped)
}

// reasoned checks the reason of an extension's event. Which reasons there are is for the rules to say.
func (d *Decoder) reasoned() {
	r := &d.record
	switch v := r.Value(Reason); {
	case r.Null(Reason):
		d.fault(rules.NullOptional, r.Pointer(Reason), fmt.Sprintf("%q is null; leave it out instead", Reason))
	case v != nil && v[0] != '"':
		d.fault(rules.WrongType, r.Pointer(Reason), fmt.Sprintf("%q is %s, not a string", Reason, scan.KindOf(v[0])))
	}
}

// note remembers where the members are that rules read.
func (d *Decoder) note() {
	r := &d.record
	for i := range r.entries {
		x := &r.entries[i]
		name := r.data[x.NameFrom:x.NameTo]
		if !d.clean && bytes.IndexByte(name, '\\') >= 0 {
			name, r.scratch = scan.Unescape(name, r.scratch)
		}
		if f, ok := d.fields[string(name)]; ok && i < 1<<16-1 {
			r.fields[f] = uint16(i + 1)
		}
	}
}

func (d *Decoder) check(t Type, session bool) {
	r := &d.record
	d.checker.Reset(r.data, r.base)
	o, seen := d.shapes[t], uint64(0)
	for i := range r.entries {
		x := &r.entries[i]
		d.checker.Member(o, r.data[x.NameFrom:x.NameTo], int(x.From), &seen)
	}
	d.checker.Missing(o, seen)
	switch t {
	case UIRequest:
		d.checker.Object(d.request, d.start())
	case Response:
		d.judgeData()
	case AgentEnd, MessageUpdate:
		d.formed(t, session)
	}
	for sort, clause := range [...]verifier.ClauseID{shape.Missing: rules.MissingField, shape.WrongType: rules.WrongType, shape.BadValue: rules.BadValue, shape.Null: rules.NullOptional} {
		if f := &d.checker.Faults[sort]; f.Found {
			d.fault(clause, f.Pointer, f.Detail)
		}
	}
}

// start returns the position of the record's object.
func (d *Decoder) start() int { return cap(d.record.data) - cap(d.record.JSON) }

// formed asks for the members that a record has on standard output alone, or in the agent's process alone.
func (d *Decoder) formed(t Type, session bool) {
	r := &d.record
	lean := pi.In(d.profile, pi.Pi1x, "") // updates have no message on standard output
	switch {
	case t == AgentEnd && session && pi.In(d.profile, pi.Pi080, ""):
		d.needs(WillRetry)
	case t != MessageUpdate || !lean || r.Has(Message) || r.Has(Partial):
	case session || r.Has(Usage):
		d.needs(Usage)
	default:
		d.needs(Message)
	}
}

// needs blames a member that is absent, or null, where this form of the record has it.
func (d *Decoder) needs(f Field) {
	r := &d.record
	switch {
	case r.fields[f] == 0:
		d.checker.Lacks(f.String(), fmt.Sprintf("%s has no %q", r.Type, f))
	case r.Null(f):
		d.checker.Faults[shape.Null].Found = false
		d.fault(rules.WrongType, r.Pointer(f), fmt.Sprintf("%q is null", f))
	}
}

// judgeData looks at what a response brings. A success of a command brings what the command gives; what is
// wrong with that is no fault of the record's shape, since a client reads it by its command.
func (d *Decoder) judgeData() {
	r := &d.record
	c, v := d.commands[string(r.Text(Command))], r.Value(Data)
	if !r.Has(Command) {
		c = &command{} // nothing is asked for, and nothing given
	}
	gives := c != nil && c.gives && r.True(Success)
	if r.Null(Data) && !gives {
		d.fault(rules.NullOptional, r.Pointer(Data), fmt.Sprintf("%q is null; leave it out instead", Data))
	}
	switch {
	case c == nil || !r.True(Success):
	case !gives:
		if v != nil {
			r.DataFault = fmt.Sprintf("a success of %s has data", cmp.Or(string(r.Text(Command)), "no command"))
		}
	case v == nil && (r.Null(Data) && c.nullable || !r.Null(Data) && c.optional):
	case v == nil:
		r.DataFault = fmt.Sprintf("a success of %s has no data", r.Text(Command))
	case v[0] != '{':
		r.DataFault = fmt.Sprintf("the data is %s, not an object", scan.KindOf(v[0]))
	case c.data != nil:
		d.brought.Reset(r.data, r.Pointer(Data))
		d.brought.Object(c.data, cap(r.data)-cap(v))
		for _, sort := range []shape.Sort{shape.Missing, shape.WrongType, shape.BadValue} {
			if f := &d.brought.Faults[sort]; f.Found && r.DataFault == "" {
				r.DataFault, r.DataPointer = f.Detail, f.Pointer
			}
		}
	}
}
