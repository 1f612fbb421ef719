package document

// members are the names of an object, in the order of the values in the box.
type members struct {
	names []string       // canonical JSON text without the quotes
	index map[string]int // nil until a lookup among many names
}

// indexed is the number of names from which a map is faster than looking at each.
const indexed = 16

// find gives the position of a name, or -1.
func find[Text string | []byte](m *members, name Text) int {
	if len(m.names) < indexed && m.index == nil {
		for i := range m.names {
			if m.names[i] == string(name) {
				return i
			}
		}
		return -1
	}
	if m.index == nil {
		m.buildIndex()
	}
	if i, ok := m.index[string(name)]; ok {
		return i
	}
	return -1
}

func (m *members) buildIndex() {
	m.index = make(map[string]int, cap(m.names))
	for i, name := range m.names {
		m.index[name] = i
	}
}

// push adds a name that is not there yet.
func (m *members) push(name string) {
	if m.index != nil {
		m.index[name] = len(m.names)
	}
	m.names = append(m.names, name)
}

// newObject makes an object of names and values, without its size. Of equal names the last value counts.
// It keeps neither slice.
func newObject(names []string, values []value) *box {
	b := &box{members: &members{}}
	if len(names) == 0 {
		return b
	}
	b.members.names = make([]string, 0, len(names))
	b.buf = make([]value, 0, len(names))
	for i, name := range names {
		if at := find(b.members, name); at >= 0 {
			b.buf[at] = values[i]
		} else {
			b.push(name, values[i])
		}
	}
	return b
}

// push adds a member with a name that the object does not have.
func (b *box) push(name string, v value) {
	b.members.push(name)
	b.buf = append(b.buf, v)
}

// drop takes the i-th member out; the last one takes its place, so that it costs the same in an object of any width.
func (b *box) drop(i int) {
	m, last := b.members, len(b.buf)-1
	if m.index != nil {
		delete(m.index, m.names[i])
		if i != last {
			m.index[m.names[last]] = i
		}
	}
	m.names[i], b.buf[i] = m.names[last], b.buf[last]
	m.names[last], b.buf[last] = "", value{}
	m.names, b.buf = m.names[:last], b.buf[:last]
}

// undrop is the inverse of drop.
func (b *box) undrop(i int, name string, v value) {
	b.push(name, v)
	m, last := b.members, len(b.buf)-1
	if i == last {
		return
	}
	m.names[i], m.names[last] = m.names[last], m.names[i]
	b.buf[i], b.buf[last] = b.buf[last], b.buf[i]
	if m.index != nil {
		m.index[m.names[i]], m.index[m.names[last]] = i, last
	}
}
