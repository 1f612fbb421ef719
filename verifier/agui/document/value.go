package document

import "slices"

// value is a scalar or a box.
type value struct {
	text string // canonical JSON text of a scalar, "" where box is set
	box  *box
}

var null = value{text: "null"}

// size is the length of the value's compact JSON text.
func (v value) size() int {
	if v.box != nil {
		return v.box.size
	}
	return len(v.text)
}

// box is an object or an array.
//
// Invariant: where members is set, head is 0 and len(buf) == len(members.names).
type box struct {
	size    int     // length of the compact JSON text
	serial  int     // the patch that last saved size in its journal
	buf     []value // the live ones are buf[head:]
	head    int     // free slots in front, so that a queue is cheap at both ends
	members *members
	shared  bool // more than one place may hold this box: clone it before a change
}

// live are the values of members or elements; the slice is good until the box changes.
func (b *box) live() []value { return b.buf[b.head:] }

func (b *box) len() int { return len(b.buf) - b.head }

// overhead is what a member or element adds to the size besides its value, if the box has n others.
func (b *box) overhead(name string, n int) int {
	size := 0
	if n > 0 {
		size = len(`,`)
	}
	if b.members != nil {
		size += len(name) + len(`"":`)
	}
	return size
}

// clone copies one level; what is below is shared from now on. The index of names is built again when needed.
func (b *box) clone() *box {
	c := &box{size: b.size, buf: slices.Clone(b.live())}
	if b.members != nil {
		c.members = &members{names: slices.Clone(b.members.names)}
	}
	for _, v := range c.buf {
		if v.box != nil {
			v.box.shared = true
		}
	}
	return c
}

// appendValue appends compact JSON. It keeps its own stack, since a document may nest deeper than a Go stack grows.
func appendValue(dst []byte, v value) []byte {
	type frame struct {
		box  *box
		next int
	}
	var stack []frame
	for {
		if v.box == nil {
			dst = append(dst, v.text...)
		} else {
			dst = append(dst, v.box.bracket('[', '{'))
			stack = append(stack, frame{box: v.box})
		}
		for len(stack) > 0 && stack[len(stack)-1].next == stack[len(stack)-1].box.len() {
			dst = append(dst, stack[len(stack)-1].box.bracket(']', '}'))
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 {
			return dst
		}
		top := &stack[len(stack)-1]
		if top.next > 0 {
			dst = append(dst, ',')
		}
		if m := top.box.members; m != nil {
			dst = append(dst, '"')
			dst = append(dst, m.names[top.next]...)
			dst = append(dst, `":`...)
		}
		v = top.box.live()[top.next]
		top.next++
	}
}

func (b *box) bracket(array, object byte) byte {
	if b.members != nil {
		return object
	}
	return array
}
