package subject

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

// served returns a subject behind a server of its own.
func served(t *testing.T, handler http.HandlerFunc, change ...func(*Limits)) *HTTP {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	l := DefaultLimits()
	for _, c := range change {
		c(&l)
	}
	h, err := NewHTTP(server.URL, nil, l)
	assert.NilError(t, err)
	t.Cleanup(func() { h.Close() })
	return h
}

func sent(t *testing.T, s Subject, r *Request) *Response {
	t.Helper()
	p, err := s.Send(t.Context(), r)
	assert.NilError(t, err)
	return p
}

func stream(w http.ResponseWriter, frames ...string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, f := range frames {
		fmt.Fprintf(w, "data: %s\n\n", f)
		w.(http.Flusher).Flush()
	}
}

func TestAResponseIsKeptAsItCame(t *testing.T) {
	h := served(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Check(t, cmp.Equal(r.Header.Get("Accept"), EventStream))
		assert.Check(t, cmp.Equal(r.Header.Get("Content-Type"), "application/json"))
		w.Header().Set("X-Trace", "7")
		stream(w, `{"a":1}`, `{"b":2}`)
	})
	p := sent(t, h, &Request{Body: []byte("{}")})
	assert.Equal(t, p.Status, 200)
	assert.Equal(t, p.Header.Get("X-Trace"), "7")
	assert.Equal(t, string(bytes.Join(p.Events, []byte("|"))), `{"a":1}|{"b":2}`)
	assert.Equal(t, string(p.Body()), "data: {\"a\":1}\n\ndata: {\"b\":2}\n\n")
	assert.Equal(t, p.Cause, Cause(""))
}

func TestAnEventIsToldWhenItComesAndGatesAreOpened(t *testing.T) {
	gate := make(chan string, 1)
	var asked atomic.Int32
	h := served(t, func(w http.ResponseWriter, r *http.Request) {
		if g := r.URL.Query().Get("gate"); g != "" {
			if asked.Add(1) < 3 {
				w.WriteHeader(http.StatusNotFound) // nobody waits yet
				return
			}
			gate <- g
			w.WriteHeader(http.StatusNoContent)
			return
		}
		stream(w, `{"n":1}`)
		stream(w, fmt.Sprintf("%q", <-gate))
	})
	p := sent(t, h, &Request{Event: func(data []byte, c *Call) {
		if string(data) == `{"n":1}` {
			assert.Check(t, c.Open("r1/a"))
		}
	}})
	assert.Equal(t, string(bytes.Join(p.Events, []byte("|"))), `{"n":1}|"r1/a"`)
}

func TestHangingUpEndsTheRequestAndIsSaid(t *testing.T) {
	gone := make(chan struct{})
	h := served(t, func(w http.ResponseWriter, r *http.Request) {
		stream(w, `{}`)
		<-r.Context().Done()
		close(gone)
	})
	p := sent(t, h, &Request{Event: func(_ []byte, c *Call) { c.HangUp() }})
	assert.Equal(t, p.Cause, HungUp)
	<-gone
}

func TestLimitsEndAResponseAndAreNoRules(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			stream(w, `{"type":"RAW","event":1}`)
		}
	}
	hanging := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, x := range map[string]struct {
		handler http.HandlerFunc
		limit   func(*Limits)
		cause   Cause
	}{
		"hanging before the head":   {hanging, func(l *Limits) { l.Request = 50 * time.Millisecond }, LimitTime},
		"hanging behind the head":   {func(w http.ResponseWriter, r *http.Request) { stream(w, `{}`); hanging(w, r) }, func(l *Limits) { l.Request = 50 * time.Millisecond }, LimitTime},
		"endless bytes":             {endless, func(l *Limits) { l.Bytes = 10_000 }, LimitBytes},
		"endless events":            {endless, func(l *Limits) { l.Events = 100 }, LimitEvents},
		"endless, of no stream":     {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); endless(w, r) }, func(l *Limits) { l.Bytes = 10_000 }, LimitBytes},
		"just below the limit":      {func(w http.ResponseWriter, _ *http.Request) { stream(w, `{}`, `{}`) }, func(l *Limits) { l.Events, l.Bytes = 2, 24 }, ""},
		"slow, but below the limit": {func(w http.ResponseWriter, _ *http.Request) { time.Sleep(100 * time.Millisecond); stream(w, `{}`) }, func(*Limits) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sent(t, served(t, x.handler, x.limit), &Request{})
			assert.Equal(t, p.Cause, x.cause, p.Detail)
		})
	}
}

func TestABrokenConnectionIsSaid(t *testing.T) {
	h := served(t, func(w http.ResponseWriter, _ *http.Request) {
		stream(w, `{"n":1}`)
		conn, _, err := w.(http.Hijacker).Hijack()
		assert.Check(t, err)
		conn.Close()
	})
	p := sent(t, h, &Request{})
	assert.Equal(t, p.Cause, Lost)
	assert.Equal(t, len(p.Events), 1)
}

func TestNobodyThereIsSaid(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NilError(t, err)
	address := "http://" + l.Addr().String()
	l.Close()
	h, err := NewHTTP(address, nil, DefaultLimits())
	assert.NilError(t, err)
	assert.Equal(t, sent(t, h, &Request{}).Cause, Refused)
}

func TestACancelledContextIsThisSidesError(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("Ctrl-C")
	h := served(t, func(w http.ResponseWriter, r *http.Request) { stream(w, `{}`); <-r.Context().Done() })
	_, err := h.Send(ctx, &Request{Event: func([]byte, *Call) { cancel(why) }})
	assert.ErrorIs(t, err, why)
}

func TestARedirectIsAnAnswerAndIsNotFollowed(t *testing.T) {
	h := served(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
	})
	assert.Equal(t, sent(t, h, &Request{}).Status, http.StatusTemporaryRedirect)
}

func TestHeadersGoWithEachRequestAndAreNotInTheName(t *testing.T) {
	var seen atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer secret" {
			seen.Add(1)
		}
	}))
	t.Cleanup(server.Close)
	h, err := NewHTTP(strings.Replace(server.URL, "//", "//user:hidden@", 1), http.Header{"Authorization": {"Bearer secret"}}, DefaultLimits())
	assert.NilError(t, err)
	sent(t, h, &Request{})
	_, err = h.Describe(t.Context())
	assert.NilError(t, err)
	assert.Equal(t, seen.Load(), int32(2))
	assert.Assert(t, !strings.Contains(h.Name(), "hidden") && !strings.Contains(h.Name(), "secret"), h.Name())
}

func TestADescriptionIsReadAndAnythingElseIsNone(t *testing.T) {
	for body, want := range map[string]string{
		`{"conformance":{"version":1,"subject":"go","driver":"sdk","features":["step"]}}`: "go sdk [step]",
		`{"hello":"world"}`: "  []",
		`<html>`:            "  []",
		``:                  "  []",
	} {
		h := served(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
		d, err := h.Describe(t.Context())
		assert.NilError(t, err)
		assert.Equal(t, fmt.Sprintf("%s %s %s", d.Subject, d.Driver, d.Features), want)
	}
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	for _, address := range []string{"", "localhost:80", "ftp://host/", "http://", "http://[::1", "http:///path"} {
		_, err := NewHTTP(address, nil, DefaultLimits())
		assert.Check(t, err != nil, address)
	}
}
