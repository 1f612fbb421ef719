// Package scan reads the JSON of one event. Bytes are checked once by a strict, fast scanner; what
// passes can be walked without looking for errors again. What does not pass is diagnosed by
// jsontext, the slow twin that the scanner is fuzzed against, and cleaned where it still has a
// meaning, so that one bad byte does not hide the rest.
package scan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A Scanner checks that bytes are exactly one JSON value: RFC 8259 grammar, valid UTF-8, no half
// surrogate pair, no name twice in an object. The zero value works; it keeps its memory from call to call.
type Scanner struct {
	// Halves lets a value be clean that has escapes for half a surrogate pair, as in protocols whose
	// strings are UTF-16 and may be cut anywhere. Names have none in any case.
	Halves bool

	// Entries are the members of the outermost object of the last value that was clean. They are
	// found on the way, so that walking that object needs no second look at its strings.
	Entries []Entry

	guesses [8][]byte // names that the outermost object had the last time, by position
	names   []span    // member names of all open objects
	objects []int     // where each open container's names begin; -1 for an array
}

// MaxBytes is the size of the largest value whose Entries have positions.
const MaxBytes = 1<<31 - 1

// An Entry is one member of an object: the positions of its name, without quotes, and of its value.
type Entry struct {
	NameFrom, NameTo uint32
	From, To         uint32
	// Escaped is set where the value is a string with escapes.
	Escaped bool
}

// EntriesOf lists the members of an object that is valid, but not clean.
func EntriesOf(entries []Entry, b []byte, at int) []Entry {
	for m := MembersOf(b, at); ; {
		name, from, ok := m.Next()
		if !ok {
			return entries
		}
		to, nameTo := Skip(b, from), cap(b)-cap(name)+len(name)
		escaped := b[from] == '"' && bytes.IndexByte(b[from:to], '\\') >= 0
		entries = append(entries, Entry{uint32(nameTo - len(name)), uint32(nameTo), uint32(from), uint32(to), escaped})
		if _, last := m.Done(to); last {
			return entries
		}
	}
}

type span struct{ from, to int }

// manyNames is up to how many names of an object are compared with each other. A bigger object is
// left to the slow twin, whose cost does not grow with their square.
const manyNames = 48

// Clean reports whether data is clean, and nested at most depth deep. False does not say why, and
// may also mean that the scanner would rather leave it to Diagnose.
func (s *Scanner) Clean(data []byte, depth int) bool {
	s.names, s.objects, s.Entries = s.names[:0], s.objects[:0], s.Entries[:0]
	i, ok := Space(data, 0), false
	if i < len(data) && data[i] == '{' && depth > 0 {
		i, ok = s.outermost(data, i, depth-1)
	} else {
		i, ok = s.value(data, i, depth)
	}
	return ok && Space(data, i) == len(data)
}

// outermost checks the object that an event is and lists its members. Values may be nested depth deep.
func (s *Scanner) outermost(b []byte, i, depth int) (end int, ok bool) {
	if i = Space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1, true
	}
	for {
		if i, ok = s.member(b, i, depth); !ok {
			return i, false
		}
		if i = Space(b, i); i >= len(b) {
			return i, false
		}
		switch b[i] {
		case ',':
			i = Space(b, i+1)
		case '}':
			return i + 1, true
		default:
			return i, false
		}
	}
}

// member checks one member of the outermost object and lists it.
func (s *Scanner) member(b []byte, i, depth int) (end int, ok bool) {
	if i >= len(b) || b[i] != '"' {
		return i, false
	}
	nameEnd, ok := s.nameEnd(b, i)
	if !ok || !s.unlisted(b, b[i+1:nameEnd-1]) {
		return i, false
	}
	escaped := false
	from := Space(b, nameEnd)
	if from >= len(b) || b[from] != ':' {
		return i, false
	}
	if from = Space(b, from+1); from < len(b) && b[from] == '"' {
		if end, escaped, ok = stringEnd(b, from); !ok && s.Halves {
			end, ok = halvesEnd(b, from)
		}
	} else {
		end, ok = s.value(b, from, depth)
	}
	s.Entries = append(s.Entries, Entry{uint32(i + 1), uint32(nameEnd - 1), uint32(from), uint32(end), escaped})
	return end, ok
}

// nameEnd returns the position behind a name of the outermost object. One event is much like the one
// before: what was the nth name then is guessed to be it again.
func (s *Scanner) nameEnd(b []byte, i int) (end int, ok bool) {
	n := len(s.Entries)
	if n < len(s.guesses) {
		end = i + 1 + len(s.guesses[n])
		if end < len(b) && b[end] == '"' && bytes.Equal(b[i+1:end], s.guesses[n]) {
			return end + 1, true
		}
	}
	end, escaped, ok := stringEnd(b, i)
	if ok && !escaped && n < len(s.guesses) && end-i < maxGuess {
		s.guesses[n] = append(s.guesses[n][:0], b[i+1:end-1]...)
	}
	return end, ok && !escaped
}

// maxGuess bounds the names that are kept to be guessed.
const maxGuess = 64

// unlisted reports whether a name is new in the outermost object.
func (s *Scanner) unlisted(b, name []byte) bool {
	if len(s.Entries) > manyNames {
		return false
	}
	for i := range s.Entries {
		x := &s.Entries[i]
		if int(x.NameTo-x.NameFrom) == len(name) && bytes.Equal(b[x.NameFrom:x.NameTo], name) {
			return false
		}
	}
	return true
}

// value checks one value without recursion: it runs until the container it began with is closed.
func (s *Scanner) value(b []byte, i, depth int) (int, bool) {
	for {
		var ok bool
		if i >= len(b) {
			return i, false
		}
		switch c := b[i]; {
		case c == '"':
			from := i
			if i, _, ok = stringEnd(b, i); !ok && s.Halves {
				i, ok = halvesEnd(b, from)
			}
		case c == '{' || c == '[':
			if len(s.objects) == depth {
				return i, false
			}
			var empty bool
			if i, empty, ok = s.open(b, i); ok && !empty {
				continue
			}
		case c == '-' || '0' <= c && c <= '9':
			i, ok = numberEnd(b, i)
		default:
			i, ok = literalEnd(b, i)
		}
		if !ok {
			return i, false
		}
		var done bool
		if i, done, ok = s.next(b, i); done || !ok {
			return i, ok
		}
	}
}

// open enters a container and stands at its first value, or behind it when it is empty.
func (s *Scanner) open(b []byte, i int) (at int, empty, ok bool) {
	object := b[i] == '{'
	i = Space(b, i+1)
	if i < len(b) && b[i] == closer(object) {
		return i + 1, true, true
	}
	if !object {
		s.objects = append(s.objects, -1)
		return i, false, true
	}
	s.objects = append(s.objects, len(s.names))
	i, ok = s.name(b, i)
	return i, false, ok
}

func closer(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

// next stands behind a value: it closes what ends here and stops at the next value, or at the end.
func (s *Scanner) next(b []byte, i int) (at int, done, ok bool) {
	for {
		top := len(s.objects) - 1
		if top < 0 {
			return i, true, true
		}
		i = Space(b, i)
		if i >= len(b) {
			return i, false, false
		}
		base := s.objects[top]
		switch b[i] {
		case ',':
			i = Space(b, i+1)
			if base < 0 {
				return i, false, true
			}
			i, ok = s.name(b, i)
			return i, false, ok
		case closer(base >= 0):
			if base >= 0 {
				s.names = s.names[:base]
			}
			s.objects = s.objects[:top]
			i++
		default:
			return i, false, false
		}
	}
}

// name checks a member's name and stands at its value.
func (s *Scanner) name(b []byte, i int) (int, bool) {
	if i >= len(b) || b[i] != '"' {
		return i, false
	}
	end, escaped, ok := stringEnd(b, i)
	if !ok || escaped || !s.fresh(b, span{i + 1, end - 1}) {
		return i, false
	}
	i = Space(b, end)
	if i >= len(b) || b[i] != ':' {
		return i, false
	}
	return Space(b, i+1), true
}

// fresh adds a name to its object's and reports whether it was new there.
func (s *Scanner) fresh(b []byte, n span) bool {
	base := s.objects[len(s.objects)-1]
	if len(s.names)-base > manyNames {
		return false
	}
	name := b[n.from:n.to]
	for _, o := range s.names[base:] {
		if o.to-o.from == len(name) && bytes.Equal(b[o.from:o.to], name) {
			return false
		}
	}
	s.names = append(s.names, n)
	return true
}

// Space returns the first position from i that is no white space.
func Space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// plainPrefix returns how many of the eight bytes from the lowest are plain: printable ASCII that is
// neither quote nor backslash.
func plainPrefix(w uint64) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^(ones*'"'), w^(ones*'\\')
	special := w | (w - ones*0x20) | (quote - ones) | (slash - ones)
	return bits.TrailingZeros64(special&highs) / 8
}

// stringEnd returns the position behind the string that begins at i, and whether it has escapes.
func stringEnd(b []byte, i int) (end int, escaped, ok bool) {
	for i++; ; {
		if i+8 <= len(b) {
			n := plainPrefix(binary.LittleEndian.Uint64(b[i:]))
			i += n
			if n == 8 {
				continue
			}
		}
		if i >= len(b) {
			return i, escaped, false
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, escaped, true
		case c == '\\':
			n := escapeLen(b[i:])
			if n == 0 {
				return i, true, false
			}
			i, escaped = i+n, true
		case c < ' ':
			return i, escaped, false
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return i, escaped, false
			}
			i += n
		}
	}
}

// halvesEnd is stringEnd for a string that was refused: half a pair does not end it. Whole pairs need no
// look of their own here.
func halvesEnd(b []byte, i int) (end int, ok bool) {
	for i++; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\':
			n := escapeLen(b[i:])
			if n == 0 {
				if _, unit := hex4(b, i+2); !unit || b[i+1] != 'u' {
					return i, false
				}
				n = len(`\ud800`)
			}
			i += n
		case c < ' ':
			return i, false
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return i, false
			}
			i += n
		}
	}
	return i, false
}

// escapeLen returns the length of the escape at the start of b, 0 if it is none or half a pair.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		unit, ok := hex4(b, 2)
		switch {
		case !ok, 0xDC00 <= unit && unit < 0xE000:
			return 0
		case unit < 0xD800 || unit >= 0xE000:
			return 6
		}
		if len(b) < 12 || b[6] != '\\' || b[7] != 'u' {
			return 0
		}
		if low, ok := hex4(b, 8); ok && 0xDC00 <= low && low < 0xE000 {
			return 12
		}
	}
	return 0
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte, i int) (unit rune, ok bool) {
	if i+4 > len(b) {
		return 0, false
	}
	for _, c := range b[i : i+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}

// numberEnd returns the position behind the number that begins at i.
func numberEnd(b []byte, i int) (int, bool) {
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else {
		var n int
		if i, n = digits(b, i); n == 0 {
			return i, false
		}
	}
	if i < len(b) && b[i] == '.' {
		var n int
		if i, n = digits(b, i+1); n == 0 {
			return i, false
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		var n int
		if i, n = digits(b, i); n == 0 {
			return i, false
		}
	}
	return i, true
}

func digits(b []byte, i int) (end, n int) {
	for end = i; end < len(b) && '0' <= b[end] && b[end] <= '9'; {
		end++
	}
	return end, end - i
}

// literalEnd returns the position behind true, false or null.
func literalEnd(b []byte, i int) (int, bool) {
	for _, word := range [...]string{"true", "false", "null"} {
		if b[i] == word[0] {
			end := i + len(word)
			return end, end <= len(b) && string(b[i:end]) == word
		}
	}
	return i, false
}
