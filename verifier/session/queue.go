package session

import (
	"slices"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
	"github.com/agentstream/conformance/verifier/value"
)

// A queue is what waits to be sent: the sum of each text.
type queue struct {
	steering, followUp []value.Sum
	nextSteering       []value.Sum // of the record being judged
	nextFollowUp       []value.Sum
	at                 verifier.Place // of the last change
	leaving            leaving
}

func (q *queue) len() int { return len(q.steering) + len(q.followUp) }

// leaving is a message that has left the queue in a run and has to be sent now.
type leaving struct {
	pending bool
	sum     value.Sum
	at      verifier.Place
	cleared bool // perhaps it was the client that emptied the queue
	early   bool // if it is sent, it is a follow-up that leaves too early
	clause  verifier.ClauseID
	lost    bool // one that had left before was not sent until then
}

// change says how a queue changed.
type change uint8

const (
	unchanged change = iota
	added
	removed
	jumped
)

// changeOf compares a list with what it was. Removed is the position of the one that left.
func changeOf(before, after []value.Sum) (c change, position int) {
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		n++
	}
	switch {
	case n == len(before) && n == len(after):
		return unchanged, 0
	case n == len(before) && len(after) == n+1:
		return added, n
	case len(before) == len(after)+1 && slices.Equal(before[n+1:], after[n:]):
		return removed, n
	}
	return jumped, 0
}

func (m *machine) queueUpdate(r *record.Record) {
	q := &m.queue
	q.nextSteering = m.sums(q.nextSteering[:0], r.Value(record.Steering))
	q.nextFollowUp = m.sums(q.nextFollowUp[:0], r.Value(record.FollowUp))
	m.counted(len(q.nextSteering) + len(q.nextFollowUp))
	steering, i := changeOf(q.steering, q.nextSteering)
	followUp, j := changeOf(q.followUp, q.nextFollowUp)
	emptied := len(q.nextSteering)+len(q.nextFollowUp) == 0
	jumps := steering == jumped || followUp == jumped || steering != unchanged && followUp != unchanged
	if m.On(rules.QueueJump) && jumps && !emptied {
		m.Blame(rules.QueueJump, verifier.Fault{Entity: "queue", Cause: m.queueCause(), Detail: "more than one message was added or removed, or one not at the end"})
	}
	switch {
	case jumps:
	case steering == added || followUp == added:
		m.pipe.addedAt = m.Place().Index
	case steering == removed:
		m.removedFrom(q.steering[i], false, emptied)
	case followUp == removed:
		m.removedFrom(q.followUp[j], true, emptied)
	}
	q.steering, q.nextSteering = q.nextSteering, q.steering
	q.followUp, q.nextFollowUp = q.nextFollowUp, q.followUp
	q.at = *m.Place()
}

func (m *machine) queueCause() *verifier.Place {
	if m.queue.len() == 0 {
		return nil
	}
	return at(m.queue.at)
}

// sums appends the sum of each text of a list.
func (m *machine) sums(dst []value.Sum, list []byte) []value.Sum {
	for _, v := range scan.EachElement(list) {
		var t []byte
		if v[0] == '"' {
			t, m.scratch = scan.Text(v, m.scratch[:0])
		}
		dst = append(dst, value.DigestText(t))
	}
	return dst
}

// removedFrom takes a message that has left a queue. It is sent next, unless the queue was cleared, which
// looks the same where it was the last one.
func (m *machine) removedFrom(sum value.Sum, followUp, emptied bool) {
	m.rest.caused = true
	l := leaving{pending: m.run.open, sum: sum, at: *m.Place(), cleared: emptied && m.profile == rules.Pi1x && m.pipe.mayClear(m.class)}
	e := &m.run.ended
	switch {
	case !followUp:
	case len(m.queue.nextSteering) > 0:
		m.judgeEarly(rules.FollowUpEarlySteering, l.at)
	case m.turn.open && !m.turn.assistant && e.goesOn && !e.failed:
		l.early, l.clause = true, rules.FollowUpEarlyTools
	}
	if l.early && !l.cleared {
		m.judgeEarly(l.clause, l.at)
		l.early = false
	}
	l.lost = m.queue.leaving.pending
	m.queue.leaving = l
}

func (m *machine) judgeEarly(c verifier.ClauseID, cause verifier.Place) {
	if !m.On(c) {
		return
	}
	detail := "a follow-up leaves the queue while steering messages are queued"
	if c == rules.FollowUpEarlyTools {
		detail, cause = "a follow-up leaves the queue after a turn with tool calls that go on", m.run.ended.at
	} else {
		cause = m.queue.at
	}
	m.Blame(c, verifier.Fault{Entity: "queue", Cause: &cause, Detail: detail})
}

// leaves reports whether a message is the one that has just left the queue.
func (m *machine) leaves(msg []byte) bool {
	return m.queue.leaving.pending && hasText(msg, m.queue.leaving.sum)
}

// judgeLeft judges the record of a run that follows a removal: it is the user message with that text.
func (m *machine) judgeLeft(who role, msg []byte) {
	l := m.queue.leaving
	m.queue.leaving.pending = false
	sent := who == userRole && msg != nil && hasText(msg, l.sum)
	if sent && l.early {
		m.judgeEarly(l.clause, l.at)
	}
	if m.On(rules.QueueLost) && (l.lost || !sent && !(l.cleared && m.class == transcriptClass)) {
		m.Blame(rules.QueueLost, verifier.Fault{Entity: "queue", Cause: &l.at, Detail: "a message has left the queue, and the next record of the run is not that message"})
	}
}

// hasText reports whether a message says what was queued. One with images may say more: it has hints for
// them in its text.
func hasText(msg []byte, sum value.Sum) bool {
	content := scan.Member(msg, "content")
	if t := text(content); t != nil {
		return value.DigestText(t) == sum
	}
	if len(content) == 0 || content[0] != '[' {
		return false
	}
	for _, b := range scan.EachElement(content) {
		if says(scan.Member(b, "type"), "image") || value.DigestText(text(scan.Member(b, "text"))) == sum {
			return true
		}
	}
	return false
}
