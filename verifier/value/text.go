// Package value reads JSON values the way JavaScript sees them: strings are sequences of UTF-16 units,
// numbers are float64, the last of two members of one name counts, the order of members does not.
//
// Text is kept as WTF-8: UTF-8, with half a surrogate pair as the three bytes that UTF-8 would give it.
// Invariant: two halves that meet are one character of four bytes, so equal sequences of units are equal
// bytes. Functions that take JSON expect it to be valid, as package scan leaves it; only Examine does not.
package value

import (
	"bytes"
	"unicode/utf8"
)

// AppendText appends what a JSON string, with its quotes, says. Where dst ends in the first half of a
// pair and the string begins with the second, they become one character: a producer may cut anywhere.
func AppendText(dst, quoted []byte) []byte {
	return appendRaw(dst, 0, quoted[1:len(quoted)-1])
}

// appendRaw appends what is between the quotes to the text that begins at from.
func appendRaw(dst []byte, from int, raw []byte) []byte {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			return appendPiece(dst, from, raw)
		}
		dst = appendPiece(dst, from, raw[:n])
		unit, size := escape(raw[n:])
		dst = appendUnit(dst, from, unit)
		raw = raw[n+size:]
	}
}

// appendPiece appends text without escapes. Only its beginning can complete a pair.
func appendPiece(dst []byte, from int, piece []byte) []byte {
	if len(piece) >= halfSize && piece[0] == halfLead {
		if low, ok := half(piece); ok && isLow(low) {
			return append(appendUnit(dst, from, low), piece[halfSize:]...)
		}
	}
	return append(dst, piece...)
}

// escape reads the escape at the beginning of raw.
func escape(raw []byte) (unit rune, size int) {
	if raw[1] != 'u' {
		return rune(plain[raw[1]]), 2
	}
	for _, c := range raw[2:6] {
		unit = unit<<4 | rune(digits[c])
	}
	return unit, 6
}

var plain = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

var digits = [256]byte{
	'1': 1, '2': 2, '3': 3, '4': 4, '5': 5, '6': 6, '7': 7, '8': 8, '9': 9,
	'a': 10, 'b': 11, 'c': 12, 'd': 13, 'e': 14, 'f': 15, 'A': 10, 'B': 11, 'C': 12, 'D': 13, 'E': 14, 'F': 15,
}

// appendUnit appends one unit. The second half of a pair completes a first half at the end of the text.
func appendUnit(dst []byte, from int, unit rune) []byte {
	if unit < 0xD800 || unit > 0xDFFF {
		return utf8.AppendRune(dst, unit)
	}
	if n := len(dst) - halfSize; isLow(unit) && n >= from {
		if high, ok := half(dst[n:]); ok && !isLow(high) {
			return utf8.AppendRune(dst[:n], (high-0xD800)<<10+(unit-0xDC00)+0x10000)
		}
	}
	return append(dst, halfLead, 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
}

// halfLead begins the bytes of a half, and halfSize is how many they are.
const (
	halfLead = 0xED
	halfSize = 3
)

// half returns the half of a pair that b begins with.
func half(b []byte) (unit rune, ok bool) {
	if b[0] != halfLead || b[1] < 0xA0 {
		return 0, false
	}
	return 0xD000 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F), true
}

func isLow(half rune) bool { return half >= 0xDC00 }

// IsBlank reports whether a text is empty or has nothing but what JavaScript's trim takes away.
func IsBlank(text []byte) bool {
	return len(bytes.TrimLeftFunc(text, isSpace)) == 0
}

func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return 0x2000 <= r && r <= 0x200A
}
