package assistant_test

import (
	"fmt"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier/assistant"
)

const (
	start = `{"type":"start"}`
	usage = `"usage":{"input":9,"output":3,"cacheRead":0,"cacheWrite":0,"totalTokens":12,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`
)

func partial(content string) string {
	return `,"partial":{"role":"assistant","content":[` + content + `],"api":"a","provider":"p","model":"m",` + usage + `,"stopReason":"pending","timestamp":1700000000000}}`
}

// steady are rounds of events for the block of that index.
var steady = map[string]struct {
	profile string
	blocks  int // in a round
	round   func(index int) [][]byte
}{
	"text": {assistant.Pi1x, 1, func(i int) [][]byte {
		return bytesOf(piece("text_start", i, ""), piece("text_delta", i, `,"delta":"a \"few\" words \ud83d"`), piece("text_delta", i, `,"delta":"\ude00"`), piece("text_end", i, `,"content":"a \"few\" words 😀"`))
	}},
	"text with the message so far": {assistant.Pi080, 1, func(i int) [][]byte {
		p := partial(`{"type":"text","text":"a few words"}`)
		return bytesOf(piece("text_start", i, p[:len(p)-1]), piece("text_delta", i, `,"delta":"a few words"`+p[:len(p)-1]), piece("text_end", i, `,"content":"a few words"`+p[:len(p)-1]))
	}},
	"thinking without content": {assistant.Pi073, 1, func(i int) [][]byte {
		return bytesOf(piece("thinking_start", i, ""), piece("thinking_delta", i, `,"delta":"hm"`), piece("thinking_end", i, `,"contentSignature":"s"`))
	}},
	"tool call": {assistant.Pi1x, 1, func(i int) [][]byte {
		return bytesOf(
			piece("toolcall_start", i, `,"id":"c1","toolName":"read"`), piece("toolcall_delta", i, `,"delta":"{\"path\":"`), piece("toolcall_delta", i, `,"delta":"\"a\"}"`),
			piece("toolcall_end", i, `,"toolCall":{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a"}}`),
		)
	}},
	"blocks of di-code": {assistant.DiCode, 2, func(i int) [][]byte {
		return bytesOf(
			piece("text_start", i, ""), piece("text_delta", i, `,"delta":"a few words"`), piece("text_end", i, `,"content":"a few words"`),
			piece("tool_call_start", i+1, `,"id":"c1","name":"read"`), piece("tool_call_delta", i+1, `,"argumentsDelta":"{\"path\":\"a\"}"`),
			piece("tool_call_end", i+1, `,"toolCall":{"type":"tool_call","id":"c1","name":"read","arguments":{"path":"a"}}`),
		)
	}},
}

func bytesOf(events ...string) (all [][]byte) {
	for _, e := range events {
		all = append(all, []byte(e))
	}
	return all
}

func piece(typ string, index int, more string) string {
	return fmt.Sprintf(`{"type":"%s","contentIndex":%d%s}`, typ, index, more)
}

// Of a block that has ended a sum is left, in a slice that grows now and then; nothing else allocates.
func TestAnEventDoesNotAllocate(t *testing.T) {
	const rounds = 2000
	for name, s := range steady {
		t.Run(name, func(t *testing.T) {
			v, err := assistant.New(assistant.Options{Profile: s.profile})
			assert.NilError(t, err)
			v.Observe([]byte(start))
			index := 0
			var all [][][]byte
			for range rounds + 2 {
				all = append(all, s.round(index))
				index += s.blocks
			}
			next := 0
			round := func() {
				for _, e := range all[next] {
					if found := v.Observe(e); len(found) > 0 {
						t.Fatalf("%s: %+v", e, found[0])
					}
				}
				next++
			}
			round()
			assert.Assert(t, testing.AllocsPerRun(rounds, round) < 1, "more than the slice of blocks grows")
		})
	}
}

func TestWhatIsOpenIsBuiltOnlyWhenAskedFor(t *testing.T) {
	for _, dump := range []bool{false, true} {
		for profile, want := range map[string]string{assistant.Pi1x: "[{text block 0  true 1} {tool call 1  true 2}]", assistant.DiCode: "[{text block 0  true 1}]"} {
			v, err := assistant.New(assistant.Options{Profile: profile, Dump: dump})
			assert.NilError(t, err)
			v.Observe([]byte(start))
			v.Observe([]byte(piece("text_start", 0, "")))
			if profile == assistant.Pi1x {
				v.Observe([]byte(piece("toolcall_start", 1, "")))
			}
			found := v.Observe([]byte(piece("thinking_end", 0, `,"content":""`)))
			assert.Equal(t, len(found), 1)
			if !dump {
				want = "[]"
			}
			assert.Equal(t, fmt.Sprint(found[0].Open), want, profile)
		}
	}
}
