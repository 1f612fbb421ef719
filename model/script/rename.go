package script

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The namespaces of labels.
const (
	Messages   = "messages" // also activities, tool results and reasoning messages
	Calls      = "calls"
	Spans      = "spans"
	Interrupts = "interrupts"
	Subagents  = "subagents"
)

// Rename returns the script with other labels: of each, to says what takes its place, by namespace. What an emit, a snapshot
// of messages or a pointer holds is no label and stays.
func (s Script) Rename(to func(namespace, label string) string) Script {
	return renamer{to}.actions(s)
}

type renamer struct {
	to func(namespace, label string) string
}

func (r renamer) actions(all []Action) []Action {
	if all == nil {
		return nil
	}
	out := make([]Action, len(all))
	for i := range all {
		out[i] = r.action(all[i])
	}
	return out
}

// action copies what it changes; a is a copy of the caller's already.
func (r renamer) action(a Action) Action {
	switch {
	case a.Text != nil:
		x := *a.Text
		x.ID, x.Stream = r.to(Messages, x.ID), r.stream(x.Stream)
		a.Text = &x
	case a.ToolCall != nil:
		x := *a.ToolCall
		x.ID, x.Stream, x.Parent = r.to(Calls, x.ID), r.stream(x.Stream), r.label(Messages, x.Parent)
		a.ToolCall = &x
	case a.ToolResult != nil:
		x := *a.ToolResult
		x.ID, x.Call = r.to(Messages, x.ID), r.to(Calls, x.Call)
		a.ToolResult = &x
	case a.Reasoning != nil:
		x := *a.Reasoning
		x.Span, x.Messages = r.label(Spans, x.Span), r.reasoning(x.Messages)
		a.Reasoning = &x
	case a.Step != nil:
		x := *a.Step
		x.Do = r.actions(x.Do)
		a.Step = &x
	case a.Parallel != nil:
		x := Parallel{Branches: make([][]Action, len(a.Parallel.Branches))}
		for i, b := range a.Parallel.Branches {
			x.Branches[i] = r.actions(b)
		}
		a.Parallel = &x
	case a.Subagent != nil:
		a.Subagent = r.subagent(*a.Subagent)
	case a.Activity != nil:
		x := *a.Activity
		x.ID = r.to(Messages, x.ID)
		a.Activity = &x
	case a.ActivityDelta != nil:
		x := *a.ActivityDelta
		x.ID = r.to(Messages, x.ID)
		a.ActivityDelta = &x
	case a.Replay != nil:
		x := *a.Replay
		x.Do = r.actions(x.Do)
		a.Replay = &x
	case a.Finish != nil:
		x := *a.Finish
		x.Pending = r.labels(Calls, x.Pending)
		a.Finish = &x
	case a.Interrupt != nil:
		x := *a.Interrupt
		x.Interrupts = r.interrupts(x.Interrupts)
		a.Interrupt = &x
	}
	return a
}

func (r renamer) stream(pieces []Piece) []Piece {
	if pieces == nil {
		return nil
	}
	out := make([]Piece, len(pieces))
	for i, p := range pieces {
		out[i] = p
		if p.Action != nil {
			a := r.action(*p.Action)
			out[i].Action = &a
		}
	}
	return out
}

func (r renamer) reasoning(all []ReasoningMessage) []ReasoningMessage {
	if all == nil {
		return nil
	}
	out := make([]ReasoningMessage, len(all))
	for i, m := range all {
		m.ID, m.Stream = r.to(Messages, m.ID), r.stream(m.Stream)
		out[i] = m
	}
	return out
}

func (r renamer) subagent(x Subagent) *Subagent {
	x.ID, x.Do = r.to(Subagents, x.ID), r.actions(x.Do)
	x.ParentToolCall, x.ParentMessage = r.label(Calls, x.ParentToolCall), r.label(Messages, x.ParentMessage)
	if x.End != nil && x.End.Suspended != nil {
		x.End = &SubagentEnd{Suspended: &SubagentSuspended{Interrupts: r.labels(Interrupts, x.End.Suspended.Interrupts)}}
	}
	return &x
}

func (r renamer) label(namespace string, label *string) *string {
	if label == nil {
		return nil
	}
	to := r.to(namespace, *label)
	return &to
}

func (r renamer) labels(namespace string, all []string) []string {
	if all == nil {
		return nil
	}
	out := make([]string, len(all))
	for i, l := range all {
		out[i] = r.to(namespace, l)
	}
	return out
}

// interruptLabels are the members of an interrupt that hold labels.
var interruptLabels = map[string]string{"id": Interrupts, "toolCallId": Calls, "subagentRunId": Subagents}

func (r renamer) interrupts(v jsontext.Value) jsontext.Value {
	var all []map[string]any
	if json.Unmarshal(v, &all) != nil {
		return v // no list of objects: the check of scripts says so
	}
	for _, one := range all {
		for member, namespace := range interruptLabels {
			if label, ok := one[member].(string); ok {
				one[member] = r.to(namespace, label)
			}
		}
	}
	out, err := json.Marshal(all, json.Deterministic(true))
	if err != nil {
		return v
	}
	return out
}
