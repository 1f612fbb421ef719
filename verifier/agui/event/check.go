package event

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// Each check below returns the position behind the value that it checked.

// members checks the members of the event itself and keeps its fields.
func (d *Decoder) members(o *object) {
	seen := uint64(0)
	for n := range d.entries {
		x := &d.entries[n]
		name := d.data[x.NameFrom:x.NameTo]
		d.path = append(d.path[:0], step{name: name})
		i := d.find(o, n, name)
		if i < 0 {
			d.unknownProperty(o, name)
			continue
		}
		seen |= 1 << i
		m := &o.members[i]
		d.field, d.inField, d.atField = m.field, m.hasField, false
		if !m.schema.plainly(d.data[x.From]) {
			d.member(m, int(x.From))
		}
		if m.hasField && !d.atField && n < 1<<16-1 && (d.data[x.From] != 'n' || m.nullable) {
			d.event.fields[m.field] = uint16(n + 1)
		}
	}
	d.path, d.inField = d.path[:0], false
	d.missing(o, seen)
}

// plainly reports whether a value that begins with c is right whatever else is in it.
func (s *schema) plainly(c byte) bool { return c == s.first && s.first != 0 }

// object checks the members of the object at that position against its shape.
func (d *Decoder) object(o *object, at int) int {
	seen := uint64(0)
	for m := scan.MembersOf(d.data, at); ; {
		name, v, ok := m.Next()
		if !ok {
			d.missing(o, seen)
			return scan.Space(d.data, at+1) + 1
		}
		d.path = append(d.path, step{name: name})
		var end int
		if i := o.find(name); i < 0 {
			d.unknownProperty(o, name)
			end = scan.Skip(d.data, v)
		} else {
			seen |= 1 << i
			end = d.member(&o.members[i], v)
		}
		d.path = d.path[:len(d.path)-1]
		if objectEnd, last := m.Done(end); last {
			d.missing(o, seen)
			return objectEnd
		}
	}
}

// find is object.find for the nth member of an event. Producers write the members of one type in
// one order: where it was the last time is looked at first.
func (d *Decoder) find(o *object, n int, raw []byte) int {
	if n >= len(d.hints[0]) {
		return o.find(raw)
	}
	hint := &d.hints[o.event][n]
	if h := int(*hint); h < len(o.members) && string(raw) == o.members[h].name {
		return h
	}
	i := o.find(raw)
	if i >= 0 {
		*hint = uint8(i)
	}
	return i
}

// find returns the position of the member with that raw name, -1 without one.
func (o *object) find(raw []byte) int {
	for i := range o.members {
		if string(raw) == o.members[i].name {
			return i
		}
	}
	if slices.Contains(raw, '\\') {
		for i := range o.members {
			if scan.SameName(raw, o.members[i].name) {
				return i
			}
		}
	}
	return -1
}

func (d *Decoder) missing(o *object, seen uint64) {
	for lack := o.required &^ seen; lack != 0; lack &= lack - 1 {
		m := &o.members[bits.TrailingZeros64(lack)]
		d.faultAt(m.name, either(m.ordering, rules.MissingOrdering, rules.MissingOther),
			fmt.Sprintf("%s has no %q", o.name, m.name))
	}
}

func (d *Decoder) unknownProperty(o *object, raw []byte) {
	if o.open || d.blamed.Has(rules.UnknownProperty) {
		return
	}
	text, _ := scan.Text(slices.Concat([]byte{'"'}, raw, []byte{'"'}), nil)
	detail := fmt.Sprintf("%s has no member %q", o.name, verifier.Shown(string(text)))
	if near := o.nearest(string(text)); near != "" {
		detail += fmt.Sprintf("; did you mean %q?", near)
	}
	d.fault(rules.UnknownProperty, detail)
}

// member checks one member's value.
func (d *Decoder) member(m *member, at int) int {
	if d.data[at] == 'n' && m.schema.kind != kAny || d.data[at] == 'n' && !m.nullable {
		return d.null(m, at)
	}
	return d.value(&m.schema, m.ordering, at)
}

// null judges the literal null where the schema does not expect it.
func (d *Decoder) null(m *member, at int) int {
	switch {
	case m.nullable:
	case m.required || m.never:
		d.fault(either(m.ordering, rules.WrongTypeOrdering, rules.WrongTypeOther), fmt.Sprintf("%q is null, not %s", m.name, m.schema.expects()))
	case m.legacy && !(d.event.Type == baseline.ToolCallResult && len(d.path) > 1):
		d.fault(either(m.ordering, rules.NullLegacyOrdering, rules.NullLegacy), nullDetail(m))
	default:
		d.fault(either(m.ordering, rules.NullOrdering, rules.NullOther), nullDetail(m))
	}
	return at + len("null")
}

func nullDetail(m *member) string { return fmt.Sprintf("%q is null; leave it out instead", m.name) }

// value checks a value against a schema. Ordering says whether the order rules read it.
func (d *Decoder) value(s *schema, ordering bool, at int) int {
	c := d.data[at]
	switch s.kind {
	case kAny:
		return scan.Skip(d.data, at)
	case kString:
		if c == '"' {
			return d.text(s, ordering, at)
		}
	case kBoolean:
		if c == 't' || c == 'f' {
			return scan.Skip(d.data, at)
		}
	case kNumber, kInteger:
		if scan.KindOf(c) == '0' {
			return d.number(s, ordering, at)
		}
	case kArray:
		if c == '[' {
			return d.array(s, ordering, at)
		}
	case kObject:
		if c == '{' {
			return scan.Skip(d.data, at)
		}
	case kRef:
		if c == '{' {
			return d.object(s.object, at)
		}
	case kUnion:
		if c == '{' {
			return d.union(s.union, ordering, at)
		}
	case kOneOf:
		for i := range s.oneOf {
			if o := &s.oneOf[i]; o.takes(c) {
				return d.value(o, ordering, at)
			}
		}
	}
	d.fault(either(ordering, rules.WrongTypeOrdering, rules.WrongTypeOther),
		fmt.Sprintf("%s where %s is expected", scan.KindOf(c), s.expects()))
	return scan.Skip(d.data, at)
}

// takes reports whether a value that begins with c has the schema's JSON type.
func (s *schema) takes(c byte) bool {
	return s.kind == kString && c == '"' || s.kind == kArray && c == '['
}

// expects names the JSON type that a schema wants.
func (s *schema) expects() string {
	switch s.kind {
	case kString:
		return "a string"
	case kBoolean:
		return "a boolean"
	case kNumber:
		return "a number"
	case kInteger:
		return "an integer"
	case kArray:
		return "an array"
	case kOneOf:
		return "a string or an array"
	}
	return "an object"
}

func (d *Decoder) text(s *schema, ordering bool, at int) int {
	end := scan.Skip(d.data, at)
	if s.enum == nil && s.pattern == nil {
		return end
	}
	var text []byte
	text, d.scratch = scan.Text(d.data[at:end], d.scratch)
	bad := either(ordering, rules.BadValueOrdering, rules.BadValueOther)
	if s.enum != nil && !isOneOf(text, s.enum) {
		d.fault(bad, fmt.Sprintf("%q is not one of %s", verifier.Shown(string(text)), strings.Join(s.enum, ", ")))
	}
	if s.pattern != nil && !s.pattern(text) {
		d.fault(bad, fmt.Sprintf("%q is no JSON pointer; it starts with /, and ~ is written ~0, / in a name ~1", verifier.Shown(string(text))))
	}
	return end
}

func isOneOf(text []byte, enum []string) bool {
	for _, e := range enum {
		if string(text) == e {
			return true
		}
	}
	return false
}

func (d *Decoder) number(s *schema, ordering bool, at int) int {
	end := scan.Skip(d.data, at)
	if s.kind == kNumber {
		return end
	}
	number := d.data[at:end]
	bad := either(ordering, rules.BadValueOrdering, rules.BadValueOther)
	switch v, integer, big := scan.Integer(number); {
	case !integer:
		d.fault(bad, fmt.Sprintf("%s is not an integer", verifier.Shown(string(number))))
	case big || v < s.min || v > s.max:
		d.fault(bad, fmt.Sprintf("%s is not between %d and %d", verifier.Shown(string(number)), s.min, s.max))
	}
	return end
}

func (d *Decoder) array(s *schema, ordering bool, at int) int {
	i, n := scan.Space(d.data, at+1), 0
	for d.data[i] != ']' {
		d.path = append(d.path, step{index: n})
		i = scan.Space(d.data, d.value(s.items, ordering, i))
		d.path = d.path[:len(d.path)-1]
		n++
		if d.data[i] == ',' {
			i = scan.Space(d.data, i+1)
		}
	}
	if n < s.minItems {
		d.fault(either(ordering, rules.BadValueOrdering, rules.BadValueOther), fmt.Sprintf("%d elements, at least %d expected", n, s.minItems))
	}
	return i + 1
}

// union checks an object as the variant that its discriminator names.
func (d *Decoder) union(u *union, ordering bool, at int) int {
	value := d.firstMember(at, u.discriminator)
	if value == nil {
		d.faultAt(u.discriminator, either(ordering, rules.MissingOrdering, rules.MissingOther), fmt.Sprintf("%s has no %q", u.name, u.discriminator))
		return scan.Skip(d.data, at)
	}
	if value[0] != '"' {
		d.faultAt(u.discriminator, either(ordering, rules.WrongTypeOrdering, rules.WrongTypeOther),
			fmt.Sprintf("%q is %s, not a string", u.discriminator, scan.KindOf(value[0])))
		return scan.Skip(d.data, at)
	}
	var text []byte
	text, d.scratch = scan.Text(value, d.scratch)
	for i := range u.variants {
		if string(text) == u.variants[i].value {
			return d.object(u.variants[i].object, at)
		}
	}
	d.fault(rules.UnknownVariant, fmt.Sprintf("%s of %s %q, which is not one of %s", u.name, u.discriminator, verifier.Shown(string(text)), u.names()))
	return scan.Skip(d.data, at)
}

func (u *union) names() string {
	names := make([]string, len(u.variants))
	for i := range u.variants {
		names[i] = u.variants[i].value
	}
	return strings.Join(names, ", ")
}

func either(ordering bool, yes, no verifier.ClauseID) verifier.ClauseID {
	if ordering {
		return yes
	}
	return no
}
