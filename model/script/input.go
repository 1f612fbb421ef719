package script

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Input is what is known of the request that carries a script. Values are as encoding/json has them.
type Input struct {
	Request map[string]any // the RunAgentInput, the script itself need not be in it
	Earlier []Script       // the scripts of the thread's earlier requests, oldest first
}

// ReadInput reads a RunAgentInput.
func ReadInput(request []byte) (Input, error) {
	var in Input
	if err := json.Unmarshal(request, &in.Request); err != nil {
		return Input{}, fmt.Errorf("request: %w", err)
	}
	if in.Request == nil {
		return Input{}, fmt.Errorf("request: null is no object")
	}
	return in, nil
}

func (in Input) run() string { return textOf(in.Request, "runId") }

// state is what the run starts with: {} where the request has none.
func (in Input) state() any {
	if s, ok := in.Request["state"]; ok && s != nil {
		return s
	}
	return map[string]any{}
}

func (in Input) messages() []map[string]any { return objectsOf(in.Request["messages"]) }

// tools are the names of those that the frontend answers.
func (in Input) tools() map[string]bool {
	names := map[string]bool{}
	for _, t := range objectsOf(in.Request["tools"]) {
		names[textOf(t, "name")] = true
	}
	return names
}

// textOf is a member that is a string, else "".
func textOf(v map[string]any, member string) string {
	s, _ := v[member].(string)
	return s
}

// objectsOf are the elements of an array that are objects.
func objectsOf(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, e := range list {
		if o, ok := e.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// decoded is the value that a text means; nil for what is no JSON.
func decoded(v jsontext.Value) any {
	var out any
	if json.Unmarshal(v, &out) != nil {
		return nil
	}
	return out
}
