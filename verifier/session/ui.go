package session

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A dialog is a request of an extension; some want no answer.
type dialog struct {
	at       verifier.Place
	wants    string // the member that an answer has; empty where none is wanted
	options  []value.Sum
	chooses  bool
	answered bool
}

// wanted is the member that an answer has, by method.
var wanted = map[string]string{"select": "value", "confirm": "confirmed", "input": "value", "editor": "value"}

func (m *machine) uiRequest(r *record.Record) {
	if m.class != transcriptClass {
		return
	}
	id := r.Text(record.ID)
	if before := m.dialogs[string(id)]; before != nil {
		if m.On(rules.UIIDReused) && m.Blame(rules.UIIDReused, verifier.Fault{ID: string(id), Entity: "dialog", Pointer: r.Pointer(record.ID), Cause: &before.at, Detail: fmt.Sprintf("record %d has the same id", before.at.Index)}) {
			return
		}
	}
	method := string(r.Text(record.Method))
	d := &dialog{at: *m.Place(), wants: wanted[method], chooses: method == "select"}
	if d.chooses {
		d.options = m.sums(nil, r.Value(record.Options))
	}
	m.dialogs[m.remember(id)] = d
}

// uiAnswer judges an answer of the client. pi takes or ignores whatever it is.
func (m *machine) uiAnswer(json []byte) {
	id := text(scan.Member(json, "id"))
	m.judgeLate(id)
	d := m.dialogs[string(id)]
	f := verifier.Fault{ID: string(id), Entity: "dialog"}
	if d == nil {
		m.blameAnswer(rules.UIAnswerUnknown, f, "no request has this id")
		return
	}
	f.Cause = &d.at
	switch {
	case d.wants == "":
		m.blameAnswer(rules.UIAnswerUnasked, f, "the request wants no answer")
	case d.answered:
		m.blameAnswer(rules.UIAnswerTwice, f, "the request has been answered")
	case isTrue(scan.Member(json, "cancelled")):
	default:
		m.judgeValue(d, scan.Member(json, d.wants), f)
	}
	d.answered, d.options = true, nil
}

func (m *machine) judgeValue(d *dialog, given []byte, f verifier.Fault) {
	f.Pointer = "/" + d.wants
	switch {
	case given == nil:
		m.blameAnswer(rules.UIAnswerKind, f, fmt.Sprintf("the answer has no %q", d.wants))
	case (given[0] == '"') != (d.wants == "value") || d.wants == "confirmed" && given[0] != 't' && given[0] != 'f':
		m.blameAnswer(rules.UIAnswerKind, f, fmt.Sprintf("%q is %s", d.wants, scan.KindOf(given[0])))
	case d.chooses && !slices.Contains(d.options, value.DigestText(text(given))):
		m.blameAnswer(rules.UIAnswerOption, f, "the value is not one of the options")
	}
}

func (m *machine) blameAnswer(c verifier.ClauseID, f verifier.Fault, detail string) {
	if f.Detail = detail; m.On(c) {
		m.Blame(c, f)
	}
}
