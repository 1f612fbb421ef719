package agui

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// What RUN_FINISHED says besides that the run is over.

// judgeInterrupts: an interrupt outcome asks something, and each question has an id of its own.
func (m *machine) judgeInterrupts(outcome []byte) {
	list := event.Interrupts(outcome)
	if list == nil {
		return
	}
	if m.On(rules.EmptyInterrupts) && event.IsEmptyArray(list) {
		m.Blame(rules.EmptyInterrupts, verifier.Fault{Pointer: "/outcome/interrupts", Detail: "the outcome is an interrupt, and its list of interrupts is empty"})
	}
	if !m.On(rules.DuplicateInterruptID) {
		return
	}
	if !hasSeveral(list) {
		return
	}
	first := map[string]int{}
	for i, v := range scan.EachElement(list) {
		id := event.String(scan.Member(v, "id"))
		if id == nil {
			continue
		}
		if before, ok := first[string(id)]; ok {
			m.Blame(rules.DuplicateInterruptID, verifier.Fault{
				ID: string(id), Entity: "interrupt", Pointer: fmt.Sprintf("/outcome/interrupts/%d/id", i),
				Detail: fmt.Sprintf("interrupts %d and %d both have the id %q", before, i, verifier.Shown(string(id))),
			})
			return
		}
		first[string(id)] = i
	}
}

// unanswered returns the ids of this run's calls without a result, in the order first made.
func (m *machine) unanswered() []string {
	var ids []string
	for _, c := range m.made {
		if c.answered != m.run {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// judgePending: a list of pending calls that is given is exact.
func (m *machine) judgePending(outcome []byte) {
	list := scan.Member(outcome, "pendingToolCallIds")
	if len(list) == 0 || list[0] != '[' || event.IsEmptyArray(list) || string(event.OutcomeType(outcome)) != "success" || !m.On(rules.PendingToolCalls) {
		return
	}
	want := m.unanswered()
	n := 0
	for i, v := range scan.EachElement(list) {
		if id := event.String(v); id == nil || i >= len(want) || string(id) != want[i] {
			break
		}
		n++
	}
	if elements := countElements(list); n == len(want) && n == elements {
		return
	}
	m.Blame(rules.PendingToolCalls, verifier.Fault{
		Pointer: "/outcome/pendingToolCallIds", Entity: "pending tool calls",
		Detail: "the calls of this run without a result are, in order: " + quoted(want),
	})
}

// hasSeveral reports whether an array has more than one element.
func hasSeveral(list []byte) bool {
	for i := range scan.EachElement(list) {
		if i > 0 {
			return true
		}
	}
	return false
}

func countElements(list []byte) (n int) {
	for range scan.EachElement(list) {
		n++
	}
	return n
}

func quoted(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = fmt.Sprintf("%q", verifier.Shown(id))
	}
	return verifier.Listed(shown)
}

// A usage is one entry of token counts; a count that is absent is -1.
type usage struct {
	provider, model                                  []byte // nil where absent
	input, output, total, reasoning, cached, written int64
}

func readUsage(entry []byte) usage {
	u := usage{
		input: count(entry, "inputTokens"), output: count(entry, "outputTokens"), total: count(entry, "totalTokens"),
		reasoning: count(entry, "reasoningTokens"), cached: count(entry, "cachedInputTokens"), written: count(entry, "cacheWriteInputTokens"),
	}
	u.provider, u.model = event.String(scan.Member(entry, "provider")), event.String(scan.Member(entry, "model"))
	return u
}

func count(entry []byte, name string) int64 {
	v := scan.Member(entry, name)
	if len(v) == 0 || scan.KindOf(v[0]) != '0' {
		return -1
	}
	n, integer, big := scan.Integer(v)
	if !integer || big || n < 0 || n > 1<<53-1 {
		return -1
	}
	return n
}

// judgeUsage checks the figures of RUN_FINISHED and RUN_ERROR.
func (m *machine) judgeUsage(e *event.Event) {
	list := e.Value(event.Usage)
	if list == nil {
		return
	}
	several := hasSeveral(list)
	type key struct {
		provider, model string
		has             [2]bool
	}
	var seen map[key]bool
	if several {
		seen = map[key]bool{}
	}
	for i, entry := range scan.EachElement(list) {
		if entry[0] != '{' {
			continue
		}
		u := readUsage(entry)
		m.judgeSums(u, i)
		if !several {
			return
		}
		k := key{string(u.provider), string(u.model), [2]bool{u.provider != nil, u.model != nil}}
		if m.On(rules.UsageRepeated) && seen[k] {
			m.Blame(rules.UsageRepeated, verifier.Fault{Pointer: usageAt(i, ""), Entity: "usage",
				Detail: fmt.Sprintf("a second entry for provider %s, model %s", shownText(u.provider, u.provider != nil), shownText(u.model, u.model != nil))})
		}
		seen[k] = true
	}
}

func usageAt(i int, member string) string { return fmt.Sprintf("/usage/%d%s", i, member) }

func (m *machine) judgeSums(u usage, i int) {
	if m.On(rules.UsageTotal) && u.total >= 0 && u.input >= 0 && u.output >= 0 && u.total != u.input+u.output {
		m.Blame(rules.UsageTotal, verifier.Fault{Pointer: usageAt(i, "/totalTokens"), Entity: "usage",
			Detail: fmt.Sprintf("totalTokens is %d, inputTokens and outputTokens make %d", u.total, u.input+u.output)})
	}
	if m.On(rules.UsageReasoning) && u.reasoning >= 0 && u.output >= 0 && u.reasoning > u.output {
		m.Blame(rules.UsageReasoning, verifier.Fault{Pointer: usageAt(i, "/reasoningTokens"), Entity: "usage",
			Detail: fmt.Sprintf("reasoningTokens %d are a part of outputTokens, which is %d", u.reasoning, u.output)})
	}
	if cached, written := max(u.cached, 0), max(u.written, 0); m.On(rules.UsageInput) && u.input >= 0 && cached+written > u.input {
		m.Blame(rules.UsageInput, verifier.Fault{Pointer: usageAt(i, "/inputTokens"), Entity: "usage",
			Detail: fmt.Sprintf("cachedInputTokens and cacheWriteInputTokens make %d; they are parts of inputTokens, which is %d", cached+written, u.input)})
	}
}
