package report

import (
	"fmt"
	"strings"

	"github.com/agentstream/conformance/conformance"
)

// excerpt writes an event, cut to one line around its fault, with a mark below the fault.
func (t *Text) excerpt(label string, index int, eventType string, x *conformance.Excerpt) {
	if x == nil {
		return
	}
	label = fmt.Sprintf("%-*s", labelWidth, fmt.Sprintf("%s %d", label, index))
	text, from, to := fit(x, eventType, Columns-len(margin)-max(labelWidth, len(label)+1))
	if len(label) > labelWidth-1 && !strings.HasSuffix(label, " ") {
		label += " "
	}
	t.line(margin, t.paint(dim, label), text)
	if from < to {
		t.line(margin, strings.Repeat(" ", len(label)+from), t.paint(red, strings.Repeat("^", to-from)))
	}
}

// fit returns the excerpt's text, escaped, in at most columns, and the columns of the fault in it.
// Where its beginning has to go, the event's type stands for it.
func fit(x *conformance.Excerpt, eventType string, columns int) (text string, from, to int) {
	before, fault, after := split(x)
	if x.After {
		after += "…"
	}
	head := ""
	if room := columns - min(width(fault), columns/2) - min(width(after), columns/4); x.Before || width(before) > room {
		head = "…"
		if eventType != "" && len(eventType) < columns/2 {
			head = eventType + " …"
		}
		before = suffix(before, max(room-width(head), 0))
	}
	from = width(head) + width(before)
	fault = cut(fault, columns-from)
	to = from + width(fault)
	return head + before + fault + cut2(after, columns-to), from, to
}

// cut2 is cut where there may be no room at all.
func cut2(s string, columns int) string {
	if columns <= 0 {
		return ""
	}
	return cut(s, columns)
}

// split returns the excerpt in three escaped parts.
func split(x *conformance.Excerpt) (before, fault, after string) {
	return Escape(string(x.Text[:x.From])), Escape(string(x.Text[x.From:x.To])), Escape(string(x.Text[x.To:]))
}
