package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/conformance"
)

// maxExample is how many columns of an example's event are shown. Most are far shorter, and whole
// events can be copied.
const maxExample = 400

// Explain writes explanations for a person, one for each protocol that has the code.
func Explain(w io.Writer, all []*conformance.Explanation, colour bool) error {
	t := &Text{w: w, painter: painter(colour)}
	for i, e := range all {
		if i > 0 {
			t.line()
		}
		t.explanation(e)
	}
	return t.flush()
}

func (t *Text) explanation(e *conformance.Explanation) {
	t.labelledHead(e)
	t.line()
	t.labelled("effect", e.Rule.Effect)
	if revised(e.Table) {
		t.labelled("since", since(e.Rule))
	}
	t.labelled("strength", e.Rule.Strength)
	t.labelled("facts", e.Rule.Facts)
	t.labelled("shown by", strings.Join(e.Table.ClassNames(e.Rule), ", "))
	t.address(e.Table.PageURL(e.Rule))
	t.labelled("note", e.Rule.Note)
	t.line()
	t.clauses(e)
	t.examples(e)
}

// labelledHead names the code with its protocol, which is what tells two of them apart.
func (t *Text) labelledHead(e *conformance.Explanation) {
	for i, l := range wrap(e.Table.Protocol+"/"+e.Rule.Code+": "+e.Rule.Title, Columns, Columns-len(margin)) {
		if i > 0 {
			t.line(margin, l)
			continue
		}
		code, title, _ := strings.Cut(l, ": ")
		t.line(t.paint(bold, code), ": ", title)
	}
}

// clauses writes the table of severities.
func (t *Text) clauses(e *conformance.Explanation) {
	first := len("clause")
	for _, c := range e.Clauses {
		first = max(first, len(c.Short))
	}
	row := func(name string, cells []string, last string) string {
		text := fmt.Sprintf("%s%-*s", margin, first, name)
		for _, c := range cells {
			text += fmt.Sprintf("  %-8s", c)
		}
		return text + "  " + last
	}
	t.line(t.paint(dim, row("clause", e.Table.Profiles, "a blamed event")))
	for _, c := range e.Clauses {
		t.line(row(c.Short, cells(e.Table, c.Levels), leavings[c.Leaves]))
	}
}

// examples writes the example of the first clause that has one, and names the others.
func (t *Text) examples(e *conformance.Explanation) {
	for i, c := range e.Clauses {
		if c.Title == "" {
			continue
		}
		t.line()
		t.labelled("example", c.Title)
		if c.Request != nil {
			t.labelled("request", compact(c.Request))
		}
		t.example("bad", red, c.Bad, c.AtEnd)
		t.example("good", green, c.Good, false)
		t.others(e.Clauses[i+1:])
		return
	}
}

// compact puts JSON on one line.
func compact(b []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, b) != nil {
		return string(b)
	}
	return out.String()
}

func (t *Text) example(label string, c colour, lines []conformance.Line, atEnd bool) {
	t.line()
	t.line(margin, t.paint(c, label))
	for _, l := range lines {
		mark := " "
		if l.Fault {
			mark = t.paint(c, ">")
		}
		t.line("  ", mark, " ", cut(Escape(l.Text), maxExample))
	}
	if atEnd {
		t.line("  ", t.paint(c, ">"), " (the end of the stream)")
	}
}

func (t *Text) others(rest []conformance.ClauseExplanation) {
	if len(rest) == 0 {
		return
	}
	t.line()
	for _, c := range rest {
		t.line(t.paint(dim, "conformance explain "+c.Name))
	}
}
