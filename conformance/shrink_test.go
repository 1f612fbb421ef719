package conformance

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/internal/oneline"
	"github.com/agentstream/conformance/conformance/shrink"
)

// shrunk shrinks text, one event a line, and returns it as that.
func shrunk(t *testing.T, text, keep string, o Options) (small string, result shrink.Result) {
	t.Helper()
	events := eventsOf(t, text)
	g, err := NewGoal(events, keep, o)
	assert.NilError(t, err)
	result = shrink.Shrink(t.Context(), events, g.Met, shrink.Options{IDs: IDs(g.Protocol()), Words: Words()})
	return string(Lines(result.Events)), result
}

func eventsOf(t *testing.T, text string) [][]byte {
	t.Helper()
	sources, problems := Find([]string{Stdin}, strings.NewReader(text), "ndjson")
	assert.Equal(t, len(problems), 0)
	events, err := ReadEvents(sources[0], Limits{})
	assert.NilError(t, err)
	return events
}

const (
	runStarted  = `{"type":"RUN_STARTED","threadId":"thread-1","runId":"run-1","protocolVersion":"1.0"}` + "\n"
	runFinished = `{"type":"RUN_FINISHED","threadId":"thread-1","runId":"run-1"}` + "\n"
	smallRun    = `{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}` + "\n"
)

// longRun is a legal run of n messages of four events.
func longRun(n int) string {
	var b strings.Builder
	b.WriteString(runStarted)
	for i := range n {
		fmt.Fprintf(&b, `{"type":"TEXT_MESSAGE_START","messageId":"message-%d","role":"assistant"}`+"\n", i)
		for range 2 {
			fmt.Fprintf(&b, `{"type":"TEXT_MESSAGE_CONTENT", "messageId":"message-%d", "delta":"%s"}`+"\n", i, strings.Repeat("Hello ", 50))
		}
		fmt.Fprintf(&b, `{"type":"TEXT_MESSAGE_END","messageId":"message-%d","timestamp":1712345678901}`+"\n", i)
	}
	return b.String()
}

func TestOneFaultInALongStreamIsAllThatStays(t *testing.T) {
	long := longRun(500)
	for name, c := range map[string]struct{ text, keep, want string }{
		"an order": {
			long + `{"type":"TEXT_MESSAGE_CONTENT","messageId":"message-3","delta":"late"}` + "\n" + longRun(20)[len(runStarted):] + runFinished, "",
			smallRun + `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":""}` + "\n",
		},
		"left open": {
			long + `{"type":"STEP_STARTED","stepName":"plan"}` + "\n" + runFinished, "",
			smallRun + `{"type":"STEP_STARTED","stepName":"s1"}` + "\n" + `{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}` + "\n",
		},
		"the end": {long, "", smallRun},
		"two with one id": {
			runStarted + `{"type":"TEXT_MESSAGE_START","messageId":"first","role":"assistant"}` + "\n" + long[len(runStarted):] +
				`{"type":"TEXT_MESSAGE_START","messageId":"first"}` + "\n", "",
			smallRun + strings.Repeat(`{"type":"TEXT_MESSAGE_START","messageId":"m1"}`+"\n", 2),
		},
		"bytes": {long + `{"type":"TEXT_MESSAGE_START","messageId":` + "\n" + runFinished, "", "{\n"},
		"an unknown member": {
			long + `{"type":"STATE_SNAPSHOT","snapshot":{"a":[1,2,{"b":3}]},"more":{"x":[1]}}` + "\n", "",
			`{"type":"STATE_SNAPSHOT","snapshot":{},"more":{}}` + "\n",
		},
		"advice": {
			long + `{"type":"CUSTOM","name":"progress","value":{"a":12.5}}` + "\n" + runFinished, "custom-unprefixed",
			`{"type":"RUN_STARTED"}` + "\n" + `{"type":"CUSTOM","name":""}` + "\n",
		},
		"one clause": {
			long + `{"type":"STEP_FINISHED","stepName":"plan"}` + "\n" + `{"type":"TOOL_CALL_END","toolCallId":"call"}` + "\n", "not-open/tool-call",
			`{"type":"RUN_STARTED"}` + "\n" + `{"type":"TOOL_CALL_END","toolCallId":"c1"}` + "\n",
		},
		"a number": {
			long + `{"type":"CUSTOM","name":"a.b","value":1,"timestamp":-1712345678901.25}` + "\n", "",
			`{"type":"CUSTOM","name":"","value":1,"timestamp":6.2}` + "\n",
		},
		"bad UTF-8": {long + `{"type":"CUSTOM","name":"a.b","value":["x","` + "abc\xffdef" + `"]}` + "\n", "", "{\"type\":\"CUSTOM\",\"value\":[\"\xff\"]}\n"},
		"a name twice": {
			long + `{"type":"CUSTOM","name":"a.b","value":{"x":1,"y":2,"x":3}}` + "\n", "",
			`{"type":"CUSTOM","value":{"x":1,"x":0}}` + "\n",
		},
		"half a pair": {
			long + `{"type":"CUSTOM","name":"a.b","value":"\ud83d\ude00 and \ud83d"}` + "\n", "lone-surrogate",
			`{"type":"RUN_STARTED"}` + "\n" + `{"type":"CUSTOM","name":"","value":"\ud83d"}` + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			small, result := shrunk(t, c.text, c.keep, Options{})
			assert.Equal(t, small, c.want)
			assert.Assert(t, result.Judgements < 1000, "%d judgements", result.Judgements)
			again, _ := shrunk(t, c.text, c.keep, Options{})
			assert.Equal(t, again, small)
		})
	}
}

// For every clause in every profile: what is shrunk has the verdict still, is no longer, is read back
// as it is, and cannot be shrunk again.
func TestEveryVerdictStays(t *testing.T) {
	input, err := os.ReadFile("../golden/agui/clauses.jsonl")
	assert.NilError(t, err)
	for _, profile := range Profiles("agui") {
		for l := range bytes.Lines(input) {
			q, err := parseQuery(l)
			assert.NilError(t, err)
			var events [][]byte
			for e := range q.events() {
				events = append(events, oneLine(e))
			}
			o := Options{Profile: profile, Revision: q.revision, Request: q.request}
			g, err := NewGoal(events, "", o)
			if err != nil {
				assert.ErrorIs(t, err, ErrNothing)
				continue
			}
			small := shrink.Shrink(t.Context(), events, g.Met, shrink.Options{IDs: IDs(g.Protocol()), Words: Words()})
			assert.Equal(t, small.Stopped, false)
			assert.Equal(t, g.Judge(small.Events).Verdict.Code, g.Judge(events).Verdict.Code, "%s", l)
			assert.Check(t, Bytes(small.Events) <= Bytes(events) && len(small.Events) <= len(events), "%s\n%s", l, Lines(small.Events))
			assert.DeepEqual(t, eventsOf(t, string(Lines(small.Events))), small.Events)
			again := shrink.Shrink(t.Context(), small.Events, g.Met, shrink.Options{IDs: IDs(g.Protocol()), Words: Words()})
			assert.Equal(t, string(Lines(again.Events)), string(Lines(small.Events)))
		}
	}
}

func TestAStreamWithNothingToKeep(t *testing.T) {
	events := eventsOf(t, runStarted+runFinished)
	_, err := NewGoal(events, "", Options{})
	assert.ErrorIs(t, err, ErrNothing)
	_, err = NewGoal(events[:1], "not-open", Options{})
	assert.Error(t, err, "the stream has no finding of not-open; it has truncated/open-run")
	_, err = NewGoal(events, "not-open", Options{})
	assert.Error(t, err, "the stream has no finding of not-open; it has none at all")
	_, err = NewGoal(events, "not-opne", Options{})
	assert.ErrorContains(t, err, "did you mean not-open?")
	_, err = NewGoal(events, "not-open/tool", Options{})
	assert.ErrorContains(t, err, `there is no clause "not-open/tool"`)
}

// The search ends at its limit and when the context does, with what it has, which is kept still.
func TestTheSearchIsBounded(t *testing.T) {
	events := eventsOf(t, longRun(100)+"x\n"+longRun(100))
	g, err := NewGoal(events, "", Options{})
	assert.NilError(t, err)
	last := len(events)
	for limit := 1; limit < 30; limit += 7 {
		small := shrink.Shrink(t.Context(), events, g.Met, shrink.Options{Judgements: limit})
		assert.Equal(t, small.Judgements, limit)
		assert.Assert(t, small.Stopped && g.Met(small.Events) && len(small.Events) <= last)
		last = len(small.Events)
	}
	ctx, stop := context.WithCancel(t.Context())
	small := shrink.Shrink(ctx, events, g.Met, shrink.Options{Progress: func(s shrink.Result) {
		if s.Judgements == 5 {
			stop()
		}
	}})
	assert.Assert(t, small.Stopped && g.Met(small.Events))
	assert.Equal(t, small.Judgements, 6)
}

// A list of anything that is JSON can be shrunk, such as a script.
func TestAnyListOfDocumentsShrinks(t *testing.T) {
	script := [][]byte{[]byte(`{"say": "Hello", "times": 3}`), []byte(`{"call":"tool","args":{"x":[1,2,3]},"id":"the-call"}`), []byte(`[]`)}
	small := shrink.Shrink(t.Context(), script, func(some [][]byte) bool {
		return bytes.Contains(Lines(some), []byte("tool")) && bytes.Contains(Lines(some), []byte("[2"))
	}, shrink.Options{})
	assert.Equal(t, string(Lines(small.Events)), `{"call":"tool","args":{"x":[2]}}`+"\n")
}

// What was many lines, or none, becomes one that means the same.
func TestEveryEventCanStandOnALine(t *testing.T) {
	for text, want := range map[string]string{
		" {\"a\":\n1}\r\n": `{"a": 1}`,
		"{\"a\":\n":        `{"a":`,
		"\"a\nb\"":         "\"a\x01b\"",
		" \n ":             "?",
		"":                 "?",
	} {
		got := oneLine([]byte(text))
		assert.Equal(t, string(got), want)
		assert.Equal(t, oneline.IsJSON(got), oneline.IsJSON([]byte(text)))
		assert.Assert(t, oneline.Fits(got))
	}
}
