package scenario

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/agentstream/conformance/conformance/faithful"
	"github.com/agentstream/conformance/model/script"
)

// A thread is one conversation of a scenario: what the next input on it carries.
type thread struct {
	id       string
	messages []any
	state    any
	resume   []any
	scripts  []script.Script // of the runs so far
	names    *faithful.Names
	written  int // messages of the client
}

// mint returns the id of a message of the client's: user-1, tool-2, by how many it has written so far.
func (t *thread) mint(role string) string {
	t.written++
	return fmt.Sprintf("%s-%d", role, t.written)
}

// goOn takes over what an answer left.
func (t *thread) goOn(a *answer) {
	t.scripts = append(t.scripts, a.script)
	t.resume = nil
	t.messages, t.state = a.said.Messages(), a.said.State()
}

// run is the id of run R: no other run of the suite has it, so that gates do not meet.
func (t *thread) run(name string) string { return t.id + "/" + name }

// input returns the RunAgentInput of a run: the defaults, what the thread holds, and the members of overlay, of which
// null takes one away.
func (t *thread) input(run string, overlay map[string]any) map[string]any {
	in := map[string]any{
		"protocolVersion": "1.0", "threadId": t.id, "runId": run, "messages": list(t.messages),
		"tools": []any{}, "context": []any{}, "forwardedProps": map[string]any{},
	}
	switch {
	case t.state != nil:
		in["state"] = t.state
	case len(t.scripts) == 0:
		in["state"] = map[string]any{}
	} // a state that has become null is left out: no input has a null
	if len(t.resume) > 0 {
		in["resume"] = t.resume
	}
	maps.Copy(in, overlay)
	for name, value := range overlay {
		if value == nil {
			delete(in, name)
		}
	}
	return in
}

// list returns a list that is never nil: null is no list on the wire.
func list(l []any) []any {
	if l == nil {
		return []any{}
	}
	return l
}

// body writes an input with the script that its run plays.
func body(in map[string]any, s script.Script) ([]byte, error) {
	props, ok := in["forwardedProps"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("forwardedProps is not an object: the script has no place")
	}
	if s != nil {
		props = maps.Clone(props)
		props["conformance"] = map[string]any{"version": script.Version, "script": json.RawMessage(s.JSON())}
		in = maps.Clone(in)
		in["forwardedProps"] = props
	}
	return json.Marshal(in)
}
