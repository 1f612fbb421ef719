package document

import "slices"

// insert puts an element before the i-th. It moves the shorter side, so that both ends are cheap.
func (b *box) insert(i int, v value) {
	front := i < b.len()/2
	if front && b.head == 0 {
		b.openFront()
	}
	if front {
		b.head--
		live := b.live()
		copy(live, live[1:i+1])
		live[i] = v
		return
	}
	if len(b.buf) == cap(b.buf) && b.head > b.len() {
		b.closeFront()
	}
	b.buf = slices.Insert(b.buf, b.head+i, v)
}

// remove takes the i-th element out.
func (b *box) remove(i int) value {
	live := b.live()
	v := live[i]
	if i < len(live)/2 {
		copy(live[1:], live[:i])
		live[0] = value{}
		b.head++
		return v
	}
	b.buf = slices.Delete(b.buf, b.head+i, b.head+i+1)
	return v
}

// openFront makes room in front for as many elements as there are, so that growing there costs a constant each.
func (b *box) openFront() {
	n := b.len()
	buf := make([]value, 2*n)
	copy(buf[n:], b.live())
	b.buf, b.head = buf, n
}

// closeFront moves the elements to the start of the buffer: a queue reuses what it left behind.
func (b *box) closeFront() {
	n := copy(b.buf, b.live())
	clear(b.buf[n:])
	b.buf, b.head = b.buf[:n], 0
}
