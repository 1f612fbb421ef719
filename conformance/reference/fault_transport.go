package reference

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/agentstream/conformance/baseline"
)

// What goes wrong outside of the events. These need no wrong event: the connection, the head, or the time is at fault.

const (
	waiting = `[{"text":{"id":"m1","stream":["first"]}},{"gate":{"name":"a"}},{"text":{"id":"m2","stream":["second"]}}]`
	illegal = `[{"text":{"id":"m1","stream":["x"]}},{"emit":{"event":{"type":"TEXT_MESSAGE_END","messageId":"m1"}}},{"text":{"id":"m2","stream":["y"]}}]`
)

func transportFaults() []Habit {
	return []Habit{
		{Name: "never-starts", Does: "takes the request and answers nothing", Script: oneText, Cause: LimitTime,
			habits: habits{instead: func(q *http.Request, _ *request) error { return hang(q) }}},
		{Name: "hangs", Does: "stops in the middle of the stream and keeps the connection", Script: oneText, Cause: LimitTime,
			habits: habits{write: from(2, func(r *response, _ []byte) error { return r.hang() })}},
		{Name: "endless", Does: "never stops sending", Script: oneText, Cause: LimitEvents,
			habits: habits{write: from(1, endless)}},
		{Name: "buffers", Does: "keeps all events until the run has ended", Script: waiting, Cause: LimitTime,
			habits: habits{write: func(r *response, _ int, data []byte) error { r.held = append(r.held, framed(data)...); return nil }}},
		{Name: "cut", Does: "breaks off in the middle of an event", Script: oneText, Cause: Lost,
			habits: habits{write: from(2, cut)}},
		{Name: "resets", Does: "resets the connection in the middle of the stream", Script: oneText, Cause: Lost,
			habits: habits{write: from(2, func(r *response, _ []byte) error { return reset(r.control) })}},
		{Name: "drops-connection", Does: "closes the connection without an answer", Script: oneText, Cause: Lost,
			habits: habits{instead: func(*http.Request, *request) error { return errCut }}},
		{Name: "status-500", Does: "streams under the status 500", Script: oneText, Cause: HTTP, habits: habits{status: http.StatusInternalServerError}},
		{Name: "status-202", Does: "streams under the status 202", Script: oneText, Cause: HTTP, habits: habits{status: http.StatusAccepted}},
		{Name: "content-type", Does: "streams as application/json", Script: oneText, Cause: HTTP, habits: habits{contentType: "application/json"}},
		{Name: "refuses", Does: "answers 400 to what it must run", Script: oneText, Cause: HTTP,
			habits: habits{instead: unless(func(*request) bool { return false })}},
		{Name: "unsupported", Does: "declares what it answers 501 to", Script: oneText, Cause: Status501,
			habits: habits{instead: func(*http.Request, *request) error {
				return &refusal{http.StatusNotImplemented, map[string]any{"conformance": map[string]any{"unsupported": []string{"text"}}}}
			}}},
		{Name: "crashes", Does: "does not survive a panic of the agent", Script: `[{"text":{"id":"m1","stream":["x",{"panic":{"message":"boom"}}]}}]`, Cause: Lost,
			habits: habits{crashes: true}},
		{Name: "unguarded", Does: "sends an illegal event that the agent emits", Script: illegal, Clause: "not-open/text", Cause: Rule,
			habits: habits{unguarded: true}},
		{Name: "sulks", Does: "runs no more when a client has gone away at a gate", Script: waiting, Abort: "a", Cause: LimitTime, habits: habits{sulks: true}},
		{Name: "refuses-newer", Does: "refuses a client of a newer minor version", Script: oneText, Input: `{"protocolVersion":"1.7"}`, Cause: HTTP,
			habits: habits{instead: unless(func(r *request) bool { return r.version == version })}},
		{Name: "refuses-unknown", Does: "refuses an input with a member that it does not know", Script: oneText, Input: `{"acme":1}`, Cause: HTTP,
			habits: habits{instead: unless(func(r *request) bool { return membersOf(r.input)["acme"] == nil })}},
		{Name: "needs-tools", Does: "refuses an input without tools", Script: oneText, Input: `{"tools":null}`, Cause: HTTP,
			habits: habits{instead: unless(func(r *request) bool { return membersOf(r.input)["tools"] != nil })}},
		{Name: "tolerates", Does: "runs what is no input", Script: oneText, Body: `{"threadId":`, Cause: HTTP, habits: habits{tolerates: true}},
		{Name: "echoes-version", Does: "declares the client's version for its own", Script: oneText, Input: `{"protocolVersion":"1.7"}`, Cause: Expectation,
			habits: habits{echoes: true}},
		{Name: "no-version", Does: "declares no version", Script: oneText, Cause: Expectation, habits: rewriting(first(baseline.RunStarted, lacking("protocolVersion")))},
	}
}

// unless refuses what does not have to be refused.
func unless(runs func(r *request) bool) func(*http.Request, *request) error {
	return func(_ *http.Request, r *request) error {
		if runs(r) {
			return nil
		}
		return refuse(http.StatusBadRequest, errors.New("no such input"))
	}
}

// from lets the first n events go out, and does something else for what follows.
func from(n int, do func(r *response, data []byte) error) func(r *response, i int, data []byte) error {
	return func(r *response, i int, data []byte) error {
		if i < n {
			return r.frame(data)
		}
		return do(r, data)
	}
}

// hang waits until the client is gone.
func hang(q *http.Request) error {
	<-q.Context().Done()
	return errCut
}

func (r *response) hang() error { return hang(r.request) }

// sulk remembers that a client has gone away.
type sulk struct {
	mu   sync.Mutex
	hurt bool
}

// alone waits until no other run is under way, so that how it ended is known. What it returns has to be called at the run's end.
func (s *sulk) alone(q *http.Request) (end func()) {
	s.mu.Lock()
	return func() {
		s.hurt = s.hurt || q.Context().Err() != nil
		s.mu.Unlock()
	}
}

// endless sends one event again and again.
func endless(r *response, _ []byte) error {
	for {
		if err := r.frame([]byte(`{"type":"CUSTOM","name":"app.tick","value":null}`)); err != nil {
			return err
		}
	}
}

// cut sends half an event.
func cut(r *response, data []byte) error {
	frame := framed(data)
	if _, err := r.w.Write(frame[:len(frame)/2]); err != nil {
		return err
	}
	return errors.Join(r.flush(), errCut)
}

// reset ends the connection by a reset, which loses what was not yet read.
func reset(control *http.ResponseController) error {
	c, _, err := control.Hijack()
	if err != nil {
		return err
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	return errors.Join(c.Close(), errHijacked)
}

// errHijacked ends a run whose connection is not the server's any more.
var errHijacked = errors.New("hijacked")

// slowly is how long a slow agent thinks before each event.
const slowly = 20 * time.Millisecond

func slow(r *response, _ int, data []byte) error {
	time.Sleep(slowly)
	return r.frame(data)
}
