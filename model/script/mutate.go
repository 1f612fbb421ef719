package script

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// A Mutation is a legal script that means something else than another one does, whatever section 4 of the contract allows a
// subject: the answer to the one is not faithful to the other.
type Mutation struct {
	Script Script
	What   string // in a few words, with the place in the script that was changed
}

// String is what was done, and the script.
func (m Mutation) String() string { return m.What + ": " + string(m.Script.JSON()) }

// GoString is String: rapid prints what it drew with %#v.
func (m Mutation) GoString() string { return m.String() }

// Mutations are all that change one thing: drop, change, reorder or retag it. There is at least one. The script has to be legal,
// or legal but for what is emitted.
func Mutations(s Script, in Input) []Mutation {
	o := original{s.JSON(), in, s.Check(in) == nil}
	var out []Mutation
	for i := range o.edits() {
		if m, ok := o.mutation(i); ok {
			out = append(out, m)
		}
	}
	return out
}

// Mutate draws one of Mutations.
func Mutate(s Script, in Input) *rapid.Generator[Mutation] {
	o := original{s.JSON(), in, s.Check(in) == nil}
	count := o.edits()
	return rapid.Custom(func(t *rapid.T) Mutation {
		first := int(mix(uint64(seeds.Draw(t, "edit"))) % uint64(count))
		for i := range count {
			if m, ok := o.mutation((first + i) % count); ok {
				return m
			}
		}
		panic("script: nothing can be changed in " + string(s.JSON())) // an addition always is possible
	})
}

// An original is what is mutated.
type original struct {
	data    []byte
	in      Input
	isLegal bool // without a guard
}

func (o original) edits() int { return len(newMutator(o.data, o.isLegal).edits) }

// mutation is what the edit of a number makes of the script, if that is legal.
func (o original) mutation(number int) (Mutation, bool) {
	m := newMutator(o.data, o.isLegal)
	e := m.edits[number]
	e.do()
	if m.script.Check(o.in) != nil && (o.isLegal || m.script.CheckGuard(o.in) != nil) {
		return Mutation{}, false
	}
	return Mutation{m.script, fmt.Sprintf("%s at %q", e.what, string(e.at))}, true
}

// A mutator has its own copy of a script, and the edits that can be done to it. After one is done, the others are void.
type mutator struct {
	script  Script
	isLegal bool // without a guard
	edits   []edit
	at      jsontext.Pointer

	mentions map[string]int // of labels, by namespace
	placed   labels         // texts and calls outside parallel: their place tells which is which
	listed   bool           // a snapshot lists activities

	parallel int
	unsure   bool // the owner is not announced: nothing but its items shows its label
	dead     bool // the run has failed: nothing that follows happens
}

type edit struct {
	what string
	at   jsontext.Pointer
	do   func()
}

// changed is what no script has.
const changed = "conformance.changed"

func newMutator(data []byte, isLegal bool) *mutator {
	own, err := Parse(data)
	if err != nil {
		panic(err) // what is no script is not given to Mutate
	}
	m := &mutator{script: own, isLegal: isLegal, mentions: map[string]int{}, placed: labels{}}
	m.count()
	m.place(own)
	first := 0
	for first < len(own) && own[first].Replay != nil {
		first++
	}
	m.list((*[]Action)(&m.script), "")
	if isEarly := len(own) == 1 && own[0].Fail != nil && own[0].Fail.Early; !isEarly {
		m.at = jsontext.Pointer("").AppendToken(strconv.Itoa(first))
		m.add("adds an event", func() {
			extra := Action{Custom: &Custom{Name: changed, Value: jsontext.Value("null")}}
			m.script = slices.Insert(m.script, first, extra)
		})
	}
	return m
}

// count notes how often labels and ids are mentioned.
func (m *mutator) count() {
	m.script.Rename(func(namespace, label string) string {
		m.mentions[namespace+" "+label]++
		return label
	})
	for a := range m.script.all() {
		ids := labels{}
		switch {
		case a.Emit != nil:
			event, _ := decoded(a.Emit.Event).(map[string]any)
			ids.addEvent(event)
			m.noteListed(objectsOf(event["messages"]))
		case a.MessagesSnapshot != nil:
			all := objectsOf(decoded(a.MessagesSnapshot.Messages))
			ids.addMessages(all)
			m.noteListed(all)
		}
		for namespace, set := range ids {
			for id := range set {
				m.mentions[namespace+" "+id]++
			}
		}
	}
}

func (m *mutator) noteListed(messages []map[string]any) {
	for _, l := range messages {
		m.listed = m.listed || l["role"] == "activity"
	}
}

func (m *mutator) once(namespace, label string) bool { return m.mentions[namespace+" "+label] == 1 }

// place notes the texts and calls outside parallel.
func (m *mutator) place(all []Action) {
	for i := range all {
		m.placeOne(&all[i])
	}
}

func (m *mutator) placeOne(a *Action) {
	switch {
	case a.Parallel != nil:
		return
	case a.Text != nil:
		m.placed.add(Messages, a.Text.ID)
	case a.ToolCall != nil:
		m.placed.add(Calls, a.ToolCall.ID)
	}
	for inner := range a.inside() {
		m.placeOne(inner)
	}
}

// add offers an edit at the present place.
func (m *mutator) add(what string, do func()) { m.edits = append(m.edits, edit{what, m.at, do}) }

// below does something at a place inside the present one.
func (m *mutator) below(f func(), tokens ...string) {
	at := m.at
	for _, t := range tokens {
		m.at = m.at.AppendToken(t)
	}
	f()
	m.at = at
}
