package assistant

import (
	"bytes"
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/value"
)

// callEnd judges the end of a tool call. The call is then what its end says.
func (m *Machine) callEnd(e *event.Event, n int) {
	b := &m.blocks[n]
	call := event.PartOf(e.Value(event.Call))
	id, name := event.Quoted(call.ID), event.Quoted(call.Name)
	m.judgeShape(e, n, &call)
	object := m.judgeObject(e, n, call.Arguments)
	m.judgeSame(rules.ToolIDChanged, e, n, "id", id, b.draft.idText())
	m.judgeSame(rules.ToolNameChanged, e, n, "name", name, b.draft.nameText())
	sum := m.sumOf(call.Arguments)
	if object {
		m.judgeArguments(e, n, call.Arguments, sum, event.Quoted(call.ArgumentsError) != nil)
	}
	b.sum = m.callSum(id, name, sum)
}

// callSum stands for a call whose arguments have that sum. Members that are missing have been blamed.
func (m *Machine) callSum(id, name []byte, arguments value.Sum) value.Sum {
	var parts [3 * len(arguments)]byte
	for i, v := range [...][]byte{id, name} {
		if v != nil {
			sum := value.DigestText(m.text(v))
			copy(parts[i*len(sum):], sum[:])
		}
	}
	copy(parts[2*len(arguments):], arguments[:])
	return value.DigestText(parts[:])
}

// sumOf is the sum of a value that may be missing.
func (m *Machine) sumOf(v []byte) (sum value.Sum) {
	if v != nil {
		sum = m.values.Sum(v)
	}
	return sum
}

func (m *Machine) judgeShape(e *event.Event, n int, call *event.Part) {
	if typ := event.Quoted(call.Type); m.On(rules.BadToolCallType) && typ != nil && !event.Is(typ, blockTypes[event.ToolCall]) {
		m.blameCall(rules.BadToolCallType, e, n, "/type", "the type of the call is "+verifier.Shown(string(typ))+`, not "toolCall"`)
	}
	if m.On(rules.BadToolCallID) && event.Is(call.ID, "") {
		m.blameCall(rules.BadToolCallID, e, n, "/id", "the id of the call is empty")
	}
	if m.On(rules.BadToolCallName) && event.Is(call.Name, "") {
		m.blameCall(rules.BadToolCallName, e, n, "/name", "the name of the call is empty")
	}
}

// blameCall blames the call that an event ends, for a member of it.
func (m *Machine) blameCall(c verifier.ClauseID, e *event.Event, n int, member, detail string) {
	d := m.blocks[n].draft
	m.Blame(c, verifier.Fault{ID: string(d.idText()), Entity: entity(n), Cause: &d.opener, Pointer: e.Pointer(event.Call) + member, Detail: detail})
}

// judgeObject reports whether the arguments are an object of JSON values.
func (m *Machine) judgeObject(e *event.Event, n int, arguments []byte) bool {
	switch {
	case arguments == nil:
		return false
	case arguments[0] != '{':
		if m.On(rules.ArgumentsNotObject) {
			m.blameCall(rules.ArgumentsNotObject, e, n, "/arguments", "the arguments are "+scan.KindOf(arguments[0]).String()+", not an object")
		}
		return false
	case !value.IsFinite(arguments):
		if m.On(rules.ArgumentsNotFinite) {
			m.blameCall(rules.ArgumentsNotFinite, e, n, "/arguments", "the arguments have a number that is too big for a float64")
		}
		return false
	}
	return true
}

// judgeSame: id and name are those of the start, unless they were not known then.
func (m *Machine) judgeSame(c verifier.ClauseID, e *event.Event, n int, member string, quoted, before []byte) {
	if !m.On(c) || quoted == nil || len(before) == 0 {
		return
	}
	if now := m.text(quoted); !bytes.Equal(now, before) {
		m.blameCall(c, e, n, "/"+member, fmt.Sprintf("the call started with %s %q and ends with %q", member, verifier.Shown(string(before)), verifier.Shown(string(now))))
	}
}

// judgeArguments sets arguments, which are an object of that sum, against the joined text.
func (m *Machine) judgeArguments(e *event.Event, n int, arguments []byte, sum value.Sum, excused bool) {
	joined := m.blocks[n].draft.joined()
	if value.IsBlank(joined) {
		if m.On(rules.ArgumentsMismatchBlank) && !isEmpty(arguments) {
			m.blameCall(rules.ArgumentsMismatchBlank, e, n, "/arguments", "the call has arguments, and its deltas came to nothing")
		}
		return
	}
	switch defect := value.Examine(joined, m.limits.Depth); {
	case defect == value.TooDeep:
		m.exceed(rules.LimitDepth, "the arguments are nested deeper than %d", m.limits.Depth)
	case defect == value.Sound, defect == value.NotFinite:
		if m.On(rules.ArgumentsMismatch) && m.values.SumRecorded(joined) != sum {
			m.blameCall(rules.ArgumentsMismatch, e, n, "/arguments", fmt.Sprintf("the arguments are not what the %d bytes of text say", len(joined)))
		}
	case !isEmpty(arguments):
		if m.On(rules.ArgumentsRepaired) {
			m.blameCall(rules.ArgumentsRepaired, e, n, "/arguments", fmt.Sprintf("the call has arguments, though its %d bytes of text are no JSON object", len(joined)))
		}
	case m.On(rules.ArgumentsErrorMissing) && !excused:
		m.blameCall(rules.ArgumentsErrorMissing, e, n, "", fmt.Sprintf("the %d bytes of text are no JSON object, and no argumentsError says so", len(joined)))
	}
}

func isEmpty(object []byte) bool { return object[scan.Space(object, 1)] == '}' }
