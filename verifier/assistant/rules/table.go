// Package rules is the table of the provider stream's rules: every code, what it means, what decides it,
// how much it weighs in each profile and what a blamed event leaves behind. It holds no logic.
package rules

import (
	"slices"

	"github.com/agentstream/conformance/verifier"
)

// The profiles, in the order of the columns of a rule's Levels.
const (
	Pi1x = iota
	Pi080
	Pi073
	DiCode
)

// Table returns the rules of the provider stream in order of precedence. It is shared and must not be
// modified.
func Table() *verifier.Table { return table }

var table = verifier.NewTable(verifier.Table{
	Protocol: "assistant",
	Site:     "https://github.com/agentstream/conformance/blob/main/docs/pi.md",
	Profiles: []string{"pi-1.x", "pi-0.80", "pi-0.73", "di-code"},
	Rules:    slices.Concat(structure, order, content, ends),
}, int(ClauseCount))

// The sections that decide.
const (
	pageFraming = "#framing"
	pageShapes  = "#wire-shapes"
	pageStream  = "#provider-stream"
	pageDiCode  = "#di-code"
)

// dropsAll is the note on rules whose blamed event is kept by pi's profiles.
const dropsAll = "Under di-code every error drops the event: the stream is as if it had not come."
