// Package spec judges provider streams of the pi family and of di-code slowly and plainly: every
// rule is a question asked of the history of accepted records, walked anew each time. It is a second
// opinion written from the rules' text alone; READINGS.md lists how the unclear places were read.
//
// Judge takes a whole stream. Embedded takes the events that an agent session carries inside its
// message_update records, each with the index of its outer record, and what its message_end says:
//
//	Embedded(updates []Part, final *Part, o Options) []Finding
//
// Of updates it is given assistantMessageEvent, in order, of one message; final is the message of
// message_end, nil where there was none. Embedded events that are start, done or error are passed over:
// they have their own code in the session.
package spec

import (
	"slices"
)

// Options say by what a stream is judged.
type Options struct {
	Profile string // pi-1.x (default) pi-0.80 pi-0.73 di-code
}

// Finding is one fault.
type Finding struct {
	Code     string
	Index    int    // of the record where the fault is certain; the number of records for the end
	Severity string // error warning info
	Related  int    // the record that caused it, where that is certain; else -1
}

// Part is a JSON text that another record carries.
type Part struct {
	Index int // of the record
	JSON  []byte
}

// A judge holds one stream's history and the findings so far; nothing else.
type judge struct {
	profile  string
	embedded bool
	updated  bool // the embedded message had an update
	past     history
	found    []Finding
}

// Judge gives the findings of a whole stream, one JSON text a record, in the order of records and,
// on one record, of the rules.
func Judge(records [][]byte, o Options) []Finding {
	j := newJudge(o)
	for i, raw := range records {
		j.record(i, raw)
	}
	j.end(len(records))
	return j.inOrder()
}

// Embedded gives the findings of the events inside one message of a session. Of the record itself
// nothing is judged but its assistantMessageEvent: bad bytes and names that come twice are the outer record's.
func Embedded(updates []Part, final *Part, o Options) []Finding {
	j := newJudge(o)
	j.embedded, j.updated = true, len(updates) > 0
	for _, u := range updates {
		j.record(u.Index, u.JSON)
	}
	if final != nil {
		j.messageEnd(*final)
	}
	return j.inOrder()
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

func newJudge(o Options) *judge {
	if o.Profile == "" {
		o.Profile = "pi-1.x"
	}
	return &judge{profile: o.Profile}
}

func (j *judge) dicode() bool { return j.profile == "di-code" }

func (j *judge) blame(code string, index int, severity string, related int) {
	j.found = append(j.found, Finding{code, index, severity, related})
}

func (j *judge) inOrder() []Finding {
	slices.SortStableFunc(j.found, func(a, b Finding) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return slices.Index(precedence, a.Code) - slices.Index(precedence, b.Code)
	})
	return j.found
}
