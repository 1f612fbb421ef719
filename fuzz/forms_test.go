package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// The same said in another form: chunks as the explicit events that they stand for, explicit events as
// chunks, deltas cut otherwise. Plainly, by lists and texts: the streams are short.

// streamed names the event types of what comes in deltas, and its id.
var streamed = map[string]struct{ start, more, end, chunk, id string }{
	"text":      {"TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "TEXT_MESSAGE_CHUNK", "messageId"},
	"reasoning": {"REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END", "REASONING_MESSAGE_CHUNK", "messageId"},
	"tool":      {"TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_CHUNK", "toolCallId"},
}

// says is a string member; what it says twice in different spellings is the same.
func (n *node) says(name string) (text string, ok bool) {
	if v := n.get(name); v != nil && v.kind == '"' {
		return unquoted(v.text), true
	}
	return "", false
}

// with is an object with members set or, where they are empty, taken out: pairs of name and literal.
func (n *node) with(pairs ...string) *node {
	out := &node{kind: '{'}
	for i, name := range n.names {
		if !slices.Contains(pairs, unquoted(name)) {
			out.names, out.parts = append(out.names, name), append(out.parts, n.parts[i])
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out.names, out.parts = append(out.names, `"`+pairs[i]+`"`), append(out.parts, parse([]byte(pairs[i+1])))
		}
	}
	return out
}

// only keeps some members.
func (n *node) only(names ...string) *node {
	out := &node{kind: '{'}
	for i, name := range n.names {
		if slices.Contains(names, unquoted(name)) {
			out.names, out.parts = append(out.names, name), append(out.parts, n.parts[i])
		}
	}
	return out
}

func quotedType(name string) string { return `"` + name + `"` }

// inLane is the item that a lane assembles from chunks.
type inLane struct{ lane, kind, id string }

// spelledOut makes explicit events of all chunks of a legal stream.
func spelledOut(events [][]byte) (out [][]byte) {
	var open []inLane
	say := func(n *node) { out = append(out, style{}.write(n)) }
	end := func(which func(inLane) bool) {
		open = slices.DeleteFunc(open, func(l inLane) bool {
			if !which(l) {
				return false
			}
			say((&node{kind: '{'}).with("type", quotedType(streamed[l.kind].end), streamed[l.kind].id, l.id))
			return true
		})
	}
	for _, e := range events {
		n := parse(e)
		kind := chunkKind(n)
		if kind == "" {
			end(func(l inLane) bool { return endsLane(n, l.lane) })
			say(n)
			continue
		}
		s := streamed[kind]
		i := goesOn(open, n, kind)
		if i < 0 {
			lane := laneOf(n)
			end(func(l inLane) bool { return l.lane == lane })
			open = append(open, inLane{lane, kind, style{}.literal(n.get(s.id))})
			i = len(open) - 1
			start := n.only(s.id, "role", "name", "toolCallName", "parentMessageId", "subagentRunId").with("type", quotedType(s.start))
			if kind == "reasoning" {
				start = start.with("role", `"reasoning"`)
			}
			say(start)
		}
		if n.get("delta") != nil || n.get("metadata") != nil {
			more := n.only("delta", "metadata").with("type", quotedType(s.more), s.id, open[i].id)
			if n.get("delta") == nil {
				more = more.with("delta", `""`)
			}
			say(more)
		}
	}
	return out
}

func (s style) literal(n *node) string { return string(s.write(n)) }

func chunkKind(n *node) string {
	typ, _ := n.says("type")
	for kind, s := range streamed {
		if s.chunk == typ {
			return kind
		}
	}
	return ""
}

func laneOf(n *node) string {
	if tag, ok := n.says("subagentRunId"); ok {
		return "of " + tag
	}
	return ""
}

// goesOn is the place of the open item that a chunk goes on with, -1 without one.
func goesOn(open []inLane, n *node, kind string) int {
	if id, named := n.says(streamed[kind].id); named {
		return slices.IndexFunc(open, func(l inLane) bool { return l.kind == kind && unquoted(l.id) == id })
	}
	lane := laneOf(n)
	at := slices.IndexFunc(open, func(l inLane) bool { return l.kind == kind && l.lane == lane })
	if at < 0 && lane == "" {
		at = slices.IndexFunc(open, func(l inLane) bool { return l.kind == kind }) // a legal stream has no second
	}
	return at
}

// endsLane tells whether an event that is no chunk ends what a lane assembles.
func endsLane(n *node, lane string) bool {
	typ, _ := n.says("type")
	switch {
	case slices.Contains([]string{"RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT"}, typ):
		return true
	case standsAside(typ):
		return false
	}
	return laneOf(n) == lane // that of SUBAGENT_FINISHED and SUBAGENT_ERROR is the one that they name
}

func standsAside(typ string) bool {
	return slices.Contains([]string{"RAW", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "REASONING_ENCRYPTED_VALUE", "SUBAGENT_STARTED"}, typ)
}

// shortened makes chunks of what is opened explicitly, once, and closed before anything comes that would
// end a chunk item. The stream must have no chunks.
func shortened(events [][]byte) (out [][]byte) {
	nodes := make([]*node, len(events))
	for i, e := range events {
		nodes[i] = parse(e)
	}
	for kind, s := range streamed {
		for i, n := range nodes {
			if typ, _ := n.says("type"); typ == s.start {
				shorten(nodes, i, kind)
			}
		}
	}
	for _, n := range nodes {
		if n != nil {
			out = append(out, style{}.write(n))
		}
	}
	return out
}

// shorten makes chunks of the item that opens at i, if it can be. An END that says nothing else is left out.
func shorten(nodes []*node, i int, kind string) {
	s := streamed[kind]
	id, _ := nodes[i].says(s.id)
	var own []int
	for j, n := range nodes {
		typ, _ := n.says("type")
		if !slices.Contains([]string{s.start, s.more, s.end}, typ) {
			continue
		}
		if name, _ := n.says(s.id); name == id {
			own = append(own, j)
		}
	}
	last := own[len(own)-1]
	for _, j := range own[1:] {
		if typ, _ := nodes[j].says("type"); typ == s.start {
			return // opened again
		}
	}
	if typ, _ := nodes[last].says("type"); typ != s.end {
		return
	}
	for j := i; j < last; j++ {
		if typ, _ := nodes[j].says("type"); !slices.Contains(own, j) && !standsAside(typ) {
			return
		}
	}
	for _, j := range own {
		n := nodes[j].with("type", quotedType(s.chunk))
		if kind == "reasoning" {
			n = n.with("role", "")
		}
		if j != i {
			n = n.with("subagentRunId", "") // an item may be its owner's and yet stand in another lane
		}
		nodes[j] = n
	}
	if nodes[last].get("metadata") == nil {
		nodes[last] = nil
	}
}

// recut says each delta in two, cut anywhere, also inside a character.
func recut(s source, events [][]byte) (out [][]byte) {
	for _, e := range events {
		n := parse(e)
		delta := n.get("delta")
		if delta == nil || delta.kind != '"' {
			out = append(out, e)
			continue
		}
		units := unitsOf(delta.text[1 : len(delta.text)-1])
		at := s.IntN(len(units) + 1)
		for _, part := range [][]string{units[:at], units[at:]} {
			out = append(out, style{}.write(n.with("delta", `"`+strings.Join(part, "")+`"`)))
		}
	}
	return out
}

// unitsOf are the escapes and characters of a string literal; of a character beyond the basic plane, its halves.
func unitsOf(text string) (units []string) {
	for len(text) > 0 {
		u := unitAt(text)
		text = text[len(u):]
		if r := []rune(u); len(r) == 1 && r[0] > 0xFFFF {
			units = append(units, fmt.Sprintf(`\u%04x`, 0xD800+(r[0]-0x10000)>>10), fmt.Sprintf(`\u%04x`, 0xDC00+(r[0]-0x10000)&0x3FF))
			continue
		}
		units = append(units, u)
	}
	return units
}

// drawnSource are choices by a seed that rapid draws: a choice for each delta would take more draws than the stream.
func drawnSource(t *rapid.T) source { return newMaker(rapid.Uint64().Draw(t, "change")) }
