package drift

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/conformance/internal/printable"
)

// Sort says what a change means to who moves from one revision to another.
type Sort string

// The sorts of change, in the order of a report.
const (
	AddedType    Sort = "added-type"
	RetiredOwner Sort = "retired-type"
	AddedField   Sort = "added-field"
	RemovedField Sort = "removed-field"
	Tightened    Sort = "tightened"
	Loosened     Sort = "loosened"
	Changed      Sort = "changed"
)

var sorts = []struct {
	sort  Sort
	title string
}{
	{AddedType, "added event types and shapes"},
	{RetiredOwner, "retired event types and removed shapes"},
	{AddedField, "added fields"},
	{RemovedField, "removed fields"},
	{Tightened, "tightened: what was legal may be refused"},
	{Loosened, "loosened: what was refused may come"},
	{Changed, "changed"},
}

// Change is one difference between two revisions.
type Change struct {
	Sort   Sort   `json:"sort"`
	Owner  string `json:"owner"` // the event type, or the shape
	Field  string `json:"field,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Between lists what changed from one revision to another: events first, then
// shapes, each in the newer one's order.
func Between(from, to *baseline.Revision) []Change {
	var out []Change
	for _, e := range to.Events {
		old, ok := from.Event(e.Type)
		if !ok {
			out = append(out, Change{Sort: AddedType, Owner: e.Type})
			continue
		}
		out = append(out, opened(e.Type, old.Open, e.Open)...)
		out = append(out, between(e.Type, old.Members, e.Members)...)
	}
	for _, e := range from.Events {
		if _, ok := to.Event(e.Type); !ok {
			out = append(out, Change{Sort: RetiredOwner, Owner: e.Type})
		}
	}
	for _, o := range to.Objects {
		old, ok := from.Object(o.Name)
		if !ok {
			out = append(out, Change{Sort: AddedType, Owner: o.Name})
			continue
		}
		out = append(out, opened(o.Name, old.Open, o.Open)...)
		out = append(out, between(o.Name, old.Members, o.Members)...)
	}
	for _, o := range from.Objects {
		if _, ok := to.Object(o.Name); !ok {
			out = append(out, Change{Sort: RetiredOwner, Owner: o.Name})
		}
	}
	return out
}

func opened(owner string, from, to bool) []Change {
	switch {
	case from && !to:
		return []Change{{Tightened, owner, "", "takes no unknown members any more"}}
	case !from && to:
		return []Change{{Loosened, owner, "", "takes unknown members"}}
	}
	return nil
}

func between(owner string, from, to []baseline.Member) []Change {
	var out []Change
	for _, m := range to {
		i := slices.IndexFunc(from, func(x baseline.Member) bool { return x.Name == m.Name })
		if i >= 0 {
			out = append(out, memberBetween(owner, from[i], m)...)
			continue
		}
		detail := "optional"
		if m.Required {
			detail = "required"
		}
		out = append(out, Change{AddedField, owner, m.Name, detail})
	}
	for _, m := range from {
		if !slices.ContainsFunc(to, func(x baseline.Member) bool { return x.Name == m.Name }) {
			out = append(out, Change{RemovedField, owner, m.Name, ""})
		}
	}
	return out
}

func memberBetween(owner string, from, to baseline.Member) []Change {
	var out []Change
	say := func(s Sort, detail string) { out = append(out, Change{s, owner, to.Name, detail}) }
	switch {
	case !from.Required && to.Required:
		say(Tightened, "required")
	case from.Required && !to.Required:
		say(Loosened, "optional")
	}
	switch {
	case from.Nullable && !to.Nullable:
		say(Tightened, "not null any more")
	case !from.Nullable && to.Nullable:
		say(Loosened, "may be null")
	}
	if a, b := rendered(from.Schema), rendered(to.Schema); a != b {
		say(narrowing(from.Schema, to.Schema), a+" to "+b)
	}
	return out
}

// narrowing says whether a schema takes less than another, more, or neither.
func narrowing(from, to baseline.Schema) Sort {
	switch {
	case within(to, from):
		return Tightened
	case within(from, to):
		return Loosened
	}
	return Changed
}

// within says whether all that a takes b takes too, as far as tables tell.
func within(a, b baseline.Schema) bool {
	if b.Kind == baseline.KindOneOf {
		return slices.ContainsFunc(b.OneOf, func(option baseline.Schema) bool { return within(a, option) })
	}
	switch {
	case b.Kind == baseline.KindAny:
		return true
	case a.Kind == baseline.KindInteger && b.Kind == baseline.KindNumber:
		return true
	case (a.Kind == baseline.KindRef || a.Kind == baseline.KindUnion) && b.Kind == baseline.KindObject:
		return true
	case a.Kind != b.Kind:
		return false
	}
	switch a.Kind {
	case baseline.KindString:
		return (b.Pattern == "" || a.Pattern == b.Pattern) && (b.Enum == nil || a.Enum != nil && subset(a.Enum, b.Enum))
	case baseline.KindInteger:
		return bounded(b.Min, a.Min, 1) && bounded(b.Max, a.Max, -1)
	case baseline.KindArray:
		return a.MinItems >= b.MinItems && within(*a.Items, *b.Items)
	case baseline.KindUnion:
		return subset(variantsOf(a), variantsOf(b))
	}
	return rendered(a) == rendered(b)
}

// bounded says whether a bound lets through no more than the wider one.
func bounded(wide, narrow *int64, sign int64) bool {
	return wide == nil || narrow != nil && *narrow*sign >= *wide*sign
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

func variantsOf(s baseline.Schema) []string {
	var out []string
	for _, v := range s.Variants {
		out = append(out, v.Value)
	}
	return out
}

// rendered writes a schema short.
func rendered(s baseline.Schema) string {
	switch s.Kind {
	case baseline.KindString:
		switch {
		case s.Enum != nil:
			return strings.Join(s.Enum, "|")
		case s.Pattern != "":
			return "string of a pattern"
		}
	case baseline.KindInteger:
		var bounds []string
		if s.Min != nil {
			bounds = append(bounds, fmt.Sprintf("from %d", *s.Min))
		}
		if s.Max != nil {
			bounds = append(bounds, fmt.Sprintf("to %d", *s.Max))
		}
		return strings.Join(append([]string{"integer"}, bounds...), " ")
	case baseline.KindArray:
		if s.MinItems > 0 {
			return fmt.Sprintf("%s[%d or more]", rendered(*s.Items), s.MinItems)
		}
		return rendered(*s.Items) + "[]"
	case baseline.KindRef:
		return s.Ref
	case baseline.KindUnion:
		return fmt.Sprintf("%s (%s)", s.Name, strings.Join(variantsOf(s), "|"))
	case baseline.KindOneOf:
		var options []string
		for _, o := range s.OneOf {
			options = append(options, rendered(o))
		}
		return strings.Join(options, " or ")
	}
	return string(s.Kind)
}

// BetweenWriter writes what changed between two revisions.
type BetweenWriter func(w io.Writer, from, to *baseline.Revision, changes []Change) error

// BetweenIn returns the writer of a format; SARIF has nothing to show them in.
func BetweenIn(format string) (BetweenWriter, bool) {
	w, ok := map[string]BetweenWriter{"text": betweenText, "json": betweenJSON, "markdown": betweenMarkdown}[format]
	return w, ok
}

func betweenText(w io.Writer, from, to *baseline.Revision, changes []Change) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s to %s\n", baseline.AGUI().Name, from.Name, to.Name)
	for _, s := range sorts {
		list := ofSort(changes, s.sort)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s (%d)\n", s.title, len(list))
		for _, group := range alike(list) {
			text := group[0].what()
			var owners []string
			for _, c := range group {
				owners = append(owners, c.Owner)
			}
			if text == "" {
				fmt.Fprintf(&b, "  %s\n", owners[0])
				continue
			}
			fmt.Fprintf(&b, "  %s\n%s", printable.Escape(text), wrapped(strings.Join(owners, ", "), "      ", "      "))
		}
	}
	fmt.Fprintf(&b, "\n%s\n", count(len(changes), "change"))
	_, err := io.WriteString(w, b.String())
	return err
}

// what says what changed, without where.
func (c Change) what() string {
	switch {
	case c.Field == "":
		return c.Detail
	case c.Detail == "":
		return c.Field
	}
	return c.Field + ": " + c.Detail
}

// alike groups changes that say the same of several owners.
func alike(list []Change) [][]Change {
	var out [][]Change
	at := map[string]int{}
	for _, c := range list {
		what := c.what()
		if i, ok := at[what]; ok && what != "" {
			out[i] = append(out[i], c)
			continue
		}
		at[what] = len(out)
		out = append(out, []Change{c})
	}
	return out
}

func ofSort(changes []Change, s Sort) []Change {
	var out []Change
	for _, c := range changes {
		if c.Sort == s {
			out = append(out, c)
		}
	}
	return out
}

func betweenJSON(w io.Writer, from, to *baseline.Revision, changes []Change) error {
	if changes == nil {
		changes = []Change{}
	}
	return indented(w, struct {
		Version int      `json:"version"`
		From    string   `json:"from"`
		To      string   `json:"to"`
		Changes []Change `json:"changes"`
	}{1, from.Name, to.Name, changes})
}

func betweenMarkdown(w io.Writer, from, to *baseline.Revision, changes []Change) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s to %s\n", baseline.AGUI().Name, from.Name, to.Name)
	for _, s := range sorts {
		list := ofSort(changes, s.sort)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s (%d)\n\n| what | field | how |\n| --- | --- | --- |\n", capital(s.title), len(list))
		for _, c := range list {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", code(c.Owner), code(c.Field), escaped(c.Detail))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
