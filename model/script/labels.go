package script

import (
	"maps"
	"slices"
)

// labels are sets of labels by namespace.
type labels map[string]map[string]bool

func (l labels) add(namespace, label string) {
	if l[namespace] == nil {
		l[namespace] = map[string]bool{}
	}
	l[namespace][label] = true
}

func (l labels) has(namespace, label string) bool { return l[namespace][label] }

func (l labels) sorted(namespace string) []string { return slices.Sorted(maps.Keys(l[namespace])) }

// meets says whether a label is in both.
func (l labels) meets(other labels) bool {
	for namespace, set := range l {
		for label := range set {
			if other.has(namespace, label) {
				return true
			}
		}
	}
	return false
}

// makes calls f for every label that an action itself gives to something, not for those that it only refers to.
func (a *Action) makes(f func(namespace, label string)) {
	switch {
	case a.Text != nil:
		f(Messages, a.Text.ID)
	case a.ToolCall != nil:
		f(Calls, a.ToolCall.ID)
	case a.ToolResult != nil:
		f(Messages, a.ToolResult.ID)
	case a.Reasoning != nil:
		if a.Reasoning.Span != nil {
			f(Spans, *a.Reasoning.Span)
		}
		for _, m := range a.Reasoning.Messages {
			f(Messages, m.ID)
		}
	case a.Subagent != nil:
		f(Subagents, a.Subagent.ID)
	case a.Activity != nil:
		f(Messages, a.Activity.ID)
	case a.Interrupt != nil:
		for _, i := range objectsOf(decoded(a.Interrupt.Interrupts)) {
			f(Interrupts, textOf(i, "id"))
		}
	}
}

// The members of the wire that hold labels.
var eventLabels = map[string]string{
	"messageId": Messages, "parentMessageId": Messages, "toolCallId": Calls, "parentToolCallId": Calls,
	"subagentRunId": Subagents, "parentSubagentRunId": Subagents,
}

// addEvent adds the ids of an event.
func (l labels) addEvent(e map[string]any) {
	for member, namespace := range eventLabels {
		if id, ok := e[member].(string); ok {
			l.add(namespace, id)
		}
	}
	if id, ok := e["entityId"].(string); ok {
		l.add(Messages, id)
		l.add(Calls, id)
	}
	l.addMessages(objectsOf(e["messages"]))
}

// addMessages adds the ids of wire messages.
func (l labels) addMessages(messages []map[string]any) {
	for _, m := range messages {
		l.add(Messages, textOf(m, "id"))
		l.addEvent(map[string]any{"toolCallId": m["toolCallId"], "subagentRunId": m["subagentRunId"]})
		for _, c := range objectsOf(m["toolCalls"]) {
			l.add(Calls, textOf(c, "id"))
		}
	}
}
