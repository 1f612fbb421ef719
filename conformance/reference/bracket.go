package reference

import (
	"context"
	"slices"

	"github.com/agentstream/conformance/baseline"
)

// What has other actions inside.

func (a *agent) step(b branch, m members) error {
	if err := a.send(b, stepEvent(b, baseline.StepStarted, m)); err != nil {
		return err
	}
	end := stepEvent(b, baseline.StepFinished, m)
	return a.closing(b, a.all(b, get[[]action](m, "do")), end, end)
}

func stepEvent(b branch, t baseline.EventType, m members) event {
	return b.event(t).with("stepName", m["name"])
}

// parallel plays branches side by side. One that fails stops the others where they are.
func (a *agent) parallel(b branch, m members) error {
	branches := get[[][]action](m, "branches")
	ctx, stop := context.WithCancelCause(b.ctx)
	defer stop(nil)
	a.mixer.parallel(len(branches), func(i int) {
		own := b
		own.ctx, own.key = ctx, append(slices.Clone(b.key), i)
		if err := a.all(own, branches[i]); err != nil {
			stop(err)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// subagent plays actions as a subagent's. One that is not announced only tags what it says.
func (a *agent) subagent(b branch, m members) error {
	id := a.ids.opens(subagentIDs, m.text("id"))
	own := b
	own.owner = &id
	if announced, given := m["announce"].(bool); given && !announced {
		return a.all(own, get[[]action](m, "do"))
	}
	own.reported = &id
	start := m.copy(newEvent(baseline.SubagentStarted).with("subagentRunId", id), "name", "description").with("parentSubagentRunId", b.reported)
	if m["parentToolCall"] != nil {
		start = start.with("parentToolCallId", a.ids.of(callIDs, m.text("parentToolCall")))
	}
	if m["parentMessage"] != nil {
		start = start.with("parentMessageId", a.ids.of(messageIDs, m.text("parentMessage")))
	}
	if err := a.send(b, start); err != nil {
		return err
	}
	err := a.all(own, get[[]action](m, "do"))
	stopped := newEvent(baseline.SubagentError).with("subagentRunId", id).with("message", "the run has failed")
	return a.closing(b, err, a.subagentEnd(id, get[action](m, "end")), stopped)
}

func (a *agent) subagentEnd(id string, end action) event {
	switch e := newEvent(baseline.SubagentFinished).with("subagentRunId", id); end.name {
	case "error":
		return end.copy(newEvent(baseline.SubagentError).with("subagentRunId", id), "message", "code")
	case "suspended":
		labels := a.ids.all(interruptIDs, get[[]string](end.members, "interrupts"))
		return e.with("outcome", outcome("suspended").with("interruptIds", labels))
	default:
		return end.copy(e, "result").with("outcome", outcome("success"))
	}
}

// replay plays an earlier run of the thread.
func (a *agent) replay(b branch, m members) error {
	if err := a.start(b, m.text("run"), nil); err != nil {
		return err
	}
	if err := a.all(b, get[[]action](m, "do")); err != nil {
		return err
	}
	if f, given := m["error"].(members); given {
		return a.send(b, f.copy(newEvent(baseline.RunError), "message", "code"))
	}
	return a.send(b, a.finished(nil, "success"))
}
