package event

import (
	"sync"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier/assistant/shape"
)

// A Vocabulary is what the types and members of a stream are called, compiled. It is safe for concurrent use.
type Vocabulary struct {
	types map[string]*typ
	names []string // of the types, for what is misspelt
	other *Vocabulary
	// javascript reads members of a wrong type as JavaScript would, which dies of what it cannot read.
	javascript bool
	title      string
}

// typ is one event type.
type typ struct {
	name   string
	op     Op
	block  Block
	shape  *shape.Object
	called [fieldCount]string
	fields []Field // by the position in the shape; fieldCount: none
	// needed has the field that nothing can be read without, where JavaScript reads.
	needed Field
	needs  bool
	// ends is set where the event has a message, or without one its usage.
	ends bool
}

// Pi is the vocabulary of a release of pi.
func Pi(profile string) *Vocabulary { return vocabularies()[profile] }

// DiCode is the vocabulary of di-code.
func DiCode() *Vocabulary { return vocabularies()[diCode] }

const diCode = "di-code"

var vocabularies = sync.OnceValue(func() map[string]*Vocabulary {
	d := compile(diCode, pi.DiCode(), "contentIndex")
	d.javascript, d.title = true, diCode
	all := map[string]*Vocabulary{diCode: d}
	for _, profile := range pi.Profiles() {
		v := compile(profile, pi.Provider())
		v.other, v.title = d, "pi"
		d.other = v
		all[profile] = v
	}
	return all
})

// ops says what each type does. A type of di-code's has its own name only for tool calls.
var ops = map[string]struct {
	op    Op
	block Block
}{
	"start": {op: Start}, "done": {op: Done}, "error": {op: Error},
	"text_start": {BlockStart, Text}, "text_delta": {BlockDelta, Text}, "text_end": {BlockEnd, Text},
	"thinking_start": {BlockStart, Thinking}, "thinking_delta": {BlockDelta, Thinking}, "thinking_end": {BlockEnd, Thinking},
	"toolcall_start": {BlockStart, ToolCall}, "toolcall_delta": {BlockDelta, ToolCall}, "toolcall_end": {BlockEnd, ToolCall},
	"tool_call_start": {BlockStart, ToolCall}, "tool_call_delta": {BlockDelta, ToolCall}, "tool_call_end": {BlockEnd, ToolCall},
}

func compile(profile string, events []pi.Event, free ...string) *Vocabulary {
	v := &Vocabulary{types: map[string]*typ{}}
	shapes := shape.Compile(profile, events, free...)
	for i := range events {
		e := &events[i]
		does, ok := ops[e.Type]
		if !ok {
			panic("event: nothing is known of type " + e.Type)
		}
		t := &typ{name: e.Type, op: does.op, block: does.block, shape: shapes.Event([]byte(e.Type))}
		for _, m := range e.Members {
			f, ok := fields[m.Name]
			if !ok {
				f = fieldCount
			} else {
				t.called[f] = m.Name
			}
			t.fields = append(t.fields, f)
		}
		t.ends = t.called[Message] != "" && t.called[Usage] != ""
		for _, f := range [...]Field{Call, Message} {
			if t.called[f] != "" && !t.ends {
				t.needed, t.needs = f, true
			}
		}
		v.types[e.Type] = t
		v.names = append(v.names, e.Type)
	}
	return v
}
