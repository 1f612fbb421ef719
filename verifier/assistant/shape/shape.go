// Package shape checks the members of an object against what package baseline/pi says of them. It knows
// no codes: a fault says which of four things is wrong, and who asks gives it a clause.
package shape

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier/scan"
)

// A Set is all shapes of one release, compiled. It is safe for concurrent use.
type Set struct {
	events map[string]*Object
	shapes map[string]*Object
}

// Compile returns the shapes of a profile, which may be none of pi's: that has everything. A member that
// only some forms of the provider stream have is optional. Members named in free may be anything. Compile
// panics on a name that there is no shape of; tables are literals.
func Compile(profile string, events []pi.Event, free ...string) *Set {
	shapes, choices := slices.Concat(pi.Shapes(), pi.SessionShapes()), pi.Choices()
	c := compiler{profile: profile, free: free, set: Set{events: map[string]*Object{}, shapes: map[string]*Object{}}}
	for i := range shapes {
		c.set.shapes[shapes[i].Name] = &Object{name: spoken(shapes[i].Name)}
	}
	for i := range choices {
		c.set.shapes[choices[i].Name] = &Object{name: spoken(choices[i].Name)}
	}
	for i := range shapes {
		c.members(c.set.shapes[shapes[i].Name], shapes[i].Members)
	}
	for i := range choices {
		c.choice(&choices[i])
	}
	for i := range events {
		if e := &events[i]; pi.In(profile, e.Since, e.Until) {
			o := &Object{name: e.Type}
			c.members(o, e.Members)
			c.set.events[e.Type] = o
		}
	}
	return &c.set
}

// Event returns the shape of an event or record of that type; nil where the profile has no such type.
func (s *Set) Event(typ []byte) *Object { return s.events[string(typ)] }

// Types returns the types that the profile has, sorted.
func (s *Set) Types() []string {
	var all []string
	for t := range s.events {
		all = append(all, t)
	}
	slices.Sort(all)
	return all
}

// Shape returns the shape of that name; nil without one.
func (s *Set) Shape(name string) *Object { return s.shapes[name] }

// An Object is what is known of an object's members.
type Object struct {
	name     string
	members  []member
	required uint64 // set of members
	by       string // of variants; empty where it has none
	variants []variant
	open     bool // values of by that are none of the variants' are legal
}

// spoken is a shape's name as a report says it: FinalMessage is the final message.
func spoken(name string) string {
	var b strings.Builder
	b.WriteString("the")
	for i, r := range strings.TrimPrefix(name, "DiCode") {
		if unicode.IsUpper(r) && (i == 0 || !strings.HasSuffix(b.String(), " u")) { // UI is one word
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Name returns the object's name in reports.
func (o *Object) Name() string { return o.name }

type member struct {
	name     string
	kind     pi.Kind
	nullable bool
	required bool
	values   []string
	items    pi.Kind
	of       *Object // nil: not looked into
}

type variant struct {
	value string
	of    *Object
}

// find returns the position of the member with that raw name, -1 where none is known. Producers write
// members in one order: where it is guessed to be is looked at first.
func (o *Object) find(raw []byte, guess int) int {
	if guess < len(o.members) && string(raw) == o.members[guess].name {
		return guess
	}
	for i := range o.members {
		if string(raw) == o.members[i].name {
			return i
		}
	}
	if slices.Contains(raw, '\\') {
		for i := range o.members {
			if scan.SameName(raw, o.members[i].name) {
				return i
			}
		}
	}
	return -1
}

type compiler struct {
	profile string
	free    []string
	set     Set
}

func (c *compiler) choice(x *pi.Choice) {
	o := c.set.shapes[x.Name]
	o.by, o.open = x.By, x.Open
	for _, v := range x.Variants {
		if pi.In(c.profile, v.Since, "") {
			o.variants = append(o.variants, variant{v.Value, c.ref(v.Of)})
		}
	}
}

func (c *compiler) members(o *Object, members []pi.Member) {
	for i := range members {
		m := &members[i]
		if !pi.In(c.profile, m.Since, m.Until) {
			continue
		}
		x := member{name: m.Name, kind: m.Kind, nullable: m.Nullable, values: m.Values, items: m.Items}
		if slices.Contains(c.free, m.Name) {
			x.kind, x.nullable = pi.Any, true
		} else if x.required = m.Required && m.Forms == 0; x.required {
			o.required |= 1 << len(o.members)
		}
		if m.Of != "" {
			x.of = c.ref(m.Of)
		}
		o.members = append(o.members, x)
	}
	if len(o.members) > 64 {
		panic("shape: an object of more than 64 members needs a wider set than uint64")
	}
}

func (c *compiler) ref(name string) *Object {
	o, ok := c.set.shapes[name]
	if !ok {
		panic(fmt.Sprintf("shape: %q is the name of no shape", name))
	}
	return o
}
