package agui

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/rules"
)

// kind is what can be opened and closed.
type kind uint8

const (
	textKind kind = iota
	reasoningKind
	spanKind
	callKind
	stepKind
	subagentKind
)

var kindNames = [...]string{"text message", "reasoning message", "reasoning span", "tool call", "step", "subagent"}

func (k kind) String() string { return kindNames[k] }

// An item is one thing of a kind that can be open: explicitly, between its START and END, or as the
// chunk item that a lane holds.
type item struct {
	kind    kind
	chunked bool   // its latest opener in the run was a chunk
	id      string // or name
	owner   *agent // when it was opened
	lane    *agent // that holds it as its chunk item; nil where none does
	run     int    // of its latest opener
	opener  verifier.Place
	ended   int  // index of the event that closed it in the run; 0 while it has not been
	said    text // of a text or reasoning message
	pos     int  // 1 + its position among the open items; 0 where it is not open
}

// isOpen reports whether the item is open explicitly. A nil item never was.
func (it *item) isOpen() bool { return it != nil && it.pos > 0 }

// inChunks reports whether the latest opener in the run was a chunk.
func (it *item) inChunks(run int) bool { return it != nil && it.run == run && it.chunked }

// openSet holds the items that are open explicitly.
type openSet struct{ items []*item }

func (s *openSet) add(it *item) {
	s.items = append(s.items, it)
	it.pos = len(s.items)
}

func (s *openSet) remove(it *item) {
	last := s.items[len(s.items)-1]
	s.items[it.pos-1], last.pos = last, it.pos
	s.items = s.items[:len(s.items)-1]
	it.pos = 0
}

// clear closes everything, as the end of a run does.
func (s *openSet) clear() {
	for _, it := range s.items {
		it.pos = 0
	}
	s.items = s.items[:0]
}

// listed names what is open, sorted, behind a prefix; empty where nothing is.
func (s *openSet) listed(prefix string) string {
	if len(s.items) == 0 {
		return ""
	}
	names := make([]string, 0, len(s.items))
	for _, it := range s.items {
		names = append(names, it.shown())
	}
	slices.Sort(names)
	return prefix + verifier.Listed(names)
}

// dump returns what is open, in the order opened.
func (s *openSet) dump() []verifier.Item {
	out := make([]verifier.Item, 0, min(len(s.items), maxDumped))
	for _, it := range s.items[:min(len(s.items), maxDumped)] {
		x := verifier.Item{Kind: it.kind.String(), ID: verifier.Shown(it.id), Parent: it.owner.isParent, Opener: it.opener.Index}
		if it.kind != subagentKind { // which is no subagent's own
			x.Owner = verifier.Shown(it.owner.id)
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b verifier.Item) int { return a.Opener - b.Opener })
	return out
}

// maxDumped is how many open items a violation carries.
const maxDumped = 100

// shown names the item for a detail.
func (it *item) shown() string {
	name := fmt.Sprintf("%s %q", it.kind, verifier.Shown(it.id))
	if !it.owner.isParent && it.kind != subagentKind {
		name += fmt.Sprintf(" of subagent %q", verifier.Shown(it.owner.id))
	}
	return name
}

// entity names an item for grouping.
func entity(k kind, id string) string { return fmt.Sprintf("%s %q", k, verifier.Shown(id)) }

// opened makes an item open, or the chunk item of the event's lane.
func (m *machine) opened(it *item, owner *agent, chunk bool) {
	it.owner, it.run, it.opener, it.chunked, it.ended = owner, m.run, *m.Place(), chunk, 0
	if chunk {
		m.holds(it)
		return
	}
	m.open.add(it)
	if len(m.open.items) > m.limits.Open {
		m.exceed(rules.LimitOpen, "more than %d items are open at once", m.limits.Open)
	}
}

// closed closes an item that is open.
func (m *machine) closed(it *item) {
	m.open.remove(it)
	it.ended = m.Place().Index
}

// blameStart blames an opener for an item that is open.
func (m *machine) blameStart(c verifier.ClauseID, it *item) bool {
	return m.Blame(c, verifier.Fault{
		ID: it.id, Entity: entity(it.kind, it.id), Cause: &it.opener,
		Detail: fmt.Sprintf("%s is open since event %d", it.shown(), it.opener.Index),
	})
}

// blameNotOpen blames a continuation of an item that is not open; it is nil where it never was.
func (m *machine) blameNotOpen(c verifier.ClauseID, k kind, id []byte, it *item) bool {
	f := verifier.Fault{ID: string(id), Entity: entity(k, string(id))}
	name := fmt.Sprintf("%s %q", k, verifier.Shown(string(id)))
	switch {
	case it == nil || it.run != m.run:
		f.Detail = name + " was not opened in this run"
	default:
		f.Cause = &it.opener
		f.Detail = fmt.Sprintf("%s was opened at event %d and closed at event %d", name, it.opener.Index, it.ended)
	}
	return m.Blame(c, f)
}
