package event

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/agentstream/conformance/baseline"
)

// The shapes of baseline, compiled: names become positions, references pointers.

// An object is what an event or a named shape may hold.
type object struct {
	name     string
	open     bool
	members  []member
	required uint64 // by position in members

	event        baseline.EventType
	attributable bool
}

type member struct {
	name     string
	nullable bool
	required bool
	legacy   bool // nullable in the revision before: a null that consumers still take
	ordering bool // read by the order rules
	field    Field
	hasField bool
	schema   schema
}

type schema struct {
	kind     baseline.Kind
	enum     []string
	pattern  func(text []byte) bool
	min, max int64
	minItems int
	items    *schema
	object   *object
	union    *union
	oneOf    []schema
}

type union struct {
	name          string
	discriminator string
	variants      []variant
}

type variant struct {
	value  string
	object *object
}

// shapes are all of a revision.
type shapes struct {
	events  [baseline.EventTypeCount + 1]*object
	objects map[string]*object
}

// compiled are both revisions: 1.0, then 0.x.
var compiled = sync.OnceValue(func() [2]*shapes {
	p := baseline.AGUI()
	early, modern := &p.Revisions[0], p.Newest()
	return [2]*shapes{compile(modern, early), compile(early, nil)}
})

// Shape returns the compiled shape of a named object of a revision, for checking what is no event.
func shape(name string, early bool) *object { return pick(early).objects[name] }

func pick(early bool) *shapes {
	if early {
		return compiled()[1]
	}
	return compiled()[0]
}

type compiler struct {
	from   *baseline.Revision
	before *baseline.Revision // nil at the first
	out    *shapes
}

func compile(r, before *baseline.Revision) *shapes {
	c := compiler{from: r, before: before, out: &shapes{objects: map[string]*object{}}}
	for i := range r.Objects {
		c.out.objects[r.Objects[i].Name] = &object{}
	}
	for i := range r.Objects {
		o := &r.Objects[i]
		*c.out.objects[o.Name] = c.object(o.Name, o.Open, o.Members, c.oldObject(o.Name), c.ordering(o.Name, false))
	}
	for i := range r.Events {
		e := &r.Events[i]
		o := c.object(e.Type, e.Open, e.Members, c.oldEvent(e.Type), c.ordering(e.Type, true))
		o.event, o.attributable = baseline.EventTypeOf([]byte(e.Type)), e.Attributable
		c.out.events[o.event] = &o
	}
	return c.out
}

func (c *compiler) oldObject(name string) []baseline.Member {
	if c.before != nil {
		if o, ok := c.before.Object(name); ok {
			return o.Members
		}
	}
	return nil
}

func (c *compiler) oldEvent(name string) []baseline.Member {
	if c.before != nil {
		if e, ok := c.before.Event(name); ok {
			return e.Members
		}
	}
	return nil
}

func (c *compiler) object(name string, open bool, members, old []baseline.Member, ordering []string) object {
	o := object{name: name, open: open, members: make([]member, len(members))}
	if len(members) > 64 {
		panic("event: an object of more than 64 members needs a wider set than uint64")
	}
	for i := range members {
		m := &members[i]
		o.members[i] = member{
			name: m.Name, nullable: m.Nullable, required: m.Required,
			legacy: nullable(old, m.Name), ordering: slices.Contains(ordering, m.Name), schema: c.schema(&m.Schema, name),
		}
		if m.Required {
			o.required |= 1 << i
		}
		for f, n := range fieldNames {
			if n == m.Name {
				o.members[i].field, o.members[i].hasField = Field(f), true
			}
		}
	}
	return o
}

func nullable(members []baseline.Member, name string) bool {
	for i := range members {
		if members[i].Name == name {
			return members[i].Nullable
		}
	}
	return false
}

func (c *compiler) schema(s *baseline.Schema, owner string) schema {
	out := schema{kind: s.Kind, enum: s.Enum, minItems: s.MinItems, min: -1 << 63, max: 1<<63 - 1}
	if owner == "RunFinishedInterruptOutcome" {
		out.minItems = 0 // empty-interrupts is a code of its own
	}
	if s.Pattern != "" {
		out.pattern = pattern(s.Pattern)
	}
	if s.Min != nil {
		out.min = *s.Min
	}
	if s.Max != nil {
		out.max = *s.Max
	}
	if s.Items != nil {
		items := c.schema(s.Items, "")
		out.items = &items
	}
	if s.Ref != "" {
		out.object = c.ref(s.Ref)
	}
	if s.Kind == baseline.KindUnion {
		out.union = &union{name: s.Name, discriminator: s.Discriminator}
		for _, v := range s.Variants {
			out.union.variants = append(out.union.variants, variant{v.Value, c.ref(v.Ref)})
		}
	}
	for i := range s.OneOf {
		out.oneOf = append(out.oneOf, c.schema(&s.OneOf[i], ""))
	}
	return out
}

func (c *compiler) ref(name string) *object {
	o, ok := c.out.objects[name]
	if !ok {
		panic(fmt.Sprintf("event: baseline names %q, which it does not have", name))
	}
	return o
}

// pointerGrammar is RFC 6901's, checked by hand: it is in every operation of every patch.
const pointerGrammar = `^(/([^/~]|~[01])*)*$`

func pattern(p string) func([]byte) bool {
	if p == pointerGrammar {
		return isPointer
	}
	return regexp.MustCompile(p).Match
}

func isPointer(text []byte) bool {
	if len(text) > 0 && text[0] != '/' {
		return false
	}
	for i, c := range text {
		if c == '~' && (i+1 == len(text) || text[i+1] != '0' && text[i+1] != '1') {
			return false
		}
	}
	return true
}

// orderingMembers are what the order rules read of events, of the variants of a union, and of named
// objects: a fault there drops the event. The contract names type, ids, tag, names, role, messages
// and outcome; of those, what a rule looks at.
var orderingMembers = map[string][]string{
	"event": {"type", "messageId", "toolCallId", "parentMessageId", "entityId", "subagentRunId",
		"parentSubagentRunId", "threadId", "runId", "toolCallName", "stepName", "name", "role", "messages", "outcome"},
	"SUBAGENT_STARTED":   {"type", "subagentRunId", "parentSubagentRunId", "name"},
	"Message":            {"id", "role", "subagentRunId", "name", "toolCallId"},
	"ToolCall":           {"id"},
	"RunAgentInput":      {"messages"},
	"RunFinishedOutcome": {"type", "interrupts", "pendingToolCallIds"},
	"Interrupt":          {"id", "toolCallId"},
}

// ordering returns the names of the ordering members of an object, by its own name, by that of a
// union it belongs to, or as an event.
func (c *compiler) ordering(name string, event bool) []string {
	if list, ok := orderingMembers[name]; ok {
		return list
	}
	if event {
		return orderingMembers["event"]
	}
	for union := range orderingMembers {
		if c.isVariant(name, union) {
			return orderingMembers[union]
		}
	}
	return nil
}

func (c *compiler) isVariant(object, union string) bool {
	u, ok := c.from.Union(union)
	return ok && slices.ContainsFunc(u.Variants, func(v baseline.Variant) bool { return v.Ref == object })
}

// IsMessageRole reports whether some message of the newest revision has the role.
func IsMessageRole(role []byte) bool {
	for _, r := range messageRoles() {
		if string(role) == r {
			return true
		}
	}
	return false
}

var messageRoles = sync.OnceValue(func() []string {
	u, ok := baseline.AGUI().Newest().Union("Message")
	if !ok {
		panic("event: baseline has no union of messages")
	}
	var roles []string
	for _, v := range u.Variants {
		roles = append(roles, v.Value)
	}
	return roles
})
