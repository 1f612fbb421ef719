// Package shrink makes lists of JSON documents smaller while they keep what somebody wants kept: delta debugging over
// documents, members, elements, names and texts.
package shrink

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/internal/oneline"
	"github.com/agentstream/conformance/verifier/scan"
)

// DefaultJudgements is how often Shrink asks at most whether a list is to be kept.
const DefaultJudgements = 10_000

// pairable is the longest list of which every two are tried together.
const pairable = 40

// wordBytes is the most that a word of a protocol has, with quotes.
const wordBytes = 64

// Options bound the work of Shrink and say what is an id.
type Options struct {
	// Judgements is how often keep is called at most; 0 means DefaultJudgements.
	Judgements int
	// IDs names the members that hold ids, each with the letter that its short names begin with.
	// In a list, a member has the list's name in front, as in messages/id; of a list of ids, the
	// list's name counts.
	IDs map[string]string
	// Words are the members whose strings are words of the protocol, in lists or not: they stay
	// whole, or go with their member.
	Words []string
	// Progress is told, before each judgement, what the shortest list so far comes to. May be nil.
	Progress func(Result)
}

// Result is what Shrink came to.
type Result struct {
	// Events is the shortest list found.
	Events [][]byte
	// Judgements is how often keep was called.
	Judgements int
	// Stopped says that the search ended before its end: by the limit or by the context.
	Stopped bool
}

// Shrink returns the smallest list of JSON documents that it finds and keep accepts; events is one
// that it does. It leaves out documents first, then members, then elements of lists, then it gives
// ids short names and shortens strings and numbers; what is no JSON is shortened byte by byte. None of
// the lists has a line end or nothing in a document that had not. The result depends on nothing but
// the arguments. keep must change nothing and keep nothing; it is called from this goroutine. When
// the context ends, or the limit is reached, the result is the smallest list up to then.
func Shrink(ctx context.Context, events [][]byte, keep func([][]byte) bool, o Options) Result {
	s := shrinker{ctx: ctx, keep: keep, options: o, limit: cmp.Or(o.Judgements, DefaultJudgements), events: slices.Clone(events)}
	for {
		n, size := len(s.events), bytesOf(s.events)
		s.round()
		if s.stopped || len(s.events) == n && bytesOf(s.events) >= size {
			return s.result()
		}
	}
}

// A shrinker is one call of Shrink.
//
// Invariant: keep accepts events; each document spells its event, but for white space.
type shrinker struct {
	ctx        context.Context
	keep       func([][]byte) bool
	options    Options
	limit      int
	judgements int
	stopped    bool
	events     [][]byte
	documents  []*node // nil for what is no JSON
}

func (s *shrinker) result() Result {
	return Result{Events: s.events, Judgements: s.judgements, Stopped: s.stopped}
}

// judge asks whether a list is to be kept. Once stopped, nothing is.
func (s *shrinker) judge(events [][]byte) bool {
	if s.over() {
		return false
	}
	if s.options.Progress != nil {
		s.options.Progress(s.result())
	}
	s.judgements++
	return s.keep(events)
}

// over tells whether to stop, and notes it.
func (s *shrinker) over() bool {
	s.stopped = s.stopped || s.judgements >= s.limit || s.ctx.Err() != nil
	return s.stopped
}

// round goes once through all that can be made smaller.
func (s *shrinker) round() {
	s.shorten()
	s.documents = make([]*node, len(s.events))
	for i, e := range s.events {
		s.documents[i] = parseNode(e)
	}
	s.compact()
	s.eachNode(func(i int, n *node) { s.children(i, n, '{') })
	s.eachNode(func(i int, n *node) { s.children(i, n, '[') })
	s.rename()
	s.eachNode(s.text)
	s.eachNode(s.number)
	for i, d := range s.documents {
		if d == nil {
			s.bytes(i)
		}
	}
}

// shorten leaves out events.
func (s *shrinker) shorten() {
	keep := func(some [][]byte) bool {
		if !s.judge(some) {
			return false
		}
		s.events = some
		return true
	}
	ddmin(s.events, keep, s.over)
	if len(s.events) <= pairable {
		pairs(s.events, keep, s.over)
	}
}

// compact takes the white space out of all documents.
func (s *shrinker) compact() {
	all := s.written()
	if !slices.EqualFunc(all, s.events, bytes.Equal) && s.judge(all) {
		s.events = all
	}
}

// written returns the events as the documents spell them.
func (s *shrinker) written() [][]byte {
	all := slices.Clone(s.events)
	for i, d := range s.documents {
		if d != nil {
			all[i] = d.append(nil)
		}
	}
	return all
}

// eachNode visits every value of every document but those that are as they should be already.
func (s *shrinker) eachNode(visit func(i int, n *node)) {
	for i, d := range s.documents {
		if d == nil {
			continue
		}
		d.each(func(path string, n *node) {
			if !s.stopped && !s.isShortID(path, n) && !s.isWord(path, n) {
				visit(i, n)
			}
		})
	}
}

// isWord tells whether a value is a word of the protocol.
func (s *shrinker) isWord(path string, n *node) bool {
	return n.kind == '"' && len(n.raw) <= wordBytes && slices.Contains(s.options.Words, path[strings.LastIndexByte(path, '/')+1:])
}

// fits judges the list with an event as its document now spells it, and keeps that or the event.
func (s *shrinker) fits(i int) bool { return s.replace(i, s.documents[i].append(nil)) }

func (s *shrinker) replace(i int, event []byte) bool {
	some := slices.Clone(s.events)
	some[i] = event
	if !s.judge(some) {
		return false
	}
	s.events = some
	return true
}

// children leaves out what a container of that kind holds.
func (s *shrinker) children(i int, n *node, kind scan.Kind) {
	if n.kind != kind {
		return
	}
	n.children = ddmin(n.children, func(some []child) bool {
		n.children = some
		return s.fits(i)
	}, s.over)
}

// text shortens a string.
func (s *shrinker) text(i int, n *node) {
	if n.kind != '"' {
		return
	}
	n.raw = quoted(ddmin(n.units(), func(some [][]byte) bool {
		n.raw = quoted(some)
		return s.fits(i)
	}, s.over))
}

// number makes a number 0 or 1, or else leaves out digits.
func (s *shrinker) number(i int, n *node) {
	if n.kind != '0' || len(n.raw) == 1 && n.raw[0] <= '1' {
		return
	}
	fits := func(raw []byte) bool {
		if !oneline.IsJSON(raw) {
			return false
		}
		old := n.raw
		if n.raw = raw; !s.fits(i) {
			n.raw = old
			return false
		}
		return true
	}
	if !fits([]byte("0")) && !fits([]byte("1")) {
		ddmin(n.raw, fits, s.over)
	}
}

// bytes leaves out bytes of what is no JSON.
func (s *shrinker) bytes(i int) {
	ddmin(s.events[i], func(some []byte) bool { return oneline.Fits(some) && s.replace(i, some) }, s.over)
}

// bytesOf counts the bytes of all documents.
func bytesOf(events [][]byte) (n int) {
	for _, e := range events {
		n += len(e)
	}
	return n
}
