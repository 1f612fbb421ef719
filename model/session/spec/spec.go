// Package spec judges recordings of agent sessions of the pi family slowly and plainly: every rule is
// a question asked of the history of accepted records, walked anew each time. It is a second opinion
// written from the rules' text alone; READINGS.md lists how the unclear places were read. The events
// inside message_update are judged by model/assistant/spec.
package spec

import (
	"slices"

	assistant "github.com/agentstream/conformance/model/assistant/spec"
)

// Options say by what a recording is judged.
type Options struct {
	Profile string // pi-1.x (default) pi-0.80 pi-0.73
}

// Finding is one fault.
type Finding struct {
	Code     string
	Index    int    // of the record where the fault is certain; the number of records for the end
	Severity string // error warning info
	Related  int    // the record that caused it, where that is certain; else -1
}

// An Opinion is all that is said of one recording.
type Opinion struct {
	Findings     []Finding // in the order of records and, on one record, of the rules
	Class        string    // agent stdout transcript ext host: what the recording can show
	NotEvaluated []string  // the codes that a recording of this class cannot show
}

const (
	E, W, I = "error", "warning", "info"
)

// A judge holds one recording's history and the findings so far; nothing else.
type judge struct {
	profile string
	class   class
	written int  // records of standard output before this one, dropped ones included
	piped   bool // some record of the pipe was there, dropped ones included
	past    history
	found   []Finding
}

// Judge gives an opinion of a recording, one JSON text a record.
func Judge(records [][]byte, o Options) Opinion {
	read := make([]Record, len(records))
	for i, raw := range records {
		read[i] = Read(raw)
	}
	return JudgeRead(read, o)
}

// JudgeRead is Judge for records that were read before, as many recordings share them.
func JudgeRead(records []Record, o Options) Opinion {
	if o.Profile == "" {
		o.Profile = "pi-1.x"
	}
	j := &judge{profile: o.Profile}
	for i, r := range records {
		j.record(i, r)
	}
	j.end(len(records))
	j.embedded()
	return Opinion{Findings: j.inOrder(), Class: j.className(), NotEvaluated: j.notEvaluated()}
}

// Verdict is the error with the lowest index, on one record the first by precedence.
func Verdict(fs []Finding) (verdict, code string, index int) {
	for _, f := range fs {
		if f.Severity == E {
			return "reject", f.Code, f.Index
		}
	}
	return "accept", "", -1
}

func (j *judge) blame(code string, index int, severity string, related int) {
	same := func(f Finding) bool { return f.Code == code && f.Index == index }
	if !slices.ContainsFunc(j.found, same) { // a code comes at most once per record
		j.found = append(j.found, Finding{code, index, severity, related})
	}
}

// rank is the precedence of codes on one record: structure, the session's rows, then those of the provider stream.
func rank(code string) int {
	if i := slices.Index(structure, code); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(clauses, func(c clause) bool { return c.code == code }); i >= 0 {
		return 100 + i
	}
	return 1000
}

func (j *judge) inOrder() []Finding {
	slices.SortStableFunc(j.found, func(a, b Finding) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return rank(a.Code) - rank(b.Code)
	})
	return j.found
}

// structure are the codes of section 2, in order.
var structure = []string{"bad-json", "not-an-object", "bad-utf8", "duplicate-name", "missing-field", "wrong-type", "bad-value", "null-optional", "unknown-event-type"}

// severityOf a structure code; those that are errors drop the record.
func severityOf(code string) (severity string, drops bool) {
	switch code {
	case "duplicate-name", "null-optional", "unknown-event-type":
		return W, false
	}
	return E, true
}

// record judges one record and, where it stays, adds it to the past.
func (j *judge) record(index int, r Record) {
	e := r.entry(index)
	j.class = max(j.class, e.shows(j.profile))
	e.class = j.class
	switch e.dir {
	case "stdout":
		defer func() { j.written++ }()
		j.piped = j.piped || !r.bad
	case "stdin":
		j.piped = true
	}
	if left := j.past.leftOpen(); len(left) > 0 && !(e.dir == "host" && e.typ == "ui-close") {
		for _, o := range left { // whatever becomes of the record itself
			j.found = append(j.found, Finding{"ui-left-open", index, E, o.index})
		}
		j.past = append(j.past, &entry{index: index, dir: "none"})
	}
	codes := e.codes
	if len(codes) == 0 || !fatal(codes) {
		codes = append(codes[:len(codes):len(codes)], e.formed(j.profile)...)
	}
	for _, code := range structure {
		if !slices.Contains(codes, code) {
			continue
		}
		severity, drops := severityOf(code)
		j.blame(code, index, severity, -1)
		if drops {
			return
		}
	}
	switch b := j.past.bound(); {
	case e.dir != "host":
	case e.typ == "bind":
		e.foreign = b != nil && e.gen() < b.gen()
	default:
		e.foreign = b == nil || e.gen() != b.gen()
	}
	h := &hearing{judge: j, e: e, h: j.past}
	for _, c := range clauses {
		severity := c.severity(j.profile)
		h.cause = nil
		if severity == "" || j.class < c.needs || c.when == nil || !c.when(h) {
			continue
		}
		related := -1
		if h.cause != nil {
			related = h.cause.index
		}
		j.blame(c.code, index, severity, related)
		if c.drops {
			return
		}
		if c.replaces != nil && c.replaces(e) {
			break // what is begun over something open is blamed for that alone
		}
	}
	h.note()
	j.past = append(j.past, e)
}

func fatal(codes []string) bool {
	return slices.ContainsFunc(codes, func(c string) bool { _, drops := severityOf(c); return drops })
}

// end: what is known only once the recording is over.
func (j *judge) end(n int) {
	for _, c := range clauses {
		if severity := c.severity(j.profile); severity != "" && j.class >= c.needs && c.atEnd != nil {
			for range c.atEnd(j.past, j.profile) {
				j.found = append(j.found, Finding{c.code, n, severity, -1})
			}
		}
	}
}

// embedded has the events inside each assistant message judged, by the rules of the provider stream.
func (j *judge) embedded() {
	for _, start := range j.past {
		if !start.starts("assistant") {
			continue
		}
		var updates []assistant.Part
		var final *assistant.Part
		for _, e := range j.past {
			switch {
			case e.of != start:
			case e.is("message_update"):
				updates = append(updates, assistant.Part{Index: e.index, JSON: e.root.get("assistantMessageEvent").raw})
			case e.ends("assistant"):
				final = &assistant.Part{Index: e.index, JSON: e.root.get("message").raw}
			}
		}
		for _, f := range assistant.Embedded(updates, final, assistant.Options{Profile: j.profile}) {
			j.blame(f.Code, f.Index, f.Severity, f.Related)
		}
	}
}
