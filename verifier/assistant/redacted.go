package assistant

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// A block of thinking that ended with a text that no delta brought is legal where it was redacted, which
// only the event, a partial or the final message shows. Until one does, it is in doubt.

// doubtRedacted takes what the end of a block says itself, or leaves it to what comes.
func (m *Machine) doubtRedacted(e *event.Event, n int) {
	switch redacted := e.Value(event.Redacted); {
	case redacted == nil:
		m.blocks[n].doubtful = true
		m.doubts++
	case redacted[0] == 'f':
		m.blameUnredacted(n, *m.Place())
	}
}

// seeRedacted settles what a message shows: a block of thinking that does not say that it was redacted
// was not.
func (m *Machine) seeRedacted(message []byte) {
	content := scan.Member(message, "content")
	if m.doubts == 0 || len(content) == 0 || content[0] != '[' {
		return
	}
	for i, v := range scan.EachElement(content) {
		if i == len(m.blocks) {
			return
		}
		b := &m.blocks[i]
		if !b.doubtful {
			continue
		}
		p := event.PartOf(v)
		if !event.Is(p.Type, blockTypes[event.Thinking]) {
			continue
		}
		b.doubtful = false
		m.doubts--
		if string(p.Redacted) != "true" {
			m.blameUnredacted(i, verifier.Place{Index: b.at})
		}
	}
}

func (m *Machine) blameUnredacted(n int, end verifier.Place) {
	if m.On(rules.ContentMismatchUnredacted) {
		m.Blame(rules.ContentMismatchUnredacted, verifier.Fault{
			Entity: entity(n), Cause: &end,
			Detail: fmt.Sprintf("the thinking block at index %d ended with a text, had no delta, and was not redacted", n),
		})
	}
}
