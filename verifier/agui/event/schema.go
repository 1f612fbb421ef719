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
	never    bool // null is a wrong type although the member is optional: a guard's reading of a tag
	field    Field
	hasField bool
	schema   schema
}

type schema struct {
	kind     kind
	first    byte // of a value that needs no other check; 0 where each has to be looked into
	enum     []string
	pattern  func(text []byte) bool
	min, max int64
	minItems int
	items    *schema
	object   *object
	union    *union
	oneOf    []schema
}

// kind is baseline's kind as a number.
type kind uint8

const (
	kAny kind = iota
	kString
	kBoolean
	kNumber
	kInteger
	kArray
	kObject
	kRef
	kUnion
	kOneOf
)

var kinds = map[baseline.Kind]kind{
	baseline.KindAny: kAny, baseline.KindString: kString, baseline.KindBoolean: kBoolean, baseline.KindNumber: kNumber,
	baseline.KindInteger: kInteger, baseline.KindArray: kArray, baseline.KindObject: kObject, baseline.KindRef: kRef,
	baseline.KindUnion: kUnion, baseline.KindOneOf: kOneOf,
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

// A Reader is who reads the events, and so what of them is judged.
type Reader uint8

const (
	// Whole judges every member: profiles producer and consumer.
	Whole Reader = iota
	// ServerGuard and ClientGuard judge only what an SDK's own guards read.
	ServerGuard
	ClientGuard
)

// compiled are the shapes for each reader, of 1.0 and of 0.x.
var compiled = sync.OnceValue(func() (all [ClientGuard + 1][2]*shapes) {
	p := baseline.AGUI()
	early, modern := &p.Revisions[0], p.Newest()
	for r := range all {
		all[r] = [2]*shapes{compile(modern, early, Reader(r)), compile(early, nil, Reader(r))}
	}
	return all
})

type compiler struct {
	from   *baseline.Revision
	before *baseline.Revision // nil at the first
	reader Reader
	out    *shapes
}

func compile(r, before *baseline.Revision, reader Reader) *shapes {
	c := compiler{from: r, before: before, reader: reader, out: &shapes{objects: map[string]*object{}}}
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
		o.chosen("type")
		c.out.events[o.event] = &o
	}
	if reader != Whole && before != nil {
		c.retired()
	}
	return c.out
}

// retired lets a guard know the types that its revision has retired: it reads nothing of them, but
// they are events, which may not come after a run's end.
func (c *compiler) retired() {
	for i := range c.before.Events {
		t := baseline.EventTypeOf([]byte(c.before.Events[i].Type))
		if c.out.events[t] == nil {
			c.out.events[t] = &object{name: t.String(), open: true, event: t}
		}
	}
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
	o := object{name: name, open: open || c.reader != Whole}
	for i := range members {
		m := &members[i]
		reads := slices.Contains(ordering, m.Name)
		if c.reader != Whole && !reads {
			continue
		}
		if m.Required {
			o.required |= 1 << len(o.members)
		}
		legacy := nullable(old, m.Name) && name+"."+m.Name != nullState
		o.members = append(o.members, c.member(m, legacy, reads))
	}
	if len(o.members) > 64 {
		panic("event: an object of more than 64 members needs a wider set than uint64")
	}
	return o
}

func (c *compiler) member(m *baseline.Member, legacy, reads bool) member {
	out := member{
		name: m.Name, nullable: m.Nullable, required: m.Required, legacy: legacy, ordering: reads,
		never: c.reader != Whole && m.Name == SubagentRunID.String(), schema: c.schema(&m.Schema),
	}
	if m.Name == "interrupts" {
		out.schema.minItems = 0 // empty-interrupts is a code of its own
	}
	out.schema.first = out.schema.plain()
	for f, n := range fieldNames {
		if n == m.Name {
			out.field, out.hasField = Field(f), true
		}
	}
	return out
}

// nullState is nullable in 0.x and yet no legacy null: the specification names those that a consumer
// takes, and this one only the official parser does.
const nullState = "RunAgentInput.state"

// plain returns the byte that begins a value which needs no other check; 0 where there is none such.
func (s *schema) plain() byte {
	switch {
	case s.kind == kString && s.enum == nil && s.pattern == nil:
		return '"'
	case s.kind == kObject:
		return '{'
	}
	return 0
}

// chosen takes the constant off the member by which the shape was chosen.
func (o *object) chosen(name string) {
	for i := range o.members {
		if s := &o.members[i].schema; o.members[i].name == name {
			s.enum = nil
			s.first = s.plain()
		}
	}
}

func nullable(members []baseline.Member, name string) bool {
	for i := range members {
		if members[i].Name == name {
			return members[i].Nullable
		}
	}
	return false
}

func (c *compiler) schema(s *baseline.Schema) schema {
	out := schema{kind: kinds[s.Kind], enum: s.Enum, minItems: s.MinItems, min: -1 << 63, max: 1<<63 - 1}
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
		items := c.schema(s.Items)
		out.items = &items
	}
	if s.Ref != "" {
		out.object = c.ref(s.Ref)
		if c.reader != Whole && len(c.ordering(s.Ref, false)) == 0 {
			out.kind = kAny // a guard has no use for what is in it
		}
	}
	if s.Kind == baseline.KindUnion {
		out.union = &union{name: s.Name, discriminator: s.Discriminator}
		for _, v := range s.Variants {
			out.union.variants = append(out.union.variants, variant{v.Value, c.ref(v.Ref)})
		}
	}
	for i := range s.OneOf {
		out.oneOf = append(out.oneOf, c.schema(&s.OneOf[i]))
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

// guardMembers are what the guards read, in the same way. Events that are named stand for
// themselves; what a guard has no use for it does not read.
var guardMembers = map[string][]string{
	"event": {"type", "messageId", "toolCallId", "parentMessageId", "entityId", "subtype", "replace",
		"subagentRunId", "stepName", "messages", "input"},
	"STATE_SNAPSHOT":     {"type"},
	"STATE_DELTA":        {"type"},
	"RAW":                {"type"},
	"CUSTOM":             {"type"},
	"SUBAGENT_STARTED":   {"type", "subagentRunId", "parentSubagentRunId"},
	"Message":            {"id", "role", "subagentRunId", "toolCalls"},
	"ToolCall":           {"id"},
	"RunAgentInput":      {"messages"},
	"RunFinishedOutcome": {"type", "interrupts"},
	"Interrupt":          {},
}

// clientMembers are what the client's guard reads otherwise: nothing of chunks, and the outcome.
var clientMembers = map[string][]string{
	"RUN_FINISHED":            {"type", "outcome"},
	"TEXT_MESSAGE_CHUNK":      {"type"},
	"REASONING_MESSAGE_CHUNK": {"type"},
	"TOOL_CALL_CHUNK":         {"type"},
}

// ordering returns the names of an object's members that the reader's rules read, by its own name,
// by that of a union it belongs to, or as an event.
func (c *compiler) ordering(name string, event bool) []string {
	lists := orderingMembers
	if c.reader != Whole {
		lists = guardMembers
	}
	if list, ok := clientMembers[name]; ok && c.reader == ClientGuard {
		return list
	}
	if list, ok := lists[name]; ok {
		return list
	}
	if event {
		return lists["event"]
	}
	for union := range lists {
		if c.isVariant(name, union) {
			return lists[union]
		}
	}
	return nil
}

func (c *compiler) isVariant(object, union string) bool {
	u, ok := c.from.Union(union)
	return ok && slices.ContainsFunc(u.Variants, func(v baseline.Variant) bool { return v.Ref == object })
}
