package faithful

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/agentstream/conformance/conformance/reference"
	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier/agui/materialise"
	"github.com/agentstream/conformance/verifier/wire"
)

// The three parts that share no code meet here: what a script means, the agent that plays it, what its stream means.

// played is a request with what the reference agent answers.
type played struct {
	in     script.Input
	mints  bool // ids of its own
	events [][]byte
	got    any
}

// play has the reference agent play a script. Input has the members of the request beside the ordinary ones.
func play(t rapid.TB, s script.Script, o reference.Options, input map[string]any) played {
	t.Helper()
	in := map[string]any{
		"threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": []any{}, "state": map[string]any{}, "tools": []any{}, "context": []any{},
	}
	maps.Copy(in, input)
	p := played{in: script.Input{Request: maps.Clone(in)}, mints: o.Habit == "mints"}
	in["forwardedProps"] = map[string]any{"conformance": map[string]any{"version": 1, "script": json.RawMessage(s.JSON())}}
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	q := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "text/event-stream")
	w := httptest.NewRecorder()
	reference.New(o).ServeHTTP(w, q)
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s\n%s", w.Code, w.Body, s.JSON())
	}
	frames := wire.NewReader(w.Body, wire.Options{Format: wire.SSE})
	for {
		f, err := frames.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		p.events = append(p.events, bytes.Clone(f.Data))
	}
	p.got = materialise.Read(body, p.events).Meaning()
	return p
}

// differs compares the answer with what a script says.
func (p played) differs(t rapid.TB, s script.Script) *Difference {
	t.Helper()
	want, err := s.Means(p.in)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.JSON())
	}
	names := NewNames()
	names.Identity = !p.mints
	return Compare(want, p.got, names)
}

func (p played) String() string { return string(bytes.Join(p.events, []byte("\n"))) }

func TestWhatAnSDKMayDoIsFaithful(t *testing.T) {
	for _, h := range reference.Liberties() {
		if h.Name == "slow" || h.Name == "refuses-early" {
			continue // nothing that a stream shows
		}
		t.Run(h.Name, func(t *testing.T) {
			s, input := habitOf(t, h)
			p := play(t, s, reference.Options{Habit: h.Name}, input)
			if d := p.differs(t, s); d != nil {
				t.Fatalf("%s: %s\n%s", h.Does, d, p)
			}
		})
	}
}

func TestWhatIsUnfaithfulIsNoticed(t *testing.T) {
	faults := 0
	for _, h := range reference.Faults() {
		if h.Cause != reference.Unfaithful {
			continue
		}
		faults++
		t.Run(h.Name, func(t *testing.T) {
			s, input := habitOf(t, h)
			d := play(t, s, reference.Options{Habit: h.Name}, input).differs(t, s)
			assert.Assert(t, d != nil, h.Does)
			assert.Assert(t, !d.GaveUp, d.Summary())
			t.Logf("%s\n%s", h.Does, d)
		})
	}
	assert.Assert(t, faults > 10)
}

func habitOf(t *testing.T, h reference.Habit) (s script.Script, input map[string]any) {
	s, err := script.Parse([]byte(h.Script))
	assert.NilError(t, err)
	if h.Input != "" {
		assert.NilError(t, json.Unmarshal([]byte(h.Input), &input))
	}
	return s, input
}

// legal draws a script that needs no gate opened. An agent that mints ids cannot keep those that the script wants kept.
func legal(t *rapid.T, mints bool) script.Script {
	features := slices.DeleteFunc(script.AllFeatures(), func(f string) bool { return f == "gate" || mints && f == "ids" })
	return script.Legal(script.Knobs{Features: features}).Draw(t, "script")
}

func TestTheReferenceIsFaithfulToAnyScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		habit := rapid.SampledFrom([]string{"", "", "chunks", "tags", "mints", "one-span", "spans", "pending", "closes"}).Draw(t, "habit")
		s := legal(t, habit == "mints")
		p := play(t, s, reference.Options{Habit: habit, Seed: rapid.Uint64().Draw(t, "seed")}, nil)
		if d := p.differs(t, s); d != nil {
			t.Fatalf("%s\n%s\n%s", d, s.JSON(), p)
		}
	})
}

func TestNoAnswerIsFaithfulToAnotherScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mints := rapid.Bool().Draw(t, "mints")
		habit := ""
		if mints {
			habit = "mints"
		}
		s := legal(t, mints)
		p := play(t, s, reference.Options{Habit: habit, Seed: rapid.Uint64().Draw(t, "seed")}, nil)
		other := rapid.SampledFrom(script.Mutations(s, p.in)).Draw(t, "mutation")
		d := p.differs(t, other.Script)
		if d == nil {
			t.Fatalf("%s\nis not noticed. The script was\n%s\nthe answer is\n%s", other, s.JSON(), p)
		}
		if d.GaveUp {
			t.Fatal(d.Summary())
		}
	})
}
