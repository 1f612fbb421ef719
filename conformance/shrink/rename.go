package shrink

import (
	"fmt"
	"strings"

	"github.com/agentstream/conformance/verifier/scan"
)

// An idClass is all the places where one id stands.
type idClass struct {
	text   string // as it reads
	letter string // of its first place
	places []*node
}

// rename gives the ids short names in the order of their first places, m1, m2, c1: all of them at
// once or, where that changes what is kept, each by itself.
func (s *shrinker) rename() {
	var classes []*idClass
	for _, c := range s.classes() {
		if len(c.text) > tinyID || isNumbered(c.text) {
			classes = append(classes, c)
		}
	}
	names := shortNames(classes)
	if len(classes) == 0 || s.renamed(classes, names) {
		return
	}
	for i, c := range classes {
		if !s.used(names[i]) {
			s.renamed([]*idClass{c}, names[i:i+1])
		}
	}
}

// classes returns the ids in the order of their first places.
func (s *shrinker) classes() []*idClass {
	var list []*idClass
	byText := map[string]*idClass{}
	for _, d := range s.documents {
		if d == nil {
			continue
		}
		d.each(func(path string, n *node) {
			letter := s.options.IDs[path]
			if letter == "" || n.kind != '"' {
				return
			}
			text, _ := scan.Text(n.raw, nil)
			c := byText[string(text)]
			if c == nil {
				c = &idClass{text: string(text), letter: letter}
				byText[c.text], list = c, append(list, c)
			}
			c.places = append(c.places, n)
		})
	}
	return list
}

func shortNames(classes []*idClass) []string {
	names, last := make([]string, len(classes)), map[string]int{}
	for i, c := range classes {
		last[c.letter]++
		names[i] = fmt.Sprint(c.letter, last[c.letter])
	}
	return names
}

// used tells whether a name is some id's already.
func (s *shrinker) used(name string) bool {
	for _, c := range s.classes() {
		if c.text == name {
			return true
		}
	}
	return false
}

// renamed gives names to classes and reports whether they stay; else all is as it was.
func (s *shrinker) renamed(classes []*idClass, names []string) bool {
	undo, changed := []func(){}, false
	for i, c := range classes {
		for _, n := range c.places {
			old := n.raw
			undo = append(undo, func() { n.raw = old })
			n.raw = fmt.Appendf(nil, "%q", names[i])
			changed = changed || string(n.raw) != string(old)
		}
	}
	if !changed {
		return true
	}
	all := s.written()
	if s.judge(all) {
		s.events = all
		return true
	}
	for _, f := range undo {
		f()
	}
	return false
}

// isShortID tells whether a value is an id that is short enough: shorter ones read no better.
func (s *shrinker) isShortID(path string, n *node) bool {
	if n.kind != '"' || s.options.IDs[path] == "" {
		return false
	}
	text := string(n.raw[1 : len(n.raw)-1])
	return len(text) <= tinyID || isNumbered(text)
}

// tinyID is the most bytes of an id that needs no other name.
const tinyID = 2

// isNumbered tells whether a text is a letter and a few digits.
func isNumbered(text string) bool {
	return len(text) > 1 && len(text) <= 6 && 'a' <= text[0] && text[0] <= 'z' && strings.Trim(text[1:], "0123456789") == ""
}
