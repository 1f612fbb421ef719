package session_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model/session"
)

// follows says what may come right behind a kind of record in the run of an agent; "" is the end of the recording.
var follows = map[string][]string{
	"":                         {"agent_start"},
	"agent_start":              {"turn_start"},
	"turn_start":               {"message_start system", "message_start user", "message_start custom", "message_start assistant"},
	"message_start system":     {"message_end system"},
	"message_start user":       {"message_end user"},
	"message_start custom":     {"message_end custom"},
	"message_end system":       {"message_start user", "message_start custom", "message_start assistant"},
	"message_end user":         {"message_start user", "message_start assistant"},
	"message_end custom":       {"message_start assistant"},
	"message_start assistant":  {"update text_start", "update thinking_start", "update toolcall_start", "message_end assistant"},
	"update text_start":        {"update text_delta", "update text_end", "update thinking_start", "update toolcall_start", "update thinking_delta", "update toolcall_delta", "update toolcall_end", "message_end assistant"},
	"update thinking_start":    {"update thinking_delta", "update thinking_end", "update text_start", "update toolcall_start", "update text_delta", "update text_end", "message_end assistant"},
	"update toolcall_start":    {"update toolcall_delta", "update toolcall_end", "update text_start", "update toolcall_start", "update text_delta", "update text_end", "message_end assistant"},
	"update text_delta":        {"update text_delta", "update text_end", "update toolcall_start", "update toolcall_delta", "update toolcall_end", "update thinking_start", "message_end assistant"},
	"update thinking_delta":    {"update thinking_delta", "update thinking_end", "update text_start", "update text_delta", "update toolcall_start", "message_end assistant"},
	"update toolcall_delta":    {"update toolcall_delta", "update toolcall_end", "update text_delta", "update text_end", "update toolcall_start", "message_end assistant"},
	"update text_end":          {"update text_start", "update thinking_start", "update toolcall_start", "update toolcall_delta", "update toolcall_end", "update text_delta", "message_end assistant"},
	"update thinking_end":      {"update text_start", "update thinking_start", "update toolcall_start", "update text_delta", "message_end assistant"},
	"update toolcall_end":      {"update text_start", "update toolcall_start", "update toolcall_delta", "update toolcall_end", "update text_delta", "update text_end", "message_end assistant"},
	"message_end assistant":    {"tool_execution_start", "turn_end"},
	"tool_execution_start":     {"tool_execution_start", "tool_execution_update", "tool_execution_end"},
	"tool_execution_update":    {"tool_execution_update", "tool_execution_end"},
	"tool_execution_end":       {"tool_execution_start", "tool_execution_update", "tool_execution_end", "message_start toolResult"},
	"message_start toolResult": {"message_end toolResult"},
	"message_end toolResult":   {"message_start toolResult", "tool_execution_start", "turn_end"},
	"turn_end":                 {"turn_start", "agent_end"},
	"agent_end":                {"agent_start", ""},
}

// orderStreams is how many recordings show every pair of neighbours.
const orderStreams = 4000

// TestEveryNeighbourOccurs measures which record comes behind which in the runs of an agent: what may, does, and what
// may not, does not. Run it with -v for the figures; it prints those of the other classes, too.
func TestEveryNeighbourOccurs(t *testing.T) {
	r := reachOf(t, session.Knobs{Class: session.Agent, Profile: "pi-1.x"}, orderStreams)
	for before, list := range follows {
		for _, kind := range list {
			if r.pairs[pair{before, kind}] == 0 {
				t.Errorf("%q is never followed by %q", before, kind)
			}
		}
	}
	for p, n := range r.pairs {
		if !slices.Contains(follows[p[0]], p[1]) && !strings.HasPrefix(p[0], "update") {
			t.Errorf("%q is followed by %q %d times: this cannot be", p[0], p[1], n)
		}
	}
	show(t, "agent", r)
	for _, class := range session.Classes()[1:] {
		if testing.Verbose() {
			show(t, string(class), reachOf(t, session.Knobs{Class: class}, orderStreams/4))
		}
	}
}

func show(t *testing.T, class string, r reach) {
	var lines []string
	for p, n := range r.pairs {
		lines = append(lines, fmt.Sprintf("%s: %-32s %-32s %7d", class, p[0], p[1], n))
	}
	sort.Strings(lines)
	t.Logf("pairs\n%s", strings.Join(lines, "\n"))
}
