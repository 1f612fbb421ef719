package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline"
)

// Against is the vocabulary that an SDK is compared with.
type Against struct {
	Protocol string
	*baseline.Revision

	// others are the other revisions and releases, oldest first: they tell what
	// was retired, and what is newer, from what never was.
	others []*baseline.Revision
}

// Revision returns the vocabulary of a revision of AG-UI, or of a release in its
// history. The empty name is the current revision's.
func Revision(name string) (Against, error) {
	a := Against{Protocol: baseline.AGUI().Name}
	var names []string
	for _, p := range []*baseline.Protocol{baseline.AGUI(), baseline.History()} {
		for i := range p.Revisions {
			r := &p.Revisions[i]
			if names = append(names, r.Name); r.Name == name && a.Revision == nil {
				a.Revision = r
			} else {
				a.others = append(a.others, r)
			}
		}
	}
	if name == "" {
		return Revision(baseline.AGUI().Newest().Name)
	}
	if a.Revision == nil {
		return a, fmt.Errorf("no revision %q; there are %s", name, strings.Join(names, ", "))
	}
	return a, nil
}

// Known says whether any revision has an event type.
func Known(value string) bool { return knownTypes[value] }

var knownTypes = func() map[string]bool {
	known := map[string]bool{}
	for _, e := range baseline.AGUI().Events() {
		known[e.Type] = true
	}
	return known
}()

// elsewhere returns the last of the other revisions that has the event type or
// shape, and the field where one is named.
func (a *Against) elsewhere(owner, field string) (name string, ok bool) {
	for _, r := range slices.Backward(a.others) {
		if hasField(r, owner, field) {
			return r.Name, true
		}
	}
	return "", false
}

func hasField(r *baseline.Revision, owner, field string) bool {
	if e, ok := r.Event(owner); ok {
		return field == "" || hasMember(e.Members, field)
	}
	o, ok := r.Object(owner)
	return ok && (field == "" || hasMember(o.Members, field))
}

// retired says whether a newer revision than the one that has it is the one compared with.
func (a *Against) retired(owner, field string) bool {
	for _, r := range baseline.AGUI().Revisions {
		if r.Name == a.Name {
			break
		}
		if hasField(&r, owner, field) {
			return true
		}
	}
	return false
}
