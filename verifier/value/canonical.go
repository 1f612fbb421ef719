package value

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"github.com/agentstream/conformance/verifier/scan"
)

// A Sum stands for a value: equal values have equal sums.
type Sum [sha256.Size]byte

// Digest returns the sum of a JSON value.
func Digest(json []byte) Sum {
	var d Digester
	return d.Sum(json)
}

// DigestText returns the sum of a text, which is not that of the JSON string.
func DigestText(text []byte) Sum { return sha256.Sum256(text) }

// Equal reports whether two JSON values are the same to JavaScript. A number that is too big equals only
// its like.
func Equal(a, b []byte) bool { return bytes.Equal(a, b) || Digest(a) == Digest(b) }

// A Digester is Digest for many values: it keeps its memory from call to call. The zero value works.
type Digester struct{ w writer }

// Sum returns the sum of a JSON value.
func (d *Digester) Sum(json []byte) Sum { return d.sum(json, false) }

// SumRecorded returns the sum that a value has once it was in a process and is recorded: a number that was
// too big is null.
func (d *Digester) SumRecorded(json []byte) Sum { return d.sum(json, true) }

// maxKept is how much memory is kept.
const maxKept = 64 << 10

// sum writes the value so that equal ones are equal bytes.
func (d *Digester) sum(json []byte, recorded bool) Sum {
	w := &d.w
	w.out, w.members, w.recorded = w.out[:0], w.members[:0], recorded
	w.value(json, scan.Space(json, 0))
	sum := sha256.Sum256(w.out)
	if cap(w.out) > maxKept || cap(w.moved) > maxKept || cap(w.members) > maxKept {
		*w = writer{}
	}
	return sum
}

// A writer writes values in canonical form: each begins with a byte that says what it is and tells where
// it ends, so that none is the beginning of another. Members are sorted. A container that would be long
// is replaced by its sum, so that what is deep inside is not moved once for every object around it.
type writer struct {
	out      []byte
	members  []member // of all objects being written
	moved    []byte
	recorded bool // too big is null
}

// member is where a member stands in what was written: name, value, end.
type member struct{ name, value, end int }

// long is from which size on a container is replaced by its sum.
const long = 256

// value writes the value at a position and returns the position behind it. Its recursion is as deep as
// the value, which who read it has bounded.
func (w *writer) value(b []byte, at int) int {
	switch b[at] {
	case '{':
		return w.object(b, at)
	case '[':
		return w.array(b, at)
	}
	end := scan.Skip(b, at)
	switch b[at] {
	case '"':
		w.text(b[at+1 : end-1])
	case 't', 'f', 'n':
		w.out = append(w.out, b[at])
	default:
		w.number(b[at:end])
	}
	return end
}

func (w *writer) number(number []byte) {
	f := float(number)
	if w.recorded && math.IsInf(f, 0) {
		w.out = append(w.out, 'n')
		return
	}
	w.out = binary.BigEndian.AppendUint64(append(w.out, '0'), math.Float64bits(f))
}

func (w *writer) text(raw []byte) {
	const lengthSize = 8
	w.out = append(w.out, '"', 0, 0, 0, 0, 0, 0, 0, 0)
	from := len(w.out)
	w.out = appendRaw(w.out, from, raw)
	binary.BigEndian.PutUint64(w.out[from-lengthSize:], uint64(len(w.out)-from))
}

func (w *writer) array(b []byte, at int) int {
	from := len(w.out)
	w.out = append(w.out, '[')
	i := scan.Space(b, at+1)
	for b[i] != ']' {
		if i = scan.Space(b, w.value(b, i)); b[i] == ',' {
			i = scan.Space(b, i+1)
		}
	}
	w.out = append(w.out, ']')
	w.shorten(from)
	return i + 1
}

func (w *writer) object(b []byte, at int) (end int) {
	from, first := len(w.out), len(w.members)
	w.out = append(w.out, '{')
	for m := scan.MembersOf(b, at); ; {
		name, v, ok := m.Next()
		if !ok {
			end = scan.Space(b, at+1) + 1
			break
		}
		x := member{name: len(w.out)}
		w.text(name)
		x.value = len(w.out)
		end = w.value(b, v)
		x.end = len(w.out)
		w.members = append(w.members, x)
		var last bool
		if end, last = m.Done(end); last {
			break
		}
	}
	w.sort(first)
	w.out = append(w.out, '}')
	w.shorten(from)
	return end
}

// sort puts the members of the innermost object in the order of their names, and keeps the last of each name.
func (w *writer) sort(first int) {
	members := w.members[first:]
	w.members = w.members[:first]
	name := func(m member) []byte { return w.out[m.name:m.value] }
	sorted := true
	for i := 1; i < len(members) && sorted; i++ {
		sorted = bytes.Compare(name(members[i-1]), name(members[i])) < 0
	}
	if sorted {
		return
	}
	start := members[0].name
	slices.SortStableFunc(members, func(a, b member) int { return bytes.Compare(name(a), name(b)) })
	w.moved = w.moved[:0]
	for i, m := range members {
		if i+1 == len(members) || !bytes.Equal(name(m), name(members[i+1])) {
			w.moved = append(w.moved, w.out[m.name:m.end]...)
		}
	}
	w.out = append(w.out[:start], w.moved...)
}

func (w *writer) shorten(from int) {
	if len(w.out)-from < long {
		return
	}
	sum := sha256.Sum256(w.out[from:])
	w.out = append(append(w.out[:from], '#'), sum[:]...)
}
