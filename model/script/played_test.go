package script_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/agentstream/conformance/conformance/faithful"
	"github.com/agentstream/conformance/conformance/reference"
	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/agui/materialise"
	"github.com/agentstream/conformance/verifier/wire"
	"gotest.tools/v3/assert"
)

// answered plays a script on an agent, and returns the events of its answer.
func answered(t *testing.T, agent http.Handler, s script.Script, request []byte) [][]byte {
	t.Helper()
	done := make(chan *httptest.ResponseRecorder)
	w := httptest.NewRecorder()
	go func() {
		q := httptest.NewRequest("POST", "/", bytes.NewReader(request))
		q.Header.Set("Content-Type", "application/json")
		q.Header.Set("Accept", "text/event-stream")
		agent.ServeHTTP(w, q)
		close(done)
	}()
	for opened := false; !opened; {
		select {
		case <-done:
			opened = true
		case <-time.After(time.Millisecond):
			for _, name := range gates(s) {
				q := httptest.NewRequest("POST", "/?gate="+url.QueryEscape("r/"+name), nil)
				agent.ServeHTTP(httptest.NewRecorder(), q)
			}
		}
	}
	assert.Equal(t, w.Code, 200, "%s\n%s", w.Body, s.JSON())
	var events [][]byte
	frames := wire.NewReader(w.Body, wire.Options{Format: wire.SSE})
	for {
		f, err := frames.Next()
		if err == io.EOF {
			return events
		}
		assert.NilError(t, err)
		events = append(events, bytes.Clone(f.Data))
	}
}

func gates(s script.Script) (names []string) {
	var all any
	_ = json.Unmarshal(s.JSON(), &all)
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if g, ok := v["gate"].(map[string]any); ok {
				name, _ := g["name"].(string)
				names = append(names, name)
			}
			for _, e := range v {
				walk(e)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(all)
	return names
}

// asking is the request with a script in it.
func asking(t *testing.T, in script.Input, s script.Script) []byte {
	request := maps.Clone(in.Request)
	request["forwardedProps"] = map[string]any{"conformance": map[string]any{"version": 1, "script": json.RawMessage(s.JSON())}}
	body, err := json.Marshal(request)
	assert.NilError(t, err)
	return body
}

func TestGeneratedScriptsArePlayedLegallyAndFaithfully(t *testing.T) {
	in := asked(t)
	g := script.Legal(script.Knobs{Input: in})
	habits := []string{"", "chunks", "tags", "one-span", "spans", "pending", "closes", "characters", "no-empty-deltas", "more-metadata", "state-by-patch"}
	for seed := range checks(150) {
		s := g.Example(seed)
		habit := habits[seed%len(habits)]
		body := asking(t, in, s)
		events := answered(t, reference.New(reference.Options{Seed: uint64(seed), Habit: habit}), s, body)
		v, err := agui.New(agui.Options{Request: body})
		assert.NilError(t, err)
		for _, e := range events {
			v.Observe(e)
		}
		v.Finish()
		for _, f := range v.Report().Findings {
			if f.Severity >= verifier.Error {
				t.Errorf("seed %d, habit %q: event %d: %s: %s\n%s\n%s", seed, habit, f.Index, f.Clause, f.Detail, s.JSON(), bytes.Join(events, []byte("\n")))
			}
		}
		if d := compared(t, in, s, body, events); d != nil {
			t.Errorf("seed %d, habit %q: %v\n%s\n%s", seed, habit, d, s.JSON(), bytes.Join(events, []byte("\n")))
		}
	}
}

func compared(t *testing.T, in script.Input, s script.Script, body []byte, events [][]byte) *faithful.Difference {
	m, err := s.Means(in)
	assert.NilError(t, err, "%s", s.JSON())
	return faithful.Compare(m, materialise.Read(body, events).Meaning(), faithful.NewNames())
}

func TestMutationsAreNoticed(t *testing.T) {
	in := asked(t)
	g := script.Legal(script.Knobs{Input: in, Size: 10})
	for seed := range checks(40) {
		s := g.Example(seed)
		body := asking(t, in, s)
		events := answered(t, reference.New(reference.Options{Seed: uint64(seed)}), s, body)
		if compared(t, in, s, body, events) != nil {
			continue // is for the test above
		}
		all := script.Mutations(s, in)
		assert.Assert(t, len(all) > 0, "%s", s.JSON())
		for _, m := range all {
			assert.NilError(t, m.Script.Check(in), "%s", m)
			if compared(t, in, m.Script, body, events) == nil {
				t.Errorf("seed %d: nobody notices that one %s\nof %s", seed, m, s.JSON())
			}
		}
	}
}
