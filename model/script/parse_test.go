package script_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model/script"
	"gotest.tools/v3/assert"
)

// whole is a script in which every action and every member occurs once.
const whole = `[
{"text":{"id":"m1","stream":["Hel","",{"custom":{"name":"a.b","value":null}}],"role":"user","name":"","form":"events","metadata":{"k":1},"encryptedValue":"x"}},
{"toolCall":{"id":"c1","name":"find","stream":[],"parent":"m1","form":"events","metadata":{},"encryptedValue":""}},
{"toolResult":{"id":"r1","call":"c1","content":[{"type":"text","text":"42"}],"metadata":{}}},
{"reasoning":{"messages":[{"id":"q","stream":["hm"],"encryptedValue":"e","metadata":{}}],"span":"s","form":"events"}},
{"step":{"name":"plan","do":[]}},
{"parallel":{"branches":[[],[]]}},
{"subagent":{"id":"s1","name":"S","do":[],"description":"d","parentToolCall":"c1","parentMessage":"m1","announce":true,"end":{"success":{"result":{"n":1.50}}}}},
{"subagent":{"id":"s2","name":"S","do":[],"end":{"error":{"message":"no","code":"E"}}}},
{"subagent":{"id":"s3","name":"S","do":[],"end":{"suspended":{"interrupts":["i"]}}}},
{"stateSnapshot":{"snapshot":null}},
{"stateDelta":{"patch":[{"op":"add","path":"","value":1}]}},
{"messagesSnapshot":{"messages":[]}},
{"activity":{"id":"p","type":"PLAN","content":{"b":1,"a":2},"replace":false,"metadata":{}}},
{"activityDelta":{"id":"p","type":"PLAN","patch":[]}},
{"custom":{"name":"n","value":[1,"\u00e9"]}},
{"raw":{"event":null,"source":"llm"}},
{"emit":{"event":{"type":"CUSTOM"}}},
{"echo":{"pointer":"/a~1b/~0"}},
{"gate":{"name":"g"}},
{"replay":{"run":"r0","do":[],"error":{"message":"m","code":"c"}}},
{"finish":{"result":1,"pending":["c1"],"usage":[{}]}},
{"interrupt":{"interrupts":[{"id":"i","reason":"x"}],"usage":[{}]}},
{"cancel":{"usage":[{}]}},
{"fail":{"message":"m","code":"c","usage":[{}],"early":true}},
{"panic":{"message":"m"}}]`

func TestParseReadsWhatJSONWrites(t *testing.T) {
	s, err := script.Parse([]byte(whole))
	assert.NilError(t, err)
	out := s.JSON()
	again, err := script.Parse(out)
	assert.NilError(t, err)
	assert.DeepEqual(t, again, s)
	assert.Equal(t, string(out), strings.ReplaceAll(strings.ReplaceAll(whole, "\n", ""), `\u00e9`, "\u00e9"))
}

func TestParseReadsTheExamplesOfTheContract(t *testing.T) {
	page, err := os.ReadFile("../../docs/scripted-agent.md")
	assert.NilError(t, err)
	examples := regexp.MustCompile("(?m)^```example.*\n(.*)$").FindAllSubmatch(page, -1)
	assert.Assert(t, len(examples) > 10)
	for _, e := range examples {
		s, err := script.Parse(e[1])
		assert.NilError(t, err, "%s", e[1])
		again, err := script.Parse(s.JSON())
		assert.NilError(t, err)
		assert.DeepEqual(t, again, s)
	}
}

func TestParseSaysWhereAndWhat(t *testing.T) {
	deep := strings.Repeat("[", 63) + strings.Repeat("]", 63)
	for _, c := range []struct{ script, want string }{
		{``, `EOF`},
		{`{}`, `at "": not an array`},
		{`[] []`, `more than one JSON value`},
		{`[`, `EOF`},
		{`[null]`, `at "/0": not an object`},
		{`[{}]`, `at "/0": 0 members, exactly one is needed`},
		{`[{"cancel":{},"finish":{}}]`, `at "/0": 2 members, exactly one is needed`},
		{`[{"Text":{"id":"a","stream":[]}}]`, `at "/0/Text": unknown member`},
		{`[{"text":{"id":"a","stream":[],"Name":"x"}}]`, `at "/0/text/Name": unknown member`},
		{`[{"text":{"id":"a"}}]`, `at "/0/text": no member "stream"`},
		{`[{"text":{"id":"a","id":"b","stream":[]}}]`, `duplicate`},
		{`[{"text":{"id":null,"stream":[]}}]`, `at "/0/text/id": not a string`},
		{`[{"text":{"id":"a","stream":null}}]`, `at "/0/text/stream": not an array`},
		{`[{"text":{"id":"a","stream":[1]}}]`, `at "/0/text/stream/0": not a string or an action`},
		{`[{"text":{"id":"a","stream":[{"step":{"name":"x"}}]}}]`, `at "/0/text/stream/0/step": no member "do"`},
		{`[{"text":{"id":"a","stream":[],"name":null}}]`, `at "/0/text/name": not a string`},
		{`[{"text":{"id":"a","stream":[],"role":"tool"}}]`, `at "/0/text/role": "tool" is none of developer,system,assistant,user`},
		{`[{"text":{"id":"a","stream":[],"form":""}}]`, `at "/0/text/form": "" is none of events,chunks`},
		{`[{"text":{"id":"a","stream":[],"metadata":[]}}]`, `at "/0/text/metadata": not an object`},
		{`[{"text":{"id":"\ud800","stream":[]}}]`, `surrogate`},
		{"[{\"text\":{\"id\":\"\xff\",\"stream\":[]}}]", `UTF-8`},
		{`[{"toolResult":{"id":"r","call":"c","content":null}}]`, `at "/0/toolResult/content": not a string or an array of objects`},
		{`[{"toolResult":{"id":"r","call":"c","content":["x"]}}]`, `at "/0/toolResult/content": not a string or an array of objects`},
		{`[{"custom":{"name":"n"}}]`, `at "/0/custom": no member "value"`},
		{`[{"raw":{}}]`, `at "/0/raw": no member "event"`},
		{`[{"emit":{"event":null}}]`, `at "/0/emit/event": not an object`},
		{`[{"echo":{"pointer":"a"}}]`, `at "/0/echo/pointer": "a" is no JSON pointer`},
		{`[{"echo":{"pointer":"/~2"}}]`, `is no JSON pointer`},
		{`[{"echo":{"pointer":"/~~01"}}]`, `is no JSON pointer`},
		{`[{"finish":{"result":null}}]`, `at "/0/finish/result": null`},
		{`[{"finish":{"pending":[]}}]`, `at "/0/finish/pending": 0 elements, at least 1 are needed`},
		{`[{"interrupt":{"interrupts":[]}}]`, `at "/0/interrupt/interrupts": 0 elements, at least 1 are needed`},
		{`[{"parallel":{"branches":[[]]}}]`, `at "/0/parallel/branches": 1 elements, at least 2 are needed`},
		{`[{"subagent":{"id":"s","name":"n","do":[],"end":{}}}]`, `at "/0/subagent/end": 0 members, exactly one is needed`},
		{`[{"subagent":{"id":"s","name":"n","do":[],"announce":0}}]`, `at "/0/subagent/announce": not true or false`},
		{`[{"custom":{"name":"n","value":` + deep + `}}]`, `nested deeper than 64 levels`},
		{`[` + strings.Repeat(`{"cancel":{}},`, 10_000) + `{"cancel":{}}]`, `more than 10000 actions`},
	} {
		_, err := script.Parse([]byte(c.script))
		assert.ErrorContains(t, err, c.want, "%.100s", c.script)
	}
}

// FuzzParse: whatever is read is written and read again, and can be checked, told and changed.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	in := asked(f)
	g := script.Legal(script.Knobs{Input: in})
	for seed := range 30 {
		f.Add(g.Example(seed).JSON())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := script.Parse(data)
		if err != nil {
			return
		}
		again, err := script.Parse(s.JSON())
		assert.NilError(t, err)
		assert.Assert(t, bytes.Equal(again.JSON(), s.JSON()))
		s.Features(in)
		legal := s.Check(in) == nil
		_, err = s.Means(in)
		assert.Assert(t, !legal || err == nil, "%s is legal and means nothing: %v", data, err)
		if s.CheckGuard(in) == nil && len(data) < 1000 {
			assert.Assert(t, len(script.Mutations(s, in)) > 0, "%s", data)
		}
	})
}
