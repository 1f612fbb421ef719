// Package record turns one line of a recording into what the rules read of it, and says where the bytes are
// not what package baseline/pi describes. A line is a record as it was sent, or an envelope around one that
// says which way it went.
package record

import (
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
)

// A Dir says where a record comes from.
type Dir uint8

// The directions. A record without an envelope is standard output.
const (
	Stdout Dir = iota
	Stdin
	Exit
	Ext  // an event that an extension saw
	Host // what the application did
)

var dirNames = [...]string{"stdout", "stdin", "exit", "ext", "host"}

// A Type is the type of a record of standard output or of a host.
type Type uint8

// The types: those of a run first, then those of a session and of RPC, then those of a host.
const (
	AgentStart Type = iota + 1
	AgentEnd
	TurnStart
	TurnEnd
	MessageStart
	MessageUpdate
	MessageEnd
	ToolStart
	ToolUpdate
	ToolEnd
	Settled
	QueueUpdate
	CompactionStart
	CompactionEnd
	RetryStart
	RetryEnd
	SummaryScheduled
	SummaryAttempt
	SummaryFinished
	EntryAppended
	InfoChanged
	LevelChanged
	BashUpdate
	Header
	Response
	UIRequest
	ExtensionError
	Bind
	Invalidate
	Dispose
	UIOpen
	UIClose
	WindowClose
	Subscribe
	Buffer
	Apply
	Replay
	Skip
	Live
	Deliver
	typeCount
)

var typeNames = [typeCount]string{"",
	"agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update", "message_end",
	"tool_execution_start", "tool_execution_update", "tool_execution_end",
	"agent_settled", "queue_update", "compaction_start", "compaction_end", "auto_retry_start", "auto_retry_end",
	"summarization_retry_scheduled", "summarization_retry_attempt_start", "summarization_retry_finished",
	"entry_appended", "session_info_changed", "thinking_level_changed", "bash_execution_update",
	"session", "response", "extension_ui_request", "extension_error",
	"bind", "invalidate", "dispose", "ui-open", "ui-close", "window-close", "subscribe", "buffer", "apply", "replay", "skip", "live", "deliver",
}

func (t Type) String() string { return typeNames[t] }

// OfRun reports whether a type is one of the ten of a run.
func (t Type) OfRun() bool { return AgentStart <= t && t <= ToolEnd }

// A Field is a member of a record that some rule reads.
type Field uint8

// The fields, named like their members.
const (
	Message Field = iota
	Messages
	ToolResults
	AssistantEvent
	Partial
	Usage
	ToolCallID
	ToolName
	Args
	Result
	IsError
	DurationMs
	ParentToolCallID
	WillRetry
	Aborted
	Steering
	FollowUp
	Reason
	ErrorMessage
	Success
	Attempt
	MaxAttempts
	FinalError
	Source
	Entry
	Delta
	ID
	Command
	Data
	Error
	Method
	Options
	Gen
	Seq
	Cause
	fieldCount
)

var fieldNames = [fieldCount]string{
	"message", "messages", "toolResults", "assistantMessageEvent", "partial", "usage", "toolCallId", "toolName", "args", "result",
	"isError", "durationMs", "parentToolCallId", "willRetry", "aborted", "steering", "followUp", "reason", "errorMessage",
	"success", "attempt", "maxAttempts", "finalError", "source", "entry", "delta", "id", "command", "data", "error", "method",
	"options", "gen", "seq", "cause",
}

func (f Field) String() string { return fieldNames[f] }

// A Fault is something in a record's bytes or shape.
type Fault struct {
	Clause  verifier.ClauseID
	Pointer string
	Detail  string
}

// A Record is valid until the next one is decoded.
type Record struct {
	Dir Dir
	// Type is 0 where the record has none that its release knows, and for what is neither standard
	// output nor of a host.
	Type Type
	// Name is the type as it is spelt, for what reports say and for extension events.
	Name []byte
	// Enveloped is set where the line has a member dir or ext.
	Enveloped bool
	// Faults are in order of precedence.
	Faults []Fault
	// JSON is the record without its envelope; nil where raw stands for it.
	JSON []byte
	// DataFault says what is wrong with the data of a response, and DataPointer where; empty: nothing.
	DataFault, DataPointer string
	// Raw is the JSON string that stands for a record; nil where there is none.
	Raw []byte

	data    []byte
	entries []scan.Entry
	fields  [fieldCount]uint16 // 1 + position among the entries; 0 without one
	base    string             // JSON pointer of the record in its line
	scratch []byte
}

// TypeName returns the type as reports show it; empty where the record has none.
func (r *Record) TypeName() string {
	if r.Type != 0 {
		return r.Type.String()
	}
	if name, ok := known[string(r.Name)]; ok {
		return name
	}
	return verifier.Shown(string(r.Name))
}

// known are the types of records and the events that extensions see, so that a name need not be copied.
var known = func() map[string]string {
	all := map[string]string{}
	for _, name := range append(typeNames[1:], "session_start", "resources_discover", "session_shutdown", "session_before_switch",
		"session_before_fork", "input", "before_agent_start", "tool_call", "tool_result") {
		all[name] = name
	}
	return all
}()

// Value returns a field's JSON; nil where the member is absent or null.
func (r *Record) Value(f Field) []byte {
	if r.fields[f] == 0 {
		return nil
	}
	x := &r.entries[r.fields[f]-1]
	if r.data[x.From] == 'n' {
		return nil
	}
	return r.data[x.From:x.To]
}

// Null reports whether a field is there and null.
func (r *Record) Null(f Field) bool {
	return r.fields[f] != 0 && r.data[r.entries[r.fields[f]-1].From] == 'n'
}

// Has reports whether a field is there and not null.
func (r *Record) Has(f Field) bool { return r.Value(f) != nil }

// True reports whether a field is the literal true.
func (r *Record) True(f Field) bool { v := r.Value(f); return v != nil && v[0] == 't' }

// Text returns what a string field says; nil where it is absent or no string. The bytes are valid until
// the next record.
func (r *Record) Text(f Field) []byte {
	v := r.Value(f)
	if v == nil || v[0] != '"' {
		return nil
	}
	var text []byte
	text, r.scratch = scan.Text(v, r.scratch)
	return text
}

// Number returns an integer field; 0 where it is absent or out of range.
func (r *Record) Number(f Field) int64 {
	v := r.Value(f)
	if v == nil {
		return 0
	}
	n, _, _ := scan.Integer(v)
	return n
}

// Pointer returns the JSON pointer of a field in its line.
func (r *Record) Pointer(f Field) string {
	if r.base == "" {
		return pointers[0][f]
	}
	return pointers[1][f]
}

// inEnvelope is the JSON pointer of a record in its envelope.
const inEnvelope = "/record"

// pointers are those of all fields, outside of an envelope and inside of one: most records ask for one.
var pointers = func() (all [2][fieldCount]string) {
	for f, name := range fieldNames {
		all[0][f], all[1][f] = "/"+name, inEnvelope+"/"+name
	}
	return all
}()
