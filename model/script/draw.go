package script

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// draw is where every decision of a writer comes from. What is drawn is a seed: its answers are spread evenly, and the seed 0,
// to which rapid shrinks, gives the first one.
type draw struct{ t *rapid.T }

var seeds = rapid.IntRange(0, 1<<24-1)

// roll is one of 0..n-1; n that are 1 or less cost no draw.
func (d draw) roll(n int) int {
	if n <= 1 {
		return 0
	}
	return int(mix(uint64(seeds.Draw(d.t, "roll"))) % uint64(n))
}

// mix is splitmix64 without its increment, so that 0 stays 0.
func mix(z uint64) uint64 {
	z *= 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return (z ^ z>>31) >> 1
}

// chance is true in percent of all cases, and shrinks to false.
func (d draw) chance(percent int) bool { return d.roll(100) >= 100-percent }

func (d draw) oneOf(words ...string) string { return words[d.roll(len(words))] }

// maybe is a string that need not be there.
func (d draw) maybe(text func() string) *string {
	if !d.chance(25) {
		return nil
	}
	s := text()
	return &s
}

// words are joined in any order: combining marks, ZWJ sequences, flags, jamo and selectors come apart and together.
var words = []string{
	"a", "Hello", "", " ", "world.", "\n", "0", "{}", `"q"`, `\`, "/", "~", "\t", "<b>", "null", "data: x", "é", "e\u0301", "\u0301",
	"👩", "\u200d", "👩\u200d💻", "🇩", "🇪", "\u2028", "\u2029", "\u0000", "\u001f", "\u007f", "\u0085", "\ufeff", "\ufe0f", "한", "\u1112",
	"\u1161", "مرحبا", "\u202e", "𝄞", "\U0010ffff", "\uffff", "\ufffd", "漢字", "\r\n", "event: x\n\n", "[DONE]",
}

// prose is a text: empty, short, at times long.
func (d draw) prose() string {
	n := d.roll(4)
	if d.chance(2) {
		n = 60
	}
	var b strings.Builder
	for range n {
		b.WriteString(words[d.roll(len(words))])
	}
	return b.String()
}

// cut divides a text between any two code points, and puts empty pieces in.
func (d draw) cut(text string) []string {
	pieces := []string{}
	rest := []rune(text)
	for len(rest) > 0 {
		n := 1 + d.roll(len(rest))
		pieces = append(pieces, string(rest[:n]))
		rest = rest[n:]
		if d.chance(10) {
			pieces = append(pieces, "")
		}
	}
	if len(pieces) == 0 && d.chance(50) {
		pieces = append(pieces, "")
	}
	return pieces
}

var numbers = []float64{0, 1, -1, 0.5, 42, 1000, 1e-7, -3.25, 1700000000000, biggest, -biggest, 0.1, 2.5e-300}

// anything is any JSON value, null too.
func (d draw) anything(depth int) any {
	kinds := 5
	if depth > 0 {
		kinds = 7
	}
	switch d.roll(kinds) {
	case 0:
		return d.prose()
	case 1:
		return numbers[d.roll(len(numbers))]
	case 2:
		return true
	case 3:
		return false
	case 5:
		list := []any{}
		for range d.roll(4) {
			list = append(list, d.anything(depth-1))
		}
		return list
	case 6:
		return d.record(depth - 1)
	}
	return nil
}

var names = []string{"a", "b", "c", "list", "", "a/b", "m~n", "~1", "0", "-", "x y", "type", "é", "👩\u200d💻"}

// record is an object with any members.
func (d draw) record(depth int) map[string]any {
	out := map[string]any{}
	for range d.roll(4) {
		out[names[d.roll(len(names))]] = d.anything(depth)
	}
	return out
}

// labelled is metadata: its names have prefixes.
func (d draw) labelled() map[string]any {
	out := map[string]any{}
	for range d.roll(3) {
		out[d.oneOf("acme:trace", "acme.cost", "x/y", "é:k")] = d.anything(2)
	}
	return out
}

// something is a value that is not null.
func (d draw) something() jsontext.Value {
	if v := d.anything(2); v != nil {
		return valueOf(v)
	}
	return valueOf("")
}

// valueOf is the text of a value.
func valueOf(v any) jsontext.Value {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(err) // it is made here, of what JSON can say
	}
	return text
}
