package reference

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/faithful"
	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/agui/materialise"
	"github.com/agentstream/conformance/verifier/wire"
)

// serve starts an agent, and sees to it that nothing of it is left at the end of the test.
func serve(t testing.TB, o Options) (address string) {
	t.Helper()
	before := runtime.NumGoroutine()
	address, stop, err := Serve(o)
	assert.NilError(t, err)
	t.Cleanup(func() {
		stop()
		http.DefaultClient.CloseIdleConnections()
		noMore(t, before)
	})
	return address
}

// noMore waits until there are no more goroutines than before: those of the client end after those of the server.
func noMore(t testing.TB, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	all := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, all[:runtime.Stack(all, true)])
}

// request is the body of a run of a script, with members laid over an ordinary input.
func requestOf(t testing.TB, script, over string) []byte {
	t.Helper()
	in := map[string]any{"threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": []any{}, "state": map[string]any{}, "tools": []any{}, "context": []any{}}
	if script != "" {
		in["forwardedProps"] = map[string]any{"conformance": map[string]any{"version": 1, "script": json.RawMessage(script)}}
	}
	if over != "" {
		members := map[string]any{}
		assert.NilError(t, json.Unmarshal([]byte(over), &members))
		maps.Copy(in, members)
		maps.DeleteFunc(in, func(_ string, v any) bool { return v == nil })
	}
	body, err := json.Marshal(in)
	assert.NilError(t, err)
	return body
}

func post(t testing.TB, address string, body []byte) *http.Response {
	t.Helper()
	p, err := http.Post(address, "application/json", bytes.NewReader(body))
	assert.NilError(t, err)
	t.Cleanup(func() { p.Body.Close() })
	return p
}

// eventsOf reads the events of a response to its end.
func eventsOf(t testing.TB, body io.Reader) (all []string) {
	t.Helper()
	frames := wire.NewReader(body, wire.Options{Format: wire.SSE})
	for {
		f, err := frames.Next()
		if err == io.EOF {
			return all
		}
		assert.NilError(t, err)
		all = append(all, string(f.Data))
	}
}

// play runs a script and returns what came.
func play(t testing.TB, o Options, script, over string) []string {
	t.Helper()
	p := post(t, serve(t, o), requestOf(t, script, over))
	assert.Equal(t, p.StatusCode, http.StatusOK)
	assert.Equal(t, p.Header.Get("Content-Type"), "text/event-stream")
	return eventsOf(t, p.Body)
}

func report(t testing.TB, events []string, request []byte) verifier.Report {
	t.Helper()
	v, err := agui.New(agui.Options{Request: request})
	assert.NilError(t, err)
	for _, e := range events {
		v.Observe([]byte(e))
	}
	v.Finish()
	return v.Report()
}

func assertLegal(t testing.TB, events []string, request []byte) {
	t.Helper()
	r := report(t, events, request)
	for _, f := range r.Findings {
		assert.Check(t, f.Severity < verifier.Error, "event %d: %s: %s\n%s", f.Index, f.Clause, f.Detail, strings.Join(events, "\n"))
	}
}

// differs returns how a stream differs from what its script says; "" where it does not.
func differs(t testing.TB, actions string, request []byte, events []string, identity bool) string {
	t.Helper()
	s, err := script.Parse([]byte(actions))
	assert.NilError(t, err)
	in, err := script.ReadInput(request)
	assert.NilError(t, err)
	want, err := s.Means(in)
	assert.NilError(t, err)
	stream := materialise.New(request)
	for _, e := range events {
		stream.Observe([]byte(e))
	}
	assert.NilError(t, stream.Err())
	names := faithful.NewNames()
	names.Identity = identity
	d := faithful.Compare(want, stream.Meaning(), names)
	if d == nil {
		return ""
	}
	assert.Assert(t, !d.GaveUp, "%s", d.Summary())
	return d.Summary() + "\n" + d.String()
}

// An example is one of the contract's page.
type example struct {
	name, script string
	stream       []string
}

func page(t testing.TB) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/scripted-agent.md")
	assert.NilError(t, err)
	return string(page)
}

func examples(t testing.TB) (all []example) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?ms)^```example ([^\n]*)\n(.*?)\n^```$").FindAllStringSubmatch(page(t), -1) {
		lines := strings.Split(m[2], "\n")
		all = append(all, example{m[1], lines[0], lines[1:]})
	}
	assert.Assert(t, len(all) > 10, "%d examples", len(all))
	return all
}

// over is what the page says of an example's input.
func (e example) over() string {
	if i := strings.Index(e.name, "`resume` was "); i >= 0 {
		return `{"resume":` + strings.TrimSuffix(e.name[i+len("`resume` was "):], ")") + "}"
	}
	return ""
}

func TestExamplesOfTheContractAreLegalAndFaithful(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			for _, closes := range []bool{false, true} {
				request := requestOf(t, e.script, e.over())
				got := play(t, Options{CloseBeforeError: closes}, e.script, e.over())
				assertLegal(t, got, request)
				assert.Equal(t, differs(t, e.script, request, got, true), "", "%s", strings.Join(got, "\n"))
			}
		})
	}
}
