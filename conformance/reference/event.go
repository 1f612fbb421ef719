package reference

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/baseline"
)

// An event is one that goes out, or a part of it: a JSON object, its members in order. Events are values: what changes one
// returns another.
type event struct {
	members []member
	bytes   []byte // what a fault sends in place of the members
}

type member struct {
	name  string
	value jsontext.Value // in compact form
}

func newEvent(t baseline.EventType) event { return event{}.with("type", t.String()) }

// with returns the event with a member set: at its place if it has it, else behind the others. A value that is nil, or a nil
// pointer to a string, leaves the event as it is.
func (e event) with(name string, value any) event {
	switch v := value.(type) {
	case nil:
		return e
	case *string:
		if v == nil {
			return e
		}
	case event:
		return e.set(name, v.json())
	}
	return e.set(name, encoded(value))
}

func (e event) set(name string, v jsontext.Value) event {
	members := make([]member, 0, len(e.members)+1)
	members = append(members, e.members...)
	for i := range members {
		if members[i].name == name {
			members[i].value = v
			return event{members: members}
		}
	}
	return event{members: append(members, member{name, v})}
}

// without returns the event without a member.
func (e event) without(name string) event {
	var members []member
	for _, m := range e.members {
		if m.name != name {
			members = append(members, m)
		}
	}
	return event{members: members}
}

// get returns a member's value; nil without one.
func (e event) get(name string) jsontext.Value {
	for _, m := range e.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text returns a member that is a string; "" for any other.
func (e event) text(name string) string { return textOf(e.get(name)) }

// is tells whether the event is of one of the types.
func (e event) is(types ...baseline.EventType) bool {
	name := e.text("type")
	for _, t := range types {
		if t.String() == name {
			return true
		}
	}
	return false
}

// json returns what goes on the wire.
func (e event) json() []byte {
	if e.bytes != nil {
		return e.bytes
	}
	b := []byte{'{'}
	for i, m := range e.members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, encoded(m.name)...), ':')
		b = append(b, m.value...)
	}
	return append(b, '}')
}

// parse reads an event that is a JSON object.
func parse(v jsontext.Value) event {
	var e event
	_ = eachMember(v, func(name string, v jsontext.Value) error {
		e.members = append(e.members, member{name, v})
		return nil
	})
	return e
}

// encoded returns the JSON of a value that has one: input was checked when it was read.
func encoded(value any) jsontext.Value {
	v, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("reference: %v", err))
	}
	return v
}

// textOf returns what a JSON string says; "" for any other value.
func textOf(v jsontext.Value) (s string) {
	if v.Kind() == '"' {
		_ = json.Unmarshal(v, &s)
	}
	return s
}
