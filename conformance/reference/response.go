package reference

import (
	"errors"
	"net/http"
)

// A response is what goes out: an event stream that begins with its first event.
type response struct {
	w       http.ResponseWriter
	request *http.Request
	control *http.ResponseController
	habits  *habits
	rewrite rewriter // nil for one that changes nothing
	sent    int      // events
	held    []byte   // what a response has that is sent at its end only
}

func newResponse(w http.ResponseWriter, q *http.Request, h *habits) *response {
	r := &response{w: w, request: q, control: http.NewResponseController(w), habits: h}
	if h.rewrite != nil {
		r.rewrite = h.rewrite()
	}
	return r
}

// send sends an event, or what a habit makes of it.
func (r *response) send(e event) error {
	if r.rewrite == nil {
		return r.write(e.json())
	}
	for _, e := range r.rewrite(e) {
		if err := r.write(e.json()); err != nil {
			return err
		}
	}
	return nil
}

func (r *response) write(data []byte) error {
	n := r.sent
	r.sent++
	if r.habits.write != nil {
		return r.habits.write(r, n, data)
	}
	return r.frame(data)
}

// frame sends the data of one event at once.
func (r *response) frame(data []byte) error {
	r.begin()
	if _, err := r.w.Write(framed(data)); err != nil {
		return err
	}
	return r.flush()
}

func framed(data []byte) []byte {
	return append(append([]byte("data: "), data...), "\n\n"...)
}

func (r *response) flush() error {
	if err := r.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// begin sends the head, once.
func (r *response) begin() {
	h := r.w.Header()
	if h.Get("Content-Type") != "" {
		return
	}
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	status := http.StatusOK
	if r.habits.contentType != "" {
		h.Set("Content-Type", r.habits.contentType)
	}
	if r.habits.status != 0 {
		status = r.habits.status
	}
	r.w.WriteHeader(status)
}

// end sends what is left.
func (r *response) end() error {
	r.begin()
	_, err := r.w.Write(r.held)
	return err
}
