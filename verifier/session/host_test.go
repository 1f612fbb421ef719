package session_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
)

// A flaw is what a host, or the extension that it looks at, does wrong: named after the code that it gets.
type flaw string

const flawless flaw = ""

var flaws = []flaw{
	"lifecycle-order", "lifecycle-reason", "teardown-order", "stale-generation", "ui-left-open", "ui-close-twice",
	"ui-late-answer", "approval-unbound", "snapshot-before-subscribe", "gate-order", "sequence-order", "entry-twice",
}

func TestAReferenceHostWritesATraceWithoutFault(t *testing.T) {
	r := judgedTrace(t, play(flawless))
	assert.Equal(t, len(r.Findings), 0, "%v", r.Findings)
	assert.Equal(t, r.Class, "transcript")
}

func TestABrokenHostGetsTheCodeOfItsFlaw(t *testing.T) {
	for _, f := range flaws {
		r := judgedTrace(t, play(f))
		assert.Equal(t, r.Verdict.Code, string(f), "%v", r.Findings)
	}
}

func TestEachCodeOfHostsHasAFlaw(t *testing.T) {
	rules := session.Rules().Rules
	from := slices.IndexFunc(rules, func(r verifier.Rule) bool { return r.Code == "lifecycle-order" })
	for i, f := range flaws {
		assert.Equal(t, rules[from+i].Code, string(f))
	}
	assert.Assert(t, rules[from+len(flaws)].Protocol != "", "behind them come the rules of the provider stream")
}

func judgedTrace(t *testing.T, lines [][]byte) verifier.Report {
	t.Helper()
	v, err := session.New(session.Options{})
	assert.NilError(t, err)
	for _, l := range lines {
		v.Observe(l)
	}
	v.Finish()
	return v.Report()
}

// play runs a host around a small agent: it starts, rehydrates while a run begins, asks the user for the
// approval of a tool until that times out, replaces the session, shows another dialog when its window is
// closed, and ends. What crosses the pipes and what the host does are written down as they happen.
func play(f flaw) [][]byte {
	h := &theHost{flaw: f}
	h.agent = &theAgent{flaw: f, write: h.write, read: h.receive, session: "s1", entries: []string{"e1", "e2"}}
	h.start("startup")
	h.agent.hello = true
	h.rehydrate()
	h.prompt()
	h.replace()
	h.rehydrate()
	h.closeWindow()
	h.exit()
	return h.lines
}

type object = map[string]any

// theHost is the application: it owns the window, the dialogs and the view of the conversation.
type theHost struct {
	flaw  flaw
	agent *theAgent
	lines [][]byte

	response   object // the last one
	gen        int
	subscribed bool
	live       bool
	seq        int
	aside      []int
	applied    map[string]bool
}

func (h *theHost) write(dir string, record object) {
	line, err := json.Marshal(object{"dir": dir, "record": record})
	if err != nil {
		panic(err)
	}
	h.lines = append(h.lines, line)
}

// did writes down something that the host has done.
func (h *theHost) did(what string, with object) {
	record := object{"type": what, "gen": h.gen}
	for k, v := range with {
		record[k] = v
	}
	h.write("host", record)
}

func (h *theHost) start(reason string) {
	h.gen++
	h.subscribed, h.live, h.seq, h.aside, h.applied = false, false, 0, nil, map[string]bool{}
	h.did("bind", nil)
	h.agent.bound(reason)
}

// send writes a command and returns its response. Whatever else comes is taken as it comes.
func (h *theHost) send(command object) (response object) {
	h.write("stdin", command)
	h.agent.handle(command)
	return h.response
}

// receive takes a record of the agent.
func (h *theHost) receive(record object) {
	if record["type"] == "response" {
		h.response = record
	} else if h.subscribed {
		h.event(record)
	}
}

// event takes a live event: before the gate is open it is put aside.
func (h *theHost) event(record object) {
	h.seq++
	switch {
	case h.live:
		h.did("deliver", object{"seq": h.seq})
	case h.flaw == "sequence-order" && h.seq == 2:
		return // lost
	default:
		h.did("buffer", object{"seq": h.seq})
		h.aside = append(h.aside, h.seq)
	}
	if record["type"] == "extension_ui_request" {
		h.ask(record)
	}
}

// ask shows a dialog. One that approves the tool that is running nobody answers in time.
func (h *theHost) ask(request object) {
	id := request["id"].(string)
	if request["method"] != "confirm" {
		h.did("ui-open", object{"id": id})
		return
	}
	call := "call_1"
	if h.flaw == "approval-unbound" {
		call = "call_of_another_run"
	}
	h.did("ui-open", object{"id": id, "toolCallId": call})
	h.did("ui-close", object{"id": id, "cause": "timeout"})
	if h.flaw == "ui-close-twice" {
		h.did("ui-close", object{"id": id, "cause": "cancelled"})
	}
	if h.flaw == "ui-late-answer" {
		h.write("stdin", object{"type": "extension_ui_response", "id": id, "confirmed": true})
	}
}

// rehydrate puts the entries of the session and what has happened since together.
func (h *theHost) rehydrate() {
	if h.flaw == "snapshot-before-subscribe" {
		h.send(object{"type": "get_state", "id": "early"})
	}
	h.did("subscribe", nil)
	h.subscribed = true
	h.send(object{"type": "get_state", "id": fmt.Sprint("state", h.gen)})
	snapshot := h.send(object{"type": "get_entries", "id": fmt.Sprint("entries", h.gen)})
	for _, e := range snapshot["data"].(object)["entries"].([]object) {
		h.apply(e["id"].(string))
	}
	if h.flaw == "entry-twice" {
		h.did("apply", object{"entry": "e1"})
	}
	h.openGate()
}

func (h *theHost) apply(entry string) {
	if !h.applied[entry] {
		h.applied[entry] = true
		h.did("apply", object{"entry": entry})
	}
}

// openGate handles what was put aside: a message that the snapshot has is left out. From then on events are
// delivered at once.
func (h *theHost) openGate() {
	if h.flaw == "gate-order" {
		h.did("live", nil)
	}
	for _, seq := range h.aside {
		if entry := h.agent.entryOf[seq]; h.applied[entry] {
			h.did("skip", object{"seq": seq, "entry": entry})
		} else {
			h.did("replay", object{"seq": seq})
		}
	}
	if h.aside = nil; h.flaw != "gate-order" {
		h.did("live", nil)
	}
	h.live = true
}

func (h *theHost) prompt() {
	h.send(object{"type": "prompt", "id": "p", "message": "remove the build"})
}

// replace opens another session: the old one is shut down and torn down before the new one is bound.
func (h *theHost) replace() {
	h.write("stdin", object{"type": "new_session", "id": "n"})
	h.agent.shutDown("new")
	teardown := []string{"invalidate", "dispose"}
	if h.flaw == "teardown-order" {
		slices.Reverse(teardown)
	}
	for _, step := range teardown {
		h.did(step, nil)
	}
	old := h.seq
	h.agent.session, h.agent.entries = "s2", nil
	reason := "new"
	if h.flaw == "lifecycle-reason" {
		reason = "resume"
	}
	h.start(reason)
	if h.flaw == "stale-generation" {
		h.write("host", object{"type": "deliver", "gen": h.gen - 1, "seq": old + 1})
	}
	h.agent.answer("new_session", "n", object{"cancelled": false})
}

// closeWindow closes the window while a dialog is shown in it.
func (h *theHost) closeWindow() {
	h.agent.says(object{"type": "extension_ui_request", "id": "u2", "method": "input", "title": "Name"})
	h.did("window-close", nil)
	if h.flaw != "ui-left-open" {
		h.did("ui-close", object{"id": "u2", "cause": "window"})
	}
}

func (h *theHost) exit() {
	h.agent.shutDown("quit")
	h.did("invalidate", nil)
	h.did("dispose", nil)
	h.write("exit", object{"code": 0, "signal": nil})
}

// theAgent stands for the process, with an extension in it that writes down its events.
type theAgent struct {
	flaw    flaw
	write   func(dir string, record object)
	read    func(record object) // by the host
	session string
	entries []string
	hello   bool           // an extension sends a message as soon as it is asked for the state
	entryOf map[int]string // of the live events that a snapshot has, by seq
}

func (a *theAgent) saw(event string, reason string) {
	record := object{"type": event}
	if reason != "" {
		record["reason"] = reason
	}
	a.write("ext", record)
}

func (a *theAgent) bound(reason string) {
	if a.flaw == "lifecycle-order" {
		a.saw("resources_discover", "startup")
	}
	a.saw("session_start", reason)
	if a.flaw != "lifecycle-order" {
		a.saw("resources_discover", "startup")
	}
}

func (a *theAgent) shutDown(reason string) { a.saw("session_shutdown", reason) }

func (a *theAgent) says(record object) {
	a.write("stdout", record)
	a.read(record)
}

func (a *theAgent) answer(command, id string, data any) {
	a.says(object{"type": "response", "command": command, "id": id, "success": true, "data": data})
}

// handle answers a command.
func (a *theAgent) handle(command object) {
	id := command["id"].(string)
	switch command["type"] {
	case "get_state":
		a.greet()
		a.answer("get_state", id, object{
			"thinkingLevel": "off", "isStreaming": false, "isCompacting": false, "steeringMode": "all", "followUpMode": "all",
			"sessionId": a.session, "autoCompactionEnabled": true, "messageCount": len(a.entries), "pendingMessageCount": 0,
		})
	case "get_entries":
		a.answer("get_entries", id, object{"entries": a.listed(), "leafId": nil})
	case "prompt":
		a.answer("prompt", id, object{"disposition": "started"})
		a.run()
	}
}

// greet appends a custom message of an extension: two live events, the second of which is an entry as well.
func (a *theAgent) greet() {
	if !a.hello {
		return
	}
	a.hello = false
	a.message(object{"role": "custom", "customType": "note", "content": "hello", "display": true, "timestamp": 1})
	a.entries = append(a.entries, "e3")
	a.entryOf = map[int]string{2: "e3"}
}

func (a *theAgent) listed() []object {
	list := []object{}
	var parent any
	for _, id := range a.entries {
		list = append(list, object{"type": "custom_message", "id": id, "parentId": parent, "timestamp": "2026-11-30T00:00:00Z"})
		parent = id
	}
	return list
}

// run is a run with one tool, whose approval nobody gives.
func (a *theAgent) run() {
	user := object{"role": "user", "content": "remove the build", "timestamp": 2}
	asks := answerOf("toolUse", object{"type": "toolCall", "id": "call_1", "name": "rm", "arguments": object{"path": "build"}})
	refused := []object{{"type": "text", "text": "not approved"}}
	result := object{"role": "toolResult", "toolCallId": "call_1", "toolName": "rm", "content": refused, "isError": true, "timestamp": 3}
	ends := answerOf("stop", object{"type": "text", "text": "I may not."})
	a.says(object{"type": "agent_start"})
	a.says(object{"type": "turn_start"})
	a.message(user)
	a.message(asks)
	a.says(object{"type": "tool_execution_start", "toolCallId": "call_1", "toolName": "rm", "args": object{"path": "build"}})
	a.says(object{"type": "extension_ui_request", "id": "u1", "method": "confirm", "title": "Run?", "message": "rm build", "timeout": 200})
	// The dialog has timed out, and the agent goes on alone.
	a.says(object{"type": "tool_execution_end", "toolCallId": "call_1", "toolName": "rm", "result": object{"content": refused, "details": object{}}, "isError": true})
	a.message(result)
	a.says(object{"type": "turn_end", "message": asks, "toolResults": []object{result}})
	a.says(object{"type": "turn_start"})
	a.message(ends)
	a.says(object{"type": "turn_end", "message": ends, "toolResults": []object{}})
	a.says(object{"type": "agent_end", "messages": []object{user, asks, result, ends}, "willRetry": false})
	a.says(object{"type": "agent_settled", "aborted": false})
}

// message says a message that is not streamed.
func (a *theAgent) message(m object) {
	a.says(object{"type": "message_start", "message": m})
	a.says(object{"type": "message_end", "message": m})
}

func answerOf(reason string, block object) object {
	usage := object{"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2, "cost": object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}
	return object{
		"role": "assistant", "content": []object{block}, "api": "a", "provider": "p", "model": "m", "usage": usage, "stopReason": reason, "timestamp": 3,
	}
}
