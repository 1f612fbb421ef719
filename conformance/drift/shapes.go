package drift

import (
	"slices"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// shapes compares the objects that the SDK declares under the name that the
// protocol gives them. How SDKs call and cut them differs, so one that is not there
// says nothing, and no more does a constant that tells one from another. Where
// several declarations have the name, what one of them has right is right.
func (c *comparison) shapes() {
	for i := range c.against.Objects {
		o := &c.against.Objects[i]
		var found [][]Difference
		for _, p := range c.sdk.Shapes {
			if plain(p.Name) == plain(o.Name) {
				found = append(found, c.shape(o, p))
			}
		}
		c.result.SDK.Shapes += len(found)
		for _, d := range inAll(found) {
			c.add(d)
		}
	}
}

// shape compares one declaration.
func (c *comparison) shape(o *baseline.Object, p vocabulary.Payload) []Difference {
	alone := comparison{against: c.against}
	isTag := func(name string) bool {
		m, ok := o.Member(name)
		return ok && len(m.Schema.Enum) == 1
	}
	members := slices.DeleteFunc(slices.Clone(o.Members), func(m baseline.Member) bool { return isTag(m.Name) })
	p.Fields = slices.DeleteFunc(slices.Clone(p.Fields), func(f vocabulary.Field) bool { return isTag(f.Name) })
	alone.fields(o.Name, members, p)
	return alone.result.Differences
}

// inAll returns the differences of the first list that the others have too.
func inAll(lists [][]Difference) []Difference {
	if len(lists) == 0 {
		return nil
	}
	return slices.DeleteFunc(lists[0], func(d Difference) bool {
		return slices.ContainsFunc(lists[1:], func(other []Difference) bool {
			return !slices.ContainsFunc(other, func(x Difference) bool { return x.Kind == d.Kind && x.Field == d.Field })
		})
	})
}
