package script

import "slices"

// What an emitted event means, and whether it may be sent at all.

// An event is one that the script wrote itself.
type event map[string]any

func (e event) text(name string) string {
	s, _ := e[name].(string)
	return s
}

// id returns a member as an ID, nil where the event does not have it.
func (e event) id(name string) any {
	if s, ok := e[name].(string); ok {
		return ID(s)
	}
	return nil
}

// owner is the event's tag; nil without one.
func (e event) owner() any { return e.id("subagentRunId") }

// copyID copies a member that holds an id into an item.
func (e event) copyID(item map[string]any, to, from string) {
	if id := e.id(from); id != nil {
		item[to] = id
	}
}

// copyTo copies members that hold no ids.
func (e event) copyTo(item map[string]any, names ...string) {
	for _, name := range names {
		if v, ok := e[name]; ok {
			item[name] = v
		}
	}
}

// emit tells what an emitted event says. An illegal one is for the subject's guard, which ends the run.
func (t *teller) emit(x *Emit) Order {
	v := t.decode(x.Event)
	if t.err != nil {
		return Order{}
	}
	e, ok := v.(map[string]any)
	shape, known := wire().Event(event(e).text("type"))
	if !ok || !known || conformsObject(e, shape.Open, shape.Members) != nil || !t.allows(e) {
		return t.breakDown()
	}
	return t.hear(e)
}

// starts and continues say what an event is to a thing: its kind, and the member that names it.
var starts = map[string]kind{
	"TEXT_MESSAGE_START": textKind, "TOOL_CALL_START": callKind, "REASONING_MESSAGE_START": reasoningKind,
	"REASONING_START": spanKind, "STEP_STARTED": stepKind, "SUBAGENT_STARTED": agentKind,
}

var continues = map[string]kind{
	"TEXT_MESSAGE_CONTENT": textKind, "TEXT_MESSAGE_END": textKind, "TOOL_CALL_ARGS": callKind, "TOOL_CALL_END": callKind,
	"REASONING_MESSAGE_CONTENT": reasoningKind, "REASONING_MESSAGE_END": reasoningKind, "REASONING_END": spanKind,
	"STEP_FINISHED": stepKind, "SUBAGENT_FINISHED": agentKind, "SUBAGENT_ERROR": agentKind,
}

// thing is what an event names as a thing of a kind.
func (e event) thing(k kind) thing {
	switch k {
	case callKind:
		return thing{kind: k, id: e.text("toolCallId")}
	case agentKind:
		return thing{kind: k, id: e.text("subagentRunId")}
	case stepKind:
		return thing{k, e.text("stepName"), tagOf(e.owner())}
	}
	return thing{kind: k, id: e.text("messageId")}
}

// allows tells whether a server's guard lets a well-formed event pass.
func (t *teller) allows(e event) bool {
	typ := e.text("type")
	if k, ok := starts[typ]; ok {
		return t.mayStart(k, e)
	}
	if k, ok := continues[typ]; ok {
		return t.open[e.thing(k)] != nil && t.ownerAgrees(k, e)
	}
	switch typ {
	case "RUN_STARTED":
		return false
	case "RUN_FINISHED":
		return len(t.open) == 0
	case "TOOL_CALL_RESULT":
		x := e.thing(callKind)
		return t.open[x] == nil && (t.said[x] != nil || t.listed[x.id] || t.asked[x.id])
	case "ACTIVITY_DELTA":
		a := t.activities[e.text("messageId")]
		return a == nil || e.owner() == nil || tagOf(a.owner) == tagOf(e.owner())
	case "REASONING_ENCRYPTED_VALUE":
		s := t.entity(e)
		return s == nil || e.owner() == nil || tagOf(s.owner) == tagOf(e.owner())
	}
	return true
}

func (t *teller) mayStart(k kind, e event) bool {
	x := e.thing(k)
	if t.open[x] != nil || !t.ownerAgrees(k, e) {
		return false
	}
	switch k {
	case agentKind:
		parent, has := e["parentSubagentRunId"].(string)
		return t.agents[x] == "" && (!has || t.agents[thing{kind: k, id: parent}] != "")
	case callKind:
		owner, known := t.parentOwner(e)
		return !known || e.owner() == nil || tagOf(owner) == tagOf(e.owner())
	}
	return true
}

// ownerAgrees tells whether the event's tag, if it has one, is that of who said the thing first.
func (t *teller) ownerAgrees(k kind, e event) bool {
	if k == stepKind || k == agentKind || e.owner() == nil {
		return true
	}
	owner, known := t.owners[e.thing(k)]
	return !known || tagOf(owner) == tagOf(e.owner())
}

// parentOwner is the owner of the message that a call names as its parent.
func (t *teller) parentOwner(e event) (owner any, known bool) {
	parent, has := e["parentMessageId"].(string)
	if !has {
		return nil, false
	}
	if owner, known = t.owners[thing{kind: textKind, id: parent}]; known {
		return owner, true
	}
	owner, known = t.owners[thing{kind: resultKind, id: parent}]
	return owner, known
}

// entity is what a REASONING_ENCRYPTED_VALUE is about, as this run said it last; nil where it did not.
func (t *teller) entity(e event) *said {
	id := e.text("entityId")
	if e.text("subtype") == "tool-call" {
		return t.said[thing{kind: callKind, id: id}]
	}
	for _, k := range []kind{textKind, resultKind, reasoningKind} {
		if s := t.said[thing{kind: k, id: id}]; s != nil {
			return s
		}
	}
	return nil
}

// hear takes a legal event for what it says.
func (t *teller) hear(e event) Order {
	switch e.text("type") {
	case "RAW":
		return Order{Item: e.item("raw", "event", "source")}
	case "CUSTOM":
		return Order{Item: e.item("custom", "name", "value")}
	case "STATE_SNAPSHOT":
		t.setState(e["snapshot"])
		return Order{}
	case "STATE_DELTA":
		t.patchState(e["delta"])
		return Order{}
	case "TOOL_CALL_RESULT":
		return t.hearResult(e)
	case "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA":
		return t.hearActivity(e)
	case "REASONING_ENCRYPTED_VALUE":
		if s := t.entity(e); s != nil {
			s.item["encryptedValue"] = e["encryptedValue"]
		}
		return Order{}
	case "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR":
		return t.hearAgent(e)
	case "MESSAGES_SNAPSHOT":
		return t.snapshot(e["messages"])
	}
	return t.hearPart(e)
}

// hearPart takes what opens a thing, goes on with it or ends it.
func (t *teller) hearPart(e event) Order {
	typ := e.text("type")
	switch typ {
	case "REASONING_START":
		return t.spanStart(e.text("messageId"), e.id("messageId"), e.owner())
	case "REASONING_END":
		return t.spanEnd(e.text("messageId"), e.id("messageId"))
	case "STEP_STARTED":
		return t.stepStart(e.text("stepName"), e.owner())
	case "STEP_FINISHED":
		return t.stepEnd(e.text("stepName"), e.owner())
	}
	if k, ok := starts[typ]; ok {
		s := t.hearStart(k, e)
		t.open[e.thing(k)] = s
		return Order{Item: s.item}
	}
	if k, ok := continues[typ]; ok {
		return t.hearMore(k, e)
	}
	return t.broken("%s is not for emit", typ)
}

// item makes an item of an event's members and its tag.
func (e event) item(kind string, members ...string) map[string]any {
	item := map[string]any{"kind": kind}
	e.copyTo(item, members...)
	e.copyID(item, "owner", "subagentRunId")
	return item
}

// hearStart opens a message or a call.
func (t *teller) hearStart(k kind, e event) *said {
	var item map[string]any
	owner := e.owner()
	switch k {
	case callKind:
		item = map[string]any{"kind": "toolCall", "id": e.id("toolCallId"), "name": e["toolCallName"]}
		e.copyID(item, "parent", "parentMessageId")
		if of, known := t.parentOwner(e); known && owner == nil {
			owner = of
		}
	case reasoningKind:
		item = messageItem(e.id("messageId"), "reasoning")
	default:
		item = messageItem(e.id("messageId"), "assistant")
		e.copyTo(item, "role", "name")
	}
	if of, known := t.owners[e.thing(k)]; known && owner == nil {
		owner = of
	}
	mergeMetadata(item, e["metadata"])
	return t.say(k, e.thing(k).id, owner, item)
}

// hearMore goes on with a message or a call that is open, or ends it.
func (t *teller) hearMore(k kind, e event) Order {
	x := e.thing(k)
	s := t.open[x]
	mergeMetadata(s.item, e["metadata"])
	if delta, ok := e["delta"].(string); ok {
		s.add(delta)
	} else {
		delete(t.open, x)
	}
	return Order{}
}

func (t *teller) hearResult(e event) Order {
	item := messageItem(e.id("messageId"), "tool")
	item["toolCallId"] = e.id("toolCallId")
	e.copyTo(item, "content")
	mergeMetadata(item, e["metadata"])
	s := t.say(resultKind, e.text("messageId"), e.owner(), item)
	return Order{Item: s.item}
}

func (t *teller) hearActivity(e event) Order {
	name, id, typ := e.text("messageId"), e.id("messageId"), e.text("activityType")
	if e.text("type") == "ACTIVITY_DELTA" {
		return t.patchActivity(name, id, typ, e["patch"], e["metadata"])
	}
	now := activity{typ: typ, content: e["content"], owner: e.owner()}
	return t.sayActivity(name, id, now, e["metadata"], e["replace"] != false)
}

func (t *teller) hearAgent(e event) Order {
	name := e.text("subagentRunId")
	item := map[string]any{"kind": "subagentEnd", "id": ID(name), "outcome": Success}
	switch e.text("type") {
	case "SUBAGENT_STARTED":
		item = map[string]any{"kind": "subagent", "id": ID(name)}
		e.copyTo(item, "name", "description")
		e.copyID(item, "parent", "parentSubagentRunId")
		e.copyID(item, "parentToolCallId", "parentToolCallId")
		e.copyID(item, "parentMessageId", "parentMessageId")
		return t.agentStart(name, item)
	case "SUBAGENT_ERROR":
		item["outcome"] = Failed
		e.copyTo(item, "message", "code")
		return t.agentEnd(name, item)
	}
	e.copyTo(item, "result")
	if outcome, ok := e["outcome"].(map[string]any); ok {
		item["outcome"] = outcome["type"]
		if ids, _ := outcome["interruptIds"].([]any); len(ids) > 0 {
			item["interruptIds"] = asIDs(ids)
		}
	}
	return t.agentEnd(name, item)
}

func asIDs(all []any) []any {
	out := slices.Clone(all)
	for i, id := range out {
		if s, ok := id.(string); ok {
			out[i] = ID(s)
		}
	}
	return out
}
