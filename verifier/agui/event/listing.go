package event

import (
	"iter"
	"sync"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier/scan"
)

// MessageKind is what an id of a message stands for.
type MessageKind uint8

const (
	NoMessage MessageKind = iota
	TextMessage
	ReasoningMessage
	ResultMessage
	ActivityMessage
)

var messageKindNames = [...]string{"nothing", "a text message", "a reasoning message", "a tool result", "an activity"}

func (k MessageKind) String() string { return messageKindNames[k] }

// DefaultRole is the role of a text message that names none, and the one whose calls count.
const DefaultRole = "assistant"

// A Listing is one message of a MESSAGES_SNAPSHOT or of an input echo, as far as rules read it.
// Strings are decoded; nil means absent.
type Listing struct {
	ID, Role, Name, Tag, ToolCallID []byte
	Kind                            MessageKind
	Content                         []byte // JSON

	toolCalls []byte
}

// A ListedCall is one tool call that an assistant message lists.
type ListedCall struct{ ID, Arguments []byte }

// Listings ranges over the messages of a list that rules can read. One of an unknown role is passed
// over, as a consumer does; malformed ones have been blamed.
func Listings(list []byte) iter.Seq[Listing] {
	return func(yield func(Listing) bool) {
		if len(list) == 0 || list[0] != '[' {
			return
		}
		for _, v := range scan.EachElement(list) {
			if l, ok := readListing(v); ok && !yield(l) {
				return
			}
		}
	}
}

func readListing(v []byte) (l Listing, ok bool) {
	if v[0] != '{' {
		return l, false
	}
	for name, value := range scan.EachMember(v) {
		switch {
		case scan.SameName(name, "id"):
			l.ID = String(value)
		case scan.SameName(name, Role.String()):
			l.Role = String(value)
		case scan.SameName(name, Name.String()):
			l.Name = String(value)
		case scan.SameName(name, SubagentRunID.String()):
			l.Tag = String(value)
		case scan.SameName(name, ToolCallID.String()):
			l.ToolCallID = String(value)
		case scan.SameName(name, Content.String()):
			l.Content = value
		case scan.SameName(name, "toolCalls"):
			l.toolCalls = value
		}
	}
	l.Kind = kindOfRole(l.Role)
	return l, l.ID != nil && l.Kind != NoMessage
}

// kindOfRole says what kind of message a role stands for; a role that no message has stands for none.
func kindOfRole(role []byte) MessageKind {
	switch string(role) {
	case "tool":
		return ResultMessage
	case "reasoning":
		return ReasoningMessage
	case "activity":
		return ActivityMessage
	}
	if isOneOf(role, messageRoles()) {
		return TextMessage
	}
	return NoMessage
}

var messageRoles = variants("Message")

var operations = variants("JsonPatchOperation")

// variants returns the discriminators of a union of the newest revision.
func variants(union string) func() []string {
	return sync.OnceValue(func() []string {
		u, ok := baseline.AGUI().Newest().Union(union)
		if !ok {
			panic("event: baseline has no union " + union)
		}
		var values []string
		for _, v := range u.Variants {
			values = append(values, v.Value)
		}
		return values
	})
}

// UnknownOperation returns the index of the first operation of a patch that JSON Patch does not
// have, -1 without one.
func UnknownOperation(patch []byte) int {
	if len(patch) == 0 || patch[0] != '[' {
		return -1
	}
	for i, o := range scan.EachElement(patch) {
		if op := String(scan.Member(o, "op")); op != nil && !isOneOf(op, operations()) {
			return i
		}
	}
	return -1
}

// Calls ranges over the calls that an assistant message lists. Lists of other messages do not count.
func (l *Listing) Calls() iter.Seq[ListedCall] {
	return func(yield func(ListedCall) bool) {
		if string(l.Role) != DefaultRole || len(l.toolCalls) == 0 || l.toolCalls[0] != '[' {
			return
		}
		for _, v := range scan.EachElement(l.toolCalls) {
			c := ListedCall{String(scan.Member(v, "id")), String(scan.Member(scan.Member(v, "function"), "arguments"))}
			if c.ID != nil && !yield(c) {
				return
			}
		}
	}
}

// HasContent reports whether the message says anything. White space between brackets is nothing.
func (l *Listing) HasContent() bool {
	c := l.Content
	return len(c) > 2 && c[0] != 'n' && (c[0] == '"' || scan.Space(c, 1) < len(c)-1)
}

// OutcomeType returns the type of an outcome; nil where there is none.
func OutcomeType(outcome []byte) []byte { return String(scan.Member(outcome, "type")) }

// Interrupts returns the list of an interrupt outcome; nil for any other.
func Interrupts(outcome []byte) []byte {
	if string(OutcomeType(outcome)) != "interrupt" {
		return nil
	}
	if list := scan.Member(outcome, "interrupts"); len(list) > 0 && list[0] == '[' {
		return list
	}
	return nil
}

// IsEmptyArray reports whether an array has no elements.
func IsEmptyArray(list []byte) bool { return list[scan.Space(list, 1)] == ']' }

// String returns what a JSON string says; nil for any other value. Where there are escapes it
// allocates: it is for rare events.
func String(value []byte) []byte {
	if len(value) == 0 || value[0] != '"' {
		return nil
	}
	text, _ := scan.Text(value, nil)
	if text == nil {
		return empty
	}
	return text
}
