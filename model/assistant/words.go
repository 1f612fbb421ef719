package assistant

import (
	"unicode/utf16"
)

var plainWords = []string{"Hello", " from", " the model", "a", ".", "\n", " ", "no", "{\"a\":1}", "undefined", "null", "\t\"q\"", "\\u0041", "data: x", "\u007f"}

var strangeWords = []string{"é", "e\u0301", "😀", "👩‍👩‍👧", "\u2028", "\ufeff", "\ufffd", "日本", "\u0000", "𝒳"}

// halves are pieces of surrogate pairs.
var halves = [][]uint16{{0xd800}, {0xdc00}, {0xd83d, 0xd83d, 0xde00}, {0xde00, 0xd83d}, {0xdfff, 0x41}}

// prose is some text, empty now and then.
func (s *sim) prose(n *noise) []uint16 {
	var out []uint16
	for range n.below(7) {
		out = append(out, s.word(n)...)
	}
	return out
}

func (s *sim) word(n *noise) []uint16 {
	if !s.k.has(Unicode) || n.chance(60) {
		return unitsOf(among(n, plainWords))
	}
	if n.chance(20) {
		return among(n, halves)
	}
	return unitsOf(among(n, strangeWords))
}

// cut is text in pieces, some of them empty. Most of the time there is more than one.
func cut(n *noise, units []uint16) [][]uint16 {
	var out [][]uint16
	for len(units) > 0 {
		size := 1 + n.below(min(len(units), 9))
		out, units = append(out, units[:size]), units[size:]
		if n.chance(10) {
			out = append(out, nil)
		}
		if len(out) == 5 {
			break
		}
	}
	if len(units) > 0 || len(out) == 0 && n.chance(40) {
		out = append(out, units)
	}
	return out
}

var (
	ids       = []string{"call_1", "call_2", "toolu_01A", "a|b", "x:1/2", "é", "c", "call_1"}
	toolNames = []string{"read", "ls", "write", "bash", "mcp__x.y"}
	names     = []string{"a", "path", "b", "__proto__", "é", "", "content", "0", "constructor"}
)

// --- arguments ---

// argument is any JSON value.
func (s *sim) argument(n *noise, depth int) value {
	switch n.below(8 - 2*depth) {
	case 0:
		return text(s.prose(n))
	case 1:
		return literal(among(n, numbers)[0])
	case 2:
		return among(n, []value{null, yes, no})
	case 3:
		return text(s.word(n))
	case 4, 5:
		var list []value
		for range n.below(4) {
			list = append(list, s.argument(n, depth+1))
		}
		return array(list...)
	}
	return s.object(n, depth+1, 0)
}

// object is an object of arguments with that many members at least.
func (s *sim) object(n *noise, depth, least int) value {
	out := empty
	for range max(least, n.below(4)) {
		name := among(n, names)
		if _, taken := out.get(name); taken {
			name += "2"
		}
		out = out.with(name, s.argument(n, min(depth, 3)))
	}
	return out
}

// written is the text of an object as a model writes it.
func (s *sim) written(n *noise, v value) []uint16 {
	how := spelling{n: new(noise)}
	if s.k.has(Odd) && n.chance(50) {
		how = spelling{n: n, shuffle: n.chance(60), space: n.chance(40), strange: n.chance(50), twice: n.chance(20)}
	}
	out := unitsOf(string(how.bytes(v)))
	if s.k.has(Odd) && n.chance(30) {
		out = unescaped(out)
	}
	return out
}

// unescaped writes the halves of pairs as they are: a reader of text takes them.
func unescaped(in []uint16) []uint16 {
	var out []uint16
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' || i+1 == len(in) {
			out = append(out, in[i])
			continue
		}
		if u, ok := unitOf(in[i:]); ok {
			out = append(out, u)
			i += 5
			continue
		}
		out = append(out, in[i], in[i+1])
		i++
	}
	return out
}

func unitOf(in []uint16) (uint16, bool) {
	if len(in) < 6 || in[1] != 'u' {
		return 0, false
	}
	u := uint16(0)
	for _, c := range in[2:6] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		u = u<<4 | d
	}
	return u, utf16.IsSurrogate(rune(u))
}

func hexDigit(c uint16) (uint16, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// unparsable texts are no JSON object.
var unparsable = []string{
	`{"a":1`, `{"a":1,}`, `{"a":1}{"b":2}`, `{"a":1/*x*/}`, `{'a':1}`, "{\"a\":\"x\ny\"}", "\ufeff{\"a\":1}", `{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":NaN}`,
	`{"path": nope`, `[1]`, `null`, `"a"`, `7`, `{"a":"\q"}`, `{a:1}`, `{"a"}`, `}`, `{"a":1.}`, `{"a":"\ud8"}`, `{"a":tru}`, `{"a":1e}`,
}

var blanks = []string{"", " ", "\n", "  \t ", "\r\n"}
