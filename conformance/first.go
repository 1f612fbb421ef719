package conformance

import (
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier/scan"
)

// A firstEvent is what the first event of a stream shows of its protocol.
type firstEvent struct {
	kind    string // its type; empty without one
	members []string
}

// readFirst reads it, as far as it is JSON.
func readFirst(event []byte) firstEvent {
	var f firstEvent
	if s := (scan.Scanner{}); !s.Clean(event, scan.MaxDepth) {
		event = scan.Diagnose(event, scan.MaxDepth).Cleaned // which copies
	}
	event = skipSpace(event)
	if len(event) == 0 || event[0] != '{' {
		return f
	}
	for name, value := range scan.EachMember(event) {
		f.members = append(f.members, string(name))
		if scan.SameName(name, "type") && value[0] == '"' {
			text, _ := scan.Text(value, nil)
			f.kind = string(text)
		}
	}
	return f
}

// typesOf returns the types of events.
func typesOf(lists ...[]pi.Event) map[string]bool {
	types := map[string]bool{}
	for _, list := range lists {
		for _, e := range list {
			types[e.Type] = true
		}
	}
	return types
}

var (
	assistantTypes = typesOf(pi.Provider(), pi.DiCode())
	sessionTypes   = typesOf(pi.Agent(), pi.Session())
)

func (f firstEvent) isAssistant() bool { return assistantTypes[f.kind] }

// isSession: a record by its type, or a line of a transcript or of a log.
func (f firstEvent) isSession() bool {
	return sessionTypes[f.kind] || slices.Contains(f.members, "dir") || slices.Contains(f.members, "ext")
}

// isAGUI: its types are in capitals.
func (f firstEvent) isAGUI() bool { return f.kind != "" && f.kind == strings.ToUpper(f.kind) }
