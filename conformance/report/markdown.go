package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/verifier"
)

// rulesMarkdown writes the page of rules: an overview, then each rule.
func rulesMarkdown(w io.Writer, t *verifier.Table) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Rules of %s\n\nIn order of precedence: of the faults of one event, the one whose rule stands first decides the verdict.\n\n", t.Protocol)
	fmt.Fprintf(&b, "| code | what is blamed | %s | since |\n|---|---|%s---|\n", strings.Join(t.Profiles, " | "), strings.Repeat("---|", len(t.Profiles)))
	for i := range t.Rules {
		r := &t.Rules[i]
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s | %s |\n", r.Code, r.Code, cell(r.Title), strings.Join(cells(t, r.Levels), " | "), r.Since)
	}
	for i := range t.Rules {
		markdownRule(&b, t, &t.Rules[i])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownRule(b *strings.Builder, t *verifier.Table, r *verifier.Rule) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n%s\n\n", r.Code, capital(r.Title), r.Effect)
	fmt.Fprintf(b, "- Judged from: %s\n- Decided by: <%s> (%s)\n", since(r), t.PageURL(r), r.Strength)
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
