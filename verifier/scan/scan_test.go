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

func TestScannerBoundsDepth(t *testing.T) {
	var s Scanner
	deep := strings.Repeat("[", 5) + strings.Repeat("]", 5)
	assert.Assert(t, s.Clean([]byte(deep), 5))
	assert.Assert(t, !s.Clean([]byte(deep), 4))
	assert.Assert(t, Diagnose([]byte(deep), 4).TooDeep.Found)
	assert.Assert(t, Diagnose([]byte(strings.Repeat("[", 100_000)), 512).TooDeep.Found, "also when it is cut")
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
	whole, _ := Text([]byte(`"a\n\u00e9\ud83d\ude00\/"`), nil)
	assert.Equal(t, string(whole), "a\né😀/")
}

func TestIntegerGoesByValue(t *testing.T) {
	type result struct {
		Value        int64
		Integer, Big bool
	}
	for text, want := range map[string]result{
		"0": {0, true, false}, "-0": {0, true, false}, "1.0": {1, true, false}, "1e2": {100, true, false}, "1.5": {}, "10e-1": {1, true, false},
		"1e999": {0, true, true}, "1e-999": {}, "0e999999999999999999999": {0, true, false}, "9007199254740993": {9007199254740993, true, false},
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
