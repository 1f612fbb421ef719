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

// actions: the first one is the simplest, what failures shrink to.
var actions = []action{
	{Passthrough, 3, (*sim).raw, always},
	{0, 4, (*sim).textStart, always},
	{0, 6, (*sim).textContent, hasOpen("text")},
	{0, 2, (*sim).textEnd, hasOpen("text")},
	{Chunks, 6, (*sim).textChunk, always},
	{Tools, 4, (*sim).toolStart, always},
	{Tools, 6, (*sim).toolArgs, hasOpen("tool")},
	{Tools, 3, (*sim).toolEnd, hasOpen("tool")},
	{Tools | Chunks, 6, (*sim).toolChunk, always},
	{Tools, 5, (*sim).toolResult, func(s *sim) bool { return !s.k.Guard || len(s.answerable()) > 0 }},
	{Reasoning, 3, (*sim).spanStart, always},
	{Reasoning, 3, (*sim).spanEnd, hasOpen("span")},
	{Reasoning, 3, (*sim).reasoningStart, always},
	{Reasoning, 6, (*sim).reasoningContent, hasOpen("reasoning")},
	{Reasoning, 2, (*sim).reasoningEnd, hasOpen("reasoning")},
	{Reasoning | Chunks, 6, (*sim).reasoningChunk, always},
	{Reasoning, 4, (*sim).encryptedValue, always},
	{Steps, 3, (*sim).stepStarted, always},
	{Steps, 3, (*sim).stepFinished, func(s *sim) bool { return len(s.run.steps) > 0 }},
	{Subagents, 4, (*sim).subagentStarted, always},
	{Subagents, 3, (*sim).subagentFinished, func(s *sim) bool { return len(s.active()) > 0 }},
	{Subagents, 3, (*sim).subagentError, func(s *sim) bool { return len(s.active()) > 0 }},
	{State, 4, (*sim).stateSnapshot, always},
	{State, 5, (*sim).stateDelta, always},
	{Activities, 4, (*sim).activitySnapshot, always},
	{Activities, 7, (*sim).activityDelta, func(s *sim) bool { return len(s.baselined()) > 0 }},
	{Snapshots, 4, (*sim).messagesSnapshot, always},
	{Passthrough, 3, (*sim).custom, always},
}

// ready lists what may be done now, the weightier more than once.
func (s *sim) ready() []func(*sim) {
	out := make([]func(*sim), 0, 128)
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
