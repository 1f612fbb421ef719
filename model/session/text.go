package session

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Texts are WTF-8: UTF-8 that may have halves of surrogate pairs, as strings of JavaScript may.

// surrogate reads a half at the beginning of a text.
func surrogate(text string) (rune, bool) {
	if len(text) < 3 || text[0] != 0xed || text[1] < 0xa0 || text[1] > 0xbf || text[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f), true
}

// units are the UTF-16 code units of a text.
func units(text string) []uint16 {
	var out []uint16
	for len(text) > 0 {
		if half, ok := surrogate(text); ok {
			out, text = append(out, uint16(half)), text[3:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		out, text = utf16.AppendRune(out, r), text[size:]
	}
	return out
}

// joined is the text of code units. Halves that meet become one character.
func joined(list []uint16) string {
	var b strings.Builder
	for i := 0; i < len(list); i++ {
		u := rune(list[i])
		switch {
		case !utf16.IsSurrogate(u):
			b.WriteRune(u)
		case i+1 < len(list) && utf16.DecodeRune(u, rune(list[i+1])) != utf8.RuneError:
			b.WriteRune(utf16.DecodeRune(u, rune(list[i+1])))
			i++
		default:
			b.Write([]byte{0xed, byte(0x80 | u>>6&0x3f), byte(0x80 | u&0x3f)})
		}
	}
	return b.String()
}

// pieces cuts a text anywhere, in a surrogate pair too; some pieces may be empty.
func pieces(n *noise, text string) []string {
	rest := units(text)
	var out []string
	for len(rest) > 0 && len(out) < 6 {
		size := 1 + n.below(len(rest))
		if n.chance(5) {
			size = 0
		}
		out, rest = append(out, joined(rest[:size])), rest[size:]
	}
	if len(rest) > 0 {
		out = append(out, joined(rest))
	}
	return out
}

var plainWords = []string{"ok", "Hello", " ", "world.", "\n", "0", "{}", "\"q\"", "\\", "/", "~", "tab\t", "<b>", "null", "data: x", "", "scn:text"}

// strangeWords are cut so that joining two of them joins what belongs together: combining marks, ZWJ sequences,
// flags, jamo, variation selectors, and the halves of a surrogate pair.
var strangeWords = []string{
	"é", "e\u0301", "\u0301", "\u0308\u0323", "👩", "\u200d", "👩\u200d💻", "🇩", "🇪", "\u2028", "\u2029", "\u0000", "\u001f", "\u007f", "\u0085",
	"\ufeff", "\ufe0f", "❤", "한", "\u1112", "\u1161", "\u11ab", "नि", "مرحبا", "\u202e", "𝄞", "\U0010ffff", "\uffff", "\ufffd", "ß", "漢字", "\r\n",
	"\xed\xa0\xbd", "\xed\xb8\x80",
}

func (s *sim) word(n *noise) string {
	if s.k.has(Unicode) && n.chance(25) {
		return among(n, strangeWords)
	}
	return among(n, plainWords)
}

// prose is a text: empty, short, at times long.
func (s *sim) prose(n *noise) string {
	count := n.below(5)
	if n.chance(1) {
		count = 60
	}
	var b strings.Builder
	for range count {
		b.WriteString(s.word(n))
	}
	return joined(units(b.String()))
}
