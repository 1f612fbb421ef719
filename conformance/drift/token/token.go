// Package token turns source text of any language into a tree of words, strings,
// punctuation and bracketed groups, without comments. It knows no grammar: readers
// walk the tree.
package token

// Kind says what a Node is.
type Kind int

// The kinds of Node.
const (
	Word   Kind = iota // a name, a keyword or a number
	String             // a literal; Text is what is between its quotes
	Punct              // one character that is neither
	Group              // brackets and what is between them; Text is the opening one
)

// Node is a token, or a group of them.
type Node struct {
	Kind Kind
	Text string
	Line int // from 1
	End  int // the line of its last character
	Col  int // of its first character, from 0; a tab goes to the next multiple of 8
	Kids []Node

	// Broken says that the group's closing bracket is missing, so that it may hold
	// what does not belong to it.
	Broken bool

	// Joined says that nothing is between this node and the one before it.
	Joined bool
}

// Is says whether the node is that word or character.
func (n Node) Is(text string) bool {
	return (n.Kind == Word || n.Kind == Punct) && n.Text == text
}

// Opens says whether the node is a group with that opening bracket.
func (n Node) Opens(bracket string) bool { return n.Kind == Group && n.Text == bracket }

// Split cuts a list of expressions at a character, but not within the type
// arguments of a call. A separator at its end gives no empty part.
func Split(list []Node, at string) [][]Node {
	var parts [][]Node
	start := 0
	for i := 0; i < len(list); i++ {
		switch n := list[i]; {
		case n.Is("<") && n.Joined && i > 0 && list[i-1].Kind == Word:
			if _, rest, ok := Angle(list[i:]); ok && len(rest) > 0 && rest[0].Opens("(") {
				i = len(list) - len(rest) - 1
			}
		case n.Kind == Punct && n.Text == at:
			parts = append(parts, list[start:i])
			start = i + 1
		}
	}
	if start < len(list) {
		parts = append(parts, list[start:])
	}
	return parts
}

// SplitTypes cuts a list of types at commas, but not at those between < and >.
func SplitTypes(list []Node, at string) [][]Node {
	var parts [][]Node
	start, depth := 0, 0
	for i, n := range list {
		switch {
		case n.Is("<"):
			depth++
		case n.Is(">") && !(i > 0 && n.Joined && (list[i-1].Is("=") || list[i-1].Is("-"))): // not an arrow
			depth = max(depth-1, 0)
		case depth == 0 && n.Kind == Punct && n.Text == at:
			parts = append(parts, list[start:i])
			start = i + 1
		}
	}
	if start < len(list) {
		parts = append(parts, list[start:])
	}
	return parts
}

// Angle returns what is between the < that list starts with and its >, and what
// follows. ok is false where it starts with none or it has no end.
func Angle(list []Node) (inner, rest []Node, ok bool) {
	if len(list) == 0 || !list[0].Is("<") {
		return nil, list, false
	}
	depth := 0
	for i, n := range list {
		switch {
		case n.Is("<"):
			depth++
		case n.Is(">") && !(n.Joined && i > 0 && (list[i-1].Is("=") || list[i-1].Is("-"))):
			if depth--; depth == 0 {
				return list[1:i], list[i+1:], true
			}
		}
	}
	return nil, list, false
}

// Index returns where the list has that word or character, or -1.
func Index(list []Node, text string) int {
	for i, n := range list {
		if n.Is(text) {
			return i
		}
	}
	return -1
}

// Has says whether the word or character is in the list, at any depth.
func Has(list []Node, text string) bool {
	for _, n := range list {
		if n.Is(text) || n.Kind == Group && Has(n.Kids, text) {
			return true
		}
	}
	return false
}

// Broken returns the first broken group of the list, at any depth.
func Broken(list []Node) (Node, bool) {
	for _, n := range list {
		if n.Broken {
			return n, true
		}
		if b, ok := Broken(n.Kids); ok {
			return b, true
		}
	}
	return Node{}, false
}

// Dotted reads a name with dots, such as EventType.RAW, and what follows it.
func Dotted(list []Node) (parts []string, rest []Node) {
	for len(list) > 0 && list[0].Kind == Word {
		parts = append(parts, list[0].Text)
		list = list[1:]
		if len(list) < 2 || !list[0].Is(".") || list[1].Kind != Word {
			break
		}
		list = list[1:]
	}
	return parts, list
}
