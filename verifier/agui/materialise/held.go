package materialise

import "maps"

// Messages returns the messages that the next RunAgentInput on the thread carries: those of the request
// with all that the response added and restated, in the wire's shape. Activities are not sent back. The
// value is the stream's: it must not be changed, and it is good until the next event.
func (s *Stream) Messages() []any {
	messages := []any{}
	for m := s.held.first; m != nil; m = m.next {
		if m.class() != active {
			messages = append(messages, m.wire())
		}
	}
	return messages
}

// State returns the state that the next RunAgentInput on the thread carries.
func (s *Stream) State() any { return s.state.value }

// wire is a message as a RunAgentInput has it.
func (m *message) wire() map[string]any {
	fields := m.settled()
	if len(m.calls) == 0 {
		return fields
	}
	calls := []any{}
	for _, k := range m.calls {
		c := maps.Clone(k.fields)
		c["function"] = k.function.settled()
		calls = append(calls, c)
	}
	fields = maps.Clone(fields)
	fields["toolCalls"] = calls
	return fields
}

// Views are the names that Holds takes.
func Views() []string {
	return []string{"messages", "toolCalls", "state", "activities", "steps", "subagents", "outcome"}
}

// Holds returns what a consumer holds after the response, in the shape of the items of Meaning; ok is
// false where there is no view of that name.
//
//   - messages: all that says something, in order, with those of the request. A message that only
//     carries calls is none, for whether there is one is the producer's affair. No activities.
//   - toolCalls: of all messages, in order. Parent is the message that carries the call, if the producer
//     has named one.
//   - state: as it is.
//   - activities: in order.
//   - steps: those of the response; one that never finished has "open": true.
//   - subagents: those of the response, each with how it ended; one that never did has no outcome.
//   - outcome: the last run without what it said. Pending are the calls that it left unanswered, named
//     or not, unless it failed or was cancelled.
//
// What Meaning says of its value holds here too.
func (s *Stream) Holds(view string) (value any, ok bool) {
	switch view {
	case "messages":
		return s.heldMessages(), true
	case "toolCalls":
		return s.heldCalls(), true
	case "state":
		return s.State(), true
	case "activities":
		return s.heldActivities(), true
	case "steps":
		return s.steps(), true
	case "subagents":
		return s.subagents(), true
	case "outcome":
		return s.outcome(), true
	}
	return nil, false
}

// item is a message in the shape of an item.
func (m *message) item() map[string]any {
	fields := map[string]any{"kind": "message"}
	copyMembers(fields, m.settled(), "id", "id", "role", "role", "name", "name", "content", "content", "subagentRunId", "owner",
		"toolCallId", "toolCallId", "activityType", "activityType", "encryptedValue", "encryptedValue", "metadata", "metadata")
	return fields
}

func (s *Stream) heldMessages() []any {
	messages := []any{}
	for m := s.held.first; m != nil; m = m.next {
		if it := m.item(); m.class() != active && (it["content"] != nil || len(m.calls) == 0) {
			messages = append(messages, it)
		}
	}
	return messages
}

func (s *Stream) heldCalls() []any {
	calls := []any{}
	for m := s.held.first; m != nil; m = m.next {
		for _, k := range m.calls {
			calls = append(calls, k.item())
		}
	}
	return calls
}

func (k *heldCall) item() map[string]any {
	fields := map[string]any{"kind": "toolCall"}
	copyMembers(fields, k.fields, "id", "id", "encryptedValue", "encryptedValue", "metadata", "metadata")
	copyMembers(fields, k.function.settled(), "name", "name", "arguments", "arguments")
	k.message.owner().note(fields, "owner")
	if !k.message.alone {
		fields["parent"] = k.message.id
	}
	return fields
}

func (s *Stream) heldActivities() []any {
	activities := []any{}
	for m := s.held.first; m != nil; m = m.next {
		if m.class() != active {
			continue
		}
		it := m.item()
		if v, ok := s.readDoc(m.content); ok {
			it["content"] = v
		}
		activities = append(activities, it)
	}
	return activities
}

// all ranges over the items of the response that are of one of two kinds.
func (s *Stream) all(kind, other string) (items []map[string]any) {
	for _, r := range s.runs {
		for _, it := range r.items {
			if k := it.fields["kind"]; k == kind || k == other {
				items = append(items, it.fields)
			}
		}
	}
	return items
}

func (s *Stream) steps() []any {
	type name struct{ name, owner any }
	steps, open := []any{}, map[name]map[string]any{}
	for _, it := range s.all("step", "stepEnd") {
		n := name{it["name"], it["owner"]}
		if it["kind"] == "stepEnd" {
			delete(open[n], "open")
			continue
		}
		step := maps.Clone(it)
		step["open"] = true
		steps, open[n] = append(steps, step), step
	}
	return steps
}

func (s *Stream) subagents() []any {
	agents, last := []any{}, map[any]map[string]any{}
	for _, it := range s.all("subagent", "subagentEnd") {
		if it["kind"] == "subagent" {
			agent := maps.Clone(it)
			agents, last[it["id"]] = append(agents, agent), agent
		} else if agent := last[it["id"]]; agent != nil {
			maps.Copy(agent, it)
			agent["kind"] = "subagent"
		}
	}
	return agents
}

func (s *Stream) outcome() any {
	if len(s.runs) == 0 {
		return map[string]any{}
	}
	r := s.runs[len(s.runs)-1]
	end := r.ending()
	if pending := r.pending(); len(pending) > 0 && (r.outcome == "success" || r.outcome == "interrupt") {
		end["pending"] = pending
	}
	return end
}

// pending are the calls that a run made and did not answer, in the order made.
func (r *run) pending() (ids []any) {
	answered := map[any]bool{}
	for _, it := range r.items {
		if call, ok := it.fields["toolCallId"]; ok {
			answered[call] = true
		}
	}
	for _, it := range r.items {
		if id := it.fields["id"]; it.fields["kind"] == "toolCall" && !answered[id] {
			answered[id] = true // a call that is opened twice is one
			ids = append(ids, id)
		}
	}
	return ids
}
