package drift

import (
	"encoding/json"
	"io"
)

// The report as JSON. Lists are never null.
type jsonReport struct {
	Version     int              `json:"version"`
	Baseline    jsonBaseline     `json:"baseline"`
	SDK         jsonSDK          `json:"sdk"`
	Drift       bool             `json:"drift"`
	Differences []jsonDifference `json:"differences"`
	Deliberate  []jsonDifference `json:"deliberate"`
	Stale       []jsonEntry      `json:"stale"`
	Unparsed    []jsonUnparsed   `json:"unparsed"`
	Upstream    *jsonUpstream    `json:"upstream,omitempty"`
}

type jsonUpstream struct {
	Source      string           `json:"source"`
	Error       string           `json:"error,omitempty"`
	Differences []jsonDifference `json:"differences"`
}

type jsonBaseline struct {
	Protocol string `json:"protocol"`
	Revision string `json:"revision"`
	Package  string `json:"package"`
	Version  string `json:"version"`
	Date     string `json:"date"`
	Types    int    `json:"types"`
}

type jsonSDK struct {
	Source       string `json:"source"`
	Language     string `json:"language"`
	Experimental bool   `json:"experimental"`
	Files        int    `json:"files"`
	Types        int    `json:"types"`
	Payloads     int    `json:"payloads"`
	Shapes       int    `json:"shapes"`
}

type jsonDifference struct {
	Kind   Kind   `json:"kind"`
	Type   string `json:"type"`
	Field  string `json:"field,omitempty"`
	Detail string `json:"detail,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason,omitempty"`
}

type jsonEntry struct {
	Kind    Kind   `json:"kind"`
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
	Line    int    `json:"line"`
}

type jsonUnparsed struct {
	What   string `json:"what,omitempty"`
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

// JSON writes a comparison for programs.
func JSON(w io.Writer, r *Result) error {
	source := r.Against.Source
	report := jsonReport{
		Version:     1,
		Baseline:    jsonBaseline{r.Against.Protocol, r.Against.Name, source.Package, source.Version, source.Date, len(r.Against.Events)},
		SDK:         jsonSDK{r.SDK.Source, r.SDK.Language, r.SDK.Experimental, r.SDK.Files, r.SDK.Types, r.SDK.Payloads, r.SDK.Shapes},
		Drift:       r.Drifted(),
		Differences: jsonDifferences(r.Differences),
		Deliberate:  jsonDifferences(r.Deliberate),
		Stale:       []jsonEntry{},
		Unparsed:    []jsonUnparsed{},
	}
	for _, e := range r.Stale {
		report.Stale = append(report.Stale, jsonEntry(e))
	}
	for _, u := range r.Unparsed {
		report.Unparsed = append(report.Unparsed, jsonUnparsed{u.What, u.At.File, u.At.Line, u.Reason})
	}
	if u := r.Upstream; u != nil {
		report.Upstream = &jsonUpstream{Source: u.Source, Differences: jsonDifferences(u.Differences)}
		if u.Err != nil {
			report.Upstream.Error = u.Err.Error()
		}
	}
	return indented(w, report)
}

func jsonDifferences(list []Difference) []jsonDifference {
	out := []jsonDifference{}
	for _, d := range list {
		out = append(out, jsonDifference{d.Kind, d.Type, d.Field, d.Detail, d.At.File, d.At.Line, d.Reason})
	}
	return out
}

func indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
