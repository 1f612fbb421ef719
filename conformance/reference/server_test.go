package reference

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/model/script"
)

func TestWhatIsNoRunIsRefused(t *testing.T) {
	address := serve(t, Options{})
	good := string(requestOf(t, "", ""))
	for name, x := range map[string]struct {
		method, contentType, body string
		status                    int
	}{
		"another method":             {"PUT", "application/json", good, 405},
		"no content type":            {"POST", "", good, 415},
		"another content type":       {"POST", "text/plain", good, 415},
		"a broken type":              {"POST", "application/", good, 415},
		"no body":                    {"POST", "application/json", "", 400},
		"cut":                        {"POST", "application/json", good[:len(good)-1], 400},
		"two values":                 {"POST", "application/json", good + "{}", 400},
		"a member twice":             {"POST", "application/json", `{"threadId":"t",` + good[1:], 400},
		"bad UTF-8":                  {"POST", "application/json", strings.Replace(good, `"threadId":"t"`, "\"threadId\":\"\xff\"", 1), 400},
		"a list":                     {"POST", "application/json", "[" + good + "]", 400},
		"null":                       {"POST", "application/json", "null", 400},
		"no thread":                  {"POST", "application/json", `{"runId":"r","messages":[]}`, 400},
		"no run":                     {"POST", "application/json", `{"threadId":"t","messages":[]}`, 400},
		"no messages":                {"POST", "application/json", `{"threadId":"t","runId":"r"}`, 400},
		"messages that are no list":  {"POST", "application/json", `{"threadId":"t","runId":"r","messages":{}}`, 400},
		"a run that is a number":     {"POST", "application/json", `{"threadId":"t","runId":1,"messages":[]}`, 400},
		"a message without a role":   {"POST", "application/json", `{"threadId":"t","runId":"r","messages":[{"id":"m"}]}`, 400},
		"a message without content":  {"POST", "application/json", `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user"}]}`, 400},
		"a part without text":        {"POST", "application/json", `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":[{"type":"text"}]}]}`, 400},
		"a tool without description": {"POST", "application/json", `{"threadId":"t","runId":"r","messages":[],"tools":[{"name":"f"}]}`, 400},
		"another resume status":      {"POST", "application/json", `{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i","status":"done"}]}`, 400},
		"a state without a bottom":   {"POST", "application/json", `{"threadId":"t","runId":"r","messages":[],"state":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, 400},
		"null tools":                 {"POST", "application/json", `{"threadId":"t","runId":"r","messages":[],"tools":null}`, 400},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := http.NewRequest(x.method, address, strings.NewReader(x.body))
			assert.NilError(t, err)
			if x.contentType != "" {
				q.Header.Set("Content-Type", x.contentType)
			}
			p, err := http.DefaultClient.Do(q)
			assert.NilError(t, err)
			defer p.Body.Close()
			body, err := io.ReadAll(p.Body)
			assert.NilError(t, err)
			assert.Equal(t, p.StatusCode, x.status, "%s", body)
			assert.Equal(t, p.Header.Get("Content-Type"), "application/json")
			assert.Assert(t, json.Valid(body), "%s", body)
		})
	}
}

func TestWhatTheProtocolDoesNotKnowIsNoReasonToRefuse(t *testing.T) {
	address := serve(t, Options{})
	for name, body := range map[string]string{
		"least":                 `{"threadId":"t","runId":"r","messages":[]}`,
		"white space":           "\n {\"threadId\" : \"t\",\"runId\":\"r\",\n\"messages\":[ ]} \n",
		"unknown member":        `{"threadId":"t","runId":"r","messages":[],"acme":null}`,
		"unknown inside":        `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"","acme":1}]}`,
		"unknown role":          `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"critic"}]}`,
		"unknown part":          `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":[{"type":"smell"}]}]}`,
		"null for any value":    `{"threadId":"t","runId":"r","messages":[],"state":null,"forwardedProps":null}`,
		"props of other sorts":  `{"threadId":"t","runId":"r","messages":[],"forwardedProps":[1]}`,
		"props of others":       `{"threadId":"t","runId":"r","messages":[],"forwardedProps":{"acme":1}}`,
		"resume of what is not": `{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i","status":"resolved","payload":null}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := post(t, address, []byte(body))
			assert.Equal(t, p.StatusCode, 200)
			assert.DeepEqual(t, eventsOf(t, p.Body), []string{
				`{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}`,
				`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"}}`,
			})
		})
	}
}

func TestClientsOfAllVersionsAreServedAndAnsweredByTheAgentsOwn(t *testing.T) {
	for version, warns := range map[string]bool{`"1.0"`: false, `null`: false, `"1.1"`: true, `"1.10"`: true, `"2.0"`: true, `"0.9"`: true, `"v1"`: true, `""`: false} {
		t.Run(version, func(t *testing.T) {
			var warnings []string
			address := serve(t, Options{Warn: func(text string) { warnings = append(warnings, text) }})
			events := eventsOf(t, post(t, address, requestOf(t, "", `{"protocolVersion":`+version+`,"parentRunId":"p"}`)).Body)
			assert.Equal(t, events[0], `{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0","parentRunId":"p"}`)
			assert.Equal(t, len(warnings) > 0, warns, "%q", warnings)
		})
	}
}

func TestTheAgentDescribesItselfWithEveryFeatureThatTheKitCanTest(t *testing.T) {
	p, err := http.Get(serve(t, Options{}))
	assert.NilError(t, err)
	defer p.Body.Close()
	var said struct {
		Conformance struct {
			Version                          int
			Subject, SDK, SDKVersion, Driver string
			Features                         []string
		}
	}
	assert.NilError(t, json.NewDecoder(p.Body).Decode(&said))
	d := said.Conformance
	assert.Equal(t, d.Version, 1)
	assert.Equal(t, d.Subject, "reference")
	assert.Equal(t, d.Driver, "sdk")
	assert.Assert(t, d.SDK != "" && d.SDKVersion != "")
	missing := slices.DeleteFunc(script.AllFeatures(), func(f string) bool { return slices.Contains(d.Features, f) })
	assert.DeepEqual(t, missing, []string{"protobuf"})
	for _, f := range d.Features {
		assert.Check(t, cmp.Contains(script.AllFeatures(), f))
	}
}

func TestScriptsOfAWrongShapeAreRefused(t *testing.T) {
	address := serve(t, Options{})
	for name, x := range map[string]struct {
		conformance string
		status      int
		says        string
	}{
		"no object":             {`[]`, 400, "object"},
		"null":                  {`null`, 400, "object"},
		"no version":            {`{"script":[]}`, 400, "version"},
		"another version":       {`{"version":2,"script":{}}`, 400, "version 2"},
		"a version of text":     {`{"version":"1","script":[]}`, 400, "version"},
		"the version as 1.0":    {`{"version":1.0,"script":[]}`, 200, ""},
		"no script":             {`{"version":1}`, 400, "script"},
		"no list":               {`{"version":1,"script":{}}`, 400, "not an array"},
		"no action":             {`{"version":1,"script":["text"]}`, 400, "/script/0"},
		"an empty action":       {`{"version":1,"script":[{}]}`, 400, "0 members"},
		"two actions in one":    {`{"version":1,"script":[{"cancel":{},"finish":{}}]}`, 400, "2 members"},
		"a member missing":      {`{"version":1,"script":[{"text":{"stream":[]}}]}`, 400, "/script/0/text"},
		"null for an id":        {`{"version":1,"script":[{"text":{"id":null,"stream":[]}}]}`, 400, "/script/0/text/id"},
		"null for an option":    {`{"version":1,"script":[{"text":{"id":"m","stream":[],"name":null}}]}`, 400, "/name"},
		"another role":          {`{"version":1,"script":[{"text":{"id":"m","stream":[],"role":"tool"}}]}`, 400, "/role"},
		"another form":          {`{"version":1,"script":[{"text":{"id":"m","stream":[],"form":"pieces"}}]}`, 400, "/form"},
		"a number in a stream":  {`{"version":1,"script":[{"text":{"id":"m","stream":["a",1]}}]}`, 400, "/script/0/text/stream/1"},
		"wrong deep inside":     {`{"version":1,"script":[{"step":{"name":"s","do":[{"text":{"id":"m","stream":[{"custom":{"name":1,"value":1}}]}}]}}]}`, 400, "/script/0/step/do/0/text/stream/0/custom/name"},
		"metadata of a list":    {`{"version":1,"script":[{"text":{"id":"m","stream":[],"metadata":[]}}]}`, 400, "/metadata"},
		"one branch":            {`{"version":1,"script":[{"parallel":{"branches":[[]]}}]}`, 400, "/branches"},
		"no parts":              {`{"version":1,"script":[{"toolResult":{"id":"r","call":"c","content":[1]}}]}`, 400, "/content/0"},
		"a patch of text":       {`{"version":1,"script":[{"stateDelta":{"patch":["x"]}}]}`, 400, "/patch/0"},
		"no pointer":            {`{"version":1,"script":[{"echo":{"pointer":"a"}}]}`, 400, "/pointer"},
		"an end of two":         {`{"version":1,"script":[{"subagent":{"id":"a","name":"A","do":[],"end":{"success":{},"error":{"message":""}}}}]}`, 400, "/end"},
		"a null result":         {`{"version":1,"script":[{"finish":{"result":null}}]}`, 400, "/result"},
		"no interrupts":         {`{"version":1,"script":[{"interrupt":{"interrupts":[]}}]}`, 400, "/interrupts"},
		"announce of text":      {`{"version":1,"script":[{"subagent":{"id":"a","name":"A","do":[],"announce":"no"}}]}`, 400, "/announce"},
		"an unknown action":     {`{"version":1,"script":[{"dance":{}}]}`, 501, `{"conformance":{"unsupported":["dance"]}}`},
		"unknown members":       {`{"version":1,"script":[{"text":{"id":"m","stream":[],"colour":1,"size":2}},{"reasoning":{"messages":[{"id":"a","stream":[],"x":1}]}}]}`, 501, `{"conformance":{"unsupported":["text.colour","text.size","reasoning.messages.x"]}}`},
		"unknown beside wrong":  {`{"version":1,"script":[{"dance":{}},{"text":{}}]}`, 400, "/script/1/text"},
		"an unknown end":        {`{"version":1,"script":[{"subagent":{"id":"a","name":"A","do":[],"end":{"lost":{}}}}]}`, 501, `{"conformance":{"unsupported":["subagent.end.lost"]}}`},
		"deeper than any kit's": {`{"version":1,"script":` + strings.Repeat(`[{"step":{"name":"s","do":`, 300) + `[]` + strings.Repeat(`}}]`, 300) + `}`, 400, "nested deeper"},
	} {
		t.Run(name, func(t *testing.T) {
			p := post(t, address, requestOf(t, "", `{"forwardedProps":{"conformance":`+x.conformance+`}}`))
			body, err := io.ReadAll(p.Body)
			assert.NilError(t, err)
			assert.Equal(t, p.StatusCode, x.status, "%s", body)
			assert.Assert(t, cmp.Contains(string(body), x.says))
		})
	}
}

// The table of the contract says which members an action has.
func TestActionsHaveTheMembersOfTheContractsTable(t *testing.T) {
	rows := regexp.MustCompile("(?m)^\\| `([a-zA-Z]+)` \\| (.*?) \\| ").FindAllStringSubmatch(page(t), -1)
	seen := 0
	for _, row := range rows {
		s := shapeOf(row[1])
		if s == nil {
			continue // a row of another table
		}
		seen++
		cell := regexp.MustCompile(`\[\{.*?\}\]|\{.*?\}`).ReplaceAllString(row[2], "") // members of members
		want := map[string]bool{}
		for _, m := range regexp.MustCompile("`([a-zA-Z]+)([!?])`").FindAllStringSubmatch(cell, -1) {
			want[m[1]] = m[2] == "!"
		}
		got := map[string]bool{}
		for name, f := range s {
			got[name] = f.required
		}
		assert.DeepEqual(t, got, want)
	}
	assert.Equal(t, seen, 23)
}

func TestAGateIsOpenedForOneRunThatWaitsAtIt(t *testing.T) {
	address := serve(t, Options{})
	assert.Equal(t, open(t, address, "r/a"), 404)
	p := post(t, address, requestOf(t, waiting, ""))
	frames := bufio.NewScanner(p.Body)
	for frames.Scan() && !strings.Contains(frames.Text(), "TEXT_MESSAGE_END") {
	}
	for open(t, address, "r/a") == 404 { // the event has gone out before the run comes to the gate
	}
	assert.Equal(t, open(t, address, "r/a"), 404)
	rest := eventsOf(t, p.Body)
	assert.Assert(t, cmp.Contains(rest[len(rest)-1], "RUN_FINISHED"))
}

func open(t testing.TB, address, gate string) int {
	t.Helper()
	p, err := http.Post(address+"/?gate="+gate, "", nil)
	assert.NilError(t, err)
	p.Body.Close()
	return p.StatusCode
}

// hangUp posts a script and goes away when the run has come to its gate.
func hangUp(t testing.TB, address string, body []byte) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	assert.NilError(t, err)
	q.Header.Set("Content-Type", "application/json")
	p, err := http.DefaultClient.Do(q)
	assert.NilError(t, err)
	defer p.Body.Close()
	frames := bufio.NewScanner(p.Body)
	for frames.Scan() && !strings.Contains(frames.Text(), "TEXT_MESSAGE_END") {
	}
}

func TestAClientThatGoesAwayAtAGateHurtsNobodyAndLeavesNothing(t *testing.T) {
	agent := New(Options{}).(*server)
	h := httptest.NewServer(agent)
	defer h.Close()
	for range 5 {
		hangUp(t, h.URL, requestOf(t, waiting, ""))
	}
	request := requestOf(t, oneText, "")
	assertLegal(t, eventsOf(t, post(t, h.URL, request).Body), request)
	for range 200 {
		agent.gates.mu.Lock()
		left := len(agent.gates.waiting)
		agent.gates.mu.Unlock()
		if left == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("runs still wait at a gate")
}

func TestClosingEndsWhatWaitsAndReturnsWhenNothingIsLeft(t *testing.T) {
	const inBranches = `[{"text":{"id":"m0","stream":["x"]}},{"parallel":{"branches":[[{"gate":{"name":"a"}}],[{"text":{"id":"m1","stream":["y"]}},{"gate":{"name":"b"}}]]}}]`
	address, stop, err := Serve(Options{})
	assert.NilError(t, err)
	for _, s := range []string{waiting, inBranches} {
		_, err := bufio.NewReader(post(t, address, requestOf(t, s, "")).Body).ReadString('\n')
		assert.NilError(t, err)
	}
	stop()
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	assert.Assert(t, !bytes.Contains(all, []byte("reference.(*agent)")), "%s", all)
	_, err = http.Get(address)
	assert.ErrorContains(t, err, "refused")
}

func TestManyRunsAtOnceDoNotMeet(t *testing.T) {
	address := serve(t, Options{})
	const runs = 50
	want := play(t, Options{}, everything, "")
	var all sync.WaitGroup
	got := make([][]string, runs)
	for i := range runs {
		all.Go(func() {
			body := requestOf(t, everything, fmt.Sprintf(`{"threadId":"t%d"}`, i))
			p, err := http.Post(address, "application/json", bytes.NewReader(body))
			if err == nil {
				got[i] = eventsOf(t, p.Body)
				p.Body.Close()
			}
		})
	}
	all.Wait()
	for i, events := range got {
		assert.DeepEqual(t, strings.ReplaceAll(strings.Join(events, "\n"), fmt.Sprintf(`"t%d"`, i), `"t"`), strings.Join(want, "\n"))
	}
}

func TestRunsThatShareAGatesNamePassItOneByOne(t *testing.T) {
	address := serve(t, Options{})
	const runs = 8
	var all sync.WaitGroup
	for range runs {
		all.Go(func() {
			p := post(t, address, requestOf(t, waiting, ""))
			frames := bufio.NewScanner(p.Body)
			for frames.Scan() {
				if strings.Contains(frames.Text(), "TEXT_MESSAGE_END") && strings.Contains(frames.Text(), "m1") {
					for open(t, address, "r/a") == 404 {
						time.Sleep(time.Millisecond)
					}
				}
			}
		})
	}
	all.Wait()
}
