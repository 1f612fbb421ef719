package spec

// An event is a record as the rules see it.
type event struct {
	index int
	typ   string
	root  *node
}

func (e *event) get(name string) *node { return e.root.get(name) }

// History is what was accepted, in order. All state is asked of it.
type history []*event

// Kinds of blocks and what the events of one do to it.
type part struct{ kind, role string }

var parts = map[string]part{
	"text_start": {"text", "start"}, "text_delta": {"text", "delta"}, "text_end": {"text", "end"},
	"thinking_start": {"thinking", "start"}, "thinking_delta": {"thinking", "delta"}, "thinking_end": {"thinking", "end"},
	"toolcall_start": {"tool", "start"}, "toolcall_delta": {"tool", "delta"}, "toolcall_end": {"tool", "end"},
	"tool_call_start": {"tool", "start"}, "tool_call_delta": {"tool", "delta"}, "tool_call_end": {"tool", "end"},
}

func (e *event) kind() string { return parts[e.typ].kind }
func (e *event) role() string { return parts[e.typ].role }

func (e *event) terminal() bool { return e.typ == "done" || e.typ == "error" }

// contentIndex is the event's index, and whether it has one.
func (e *event) contentIndex() (float64, bool) {
	n := e.get("contentIndex")
	return n.num, n.is('#')
}

// first is the first event that is so.
func (h history) first(is func(e *event) bool) *event {
	for _, e := range h {
		if is(e) {
			return e
		}
	}
	return nil
}

func (h history) started() *event {
	return h.first(func(e *event) bool { return e.typ == "start" })
}

func (h history) ended() *event { return h.first((*event).terminal) }

// A block is the events of one, found in the history.
type piece struct {
	number int // its place among all blocks
	start  *event
	deltas []*event
	end    *event
}

// blocks lists all of them in the order of their starts.
func (h history) blocks() []*piece {
	var out []*piece
	for i, e := range h {
		if e.role() != "start" {
			continue
		}
		b := &piece{number: len(out), start: e}
		for _, later := range h[i+1:] {
			if b.end == nil && b.takes(later) {
				b.add(later)
			}
		}
		out = append(out, b)
	}
	return out
}

// takes tells whether an accepted event is one of the block's: it is of that kind and has that index.
func (b *piece) takes(e *event) bool {
	mine, _ := b.start.contentIndex()
	its, ok := e.contentIndex()
	return e.kind() == b.start.kind() && e.role() != "start" && ok && its == mine
}

func (b *piece) add(e *event) {
	if e.role() == "end" {
		b.end = e
		return
	}
	b.deltas = append(b.deltas, e)
}

func (b *piece) kind() string { return b.start.kind() }
func (b *piece) open() bool   { return b.end == nil }

// openBlocks are the blocks that were not ended.
func (h history) openBlocks() []*piece {
	var out []*piece
	for _, b := range h.blocks() {
		if b.open() {
			out = append(out, b)
		}
	}
	return out
}

// of is the block that an event continues or ends, nil where none is open.
func (h history) of(e *event) *piece {
	for _, b := range h.openBlocks() {
		if b.takes(e) {
			return b
		}
	}
	return nil
}

// joined is the text of a block's deltas; ok is false where one of them has no text.
func (b *piece) joined() (t text, ok bool) {
	for _, d := range b.deltas {
		some, known := appended(d.delta())
		if !known {
			return nil, false
		}
		t = append(t, some...)
	}
	return t, true
}

func (e *event) delta() *node {
	if e.typ == "tool_call_delta" {
		return e.get("argumentsDelta")
	}
	return e.get("delta")
}

// appended is what JavaScript appends to a string for a value. Arrays and objects are not judged further.
func appended(n *node) (text, bool) {
	switch n.sort {
	case '"':
		return n.text, true
	case '#':
		return units(spelled(n.num)), true
	case 'b':
		if n.flag {
			return units("true"), true
		}
		return units("false"), true
	case 'n':
		return units("null"), true
	case 'u':
		return units("undefined"), true
	}
	return nil, false
}
