package value

import (
	"math"

	"github.com/agentstream/conformance/verifier/scan"
)

// A Defect is why a text is not the JSON of an object.
type Defect uint8

// The defects. Where there are several, the lowest is found.
const (
	Sound     Defect = iota // an object, all its numbers finite
	TooDeep                 // nested deeper than was asked for; whether it is JSON is not known
	NotJSON                 // not exactly one JSON value, by the grammar of RFC 8259
	NotObject               // JSON, but no object
	NotFinite               // a number in it is too big for a float64
)

// Examine reads text, in WTF-8, as strictly as JSON.parse does. It goes at most depth deep.
func Examine(text []byte, depth int) Defect {
	c := checker{b: text}
	if d := c.value(min(depth, scan.MaxDepth)); d != Sound {
		return d
	}
	switch {
	case text[scan.Space(text, 0)] != '{':
		return NotObject
	case c.infinite:
		return NotFinite
	}
	return Sound
}

// A checker stands at a position of a text that may be anything.
type checker struct {
	b        []byte
	i        int
	depth    int
	objects  [scan.MaxDepth/64 + 1]uint64 // a bit for each open container: whether it is an object
	infinite bool
}

// value checks one value and that nothing follows it.
func (c *checker) value(depth int) Defect {
	for {
		c.space()
		switch ch := c.peek(); {
		case ch == '{' || ch == '[':
			if c.depth == depth {
				return TooDeep
			}
			if empty, ok := c.enter(ch); !ok {
				return NotJSON
			} else if !empty {
				continue
			}
		case ch == '"':
			if !c.text() {
				return NotJSON
			}
		case ch == '-' || isDigit(ch):
			if !c.number() {
				return NotJSON
			}
		default:
			if !c.literal("true") && !c.literal("false") && !c.literal("null") {
				return NotJSON
			}
		}
		if done, ok := c.leave(); !ok {
			return NotJSON
		} else if done {
			return Sound
		}
	}
}

// enter opens a container and stands at its first value, or behind it when it is empty.
func (c *checker) enter(bracket byte) (empty, ok bool) {
	c.i++
	c.space()
	if c.peek() == bracket+2 { // in ASCII the closing one is two behind
		c.i++
		return true, true
	}
	bit := uint64(1) << (c.depth % 64)
	c.objects[c.depth/64] &^= bit
	if bracket == '{' {
		c.objects[c.depth/64] |= bit
	}
	c.depth++
	return false, bracket == '[' || c.name()
}

// inObject reports whether the innermost open container is an object.
func (c *checker) inObject() bool { return c.objects[(c.depth-1)/64]>>((c.depth-1)%64)&1 == 1 }

// leave stands behind a value. It closes what ends here and stops at the next value, or at the end.
func (c *checker) leave() (done, ok bool) {
	for {
		c.space()
		if c.depth == 0 {
			return true, c.i == len(c.b)
		}
		object := c.inObject()
		switch ch := c.peek(); {
		case ch == ',':
			c.i++
			c.space()
			return false, !object || c.name()
		case object && ch == '}', !object && ch == ']':
			c.i++
			c.depth--
		default:
			return false, false
		}
	}
}

// name checks a member's name and the colon behind it.
func (c *checker) name() bool {
	if c.peek() != '"' || !c.text() {
		return false
	}
	c.space()
	if c.peek() != ':' {
		return false
	}
	c.i++
	return true
}

func (c *checker) space() { c.i = scan.Space(c.b, c.i) }

// peek returns the next byte; 0, which begins nothing, at the end.
func (c *checker) peek() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

func (c *checker) text() bool {
	for c.i++; c.i < len(c.b); {
		switch ch := c.b[c.i]; {
		case ch == '"':
			c.i++
			return true
		case ch < ' ':
			return false
		case ch == '\\':
			if !c.escape() {
				return false
			}
		default:
			c.i++
		}
	}
	return false
}

func (c *checker) escape() bool {
	c.i++
	if c.peek() != 'u' {
		ok := plain[c.peek()] != 0
		c.i++
		return ok
	}
	for range 4 {
		c.i++
		if ch := c.peek(); digits[ch] == 0 && ch != '0' {
			return false
		}
	}
	c.i++
	return true
}

func (c *checker) number() bool {
	from := c.i
	if c.peek() == '-' {
		c.i++
	}
	if c.peek() == '0' {
		c.i++
	} else if !c.digits() {
		return false
	}
	if c.peek() == '.' {
		if c.i++; !c.digits() {
			return false
		}
	}
	if c.peek()|0x20 == 'e' {
		if c.i++; c.peek() == '-' || c.peek() == '+' {
			c.i++
		}
		if !c.digits() {
			return false
		}
	}
	c.infinite = c.infinite || math.IsInf(float(c.b[from:c.i]), 0)
	return true
}

func (c *checker) digits() bool {
	from := c.i
	for isDigit(c.peek()) {
		c.i++
	}
	return c.i > from
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (c *checker) literal(word string) bool {
	if c.i+len(word) > len(c.b) || string(c.b[c.i:c.i+len(word)]) != word {
		return false
	}
	c.i += len(word)
	return true
}
