package materialise

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/agentstream/conformance/verifier/scan"
)

// valueOf builds a value from JSON that was read as valid and not too deep; nil for none.
func valueOf(raw []byte) any {
	if len(raw) == 0 {
		return nil
	}
	v, _ := buildValue(raw, 0)
	return v
}

// buildValue builds the value at a position and returns where it ends.
func buildValue(b []byte, at int) (v any, end int) {
	switch b[at] {
	case '{':
		return buildObject(b, at)
	case '[':
		return buildArray(b, at)
	}
	end = scan.Skip(b, at)
	return scalar(b[at:end]), end
}

func scalar(raw []byte) any {
	switch raw[0] {
	case '"':
		t, _ := scan.Text(raw, nil)
		return string(t)
	case 't', 'f':
		return raw[0] == 't'
	case 'n':
		return nil
	}
	n, _ := strconv.ParseFloat(string(raw), 64)
	return max(-math.MaxFloat64, min(n, math.MaxFloat64))
}

func buildObject(b []byte, at int) (v any, end int) {
	object := map[string]any{}
	for m := scan.MembersOf(b, at); ; {
		name, from, ok := m.Next()
		if !ok {
			return object, scan.Space(b, at+1) + 1
		}
		value, to := buildValue(b, from)
		object[plain(name)] = value
		if end, last := m.Done(to); last {
			return object, end
		}
	}
}

// plain is a name without its escapes.
func plain(name []byte) string {
	if bytes.IndexByte(name, '\\') >= 0 {
		name, _ = scan.Unescape(name, nil)
	}
	return string(name)
}

func buildArray(b []byte, at int) (v any, end int) {
	array := []any{}
	for at = scan.Space(b, at+1); b[at] != ']'; {
		value, to := buildValue(b, at)
		array = append(array, value)
		if at = scan.Space(b, to); b[at] == ',' {
			at = scan.Space(b, at+1)
		}
	}
	return array, at + 1
}

// share returns now with all parts that equal those of old replaced by these, so that versions of one
// value take no more memory than what changed. It changes now.
func share(old, now any) (shared any, same bool) {
	switch now := now.(type) {
	case map[string]any:
		was, same := old.(map[string]any)
		same = same && len(was) == len(now)
		for name, v := range now {
			before, had := was[name]
			if !had {
				same = false
				continue
			}
			part, equal := share(before, v)
			now[name], same = part, same && equal
		}
		return either(same, old, any(now)), same
	case []any:
		was, same := old.([]any)
		same = same && len(was) == len(now)
		for i := range min(len(was), len(now)) {
			part, equal := share(was[i], now[i])
			now[i], same = part, same && equal
		}
		return either(same, old, any(now)), same
	}
	return now, old == now
}

func either[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// joined is what deltas say together: halves of a surrogate pair that two of them brought become the
// character.
func joined(text []byte) string {
	const half = 3 // bytes of one
	done := 0
	var out []byte
	for i := bytes.IndexByte(text, 0xED); i >= 0 && i+2*half <= len(text); {
		if r := pair(text[i : i+2*half]); r != utf8.RuneError {
			out = utf8.AppendRune(append(out, text[done:i]...), r)
			done = i + 2*half
			i = done - 1
		}
		next := bytes.IndexByte(text[i+1:], 0xED)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if done == 0 {
		return string(text)
	}
	return string(append(out, text[done:]...))
}

// pair is the character that two encoded halves make, utf8.RuneError where they are none.
func pair(b []byte) rune {
	if b[0] != 0xED || b[1]&0xF0 != 0xA0 || b[3] != 0xED || b[4]&0xF0 != 0xB0 {
		return utf8.RuneError
	}
	high, low := rune(b[1]&0x0F)<<6|rune(b[2]&0x3F), rune(b[4]&0x0F)<<6|rune(b[5]&0x3F)
	return 0x10000 + high<<10 + low
}
