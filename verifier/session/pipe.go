package session

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A pipe is what the client has sent and the process has not yet answered.
type pipe struct {
	waiting map[string][]*command // by type and id, in the order sent
	count   int
	key     []byte
	piece   []byte // of a line that has not ended

	clears, compacts, replaces int // commands of these sorts that wait

	started   int // prompts that were answered with started, and whose run has not begun
	addedAt   int // the last addition to a queue
	settledAt int // the last agent_settled
}

// A command is one line that the client has sent.
type command struct {
	typ      string
	at       verifier.Place
	since    string // of get_entries
	hasSince bool
	behaves  bool // a prompt with streamingBehavior

	// Of bash.
	output  []byte
	updates int
	vague   bool // another bash has the same id: whose output it is is not known
}

// claim reports whether the run that begins was announced by a started.
func (p *pipe) claim() bool {
	if p.started == 0 {
		return false
	}
	p.started--
	return true
}

// mayClear reports whether the client may have emptied the queue just now. Standard output alone does not
// show what it has asked for.
func (p *pipe) mayClear(class int) bool { return class != transcriptClass || p.clears > 0 }

func (m *machine) stdin(r *record.Record) {
	switch {
	case r.Raw != nil:
		m.takePiece(r.Raw)
	case r.JSON != nil:
		m.line(r.JSON)
	}
}

// takePiece joins pieces of standard input to lines.
func (m *machine) takePiece(raw []byte) {
	p := &m.pipe
	p.piece = value.AppendText(p.piece, raw)
	if len(p.piece) > m.limits.EventBytes {
		m.exceed(rules.LimitEventBytes, "a line of standard input is bigger than %d bytes", m.limits.EventBytes)
		p.piece = nil
		return
	}
	for {
		line, rest, ended := bytes.Cut(p.piece, []byte{'\n'})
		if !ended {
			break
		}
		m.lineText(bytes.TrimSuffix(line, []byte{'\r'}))
		p.piece = append(p.piece[:0], rest...)
	}
}

// lastLine takes what is left of standard input as a line, as the process does at the end of it.
func (m *machine) lastLine() {
	if len(m.pipe.piece) > 0 {
		m.lineText(m.pipe.piece)
		m.pipe.piece = m.pipe.piece[:0]
	}
}

// lineText takes a line that may be anything.
func (m *machine) lineText(line []byte) {
	switch value.Examine(line, m.limits.Depth) {
	case value.TooDeep:
		m.exceed(rules.LimitDepth, "a line of standard input is nested deeper than %d", m.limits.Depth)
	case value.NotJSON:
		m.send(&command{typ: "parse"}, nil)
	default:
		m.line(line)
	}
}

// line takes a line that is JSON.
func (m *machine) line(json []byte) {
	json = json[scan.Space(json, 0):]
	if json[0] != '{' {
		m.send(&command{}, nil)
		return
	}
	typ := text(scan.Member(json, "type"))
	switch string(typ) {
	case "extension_ui_response":
		m.uiAnswer(json)
		return
	case "get_state", "get_messages", "get_entries":
		m.judgeSnapshot(typ)
	}
	c := &command{typ: string(typ), behaves: scan.Member(json, "streamingBehavior") != nil}
	if since := scan.Member(json, "since"); c.typ == "get_entries" && since != nil && since[0] == '"' {
		c.since, c.hasSince = string(text(since)), true
	}
	m.send(c, scan.Member(json, "id"))
}

// send notes a command that waits for its response.
func (m *machine) send(c *command, id []byte) {
	p := &m.pipe
	c.at = *m.Place()
	key := p.keyOf([]byte(c.typ), id)
	p.waiting[string(key)] = append(p.waiting[string(key)], c)
	p.count++
	p.note(c.typ, 1)
	m.counted(p.count)
	if c.typ == bash {
		for _, other := range p.waiting[string(key)] {
			other.vague = len(p.waiting[string(key)]) > 1
		}
	}
}

// keyOf is what a response has in common with its command: the type, and the id with its JSON type.
func (p *pipe) keyOf(typ, id []byte) []byte {
	p.key = append(append(p.key[:0], typ...), 0)
	if t := text(id); t != nil {
		p.key = append(append(p.key, '"'), t...)
	} else if id != nil && id[0] != 'n' {
		sum := value.Digest(id)
		p.key = append(append(p.key, '#'), sum[:]...)
	}
	return p.key
}

func (m *machine) response(r *record.Record) {
	var c *command
	if m.class == transcriptClass {
		if c = m.answered(r); c == nil {
			if m.On(rules.RunCutReplaced) && m.run.open && replaces(r) {
				m.blameCut(rules.RunCutReplaced, byReplacement)
			}
			if m.On(rules.ResponseUnknown) {
				m.Blame(rules.ResponseUnknown, verifier.Fault{ID: string(r.Text(record.ID)), Entity: "response", Detail: m.noCommand(r)})
			}
			return
		}
	}
	typ := string(r.Text(record.Command))
	m.judgeResponse(r)
	if isReplacement(typ) {
		m.replacement(r, typ)
	}
	if typ == clearQueue && r.True(record.Success) && m.queue.leaving.cleared {
		m.queue.leaving.pending = false
	}
	if c != nil {
		m.judgeAnswerTo(c, r)
	}
}

func (m *machine) noCommand(r *record.Record) string {
	detail := "no command of type " + verifier.Shown(string(r.Text(record.Command)))
	if !r.Has(record.Command) {
		detail = "no line without a type"
	}
	if id := r.Value(record.ID); id != nil {
		detail += " with the id " + verifier.Shown(string(id))
	} else {
		detail += " without an id"
	}
	return detail + " waits for a response"
}

// answered takes the command that a response answers; nil without one. A last line that had no line end
// counts as sent when it is answered.
func (m *machine) answered(r *record.Record) *command {
	key := m.pipe.keyOf(r.Text(record.Command), r.Value(record.ID))
	if len(m.pipe.waiting[string(key)]) == 0 && m.isPending(key) {
		m.lastLine()
	}
	return m.pipe.take(r)
}

// isPending reports whether the piece of a line that has not ended is the command with that key.
func (m *machine) isPending(key []byte) bool {
	line := m.pipe.piece
	if len(line) == 0 {
		return false
	}
	want := string(key)
	switch value.Examine(line, m.limits.Depth) {
	case value.TooDeep:
		return false
	case value.NotJSON:
		return string(m.pipe.keyOf([]byte("parse"), nil)) == want
	}
	line = line[scan.Space(line, 0):]
	if line[0] != '{' {
		return string(m.pipe.keyOf(nil, nil)) == want
	}
	return string(m.pipe.keyOf(text(scan.Member(line, "type")), scan.Member(line, "id"))) == want
}

func (p *pipe) take(r *record.Record) *command {
	key := p.keyOf(r.Text(record.Command), r.Value(record.ID))
	list := p.waiting[string(key)]
	if len(list) == 0 {
		return nil
	}
	c := list[0]
	if len(list) == 1 {
		delete(p.waiting, string(key))
	} else {
		p.waiting[string(key)] = list[1:]
	}
	p.count--
	p.note(c.typ, -1)
	return c
}

// judgeResponse judges what every response has.
func (m *machine) judgeResponse(r *record.Record) {
	if !r.True(record.Success) {
		if m.On(rules.ResponseShapeFailure) && r.Has(record.Data) {
			m.Blame(rules.ResponseShapeFailure, verifier.Fault{Entity: "response", Pointer: r.Pointer(record.Data), Detail: "a failure has data"})
		}
		if m.On(rules.ResponseShapeError) && !r.Has(record.Error) {
			m.Blame(rules.ResponseShapeError, verifier.Fault{Entity: "response", Detail: `a failure has no "error"`})
		}
		return
	}
	if m.On(rules.ResponseShapeData) && r.DataFault != "" {
		m.Blame(rules.ResponseShapeData, verifier.Fault{Entity: "response", Pointer: cmp.Or(r.DataPointer, r.Pointer(record.Data)), Detail: r.DataFault})
	}
}

// judgeAnswerTo judges a response by the command that it answers.
func (m *machine) judgeAnswerTo(c *command, r *record.Record) {
	switch c.typ {
	case "prompt", "steer", "follow_up":
		m.judgeDisposition(c, r)
	case "abort":
		m.judgeAborted(c, r)
	case "compact":
		m.judgeCompacted(c, r)
	case bash:
		m.judgeBash(c, r)
	case "get_state":
		m.judgeState(r)
	case "get_entries":
		m.judgeEntries(c, r)
	case "get_fork_messages":
		m.forkMessages(r)
	}
}

func (m *machine) judgeDisposition(c *command, r *record.Record) {
	if !r.True(record.Success) || m.profile != rules.Pi1x {
		return
	}
	prompt := c.typ == "prompt"
	busy := m.run.open || m.rest.unsettled
	f := verifier.Fault{Entity: "response", Pointer: r.Pointer(record.Data) + "/disposition", Cause: &c.at}
	switch string(text(scan.Member(r.Value(record.Data), "disposition"))) {
	case "started":
		m.judgeStarted(c, busy, f)
	case "queued":
		if m.On(rules.DispositionQueued) && m.pipe.addedAt <= c.at.Index {
			f.Detail = "queued, and no queue_update has added anything since the command was sent"
			m.Blame(rules.DispositionQueued, f)
		}
		if m.On(rules.DispositionSettled) && prompt && !busy {
			f.Detail = "a prompt is queued, and no run is open that would take it"
			m.Blame(rules.DispositionSettled, f)
		}
		if m.On(rules.DispositionBehavior) && prompt && m.run.open && !c.behaves {
			f.Detail = "a prompt without streamingBehavior is queued in a run, where it fails"
			m.Blame(rules.DispositionBehavior, f)
		}
	}
}

// judgeStarted judges a started by the run that is open or has not settled: it may be the one that this
// prompt has started, which then came too early, or another.
func (m *machine) judgeStarted(c *command, busy bool, f verifier.Fault) {
	switch {
	case !busy:
		m.pipe.started++
	case m.run.open && !m.run.claimed && m.run.at.Index > c.at.Index:
		m.run.claimed = true
		if m.On(rules.RunBeforeResponse) {
			f.Cause, f.Detail = &m.run.at, fmt.Sprintf("started after the agent_start of record %d", m.run.at.Index)
			m.Blame(rules.RunBeforeResponse, f)
		}
	case m.On(rules.DispositionStarted):
		f.Cause, f.Detail = &m.run.at, fmt.Sprintf("started while the run of record %d is open or has not settled", m.run.at.Index)
		m.Blame(rules.DispositionStarted, f)
	}
}

// judgeAborted judges the answer to abort by what it should have waited for: the run that was open, until
// the session has settled. What begins after that is another matter.
func (m *machine) judgeAborted(c *command, r *record.Record) {
	if m.pipe.settledAt > c.at.Index || !r.True(record.Success) {
		return
	}
	if m.run.open {
		if ended := m.rest.ended && m.rest.at.Index > c.at.Index; m.profile == rules.Pi073 && ended {
			return
		}
		if m.On(rules.AbortEarlyRun) {
			m.Blame(rules.AbortEarlyRun, verifier.Fault{Entity: "response", Cause: &m.run.at, Detail: fmt.Sprintf("abort is answered while the run of record %d is open", m.run.at.Index)})
		}
		return
	}
	if m.On(rules.AbortEarlySettled) && m.rest.unsettled {
		m.Blame(rules.AbortEarlySettled, verifier.Fault{Entity: "response", Cause: at(m.rest.at), Detail: "abort is answered before agent_settled"})
	}
}

// judgeCompacted judges the answer to compact. One that fails at once has no compaction; with several in
// flight it is not known whose that is.
func (m *machine) judgeCompacted(c *command, r *record.Record) {
	x := &m.compaction
	success, alone := r.True(record.Success), m.pipe.compacts == 0
	running := x.open && x.reason == "manual" && x.at.Index > c.at.Index
	ended := x.manualEnded && x.manualEnd.Index > c.at.Index
	f := verifier.Fault{Entity: "response", Cause: &c.at}
	if m.On(rules.CompactResponseEarly) && (running && (success || alone) || success && !ended && !running) {
		f.Detail = "compact is answered before compaction_end"
		m.Blame(rules.CompactResponseEarly, f)
		return
	}
	if m.On(rules.CompactResponseOutcome) && ended && success != x.manualGave && (success || alone) {
		f.Cause, f.Detail = at(x.manualEnd), fmt.Sprintf("success is %t, and compaction_end has no result", success)
		if x.manualGave {
			f.Detail = "a failure, and compaction_end has a result"
		}
		m.Blame(rules.CompactResponseOutcome, f)
	}
}

// unanswered judges what waits at the end of the recording.
func (m *machine) unanswered() {
	m.lastLine()
	if !m.On(rules.ResponseMissing) || m.pipe.count == 0 {
		return
	}
	var first *command
	var names []string
	for _, list := range m.pipe.waiting {
		for _, c := range list {
			if names = append(names, cmp.Or(c.typ, "a line without a type")); first == nil || c.at.Index < first.at.Index {
				first = c
			}
		}
	}
	slices.Sort(names)
	m.Blame(rules.ResponseMissing, verifier.Fault{Entity: "end of recording", Cause: &first.at, Detail: "without a response: " + verifier.Listed(names)})
}
