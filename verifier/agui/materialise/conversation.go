package materialise

import (
	"fmt"
	"maps"

	"github.com/agentstream/conformance/verifier/scan"
)

// A conversation is the messages that a consumer holds, in order.
type conversation struct {
	first, last *message
	byID        map[string]*message
	byClass     [classes]map[*message]struct{}
	calls       map[string]*heldCall
	renamed     int // how many ids were tried for messages that the consumer makes
}

func newConversation() conversation {
	c := conversation{byID: map[string]*message{}, calls: map[string]*heldCall{}}
	for i := range c.byClass {
		c.byClass[i] = map[*message]struct{}{}
	}
	return c
}

// insert puts a message behind another one; at the end where that is nil.
func (c *conversation) insert(m, behind *message) {
	if behind == nil {
		behind = c.last
	}
	m.prev = behind
	if behind == nil {
		m.next, c.first = c.first, m
	} else {
		m.next, behind.next = behind.next, m
	}
	if m.next == nil {
		c.last = m
	} else {
		m.next.prev = m
	}
	c.byID[m.id] = m
	c.byClass[m.class()][m] = struct{}{}
}

func (c *conversation) drop(m *message) {
	if m.prev == nil {
		c.first = m.next
	} else {
		m.prev.next = m.next
	}
	if m.next == nil {
		c.last = m.prev
	} else {
		m.next.prev = m.prev
	}
	delete(c.byID, m.id)
	c.forget(m)
}

// forget takes out what is known by a message's fields.
func (c *conversation) forget(m *message) {
	delete(c.byClass[m.class()], m)
	for _, k := range m.calls {
		if c.calls[k.id] == k {
			delete(c.calls, k.id)
		}
	}
	m.calls = nil
}

// list adds a message as a list has it, or replaces the one of its id where that stands.
func (c *conversation) list(l listing) {
	m := c.byID[l.id]
	if m == nil {
		m = &message{id: l.id}
		m.become(l)
		c.insert(m, nil)
	} else {
		c.forget(m)
		m.become(l)
		c.byClass[m.class()][m] = struct{}{}
	}
	for _, k := range m.calls {
		if c.calls[k.id] == nil { // of two that list a call the first has it
			c.calls[k.id] = k
		}
	}
}

// become gives a message what a list says of it.
func (m *message) become(l listing) {
	m.spoken, m.content, m.made, m.alone = newSpoken("content", l.fields), nil, false, false
	if m.class() == active {
		m.content = newDoc([]byte("{}"))
		if raw := scan.Member(l.raw, "content"); len(raw) > 0 && raw[0] == '{' {
			m.content = newDoc(raw)
		}
		delete(m.fields, "content")
	}
	calls, _ := l.fields["toolCalls"].([]any)
	if m.role() != "assistant" {
		return
	}
	delete(m.fields, "toolCalls")
	for _, v := range calls {
		fields, _ := v.(map[string]any)
		function, ok := fields["function"].(map[string]any)
		if id, named := fields["id"].(string); ok && named {
			delete(fields, "function")
			m.calls = append(m.calls, &heldCall{id, fields, newSpoken("arguments", function), m})
		}
	}
}

// extend adds the messages of a list that are not held yet.
func (c *conversation) extend(list []byte) {
	for l := range listed(list) {
		if c.byID[l.id] == nil {
			c.list(l)
		}
	}
}

// reconcile takes a list for all messages that the producer has. What it leaves out goes, but for
// reasoning and activities where it has none of them at all; what it has takes the place of its id.
func (c *conversation) reconcile(list []byte) {
	ids, complete := map[string]bool{}, [classes]bool{conversational: true}
	for l := range listed(list) {
		ids[l.id] = true
		complete[classOf(l.fields["role"])] = true
	}
	for class, all := range complete {
		if !all {
			continue
		}
		for m := range c.byClass[class] {
			if !ids[m.id] {
				c.drop(m)
			}
		}
	}
	for l := range listed(list) {
		c.list(l)
	}
}

// openMessage opens a text or reasoning message and returns whose it is. What is held of that id goes
// on as it is.
func (c *conversation) openMessage(opener map[string]any, tag owner) (whose owner) {
	id := opener["id"].(string)
	m := c.byID[id]
	if m != nil && m.made {
		m = c.adopt(m, opener, tag)
	}
	if m == nil {
		m = &message{id: id, spoken: newSpoken("content", maps.Clone(opener))}
		tag.note(m.fields, "subagentRunId")
		c.insert(m, nil)
	}
	if _, has := m.fields["content"]; !has && m.class() != active {
		m.fields["content"] = ""
	}
	return tag.or(m.owner())
}

// adopt lets a message that only a call needed become the one that its opener says, if it can be, and
// whose that says; else that message gets another id, and nil is returned.
func (c *conversation) adopt(m *message, opener map[string]any, tag owner) *message {
	if opener["role"] != "assistant" {
		id := c.free(m.calls[0].id) // while its own is taken
		delete(c.byID, m.id)
		m.id, m.fields["id"], m.alone = id, id, true
		c.byID[id] = m
		return nil
	}
	m.made, m.alone = false, false
	tag.note(m.fields, "subagentRunId")
	copyMembers(m.fields, opener, "name", "name")
	return m
}

// free is that id, or where a message has it another one. It counts on, so that nobody can make it search.
func (c *conversation) free(id string) string {
	free := id
	for c.byID[free] != nil {
		c.renamed++
		free = fmt.Sprintf("%s-message-%d", id, c.renamed)
	}
	return free
}

// openCall opens a call and returns whose it is. The message that carries it is the one that it names, if
// that is an assistant's; where there is none yet it is made, and where none is named it has the call's id.
func (c *conversation) openCall(opener map[string]any, tag owner) (whose owner) {
	id := opener["id"].(string)
	k := c.calls[id]
	if k == nil {
		m := c.carrier(opener, tag)
		k = &heldCall{id, map[string]any{"id": id, "type": "function"}, newSpoken("arguments", map[string]any{"arguments": ""}), m}
		m.calls = append(m.calls, k)
		c.calls[id] = k
	}
	k.function.fields["name"] = opener["name"]
	return tag.or(k.message.owner())
}

func (c *conversation) carrier(opener map[string]any, tag owner) *message {
	parent, named := opener["parent"].(string)
	m := c.byID[parent]
	switch {
	case named && m != nil && m.role() == "assistant":
		return m
	case !named || m != nil:
		parent, named = c.free(opener["id"].(string)), false
	}
	m = &message{id: parent, made: true, alone: !named, spoken: newSpoken("content", map[string]any{"id": parent, "role": "assistant"})}
	tag.note(m.fields, "subagentRunId")
	c.insert(m, nil)
	return m
}

// answer adds a tool message, behind the message that has the call and the results that are there, as
// model providers want it; at the end where nobody has the call.
func (c *conversation) answer(result map[string]any, tag owner) {
	id, answers := result["id"].(string), result["toolCallId"]
	if old := c.byID[id]; old != nil {
		c.drop(old)
	}
	m := &message{id: id, spoken: newSpoken("content", maps.Clone(result))}
	tag.note(m.fields, "subagentRunId")
	called, _ := answers.(string)
	call := c.calls[called]
	if call == nil {
		c.insert(m, nil)
		return
	}
	at := call.message
	if last := at.results; last != nil && c.byID[last.id] == last {
		at = last
	}
	for at.next != nil && at.next.role() == "tool" {
		at = at.next
	}
	c.insert(m, at)
	call.message.results = m
}

// activity returns an activity; nil where the id is none's.
func (c *conversation) activity(id string) *message {
	if m := c.byID[id]; m != nil && m.class() == active {
		return m
	}
	return nil
}

// setActivity makes an activity or replaces it, but for its metadata.
func (c *conversation) setActivity(id string, content []byte, tag owner) *message {
	m := c.activity(id)
	if m == nil {
		if other := c.byID[id]; other != nil {
			c.drop(other)
		}
		m = &message{id: id, spoken: newSpoken("", map[string]any{"id": id, "role": "activity"})}
		c.insert(m, nil)
	}
	m.content = newDoc(content)
	tag.note(m.fields, "subagentRunId")
	return m
}

// object is what a delta, metadata or an encrypted value for a key belongs to; nil where there is nothing.
func (c *conversation) object(k key) map[string]any {
	if k.kind == call {
		if called := c.calls[k.id]; called != nil {
			return called.fields
		}
		return nil
	}
	if m := c.byID[k.id]; m != nil && m.class() != active {
		return m.fields
	}
	return nil
}

func (c *conversation) say(k key, delta string) {
	if k.kind == call {
		if called := c.calls[k.id]; called != nil {
			called.function.say(delta)
		}
	} else if m := c.byID[k.id]; m != nil && m.class() != active {
		m.say(delta)
	}
}

func (c *conversation) merge(k key, metadata map[string]any) {
	if o := c.object(k); o != nil {
		merge(o, metadata)
	}
}

func (c *conversation) encrypt(k key, value string) {
	if o := c.object(k); o != nil {
		o["encryptedValue"] = value
	}
}
