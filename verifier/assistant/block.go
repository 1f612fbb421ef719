package assistant

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/value"
)

// A block is what is known of one index. Of a block that has ended a sum is left.
type block struct {
	kind     event.Block
	bare     bool   // it ended without a delta and without content
	doubtful bool   // its text is legal only if it was redacted, which is not known
	draft    *draft // while it is open
	sum      value.Sum
	at       int // index of the event that ended it
}

// A draft is what has come of an open block: the id and the name of a call, then the joined deltas.
type draft struct {
	opener   verifier.Place
	id, name int // how many bytes of buf they are
	heard    bool
	buf      []byte
}

func (d *draft) idText() []byte   { return d.buf[:d.id] }
func (d *draft) nameText() []byte { return d.buf[d.id : d.id+d.name] }
func (d *draft) joined() []byte   { return d.buf[d.id+d.name:] }

// blockCost is what a block costs for good.
const blockCost = 128

func (m *Machine) blockStart(e *event.Event) (dropped bool) {
	n, ok := value.Index(e.Value(event.ContentIndex))
	next := len(m.blocks)
	if (!ok || n != next) && m.On(rules.IndexGap) && m.Blame(rules.IndexGap, verifier.Fault{
		Entity: "blocks", Pointer: e.Pointer(event.ContentIndex),
		Detail: fmt.Sprintf("a %s starts at index %s; the next is %d", e.Block, verifier.Shown(string(e.Value(event.ContentIndex))), next),
	}) {
		return true
	}
	if m.open == m.limits.Open {
		m.exceed(rules.LimitOpen, "more than %d blocks are open", m.limits.Open)
	}
	if (next+1)*blockCost > m.limits.IDBytes {
		m.exceed(rules.LimitIDs, "the blocks to remember take more than %d bytes", m.limits.IDBytes)
	}
	d := m.draft()
	if e.Block == event.ToolCall {
		m.nameCall(d, e, next)
	}
	m.blocks = append(m.blocks, block{kind: e.Block, draft: d})
	m.open++
	m.count(len(d.buf))
	return false
}

// draft returns an empty one, whose opener is the event being judged.
func (m *Machine) draft() *draft {
	if n := len(m.spare); n > 0 {
		d := m.spare[n-1]
		m.spare = m.spare[:n-1]
		*d = draft{opener: *m.Place(), buf: d.buf[:0]}
		return d
	}
	return &draft{opener: *m.Place()}
}

// maxSpare is how many drafts of ended blocks are kept for the next, maxSpareBytes how big their memory may be.
const (
	maxSpare      = 64
	maxSpareBytes = 64 << 10
)

func (m *Machine) release(d *draft) {
	m.bytes -= len(d.buf)
	if len(m.spare) < maxSpare && cap(d.buf) <= maxSpareBytes {
		m.spare = append(m.spare, d)
	}
}

// nameCall keeps the id and the name that a call starts with: the event has them, or the block of the
// message so far. One that was not sent is empty.
func (m *Machine) nameCall(d *draft, e *event.Event, index int) {
	id, name := e.Text(event.ID), e.Text(event.Name)
	if partial := e.Value(event.Partial); partial != nil && (id == nil || name == nil) {
		shown := event.PartOf(element(scan.Member(partial, "content"), index))
		if id == nil {
			id = event.Quoted(shown.ID)
		}
		if name == nil {
			name = event.Quoted(shown.Name)
		}
	}
	if id != nil {
		d.buf = append(d.buf, m.text(id)...)
	}
	d.id = len(d.buf)
	if name != nil {
		d.buf = append(d.buf, m.text(name)...)
	}
	d.name = len(d.buf) - d.id
}

// element returns an element of an array; nil where there is none.
func element(array []byte, index int) []byte {
	if len(array) == 0 || array[0] != '[' {
		return nil
	}
	for i, v := range scan.EachElement(array) {
		if i == index {
			return v
		}
	}
	return nil
}

var notOpen = [...]verifier.ClauseID{event.Text: rules.NotOpenText, event.Thinking: rules.NotOpenThinking, event.ToolCall: rules.NotOpenToolCall}

// openBlock returns the index of the open block that an event continues or ends, and blames the event
// where there is none.
func (m *Machine) openBlock(e *event.Event) (index int, ok bool) {
	n, ok := value.Index(e.Value(event.ContentIndex))
	ok = ok && n < len(m.blocks)
	if ok && m.blocks[n].draft != nil && m.blocks[n].kind == e.Block {
		return n, true
	}
	if c := notOpen[e.Block]; m.On(c) {
		f := verifier.Fault{Pointer: e.Pointer(event.ContentIndex), Entity: "blocks"}
		shown := verifier.Shown(string(e.Value(event.ContentIndex)))
		switch {
		case !ok:
			f.Detail = fmt.Sprintf("%s for index %s, where no block has started", e.Type, shown)
		case m.blocks[n].draft == nil:
			f.Detail = fmt.Sprintf("%s for the %s at index %d, which ended at event %d", e.Type, m.blocks[n].kind, n, m.blocks[n].at)
			f.Cause, f.Entity = &verifier.Place{Index: m.blocks[n].at}, entity(n)
		default:
			f.Detail = fmt.Sprintf("%s for index %d, where a %s is open", e.Type, n, m.blocks[n].kind)
			f.Cause, f.Entity = &m.blocks[n].draft.opener, entity(n)
		}
		m.Blame(c, f)
	}
	return 0, false
}

func entity(index int) string { return "block " + strconv.Itoa(index) }

func (m *Machine) blockDelta(e *event.Event) (dropped bool) {
	n, ok := m.openBlock(e)
	if !ok {
		return true
	}
	d := m.blocks[n].draft
	d.heard = true
	if delta := e.Text(event.Delta); delta != nil {
		before := len(d.buf)
		d.buf = value.AppendText(d.buf, delta)
		m.count(len(d.buf) - before)
	}
	return false
}

// count accounts for joined text.
func (m *Machine) count(grown int) {
	if m.bytes += grown; m.bytes > m.limits.TextBytes {
		m.exceed(rules.LimitText, "the text of what is open takes more than %d bytes", m.limits.TextBytes)
	}
}

func (m *Machine) blockEnd(e *event.Event) (dropped bool) {
	n, ok := m.openBlock(e)
	if !ok {
		return true
	}
	b := &m.blocks[n]
	if b.kind == event.ToolCall {
		m.callEnd(e, n)
	} else {
		m.textEnd(e, n)
	}
	m.release(b.draft)
	b.draft, b.at = nil, m.Place().Index
	m.open--
	return false
}

// textEnd judges the end of a text or of thinking. The block is then what its end says.
func (m *Machine) textEnd(e *event.Event, n int) {
	b := &m.blocks[n]
	d := b.draft
	content := e.Text(event.Content)
	if content == nil {
		b.bare = !d.heard
		b.sum = value.DigestText(d.joined())
		return
	}
	said := m.text(content)
	b.sum = value.DigestText(said)
	if bytes.Equal(said, d.joined()) {
		return
	}
	if b.kind == event.Thinking && !d.heard {
		m.doubtRedacted(e, n)
		return
	}
	c := rules.ContentMismatchText
	if b.kind == event.Thinking {
		c = rules.ContentMismatchThinking
	}
	if m.On(c) {
		m.Blame(c, verifier.Fault{
			Entity: entity(n), Cause: &d.opener, Pointer: e.Pointer(event.Content), Detail: differs(b.kind, said, d.joined()),
		})
	}
}

// differs says where two texts part.
func differs(kind event.Block, said, joined []byte) string {
	n := 0
	for n < len(said) && n < len(joined) && said[n] == joined[n] {
		n++
	}
	return fmt.Sprintf("the %s ends with %d bytes of text, its deltas came to %d; they differ from byte %d on", kind, len(said), len(joined), n)
}

// listOpen lists the open blocks behind a prefix; empty where there are none.
func (m *Machine) listOpen(prefix string) string {
	if m.open == 0 {
		return ""
	}
	var names []string
	for _, i := range m.Open() {
		names = append(names, i.Kind+" "+i.ID)
	}
	return prefix + verifier.Listed(names)
}

// Open lists the open blocks by their index, for Engine.Dump.
func (m *Machine) Open() []verifier.Item {
	var items []verifier.Item
	for i := range m.blocks {
		if b := &m.blocks[i]; b.draft != nil {
			items = append(items, verifier.Item{Kind: b.kind.String(), ID: strconv.Itoa(i), Parent: true, Opener: b.draft.opener.Index})
		}
	}
	return items
}
