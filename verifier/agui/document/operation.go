package document

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/verifier/scan"
)

// operation is one operation of a patch. All of it is good until the next one is read.
type operation struct {
	raw            struct{ op, path, from []byte } // JSON, nil where absent
	op, path, from []byte                          // canonical content without quotes, nil until checked
	value          []byte                          // JSON, nil where absent
}

// read reads the next operation. Its error is a fault if the element is JSON, but no object.
func (w *workspace) read(decoder *jsontext.Decoder, patch []byte) (o operation, err error) {
	if decoder.PeekKind() != '{' {
		if err = decoder.SkipValue(); err == nil {
			err = fault("it is no object")
		}
		return o, err
	}
	if _, err = decoder.ReadToken(); err != nil {
		return o, err
	}
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadValue()
		if err != nil {
			return o, err
		}
		member := o.member(canonical(&w.name, name))
		raw, err := decoder.ReadValue()
		if err != nil {
			return o, err
		}
		if member != nil {
			end := int(decoder.InputOffset())
			*member = patch[end-len(raw) : end] // raw itself is good only until the decoder reads on
		}
	}
	_, err = decoder.ReadToken()
	return o, err
}

// readClean is read for an element of a patch that is clean: its names have no escapes.
func readClean(element []byte) (o operation, err error) {
	if element[0] != '{' {
		return o, fault("it is no object")
	}
	for name, value := range scan.EachMember(element) {
		if member := o.member(name); member != nil {
			*member = value
		}
	}
	return o, nil
}

// member is where to put the member of a name, or nil.
func (o *operation) member(name []byte) *[]byte {
	switch string(name) {
	case "op":
		return &o.raw.op
	case "path":
		return &o.raw.path
	case "from":
		return &o.raw.from
	case "value":
		return &o.value
	}
	return nil
}

// check decodes the operation's strings and finds what it lacks. It reports whether the operation is to be performed:
// one that RFC 6902 does not name is not, and is not checked further.
func (o *operation) check(w *workspace) (perform bool, err error) {
	if o.op, err = text(&w.name, "op", o.raw.op); err != nil {
		return false, err
	}
	needsFrom, needsValue := false, false
	switch string(o.op) {
	case "remove":
	case "move", "copy":
		needsFrom = true
	case "add", "replace", "test":
		needsValue = true
	default:
		return false, nil
	}
	if o.path, err = pointer(&w.path, "path", o.raw.path); err != nil {
		return false, err
	}
	if needsFrom {
		if o.from, err = pointer(&w.from, "from", o.raw.from); err != nil {
			return false, err
		}
	}
	if needsValue && o.value == nil {
		return false, fault(`it has no "value"`)
	}
	return true, nil
}

// text gives the canonical content of a string member.
func text(buf *[]byte, name string, raw []byte) ([]byte, error) {
	if raw == nil {
		return nil, fault("it has no " + quote([]byte(name)))
	}
	if raw[0] != '"' {
		return nil, fault("its " + quote([]byte(name)) + " is no string")
	}
	return canonical(buf, raw), nil
}

// pointer is text for a member that must be a JSON pointer.
func pointer(buf *[]byte, name string, raw []byte) ([]byte, error) {
	p, err := text(buf, name, raw)
	if err == nil {
		err = checkPointer(p)
	}
	return p, err
}

// name is the op for an error text, "" as long as there is no path to go with it.
func (o *operation) name() string {
	if o.path == nil {
		return ""
	}
	return string(o.op)
}
