// Package rules is the table of AG-UI's rules: every code, what it means, what decides it, how much
// it weighs in each profile and what a blamed event leaves behind. It holds no logic.
package rules

import (
	"slices"

	"github.com/agentstream/conformance/verifier"
)

// The profiles, in the order of the columns of a rule's Levels.
const (
	Producer = iota
	Consumer
	Server
	Client
)

// Table returns AG-UI's rules in order of precedence. It is shared and must not be modified.
func Table() *verifier.Table { return table }

var table = verifier.NewTable(verifier.Table{
	Protocol: "agui",
	Site:     "https://docs.ag-ui.com",
	Profiles: []string{"producer", "consumer", "server", "client"},
	Rules:    slices.Concat(structure, order, identity, request, documents, advice),
}, int(clauseCount))

// since1 marks rules that the protocol gained with 1.0.
const since1 = "1.0"

var (
	keep       = verifier.Keep
	drop       = verifier.Drop
	dropAlways = verifier.DropAlways
)

// The pages that decide. A page of one's own per rule would be a second list.
const (
	pageBasic       = "/spec/1.0/basic"
	pageProcessing  = "/spec/1.0/basic/processing"
	pageStreaming   = "/spec/1.0/basic/patterns/streaming"
	pageSnapshots   = "/spec/1.0/basic/patterns/snapshots"
	pageInterrupts  = "/spec/1.0/basic/patterns/interrupt-resume"
	pageVersioning  = "/spec/1.0/basic/versioning"
	pageRunInput    = "/spec/1.0/basic/run-input"
	pageMetadata    = "/spec/1.0/basic/metadata"
	pageTransports  = "/spec/1.0/basic/transports"
	pageHTTPSSE     = "/spec/1.0/basic/transports/http-sse"
	pageSchema      = "/spec/1.0/schema"
	pageLifecycle   = "/spec/1.0/events/lifecycle"
	pageText        = "/spec/1.0/events/text-messages"
	pageToolCalls   = "/spec/1.0/events/tool-calls"
	pageReasoning   = "/spec/1.0/events/reasoning"
	pageState       = "/spec/1.0/events/state"
	pageActivity    = "/spec/1.0/events/activity"
	pageSubagents   = "/spec/1.0/events/subagents"
	pagePassthrough = "/spec/1.0/events/passthrough"
)
