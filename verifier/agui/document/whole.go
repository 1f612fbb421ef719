package document

import "errors"

// ErrNotObject says that a patch applies but would leave the document something else than an object.
var ErrNotObject = errors.New("the patch leaves content that is no object")

// ApplyToObject is Apply for a document that must stay an object: a patch that would leave something
// else changes nothing, and the error is ErrNotObject.
func (d *Document) ApplyToObject(patch []byte) error {
	return d.transact(func() error {
		if err := d.apply(patch); err != nil {
			return err
		}
		if !d.IsObject() {
			return ErrNotObject
		}
		return nil
	})
}

// Size is the number of bytes of the document as compact JSON, without writing it.
func (d *Document) Size() int { return d.value().size() }
