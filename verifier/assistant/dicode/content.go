package dicode

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/value"
)

// callEnd judges the end of a tool call: the JSON of its text or of its arguments, then id and name, then
// whether text and arguments are equal.
func (m *Machine) callEnd(e *event.Event, a *active) (c completed, ok bool) {
	call := event.PartOf(e.Value(event.Call))
	arguments := call.Arguments
	comparable, ok := m.judgeJSON(e, a, arguments)
	if !ok {
		return c, false
	}
	if !m.judgeSame(rules.ToolIDChanged, e, a, "id", a.id, call.ID) ||
		!m.judgeSame(rules.ToolNameChanged, e, a, "name", a.name, call.Name) {
		return c, false
	}
	if comparable && m.On(rules.ArgumentsMismatch) && (!isObject(arguments) || m.values.Sum(a.text) != m.values.Sum(arguments)) {
		m.blameCall(rules.ArgumentsMismatch, e, a, "/arguments", fmt.Sprintf("the arguments are not what the %d bytes of text say", len(a.text)))
		return c, false
	}
	c = completed{kind: a.kind, unjudged: a.unjudged, undef: len(a.id) == 0 || len(a.name) == 0}
	if !c.undef {
		c.id, c.name = m.values.Sum(a.id), m.values.Sum(a.name)
	}
	if len(arguments) > 0 {
		c.sum = m.values.Sum(arguments)
	}
	return c, true
}

// isObject reports whether a value is an object of JSON values.
func isObject(v []byte) bool { return len(v) > 0 && v[0] == '{' && value.IsFinite(v) }

// judgeJSON judges what the arguments are made of: the joined text where there was any delta, else the
// call's own. It reports whether the two can be compared, and whether the event is kept.
func (m *Machine) judgeJSON(e *event.Event, a *active, arguments []byte) (comparable, ok bool) {
	if a.unjudged {
		return false, true
	}
	if !a.heard {
		if c := notObject(arguments); m.On(c) && !isObject(arguments) {
			m.blameCall(c, e, a, "/arguments", "the arguments are no object of JSON values")
			return false, false
		}
		return false, true
	}
	defect := value.Examine(a.text, m.limits.Depth)
	if defect == value.TooDeep {
		m.exceed(rules.LimitDepth, "the arguments are nested deeper than %d", m.limits.Depth)
		return false, !m.Stopped()
	}
	for _, x := range [...]struct {
		defect value.Defect
		clause verifier.ClauseID
		detail string
	}{
		{value.NotJSON, rules.ArgumentsNotJSON, "is not JSON"},
		{value.NotObject, rules.ArgumentsNotObject, "is JSON, but no object"},
		{value.NotFinite, rules.ArgumentsNotFinite, "has a number that is too big for a float64"},
	} {
		if m.On(x.clause) && defect == x.defect {
			m.blameCall(x.clause, e, a, "", fmt.Sprintf("the text of %d bytes %s", len(a.text), x.detail))
			return false, false
		}
	}
	return defect == value.Sound, true
}

// notObject is the clause for arguments that are no object of JSON values.
func notObject(arguments []byte) verifier.ClauseID {
	if len(arguments) > 0 && arguments[0] == '{' {
		return rules.ArgumentsNotFinite
	}
	return rules.ArgumentsNotObject
}

func (m *Machine) judgeSame(c verifier.ClauseID, e *event.Event, a *active, member string, before, now []byte) bool {
	if !m.On(c) || same(before, now) {
		return true
	}
	m.blameCall(c, e, a, "/"+member, fmt.Sprintf("the call started with %s %s and ends with %s", member, shown(before), shown(now)))
	return false
}

// blameCall blames the call that an event ends, for a member of it.
func (m *Machine) blameCall(c verifier.ClauseID, e *event.Event, a *active, member, detail string) {
	m.Blame(c, verifier.Fault{ID: string(m.text(event.Quoted(a.id))), Entity: m.entity(), Cause: &a.opener, Pointer: e.Pointer(event.Call) + member, Detail: detail})
}

// unlike says why a message's content is not what was streamed; empty where it is. After an error an open
// text belongs to it, an open call does not.
func (m *Machine) unlike(content []byte, failed bool) string {
	if len(content) == 0 || content[0] != '[' {
		return "the content of the message is no array"
	}
	expected, n := len(m.done), 0
	open := failed && m.active != nil && m.active.kind != event.ToolCall
	if open {
		expected++
	}
	for i, v := range scan.EachElement(content) {
		if n++; n > expected {
			return fmt.Sprintf("the message has a block %d; %d are expected", i, expected)
		}
		like := false
		if i < len(m.done) {
			like = m.isCompleted(&m.done[i], v)
		} else {
			like = m.isText(m.active.kind, v, func(said []byte) bool { return m.active.unjudged || string(said) == string(m.active.text) })
		}
		if !like {
			return fmt.Sprintf("block %d of the message is not what was streamed", i)
		}
	}
	if n < expected {
		return fmt.Sprintf("the message has %d blocks; %d are expected", n, expected)
	}
	return ""
}

func (m *Machine) isCompleted(c *completed, v []byte) bool {
	if c.kind != event.ToolCall {
		return m.isText(c.kind, v, func(said []byte) bool { return c.unjudged || value.DigestText(said) == c.sum })
	}
	p := event.PartOf(v)
	return p.Members == 4 && event.Is(p.Type, "tool_call") &&
		!c.undef && p.ID != nil && m.values.Sum(p.ID) == c.id && p.Name != nil && m.values.Sum(p.Name) == c.name &&
		p.Arguments != nil && (c.unjudged || m.values.Sum(p.Arguments) == c.sum)
}

// isText reports whether an element is exactly a block of text of that kind, and says what it should.
func (m *Machine) isText(kind event.Block, v []byte, says func([]byte) bool) bool {
	p := event.PartOf(v)
	said := p.Said(kind)
	return p.Members == 2 && event.Is(p.Type, typeNames[kind]) && said != nil && says(m.text(said))
}

var typeNames = [...]string{event.Text: "text", event.Thinking: "thinking"}
