package shape

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/value"
)

// A Sort is one of the things that can be wrong with a member.
type Sort uint8

// The sorts, in the order in which their codes are asked for.
const (
	Missing   Sort = iota // required and absent
	WrongType             // of another JSON type; null, where the member is required
	BadValue              // a string outside its set, or a number that is no integer
	Null                  // optional and null
	sorts
)

// A Fault is the first of its sort in a document.
type Fault struct {
	Found bool
	// Pointer is the JSON pointer of the member, Detail one sentence without a full stop.
	Pointer, Detail string
}

// A Checker checks one object after the other and keeps its memory between them. The zero value works.
type Checker struct {
	// Faults has the first fault of each sort since Reset.
	Faults [sorts]Fault

	data    []byte
	base    string // pointer of the document
	path    []step // from there to the value being checked
	scratch []byte
	found   bool
}

// step is one reference token of a path: a raw name, or an index.
type step struct {
	name  []byte
	index int
}

// Reset begins a document: valid JSON, without two members of one name. Base is the JSON pointer under
// which it stands; empty where it is a record of its own.
func (c *Checker) Reset(data []byte, base string) {
	if c.found {
		c.Faults, c.found = [sorts]Fault{}, false
	}
	c.data, c.base, c.path = data, base, c.path[:0]
}

// Any reports whether there is a fault of any sort.
func (c *Checker) Any() bool { return c.found }

// Object checks all of the object at that position and returns the position behind it.
func (c *Checker) Object(o *Object, at int) (end int) {
	if o.by != "" {
		return c.variant(o, at)
	}
	seen, i := uint64(0), -1
	for m := scan.MembersOf(c.data, at); ; {
		name, v, ok := m.Next()
		if !ok {
			end = scan.Space(c.data, at+1) + 1
			break
		}
		end = -1
		if i = o.find(name, i+1); i >= 0 {
			seen |= 1 << i
			end = c.member(&o.members[i], name, v)
		}
		if end < 0 {
			end = scan.Skip(c.data, v)
		}
		last := false
		if end, last = m.Done(end); last {
			break
		}
	}
	c.Missing(o, seen)
	return end
}

// Member checks the value of one member, whose name is raw, and adds the member to those seen. It returns
// its position among the members, -1 where it is not known.
func (c *Checker) Member(o *Object, name []byte, at int, seen *uint64) int {
	return c.Next(o, -1, name, at, seen)
}

// Next is Member for a member that follows the one at that position, most likely.
func (c *Checker) Next(o *Object, before int, name []byte, at int, seen *uint64) int {
	i := o.find(name, before+1)
	if i >= 0 {
		*seen |= 1 << i
		c.member(&o.members[i], name, at)
	}
	return i
}

// member checks a value and returns the position behind it; -1 where one look was enough.
func (c *Checker) member(m *member, name []byte, at int) (end int) {
	if m.plain(c.data[at]) {
		return -1
	}
	c.path = append(c.path, step{name: name})
	end = c.value(m, at)
	c.path = c.path[:len(c.path)-1]
	return end
}

// plain reports whether a value that begins with that byte is right, whatever else is in it.
func (m *member) plain(first byte) bool {
	switch m.kind {
	case pi.String:
		return first == '"' && m.values == nil
	case pi.Number:
		return scan.KindOf(first) == '0'
	case pi.Any:
		return first != 'n'
	}
	return false
}

// Missing blames the required members that are not among those seen.
func (c *Checker) Missing(o *Object, seen uint64) {
	if lack := o.required &^ seen; lack != 0 {
		m := &o.members[bits.TrailingZeros64(lack)]
		c.Lacks(m.name, fmt.Sprintf("%s has no %q", o.name, m.name))
	}
}

// Lacks blames the object at the current place for a member that it does not have.
func (c *Checker) Lacks(name, detail string) { c.faultAt(name, Missing, detail) }

// Wrong blames the object at the current place for a member of another type.
func (c *Checker) Wrong(name, detail string) { c.faultAt(name, WrongType, detail) }

func (c *Checker) faultAt(name string, s Sort, detail string) {
	c.path = append(c.path, step{name: []byte(name)})
	c.fault(s, detail)
	c.path = c.path[:len(c.path)-1]
}

func (c *Checker) value(m *member, at int) (end int) {
	first := c.data[at]
	switch {
	case first == 'n':
		c.null(m)
		return scan.Skip(c.data, at)
	case !takes(m.kind, first):
		c.fault(WrongType, fmt.Sprintf("%q is %s, not %s", m.name, scan.KindOf(first), expects(m.kind)))
		return scan.Skip(c.data, at)
	case first == '{' && m.of != nil:
		return c.Object(m.of, at)
	case first == '[':
		return c.array(m, at)
	}
	end = scan.Skip(c.data, at)
	if m.values != nil {
		c.among(m, c.data[at:end])
	}
	if m.kind == pi.Integer {
		if _, integer, _ := scan.Integer(c.data[at:end]); !integer || !value.IsFinite(c.data[at:end]) {
			c.fault(BadValue, fmt.Sprintf("%s is not an integer", verifier.Shown(string(c.data[at:end]))))
		}
	}
	return end
}

func (c *Checker) null(m *member) {
	switch {
	case m.nullable:
	case m.required:
		c.fault(WrongType, fmt.Sprintf("%q is null, not %s", m.name, expects(m.kind)))
	default:
		c.fault(Null, fmt.Sprintf("%q is null; leave it out instead", m.name))
	}
}

// takes reports whether a value that begins with that byte is of a kind.
func takes(k pi.Kind, first byte) bool {
	switch k {
	case pi.String:
		return first == '"'
	case pi.Boolean:
		return first == 't' || first == 'f'
	case pi.Number, pi.Integer:
		return scan.KindOf(first) == '0'
	case pi.Array:
		return first == '['
	case pi.Object:
		return first == '{'
	case pi.Text:
		return first == '"' || first == '['
	}
	return true
}

var names = map[pi.Kind]string{
	pi.Any: "a value", pi.String: "a string", pi.Boolean: "a boolean", pi.Number: "a number", pi.Integer: "an integer",
	pi.Array: "an array", pi.Object: "an object", pi.Text: "a string or an array",
}

func expects(k pi.Kind) string { return names[k] }

func (c *Checker) among(m *member, value []byte) {
	var text []byte
	text, c.scratch = scan.Text(value, c.scratch[:0])
	if !isOneOf(text, m.values) {
		c.fault(BadValue, fmt.Sprintf("%q is %q, not one of %s", m.name, verifier.Shown(string(text)), strings.Join(m.values, ", ")))
	}
}

func isOneOf(text []byte, values []string) bool {
	for _, v := range values {
		if string(text) == v {
			return true
		}
	}
	return false
}

func (c *Checker) array(m *member, at int) int {
	if m.of == nil && m.items == "" {
		return scan.Skip(c.data, at)
	}
	i := scan.Space(c.data, at+1)
	for n := 0; c.data[i] != ']'; n++ {
		c.path = append(c.path, step{index: n})
		i = scan.Space(c.data, c.element(m, i))
		c.path = c.path[:len(c.path)-1]
		if c.data[i] == ',' {
			i = scan.Space(c.data, i+1)
		}
	}
	return i + 1
}

func (c *Checker) element(m *member, at int) int {
	kind := m.items
	if m.of != nil {
		kind = pi.Object
	}
	switch first := c.data[at]; {
	case !takes(kind, first):
		c.fault(WrongType, fmt.Sprintf("an element of %q is %s, not %s", m.name, scan.KindOf(first), expects(kind)))
	case m.of != nil:
		return c.Object(m.of, at)
	}
	return scan.Skip(c.data, at)
}

// variant checks an object as the variant that its telling member names.
func (c *Checker) variant(o *Object, at int) int {
	end := scan.Skip(c.data, at)
	told := scan.Member(c.data[at:end], o.by)
	if told == nil {
		c.Lacks(o.by, fmt.Sprintf("%s has no %q", o.name, o.by))
		return end
	}
	if told[0] != '"' {
		c.fault(WrongType, fmt.Sprintf("%q is %s, not a string", o.by, scan.KindOf(told[0])))
		return end
	}
	var text []byte
	text, c.scratch = scan.Text(told, c.scratch[:0])
	for i := range o.variants {
		if string(text) == o.variants[i].value {
			return c.Object(o.variants[i].of, at)
		}
	}
	if !o.open {
		c.fault(BadValue, fmt.Sprintf("%s of %s %q, which is not one of %s", o.name, o.by, verifier.Shown(string(text)), o.values()))
	}
	return end
}

func (o *Object) values() string {
	var all []string
	for i := range o.variants {
		all = append(all, o.variants[i].value)
	}
	return strings.Join(all, ", ")
}

func (c *Checker) fault(s Sort, detail string) {
	c.found = true
	if f := &c.Faults[s]; !f.Found {
		*f = Fault{Found: true, Pointer: c.pointer(), Detail: detail}
	}
}

func (c *Checker) pointer() string {
	p := []byte(c.base)
	for _, s := range c.path {
		if s.name == nil {
			p = fmt.Appendf(p, "/%d", s.index)
			continue
		}
		text, _ := scan.Text(slices.Concat([]byte{'"'}, s.name, []byte{'"'}), nil)
		p = scan.AppendPointer(p, string(text))
	}
	return verifier.Shown(string(p))
}
