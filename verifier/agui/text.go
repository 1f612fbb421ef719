package agui

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// text follows what a message has said, by length and hash: enough to notice that a reopened
// message says the same once more.
type text struct {
	whole, now digest // all before the last opener; since it
	reopened   bool
	given      bool // duplicated-text was given
}

// A digest is a polynomial hash over bytes, modulo 2^64. It does not depend on how the bytes were
// cut, and two of them can be joined.
type digest struct {
	hash   uint64
	length int
}

const hashBase = 0x9E3779B97F4A7C15

// add appends bytes to a digest, eight at a time, which is one chain of multiplications instead of eight.
func (d *digest) add(b []byte) {
	const (
		mask = 1<<64 - 1
		b2   = hashBase * hashBase & mask
		b3   = b2 * hashBase & mask
		b4   = b3 * hashBase & mask
		b5   = b4 * hashBase & mask
		b6   = b5 * hashBase & mask
		b7   = b6 * hashBase & mask
		b8   = b7 * hashBase & mask
		ones = (1 + hashBase + b2 + b3 + b4 + b5 + b6 + b7) & mask
	)
	h := d.hash
	d.length += len(b)
	for ; len(b) >= 8; b = b[8:] {
		h = h*b8 + uint64(b[0])*b7 + uint64(b[1])*b6 + uint64(b[2])*b5 + uint64(b[3])*b4 +
			uint64(b[4])*b3 + uint64(b[5])*b2 + uint64(b[6])*hashBase + uint64(b[7]) + ones
	}
	for _, c := range b {
		h = h*hashBase + uint64(c) + 1
	}
	d.hash = h
}

// join appends what another digest is of.
func (d *digest) join(o digest) {
	power, base := uint64(1), uint64(hashBase)
	for n := o.length; n > 0; n >>= 1 {
		if n&1 == 1 {
			power *= base
		}
		base *= base
	}
	d.hash = d.hash*power + o.hash
	d.length += o.length
}

// open begins what the message says from here on.
func (t *text) open() {
	t.whole.join(t.now)
	t.reopened = t.whole.length > 0
	t.now = digest{}
}

// replace sets what the message said, as a list gives it. Content that is no string has no text to
// compare with.
func (t *text) replace(content []byte) {
	t.whole, t.now = digest{}, digest{}
	if len(content) > 0 && content[0] == '"' {
		said, _ := scan.Text(content, nil)
		t.whole.add(said)
	}
}

// say appends a delta to a message's text.
func (m *machine) say(it *item, e *event.Event) {
	if m.On(rules.DuplicatedText) {
		it.said.now.add(e.Text(event.Delta))
	}
}

// adviseRepeated is asked at the end of a message, also of one that chunks made.
func (m *machine) adviseRepeated(it *item) {
	t := &it.said
	if !m.On(rules.DuplicatedText) || m.unordered(it.kind) || t.given || !t.reopened || t.now.length == 0 || t.now != t.whole {
		return
	}
	t.given = true
	m.Blame(rules.DuplicatedText, verifier.Fault{
		ID: it.id, Entity: entity(it.kind, it.id), Cause: &it.opener,
		Detail: fmt.Sprintf("%s %q was reopened at event %d and repeats its whole text of %d bytes", it.kind, verifier.Shown(it.id), it.opener.Index, t.now.length),
	})
}

// arguments are what a call's arguments come to while it is open.
type arguments struct {
	joined  []byte // while the call is open and they fit
	lost    bool   // they did not fit: not judged
	some    bool   // anything came, in any opening
	earlier bool   // an earlier opening had arguments that were JSON
	noJSON  bool   // tool-args-not-json was given
	none    bool   // tool-call-without-args was given
}

// maxArgs bounds the arguments kept of all open calls, to be parsed at their end.
const maxArgs = 16 << 20

func (m *machine) hearArgs(c *call, e *event.Event) {
	delta := e.Text(event.Delta)
	c.heard.some = c.heard.some || len(delta) > 0
	if len(delta) == 0 || c.heard.lost || !m.On(rules.ToolArgsNotJSON) {
		return
	}
	if m.argBytes+len(delta) > maxArgs {
		c.heard.lost = true
		m.releaseArgs(c)
		return
	}
	if c.heard.joined == nil && len(m.spare) > 0 {
		c.heard.joined, m.spare = m.spare[len(m.spare)-1][:0], m.spare[:len(m.spare)-1]
	}
	m.argBytes += len(delta)
	c.heard.joined = append(c.heard.joined, delta...)
}

// maxSpare is how many buffers of ended calls are kept for the next.
const maxSpare = 64

func (m *machine) releaseArgs(c *call) {
	m.argBytes -= len(c.heard.joined)
	if c.heard.joined != nil && len(m.spare) < maxSpare && cap(c.heard.joined) <= 64<<10 {
		m.spare = append(m.spare, c.heard.joined)
	}
	c.heard.joined = nil
}

// adviseArgs is asked at the end of a call, also of one that chunks made.
func (m *machine) adviseArgs(c *call) {
	h := &c.heard
	joined := h.joined
	blank := scan.Space(joined, 0) == len(joined)
	switch {
	case h.lost:
	case !h.some && !h.none && m.On(rules.ToolCallWithoutArgs):
		h.none = true
		m.blameArgs(rules.ToolCallWithoutArgs, c, "ended without any arguments; {} would be safe")
	case !blank && !h.noJSON && (h.earlier || !isJSON(joined)):
		h.noJSON = true
		says := "that are no JSON"
		if h.earlier {
			says = "behind earlier ones that were JSON"
		}
		m.blameArgs(rules.ToolArgsNotJSON, c, fmt.Sprintf("has arguments of %d bytes %s", len(joined), says))
	case !blank && isShortNumber(joined):
		return // more digits may follow and leave it a number
	case !blank:
		h.earlier = true
	}
	m.releaseArgs(c)
}

// isShortNumber is asked of JSON: is it a number that is worth keeping?
func isShortNumber(text []byte) bool {
	return len(text) <= 32 && scan.KindOf(text[scan.Space(text, 0)]) == '0'
}

func isJSON(text []byte) bool {
	return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func (m *machine) blameArgs(c verifier.ClauseID, call *call, says string) {
	m.Blame(c, verifier.Fault{
		ID: call.id, Entity: entity(callKind, call.id), Cause: &call.item.opener,
		Detail: fmt.Sprintf("tool call %q %s", verifier.Shown(call.id), says),
	})
}

// adviseChunkEnd gives the advice that an explicit end would get, at the event that closes the lane.
func (m *machine) adviseChunkEnd(l *lane) {
	if l.call != nil {
		m.adviseArgs(l.call)
	} else {
		m.adviseRepeated(l.item)
	}
}
