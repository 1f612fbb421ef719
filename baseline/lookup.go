package baseline

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

//go:embed agui.json
var aguiJSON []byte

var agui = sync.OnceValue(func() *Protocol { return decode(aguiJSON) })

// AGUI returns the AG-UI protocol. It is decoded at the first call.
func AGUI() *Protocol { return agui() }

// decode panics on data that does not fit: it is compiled in, so only a
// build from a broken tree can hold any.
func decode(data []byte) *Protocol {
	var p Protocol
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		panic(fmt.Sprintf("baseline: embedded protocol data: %v", err))
	}
	return &p
}

// Newest returns the current revision.
func (p *Protocol) Newest() *Revision { return &p.Revisions[len(p.Revisions)-1] }

// Revision returns the revision with that name.
func (p *Protocol) Revision(name string) (*Revision, bool) {
	return find(p.Revisions, func(r *Revision) bool { return r.Name == name })
}

// Events returns every event type that any revision has, each in the shape of
// the newest revision that has it: the current types in the specification's
// order, then the retired ones (those with Until). EventType counts in this
// order.
func (p *Protocol) Events() []*Event {
	var events []*Event
	seen := map[string]bool{}
	for i := len(p.Revisions) - 1; i >= 0; i-- {
		for j := range p.Revisions[i].Events {
			e := &p.Revisions[i].Events[j]
			if !seen[e.Type] {
				seen[e.Type] = true
				events = append(events, e)
			}
		}
	}
	return events
}

// Event returns the revision's event of that type. The search is linear:
// compile tables once instead of asking per event.
func (r *Revision) Event(typ string) (*Event, bool) {
	return find(r.Events, func(e *Event) bool { return e.Type == typ })
}

// Object returns the revision's object of that name, also searching
// linearly. RunAgentInput is one.
func (r *Revision) Object(name string) (*Object, bool) {
	return find(r.Objects, func(o *Object) bool { return o.Name == name })
}

// Union returns the revision's union of that name, such as Message,
// ContentPart or RunFinishedOutcome. Every place that uses a union spells it
// out in full, so the first one found is as good as any.
func (r *Revision) Union(name string) (*Schema, bool) {
	for s := range r.Schemas() {
		if s.Kind == KindUnion && s.Name == name {
			return s, true
		}
	}
	return nil, false
}

// Member returns the event's member of that name.
func (e *Event) Member(name string) (*Member, bool) { return member(e.Members, name) }

// Member returns the object's member of that name.
func (o *Object) Member(name string) (*Member, bool) { return member(o.Members, name) }

func member(members []Member, name string) (*Member, bool) {
	return find(members, func(m *Member) bool { return m.Name == name })
}

func find[T any](list []T, match func(*T) bool) (*T, bool) {
	for i := range list {
		if match(&list[i]) {
			return &list[i], true
		}
	}
	return nil, false
}
