package value_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
	"gotest.tools/v3/assert"
	"pgregory.net/rapid"

	"github.com/agentstream/conformance/verifier/value"
)

func TestTextIsJoinedAtUnits(t *testing.T) {
	for name, c := range map[string]struct {
		pieces []string
		want   string
	}{
		"nothing":                       {[]string{`""`, `""`}, ""},
		"plain":                         {[]string{`"ab"`, `"c"`}, "abc"},
		"escapes":                       {[]string{`"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC"`}, "\"\\/\b\f\n\r\tAé€"},
		"a pair in one string":          {[]string{`"x\ud83d\ude00y"`}, "x😀y"},
		"a pair cut by a delta":         {[]string{`"abc\ud83d"`, `"\ude00def"`}, "abc😀def"},
		"a pair with nothing between":   {[]string{`"\ud83d"`, `""`, `"\uDE00"`}, "😀"},
		"a lone first half":             {[]string{`"\ud83d"`, `"x"`}, "\xED\xA0\xBDx"},
		"a lone second half":            {[]string{`"x\ude00"`}, "x\xED\xB8\x80"},
		"halves the wrong way round":    {[]string{`"\ude00"`, `"\ud83d"`}, "\xED\xB8\x80\xED\xA0\xBD"},
		"two first halves and a second": {[]string{`"\ud800\ud83d"`, `"\ude00"`}, "\xED\xA0\x80😀"},
		"a second half after a pair":    {[]string{`"\ud83d\ude00"`, `"\ude00"`}, "😀\xED\xB8\x80"},
		"a character that begins so":    {[]string{`"\ud83d"`, `"\ud7ff"`, `"퟿"`}, "\xED\xA0\xBD\uD7FF\uD7FF"},
	} {
		t.Run(name, func(t *testing.T) {
			var text []byte
			for _, p := range c.pieces {
				text = value.AppendText(text, []byte(p))
			}
			assert.Equal(t, string(text), c.want)
		})
	}
}

// However units are cut into strings, and whichever of them are escaped, the joined bytes are the same.
func TestTextDoesNotDependOnCuts(t *testing.T) {
	unit := rapid.OneOf(rapid.Uint16Range(0xD7F0, 0xE010), rapid.Uint16Range(' ', 0x100), rapid.Uint16())
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SliceOfN(unit, 0, 12).Draw(t, "units")
		whole := value.AppendText(nil, quoted(units, nil))
		cut := rapid.IntRange(0, len(units)).Draw(t, "cut")
		raw := func(int) bool { return rapid.Bool().Draw(t, "raw") }
		joined := value.AppendText(value.AppendText(nil, quoted(units[:cut], raw)), quoted(units[cut:], raw))
		assert.Equal(t, string(joined), string(whole))
	})
}

// quoted writes units as a JSON string; those that raw chooses, and that can be, without an escape.
func quoted(units []uint16, raw func(i int) bool) []byte {
	out := []byte{'"'}
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		pair := rune(0xFFFD)
		if i+1 < len(units) {
			pair = utf16.DecodeRune(u, rune(units[i+1]))
		}
		switch {
		case raw != nil && pair != 0xFFFD && raw(i):
			out = append(out, string(pair)...)
			i++
		case raw != nil && u >= ' ' && u != '"' && u != '\\' && !utf16.IsSurrogate(u) && raw(i):
			out = append(out, string(u)...)
		default:
			out = fmt.Appendf(out, `\u%04x`, u)
		}
	}
	return append(out, '"')
}

func TestBlankIsWhatTrimLeavesNothingOf(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " \t\r\n\v\f": true, "\u00a0\ufeff\u2028\u2029\u3000\u2003": true,
		"x": false, " x ": false, "{}": false, "\u0000": false, "\u200b": false, "\u0085": false, "\xED\xA0\x80": false,
	} {
		assert.Equal(t, value.IsBlank([]byte(text)), want, "%q", text)
	}
}

func TestAnObjectIsExamined(t *testing.T) {
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	for text, want := range map[string]value.Defect{
		`{}`: value.Sound, " {\"a\":1}\n": value.Sound, `{"a":1,"a":2}`: value.Sound, `{"__proto__":{"x":1}}`: value.Sound,
		`{"a":"\ud800"}`: value.Sound, "{\"a\":\"\xED\xA0\x80\"}": value.Sound, `{"a":[{},[],""," ",-0,1.5e-3,true,false,null]}`: value.Sound,
		`{"a":1e308}`: value.Sound, `{"a":1e-400}`: value.Sound,
		``: value.NotJSON, ` `: value.NotJSON, `{`: value.NotJSON, `{"a":1`: value.NotJSON, `{"a":1,}`: value.NotJSON, `{,}`: value.NotJSON,
		`{"a"}`: value.NotJSON, `{"a":}`: value.NotJSON, `{"a" 1}`: value.NotJSON, `{"a":1]`: value.NotJSON, `[1,]`: value.NotJSON, `[1 2]`: value.NotJSON,
		`{"a":1}{"b":2}`: value.NotJSON, `{"a":1}x`: value.NotJSON, `{'a':1}`: value.NotJSON, `{a:1}`: value.NotJSON, `{"a":1/*x*/}`: value.NotJSON,
		"{\"a\":\"x\ny\"}": value.NotJSON, "\ufeff{}": value.NotJSON, "{}\u00a0": value.NotJSON, `{"a":01}`: value.NotJSON, `{"a":+1}`: value.NotJSON,
		`{"a":.5}`: value.NotJSON, `{"a":1.}`: value.NotJSON, `{"a":1e}`: value.NotJSON, `{"a":-}`: value.NotJSON, `{"a":NaN}`: value.NotJSON,
		`{"a":tru}`: value.NotJSON, `{"a":"\x"}`: value.NotJSON, `{"a":"\u12g4"}`: value.NotJSON, `{"a":"\`: value.NotJSON, `{"a":"\u1`: value.NotJSON, "\x00": value.NotJSON,
		`[1]`: value.NotObject, `null`: value.NotObject, `"a"`: value.NotObject, `1`: value.NotObject, `[1e400]`: value.NotObject,
		`{"a":1e400}`: value.NotFinite, `{"a":[-1e999]}`: value.NotFinite, `{"a":1` + strings.Repeat("0", 309) + `}`: value.NotFinite,
		deep: value.TooDeep, `{"a":` + deep + `}`: value.TooDeep, strings.Repeat(`{"a":[`, 1000): value.TooDeep,
	} {
		assert.Equal(t, value.Examine([]byte(text), 512), want, "%.60s", text)
	}
	assert.Equal(t, value.Examine([]byte(`{"a":[1]}`), 2), value.Sound, "the limit itself is allowed")
	assert.Equal(t, value.Examine([]byte(`{"a":[1]}`), 1), value.TooDeep)
	nested := strings.Repeat(`{"a":[`, 200) + strings.Repeat(`]}`, 200)
	assert.Equal(t, value.Examine([]byte(nested), 400), value.Sound)
	assert.Equal(t, value.Examine([]byte(nested), 399), value.TooDeep)
	assert.Equal(t, value.Examine([]byte(strings.Replace(nested, "]}", "}]", 1)), 400), value.NotJSON)
	assert.Equal(t, value.Examine([]byte(strings.Repeat("[", 1<<20)), 1<<30), value.TooDeep)
	text := []byte(`{"a":[1,{"b":"\u00e9"}]}`)
	assert.Equal(t, testing.AllocsPerRun(100, func() { value.Examine(text, 10) }), 0.0)
}

func FuzzExamineAgreesWithJsontext(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.5e3,true,null,"\u00e9\ud800"]}`, ` [ ] `, `{"a":1,}`, "\"\xED\xA0\x80\"", `-0`, `1e400`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := value.Examine(text, 1000)
		if d == value.TooDeep {
			return
		}
		valid := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		assert.Equal(t, d != value.NotJSON, valid, "%q", text)
		if valid {
			assert.Assert(t, value.Equal(text, append([]byte(" "), text...)), "%q", text)
		}
	})
}

func TestValuesAreEqualAsInJavaScript(t *testing.T) {
	big := strings.Repeat(`"0123456789",`, 100)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":2}`, ` { "b" : 2 , "a" : 1 } `, true},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
		{`{"a":1,"a":2}`, `{"a":1}`, false},
		{`{"a":1,"\u0061":2}`, `{"a":2}`, true},
		{`{}`, `{ }`, true},
		{`{}`, `[]`, false},
		{`{}`, `null`, false},
		{`{"a":null}`, `{}`, false},
		{`{"__proto__":{"x":1}}`, `{}`, false},
		{`1`, `1.0`, true}, {`1`, `1e0`, true}, {`100`, `1e2`, true}, {`0`, `-0`, true}, {`0.1`, `0.10000000000000001`, true},
		{`9007199254740993`, `9007199254740992`, true}, {`9007199254740994`, `9007199254740992`, false},
		{`999999999999999`, `999999999999999.0`, true}, {`1e-400`, `0`, true}, {`1e400`, `1e999`, true}, {`1e400`, `-1e400`, false}, {`1e400`, `null`, false},
		{`1`, `"1"`, false}, {`1`, `true`, false}, {`true`, `false`, false}, {`null`, `false`, false}, {`"null"`, `null`, false},
		{`[1,2]`, `[2,1]`, false}, {`[1,2]`, `[12]`, false}, {`[1]`, `{"0":1}`, false}, {`[[],[]]`, `[[[]]]`, false},
		{`"\/\u00e9"`, `"/é"`, true}, {`"\ud83d\ude00"`, `"😀"`, true}, {`"\ud800"`, `"\ufffd"`, false}, {`"\ud800"`, `"\uD800"`, true}, {`"\u00e9"`, `"e\u0301"`, false},
		{"\"\xED\xA0\xBD\\ude00\"", `"😀"`, true}, {"\"\\ud83d\xED\xB8\x80\"", `"😀"`, true},
		{`{"x":[` + big + `1],"a":{"k":[` + big + `2]}}`, `{"a":{"k":[` + big + `2.0]},"x":[` + big + `1]}`, true},
		{`{"x":[` + big + `1],"a":{"k":[` + big + `2]}}`, `{"a":{"k":[` + big + `3]},"x":[` + big + `1]}`, false},
	} {
		assert.Equal(t, value.Equal([]byte(c.a), []byte(c.b)), c.want, "%.80s and %.80s", c.a, c.b)
		assert.Equal(t, value.Digest([]byte(c.a)) == value.Digest([]byte(c.b)), c.want, "%.80s and %.80s", c.a, c.b)
	}
}

func TestANumberThatWasTooBigIsRecordedAsNull(t *testing.T) {
	var d value.Digester
	null := value.Digest([]byte(`{"a":null}`))
	assert.Assert(t, d.SumRecorded([]byte(`{"a":1e400}`)) == null)
	assert.Assert(t, d.Sum([]byte(`{"a":1e400}`)) != null)
	assert.Assert(t, d.SumRecorded([]byte(`{"a":null}`)) == null)
	for json, want := range map[string]bool{`{"a":[1e308,"1e400"]}`: true, `{"a":[1e400]}`: false, `-1e400`: false, `{"1e400":0}`: true} {
		assert.Equal(t, value.IsFinite([]byte(json)), want, json)
	}
}

// A value is equal to itself after it was decoded and encoded again, which sorts members.
func TestAValueEqualsItselfEncodedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 4)
		var text any
		assert.NilError(t, json.Unmarshal([]byte(v), &text))
		again, err := json.Marshal(text)
		assert.NilError(t, err)
		assert.Assert(t, value.Equal([]byte(v), again), "%s and %s", v, again)
	})
}

func drawValue(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return rapid.SampledFrom([]string{"true", "false", "null", "0", "-0.0", "1E2", "123456789012345678", "0.5"}).Draw(t, "literal")
	case 1:
		return fmt.Sprint(rapid.Int32().Draw(t, "number"))
	case 2, 3:
		text, _ := json.Marshal(rapid.String().Draw(t, "text"))
		return string(text)
	case 4:
		return "[" + strings.Join(elements(t, depth, ""), ",") + "]"
	}
	return "{" + strings.Join(elements(t, depth, `"%c":`), " , ") + "}"
}

func elements(t *rapid.T, depth int, name string) (all []string) {
	for range rapid.IntRange(0, 4).Draw(t, "n") {
		prefix := ""
		if name != "" {
			prefix = fmt.Sprintf(name, 'a'+rapid.IntRange(0, 3).Draw(t, "name"))
		}
		all = append(all, prefix+drawValue(t, depth-1))
	}
	return all
}

// Sorting objects around a long value does not move it once for each.
func TestWhatIsDeepInsideIsNotMovedForEachObject(t *testing.T) {
	v := `"` + strings.Repeat("x", 4<<20) + `"`
	for range 500 {
		v = `{"b":` + v + `,"a":1}`
	}
	assert.Assert(t, value.Equal([]byte(v), []byte(" "+v)))
}

func TestADigesterDoesNotAllocate(t *testing.T) {
	var d value.Digester
	v := []byte(`{"b":[1,2.5,"a few words"],"a":{"z":null,"y":true},"c":"\ud83d\ude00"}`)
	want := value.Digest(v)
	assert.Assert(t, d.Sum(v) == want)
	assert.Equal(t, testing.AllocsPerRun(100, func() { d.Sum(v) }), 0.0)
	d.Sum([]byte(`["` + strings.Repeat("x", 1<<20) + `"]`))
	assert.Assert(t, d.Sum(v) == want, "after a big one")
}

func TestJoiningTextDoesNotAllocate(t *testing.T) {
	text, delta := make([]byte, 0, 1<<10), []byte(`"a few words \ud83d\ude00 \n"`)
	assert.Equal(t, testing.AllocsPerRun(100, func() { text = value.AppendText(text[:0], delta) }), 0.0)
}

func TestAnIndexIsAWholeNumberThatIsNotNegative(t *testing.T) {
	for number, want := range map[string]int{
		"0": 0, "-0": 0, "0.0": 0, "12": 12, "1e2": 100, "3.0": 3, "9007199254740991": 1<<53 - 1,
		"-1": -1, "0.5": -1, "1e400": -1, "9007199254740992": -1, `"0"`: -1, "null": -1, "": -1,
	} {
		n, ok := value.Index([]byte(number))
		assert.Equal(t, ok, want >= 0, number)
		if ok {
			assert.Equal(t, n, want, number)
		}
	}
}

func TestANumberIsWrittenAsJavaScriptDoes(t *testing.T) {
	for number, want := range map[string]string{
		"5": "5", "-0": "0", "1.0": "1", "1e2": "100", "0.1": "0.1", "1e20": "100000000000000000000", "1e21": "1e+21", "1.5e300": "1.5e+300",
		"0.000001": "0.000001", "1e-7": "1e-7", "-1.25e-10": "-1.25e-10", "1e400": "Infinity", "-1e400": "-Infinity", "9007199254740993": "9007199254740992",
	} {
		assert.Equal(t, string(value.AppendNumber(nil, []byte(number))), want, number)
	}
}
