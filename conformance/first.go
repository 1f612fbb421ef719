package conformance

import (
	"strings"

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
	x := scan.Diagnose(event, scan.MaxDepth)
	if x.Cleaned == nil || x.Cleaned[scan.Space(x.Cleaned, 0)] != '{' {
		return f
	}
	for name, value := range scan.EachMember(x.Cleaned) {
		f.members = append(f.members, string(name))
		if scan.SameName(name, "type") && value[0] == '"' {
			text, _ := scan.Text(value, nil)
			f.kind = string(text)
		}
	}
	return f
}

// isAGUI: its types are in capitals.
func (f firstEvent) isAGUI() bool { return f.kind != "" && f.kind == strings.ToUpper(f.kind) }
