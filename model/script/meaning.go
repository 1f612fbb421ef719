package script

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Meaning is what a script says, to be compared with what a stream said. Values are as encoding/json has them: nil, bool,
// float64, string, []any, map[string]any. Nothing in it is to be changed.
type Meaning struct {
	Runs []Run
	// Messages are those of the request, which a snapshot may restate.
	Messages []any
}

// A Run is one run of a Meaning: replayed ones first, the script's own last.
type Run struct {
	ID      string // empty for one that fails before it starts
	Outcome string // success, interrupt, cancelled, error
	// Fields are the members that the run's end must have: result, interrupts, pending, message, code, usage. Of those that are
	// not there, Free names what the subject may add.
	Fields map[string]any
	Free   map[string]bool
	// States are the values that the state takes, the base first. Neighbours differ.
	States []any
	// Items are what the run opens and says.
	Items Order
}

// An Order is a partial order of items: one item, or a sequence, or branches side by side. Exactly one of Item, Seq and Par is
// set; the zero Order is an empty sequence.
//
// The members of an item are those of section 4 of the contract. Where they hold a label it is a string; an ID is what the
// script wrote as an id itself.
type Order struct {
	Item map[string]any
	Seq  []Order
	Par  []Order
	// Span goes with Seq: the span, without an id, that the subject may put around the sequence or around each of its elements.
	Span map[string]any
}

// An ID is what an emitted event has in the place of a label: it is the id on the wire, whatever the subject calls its things.
type ID string

// The outcomes of a run.
const (
	Success     = "success"
	Interrupted = "interrupt"
	Cancelled   = "cancelled"
	Failed      = "error"
)

// Means returns what a script says in answer to a request. The error is about a script that cannot be played: a patch that does
// not apply, an end inside parallel, an emit that no scenario may have.
func (s Script) Means(in Input) (Meaning, error) {
	t := newTeller(in)
	for len(s) > 0 && s[0].Replay != nil && !t.over {
		t.replay(s[0].Replay)
		s = s[1:]
	}
	if !t.over {
		t.request(in.run(), s)
	}
	return t.out, t.err
}

// A teller goes through a script from its beginning, and knows what somebody knows who has heard it so far.
type teller struct {
	out  Meaning
	run  *Run // that is being told
	over bool // the run has ended, whatever follows
	err  error

	input      any
	owner      any     // the innermost subagent; nil for the parent agent
	around     *string // the innermost announced one
	branches   int     // how many parallel actions are around
	state      any
	activities map[string]*activity
	asked      map[string]bool // calls of the request
	heard
}

// heard is what was said in one run.
type heard struct {
	said   map[thing]*said           // the last opening of each
	open   map[thing]*said           // what is open
	owners map[thing]any             // who said it first
	agents map[thing]string          // subagents: active, done
	shown  map[string]map[string]any // items of activities
	listed map[string]bool           // calls, by snapshots
}

// A thing is what labels and ids name: of a kind, and a step of an owner.
type thing struct {
	kind  kind
	id    string
	owner tag
}

// kind is what a thing can be.
type kind string

const (
	textKind      kind = "text message"
	resultKind    kind = "tool result"
	reasoningKind kind = "reasoning message"
	spanKind      kind = "span"
	callKind      kind = "tool call"
	stepKind      kind = "step"
	agentKind     kind = "subagent"
)

// A tag is an owner that can be compared: the parent agent or a subagent.
type tag struct {
	isAgent bool
	id      string
}

// tagOf returns the tag of an owner: nil, a label or an ID.
func tagOf(owner any) tag {
	switch o := owner.(type) {
	case string:
		return tag{true, o}
	case ID:
		return tag{true, string(o)}
	}
	return tag{}
}

func newTeller(in Input) *teller {
	t := &teller{input: in.Request, state: in.state(), activities: map[string]*activity{}, asked: map[string]bool{}}
	t.out.Messages, _ = in.Request["messages"].([]any)
	noteCalls(t.out.Messages, t.asked)
	return t
}

// noteCalls notes the calls of a list of messages.
func noteCalls(messages []any, into map[string]bool) {
	for _, m := range messages {
		m, _ := m.(map[string]any)
		calls, _ := m["toolCalls"].([]any)
		for _, c := range calls {
			c, _ := c.(map[string]any)
			if id, ok := c["id"].(string); ok {
				into[id] = true
			}
		}
	}
}

// begin starts a run.
func (t *teller) begin(id string) {
	t.out.Runs = append(t.out.Runs, Run{ID: id, States: []any{t.state}})
	t.run = &t.out.Runs[len(t.out.Runs)-1]
	t.over = false
	t.heard = heard{
		said: map[thing]*said{}, open: map[thing]*said{}, owners: map[thing]any{}, agents: map[thing]string{},
		shown: map[string]map[string]any{}, listed: map[string]bool{},
	}
}

// replay tells an earlier run. A failure inside it ends everything.
func (t *teller) replay(x *Replay) {
	t.begin(x.Run)
	t.run.Items = t.actions(x.Do)
	switch {
	case t.over:
	case x.Error != nil:
		t.fail(x.Error.Message, x.Error.Code, nil)
		t.over = false
	default:
		t.finish(&Finish{})
		t.over = false
	}
}

// request tells the run that was asked for.
func (t *teller) request(id string, s Script) {
	if len(s) == 1 && s[0].Fail != nil && s[0].Fail.Early {
		t.begin("")
		t.run.States = nil // no run, no state
	} else {
		t.begin(id)
	}
	t.run.Items = t.actions(s)
	if !t.over {
		t.finish(&Finish{})
	}
}

// ends ends the run there and then: nothing that follows in the script happens.
func (t *teller) ends(outcome string, fields map[string]any, free ...string) Order {
	if t.branches > 0 {
		return t.broken("an end inside parallel")
	}
	t.over = true
	t.run.Outcome, t.run.Fields, t.run.Free = outcome, fields, map[string]bool{}
	for _, name := range free {
		if _, has := fields[name]; !has {
			t.run.Free[name] = true
		}
	}
	return Order{}
}

func (t *teller) finish(x *Finish) Order {
	fields := map[string]any{}
	t.put(fields, "result", x.Result)
	t.put(fields, "usage", x.Usage)
	if len(x.Pending) > 0 {
		fields["pending"] = anys(x.Pending)
	}
	return t.ends(Success, fields, "usage", "pending")
}

func (t *teller) interrupt(x *Interrupt) Order {
	fields := map[string]any{}
	t.put(fields, "interrupts", x.Interrupts)
	t.put(fields, "usage", x.Usage)
	return t.ends(Interrupted, fields, "usage")
}

func (t *teller) cancel(x *Cancel) Order {
	fields := map[string]any{}
	t.put(fields, "usage", x.Usage)
	return t.ends(Cancelled, fields, "usage")
}

func (t *teller) fail(message string, code *string, usage jsontext.Value) Order {
	fields := map[string]any{"message": message}
	putString(fields, "code", code)
	t.put(fields, "usage", usage)
	return t.ends(Failed, fields, "usage", "code")
}

// breakDown ends the run by an error that the subject makes: of a bug, or of its guard.
func (t *teller) breakDown() Order {
	return t.ends(Failed, map[string]any{}, "usage", "code", "message")
}

// broken notes that the script cannot be played.
func (t *teller) broken(format string, args ...any) Order {
	if t.err == nil {
		t.err = fmt.Errorf("script: "+format, args...)
	}
	t.over = true
	return Order{}
}

// put decodes a value into a member, where the script has it.
func (t *teller) put(into map[string]any, name string, v jsontext.Value) {
	if v != nil {
		into[name] = t.decode(v)
	}
}

func (t *teller) decode(v jsontext.Value) any {
	var out any
	if err := json.Unmarshal(v, &out); err != nil {
		if v == nil {
			err = errors.New("a value is missing")
		}
		t.broken("%v", err)
	}
	return out
}

func putString(into map[string]any, name string, s *string) {
	if s != nil {
		into[name] = *s
	}
}

func anys(all []string) []any {
	out := make([]any, len(all))
	for i, s := range all {
		out[i] = s
	}
	return out
}
