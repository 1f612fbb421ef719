// Package script is what the kit tells a scripted agent: the actions, the rules that a script keeps, the features that it
// needs, scripts made at random, and what a script means. The contract is docs/scripted-agent.md. It shares no code with
// what reads the streams that agents answer.
package script

import "github.com/go-json-experiment/json/jsontext"

// Version is the contract's.
const Version = 1

// A Script is what an agent does in one run, from top to bottom.
//
// The tags of the types below are the shape that Parse wants: a member without omitzero is required, null is refused but for
// required members of any value; enum lists the strings, allow the kinds of value, least is the fewest elements of a list.
type Script []Action

// An Action is one thing that an agent does: exactly one member is set.
type Action struct {
	Text             *Text             `json:"text,omitzero"`
	ToolCall         *ToolCall         `json:"toolCall,omitzero"`
	ToolResult       *ToolResult       `json:"toolResult,omitzero"`
	Reasoning        *Reasoning        `json:"reasoning,omitzero"`
	Step             *Step             `json:"step,omitzero"`
	Parallel         *Parallel         `json:"parallel,omitzero"`
	Subagent         *Subagent         `json:"subagent,omitzero"`
	StateSnapshot    *StateSnapshot    `json:"stateSnapshot,omitzero"`
	StateDelta       *StateDelta       `json:"stateDelta,omitzero"`
	MessagesSnapshot *MessagesSnapshot `json:"messagesSnapshot,omitzero"`
	Activity         *Activity         `json:"activity,omitzero"`
	ActivityDelta    *ActivityDelta    `json:"activityDelta,omitzero"`
	Custom           *Custom           `json:"custom,omitzero"`
	Raw              *Raw              `json:"raw,omitzero"`
	Emit             *Emit             `json:"emit,omitzero"`
	Echo             *Echo             `json:"echo,omitzero"`
	Gate             *Gate             `json:"gate,omitzero"`
	Replay           *Replay           `json:"replay,omitzero"`
	Finish           *Finish           `json:"finish,omitzero"`
	Interrupt        *Interrupt        `json:"interrupt,omitzero"`
	Cancel           *Cancel           `json:"cancel,omitzero"`
	Fail             *Fail             `json:"fail,omitzero"`
	Panic            *Panic            `json:"panic,omitzero"`
}

// A Piece is one element of a stream: a delta, or an action that happens between two deltas.
type Piece struct {
	Delta  string
	Action *Action // nil for a delta
}

// The forms in which an item can be streamed.
const (
	Events = "events" // START, content, END
	Chunks = "chunks"
)

// Text is a text message; the same ID again reopens it.
type Text struct {
	ID             string         `json:"id"`
	Stream         []Piece        `json:"stream"`
	Role           string         `json:"role,omitzero" enum:"developer,system,assistant,user"` // empty: assistant
	Name           *string        `json:"name,omitzero"`
	Form           string         `json:"form,omitzero" enum:"events,chunks"` // empty: the SDK's habit
	Metadata       jsontext.Value `json:"metadata,omitzero" allow:"object"`
	EncryptedValue *string        `json:"encryptedValue,omitzero"`
}

// ToolCall is a call, opened and closed. The deltas are argument text, which need not be JSON.
type ToolCall struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	Stream         []Piece        `json:"stream"`
	Parent         *string        `json:"parent,omitzero"` // the label of a text
	Form           string         `json:"form,omitzero" enum:"events,chunks"`
	Metadata       jsontext.Value `json:"metadata,omitzero" allow:"object"`
	EncryptedValue *string        `json:"encryptedValue,omitzero"`
}

// ToolResult is the answer to a call. ID is that of its message; Content is a string or content parts.
type ToolResult struct {
	ID       string         `json:"id"`
	Call     string         `json:"call"`
	Content  jsontext.Value `json:"content" allow:"string,objects"`
	Metadata jsontext.Value `json:"metadata,omitzero" allow:"object"`
}

// Reasoning is a span with its messages.
type Reasoning struct {
	Messages []ReasoningMessage `json:"messages"`
	Span     *string            `json:"span,omitzero"`
	Form     string             `json:"form,omitzero" enum:"events,chunks"`
}

// ReasoningMessage is one message of a span.
type ReasoningMessage struct {
	ID             string         `json:"id"`
	Stream         []Piece        `json:"stream"`
	EncryptedValue *string        `json:"encryptedValue,omitzero"`
	Metadata       jsontext.Value `json:"metadata,omitzero" allow:"object"`
}

// Step is a step around actions.
type Step struct {
	Name string   `json:"name"`
	Do   []Action `json:"do"`
}

// Parallel is branches that run side by side.
type Parallel struct {
	Branches [][]Action `json:"branches" least:"2"`
}

// Subagent is actions that belong to a subagent.
type Subagent struct {
	ID             string       `json:"id"`
	Name           string       `json:"name"`
	Do             []Action     `json:"do"`
	Description    *string      `json:"description,omitzero"`
	ParentToolCall *string      `json:"parentToolCall,omitzero"`
	ParentMessage  *string      `json:"parentMessage,omitzero"`
	Announce       *bool        `json:"announce,omitzero"` // nil: true
	End            *SubagentEnd `json:"end,omitzero"`      // nil: success
}

// SubagentEnd says how a subagent ends: exactly one member is set.
type SubagentEnd struct {
	Success   *SubagentSuccess   `json:"success,omitzero"`
	Suspended *SubagentSuspended `json:"suspended,omitzero"`
	Error     *Failure           `json:"error,omitzero"`
}

// SubagentSuccess is the end of one that did its work.
type SubagentSuccess struct {
	Result jsontext.Value `json:"result,omitzero"`
}

// SubagentSuspended is the end of one that waits for interrupts.
type SubagentSuspended struct {
	Interrupts []string `json:"interrupts" least:"1"`
}

// A Failure is a message and perhaps a code.
type Failure struct {
	Message string  `json:"message"`
	Code    *string `json:"code,omitzero"`
}

// StateSnapshot says the whole state.
type StateSnapshot struct {
	Snapshot jsontext.Value `json:"snapshot"`
}

// StateDelta changes the state.
type StateDelta struct {
	Patch jsontext.Value `json:"patch" allow:"objects"`
}

// MessagesSnapshot says all messages.
type MessagesSnapshot struct {
	Messages jsontext.Value `json:"messages" allow:"objects"`
}

// Activity says an activity's whole content.
type Activity struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	Content  jsontext.Value `json:"content" allow:"object"`
	Replace  *bool          `json:"replace,omitzero"` // nil: true
	Metadata jsontext.Value `json:"metadata,omitzero" allow:"object"`
}

// ActivityDelta changes an activity.
type ActivityDelta struct {
	ID    string         `json:"id"`
	Type  string         `json:"type"`
	Patch jsontext.Value `json:"patch" allow:"objects"`
}

// Custom is a CUSTOM event.
type Custom struct {
	Name  string         `json:"name"`
	Value jsontext.Value `json:"value"`
}

// Raw is a RAW event.
type Raw struct {
	Event  jsontext.Value `json:"event"`
	Source *string        `json:"source,omitzero"`
}

// Emit is an event as it is, past the SDK's types.
type Emit struct {
	Event jsontext.Value `json:"event" allow:"object"`
}

// Echo shows a value of the input.
type Echo struct {
	Pointer string `json:"pointer" pointer:"true"`
}

// Gate waits until the kit opens it.
type Gate struct {
	Name string `json:"name"`
}

// Replay is an earlier run of the thread on the same response.
type Replay struct {
	Run   string   `json:"run"`
	Do    []Action `json:"do"`
	Error *Failure `json:"error,omitzero"`
}

// Finish ends a run that did its work.
type Finish struct {
	Result  jsontext.Value `json:"result,omitzero"`
	Pending []string       `json:"pending,omitzero" least:"1"` // labels of calls; nil: not named
	Usage   jsontext.Value `json:"usage,omitzero" allow:"objects" least:"1"`
}

// Interrupt ends a run that asks for something.
type Interrupt struct {
	Interrupts jsontext.Value `json:"interrupts" allow:"objects" least:"1"`
	Usage      jsontext.Value `json:"usage,omitzero" allow:"objects" least:"1"`
}

// Cancel ends a run that the agent stops itself.
type Cancel struct {
	Usage jsontext.Value `json:"usage,omitzero" allow:"objects" least:"1"`
}

// Fail ends a run by an error that the agent reports. Early is before the run starts.
type Fail struct {
	Message string         `json:"message"`
	Code    *string        `json:"code,omitzero"`
	Usage   jsontext.Value `json:"usage,omitzero" allow:"objects" least:"1"`
	Early   bool           `json:"early,omitzero"`
}

// Panic ends a run by what a bug does.
type Panic struct {
	Message string `json:"message"`
}
