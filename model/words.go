package model

import (
	"strconv"
	"strings"
)

// Words: ids, texts and other strings.

var plainWords = []string{"", "a", "Hello", " ", "world.", "\n", "0", "{}", "\"q\"", "\\", "/", "~", "tab\t", "<b>", "null", "data: x"}

// strangeWords are cut so that joining two of them joins what belongs together:
// combining marks, ZWJ sequences, flags, jamo, variation selectors.
var strangeWords = []string{
	"é", "e\u0301", "\u0301", "\u0308\u0323", "👩", "\u200d", "👩\u200d💻", "🇩", "🇪", "\u2028", "\u2029", "\u0000", "\u001f", "\u007f", "\u0085",
	"\ufeff", "\ufe0f", "❤", "한", "\u1112", "\u1161", "\u11ab", "नि", "مرحبا", "\u202e", "𝄞", "\U0010ffff", "\uffff", "\ufffd", "ß", "İ", "漢字",
}

func (s *sim) word(n *noise) string {
	if s.k.has(Unicode) && n.chance(30) {
		return among(n, strangeWords)
	}
	return among(n, plainWords)
}

// prose is a text, or a piece of one: empty, short, at times long.
func (s *sim) prose(n *noise) string {
	count := n.below(4)
	if n.chance(2) {
		count = 60
	}
	var b strings.Builder
	for range count {
		b.WriteString(s.word(n))
	}
	return b.String()
}

// name is a string that nothing is looked up by.
func (s *sim) name(n *noise) string {
	if n.chance(80) {
		return among(n, []string{"acme.widget", "search", "researcher", "x:y", "", "a/b"})
	}
	return s.prose(n)
}

// mint gives ids that are new in their space: "m1", "m2", … and at times the empty
// string, a strange id, or one that another space already uses.
type mint struct {
	count map[string]int
	used  map[string]map[string]bool
	all   []string
}

func newMint() *mint { return &mint{count: map[string]int{}, used: map[string]map[string]bool{}} }

func (mt *mint) taken(space, id string) bool { return mt.used[space][id] }

func (mt *mint) take(space, id string) {
	if mt.used[space] == nil {
		mt.used[space] = map[string]bool{}
	}
	mt.used[space][id] = true
	mt.all = append(mt.all, id)
}

// fresh is a new id of a space; odd ids where they may occur.
func (s *sim) fresh(space string) string {
	mt := s.ids
	plain := func() string {
		for {
			mt.count[space]++
			if id := space[:1] + strconv.Itoa(mt.count[space]); !mt.taken(space, id) {
				return id
			}
		}
	}
	id := plain()
	if s.k.has(Unicode) && !s.plainIDs {
		odd := id
		switch s.roll(16) {
		case 15:
			odd = ""
		case 14:
			odd = pick(s.draw, strangeWords) + id
		case 13:
			if len(mt.all) > 0 {
				odd = pick(s.draw, mt.all)
			}
		case 12:
			odd = strings.Repeat(id+"-", 40)
		}
		if !mt.taken(space, odd) && !(s.k.Guard && s.clashes(space, odd)) {
			id = odd
		}
	}
	mt.take(space, id)
	return id
}

// clashes: the guards keep owners of spans and messages in one book, so there an
// id is used for one of them only.
func (s *sim) clashes(space, id string) bool {
	switch space {
	case "message":
		return s.ids.taken("span", id)
	case "span":
		return s.ids.taken("message", id)
	}
	return false
}
