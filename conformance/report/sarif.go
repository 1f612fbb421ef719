package report

import (
	"io"
	"net/url"
	"path/filepath"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/verifier"
)

// SARIF writes a check as a SARIF 2.1.0 log, for code hosts and editors. It is one document and written
// at the end; what it keeps are the findings.
type SARIF struct {
	w       io.Writer
	run     *sarif.Run
	rules   map[string]int // index by PROTOCOL/CODE
	ordered []*sarif.ReportingDescriptor
	failed  []*sarif.Notification
}

// NewSARIF returns a writer of a SARIF log.
func NewSARIF(w io.Writer) *SARIF {
	v := conformance.Version()
	run := sarif.NewRunWithInformationURI(v.Name, "https://github.com/agentstream/conformance")
	run.Tool.Driver.WithVersion(v.Version)
	run.WithColumnKind("unicodeCodePoints")
	return &SARIF{w: w, run: run, rules: map[string]int{}, failed: []*sarif.Notification{}}
}

// sarifLevels are what SARIF calls the severities.
var sarifLevels = [...]string{verifier.None: "none", verifier.Info: "note", verifier.Warning: "warning", verifier.Error: "error"}

// Stream notes the findings of one stream.
func (s *SARIF) Stream(x *conformance.Stream) error {
	uri := sarifURI(x.Source)
	for i := range x.Report.Findings {
		s.run.Results = append(s.run.Results, s.result(uri, x, &x.Report.Findings[i]))
	}
	if x.Err != nil {
		s.failed = append(s.failed, sarif.NewNotification().WithLevel("error").
			WithMessage(sarif.NewTextMessage(Escape(conformance.Unreadable(x).Error()))).WithLocations([]*sarif.Location{location(uri, nil)}))
	}
	return nil
}

func (s *SARIF) result(uri string, x *conformance.Stream, v *verifier.Violation) *sarif.Result {
	properties := sarif.NewPropertyBag()
	for name, value := range map[string]any{
		"protocol": x.Report.Protocol, "profile": x.Report.Profile, "clause": v.Clause, "index": v.Index, "pointer": v.Pointer,
	} {
		properties.Add(name, value)
	}
	if v.Related >= 0 {
		properties.Add("related", v.Related)
	}
	id, index := s.rule(v)
	return sarif.NewRuleResult(id).WithRuleIndex(index).WithLevel(sarifLevels[v.Severity]).
		WithMessage(sarif.NewTextMessage(Escape(v.Detail))).
		WithLocations([]*sarif.Location{location(uri, v)}).WithProperties(properties)
}

// rule returns the id and the index of a finding's rule.
func (s *SARIF) rule(v *verifier.Violation) (id string, index int) {
	id = v.Protocol + "/" + v.Code
	if index, known := s.rules[id]; known {
		return id, index
	}
	index = len(s.ordered)
	s.rules[id] = index
	d := sarif.NewRule(id).WithHelpURI(v.Page)
	if r, ok := conformance.Rules(v.Protocol).Rule(v.Code); ok {
		d.WithShortDescription(text(capital(r.Title) + ".")).WithFullDescription(text(r.Effect))
	}
	s.ordered = append(s.ordered, d)
	return id, index
}

func text(s string) *sarif.MultiformatMessageString {
	return sarif.NewMultiformatMessageString().WithText(s)
}

// location is where a finding is; without one, or at the end of the stream, the file alone.
func location(uri string, v *verifier.Violation) *sarif.Location {
	p := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri))
	if v != nil && v.Line > 0 {
		p.WithRegion(sarif.NewRegion().WithStartLine(v.Line))
	}
	return sarif.NewLocationWithPhysicalLocation(p)
}

// sarifURI is a path as a relative or absolute URI reference.
func sarifURI(source string) string {
	if source == conformance.Stdin {
		return "stdin"
	}
	return (&url.URL{Path: filepath.ToSlash(source)}).String()
}

// End writes the log.
func (s *SARIF) End(*conformance.Tally) error {
	s.run.Tool.Driver.WithRules(s.ordered)
	s.run.WithInvocations([]*sarif.Invocation{
		sarif.NewInvocation().WithExecutionSuccessful(len(s.failed) == 0).WithToolExecutionNotifications(s.failed),
	})
	log := sarif.NewReport()
	log.AddRun(s.run)
	return log.PrettyWrite(s.w)
}
