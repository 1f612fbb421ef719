// Package reference is the agent that plays scripts exactly as docs/scripted-agent.md says: an HTTP server that declares every
// feature, and a table of small changes to it, each of which makes it a faulty one (Faults) or another faithful one
// (Liberties). It tests the kit, so it reads scripts and writes events on its own.
package reference

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Options change how the agent behaves. The zero value is right.
type Options struct {
	// Seed decides how parallel branches mix. The same request gets the same stream for one seed.
	Seed uint64
	// CloseBeforeError ends what is open before RUN_ERROR; otherwise it stays open.
	CloseBeforeError bool
	// Habit names one of Faults or Liberties.
	Habit string
	// Warn, if set, is told what an operator should know. Several runs may call it at once.
	Warn func(text string)
}

// New returns a server: POST runs a script, or opens a gate where the query has one; GET describes it. It keeps nothing
// between requests but the gates at which runs wait. It panics if there is no such habit.
func New(o Options) http.Handler {
	s := &server{options: o, habits: &habits{}}
	if o.Habit != "" {
		h, ok := find(o.Habit)
		if !ok {
			panic(fmt.Sprintf("reference: there is no habit %q", o.Habit))
		}
		s.habits = &h.habits
	}
	s.options.CloseBeforeError = o.CloseBeforeError || s.habits.closes
	return s
}

type server struct {
	options Options
	habits  *habits
	gates   gates
	sulk    sulk
}

func (s *server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	gate := q.URL.Query()["gate"]
	switch {
	case q.Method == http.MethodPost && len(gate) == 1:
		s.open(w, gate[0])
	case q.Method == http.MethodPost:
		s.post(w, q)
	case q.Method == http.MethodGet || q.Method == http.MethodHead:
		answer(w, http.StatusOK, map[string]any{"conformance": s.description()})
	default:
		w.Header().Set("Allow", "GET, POST")
		answer(w, http.StatusMethodNotAllowed, map[string]any{"error": "GET describes this agent, POST runs it"})
	}
}

func (s *server) open(w http.ResponseWriter, gate string) {
	if s.gates.open(gate) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer(w, http.StatusNotFound, map[string]any{"error": "no run waits at this gate"})
}

func (s *server) post(w http.ResponseWriter, q *http.Request) {
	err := s.run(w, q)
	if refused := (*refusal)(nil); errors.As(err, &refused) {
		answer(w, refused.status, refused.body)
	} else if errors.Is(err, errCut) {
		panic(http.ErrAbortHandler) // the body stays without its end
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		status, data = http.StatusInternalServerError, nil
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// warn: a client of any version is served, and answered by this agent's own.
func (s *server) warn(r *request) {
	if s.options.Warn != nil && r.version != "" && r.version != version {
		s.options.Warn(fmt.Sprintf("run %q: the client declares protocolVersion %q, this agent speaks %s", r.run, r.version, version))
	}
}

// accept reads a request that is to be run; the error is a refusal, or breaks off.
func (s *server) accept(w http.ResponseWriter, q *http.Request) (*request, error) {
	r, err := readRequest(w, q)
	switch {
	case err != nil && s.habits.tolerates:
		return &request{input: jsontext.Value(`{}`), thread: "t", run: "r"}, nil
	case err == nil && s.habits.instead != nil:
		err = s.habits.instead(q, r)
	}
	return r, err
}

// run plays the script of a request. The error is a refusal, or about the connection.
func (s *server) run(w http.ResponseWriter, q *http.Request) error {
	r, err := s.accept(w, q)
	if err != nil {
		return err
	}
	if s.habits.sulks {
		defer s.sulk.alone(q)()
		if s.sulk.hurt {
			return hang(q)
		}
	}
	s.warn(r)
	a := &agent{
		request: r, options: s.options, habits: s.habits, gates: &s.gates, mixer: newMixer(s.random(r)),
		ids: ids{mint: s.habits.mints}, response: newResponse(w, q, s.habits), answered: map[string]bool{},
	}
	if !s.habits.unguarded {
		if a.guard, err = newGuard(r); err != nil {
			return refuse(http.StatusBadRequest, err) // nested deeper than the guard reads
		}
	}
	if err := a.play(q.Context()); err != nil {
		return err
	}
	return a.response.end()
}

// random returns what mixes the branches of a request.
func (s *server) random(r *request) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write(r.input)
	return rand.New(rand.NewPCG(s.options.Seed, h.Sum64()))
}

// features are those of the contract that the agent can say: all but the binary binding.
func features() []string {
	return []string{
		"role", "name", "chunks", "nested", "reopen", "ids", "parent", "tool-result", "parts", "version", "guard", "reasoning", "span", "encrypted",
		"step", "parallel", "subagent", "unannounced", "state", "state-delta", "messages-snapshot", "activity", "custom", "raw", "emit",
		"interrupt", "cancel", "code", "result", "usage", "pending", "metadata", "replay", "echo", "gate", "panic", "early-fail", "http",
	}
}

func (s *server) description() any {
	can := slices.DeleteFunc(features(), func(f string) bool { return f == "ids" && s.habits.mints })
	return jsontext.Value(event{}.with("version", contract).with("subject", "reference").with("sdk", "agentstream").
		with("sdkVersion", version).with("driver", "sdk").with("features", can).json())
}
