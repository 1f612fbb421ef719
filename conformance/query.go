package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/agentstream/conformance/conformance/internal/oneline"
	"github.com/agentstream/conformance/verifier/scan"
)

// A query is one line of the verifiers' protocol, taken apart. The bytes of its parts are those of
// the line.
type query struct {
	id                []byte // nil without one
	protocol, profile string
	revision          string
	request           []byte
	list              []byte // the events, with their brackets; every element has an end
}

// parseQuery takes a line apart without looking into events, which may hold anything: bad UTF-8,
// duplicate names, a million brackets. On an error, the query has its id where that could be read.
func parseQuery(text []byte) (q query, err error) {
	c := cutter{b: text}
	var id []byte
	var wrong error // with a member; the first
	err = c.object(func(name, value []byte) { wrong = firstError(wrong, q.member(&id, name, value)) })
	if err != nil {
		return query{}, err // what is no JSON has no id
	}
	if id != nil && !oneline.IsJSON(id) {
		return query{}, errors.New("the id is no JSON")
	}
	if err := q.cut(); err != nil {
		return query{}, err
	}
	q.id = id
	return q, firstError(wrong, q.lacks())
}

// cut goes through the list of events once, so that every element is known to have an end.
func (q *query) cut() error {
	if len(q.list) == 0 || q.list[0] != '[' {
		return nil
	}
	c := cutter{b: q.list}
	if err := c.array(func([]byte) bool { return true }); err != nil {
		return fmt.Errorf("%w of the list of events", err)
	}
	return nil
}

// lacks says what is wrong with the list of events.
func (q *query) lacks() error {
	switch {
	case q.list == nil:
		return errors.New(`the line has no "events"; give {"id":…,"events":[…]}`)
	case q.list[0] != '[':
		return errors.New(`"events" is no list; give {"id":…,"events":[…]}`)
	}
	return nil
}

// member takes one member of the line. Of two of one name the last counts, as elsewhere in the kit.
func (q *query) member(id *[]byte, name, value []byte) (err error) {
	switch {
	case scan.SameName(name, "id"):
		*id = value
	case scan.SameName(name, "events"):
		q.list = value
	case scan.SameName(name, "protocol"):
		q.protocol, err = word("protocol", value)
	case scan.SameName(name, "profile"):
		q.profile, err = word("profile", value)
	case scan.SameName(name, "revision"):
		q.revision, err = word("revision", value)
	case scan.SameName(name, "request"):
		if q.request = value; string(value) == "null" {
			q.request = nil
		}
	}
	return err
}

// word reads a string that may be null.
func word(what string, value []byte) (string, error) {
	if string(value) == "null" {
		return "", nil
	}
	if value[0] != '"' || !oneline.IsJSON(value) {
		return "", fmt.Errorf("%q is no string", what)
	}
	text, _ := scan.Text(value, nil)
	return string(text), nil
}

// events ranges over the events as they were sent.
func (q *query) events() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		c := cutter{b: q.list}
		_ = c.array(yield) // parseQuery has been through it
	}
}

// A cutter cuts JSON at its outermost level. Of values it only finds the end, by quotes and brackets,
// in constant memory however deep they are; whether they are JSON is for others to say.
type cutter struct {
	b []byte
	i int
}

func (c *cutter) fail(want string) error {
	if c.i >= len(c.b) {
		return fmt.Errorf("not JSON: the line ends where %s is expected", want)
	}
	return fmt.Errorf("not JSON: %q where %s is expected, at byte %d", c.b[c.i], want, c.i)
}

// peek skips space and returns the next byte, 0 at the end.
func (c *cutter) peek() byte {
	if c.i = scan.Space(c.b, c.i); c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

// take skips space and one byte if it is b.
func (c *cutter) take(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.i++
	return true
}

// object cuts the object that is all of the bytes into raw names and values.
func (c *cutter) object(member func(name, value []byte)) error {
	if !c.take('{') {
		return errors.New(`the line is no JSON object; give {"id":…,"events":[…]}`)
	}
	for first := true; !c.take('}'); first = false {
		if !first && !c.take(',') {
			return c.fail("a comma or the end of the object")
		}
		name, value, err := c.member()
		if err != nil {
			return err
		}
		member(name[1:len(name)-1], value)
	}
	if c.peek() != 0 || c.i < len(c.b) {
		return c.fail("the end of the line")
	}
	return nil
}

// member cuts one member; the name has its quotes.
func (c *cutter) member() (name, value []byte, err error) {
	if c.peek() != '"' {
		return nil, nil, c.fail("a name")
	}
	if name, err = c.value(); err != nil {
		return nil, nil, err
	}
	if !oneline.IsJSON(name) {
		return nil, nil, fmt.Errorf("not JSON: a name that is no string, before byte %d", c.i)
	}
	if !c.take(':') {
		return nil, nil, c.fail("a colon")
	}
	value, err = c.value()
	return name, value, err
}

// array cuts the array at the start into its elements.
func (c *cutter) array(element func([]byte) bool) error {
	c.take('[')
	for first := true; !c.take(']'); first = false {
		if !first && !c.take(',') {
			return c.fail("a comma or the end of the list")
		}
		value, err := c.value()
		if err != nil {
			return err
		}
		if !element(value) {
			return nil
		}
	}
	return nil
}

// value returns the bytes of the next value.
func (c *cutter) value() ([]byte, error) {
	c.peek()
	from := c.i
	for depth := 0; c.i < len(c.b); {
		switch c.b[c.i] {
		case '"':
			if !c.text() {
				return nil, c.fail("the end of a string")
			}
			if depth == 0 {
				return c.b[from:c.i], nil
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.i++
				return c.b[from:c.i], nil
			}
			if depth < 0 {
				return c.plain(from)
			}
		case ',', ' ', '\t', '\r', '\n', ':':
			if depth == 0 {
				return c.plain(from)
			}
		}
		c.i++
	}
	return c.plain(from)
}

// plain ends a value that is neither string nor container.
func (c *cutter) plain(from int) ([]byte, error) {
	if v := c.b[from:c.i]; len(v) > 0 && v[0] != '{' && v[0] != '[' {
		return v, nil
	}
	return nil, c.fail("a value")
}

// text moves behind the string that begins here.
func (c *cutter) text() bool {
	for c.i++; ; c.i++ {
		n := bytes.IndexAny(c.b[c.i:], `"\`)
		if n < 0 || c.i+n+1 == len(c.b) && c.b[c.i+n] != '"' {
			c.i = len(c.b)
			return false
		}
		if c.i += n + 1; c.b[c.i-1] == '"' {
			return true
		}
	}
}

// skipSpace returns b without the JSON white space in front.
func skipSpace(b []byte) []byte { return b[scan.Space(b, 0):] }
