package document

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// fault is why an operation does not apply.
type fault string

func (f fault) Error() string { return string(f) }

// checkPointer holds canonical content to the grammar of RFC 6901.
func checkPointer(pointer []byte) error {
	if len(pointer) > 0 && pointer[0] != '/' {
		return fault("the pointer " + quote(pointer) + " does not start with a slash")
	}
	for i, c := range pointer {
		if c == '~' && (i+1 == len(pointer) || pointer[i+1] != '0' && pointer[i+1] != '1') {
			return fault("the pointer " + quote(pointer) + " has a tilde that is not followed by 0 or 1")
		}
	}
	return nil
}

// token gives the reference token that starts at pointer[start] with a slash, and where it ends.
// The token is good until the next call.
func (w *workspace) token(pointer []byte, start int) (token []byte, end int) {
	end = len(pointer)
	if i := bytes.IndexByte(pointer[start+1:], '/'); i >= 0 {
		end = start + 1 + i
	}
	token = pointer[start+1 : end]
	if bytes.IndexByte(token, '~') < 0 {
		return token, end
	}
	w.unescaped = w.unescaped[:0]
	for i := 0; i < len(token); i++ {
		c := token[i]
		if c == '~' {
			i++
			c = "~/"[token[i]-'0']
		}
		w.unescaped = append(w.unescaped, c)
	}
	return w.unescaped, end
}

// reach follows a pointer that is not empty to the box that its last token speaks of. With own it makes all boxes on
// the way ready to be changed and leaves them in the chain.
func (d *Document) reach(pointer []byte, own bool) (b *box, last []byte, err error) {
	d.work.chain = d.work.chain[:0]
	var parent *box
	at, start, v := 0, 0, d.root
	for {
		if b = v.box; b == nil {
			return nil, nil, fault(fmt.Sprintf("%s is %s, with nothing in it", location(pointer[:start]), describe(v)))
		}
		if own {
			if b.shared {
				if b, err = d.unshare(parent, at, b); err != nil {
					return nil, nil, err
				}
			}
			d.work.chain = append(d.work.chain, b)
		}
		token, end := d.work.token(pointer, start)
		if end == len(pointer) {
			return b, token, nil
		}
		if at, err = b.position(token, pointer[:start]); err != nil {
			return nil, nil, err
		}
		parent, v, start = b, b.live()[at], end
	}
}

// locate is reach for a pointer to a value that must exist: at is where it is in the box.
func (d *Document) locate(pointer []byte, own bool) (b *box, at int, err error) {
	b, last, err := d.reach(pointer, own)
	if err != nil {
		return nil, 0, err
	}
	at, err = b.position(last, pointer[:bytes.LastIndexByte(pointer, '/')])
	return b, at, err
}

// position finds the member or element that a token names. The pointer leads to b, for the error.
func (b *box) position(token, pointer []byte) (int, error) {
	if b.members != nil {
		if at := find(b.members, token); at >= 0 {
			return at, nil
		}
		return 0, fault(location(pointer) + " has no member " + quote(token))
	}
	at, err := b.index(token, pointer)
	if err == nil && at >= b.len() {
		err = b.outOfRange(token, pointer)
	}
	return at, err
}

// index reads an array index: digits without leading zeros, or - for the element after the last.
func (b *box) index(token, pointer []byte) (int, error) {
	if string(token) == "-" {
		return b.len(), nil
	}
	digits := len(token) > 0 && (token[0] != '0' || len(token) == 1)
	at := 0
	for _, c := range token {
		digits = digits && '0' <= c && c <= '9'
		at = min(at, math.MaxInt/10-1)*10 + int(c-'0') // stays far past the end of every array
	}
	if !digits {
		return 0, fault(location(pointer) + " is an array, and " + quote(token) + " is no index")
	}
	return at, nil
}

func (b *box) outOfRange(token, pointer []byte) error {
	return fault(location(pointer) + " has " + count(b.len(), "element") + ", none at " + quote(token))
}

// location names the value that a pointer leads to.
func location(pointer []byte) string {
	if len(pointer) == 0 {
		return "the document"
	}
	return quote(pointer)
}

// describe says what a value is, in few words however large it is.
func describe(v value) string {
	switch {
	case v.box != nil && v.box.members != nil:
		return "an object with " + count(v.box.len(), "member")
	case v.box != nil:
		return "an array with " + count(v.box.len(), "element")
	case v.isNumber():
		return "the number " + clip([]byte(v.text))
	case v.text != "" && v.text[0] == '"':
		return "the string " + quote([]byte(v.text[1:len(v.text)-1]))
	}
	return v.text
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
