package session

import (
	"fmt"
	"slices"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// A lifecycle is what an extension has seen of its sessions.
type lifecycle struct {
	seen    bool // any event
	started bool // a session_start, and no session_shutdown since
	at      verifier.Place
	over    bool // a session_shutdown, and no session_start since
	overAt  verifier.Place
	reason  string // of that
	found   bool   // resources_discover came since session_start
}

// reload is the reason of a shutdown behind which the runtime stays the same.
const reload = "reload"

func (m *machine) extension(r *record.Record) {
	l := &m.lifecycle
	l.seen = true
	if m.On(rules.LifecycleOrderShutdown) && l.over && string(r.Name) != "session_start" {
		m.Blame(rules.LifecycleOrderShutdown, verifier.Fault{Entity: "extension", Cause: at(l.overAt), Detail: fmt.Sprintf("%s after the session_shutdown of record %d", r.TypeName(), l.overAt.Index)})
	}
	switch string(r.Name) {
	case "session_start":
		m.sessionStart(string(r.Text(record.Reason)), r)
	case "resources_discover":
		m.discovers()
	case "session_shutdown":
		m.sessionShutdown(string(r.Text(record.Reason)), r)
	case "agent_start":
		if m.On(rules.LifecycleOrderRun) && !l.started && !l.over {
			m.Blame(rules.LifecycleOrderRun, verifier.Fault{Entity: "extension", Detail: "agent_start before session_start"})
		}
	}
}

func (m *machine) discovers() {
	l := &m.lifecycle
	switch f := (verifier.Fault{Entity: "extension"}); {
	case !m.On(rules.LifecycleOrderDiscover) || l.over:
	case !l.started:
		f.Detail = "resources_discover before session_start"
		m.Blame(rules.LifecycleOrderDiscover, f)
	case l.found:
		f.Cause, f.Detail = at(l.at), fmt.Sprintf("a second resources_discover after the session_start of record %d", l.at.Index)
		m.Blame(rules.LifecycleOrderDiscover, f)
	}
	l.found = true
}

func (m *machine) sessionStart(reason string, r *record.Record) {
	l := &m.lifecycle
	if m.On(rules.LifecycleOrderStart) && l.started {
		m.Blame(rules.LifecycleOrderStart, verifier.Fault{Entity: "extension", Cause: at(l.at), Detail: fmt.Sprintf("session_start after that of record %d, without session_shutdown", l.at.Index)})
	}
	m.judgeStartReason(reason, r)
	m.judgeRebound(reason)
	l.started, l.at, l.over, l.found = true, *m.Place(), false, false
}

func (m *machine) judgeStartReason(reason string, r *record.Record) {
	l := &m.lifecycle
	f := verifier.Fault{Entity: "extension", Pointer: r.Pointer(record.Reason)}
	m.judgeReason("session_start", reason, f)
	if !m.On(rules.LifecycleReasonDiffers) || reason == "" {
		return
	}
	if l.over && reason != l.reason && l.reason != "" {
		f.Cause, f.Detail = at(l.overAt), fmt.Sprintf("session_start(%s) after session_shutdown(%s)", verifier.Shown(reason), verifier.Shown(l.reason))
		m.Blame(rules.LifecycleReasonDiffers, f)
	}
}

// judgeReason blames a reason that an event does not have.
func (m *machine) judgeReason(event, reason string, f verifier.Fault) {
	if reason == "" || !m.On(rules.LifecycleReasonUnknown) {
		return
	}
	for _, e := range pi.Lifecycle() {
		if e.Type == event && !slices.Contains(e.Members[0].Values, reason) {
			f.Detail = fmt.Sprintf("%s has no reason %q", event, verifier.Shown(reason))
			m.Blame(rules.LifecycleReasonUnknown, f)
		}
	}
}

func (m *machine) sessionShutdown(reason string, r *record.Record) {
	l := &m.lifecycle
	m.judgeReason("session_shutdown", reason, verifier.Fault{Entity: "extension", Pointer: r.Pointer(record.Reason)})
	begun := m.host.torn != 0 && m.host.tornAt.Index > l.at.Index // that of this session
	if m.On(rules.TeardownOrder) && begun && !m.host.unasked && reason != reload {
		m.Blame(rules.TeardownOrder, verifier.Fault{Entity: "host", Cause: at(m.host.tornAt), Detail: "session_shutdown after the teardown of its session has begun"})
	}
	m.host.shutdown = reason != reload
	l.started, l.over, l.overAt, l.reason = false, true, *m.Place(), reason
}
