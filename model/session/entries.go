package session

import "fmt"

// sess is a session as its file has it.
type sess struct {
	id, file string
	entries  []entry
	messages []value
	spoken   bool // its system message was said
	name     string
}

type entry struct {
	id string
	v  value
}

func (s *sim) newSession() *sess {
	se := &sess{id: s.uuid()}
	se.file = "/home/dev/project/" + se.id + ".jsonl"
	s.known = append(s.known, se)
	s.enter(se, "model_change", m("provider", str(s.model.provider)), m("modelId", str(s.model.name)))
	s.enter(se, "thinking_level_change", m("thinkingLevel", str("medium")))
	return se
}

// branch is a new session that goes on where another is.
func (s *sim) branch(from *sess) *sess {
	se := &sess{id: s.uuid(), entries: append([]entry(nil), from.entries...), messages: append([]value(nil), from.messages...), spoken: from.spoken}
	se.file = "/home/dev/project/" + se.id + ".jsonl"
	s.known = append(s.known, se)
	return se
}

// open makes a session the present one. Queues start empty, and nobody knows an entry.
func (s *sim) open(se *sess) {
	s.sess = se
	s.queue = [2][]string{}
	s.listed, s.full = map[string]bool{}, false
}

// iso is the next moment of a day that never ends.
func (s *sim) iso() value {
	s.tick++
	ms := s.tick % (24 * 60 * 60 * 1000)
	return str(fmt.Sprintf("2026-11-30T%02d:%02d:%02d.%03dZ", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000))
}

// enter appends an entry to a session's file.
func (s *sim) enter(se *sess, typ string, ms ...member) value {
	id := s.hex()
	parent := null
	if n := len(se.entries); n > 0 {
		parent = str(se.entries[n-1].id)
	}
	v := typed(typ, m("id", str(id)), m("parentId", parent), m("timestamp", s.iso()))
	v.members = append(v.members, ms...)
	se.entries = append(se.entries, entry{id, v})
	return v
}

// appendEntry says that an entry was appended.
func (s *sim) appendEntry(e value) int {
	s.listed[e.get("id").text] = true
	return s.emit(typed("entry_appended", m("entry", e)))
}

func (s *sim) customEntry() value {
	n := s.noise()
	return s.enter(s.sess, "custom", m("customType", str(among(n, []string{"mark", "x:y", ""}))), m("data", s.anything(n, 2)))
}

// edit is the entry that takes a failed message out of the context.
func (s *sim) edit() value {
	return s.enter(s.sess, "context_edit", m("targetId", str(s.sess.entries[len(s.sess.entries)-1].id)), m("replacement", null))
}
