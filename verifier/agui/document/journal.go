package document

import "fmt"

// journal is what it takes to undo a patch. Each change that Apply makes goes through one of the methods of
// Document below, which note it.
type journal struct {
	serial  int // of this patch
	changes []change
	sizes   []sized
	cloned  int // members and elements of all clones that this patch made necessary
}

// errClones bounds a patch that copies a wide value and changes the copy, again and again: the journal holds each.
var errClones = fmt.Errorf("%w: one patch changes too many copies of wide values", ErrLimit)

type action byte

const (
	setRoot action = iota
	setValue
	inserted
	removed
)

// change is one change to a box, or to the root.
type change struct {
	action action
	box    *box
	at     int
	name   string // of a removed member
	old    value  // what was there, if anything was
}

// sized is the size of a box before the patch.
type sized struct {
	box  *box
	size int
}

func (j *journal) note(c change) { j.changes = append(j.changes, c) }

func (d *Document) setRoot(v value) {
	d.work.journal.note(change{action: setRoot, old: d.root})
	d.root = v
}

func (d *Document) setValue(b *box, at int, v value) {
	d.work.journal.note(change{action: setValue, box: b, at: at, old: b.live()[at]})
	b.live()[at] = v
}

// insert puts an element at a position, or a member with a new name at the end.
func (d *Document) insert(b *box, at int, name string, v value) {
	d.work.journal.note(change{action: inserted, box: b, at: at})
	if b.members != nil {
		b.push(name, v)
	} else {
		b.insert(at, v)
	}
}

func (d *Document) remove(b *box, at int) {
	c := change{action: removed, box: b, at: at, old: b.live()[at]}
	if b.members != nil {
		c.name = b.members.names[at]
	}
	d.work.journal.note(c)
	b.take(at)
}

func (b *box) take(at int) {
	if b.members != nil {
		b.drop(at)
	} else {
		b.remove(at)
	}
}

// resize adds to the sizes of all boxes of the chain. A size is noted only once in a patch.
func (d *Document) resize(delta int) {
	j := &d.work.journal
	for _, b := range d.work.chain {
		if b.serial != j.serial {
			b.serial = j.serial
			j.sizes = append(j.sizes, sized{b, b.size})
		}
		b.size += delta
	}
}

// unshare replaces a shared box by a clone that may be changed. That is noted like any other change: the changes
// before it were made to the shared box, so undoing them must find that box in its place.
func (d *Document) unshare(parent *box, at int, b *box) (*box, error) {
	const allowed = 4096 // in documents however small
	if d.work.journal.cloned += b.len(); d.work.journal.cloned > max(d.limit/2, allowed) {
		return nil, errClones
	}
	c := b.clone()
	c.serial = d.work.journal.serial // its size needs no note, since undoing drops it
	if parent == nil {
		d.setRoot(value{box: c})
	} else {
		d.setValue(parent, at, value{box: c})
	}
	return c, nil
}

// undo takes back all that was noted, last change first.
func (d *Document) undo() {
	j := &d.work.journal
	for i := len(j.changes) - 1; i >= 0; i-- {
		switch c := &j.changes[i]; c.action {
		case setRoot:
			d.root = c.old
		case setValue:
			c.box.live()[c.at] = c.old
		case inserted:
			c.box.take(c.at)
		case removed:
			c.box.untake(c.at, c.name, c.old)
		}
	}
	for _, s := range j.sizes {
		s.box.size = s.size
	}
}

func (b *box) untake(at int, name string, v value) {
	if b.members != nil {
		b.undrop(at, name, v)
	} else {
		b.insert(at, v)
	}
}
