package drift

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// Options say how much is compared.
type Options struct {
	// TypesOnly compares the lists of event types and nothing else.
	TypesOnly bool

	// Shapes compares the objects that events hold too, where the SDK declares
	// one of that name.
	Shapes bool
}

// Compare says how an SDK and a revision differ. It fails where too little of the
// SDK could be read for that to mean anything.
func Compare(a Against, sdk *vocabulary.SDK, o Options) (*Result, error) {
	if o.TypesOnly {
		sdk = &vocabulary.SDK{Listed: sdk.Listed, Damaged: sdk.Damaged, Files: sdk.Files}
	}
	c := comparison{against: a, sdk: sdk, listed: map[string]vocabulary.Listed{}}
	for _, l := range sdk.Listed {
		c.listed[l.Value] = l
	}
	if len(c.listed) == 0 && len(sdk.Payloads) == 0 {
		return nil, c.nothing()
	}
	if len(sdk.Payloads) == 0 && !o.TypesOnly {
		return nil, fmt.Errorf("%s lists event types, but no declaration of their fields was found; the list alone can be compared too", sdk.Listed[0].At)
	}
	c.run()
	if o.Shapes {
		c.shapes()
	}
	if err := c.legible(); err != nil {
		return nil, err
	}
	c.sort()
	c.result.Against = a
	c.result.SDK = Subject{Files: sdk.Files, Types: len(c.types()), Payloads: len(sdk.Payloads), Shapes: c.result.SDK.Shapes}
	return &c.result, nil
}

type comparison struct {
	against  Against
	sdk      *vocabulary.SDK
	listed   map[string]vocabulary.Listed
	payloads map[string][]vocabulary.Payload // by value; those without under ""
	result   Result
	excused  map[string]bool // types that a discriminator of another value explains
}

func (c *comparison) nothing() error {
	text := fmt.Sprintf("no event type found in %s", count(c.sdk.Files, "file"))
	if len(c.sdk.Damaged) > 0 {
		text += "; " + c.sdk.Damaged[0].Problem.Error()
	}
	return fmt.Errorf("%s", text)
}

func (c *comparison) run() {
	for _, d := range c.sdk.Damaged {
		c.unparsed("", d.Problem)
	}
	c.discriminators()
	for i := range c.against.Events {
		c.event(&c.against.Events[i])
	}
	for _, value := range c.types() {
		if _, ok := c.against.Event(value); !ok && !c.excused[value] && !c.unused(value) {
			c.surplus(value)
		}
	}
	for _, p := range c.sdk.Payloads {
		if p.Unused {
			c.add(Difference{Kind: UnusedPayload, Type: cmp.Or(p.Value, p.Name), Detail: p.Name, At: p.At})
		} else if p.Unparsed != nil {
			c.unparsed(cmp.Or(p.Value, p.Name), *p.Unparsed)
		}
	}
}

// types are the values that the SDK has, in its own order.
func (c *comparison) types() []string {
	var out []string
	seen := map[string]bool{"": true}
	add := func(value string) {
		if !seen[value] {
			seen[value] = true
			out = append(out, value)
		}
	}
	for _, l := range c.sdk.Listed {
		add(l.Value)
	}
	for _, p := range c.sdk.Payloads {
		add(p.Value)
	}
	return out
}

// discriminators finds types whose name says one event and whose value another.
// They are then taken for what their name says.
func (c *comparison) discriminators() {
	c.excused = map[string]bool{}
	named := map[string]string{} // plain name to event type
	for _, e := range c.against.Events {
		named[plain(e.Type)] = e.Type
	}
	for _, l := range c.sdk.Listed {
		c.misnamed(named, l.Name, l.Value, l.At)
	}
	c.payloads = map[string][]vocabulary.Payload{}
	for _, p := range c.sdk.Payloads {
		value := p.Value
		if c.misnamed(named, p.Name, p.Value, p.At) {
			value = named[plain(p.Name)]
		}
		c.payloads[value] = append(c.payloads[value], p)
	}
}

func (c *comparison) misnamed(named map[string]string, name, value string, at vocabulary.Place) bool {
	want, ok := named[plain(name)]
	if !ok || want == value || value == "" {
		return false
	}
	c.add(Difference{Kind: Discriminator, Type: want, Detail: fmt.Sprintf("%s is %q", name, value), At: at})
	c.excused[want] = true
	if _, known := c.against.Event(value); !known {
		c.excused[value] = true
	}
	return true
}

// plain reduces a name to what languages leave of it: EventTypeRunStarted,
// RUN_STARTED, RunStartedEvent and RunStartedEventSchema are one.
func plain(name string) string {
	s := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	s = strings.TrimPrefix(s, "eventtype")
	for _, suffix := range []string{"schema", "payload", "event"} {
		s = strings.TrimSuffix(s, suffix)
	}
	return s
}

func (c *comparison) add(d Difference) {
	same := func(x Difference) bool { return x.Kind == d.Kind && x.Type == d.Type && x.Field == d.Field }
	if !slices.ContainsFunc(c.result.Differences, same) {
		c.result.Differences = append(c.result.Differences, d)
	}
}

func (c *comparison) unparsed(what string, p vocabulary.Problem) {
	u := Unparsed{What: what, Problem: p}
	if !slices.Contains(c.result.Unparsed, u) {
		c.result.Unparsed = append(c.result.Unparsed, u)
	}
}

// event compares one event type of the baseline.
func (c *comparison) event(e *baseline.Event) {
	l, listed := c.listed[e.Type]
	payloads := c.payloads[e.Type]
	switch {
	case c.excused[e.Type] && len(payloads) == 0:
		return
	case !listed && len(payloads) == 0:
		c.missing(e)
		return
	case !listed && len(c.listed) > 0 && !c.excused[e.Type]:
		c.add(Difference{Kind: UnlistedType, Type: e.Type, At: payloads[0].At})
	case len(payloads) == 0:
		if p, ok := c.unvalued(e.Type); ok {
			c.unparsed(e.Type, *p.Unparsed)
		} else if len(c.sdk.Payloads) > 0 && !c.maybeDamaged(e.Type) {
			c.add(Difference{Kind: NoPayload, Type: e.Type, At: l.At})
		}
	}
	for _, p := range payloads {
		if p.Unparsed == nil && !p.Unused {
			c.fields(e.Type, e.Members, p)
		}
	}
}

// unvalued returns the declaration without a discriminator that is named like
// the event and could not be read.
func (c *comparison) unvalued(typ string) (vocabulary.Payload, bool) {
	for _, p := range c.payloads[""] {
		if p.Unparsed != nil && plain(p.Name) == plain(typ) {
			return p, true
		}
	}
	return vocabulary.Payload{}, false
}

// missing reports a type that the SDK lacks, unless a file that could not be
// read whole mentions it.
func (c *comparison) missing(e *baseline.Event) {
	if !c.maybeDamaged(e.Type) {
		c.add(Difference{Kind: MissingType, Type: e.Type})
	}
}

func (c *comparison) maybeDamaged(typ string) bool {
	for _, d := range c.sdk.Damaged {
		if strings.Contains(d.Text, typ) || strings.Contains(d.Text, camel(typ)) {
			c.unparsed(typ, vocabulary.Problem{Reason: "not found, but this file could not be read whole", At: vocabulary.Place{File: d.At.File}})
			return true
		}
	}
	return false
}

// camel turns TEXT_MESSAGE_START into TextMessageStart.
func camel(wire string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(wire, "_") {
		b.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return b.String()
}

// unused says whether every declaration of a type is left out by the SDK itself,
// which is what is reported of it then.
func (c *comparison) unused(value string) bool {
	list := c.payloads[value]
	return len(list) > 0 && !slices.ContainsFunc(list, func(p vocabulary.Payload) bool { return !p.Unused })
}

// surplus reports a type that the revision lacks.
func (c *comparison) surplus(value string) {
	d := Difference{Kind: UnknownType, Type: value, At: c.listed[value].At}
	if p := c.payloads[value]; len(p) > 0 {
		d.At = p[0].At
	}
	if name, ok := c.against.elsewhere(value, ""); ok {
		d.Detail = name + " has it"
		if c.against.retired(value, "") {
			d.Kind = RetiredType
		}
	}
	c.add(d)
}

// fields compares the fields of one declaration with the members of an event or a shape.
func (c *comparison) fields(owner string, members []baseline.Member, p vocabulary.Payload) {
	has := map[string]bool{}
	spelled := map[string]vocabulary.Field{} // plain name to a field that the event has not
	for _, f := range p.Fields {
		if has[f.Name] = true; !hasMember(members, f.Name) {
			spelled[plainField(f.Name)] = f
		}
	}
	renamed := map[string]bool{}
	for _, m := range members {
		f, close := spelled[plainField(m.Name)]
		switch {
		case has[m.Name]:
		case close:
			renamed[f.Name] = true
			c.add(Difference{Kind: WireName, Type: owner, Field: m.Name, Detail: f.Name + " in the SDK", At: f.At})
		default:
			c.add(Difference{Kind: MissingField, Type: owner, Field: m.Name, At: p.At})
		}
	}
	for _, f := range p.Fields {
		i := slices.IndexFunc(members, func(m baseline.Member) bool { return m.Name == f.Name })
		if i >= 0 {
			c.presence(owner, &members[i], f)
		} else if !renamed[f.Name] {
			c.surplusField(owner, f)
		}
	}
}

func hasMember(members []baseline.Member, name string) bool {
	return slices.ContainsFunc(members, func(m baseline.Member) bool { return m.Name == name })
}

func plainField(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

func (c *comparison) presence(owner string, m *baseline.Member, f vocabulary.Field) {
	want := vocabulary.Optional
	if m.Required {
		want = vocabulary.Required
	}
	if f.Presence == vocabulary.Unsaid || f.Presence == want {
		return
	}
	c.add(Difference{Kind: Optionality, Type: owner, Field: m.Name, Detail: fmt.Sprintf("%s, %s in the SDK", want, f.Presence), At: f.At})
}

func (c *comparison) surplusField(owner string, f vocabulary.Field) {
	d := Difference{Kind: UnknownField, Type: owner, Field: f.Name, At: f.At}
	if name, ok := c.against.elsewhere(owner, f.Name); ok {
		d.Detail = name + " has it"
		if c.against.retired(owner, f.Name) {
			d.Kind = RetiredField
		}
	}
	c.add(d)
}

// legible fails where half of the payload types or more could not be read.
func (c *comparison) legible() error {
	types, bad := map[string]bool{}, map[string]bool{}
	for _, p := range c.sdk.Payloads {
		types[cmp.Or(p.Value, p.Name)] = true
	}
	var first *Unparsed
	for i, u := range c.result.Unparsed {
		if u.What == "" {
			continue
		}
		types[u.What], bad[u.What] = true, true
		if first == nil {
			first = &c.result.Unparsed[i]
		}
	}
	if len(bad) > 0 && len(bad)*2 >= len(types) {
		return fmt.Errorf("%d of %s could not be read, the first: %s: %s", len(bad), count(len(types), "event type"), first.What, first.Problem.Error())
	}
	return nil
}

// sort puts differences in the order of kinds, and within one in the order they were found.
func (c *comparison) sort() {
	rank := map[Kind]int{}
	for i, k := range kinds {
		rank[k.Kind] = i
	}
	slices.SortStableFunc(c.result.Differences, func(a, b Difference) int { return rank[a.Kind] - rank[b.Kind] })
}

// count says how many there are of something.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
