package conformance

import "github.com/agentstream/conformance/verifier"

// A Finding is a violation as JSON reports have it. What there is none of is the empty string or,
// for numbers, null; the end of a stream has neither line nor offset.
type Finding struct {
	Protocol  string            `json:"protocol"`
	Code      string            `json:"code"`
	Clause    string            `json:"clause"`
	Severity  verifier.Severity `json:"severity"`
	Index     int               `json:"index"`
	Line      *int              `json:"line"`
	Offset    *int64            `json:"offset"`
	EventType string            `json:"eventType"`
	ID        string            `json:"id"`
	Pointer   string            `json:"pointer"`
	Related   *int              `json:"related"`
	Detail    string            `json:"detail"`
	Page      string            `json:"page"`
}

// Findings returns violations as JSON reports have them.
func Findings(violations []verifier.Violation) []Finding {
	out := make([]Finding, len(violations))
	for i, v := range violations {
		out[i] = Finding{
			Protocol: v.Protocol, Code: v.Code, Clause: v.Clause, Severity: v.Severity, Index: v.Index,
			EventType: v.EventType, ID: v.ID, Pointer: v.Pointer,
			Detail: v.Detail, Page: v.Page,
		}
		if v.Line > 0 {
			out[i].Line, out[i].Offset = &v.Line, &v.Offset
		}
		if v.Related >= 0 {
			out[i].Related = &v.Related
		}
	}
	return out
}
