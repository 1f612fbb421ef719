package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// A snapshot is how far a host is with putting a snapshot and live events together, in one gen.
type snapshot struct {
	subscribed bool
	listed     bool            // get_entries was answered
	awaited    map[string]bool // entries of that which were not applied
	applied    map[string]bool
	live       bool

	aside     map[int64]bool // seqs that were put aside
	handled   map[int64]bool // and replayed or skipped
	buffered  int64          // the last that was put aside
	replayed  int64          // or replayed or skipped
	delivered int64
	last      verifier.Place // of the last buffer
}

func (s *snapshot) reset() {
	*s = snapshot{awaited: map[string]bool{}, applied: map[string]bool{}, aside: map[int64]bool{}, handled: map[int64]bool{}}
}

// lists takes the entries that get_entries has given.
func (h *host) lists(ids map[string]bool) {
	s := &h.snapshot
	if !h.bound {
		return
	}
	s.listed = true
	for id := range ids {
		if !s.applied[id] {
			s.awaited[id] = true
		}
	}
}

// judgeSnapshot judges a request for a snapshot, which comes after live events are received.
func (m *machine) judgeSnapshot(typ []byte) {
	h := &m.host
	if m.On(rules.SnapshotBeforeSubscribe) && h.bound && !h.snapshot.subscribed {
		m.Blame(rules.SnapshotBeforeSubscribe, verifier.Fault{Entity: "host", Cause: at(h.boundAt), Detail: fmt.Sprintf("%s before subscribe", typ)})
	}
}

func (m *machine) rehydrates(r *record.Record) {
	s, seq := &m.host.snapshot, r.Number(record.Seq)
	switch r.Type {
	case record.Subscribe:
		s.subscribed = true
	case record.Buffer:
		m.judgeSequence(rules.SequenceOrderBuffer, r, seq, &s.buffered, s.buffered)
		s.aside[seq], s.last = true, *m.Place()
		m.counted(len(s.aside))
	case record.Apply:
		m.apply(r)
	case record.Replay, record.Skip:
		m.replays(r, seq)
	case record.Live:
		if left := s.unhandled(); m.On(rules.GateOrderLive) && left > 0 {
			m.Blame(rules.GateOrderLive, verifier.Fault{Entity: "host", Cause: at(s.last), Detail: fmt.Sprintf("live, and %d buffered events were neither replayed nor skipped", left)})
		}
		s.live = true
	case record.Deliver:
		if m.On(rules.GateOrderDeliver) && !s.live {
			m.Blame(rules.GateOrderDeliver, verifier.Fault{Entity: "host", Detail: "deliver before live"})
		}
		m.judgeSequence(rules.SequenceOrderDeliver, r, seq, &s.delivered, max(s.delivered, s.buffered))
	}
}

// unhandled is how many of the events put aside were neither replayed nor skipped.
func (s *snapshot) unhandled() (n int) {
	for seq := range s.aside {
		if !s.handled[seq] {
			n++
		}
	}
	return n
}

// judgeSequence blames a seq that does not follow the one before, and takes it.
func (m *machine) judgeSequence(c verifier.ClauseID, r *record.Record, seq int64, last *int64, before int64) {
	if m.On(c) && seq != before+1 {
		m.Blame(c, verifier.Fault{Entity: "host", Pointer: r.Pointer(record.Seq), Detail: fmt.Sprintf("%s has seq %d, the next is %d", r.Type, seq, before+1)})
	}
	*last = max(seq, before)
}

func (m *machine) apply(r *record.Record) {
	s, entry := &m.host.snapshot, r.Text(record.Entry)
	if m.On(rules.EntryTwiceApply) && s.applied[string(entry)] {
		m.Blame(rules.EntryTwiceApply, verifier.Fault{ID: string(entry), Entity: "entry", Pointer: r.Pointer(record.Entry), Detail: fmt.Sprintf("entry %q was applied before", verifier.Shown(string(entry)))})
		return
	}
	s.applied[m.remember(entry)] = true
	delete(s.awaited, string(entry))
}

func (m *machine) replays(r *record.Record, seq int64) {
	s := &m.host.snapshot
	f := verifier.Fault{Entity: "host"}
	switch {
	case !s.listed:
		f.Detail = fmt.Sprintf("%s before get_entries was answered", r.Type)
	case len(s.awaited) > 0:
		f.Detail = fmt.Sprintf("%s before %d entries of the snapshot were applied", r.Type, len(s.awaited))
	}
	if m.On(rules.GateOrderReplay) && f.Detail != "" && m.piped {
		m.Blame(rules.GateOrderReplay, f)
	}
	m.judgeSequence(rules.SequenceOrderReplay, r, seq, &s.replayed, s.replayed)
	s.handled[seq] = true
	m.counted(len(s.handled))
	if entry := r.Text(record.Entry); r.Type == record.Skip && m.On(rules.EntryTwiceSkip) && !s.applied[string(entry)] {
		m.Blame(rules.EntryTwiceSkip, verifier.Fault{ID: string(entry), Entity: "entry", Pointer: r.Pointer(record.Entry), Detail: fmt.Sprintf("entry %q was not applied", verifier.Shown(string(entry)))})
	}
}
