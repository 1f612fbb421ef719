package script

import (
	"maps"
	"strings"
)

// said is one opening of a thing: what was said of it.
type said struct {
	item   map[string]any
	member string // that its deltas make; empty for what has none
	text   strings.Builder
	owner  any
}

// add appends a delta.
func (s *said) add(delta string) {
	if s.member != "" {
		s.text.WriteString(delta)
		s.item[s.member] = s.text.String()
	}
}

// say opens an item and returns it. Of who said it first, the first one counts.
func (t *teller) say(k kind, id string, owner any, item map[string]any) *said {
	s := &said{item: item, owner: owner}
	switch k {
	case textKind, reasoningKind:
		s.member = "content"
	case callKind:
		s.member = "arguments"
	}
	s.add("")
	if owner != nil && k != agentKind {
		item["owner"] = owner
	}
	x := thing{kind: k, id: id}
	if _, known := t.owners[x]; !known {
		t.owners[x] = owner
	}
	t.said[x] = s
	return s
}

// actions tells actions one after the other, up to the one that ends the run.
func (t *teller) actions(all []Action) Order {
	var seq []Order
	for i := range all {
		if t.over {
			break
		}
		seq = append(seq, t.action(&all[i]))
	}
	return sequence(seq...)
}

// sequence leaves out what is empty.
func sequence(all ...Order) Order {
	var seq []Order
	for _, o := range all {
		if o.Item != nil || o.Seq != nil || o.Par != nil || o.Span != nil {
			seq = append(seq, o)
		}
	}
	if len(seq) == 1 {
		return seq[0]
	}
	return Order{Seq: seq}
}

func (t *teller) action(a *Action) Order {
	switch {
	case a.Text != nil:
		return t.textMessage(a.Text)
	case a.ToolCall != nil:
		return t.toolCall(a.ToolCall)
	case a.ToolResult != nil:
		return t.toolResult(a.ToolResult)
	case a.Reasoning != nil:
		return t.reasoning(a.Reasoning)
	case a.Step != nil:
		return t.step(a.Step)
	case a.Parallel != nil:
		return t.parallel(a.Parallel)
	case a.Subagent != nil:
		return t.subagent(a.Subagent)
	case a.StateSnapshot != nil:
		t.setState(t.decode(a.StateSnapshot.Snapshot))
		return Order{}
	case a.StateDelta != nil:
		t.patchState(t.decode(a.StateDelta.Patch))
		return Order{}
	case a.MessagesSnapshot != nil:
		return t.snapshot(t.decode(a.MessagesSnapshot.Messages))
	case a.Activity != nil:
		return t.activity(a.Activity)
	case a.ActivityDelta != nil:
		x := a.ActivityDelta
		return t.patchActivity(x.ID, x.ID, x.Type, t.decode(x.Patch), nil)
	case a.Custom != nil:
		return t.custom(a.Custom.Name, t.decode(a.Custom.Value), t.owner)
	case a.Raw != nil:
		return t.raw(t.decode(a.Raw.Event), a.Raw.Source, t.owner)
	case a.Echo != nil:
		return t.echo(a.Echo)
	case a.Emit != nil:
		return t.emit(a.Emit)
	}
	return t.last(a)
}

// last tells the actions that end the run; a gate says nothing.
func (t *teller) last(a *Action) Order {
	switch {
	case a.Finish != nil:
		return t.finish(a.Finish)
	case a.Interrupt != nil:
		return t.interrupt(a.Interrupt)
	case a.Cancel != nil:
		return t.cancel(a.Cancel)
	case a.Fail != nil:
		return t.fail(a.Fail.Message, a.Fail.Code, a.Fail.Usage)
	case a.Panic != nil:
		return t.breakDown()
	case a.Gate != nil:
		return Order{}
	case a.Replay != nil:
		return t.broken("a replay that is not at the beginning")
	}
	return t.broken("an action without a member")
}

// stream adds the deltas to what is open and tells what happens between them.
func (t *teller) stream(s *said, pieces []Piece) Order {
	var nested []Order
	for _, p := range pieces {
		if t.over {
			break
		}
		if p.Action != nil {
			nested = append(nested, t.action(p.Action))
		} else {
			s.add(p.Delta)
		}
	}
	return sequence(nested...)
}

// streamed tells an item from its opening to its end. A failure on the way leaves it open, and its encrypted value unsaid.
func (t *teller) streamed(k kind, id string, item map[string]any, pieces []Piece, encrypted *string) Order {
	s := t.say(k, id, t.owner, item)
	t.open[thing{kind: k, id: id}] = s
	nested := t.stream(s, pieces)
	if !t.over {
		delete(t.open, thing{kind: k, id: id})
		putString(item, "encryptedValue", encrypted)
	}
	return sequence(Order{Item: item}, nested)
}

func (t *teller) textMessage(x *Text) Order {
	item := messageItem(x.ID, "assistant")
	if x.Role != "" {
		item["role"] = x.Role
	}
	putString(item, "name", x.Name)
	t.put(item, "metadata", x.Metadata)
	return t.streamed(textKind, x.ID, item, x.Stream, x.EncryptedValue)
}

func messageItem(id any, role string) map[string]any {
	return map[string]any{"kind": "message", "id": id, "role": role}
}

func (t *teller) toolCall(x *ToolCall) Order {
	item := map[string]any{"kind": "toolCall", "id": x.ID, "name": x.Name}
	putString(item, "parent", x.Parent)
	t.put(item, "metadata", x.Metadata)
	return t.streamed(callKind, x.ID, item, x.Stream, x.EncryptedValue)
}

func (t *teller) toolResult(x *ToolResult) Order {
	item := messageItem(x.ID, "tool")
	item["toolCallId"] = x.Call
	item["content"] = t.decode(x.Content)
	t.put(item, "metadata", x.Metadata)
	t.say(resultKind, x.ID, t.owner, item)
	return Order{Item: item}
}

// reasoning tells a span with its messages. Where the script has no span, the subject may make some.
func (t *teller) reasoning(x *Reasoning) Order {
	var open Order
	if x.Span != nil {
		open = t.spanStart(*x.Span, *x.Span, t.owner)
	}
	var messages []Order
	for i := range x.Messages {
		if t.over {
			break
		}
		messages = append(messages, t.reasoningMessage(&x.Messages[i]))
	}
	if x.Span == nil {
		return Order{Seq: messages, Span: spanItem(nil, t.owner)}
	}
	all := append([]Order{open}, messages...)
	if !t.over {
		all = append(all, t.spanEnd(*x.Span, *x.Span))
	}
	return sequence(all...)
}

func (t *teller) reasoningMessage(x *ReasoningMessage) Order {
	item := messageItem(x.ID, "reasoning")
	t.put(item, "metadata", x.Metadata)
	return t.streamed(reasoningKind, x.ID, item, x.Stream, x.EncryptedValue)
}

// spanItem returns a span, without id where that is nil.
func spanItem(id, owner any) map[string]any {
	item := map[string]any{"kind": "span"}
	if id != nil {
		item["id"] = id
	}
	if owner != nil {
		item["owner"] = owner
	}
	return item
}

// spanStart opens a span; id is a label or an ID.
func (t *teller) spanStart(name string, id, owner any) Order {
	item := spanItem(id, owner)
	t.open[thing{kind: spanKind, id: name}] = t.say(spanKind, name, owner, item)
	return Order{Item: item}
}

func (t *teller) spanEnd(name string, id any) Order {
	x := thing{kind: spanKind, id: name}
	item := spanItem(id, t.open[x].owner)
	item["kind"] = "spanEnd"
	delete(t.open, x)
	return Order{Item: item}
}

func (t *teller) step(x *Step) Order {
	open := t.stepStart(x.Name, t.owner)
	inside := t.actions(x.Do)
	if t.over {
		return sequence(open, inside)
	}
	return sequence(open, inside, t.stepEnd(x.Name, t.owner))
}

func (t *teller) stepStart(name string, owner any) Order {
	item := stepItem("step", name, owner)
	t.open[thing{stepKind, name, tagOf(owner)}] = &said{item: item, owner: owner}
	return Order{Item: item}
}

func (t *teller) stepEnd(name string, owner any) Order {
	delete(t.open, thing{stepKind, name, tagOf(owner)})
	return Order{Item: stepItem("stepEnd", name, owner)}
}

func stepItem(kind, name string, owner any) map[string]any {
	item := map[string]any{"kind": kind, "name": name}
	if owner != nil {
		item["owner"] = owner
	}
	return item
}

// parallel tells the branches one after the other: they share nothing that the order could change.
func (t *teller) parallel(x *Parallel) Order {
	var branches []Order
	t.branches++
	for _, b := range x.Branches {
		if o := t.actions(b); o.Item != nil || o.Seq != nil || o.Par != nil || o.Span != nil {
			branches = append(branches, o)
		}
	}
	t.branches--
	if len(branches) < 2 {
		return sequence(branches...)
	}
	return Order{Par: branches}
}

// subagent tells actions that belong to a subagent, which is announced or not.
func (t *teller) subagent(x *Subagent) Order {
	owner, around := t.owner, t.around
	defer func() { t.owner, t.around = owner, around }()
	t.owner = x.ID
	if x.Announce != nil && !*x.Announce {
		return t.actions(x.Do)
	}
	item := map[string]any{"kind": "subagent", "id": x.ID, "name": x.Name}
	putString(item, "description", x.Description)
	putString(item, "parent", around)
	putString(item, "parentToolCallId", x.ParentToolCall)
	putString(item, "parentMessageId", x.ParentMessage)
	t.around = &x.ID
	open := t.agentStart(x.ID, item)
	inside := t.actions(x.Do)
	if t.over {
		return sequence(open, inside)
	}
	return sequence(open, inside, t.agentEnd(x.ID, t.end(x)))
}

func (t *teller) agentStart(name string, item map[string]any) Order {
	x := thing{kind: agentKind, id: name}
	t.agents[x] = "active"
	t.open[x] = &said{item: item}
	return Order{Item: item}
}

func (t *teller) agentEnd(name string, item map[string]any) Order {
	x := thing{kind: agentKind, id: name}
	t.agents[x] = "done"
	delete(t.open, x)
	return Order{Item: item}
}

// end is how a subagent ends.
func (t *teller) end(x *Subagent) map[string]any {
	item := map[string]any{"kind": "subagentEnd", "id": x.ID, "outcome": Success}
	switch {
	case x.End == nil:
	case x.End.Success != nil:
		t.put(item, "result", x.End.Success.Result)
	case x.End.Suspended != nil:
		item["outcome"] = "suspended"
		if ids := x.End.Suspended.Interrupts; len(ids) > 0 {
			item["interruptIds"] = anys(ids)
		}
	case x.End.Error != nil:
		item["outcome"], item["message"] = Failed, x.End.Error.Message
		putString(item, "code", x.End.Error.Code)
	}
	return item
}

// snapshot tells a list of messages. It says the activities in it anew, and may leave out others.
func (t *teller) snapshot(messages any) Order {
	all, ok := messages.([]any)
	if !ok {
		return t.broken("messages that are no list")
	}
	noteCalls(all, t.listed)
	t.restateActivities(all)
	return Order{Item: map[string]any{"kind": "snapshot", "messages": all}}
}

func (t *teller) custom(name string, value, owner any) Order {
	item := map[string]any{"kind": "custom", "name": name, "value": value}
	if owner != nil {
		item["owner"] = owner
	}
	return Order{Item: item}
}

func (t *teller) raw(event any, source *string, owner any) Order {
	item := map[string]any{"kind": "raw", "event": event}
	putString(item, "source", source)
	if owner != nil {
		item["owner"] = owner
	}
	return Order{Item: item}
}

// EchoName is the name of the CUSTOM event that an echo is.
const EchoName = "conformance.echo"

func (t *teller) echo(x *Echo) Order {
	value := map[string]any{"present": false}
	path, ok := splitPointer(x.Pointer)
	if !ok {
		return t.broken("%q is no JSON pointer", x.Pointer)
	}
	if v, found := lookUp(t.input, path); found {
		value = map[string]any{"present": true, "value": v}
	}
	return t.custom(EchoName, value, t.owner)
}

// mergeMetadata lays metadata over what an item has, by key.
func mergeMetadata(item map[string]any, metadata any) {
	add, ok := metadata.(map[string]any)
	if !ok {
		return
	}
	merged := map[string]any{}
	if old, ok := item["metadata"].(map[string]any); ok {
		maps.Copy(merged, old)
	}
	maps.Copy(merged, add)
	item["metadata"] = merged
}
