package model

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is one JSON value that the model means. How it is written is another
// question, which spelling answers. Values are never changed in place.
type value struct {
	kind    byte   // 'n' null, 't' true, 'f' false, '#' number, '"' string, '[' array, '{' object
	text    string // of a string, or a number's literal (a breakage's may be any bytes)
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

func str(s string) value            { return value{kind: '"', text: s} }
func literal(s string) value        { return value{kind: '#', text: s} }
func number(i int64) value          { return literal(strconv.FormatInt(i, 10)) }
func array(list ...value) value     { return value{kind: '[', list: list} }
func object(ms ...member) value     { return value{kind: '{', members: ms} }
func m(name string, v value) member { return member{name, v} }

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

// spelling writes values. With noise it varies what JSON leaves open: the order of
// members, white space, escapes. The zero spelling writes the plain form.
type spelling struct {
	n                       *noise
	shuffle, space, strange bool
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
		b = append(b, v.text...)
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
