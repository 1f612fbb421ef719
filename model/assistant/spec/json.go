package spec

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a string as JavaScript has it: UTF-16 units, halves of surrogate pairs included. Deltas are
// joined in units, so that a pair cut in two is whole again.
type text []uint16

func units(s string) text { return utf16.Encode([]rune(s)) }

func (t text) is(s string) bool { return slices.Equal(t, units(s)) }

// key gives different texts different Go strings.
func (t text) key() string {
	b := make([]byte, 0, 2*len(t))
	for _, u := range t {
		b = append(b, byte(u>>8), byte(u))
	}
	return string(b)
}

// A node is one JSON value. The decoder is our own because the rules ask about things that
// encoding/json hides: repeated names, halves of surrogate pairs, and text that was joined of pieces.
type node struct {
	sort    byte // 'u' absent, 'n' null, 'b' bool, '#' number, '"' string, '[' array, '{' object, '?' not judged
	flag    bool
	num     float64 // infinite where the literal is too big
	text    text
	list    []*node
	members []member // unique names; of a repeated name the last value
}

type member struct {
	name string
	val  *node
}

// absent is what JavaScript calls undefined.
var absent = &node{sort: 'u'}

// get is a member, or absent; of what is no object, too.
func (n *node) get(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.val
		}
	}
	return absent
}

func (n *node) is(sort byte) bool { return n.sort == sort }

// says tells whether the node is that string.
func (n *node) says(s string) bool { return n.sort == '"' && n.text.is(s) }

// given tells whether there is a value that is not null.
func (n *node) given() bool { return n.sort != 'u' && n.sort != 'n' }

// at is an element, or absent.
func (n *node) at(i int) *node {
	if i < 0 || i >= len(n.list) {
		return absent
	}
	return n.list[i]
}

// finite tells whether all numbers in the value are.
func (n *node) finite() bool {
	for _, e := range n.list {
		if !e.finite() {
			return false
		}
	}
	for _, m := range n.members {
		if !m.val.finite() {
			return false
		}
	}
	return !math.IsInf(n.num, 0)
}

// equal is equality of values: numbers as float64 (so -0 is 0), members in any order. What is absent
// is equal to what is absent only, but is no member; a '?' is equal to anything.
func equal(a, b *node) bool {
	if a.sort == '?' {
		return true
	}
	if a.sort != b.sort {
		return false
	}
	switch a.sort {
	case 'b':
		return a.flag == b.flag
	case '#':
		return a.num == b.num
	case '"':
		return slices.Equal(a.text, b.text)
	case '[':
		return slices.EqualFunc(a.list, b.list, equal)
	case '{':
		if len(a.members) != len(b.members) {
			return false
		}
		for _, m := range a.members {
			if m.val.is('u') || !equal(m.val, b.get(m.name)) {
				return false
			}
		}
	}
	return true
}

// document is a record as it was read.
type document struct {
	root     *node
	twice    bool // some object has a name twice
	badBytes bool // not UTF-8
}

type reader struct {
	in    text
	i     int
	twice bool
}

// decode reads exactly one JSON value of bytes.
func decode(b []byte) (document, bool) {
	root, twice, ok := parse(units(strings.ToValidUTF8(string(b), "\uFFFD")))
	return document{root, twice, !utf8.Valid(b)}, ok
}

// parse reads exactly one JSON value of text.
func parse(in text) (root *node, twice, ok bool) {
	r := &reader{in: in}
	r.space()
	n, ok := r.value()
	r.space()
	return n, r.twice, ok && r.i == len(in)
}

func (r *reader) space() {
	for r.i < len(r.in) && strings.ContainsRune(" \t\r\n", rune(r.in[r.i])) {
		r.i++
	}
}

func (r *reader) peek() uint16 {
	if r.i < len(r.in) {
		return r.in[r.i]
	}
	return 0
}

func (r *reader) next() uint16 {
	u := r.peek()
	r.i++
	return u
}

func (r *reader) skip(u uint16) bool {
	if r.peek() == u {
		r.i++
		return true
	}
	return false
}

func (r *reader) word(w string) bool {
	if r.in[r.i:min(len(r.in), r.i+len(w))].is(w) {
		r.i += len(w)
		return true
	}
	return false
}

func (r *reader) value() (*node, bool) {
	switch u := r.peek(); {
	case u == '{':
		return r.object()
	case u == '[':
		return r.array()
	case u == '"':
		t, ok := r.str()
		return &node{sort: '"', text: t}, ok
	case u == 'n':
		return &node{sort: 'n'}, r.word("null")
	case u == 't':
		return &node{sort: 'b', flag: true}, r.word("true")
	case u == 'f':
		return &node{sort: 'b'}, r.word("false")
	}
	return r.number()
}

func (r *reader) digits() int {
	from := r.i
	for '0' <= r.peek() && r.peek() <= '9' {
		r.i++
	}
	return r.i - from
}

func (r *reader) number() (*node, bool) {
	from := r.i
	r.skip('-')
	if !r.skip('0') && r.digits() == 0 {
		return absent, false
	}
	if r.skip('.') && r.digits() == 0 {
		return absent, false
	}
	if r.skip('e') || r.skip('E') {
		_ = r.skip('+') || r.skip('-')
		if r.digits() == 0 {
			return absent, false
		}
	}
	v, _ := strconv.ParseFloat(string(utf16.Decode(r.in[from:r.i])), 64) // infinite where it is too big
	return &node{sort: '#', num: v}, true
}

func (r *reader) array() (*node, bool) {
	n := &node{sort: '['}
	r.i++
	if r.space(); r.skip(']') {
		return n, true
	}
	for {
		r.space()
		v, ok := r.value()
		if !ok {
			return n, false
		}
		n.list = append(n.list, v)
		r.space()
		if r.skip(']') {
			return n, true
		}
		if !r.skip(',') {
			return n, false
		}
	}
}

func (r *reader) object() (*node, bool) {
	n := &node{sort: '{'}
	place := map[string]int{}
	r.i++
	if r.space(); r.skip('}') {
		return n, true
	}
	for {
		r.space()
		if r.peek() != '"' {
			return n, false
		}
		t, ok := r.str()
		r.space()
		if !ok || !r.skip(':') {
			return n, false
		}
		r.space()
		v, ok := r.value()
		if !ok {
			return n, false
		}
		name := nameOf(t)
		if k, seen := place[name]; seen {
			r.twice = true
			n.members[k].val = v // the last value wins
		} else {
			place[name] = len(n.members)
			n.members = append(n.members, member{name, v})
		}
		r.space()
		if r.skip('}') {
			return n, true
		}
		if !r.skip(',') {
			return n, false
		}
	}
}

// nameOf writes a name as Go writes it, and one with half a pair so that it is like no other.
func nameOf(t text) string {
	if s := string(utf16.Decode(t)); slices.Equal(units(s), t) {
		return s
	}
	return "\xff" + t.key()
}

func (r *reader) str() (text, bool) {
	var out text
	r.i++
	for r.i < len(r.in) {
		switch u := r.next(); {
		case u == '"':
			return out, true
		case u < 0x20:
			return nil, false
		case u != '\\':
			out = append(out, u)
		default:
			u, ok := r.escape()
			if !ok {
				return nil, false
			}
			out = append(out, u)
		}
	}
	return nil, false
}

const escapes = `""\\//b` + "\b" + `f` + "\f" + `n` + "\n" + `r` + "\r" + `t` + "\t" // letter, character

func (r *reader) escape() (uint16, bool) {
	e := r.next()
	if e == 'u' {
		return r.hex()
	}
	for i := 0; i < len(escapes); i += 2 {
		if uint16(escapes[i]) == e {
			return uint16(escapes[i+1]), true
		}
	}
	return 0, false
}

func (r *reader) hex() (uint16, bool) {
	if r.i+4 > len(r.in) {
		return 0, false
	}
	v, err := strconv.ParseUint(string(utf16.Decode(r.in[r.i:r.i+4])), 16, 16)
	r.i += 4
	return uint16(v), err == nil
}
