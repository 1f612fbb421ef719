package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A machine is the state behind a recording: the run that is open, the session around it, both ends of its
// pipes, and the application. Invariant: a record that was dropped has changed nothing that a rule reads.
type machine struct {
	*verifier.Engine
	limits  verifier.Limits
	profile int
	class   int
	decoder *record.Decoder
	stream  *assistant.Machine // of the assistant message that is open

	run        run
	turn       turn
	message    message
	rest       rest
	retry      retry
	compaction compaction
	summary    summary
	queue      queue
	pipe       pipe
	replaced   replaced
	dialogs    map[string]*dialog
	entries    entries
	lifecycle  lifecycle
	host       host

	digester  value.Digester
	scratch   []byte
	outputs   int  // records of standard output so far
	piped     bool // something of the pipes was seen
	idBytes   int
	textBytes int
	limit     exceeded
}

func newMachine(e *verifier.Engine, o Options, profile int, d *record.Decoder) *machine {
	m := &machine{
		Engine: e, limits: o.Limits, profile: profile, decoder: d,
		stream: assistant.NewMachine(e, o.Profile, o.Limits), dialogs: map[string]*dialog{},
	}
	m.turn.byID = map[string]*tool{}
	m.pipe.waiting = map[string][]*command{}
	m.entries.known = map[string]int{}
	m.host.init()
	return m
}

// observe judges one decoded record and applies what it leaves behind.
func (m *machine) observe(r *record.Record) {
	if r.Dir == record.Stdout {
		m.outputs++
	}
	m.leftOpen(r)
	if m.structure(r) {
		return
	}
	m.piped = m.piped || r.Enveloped && r.Dir <= record.Stdin
	switch r.Dir {
	case record.Stdout:
		m.stdout(r)
	case record.Stdin:
		m.stdin(r)
	case record.Exit:
		m.exits()
	case record.Ext:
		m.extension(r)
	case record.Host:
		m.hosted(r)
	}
}

// structure blames what is wrong with the record by itself and reports whether that drops it. The first
// code that drops ends the judging; faults are in order of precedence.
func (m *machine) structure(r *record.Record) (drops bool) {
	for i := range r.Faults {
		f := &r.Faults[i]
		if m.On(f.Clause) && m.Blame(f.Clause, verifier.Fault{Pointer: f.Pointer, Detail: f.Detail}) {
			return true
		}
	}
	return false
}

func (m *machine) stdout(r *record.Record) {
	if r.Type.OfRun() {
		m.ofRun(r)
		return
	}
	switch r.Type {
	case record.Settled:
		m.settled(r)
	case record.QueueUpdate:
		m.queueUpdate(r)
	case record.CompactionStart:
		m.compactionStart(r)
	case record.CompactionEnd:
		m.compactionEnd(r)
	case record.RetryStart:
		m.retryStart(r)
	case record.RetryEnd:
		m.retryEnd(r)
	case record.SummaryScheduled:
		m.summaryScheduled()
	case record.SummaryAttempt:
		m.summaryAttempt(r)
	case record.SummaryFinished:
		m.summaryFinished()
	case record.EntryAppended:
		m.entryAppended(r)
	case record.BashUpdate:
		m.bashUpdate(r)
	case record.Header:
		m.header()
	case record.Response:
		m.response(r)
	case record.UIRequest:
		m.uiRequest(r)
	}
}

// ofRun judges one of the ten records of a run.
func (m *machine) ofRun(r *record.Record) {
	if m.stale(r) {
		return
	}
	switch r.Type {
	case record.AgentStart:
		m.agentStart()
	case record.AgentEnd:
		m.agentEnd(r)
	case record.TurnStart:
		m.turnStart()
	case record.TurnEnd:
		m.turnEnd(r)
	case record.MessageStart:
		m.messageStart(r)
	case record.MessageUpdate:
		m.messageUpdate(r)
	case record.MessageEnd:
		m.messageEnd(r)
	case record.ToolStart:
		m.toolStart(r)
	case record.ToolUpdate:
		m.toolUpdate(r)
	case record.ToolEnd:
		m.toolEnd(r)
	}
}

// finish judges the end of the recording, at the place behind its last record.
func (m *machine) finish() {
	m.truncated()
	m.unanswered()
	m.leftOpen(nil)
	m.stream.Forget()
}

// exceeded remembers a limit that a transition reached, to be blamed behind it.
type exceeded struct {
	reached bool
	clause  verifier.ClauseID
	detail  string
}

func (m *machine) exceed(c verifier.ClauseID, format string, args ...any) {
	if !m.limit.reached {
		m.limit = exceeded{true, c, fmt.Sprintf(format, args...)}
	}
}

// recordCost is what a remembered id costs besides its bytes.
const recordCost = 256

// remember accounts for an id that has to be kept.
func (m *machine) remember(id []byte) string {
	if m.idBytes += len(id) + recordCost; m.idBytes > m.limits.IDBytes {
		m.exceed(rules.LimitIDs, "the ids to remember take more than %d bytes", m.limits.IDBytes)
	}
	return string(id)
}

// counted reports the number of open things of one sort, which has a limit.
func (m *machine) counted(n int) {
	if n > m.limits.Open {
		m.exceed(rules.LimitOpen, "more than %d items are open at once", m.limits.Open)
	}
}

// text returns what a JSON value says; nil where it is no string.
func text(json []byte) []byte {
	if len(json) == 0 || json[0] != '"' {
		return nil
	}
	t, _ := scan.Text(json, nil)
	return t
}

// says reports whether a JSON value is that string.
func says(json []byte, plain string) bool {
	if len(json) == 0 || json[0] != '"' {
		return false
	}
	return scan.SameName(json[1:len(json)-1], plain)
}

// sumOf is the digest of a JSON value, all zero for none.
func (m *machine) sumOf(json []byte) value.Sum {
	if json == nil {
		return value.Sum{}
	}
	return m.digester.Sum(json)
}

// at is a place to point to.
func at(p verifier.Place) *verifier.Place { return &p }
