package drift

import (
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/conformance/internal/printable"
)

// Markdown writes a comparison for a page or a comment.
func Markdown(w io.Writer, r *Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Drift: %s\n\n", code(r.SDK.Source))
	for _, line := range r.header() {
		if line[0] != "" {
			fmt.Fprintf(&b, "- %s: ", line[0])
		} else {
			b.WriteString("  ")
		}
		fmt.Fprintf(&b, "%s\n", escaped(line[1]))
	}
	fmt.Fprintf(&b, "\n**%s**\n", escaped(r.Verdict()))
	for _, k := range kinds {
		markdownSection(&b, k, r.of(k.Kind))
	}
	if len(r.Deliberate) > 0 {
		b.WriteString("\n## Deliberate\n\n| kind | what | why |\n| --- | --- | --- |\n")
		for _, d := range r.Deliberate {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", d.Kind, code(d.Subject()), escaped(d.Reason))
		}
	}
	if len(r.Stale) > 0 {
		b.WriteString("\n## Listed as deliberate, but no longer a difference\n\n| line | entry |\n| --- | --- |\n")
		for _, e := range r.Stale {
			fmt.Fprintf(&b, "| %d | %s |\n", e.Line, code(e.String()))
		}
	}
	if len(r.Unparsed) > 0 {
		b.WriteString("\n## Not read\n\n| what | where | why |\n| --- | --- | --- |\n")
		for _, u := range r.Unparsed {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", code(u.What), code(u.At.String()), escaped(u.Reason))
		}
	}
	if r.Upstream != nil {
		var t strings.Builder
		r.Upstream.text(&t)
		fmt.Fprintf(&b, "\n## Upstream\n\n```text\n%s\n```\n", strings.TrimSpace(t.String()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownSection(b *strings.Builder, k KindInfo, list []Difference) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s (%d)\n\n%s.\n\n| type | what | where |\n| --- | --- | --- |\n", capital(k.Title), len(list), escaped(capital(k.Hint)))
	for _, rows := range byType(list) {
		var what []string
		for _, d := range rows {
			text := escaped(d.Detail)
			if d.Field != "" {
				if text = code(d.Field); d.Detail != "" {
					text += ": " + escaped(d.Detail)
				}
			}
			what = append(what, text)
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", code(rows[0].Type), strings.Join(what, "<br>"), code(rows[0].At.String()))
	}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// code is text of strangers as code in a cell.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(printable.Escape(s)) + "`"
}

// escaped is text of strangers in a cell.
func escaped(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'", "[", `\[`, "*", `\*`).Replace(printable.Escape(s))
}
