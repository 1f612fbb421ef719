package reference

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/baseline"
)

// How a run ends.

// finish ends it as a success.
func (a *agent) finish(b branch, m members) error {
	return a.ends(b, a.finished(m, "success"))
}

// interrupt ends it with questions.
func (a *agent) interrupt(b branch, m members) error {
	e := a.finished(m, "interrupt")
	return a.ends(b, e.with("outcome", outcome("interrupt").with("interrupts", a.ids.interrupts(get[jsontext.Value](m, "interrupts")))))
}

// cancel ends it as stopped by the agent itself.
func (a *agent) cancel(b branch, m members) error {
	return a.ends(b, a.finished(m, "cancelled"))
}

func (a *agent) ends(b branch, e event) error {
	if err := a.send(b, e); err != nil {
		return err
	}
	return errEnded
}

func outcome(name string) event { return event{}.with("type", name) }

// finished returns the RUN_FINISHED of the run that is open, with what the end gives.
func (a *agent) finished(m members, how string) event {
	e := newEvent(baseline.RunFinished).with("threadId", a.request.thread).with("runId", a.run)
	e = m.copy(e, "result").with("outcome", a.pending(m, outcome(how)))
	return m.copy(e, "usage")
}

// pending names the calls that wait for the client, in the order in which the run made them: that of the branches is drawn.
func (a *agent) pending(m members, o event) event {
	a.mu.Lock()
	defer a.mu.Unlock()
	labels, given := m["pending"].([]string)
	if !given && a.habits.names && o.text("type") == "success" {
		labels = slices.DeleteFunc(slices.Clone(a.calls), func(c string) bool { return a.answered[c] })
	}
	if len(labels) == 0 {
		return o
	}
	calls := a.ids.all(callIDs, labels)
	slices.SortStableFunc(calls, func(x, y string) int { return cmp.Compare(slices.Index(a.calls, x), slices.Index(a.calls, y)) })
	return o.with("pendingToolCallIds", calls)
}

// reported returns the error of a fail.
func reported(m members) error {
	f := &failure{message: m.text("message"), usage: m["usage"]}
	if code, given := m["code"].(string); given {
		f.code = &code
	}
	return f
}
