package document

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// appendCanonical appends the text between the quotes of a JSON string in one spelling per string: escapes stay only
// for what JSON wants escaped and for halves of surrogate pairs. Thus equal strings have equal texts, and no escape in
// a canonical text stands for a slash or a tilde.
func appendCanonical(dst, content []byte) []byte {
	for len(content) > 0 {
		i := bytes.IndexByte(content, '\\')
		if i < 0 {
			return append(dst, content...)
		}
		dst = append(dst, content[:i]...)
		r, n := unescape(content[i:])
		dst = appendRune(dst, r)
		content = content[i+n:]
	}
	return dst
}

// canonical gives the canonical content of a JSON string with its quotes, in buf where it isn't part of raw.
func canonical(buf *[]byte, raw []byte) []byte {
	content := raw[1 : len(raw)-1]
	if bytes.IndexByte(content, '\\') < 0 {
		return content
	}
	*buf = appendCanonical((*buf)[:0], content)
	return *buf
}

// unescape reads the escape sequence, or pair of them, that valid content starts with.
// It gives its rune, possibly half a surrogate pair, and its length.
func unescape(s []byte) (r rune, n int) {
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r = hex4(s[2:])
		if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(s[8:])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return r, 6
	default:
		return rune(s[1]), 2
	}
}

func hex4(s []byte) (r rune) {
	for _, c := range s[:4] {
		switch {
		case c >= 'a':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A':
			r = r<<4 | rune(c-'A'+10)
		default:
			r = r<<4 | rune(c-'0')
		}
	}
	return r
}

// appendRune appends a rune that was escaped, escaped again only if it must be.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r < ' ':
		if i := strings.IndexByte("\b\f\n\r\t", byte(r)); i >= 0 {
			return append(dst, '\\', "bfnrt"[i])
		}
		return appendHex(dst, r)
	case utf16.IsSurrogate(r):
		return appendHex(dst, r)
	}
	return utf8.AppendRune(dst, r)
}

func appendHex(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// clipped is the number of characters of a document's text that an error shows.
const clipped = 80

// clip makes canonical content safe and short enough for an error text: what cannot be printed is escaped.
func clip(content []byte) string {
	var out []byte
	for range clipped {
		if len(content) == 0 {
			return string(out)
		}
		if content[0] == '\\' {
			_, n := unescape(content)
			out, content = append(out, content[:n]...), content[n:]
			continue
		}
		r, n := utf8.DecodeRune(content)
		switch {
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case strconv.IsPrint(r):
			out = append(out, content[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = appendHex(appendHex(out, high), low)
		default:
			out = appendHex(out, r)
		}
		content = content[n:]
	}
	if len(content) > 0 {
		out = append(out, "…"...)
	}
	return string(out)
}

func quote(content []byte) string { return `"` + clip(content) + `"` }
