// Package spec judges AG-UI event streams slowly and plainly: every rule is a
// question asked of the history of accepted events, walked anew each time. It is
// a second opinion written from the rules' text alone; READINGS.md lists how the
// unclear places were read.
package spec

import (
	"slices"
	"unicode/utf8"
)

type Options struct {
	Profile       string // producer (default) consumer server client
	Revision      string // "1.0" "0.x" "auto"; "" is 1.0, but not asked for by name
	Request       []byte // optional RunAgentInput
	StrictVersion bool
}

type Finding struct {
	Code     string
	Index    int
	Severity string // error warning info
}

// precedence of codes on one event: section 2, then the tables' rows as they stand.
var precedence = []string{
	"bad-json", "not-an-object", "limit", "bad-utf8", "duplicate-name", "unknown-event-type", "retired-event",
	"missing-field", "wrong-type", "bad-value", "unknown-variant", "null-optional", "unknown-property",
	"run-ended", "first-event", "duplicate-run-started", "chunk-ambiguous", "chunk-first", "chunk-mixed",
	"duplicate-start", "not-open", "unknown-id", "out-of-order", "open-at-finish", "owner-mismatch", "chunk-disagreement", "truncated",
	// section 3
	"run-id-mismatch", "thread-id-mismatch", "run-id-reused", "reopen-disagreement", "duplicate-message-id", "subagent-unannounced",
	"empty-interrupts", "duplicate-interrupt-id", "pending-tool-calls", "usage-arithmetic", "usage-repeated", "version-format", "version-missing",
	"request-mismatch", "replay-restreamed", "frontend-tool-answered", "frontend-outcome",
	// section 6
	"state-patch", "activity-patch", "activity-baseline",
	// section 7
	"lone-surrogate",
	// section 8
	"tool-args-not-json", "tool-call-without-args", "parent-message-unseen", "duplicated-text", "streamed-after-snapshot", "tag-after-close",
	"suspended-without-interrupt", "custom-unprefixed", "metadata-reserved", "tool-unadvertised", "cancelled-with-result", "pending-unnamed",
}

func rank(code string, guard bool) int {
	r := 2 * slices.Index(precedence, code)
	if guard && code == "owner-mismatch" { // in server and client it comes before duplicate-start
		r = 2*slices.Index(precedence, "duplicate-start") - 1
	}
	return r
}

// A judge holds one stream's history and the findings so far; nothing else.
type judge struct {
	Options
	books
	request *node
	past    history
	found   []Finding
	given   []advised // advice so far, by code and entity
}

func Judge(events [][]byte, o Options) []Finding {
	j := newJudge(o)
	for i, raw := range events {
		if j.guard() {
			j.guardEvent(i, raw)
		} else {
			j.event(i, raw)
		}
	}
	j.end(len(events))
	slices.SortStableFunc(j.found, func(a, b Finding) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return rank(a.Code, j.guard()) - rank(b.Code, j.guard())
	})
	return j.found
}

func newJudge(o Options) *judge {
	if o.Profile == "" {
		o.Profile = "producer"
	}
	j := &judge{Options: o}
	j.books = books{joint: j.guard(), server: o.Profile == "server"}
	if doc, ok := decode(o.Request); ok && doc.root.sort == '{' {
		j.request = doc.root
	}
	return j
}

// Verdict is the error with the lowest index, on one event the first by precedence.
func Verdict(fs []Finding) (verdict, code string, index int) {
	for _, f := range fs {
		if f.Severity == "error" {
			return "reject", f.Code, f.Index
		}
	}
	return "accept", "", -1
}

func (j *judge) guard() bool    { return j.Profile == "server" || j.Profile == "client" }
func (j *judge) producer() bool { return j.Profile == "producer" }

func (j *judge) blame(code string, index int, severity string) {
	j.found = append(j.found, Finding{code, index, severity})
}

// end: what is known only once the stream is over.
func (j *judge) end(n int) {
	if j.Profile != "server" {
		if p := j.past.phase(); p == "" || p == "RUN_STARTED" {
			j.blame("truncated", n, "error")
		}
	}
	if j.producer() {
		j.requestMismatch()
		j.parentUnseen()
	}
}

// opened decodes one event as far as its type.
func opened(raw []byte) (doc document, typ string, code string) {
	doc, ok := decode(raw)
	switch {
	case !ok:
		return doc, "", "bad-json"
	case doc.root.sort != '{':
		return doc, "", "not-an-object"
	}
	t := doc.root.get("type")
	switch {
	case t == nil:
		return doc, "", "missing-field"
	case t.sort != '"':
		return doc, "", "wrong-type"
	}
	return doc, t.text, ""
}

func validUTF8(raw []byte) bool { return utf8.Valid(raw) }
