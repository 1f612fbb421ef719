package script

import "slices"

// shown are the features that a script shows to need, in the order of the contract; the others a scenario has to name.
var (
	shown = []string{
		"role", "name", "chunks", "nested", "reopen", "ids", "parent", "tool-result", "parts", "reasoning", "span", "encrypted", "step", "parallel",
		"subagent", "unannounced", "state", "state-delta", "messages-snapshot", "activity", "custom", "raw", "emit", "interrupt", "cancel",
		"code", "result", "usage", "pending", "metadata", "replay", "echo", "gate", "panic", "early-fail",
	}
	unshown = []string{"version", "guard", "http", "protobuf"}
)

// AllFeatures lists the features that a subject may declare.
func AllFeatures() []string { return slices.Concat(shown, unshown) }

// Features lists what a subject has to be able to do for the script, in the order of AllFeatures; the core has no name. The
// input decides whether labels have to come out as ids.
func (s Script) Features(in Input) []string {
	f := finder{needs: map[string]bool{}, texts: map[string]bool{}, made: labels{}, used: labels{}}
	f.input(in)
	for a := range s.all() {
		f.action(a)
	}
	f.need("ids", f.made.meets(f.used))
	return slices.DeleteFunc(slices.Clone(shown), func(name string) bool { return !f.needs[name] })
}

// A finder finds the features that actions need.
type finder struct {
	needs map[string]bool
	texts map[string]bool // labels of texts that were opened
	made  labels          // by the script
	used  labels          // as ids by what a subject does not translate
}

func (f *finder) need(name string, is bool) {
	if is {
		f.needs[name] = true
	}
}

func (f *finder) input(in Input) {
	messages := in.messages()
	f.used.addMessages(messages)
	for _, m := range messages {
		if textRoles[textOf(m, "role")] {
			f.texts[textOf(m, "id")] = true
		}
	}
	for _, r := range objectsOf(in.Request["resume"]) {
		f.used.add(Interrupts, textOf(r, "interruptId"))
	}
	for _, s := range in.Earlier {
		for a := range s.all() {
			a.makes(f.used.add)
			if a.Text != nil {
				f.texts[a.Text.ID] = true
			}
		}
	}
}

func (f *finder) action(a *Action) {
	a.makes(func(namespace, label string) {
		f.made.add(namespace, label)
		f.need("ids", label == "")
	})
	switch {
	case a.Text != nil:
		f.text(a.Text)
	case a.ToolCall != nil:
		f.need("parent", a.ToolCall.Parent != nil)
		f.item(a.ToolCall.Stream, a.ToolCall.Form, a.ToolCall.EncryptedValue, a.ToolCall.Metadata)
	case a.ToolResult != nil:
		f.need("tool-result", true)
		f.need("parts", a.ToolResult.Content.Kind() == '[')
		f.need("metadata", a.ToolResult.Metadata != nil)
	case a.Reasoning != nil:
		f.need("reasoning", true)
		f.need("span", a.Reasoning.Span != nil)
		for _, m := range a.Reasoning.Messages {
			f.item(m.Stream, a.Reasoning.Form, m.EncryptedValue, m.Metadata)
		}
	case a.Step != nil:
		f.need("step", true)
	case a.Parallel != nil:
		f.need("parallel", true)
	case a.Subagent != nil:
		f.subagent(a.Subagent)
	case a.StateSnapshot != nil:
		f.need("state", true)
	case a.StateDelta != nil:
		f.need("state-delta", true)
	case a.MessagesSnapshot != nil:
		f.need("messages-snapshot", true)
		f.messages(a.MessagesSnapshot)
	case a.Activity != nil:
		f.need("activity", true)
		f.need("metadata", a.Activity.Metadata != nil)
	case a.ActivityDelta != nil:
		f.need("activity", true)
	case a.Custom != nil:
		f.need("custom", true)
	case a.Raw != nil:
		f.need("raw", true)
	case a.Emit != nil:
		f.need("emit", true)
		e, _ := decoded(a.Emit.Event).(map[string]any)
		f.used.addEvent(e)
	case a.Echo != nil:
		f.need("echo", true)
	case a.Gate != nil:
		f.need("gate", true)
	case a.Replay != nil:
		f.need("replay", true)
		f.need("code", a.Replay.Error != nil && a.Replay.Error.Code != nil)
	default:
		f.end(a)
	}
}

func (f *finder) end(a *Action) {
	switch {
	case a.Finish != nil:
		f.need("result", a.Finish.Result != nil)
		f.need("pending", a.Finish.Pending != nil)
		f.need("usage", a.Finish.Usage != nil)
	case a.Interrupt != nil:
		f.need("interrupt", true)
		f.need("usage", a.Interrupt.Usage != nil)
	case a.Cancel != nil:
		f.need("cancel", true)
		f.need("usage", a.Cancel.Usage != nil)
	case a.Fail != nil:
		f.need("code", a.Fail.Code != nil)
		f.need("usage", a.Fail.Usage != nil)
		f.need("early-fail", a.Fail.Early)
	case a.Panic != nil:
		f.need("panic", true)
	}
}

// item is what is streamed: a text, a call, a reasoning message.
func (f *finder) item(stream []Piece, form string, encrypted *string, metadata []byte) {
	f.need("nested", slices.ContainsFunc(stream, func(p Piece) bool { return p.Action != nil }))
	f.need("chunks", form == Chunks)
	f.need("encrypted", encrypted != nil)
	f.need("metadata", metadata != nil)
}

func (f *finder) text(t *Text) {
	f.item(t.Stream, t.Form, t.EncryptedValue, t.Metadata)
	f.need("role", t.Role != "")
	f.need("name", t.Name != nil)
	f.need("reopen", f.texts[t.ID])
	f.texts[t.ID] = true
}

func (f *finder) subagent(s *Subagent) {
	f.need("subagent", true)
	f.need("unannounced", s.Announce != nil && !*s.Announce)
	if s.End != nil {
		f.need("result", s.End.Success != nil && s.End.Success.Result != nil)
		f.need("interrupt", s.End.Suspended != nil)
	}
}

func (f *finder) messages(s *MessagesSnapshot) {
	messages := objectsOf(decoded(s.Messages))
	f.used.addMessages(messages)
	for _, m := range messages {
		_, parts := m["content"].([]any)
		f.need("parts", parts)
	}
}

// textRoles are the roles of text messages; they are told from results, reasoning and activities.
var textRoles = map[string]bool{"developer": true, "system": true, "assistant": true, "user": true}
