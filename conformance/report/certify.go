package report

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/certify"
	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/subject"
)

// CertifySchema is the JSON Schema (2020-12) of the JSON report of certify.
//
//go:embed certify.schema.json
var CertifySchema []byte

// maxDiff is how many lines of a difference are shown; JSON has all.
const maxDiff = 40

// statusOrder is how a summary counts, and what it calls each.
var statusOrder = []struct {
	status scenario.Status
	words  string
	colour colour
}{
	{scenario.Pass, "passed", green}, {scenario.Fail, "failed", red}, {scenario.KnownFail, "known to fail", yellow},
	{scenario.UnexpectedPass, "passed unexpectedly", red}, {scenario.CouldNotRun, "could not run", red},
	{scenario.Unsupported, "unsupported", dim}, {scenario.NotApplicable, "not applicable", dim},
}

func statusColour(s scenario.Status) colour {
	for _, x := range statusOrder {
		if x.status == s {
			return x.colour
		}
	}
	return plain
}

// A CertifyWriter writes a certification, result by result.
type CertifyWriter interface {
	Result(r *scenario.Result) error
	End(s certify.Summary) error
}

// CertifyText writes a certification for a person.
type CertifyText struct {
	Text
	quiet bool
}

// NewCertifyText returns a writer of text. Quiet leaves out what passed or does not apply.
func NewCertifyText(w io.Writer, o TextOptions) *CertifyText {
	return &CertifyText{Text: *NewText(w, o), quiet: o.Quiet}
}

// Result writes one line for what passed, and all that says why for what did not.
func (t *CertifyText) Result(r *scenario.Result) error {
	if t.quiet && (r.Status == scenario.Pass || r.Status == scenario.Unsupported || r.Status == scenario.NotApplicable) {
		return nil
	}
	t.line(t.paint(statusColour(r.Status), fmt.Sprintf("%-15s", r.Status)), " ", t.paint(bold, Escape(r.Scenario)))
	if r.Status == scenario.Pass {
		return t.flush()
	}
	t.labelled("why", because(r))
	t.labelled("known", r.Known)
	if r.Status == scenario.Fail || r.Status == scenario.UnexpectedPass || r.Status == scenario.CouldNotRun {
		t.where(r)
		t.diff(r.Diff)
		t.labelled("replay", r.Replay)
	}
	return t.flush()
}

func because(r *scenario.Result) string {
	if r.Cause == "" || r.Cause == scenario.Expectation {
		return r.Detail
	}
	return string(r.Cause) + ": " + r.Detail
}

func (t *CertifyText) where(r *scenario.Result) {
	if r.Line > 0 {
		t.labelled("line", fmt.Sprintf("%d, about run %s", r.Line, r.Run))
	}
	rules := conformance.Rules(conformance.Protocols()[0])
	if rule, ok := rules.Rule(r.Code); ok {
		t.labelled("effect", rule.Effect)
		t.address(rules.PageURL(rule))
	}
}

func (t *CertifyText) diff(text string) {
	if text == "" {
		return
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		if i == maxDiff {
			t.line(margin, t.paint(dim, fmt.Sprintf("… %d more lines; --format json has them", len(lines)-i)))
			return
		}
		t.line(margin, t.paint(diffColour(l), cut(Escape(strings.ReplaceAll(l, "\t", "    ")), Columns-len(margin))))
	}
}

func diffColour(line string) colour {
	switch {
	case strings.HasPrefix(line, "+"):
		return green
	case strings.HasPrefix(line, "-"):
		return red
	}
	return plain
}

// End writes what all came to.
func (t *CertifyText) End(s certify.Summary) error {
	total, parts := 0, []string{}
	for _, x := range statusOrder {
		if n := s.Results[x.status]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, x.words))
		}
	}
	if total > 0 {
		t.line()
	}
	t.line(count(total, "scenario") + ": " + strings.Join(parts, ", "))
	for _, p := range s.Problems {
		t.line(t.paint(red, "known failures: "), Escape(p))
	}
	for _, g := range s.Grades {
		held, c := "held", green
		if !g.Held {
			held, c = "not held", yellow
		}
		t.line(fmt.Sprintf("%-9s ", g.Name), t.paint(c, fmt.Sprintf("%-9s", held)), " ", Escape(g.Rests))
	}
	return t.flush()
}

// CertifyJSON writes a certification as one JSON document, a line for each result.
type CertifyJSON struct {
	w    io.Writer
	head certifyHead
	any  bool
}

type certifyHead struct {
	Version     int                 `json:"version"`
	Tool        conformance.Tool    `json:"tool"`
	Subject     string              `json:"subject"`
	Description subject.Description `json:"description"`
	Features    []string            `json:"features"` // declared; null where nothing is
}

// NewCertifyJSON returns a writer of JSON.
func NewCertifyJSON(w io.Writer, c *certify.Certification) *CertifyJSON {
	return &CertifyJSON{w: w, head: certifyHead{Version: 1, Tool: conformance.Version(), Subject: c.Subject(), Description: c.Description(), Features: c.Features()}}
}

// Result writes one result.
func (j *CertifyJSON) Result(r *scenario.Result) error {
	line, err := conformance.Marshal(r)
	if err != nil {
		return err
	}
	begin := ",\n"
	if !j.any {
		if begin, err = j.begin(); err != nil {
			return err
		}
	}
	_, err = j.w.Write(append([]byte(begin), line...))
	return err
}

func (j *CertifyJSON) begin() (string, error) {
	j.any = true
	h, err := conformance.Marshal(j.head)
	if err != nil {
		return "", err
	}
	return string(h[:len(h)-1]) + ",\"results\":[\n", nil
}

// End ends the document with the summary.
func (j *CertifyJSON) End(s certify.Summary) error {
	begin := ""
	if !j.any {
		var err error
		if begin, err = j.begin(); err != nil {
			return err
		}
	}
	end, err := conformance.Marshal(s)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "%s\n],\"summary\":%s}\n", begin, end)
	return err
}
