package model

// action is one thing that a producer may do inside a run.
type action struct {
	needs  Feature
	weight int
	do     func(s *sim)
	ready  func(s *sim) bool // nil: always
}

func always(*sim) bool { return true }

func hasOpen(kind string) func(*sim) bool {
	return func(s *sim) bool {
		for _, it := range s.open {
			if it.kind == kind {
				return true
			}
		}
		return false
	}
}

var actions = []action{
	{0, 3, (*sim).textStart, always},
	{0, 3, (*sim).textContent, hasOpen("text")},
	{0, 2, (*sim).textEnd, hasOpen("text")},
	{Chunks, 3, (*sim).textChunk, always},
	{Tools, 3, (*sim).toolStart, always},
	{Tools, 3, (*sim).toolArgs, hasOpen("tool")},
	{Tools, 2, (*sim).toolEnd, hasOpen("tool")},
	{Tools | Chunks, 3, (*sim).toolChunk, always},
	{Tools, 2, (*sim).toolResult, func(s *sim) bool { return !s.k.Guard || len(s.answerable()) > 0 }},
	{Reasoning, 2, (*sim).spanStart, always},
	{Reasoning, 2, (*sim).spanEnd, hasOpen("span")},
	{Reasoning, 2, (*sim).reasoningStart, always},
	{Reasoning, 2, (*sim).reasoningContent, hasOpen("reasoning")},
	{Reasoning, 2, (*sim).reasoningEnd, hasOpen("reasoning")},
	{Reasoning | Chunks, 3, (*sim).reasoningChunk, always},
	{Reasoning, 2, (*sim).encryptedValue, always},
	{Steps, 2, (*sim).stepStarted, always},
	{Steps, 2, (*sim).stepFinished, func(s *sim) bool { return len(s.run.steps) > 0 }},
	{Subagents, 3, (*sim).subagentStarted, always},
	{Subagents, 2, (*sim).subagentFinished, func(s *sim) bool { return len(s.active()) > 0 }},
	{Subagents, 2, (*sim).subagentError, func(s *sim) bool { return len(s.active()) > 0 }},
	{State, 2, (*sim).stateSnapshot, always},
	{State, 3, (*sim).stateDelta, always},
	{Activities, 2, (*sim).activitySnapshot, always},
	{Activities, 3, (*sim).activityDelta, func(s *sim) bool { return len(s.baselined()) > 0 }},
	{Snapshots, 2, (*sim).messagesSnapshot, always},
	{Passthrough, 2, (*sim).raw, always},
	{Passthrough, 2, (*sim).custom, always},
}

// ready lists what may be done now, the weightier more than once.
func (s *sim) ready() []func(*sim) {
	out := make([]func(*sim), 0, 96)
	for _, a := range actions {
		if s.k.Without&a.needs != 0 || !a.ready(s) {
			continue
		}
		for range a.weight {
			out = append(out, a.do)
		}
	}
	return out
}
