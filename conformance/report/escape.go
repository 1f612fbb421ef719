package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Text of a stream must not be able to move the cursor, colour the screen, reorder a line or end it.
// So whatever is not printable is shown as an escape before it reaches a terminal.

const hexDigits = "0123456789abcdef"

// Escape returns text with everything that is not printable as \xNN, \uNNNN or \UNNNNNNNN: control
// characters, format characters such as the bidi controls, line and paragraph separators, private
// and unassigned characters, bytes that are not UTF-8. A backslash stays as it is.
func Escape(s string) string {
	for i, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return escapeFrom(s, i)
		}
	}
	return s
}

func escapeFrom(s string, i int) string {
	b := append(make([]byte, 0, len(s)+16), s[:i]...)
	for i < len(s) {
		if unit, ok := surrogate(s[i:]); ok {
			b = appendEscape(b, unit)
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b = appendShown(b, s[i:i+n], r)
		i += n
	}
	return string(b)
}

// surrogate returns the half of a surrogate pair that s begins with, spelt as UTF-8 would spell it.
// The verifier keeps such halves in ids.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

// appendShown appends one character, which s spells.
func appendShown(b []byte, s string, r rune) []byte {
	switch {
	case r == utf8.RuneError && len(s) == 1:
		return append(b, '\\', 'x', hexDigits[s[0]>>4], hexDigits[s[0]&15])
	case unicode.IsPrint(r):
		return append(b, s...)
	}
	return appendEscape(b, r)
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '\t':
		return append(b, `\t`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	}
	letter, digits := byte('U'), 8
	switch {
	case r < 0x80:
		letter, digits = 'x', 2
	case r < 0x10000:
		letter, digits = 'u', 4
	}
	b = append(b, '\\', letter)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b = append(b, hexDigits[r>>shift&15])
	}
	return b
}

// width returns how many columns escaped text takes.
func width(s string) int { return uniseg.StringWidth(s) }

// cut returns escaped text in at most columns, with an ellipsis where it went on.
func cut(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	return prefix(s, columns-1) + "…"
}

// prefix returns the longest beginning of s that fits into columns.
func prefix(s string, columns int) string {
	end, state, rest := 0, -1, s
	for rest != "" {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if columns -= w; columns < 0 {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}

// suffix returns the longest end of s that fits into columns.
func suffix(s string, columns int) string {
	over, state, rest := width(s)-columns, -1, s
	for rest != "" && over > 0 {
		var w int
		_, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		over -= w
	}
	return rest
}

// wrap breaks escaped text at spaces into lines of at most columns; the first line has room for
// first. A word that fits no line is broken.
func wrap(s string, first, columns int) []string {
	var lines []string
	line, room := "", first
	for _, word := range strings.Split(s, " ") {
		switch {
		case line == "" && len(lines) == 0 && width(word) <= room:
			line = word
			continue
		case line != "" && width(line)+1+width(word) <= room:
			line += " " + word
			continue
		}
		if line != "" || len(lines) == 0 {
			lines = append(lines, line)
			room = columns
		}
		for width(word) > columns {
			p := prefix(word, columns)
			if p == "" {
				break
			}
			lines, word = append(lines, p), word[len(p):]
		}
		line = word
	}
	return append(lines, line)
}
