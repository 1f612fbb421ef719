// Package vocabulary is what the sources of an SDK say of a protocol: its event
// types and the fields of the types that describe them. Readers fill it, and the
// comparison with the baseline reads it.
package vocabulary

import "fmt"

// SDK is what a reader found in the sources of an SDK.
type SDK struct {
	// Listed is the SDK's own list of event types, such as an enum EventType, in
	// the order of the source. It is nil where the sources have no such list.
	Listed []Listed

	// Payloads are the declarations that describe an event. Two may describe the
	// same one, such as a type and the schema that validates it; the comparison
	// looks at each.
	Payloads []Payload

	// Shapes are the other declarations of objects, by their names. Their Value is
	// not meaningful.
	Shapes []Payload

	// Damaged are files that could not be read whole.
	Damaged []Damaged

	// Files is how many files were read.
	Files int
}

// Listed is an entry of the SDK's list of event types.
type Listed struct {
	Value string // on the wire
	Name  string // in the source
	At    Place
}

// Payload is a declaration that describes an event.
type Payload struct {
	Name  string // in the source
	Value string // of the discriminator; empty where the source gives none
	At    Place

	// Fields are those on the wire, inherited ones first. They are not
	// meaningful where Unparsed is set.
	Fields []Field

	// Unused says that the SDK's own union, decoder or constructors leave the
	// declaration out.
	Unused bool

	// Unparsed says why the fields could not be read with confidence, or is nil.
	Unparsed *Problem
}

// Field is a member of a payload.
type Field struct {
	Name     string // on the wire
	Presence Presence
	At       Place
}

// Presence says whether a field must be there.
type Presence int

// What the source says of a field's presence.
const (
	Unsaid   Presence = iota // the language, or this declaration, does not say
	Required                 // the field is always there
	Optional                 // the field may be absent
)

func (p Presence) String() string { return [...]string{"unsaid", "required", "optional"}[p] }

// Problem is why something could not be read.
type Problem struct {
	Reason string
	At     Place
}

func (p Problem) Error() string { return fmt.Sprintf("%s: %s", p.At, p.Reason) }

// Damaged is a file that could not be read whole, with its text: what it
// mentions can't be called missing.
type Damaged struct {
	Problem
	Text string
}

// Place is a line of a file.
type Place struct {
	File string // as the SDK's folder has it, with slashes
	Line int    // from 1, or 0 for the file as a whole
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}
