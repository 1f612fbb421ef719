package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/types"
)

const contractVersion = 1

// chunks is the form that asks for chunks in place of START, content and END.
const chunks = "chunks"

// The types of a script. What the SDK has no API for has no field here; a field without omitempty is required.
type (
	// An Action is one thing that the agent does: exactly one member is set.
	Action struct {
		Text             *Text             `json:"text,omitempty"`
		ToolCall         *ToolCall         `json:"toolCall,omitempty"`
		ToolResult       *ToolResult       `json:"toolResult,omitempty"`
		Reasoning        *Reasoning        `json:"reasoning,omitempty"`
		Step             *Step             `json:"step,omitempty"`
		Parallel         *Parallel         `json:"parallel,omitempty"`
		StateSnapshot    *StateSnapshot    `json:"stateSnapshot,omitempty"`
		StateDelta       *StateDelta       `json:"stateDelta,omitempty"`
		MessagesSnapshot *MessagesSnapshot `json:"messagesSnapshot,omitempty"`
		Activity         *Activity         `json:"activity,omitempty"`
		ActivityDelta    *ActivityDelta    `json:"activityDelta,omitempty"`
		Custom           *Custom           `json:"custom,omitempty"`
		Raw              *Raw              `json:"raw,omitempty"`
		Emit             *Emit             `json:"emit,omitempty"`
		Echo             *Echo             `json:"echo,omitempty"`
		Gate             *Gate             `json:"gate,omitempty"`
		Replay           *Replay           `json:"replay,omitempty"`
		Finish           *Finish           `json:"finish,omitempty"`
		Interrupt        *Interrupt        `json:"interrupt,omitempty"`
		Fail             *Fail             `json:"fail,omitempty"`
	}
	Text struct {
		ID             string  `json:"id"`
		Stream         []Piece `json:"stream"`
		Role           *string `json:"role,omitempty"`
		Form           string  `json:"form,omitempty"`
		EncryptedValue *string `json:"encryptedValue,omitempty"`
	}
	ToolCall struct {
		ID             string  `json:"id"`
		Name           string  `json:"name"`
		Stream         []Piece `json:"stream"`
		Parent         *string `json:"parent,omitempty"`
		Form           string  `json:"form,omitempty"`
		EncryptedValue *string `json:"encryptedValue,omitempty"`
	}
	ToolResult struct {
		ID      string `json:"id"`
		Call    string `json:"call"`
		Content string `json:"content"`
	}
	Reasoning struct {
		Messages []ReasoningMessage `json:"messages"`
		Span     *string            `json:"span,omitempty"`
		Form     string             `json:"form,omitempty"`
	}
	ReasoningMessage struct {
		ID             string  `json:"id"`
		Stream         []Piece `json:"stream"`
		EncryptedValue *string `json:"encryptedValue,omitempty"`
	}
	Step struct {
		Name string   `json:"name"`
		Do   []Action `json:"do"`
	}
	Parallel struct {
		Branches [][]Action `json:"branches"`
	}
	StateSnapshot struct {
		Snapshot any `json:"snapshot"`
	}
	StateDelta struct {
		Patch []events.JSONPatchOperation `json:"patch"`
	}
	MessagesSnapshot struct {
		Messages []types.Message `json:"messages"`
	}
	Activity struct {
		ID      string         `json:"id"`
		Type    string         `json:"type"`
		Content map[string]any `json:"content"`
		Replace *bool          `json:"replace,omitempty"`
	}
	ActivityDelta struct {
		ID    string                      `json:"id"`
		Type  string                      `json:"type"`
		Patch []events.JSONPatchOperation `json:"patch"`
	}
	Custom struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	Raw struct {
		Event  any     `json:"event"`
		Source *string `json:"source,omitempty"`
	}
	Emit struct {
		Event map[string]any `json:"event"`
	}
	Echo struct {
		Pointer string `json:"pointer"`
	}
	Gate struct {
		Name string `json:"name"`
	}
	Replay struct {
		Run   string   `json:"run"`
		Do    []Action `json:"do"`
		Error *Fail    `json:"error,omitempty"`
	}
	Finish struct {
		Result any `json:"result,omitempty"`
	}
	Interrupt struct {
		Interrupts []types.Interrupt `json:"interrupts"`
	}
	// Fail is also the error that the agent reports.
	Fail struct {
		Message string  `json:"message"`
		Code    *string `json:"code,omitempty"`
		Early   bool    `json:"early,omitempty"`
	}
)

func (f *Fail) Error() string { return f.Message }

// A Piece is one element of a stream: a delta or, between two deltas, an action.
type Piece struct {
	Delta  string
	Action *Action // nil for a delta
}

func (p *Piece) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, &p.Delta)
	}
	return json.Unmarshal(data, &p.Action)
}

// readScript takes the script out of the input's forwardedProps; without one it is empty. The error is for one that is malformed,
// and otherwise unsupported is what the SDK cannot say of it.
func readScript(forwardedProps any) (script []Action, unsupported []string, err error) {
	props, _ := forwardedProps.(map[string]any)
	if props["conformance"] == nil {
		return nil, nil, nil
	}
	envelope, _ := props["conformance"].(map[string]any)
	if envelope["version"] != float64(contractVersion) {
		return nil, nil, fmt.Errorf("forwardedProps.conformance is not of version %d", contractVersion)
	}
	unsupported, err = lookThrough(envelope["script"])
	if err != nil || len(unsupported) > 0 {
		return nil, unsupported, err
	}
	data, err := json.Marshal(envelope["script"])
	if err != nil {
		return nil, nil, err
	}
	err = json.Unmarshal(data, &script)
	return script, nil, err
}
