package model_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/model"
)

// Features: what a rule looks at and a count of event kinds does not show.

// reader follows a stream as far as features need it.
type reader struct {
	has    map[string]bool
	opened map[string]int    // kind and id to the run that opened it last
	owners map[string]string // message to its owner in this run
	active map[string]bool
	known  map[string]bool   // announced in this run
	lanes  map[string]string // tag to kind and id
	calls  map[string]bool   // unanswered
	run    int
}

const noTag = "\x00"

func (r *reader) see(feature string, is bool) {
	if is {
		r.has[feature] = true
	}
}

var closers = []baseline.EventType{
	baseline.TextMessageStart, baseline.TextMessageContent, baseline.TextMessageEnd, baseline.ToolCallStart, baseline.ToolCallArgs, baseline.ToolCallEnd,
	baseline.ToolCallResult, baseline.StateSnapshot, baseline.StateDelta, baseline.StepStarted, baseline.StepFinished, baseline.Custom,
	baseline.ReasoningStart, baseline.ReasoningEnd, baseline.ReasoningMessageStart, baseline.ReasoningMessageContent, baseline.ReasoningMessageEnd,
	baseline.RunFinished, baseline.RunError, baseline.MessagesSnapshot, baseline.SubagentFinished, baseline.SubagentError,
}

var patchOps = []string{"add", "remove", "replace", "move", "copy", "test"}

// expectedFeatures is the list of what has to occur.
func expectedFeatures() []string {
	out := []string{
		"one event", "error first", "error first, then a run", "late error", "run after an error", "three runs",
		"request", "replay before the requested run", "echoed input", "request echoed", "declared 1.0", "no declared version", "declared another version",
		"text reopened in its run", "text reopened in a later run", "call reopened in its run", "call reopened in a later run", "reasoning reopened",
		"chunk without id", "chunk without id and tag", "untagged chunk for a subagent's item", "chunk that says nothing", "chunk reopens", "two lanes at once",
		"nested subagent", "parallel subagents", "failed subagent", "suspended subagent", "unannounced tag", "tag of a finished subagent", "subagent back in a later run",
		"continuation without its tag", "tagged continuation", "snapshot moves an owner", "snapshot restates", "span with a message's id",
		"interrupt outcome", "cancelled outcome", "pending calls named", "pending calls not named", "frontend call", "usage adds up",
		"activity replace true", "activity replace false", "activity delta", "escaped pointer", "append to an array", "state not an object",
		"result before the end of its call", "result for an unknown call", "two results", "parent message", "parent message later",
		"empty id", "empty delta", "combining mark first", "zwj", "u+2028", "astral", "escape", "white space", "1.0 for an integer",
		"text part", "image part", "file source",
	}
	for _, c := range closers {
		out = append(out, "lane closed by "+c.String())
	}
	for _, op := range patchOps {
		out = append(out, "patch "+op)
	}
	for _, p := range model.Profiles() {
		out = append(out, "for "+p)
	}
	return out
}

func featuresOf(s model.Stream, events []doc) map[string]bool {
	r := &reader{has: map[string]bool{}, opened: map[string]int{}}
	r.see("one event", len(events) == 1)
	r.see("request", s.Request != nil)
	for _, p := range model.Profiles() {
		r.see("for "+p, s.Accepts(p))
	}
	var last baseline.EventType
	for i, e := range events {
		r.lifecycle(e, last, i)
		r.bytes(s.Events[i], e)
		if r.run > 0 {
			r.subagents(e)
			r.items(e)
			r.chunks(e)
			r.messages(e)
			r.documents(e)
		}
		last = e.typ()
	}
	r.requests(s, events)
	return r.has
}

func (r *reader) lifecycle(e doc, last baseline.EventType, index int) {
	switch e.typ() {
	case baseline.RunStarted:
		r.run++
		r.see("three runs", r.run == 3)
		r.see("error first, then a run", last == baseline.RunError && index == 1)
		r.see("run after an error", last == baseline.RunError)
		r.see("echoed input", e.has("input"))
		v, given := e["protocolVersion"]
		r.see("declared 1.0", v == "1.0")
		r.see("no declared version", !given)
		r.see("declared another version", given && v != "1.0")
		r.owners, r.active, r.known, r.lanes, r.calls = map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}
	case baseline.RunError:
		r.see("error first", index == 0)
		r.see("late error", last == baseline.RunFinished)
	case baseline.RunFinished:
		r.outcome(e)
	}
	usage, _ := e["usage"].([]any)
	for _, u := range usage {
		_, total := u.(map[string]any)["totalTokens"]
		r.see("usage adds up", total)
	}
}

func (r *reader) outcome(e doc) {
	o, _ := e["outcome"].(map[string]any)
	r.see("interrupt outcome", o["type"] == "interrupt")
	r.see("cancelled outcome", o["type"] == "cancelled")
	pending, _ := o["pendingToolCallIds"].([]any)
	waits := false
	for _, unanswered := range r.calls {
		waits = waits || unanswered
	}
	r.see("pending calls named", len(pending) > 0)
	r.see("pending calls not named", waits && len(pending) == 0)
}

func (r *reader) subagents(e doc) {
	id := e.str("subagentRunId")
	switch e.typ() {
	case baseline.SubagentStarted:
		r.see("nested subagent", e.has("parentSubagentRunId"))
		r.see("subagent back in a later run", r.opened["subagent "+id] > 0)
		r.opened["subagent "+id] = r.run
		r.active[id], r.known[id] = true, true
		n := 0
		for _, is := range r.active {
			if is {
				n++
			}
		}
		r.see("parallel subagents", n > 1)
		return
	case baseline.SubagentFinished, baseline.SubagentError:
		r.active[id] = false
		r.see("failed subagent", e.typ() == baseline.SubagentError)
		o, _ := e["outcome"].(map[string]any)
		r.see("suspended subagent", o["type"] == "suspended")
		return
	}
	if e.has("subagentRunId") {
		r.see("unannounced tag", !r.known[id])
		r.see("tag of a finished subagent", r.known[id] && !r.active[id])
	}
}

func tagOf(e doc) string {
	if e.has("subagentRunId") {
		return e.str("subagentRunId")
	}
	return noTag
}

func (r *reader) items(e doc) {
	id, call := e.str("messageId"), e.str("toolCallId")
	switch e.typ() {
	case baseline.TextMessageStart:
		r.reopened("text", id)
	case baseline.ReasoningMessageStart:
		r.see("reasoning reopened", r.opened["reasoning "+id] > 0)
		r.opened["reasoning "+id] = r.run
	case baseline.ReasoningStart:
		r.see("span with a message's id", r.opened["text "+id] > 0 || r.opened["reasoning "+id] > 0)
	case baseline.ToolCallStart:
		r.reopened("call", call)
		r.calls[call] = true
		r.opened["open "+call] = r.run
		r.see("parent message", r.opened["text "+e.str("parentMessageId")] > 0)
		if e.has("parentMessageId") {
			r.opened["parent "+e.str("parentMessageId")] = r.run
		}
	case baseline.ToolCallEnd:
		delete(r.opened, "open "+call)
	case baseline.ToolCallResult:
		waits, made := r.calls[call]
		r.see("result before the end of its call", r.opened["open "+call] == r.run)
		r.see("result for an unknown call", !made && r.opened["call "+call] == 0)
		r.see("two results", made && !waits)
		r.calls[call] = false
	case baseline.TextMessageContent, baseline.TextMessageEnd:
		owner, known := r.owners[id]
		r.see("continuation without its tag", known && owner != noTag && !e.has("subagentRunId"))
		r.see("tagged continuation", e.has("subagentRunId"))
	}
	if e.typ() == baseline.TextMessageStart {
		if _, known := r.owners[id]; !known {
			r.owners[id] = tagOf(e)
		}
	}
}

func (r *reader) reopened(kind, id string) {
	run := r.opened[kind+" "+id]
	r.see(kind+" reopened in its run", run == r.run)
	r.see(kind+" reopened in a later run", run > 0 && run < r.run)
	r.see("parent message later", kind == "text" && run == 0 && r.opened["parent "+id] > 0)
	r.opened[kind+" "+id] = r.run
}

func (r *reader) chunks(e doc) {
	kind, idName := "", "messageId"
	switch e.typ() {
	case baseline.TextMessageChunk:
		kind = "text"
	case baseline.ReasoningMessageChunk:
		kind = "reasoning"
	case baseline.ToolCallChunk:
		kind, idName = "call", "toolCallId"
	default:
		r.closeLanes(e)
		return
	}
	item := kind + " " + e.str(idName)
	r.see("chunk without id", !e.has(idName))
	r.see("chunk without id and tag", !e.has(idName) && !e.has("subagentRunId"))
	says := e.has("delta") || e.has("role") || e.has("name") || e.has("toolCallName") || e.has("parentMessageId")
	r.see("chunk that says nothing", !says)
	if !e.has(idName) {
		return
	}
	for tag, held := range r.lanes {
		if held == item {
			r.see("untagged chunk for a subagent's item", tag != noTag && !e.has("subagentRunId"))
			return
		}
	}
	r.see("chunk reopens", r.opened[item] > 0)
	r.opened[item] = r.run
	r.lanes[tagOf(e)] = item
	r.see("two lanes at once", len(r.lanes) > 1)
	if kind == "call" {
		r.calls[e.str("toolCallId")] = true
	}
}

func (r *reader) closeLanes(e doc) {
	if !slices.Contains(closers, e.typ()) {
		return
	}
	for tag := range r.lanes {
		all := isOneOf(e.typ(), baseline.RunFinished, baseline.RunError, baseline.MessagesSnapshot)
		if all || tag == tagOf(e) {
			r.see("lane closed by "+e.typ().String(), true)
			delete(r.lanes, tag)
		}
	}
}

func (r *reader) messages(e doc) {
	list, _ := e["messages"].([]any)
	for _, v := range list {
		msg, _ := v.(map[string]any)
		id, _ := msg["id"].(string)
		owner, known := r.owners[id]
		r.see("snapshot restates", known)
		r.see("snapshot moves an owner", known && owner != tagOf(msg))
		r.parts(msg["content"])
	}
	r.parts(e["content"])
}

func (r *reader) parts(v any) {
	list, _ := v.([]any)
	for _, p := range list {
		part, _ := p.(map[string]any)
		r.see("text part", part["type"] == "text")
		r.see("image part", part["type"] == "image")
		source, _ := part["source"].(map[string]any)
		r.see("file source", source["type"] == "file")
	}
}

func (r *reader) documents(e doc) {
	switch e.typ() {
	case baseline.StateSnapshot:
		_, object := e["snapshot"].(map[string]any)
		r.see("state not an object", !object)
	case baseline.ActivitySnapshot:
		r.see("activity replace true", e["replace"] == true)
		r.see("activity replace false", e["replace"] == false)
	case baseline.ActivityDelta:
		r.see("activity delta", true)
	}
	for _, name := range []string{"delta", "patch"} {
		ops, _ := e[name].([]any)
		for _, o := range ops {
			op, _ := o.(map[string]any)
			path, _ := op["path"].(string)
			r.see("patch "+op["op"].(string), true)
			r.see("escaped pointer", strings.Contains(path, "~"))
			r.see("append to an array", strings.HasSuffix(path, "/-"))
		}
	}
}

func (r *reader) bytes(raw []byte, e doc) {
	delta, has := e["delta"].(string)
	r.see("empty delta", has && delta == "")
	r.see("combining mark first", strings.HasPrefix(delta, "\u0301"))
	r.see("zwj", strings.Contains(delta, "\u200d"))
	r.see("u+2028", strings.Contains(delta, "\u2028"))
	r.see("astral", strings.Contains(delta, "𝄞"))
	for _, name := range []string{"messageId", "toolCallId", "runId", "threadId", "subagentRunId"} {
		r.see("empty id", e.has(name) && e.str(name) == "")
	}
	r.see("escape", bytes.Contains(raw, []byte(`"t\u0079`)) || bytes.Contains(raw, []byte(`\u0074yp`)))
	r.see("white space", bytes.Contains(raw, []byte(" :")))
	r.see("1.0 for an integer", bytes.Contains(raw, []byte(`"timestamp":1.0`)))
}

func (r *reader) requests(s model.Stream, events []doc) {
	if s.Request == nil {
		return
	}
	var in struct {
		RunID string
		Tools []struct{ Name string }
	}
	_ = json.Unmarshal(s.Request, &in)
	for _, e := range events {
		r.see("replay before the requested run", e.typ() == baseline.RunStarted && e.str("runId") != in.RunID)
		if echo, ok := e["input"].(map[string]any); ok {
			r.see("request echoed", echo["runId"] == in.RunID)
		}
		for _, tool := range in.Tools {
			r.see("frontend call", e.typ() == baseline.ToolCallStart && e.str("toolCallName") == tool.Name)
		}
	}
}
