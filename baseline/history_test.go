package baseline

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHistoryNamesTheReleasesOldestFirst(t *testing.T) {
	var names []string
	for _, r := range History().Revisions {
		names = append(names, r.Name)
		if r.Source.Version != r.Name || r.Source.Package == "" || r.Source.Date == "" {
			t.Errorf("%s: source %+v", r.Name, r.Source)
		}
	}
	if want := []string{"0.0.36", "0.0.57", "0.0.58", "0.0.59", "1.0.0"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestNumberOfEventTypesOfEachRelease(t *testing.T) {
	want := map[string]int{"0.0.36": 22, "0.0.57": 33, "0.0.58": 33, "0.0.59": 36, "1.0.0": 31}
	for _, r := range History().Revisions {
		if got := len(r.Events); got != want[r.Name] {
			t.Errorf("%s has %d event types, want %d", r.Name, got, want[r.Name])
		}
	}
}

// The revisions that the verifier knows are the last release of 0.x and of 1.0.
func TestARevisionIsTheReleaseThatItWasReadFrom(t *testing.T) {
	for _, r := range AGUI().Revisions {
		release, ok := History().Revision(r.Source.Version)
		if !ok {
			t.Errorf("revision %s: no release %s in the history", r.Name, r.Source.Version)
			continue
		}
		if a, b := withoutLifetimes(r.Events), withoutLifetimes(release.Events); !cmp.Equal(a, b, cmpopts.EquateEmpty()) {
			t.Errorf("revision %s, events: %s", r.Name, cmp.Diff(a, b))
		}
		for _, o := range r.Objects {
			old, ok := release.Object(o.Name)
			if !ok || !cmp.Equal(withoutMemberLifetimes(o.Members), withoutMemberLifetimes(old.Members)) {
				t.Errorf("revision %s: %s is not what release %s has", r.Name, o.Name, release.Name)
			}
		}
	}
}

// withoutLifetimes keys events by type: two revisions may have them in another order.
func withoutLifetimes(events []Event) map[string]Event {
	out := map[string]Event{}
	for _, e := range events {
		e.Since, e.Until = "", ""
		e.Members = withoutMemberLifetimes(e.Members)
		out[e.Type] = e
	}
	return out
}

func withoutMemberLifetimes(members []Member) []Member {
	members = slices.Clone(members)
	for i := range members {
		members[i].Since, members[i].Until = "", ""
	}
	return members
}

// Since and Until of the revisions agree with what single releases had: what is
// there since 0.x was in a release of it, what is not was in none, and what ended
// with 0.x is in none of 1.0.
func TestSinceAndUntilAgreeWithTheReleases(t *testing.T) {
	for _, r := range AGUI().Revisions {
		for _, e := range r.Events {
			agree(t, e.Type, e.Since, e.Until, func(release *Revision) bool { _, ok := release.Event(e.Type); return ok })
			for _, m := range e.Members {
				agree(t, e.Type+"."+m.Name, m.Since, m.Until, func(release *Revision) bool {
					event, ok := release.Event(e.Type)
					if ok {
						_, ok = event.Member(m.Name)
					}
					return ok
				})
			}
		}
		for _, o := range r.Objects {
			for _, m := range o.Members {
				agree(t, o.Name+"."+m.Name, m.Since, m.Until, func(release *Revision) bool {
					object, ok := release.Object(o.Name)
					if ok {
						_, ok = object.Member(m.Name)
					}
					return ok
				})
			}
		}
	}
}

func agree(t *testing.T, what, since, until string, has func(release *Revision) bool) {
	t.Helper()
	was := map[string]bool{} // by revision
	for i := range History().Revisions {
		release := &History().Revisions[i]
		was[revisionOf(release.Name)] = was[revisionOf(release.Name)] || has(release)
	}
	if (since == "0.x") != was["0.x"] {
		t.Errorf("%s: since %s, but releases of 0.x had it: %v", what, since, was["0.x"])
	}
	if (until == "0.x") == was["1.0"] {
		t.Errorf("%s: until %q, but releases of 1.0 have it: %v", what, until, was["1.0"])
	}
}

// revisionOf returns the revision that a release is of.
func revisionOf(release string) string {
	if strings.HasPrefix(release, "0.") {
		return "0.x"
	}
	return release[:strings.LastIndex(release, ".")]
}

// A release's own Since and Until say which releases have a member.
func TestSinceAndUntilOfTheHistoryNameReleases(t *testing.T) {
	names := map[string]int{}
	for i, r := range History().Revisions {
		names[r.Name] = i
	}
	for i, r := range History().Revisions {
		for _, e := range r.Events {
			for _, m := range e.Members {
				first, ok := names[m.Since]
				if !ok || first > i {
					t.Errorf("%s %s.%s: since %q", r.Name, e.Type, m.Name, m.Since)
				}
				if last, ok := names[m.Until]; m.Until != "" && (!ok || last < i) {
					t.Errorf("%s %s.%s: until %q", r.Name, e.Type, m.Name, m.Until)
				}
			}
		}
	}
}
