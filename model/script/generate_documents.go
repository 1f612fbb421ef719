package script

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func sortedNames(v map[string]any) []string { return slices.Sorted(maps.Keys(v)) }

// document is any value, mostly an object.
func (w *writer) document() any {
	if w.chance(70) {
		return w.record(2)
	}
	return w.anything(2)
}

func (w *writer) stateSnapshot() Action {
	return Action{StateSnapshot: &StateSnapshot{Snapshot: valueOf(w.setState())}}
}

func (w *writer) setState() any {
	w.state, w.based = w.document(), true
	return w.state
}

func (w *writer) stateDelta() Action {
	return Action{StateDelta: &StateDelta{Patch: valueOf(w.changeState())}}
}

func (w *writer) changeState() []any {
	ops, after := w.patch(w.state, false)
	w.state = after
	return ops
}

// --- patches ---

// patch draws operations that apply one after the other, and the document behind them.
func (w *writer) patch(doc any, object bool) (ops []any, after any) {
	ops = []any{}
	for range w.roll(4) {
		op := w.operation(doc)
		next, err := applyOperation(doc, op)
		_, isObject := next.(map[string]any)
		if err != nil || object && !isObject {
			op = map[string]any{"op": "test", "path": "", "value": doc}
			next = doc
		}
		if w.chance(5) {
			op["comment"] = w.prose() // operations are open
		}
		ops, doc = append(ops, op), next
	}
	return ops, doc
}

// operation is one that applies in most cases: a move or copy into itself does not, nor is every document an object behind it.
func (w *writer) operation(doc any) map[string]any {
	places := pointersIn(doc, "", 8)
	if len(places) > 60 { // copies of copies grow
		return map[string]any{"op": "remove", "path": places[1+w.roll(len(places)-1)]}
	}
	some := func() string { return places[w.roll(len(places))] }
	op := map[string]any{"op": w.oneOf("add", "replace", "remove", "move", "copy", "test"), "path": some()}
	switch op["op"] {
	case "add":
		op["path"], op["value"] = w.target(doc, places), w.anything(1)
	case "replace":
		op["value"] = w.anything(1)
	case "move", "copy":
		op["from"], op["path"] = some(), w.target(doc, places)
	case "test":
		path, _ := splitPointer(op["path"].(string))
		op["value"], _ = lookUp(doc, path)
	}
	return op
}

// target is a place where something may be added: in an object or array of the document, or the whole of it.
func (w *writer) target(doc any, places []string) string {
	at := places[w.roll(len(places))]
	path, _ := splitPointer(at)
	in, _ := lookUp(doc, path)
	switch in := in.(type) {
	case map[string]any:
		return at + "/" + escapeToken.Replace(names[w.roll(len(names))])
	case []any:
		if len(in) == 0 || w.chance(50) {
			return at + "/-"
		}
		return at + "/0"
	}
	return at
}

// --- activities ---

// activity says one, or says it anew.
func (w *writer) activity() Action {
	w.heard++
	x := &Activity{Metadata: w.metadata()}
	x.ID, x.Type, x.Content, x.Replace = w.sayActivity(w.owner, true)
	return Action{Activity: x}
}

// sayActivity chooses an activity and its content. What only an event says has an id, not a label.
func (w *writer) sayActivity(owner string, asLabel bool) (id, kind string, content jsontext.Value, replace *bool) {
	now := w.record(2)
	known := slices.DeleteFunc(slices.Clone(w.activities), func(k *writtenActivity) bool {
		return k.owner != owner || !asLabel && !w.can["ids"] && !strings.HasPrefix(k.id, "wire-") || asLabel && strings.HasPrefix(k.id, "wire-")
	})
	if len(known) == 0 || !w.chance(40) {
		return w.newActivity(owner, asLabel, now)
	}
	k := known[w.roll(len(known))]
	if w.chance(40) {
		replaces := !k.based || w.chance(50)
		replace = &replaces
	}
	if replace == nil || *replace {
		k.content = now
	}
	k.based = true
	return k.id, k.kind, valueOf(now), replace
}

func (w *writer) newActivity(owner string, asLabel bool, content any) (id, kind string, text jsontext.Value, replace *bool) {
	k := &writtenActivity{kind: w.oneOf("PLAN", "", "SEARCH"), owner: owner, content: content, based: true}
	if asLabel {
		k.id = w.mint(Messages)
	} else {
		k.id = w.wireID(Messages)
	}
	w.activities = append(w.activities, k)
	if w.chance(40) {
		replaces := w.chance(50)
		replace = &replaces
	}
	return k.id, k.kind, valueOf(content), replace
}

// patchable are the activities that an action, or an event, may change.
func (w *writer) patchable(owner string, asLabel bool) []*writtenActivity {
	return slices.DeleteFunc(slices.Clone(w.activities), func(k *writtenActivity) bool {
		return !k.based || k.owner != owner || !w.can["ids"] && strings.HasPrefix(k.id, "wire-") == asLabel
	})
}

func (w *writer) mayPatch() bool { return len(w.patchable(w.owner, true)) > 0 }

func (w *writer) activityDelta() Action {
	x := &ActivityDelta{}
	x.ID, x.Type, x.Patch = w.changeActivity(w.patchable(w.owner, true))
	return Action{ActivityDelta: x}
}

func (w *writer) changeActivity(all []*writtenActivity) (id, kind string, patch jsontext.Value) {
	k := all[w.roll(len(all))]
	ops, after := w.patch(k.content, true)
	k.content = after
	return k.id, k.kind, valueOf(ops)
}

// --- snapshots of messages ---

func (w *writer) messagesSnapshot() Action {
	w.heard++
	return Action{MessagesSnapshot: &MessagesSnapshot{Messages: valueOf(w.messages())}}
}

// messages restates some of what there is, and says new ones. Without ids it says what only the wire names.
func (w *writer) messages() []any {
	out := []any{}
	for _, m := range w.input.messages() {
		isOpen := slices.ContainsFunc(w.texts, func(k *writtenText) bool { return k.id == textOf(m, "id") && k.open })
		if w.chance(50) && !isOpen && textOf(m, "role") != "activity" {
			out = append(out, m)
			w.listCalls(m)
		}
	}
	if w.can["ids"] {
		for _, k := range w.texts {
			if !k.open && !k.carried && w.chance(40) {
				out = append(out, w.restated(k))
			}
		}
	}
	for range w.roll(3) {
		out = append(out, w.newMessage())
	}
	if w.can["activity"] && w.chance(20) {
		out = append(out, w.listActivities()...)
	}
	return out
}

// listCalls notes the calls of a listed message that were not known.
func (w *writer) listCalls(m map[string]any) {
	for _, c := range objectsOf(m["toolCalls"]) {
		id := textOf(c, "id")
		if !slices.ContainsFunc(w.calls, func(k *writtenCall) bool { return k.id == id }) {
			w.calls = append(w.calls, &writtenCall{id: id})
		}
	}
}

// restated is a text as a message of the wire. It keeps its role, name and owner.
func (w *writer) restated(k *writtenText) map[string]any {
	m := map[string]any{"id": k.id, "role": k.role, "content": w.prose()}
	if k.role == "" {
		m["role"] = "assistant"
	}
	if k.name != nil {
		m["name"] = *k.name
	}
	if k.owner != "" {
		m["subagentRunId"] = k.owner[1:]
	}
	return m
}

// newMessage is one that nothing else has said.
func (w *writer) newMessage() map[string]any {
	role := w.oneOf("user", "assistant", "system", "developer", "reasoning", "tool")
	m := map[string]any{"id": w.wireID(Messages), "role": role, "content": w.prose()}
	switch role {
	case "user":
		m["content"] = w.content()
	case "assistant":
		w.assistant(m)
	case "tool":
		m["content"], m["toolCallId"] = w.content(), w.wireID(Calls)
		if w.chance(20) {
			m["error"] = w.prose()
		}
	}
	if role != "tool" && role != "reasoning" && w.chance(20) {
		m["name"] = w.prose()
	}
	if w.chance(20) {
		m["encryptedValue"] = "Zm9v"
	}
	if w.chance(20) {
		m["metadata"] = w.labelled()
	}
	return m
}

// assistant has calls at times, and then perhaps no content.
func (w *writer) assistant(m map[string]any) {
	if w.chance(50) {
		return
	}
	call := map[string]any{"id": w.wireID(Calls), "type": "function", "function": map[string]any{"name": "search", "arguments": "{}"}}
	m["toolCalls"] = []any{call}
	w.listCalls(m)
	if w.chance(50) {
		delete(m, "content")
	}
}

// listActivities is what makes a snapshot drop the activities that it leaves out: here all but one.
func (w *writer) listActivities() []any {
	k := &writtenActivity{id: w.wireID(Messages), kind: "PLAN", content: w.record(2), based: true}
	for _, old := range w.activities {
		old.based = false
	}
	w.activities = append(w.activities, k)
	return []any{map[string]any{"id": k.id, "role": "activity", "activityType": k.kind, "content": k.content}}
}

// --- events as they are ---

// emit is an event that stands alone.
func (w *writer) emit() Action {
	owner := ""
	e := map[string]any{}
	if w.can["ids"] && len(w.begun) > 0 && w.chance(30) {
		owner = "/" + w.begun[w.roll(len(w.begun))]
		e["subagentRunId"] = owner[1:]
	}
	if w.chance(30) {
		e["metadata"] = w.labelled()
	}
	if w.chance(20) {
		e["timestamp"] = 1700000000000
	}
	if w.chance(20) {
		e["rawEvent"] = w.record(1)
	}
	w.event(e, owner)
	return Action{Emit: &Emit{Event: valueOf(e)}}
}

// event fills in an event of an owner; what is not possible here becomes CUSTOM.
func (w *writer) event(e map[string]any, owner string) {
	patchable := w.patchable(owner, false)
	answerable := slices.DeleteFunc(w.answerable(), func(k *writtenCall) bool {
		return k.run > 0 && (k.run != w.runs || k.owner != owner || !w.can["ids"])
	})
	switch w.roll(9) {
	case 1:
		e["type"], e["event"] = "RAW", w.anything(2)
		w.heard++
		return
	case 2:
		if w.ownsState {
			e["type"], e["snapshot"] = "STATE_SNAPSHOT", w.setState()
			return
		}
	case 3:
		if w.ownsState && w.based {
			e["type"], e["delta"] = "STATE_DELTA", w.changeState()
			return
		}
	case 4:
		if len(w.branches) == 0 {
			delete(e, "subagentRunId")
			e["type"], e["messages"] = "MESSAGES_SNAPSHOT", w.messages()
			w.heard++
			return
		}
	case 5, 6:
		if len(patchable) > 0 && w.chance(50) {
			e["type"] = "ACTIVITY_DELTA"
			e["messageId"], e["activityType"], e["patch"] = w.changeActivity(patchable)
			return
		}
		var replace *bool
		e["type"] = "ACTIVITY_SNAPSHOT"
		e["messageId"], e["activityType"], e["content"], replace = w.sayActivity(owner, false)
		if replace != nil {
			e["replace"] = *replace
		}
		w.heard++
		return
	case 7:
		if len(answerable) > 0 {
			k := answerable[w.roll(len(answerable))]
			k.answered = k.answered || k.run == w.runs
			e["type"], e["messageId"], e["toolCallId"], e["content"] = "TOOL_CALL_RESULT", w.wireID(Messages), k.id, w.content()
			w.heard++
			return
		}
	}
	e["type"], e["name"], e["value"] = "CUSTOM", w.oneOf("acme.widget", "x:y"), w.anything(2)
	w.heard++
}
