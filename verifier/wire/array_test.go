package wire

import (
	"strings"
	"testing"
)

func TestArray(t *testing.T) {
	deep := strings.Repeat("[", 3*nestLevels) + strings.Repeat("]", 3*nestLevels)
	checkAll(t, Array, map[string]example{
		"nothing":                        {"", nil},
		"an empty array":                 {" [ ] ", nil},
		"one event an element":           {`[{"a":[1,2]},{}]`, frames(at(1, 1, `{"a":[1,2]}`), at(1, 13, "{}"))},
		"elements span lines":            {"[\n  {\n    \"a\": 1\n  },\n  {}\n]\n", frames(at(2, 4, "{\n    \"a\": 1\n  }"), at(5, 24, "{}"))},
		"strings hide brackets":          {`[{"a":"]},["},"\"],"]`, frames(at(1, 1, `{"a":"]},["}`), at(1, 14, `"\"],"`))},
		"a backslash pair hides nothing": {`["\\",2]`, frames(at(1, 1, `"\\"`), at(1, 6, "2"))},
		"a raw line end in a string":     {"[\"a\n,b\",2]", frames(at(1, 1, "\"a\n,b\""), at(2, 8, "2"))},
		"any bytes pass":                 {"[\x00\xff,\xed\xa0]", frames(at(1, 1, "\x00\xff"), at(1, 4, "\xed\xa0"))},
		"deep nesting":                   {"[" + deep + ",{}]", frames(at(1, 1, deep), at(1, int64(len(deep))+2, "{}"))},

		"an empty element is a frame":  {`[{}, ,{}]`, frames(at(1, 1, "{}"), at(1, 5, ""), at(1, 6, "{}"))},
		"a comma at the start":         {`[,{}]`, frames(at(1, 1, ""), at(1, 2, "{}"))},
		"a trailing comma":             {"[{},\n]", frames(at(1, 1, "{}"), at(2, 5, ""))},
		"a missing comma joins":        {`[{} {},3]`, frames(at(1, 1, "{} {}"), at(1, 7, "3"))},
		"no JSON ends where it should": {`[{a:NaN,'b'}, nope, {}]`, frames(at(1, 1, `{a:NaN,'b'}`), at(1, 14, "nope"), at(1, 20, "{}"))},

		"a bracket left open ends with what it is in":    {`[{"a":[1},{}]`, frames(at(1, 1, `{"a":[1}`), at(1, 10, "{}"))},
		"a bracket that closes nothing is passed over":   {`[{"a":1]},}1,{}]`, frames(at(1, 1, `{"a":1]}`), at(1, 10, "}1"), at(1, 13, "{}"))},
		"a last brace left open leaves the array closed": {`[{},{"a":1 ] `, frames(at(1, 1, "{}"), at(1, 4, `{"a":1`))},

		"cut behind the bracket":         {"[ ", nil},
		"cut behind an element":          {"[{} ", frames(at(1, 1, "{}"))},
		"cut inside an element":          {`[{},{"a":[1, `, frames(at(1, 1, "{}"), at(1, 4, `{"a":[1,`))},
		"cut inside a string":            {`[{},"a ]`, frames(at(1, 1, "{}"), at(1, 4, `"a ]`))},
		"cut behind a comma":             {"[{},\n ", frames(at(1, 1, "{}"), at(2, 6, ""))},
		"bytes after the array are one":  {"[{}] \n{}\n[1,2] ", frames(at(1, 1, "{}"), at(2, 6, "{}\n[1,2]"))},
		"bytes after an empty array":     {"[]x", frames(at(1, 2, "x"))},
		"bytes without an array are one": {" {},{} ", frames(at(1, 1, "{},{}"))},
		"a mark at the start is skipped": {"\xef\xbb\xbf[{}]", frames(at(1, 4, "{}"))},
	})
}
