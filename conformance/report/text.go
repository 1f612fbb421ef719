package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/verifier"
)

// Columns is how wide text is. What can be cut or wrapped is; a path is not.
const Columns = 80

const (
	margin     = "    "
	labelWidth = 10
	// maxRest is how many of the findings that follow on the first of a group are listed.
	maxRest = 5
	// maxFull is how many groups of one code are shown with their evidence.
	maxFull = 10
	// maxOpen is how many open items are named.
	maxOpen = 5
	// minDetail is what a path leaves of a line that is cut.
	minDetail = 40
)

// TextOptions say how text is written.
type TextOptions struct {
	Colour bool
	// Quiet leaves out streams without a finding.
	Quiet bool
}

// Text writes a check for a person.
type Text struct {
	w io.Writer
	o TextOptions
	painter
	b    strings.Builder // of the stream being written
	seen map[string]int  // groups of this stream by the code of their first
}

// NewText returns a writer of text.
func NewText(w io.Writer, o TextOptions) *Text {
	return &Text{w: w, o: o, painter: painter(o.Colour)}
}

// Stream writes one stream: its verdict, then its findings by entity, then advice.
func (t *Text) Stream(s *conformance.Stream) error {
	findings := len(s.Groups) + len(s.Advice)
	if t.o.Quiet && findings == 0 && s.Err == nil && s.Report.Verdict.Outcome == verifier.Accept {
		return nil
	}
	t.verdict(s)
	t.seen = map[string]int{}
	for i := range s.Groups {
		t.group(s, &s.Groups[i], i == 0)
	}
	if len(s.Groups) > 0 && len(s.Advice) > 0 {
		t.line()
	}
	for _, v := range s.Advice {
		t.advice(s, v)
	}
	if n := s.Report.Omitted; n > 0 {
		t.line(margin, t.paint(dim, fmt.Sprintf("%s more not kept; --max-findings keeps more", count(n, "finding"))))
	}
	if findings > 0 {
		t.line()
	}
	return t.flush()
}

func (t *Text) line(parts ...string) {
	for _, p := range parts {
		t.b.WriteString(p)
	}
	t.b.WriteByte('\n')
}

func (t *Text) flush() error {
	_, err := io.WriteString(t.w, t.b.String())
	t.b.Reset()
	return err
}

func (t *Text) verdict(s *conformance.Stream) {
	v, what := s.Report.Verdict, ""
	switch {
	case s.Err != nil:
		what = "  could not be read to its end"
	case v.Outcome != verifier.Accept:
		what = "  " + v.Code + " at " + t.event(s, v.Index)
	}
	as, inside := judgedAs(s), contents(s)
	room := Columns - width(v.Outcome.String()+"  "+name(s)+what+"  ("+inside+"; )")
	apart := as != "" && width(as) > room
	if as != "" && !apart {
		inside += "; " + as
	}
	t.line(t.paint(outcomeColours[v.Outcome], v.Outcome.String()), "  ", t.paint(bold, name(s)), what, t.paint(dim, "  ("+inside+")"))
	if apart {
		t.line(margin, t.paint(dim, as))
	}
}

// event names an event, or the end of the stream.
func (t *Text) event(s *conformance.Stream, index int) string {
	if index >= s.Report.Events {
		return "the end"
	}
	return fmt.Sprintf("%s %d", conformance.Unit(s.Report.Protocol), index)
}

func contents(s *conformance.Stream) string {
	r := &s.Report
	text := count(r.Events, conformance.Unit(r.Protocol))
	if n := len(r.Runs); n > 0 {
		text += ", " + count(n, "run")
	}
	return text
}

// judgedAs says what a stream was judged as that is not of the first protocol, and how many rules its
// class of input cannot show.
func judgedAs(s *conformance.Stream) string {
	r := &s.Report
	if r.Protocol == "" || r.Protocol == conformance.Protocols()[0] {
		return ""
	}
	text := strings.TrimSuffix(r.Protocol+" "+r.Class, " ") + " in " + r.Profile
	if n := len(r.NotEvaluated); n > 0 {
		text += "; " + count(n, "rule") + " not evaluated"
	}
	return text
}

// group writes the findings of one entity. After many groups of one code, which differ in their ids
// only, the evidence is left out.
func (t *Text) group(s *conformance.Stream, g *conformance.Group, first bool) {
	t.seen[g.Lead.Code]++
	full := t.seen[g.Lead.Code] <= maxFull
	if !first && full {
		t.line()
	}
	t.lead(s, g.Lead)
	if full {
		t.evidence(s, g)
	}
	for i, v := range g.Rest {
		if i == maxRest && len(g.Rest) > maxRest+1 {
			t.more(s, g.Rest[i:])
			return
		}
		t.follow(s, "  ", v, severityColours[v.Severity])
	}
}

// evidence writes what a group's first finding is about.
func (t *Text) evidence(s *conformance.Stream, g *conformance.Group) {
	t.excerpt(conformance.Unit(s.Report.Protocol), g.Lead.Index, g.Lead.EventType, g.Event)
	t.excerpt("cause", g.Lead.Related, "", g.Cause)
	t.labelled("open", openItems(g.Lead, conformance.Unit(s.Report.Protocol)))
	if t.seen[g.Lead.Code] == 1 {
		t.explain(g.Lead)
	}
}

// explain says what a code breaks and what to read about it.
func (t *Text) explain(v verifier.Violation) {
	if r, ok := conformance.Rules(v.Protocol).Rule(v.Code); ok {
		t.labelled("effect", r.Effect)
	}
	if flag := limitFlag(v); flag != "" {
		t.labelled("raise", flag)
		return
	}
	t.address(v.Page)
}

// limitFlag is the flag that raises a limit of the kit: it is named like the clause. No page has
// anything to say about it.
func limitFlag(v verifier.Violation) string {
	if r, ok := conformance.Rules(v.Protocol).Rule(v.Code); !ok || !r.Limit {
		return ""
	}
	_, clause, _ := strings.Cut(v.Clause, "/")
	return "--limit-" + clause
}

// weight is a finding's severity; a limit of the kit is no error of the producer.
func (t *Text) weight(v verifier.Violation) string {
	if limitFlag(v) != "" {
		return "stopped"
	}
	return v.Severity.String()
}

// lead writes a group's first finding. Its detail is wrapped, not cut.
func (t *Text) lead(s *conformance.Stream, v verifier.Violation) {
	at, what := place(s, v.Line)+":", t.weight(v)+" "+v.Clause+":"
	lines := wrap(Escape(v.Detail), Columns-width(at)-width(what)-2, Columns-len(margin))
	head := t.paint(bold, at) + " " + t.paint(severityColours[v.Severity], what)
	if lines[0] != "" {
		head += " " + lines[0]
	}
	t.line(head)
	for _, l := range lines[1:] {
		t.line(margin, l)
	}
}

// follow writes a finding on one line.
func (t *Text) follow(s *conformance.Stream, indent string, v verifier.Violation, c colour) {
	at, what := place(s, v.Line)+":", t.weight(v)+" "+v.Clause+":"
	room := max(Columns-width(indent)-width(at)-width(what)-2, minDetail)
	t.line(indent, at, " ", t.paint(c, what), " ", cut(Escape(v.Detail), room))
}

func (t *Text) advice(s *conformance.Stream, v verifier.Violation) {
	at, what := place(s, v.Line)+":", v.Severity.String()+" "+v.Clause+":"
	room := max(Columns-width(at)-width(what)-2, minDetail)
	t.line(t.paint(dim, at+" "+what+" "+cut(Escape(v.Detail), room)))
}

// more stands for findings that are not listed.
func (t *Text) more(s *conformance.Stream, rest []verifier.Violation) {
	last := rest[len(rest)-1]
	where := "the end"
	if last.Line > 0 {
		where = fmt.Sprintf("line %d", last.Line)
	}
	about := cmp.Or(Escape(last.Entity), last.Clause)
	t.line("  ", t.paint(dim, cut(fmt.Sprintf("%d more about %s, the last at %s", len(rest), about, where), Columns-2)))
}

// labelled writes text behind a label, wrapped.
func (t *Text) labelled(label, text string) {
	if text == "" {
		return
	}
	room := Columns - len(margin) - labelWidth
	for _, l := range wrap(Escape(text), room, room) {
		t.line(margin, t.paint(dim, label), strings.Repeat(" ", labelWidth-len(label)), l)
		label = ""
	}
}

// address writes the page to read, whole: one that is broken is none.
func (t *Text) address(url string) {
	if url != "" {
		t.line(margin, t.paint(dim, "read"), strings.Repeat(" ", labelWidth-len("read")), Escape(url))
	}
}

// openItems names what was open, unless the finding's own sentence does. A fault of the event itself
// has nothing to do with it.
func openItems(v verifier.Violation, unit string) string {
	var names []string
	if v.Entity == "" {
		return ""
	}
	for _, it := range v.Open {
		name := it.Kind
		if it.ID != "" {
			name += fmt.Sprintf(" %q", it.ID)
		}
		if it.ID != "" && strings.Contains(v.Detail, name) {
			continue
		}
		if !it.Parent && it.Owner != "" {
			name += fmt.Sprintf(" of subagent %q", it.Owner)
		}
		names = append(names, fmt.Sprintf("%s since %s %d", name, unit, it.Opener))
	}
	if more := len(names) - maxOpen; more > 0 {
		names = append(names[:maxOpen], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// End writes what all came to.
func (t *Text) End(sum *conformance.Tally) error {
	t.line(summary(sum))
	if sum.First != "" {
		t.line(t.paint(dim, "conformance explain "+sum.First+" says more"))
	}
	return t.flush()
}

func summary(sum *conformance.Tally) string {
	var verdicts []string
	for o, word := range [...]string{verifier.Accept: "accepted", verifier.Reject: "rejected", verifier.Incomplete: "incomplete"} {
		if n := sum.Verdicts[o]; n > 0 {
			verdicts = append(verdicts, fmt.Sprintf("%d %s", n, word))
		}
	}
	if sum.Unread > 0 {
		verdicts = append(verdicts, fmt.Sprintf("%d not read", sum.Unread))
	}
	var findings []string
	for s := verifier.Error; s >= verifier.Info; s-- {
		n := sum.Findings[s]
		if s == verifier.Error {
			n -= sum.Stopped // a limit of the kit is nobody's error
		}
		if n > 0 {
			findings = append(findings, count(n, s.String()))
		}
	}
	text := count(sum.Streams, "stream")
	if len(verdicts) > 0 {
		text += ": " + strings.Join(verdicts, ", ")
	}
	if len(findings) > 0 {
		text += "; " + strings.Join(findings, ", ")
	}
	return text
}

// name is the stream's name on a screen.
func name(s *conformance.Stream) string {
	if s.Source == conformance.Stdin {
		return "<stdin>"
	}
	return Escape(s.Source)
}

// place is path:line, which editors and terminals open; the end of a stream has no line.
func place(s *conformance.Stream, line int) string {
	if line == 0 {
		return name(s)
	}
	return fmt.Sprintf("%s:%d", name(s), line)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
