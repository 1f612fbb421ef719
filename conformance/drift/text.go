package drift

import (
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/vocabulary"
	"github.com/agentstream/conformance/conformance/internal/printable"
)

// columns is how wide text is; a path is not cut.
const columns = 80

// Text writes a comparison for a person.
func Text(w io.Writer, r *Result) error {
	var b strings.Builder
	b.WriteString("drift\n")
	for _, line := range r.header() {
		fmt.Fprintf(&b, "  %-9s %s\n", line[0], printable.Escape(line[1]))
	}
	for _, k := range kinds {
		textSection(&b, k, r.of(k.Kind))
	}
	textDeliberate(&b, r.Deliberate)
	textStale(&b, r.Stale)
	textUnparsed(&b, r.Unparsed)
	r.Upstream.text(&b)
	fmt.Fprintf(&b, "\n%s\n", r.Verdict())
	_, err := io.WriteString(w, b.String())
	return err
}

// header is what was compared with what.
func (r *Result) header() [][2]string {
	language := r.SDK.Language
	if r.SDK.Experimental {
		language += " (experimental)"
	}
	lines := [][2]string{
		{"baseline", fmt.Sprintf("%s (%s %s, %s), %s", r.Against.title(), r.Against.Source.Package, r.Against.Source.Version, r.Against.Source.Date, count(len(r.Against.Events), "event type"))},
	}
	if r.SDK.Language == "" { // only upstream was asked
		return lines
	}
	return append(lines, [2]string{"sdk", r.SDK.Source}, [2]string{"", fmt.Sprintf("%s, %s, %s, %s", language, count(r.SDK.Files, "file"), count(r.SDK.Types, "event type"), count(r.SDK.Payloads, "payload type")) + r.SDK.shapes()})
}

func (s Subject) shapes() string {
	if s.Shapes == 0 {
		return ""
	}
	return ", " + count(s.Shapes, "shape")
}

func (a Against) title() string { return a.Protocol + " " + a.Name }

// of returns the differences of one kind.
func (r *Result) of(k Kind) []Difference {
	var out []Difference
	for _, d := range r.Differences {
		if d.Kind == k {
			out = append(out, d)
		}
	}
	return out
}

func textSection(b *strings.Builder, k KindInfo, list []Difference) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s (%d)\n", k.Title, len(list))
	for _, rows := range byType(list) {
		textRow(b, rows)
	}
	b.WriteString(wrapped("hint: "+k.Hint, "  ", "        "))
}

// byType groups the differences that follow each other in one type.
func byType(list []Difference) [][]Difference {
	var out [][]Difference
	for _, d := range list {
		if n := len(out); n > 0 && out[n-1][0].Type == d.Type {
			out[n-1] = append(out[n-1], d)
			continue
		}
		out = append(out, []Difference{d})
	}
	return out
}

func textRow(b *strings.Builder, rows []Difference) {
	head := rows[0].Type
	if rows[0].Field == "" && rows[0].Detail != "" {
		head += ": " + rows[0].Detail
	}
	if at := rows[0].At; at.File != "" {
		head += "  " + at.String()
	}
	fmt.Fprintf(b, "  %s\n", printable.Escape(head))
	var names []string
	for _, d := range rows {
		switch {
		case d.Field == "":
		case d.Detail == "":
			names = append(names, printable.Escape(d.Field))
		default:
			fmt.Fprintf(b, "      %s: %s%s\n", printable.Escape(d.Field), printable.Escape(d.Detail), elsewhere(d.At, rows[0].At))
		}
	}
	if len(names) > 0 {
		b.WriteString(wrapped(strings.Join(names, ", "), "      ", "      "))
	}
}

// elsewhere names the line where it is not the one already named.
func elsewhere(at, named vocabulary.Place) string {
	if at == named || at.File == "" {
		return ""
	}
	if at.File == named.File {
		return fmt.Sprintf("  line %d", at.Line)
	}
	return "  " + printable.Escape(at.String())
}

func textDeliberate(b *strings.Builder, list []Difference) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\ndeliberate (%d)\n", len(list))
	subjects := map[string][]string{}
	var order []string
	for _, d := range list {
		key := string(d.Kind) + ": " + d.Reason
		if subjects[key] == nil {
			order = append(order, key)
		}
		subjects[key] = append(subjects[key], printable.Escape(d.Subject()))
	}
	for _, key := range order {
		b.WriteString(wrapped(printable.Escape(key), "  ", "    "))
		b.WriteString(wrapped(strings.Join(subjects[key], ", "), "      ", "      "))
	}
}

func textStale(b *strings.Builder, list []Entry) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\nlisted as deliberate, but no longer a difference (%d)\n", len(list))
	for _, e := range list {
		fmt.Fprintf(b, "  line %d: %s\n", e.Line, printable.Escape(e.String()))
	}
	b.WriteString(wrapped("hint: remove them from the list", "  ", "        "))
}

func textUnparsed(b *strings.Builder, list []Unparsed) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\nwarning: not read (%d)\n", len(list))
	for _, u := range list {
		text := u.Problem.Error()
		if u.What != "" {
			text = u.What + ": " + text
		}
		fmt.Fprintf(b, "  %s\n", printable.Escape(text))
	}
	b.WriteString(wrapped("hint: of these only the type is compared, not the fields; see the README of the readers for the shapes that are read", "  ", "        "))
}

// Verdict says in one line what came of it.
func (r *Result) Verdict() string {
	var also []string
	if n := len(r.Deliberate); n > 0 {
		also = append(also, fmt.Sprintf("%d deliberate", n))
	}
	if n := len(r.Unparsed); n > 0 {
		also = append(also, count(n, "warning"))
	}
	suffix := ""
	if len(also) > 0 {
		suffix = "; " + strings.Join(also, ", ")
	}
	if r.SDK.Language == "" {
		if r.Upstream.Changed() {
			return fmt.Sprintf("DRIFT  upstream differs from %s in %s", r.Against.title(), count(len(r.Upstream.Differences), "place"))
		}
		if r.Upstream != nil && r.Upstream.Err != nil {
			return "UNKNOWN  upstream could not be asked"
		}
		return "OK  nothing newer than " + r.Against.title()
	}
	if r.Upstream.Changed() {
		suffix += fmt.Sprintf("; upstream differs in %s", count(len(r.Upstream.Differences), "place"))
	}
	if len(r.Differences)+len(r.Stale) == 0 && r.Upstream.Changed() {
		return fmt.Sprintf("DRIFT  the SDK matches %s%s", r.Against.title(), suffix)
	}
	if !r.Drifted() {
		return fmt.Sprintf("OK  %s match %s%s", count(len(r.Against.Events), "event type"), r.Against.title(), suffix)
	}
	var what []string
	if n := len(r.Differences); n > 0 {
		what = append(what, fmt.Sprintf("%s from %s", count(n, "difference"), r.Against.title()))
	}
	if n := len(r.Stale); n > 0 {
		what = append(what, fmt.Sprintf("%d stale in the list of deliberate ones", n))
	}
	return "DRIFT  " + strings.Join(what, ", ") + suffix
}

// wrapped breaks text at spaces.
func wrapped(text, first, rest string) string {
	var b strings.Builder
	line := first
	for i, word := range strings.Fields(text) {
		if i > 0 && len(line)+1+len(word) > columns {
			b.WriteString(line + "\n")
			line = rest + word
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}
