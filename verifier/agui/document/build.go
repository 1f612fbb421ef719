package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/verifier/scan"
)

// maxDepth is the nesting that jsontext reads.
const maxDepth = 10_000

var (
	errSize  = errors.New("too large")
	errDepth = fmt.Errorf("%w: a value nests deeper than %d levels", ErrLimit, maxDepth)
)

// source is a decoder of bytes that can be used again without an allocation.
type source struct {
	decoder jsontext.Decoder
	buffer  bytes.Buffer
	options []jsontext.Options
}

// open starts to read. The bytes are not changed, and held until the next open.
func (s *source) open(b []byte) *jsontext.Decoder {
	if s.options == nil {
		s.options = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	}
	s.buffer = *bytes.NewBuffer(b)
	s.decoder.Reset(&s.buffer, s.options...)
	return &s.decoder
}

// readError says in one short sentence why JSON could not be read. Texts of jsontext can be as long as the input.
func readError(err error, input []byte) error {
	if tooDeep(input) {
		return errDepth
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return fmt.Errorf("not JSON at byte %d", syntactic.ByteOffset)
	}
	return errors.New("not JSON: cut short")
}

// tooDeep reports whether brackets nest deeper than can be read.
func tooDeep(input []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(input) && depth <= maxDepth; i++ {
		switch c := input[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return depth > maxDepth
}

// atEnd reports whether nothing but space is left.
func atEnd(decoder *jsontext.Decoder) error {
	if _, err := decoder.ReadToken(); err != io.EOF {
		if err == nil {
			err = errors.New("trailing value")
		}
		return err
	}
	return nil
}

// builder makes values from JSON. It is empty between two values, except for the names it knows.
type builder struct {
	scanner scan.Scanner
	source  source
	open    []unfinished
	values  []value  // of the open boxes, outer ones first
	names   []string // likewise
	known   map[string]string
	text    []byte
}

// unfinished is an open box: where its values and names start, and the size of all that is complete in it.
type unfinished struct {
	object        bool
	values, names int
}

// build reads one value whose compact text has at most limit bytes.
func (p *builder) build(raw []byte, limit int) (value, error) {
	defer p.release()
	if p.scanner.Clean(raw, maxDepth) {
		return p.buildClean(raw, limit)
	}
	decoder := p.source.open(raw)
	size := 0
	for {
		v, err := p.next(decoder, &size)
		if err != nil && err != errDepth {
			err = readError(err, raw)
		}
		if err == nil && size > limit {
			err = errSize
		}
		if err != nil {
			return value{}, err
		}
		if v == (value{}) {
			continue
		}
		if len(p.open) == 0 {
			if err := atEnd(decoder); err != nil {
				return value{}, readError(err, raw)
			}
			return v, nil
		}
		p.values = append(p.values, v)
	}
}

// buildClean is build for bytes that are known to be JSON without a doubt, which is nearly always so.
func (p *builder) buildClean(raw []byte, limit int) (value, error) {
	for i, size := 0, 0; ; {
		v, end := p.nextClean(raw, i, &size)
		switch i = end; {
		case size > limit:
			return value{}, errSize
		case v == (value{}):
		case len(p.open) == 0:
			return v, nil
		default:
			p.values = append(p.values, v)
		}
	}
}

// nextClean is next for what is known to be JSON: it returns where it has read to.
func (p *builder) nextClean(raw []byte, i int, size *int) (v value, end int) {
	for i = scan.Space(raw, i); raw[i] == ',' || raw[i] == ':'; {
		i = scan.Space(raw, i+1)
	}
	switch c := raw[i]; c {
	case '{', '[':
		p.enter(c == '{', size)
		return value{}, i + 1
	case '}', ']':
		return value{box: p.close()}, i + 1
	}
	end = scan.Skip(raw, i)
	return p.take(raw[i:end], size), end
}

// next reads as far as to the next complete value, or a part of a value: then it gives the zero value.
// It adds to size, which may come out too large only by members that others replace.
func (p *builder) next(decoder *jsontext.Decoder, size *int) (value, error) {
	switch kind := decoder.PeekKind(); kind {
	case '{', '[':
		if len(p.open) == maxDepth {
			return value{}, errDepth
		}
		_, err := decoder.ReadToken()
		p.enter(kind == '{', size)
		return value{}, err
	case '}', ']':
		if _, err := decoder.ReadToken(); err != nil {
			return value{}, err
		}
		return value{box: p.close()}, nil
	default:
		raw, err := decoder.ReadValue()
		if err != nil {
			return value{}, err
		}
		return p.take(raw, size), nil
	}
}

// enter opens a box.
func (p *builder) enter(object bool, size *int) {
	*size += p.comma() + len(`[]`)
	p.open = append(p.open, unfinished{object: object, values: len(p.values), names: len(p.names)})
}

// take takes a name, which gives the zero value, or a scalar.
func (p *builder) take(raw []byte, size *int) value {
	if p.wantsName() {
		name := p.intern(canonical(&p.text, raw))
		*size += p.comma() + len(`"":`) + len(name)
		p.names = append(p.names, name)
		return value{}
	}
	v := value{text: p.scalar(raw)}
	*size += p.comma() + len(v.text)
	return v
}

// comma is what separates the next member or element from the one before, in bytes: nothing from a member's name.
func (p *builder) comma() int {
	if len(p.open) == 0 {
		return 0
	}
	top := p.open[len(p.open)-1]
	if top.object && !p.wantsName() || len(p.values) == top.values {
		return 0
	}
	return len(`,`)
}

func (p *builder) wantsName() bool {
	if len(p.open) == 0 {
		return false
	}
	top := p.open[len(p.open)-1]
	return top.object && len(p.names)-top.names == len(p.values)-top.values
}

// close makes the box that was opened last.
func (p *builder) close() *box {
	top := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	values, names := p.values[top.values:], p.names[top.names:]
	var b *box
	if top.object {
		b = newObject(names, values)
	} else {
		b = &box{}
		if len(values) > 0 {
			b.buf = make([]value, len(values))
			copy(b.buf, values)
		}
	}
	b.size = b.measure()
	clear(values)
	clear(names)
	p.values, p.names = p.values[:top.values], p.names[:top.names]
	return b
}

// measure computes the size from those of the values.
func (b *box) measure() int {
	size, name := len(`[]`), ""
	for i, v := range b.live() {
		if b.members != nil {
			name = b.members.names[i]
		}
		size += b.overhead(name, i) + v.size()
	}
	return size
}

// scalar gives the canonical text of a scalar. Each text is a string of its own, so that none keeps a large input alive.
func (p *builder) scalar(raw []byte) string {
	switch raw[0] {
	case 't':
		return "true"
	case 'f':
		return "false"
	case 'n':
		return "null"
	}
	if raw[0] == '"' && bytes.IndexByte(raw, '\\') >= 0 {
		p.text = append(p.text[:0], '"')
		p.text = appendCanonical(p.text, raw[1:len(raw)-1])
		p.text = append(p.text, '"')
		return string(p.text)
	}
	return string(raw)
}

// intern gives a name as a string. Objects in a list mostly have the same names.
func (p *builder) intern(name []byte) string {
	const maxLen, maxKnown = 64, 512
	if len(name) > maxLen {
		return string(name)
	}
	if known, ok := p.known[string(name)]; ok {
		return known
	}
	if p.known == nil || len(p.known) == maxKnown {
		p.known = make(map[string]string)
	}
	own := string(name)
	p.known[own] = own
	return own
}

// release empties the stacks, and lets go of what only an unusually large value needed.
func (p *builder) release() {
	p.open = reusable(p.open)
	p.values = reusable(p.values)
	p.names = reusable(p.names)
	p.text = reusable(p.text)
	p.source.open(nil)
}

// reusable empties a slice for its next use, or drops it where it is large.
func reusable[T any](s []T) []T {
	const maxKept = 4096
	if cap(s) > maxKept {
		return nil
	}
	clear(s)
	return s[:0]
}
