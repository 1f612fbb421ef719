package faithful

import "slices"

// Which snapshots of messages change nothing of what somebody knows who heard the stream so far.

// described are the members of a message of a list, and what an item of the stream calls them.
var described = map[string]string{
	"role": "role", "name": "name", "toolCallId": "toolCallId", "subagentRunId": "owner", "encryptedValue": "encryptedValue",
	"activityType": "activityType", "error": "error",
}

// A told message is one that is known, with everything that was said of it.
type told struct {
	about   map[string]any // the described members
	content any
	calls   map[string]bool // that hang on it
}

func (t *told) role() string { return text(t.about, "role") }

// toldCall is the name, the arguments and the encrypted value of a call.
type toldCall [3]any

func (c toldCall) equals(d toldCall) bool { return equal(c[:], d[:]) }

// known is what somebody knows who heard a stream.
type known struct {
	messages map[string]*told
	calls    map[string]toldCall
	loose    map[string]bool // calls of which it was not said where they hang
}

// text returns a member that is a string, else "".
func text(v map[string]any, member string) string {
	s, _ := v[member].(string)
	return s
}

// markExtras marks what an SDK may say unasked: events of others, snapshots that change nothing, and messages that only carry
// a call.
func (s stream) markExtras(request []any) {
	s.markCarriers()
	k := &known{}
	k.restate(request)
	for _, it := range s {
		switch it.kind {
		case "raw":
			it.extra = true
		case "snapshot":
			messages, ok := it.members["messages"].([]any)
			it.extra = ok && k.has(messages)
			k.restate(messages)
		case "message":
			k.message(it.members)
		case "toolCall":
			k.call(it.members)
		}
	}
}

// markCarriers marks messages without a word to which nothing but calls of their owner hang: some SDKs open one for a call that
// no text stands before.
func (s stream) markCarriers() {
	type place struct{ id, owner string }
	carries := map[place]bool{}
	for _, it := range slices.Backward(s) {
		owner := spelt(it.members["owner"])
		switch it.kind {
		case "toolCall":
			carries[place{text(it.members, "parent"), owner}] = true
		case "message":
			it.extra = carries[place{text(it.members, "id"), owner}] && isWordless(it.members)
		}
	}
}

// isWordless tells whether a message says nothing but that it is there.
func isWordless(m map[string]any) bool {
	for member := range m {
		switch member {
		case "kind", "id", "role", "content", "owner":
		default:
			return false
		}
	}
	return text(m, "role") == "assistant" && m["content"] == ""
}

// restate takes a list for all that there is, but for what it has none of: reasoning, activities.
func (k *known) restate(messages []any) {
	old := k.messages
	k.messages, k.calls, k.loose = map[string]*told{}, map[string]toldCall{}, map[string]bool{}
	roles := map[string]bool{}
	for _, m := range messages {
		m, _ := m.(map[string]any)
		roles[text(m, "role")] = true
		t := &told{about: map[string]any{}, content: m["content"], calls: map[string]bool{}}
		for member := range described {
			t.about[member] = m[member]
		}
		for _, c := range callsOf(m) {
			t.calls[text(c, "id")] = true
			k.calls[text(c, "id")] = asCall(c)
		}
		k.messages[text(m, "id")] = t
	}
	for id, t := range old {
		if mayBeLeftOut(t.role()) && !roles[t.role()] && k.messages[id] == nil {
			k.messages[id] = t
		}
	}
}

// mayBeLeftOut: a list that has no message of that role says nothing about them.
func mayBeLeftOut(role string) bool { return role == "reasoning" || role == "activity" }

// callsOf returns the calls that a message of a list has.
func callsOf(m map[string]any) (calls []map[string]any) {
	list, _ := m["toolCalls"].([]any)
	for _, c := range list {
		if c, ok := c.(map[string]any); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

func asCall(c map[string]any) toldCall {
	f, _ := c["function"].(map[string]any)
	return toldCall{f["name"], f["arguments"], c["encryptedValue"]}
}

// message takes an item of the stream; what is reopened goes on.
func (k *known) message(m map[string]any) {
	id := text(m, "id")
	t := k.messages[id]
	if t == nil {
		t = &told{about: map[string]any{}, content: "", calls: map[string]bool{}}
		k.messages[id] = t
	}
	before, hasText := t.content.(string)
	more, isText := m["content"].(string)
	goesOn := hasText && isText && t.role() == text(m, "role")
	encrypted := t.about["encryptedValue"]
	for member, name := range described {
		t.about[member] = m[name]
	}
	if m["encryptedValue"] == nil {
		t.about["encryptedValue"] = encrypted
	}
	t.content = m["content"]
	if goesOn {
		t.content = before + more
	}
}

func (k *known) call(m map[string]any) {
	id := text(m, "id")
	k.calls[id] = toldCall{m["name"], m["arguments"], m["encryptedValue"]}
	if t := k.messages[text(m, "parent")]; t != nil && m["parent"] != nil {
		t.calls[id] = true
	} else {
		k.loose[id] = true
	}
}

// has tells whether a list of messages says what is known, and leaves out nothing.
func (k *known) has(messages []any) bool {
	seen, placed, roles := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range messages {
		m, ok := m.(map[string]any)
		id := text(m, "id")
		if !ok || seen[id] || !k.hasMessage(m) {
			return false
		}
		seen[id], roles[text(m, "role")] = true, true
		for _, c := range callsOf(m) {
			placed[text(c, "id")] = true
		}
	}
	for id, t := range k.messages {
		if !seen[id] && !(mayBeLeftOut(t.role()) && !roles[t.role()]) {
			return false
		}
	}
	for id := range k.loose {
		if !placed[id] {
			return false
		}
	}
	return true
}

func (k *known) hasMessage(m map[string]any) bool {
	t := k.messages[text(m, "id")]
	if t == nil {
		// The message that carries calls of which the stream did not say where they hang.
		if len(callsOf(m)) == 0 {
			return false
		}
		t = &told{about: map[string]any{"role": "assistant", "subagentRunId": m["subagentRunId"]}, content: ""}
	}
	for member := range described {
		if !equal(t.about[member], m[member]) {
			return false
		}
	}
	if !k.hasCalls(m, t) {
		return false
	}
	// What an activity's content was at this place is not known any more.
	return t.role() == "activity" || equal(orEmpty(t.content), orEmpty(m["content"]))
}

func orEmpty(content any) any {
	if content == nil {
		return ""
	}
	return content
}

// hasCalls tells whether a message carries its calls as they were told, and perhaps some that hung nowhere.
func (k *known) hasCalls(m map[string]any, t *told) bool {
	own := 0
	for _, c := range callsOf(m) {
		id := text(c, "id")
		call, isTold := k.calls[id]
		if !isTold || !t.calls[id] && !k.loose[id] || !call.equals(asCall(c)) {
			return false
		}
		if t.calls[id] {
			own++
		}
	}
	return own == len(t.calls)
}
