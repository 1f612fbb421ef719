package drift

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
)

// The parts of SARIF 2.1.0 that a comparison needs.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
	Help  sarifText `json:"help"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

// Rules of SARIF that are no kind of difference.
const (
	staleRule    = "stale-deliberate"
	unparsedRule = "unparsed"
)

// SARIF writes a comparison for tools that show findings in code.
func SARIF(w io.Writer, r *Result) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "conformance drift"}}, Results: []sarifResult{}}
	for _, k := range kinds {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(k.Kind), sarifText{k.Title}, sarifText{k.Hint}})
	}
	run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
		sarifRule{staleRule, sarifText{"listed as deliberate, but no longer a difference"}, sarifText{"remove it from the list"}},
		sarifRule{unparsedRule, sarifText{"not read"}, sarifText{"only the type is compared, not the fields"}})
	for _, d := range r.Differences {
		run.Results = append(run.Results, sarifDifference(r, d))
	}
	for _, d := range r.Deliberate {
		result := sarifDifference(r, d)
		result.Suppressions = []sarifSuppression{{"external", d.Reason}}
		run.Results = append(run.Results, result)
	}
	for _, e := range r.Stale {
		run.Results = append(run.Results, sarifResult{RuleID: staleRule, Level: "error", Message: sarifText{fmt.Sprintf("line %d: %s", e.Line, e)}, Locations: []sarifLocation{}})
	}
	for _, u := range r.Unparsed {
		text := u.Reason
		if u.What != "" {
			text = u.What + ": " + text
		}
		run.Results = append(run.Results, sarifResult{RuleID: unparsedRule, Level: "warning", Message: sarifText{text}, Locations: sarifLocations(r, u.At.File, u.At.Line)})
	}
	if u := r.Upstream; u.Changed() {
		for _, d := range u.Differences {
			d.At.File = "" // not a file of the SDK
			run.Results = append(run.Results, sarifDifference(r, d))
		}
	}
	return indented(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func sarifDifference(r *Result, d Difference) sarifResult {
	text := d.Subject()
	if d.Detail != "" {
		text += ": " + d.Detail
	}
	text = fmt.Sprintf("%s (%s): %s", d.Kind, r.Against.title(), text)
	return sarifResult{RuleID: string(d.Kind), Level: "error", Message: sarifText{text}, Locations: sarifLocations(r, d.At.File, d.At.Line)}
}

func sarifLocations(r *Result, file string, line int) []sarifLocation {
	if file == "" {
		return []sarifLocation{}
	}
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{path.Join(filepath.ToSlash(r.SDK.Folder), file)}}}
	if line > 0 {
		l.Physical.Region = &sarifRegion{line}
	}
	return []sarifLocation{l}
}
