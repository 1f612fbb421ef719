package reference

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/model/script"
)

const branched = `[{"parallel":{"branches":[[{"text":{"id":"a","stream":["1","2","3"]}}],[{"text":{"id":"b","stream":["4","5","6"]}}],` +
	`[{"parallel":{"branches":[[{"text":{"id":"c","stream":["7","8"]}}],[{"text":{"id":"d","stream":["9"]}}]]}},{"text":{"id":"e","stream":["0"]}}]]}},{"text":{"id":"f","stream":["!"]}}]`

func TestBranchesMixBySeed(t *testing.T) {
	mixed := map[string]bool{}
	for seed := range uint64(10) {
		events := play(t, Options{Seed: seed}, branched, "")
		again := play(t, Options{Seed: seed}, branched, "")
		assert.DeepEqual(t, events, again)
		request := requestOf(t, branched, "")
		assertLegal(t, events, request)
		assert.Equal(t, differs(t, branched, request, events, true), "")
		mixed[strings.Join(events, "\n")] = true
	}
	assert.Assert(t, len(mixed) >= 8, "%d streams of 10 seeds", len(mixed))
}

func TestABranchAtAGateDoesNotHoldUpTheOthers(t *testing.T) {
	const script = `[{"parallel":{"branches":[[{"text":{"id":"a","stream":["1"]}},{"gate":{"name":"g"}},{"text":{"id":"b","stream":["2"]}}],[{"text":{"id":"c","stream":["3","4","5","6"]}}]]}}]`
	address := serve(t, Options{})
	p := post(t, address, requestOf(t, script, ""))
	frames := bufio.NewScanner(p.Body)
	for ended := 0; ended < 2 && frames.Scan(); {
		if strings.Contains(frames.Text(), "TEXT_MESSAGE_END") {
			ended++
		}
	}
	for open(t, address, "r/g") == 404 {
		time.Sleep(time.Millisecond)
	}
	rest := eventsOf(t, p.Body)
	assert.Assert(t, cmp.Contains(strings.Join(rest, "\n"), `"messageId":"b"`))
}

func TestPendingCallsAreNamedInTheOrderInWhichBranchesMadeThem(t *testing.T) {
	const script = `[{"parallel":{"branches":[[{"toolCall":{"id":"c1","name":"ask","stream":["{}"]}}],[{"toolCall":{"id":"c2","name":"ask","stream":["{}"]}}],[{"toolCall":{"id":"c3","name":"ask","stream":["{}"]}}]]}},{"finish":{"pending":["c1","c2","c3"]}}]`
	orders := map[string]bool{}
	for seed := range uint64(12) {
		events := play(t, Options{Seed: seed}, script, "")
		typ, _, _ := ended(t, events)
		assert.Equal(t, typ, "RUN_FINISHED")
		assertLegal(t, events, requestOf(t, script, ""))
		orders[events[len(events)-1]] = true
	}
	assert.Assert(t, len(orders) > 1)
}

func TestGatesOfAReplayedRunHaveTheNameOfTheRequests(t *testing.T) {
	const script = `[{"replay":{"run":"r0","do":[{"text":{"id":"a","stream":["1"]}},{"gate":{"name":"g"}}]}}]`
	address := serve(t, Options{})
	p := post(t, address, requestOf(t, script, ""))
	for open(t, address, "r/g") == 404 {
		time.Sleep(time.Millisecond)
	}
	eventsOf(t, p.Body)
}

// ended returns the last event.
func ended(t *testing.T, events []string) (typ, code, message string) {
	t.Helper()
	var e struct{ Type, Code, Message string }
	assert.NilError(t, json.Unmarshal([]byte(events[len(events)-1]), &e))
	return e.Type, e.Code, e.Message
}

func TestIllegalEmitsDoNotGoOutAndEndTheRun(t *testing.T) {
	for name, x := range map[string]struct{ script, illegal, code string }{
		"an end of what has ended":     {`[{"text":{"id":"m1","stream":[]}},{"emit":{"event":X}}]`, `{"type":"TEXT_MESSAGE_END","messageId":"m1"}`, "not-open"},
		"a start of what is open":      {`[{"text":{"id":"m1","stream":["a",{"emit":{"event":X}}]}}]`, `{"type":"TEXT_MESSAGE_START","messageId":"m1"}`, "duplicate-start"},
		"a finish over what is open":   {`[{"text":{"id":"m1","stream":["a",{"emit":{"event":X}}]}}]`, `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`, "open-at-finish"},
		"another start of the run":     {`[{"emit":{"event":X}}]`, `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`, "duplicate-run-started"},
		"a type that there is not":     {`[{"emit":{"event":X}}]`, `{"type":"TYPING"}`, "unknown-event-type"},
		"no type":                      {`[{"emit":{"event":X}}]`, `{"kind":"CUSTOM"}`, "missing-field"},
		"a member that is missing":     {`[{"emit":{"event":X}}]`, `{"type":"CUSTOM","name":"app.x"}`, "missing-field"},
		"a member that there is not":   {`[{"emit":{"event":X}}]`, `{"type":"CUSTOM","name":"app.x","value":1,"to":2}`, "unknown-property"},
		"a subagent announced twice":   {`[{"subagent":{"id":"a1","name":"A","do":[{"emit":{"event":X}}]}}]`, `{"type":"SUBAGENT_STARTED","subagentRunId":"a1","name":"A"}`, "duplicate-start"},
		"a parent never announced":     {`[{"emit":{"event":X}}]`, `{"type":"SUBAGENT_STARTED","subagentRunId":"a1","name":"A","parentSubagentRunId":"a0"}`, "unknown-id"},
		"another owner":                {`[{"text":{"id":"m1","stream":["a",{"emit":{"event":X}}]}}]`, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"b","subagentRunId":"a1"}`, "owner-mismatch"},
		"a result for an open call":    {`[{"toolCall":{"id":"c1","name":"f","stream":["{}",{"emit":{"event":X}}]}}]`, `{"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"c1","content":""}`, "out-of-order"},
		"a result for an unknown call": {`[{"emit":{"event":X}}]`, `{"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"c9","content":""}`, "unknown-id"},
		"inside a branch":              {`[{"parallel":{"branches":[[{"text":{"id":"m1","stream":["a"]}}],[{"emit":{"event":X}}],[{"text":{"id":"m2","stream":["a"]}}]]}}]`, `{"type":"STEP_FINISHED","stepName":"s"}`, "not-open"},
	} {
		for _, closes := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, closing %t", name, closes), func(t *testing.T) {
				marked := strings.Replace(x.illegal, "}", `,"timestamp":7}`, 1) // tells it from what else goes out
				script := strings.ReplaceAll(x.script, "X", marked)
				events := play(t, Options{CloseBeforeError: closes}, script, "")
				typ, code, message := ended(t, events)
				assert.Equal(t, typ, "RUN_ERROR")
				assert.Equal(t, code, x.code)
				assert.Assert(t, message != "")
				assert.Check(t, !strings.Contains(strings.Join(events, ""), "timestamp"), "it went out")
				assertLegal(t, events, requestOf(t, script, ""))
			})
		}
	}
}

func TestAResultMayBeEmittedForACallOfTheRequest(t *testing.T) {
	const script = `[{"replay":{"run":"r0","do":[{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"r0","toolCallId":"c1","content":""}}}]}},` +
		`{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"r1","toolCallId":"c1","content":""}}}]`
	const call = `{"messages":[{"id":"m1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}]}`
	typ, _, _ := ended(t, play(t, Options{}, script, call))
	assert.Equal(t, typ, "RUN_FINISHED")
}

// What the kit never sends must not take the agent down, nor make a stream illegal.
func TestScriptsThatNobodyMaySendEndInAnError(t *testing.T) {
	for name, script := range map[string]string{
		"one message in two branches": `[{"parallel":{"branches":[[{"text":{"id":"a","stream":["1","2"]}}],[{"text":{"id":"a","stream":["3","4"]}}]]}}]`,
		"a panic in a branch":         `[{"parallel":{"branches":[[{"panic":{"message":"boom"}}],[{"text":{"id":"a","stream":["1","2"]}}]]}}]`,
		"a failure in a branch":       `[{"parallel":{"branches":[[{"fail":{"message":"no"}}],[{"gate":{"name":"g"}}]]}}]`,
		"an end inside a step":        `[{"step":{"name":"s","do":[{"finish":{}}]}}]`,
		"a replay that comes late":    `[{"text":{"id":"a","stream":[]}},{"replay":{"run":"r0","do":[]}}]`,
		"a patch that does not apply": `[{"stateDelta":{"patch":[{"op":"remove","path":"/a"}]}}]`,
		"wrong pending calls":         `[{"finish":{"pending":["c1"]}}]`,
	} {
		t.Run(name, func(t *testing.T) {
			events := play(t, Options{}, script, "")
			typ, code, _ := ended(t, events)
			assert.Equal(t, typ, "RUN_ERROR", "%s", strings.Join(events, "\n"))
			assert.Assert(t, (code != "") == (name != "a failure in a branch"), "%s", code)
			assertLegal(t, events, requestOf(t, script, ""))
		})
	}
}

func TestABranchThatFailsStopsTheOthers(t *testing.T) {
	long := `["` + strings.Repeat(`x","`, 1000) + `x"]`
	events := play(t, Options{}, `[{"parallel":{"branches":[[{"text":{"id":"a","stream":`+long+`}}],[{"fail":{"message":"no"}}]]}}]`, "")
	assert.Assert(t, len(events) < 100, "%d events", len(events))
}

func TestNothingFollowsAnEnd(t *testing.T) {
	events := play(t, Options{}, `[{"cancel":{}},{"text":{"id":"a","stream":["x"]}}]`, "")
	assert.DeepEqual(t, events[1:], []string{`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}`})
}

func TestWhatIsOpenIsClosedBeforeAnErrorFromTheInsideOut(t *testing.T) {
	const script = `[{"step":{"name":"s","do":[{"subagent":{"id":"a1","name":"A","do":[{"reasoning":{"span":"r1","messages":[{"id":"t1","stream":["x",{"text":{"id":"m1","stream":["y",{"fail":{"message":"no"}}]}}]}]}}]}}]}}]`
	var types []string
	for _, e := range play(t, Options{CloseBeforeError: true}, script, "") {
		var typ struct{ Type string }
		assert.NilError(t, json.Unmarshal([]byte(e), &typ))
		types = append(types, typ.Type)
	}
	assert.DeepEqual(t, types[len(types)-6:], []string{"TEXT_MESSAGE_END", "REASONING_MESSAGE_END", "REASONING_END", "SUBAGENT_ERROR", "STEP_FINISHED", "RUN_ERROR"})
}

func TestAnEarlyFailureIsAnErrorWithoutARun(t *testing.T) {
	events := play(t, Options{}, `[{"fail":{"message":"no","code":"E1","usage":[{"inputTokens":1}],"early":true}}]`, "")
	assert.DeepEqual(t, events, []string{`{"type":"RUN_ERROR","message":"no","code":"E1","usage":[{"inputTokens":1}]}`})
}

func TestEchoShowsWhatTheInputHas(t *testing.T) {
	over := `{"state":{"a/b":{"~":[1,{"x":null}]},"":2},"messages":[{"id":"u1","role":"user","content":"hï\u00e9\ud83d\udc4b"}]}`
	for pointer, want := range map[string]string{
		"/threadId":           `{"present":true,"value":"t"}`,
		"/state/a~1b/~0/0":    `{"present":true,"value":1}`,
		"/state/a~1b/~0/1/x":  `{"present":true,"value":null}`,
		"/state/a~1b/~0/01":   `{"present":false}`,
		"/state/a~1b/~0/-":    `{"present":false}`,
		"/state/a~1b/~0/2":    `{"present":false}`,
		"/state/":             `{"present":true,"value":2}`,
		"/state/c":            `{"present":false}`,
		"/threadId/0":         `{"present":false}`,
		"/messages/0/content": `{"present":true,"value":"hïé👋"}`,
		"/resume":             `{"present":false}`,
		"/tools":              `{"present":true,"value":[]}`,
	} {
		script := fmt.Sprintf(`[{"echo":{"pointer":%q}}]`, pointer)
		events := play(t, Options{}, script, over)
		assert.Equal(t, events[1], `{"type":"CUSTOM","name":"conformance.echo","value":`+want+`}`, pointer)
	}
}

func TestEventsGoOutAtOnce(t *testing.T) {
	address := serve(t, Options{})
	p := post(t, address, requestOf(t, waiting, ""))
	in := bufio.NewReader(p.Body)
	for range 4 { // up to the gate, which nobody opens
		_, err := in.ReadString('\n')
		assert.NilError(t, err)
		_, err = in.ReadString('\n')
		assert.NilError(t, err)
	}
}

// Scripts that the kit may send, played with all that an SDK is free to do.
func TestGeneratedScriptsAreLegalAndFaithfulWhateverLibertiesAreTaken(t *testing.T) {
	general := []string{"", "", "", "characters", "no-empty-deltas", "chunks", "tags", "timestamps", "raw-events", "more-metadata", "raw", "one-span", "spans", "pending", "closes", "mints"}
	addresses := make([]string, len(general))
	for i, name := range general {
		addresses[i] = serve(t, Options{Seed: uint64(i), Habit: name})
	}
	for i := range checks() {
		habit := general[i%len(general)]
		features := script.AllFeatures()
		if habit == "mints" {
			features = without(features, "ids")
		}
		s := script.Legal(script.Knobs{Features: features}).Example(i)
		actions := string(s.JSON())
		request := requestOf(t, actions, "")
		p := post(t, addresses[i%len(general)], request)
		if p.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(p.Body)
			t.Fatalf("%d %s: %s", p.StatusCode, body, actions)
		}
		events := openingGates(t, addresses[i%len(general)], p, s.Gates())
		assertLegal(t, events, request)
		assert.Check(t, cmp.Equal(differs(t, actions, request, events, habit != "mints"), ""), "script %d, %s: %s\n%s", i, habit, actions, strings.Join(events, "\n"))
	}
}

func checks() int {
	if testing.Short() {
		return 90
	}
	return 200
}

func without(all []string, name string) (out []string) {
	for _, s := range all {
		if s != name {
			out = append(out, s)
		}
	}
	return out
}

// openingGates reads a response, and opens gates until it has ended.
func openingGates(t testing.TB, address string, p *http.Response, gates []string) []string {
	t.Helper()
	done := make(chan struct{})
	opened := make(chan struct{})
	go func() {
		defer close(opened)
		for len(gates) > 0 {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
			for _, g := range gates {
				q, err := http.NewRequest(http.MethodPost, address, nil)
				if err != nil {
					return
				}
				q.URL.RawQuery = "gate=" + "r/" + g
				if p, err := http.DefaultClient.Do(q); err == nil {
					p.Body.Close()
				}
			}
		}
	}()
	events := eventsOf(t, p.Body)
	close(done)
	<-opened
	return events
}
