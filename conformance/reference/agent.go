package reference

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/agentstream/conformance/baseline"
)

// version is what RUN_STARTED declares: the agent's own, whatever the client's.
const version = "1.0"

// An agent plays the script of one request.
type agent struct {
	request *request
	options Options
	habits  *habits
	gates   *gates
	mixer   *mixer
	ids     ids

	mu       sync.Mutex // for what sending reads and writes
	response *response
	guard    *guard
	run      string   // that is open, or was last
	calls    []string // that this run made, in that order
	answered map[string]bool
}

// A branch is where actions stand: whose they are, and beside which others they run.
type branch struct {
	ctx      context.Context
	key      []int   // see turn
	owner    *string // the innermost subagent; nil for the agent itself
	reported *string // the innermost subagent that was announced
}

// A failure ends a run by RUN_ERROR.
type failure struct {
	message string
	code    *string
	usage   any // nil without
}

func (f *failure) Error() string { return f.message }

// errEnded ends a run that has said its end.
var errEnded = errors.New("the run has ended")

// play plays the whole script. The error is about the connection.
func (a *agent) play(ctx context.Context) error {
	err := a.runs(branch{ctx: ctx})
	if f := (*failure)(nil); errors.As(err, &f) {
		return a.say(newEvent(baseline.RunError).with("message", f.message).with("code", f.code).with("usage", f.usage), false)
	}
	if errors.Is(err, errEnded) {
		return nil
	}
	return err
}

// runs plays the runs before the request's, then that.
func (a *agent) runs(b branch) error {
	script := a.request.script
	if a.failsEarly() && !a.habits.starts {
		return a.habits.early(script[0].members)
	}
	for len(script) > 0 && script[0].name == "replay" {
		if err := a.replay(b, script[0].members); err != nil {
			return err
		}
		script = script[1:]
	}
	if err := a.start(b, a.request.run, a.request.parentRun); err != nil {
		return err
	}
	if err := a.all(b, script); err != nil {
		return err
	}
	return a.finish(b, nil)
}

// failsEarly: a script that fails before the run has no other action.
func (a *agent) failsEarly() bool {
	script := a.request.script
	return len(script) == 1 && script[0].name == "fail" && get[bool](script[0].members, "early")
}

func (a *agent) start(b branch, run string, parent *string) error {
	a.mu.Lock()
	a.run, a.calls, a.answered = run, nil, map[string]bool{}
	a.mu.Unlock()
	declared := version
	if a.habits.echoes {
		declared = a.request.version
	}
	return a.send(b, newEvent(baseline.RunStarted).with("threadId", a.request.thread).with("runId", run).
		with("protocolVersion", declared).with("parentRunId", parent))
}

func (a *agent) all(b branch, script []action) error {
	for _, x := range script {
		if err := a.act(b, x); err != nil {
			return err
		}
	}
	return nil
}

// act does one action. A panic becomes a failure here, so that what is around it can close.
func (a *agent) act(b branch, x action) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = a.habits.recovered()
		}
	}()
	switch m := x.members; x.name {
	case "text":
		return a.text(b, m)
	case "toolCall":
		return a.toolCall(b, m)
	case "toolResult":
		return a.toolResult(b, m)
	case "reasoning":
		return a.reasoning(b, m)
	case "step":
		return a.step(b, m)
	case "parallel":
		return a.parallel(b, m)
	case "subagent":
		return a.subagent(b, m)
	case "stateSnapshot":
		return a.send(b, b.event(baseline.StateSnapshot).with("snapshot", m["snapshot"]))
	case "stateDelta":
		return a.send(b, b.event(baseline.StateDelta).with("delta", m["patch"]))
	case "messagesSnapshot":
		return a.send(b, newEvent(baseline.MessagesSnapshot).with("messages", m["messages"]))
	case "activity":
		return a.activity(b, m)
	case "activityDelta":
		return a.activityDelta(b, m)
	case "custom":
		return a.send(b, m.copy(b.event(baseline.Custom), "name", "value"))
	case "raw":
		return a.send(b, m.copy(b.event(baseline.Raw), "event", "source"))
	case "emit":
		return a.emit(b, m)
	case "echo":
		return a.echo(b, m)
	case "gate":
		return a.gate(b, m)
	case "replay":
		return a.replay(b, m)
	case "finish":
		return a.finish(b, m)
	case "interrupt":
		return a.interrupt(b, m)
	case "cancel":
		return a.cancel(b, m)
	case "fail":
		return reported(m)
	}
	panic(x.members.text("message"))
}

// event returns one that belongs to the branch's subagent.
func (b branch) event(t baseline.EventType) event {
	return b.tagged(newEvent(t))
}

func (b branch) tagged(e event) event { return e.with("subagentRunId", b.owner) }

// send sends an event when it is the branch's turn.
func (a *agent) send(b branch, e event) error { return a.sendOne(b, e, false) }

func (a *agent) sendOne(b branch, e event, emitted bool) error {
	a.mixer.turn(b.key)
	if b.ctx.Err() != nil {
		return context.Cause(b.ctx)
	}
	return a.say(e, emitted)
}

// say sends an event that the guard lets through. emitted says that it came past the types.
func (a *agent) say(e event, emitted bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.guard != nil {
		if f := a.guard.check(e, e.json(), emitted); f != nil {
			return f
		}
	}
	a.note(e)
	return a.response.send(e)
}

// note keeps which calls the run makes, in which order, and which of them are answered.
func (a *agent) note(e event) {
	id := e.text("toolCallId")
	switch {
	case e.is(baseline.ToolCallResult):
		a.answered[id] = true
	case e.is(baseline.ToolCallStart, baseline.ToolCallChunk) && e.get("toolCallId") != nil && !slices.Contains(a.calls, id):
		a.calls = append(a.calls, id)
	}
}

// closing ends something: as it ends by itself, or before an error where the agent closes what is open. What is open stays so
// otherwise.
func (a *agent) closing(b branch, err error, end, endBeforeError event) error {
	if err == nil {
		return a.send(b, end)
	}
	if f := (*failure)(nil); a.options.CloseBeforeError && errors.As(err, &f) {
		a.mixer.turn(b.key)
		_ = a.say(endBeforeError, false)
	}
	return err
}
