package report

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance"
)

func TestWhatATerminalActsOnIsEscaped(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":             {"plain é 漢 \\ \"", "plain é 漢 \\ \""},
		"escape":            {"\x1b[31mred\x07", `\x1b[31mred\x07`},
		"line ends":         {"a\r\n\tb\u2028c", `a\r\n\tb\u2028c`},
		"bidi":              {"\u202eexe\u2066", `\u202eexe\u2066`},
		"C1 and delete":     {"\u009b2J\x7f", `\u009b2J\x7f`},
		"zero width":        {"a\u200bb\ufeff", `a\u200bb\ufeff`},
		"no break space":    {"a\u00a0b", `a\u00a0b`},
		"not UTF-8":         {"\xffa\xc3", `\xffa\xc3`},
		"half a pair":       {"\xed\xa0\x80", `\ud800`},
		"tag characters":    {"\U000E0041", `\U000e0041`},
		"replacement":       {"\uFFFD\xff", "\uFFFD" + `\xff`},
		"combining remains": {"e\u0301", "e\u0301"},
		"NUL":               {"\x00", `\x00`},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, Escape(c.in), c.want) })
	}
}

func TestTextIsCutByColumnsAndNotWithinACharacter(t *testing.T) {
	assert.Equal(t, cut("abcdef", 6), "abcdef")
	assert.Equal(t, cut("abcdef", 5), "abcd…")
	assert.Equal(t, cut("漢字漢字", 6), "漢字…")
	assert.Equal(t, cut(strings.Repeat("e\u0301", 10), 4), strings.Repeat("e\u0301", 3)+"…")
	assert.Equal(t, suffix("漢字漢字", 5), "漢字")
	assert.Equal(t, suffix("abc", 5), "abc")
}

func TestTextIsWrappedAtSpaces(t *testing.T) {
	assert.DeepEqual(t, wrap("one two three", 7, 5), []string{"one two", "three"})
	assert.DeepEqual(t, wrap("one two", 2, 5), []string{"", "one", "two"})
	assert.DeepEqual(t, wrap("abcdefgh", 3, 3), []string{"", "abc", "def", "gh"})
	assert.DeepEqual(t, wrap("", 3, 3), []string{""})
}

// Whatever the event and its fault, the line fits and the mark is below the fault.
func TestExcerptsFit(t *testing.T) {
	for _, parts := range [][3]string{
		{`{"type":"X","a":`, `1`, `}`},
		{strings.Repeat("漢", 60), "fault", strings.Repeat("字", 60)},
		{"", strings.Repeat("x", 200), ""},
		{strings.Repeat("x", 200), strings.Repeat("y", 200), strings.Repeat("z", 200)},
		{strings.Repeat("\x1b", 30), "\u202e", strings.Repeat("e\u0301", 90)},
		{strings.Repeat("x", 70), "", ""},
		{"", "", strings.Repeat("x", 70)},
	} {
		for _, typ := range []string{"", "TEXT_MESSAGE_CONTENT", strings.Repeat("LONG", 30)} {
			x := &conformance.Excerpt{Text: []byte(parts[0] + parts[1] + parts[2]), From: len(parts[0]), To: len(parts[0]) + len(parts[1]), After: true}
			text, from, to := fit(x, typ, 66)
			assert.Assert(t, width(text) <= 66, "%q", text)
			assert.Assert(t, from <= to && to <= 66)
			if parts[1] != "" {
				assert.Assert(t, strings.HasPrefix(suffix(text, width(text)-from), prefix(Escape(parts[1]), 1)), "%q at %d", text, from)
			}
		}
	}
}
