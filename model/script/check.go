package script

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Check says what keeps a script from being legal: from an agent that does what it says comes a stream that the profile producer
// takes, whatever the subject may choose. It wants a script as Parse gives them, and names the place by a JSON pointer.
func (s Script) Check(in Input) error { return check(s, in, false) }

// CheckGuard is Check for scenarios in which an agent misbehaves: what is emitted may be illegal, but not in parallel, and is no
// RUN_ERROR.
func (s Script) CheckGuard(in Input) error { return check(s, in, true) }

func check(s Script, in Input, guard bool) error {
	c := &checker{
		guard: guard, tools: in.tools(),
		messages: map[string]*knownMessage{}, calls: map[string]*knownCall{}, spans: map[string]string{}, known: labels{},
	}
	c.past = true
	for _, e := range in.Earlier {
		c.response(e, "", nil)
	}
	c.past = false
	c.carry(in.messages())
	c.response(s, in.run(), in.state())
	return c.err
}

// A checker goes through scripts as an agent does, and keeps the first thing that is wrong.
type checker struct {
	guard bool
	past  bool // an earlier script is looked at: it has a check of its own
	err   error
	at    jsontext.Pointer // what is looked at

	// Of the thread.
	tools    map[string]bool // the frontend's
	messages map[string]*knownMessage
	calls    map[string]*knownCall
	spans    map[string]string // their owners
	known    labels            // subagents
	runs     int               // so far: the number of the one that is looked at

	responseFacts
	runFacts
	scope
}

// responseFacts are of one response.
type responseFacts struct {
	first   int             // the number of its first run
	names   map[string]bool // ids of its runs
	heard   int             // things that have been said and ended: a gate waits behind one
	failed  bool            // what follows does not happen
	touched bool            // a replayed run has changed the state
}

// runFacts are of one run.
type runFacts struct {
	replayed  bool
	gates     map[string]bool
	steps     map[string]bool // open ones, by owner and name
	agents    map[string]bool // started ones
	made      []*knownCall    // in order
	suspended []string        // interrupts that subagents wait for
	state     any
	based     bool // everybody knows the state
}

// scope is what is around an action.
type scope struct {
	owner    string // "" is the parent agent, else "/" and the subagent
	branches []branch
	shared   bool            // another branch may say something in the lane
	used     map[string]bool // by this branch: what no other may use
}

// branch is one of a parallel action.
type branch struct {
	of    jsontext.Pointer
	index int
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil && !c.past {
		c.err = fmt.Errorf("script: at %q: %s", string(c.at), fmt.Sprintf(format, args...))
	}
}

// within does something at a place below the present one.
func (c *checker) within(f func(), tokens ...string) {
	at := c.at
	for _, t := range tokens {
		c.at = c.at.AppendToken(t)
	}
	f()
	c.at = at
}

// use notes something that two branches may not share.
func (c *checker) use(namespace, label string) {
	if c.used != nil {
		c.used[namespace+" "+strconv.Quote(label)] = true
	}
}

// response checks the script of one request.
func (c *checker) response(s Script, run string, state any) {
	c.responseFacts = responseFacts{first: c.runs + 1, names: map[string]bool{run: true}}
	c.at = ""
	c.dropActivities() // who begins here has not heard of any
	if len(s) == 1 && s[0].Fail != nil && s[0].Fail.Early {
		c.within(func() { c.usage(s[0].Fail.Usage) }, "0", "fail")
		return
	}
	for len(s) > 0 && s[0].Replay != nil && c.err == nil {
		c.within(func() { c.replay(s[0].Replay) }, strconv.Itoa(len(c.names)-1), "replay")
		s = s[1:]
	}
	replays := len(c.names) - 1
	c.begin(state, !c.touched)
	for i := range s {
		isLast := i == len(s)-1
		c.within(func() { c.top(&s[i], isLast) }, strconv.Itoa(replays+i))
	}
	if len(c.suspended) > 0 && (len(s) == 0 || s[len(s)-1].Interrupt == nil) {
		c.fail("a subagent is suspended in a run that does not end with interrupt")
	}
}

func (c *checker) begin(state any, based bool) {
	c.runs++
	c.runFacts = runFacts{gates: map[string]bool{}, steps: map[string]bool{}, agents: map[string]bool{}, state: state, based: based}
	c.scope = scope{}
}

func (c *checker) replay(x *Replay) {
	if c.names[x.Run] {
		c.fail("run %q is a second time on the response", x.Run)
	}
	c.names[x.Run] = true
	c.begin(nil, false) // the subject may say another state in RUN_STARTED.input
	c.replayed = true
	c.list(x.Do, "do")
	c.touched = c.touched || c.based
	c.heard++
	if len(c.suspended) > 0 {
		c.fail("a subagent is suspended in a replayed run, which cannot end with interrupt")
	}
}

// top checks an action of the top level: only there is an end.
func (c *checker) top(a *Action, isLast bool) {
	switch {
	case a.Finish == nil && a.Interrupt == nil && a.Cancel == nil:
		c.action(a)
	case !isLast:
		c.fail("an end that is not last")
	case a.Finish != nil:
		c.within(func() { c.finish(a.Finish) }, "finish")
	case a.Interrupt != nil:
		c.within(func() { c.interrupt(a.Interrupt) }, "interrupt")
	case a.Cancel != nil:
		c.within(func() { c.usage(a.Cancel.Usage) }, "cancel")
	}
}

// list checks actions one after the other.
func (c *checker) list(all []Action, tokens ...string) {
	c.within(func() {
		for i := range all {
			c.within(func() { c.action(&all[i]) }, strconv.Itoa(i))
		}
	}, tokens...)
}

func (c *checker) action(a *Action) {
	if c.err != nil {
		return
	}
	c.within(func() {
		switch {
		case a.Text != nil:
			c.text(a.Text)
		case a.ToolCall != nil:
			c.toolCall(a.ToolCall)
		case a.ToolResult != nil:
			c.toolResult(a.ToolResult)
		case a.Reasoning != nil:
			c.reasoning(a.Reasoning)
		case a.Step != nil:
			c.step(a.Step)
		case a.Parallel != nil:
			c.parallel(a.Parallel)
		case a.Subagent != nil:
			c.subagent(a.Subagent)
		case a.StateSnapshot != nil:
			c.stateSnapshot(a.StateSnapshot)
		case a.StateDelta != nil:
			c.stateDelta(a.StateDelta)
		case a.MessagesSnapshot != nil:
			c.messagesSnapshot(a.MessagesSnapshot)
		case a.Activity != nil:
			c.activity(a.Activity)
		case a.ActivityDelta != nil:
			c.activityDelta(a.ActivityDelta)
		default:
			c.other(a)
		}
	}, a.name())
}

// other checks what stands for itself, and the ends that may stand anywhere.
func (c *checker) other(a *Action) {
	switch {
	case a.Custom != nil:
		c.value(a.Custom.Value, "value")
		c.heard++
	case a.Raw != nil:
		c.value(a.Raw.Event, "event")
		c.heard++
	case a.Emit != nil:
		c.emit(a.Emit)
	case a.Echo != nil:
		c.echo(a.Echo)
	case a.Gate != nil:
		c.gate(a.Gate)
	case a.Fail != nil:
		c.usage(a.Fail.Usage)
		c.failure()
		if a.Fail.Early {
			c.fail("an early failure that is not the only action")
		}
	case a.Panic != nil:
		c.failure()
	case a.Replay != nil:
		c.fail("a replay that is not at the beginning")
	default:
		c.fail("an end that is not at the top level")
	}
}

func (c *checker) failure() {
	if c.replayed {
		c.fail("a replayed run fails by its member error")
	}
	if len(c.branches) > 0 {
		c.fail("a failure in parallel")
	}
	c.failed = true
}

func (c *checker) gate(g *Gate) {
	switch {
	case c.heard == 0:
		c.fail("nothing has been said and ended that the gate could wait behind")
	case c.gates[g.Name]:
		c.fail("a second gate %q", g.Name)
	case c.failed:
		c.fail("a gate behind the failure, where nobody comes")
	}
	c.gates[g.Name] = true
	c.use("gate", g.Name)
}

// echo: what the kit adds to the input is in nobody's expectation.
func (c *checker) echo(e *Echo) {
	path, _ := splitPointer(e.Pointer)
	own := []string{"forwardedProps", "conformance"}
	n := min(len(path), len(own))
	if slices.Equal(path[:n], own[:n]) {
		c.fail("%q shows the script itself", e.Pointer)
	}
	c.heard++
}

func (c *checker) step(s *Step) {
	key := strconv.Quote(c.owner) + s.Name
	c.use("step", key)
	if c.steps[key] {
		c.fail("the step %q of this owner is open", s.Name)
	}
	c.steps[key] = true
	c.list(s.Do, "do")
	delete(c.steps, key)
	c.heard++
}

// parallel checks the branches one after the other; nothing in one may look at what another does.
func (c *checker) parallel(p *Parallel) {
	outer, heard := c.scope, c.heard
	all := map[string]bool{}
	for i, b := range p.Branches {
		before := c.heard
		c.heard = heard
		c.branches = append(slices.Clone(outer.branches), branch{c.at, i})
		c.shared, c.used = true, map[string]bool{}
		c.list(b, "branches", strconv.Itoa(i))
		for _, u := range slices.Sorted(maps.Keys(c.used)) {
			if all[u] {
				c.fail("two branches share %s", u)
			}
			all[u] = true
		}
		c.heard += before - heard
	}
	c.scope = outer
	if c.used != nil {
		for u := range all {
			c.used[u] = true
		}
	}
}

func (c *checker) subagent(s *Subagent) {
	c.use(Subagents, s.ID)
	if c.agents[s.ID] {
		c.fail("the subagent %q is a second time in its run", s.ID)
	}
	c.agents[s.ID] = true
	c.known.add(Subagents, s.ID)
	c.parentsOf(s)
	announced := s.Announce == nil || *s.Announce
	if !announced && (s.End != nil || s.Description != nil || s.ParentMessage != nil || s.ParentToolCall != nil) {
		c.fail("nobody hears of the end, description or parents of a subagent that is not announced")
	}
	owner, shared := c.owner, c.shared
	c.owner, c.shared = "/"+s.ID, false
	c.list(s.Do, "do")
	c.owner, c.shared = owner, shared
	if announced {
		c.heard++
	}
	if s.End != nil {
		c.subagentEnd(s.End)
	}
}

func (c *checker) parentsOf(s *Subagent) {
	if call := s.ParentToolCall; call != nil {
		c.use(Calls, *call)
		if c.calls[*call] == nil {
			c.fail("there was no call %q", *call)
		}
	}
	if id := s.ParentMessage; id != nil {
		c.use(Messages, *id)
		if c.messages[*id] == nil {
			c.fail("there was no message %q", *id)
		}
	}
}

func (c *checker) subagentEnd(e *SubagentEnd) {
	switch {
	case e.Success != nil:
		c.value(e.Success.Result, "end", "success", "result")
	case e.Suspended != nil:
		for _, i := range e.Suspended.Interrupts {
			c.use(Interrupts, i)
		}
		c.suspended = append(c.suspended, e.Suspended.Interrupts...)
	}
}

// --- ends ---

func (c *checker) finish(f *Finish) {
	c.value(f.Result, "result")
	c.usage(f.Usage)
	if f.Pending != nil {
		c.within(func() { c.pending(f.Pending) }, "pending")
	}
}

// pending: the list is that of the calls that the run has made and not answered, in the order in which it made them.
func (c *checker) pending(named []string) {
	var want []string
	var before []*knownCall
	for _, k := range c.made {
		if k.answered {
			continue
		}
		if slices.ContainsFunc(before, func(b *knownCall) bool { return unordered(b.branches, k.branches) }) {
			c.fail("nobody knows the order of calls that two branches make")
		}
		before = append(before, k)
		want = append(want, k.id)
	}
	if !slices.Equal(named, want) {
		c.fail("the calls without an answer are %q", want)
	}
}

// unordered says whether two places are in different branches of one parallel action.
func unordered(a, b []branch) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i].of == b[i].of
		}
	}
	return false
}

func (c *checker) interrupt(x *Interrupt) {
	c.usage(x.Usage)
	c.shape(x.Interrupts, interruptsShape, "interrupts")
	ids := map[string]bool{}
	frontend := true
	for n, i := range objectsOf(decoded(x.Interrupts)) {
		id := textOf(i, "id")
		c.within(func() {
			if ids[id] {
				c.fail("a second interrupt %q", id)
			}
			frontend = c.concerns(i) && frontend
		}, "interrupts", strconv.Itoa(n))
		ids[id] = true
	}
	if frontend {
		c.fail("a run that stops on calls to the frontend's tools ends with success")
	}
	for _, i := range c.suspended {
		if !ids[i] {
			c.fail("a subagent waits for the interrupt %q", i)
		}
	}
}

// concerns checks the labels in an interrupt, and says whether it is about a call that the frontend has to answer.
func (c *checker) concerns(i map[string]any) (frontend bool) {
	if agent, ok := i["subagentRunId"].(string); ok && !c.known.has(Subagents, agent) {
		c.fail("there was no subagent %q", agent)
	}
	id, ok := i["toolCallId"].(string)
	if !ok {
		return false
	}
	k := c.calls[id]
	if k == nil {
		c.fail("there was no call %q", id)
		return false
	}
	return k.run == c.runs && !k.answered && c.tools[k.name]
}

// usage: the sums are right, and no model comes twice.
func (c *checker) usage(v jsontext.Value) {
	if v == nil {
		return
	}
	c.shape(v, usageShape, "usage")
	seen := map[string]bool{}
	for i, u := range objectsOf(decoded(v)) {
		c.within(func() {
			if fault := sums(u); fault != "" {
				c.fail("%s", fault)
			}
			model := fmt.Sprintf("%#v %#v", u["provider"], u["model"])
			if seen[model] {
				c.fail("a second entry for one model")
			}
			seen[model] = true
		}, "usage", strconv.Itoa(i))
	}
}

// sums says which counts contradict each other; a count that is not there contradicts none, but is nothing of a sum.
func sums(u map[string]any) string {
	count := func(name string) (n float64, given bool) { n, given = u[name].(float64); return }
	in, hasIn := count("inputTokens")
	out, hasOut := count("outputTokens")
	total, hasTotal := count("totalTokens")
	reasoned, _ := count("reasoningTokens")
	read, _ := count("cachedInputTokens")
	written, _ := count("cacheWriteInputTokens")
	switch {
	case hasIn && hasOut && hasTotal && total != in+out:
		return "totalTokens is not the sum of input and output"
	case hasOut && reasoned > out:
		return "more reasoning than output"
	case hasIn && read+written > in:
		return "more cached than input"
	}
	return ""
}

// --- values ---

// value checks a value of any shape, where the script has it.
func (c *checker) value(v jsontext.Value, tokens ...string) {
	if v == nil {
		return
	}
	c.within(func() {
		if err := holds(v); err != nil {
			c.fail("%v", err)
		}
	}, tokens...)
}
