package subject

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/agentstream/conformance/verifier/wire"
)

// What ends a request from this side.
var (
	errHungUp = errors.New("hung up")
	errTime   = errors.New("the request took too long")
)

// describeBytes is the most that a description may have.
const describeBytes = 1 << 20

// HTTP is a server by its address. It is safe for several requests at once.
type HTTP struct {
	address *url.URL
	header  http.Header // of every request; never shown
	limits  Limits
	client  *http.Client
}

// NewHTTP returns the subject behind an http or https address. header goes with every request and is never shown or kept.
func NewHTTP(address string, header http.Header, l Limits) (*HTTP, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: %w", address, errors.Unwrap(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no http or https address", address)
	}
	dial := net.Dialer{Timeout: l.Connect}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dial.DialContext,
		TLSHandshakeTimeout: l.Connect,
		DisableCompression:  true, // the bytes are kept as they come
		MaxIdleConnsPerHost: 64,
	}
	return &HTTP{address: u, header: header, limits: l, client: &http.Client{Transport: transport, CheckRedirect: noRedirect}}, nil
}

// noRedirect: a redirect is an answer, and the header may be a secret of the first server's.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Name is the address without user information.
func (h *HTTP) Name() string { return h.address.Redacted() }

// Close lets go of idle connections.
func (h *HTTP) Close() error {
	h.client.CloseIdleConnections()
	return nil
}

// Describe gets the description; a server that answers anything else has none.
func (h *HTTP) Describe(ctx context.Context) (d Description, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.limits.Request)
	defer cancel()
	q, err := h.request(ctx, http.MethodGet, h.address.String(), nil)
	if err != nil {
		return d, err
	}
	q.Header.Set("Accept", "application/json")
	p, err := h.client.Do(q)
	if err != nil {
		return d, plain(err)
	}
	defer p.Body.Close()
	body, err := io.ReadAll(io.LimitReader(p.Body, describeBytes))
	if err != nil {
		return d, plain(err)
	}
	var said struct{ Conformance Description }
	if p.StatusCode != http.StatusOK || json.Unmarshal(body, &said) != nil {
		return d, nil
	}
	return said.Conformance, nil
}

func (h *HTTP) request(ctx context.Context, method, address string, body io.Reader) (*http.Request, error) {
	q, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	for name, values := range h.header {
		q.Header[name] = values
	}
	q.Header.Set("User-Agent", "agent-stream-conformance")
	return q, nil
}

// Send posts the request and reads the response to its end.
func (h *HTTP) Send(ctx context.Context, r *Request) (*Response, error) {
	ctx, stop := context.WithTimeoutCause(ctx, h.limits.Request, errTime)
	defer stop()
	ctx, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	q, err := h.request(ctx, http.MethodPost, h.address.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", cmp.Or(r.Accept, EventStream))
	for name, values := range r.Header {
		q.Header[name] = values
	}
	p, err := h.client.Do(q)
	if err != nil {
		return ended(ctx, &Response{}, err)
	}
	defer p.Body.Close()
	call := &Call{hangUp: hangUp, open: func(gate string) error { return h.open(ctx, gate) }}
	out := &Response{Status: p.StatusCode, Header: p.Header}
	return ended(ctx, out, h.read(out, p.Body, r, call))
}

// read reads the body, event by event where it is a stream.
func (h *HTTP) read(out *Response, body io.Reader, r *Request, call *Call) error {
	t := &taker{in: body, out: out, limit: h.limits.Bytes, began: time.Now()}
	if !out.IsStream() {
		_, err := io.Copy(io.Discard, t)
		return err
	}
	return out.readEvents(t, func(data []byte) error {
		if most := h.limits.Events; len(out.Events) > most {
			out.Events = out.Events[:most]
			return limit{LimitEvents, fmt.Sprintf("the response has more than %d events", h.limits.Events)}
		}
		if r.Event != nil {
			r.Event(data, call)
		}
		return nil
	})
}

// readEvents reads the frames of a stream as they come, and tells each.
func (r *Response) readEvents(body io.Reader, each func(data []byte) error) error {
	frames := wire.NewReader(body, wire.Options{Format: wire.SSE})
	for {
		f, err := frames.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		r.Events = append(r.Events, bytes.Clone(f.Data))
		if err := each(f.Data); err != nil {
			return err
		}
	}
}

// open asks the server to open a gate. While nobody waits at it yet, it asks again.
func (h *HTTP) open(ctx context.Context, gate string) error {
	u := *h.address
	query := u.Query()
	query.Set("gate", gate)
	u.RawQuery = query.Encode()
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		q, err := h.request(ctx, http.MethodPost, u.String(), nil)
		if err != nil {
			return err
		}
		p, err := h.client.Do(q)
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(p.Body, describeBytes))
		p.Body.Close()
		switch {
		case p.StatusCode/100 == 2:
			return nil
		case p.StatusCode != http.StatusNotFound:
			return fmt.Errorf("opening gate %s: %s", gate, p.Status)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

// A taker keeps what is read through it, up to a limit.
type taker struct {
	in    io.Reader
	out   *Response
	limit int64
	began time.Time
}

func (t *taker) Read(b []byte) (int, error) {
	n, err := t.in.Read(b)
	if t.limit -= int64(n); t.limit < 0 {
		return 0, limit{LimitBytes, "the response is too long"}
	}
	if n > 0 {
		t.out.Chunks = append(t.out.Chunks, Chunk{Data: bytes.Clone(b[:n]), After: time.Since(t.began)})
	}
	return n, err
}

// A limit is an error that says which one was reached.
type limit struct {
	cause  Cause
	detail string
}

func (l limit) Error() string { return l.detail }

// ended notes in the response what ended it early. What is neither the subject's doing nor a limit is an error.
func ended(ctx context.Context, out *Response, err error) (*Response, error) {
	if err == nil {
		return out, nil
	}
	var l limit
	why := context.Cause(ctx)
	switch {
	case errors.As(err, &l):
		out.Cause, out.Detail = l.cause, l.detail
	case errors.Is(why, errHungUp):
		out.Cause = HungUp
	case errors.Is(why, errTime):
		out.Cause, out.Detail = LimitTime, errTime.Error()
	case why != nil:
		return nil, why
	case out.Status == 0 && isDial(err):
		out.Cause, out.Detail = Refused, plain(err).Error()
	default:
		out.Cause, out.Detail = Lost, plain(err).Error()
	}
	return out, nil
}

func isDial(err error) bool {
	var o *net.OpError
	return errors.As(err, &o) && o.Op == "dial"
}

// plain takes method and address off an error of the client: messages name the subject themselves.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func mediaType(h http.Header) string {
	t, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return t
}
