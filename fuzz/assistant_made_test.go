package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	model "github.com/agentstream/conformance/model/assistant"
)

// An answerMaker makes provider streams near the rules' borders: few indices, texts and ids, and half of the
// time what was said before, so that blocks are opened, continued, ended and repeated in the end's message,
// rightly and almost rightly.
type answerMaker struct {
	maker
	profile string
	blocks  []*madeBlock

	allEnded bool // what was started last was ended
}

// madeBlock is what was said of a block, rightly or not. Texts are the inside of JSON strings.
type madeBlock struct {
	kind, joined, said, id, name, args string
}

func newAnswerMaker(s source) *answerMaker {
	m := &answerMaker{maker: maker{s}}
	m.profile = m.one(model.Profiles()...)
	m.allEnded = true
	return m
}

func (m *answerMaker) dicode() bool { return m.profile == model.DiCode }

// trial is a stream of up to n events.
func (m *answerMaker) trial(n int) assistantTrial {
	x := assistantTrial{profile: m.profile}
	if !m.in(12) {
		x.events = append(x.events, []byte(`{"type":"start"`+m.partial()+"}"))
	}
	for range 1 + m.IntN(n) {
		x.events = append(x.events, []byte(m.event()))
	}
	if !m.in(5) {
		x.events = append(x.events, []byte(m.terminal()))
	}
	return x
}

func (m *answerMaker) event() string {
	switch n := m.IntN(60); {
	case n < 14 && (!m.dicode() || m.allEnded || m.in(12)):
		return m.start()
	case n < 36:
		return m.delta()
	case n < 57:
		return m.end()
	case n < 58:
		return m.terminal()
	}
	return m.one(`{"type":"start"}`, `{"type":"ping"}`, `{"type":"image","contentIndex":0}`, `{"type":"tool_call_start","contentIndex":0,"id":"c","name":"f"}`, `{"type":"toolcall_start","contentIndex":0}`,
		`{}`, `[]`, `{"type":1}`, `{"type":"text_delta","delta":"x"`, `{"type":"start","type":"text_start","contentIndex":0}`, "{\"type\":\"start\",\"\xff\":0}", `{"type":"done"}`)
}

// tool is how the profile calls an event of a call; sometimes it is the other family's name.
func (m *answerMaker) tool(part string) string {
	if m.dicode() != m.in(30) {
		return "tool_call_" + part
	}
	return "toolcall_" + part
}

func (m *answerMaker) typ(kind, part string) string {
	if kind == "tool" {
		return m.tool(part)
	}
	return kind + "_" + part
}

// index is a contentIndex that is mostly that one.
func (m *answerMaker) index(of int) string {
	if !m.in(20) {
		return fmt.Sprintf(`,"contentIndex":%s`, m.one(fmt.Sprint(of), fmt.Sprint(of), fmt.Sprintf("%d.0", of), fmt.Sprintf("%de0", of)))
	}
	return m.one("", `,"contentIndex":null`, `,"contentIndex":"0"`, `,"contentIndex":-0`, `,"contentIndex":-1`, `,"contentIndex":0.5`, `,"contentIndex":0`, `,"contentIndex":1`, `,"contentIndex":2`, `,"contentIndex":[0]`)
}

func (m *answerMaker) start() string {
	b := &madeBlock{kind: m.one("text", "thinking", "tool"), id: m.one("c", "", "d"), name: m.one("f", "", "g")}
	m.blocks, m.allEnded = append(m.blocks, b), false
	named := ""
	if b.kind == "tool" {
		member := map[bool]string{true: "name", false: "toolName"}[m.dicode()]
		named = m.opt2(fmt.Sprintf(`,"id":"%s"`, b.id), `,"id":null`, `,"id":5`) + m.opt2(fmt.Sprintf(`,%q:"%s"`, member, b.name), fmt.Sprintf(`,%q:{}`, member))
	}
	return fmt.Sprintf(`{"type":%q%s%s%s}`, m.typ(b.kind, "start"), m.index(len(m.blocks)-1), named, m.partial())
}

// opt2 is mostly the first, else nothing or one of the others.
func (m *answerMaker) opt2(usual string, others ...string) string {
	if !m.in(24) {
		return usual
	}
	return m.one(append(others, "")...)
}

// some is a block, mostly one that was started, and its index.
func (m *answerMaker) some() (*madeBlock, int) {
	if len(m.blocks) == 0 || m.in(30) {
		return &madeBlock{kind: m.one("text", "thinking", "tool")}, m.IntN(3)
	}
	i := len(m.blocks) - 1
	if !m.dicode() || m.in(12) {
		i -= min(m.IntN(len(m.blocks)), m.IntN(len(m.blocks)))
	}
	return m.blocks[i], i
}

func (m *answerMaker) delta() string {
	b, i := m.some()
	piece := m.one("a", "", `\ud83d`, `\ude00`, " ", "é", `\u0000`)
	if b.kind == "tool" {
		piece = m.one(`{\"a\":1}`, "{}", "", " ", `{\"a\"`, `:1}`, `[1]`, `{\"a\":1e400}`, `{\"a\":\"`, `\ud83d`, `\ude00`, `\\ud83d`, `\\ude00`, `\"}`, `,`, `{\"a\":1,`, `\"a\":-0}`, `\u00a0`, `x`)
	}
	name := "delta"
	if b.kind == "tool" && m.dicode() {
		name = "argumentsDelta"
	}
	if m.in(25) {
		return fmt.Sprintf(`{"type":%q%s,%q:%s%s}`, m.typ(b.kind, "delta"), m.index(i), name, m.odd(b), m.partial())
	}
	b.joined += piece
	return fmt.Sprintf(`{"type":%q%s,%q:"%s"%s}`, m.typ(b.kind, "delta"), m.index(i), name, piece, m.partial())
}

// odd is a delta that is no string; it is what JavaScript appends.
func (m *answerMaker) odd(b *madeBlock) string {
	k := m.one("5", "null", "true", "1e21", "1e-7", "-0", "0.10", "1e400", "-1.50e2", "123456789012345680000")
	if !m.dicode() {
		return k
	}
	b.joined += map[string]string{"1e21": "1e+21", "-0": "0", "0.10": "0.1", "1e400": "Infinity", "-1.50e2": "-150"}[k]
	if !strings.Contains("1e21 -0 0.10 1e400 -1.50e2", k) {
		b.joined += k
	}
	return m.one(k, k, k, "[1]", "{}")
}

func (m *answerMaker) end() string {
	b, i := m.some()
	kind := b.kind
	m.allEnded = m.allEnded || i == len(m.blocks)-1
	if m.in(25) {
		kind = m.one("text", "thinking", "tool")
	}
	if kind == "tool" {
		return fmt.Sprintf(`{"type":%q%s%s%s}`, m.typ(kind, "end"), m.index(i), m.opt2(`,"toolCall":`+m.call(b), `,"toolCall":null`, `,"toolCall":5`, `,"toolCall":"c"`), m.partial())
	}
	b.said = b.joined
	if m.in(5) {
		b.said = m.one("a", "", "[r]", `\ufffd`, `\ud83d\ude00`, "😀")
	}
	content := m.opt2(fmt.Sprintf(`,"content":"%s"`, b.said), `,"content":null`, `,"content":5`, `,"content":["a"]`)
	redacted := ""
	if kind == "thinking" && m.in(4) {
		redacted = m.one(`,"redacted":true`, `,"redacted":false`, `,"redacted":null`, `,"redacted":"true"`)
	}
	return fmt.Sprintf(`{"type":%q%s%s%s%s}`, m.typ(kind, "end"), m.index(i), content, redacted, m.partial())
}

// call is the toolCall of an end, and what the block is from then on.
func (m *answerMaker) call(b *madeBlock) string {
	b.args = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(b.joined)
	if b.args == "" || m.in(3) {
		b.args = m.one("{}", `{"a":1}`, `{"a":1.0}`, `{"a":0}`, `{"a":null}`, "[]", "null", `{"a":1e400}`, `{"a":[-1e400]}`, `"{}"`, `{"a":"\ud83d\ude00"}`, `{"a":2,"a":1}`)
	}
	if strings.Count(b.args, "{") != strings.Count(b.args, "}") || strings.Trim(b.args, " ") == "" {
		b.args = "{}"
	}
	if m.in(8) {
		b.id = m.one("c", "", "d", `\ud800`)
	}
	if m.in(8) {
		b.name = m.one("f", "", "g")
	}
	kind := m.opt2(`"type":`+map[bool]string{true: `"tool_call"`, false: `"toolCall"`}[m.dicode()]+",", `"type":"tool",`, `"type":1,`)
	return "{" + kind + m.opt2(fmt.Sprintf(`"id":"%s",`, b.id), `"id":null,`, `"id":5,`, `"id":[],`) + m.opt2(fmt.Sprintf(`"name":"%s",`, b.name)) + m.opt2(`"arguments":`+b.args+",") +
		m.opt2("", `"argumentsError":"e",`, `"argumentsError":"",`, `"argumentsError":null,`, `"namespace":null,`, `"thoughtSignature":1,`) + `"x":0}`
}

// shown is a block in a message.
func (m *answerMaker) shown(b *madeBlock) string {
	more := m.opt2("", `,"redacted":true`, `,"redacted":true`, `,"redacted":false`, `,"redacted":null`, `,"textSignature":"s"`, `,"x":null`)
	said := b.said
	if said == "" || m.in(15) {
		said = m.one(b.joined, b.joined, b.joined, "[r]", "a", "")
	}
	switch b.kind {
	case "tool":
		args := b.args
		if args == "" {
			args = "{}"
		}
		return fmt.Sprintf(`{"type":%q,"id":"%s","name":"%s","arguments":%s%s}`, map[bool]string{true: "tool_call", false: "toolCall"}[m.dicode()], m.opt2(b.id, "c"), m.opt2(b.name, "f"), args, more)
	}
	return fmt.Sprintf(`{"type":%q,%q:"%s"%s}`, b.kind, b.kind, said, more)
}

func (m *answerMaker) content() string {
	var list []string
	for _, b := range m.blocks {
		if (!m.dicode() || b.kind != "tool" || b.args != "") != m.in(25) {
			list = append(list, m.shown(b))
		}
	}
	if m.in(20) {
		list = append(list, m.one(`{"type":"text","text":""}`, `{"type":"image","data":"A"}`, `{"type":"thinking"}`, `null`, `{}`, `{"type":"toolCall","id":"c","name":"f","arguments":[]}`))
	}
	if m.in(10) {
		return m.one("[]", "[]", "null", `"a"`, "{}")
	}
	return "[" + strings.Join(list, ",") + "]"
}

const madeUsage = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`

func (m *answerMaker) message(reason string) string {
	out := `{"role":"assistant","content":` + m.content() + `,"stopReason":` + reason + `,"provider":"p"` + m.opt2(`,"api":"a"`, `,"api":null`) + `,"model":"m","timestamp":1,"usage":` + madeUsage
	if m.in(15) {
		out += m.one(`,"errorMessage":null`, `,"responseId":5`, `,"deferred":null`, `,"diagnostics":null`, `,"endTurn":null`, `,"thinkingLevel":null`, `,"durationMs":1.5`, `,"timestamp":1.5`, `,"role":"user"`, `,"usage":{}`, `,"content":[]`)
	}
	return out + "}"
}

func (m *answerMaker) partial() string {
	if m.dicode() || !m.in(4) {
		return ""
	}
	return m.one(`,"partial":`+m.message(m.quoted("pending", "stop", "toolUse", "deferred", "x")), `,"partial":`+m.message(`"pending"`), `,"partial":null`)
}

func (m *answerMaker) terminal() string {
	typ := m.one("done", "error")
	usual := map[string]string{"done": "stop", "error": "error"}[typ]
	reason := m.quoted(usual, usual, usual, usual, m.one("length", "toolUse", "tool_use", "deferred", "pending", "aborted", "error", "stop", ""))
	if m.in(25) {
		reason = m.one("null", "5", "[]", "true")
	}
	stop := reason
	if m.in(15) {
		stop = m.one(`"stop"`, `"pending"`, `"error"`, "null", "5")
	}
	name := "message"
	if typ == "error" && m.dicode() == m.in(30) {
		name = "error"
	}
	body := fmt.Sprintf(`,%q:%s`, name, m.message(stop))
	if m.in(10) {
		body = m.one("", fmt.Sprintf(`,%q:null`, name), fmt.Sprintf(`,%q:5`, name), fmt.Sprintf(`,%q:"m"`, name), fmt.Sprintf(`,%q:[]`, name))
	}
	if m.in(20) {
		body += m.one(`,"error":{}`, `,"message":{}`, `,"error":`+m.message(`"stop"`))
	}
	usage := m.opt2("", `,"usage":`+madeUsage, `,"usage":`+madeUsage, `,"usage":null`, `,"usage":{}`)
	return fmt.Sprintf(`{"type":%q%s%s%s}`, typ, m.opt2(`,"reason":`+reason), body, usage)
}

// Chance makes streams faster than rapid draws them, and more evenly. Each seed is one stream, for ever; a long
// run has those of the short one among its first.
func TestAssistantAgreesWithTheSpecificationOnRandomAnswers(t *testing.T) {
	for seed := range uint64(checks(4000)) {
		m := newAnswerMaker(rand.New(rand.NewPCG(seed, 11)))
		compareAssistant(t, m.trial(4+m.IntN(16)))
	}
}

// What is made is worth something if each code is reached in each profile.
func TestRandomAnswersReachAllCodes(t *testing.T) {
	codes := map[string]int{}
	for seed := range uint64(4000) {
		m := newAnswerMaker(rand.New(rand.NewPCG(seed, 11)))
		x := m.trial(4 + m.IntN(16))
		for _, f := range assistantSpecified(x) {
			codes[f.Code+" in "+x.profile]++
		}
		if !slices.ContainsFunc(assistantSpecified(x), func(f finding) bool { return f.Severity == "error" }) {
			codes["nothing in "+x.profile]++
		}
	}
	reached := map[string]bool{}
	for _, b := range answerFaults {
		reached[b.Code+" in "+b.Profile] = true
	}
	for _, profile := range answerProfiles {
		reached["nothing in "+profile] = true
	}
	for name := range reached {
		t.Logf("%5d %s", codes[name], name)
		if codes[name] == 0 {
			t.Errorf("no stream has %s", name)
		}
	}
}

// FuzzAssistantMade makes the stream of a fuzzer's bytes, one byte a choice. A change of one byte is a small
// change of the stream: a fuzzer gets far with that.
func FuzzAssistantMade(f *testing.F) {
	for seed := range uint64(64) {
		bytes := make([]byte, 100+10*seed)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(bytes) // never fails
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) <= 2<<10 {
			compareAssistant(t, newAnswerMaker(&given{choices}).trial(20))
		}
	})
}
