package fuzz

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A node is a JSON value that keeps the spelling of its strings and numbers, so that it can be written
// down in another way that means the same.
type node struct {
	kind  byte   // '{', '[', or that of a literal
	text  string // a literal, as it is spelled
	names []string
	parts []*node // members' values, or elements
}

// parse reads one value as tolerantly as the verifier does; nil where it is none.
func parse(data []byte) *node {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	n := parseValue(d)
	if n == nil || d.PeekKind() != jsontext.KindInvalid || len(bytes.TrimRight(data[d.InputOffset():], " \t\r\n")) > 0 {
		return nil
	}
	return n
}

func parseValue(d *jsontext.Decoder) *node {
	k := d.PeekKind()
	if k != '{' && k != '[' {
		v, err := d.ReadValue()
		if err != nil {
			return nil
		}
		return &node{kind: byte(k), text: string(v)}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	n := &node{kind: byte(k)}
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		if k == '{' {
			name, err := d.ReadValue()
			if err != nil {
				return nil
			}
			n.names = append(n.names, string(name))
		}
		part := parseValue(d)
		if part == nil {
			return nil
		}
		n.parts = append(n.parts, part)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	return n
}

// get is the last member of that name; nil without one.
func (n *node) get(name string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i := len(n.names) - 1; i >= 0; i-- {
		if unquoted(n.names[i]) == name {
			return n.parts[i]
		}
	}
	return nil
}

// unquoted is what a string says; halves of surrogate pairs and what is not UTF-8 become all the same.
func unquoted(literal string) string {
	text, _ := jsontext.AppendUnquote(nil, literal)
	return string(text)
}

// twice tells whether a name comes twice in some object, or seems to.
func (n *node) twice() bool {
	seen := map[string]bool{}
	for _, name := range n.names {
		if seen[unquoted(name)] {
			return true
		}
		seen[unquoted(name)] = true
	}
	for _, p := range n.parts {
		if p.twice() {
			return true
		}
	}
	return false
}

// A style is how a value is written down.
type style struct {
	source
	order, escapes, space bool
}

func (s style) write(n *node) []byte {
	var b strings.Builder
	s.value(&b, n)
	return []byte(b.String())
}

func (s style) value(b *strings.Builder, n *node) {
	switch n.kind {
	case '{', '[':
		b.WriteByte(n.kind)
		for i, p := range s.permutation(n) {
			if i > 0 {
				b.WriteByte(',')
			}
			s.gap(b)
			if n.kind == '{' {
				b.WriteString(s.text(n.names[p]))
				s.gap(b)
				b.WriteByte(':')
				s.gap(b)
			}
			s.value(b, n.parts[p])
			s.gap(b)
		}
		b.WriteByte(n.kind + 2) // the closing bracket of either kind
	case '"':
		b.WriteString(s.text(n.text))
	default:
		b.WriteString(n.text)
	}
}

// permutation is the order of the parts; only that of members is free.
func (s style) permutation(n *node) []int {
	order := make([]int, len(n.parts))
	for i := range order {
		order[i] = i
		if s.order && n.kind == '{' {
			j := s.IntN(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	return order
}

func (s style) gap(b *strings.Builder) {
	if s.space {
		b.WriteString([]string{"", "", " ", "\t", "\n  ", "\r\n"}[s.IntN(6)])
	}
}

// text spells a string literal anew: some characters as escapes, some escapes as characters.
func (s style) text(literal string) string {
	if !s.escapes {
		return literal
	}
	var b strings.Builder
	for i := 0; i < len(literal); {
		unit := unitAt(literal[i:])
		b.WriteString(s.unit(unit))
		i += len(unit)
	}
	return b.String()
}

// unitAt is the first escape, character or stray byte of s.
func unitAt(s string) string {
	switch {
	case strings.HasPrefix(s, `\u`):
		return s[:len(`\u0000`)]
	case s[0] == '\\':
		return s[:2]
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

func (s style) unit(unit string) string {
	r, size := utf8.DecodeRuneInString(unit)
	switch {
	case unit == `"` || r == utf8.RuneError && size == 1 || s.IntN(4) > 0:
		return unit
	case strings.HasPrefix(unit, `\u`):
		return respelled(unit)
	case unit == `\n`:
		return `\u000A`
	case unit == "/":
		return `\/`
	case unit[0] == '\\':
		return unit
	case r > 0xFFFF:
		return fmt.Sprintf(`\u%04X\u%04x`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// respelled writes a \u escape as the character, if that may stand for itself, or with other letters.
func respelled(unit string) string {
	var r rune
	_, _ = fmt.Sscanf(unit[2:], "%x", &r)
	if r >= ' ' && r < 0xD800 && r != '"' && r != '\\' {
		return string(r)
	}
	return `\u` + strings.ToUpper(unit[2:])
}

// rename puts something around the ids of an event, and of the request, that are strings: distinct ones
// stay distinct, however they are spelled.
func rename(n *node, before, after string) {
	ids := []string{"messageId", "toolCallId", "parentMessageId", "subagentRunId", "parentSubagentRunId", "parentToolCallId", "entityId",
		"runId", "threadId", "parentRunId"}
	for _, id := range ids {
		renamed(n.get(id), before, after)
	}
	renameList(n.get("messages"), before, after)
	if in := n.get("input"); in != nil {
		rename(in, before, after)
	}
	outcome := n.get("outcome")
	for _, list := range []string{"pendingToolCallIds", "interruptIds"} {
		each(outcome.get(list), func(id *node) { renamed(id, before, after) })
	}
	renameList(outcome.get("interrupts"), before, after)
}

// renameList renames in a list of what has an id of its own.
func renameList(list *node, before, after string) {
	each(list, func(n *node) {
		for _, id := range []string{"id", "toolCallId", "subagentRunId"} {
			renamed(n.get(id), before, after)
		}
		renameList(n.get("toolCalls"), before, after)
	})
}

func each(list *node, do func(*node)) {
	if list != nil && list.kind == '[' {
		for _, n := range list.parts {
			do(n)
		}
	}
}

func renamed(n *node, before, after string) {
	if n != nil && n.kind == '"' {
		n.text = `"` + before + n.text[1:len(n.text)-1] + after + `"`
	}
}
