package token

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// MaxSize is the size of the largest text that is read.
const MaxSize = 4 << 20

// maxDepth bounds the nesting of brackets: what is deeper was not written by
// hand, and would cost stack.
const maxDepth = 500

// Error is why a text is not a tree, or not a whole one.
type Error struct {
	Line   int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Readable says why a text is not worth a lexer: random bytes cost one seconds
// a megabyte.
func Readable(text []byte) error {
	switch {
	case len(text) > MaxSize:
		return &Error{Reason: fmt.Sprintf("larger than %d MiB", MaxSize>>20)}
	case strings.IndexByte(string(text), 0) >= 0 || !utf8.Valid(text):
		return &Error{Reason: "binary"}
	}
	return nil
}

// Tree reads text with the lexer of that name, which is one of chroma's. Where
// brackets do not match, it returns the error with a tree that is right up to there.
func Tree(lexer, text string) ([]Node, error) {
	l := lexers.Get(lexer)
	if l == nil {
		return nil, fmt.Errorf("no lexer %s", lexer)
	}
	tokens, err := l.Tokenise(nil, text)
	if err != nil {
		return nil, err
	}
	b := builder{line: 1, attributes: lexer == "rust"}
	b.stack = []Node{{}}
	for t := tokens(); t != chroma.EOF; t = tokens() {
		b.token(t)
	}
	b.endString()
	return b.finish()
}

type builder struct {
	stack      []Node // open groups, the file first
	line, col  int
	joined     bool
	attributes bool // the lexer calls attributes comments
	literal    strings.Builder
	at         Node // where the literal starts
	err        *Error
}

func (b *builder) token(t chroma.Token) {
	if t.Value == "" {
		return
	}
	switch {
	case b.isComment(t):
		b.endString()
		b.advance(t.Value)
		b.joined = false
	case t.Type.InSubCategory(chroma.LiteralString):
		if b.literal.Len() == 0 {
			b.at = Node{Kind: String, Line: b.line, Col: b.col, Joined: b.joined}
		}
		b.literal.WriteString(t.Value)
		b.advance(t.Value)
		b.joined = true
	default:
		b.endString()
		b.scan(t.Value)
	}
}

// isComment: Rust's lexer calls attributes comments and comments strings.
func (b *builder) isComment(t chroma.Token) bool {
	if t.Type == chroma.LiteralStringDoc {
		return strings.HasPrefix(t.Value, "/")
	}
	return t.Type.InCategory(chroma.Comment) && !(b.attributes && t.Type == chroma.CommentPreproc)
}

func (b *builder) advance(text string) {
	for _, r := range text {
		switch r {
		case '\n':
			b.line++
			b.col = 0
		case '\t':
			b.col = b.col/8*8 + 8
		default:
			b.col++
		}
	}
}

func (b *builder) endString() {
	if b.literal.Len() == 0 {
		return
	}
	n := b.at
	n.Text = unquoted(b.literal.String())
	b.literal.Reset()
	n.End = b.line
	b.add(n)
}

// unquoted returns what is between the quotes of a literal, of one or three, with any prefix.
func unquoted(s string) string {
	i := strings.IndexAny(s, "\"'`")
	if i < 0 {
		return s
	}
	quote := s[i : i+1]
	end := strings.LastIndex(s, quote)
	if end <= i {
		return s[i+1:]
	}
	inner := s[i+1 : end]
	if len(inner) >= 4 && strings.HasPrefix(inner, quote+quote) && strings.HasSuffix(inner, quote+quote) {
		inner = inner[2 : len(inner)-2]
	}
	return inner
}

// scan cuts anything else into words and characters itself: lexers differ in where they cut.
func (b *builder) scan(text string) {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		n := size
		switch {
		case unicode.IsSpace(r):
			b.joined = false
		case isWord(r):
			n = strings.IndexFunc(text, func(r rune) bool { return !isWord(r) })
			if n < 0 {
				n = len(text)
			}
			b.add(Node{Kind: Word, Text: text[:n], Line: b.line, End: b.line, Col: b.col, Joined: b.joined})
			b.joined = true
		case r == '"' && strings.IndexByte(text[1:], '"') >= 0: // within what a lexer takes for one token, such as an attribute
			n = strings.IndexByte(text[1:], '"') + 2
			b.add(Node{Kind: String, Text: text[1 : n-1], Line: b.line, End: b.line, Col: b.col, Joined: b.joined})
			b.joined = true
		default:
			b.punct(text[:size])
			b.joined = true
		}
		b.advance(text[:n])
		text = text[n:]
	}
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

var closers = map[string]string{")": "(", "]": "[", "}": "{"}

func (b *builder) punct(s string) {
	switch s {
	case "(", "[", "{":
		if len(b.stack) > maxDepth {
			b.fail(b.line, fmt.Sprintf("brackets nested deeper than %d", maxDepth))
			return
		}
		b.stack = append(b.stack, Node{Kind: Group, Text: s, Line: b.line, Col: b.col, Joined: b.joined})
	case ")", "]", "}":
		b.close(closers[s], s)
	default:
		b.add(Node{Kind: Punct, Text: s, Line: b.line, End: b.line, Col: b.col, Joined: b.joined})
	}
}

func (b *builder) add(n Node) {
	top := &b.stack[len(b.stack)-1]
	top.Kids = append(top.Kids, n)
}

// close ends the innermost group that the bracket can end; those inside it are broken.
func (b *builder) close(opener, closer string) {
	i := len(b.stack) - 1
	for i > 0 && b.stack[i].Text != opener {
		i--
	}
	if i == 0 {
		b.fail(b.line, "unbalanced brackets: nothing opens this "+closer)
		return
	}
	for len(b.stack)-1 > i {
		b.pop(true)
	}
	b.pop(false)
}

func (b *builder) pop(broken bool) {
	last := len(b.stack) - 1
	g := b.stack[last]
	b.stack = b.stack[:last]
	g.End = b.line
	if broken {
		g.Broken = true
		b.fail(g.Line, "unbalanced brackets: this "+g.Text+" is not closed")
	}
	b.add(g)
}

func (b *builder) fail(line int, reason string) {
	if b.err == nil {
		b.err = &Error{line, reason}
	}
}

func (b *builder) finish() ([]Node, error) {
	for len(b.stack) > 1 {
		b.pop(true)
	}
	if b.err != nil {
		return b.stack[0].Kids, b.err
	}
	return b.stack[0].Kids, nil
}
