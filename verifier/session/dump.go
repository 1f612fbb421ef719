package session

import (
	"slices"

	"github.com/agentstream/conformance/verifier"
)

// maxDumped is how many open items a violation carries.
const maxDumped = 100

// dump returns what is open, in the order opened.
func (m *machine) dump() []verifier.Item {
	var out []verifier.Item
	for _, x := range []struct {
		open bool
		kind string
		at   verifier.Place
	}{
		{m.run.open, "run", m.run.at}, {m.turn.open, "turn", m.turn.at}, {m.message.open, "message", m.message.at},
		{m.retry.open, "retry", m.retry.at}, {m.compaction.open, "compaction", m.compaction.at},
	} {
		if x.open {
			out = append(out, verifier.Item{Kind: x.kind, Parent: true, Opener: x.at.Index})
		}
	}
	for _, c := range m.turn.openTools() {
		out = append(out, verifier.Item{Kind: "tool", ID: verifier.Shown(c.id), Parent: true, Opener: c.at.Index})
	}
	out = append(out, m.stream.Open()...)
	slices.SortStableFunc(out, func(a, b verifier.Item) int { return a.Opener - b.Opener })
	return out[:min(len(out), maxDumped)]
}
