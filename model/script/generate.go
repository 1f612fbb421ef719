package script

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// Knobs say how large scripts get and what occurs in them. The zero value is everything, of moderate size, for a request that
// has nothing in it.
type Knobs struct {
	Features []string // that a script may need; nil is all of them
	Size     int      // most actions; 0 is 20
	Input    Input    // the request that goes with the script
}

// Legal gives scripts for which Check has nothing to say. Each action and member occurs, and text is cut between any two code
// points.
func Legal(k Knobs) *rapid.Generator[Script] {
	return rapid.Custom(func(t *rapid.T) Script { return newWriter(t, k).script() })
}

// A writer writes one script. It keeps what it has said, so that what it says next is legal; it shares nothing with the checker.
type writer struct {
	draw
	can    map[string]bool
	input  Input
	tools  map[string]bool // the frontend's
	left   int             // actions
	depth  int
	count  map[string]int // of minted labels
	taken  labels
	callOf []string // names of tools
	end    string   // how the script is to end
	over   bool     // it has failed

	// Of the response and the run.
	heard     int
	runs      int
	replayed  bool
	touched   bool // a replayed run has changed the state
	steps     map[string]bool
	agents    map[string]bool
	made      []*writtenCall
	suspended []string
	based     bool // the state is known
	state     any

	around
}

// around is what is around an action.
type around struct {
	owner    string // "" is the parent agent, else "/" and the subagent
	branches []branch
	shared   bool // another branch may say something in the lane
	view
}

// A view is what may be referred to. Of the branches of a parallel action one inherits it, the others begin with nothing.
type view struct {
	texts      []*writtenText
	calls      []*writtenCall
	activities []*writtenActivity
	begun      []string // subagents of this run
	ownsState  bool
}

type writtenText struct {
	id, role string
	name     *string
	owner    string
	open     bool
	carried  bool
}

type writtenCall struct {
	id, name string
	owner    string
	run      int // 0: of the input or a snapshot
	open     bool
	answered bool
	branches []branch
}

type writtenActivity struct {
	id, kind string
	owner    string
	content  any
	based    bool
}

func newWriter(t *rapid.T, k Knobs) *writer {
	w := &writer{
		draw: draw{t}, can: map[string]bool{}, input: k.Input, tools: k.Input.tools(), left: k.Size,
		count: map[string]int{}, taken: labels{}, callOf: []string{"search", "find", "", "äöü"},
	}
	if w.left == 0 {
		w.left = 20
	}
	features := k.Features
	if features == nil {
		features = AllFeatures()
	}
	for _, f := range features {
		w.can[f] = true
	}
	for name := range w.tools {
		w.callOf = append(w.callOf, name)
	}
	slices.Sort(w.callOf)
	w.remember()
	return w
}

// remember takes what the request says, and that the labels of earlier scripts are taken.
func (w *writer) remember() {
	for _, e := range w.input.Earlier {
		for a := range e.all() {
			a.makes(w.taken.add)
		}
	}
	messages := w.input.messages()
	w.taken.addMessages(messages)
	for _, m := range messages {
		k := listed(m)
		if k.kind == aText {
			w.texts = append(w.texts, &writtenText{id: textOf(m, "id"), role: k.role, name: k.name, owner: k.owner, carried: true})
		}
		for _, c := range objectsOf(m["toolCalls"]) {
			w.calls = append(w.calls, &writtenCall{id: textOf(c, "id")})
		}
	}
}

// ends are the ways in which a script can end, by the feature that each needs.
var ends = []struct{ name, needs string }{
	{"", ""}, {"finish", ""}, {"finish", ""}, {"fail", ""}, {"interrupt", "interrupt"}, {"interrupt", "interrupt"}, {"cancel", "cancel"}, {"panic", "panic"}, {"early", "early-fail"},
}

func (w *writer) script() Script {
	end := ends[w.roll(len(ends))]
	if end.needs != "" && !w.can[end.needs] || end.name == "early" && w.chance(70) {
		end = ends[0]
	}
	w.end = end.name
	if w.end == "early" {
		f := w.failure()
		f.Early = true
		return Script{{Fail: f}}
	}
	out := Script{}
	if w.can["replay"] && w.chance(15) {
		for range 1 + w.roll(2) {
			out = append(out, w.replay())
		}
	}
	w.begin(w.input.state(), !w.touched)
	if !w.chance(5) {
		out = append(out, w.list(w.left)...)
	}
	if a := w.last(); a != nil && !w.over {
		out = append(out, *a)
	}
	return out
}

// begin starts a run.
func (w *writer) begin(state any, based bool) {
	w.runs++
	w.steps, w.agents, w.made, w.suspended = map[string]bool{}, map[string]bool{}, nil, nil
	w.state, w.based, w.ownsState, w.begun = state, based, true, nil
	w.replayed = false
}

func (w *writer) replay() Action {
	w.begin(nil, false)
	w.replayed = true
	x := &Replay{Run: fmt.Sprintf("replayed-%d", w.runs), Do: w.list(w.roll(5))}
	if w.chance(20) {
		x.Error = &Failure{Message: w.prose(), Code: w.code()}
	}
	w.touched = w.touched || w.based
	w.heard++
	w.left--
	return Action{Replay: x}
}

// list writes up to most actions.
func (w *writer) list(most int) []Action {
	out := []Action{}
	for w.left > 0 && !w.over && len(out) < most && (len(out) == 0 || !w.chance(10)) {
		out = append(out, w.action())
	}
	return out
}

// below writes the actions inside another one.
func (w *writer) below() []Action {
	w.depth++
	defer func() { w.depth-- }()
	return w.list(w.roll(4))
}

// An option is a kind of action that may come next.
type option struct {
	weight int
	needs  string
	may    func(w *writer) bool // nil: always
	write  func(w *writer) Action
}

var options []option

func init() { // the options write actions, which have options
	deep := func(w *writer) bool { return w.depth < 6 }
	hasState := func(w *writer) bool { return w.ownsState }
	alone := func(w *writer) bool { return len(w.branches) == 0 }
	options = []option{
		{12, "", nil, (*writer).text},
		{10, "", nil, (*writer).toolCall},
		{4, "reopen", (*writer).mayReopen, (*writer).reopen},
		{6, "tool-result", (*writer).mayAnswer, (*writer).toolResult},
		{6, "reasoning", nil, (*writer).reasoning},
		{5, "step", deep, (*writer).step},
		{5, "parallel", deep, (*writer).parallel},
		{6, "subagent", deep, (*writer).subagent},
		{4, "state", hasState, (*writer).stateSnapshot},
		{4, "state-delta", func(w *writer) bool { return w.ownsState && w.based }, (*writer).stateDelta},
		{3, "messages-snapshot", alone, (*writer).messagesSnapshot},
		{4, "activity", nil, (*writer).activity},
		{4, "activity", (*writer).mayPatch, (*writer).activityDelta},
		{4, "custom", nil, (*writer).custom},
		{4, "raw", nil, (*writer).raw},
		{6, "emit", nil, (*writer).emit},
		{4, "echo", nil, (*writer).echo},
		{3, "gate", func(w *writer) bool { return w.heard > 0 }, (*writer).gate},
		{4, "", func(w *writer) bool { return w.end == "fail" && w.mayFail() }, func(w *writer) Action { return *w.last() }},
		{4, "panic", func(w *writer) bool { return w.end == "panic" && w.mayFail() }, func(w *writer) Action { return *w.last() }},
	}
}

func (w *writer) mayFail() bool { return !w.replayed && len(w.branches) == 0 }

// action writes one action.
func (w *writer) action() Action {
	w.left--
	var fit []option
	sum := 0
	for _, o := range options {
		if (o.needs == "" || w.can[o.needs]) && (o.may == nil || o.may(w)) {
			fit = append(fit, o)
			sum += o.weight
		}
	}
	n := w.roll(sum)
	for _, o := range fit {
		if n -= o.weight; n < 0 {
			return o.write(w)
		}
	}
	panic("script: no action is possible") // a text always is
}

func (w *writer) step() Action {
	s := &Step{Name: w.stepName()}
	key := w.owner + "\x00" + s.Name
	w.steps[key] = true
	s.Do = w.below()
	delete(w.steps, key)
	w.heard++
	return Action{Step: s}
}

// stepName is one that is not open; in a branch it is one that no other has.
func (w *writer) stepName() string {
	if len(w.branches) == 0 {
		if name := w.prose(); !w.steps[w.owner+"\x00"+name] {
			return name
		}
	}
	w.count["step"]++
	return fmt.Sprintf("step-%d", w.count["step"])
}

// parallel writes branches. One of them goes on with what there is; what each makes is there for all that follows.
func (w *writer) parallel() Action {
	w.count["parallel"]++
	outer, heard, n := w.around, w.heard, 2+w.roll(2)
	of := jsontext.Pointer(strconv.Itoa(w.count["parallel"]))
	heir, after := w.roll(n), view{ownsState: outer.ownsState}
	p := &Parallel{}
	for i := range n {
		before := w.heard
		w.heard, w.shared, w.view = heard, true, view{}
		if i == heir {
			w.view = outer.view
		}
		w.branches = append(slices.Clone(outer.branches), branch{of, i})
		p.Branches = append(p.Branches, w.below())
		w.heard += before - heard
		after.texts, after.calls = append(after.texts, w.texts...), append(after.calls, w.calls...)
		after.activities, after.begun = append(after.activities, w.activities...), append(after.begun, w.begun...)
	}
	w.around = outer
	w.view = after
	return Action{Parallel: p}
}

func (w *writer) subagent() Action {
	x := &Subagent{ID: w.agentLabel(), Name: w.prose(), Announce: w.announce()}
	announced := x.Announce == nil || *x.Announce
	if announced {
		x.Description = w.maybe(w.prose)
		x.ParentToolCall, x.ParentMessage = w.someCall(), w.someMessage()
	}
	w.agents[x.ID] = true
	w.begun = append(w.begun, x.ID)
	owner, shared := w.owner, w.shared
	w.owner, w.shared = "/"+x.ID, false
	x.Do = w.below()
	w.owner, w.shared = owner, shared
	if announced {
		w.heard++
		x.End = w.subagentEnd()
	}
	return Action{Subagent: x}
}

// agentLabel is new, or that of an earlier run's subagent, which comes back.
func (w *writer) agentLabel() string {
	if w.can["ids"] && len(w.branches) == 0 && w.chance(20) {
		back := slices.DeleteFunc(w.taken.sorted(Subagents), func(id string) bool { return w.agents[id] })
		if len(back) > 0 {
			return back[w.roll(len(back))]
		}
	}
	return w.mint(Subagents)
}

func (w *writer) announce() *bool {
	says := !(w.can["unannounced"] && w.chance(30))
	if says && w.chance(70) {
		return nil
	}
	return &says
}

func (w *writer) someCall() *string {
	if len(w.calls) == 0 || !w.chance(30) {
		return nil
	}
	return &w.calls[w.roll(len(w.calls))].id
}

func (w *writer) someMessage() *string {
	if len(w.texts) == 0 || !w.chance(30) {
		return nil
	}
	return &w.texts[w.roll(len(w.texts))].id
}

func (w *writer) subagentEnd() *SubagentEnd {
	switch w.roll(4) {
	case 1:
		x := &SubagentSuccess{}
		if w.can["result"] && w.chance(70) {
			x.Result = w.something()
		}
		return &SubagentEnd{Success: x}
	case 2:
		return &SubagentEnd{Error: &Failure{Message: w.prose(), Code: w.maybe(w.prose)}}
	case 3:
		if w.end == "interrupt" && !w.replayed {
			ids := []string{w.mint(Interrupts)}
			if w.chance(20) {
				ids = append(ids, w.mint(Interrupts))
			}
			w.suspended = append(w.suspended, ids...)
			return &SubagentEnd{Suspended: &SubagentSuspended{Interrupts: ids}}
		}
	}
	return nil
}

func (w *writer) gate() Action {
	w.count["gate"]++
	return Action{Gate: &Gate{Name: fmt.Sprintf("gate-%d", w.count["gate"])}}
}

// --- ends ---

// last is the end that was decided on; nil for none.
func (w *writer) last() *Action {
	switch w.end {
	case "finish":
		return &Action{Finish: &Finish{Result: w.result(), Pending: w.pending(), Usage: w.usage()}}
	case "interrupt":
		return &Action{Interrupt: &Interrupt{Interrupts: w.interrupts(), Usage: w.usage()}}
	case "cancel":
		return &Action{Cancel: &Cancel{Usage: w.usage()}}
	case "fail":
		w.over = true
		return &Action{Fail: w.failure()}
	case "panic":
		w.over = true
		return &Action{Panic: &Panic{Message: w.prose()}}
	}
	return nil
}

func (w *writer) failure() *Fail {
	return &Fail{Message: w.prose(), Code: w.code(), Usage: w.usage()}
}

func (w *writer) result() jsontext.Value {
	if !w.can["result"] || w.chance(50) {
		return nil
	}
	return w.something()
}

// pending names the calls of the run that have no answer, where their order is known.
func (w *writer) pending() []string {
	var open []*writtenCall
	var ids []string
	for _, c := range w.made {
		if c.answered {
			continue
		}
		if slices.ContainsFunc(open, func(o *writtenCall) bool { return unordered(o.branches, c.branches) }) {
			return nil
		}
		open, ids = append(open, c), append(ids, c.id)
	}
	if !w.can["pending"] || w.chance(30) {
		return nil
	}
	return ids
}

// interrupts has those that subagents wait for, and at least one.
func (w *writer) interrupts() jsontext.Value {
	ids := slices.Clone(w.suspended)
	for len(ids) == 0 || w.chance(30) {
		ids = append(ids, w.mint(Interrupts))
	}
	out := []any{}
	for _, id := range ids {
		out = append(out, w.interrupt(id))
	}
	return valueOf(out)
}

func (w *writer) interrupt(id string) map[string]any {
	i := map[string]any{"id": id, "reason": w.oneOf("tool_call", "input", "", "é")}
	maybe := func(name string, value func() any) {
		if w.chance(30) {
			i[name] = value()
		}
	}
	maybe("message", func() any { return w.prose() })
	maybe("responseSchema", func() any { return w.record(2) })
	maybe("expiresAt", func() any { return "2027-01-01T00:00:00Z" })
	maybe("metadata", func() any { return w.labelled() })
	// A run that stops on calls to the frontend's tools only is none that interrupts: those are left out here.
	calls := slices.DeleteFunc(slices.Clone(w.calls), func(c *writtenCall) bool { return w.tools[c.name] })
	if len(calls) > 0 {
		maybe("toolCallId", func() any { return calls[w.roll(len(calls))].id })
	}
	if len(w.begun) > 0 {
		maybe("subagentRunId", func() any { return w.begun[w.roll(len(w.begun))] })
	}
	return i
}

// usage is that of up to two models; its sums are right.
func (w *writer) usage() jsontext.Value {
	if !w.can["usage"] || w.chance(60) {
		return nil
	}
	out := []any{w.usageOf("acme")}
	if w.chance(30) {
		out = append(out, w.usageOf("umbrella"))
	}
	return valueOf(out)
}

func (w *writer) usageOf(provider string) map[string]any {
	in, out := w.roll(1000), w.roll(1000)
	u := map[string]any{}
	maybe := func(name string, v any) {
		if w.chance(50) {
			u[name] = v
		}
	}
	u["provider"] = provider
	maybe("model", w.oneOf("m", "", "m-ö"))
	maybe("inputTokens", in)
	maybe("outputTokens", out)
	maybe("totalTokens", in+out)
	maybe("reasoningTokens", out/2)
	maybe("cachedInputTokens", in/2)
	maybe("cacheWriteInputTokens", in/3)
	if provider == "acme" && w.chance(30) {
		delete(u, "provider")
	}
	return u
}

// code is that of a run's error, where it may have one.
func (w *writer) code() *string {
	if !w.can["code"] {
		return nil
	}
	return w.maybe(w.prose)
}
