package script

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A knownMessage is what a label of the namespace messages stands for.
type knownMessage struct {
	kind     string // text, result, reasoning, activity
	role     string // of a text
	name     *string
	owner    string
	open     bool
	carried  bool   // by the request
	activity string // its type
	content  any    // of an activity
	based    bool   // everybody knows the content
}

// The kinds of message.
const (
	aText      = "text"
	aResult    = "tool result"
	aReasoning = "reasoning message"
	anActivity = "activity"
)

// A knownCall is a tool call.
type knownCall struct {
	id, name string
	owner    string
	run      int // that made it; 0: a list of messages has it
	open     bool
	answered bool // in its run
	branches []branch
}

// carry takes what the request's messages say.
func (c *checker) carry(messages []map[string]any) {
	for _, m := range messages {
		c.messages[textOf(m, "id")] = listed(m)
		c.messages[textOf(m, "id")].carried = true
		for _, call := range objectsOf(m["toolCalls"]) {
			delete(c.calls, textOf(call, "id")) // whichever run has made it
		}
		c.listCalls(m)
	}
}

// listed is what a message of the wire says of its label.
func listed(m map[string]any) *knownMessage {
	k := &knownMessage{kind: kindOf(textOf(m, "role")), role: textOf(m, "role")}
	if name, ok := m["name"].(string); ok {
		k.name = &name
	}
	if owner, ok := m["subagentRunId"].(string); ok {
		k.owner = "/" + owner
	}
	if k.kind == anActivity {
		k.activity, k.content = textOf(m, "activityType"), m["content"]
	}
	return k
}

func kindOf(role string) string {
	switch role {
	case "tool":
		return aResult
	case "reasoning":
		return aReasoning
	case "activity":
		return anActivity
	}
	return aText
}

// listCalls notes the calls of a listed message that were not known.
func (c *checker) listCalls(m map[string]any) {
	for _, call := range objectsOf(m["toolCalls"]) {
		id := textOf(call, "id")
		if k := c.calls[id]; k == nil {
			function, _ := call["function"].(map[string]any)
			c.calls[id] = &knownCall{id: id, name: textOf(function, "name")}
		} else if k.open {
			c.fail("the call %q is listed while it is open", id)
		}
	}
}

// introduce notes a message that is not to be known yet.
func (c *checker) introduce(id, kind string) *knownMessage {
	c.use(Messages, id)
	if m := c.messages[id]; m != nil {
		c.fail("%q is a %s already", id, m.kind)
	}
	m := &knownMessage{kind: kind, owner: c.owner}
	c.messages[id] = m
	return m
}

func (c *checker) text(t *Text) {
	role := t.Role
	if role == "" {
		role = "assistant"
	}
	m := c.messages[t.ID]
	if m == nil {
		m = c.introduce(t.ID, aText)
		m.role, m.name = role, t.Name
	} else {
		c.use(Messages, t.ID)
		c.reopen(t, m, role)
	}
	m.open = true
	c.item(t.Stream, t.Form, t.Metadata)
	m.open = false
}

func (c *checker) reopen(t *Text, m *knownMessage, role string) {
	switch {
	case m.kind != aText:
		c.fail("%q is a %s already", t.ID, m.kind)
	case m.open:
		c.fail("the text %q is open", t.ID)
	case len(c.branches) > 0:
		c.fail("the text %q comes again in parallel", t.ID)
	case m.role != role, (m.name == nil) != (t.Name == nil), m.name != nil && *m.name != *t.Name, m.owner != c.owner:
		c.fail("the text %q comes again with another role, name or owner", t.ID)
	case t.Form != Events:
		c.fail("the text %q comes again, but not in the form events", t.ID)
	case c.replayed && m.carried:
		c.fail("the request carried %q: a replayed run restates it by a snapshot", t.ID)
	}
}

func (c *checker) toolCall(t *ToolCall) {
	c.use(Calls, t.ID)
	if c.calls[t.ID] != nil {
		c.fail("a second call %q", t.ID)
	}
	if t.Parent != nil {
		c.parent(*t.Parent)
	}
	k := &knownCall{id: t.ID, name: t.Name, owner: c.owner, run: c.runs, open: true, branches: slices.Clone(c.branches)}
	c.calls[t.ID] = k
	c.made = append(c.made, k)
	c.item(t.Stream, t.Form, t.Metadata)
	k.open = false
}

func (c *checker) parent(id string) {
	c.use(Messages, id)
	switch m := c.messages[id]; {
	case m == nil || m.kind != aText:
		c.fail("there was no text %q", id)
	case m.owner != c.owner:
		c.fail("the text %q has another owner than the call", id)
	}
}

func (c *checker) toolResult(t *ToolResult) {
	c.introduce(t.ID, aResult)
	c.use(Calls, t.Call)
	switch k := c.calls[t.Call]; {
	case k == nil:
		c.fail("there was no call %q", t.Call)
	case k.open:
		c.fail("the call %q is open", t.Call)
	case k.run >= c.first && c.tools[k.name]:
		c.fail("the tool %q is the frontend's to answer", k.name)
	case k.run == c.runs:
		k.answered = true
	}
	c.shape(t.Content, contentShape, "content")
	c.value(t.Metadata, "metadata")
	c.heard++
}

func (c *checker) reasoning(r *Reasoning) {
	if r.Span == nil && len(r.Messages) == 0 {
		c.fail("neither a span nor a message")
	}
	if r.Span != nil {
		c.span(*r.Span)
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		k := c.introduce(m.ID, aReasoning)
		if owner, isSpan := c.spans[m.ID]; isSpan && owner != c.owner {
			c.fail("the span %q has another owner", m.ID)
		}
		k.open = true
		c.within(func() { c.item(m.Stream, r.Form, m.Metadata) }, "messages", strconv.Itoa(i))
		k.open = false
	}
	c.heard++
}

// span: spans and reasoning messages share a book of owners.
func (c *checker) span(id string) {
	c.use(Spans, id)
	if _, again := c.spans[id]; again {
		c.fail("a second span %q", id)
	}
	if m := c.messages[id]; m != nil && m.kind == aReasoning && m.owner != c.owner {
		c.fail("the reasoning message %q has another owner", id)
	}
	c.spans[id] = c.owner
}

// item checks what is streamed.
func (c *checker) item(stream []Piece, form string, metadata jsontext.Value) {
	c.value(metadata, "metadata")
	if form == Chunks {
		c.chunks(stream)
	}
	for i, p := range stream {
		if p.Action != nil {
			c.within(func() { c.action(p.Action) }, "stream", strconv.Itoa(i))
		}
	}
	c.heard++
}

// chunks: every event in the lane would close what chunks assemble, and a chunk that says nothing may be dropped.
func (c *checker) chunks(stream []Piece) {
	says := false
	for _, p := range stream {
		if p.Action != nil {
			c.fail("an action between chunks")
		}
		says = says || p.Delta != ""
	}
	if !says {
		c.fail("chunks that say nothing")
	}
	if c.shared {
		c.fail("chunks in a branch, outside a subagent of its own")
	}
}
