package assistant

import (
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// value is one JSON value that the model means. How it is written is another question, which spelling
// answers. Values are never changed in place.
type value struct {
	kind    byte   // 'n' null, 't' true, 'f' false, '#' number, '"' string, '[' array, '{' object, '=' bytes as they are
	text    string // a number's literal, or the bytes
	units   []uint16
	list    []value
	members []member // names are unique unless a breakage wants otherwise
}

type member struct {
	name string
	val  value
}

var (
	null  = value{kind: 'n'}
	yes   = value{kind: 't'}
	no    = value{kind: 'f'}
	empty = value{kind: '{'}
)

func str(s string) value            { return text(unitsOf(s)) }
func text(units []uint16) value     { return value{kind: '"', units: units} }
func literal(s string) value        { return value{kind: '#', text: s} }
func number(i int) value            { return literal(strconv.Itoa(i)) }
func raw(s string) value            { return value{kind: '=', text: s} }
func array(list ...value) value     { return value{kind: '[', list: list} }
func object(ms ...member) value     { return value{kind: '{', members: ms} }
func m(name string, v value) member { return member{name, v} }

func unitsOf(s string) []uint16 { return utf16.Encode([]rune(s)) }

func nameOf(units []uint16) string { return string(utf16.Decode(units)) }

func boolean(b bool) value {
	if b {
		return yes
	}
	return no
}

// get finds a member; ok is false for what is no object, too.
func (v value) get(name string) (value, bool) {
	for _, m := range v.members {
		if m.name == name {
			return m.val, true
		}
	}
	return value{}, false
}

// with is the object with a member set.
func (v value) with(name string, val value) value {
	out := value{kind: '{', members: slices.Clone(v.members)}
	for i, m := range out.members {
		if m.name == name {
			out.members[i].val = val
			return out
		}
	}
	out.members = append(out.members, member{name, val})
	return out
}

// without is the object without a member.
func (v value) without(name string) value {
	out := value{kind: '{'}
	for _, m := range v.members {
		if m.name != name {
			out.members = append(out.members, m)
		}
	}
	return out
}

// spelling writes values. With noise it varies what JSON leaves open: the order of members, white space,
// escapes, the literals of numbers. The zero spelling writes the plain form.
type spelling struct {
	n                              *noise
	shuffle, space, strange, twice bool
}

// spell chooses a spelling for an event.
func spell(n *noise, odd bool) spelling {
	if !odd || !n.chance(40) {
		return spelling{n: new(noise)}
	}
	return spelling{n: n, shuffle: n.chance(60), space: n.chance(40), strange: n.chance(50)}
}

func (s spelling) bytes(v value) []byte { return s.write(make([]byte, 0, 128), v) }

func (s spelling) write(b []byte, v value) []byte {
	b = s.blank(b)
	switch v.kind {
	case 'n':
		b = append(b, "null"...)
	case 't':
		b = append(b, "true"...)
	case 'f':
		b = append(b, "false"...)
	case '#':
		b = append(b, s.number(v.text)...)
	case '=':
		b = append(b, v.text...)
	case '"':
		b = s.quote(b, v.units)
	case '[':
		b = append(b, '[')
		for i, e := range v.list {
			if i > 0 {
				b = append(b, ',')
			}
			b = s.write(b, e)
		}
		b = append(s.blank(b), ']')
	case '{':
		b = s.object(b, v)
	}
	return s.blank(b)
}

func (s spelling) object(b []byte, v value) []byte {
	b = append(b, '{')
	for i, m := range s.order(v.members) {
		if i > 0 {
			b = append(b, ',')
		}
		name := unitsOf(m.name)
		if s.twice && s.n.chance(20) { // the last one counts
			b = append(append(append(s.quote(b, name), ':'), among(s.n, []string{"0", "null", `{"a":[]}`})...), ',')
		}
		b = s.quote(s.blank(b), name)
		b = append(s.blank(b), ':')
		b = s.write(b, m.val)
	}
	return append(s.blank(b), '}')
}

func (s spelling) blank(b []byte) []byte {
	if s.space && s.n.chance(25) {
		b = append(b, among(s.n, []string{" ", "\t", "  ", " \t ", "   "})...)
	}
	return b
}

// order shuffles a copy.
func (s spelling) order(ms []member) []member {
	if !s.shuffle {
		return ms
	}
	out := slices.Clone(ms)
	for i := len(out) - 1; i > 0; i-- {
		j := s.n.below(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// numbers are literals of one float64 each.
var numbers = [][]string{
	{"1", "1.0", "1e0", "10e-1", "0.1E+1"}, {"0", "-0", "0.0", "-0e5"}, {"9007199254740992", "9007199254740993", "9.007199254740992e15"},
	{"0.1", "0.10000000000000001", "1e-1"}, {"-1.5", "-15e-1"}, {"1e21", "1000000000000000000000"}, {"5e-324", "4.9e-324"}, {"42"}, {"-7"},
}

func (s spelling) number(lit string) string {
	for _, same := range numbers {
		if s.strange && same[0] == lit {
			return among(s.n, same)
		}
	}
	return lit
}

func (s spelling) quote(b []byte, units []uint16) []byte {
	b = append(b, '"')
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if utf16.IsSurrogate(r) && i+1 < len(units) {
			if pair := utf16.DecodeRune(r, rune(units[i+1])); pair != utf8.RuneError {
				r = pair
				i++
			}
		}
		if utf16.IsSurrogate(r) || r == '"' || r == '\\' || r < ' ' || s.strange && s.n.chance(20) {
			b = s.escape(b, r)
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return append(b, '"')
}

const short = `""\\//b` + "\b" + `f` + "\f" + `n` + "\n" + `r` + "\r" + `t` + "\t" // letter, character

func (s spelling) escape(b []byte, r rune) []byte {
	if r < 0x80 && !s.n.chance(50) {
		for i := 0; i < len(short); i += 2 {
			if rune(short[i+1]) == r {
				return append(b, '\\', short[i])
			}
		}
	}
	if r >= 0x10000 {
		hi, lo := utf16.EncodeRune(r)
		return s.unit(s.unit(b, hi), lo)
	}
	return s.unit(b, r)
}

func (s spelling) unit(b []byte, r rune) []byte {
	h := strconv.FormatInt(int64(r)+0x10000, 16)[1:]
	if s.n.chance(50) {
		h = upper(h)
	}
	return append(append(b, '\\', 'u'), h...)
}

func upper(h string) string {
	out := []byte(h)
	for i, c := range out {
		if c >= 'a' {
			out[i] = c - 'a' + 'A'
		}
	}
	return string(out)
}
