package conformance

import (
	"bytes"
	"encoding/json"
	"unicode"
	"unicode/utf8"
)

// Marshal returns compact JSON in which nothing is raw that a terminal or an editor would act on:
// control and format characters, bidi controls, line separators are escapes, and bytes that are not
// UTF-8 are U+FFFD. It is for whatever goes to a screen or a log.
func Marshal(v any) ([]byte, error) { return marshal(v, "") }

// MarshalIndent is Marshal with a line for each member and element.
func MarshalIndent(v any) ([]byte, error) { return marshal(v, "  ") }

func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return safe(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// safe escapes, in valid JSON, what is not printable; such characters stand in strings only.
func safe(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == '\n' || unicode.IsPrint(r): // a raw line end is the indentation's
			out = append(out, b[i:i+n]...)
		case r < 0x10000:
			out = appendUnit(out, r)
		default:
			r -= 0x10000
			out = appendUnit(appendUnit(out, 0xD800+r>>10), 0xDC00+r&0x3FF)
		}
		i += n
	}
	return out
}

func appendUnit(b []byte, u rune) []byte {
	const hexDigits = "0123456789abcdef"
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
