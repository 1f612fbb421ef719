package session

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// A host is the application around the agent, by what it writes down.
type host struct {
	bound    bool
	gen      int64 // of the last bind
	boundAt  verifier.Place
	shutdown bool // the session of this gen was shut down
	torn     torn
	tornAt   verifier.Place // the last step
	unasked  bool           // it was blamed for being torn down without a shutdown

	shown   map[string]*shown // dialogs, by id
	open    int
	leaving bool // dialogs have to be closed now
	cause   verifier.Place

	snapshot snapshot
}

// torn is the set of steps that a teardown has gone through.
type torn uint8

const (
	invalidated torn = 1 << iota
	disposed
)

// A shown is a dialog that the host has shown.
type shown struct {
	id       string
	at       verifier.Place
	closed   bool
	closedAt verifier.Place
	late     bool // nobody waits for its answer any more
	left     bool // it was blamed for staying open
}

func (h *host) init() {
	h.shown = map[string]*shown{}
	h.snapshot.reset()
}

func (m *machine) hosted(r *record.Record) {
	h, gen := &m.host, r.Number(record.Gen)
	ending := r.Type == record.Invalidate || r.Type == record.Dispose
	if early := !h.bound && !ending || h.bound && gen > h.gen; early && r.Type != record.Bind {
		return // what it says of a gen that is not bound is not judged, but for its end
	}
	if h.bound && gen < h.gen && !ending {
		if m.On(rules.StaleGeneration) {
			m.Blame(rules.StaleGeneration, verifier.Fault{Entity: "host", Pointer: r.Pointer(record.Gen), Cause: &h.boundAt, Detail: fmt.Sprintf("%s of gen %d, after gen %d was bound", r.Type, gen, h.gen)})
		}
		if r.Type != record.UIClose {
			return
		}
	}
	if h.bound && gen < h.gen && ending {
		return // the bind before it was blamed for coming too early
	}
	switch r.Type {
	case record.Bind:
		m.bind(gen)
	case record.Invalidate:
		m.tears(r, invalidated)
		m.closes()
	case record.Dispose:
		m.tears(r, disposed)
		m.closes()
	case record.UIOpen:
		m.uiOpen(r)
	case record.UIClose:
		m.uiClose(r)
	case record.WindowClose:
		m.closes()
	default:
		m.rehydrates(r)
	}
}

func (m *machine) bind(gen int64) {
	h := &m.host
	if h.bound {
		f := verifier.Fault{Entity: "host", Cause: at(h.boundAt)}
		switch {
		case h.torn&disposed == 0:
			f.Detail = fmt.Sprintf("bind of gen %d, and gen %d was not disposed of", gen, h.gen)
		case gen != h.gen+1:
			f.Detail = fmt.Sprintf("bind of gen %d after gen %d", gen, h.gen)
		}
		if m.On(rules.TeardownOrder) && f.Detail != "" {
			m.Blame(rules.TeardownOrder, f)
		}
		m.closes()
	}
	h.bound, h.gen, h.boundAt, h.shutdown, h.torn, h.unasked = true, gen, *m.Place(), false, 0, false
	h.snapshot.reset()
}

// tears judges one step of a teardown: shutdown, where an extension tells of it, then invalidate, then dispose.
// Each is judged by whether the step before it has come; so of two that are swapped the first is at fault.
func (m *machine) tears(r *record.Record, step torn) {
	h := &m.host
	f := verifier.Fault{Entity: "host", Cause: m.tornCause()}
	switch {
	case !h.bound:
		f.Detail = fmt.Sprintf("%s before any bind", r.Type)
	case step == invalidated && m.lifecycle.seen && !h.shutdown:
		f.Detail = "invalidate before session_shutdown"
	case h.torn&step != 0:
		f.Detail = fmt.Sprintf("a second %s of gen %d", r.Type, h.gen)
	case step == disposed && h.torn&invalidated == 0:
		f.Detail = "dispose before invalidate"
	}
	if m.On(rules.TeardownOrder) && f.Detail != "" {
		m.Blame(rules.TeardownOrder, f)
		h.unasked = step == invalidated
	}
	h.torn, h.tornAt = h.torn|step, *m.Place()
}

func (m *machine) tornCause() *verifier.Place {
	switch {
	case m.host.torn != 0:
		return at(m.host.tornAt)
	case m.host.bound:
		return at(m.host.boundAt)
	}
	return nil
}

// judgeRebound judges a session_start after a shutdown: by then the next gen is bound. After a reload the
// runtime is the same.
func (m *machine) judgeRebound(reason string) {
	h := &m.host
	if !m.On(rules.TeardownOrder) || !h.bound || !m.lifecycle.over || m.lifecycle.reason == reload {
		return
	}
	if h.boundAt.Index < m.lifecycle.overAt.Index {
		m.Blame(rules.TeardownOrder, verifier.Fault{Entity: "host", Cause: at(m.lifecycle.overAt), Detail: "session_start before the next gen is bound"})
	}
}

// exits notes that the process has ended.
func (m *machine) exits() { m.closes() }

// closes begins the time in which all dialogs have to be closed: until the next record that closes none.
func (m *machine) closes() {
	if h := &m.host; !h.leaving && h.open > 0 {
		h.leaving, h.cause = true, *m.Place()
	}
}

// leftOpen judges a record that comes while all dialogs have to be closed; nil at the end.
func (m *machine) leftOpen(r *record.Record) {
	h := &m.host
	if !h.leaving || r != nil && r.Dir == record.Host && r.Type == record.UIClose {
		return
	}
	h.leaving = false
	if h.open == 0 {
		return
	}
	h.open = 0
	for _, d := range h.openDialogs() {
		if d.left = true; m.On(rules.UILeftOpen) {
			m.Blame(rules.UILeftOpen, verifier.Fault{ID: d.id, Entity: "dialog", Cause: &d.at, Detail: fmt.Sprintf("dialog %q is still open after record %d", verifier.Shown(d.id), h.cause.Index)})
		}
	}
}

// openDialogs returns the dialogs that are open, in the order opened.
func (h *host) openDialogs() []*shown {
	var open []*shown
	for _, d := range h.shown {
		if !d.closed && !d.left {
			open = append(open, d)
		}
	}
	slices.SortFunc(open, func(a, b *shown) int { return a.at.Index - b.at.Index })
	return open
}

func (m *machine) uiOpen(r *record.Record) {
	h, id := &m.host, r.Text(record.ID)
	if call := r.Text(record.ToolCallID); m.On(rules.ApprovalUnbound) && call != nil && m.piped {
		if c := m.turn.byID[string(call)]; c == nil || !c.shared && !c.open() {
			m.Blame(rules.ApprovalUnbound, verifier.Fault{ID: string(id), Entity: "dialog", Pointer: r.Pointer(record.ToolCallID), Detail: fmt.Sprintf("tool %q is not running", verifier.Shown(string(call)))})
		}
	}
	d := h.shown[string(id)]
	if d == nil {
		d = &shown{id: m.remember(id), closed: true}
		h.shown[d.id] = d
	}
	if d.closed || d.left {
		h.open++
		m.counted(h.open)
	}
	*d = shown{id: d.id, at: *m.Place()}
}

func (m *machine) uiClose(r *record.Record) {
	h, id := &m.host, r.Text(record.ID)
	d := h.shown[string(id)]
	if d == nil {
		return
	}
	if d.closed {
		if m.On(rules.UICloseTwice) {
			m.Blame(rules.UICloseTwice, verifier.Fault{ID: string(id), Entity: "dialog", Cause: &d.closedAt, Detail: fmt.Sprintf("dialog %q was closed at record %d", verifier.Shown(string(id)), d.closedAt.Index)})
		}
		return
	}
	if !d.left {
		h.open--
	}
	cause := string(r.Text(record.Cause))
	d.closed, d.closedAt, d.late = true, *m.Place(), cause == "timeout" || cause == "exit" || cause == "window"
}

// judgeLate blames an answer for a dialog that nobody waits for.
func (m *machine) judgeLate(id []byte) {
	if d := m.host.shown[string(id)]; m.On(rules.UILateAnswer) && d != nil && d.late {
		m.Blame(rules.UILateAnswer, verifier.Fault{ID: string(id), Entity: "dialog", Cause: &d.closedAt, Detail: fmt.Sprintf("dialog %q was closed at record %d", verifier.Shown(string(id)), d.closedAt.Index)})
	}
}
