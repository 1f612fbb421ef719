// Package rules is the table of the rules for agent runs, sessions, transcripts and host traces: every
// code, what it means, what decides it, how much it weighs in each profile and what a blamed record leaves
// behind. The rules of the provider stream, which a session carries inside its records, follow behind the
// own ones. It holds no logic.
package rules

import (
	"slices"

	"github.com/agentstream/conformance/verifier"
	assistant "github.com/agentstream/conformance/verifier/assistant/rules"
)

// The profiles, in the order of the columns of a rule's Levels. They are those of the provider stream.
const (
	Pi1x = iota
	Pi080
	Pi073
)

// The classes of input, as bits. What a recording can show depends on where it was made.
const (
	Agent      verifier.Classes = 1 << iota // agent events, inside a process
	Stdout                                  // standard output, of JSON mode or RPC
	Transcript                              // both directions
)

// session is what a rule needs that reads records of a session.
const session = Stdout | Transcript

// Table returns the rules in order of precedence. It is shared and must not be modified.
func Table() *verifier.Table { return table }

var table = verifier.NewTable(verifier.Table{
	Protocol: "session",
	Site:     "https://github.com/agentstream/conformance/blob/main/docs/pi.md",
	Profiles: []string{"pi-1.x", "pi-0.80", "pi-0.73"},
	Classes:  []string{"agent", "stdout", "transcript"},
	Rules:    slices.Concat(structure, run, recovery, rpc, host, embedded()),
}, int(clauseCount))

// embedded are the rules of the provider stream, marked as its own.
func embedded() []verifier.Rule {
	t := assistant.Table()
	out := slices.Clone(t.Rules)
	for i := range out {
		out[i].Protocol = t.Protocol
	}
	return out
}

var (
	drop       = verifier.Drop
	dropAlways = verifier.DropAlways
)

// The anchors of the page that decides.
const (
	pageShapes      = "#wire-shapes"
	pageFraming     = "#framing"
	pageRun         = "#agent-run"
	pageSession     = "#session"
	pageRPC         = "#rpc"
	pageTranscripts = "#transcripts"
	pageHost        = "#host-traces"
)
