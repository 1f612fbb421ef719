package reference

import (
	"slices"

	"github.com/agentstream/conformance/baseline"
)

// A medium is a way to stream: what opens an item, goes on with it and ends it, and the chunk that is all of them.
type medium struct {
	start, content, end, chunk baseline.EventType
	id                         string // the member that names the item
	subtype                    string // of its encrypted value
}

var (
	textMedium      = medium{baseline.TextMessageStart, baseline.TextMessageContent, baseline.TextMessageEnd, baseline.TextMessageChunk, "messageId", "message"}
	callMedium      = medium{baseline.ToolCallStart, baseline.ToolCallArgs, baseline.ToolCallEnd, baseline.ToolCallChunk, "toolCallId", "tool-call"}
	reasoningMedium = medium{baseline.ReasoningMessageStart, baseline.ReasoningMessageContent, baseline.ReasoningMessageEnd, baseline.ReasoningMessageChunk, "messageId", "message"}
)

// An item is one opening of a message or call.
type item struct {
	medium
	as      string // its id
	details event  // members of its opener
}

// event returns one of the item's.
func (i item) event(t baseline.EventType) event { return newEvent(t).with(i.id, i.as) }

// opener returns the event that opens the item in the branch.
func (i item) opener(b branch, t baseline.EventType) event {
	e := b.tagged(i.event(t))
	for _, m := range i.details.members {
		e = e.with(m.name, m.value)
	}
	return e
}

// continuation returns an event that goes on with the item. It needs no tag.
func (a *agent) continuation(b branch, i item, t baseline.EventType) event {
	if a.habits.tags {
		return b.tagged(i.event(t))
	}
	return i.event(t)
}

func (a *agent) text(b branch, m members) error {
	i := item{textMedium, a.ids.opens(messageIDs, m.text("id")), m.copy(event{}, "role", "name", "metadata")}
	return a.stream(b, i, m, m.text("form"))
}

func (a *agent) toolCall(b branch, m members) error {
	i := item{medium: callMedium, as: a.ids.opens(callIDs, m.text("id"))}
	i.details = event{}.with("toolCallName", m["name"])
	if m["parent"] != nil {
		i.details = i.details.with("parentMessageId", a.ids.of(messageIDs, m.text("parent")))
	}
	i.details = m.copy(i.details, "metadata")
	return a.stream(b, i, m, m.text("form"))
}

func (a *agent) toolResult(b branch, m members) error {
	return a.send(b, m.copy(b.event(baseline.ToolCallResult).with("messageId", a.ids.opens(messageIDs, m.text("id"))).
		with("toolCallId", a.ids.of(callIDs, m.text("call"))), "content", "metadata"))
}

// reasoning says its messages, in a span where the script names one.
func (a *agent) reasoning(b branch, m members) error {
	messages, form := get[[]members](m, "messages"), m.text("form")
	if span, named := m["span"].(string); named {
		return a.span(b, span, func() error { return a.thoughts(b, messages, form, false) })
	}
	if a.habits.spans == aroundAll && len(messages) > 0 {
		return a.span(b, messages[0].text("id"), func() error { return a.thoughts(b, messages, form, false) })
	}
	return a.thoughts(b, messages, form, a.habits.spans == aroundEach)
}

// thoughts says messages, each in a span of its own where that is asked for.
func (a *agent) thoughts(b branch, messages []members, form string, spans bool) (err error) {
	for _, m := range messages {
		say := func() error {
			i := item{reasoningMedium, a.ids.opens(messageIDs, m.text("id")), m.copy(event{}, "metadata")}
			return a.stream(b, i, m, form)
		}
		if spans {
			err = a.span(b, m.text("id"), say)
		} else {
			err = say()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// span puts a span around what do says.
func (a *agent) span(b branch, label string, do func() error) error {
	id := a.ids.opens(spanIDs, label)
	if err := a.send(b, b.event(baseline.ReasoningStart).with("messageId", id)); err != nil {
		return err
	}
	end := newEvent(baseline.ReasoningEnd).with("messageId", id)
	return a.closing(b, do(), end, end)
}

// stream opens an item, says its stream, and ends it.
func (a *agent) stream(b branch, i item, m members, form string) (err error) {
	pieces := get[[]piece](m, "stream")
	if form == asChunks || form == "" && a.habits.chunks && b.key == nil && !nests(pieces) && len(pieces) > 0 {
		err = a.asChunks(b, i, pieces)
	} else {
		err = a.asEvents(b, i, pieces)
	}
	if value, given := m["encryptedValue"]; given && err == nil {
		err = a.send(b, b.event(baseline.ReasoningEncryptedValue).with("subtype", i.subtype).with("entityId", i.as).with("encryptedValue", value))
	}
	return err
}

func nests(pieces []piece) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool { return p.action != nil })
}

func (a *agent) asEvents(b branch, i item, pieces []piece) error {
	start := i.opener(b, i.start)
	if i.start == baseline.ReasoningMessageStart {
		start = start.with("role", "reasoning")
	}
	if err := a.send(b, start); err != nil {
		return err
	}
	err := a.pieces(b, pieces, func(delta string) error {
		return a.send(b, a.continuation(b, i, i.content).with("delta", delta))
	})
	end := a.continuation(b, i, i.end)
	return a.closing(b, err, end, end)
}

// asChunks: what comes next in its lane ends the item.
func (a *agent) asChunks(b branch, i item, pieces []piece) error {
	next := i.opener(b, i.chunk)
	if len(pieces) == 0 {
		return a.send(b, next)
	}
	return a.pieces(b, pieces, func(delta string) error {
		chunk := next
		next = a.continuation(b, i, i.chunk)
		return a.send(b, chunk.with("delta", delta))
	})
}

func (a *agent) pieces(b branch, pieces []piece, say func(delta string) error) (err error) {
	for _, p := range pieces {
		if p.action != nil {
			err = a.act(b, *p.action)
		} else {
			err = say(p.delta)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
