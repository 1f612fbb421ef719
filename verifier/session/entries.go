package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// entries are the session's entries as far as the client has seen them.
type entries struct {
	// known has each entry's position in the order in which they were appended; noPosition for one that
	// was named without its place.
	known    map[string]int
	listed   int  // that have a position
	complete bool // a list without cursor was given: what came before it is known
}

const noPosition = -1

// forget empties what is known: the session is another one.
func (e *entries) forget() { *e = entries{known: map[string]int{}} }

// knowEntry notes an entry that is named without its place.
func (m *machine) knowEntry(id []byte) {
	if _, ok := m.entries.known[string(id)]; !ok {
		m.entries.known[m.remember(id)] = noPosition
	}
}

// list notes an entry that comes next in a list. What a list says has a place only if the place of its
// cursor is known.
func (m *machine) list(id []byte, anchored bool) {
	e := &m.entries
	if n, ok := e.known[string(id)]; ok && (n >= 0 || !anchored) {
		return
	}
	if m.knowEntry(id); anchored {
		e.known[string(id)] = e.listed
		e.listed++
	}
}

// judgeEntries judges the list that get_entries gives: by its cursor, and each entry by those before it.
func (m *machine) judgeEntries(c *command, r *record.Record) {
	if !r.True(record.Success) {
		return
	}
	e, data := &m.entries, r.Value(record.Data)
	list := scan.Member(data, "entries")
	if len(list) == 0 || list[0] != '[' {
		return // its shape is blamed
	}
	cursor, known := e.known[c.since]
	if m.On(rules.EntriesUnknownCursor) && c.hasSince && e.complete && !known {
		m.Blame(rules.EntriesUnknownCursor, verifier.Fault{ID: c.since, Entity: "entries", Cause: &c.at, Detail: fmt.Sprintf("the cursor %q is no entry", verifier.Shown(c.since))})
	}
	switch {
	case !c.hasSince:
		e.forget()
		e.complete = true
	case !known:
		cursor = noPosition
		m.knowEntry([]byte(c.since))
	}
	l := entryList{machine: m, r: r, c: c, cursor: cursor, seen: map[string]bool{}}
	for i, x := range scan.EachElement(list) {
		l.judge(i, x)
	}
	leaf := text(scan.Member(data, "leafId"))
	if _, ok := e.known[string(leaf)]; m.On(rules.EntriesLeaf) && leaf != nil && l.anchored() && !ok {
		m.Blame(rules.EntriesLeaf, verifier.Fault{ID: string(leaf), Entity: "entries", Pointer: r.Pointer(record.Data) + "/leafId", Detail: fmt.Sprintf("leafId %q is no entry", verifier.Shown(string(leaf)))})
	}
	m.host.lists(l.seen)
}

// An entryList is one list being judged.
type entryList struct {
	*machine
	r      *record.Record
	c      *command
	cursor int // its position
	seen   map[string]bool
}

func (l *entryList) judge(i int, entry []byte) {
	id := text(scan.Member(entry, "id"))
	f := verifier.Fault{ID: string(id), Entity: "entries", Pointer: fmt.Sprintf("%s/entries/%d/id", l.r.Pointer(record.Data), i), Cause: &l.c.at}
	if l.On(rules.EntriesCursor) && l.before(id) {
		f.Detail = fmt.Sprintf("entry %q is not behind the cursor %q", verifier.Shown(string(id)), verifier.Shown(l.c.since))
		l.Blame(rules.EntriesCursor, f)
	}
	if l.On(rules.EntriesTwice) && l.seen[string(id)] {
		f.Detail = fmt.Sprintf("entry %q is listed twice", verifier.Shown(string(id)))
		l.Blame(rules.EntriesTwice, f)
	}
	l.judgeParent(entry, f)
	l.seen[string(id)] = true
	l.list(id, l.anchored())
}

// anchored reports whether all that is older than the list is known.
func (l *entryList) anchored() bool { return !l.c.hasSince || l.cursor >= 0 }

// before reports whether an entry is the cursor, or is known to be older.
func (l *entryList) before(id []byte) bool {
	if !l.c.hasSince {
		return false
	}
	position, known := l.entries.known[string(id)]
	return string(id) == l.c.since || known && position >= 0 && position <= l.cursor
}

// judgeParent judges whether an entry's parent is known: it is listed before it, or was so earlier. A list
// with a cursor may hang on to entries that the client never asked for.
func (l *entryList) judgeParent(entry []byte, f verifier.Fault) {
	parent := text(scan.Member(entry, "parentId"))
	if parent == nil || !l.On(rules.EntriesParent) {
		return
	}
	if _, known := l.entries.known[string(parent)]; !known && l.anchored() {
		f.Pointer = f.Pointer[:len(f.Pointer)-len("id")] + "parentId"
		f.Detail = fmt.Sprintf("the parent %q is no entry before this one", verifier.Shown(string(parent)))
		l.Blame(rules.EntriesParent, f)
	}
}

// forkMessages notes the entries that get_fork_messages names.
func (m *machine) forkMessages(r *record.Record) {
	if !r.True(record.Success) {
		return
	}
	for _, x := range scan.EachElement(scan.Member(r.Value(record.Data), "messages")) {
		m.knowEntry(text(scan.Member(x, "entryId")))
	}
}
