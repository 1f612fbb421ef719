// Package event turns the bytes of one event of a provider stream into what the rules read of it, and says
// where the bytes are not what the vocabulary describes. The four serialisations of pi and the names of
// di-code come out as one.
package event

import (
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
)

// An Op is what an event does.
type Op uint8

// The ops.
const (
	None       Op = iota // an unknown type, or nothing that could be read
	Start                // begins the stream
	BlockStart           // opens a block
	BlockDelta           // continues it
	BlockEnd             // ends it
	Done                 // ends the stream
	Error                // ends it before it was complete
)

// A Block is a kind of block.
type Block uint8

// The kinds of blocks.
const (
	NoBlock Block = iota
	Text
	Thinking
	ToolCall
)

var blockNames = [...]string{"no block", "text block", "thinking block", "tool call"}

func (b Block) String() string { return blockNames[b] }

// A Field is a member of an event that some rule reads.
type Field uint8

// The fields.
const (
	ContentIndex Field = iota
	Delta              // of a text, or of the text of arguments
	Content            // of an end
	Redacted           // of an end
	ID                 // of a call, at its start
	Name               // of a call, at its start
	Call               // at the end of a call
	Partial            // the message so far
	Reason             // of the end
	Message            // at the end
	Usage              // at the end
	fieldCount
)

// fields are the members that have a field, under all their names.
var fields = map[string]Field{
	"contentIndex": ContentIndex, "delta": Delta, "argumentsDelta": Delta, "content": Content, "redacted": Redacted,
	"id": ID, "toolName": Name, "name": Name, "toolCall": Call, "partial": Partial,
	"reason": Reason, "message": Message, "error": Message, "usage": Usage,
}

// A Fault is something in an event's bytes or members.
type Fault struct {
	Clause  verifier.ClauseID
	Pointer string
	Detail  string
}

// An Event is valid until the next one is decoded.
type Event struct {
	Op    Op
	Block Block
	// Type is the event's type; empty where it has none that is known.
	Type string
	// Faults are in order of precedence. An unknown type is the last.
	Faults []Fault

	fields  [fieldCount]uint32 // 1 + position among the decoder's entries; 0 without one
	names   *typ
	base    string
	decoder *Decoder
}

// Value returns a field's JSON; nil where the member is absent, and in pi where it is null.
func (e *Event) Value(f Field) []byte {
	if e.fields[f] == 0 {
		return nil
	}
	x := &e.decoder.entries[e.fields[f]-1]
	return e.decoder.data[x.From:x.To]
}

// Text returns a field's JSON where it is a string; nil where it is not.
func (e *Event) Text(f Field) []byte {
	if v := e.Value(f); v != nil && v[0] == '"' {
		return v
	}
	return nil
}

// Pointer returns the JSON pointer of a field in its record, under the name that the event's type has for it.
func (e *Event) Pointer(f Field) string { return e.base + "/" + e.names.called[f] }

// Is reports whether a value is the string that is plain.
func Is(v []byte, plain string) bool {
	return len(v) > 0 && v[0] == '"' && scan.SameName(v[1:len(v)-1], plain)
}
