package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is the deepest nesting that can be asked for; jsontext goes no deeper.
const MaxDepth = 10_000

// A Defect is one thing that is wrong with a value, at its first place.
type Defect struct {
	// Found is false where there is no such defect.
	Found bool
	// Pointer is the JSON pointer of the member or element.
	Pointer string
	// Detail says what is wrong, without a full stop.
	Detail string
}

// Defects are what kept a value from being clean.
type Defects struct {
	// TooDeep and Broken leave nothing to judge. Broken is what is no JSON at all.
	TooDeep, Broken Defect
	// BadUTF8, DuplicateName and LoneSurrogate leave Cleaned, and are independent of each other.
	BadUTF8, DuplicateName, LoneSurrogate Defect
	// Cleaned is the value with bad bytes replaced by U+FFFD and of each name the last member. It
	// may still hold escapes for half a surrogate pair.
	Cleaned []byte
}

// Diagnose says what is wrong with data that is not clean. It allocates; it is not for every event.
func Diagnose(data []byte, depth int) Defects {
	var d Defects
	if tooDeep(data, depth) {
		d.TooDeep = Defect{Found: true, Detail: fmt.Sprintf("nested deeper than %d", depth)}
		return d
	}
	if err := syntax(data); err != nil {
		d.Broken = Defect{Found: true, Detail: err.Error()}
		return d
	}
	c := cleaner{defects: &d, data: data}
	at := Space(data, 0)
	d.Cleaned = c.value(make([]byte, 0, len(data)), at)
	return d
}

// tooDeep counts brackets outside strings. It needs no valid JSON.
func tooDeep(data []byte, limit int) bool {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// syntax returns why data is not exactly one JSON value, leaving names and UTF-8 aside.
func syntax(data []byte) error {
	if Space(data, 0) == len(data) {
		return errors.New("empty where a JSON value is expected")
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadValue(); err != nil {
		return plainError(err, len(data))
	}
	if at := Space(data, int(dec.InputOffset())); at < len(data) {
		return fmt.Errorf("%d bytes follow the JSON value, at byte %d", len(data)-at, at)
	}
	return nil
}

// plainError says a syntax error without the decoder's prefix, with the position in bytes.
func plainError(err error, size int) error {
	var s *jsontext.SyntacticError
	if !errors.As(err, &s) {
		return fmt.Errorf("not JSON: %q", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	if errors.Is(s.Err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the JSON value is cut off after %d bytes", size)
	}
	return fmt.Errorf("not JSON: %s, at byte %d", strings.ToValidUTF8(s.Err.Error(), "\uFFFD"), s.ByteOffset)
}

// A cleaner copies a value that is valid but for its names and its UTF-8. Its recursion is as deep
// as the value, which tooDeep has bounded.
type cleaner struct {
	defects *Defects
	data    []byte
	path    []byte // JSON pointer of the value being copied
}

func (c *cleaner) value(dst []byte, at int) []byte {
	switch c.data[at] {
	case '{':
		return c.object(dst, at)
	case '[':
		return c.array(dst, at)
	case '"':
		return c.text(dst, c.data[at:Skip(c.data, at)])
	}
	return append(dst, c.data[at:Skip(c.data, at)]...)
}

func (c *cleaner) array(dst []byte, at int) []byte {
	dst = append(dst, '[')
	depth := len(c.path)
	for n, v := range EachElement(c.data[at:]) {
		if n > 0 {
			dst = append(dst, ',')
		}
		c.path = fmt.Appendf(c.path[:depth], "/%d", n)
		dst = c.value(dst, cap(c.data)-cap(v))
	}
	c.path = c.path[:depth]
	return append(dst, ']')
}

func (c *cleaner) object(dst []byte, at int) []byte {
	object := c.data[at:]
	last := map[string]int{} // position of the last value of each name
	for name, v := range EachMember(object) {
		last[c.name(name)] = cap(c.data) - cap(v)
	}
	dst = append(dst, '{')
	depth, first := len(c.path), true
	for name, v := range EachMember(object) {
		plain, pos := c.name(name), cap(c.data)-cap(v)
		c.path = AppendPointer(c.path[:depth], plain)
		if last[plain] != pos {
			c.note(&c.defects.DuplicateName, fmt.Sprintf("the name %q comes more than once in one object", shown(plain)))
			c.value(c.text(nil, c.data[cap(c.data)-cap(name)-1:][:len(name)+2]), pos) // for its defects
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(c.text(dst, c.data[cap(c.data)-cap(name)-1:][:len(name)+2]), ':')
		dst = c.value(dst, pos)
	}
	c.path = c.path[:depth]
	return append(dst, '}')
}

// name returns a member's name as a reader that replaces bad bytes would see it.
func (c *cleaner) name(raw []byte) string {
	return string(appendUnescaped(nil, bytes.ToValidUTF8(raw, []byte("\uFFFD"))))
}

func (c *cleaner) text(dst, value []byte) []byte {
	if !utf8.Valid(value) {
		c.note(&c.defects.BadUTF8, "bytes that are not UTF-8")
		value = bytes.ToValidUTF8(value, []byte("\uFFFD"))
	}
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' {
			continue
		}
		n := escapeLen(value[i:])
		if n == 0 {
			c.note(&c.defects.LoneSurrogate, fmt.Sprintf("the escape %s is half a surrogate pair", value[i:i+6]))
			n = 6
		}
		i += n - 1
	}
	return append(dst, value...)
}

func (c *cleaner) note(d *Defect, detail string) {
	if !d.Found {
		*d = Defect{Found: true, Pointer: string(c.path), Detail: detail}
	}
}

func shown(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

// AppendPointer appends one reference token to a JSON pointer.
func AppendPointer(dst []byte, token string) []byte {
	dst = append(dst, '/')
	for i := 0; i < len(token); i++ {
		switch token[i] {
		case '~':
			dst = append(dst, "~0"...)
		case '/':
			dst = append(dst, "~1"...)
		default:
			dst = append(dst, token[i])
		}
	}
	return dst
}
