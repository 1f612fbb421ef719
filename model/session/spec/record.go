package spec

import (
	"unicode/utf8"
)

// A class says what a recording can show: what happens inside a process, what it writes, or both
// directions of its pipe. It is found while reading.
type class int

const (
	agent class = iota
	stdout
	transcript
)

// A Record is one record, read but not judged.
type Record struct {
	root  *node
	twice bool
	bad   bool // no JSON
	torn  bool // some byte is not UTF-8
}

// Read reads one record.
func Read(raw []byte) Record {
	doc, ok := decode(raw)
	return Record{root: doc.root, twice: doc.twice, bad: !ok, torn: !utf8.Valid(raw)}
}

// An entry is a record in its place.
type entry struct {
	index   int
	class   class  // of the recording, as far as it was known at this record
	dir     string // stdout stdin exit ext host
	typ     string
	root    *node // the record itself, without its wrapper
	raw     *node // raw stdin instead of it
	wrapped bool  // a line of a transcript, or of an extension's log
	codes   []string

	// Marks made when the record was accepted.
	of      *entry // message_update, message_end: the start of their message
	outside bool   // part of a custom message outside of turns
	joined  bool   // a tool's start: of a call of the message, as it was then
	foreign bool   // a host's, of another runtime than the one that is bound
}

// entry unwraps a record.
func (r Record) entry(index int) *entry {
	e := &entry{index: index, dir: "stdout", root: r.root}
	switch {
	case r.bad:
		e.say("bad-json")
		return e
	case !r.root.is('{'):
		e.say("not-an-object")
		return e
	}
	if r.torn {
		e.say("bad-utf8")
	}
	if r.twice {
		e.say("duplicate-name")
	}
	switch {
	case r.root.get("dir") != nil:
		e.wrapped = true
		e.unwrap(r.root)
	case r.root.get("ext") != nil:
		e.wrapped, e.dir = true, "ext"
		e.named("ext")
	default:
		e.named("type")
	}
	return e
}

func (e *entry) say(code string) { e.codes = append(e.codes, code) }

// named reads the type of a record.
func (e *entry) named(member string) {
	switch t := e.root.get(member); {
	case t == nil:
		e.say("missing-field")
	case !t.is('"'):
		e.say("wrong-type")
	default:
		e.typ = t.text
	}
}

// unwrap reads a line of a transcript.
func (e *entry) unwrap(line *node) {
	dir, ok := line.str("dir")
	e.dir = dir
	switch dir {
	case "stdin", "stdout", "exit", "ext", "host":
	default:
		e.say(map[bool]string{true: "bad-value", false: "wrong-type"}[ok])
		return
	}
	e.root = line.get("record")
	raw := line.get("raw")
	switch {
	case e.root == nil && raw == nil:
		e.say("missing-field")
	case e.root == nil && !raw.is('"'):
		e.say("wrong-type")
	case e.root == nil && dir == "stdin":
		e.raw = raw
	case e.root == nil:
		e.say("bad-json")
	case dir == "stdin":
		e.typ = e.root.text1("type")
	case !e.root.is('{'):
		e.say("not-an-object")
	case dir != "exit":
		e.named("type")
	}
}

// shows says which class of recording a record gives away.
func (e *entry) shows(profile string) class {
	switch {
	case e.wrapped:
		return transcript
	case sessionTypes[e.typ] && known(e.typ, profile):
		return stdout
	case profile != "pi-0.73" && e.typ == "agent_end" && e.root.has("willRetry"):
		return stdout
	case profile == "pi-1.x" && e.typ == "message_update" && !e.root.has("message") && e.root.has("usage"):
		return stdout
	}
	return agent
}

// formed are the codes of what is wrong with the members of a record.
func (e *entry) formed(profile string) []string {
	f := &former{profile: profile}
	switch e.dir {
	case "stdout":
		if !known(e.typ, profile) {
			return []string{"unknown-event-type"}
		}
		f.record(e)
	case "ext":
		f.shape(e.dir, e.root)
	case "host":
		if _, ok := shapes["host "+e.typ]; !ok {
			return []string{"unknown-event-type"}
		}
		f.shape("host", e.root)
		f.shape("host "+e.typ, e.root)
	}
	return f.codes
}

// What an entry is. Only standard output tells of the agent.

func (e *entry) is(typ string) bool { return e.dir == "stdout" && e.typ == typ }

// ran reports whether the agent rules look at the record.
func (e *entry) ran() bool { return e.dir == "stdout" && runTypes[e.typ] && !e.outside }

func (e *entry) role() string { return e.root.text1("message", "role") }

func (e *entry) starts(role string) bool { return e.is("message_start") && e.role() == role }
func (e *entry) ends(role string) bool   { return e.is("message_end") && e.role() == role }

// replaced reports whether a response says that another session took the place of this one.
func (e *entry) replaced() bool {
	return e.is("response") && replacements[e.root.text1("command")] && e.root.yes("success") && !e.root.yes("data", "cancelled")
}

var replacements = set("new_session switch_session fork clone")

// cuts reports whether a run that is open at e is over with it, without an agent_end.
func (e *entry) cuts() bool {
	return e.is("compaction_start") && e.root.text1("reason") == "manual" || e.replaced()
}

// Of tool events.

func (e *entry) tool() string   { return e.root.text1("toolCallId") }
func (e *entry) nested() bool   { return e.root.has("parentToolCallId") }
func (e *entry) parent() string { return e.root.text1("parentToolCallId") }
