package materialise

import (
	"github.com/agentstream/conformance/baseline"
)

// An item is what a run opens or says at one place.
type item struct {
	spoken
	key     key
	content *doc // of an activity, until its run ends
}

// add puts an item into the run that is open.
func (s *Stream) add(kind string, fields map[string]any) *item {
	fields["kind"] = kind
	it := &item{spoken: newSpoken("content", fields)}
	r := s.runs[len(s.runs)-1]
	r.items = append(r.items, it)
	return it
}

// idName is the member that names what a delta goes on with.
func (k kind) idName() string {
	if k == call {
		return "toolCallId"
	}
	return "messageId"
}

// start takes a START.
func (s *Stream) start(e *event, k kind) {
	if it := s.opened(e, k); it != nil {
		s.openings[it.key] = it
		s.merge(it, e)
	}
}

// goOn takes content, arguments or an end.
func (s *Stream) goOn(e *event, k kind) {
	id, _ := e.text(k.idName())
	it := s.openings[key{k, id}]
	if it == nil {
		return
	}
	s.lanes.close(e.owner())
	switch e.kind {
	case baseline.TextMessageEnd, baseline.ReasoningMessageEnd, baseline.ToolCallEnd:
		delete(s.openings, it.key)
	default:
		s.say(it, e)
	}
	s.merge(it, e)
}

// opened opens an item for a START or the first chunk; nil where these do not say what is needed.
// What was open under its id stays as it is.
func (s *Stream) opened(e *event, k kind) *item {
	id, ok := e.text(k.idName())
	if !ok {
		return nil
	}
	var it *item
	if k == call {
		it = s.openCall(e, id)
	} else {
		it = s.openMessage(e, id, k)
	}
	if it == nil {
		return nil
	}
	s.lanes.close(e.owner())
	it.key = key{k, id}
	s.latest[it.entity()] = it
	return it
}

// entity is what an encrypted value names the item by: a message of any kind, or a call.
func (it *item) entity() key {
	if it.key.kind == call {
		return it.key
	}
	return key{text, it.key.id}
}

func (s *Stream) openMessage(e *event, id string, k kind) *item {
	fields := map[string]any{"id": id, "role": "reasoning"}
	if k == text {
		fields["role"] = "assistant"
		copyTexts(fields, e, "role", "role", "name", "name")
	}
	whose := s.held.openMessage(fields, e.owner())
	fields["content"] = ""
	whose.note(fields, "owner")
	return s.add("message", fields)
}

func (s *Stream) openCall(e *event, id string) *item {
	name, ok := e.text("toolCallName")
	if !ok {
		return nil
	}
	fields := map[string]any{"id": id, "name": name, "arguments": ""}
	copyTexts(fields, e, "parentMessageId", "parent")
	s.held.openCall(fields, e.owner()).note(fields, "owner")
	it := s.add("toolCall", fields)
	it.name = "arguments"
	return it
}

// say appends an event's delta to an item and to what the consumer holds of it.
func (s *Stream) say(it *item, e *event) {
	if delta, ok := e.text("delta"); ok {
		it.say(delta)
		s.held.say(it.key, delta)
	}
}

// merge lays an event's metadata over that of an item and of what the consumer holds of it.
func (s *Stream) merge(it *item, e *event) {
	if m := e.metadata(); m != nil {
		merge(it.fields, m)
		s.held.merge(it.key, m)
	}
}

func (s *Stream) result(e *event) {
	id, ok := e.text("messageId")
	content := e.raw("content")
	if !ok || content == nil {
		return
	}
	s.lanes.close(e.owner())
	fields := map[string]any{"id": id, "role": "tool", "content": contentOf(content)}
	copyTexts(fields, e, "toolCallId", "toolCallId")
	s.held.answer(fields, e.owner())
	e.owner().note(fields, "owner")
	it := s.add("message", fields)
	it.key = key{text, id}
	s.latest[it.key] = it
	s.merge(it, e)
}

// encryptedValue goes to the last opening of what it names. Metadata of its event goes nowhere.
func (s *Stream) encryptedValue(e *event) {
	id, _ := e.text("entityId")
	value, ok := e.text("encryptedValue")
	subtype, _ := e.text("subtype")
	if !ok || subtype != "message" && subtype != "tool-call" {
		return
	}
	names := key{either(subtype == "message", text, call), id}
	if it := s.latest[names]; it != nil {
		it.fields["encryptedValue"] = value
	}
	s.held.encrypt(names, value)
}

func (s *Stream) step(e *event) {
	name, ok := e.text("stepName")
	if !ok {
		return
	}
	fields := map[string]any{"name": name}
	e.owner().note(fields, "owner")
	s.add(either(e.kind == baseline.StepStarted, "step", "stepEnd"), fields)
}

// span keeps the owner of an open span: its end may leave out the tag.
func (s *Stream) span(e *event) {
	id, ok := e.text("messageId")
	whose, open := s.spans[id]
	switch {
	case e.kind == baseline.ReasoningStart && ok:
		whose = e.owner()
		s.spans[id] = whose
		whose.note(s.add("span", map[string]any{"id": id}).fields, "owner")
	case open:
		delete(s.spans, id)
		whose.note(s.add("spanEnd", map[string]any{"id": id}).fields, "owner")
	}
}

func (s *Stream) subagentStarted(e *event) {
	fields := map[string]any{}
	copyTexts(fields, e, "subagentRunId", "id", "name", "name", "description", "description",
		"parentSubagentRunId", "parent", "parentToolCallId", "parentToolCallId", "parentMessageId", "parentMessageId")
	if fields["id"] != nil {
		s.add("subagent", fields)
	}
}

func (s *Stream) subagentEnds(e *event) {
	id, ok := e.text("subagentRunId")
	if !ok {
		return
	}
	s.lanes.close(e.owner())
	fields := map[string]any{"id": id, "outcome": "error"}
	if e.kind == baseline.SubagentError {
		copyTexts(fields, e, "message", "message", "code", "code")
	} else {
		copyValue(fields, "result", e.raw("result"))
		fields["outcome"] = "success"
		if outcome, _ := valueOf(e.object("outcome")).(map[string]any); outcome["type"] == "suspended" {
			fields["outcome"] = "suspended"
			copyNamed(fields, outcome, "interruptIds", "interruptIds")
		}
	}
	s.add("subagentEnd", fields)
}

func (s *Stream) custom(e *event) { s.passed(e, "custom", "value", "name") }

func (s *Stream) raw(e *event) { s.passed(e, "raw", "event", "source") }

// passed takes an event that carries any value; null is one.
func (s *Stream) passed(e *event, kind, value, text string) {
	fields := map[string]any{}
	if v := e.raw(value); v != nil {
		fields[value] = valueOf(v)
	}
	copyTexts(fields, e, text, text)
	e.owner().note(fields, "owner")
	s.add(kind, fields)
}

// messagesSnapshot is an item with the messages as they came; the consumer reconciles its own by them.
func (s *Stream) messagesSnapshot(e *event) {
	s.lanes.clear()
	list := e.list("messages")
	if list == nil {
		return
	}
	messages := []any{}
	for m := range listed(list) {
		messages = append(messages, m.fields)
	}
	s.add("snapshot", map[string]any{"messages": messages})
	s.held.reconcile(list)
}

// copyMembers copies members that are there, under other names: pairs of theirs and ours.
func copyMembers(to, from map[string]any, names ...string) {
	for i := 0; i < len(names); i += 2 {
		if v, ok := from[names[i]]; ok && v != nil {
			to[names[i+1]] = v
		}
	}
}

// copyNamed copies a list of ids; an empty one names none.
func copyNamed(to, from map[string]any, theirs, ours string) {
	if ids, _ := from[theirs].([]any); len(ids) > 0 {
		to[ours] = ids
	}
}
