package reference

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// contract is the version of scripts that is read.
const contract = 1

// The limits of a script.
const (
	maxNesting = 200
	maxActions = 100_000
)

// An action is one thing that the agent does.
type action struct {
	name string
	members
}

// members are what was given, as their kinds read them: string, bool, jsontext.Value, []piece, []action, [][]action, []string,
// members, []members.
type members map[string]any

// A piece is a delta, or an action between two deltas.
type piece struct {
	delta  string
	action *action
}

// get returns a member; the zero value where it was not given, or is of another kind.
func get[T any](m members, name string) T {
	v, _ := m[name].(T)
	return v
}

func (m members) text(name string) string { return get[string](m, name) }

// copy returns the event with those members that were given.
func (m members) copy(e event, names ...string) event {
	for _, name := range names {
		e = e.with(name, m[name])
	}
	return e
}

// A shape says what members an object has.
type shape map[string]field

type field struct {
	kind     kind
	required bool
}

func must(k kind) field { return field{k, true} }
func may(k kind) field  { return field{k, false} }

// shapeOf returns the members of an action, as the table of the contract has them; nil for an action that there is not.
func shapeOf(action string) shape {
	switch action {
	case "text":
		return shape{"id": must(text), "stream": must(stream), "role": may(oneOf("developer", "system", "assistant", "user")), "name": may(text),
			"form": may(form), "metadata": may(object), "encryptedValue": may(text)}
	case "toolCall":
		return shape{"id": must(text), "name": must(text), "stream": must(stream), "parent": may(text), "form": may(form),
			"metadata": may(object), "encryptedValue": may(text)}
	case "toolResult":
		return shape{"id": must(text), "call": must(text), "content": must(textOrObjects), "metadata": may(object)}
	case "reasoning":
		message := shape{"id": must(text), "stream": must(stream), "encryptedValue": may(text), "metadata": may(object)}
		return shape{"messages": must(listOf("reasoning.messages", message)), "span": may(text), "form": may(form)}
	case "step":
		return shape{"name": must(text), "do": must(actions)}
	case "parallel":
		return shape{"branches": must(branches)}
	case "subagent":
		return shape{"id": must(text), "name": must(text), "do": must(actions), "description": may(text), "parentToolCall": may(text),
			"parentMessage": may(text), "announce": may(flag), "end": may(subagentEnd)}
	case "stateSnapshot":
		return shape{"snapshot": must(anything)}
	case "stateDelta":
		return shape{"patch": must(objects)}
	case "messagesSnapshot":
		return shape{"messages": must(objects)}
	case "activity":
		return shape{"id": must(text), "type": must(text), "content": must(object), "replace": may(flag), "metadata": may(object)}
	case "activityDelta":
		return shape{"id": must(text), "type": must(text), "patch": must(objects)}
	case "custom":
		return shape{"name": must(text), "value": must(anything)}
	case "raw":
		return shape{"event": must(anything), "source": may(text)}
	case "emit":
		return shape{"event": must(object)}
	case "echo":
		return shape{"pointer": must(pointer)}
	case "gate":
		return shape{"name": must(text)}
	case "replay":
		return shape{"run": must(text), "do": must(actions), "error": may(one("replay.error", failed))}
	case "finish":
		return shape{"result": may(notNull), "pending": may(texts), "usage": may(someObjects)}
	case "interrupt":
		return shape{"interrupts": must(someObjects), "usage": may(someObjects)}
	case "cancel":
		return shape{"usage": may(someObjects)}
	case "fail":
		return shape{"message": must(text), "code": may(text), "usage": may(someObjects), "early": may(flag)}
	case "panic":
		return shape{"message": must(text)}
	}
	return nil
}

var (
	failed    = shape{"message": must(text), "code": may(text)}
	suspended = shape{"interrupts": must(texts)}
	succeeded = shape{"result": may(notNull)}
)

// A reader reads one script.
type reader struct {
	depth, actions int
	unsupported    []string // what the contract does not have
}

// readScript reads an array of actions. Of one that has the right shape, but for actions and members that there are not, these
// are returned as unsupported: ACTION, or ACTION.MEMBER.
func readScript(v jsontext.Value) (script []action, unsupported []string, err error) {
	r := &reader{}
	all, err := actions(r, v)
	if err != nil {
		return nil, nil, under("script", err)
	}
	return all.([]action), slices.Compact(r.unsupported), nil
}

// members reads an object by its shape. what names it in the list of what is not supported.
func (r *reader) members(what string, s shape, v jsontext.Value) (members, error) {
	if v.Kind() != '{' {
		return nil, misfits("not an object")
	}
	out := members{}
	err := eachMember(v, func(name string, v jsontext.Value) error {
		f, known := s[name]
		if !known {
			r.unsupported = append(r.unsupported, what+"."+name)
			return nil
		}
		value, err := f.kind(r, v)
		out[name] = value
		return under(name, err)
	})
	if err != nil {
		return nil, err
	}
	for name, f := range s {
		if _, given := out[name]; f.required && !given {
			return nil, misfits("no member %q", name)
		}
	}
	return out, nil
}

// only returns the one member of an object that has exactly one.
func only(v jsontext.Value) (name string, value jsontext.Value, err error) {
	if v.Kind() != '{' {
		return "", nil, misfits("not an object")
	}
	n := 0
	err = eachMember(v, func(m string, v jsontext.Value) error {
		n++
		name, value = m, v
		return nil
	})
	if err == nil && n != 1 {
		err = misfits("%d members, exactly one is needed", n)
	}
	return name, value, err
}

func (r *reader) action(v jsontext.Value) (a action, err error) {
	name, value, err := only(v)
	if err != nil {
		return a, err
	}
	if r.actions++; r.actions > maxActions {
		return a, misfits("more than %d actions", maxActions)
	}
	if r.depth++; r.depth > maxNesting {
		return a, misfits("actions nested deeper than %d", maxNesting)
	}
	defer func() { r.depth-- }()
	s := shapeOf(name)
	if s == nil {
		r.unsupported = append(r.unsupported, name)
		return action{name: name}, nil
	}
	m, err := r.members(name, s, value)
	return action{name, m}, under(name, err)
}

// list reads an array, element by element.
func list[T any](v jsontext.Value, read func(v jsontext.Value) (T, error)) ([]T, error) {
	if v.Kind() != '[' {
		return nil, misfits("not an array")
	}
	out := []T{}
	for i, e := range elements(v) {
		x, err := read(e)
		if err != nil {
			return nil, under(i, err)
		}
		out = append(out, x)
	}
	return out, nil
}
