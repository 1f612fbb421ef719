package assistant

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/value"
)

// terminal judges done and error.
func (m *Machine) terminal(e *event.Event) {
	message := e.Value(event.Message)
	m.seeRedacted(message)
	failed := e.Op == event.Error
	if !failed {
		m.judgeOpen()
	}
	m.judgeReason(e, message)
	if message != nil {
		m.judgeContent(message, e.Pointer(event.Message), failed, false)
	}
	m.phase, m.ended = ended, *m.Place()
}

// end judges the message that plays done or error in an embedded stream.
func (m *Machine) end(message []byte, pointer string) {
	if m.updated {
		m.seeRedacted(message)
	}
	stop, failed := event.Quoted(scan.Member(message, "stopReason")), false
	if stop != nil {
		failed = slices.Contains(pi.ErrorReasons(), string(m.text(stop)))
	}
	if m.updated && !failed {
		m.judgeOpen()
	}
	if stop != nil && !failed {
		m.judgeStop(stop, pointer)
	}
	if m.updated {
		m.judgeContent(message, pointer, failed, true)
	}
}

func (m *Machine) judgeOpen() {
	if m.On(rules.OpenAtDone) && m.open > 0 {
		first := m.blocks[slices.IndexFunc(m.blocks, func(b block) bool { return b.draft != nil })]
		m.Blame(rules.OpenAtDone, verifier.Fault{Entity: "blocks", Cause: &first.draft.opener, Detail: m.listOpen("still open: ")})
	}
}

// judgeReason: the reason is that of the message, and one that the event may have.
func (m *Machine) judgeReason(e *event.Event, message []byte) {
	given, stop := e.Text(event.Reason), event.Quoted(scan.Member(message, "stopReason"))
	if given == nil {
		return
	}
	reason := string(m.text(given))
	if m.On(rules.ReasonMismatch) && stop != nil && !event.Is(stop, reason) {
		m.Blame(rules.ReasonMismatch, verifier.Fault{
			Entity: "reason", Pointer: e.Pointer(event.Reason),
			Detail: fmt.Sprintf("the reason is %q, the stopReason of the message %q", verifier.Shown(reason), verifier.Shown(string(m.text(stop)))),
		})
	}
	legal := m.reasons
	if e.Op == event.Error {
		legal = pi.ErrorReasons()
	}
	switch {
	case !slices.Contains(legal, reason):
		m.blameReason(rules.BadReason, e.Pointer(event.Reason), reason, legal)
	case event.Is(stop, pi.Pending):
		m.blameReason(rules.BadReasonPending, e.Pointer(event.Message)+"/stopReason", pi.Pending, legal)
	}
}

// judgeStop judges the stopReason of an embedded stream's message, which is none of a failure.
func (m *Machine) judgeStop(stop []byte, pointer string) {
	switch reason := string(m.text(stop)); {
	case reason == pi.Pending:
		m.blameReason(rules.BadReasonPending, pointer+"/stopReason", reason, m.reasons)
	case !slices.Contains(m.reasons, reason):
		m.blameReason(rules.BadReason, pointer+"/stopReason", reason, m.reasons)
	}
}

func (m *Machine) blameReason(c verifier.ClauseID, pointer, reason string, legal []string) {
	if m.On(c) {
		m.Blame(c, verifier.Fault{Entity: "reason", Pointer: pointer, Detail: fmt.Sprintf("%q is not one of %q", verifier.Shown(reason), legal)})
	}
}

// judgeContent: the message is made of the blocks, in the order of their indices. After a failure it may
// have none at all.
func (m *Machine) judgeContent(message []byte, pointer string, failed, soft bool) {
	c := rules.FinalContent
	if failed {
		c = rules.PartialContent
	}
	content := scan.Member(message, "content")
	if !m.On(c) || len(content) == 0 || content[0] != '[' || failed && content[scan.Space(content, 1)] == ']' {
		return
	}
	n, detail := 0, ""
	for i, v := range scan.EachElement(content) {
		if n++; i >= len(m.blocks) {
			detail = fmt.Sprintf("the message has a block %d; %d were streamed", i, len(m.blocks))
		} else {
			detail = m.unlike(i, v)
		}
		if detail != "" {
			pointer = fmt.Sprintf("%s/content/%d", pointer, i)
			break
		}
	}
	if detail == "" && n < len(m.blocks) {
		pointer, detail = pointer+"/content", fmt.Sprintf("the message has %d blocks; %d were streamed", n, len(m.blocks))
	}
	if detail != "" {
		m.Blame(c, verifier.Fault{Entity: "content", Pointer: pointer, Detail: detail, Soft: soft})
	}
}

// unlike says why an element of the message is not the block at that index; empty where it is.
func (m *Machine) unlike(i int, v []byte) string {
	b := &m.blocks[i]
	p := event.PartOf(v)
	if !event.Is(p.Type, blockTypes[b.kind]) {
		return fmt.Sprintf("block %d of the message is no %s, as was streamed", i, b.kind)
	}
	if b.kind == event.ToolCall {
		return m.unlikeCall(i, &p)
	}
	if said := p.Said(b.kind); said == nil || !m.isText(b, m.text(said)) && !m.isHidden(b, &p) {
		return fmt.Sprintf("the text of block %d of the message is not what was streamed", i)
	}
	return ""
}

var blockTypes = [...]string{event.Text: "text", event.Thinking: "thinking", event.ToolCall: "toolCall"}

func (m *Machine) isText(b *block, said []byte) bool {
	if b.draft != nil {
		return bytes.Equal(said, b.draft.joined())
	}
	return value.DigestText(said) == b.sum
}

// isHidden reports whether an element is thinking that was redacted, of which nothing was streamed.
func (m *Machine) isHidden(b *block, p *event.Part) bool {
	silent := b.bare || b.draft != nil && !b.draft.heard
	return b.kind == event.Thinking && silent && string(p.Redacted) == "true"
}

// unlikeCall compares a call. One that is not complete may have any arguments.
func (m *Machine) unlikeCall(i int, p *event.Part) string {
	b := &m.blocks[i]
	id, name := event.Quoted(p.ID), event.Quoted(p.Name)
	if b.draft == nil {
		if m.callSum(id, name, m.sumOf(p.Arguments)) != b.sum {
			return fmt.Sprintf("the tool call at block %d of the message is not the one that was streamed", i)
		}
		return ""
	}
	for _, x := range [...]struct{ quoted, before []byte }{{id, b.draft.idText()}, {name, b.draft.nameText()}} {
		if len(x.before) > 0 && (x.quoted == nil || !bytes.Equal(m.text(x.quoted), x.before)) {
			return fmt.Sprintf("the tool call at block %d of the message is not the one that was started", i)
		}
	}
	return ""
}
