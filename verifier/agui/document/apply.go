package document

import (
	"bytes"
	"fmt"
	"math"

	"github.com/agentstream/conformance/verifier/scan"
)

// Error says why a patch does not apply.
type Error struct {
	Op     int    // index of the operation from 0, or -1 where the patch is no array of operations at all
	Name   string // the operation's op, "" where it has none
	Path   string // its path as JSON text without quotes, cut after 80 characters, "" where it has none
	Reason string // part of a sentence
}

func (e *Error) Error() string {
	switch {
	case e.Op < 0:
		return e.Reason
	case e.Name == "":
		return fmt.Sprintf("operation %d: %s", e.Op, e.Reason)
	}
	return fmt.Sprintf(`operation %d (%s "%s"): %s`, e.Op, e.Name, e.Path, e.Reason)
}

// Apply applies a patch, an array of RFC 6902 operations, wholly or not at all.
//
// Members that an operation does not define are ignored; of members with the same name the last one counts. An
// operation whose op is a string but no name of RFC 6902 is skipped, whatever else is in it: a receiver drops it. Any
// other operation that lacks a member or has one of the wrong type does not apply. Removing the whole document leaves
// null, since its place exists and JSON has no value for nothing.
//
// The error is *Error where the patch does not apply. It wraps ErrLimit where an operation would leave the document over
// its limit, even if a later one would make it smaller; where an operation's value is over it by itself; and where the
// copies that the patch makes and then changes have more members and elements, all together, than half the limit has bytes.
// The patch is not kept.
func (d *Document) Apply(patch []byte) error {
	return d.transact(func() error { return d.apply(patch) })
}

// transact runs what changes the document and undoes it where that fails.
func (d *Document) transact(change func() error) error {
	w := d.workspace()
	d.root = d.value()
	w.journal.serial++
	w.journal.cloned = 0
	err := change()
	if err != nil {
		d.undo()
	}
	w.release()
	return err
}

// release empties the workspace for the next patch and lets go of the values in it.
func (w *workspace) release() {
	w.journal.changes = reusable(w.journal.changes)
	w.journal.sizes = reusable(w.journal.sizes)
	w.chain = reusable(w.chain[:cap(w.chain)])
	w.unescaped = reusable(w.unescaped)
	w.name = reusable(w.name)
	w.path = reusable(w.path)
	w.from = reusable(w.from)
	w.operations.open(nil)
}

func (d *Document) apply(patch []byte) error {
	if d.work.scanner.Clean(patch, maxDepth) {
		return d.applyClean(patch)
	}
	decoder := d.work.operations.open(patch)
	if decoder.PeekKind() != '[' {
		return &Error{Op: -1, Reason: "the patch is no array"}
	}
	_, err := decoder.ReadToken()
	for n := 0; err == nil && decoder.PeekKind() != ']'; n++ {
		var o operation
		if o, err = d.work.read(decoder, patch); err == nil {
			err = d.perform(&o)
		}
		if stop := d.explain(n, &o, err); stop != nil {
			return stop
		}
	}
	if err == nil {
		_, err = decoder.ReadToken()
	}
	if err == nil {
		err = atEnd(decoder)
	}
	if err == nil || err == errDepth {
		return err
	}
	if err = readError(err, patch); err == errDepth {
		return err
	}
	return &Error{Op: -1, Reason: "the patch is " + err.Error()}
}

// applyClean is apply for a patch that is known to be JSON without a doubt, which is nearly always so.
func (d *Document) applyClean(patch []byte) error {
	patch = patch[scan.Space(patch, 0):]
	if patch[0] != '[' {
		return &Error{Op: -1, Reason: "the patch is no array"}
	}
	for n, element := range scan.EachElement(patch) {
		o, err := readClean(element)
		if err == nil {
			err = d.perform(&o)
		}
		if stop := d.explain(n, &o, err); stop != nil {
			return stop
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// explain makes the error of Apply from one of an operation, and nil from any other.
func (d *Document) explain(n int, o *operation, err error) error {
	reason, ok := err.(fault)
	switch {
	case ok:
		return &Error{Op: n, Name: o.name(), Path: clip(o.path), Reason: string(reason)}
	case err == errSize:
		return fmt.Errorf(`operation %d (%s "%s"): %w of %d bytes`, n, o.op, clip(o.path), ErrLimit, d.limit)
	case err == errClones:
		return fmt.Errorf(`operation %d (%s "%s"): %w`, n, o.op, clip(o.path), err)
	}
	return nil
}

// perform applies one operation; its error is a fault, errSize, errClones or errDepth.
func (d *Document) perform(o *operation) error {
	if perform, err := o.check(d.work); !perform {
		return err
	}
	switch string(o.op) {
	case "add":
		return d.withValue(o, d.add)
	case "replace":
		return d.withValue(o, d.replace)
	case "remove":
		return d.delete(o.path)
	case "move":
		return d.move(o.from, o.path)
	case "copy":
		return d.copy(o.from, o.path)
	default:
		return d.test(o.path, o.value)
	}
}

// withValue builds the operation's value, which must fit in the document, and changes the document by it.
func (d *Document) withValue(o *operation, change func([]byte, value) error) error {
	v, err := d.build(o.value, d.limit)
	if err != nil {
		return err
	}
	return change(o.path, v)
}

// build reads a value that the patch's decoder has already read as valid. A scalar needs no decoder.
func (d *Document) build(raw []byte, limit int) (value, error) {
	if raw[0] == '{' || raw[0] == '[' {
		return d.work.values.build(raw, limit)
	}
	return value{text: d.work.values.scalar(raw)}, nil
}

func (d *Document) add(pointer []byte, v value) error {
	if len(pointer) == 0 {
		return d.replaceRoot(v)
	}
	b, last, err := d.reach(pointer, true)
	if err != nil {
		return err
	}
	at, name := b.len(), ""
	if b.members != nil {
		if found := find(b.members, last); found >= 0 {
			return d.replaceAt(b, found, v)
		}
		name = string(last)
	} else {
		parent := pointer[:bytes.LastIndexByte(pointer, '/')]
		if at, err = b.index(last, parent); err != nil {
			return err
		}
		if at > b.len() {
			return b.outOfRange(last, parent)
		}
	}
	if err := d.grow(b.overhead(name, b.len()) + v.size()); err != nil {
		return err
	}
	d.insert(b, at, name, v)
	return nil
}

func (d *Document) replace(pointer []byte, v value) error {
	if len(pointer) == 0 {
		return d.replaceRoot(v)
	}
	b, at, err := d.locate(pointer, true)
	if err != nil {
		return err
	}
	return d.replaceAt(b, at, v)
}

func (d *Document) replaceAt(b *box, at int, v value) error {
	if err := d.grow(v.size() - b.live()[at].size()); err != nil {
		return err
	}
	d.setValue(b, at, v)
	return nil
}

func (d *Document) replaceRoot(v value) error {
	d.work.chain = d.work.chain[:0]
	if err := d.grow(v.size() - d.root.size()); err != nil {
		return err
	}
	d.setRoot(v)
	return nil
}

// grow adds to the sizes along the chain if the limit allows it. Less is always allowed.
func (d *Document) grow(delta int) error {
	if delta > 0 && delta > d.limit-d.root.size() {
		return errSize
	}
	d.resize(delta)
	return nil
}

func (d *Document) delete(pointer []byte) error {
	if len(pointer) == 0 {
		return d.replaceRoot(null)
	}
	b, at, err := d.locate(pointer, true)
	if err != nil {
		return err
	}
	name := ""
	if b.members != nil {
		name = b.members.names[at]
	}
	d.resize(-b.overhead(name, b.len()-1) - b.live()[at].size())
	d.remove(b, at)
	return nil
}

func (d *Document) move(from, to []byte) error {
	v, err := d.get(from)
	if err != nil || bytes.Equal(from, to) {
		return err
	}
	if bytes.HasPrefix(to, from) && to[len(from)] == '/' {
		return fault(location(from) + " cannot be moved into itself")
	}
	if err := d.delete(from); err != nil {
		return err
	}
	return d.add(to, v)
}

// copy shares the value. Both places are cloned before they change, so it must be marked before its parents are.
func (d *Document) copy(from, to []byte) error {
	v, err := d.get(from)
	if err != nil {
		return err
	}
	if v.box != nil {
		v.box.shared = true
	}
	return d.add(to, v)
}

func (d *Document) get(pointer []byte) (value, error) {
	if len(pointer) == 0 {
		return d.root, nil
	}
	b, at, err := d.locate(pointer, false)
	if err != nil {
		return value{}, err
	}
	return b.live()[at], nil
}

func (d *Document) test(pointer, raw []byte) error {
	is, err := d.get(pointer)
	if err != nil {
		return err
	}
	want, err := d.build(raw, math.MaxInt) // a number may be equal in many more digits than the document may have
	if err != nil || equal(is, want) {
		return err
	}
	have, other := describe(is), describe(want)
	if have == other {
		return fault(location(pointer) + " is " + have + " that differs from the value")
	}
	return fault(location(pointer) + " is " + have + ", not " + other)
}
