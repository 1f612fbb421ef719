package spec

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A node is one JSON value. The decoder is our own because the rules ask about
// things that encoding/json hides: repeated names, halves of surrogate pairs,
// bytes that are not UTF-8, and the spelling of numbers.
//
// Strings are kept byte for byte: a lone surrogate becomes its three "WTF-8"
// bytes and a stray byte stays as it is, so two different broken names stay
// different.
type node struct {
	sort    byte // 'n' null, 'b' bool, '#' number, '"' string, '[' array, '{' object
	flag    bool
	text    string // string content, or the literal of a number
	list    []*node
	members []pair // unique names; of a repeated name the last value
}

type pair struct {
	name string
	val  *node
}

func (n *node) get(name string) *node {
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

func (n *node) str(name string) (string, bool) {
	if m := n.get(name); m != nil && m.sort == '"' {
		return m.text, true
	}
	return "", false
}

func (n *node) is(sort byte) bool { return n != nil && n.sort == sort }

type document struct {
	root     *node
	twice    bool // some object has a name twice
	halfPair bool // some string has half a surrogate pair
}

type reader struct {
	b   []byte
	i   int
	doc document
}

// decode reads exactly one JSON value.
func decode(b []byte) (document, bool) {
	r := &reader{b: b}
	r.space()
	n, ok := r.value()
	if !ok {
		return document{}, false
	}
	r.space()
	if r.i != len(b) {
		return document{}, false
	}
	r.doc.root = n
	return r.doc, true
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
	if strings.HasPrefix(string(r.b[r.i:min(len(r.b), r.i+len(w))]), w) {
		r.i += len(w)
		return true
	}
	return false
}

func (r *reader) value() (*node, bool) {
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
		return r.number()
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

func (r *reader) number() (*node, bool) {
	from := r.i
	if r.peek() == '-' {
		r.i++
	}
	if r.peek() == '0' {
		r.i++
	} else if r.digits() == 0 {
		return nil, false
	}
	if r.peek() == '.' {
		r.i++
		if r.digits() == 0 {
			return nil, false
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.i++
		if c := r.peek(); c == '+' || c == '-' {
			r.i++
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
	if r.peek() == ']' {
		r.i++
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
		switch r.peek() {
		case ',':
			r.i++
		case ']':
			r.i++
			return n, true
		default:
			return nil, false
		}
	}
}

func (r *reader) object() (*node, bool) {
	n := &node{sort: '{'}
	at := map[string]int{}
	r.i++
	r.space()
	if r.peek() == '}' {
		r.i++
		return n, true
	}
	for {
		r.space()
		if r.peek() != '"' {
			return nil, false
		}
		name, ok := r.str()
		if !ok {
			return nil, false
		}
		r.space()
		if r.peek() != ':' {
			return nil, false
		}
		r.i++
		r.space()
		v, ok := r.value()
		if !ok {
			return nil, false
		}
		if k, seen := at[name]; seen {
			r.doc.twice = true
			n.members[k].val = v // the last value wins
		} else {
			at[name] = len(n.members)
			n.members = append(n.members, pair{name, v})
		}
		r.space()
		switch r.peek() {
		case ',':
			r.i++
		case '}':
			r.i++
			return n, true
		default:
			return nil, false
		}
	}
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
		default:
			e := r.peek()
			r.i++
			switch e {
			case '"', '\\', '/':
				out = append(out, e)
			case 'b':
				out = append(out, '\b')
			case 'f':
				out = append(out, '\f')
			case 'n':
				out = append(out, '\n')
			case 'r':
				out = append(out, '\r')
			case 't':
				out = append(out, '\t')
			case 'u':
				u, ok := r.hex4()
				if !ok {
					return "", false
				}
				if u >= 0xD800 && u < 0xDC00 && r.i+6 <= len(r.b) && r.b[r.i] == '\\' && r.b[r.i+1] == 'u' {
					mark := r.i
					r.i += 2
					low, ok := r.hex4()
					if !ok {
						return "", false
					}
					if low >= 0xDC00 && low < 0xE000 {
						out = utf8.AppendRune(out, 0x10000+(u-0xD800)<<10+(low-0xDC00))
						continue
					}
					r.i = mark // not its other half; read it again on its own
				}
				if u >= 0xD800 && u < 0xE000 {
					r.doc.halfPair = true
					out = append(out, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F|0x80, 0x80|byte(u)&0x3F)
					continue
				}
				out = utf8.AppendRune(out, u)
			default:
				return "", false
			}
		}
	}
	return "", false
}

// decimal is the value of a JSON number: sign * digits * 10^exp, with no zero
// at either end of digits; zero is the empty digits.
type decimal struct {
	neg    bool
	digits string
	exp    string
}

func valueOf(lit string) decimal {
	var d decimal
	d.neg = strings.HasPrefix(lit, "-")
	lit = strings.TrimPrefix(lit, "-")
	exp := new(big.Int)
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		exp.SetString(strings.TrimPrefix(lit[i+1:], "+"), 10)
		lit = lit[:i]
	}
	whole, frac, _ := strings.Cut(lit, ".")
	exp.Sub(exp, big.NewInt(int64(len(frac))))
	all := strings.TrimLeft(whole+frac, "0")
	cut := strings.TrimRight(all, "0")
	exp.Add(exp, big.NewInt(int64(len(all)-len(cut))))
	if cut == "" {
		return decimal{exp: "0"}
	}
	d.digits, d.exp = cut, exp.String()
	return d
}

// integer gives the value of a number that is whole and small enough.
func (n *node) integer() (v int64, whole, fits bool) {
	d := valueOf(n.text)
	if strings.HasPrefix(d.exp, "-") {
		return 0, false, false
	}
	zeros, err := strconv.Atoi(d.exp)
	if err != nil || zeros > 18 || len(d.digits)+zeros > 18 {
		return 0, true, false
	}
	v, _ = strconv.ParseInt("0"+d.digits+strings.Repeat("0", zeros), 10, 64)
	if d.neg {
		v = -v
	}
	return v, true, true
}

// equal is equality as JSON Patch "test" has it: numbers by value, members in any order.
func equal(a, b *node) bool {
	if a.sort != b.sort {
		return false
	}
	switch a.sort {
	case 'b':
		return a.flag == b.flag
	case '#':
		return valueOf(a.text) == valueOf(b.text)
	case '"':
		return a.text == b.text
	case '[':
		if len(a.list) != len(b.list) {
			return false
		}
		for i := range a.list {
			if !equal(a.list[i], b.list[i]) {
				return false
			}
		}
	case '{':
		if len(a.members) != len(b.members) {
			return false
		}
		for _, m := range a.members {
			if o := b.get(m.name); o == nil || !equal(m.val, o) {
				return false
			}
		}
	}
	return true
}
