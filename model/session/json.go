package session

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is one JSON value that the model means. How it is written is another question, which spelling answers.
// Values are never changed in place.
type value struct {
	kind    byte   // 'n' null, 't' true, 'f' false, '#' number, '"' string, '[' array, '{' object; 0 is no value
	text    string // of a string, in WTF-8 (a breakage's may be any bytes), or a number's literal
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

func str(s string) value              { return value{kind: '"', text: s} }
func literal(s string) value          { return value{kind: '#', text: s} }
func number[N int | int64](i N) value { return literal(strconv.FormatInt(int64(i), 10)) }
func array(list ...value) value       { return value{kind: '[', list: list} }
func object(ms ...member) value       { return value{kind: '{', members: ms} }
func m(name string, v value) member   { return member{name, v} }

func strs(list []string) value {
	out := array()
	for _, s := range list {
		out.list = append(out.list, str(s))
	}
	return out
}

func boolean(b bool) value {
	if b {
		return yes
	}
	return no
}

// get finds a member, or no value.
func (v value) get(name string) value {
	for _, m := range v.members {
		if m.name == name {
			return m.val
		}
	}
	return value{}
}

func (v value) has(name string) bool { return v.get(name).kind != 0 }

// with is the object with a member set.
func (v value) with(name string, val value) value {
	out := value{kind: '{', members: make([]member, 0, len(v.members)+1)}
	found := false
	for _, m := range v.members {
		if m.name == name {
			m.val, found = val, true
		}
		out.members = append(out.members, m)
	}
	if !found {
		out.members = append(out.members, member{name, val})
	}
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

// spelling writes values. With noise it varies what JSON leaves open: the order of members, white space, escapes,
// the form of whole numbers. The zero spelling writes the plain form.
type spelling struct {
	n                       *noise
	shuffle, space, strange bool
}

// spell chooses a spelling for a record.
func spell(n *noise, odd bool) spelling {
	if !odd || !n.chance(30) {
		return spelling{n: new(noise)}
	}
	return spelling{n: n, shuffle: n.chance(60), space: n.chance(40), strange: n.chance(50)}
}

func (s spelling) bytes(v value) []byte { return s.write(make([]byte, 0, 256), v) }

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
	case '"':
		b = s.quote(b, v.text)
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
		b = append(b, '{')
		for i, m := range s.order(v.members) {
			if i > 0 {
				b = append(b, ',')
			}
			b = s.quote(s.blank(b), m.name)
			b = append(s.blank(b), ':')
			b = s.write(b, m.val)
		}
		b = append(s.blank(b), '}')
	}
	return s.blank(b)
}

// number writes a whole number in one of the ways that mean it.
func (s spelling) number(text string) string {
	if !s.strange || strings.Trim(text, "-0123456789") != "" || len(text) > 15 || !s.n.chance(15) {
		return text
	}
	if text == "0" {
		return among(s.n, []string{"-0", "0.0", "0e9", "-0.0E-2"})
	}
	return text + among(s.n, []string{".0", ".00", "e0", "E-0", ".0e+0"})
}

func (s spelling) blank(b []byte) []byte {
	if s.space && s.n.chance(15) {
		b = append(b, among(s.n, []string{" ", "\t", "  ", " \t "})...)
	}
	return b
}

// order shuffles a copy.
func (s spelling) order(ms []member) []member {
	if !s.shuffle {
		return ms
	}
	out := append([]member(nil), ms...)
	for i := len(out) - 1; i > 0; i-- {
		j := s.n.below(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func (s spelling) quote(b []byte, text string) []byte {
	b = append(b, '"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if half, ok := surrogate(text[i:]); ok {
			b, i = s.unit(b, half), i+3
			continue
		}
		switch {
		case r == utf8.RuneError && size == 1: // a breakage's stray byte
			b = append(b, text[i])
		case r == '"' || r == '\\' || r < ' ' || s.strange && s.n.chance(20):
			b = s.escape(b, r)
		default:
			b = append(b, text[i:i+size]...)
		}
		i += size
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
		r -= 0x10000
		return s.unit(s.unit(b, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return s.unit(b, r)
}

func (s spelling) unit(b []byte, r rune) []byte {
	h := strconv.FormatInt(int64(r)+0x10000, 16)[1:]
	if s.n.chance(50) {
		h = strings.ToUpper(h)
	}
	return append(append(b, '\\', 'u'), h...)
}

// plain is the value in its plain form.
func plain(v value) string { return string(spelling{n: new(noise)}.bytes(v)) }
