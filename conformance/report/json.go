package report

import (
	_ "embed"
	"io"
	"path/filepath"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/verifier"
)

// Schema is the JSON Schema (2020-12) of the JSON report.
//
//go:embed report.schema.json
var Schema []byte

// JSON writes the JSON report: one line per stream inside one document, so that it can be read as it
// grows and is valid at its end.
type JSON struct {
	w    io.Writer
	head head
	any  bool
}

type head struct {
	Version int              `json:"version"`
	Tool    conformance.Tool `json:"tool"`
}

// stream is one stream of the report. Code and Index are null in an accepted one.
type stream struct {
	Source       string                `json:"source"`
	Protocol     string                `json:"protocol"`
	Profile      string                `json:"profile"`
	Revision     string                `json:"revision,omitempty"`
	Class        string                `json:"class,omitempty"`
	NotEvaluated []string              `json:"notEvaluated,omitempty"`
	Events       int                   `json:"events"`
	Runs         []verifier.Run        `json:"runs"`
	Verdict      verifier.Outcome      `json:"verdict"`
	Code         *string               `json:"code"`
	Index        *int                  `json:"index"`
	Findings     []conformance.Finding `json:"findings"`
	Omitted      int                   `json:"omitted"`
	Error        string                `json:"error,omitempty"`
}

// NewJSON returns a writer of the report of a check.
func NewJSON(w io.Writer) *JSON {
	return &JSON{w: w, head: head{Version: 2, Tool: conformance.Version()}}
}

// Stream writes one stream.
func (j *JSON) Stream(s *conformance.Stream) error {
	b, err := j.begin()
	if err != nil {
		return err
	}
	line, err := conformance.Marshal(streamOf(s))
	if err != nil {
		return err
	}
	_, err = j.w.Write(append(b, line...))
	return err
}

// begin returns what stands in front of the next stream.
func (j *JSON) begin() ([]byte, error) {
	if j.any {
		return []byte(",\n"), nil
	}
	j.any = true
	h, err := conformance.Marshal(j.head)
	if err != nil {
		return nil, err
	}
	return append(h[:len(h)-1], ",\"streams\":[\n"...), nil
}

// End ends the document.
func (j *JSON) End(*conformance.Tally) error {
	var b []byte
	if !j.any {
		var err error
		if b, err = j.begin(); err != nil {
			return err
		}
	}
	_, err := j.w.Write(append(b, "\n]}\n"...))
	return err
}

func streamOf(s *conformance.Stream) stream {
	r := &s.Report
	out := stream{
		Source: filepath.ToSlash(s.Source), Protocol: r.Protocol, Profile: r.Profile, Revision: r.Revision,
		Class: r.Class, NotEvaluated: r.NotEvaluated, Events: r.Events, Runs: r.Runs, Verdict: r.Verdict.Outcome,
		Findings: conformance.Findings(r.Findings), Omitted: r.Omitted,
	}
	if out.Runs == nil {
		out.Runs = []verifier.Run{}
	}
	if v := r.Verdict; v.Code != "" {
		out.Code, out.Index = &v.Code, &v.Index
	}
	if s.Err != nil {
		out.Error = s.Err.Error()
	}
	return out
}
