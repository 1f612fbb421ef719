package scan

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// The functions below walk a value that is known to be valid JSON. They look for no errors.

// Kind is the first byte of a value: one of { [ " 0 t f n.
type Kind byte

// KindOf returns the kind of a value that begins with c.
func KindOf(c byte) Kind {
	if c == '-' || '0' <= c && c <= '9' {
		return '0'
	}
	return Kind(c)
}

var kindNames = map[Kind]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "a boolean", 'f': "a boolean", 'n': "null",
}

func (k Kind) String() string { return kindNames[k] }

// Skip returns the position behind the value that begins at i.
func Skip(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipContainer(b, i)
	case 't', 'n':
		return i + 4
	case 'f':
		return i + 5
	}
	for i < len(b) && b[i] > ' ' && b[i] != ',' && b[i] != ']' && b[i] != '}' {
		i++
	}
	return i
}

func skipString(b []byte, i int) int {
	for i++; ; {
		if i+8 <= len(b) {
			n := plainPrefix(binary.LittleEndian.Uint64(b[i:]))
			i += n
			if n == 8 {
				continue
			}
		}
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
		i++
	}
}

func skipContainer(b []byte, i int) int {
	for depth := 0; ; {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
}

// Members walks the members of an object.
type Members struct {
	b []byte
	i int
}

// MembersOf begins at the object at position i of b.
func MembersOf(b []byte, i int) Members { return Members{b, i} }

// Next moves to the next member and returns its raw name, without quotes but with escapes, and the
// position of its value. The caller tells Done where the value ends.
func (m *Members) Next() (name []byte, value int, ok bool) {
	m.i = Space(m.b, m.i+1) // behind { or , or }
	if m.b[m.i] == '}' {
		return nil, 0, false
	}
	end := skipString(m.b, m.i)
	name = m.b[m.i+1 : end-1]
	value = Space(m.b, Space(m.b, end)+1)
	return name, value, true
}

// Done moves behind the member whose value ends at end. It reports whether that was the last, and
// where the object ends then.
func (m *Members) Done(end int) (objectEnd int, last bool) {
	m.i = Space(m.b, end)
	return m.i + 1, m.b[m.i] == '}'
}

// Member returns the value of the member with that plain name, nil without one. It is for rare
// events: each call walks the object.
func Member(object []byte, name string) []byte {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	var found []byte
	for n, v := range EachMember(object) {
		if SameName(n, name) {
			found = v
		}
	}
	return found
}

// EachMember ranges over raw names and values of an object; over nothing where the value is none.
func EachMember(object []byte) func(yield func(name, value []byte) bool) {
	return func(yield func(name, value []byte) bool) {
		if len(object) == 0 || object[0] != '{' {
			return
		}
		for m := MembersOf(object, 0); ; {
			name, at, ok := m.Next()
			if !ok {
				return
			}
			end := Skip(object, at)
			if !yield(name, object[at:end]) {
				return
			}
			if _, last := m.Done(end); last {
				return
			}
		}
	}
}

// EachElement ranges over the elements of an array; over nothing where the value is none.
func EachElement(array []byte) func(yield func(i int, value []byte) bool) {
	return func(yield func(i int, value []byte) bool) {
		if len(array) == 0 || array[0] != '[' {
			return
		}
		i := Space(array, 1)
		for n := 0; array[i] != ']'; n++ {
			end := Skip(array, i)
			if !yield(n, array[i:end]) {
				return
			}
			if i = Space(array, end); array[i] == ',' {
				i = Space(array, i+1)
			}
		}
	}
}

// SameName reports whether a raw name, which may have escapes, spells the plain one.
func SameName(raw []byte, plain string) bool {
	if string(raw) == plain {
		return true
	}
	for _, c := range raw {
		if c == '\\' {
			return string(appendUnescaped(nil, raw)) == plain
		}
	}
	return false
}

// Text returns what a string value (with its quotes) says. Without escapes it is a part of the
// value, else it is appended to scratch. Half a surrogate pair becomes the three bytes that UTF-8
// would give it, so that two different halves stay different.
func Text(value, scratch []byte) (text, grown []byte) {
	raw := value[1 : len(value)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, scratch
	}
	return Unescape(raw, scratch)
}

// Unescape is Text for what is between the quotes and has escapes.
func Unescape(raw, scratch []byte) (text, grown []byte) {
	grown = appendUnescaped(scratch, raw)
	return grown[len(scratch):], grown
}

var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func appendUnescaped(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			dst = append(dst, raw[i])
			i++
			continue
		}
		if raw[i+1] != 'u' {
			dst = append(dst, unescaped[raw[i+1]])
			i += 2
			continue
		}
		unit, _ := hex4(raw, i+2)
		if escapeLen(raw[i:]) == 12 {
			low, _ := hex4(raw, i+8)
			dst = utf8.AppendRune(dst, (unit-0xD800)<<10+(low-0xDC00)+0x10000)
			i += 12
			continue
		}
		dst = appendUnit(dst, unit)
		i += 6
	}
	return dst
}

// appendUnit appends one UTF-16 unit, also half a pair, which utf8 would replace.
func appendUnit(dst []byte, unit rune) []byte {
	if unit < 0xD800 || unit >= 0xE000 {
		return utf8.AppendRune(dst, unit)
	}
	return append(dst, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
}
