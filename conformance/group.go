package conformance

import (
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/wire"
)

// A Group is the findings about one entity: what was found first, shown with its evidence, and what
// followed from it. Findings without an entity are grouped by clause, event type and member.
type Group struct {
	Lead verifier.Violation
	Rest []verifier.Violation
	// Event is the event that Lead is about, Cause the one that explains it. Nil where there is none
	// or it could not be read again.
	Event, Cause *Excerpt
}

// group sorts findings, which are ordered by index, into groups and what is below the floor.
func group(findings []verifier.Violation, floor verifier.Severity) (groups []Group, below []verifier.Violation) {
	at := map[string]int{}
	for _, v := range findings {
		if v.Severity < floor {
			below = append(below, v)
			continue
		}
		key := groupKey(v)
		i, seen := at[key]
		if seen {
			v.Open = nil // shown with the first only
			groups[i].Rest = append(groups[i].Rest, v)
			continue
		}
		at[key] = len(groups)
		groups = append(groups, Group{Lead: v})
	}
	return groups, below
}

func groupKey(v verifier.Violation) string {
	if v.Entity != "" {
		return v.Entity
	}
	return strings.Join([]string{"", v.Clause, v.EventType, generalPointer(v.Pointer)}, "\x00")
}

// generalPointer leaves out which element of a list a pointer goes through.
func generalPointer(p string) string {
	tokens := strings.Split(p, "/")
	for i, t := range tokens {
		if t != "" && strings.Trim(t, "0123456789") == "" {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, "/")
}

// wantedBy returns what is to be done with the frames that groups want to show, by index.
func wantedBy(groups []Group) map[int][]func(wire.Frame) {
	wanted := map[int][]func(wire.Frame){}
	for i := range groups {
		g := &groups[i]
		wanted[g.Lead.Index] = append(wanted[g.Lead.Index], func(f wire.Frame) { g.Event = excerpt(f, g.Lead.Pointer) })
		if g.Lead.Related >= 0 {
			wanted[g.Lead.Related] = append(wanted[g.Lead.Related], func(f wire.Frame) { g.Cause = excerpt(f, "") })
		}
	}
	return wanted
}
