package scan

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"
)

var seeds = []string{
	`{}`, `[]`, `0`, `-0`, `-1.5e+10`, `01`, `1.`, `.5`, `1e`, `true`, `tru`, `null`, `"a"`, `"`, `"\u00e9"`, `"\ud83d\ude00"`,
	`"\ud83d"`, `"\ude00"`, `"\ud83d\u0041"`, `"\x"`, "\"\x01\"", "\"\xff\"", "\"é\"", "\"\xed\xa0\x80\"", `{"a":1}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`,
	`{"a":{"b":[1,2,{"c":null}]},"d":""}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[,1]`, `[1 2]`, `{a:1}`, ` { "a" : [ ] } `, `{} {}`, `[[[[]]]]`,
	`{"a":NaN}`, ``, ` `, `{"long name that is over eight bytes":"text that is over eight bytes \" with \\ escapes"}`, `-`, `[}`, `{]`, `"\`, `"\u12`, `nulll`,
}

func FuzzCleanAgreesWithJsontext(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	var s Scanner
	f.Fuzz(func(t *testing.T, data []byte) {
		strict := jsontext.Value(data).IsValid()
		clean := s.Clean(data, MaxDepth)
		if clean && !strict {
			t.Fatalf("clean, but jsontext refuses %q", data)
		}
		if !clean && strict && !leftToTwin(data) {
			t.Fatalf("not clean, but jsontext takes %q", data)
		}
		checkDiagnosis(t, data, strict)
	})
}

// leftToTwin: a name with escapes, or many names.
func leftToTwin(data []byte) bool {
	return strings.Contains(string(data), `\`) || strings.Count(string(data), ":") > manyNames
}

func checkDiagnosis(t *testing.T, data []byte, strict bool) {
	d := Diagnose(data, MaxDepth)
	loose := jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.TooDeep.Found {
		return
	}
	if d.Broken.Found == loose {
		t.Fatalf("broken is %v for %q, jsontext says valid %v", d.Broken, data, loose)
	}
	if !loose {
		return
	}
	if defect := d.BadUTF8.Found || d.DuplicateName.Found || d.LoneSurrogate.Found; defect == strict {
		t.Fatalf("defects %+v of %q, but strictly valid: %v", d, data, strict)
	}
	lone := jsontext.AllowInvalidUTF8(d.LoneSurrogate.Found)
	if !jsontext.Value(d.Cleaned).IsValid(lone) {
		t.Fatalf("cleaned %q to %q, which is not clean", data, d.Cleaned)
	}
}

func TestScannerTakesExactlyStrictJSON(t *testing.T) {
	var s Scanner
	for _, text := range seeds {
		strict := jsontext.Value(text).IsValid()
		if got := s.Clean([]byte(text), MaxDepth); got != strict && !(strict && leftToTwin([]byte(text))) {
			t.Errorf("%q: clean %v, jsontext %v", text, got, strict)
		}
		checkDiagnosis(t, []byte(text), strict)
	}
}

// near calls f with text and with all that one byte more, less or another makes of it.
func near(text string, f func(text string)) {
	const bytes = "{}[]\":,\\/ \n\t\x00\x1f\x7f\x80\xbf\xed\xffaAbcdDeEfFgGnu0189+-."
	f(text)
	for i := range len(text) {
		f(text[:i] + text[i+1:])
		for j := range len(bytes) {
			f(text[:i] + bytes[j:j+1] + text[i+1:])
			f(text[:i] + bytes[j:j+1] + text[i:])
		}
	}
}

// The scanner reads the members of the event, what is in them, and what is deeper in ways of their own.
func TestScannerTakesExactlyStrictJSONNearIt(t *testing.T) {
	var s Scanner
	for _, seed := range append(seeds, `{"type":"A","b":1,"cc":[true,false]}`, `"0123456789abcdef"`, `"01234\udbff\udfff"`, `[1e5,-0.25E-3]`) {
		for _, around := range []string{"%", `{"k":%,"l":1}`, `[{"l":%}]`} {
			near(strings.Replace(around, "%", seed, 1), func(text string) {
				strict := jsontext.Value(text).IsValid()
				if got := s.Clean([]byte(text), MaxDepth); got != strict && !(strict && leftToTwin([]byte(text))) {
					t.Fatalf("%q: clean %v, jsontext %v", text, got, strict)
				}
			})
		}
	}
}

// A scanner that takes halves takes what has no other defect.
func TestHalvesAreTakenAndNothingElse(t *testing.T) {
	var strict Scanner
	halves := Scanner{Halves: true}
	for _, seed := range append(seeds, `"0123456789abcdef\ud800"`, `"\ud800\ud83d\ude00\udc00é"`, `{"k":"\udbff","l":["\udfff x"]}`) {
		for _, around := range []string{"%", `{"k":%,"l":1}`, `[{"l":%}]`} {
			near(strings.Replace(around, "%", seed, 1), func(text string) {
				data := []byte(text)
				d := Diagnose(data, MaxDepth)
				sound := !d.Broken.Found && !d.BadUTF8.Found && !d.DuplicateName.Found
				if got := halves.Clean(data, MaxDepth); got != sound && !(sound && leftToTwin(data) && !strict.Clean(data, MaxDepth)) {
					t.Fatalf("%q: clean %v, diagnosed %+v", text, got, d)
				}
			})
		}
	}
	for _, text := range []string{`"\ud83d"`, `["\ude00\ud83d x"]`, `{"a":{"b":["0123456789\udfff\n\ud83d\ude00é"]}}`, `{"a":"\udbff\u0041"}`} {
		assert.Assert(t, halves.Clean([]byte(text), 10), text)
		assert.Assert(t, !strict.Clean([]byte(text), 10), text)
	}
	data := []byte(`{"type":"text_delta","contentIndex":0,"delta":"\ud800\n"}`)
	assert.Assert(t, halves.Clean(data, 10))
	assert.Equal(t, listed(string(data), halves.Entries), listed(string(data), EntriesOf(nil, data, 0)))
	assert.Equal(t, testing.AllocsPerRun(100, func() { halves.Clean(data, 10) }), 0.0)
}

func TestDiagnosisSaysWhatIsWrongNearEverySeed(t *testing.T) {
	for _, seed := range seeds {
		near(seed, func(text string) { checkDiagnosis(t, []byte(text), jsontext.Value(text).IsValid()) })
	}
}

// The entries are the same, found on the way or by walking.
func TestEntriesAreTheMembers(t *testing.T) {
	var s Scanner
	for text, want := range map[string]string{
		`{}`:                    ``,
		` { "a" : "x" , "b":1}`: `a="x" b=1 `,
		`{"a":{"b":"\\"},"c":"\u0041","d":"x\\y","e":[1, "\\"],"f":null}`: `a={"b":"\\"} c="\u0041"! d="x\\y"! e=[1, "\\"] f=null `,
	} {
		data := []byte(text)
		assert.Assert(t, s.Clean(data, 10), text)
		assert.Equal(t, listed(text, s.Entries), want)
		assert.Equal(t, listed(text, EntriesOf(nil, data, Space(data, 0))), want)
	}
}

func listed(text string, entries []Entry) string {
	var b strings.Builder
	for _, x := range entries {
		b.WriteString(text[x.NameFrom:x.NameTo] + "=" + text[x.From:x.To])
		if x.Escaped {
			b.WriteByte('!')
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func TestScannerBoundsDepth(t *testing.T) {
	var s Scanner
	deep := strings.Repeat("[", 5) + strings.Repeat("]", 5)
	assert.Assert(t, s.Clean([]byte(deep), 5))
	assert.Assert(t, !s.Clean([]byte(deep), 4))
	assert.Assert(t, Diagnose([]byte(deep), 4).TooDeep.Found)
	assert.Assert(t, Diagnose([]byte(strings.Repeat("[", 100_000)), 512).TooDeep.Found, "also when it is cut")
	for text, depth := range map[string]int{
		`1`: 0, `[1]`: 1, `{"a":1}`: 1, `{"a":[{}]}`: 3, `[[],[],{}]`: 2, `["[[[",{"{{":"\\"},"\"["]`: 2, `{"a":"]","b":{"c":{}},"d":{"e":[]}}`: 3,
	} {
		assert.Assert(t, s.Clean([]byte(text), depth), text)
		assert.Assert(t, !Diagnose([]byte(text), depth).TooDeep.Found, text)
		if depth > 0 {
			assert.Assert(t, !s.Clean([]byte(text), depth-1), text)
			assert.Assert(t, Diagnose([]byte(text), depth-1).TooDeep.Found, text)
		}
	}
}

func TestScannerFindsTheSecondNameAtAnyDepth(t *testing.T) {
	var s Scanner
	for text, pointer := range map[string]string{
		`{"a":1,"a":2}`:                   "/a",
		`{"x":[{"a":{"b":1,"b":2}}]}`:     "/x/0/a/b",
		`{"a":1,"b":{"a":1},"a":{}}`:      "/a",
		`{"a":1,"\u0061":2}`:              "/a",
		`{"m/n":1,"m/n":2}`:               "/m~1n",
		`{"x":{"a":1},"y":{"a":1,"a":2}}`: "/y/a",
	} {
		assert.Assert(t, !s.Clean([]byte(text), 10), text)
		d := Diagnose([]byte(text), 10)
		assert.Equal(t, d.DuplicateName.Pointer, pointer, text)
	}
	many := "{"
	for i := range 200 {
		many += `"` + strings.Repeat("k", i+1) + `":1,`
	}
	assert.Assert(t, Diagnose([]byte(many+`"k":2}`), 10).DuplicateName.Found)
	d := Diagnose([]byte(many+`"z":2}`), 10)
	assert.Assert(t, !d.DuplicateName.Found && !d.Broken.Found)
}

func TestCleaningKeepsTheLastOfANameAndReplacesBadBytes(t *testing.T) {
	d := Diagnose([]byte("{\"a\": 1, \"b\":\"x\xffy\", \"a\":[1, {\"c\":\"\\ud800\"}]}"), 10)
	assert.Equal(t, string(d.Cleaned), `{"b":"x`+"\uFFFD"+`y","a":[1,{"c":"\ud800"}]}`)
	assert.Equal(t, d.BadUTF8.Pointer, "/b")
	assert.Equal(t, d.LoneSurrogate.Pointer, "/a/1/c")
}

func TestTextKeepsHalfPairsApart(t *testing.T) {
	a, _ := Text([]byte(`"\ud800"`), nil)
	b, _ := Text([]byte(`"\ud801"`), nil)
	assert.Assert(t, string(a) != string(b))
	for text, want := range map[string]string{
		`"a\n\u00e9\ud83d\ude00\/"`: "a\né😀/", `"\"\\\b\f\r\t"`: "\"\\\b\f\r\t", `"\uD7FF\uE000"`: "\uD7FF\uE000", `"\uDBFF\uDFFF\uD800\uDC00"`: "\U0010FFFF\U00010000",
		`"\ud800\u0041\udc00\ud800"`: "\xed\xa0\x80A\xed\xb0\x80\xed\xa0\x80", `""`: "", `"plain"`: "plain",
	} {
		whole, _ := Text([]byte(text), nil)
		assert.Equal(t, string(whole), want, text)
	}
	whole, grown := Text([]byte(`"b\n"`), []byte("a"))
	assert.Equal(t, string(whole), "b\n")
	assert.Equal(t, string(grown), "ab\n")
}

func TestIntegerGoesByValue(t *testing.T) {
	type result struct {
		Value        int64
		Integer, Big bool
	}
	for text, want := range map[string]result{
		"0": {0, true, false}, "-0": {0, true, false}, "1.0": {1, true, false}, "1e2": {100, true, false}, "1.5": {}, "10e-1": {1, true, false},
		"1e999": {0, true, true}, "1e-999": {}, "0e999999999999999999999": {0, true, false}, "9007199254740993": {9007199254740993, true, false},
		"9223372036854775807": {9223372036854775807, true, false}, "9223372036854775808": {9223372036854775807, true, true},
		"-9223372036854775808": {-9223372036854775808, true, false}, "-9223372036854775809": {-9223372036854775808, true, true},
		"9223372036854775807.0": {9223372036854775807, true, false}, "922337203685477580.7e1": {9223372036854775807, true, false}, "1e18": {1e18, true, false}, "1e19": {0, true, true},
		"1e20": {0, true, true}, "12E1": {120, true, false}, "-1e0": {-1, true, false}, "0.0": {0, true, false}, "0.10": {}, "100e-2": {1, true, false}, "100e-3": {},
		"9007199254740991.5": {}, "-12.30e1": {-123, true, false}, "1e99999999999999999999": {0, true, true}, "1e-99999999999999999999": {},
	} {
		v, integer, big := Integer([]byte(text))
		if diff := cmp.Diff(want, result{v, integer, big}); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestCleanDoesNotAllocate(t *testing.T) {
	var s Scanner
	data := []byte(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello","metadata":{"a":[1,2,3]}}`)
	s.Clean(data, 10)
	assert.Equal(t, testing.AllocsPerRun(100, func() { s.Clean(data, 10) }), 0.0)
}

func TestTheMemberIsTheLastOfItsName(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`: "1", `{"a":1,"a":2}`: "2", `{"\u0061":1}`: "1", `{"b":{"a":1}}`: "", `{"a\\":1}`: "", `[{"a":1}]`: "", ``: "", `{}`: "",
		`{"x":true,"y":false,"z":null,"n":-1.5,"s":"\\\"}","l":[ [ ] , {"a":2} ],"a" : "v" }`: `"v"`,
	} {
		assert.Equal(t, string(Member([]byte(text), "a")), want, text)
	}
}

func TestElementsStandInTheirOrder(t *testing.T) {
	for text, want := range map[string]string{`[]`: "", `[ ]`: "", `[1]`: "1;", `[ "a,]" , [2,3] ,{"b":[4]}, null ]`: `"a,]";[2,3];{"b":[4]};null;`} {
		var b strings.Builder
		for _, v := range EachElement([]byte(text)) {
			b.WriteString(string(v) + ";")
		}
		assert.Equal(t, b.String(), want, text)
	}
}

func TestWhatIsNoContainerHasNothingInIt(t *testing.T) {
	for _, value := range []string{"", "null", `"x"`, "1", "[]", "{}"} {
		for range EachMember([]byte(value)) {
			t.Errorf("%q has a member", value)
		}
		for range EachElement([]byte(value)) {
			t.Errorf("%q has an element", value)
		}
	}
}
