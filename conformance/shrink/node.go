package shrink

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/agentstream/conformance/conformance/internal/oneline"
	"github.com/agentstream/conformance/verifier/scan"
)

// A node is one value of a JSON document that can be taken apart. What is scalar stays as it was
// written, and so do names: also bad UTF-8, half surrogate pairs and names that come twice.
type node struct {
	kind     scan.Kind
	raw      []byte // of a scalar
	children []child
}

// A child is a member of an object or, without a name, an element of an array.
type child struct {
	name  []byte // raw, without quotes
	value *node
}

// parseNode takes a document apart. It returns nil for what is no JSON.
func parseNode(text []byte) *node {
	if !oneline.IsJSON(text) {
		return nil
	}
	at := scan.Space(text, 0)
	return newNode(text[at:scan.Skip(text, at)])
}

func newNode(value []byte) *node {
	n := &node{kind: scan.KindOf(value[0])}
	switch n.kind {
	case '{':
		for name, v := range scan.EachMember(value) {
			n.children = append(n.children, child{name, newNode(v)})
		}
	case '[':
		for _, v := range scan.EachElement(value) {
			n.children = append(n.children, child{nil, newNode(v)})
		}
	default:
		n.raw = value
	}
	return n
}

// Compact returns JSON without white space, and what is none as it is.
func Compact(text []byte) []byte {
	if n := parseNode(text); n != nil {
		return n.append(nil)
	}
	return text
}

// append writes the value without white space.
func (n *node) append(dst []byte) []byte {
	switch n.kind {
	case '{':
		return append(n.appendChildren(append(dst, '{')), '}')
	case '[':
		return append(n.appendChildren(append(dst, '[')), ']')
	}
	return append(dst, n.raw...)
}

func (n *node) appendChildren(dst []byte) []byte {
	for i, c := range n.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		if n.kind == '{' {
			dst = append(append(append(dst, '"'), c.name...), '"', ':')
		}
		dst = c.value.append(dst)
	}
	return dst
}

// each visits the value and all below it, the outer ones first. A visit may shorten the children of
// its value. path names where the value stands: the member and, of an object in a list, the list,
// as in messages/id.
func (n *node) each(visit func(path string, n *node)) { n.walk("", "", visit) }

// walk visits the value, whose path is path; list is the name of the list that it is an element of.
func (n *node) walk(path, list string, visit func(string, *node)) {
	visit(path, n)
	for _, c := range n.children {
		switch {
		case n.kind == '[':
			c.value.walk(path, path, visit)
		case list != "":
			c.value.walk(list+"/"+string(c.name), "", visit)
		default:
			c.value.walk(string(c.name), "", visit)
		}
	}
}

// units cuts a string, with its quotes, into what it can be shortened by: characters, escapes and
// bytes that are no character.
func (n *node) units() [][]byte {
	var units [][]byte
	for text := n.raw[1 : len(n.raw)-1]; len(text) > 0; {
		size := unit(text)
		units, text = append(units, text[:size:size]), text[size:]
	}
	return units
}

// unit returns the length of the first unit of the inside of a string. The two halves of a surrogate
// pair are one, so that no shortening makes a half of one.
func unit(text []byte) int {
	if text[0] != '\\' {
		_, size := utf8.DecodeRune(text)
		return size
	}
	switch {
	case text[1] != 'u':
		return 2
	case len(text) >= 12 && half(text, "89abAB") && half(text[6:], "cdefCDEF"):
		return 12
	}
	return 6
}

// half tells whether text begins with an escape for half a surrogate pair, by its second digit.
func half(text []byte, digits string) bool {
	return text[0] == '\\' && text[1] == 'u' && text[2]|0x20 == 'd' && strings.IndexByte(digits, text[3]) >= 0
}

// quoted returns units as a string, with its quotes.
func quoted(units [][]byte) []byte {
	return append(append([]byte{'"'}, bytes.Join(units, nil)...), '"')
}
