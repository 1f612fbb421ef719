package assistant

import (
	"slices"

	"github.com/agentstream/conformance/baseline/pi"
)

// plan decides what a block will say.
func (s *sim) plan(kind string) *block {
	n := s.noise()
	b := &block{kind: kind, keeps: empty}
	if kind == "tool" {
		s.planCall(n, b)
		return b
	}
	if kind == "thinking" && s.k.has(Redacted) && n.chance(20) {
		b.redacted, b.said = true, unitsOf("[Reasoning redacted]")
		return b
	}
	b.said = s.prose(n)
	b.pieces = cut(n, b.said)
	if s.k.has(Optional) && n.chance(30) {
		b.keeps = b.keeps.with(kind+"Signature", str("sig"))
	}
	return b
}

func (s *sim) planCall(n *noise, b *block) {
	b.id, b.name = among(n, ids), among(n, toolNames)
	b.introduced = !s.k.has(LateNames) || !n.chance(15)
	if s.k.has(Optional) && !s.dicode() && n.chance(20) {
		b.keeps = b.keeps.with(among(n, []string{"thoughtSignature", "namespace"}), str("x"))
	}
	switch {
	case s.dicode() && n.chance(20): // no delta: any object
		b.args = s.object(n, 0, 0)
	case s.k.has(Unparsed) && n.chance(30):
		s.planUnparsed(n, b)
	default:
		b.args = s.object(n, 0, 0)
		b.pieces = cut(n, s.written(n, b.args))
	}
}

// planUnparsed is a call whose text is no object.
func (s *sim) planUnparsed(n *noise, b *block) {
	switch n.below(5) {
	case 0:
		b.args = empty
		b.pieces = cut(n, nil)
	case 4: // a number that is not finite: a recording shows null
		b.args = object(m("a", array(number(1), null)))
		b.pieces = cut(n, unitsOf(among(n, []string{`{"a":[1,1e400]}`, `{"a":[1,-1e999]}`})))
	case 1:
		b.args = empty
		b.pieces = cut(n, unitsOf(among(n, blanks)))
	case 2:
		b.args = empty
		b.pieces = cut(n, unitsOf(among(n, unparsable)))
		b.giveUp = s.k.Profile == pi.Pi1x || n.chance(50)
	default: // repaired
		b.args = s.object(n, 0, 1)
		b.pieces = cut(n, unitsOf(among(n, unparsable)))
	}
}

// call is the toolCall of a call's end.
func (s *sim) call(b *block) value {
	kind := map[bool]string{true: "tool_call", false: "toolCall"}[s.dicode()]
	v := object(m("type", str(kind)), m("id", str(b.id)), m("name", str(b.name)), m("arguments", b.args))
	if b.giveUp {
		v = v.with("argumentsError", str("Unexpected token"))
	}
	for _, k := range b.keeps.members {
		v = v.with(k.name, k.val)
	}
	return v
}

// joined is what a block's deltas have said.
func (b *block) joined() []uint16 { return slices.Concat(b.pieces[:b.sent]...) }

// shown is a block in a message, as far as it is; ok is false where di-code leaves it out.
func (s *sim) shown(n *noise, b *block) (v value, ok bool) {
	if b.kind == "tool" {
		return s.shownCall(n, b)
	}
	said := b.joined()
	if b.ended || b.redacted {
		said = b.said
	}
	v = object(m("type", str(b.kind)), m(b.kind, text(said)))
	if s.dicode() {
		return v, true
	}
	for _, k := range b.keeps.members {
		v = v.with(k.name, k.val)
	}
	if b.redacted || b.kind == "thinking" && s.k.has(Optional) && n.chance(10) {
		v = v.with("redacted", boolean(b.redacted))
	}
	return s.extra(n, v), true
}

func (s *sim) shownCall(n *noise, b *block) (v value, ok bool) {
	switch {
	case s.dicode():
		return s.call(b), b.ended
	case b.ended:
		return s.extra(n, s.call(b)), true
	}
	v = s.call(b).without("argumentsError")
	if n.chance(50) { // as far as it could be read
		v = v.with("arguments", among(n, []value{empty, b.args, object(m("a", number(1)))}))
	}
	return s.extra(n, v), true
}

// extra is a block with a member that nobody knows.
func (s *sim) extra(n *noise, v value) value {
	if s.k.has(Optional) && !s.plain && n.chance(5) {
		return v.with("partialJson", str(`{"a`))
	}
	return v
}

func (s *sim) content(n *noise) value {
	var list []value
	for _, b := range s.blocks {
		if v, ok := s.shown(n, b); ok {
			list = append(list, v)
		}
	}
	return array(list...)
}

// message is an assistant message.
func (s *sim) message(n *noise, content value, reason string) value {
	v := object(m("role", str("assistant")), m("content", content), m("provider", str("mock")), m("model", str("mock-1")),
		m("usage", s.usage(n)), m("stopReason", str(reason)), m("timestamp", number(1796003696136)))
	if !s.dicode() {
		v = v.with("api", str("mock-api"))
	}
	if reason == "error" || reason == "aborted" {
		v = v.with("errorMessage", str("terminated"))
	}
	if !s.k.has(Optional) || s.dicode() {
		return v
	}
	for _, o := range optionalOfMessage {
		if n.chance(8) {
			v = v.with(o.name, o.val)
		}
	}
	return v
}

var optionalOfMessage = []member{
	{"responseModel", str("mock-2")}, {"responseId", str("r1")}, {"providerThinkingLevel", str("low")}, {"thinkingLevel", str("high")}, {"diagnostics", array()},
	{"rawStopReason", str("end_turn")}, {"endTurn", yes}, {"durationMs", literal("12.5")}, {"x_unknown", null},
	{"deferred", object(m("provider", str("mock")), m("id", str("d1")))},
}

func (s *sim) usage(n *noise) value {
	costs := object(m("input", number(0)), m("output", literal("0.1")), m("cacheRead", number(0)), m("cacheWrite", number(0)), m("total", literal("0.1")))
	v := object(m("input", number(1)), m("output", number(42)), m("cacheRead", number(0)), m("cacheWrite", number(0)), m("totalTokens", number(43)))
	if s.k.has(Optional) && n.chance(20) {
		costs = costs.with("totalFromProvider", boolean(n.chance(50)))
		v = v.with("cacheWrite1h", number(0)).with("reasoning", number(0))
	}
	return v.with("cost", costs)
}

// partial is the message so far. A producer that keeps one object may show more than was sent.
func (s *sim) partial(n *noise) value {
	var list []value
	ahead := n.chance(20)
	for i, b := range s.blocks {
		v, _ := s.shown(n, b)
		switch {
		case b.kind == "tool" && b.sent == 0 && !b.ended && !b.introduced && i == len(s.blocks)-1:
			v = v.with("id", str("")).with("name", str(""))
		case b.kind != "tool" && ahead:
			v = v.with(b.kind, text(b.said))
		}
		list = append(list, v)
	}
	return s.message(n, array(list...), s.soFar(n)).without("errorMessage")
}

// soFar is the reason that a message has before it is complete.
func (s *sim) soFar(n *noise) string {
	if s.k.Profile == pi.Pi1x && n.chance(90) {
		return pi.Pending
	}
	return among(n, []string{"stop", "toolUse", "length"})
}

// --- ends ---

func (s *sim) done() {
	n := s.noise()
	s.finish(n, "done", among(n, doneReasons(s.k.Profile)), s.content(n))
}

func doneReasons(profile string) []string {
	if profile == DiCode {
		return pi.DiCodeDoneReasons()
	}
	return pi.DoneReasons(profile)
}

func (s *sim) failure() {
	n := s.noise()
	content := s.content(n)
	if !s.dicode() && n.chance(20) {
		content = array() // the adapter itself failed
	}
	s.finish(n, "error", among(n, pi.ErrorReasons()), content)
}

// finish writes the end of a stream.
func (s *sim) finish(n *noise, typ, reason string, content value) {
	s.over = true
	v := s.event(n, typ, m("reason", str(reason)))
	switch {
	case s.dicode():
		v = v.with("message", s.message(n, content, reason))
	case s.form == pi.SSE || s.form == pi.Proxy:
		v = s.bare(n, v, typ)
	case typ == "done":
		v = v.with("message", s.message(n, content, reason))
	default:
		v = v.with("error", s.message(n, content, reason))
	}
	s.emit(v)
}

// bare is an end without a message.
func (s *sim) bare(n *noise, v value, typ string) value {
	v = v.with("usage", s.usage(n))
	if s.form == pi.SSE && s.k.has(Optional) && n.chance(30) {
		v = v.with("responseId", str("r1"))
	}
	if typ == "error" && n.chance(70) {
		v = v.with("errorMessage", str("terminated"))
	}
	return v
}
