package spec

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A node is one JSON value. The decoder is our own because the rules ask about things that
// encoding/json hides: names that come twice, halves of surrogate pairs, bytes that are not UTF-8.
//
// Strings are kept byte for byte: half a surrogate pair becomes its three WTF-8 bytes.
type node struct {
	sort    byte // 'n' null, 'b' bool, '#' number, '"' string, '[' array, '{' object
	flag    bool
	text    string // string content, or the literal of a number
	raw     []byte // the value as written
	list    []*node
	members []pair // unique names; of a name that comes twice the last value
}

type pair struct {
	name string
	val  *node
}

// get returns a member, nil where there is none (or n is no object).
func (n *node) get(path ...string) *node {
	for _, name := range path {
		if n = n.member(name); n == nil {
			return nil
		}
	}
	return n
}

func (n *node) member(name string) *node {
	if n == nil || n.sort != '{' {
		return nil
	}
	for _, m := range n.members {
		if m.name == name {
			return m.val
		}
	}
	return nil
}

func (n *node) is(sort byte) bool { return n != nil && n.sort == sort }

func (n *node) isNull() bool { return n.is('n') }

// str returns a string member.
func (n *node) str(path ...string) (string, bool) {
	if m := n.get(path...); m.is('"') {
		return m.text, true
	}
	return "", false
}

// text1 is a string member, "" without one.
func (n *node) text1(path ...string) string { s, _ := n.str(path...); return s }

// yes reports whether a member is true.
func (n *node) yes(path ...string) bool { m := n.get(path...); return m.is('b') && m.flag }

// no reports whether a member is false.
func (n *node) no(path ...string) bool { m := n.get(path...); return m.is('b') && !m.flag }

// has reports whether there is a member that is not null: null where nothing is wanted reads as absent.
func (n *node) has(path ...string) bool { m := n.get(path...); return m != nil && m.sort != 'n' }

// items are the elements of an array member.
func (n *node) items(path ...string) []*node {
	if m := n.get(path...); m.is('[') {
		return m.list
	}
	return nil
}

func (n *node) number() float64 {
	if !n.is('#') {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(n.text, 64) // out of range is an infinity
	return f
}

func (n *node) whole() bool { f := n.number(); return f == math.Trunc(f) && !math.IsInf(f, 0) }

// equal is deep equality: numbers as float64, members in any order.
func equal(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.sort != b.sort {
		return false
	}
	switch a.sort {
	case 'b':
		return a.flag == b.flag
	case '#':
		return a.number() == b.number()
	case '"':
		return a.text == b.text
	case '[':
		return equalAll(a.list, b.list)
	case '{':
		return len(a.members) == len(b.members) && !slices.ContainsFunc(a.members, func(m pair) bool {
			return b.member(m.name) == nil || !equal(m.val, b.member(m.name))
		})
	}
	return true
}

func equalAll(a, b []*node) bool { return slices.EqualFunc(a, b, equal) }

type document struct {
	root  *node
	twice bool // some object has a name twice
}

type reader struct {
	b     []byte
	i     int
	twice bool
}

// decode reads exactly one JSON value.
func decode(b []byte) (document, bool) {
	r := &reader{b: b}
	r.space()
	n, ok := r.value()
	r.space()
	if !ok || r.i != len(b) {
		return document{}, false
	}
	return document{n, r.twice}, true
}

func (r *reader) space() {
	for r.i < len(r.b) && strings.IndexByte(" \t\r\n", r.b[r.i]) >= 0 {
		r.i++
	}
}

func (r *reader) peek() byte {
	if r.i < len(r.b) {
		return r.b[r.i]
	}
	return 0
}

func (r *reader) word(w string) bool {
	if bytes.HasPrefix(r.b[r.i:], []byte(w)) {
		r.i += len(w)
		return true
	}
	return false
}

func (r *reader) value() (*node, bool) {
	from := r.i
	n, ok := r.bare()
	if ok {
		n.raw = r.b[from:r.i]
	}
	return n, ok
}

func (r *reader) bare() (*node, bool) {
	switch c := r.peek(); {
	case c == '{':
		return r.object()
	case c == '[':
		return r.array()
	case c == '"':
		s, ok := r.str()
		return &node{sort: '"', text: s}, ok
	case c == 'n':
		return &node{sort: 'n'}, r.word("null")
	case c == 't':
		return &node{sort: 'b', flag: true}, r.word("true")
	case c == 'f':
		return &node{sort: 'b'}, r.word("false")
	case c == '-' || c >= '0' && c <= '9':
		return r.num()
	}
	return nil, false
}

func (r *reader) digits() int {
	from := r.i
	for r.i < len(r.b) && r.b[r.i] >= '0' && r.b[r.i] <= '9' {
		r.i++
	}
	return r.i - from
}

func (r *reader) num() (*node, bool) {
	from := r.i
	r.word("-")
	if !r.word("0") && r.digits() == 0 {
		return nil, false
	}
	if r.word(".") && r.digits() == 0 {
		return nil, false
	}
	if r.word("e") || r.word("E") {
		if !r.word("+") {
			r.word("-")
		}
		if r.digits() == 0 {
			return nil, false
		}
	}
	return &node{sort: '#', text: string(r.b[from:r.i])}, true
}

func (r *reader) array() (*node, bool) {
	n := &node{sort: '['}
	r.i++
	r.space()
	if r.word("]") {
		return n, true
	}
	for {
		r.space()
		v, ok := r.value()
		if !ok {
			return nil, false
		}
		n.list = append(n.list, v)
		r.space()
		switch {
		case r.word("]"):
			return n, true
		case !r.word(","):
			return nil, false
		}
	}
}

func (r *reader) object() (*node, bool) {
	n := &node{sort: '{'}
	r.i++
	r.space()
	if r.word("}") {
		return n, true
	}
	for {
		r.space()
		if r.peek() != '"' {
			return nil, false
		}
		name, ok := r.str()
		r.space()
		if !ok || !r.word(":") {
			return nil, false
		}
		r.space()
		v, ok := r.value()
		if !ok {
			return nil, false
		}
		r.put(n, name, v)
		r.space()
		switch {
		case r.word("}"):
			return n, true
		case !r.word(","):
			return nil, false
		}
	}
}

func (r *reader) put(n *node, name string, v *node) {
	if i := slices.IndexFunc(n.members, func(m pair) bool { return m.name == name }); i >= 0 {
		r.twice = true
		n.members[i].val = v // the last value wins
		return
	}
	n.members = append(n.members, pair{name, v})
}

func (r *reader) hex4() (rune, bool) {
	if r.i+4 > len(r.b) {
		return 0, false
	}
	u, err := strconv.ParseUint(string(r.b[r.i:r.i+4]), 16, 16)
	if err != nil {
		return 0, false
	}
	r.i += 4
	return rune(u), true
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (r *reader) str() (string, bool) {
	var out []byte
	r.i++
	for r.i < len(r.b) {
		c := r.b[r.i]
		r.i++
		switch {
		case c == '"':
			return string(out), true
		case c < 0x20:
			return "", false
		case c != '\\':
			out = append(out, c)
		case escapes[r.peek()] != 0:
			out = append(out, escapes[r.peek()])
			r.i++
		default:
			u, ok := r.unicode()
			if !ok {
				return "", false
			}
			out = append(out, u...)
		}
	}
	return "", false
}

// unicode reads what follows the backslash of \uXXXX, both halves of a pair at once.
func (r *reader) unicode() ([]byte, bool) {
	if !r.word("u") {
		return nil, false
	}
	u, ok := r.hex4()
	if !ok {
		return nil, false
	}
	if mark := r.i; u >= 0xD800 && u < 0xDC00 && r.word(`\u`) {
		low, ok := r.hex4()
		if ok && low >= 0xDC00 && low < 0xE000 {
			return utf8.AppendRune(nil, 0x10000+(u-0xD800)<<10+(low-0xDC00)), true
		}
		r.i = mark // not its other half; it is read again on its own
	}
	if u >= 0xD800 && u < 0xE000 {
		return []byte{0xE0 | byte(u>>12), 0x80 | byte(u>>6)&0x3F, 0x80 | byte(u)&0x3F}, true
	}
	return utf8.AppendRune(nil, u), true
}

// join puts strings together; the halves of a pair that was cut become the pair again.
func join(parts []string) string {
	var out []byte
	for _, p := range parts {
		high, low := half(string(out[max(0, len(out)-3):])), half(p[:min(3, len(p))])
		if high >= 0xD800 && high < 0xDC00 && low >= 0xDC00 {
			out = utf8.AppendRune(out[:len(out)-3], 0x10000+(high-0xD800)<<10+(low-0xDC00))
			p = p[3:]
		}
		out = append(out, p...)
	}
	return string(out)
}

// half is the surrogate that three bytes stand for, 0 for none.
func half(s string) rune {
	if len(s) != 3 || s[0] != 0xED || s[1] < 0xA0 {
		return 0
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
}
