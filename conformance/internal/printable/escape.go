// Package printable shows text of strangers so that it can do nothing to a terminal.
package printable

import (
	"unicode"
	"unicode/utf8"
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
