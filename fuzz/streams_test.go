package fuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A maker makes streams that are mostly near the rules' borders: few ids, few names, few tags, and
// every event kind, so that the same things are opened, closed, owned and named again and again.
type maker struct{ source }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 7))} }

// requests are what a stream may answer; the first is none.
var requests = []string{"", `{"threadId":"t","runId":"r1","messages":[{"id":"a","role":"user","content":"x"}],"tools":[{"name":"f","description":"d"}],"state":{"a":1}}`,
	`{"threadId":"t","runId":"r2","messages":[],"tools":[],"context":[]}`}

func (m maker) one(of ...string) string { return of[m.IntN(len(of))] }

// in is true once in n times. The smallest choice says no: what shrinks loses what it need not have.
func (m maker) in(n int) bool { return m.IntN(n) == n-1 }

// stream returns up to n events.
func (m maker) stream(n int) [][]byte {
	var events [][]byte
	if !m.in(12) {
		events = append(events, []byte(m.runStarted()))
	}
	for range 1 + m.IntN(n) {
		e := m.event()
		if m.in(25) {
			e = m.spoil(e)
		}
		events = append(events, []byte(e))
	}
	if !m.in(4) {
		events = append(events, []byte(m.runFinished()))
	}
	return events
}

func (m maker) id() string   { return m.one("a", "b", "c") }
func (m maker) call() string { return m.one("c", "d", "e") }
func (m maker) tag() string {
	return m.one("", "", "", `,"subagentRunId":"s"`, `,"subagentRunId":"u"`, `,"subagentRunId":""`)
}
func (m maker) sub() string { return m.one("s", "u", "") }
func (m maker) text() string {
	return m.one("", "x", "hello", `{\"n\":1}`, `[`, "é", `\ud83d`, `\ud83d\ude00`, " ")
}

// opt adds a member sometimes.
func (m maker) opt(n int, name, value string) string {
	if !m.in(n) {
		return ""
	}
	return fmt.Sprintf(`,%q:%s`, name, value)
}

func (m maker) quoted(of ...string) string { return `"` + m.one(of...) + `"` }

func (m maker) common() string {
	return m.opt(30, "timestamp", m.one("1", "1.0", "1.5", "1e999", "-9007199254740991", "9007199254740992", `"x"`, "null")) +
		m.opt(40, "rawEvent", m.one("{}", "null", "0")) +
		m.opt(30, "metadata", m.one("{}", `{"ag-ui":1}`, `{"k":null}`, "null", "[]")) +
		m.opt(60, "futureProp", "1")
}

func (m maker) event() string {
	makers := []func() string{
		m.textStart, m.textStart, m.textMore, m.textMore, m.textChunk, m.textChunk,
		m.callStart, m.callStart, m.callMore, m.callMore, m.callChunk, m.callChunk, m.result,
		m.reasoning, m.reasoning, m.reasoningChunk, m.span, m.encrypted, m.step, m.step,
		m.subagent, m.subagent, m.state, m.state, m.snapshot, m.activity, m.activity, m.pass, m.runStarted, m.runFinished, m.runError, m.odd,
	}
	return makers[m.IntN(len(makers))]()
}

func (m maker) textStart() string {
	return fmt.Sprintf(`{"type":"TEXT_MESSAGE_START","messageId":"%s"%s%s%s%s}`, m.id(),
		m.opt(3, "role", m.quoted("assistant", "assistant", "user", "narrator", "system")), m.opt(8, "name", m.quoted("n", "o")), m.tag(), m.common())
}

func (m maker) textMore() string {
	if m.in(2) {
		return fmt.Sprintf(`{"type":"TEXT_MESSAGE_END","messageId":"%s"%s%s}`, m.id(), m.tag(), m.common())
	}
	return fmt.Sprintf(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"%s","delta":"%s"%s%s}`, m.id(), m.text(), m.tag(), m.common())
}

func (m maker) textChunk() string {
	return fmt.Sprintf(`{"type":"TEXT_MESSAGE_CHUNK"%s%s%s%s%s%s}`, m.opt(2, "messageId", m.quoted("a", "b", "c")),
		m.opt(5, "role", m.quoted("assistant", "user")), m.opt(8, "name", m.quoted("n", "o")), m.opt(2, "delta", `"`+m.text()+`"`), m.tag(), m.common())
}

func (m maker) parent() string { return m.opt(3, "parentMessageId", m.quoted("a", "b", "c", "z")) }

func (m maker) callStart() string {
	return fmt.Sprintf(`{"type":"TOOL_CALL_START","toolCallId":"%s","toolCallName":"%s"%s%s%s}`, m.call(), m.one("f", "f", "g"), m.parent(), m.tag(), m.common())
}

func (m maker) callMore() string {
	if m.in(2) {
		return fmt.Sprintf(`{"type":"TOOL_CALL_END","toolCallId":"%s"%s%s}`, m.call(), m.tag(), m.common())
	}
	return fmt.Sprintf(`{"type":"TOOL_CALL_ARGS","toolCallId":"%s","delta":"%s"%s%s}`, m.call(), m.text(), m.tag(), m.common())
}

func (m maker) callChunk() string {
	return fmt.Sprintf(`{"type":"TOOL_CALL_CHUNK"%s%s%s%s%s%s}`, m.opt(2, "toolCallId", m.quoted("c", "d", "e")),
		m.opt(2, "toolCallName", m.quoted("f", "f", "g")), m.parent(), m.opt(2, "delta", `"`+m.text()+`"`), m.tag(), m.common())
}

func (m maker) result() string {
	content := m.one(`"ok"`, `"ok"`, `[]`, `[{"type":"text","text":"x"}]`, `[{"type":"hologram"}]`, `[{"type":"image","source":{"type":"file","value":"v"},"metadata":null}]`, "1")
	return fmt.Sprintf(`{"type":"TOOL_CALL_RESULT","messageId":"%s","toolCallId":"%s","content":%s%s%s%s}`, m.one("r", "q", "a", "b"), m.call(), content, m.opt(8, "role", m.quoted("tool", "user")), m.tag(), m.common())
}

func (m maker) reasoning() string {
	switch m.IntN(3) {
	case 0:
		return fmt.Sprintf(`{"type":"REASONING_MESSAGE_START","messageId":"%s","role":"%s"%s%s}`, m.id(), m.one("reasoning", "reasoning", "reasoning", "assistant"), m.tag(), m.common())
	case 1:
		return fmt.Sprintf(`{"type":"REASONING_MESSAGE_CONTENT","messageId":"%s","delta":"%s"%s%s}`, m.id(), m.text(), m.tag(), m.common())
	}
	return fmt.Sprintf(`{"type":"REASONING_MESSAGE_END","messageId":"%s"%s%s}`, m.id(), m.tag(), m.common())
}

func (m maker) reasoningChunk() string {
	return fmt.Sprintf(`{"type":"REASONING_MESSAGE_CHUNK"%s%s%s%s}`, m.opt(2, "messageId", m.quoted("a", "b", "c")), m.opt(2, "delta", `"`+m.text()+`"`), m.tag(), m.common())
}

func (m maker) span() string {
	return fmt.Sprintf(`{"type":"%s","messageId":"%s"%s%s}`, m.one("REASONING_START", "REASONING_END"), m.id(), m.tag(), m.common())
}

func (m maker) encrypted() string {
	return fmt.Sprintf(`{"type":"REASONING_ENCRYPTED_VALUE","subtype":"%s","entityId":"%s","encryptedValue":"v"%s%s}`, m.one("message", "tool-call", "odd"), m.one("a", "b", "c", "d"), m.tag(), m.common())
}

func (m maker) step() string {
	return fmt.Sprintf(`{"type":"%s","stepName":"%s"%s%s}`, m.one("STEP_STARTED", "STEP_FINISHED"), m.one("p", "q"), m.tag(), m.common())
}

func (m maker) subagent() string {
	switch m.IntN(4) {
	case 0, 1:
		return fmt.Sprintf(`{"type":"SUBAGENT_STARTED","subagentRunId":"%s","name":"n"%s%s%s}`, m.sub(), m.opt(4, "parentSubagentRunId", m.quoted("s", "u", "")), m.opt(20, "parentMessageId", "null"), m.common())
	case 2:
		return fmt.Sprintf(`{"type":"SUBAGENT_FINISHED","subagentRunId":"%s"%s%s}`, m.sub(),
			m.opt(3, "outcome", m.one(`{"type":"success"}`, `{"type":"suspended"}`, `{"type":"suspended","interruptIds":["i"]}`, `{"type":"odd"}`, "null", `{"type":"success","interruptIds":[]}`)), m.common())
	}
	return fmt.Sprintf(`{"type":"SUBAGENT_ERROR","subagentRunId":"%s","message":"m"%s}`, m.sub(), m.common())
}

func (m maker) operation() string {
	return m.one(`{"op":"add","path":"/a","value":1}`, `{"op":"replace","path":"/a","value":2}`, `{"op":"remove","path":"/a"}`, `{"op":"test","path":"/a","value":1.0}`,
		`{"op":"move","from":"/a","path":"/b"}`, `{"op":"copy","from":"/b","path":"/a","note":1}`, `{"op":"replace","path":"","value":[]}`, `{"op":"increment","path":"/a"}`,
		`{"op":"add","path":"a","value":1}`, `{"op":"add","path":"/a"}`, `{"op":"remove","path":""}`, "1")
}

func (m maker) patch() string {
	var ops []string
	for range m.IntN(3) {
		ops = append(ops, m.operation())
	}
	return "[" + strings.Join(ops, ",") + "]"
}

func (m maker) state() string {
	if m.in(2) {
		return fmt.Sprintf(`{"type":"STATE_SNAPSHOT","snapshot":%s%s%s}`, m.one("{}", `{"a":1}`, "null", "0", `{"b":{}}`), m.tag(), m.common())
	}
	return fmt.Sprintf(`{"type":"STATE_DELTA","delta":%s%s%s}`, m.patch(), m.tag(), m.common())
}

func (m maker) activity() string {
	if m.in(2) {
		return fmt.Sprintf(`{"type":"ACTIVITY_SNAPSHOT","messageId":"%s","activityType":"t","content":%s%s%s%s}`, m.id(),
			m.one("{}", `{"a":1}`, `{"a":1}`, "[]"), m.opt(3, "replace", m.one("true", "false", "false", "1")), m.tag(), m.common())
	}
	return fmt.Sprintf(`{"type":"ACTIVITY_DELTA","messageId":"%s","activityType":"t","patch":%s%s%s}`, m.id(), m.patch(), m.tag(), m.common())
}

func (m maker) listed() string {
	role := m.one("assistant", "assistant", "user", "tool", "reasoning", "activity", "system", "odd")
	content := `"hello"`
	extra := ""
	switch role {
	case "activity":
		content, extra = m.one("{}", `{"a":1}`), `,"activityType":"t"`
	case "tool":
		extra = fmt.Sprintf(`,"toolCallId":"%s"`, m.call())
	case "assistant":
		extra = m.opt(2, "toolCalls", fmt.Sprintf(`[{"id":"%s","type":"%s","function":{"name":"f","arguments":%s}}]`, m.call(), m.one("function", "function", "function", "odd"), m.one(`""`, `"{}"`, "1"))) + m.opt(6, "name", m.quoted("n", "o"))
	case "user":
		content = m.one(`"hi"`, `""`, `[{"type":"text","text":"x"},{"type":"hologram"}]`, `[{"type":"image","source":{"type":"url","value":"v"},"metadata":null}]`)
	}
	return fmt.Sprintf(`{"id":"%s","role":"%s","content":%s%s%s}`, m.one("a", "b", "c", "r", "h"), role, content, extra, m.tag())
}

func (m maker) list() string {
	var messages []string
	for range m.IntN(4) {
		messages = append(messages, m.listed())
	}
	return "[" + strings.Join(messages, ",") + "]"
}

func (m maker) snapshot() string {
	return fmt.Sprintf(`{"type":"MESSAGES_SNAPSHOT","messages":%s%s}`, m.list(), m.common())
}

func (m maker) pass() string {
	if m.in(2) {
		return fmt.Sprintf(`{"type":"RAW","event":%s%s%s}`, m.one("{}", "null", "1"), m.tag(), m.common())
	}
	return fmt.Sprintf(`{"type":"CUSTOM","name":"%s","value":%s%s%s}`, m.one("acme.x", "plain", "other"), m.one("1", "null"), m.tag(), m.common())
}

func (m maker) runStarted() string {
	return fmt.Sprintf(`{"type":"RUN_STARTED","threadId":"%s","runId":"%s"%s%s%s}`, m.one("t", "t", "t", "t", "v"), m.one("r1", "r2", "r3"),
		m.opt(3, "protocolVersion", m.quoted("1.0", "1.0", "1.1", "2.0", "0.9", "1", "01.0", "1.10", "draft")), m.opt(4, "input", m.input()), m.common())
}

func (m maker) input() string {
	return fmt.Sprintf(`{"threadId":"t","runId":"r1","messages":%s%s%s%s%s}`, m.list(), m.opt(2, "tools", `[{"name":"f","description":"d","parameters":null}]`),
		m.opt(2, "context", "[]"), m.opt(3, "state", m.one("{}", `{"a":1}`, "null")), m.opt(6, "forwardedProps", m.one("{}", "null")))
}

func (m maker) runFinished() string {
	return fmt.Sprintf(`{"type":"RUN_FINISHED","threadId":"%s","runId":"%s"%s%s%s%s}`, m.one("t", "t", "t", "t", "t", "v"), m.one("r1", "r1", "r2", "r3"),
		m.opt(2, "outcome", m.outcome()), m.opt(8, "result", m.one("1", "null")), m.opt(6, "usage", m.usage()), m.common())
}

func (m maker) outcome() string {
	return m.one(`{"type":"success"}`, `{"type":"success","pendingToolCallIds":[]}`, `{"type":"success","pendingToolCallIds":["c"]}`, `{"type":"success","pendingToolCallIds":["d","c"]}`,
		`{"type":"success","pendingToolCallIds":["c","d"]}`, `{"type":"cancelled"}`, `{"type":"interrupt","interrupts":[]}`, `{"type":"interrupt","interrupts":[{"id":"i","reason":"x"}]}`,
		`{"type":"interrupt","interrupts":[{"id":"i","reason":"x","toolCallId":"c"},{"id":"i","reason":"x","toolCallId":"d"}]}`, `{"type":"interrupt","interrupts":[{"id":"i"}]}`,
		`{"type":"interrupt"}`, `{"type":"odd"}`, `{"type":1}`, `{}`, "[]", "null", `{"type":"cancelled","x":1}`, `{"type":"interrupt","interrupts":[{"id":"i","reason":"x","toolCallId":"c"}]}`)
}

func (m maker) usage() string {
	return m.one(`[]`, `[{"inputTokens":1,"outputTokens":2,"totalTokens":3}]`, `[{"inputTokens":1,"outputTokens":2,"totalTokens":4}]`, `[{"outputTokens":1,"reasoningTokens":2}]`,
		`[{"inputTokens":1,"cachedInputTokens":1,"cacheWriteInputTokens":1}]`, `[{"provider":"p"},{"provider":"p"}]`, `[{"provider":"p"},{"provider":"p","model":"m"}]`, `[{"inputTokens":-1}]`,
		`[{"inputTokens":1.5}]`, `[{"inputTokens":1e0,"outputTokens":0,"totalTokens":1}]`, `{}`, `[1]`)
}

func (m maker) runError() string {
	if !m.in(3) {
		return m.textMore()
	}
	return fmt.Sprintf(`{"type":"RUN_ERROR","message":"boom"%s%s%s}`, m.opt(4, "code", m.one(`"x"`, "1")), m.opt(8, "usage", m.usage()), m.common())
}

func (m maker) odd() string {
	return m.one(`{"type":"THINKING_START"}`, `{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"x"}`, `{"type":"FUTURE_EVENT"}`, `{"type":"runFinished"}`, `{"messageId":"a"}`, `{"type":null}`, `[]`, `1`,
		`"x"`, `{`, ``, `{"type":"RAW","event":1,"event":2}`, `{"type":"CUSTOM","name":"acme.x","value":{"a":1,"a":2}}`, "{\"type\":\"CUSTOM\",\"name\":\"acme.x\",\"value\":\"\xff\"}",
		`{"type":"CUSTOM","name":"acme.x","value":"\ud800"}`, `{"type":"TEXT_MESSAGE_END","messageId":"b","messageId":"a"}`, `{"\u0074ype":"STEP_STARTED","stepName":"p"}`, `{} {}`,
		"{\"type\":\"RAW\",\"event\":\"\x80\",\"event\":1}", `{"type":"RAW","event":["\ud800"],"event":1}`, `[{"a":1,"a":2}]`, "\"\xa2\"",
		`{"type":"TEXT_MESSAGE_START","messageId":"\ud800"}`, `{"type":"TEXT_MESSAGE_END","messageId":"\ud801"}`)
}

// spoil changes a stream's event in a place that it does not know.
func (m maker) spoil(e string) string {
	switch m.IntN(4) {
	case 0:
		return strings.Replace(e, `":"`, `":null,"x":"`, 1+m.IntN(2)-1)
	case 1:
		parts := strings.SplitAfter(e, ",")
		i := m.IntN(len(parts))
		return strings.Join(append(parts[:i:i], parts[min(i+1, len(parts)):]...), "")
	case 2:
		return strings.Replace(e, m.one(`"a"`, `"c"`, `"s"`, `"assistant"`, `"t"`), m.one("null", "1", "[]", "{}", "true"), 1)
	}
	return e[:m.IntN(len(e)+1)]
}
