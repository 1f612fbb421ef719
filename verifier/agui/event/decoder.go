package event

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// A Decoder reads events one after the other and keeps its memory between them.
type Decoder struct {
	// Depth is how deep an event may be nested.
	Depth int
	// Auto decides the revision at each RUN_STARTED by what it declares.
	Auto bool

	shapes   [2]*shapes // of 1.0 and 0.x
	scanner  scan.Scanner
	event    Event
	data     []byte                                // of the event, clean
	hints    [baseline.EventTypeCount + 1][8]uint8 // where each type had its nth member the last time
	entries  []scan.Entry                          // the members of the event
	lastType baseline.EventType                    // of the event before, with its name
	lastName string
	clean    bool          // no name of it has escapes
	scratch  []byte        // unescaped strings of the event
	path     []step        // to the value being checked
	blamed   verifier.Mask // clauses that have their fault: the first of each is enough
	field    Field         // the event's field being checked, where inField is set
	inField  bool
	atField  bool // a field of the event itself was blamed since this was last cleared

}

// step is one reference token of a path: a raw name, or an index.
type step struct {
	name  []byte
	index int
}

// NewDecoder returns a decoder for a reader.
func NewDecoder(r Reader, depth int, auto bool) *Decoder {
	return &Decoder{Depth: depth, Auto: auto, shapes: compiled()[r]}
}

func (d *Decoder) pick(early bool) *shapes {
	if early {
		return d.shapes[1]
	}
	return d.shapes[0]
}

// Decode reads one event under the version of the run it belongs to; where none is running, a
// RUN_STARTED brings its own. The event and all of its bytes are valid until the next call and as
// long as data is not changed.
func (d *Decoder) Decode(data []byte, v Version, running bool) *Event {
	d.reset(v)
	d.data = data
	d.clean = d.scanner.Clean(data, d.Depth)
	if !d.clean && !d.diagnose() {
		return &d.event
	}
	at := scan.Space(d.data, 0)
	if d.data[at] != '{' {
		d.fault(rules.NotAnObject, "the event is "+scan.KindOf(d.data[at]).String()+", not an object")
		d.sort()
		return &d.event
	}
	if d.entries = d.scanner.Entries; !d.clean {
		d.entries = scan.EntriesOf(d.scanner.Entries[:0], d.data, at)
	}
	if o := d.typed(running); o != nil {
		d.event.Type, d.event.Attributable = o.event, o.attributable
		d.members(o)
	}
	d.sort()
	return &d.event
}

// Exceeds returns an event of which nothing was read because it is over a limit.
func (d *Decoder) Exceeds(limit verifier.ClauseID, v Version, detail string) *Event {
	d.reset(v)
	d.fault(limit, detail)
	return &d.event
}

// reset empties the event; only what changes is written.
func (d *Decoder) reset(v Version) {
	e := &d.event
	e.Type, e.Attributable, e.Version, e.Faults, e.tainted, e.decoder = 0, false, v, e.Faults[:0], 0, d
	clear(e.fields[:])
	d.scratch, d.path, d.blamed = d.scratch[:0], d.path[:0], verifier.Mask{}
}

// diagnose blames the bytes and reports whether they can still be read.
func (d *Decoder) diagnose() bool {
	x := scan.Diagnose(d.data, d.Depth)
	for _, p := range []struct {
		defect scan.Defect
		clause verifier.ClauseID
	}{
		{x.TooDeep, rules.LimitDepth}, {x.Broken, rules.BadJSON}, {x.BadUTF8, rules.BadUTF8},
		{x.DuplicateName, rules.DuplicateName}, {x.LoneSurrogate, rules.LoneSurrogate},
	} {
		if p.defect.Found {
			d.event.Faults = append(d.event.Faults, Fault{Clause: p.clause, Pointer: p.defect.Pointer, Detail: p.defect.Detail})
		}
	}
	if x.Cleaned == nil {
		return false
	}
	d.data = x.Cleaned
	return true
}

// typed finds the event's type, settles its version and returns its shape; nil if there is none.
func (d *Decoder) typed(running bool) *object {
	x := d.entry("type")
	switch {
	case x == nil:
		d.faultAt("type", rules.MissingOrdering, `the event has no "type"`)
		return nil
	case d.data[x.From] != '"':
		d.faultAt("type", rules.WrongTypeOrdering, `"type" is `+scan.KindOf(d.data[x.From]).String()+", not a string")
		return nil
	}
	name := d.data[x.From+1 : x.To-1]
	if x.Escaped {
		name, d.scratch = scan.Unescape(name, d.scratch)
	}
	t := d.typeOf(name)
	if t == baseline.RunStarted && !running {
		d.declare()
	}
	if o := d.pick(d.event.Version.Early).events[t]; o != nil {
		return o
	}
	if t != 0 {
		d.faultAt("type", rules.RetiredEvent, fmt.Sprintf("%s was retired with 1.0", t))
	} else {
		d.unknownType(string(name))
	}
	return nil
}

// typeOf is baseline's; most events are of the type of the one before.
func (d *Decoder) typeOf(name []byte) baseline.EventType {
	if d.lastType == 0 || string(name) != d.lastName {
		d.lastType = baseline.EventTypeOf(name)
		d.lastName = d.lastType.String()
	}
	return d.lastType
}

// entry returns the event's member of that name; nil without one.
func (d *Decoder) entry(name string) *scan.Entry {
	for i := range d.entries {
		x := &d.entries[i]
		if raw := d.data[x.NameFrom:x.NameTo]; string(raw) == name || !d.clean && scan.SameName(raw, name) {
			return x
		}
	}
	return nil
}

// firstMember returns a member's value; it is fast where that stands first.
func (d *Decoder) firstMember(at int, name string) []byte {
	m := scan.MembersOf(d.data, at)
	for {
		n, v, ok := m.Next()
		if !ok {
			return nil
		}
		end := scan.Skip(d.data, v)
		if scan.SameName(n, name) {
			return d.data[v:end]
		}
		if _, last := m.Done(end); last {
			return nil
		}
	}
}

// declare settles the version of a RUN_STARTED by its protocolVersion.
func (d *Decoder) declare() {
	x, major, minor, ok := d.entry(ProtocolVersion.String()), 0, 0, false
	if x != nil {
		major, minor, ok = ParseVersion(String(d.data[x.From:x.To]))
	}
	v := Version{Early: d.event.Version.Early}
	if d.Auto {
		v.Early = x == nil || ok && major == 0
	}
	v.Newer = !v.Early && ok && (major > 1 || major == 1 && minor > 0)
	d.event.Version = v
}

// ParseVersion reads MAJOR.MINOR, without leading zeros. What is too big for an int counts as big.
func ParseVersion(text []byte) (major, minor int, ok bool) {
	first, second, found := strings.Cut(string(text), ".")
	major, ok1 := versionPart(first)
	minor, ok2 := versionPart(second)
	return major, minor, found && ok1 && ok2
}

func versionPart(s string) (n int, ok bool) {
	if s == "" || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = min(n*10+int(s[i]-'0'), 1_000_000)
	}
	return n, true
}

// unknownType blames a type, with the nearest one where the two are close.
func (d *Decoder) unknownType(name string) {
	detail := fmt.Sprintf("%q is no event type", verifier.Shown(name))
	if near := d.pick(d.event.Version.Early).nearest(name); near != "" {
		detail += "; did you mean " + near + "?"
	}
	d.faultAt("type", rules.UnknownEventType, detail)
}

// fault blames the value at the current path. What a newer version may know is soft.
func (d *Decoder) fault(c verifier.ClauseID, detail string) {
	d.atField = d.atField || len(d.path) == 1 && c != rules.UnknownVariant
	if d.inField && c != rules.UnknownVariant && c != rules.UnknownProperty {
		d.event.tainted |= 1 << d.field
	}
	if d.blamed.Has(c) {
		return
	}
	d.blamed.Set(c)
	soft := d.event.Version.Newer && (c == rules.UnknownEventType || c == rules.UnknownProperty)
	d.event.Faults = append(d.event.Faults, Fault{Clause: c, Pointer: d.pointer(), Detail: detail, Soft: soft})
}

// faultAt blames a member of the object at the current path.
func (d *Decoder) faultAt(name string, c verifier.ClauseID, detail string) {
	d.path = append(d.path, step{name: []byte(name)})
	d.fault(c, detail)
	d.path = d.path[:len(d.path)-1]
}

func (d *Decoder) pointer() string {
	var p []byte
	for _, s := range d.path {
		if s.name == nil {
			p = fmt.Appendf(p, "/%d", s.index)
			continue
		}
		text, _ := scan.Text(slices.Concat([]byte{'"'}, s.name, []byte{'"'}), nil)
		p = scan.AppendPointer(p, string(text))
	}
	return verifier.Shown(string(p))
}

// sort puts the faults in order of precedence. Within a code the first in the document comes first,
// but behind the others what a consumer takes with a warning: it must not hide an error.
func (d *Decoder) sort() {
	if len(d.event.Faults) < 2 {
		return
	}
	slices.SortStableFunc(d.event.Faults, func(a, b Fault) int { return rank(a.Clause) - rank(b.Clause) })
}

func rank(c verifier.ClauseID) int {
	r := 2 * rules.Table().Precedence(c)
	if c == rules.NullLegacy || c == rules.NullLegacyOrdering {
		r++
	}
	return r
}
