package script

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The edits. What a subject may do on its own is left alone: RAW that is extra, a span, a parent, usage, pending or a code where
// the script has none, metadata of other keys, states between two, snapshots that restate, where between two openings a delta
// stood. So is what only tells the branches of a parallel action apart, as they mix.

// list offers the edits of actions that stand one behind the other.
func (m *mutator) list(l *[]Action, at jsontext.Pointer) {
	outer := m.at
	m.at = at
	defer func() { m.at = outer }()
	for i := 0; i < len(*l) && !m.dead; i++ {
		a := &(*l)[i]
		m.below(func() {
			m.drop(a, func() { *l = slices.Delete(*l, i, i+1) })
			if i+1 < len(*l) && !a.fails() {
				next := &(*l)[i+1]
				m.swap(a, next)
				m.take(a, next, func() { *l = slices.Delete(*l, i+1, i+2) })
			}
			m.unwrap(a, func(inner []Action) { *l = slices.Replace(*l, i, i+1, inner...) })
			m.wrap(a)
			m.action(a)
		}, strconv.Itoa(i))
	}
}

// fails says whether the run ends within an action.
func (a *Action) fails() bool {
	for inner := range (Script{*a}).all() {
		if inner.Fail != nil || inner.Panic != nil {
			return true
		}
	}
	return false
}

// opens is what the first item of an action says without labels; empty for one whose items a subject may leave out, add or say
// elsewhere.
func (a *Action) opens() string {
	text := func(stream []Piece) string {
		var b strings.Builder
		for _, p := range stream {
			b.WriteString(p.Delta)
		}
		return strconv.Quote(b.String())
	}
	switch {
	case a.Text != nil:
		return "text " + strings.TrimPrefix(a.Text.Role, "assistant") + text(a.Text.Stream)
	case a.ToolCall != nil:
		return "call " + strconv.Quote(a.ToolCall.Name) + text(a.ToolCall.Stream)
	case a.ToolResult != nil:
		return "result " + string(valueOf(decoded(a.ToolResult.Content)))
	case a.Reasoning != nil && len(a.Reasoning.Messages) > 0:
		return "reasoning " + text(a.Reasoning.Messages[0].Stream)
	case a.Step != nil:
		return "step " + a.Step.Name
	case a.Subagent != nil && isAnnounced(a.Subagent):
		return "subagent " + a.Subagent.Name
	case a.Custom != nil && a.Custom.Name != EchoName:
		return "custom " + strconv.Quote(a.Custom.Name) + string(valueOf(decoded(a.Custom.Value)))
	case a.Custom != nil, a.Echo != nil:
		return "echo"
	}
	return ""
}

func isAnnounced(s *Subagent) bool { return s.Announce == nil || *s.Announce }

// says says whether there is an item in an action, of those that opens knows.
func (a *Action) says() bool {
	for inner := range (Script{*a}).all() {
		if inner.opens() != "" {
			return true
		}
	}
	return false
}

func (m *mutator) drop(a *Action, do func()) {
	sole := a.Activity != nil && m.isSole(a.Activity.ID)
	isEnd := a.Fail != nil || a.Panic != nil || a.Interrupt != nil || a.Cancel != nil
	if a.opens() != "" || a.says() || sole || isEnd || a.Replay != nil {
		m.add("drops", do)
	}
}

// isSole says whether an activity is said once and no more.
func (m *mutator) isSole(id string) bool { return m.once(Messages, id) && !m.listed }

// swap changes the order of two neighbours.
func (m *mutator) swap(a, b *Action) {
	first, second := a.opens(), b.opens()
	if m.parallel == 0 && first != "" && second != "" && first != second {
		m.add("reorders", func() { *a, *b = *b, *a })
	}
}

// take moves the next action to the end of a step or subagent.
func (m *mutator) take(a, next *Action, drop func()) {
	if m.parallel > 0 || next.opens() == "" {
		return
	}
	switch moved := *next; {
	case a.Step != nil:
		m.add("moves the next action in", func() { a.Step.Do = append(a.Step.Do, moved); drop() })
	case a.Subagent != nil && isAnnounced(a.Subagent):
		m.add("moves the next action in", func() { a.Subagent.Do = append(a.Subagent.Do, moved); drop() })
	}
}

// unwrap leaves what a step or subagent encloses.
func (m *mutator) unwrap(a *Action, leave func(inner []Action)) {
	switch {
	case a.Step != nil:
		m.add("takes the step away around", func() { leave(a.Step.Do) })
	case a.Subagent != nil && (isAnnounced(a.Subagent) || slices.ContainsFunc(a.Subagent.Do, isOwned)):
		m.add("takes the subagent away around", func() { leave(a.Subagent.Do) })
	}
}

// isOwned says whether an action has an item that names its owner.
func isOwned(a Action) bool { return a.opens() != "" && a.Subagent == nil }

// wrap gives an action to a subagent that is not announced.
func (m *mutator) wrap(a *Action) {
	sole := a.Activity != nil && m.isSole(a.Activity.ID)
	if m.unsure || !isOwned(*a) && !sole {
		return
	}
	no := false
	m.add("retags", func() { *a = Action{Subagent: &Subagent{ID: changed, Name: "", Do: []Action{*a}, Announce: &no}} })
}

// action offers the edits of one action and of those inside.
func (m *mutator) action(a *Action) {
	m.below(func() {
		switch {
		case a.Text != nil:
			m.text(a.Text, a.fails())
		case a.ToolCall != nil:
			m.toolCall(a.ToolCall, a.fails())
		case a.ToolResult != nil:
			m.toolResult(a.ToolResult)
		case a.Reasoning != nil:
			m.reasoning(a.Reasoning)
		case a.Step != nil:
			m.change("the name", &a.Step.Name)
			m.list(&a.Step.Do, m.at.AppendToken("do"))
		case a.Parallel != nil:
			m.parallel++
			for i := range a.Parallel.Branches {
				m.below(func() { m.list(&a.Parallel.Branches[i], m.at) }, "branches", strconv.Itoa(i))
			}
			m.parallel--
		case a.Subagent != nil:
			m.subagent(a.Subagent, a.fails())
		case a.StateSnapshot != nil:
			m.replace("the state", &a.StateSnapshot.Snapshot)
		case a.StateDelta != nil:
			m.extend("the patch", &a.StateDelta.Patch, map[string]any{"op": "add", "path": "", "value": changed})
		case a.MessagesSnapshot != nil:
			m.extend("the messages", &a.MessagesSnapshot.Messages, map[string]any{"id": changed, "role": "user", "content": ""})
		case a.Activity != nil:
			m.activity(a.Activity)
		case a.Custom != nil:
			m.change("the name", &a.Custom.Name)
			m.replace("the value", &a.Custom.Value)
		case a.Raw != nil:
			m.replace("the event", &a.Raw.Event)
		case a.Emit != nil:
			m.emit(a.Emit)
		case a.Replay != nil:
			m.replay(a.Replay)
		default:
			m.end(a)
		}
	}, a.name())
}

func (m *mutator) end(a *Action) {
	switch {
	case a.Finish != nil:
		m.result(&a.Finish.Result)
		m.usage(&a.Finish.Usage)
	case a.Interrupt != nil:
		m.interrupts(a.Interrupt)
		m.usage(&a.Interrupt.Usage)
	case a.Cancel != nil:
		m.usage(&a.Cancel.Usage)
	case a.Fail != nil:
		m.dead = true
		if !a.Fail.Early {
			m.change("the message", &a.Fail.Message)
			m.changeSome("the code", a.Fail.Code)
			m.usage(&a.Fail.Usage)
		}
	case a.Panic != nil:
		m.dead = true
	}
}

// --- members ---

// change makes a string another one.
func (m *mutator) change(what string, s *string) { m.add("changes "+what, func() { *s += changed }) }

func (m *mutator) changeSome(what string, s *string) {
	if s != nil {
		m.change(what, s)
	}
}

// optional drops or changes a string that need not be there.
func (m *mutator) optional(what string, s **string) {
	if *s == nil {
		return
	}
	m.add("drops "+what, func() { *s = nil })
	m.change(what, *s)
}

func (m *mutator) replace(what string, v *jsontext.Value) {
	m.add("changes "+what, func() { *v = valueOf(map[string]any{changed: true}) })
}

// extend adds an element to an array.
func (m *mutator) extend(what string, v *jsontext.Value, element any) {
	if list, ok := decoded(*v).([]any); ok {
		m.add("adds to "+what, func() { *v = valueOf(append(list, element)) })
	}
}

// metadata: a key that the script names has to be there.
func (m *mutator) metadata(v *jsontext.Value) {
	all, ok := decoded(*v).(map[string]any)
	if *v == nil || !ok {
		return
	}
	m.add("adds metadata", func() { all[changed] = true; *v = valueOf(all) })
}

// usage that the script has is compared as a whole.
func (m *mutator) usage(v *jsontext.Value) {
	if *v != nil {
		m.add("changes the usage", func() { *v = valueOf([]any{map[string]any{"model": changed}}) })
	}
}

func (m *mutator) result(v *jsontext.Value) {
	m.replace("the result", v)
	if *v != nil {
		m.add("drops the result", func() { *v = nil })
	}
}

// other offers another label in the place of one, where both are known by their place.
func (m *mutator) other(namespace string, label *string) {
	if label == nil || !m.placed.has(namespace, *label) {
		return
	}
	for _, other := range m.placed.sorted(namespace) {
		if other != *label {
			m.add("retargets to "+strconv.Quote(other), func() { *label = other })
			return
		}
	}
}

// --- items ---

func (m *mutator) text(t *Text, fails bool) {
	if t.Role != "" && t.Role != "assistant" {
		m.add("changes the role", func() { t.Role = "" })
	} else {
		m.add("changes the role", func() { t.Role = "system" })
	}
	m.optional("the name", &t.Name)
	m.metadata(&t.Metadata)
	if !fails {
		m.optional("the encrypted value", &t.EncryptedValue)
	}
	m.stream(&t.Stream)
}

func (m *mutator) toolCall(t *ToolCall, fails bool) {
	m.change("the tool", &t.Name)
	m.metadata(&t.Metadata)
	m.other(Messages, t.Parent)
	if !fails {
		m.optional("the encrypted value", &t.EncryptedValue)
	}
	m.stream(&t.Stream)
}

func (m *mutator) toolResult(t *ToolResult) {
	m.metadata(&t.Metadata)
	m.add("changes the content", func() { t.Content = valueOf(changed) })
	m.other(Calls, &t.Call)
}

func (m *mutator) reasoning(r *Reasoning) {
	for i := range r.Messages {
		if m.dead {
			return
		}
		x := &r.Messages[i]
		m.below(func() {
			fails := (&Action{Reasoning: &Reasoning{Messages: r.Messages[i : i+1]}}).fails()
			m.metadata(&x.Metadata)
			if !fails {
				m.optional("the encrypted value", &x.EncryptedValue)
			}
			if len(r.Messages) > 1 {
				m.add("drops", func() { r.Messages = slices.Delete(r.Messages, i, i+1) })
			}
			m.stream(&x.Stream)
		}, "messages", strconv.Itoa(i))
	}
}

// stream offers edits of deltas, and of what happens between them.
func (m *mutator) stream(s *[]Piece) {
	for i := 0; i < len(*s) && !m.dead; i++ {
		m.below(func() { m.piece(s, i) }, "stream", strconv.Itoa(i))
	}
}

func (m *mutator) piece(s *[]Piece, i int) {
	p := &(*s)[i]
	drop := func() { *s = slices.Delete(*s, i, i+1) }
	if a := p.Action; a != nil {
		m.drop(a, drop)
		m.wrap(a)
		m.action(a)
		return
	}
	m.change("a delta", &p.Delta)
	if p.Delta != "" {
		m.add("drops a delta", drop)
	}
	if i+1 == len(*s) || (*s)[i+1].Action != nil {
		return
	}
	if next := &(*s)[i+1]; p.Delta+next.Delta != next.Delta+p.Delta {
		m.add("reorders deltas", func() { *p, *next = *next, *p })
	}
}

func (m *mutator) subagent(s *Subagent, fails bool) {
	unsure := m.unsure
	m.unsure = !isAnnounced(s)
	m.list(&s.Do, m.at.AppendToken("do"))
	m.unsure = unsure
	if !isAnnounced(s) {
		return
	}
	m.change("the name", &s.Name)
	m.optional("the description", &s.Description)
	m.add("changes the description", func() { d := changed; s.Description = &d })
	m.other(Calls, s.ParentToolCall)
	m.other(Messages, s.ParentMessage)
	if s.ParentToolCall != nil {
		m.add("drops the parent call", func() { s.ParentToolCall = nil })
	}
	if s.ParentMessage != nil {
		m.add("drops the parent message", func() { s.ParentMessage = nil })
	}
	no := false
	m.add("announces it no more", func() { s.Announce = &no })
	if !fails {
		m.subagentEnd(s)
	}
}

func (m *mutator) subagentEnd(s *Subagent) {
	switch e := s.End; {
	case e == nil || e.Suspended != nil:
	case e.Success != nil:
		m.result(&e.Success.Result)
	case e.Error != nil:
		m.change("the message", &e.Error.Message)
		m.changeSome("the code", e.Error.Code)
		m.add("makes it a success", func() { s.End = nil })
		return
	}
	m.add("makes it fail", func() { s.End = &SubagentEnd{Error: &Failure{Message: changed}} })
}

// activity: what is said of it again would hide a change.
func (m *mutator) activity(a *Activity) {
	if m.isSole(a.ID) {
		m.change("the type", &a.Type)
		m.replace("the content", &a.Content)
		m.metadata(&a.Metadata)
	}
}

func (m *mutator) emit(e *Emit) {
	if !m.isLegal {
		m.dead = true // perhaps: a guard may end the run here
		return
	}
	event, _ := decoded(e.Event).(map[string]any)
	set := func(name string, v any) {
		m.add("changes the "+name, func() { event[name] = v; e.Event = valueOf(event) })
	}
	switch event["type"] {
	case "CUSTOM":
		set("value", changed)
	case "RAW":
		set("event", changed)
	case "TOOL_CALL_RESULT":
		set("content", changed)
	}
}

func (m *mutator) replay(r *Replay) {
	m.change("the run", &r.Run)
	if r.Error == nil {
		m.add("makes the run fail", func() { r.Error = &Failure{Message: changed} })
	} else {
		m.change("the message", &r.Error.Message)
		m.changeSome("the code", r.Error.Code)
		m.add("makes the run a success", func() { r.Error = nil })
	}
	m.list(&r.Do, m.at.AppendToken("do"))
}

func (m *mutator) interrupts(x *Interrupt) {
	all := objectsOf(decoded(x.Interrupts))
	set := func() { x.Interrupts = valueOf(all) }
	m.extend("the interrupts", &x.Interrupts, map[string]any{"id": changed, "reason": ""})
	m.add("changes a reason", func() { all[0]["reason"] = changed; set() })
	m.add("changes a message", func() { all[0]["message"] = changed; set() })
	if len(all) > 1 {
		m.add("drops an interrupt", func() { all = all[:len(all)-1]; set() })
	}
}
