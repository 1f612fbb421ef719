package conformance

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/wire"
)

// excerptBytes is how much of an event is kept on each side of a fault.
const excerptBytes = 512

// An Excerpt is the part of a recorded event around a fault, or its beginning.
type Excerpt struct {
	// Text is raw: nothing in it is escaped, and it need not be UTF-8.
	Text []byte
	// Before and After tell whether the event goes on there.
	Before, After bool
	// From and To are the fault's place in Text; both are 0 where it has none.
	From, To int
	// Line is where the event begins.
	Line int
}

// excerpt cuts what is shown of a frame.
func excerpt(f wire.Frame, pointer string) *Excerpt {
	from, to := fault(f.Data, pointer)
	start := runeStart(f.Data, max(0, from-excerptBytes))
	end := runeStart(f.Data, min(len(f.Data), from+excerptBytes))
	x := &Excerpt{
		Text: slices.Clone(f.Data[start:end]), Before: start > 0, After: end < len(f.Data) || f.Over, Line: f.Line,
	}
	if from < to {
		x.From, x.To = from-start, min(to, end)-start
	}
	return x
}

// runeStart moves i back to where a character begins.
func runeStart(b []byte, i int) int {
	for n := 0; n < 3 && i > 0 && i < len(b) && b[i]&0xC0 == 0x80; n++ {
		i--
	}
	return i
}

// fault returns where in an event the fault is: the member that the pointer names or, where that
// cannot be found, the byte at which the event stops being JSON. It returns 0, 0 without either.
func fault(event []byte, pointer string) (from, to int) {
	f := finder{event: event, dec: jsontext.NewDecoder(bytes.NewBuffer(event), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	for token := range jsontext.Pointer(pointer).Tokens() {
		if !f.into(token) {
			return f.broken()
		}
	}
	if pointer == "" {
		return f.whole()
	}
	if _, err := f.dec.ReadValue(); err != nil {
		f.err = err
		return f.broken()
	}
	return f.at, int(f.dec.InputOffset())
}

// A finder walks into an event.
type finder struct {
	event []byte
	dec   *jsontext.Decoder
	at    int // where the member or element begins that was walked into
	err   error
}

// into walks into the member or element of that name. It reports whether there is one.
func (f *finder) into(token string) bool {
	switch f.dec.PeekKind() {
	case '{':
		return f.member(token)
	case '[':
		return f.element(token)
	}
	return false
}

func (f *finder) member(name string) bool {
	if !f.read() {
		return false
	}
	for f.dec.PeekKind() == '"' {
		f.at = f.next()
		t, err := f.dec.ReadToken()
		if err != nil {
			f.err = err
			return false
		}
		if t.String() == name {
			return true
		}
		if f.err = f.dec.SkipValue(); f.err != nil {
			return false
		}
	}
	return false
}

func (f *finder) element(token string) bool {
	n, err := strconv.Atoi(token)
	if err != nil || !f.read() {
		return false
	}
	for ; n > 0 && f.dec.PeekKind() != ']'; n-- {
		if f.err = f.dec.SkipValue(); f.err != nil {
			return false
		}
	}
	f.at = f.next()
	return f.dec.PeekKind() != ']'
}

func (f *finder) read() bool {
	_, f.err = f.dec.ReadToken()
	return f.err == nil
}

// next returns where the next token begins.
func (f *finder) next() int {
	i := scan.Space(f.event, int(f.dec.InputOffset()))
	if i < len(f.event) && (f.event[i] == ',' || f.event[i] == ':') {
		i = scan.Space(f.event, i+1)
	}
	return i
}

// whole looks for the place where the event is not JSON.
func (f *finder) whole() (from, to int) {
	if _, f.err = f.dec.ReadValue(); f.err != nil {
		return f.broken()
	}
	if rest := f.next(); rest < len(f.event) {
		return rest, len(f.event)
	}
	return 0, 0
}

// broken returns the place of the decoder's error.
func (f *finder) broken() (from, to int) {
	var s *jsontext.SyntacticError
	if !errors.As(f.err, &s) || int(s.ByteOffset) >= len(f.event) {
		return 0, 0
	}
	return int(s.ByteOffset), int(s.ByteOffset) + 1
}
