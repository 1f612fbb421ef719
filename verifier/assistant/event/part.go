package event

import (
	"bytes"

	"github.com/agentstream/conformance/verifier/scan"
)

// A Part is a block of a message, or the call at the end of one: the members that rules compare, as JSON.
// What is missing is nil.
type Part struct {
	Type, Text, Thinking     []byte
	ID, Name, Arguments      []byte
	Redacted, ArgumentsError []byte
	// Members is how many members there are, others too.
	Members int
}

// PartOf reads a value in one pass. What is no object has no members.
func PartOf(v []byte) (p Part) {
	if len(v) == 0 || v[0] != '{' {
		return p
	}
	for name, value := range scan.EachMember(v) {
		p.Members++
		if m := p.member(name); m != nil {
			*m = value
		}
	}
	return p
}

func (p *Part) member(raw []byte) *[]byte {
	name := raw
	if bytes.IndexByte(raw, '\\') >= 0 {
		name, _ = scan.Unescape(raw, nil)
	}
	switch string(name) {
	case "type":
		return &p.Type
	case "text":
		return &p.Text
	case "thinking":
		return &p.Thinking
	case "id":
		return &p.ID
	case "name":
		return &p.Name
	case "arguments":
		return &p.Arguments
	case "redacted":
		return &p.Redacted
	case "argumentsError":
		return &p.ArgumentsError
	}
	return nil
}

// Said is the text of a block of that kind, as a JSON string; nil where it is none.
func (p *Part) Said(b Block) []byte {
	switch b {
	case Text:
		return Quoted(p.Text)
	case Thinking:
		return Quoted(p.Thinking)
	}
	return nil
}

// Quoted returns a value that is a string; nil for any other.
func Quoted(v []byte) []byte {
	if len(v) > 0 && v[0] == '"' {
		return v
	}
	return nil
}
