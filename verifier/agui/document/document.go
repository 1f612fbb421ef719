// Package document keeps a JSON value that RFC 6902 patches change in place, as the state of an agent event stream is changed.
//
// It is code of its own because the libraries at hand (evanphx/json-patch v5, tailscale/hujson) read or copy the whole
// document for every patch that must be atomic, bound no document's size, and compare numbers by their text or as float64.
//
// # Cost
//
// A patch costs its own length, the width of an array where an element goes in or out of the middle, and the width of
// an object or array that is changed for the first time after it was copied: copy shares the value, and what is shared
// is cloned one level at a time along a changed path. A failed patch is undone from a log.
//
// Nothing recurses over the document, so its nesting is bounded by its size alone. Values that come in (by Parse, Set
// or a patch) may nest as deep as jsontext reads, 10,000 levels.
//
// A document of n bytes takes about 5n to 10n bytes of memory for objects with members of ordinary length, 12n for an
// array of single digits, and 28n at worst (an array of arrays of one digit); BenchmarkMemory measures it. While a patch
// is applied, its log takes up to about 64 bytes for each change.
package document

import (
	"errors"
	"fmt"
	"slices"

	"github.com/agentstream/conformance/verifier/scan"
)

// ErrLimit says that a document would take more bytes than its limit, or that a value nests too deep to be read.
// Errors that wrap it say which; the document is as it was before.
var ErrLimit = errors.New("document over its limit")

// Document is a JSON value that patches change in place, each patch wholly or not at all.
//
// The zero Document is null with a limit of no bytes, so that no patch can make it grow; Parse makes a useful one.
// A Document must not be used by two goroutines at a time, nor be copied.
//
// Two spellings that mean the same string become one: escapes are kept only where JSON needs them and for halves of
// surrogate pairs, which stay distinct. Bytes that are not UTF-8 are kept as they are. Numbers keep their spelling.
// Members keep their order until one is removed: then the last one takes its place.
type Document struct {
	root  value
	limit int
	work  *workspace // made by the first call that needs it
}

// workspace is what calls use and leave empty for the next one.
type workspace struct {
	scanner    scan.Scanner
	operations source
	values     builder
	journal    journal
	chain      []*box // the boxes from the root to the one that is changed
	unescaped  []byte // a pointer token with its tildes decoded
	name       []byte // canonical text of a member name of an operation
	path, from []byte // canonical text of the operation's pointers
}

// Parse reads a document. Of members with the same name the last one counts.
// The limit is for the bytes of the compact text that AppendJSON gives, now and after every operation of a patch; a
// value that comes in must keep to it with the members that do not count.
// The value is not kept. The error is ErrLimit, or says where the value stops being JSON.
func Parse(value []byte, limit int) (*Document, error) {
	d := &Document{limit: limit}
	if err := d.Set(value); err != nil {
		return nil, err
	}
	return d, nil
}

// Set replaces the whole document, as Parse reads it, under the same limit. After an error the document is unchanged.
func (d *Document) Set(value []byte) error {
	v, err := d.workspace().values.build(value, d.limit)
	if err != nil {
		return describeRead(err, d.limit)
	}
	d.root = v
	return nil
}

// describeRead makes the error of Set from that of a builder.
func describeRead(err error, limit int) error {
	if err == errSize {
		return fmt.Errorf("%w of %d bytes", ErrLimit, limit)
	}
	return err
}

// IsObject reports whether the whole document is an object.
func (d *Document) IsObject() bool { return d.root.box != nil && d.root.box.members != nil }

// AppendJSON appends the document as compact JSON.
func (d *Document) AppendJSON(dst []byte) []byte {
	return appendValue(slices.Grow(dst, d.value().size()), d.value())
}

// MarshalJSON is AppendJSON for encoding/json, which itself refuses what nests deeper than 10,000 levels.
func (d *Document) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// value is the root, also of the zero Document.
func (d *Document) value() value {
	if d.root == (value{}) {
		return null
	}
	return d.root
}

func (d *Document) workspace() *workspace {
	if d.work == nil {
		d.work = &workspace{}
	}
	return d.work
}
