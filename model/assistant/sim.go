package assistant

import (
	"slices"

	"github.com/agentstream/conformance/baseline/pi"
)

// A sim plays the producer of one stream.
type sim struct {
	draw
	k      Knobs
	form   pi.Forms
	out    [][]byte
	blocks []*block
	over   bool // the stream had its end
	most   int
	mangle func(v value) value // spoils the next event, once
	plain  bool                // no decoration that could hide what a breakage does
}

// A block is one piece of content. What it will say is decided when it starts.
type block struct {
	kind   string // text thinking tool
	index  int
	pieces [][]uint16 // the deltas
	sent   int        // of them
	ended  bool

	said       []uint16 // text: what it joins to, or a placeholder
	redacted   bool
	id, name   string
	introduced bool // the start gave the id and the name
	args       value
	giveUp     bool  // arguments could not be read: argumentsError
	keeps      value // the members of the final block that are not compared
}

func newSim(d draw, k Knobs) *sim {
	s := &sim{draw: d, k: k, form: k.Form}
	if forms := Forms(k.Profile); s.form == 0 {
		s.form = pick(d, forms)
	}
	s.most = 2 + d.even(k.MaxEvents-1)
	return s
}

func (s *sim) dicode() bool { return s.k.Profile == DiCode }

func (s *sim) result() Stream { return Stream{s.out, s.k.Profile, s.form} }

// stream plays a whole one.
func (s *sim) stream() {
	if s.k.has(Failures) && !s.dicode() && s.chance(8) {
		s.failure()
		return
	}
	s.start()
	s.some(s.most)
	s.stop()
}

// some acts until the stream is as long as that, ends included.
func (s *sim) some(length int) {
	for room := s.room(length); room > 2 || room > 0 && len(s.openBlocks()) > 0; room = s.room(length) {
		s.act(room)
	}
}

// room is how many events may be added to what is owed.
func (s *sim) room(length int) int { return length - len(s.out) - s.owed() - 1 }

// owed is how many events are needed to end all blocks.
func (s *sim) owed() int {
	n := 0
	for _, b := range s.openBlocks() {
		n += len(b.pieces) - b.sent + 1
	}
	return n
}

// stop ends the stream in one of the legal ways.
func (s *sim) stop() {
	if s.k.has(Failures) && s.chance(25) {
		for s.chance(60) && s.owed() > 0 {
			s.forth(pick(s.draw, s.openBlocks()))
		}
		s.failure()
		return
	}
	s.endAll()
	s.done()
}

func (s *sim) endAll() {
	for open := s.openBlocks(); len(open) > 0; open = s.openBlocks() {
		s.forth(pick(s.draw, open))
	}
}

func (s *sim) openBlocks() []*block {
	var out []*block
	for _, b := range s.blocks {
		if !b.ended {
			out = append(out, b)
		}
	}
	return out
}

// act does one thing; room is how many events may be added to what is owed.
func (s *sim) act(room int) {
	open := s.openBlocks()
	may := len(open) == 0 || s.k.has(Interleaved) && s.chance(35)
	switch {
	case s.k.has(Foreign) && s.chance(1):
		s.foreign()
	case may && room > 2:
		s.open(s.kind(), room)
	case len(open) > 0:
		s.forth(pick(s.draw, open))
	}
}

func (s *sim) kind() string {
	kinds := []string{"text"}
	if s.k.has(Thinking) {
		kinds = append(kinds, "thinking")
	}
	if s.k.has(Tools) {
		kinds = append(kinds, "tool", "tool")
	}
	return pick(s.draw, kinds)
}

// forth sends what comes next of a block: a delta or its end.
func (s *sim) forth(b *block) {
	if b.sent < len(b.pieces) {
		s.delta(b)
		return
	}
	s.end(b)
}

// emit writes an event.
func (s *sim) emit(v value) {
	n := s.noise()
	if s.mangle != nil {
		v, s.mangle = s.mangle(v), nil
	}
	s.out = append(s.out, spell(n, s.k.has(Odd) && !s.plain).bytes(v))
}

func (s *sim) last() int { return len(s.out) - 1 }

// event begins an event: its type and what nobody knows.
func (s *sim) event(n *noise, typ string, ms ...member) value {
	v := object(append([]member{m("type", str(typ))}, ms...)...)
	if s.k.has(Optional) && !s.plain && n.chance(8) {
		v = v.with(among(n, []string{"seq", "x_meta", "partial2", "message_"}), among(n, []value{null, number(1), empty, array(str("x"))}))
	}
	if s.form == pi.InProcess && typ != "done" && typ != "error" {
		v = v.with("partial", s.partial(n))
	}
	return v
}

func (s *sim) start() { s.emit(s.event(s.noise(), "start")) }

func (s *sim) foreign() {
	n := s.noise()
	s.emit(s.event(n, among(n, []string{"ping", "image", "agent_settled", "TEXT_DELTA", "", "tool_call_start"})))
}

// typ is the type of a block's event.
func (s *sim) typ(kind, part string) string {
	switch {
	case kind != "tool":
		return kind + "_" + part
	case s.dicode():
		return "tool_call_" + part
	}
	return "toolcall_" + part
}

// at begins an event of a block.
func (s *sim) at(n *noise, b *block, part string, ms ...member) value {
	return s.event(n, s.typ(b.kind, part), append([]member{m("contentIndex", number(b.index))}, ms...)...)
}

// open starts a block that needs no more deltas than there is room for.
func (s *sim) open(kind string, room int) *block {
	b := s.plan(kind)
	for len(b.pieces) > max(1, room-2) {
		last := len(b.pieces) - 1
		b.pieces = append(b.pieces[:last-1:last-1], slices.Concat(b.pieces[last-1], b.pieces[last]))
	}
	return s.begin(b)
}

func (s *sim) begin(b *block) *block {
	b.index = len(s.blocks)
	s.blocks = append(s.blocks, b)
	n := s.noise()
	v := s.at(n, b, "start")
	if b.kind == "tool" {
		v = s.named(n, b, v)
	}
	s.emit(v)
	return b
}

// named gives a call's start its id and name, where the serialisation has them.
func (s *sim) named(n *noise, b *block, v value) value {
	switch {
	case s.dicode():
		return v.with("id", str(b.id)).with("name", str(b.name))
	case s.form == pi.InProcess:
		return v // they are in the partial
	case b.introduced:
		return v.with("id", str(b.id)).with("toolName", str(b.name))
	case n.chance(50):
		return v.with("id", str("")).with("toolName", str(""))
	}
	return v // a release that did not send them yet
}

func (s *sim) delta(b *block) {
	piece := m("delta", text(b.pieces[b.sent]))
	if b.kind == "tool" && s.dicode() {
		piece.name = "argumentsDelta"
	}
	b.sent++
	n := s.noise()
	s.emit(s.at(n, b, "delta", piece))
}

func (s *sim) end(b *block) {
	b.ended = true
	n := s.noise()
	if b.kind == "tool" {
		s.emit(s.at(n, b, "end", m("toolCall", s.call(b))))
		return
	}
	v := s.at(n, b, "end")
	if s.form != pi.Proxy {
		v = v.with("content", text(b.said))
	}
	if (s.form == pi.Proxy || s.form == pi.SSE) && s.k.has(Optional) && n.chance(30) {
		v = v.with("contentSignature", str("sig"))
	}
	if s.form == pi.SSE && b.kind == "thinking" && (b.redacted || n.chance(20)) && !(b.redacted && n.chance(20)) {
		v = v.with("redacted", boolean(b.redacted)) // a server may not say so
	}
	s.emit(v)
}
