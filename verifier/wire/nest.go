package wire

import (
	"encoding/binary"
	"math/bits"
)

// nestLevels is how deep the kinds of open brackets are remembered. Below that any closing bracket closes one.
const nestLevels = 4 << 10

// nest finds the end of an array element. It matches brackets and strings and knows no other syntax, so that an element
// that is no JSON still ends where its neighbour begins: a bracket closes the last one of its kind and all that was left
// open inside, and one that closes nothing is passed over.
//
// Invariant: open[k] is the number of levels under min(depth, nestLevels) of kind k.
type nest struct {
	str, esc bool // inside a string; behind its backslash
	depth    int
	open     [2]int               // open levels of a kind: 0 for [, 1 for {
	kinds    [nestLevels / 8]byte // bit i%8 of byte i/8 is the kind of level i
	seen     int                  // bytes scanned in earlier calls
	stray    int                  // index in the element of the last ] that closed nothing, or -1
}

// reset makes n ready for a new element. The kinds of levels that are not open are never looked at.
func (n *nest) reset() {
	n.str, n.esc = false, false
	n.depth, n.open = 0, [2]int{}
	n.seen, n.stray = 0, -1
}

// scan returns the index in b of the comma or bracket that ends the element, or len(b) if the element goes on.
func (n *nest) scan(b []byte) int {
	for i := 0; i < len(b); i++ {
		if n.str {
			i += n.skipString(b[i:])
			continue
		}
		c := b[i]
		if !structural[c] {
			continue
		}
		switch {
		case c == '"':
			n.str = true
		case n.depth == 0 && (c == ',' || c == ']'):
			return i
		case c == '{' || c == '[':
			n.push(kind(c))
		case c == '}' || c == ']':
			n.pop(kind(c), i)
		}
	}
	n.seen += len(b)
	return len(b)
}

// structural are the bytes that mean something outside of strings.
var structural = [256]bool{'"': true, ',': true, '[': true, ']': true, '{': true, '}': true}

// skipString returns the index in b of the quote that ends the string, or len(b).
func (n *nest) skipString(b []byte) int {
	for i := 0; i < len(b); i++ {
		if n.esc {
			n.esc = false
			continue
		}
		i += quoteOrEscape(b[i:])
		if i < len(b) && b[i] == '"' {
			n.str = false
			return i
		}
		n.esc = i < len(b)
	}
	return len(b)
}

// quoteOrEscape returns the index of the first quote or backslash in b, or len(b). It looks at eight bytes at once: most
// strings are too short for bytes.IndexByte.
func quoteOrEscape(b []byte) int {
	const ones = 0x0101010101010101
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		if m := zeroBytes(w^'"'*ones) | zeroBytes(w^'\\'*ones); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// zeroBytes has the high bit of the lowest byte of w that is zero set, and no bit below it.
func zeroBytes(w uint64) uint64 { return (w - 0x0101010101010101) &^ w & 0x8080808080808080 }

// kind returns 1 for braces and 0 for brackets.
func kind(c byte) int {
	if c == '{' || c == '}' {
		return 1
	}
	return 0
}

func (n *nest) push(k int) {
	if i := n.depth; i < nestLevels {
		n.kinds[i/8] = n.kinds[i/8]&^(1<<(i%8)) | byte(k)<<(i%8)
		n.open[k]++
	}
	n.depth++
}

// pop closes the last level of kind k, for the bracket at index i of the bytes being scanned.
func (n *nest) pop(k, i int) {
	switch {
	case n.depth > nestLevels:
		n.depth--
	case n.open[k] > 0:
		for n.drop() != k {
		}
	case k == 0:
		n.stray = n.seen + i
	}
}

// drop closes the last level and returns its kind.
func (n *nest) drop() int {
	n.depth--
	k := int(n.kinds[n.depth/8]>>(n.depth%8)) & 1
	n.open[k]--
	return k
}
