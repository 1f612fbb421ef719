// Package event turns the bytes of one AG-UI event into what the rules read of it, and says where
// the bytes are not what the schema describes. The shapes are compiled from package baseline.
package event

import (
	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
)

// A Field is a member of an event that some rule reads.
type Field uint8

// The fields, named like their members.
const (
	MessageID Field = iota
	ToolCallID
	ParentMessageID
	SubagentRunID
	ParentSubagentRunID
	EntityID
	ToolCallName
	StepName
	Name
	Role
	ThreadID
	RunID
	ProtocolVersion
	Delta
	Content
	Snapshot
	Patch
	Messages
	Input
	Outcome
	Result
	Usage
	Replace
	Subtype
	Metadata
	fieldCount
)

var fieldNames = [fieldCount]string{
	"messageId", "toolCallId", "parentMessageId", "subagentRunId", "parentSubagentRunId", "entityId",
	"toolCallName", "stepName", "name", "role", "threadId", "runId", "protocolVersion",
	"delta", "content", "snapshot", "patch", "messages", "input", "outcome", "result", "usage",
	"replace", "subtype", "metadata",
}

func (f Field) String() string { return fieldNames[f] }

// A Fault is something in an event's bytes or structure.
type Fault struct {
	Clause  verifier.ClauseID
	Pointer string
	Detail  string
	// Soft caps it at a warning: the producer speaks a newer version.
	Soft bool
}

// Version is what a run's events are judged by.
type Version struct {
	// Early is set for revision 0.x.
	Early bool
	// Newer is set where the run declared a version newer than 1.0.
	Newer bool
}

// An Event is valid until the next one is decoded.
type Event struct {
	// Type is zero where the revision has no such type, or the bytes no type.
	Type baseline.EventType
	// Attributable says whether subagentRunId is this event's tag, and not its subject.
	Attributable bool
	// Version is that of the run; of the event itself where it is a RUN_STARTED.
	Version Version
	// Faults are in order of precedence, within a code by position.
	Faults []Fault

	fields  [fieldCount]uint16 // 1 + position among the decoder's entries; 0 without one
	tainted uint32             // set of fields
	decoder *Decoder
}

// Value returns a field's JSON; nil where the member is absent or at fault.
func (e *Event) Value(f Field) []byte {
	if e.fields[f] == 0 {
		return nil
	}
	x := &e.decoder.entries[e.fields[f]-1]
	return e.decoder.data[x.From:x.To]
}

// Has reports whether a field is there.
func (e *Event) Has(f Field) bool { return e.fields[f] != 0 }

// Text returns what a string field says; nil where it is absent or at fault. The bytes are valid
// until the next event.
func (e *Event) Text(f Field) []byte {
	if e.fields[f] == 0 {
		return nil
	}
	d := e.decoder
	x := &d.entries[e.fields[f]-1]
	if d.data[x.From] != '"' {
		return nil
	}
	text := d.data[x.From+1 : x.To-1]
	if x.Escaped {
		text, d.scratch = scan.Unescape(text, d.scratch)
	}
	return text
}

var empty = []byte{}

// Tag returns the event's attribution; nil where it has none. An empty tag is one.
func (e *Event) Tag() []byte {
	if !e.Attributable {
		return nil
	}
	return e.Text(SubagentRunID)
}

// IsFalse reports whether a field is the literal false.
func (e *Event) IsFalse(f Field) bool { v := e.Value(f); return v != nil && v[0] == 'f' }

// Tainted reports whether something inside a field is at fault, an unknown variant apart: that is
// passed over, the rest still means something.
func (e *Event) Tainted(f Field) bool { return e.tainted&(1<<f) != 0 }
