package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/verifier"
)

// rulesMarkdown writes the page of rules: an overview, then each rule.
func rulesMarkdown(w io.Writer, t *verifier.Table) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Rules of %s\n\nIn order of precedence: of the faults of one %s, the one whose rule stands first decides the verdict.\n\n", t.Protocol, conformance.Unit(t.Protocol))
	last, of := lastColumn(t)
	fmt.Fprintf(&b, "| code | what is blamed | %s |", strings.Join(t.Profiles, " | "))
	fmt.Fprintf(&b, " %s |\n|---|---|%s---|\n", last, strings.Repeat("---|", len(t.Profiles)))
	for r := range own(t) {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", r.Code, r.Code, cell(r.Title), strings.Join(cells(t, r.Levels), " | "), of(r))
	}
	if others := adopted(t); others != "" {
		fmt.Fprintf(&b, "\n%s.\n", capital(others))
	}
	for r := range own(t) {
		markdownRule(&b, t, r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lastColumn is what a table's rules differ in besides severity, and what a rule has there.
func lastColumn(t *verifier.Table) (name string, of func(*verifier.Rule) string) {
	switch {
	case revised(t):
		return "since", func(r *verifier.Rule) string { return r.Since }
	case len(t.Classes) > 0:
		return "shown by", func(r *verifier.Rule) string { return shownBy(t, r) }
	}
	return "facts", func(r *verifier.Rule) string { return r.Facts }
}

// shownBy names the classes of input that can show a rule's fault.
func shownBy(t *verifier.Table, r *verifier.Rule) string { return strings.Join(t.ClassNames(r), ", ") }

func markdownRule(b *strings.Builder, t *verifier.Table, r *verifier.Rule) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n%s\n\n", r.Code, capital(r.Title), r.Effect)
	if revised(t) {
		fmt.Fprintf(b, "- Judged from: %s\n", since(r))
	}
	fmt.Fprintf(b, "- Decided by: <%s> (%s)\n", t.PageURL(r), r.Strength)
	if r.Facts != "" {
		fmt.Fprintf(b, "- Facts: %s\n", r.Facts)
	}
	if classes := shownBy(t, r); classes != "" {
		fmt.Fprintf(b, "- Shown by: %s\n", classes)
	}
	if r.Note != "" {
		fmt.Fprintf(b, "- Note: %s\n", r.Note)
	}
	fmt.Fprintf(b, "\n| clause | %s | a blamed event |\n|---|%s---|\n", strings.Join(t.Profiles, " | "), strings.Repeat("---|", len(t.Profiles)))
	for _, c := range r.Clauses {
		leaves := r.Leaves
		if c.Leaves != nil {
			leaves = *c.Leaves
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", t.ClauseName(c.ID), strings.Join(cells(t, t.ClauseLevels(c.ID)), " | "), leavings[leaves])
	}
}

// leavings say what a blamed event leaves behind.
var leavings = [...]string{
	verifier.Keep:       "keeps its effect",
	verifier.Drop:       "is dropped, if an error",
	verifier.DropAlways: "is dropped",
}

func cells(t *verifier.Table, l verifier.Levels) []string {
	var out []string
	for i := range t.Profiles {
		out = append(out, words[l.In(i)])
	}
	return out
}

// cell is text in a table of Markdown.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
