package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

const plenty = 1 << 30

func parse(t testing.TB, text string, limit int) *Document {
	t.Helper()
	d, err := Parse([]byte(text), limit)
	if err != nil {
		t.Fatalf("Parse(%.200s): %v", text, err)
	}
	return d
}

func show(d *Document) string { return string(d.AppendJSON(nil)) }

// apply applies a patch and checks what must hold after any patch.
func apply(t testing.TB, d *Document, patch string) error {
	t.Helper()
	before := d.AppendJSON(nil)
	err := d.Apply([]byte(patch))
	checkInvariants(t, d)
	if err != nil && !bytes.Equal(before, d.AppendJSON(nil)) {
		t.Fatalf("a patch that failed changed the document\npatch:  %.500s\nbefore: %.500s\nafter:  %.500s", patch, before, show(d))
	}
	return err
}

// checkInvariants recomputes what boxes keep about themselves, and looks for leftovers in the workspace.
func checkInvariants(t testing.TB, d *Document) {
	t.Helper()
	if got, want := d.value().size(), len(d.AppendJSON(nil)); got != want {
		t.Fatalf("the document's size is %d, its text has %d bytes", got, want)
	}
	if d.value().size() > max(d.limit, len("null")) {
		t.Fatalf("the document has %d bytes with a limit of %d", d.value().size(), d.limit)
	}
	seen := map[*box]bool{}
	for open := []value{d.root}; len(open) > 0; {
		b := open[len(open)-1].box
		open = open[:len(open)-1]
		if b == nil || seen[b] && b.shared {
			continue
		}
		if seen[b] {
			t.Fatal("a box is in two places without being marked as shared")
		}
		seen[b] = true
		checkBox(t, b)
		open = append(open, b.live()...)
	}
	if w := d.work; w != nil && len(w.journal.changes)+len(w.journal.sizes)+len(w.chain)+len(w.values.values)+len(w.values.open) > 0 {
		t.Fatal("the workspace is not empty after a call")
	}
}

func checkBox(t testing.TB, b *box) {
	t.Helper()
	if b.size != b.measure() {
		t.Fatalf("a box says its size is %d, it is %d", b.size, b.measure())
	}
	for _, free := range b.buf[:b.head] {
		if free != (value{}) {
			t.Fatal("a free slot still holds a value")
		}
	}
	if b.members == nil {
		return
	}
	if len(b.members.names) != len(b.buf) || b.head != 0 {
		t.Fatalf("%d names for %d values", len(b.members.names), len(b.buf))
	}
	for i, name := range b.members.names {
		if at := find(b.members, name); at != i {
			t.Fatalf("member %q is at %d, found at %d", name, i, at)
		}
	}
	if b.members.index != nil && len(b.members.index) != len(b.buf) {
		t.Fatalf("an index has %d names of %d", len(b.members.index), len(b.buf))
	}
}

func sameJSON(t testing.TB, got, want string) {
	t.Helper()
	if !naiveEqual(naiveDecode(t, got), naiveDecode(t, want)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/json-patch.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range bytes.Lines(data) {
		var c struct {
			ID, Why                 string
			Document, Patch, Result json.RawMessage
			Applies                 bool
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			d := parse(t, string(c.Document), plenty)
			err := apply(t, d, string(c.Patch))
			if (err == nil) != c.Applies {
				t.Fatalf("applies: want %t, got %v; %s", c.Applies, err, c.Why)
			}
			if c.Applies {
				sameJSON(t, show(d), string(c.Result))
			}
		})
	}
	if ran != 35 {
		t.Errorf("ran %d vectors, want 35", ran)
	}
}

// TestPatches has what the vectors leave open. want is the document afterwards as it is shown, "" where the patch
// does not apply.
func TestPatches(t *testing.T) {
	for name, c := range map[string]struct{ document, patch, want string }{
		"remove of the whole leaves null":      {`{"a":1}`, `[{"op":"remove","path":""}]`, `null`},
		"move onto the whole":                  {`{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":""}]`, `{"b":1}`},
		"move of the whole into a member":      {`{"a":1}`, `[{"op":"move","from":"","path":"/a"}]`, ``},
		"move of the whole onto itself":        {`[1]`, `[{"op":"move","from":"","path":""}]`, `[1]`},
		"move of a missing value onto itself":  {`{}`, `[{"op":"move","from":"/a","path":"/a"}]`, ``},
		"move to a name with the same start":   {`{"a":1}`, `[{"op":"move","from":"/a","path":"/ab"}]`, `{"ab":1}`},
		"move within an array":                 {`[1,2,3]`, `[{"op":"move","from":"/0","path":"/2"}]`, `[2,3,1]`},
		"move past the end after the removal":  {`[1,2,3]`, `[{"op":"move","from":"/0","path":"/3"}]`, ``},
		"copy onto the whole":                  {`{"a":[1]}`, `[{"op":"copy","from":"/a","path":""}]`, `[1]`},
		"copy is no alias":                     {`{"a":[1]}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/0","value":2}]`, `{"a":[1],"b":[2,1]}`},
		"copy of a copy is no alias":           {`{"a":[[1]]}`, `[{"op":"copy","from":"/a","path":"/b"},{"op":"copy","from":"/b","path":"/c"},{"op":"add","path":"/b/0/-","value":2},{"op":"remove","path":"/a/0/0"}]`, `{"a":[[]],"b":[[1,2]],"c":[[1]]}`},
		"copy of the whole into its child":     {`{"a":{"b":1}}`, `[{"op":"copy","from":"","path":"/a/b"}]`, `{"a":{"b":{"a":{"b":1}}}}`},
		"unknown operations are skipped":       {`{"a":1}`, `[{"op":"increment","path":5},{"op":"remove","path":"/a"},{"op":""}]`, `{}`},
		"an operation without op":              {`{"a":1}`, `[{"path":"/a"}]`, ``},
		"an op that is no string":              {`{"a":1}`, `[{"op":null,"path":"/a"}]`, ``},
		"an operation that is no object":       {`{"a":1}`, `[[]]`, ``},
		"a path that is no string":             {`{"a":1}`, `[{"op":"remove","path":["a"]}]`, ``},
		"a path without a slash":               {`{"a":1}`, `[{"op":"remove","path":"a"}]`, ``},
		"a tilde alone":                        {`{"~":1}`, `[{"op":"remove","path":"/~"}]`, ``},
		"a tilde before another digit":         {`{"~2":1}`, `[{"op":"remove","path":"/~2"}]`, ``},
		"tildes are decoded once":              {`{"~1":1,"/":2}`, `[{"op":"remove","path":"/~01"}]`, `{"/":2}`},
		"add without value":                    {`{}`, `[{"op":"add","path":"/a"}]`, ``},
		"copy without from":                    {`{}`, `[{"op":"copy","path":"/a"}]`, ``},
		"remove needs no from of any type":     {`{"a":1}`, `[{"op":"remove","path":"/a","from":7}]`, `{}`},
		"the last of two paths counts":         {`{"a":1,"b":2}`, `[{"op":"remove","path":"/a","path":"/b"}]`, `{"a":1}`},
		"escapes in an operation":              {`{"a/b":1}`, `[{"\u006fp":"r\u0065move","path":"\/a\u007e1b"}]`, `{}`},
		"an escaped name is the same name":     {`{"é\n":1}`, `[{"op":"remove","path":"/\u00e9\u000A"}]`, `{}`},
		"an escaped pair is the character":     {`{"😀":1}`, `[{"op":"remove","path":"/\ud83d\ude00"}]`, `{}`},
		"halves of pairs stay distinct names":  {`{"\ud800":1,"\uD801":2}`, `[{"op":"remove","path":"/\uD800"}]`, `{"\ud801":2}`},
		"a half is no replacement character":   {`{"\ufffd":1}`, `[{"op":"test","path":"/\ud800","value":1}]`, ``},
		"an index with many digits":            {`[1]`, `[{"op":"add","path":"/18446744073709551616","value":1}]`, ``},
		"an index with a sign":                 {`[1]`, `[{"op":"add","path":"/+0","value":1}]`, ``},
		"an empty index":                       {`[1]`, `[{"op":"add","path":"/","value":1}]`, ``},
		"an index that is a superscript":       {`[1]`, `[{"op":"remove","path":"/⁰"}]`, ``},
		"a dash inside a path":                 {`[[1]]`, `[{"op":"add","path":"/-/0","value":1}]`, ``},
		"a dash is an ordinary member":         {`{"-":1}`, `[{"op":"remove","path":"/-"}]`, `{}`},
		"a value that was tested and replaced": {`{"a":1}`, `[{"op":"test","path":"/a","value":1e0},{"op":"replace","path":"/a","value":null}]`, `{"a":null}`},
		"the last of two members counts":       {`{"a":1,"b":2,"a":3}`, `[]`, `{"a":3,"b":2}`},
		"space is dropped":                     {" { \"a\" : [ 1 , 2 ] } ", ` [ ] `, `{"a":[1,2]}`},
		"trailing bytes after a patch":         {`{}`, `[]1`, ``},
		"a patch that is cut":                  {`{"a":1}`, `[{"op":"remove","path":"/a"},`, ``},
		"a patch that is no array":             {`{}`, `{}`, ``},
		"an empty text":                        {`{}`, ``, ``},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, c.document, plenty)
			err := apply(t, d, c.patch)
			var refusal *Error
			switch {
			case c.want == "" && !errors.As(err, &refusal):
				t.Errorf("want an *Error, got %v", err)
			case c.want != "" && err != nil:
				t.Error(err)
			case c.want != "" && show(d) != c.want:
				t.Errorf("got %s, want %s", show(d), c.want)
			}
		})
	}
}

func TestErrorsSayWhere(t *testing.T) {
	long := strings.Repeat("x", 100)
	for name, c := range map[string]struct{ document, operation, want string }{
		"no member":          {`{"a":{}}`, `{"op":"replace","path":"/a/b","value":1}`, `operation 1 (replace "/a/b"): "/a" has no member "b"`},
		"no member at root":  {`{}`, `{"op":"remove","path":"/a~1b"}`, `operation 1 (remove "/a~1b"): the document has no member "a/b"`},
		"not a container":    {`{"a":"text"}`, `{"op":"add","path":"/a/b","value":1}`, `operation 1 (add "/a/b"): "/a" is the string "text", with nothing in it`},
		"past the end":       {`[5]`, `{"op":"add","path":"/2","value":1}`, `operation 1 (add "/2"): the document has 1 element, none at "2"`},
		"no index":           {`{"a":[]}`, `{"op":"add","path":"/a/01","value":1}`, `operation 1 (add "/a/01"): "/a" is an array, and "01" is no index`},
		"no digit":           {`[5]`, `{"op":"replace","path":"/x","value":1}`, `operation 1 (replace "/x"): the document is an array, and "x" is no index`},
		"before the digits":  {`[5]`, `{"op":"replace","path":"/~1","value":1}`, `operation 1 (replace "/~1"): the document is an array, and "/" is no index`},
		"behind the digits":  {`[5]`, `{"op":"replace","path":"/0:","value":1}`, `operation 1 (replace "/0:"): the document is an array, and "0:" is no index`},
		"no index at all":    {`[5]`, `{"op":"replace","path":"/","value":1}`, `operation 1 (replace "/"): the document is an array, and "" is no index`},
		"at the end":         {`[5,6]`, `{"op":"replace","path":"/-","value":1}`, `operation 1 (replace "/-"): the document has 2 elements, none at "-"`},
		"far past the end":   {`[5]`, `{"op":"remove","path":"/99999999999999999999999"}`, `operation 1 (remove "/99999999999999999999999"): the document has 1 element, none at "99999999999999999999999"`},
		"test of an object":  {`{"a":{"b":1}}`, `{"op":"test","path":"/a","value":[1,2]}`, `operation 1 (test "/a"): "/a" is an object with 1 member, not an array with 2 elements`},
		"test of a word":     {`[true]`, `{"op":"test","path":"/0","value":{}}`, `operation 1 (test "/0"): "/0" is true, not an object with 0 members`},
		"bad bytes":          {`{}`, "{\"op\":\"remove\",\"path\":\"/\xff\"}", `operation 1 (remove "/\ufffd"): the document has no member "\ufffd"`},
		"a replacement":      {`{}`, `{"op":"remove","path":"/\ufffd"}`, "operation 1 (remove \"/\uFFFD\"): the document has no member \"\uFFFD\""},
		"control characters": {`{}`, `{"op":"remove","path":"/\u0000\b\u0020\u001f\uffff\ud800\udc00"}`, `operation 1 (remove "/\u0000\b \u001f\uffff𐀀"): the document has no member "\u0000\b \u001f\uffff𐀀"`},
		"half a pair":        {`{}`, `{"op":"remove","path":"/\ud800\u0041\ud800xx\udc00"}`, `operation 1 (remove "/\ud800A\ud800xx\udc00"): the document has no member "\ud800A\ud800xx\udc00"`},
		"test":               {`{"a":1}`, `{"op":"test","path":"/a","value":"1"}`, `operation 1 (test "/a"): "/a" is the number 1, not the string "1"`},
		"test of containers": {`{"a":[1]}`, `{"op":"test","path":"/a","value":[2]}`, `operation 1 (test "/a"): "/a" is an array with 1 element that differs from the value`},
		"move into itself":   {`{"a":{}}`, `{"op":"move","from":"/a","path":"/a/b"}`, `operation 1 (move "/a/b"): "/a" cannot be moved into itself`},
		"missing path":       {`{}`, `{"op":"remove"}`, `operation 1: it has no "path"`},
		"wrong type":         {`{}`, `{"op":"add","path":"","value":1,"path":1}`, `operation 1: its "path" is no string`},
		"missing value":      {`{}`, `{"op":"add","path":""}`, `operation 1 (add ""): it has no "value"`},
		"unsafe text":        {`{}`, `{"op":"remove","path":"/\u001b\"\u202e\u2028\ud800\udbc0\udc00"}`, `operation 1 (remove "/\u001b\"\u202e\u2028\ud800\udbc0\udc00"): the document has no member "\u001b\"\u202e\u2028\ud800\udbc0\udc00"`},
		"long text":          {`{}`, `{"op":"remove","path":"/` + long + `"}`, `operation 1 (remove "/` + long[:79] + `…"): the document has no member "` + long[:80] + `…"`},
	} {
		t.Run(name, func(t *testing.T) {
			err := apply(t, parse(t, c.document, plenty), `[{"op":"ignored"},`+c.operation+`]`)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAPatchThatIsNoneIsRefused(t *testing.T) {
	for patch, want := range map[string]string{
		`{}`:                               "the patch is no array",
		`{"a":1,"a":2}`:                    "the patch is no array",
		`[{"op":"ignored","op":"ignored"}`: "the patch is not JSON at byte 32",
		`[{"a":1,"a":2}] 1`:                "operation 0: it has no \"op\"",
		`[1,{"a":1,"a":2}]`:                "operation 0: it is no object",
		`[1]`:                              "operation 0: it is no object",
		`[{"op":"add","op":"remove","path":"/a"}]`: `operation 0 (remove "/a"): the document has no member "a"`,
	} {
		d := parse(t, `{}`, plenty)
		if err := apply(t, d, patch); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", patch, err, want)
		}
	}
}

func TestNumbersAreEqualByValue(t *testing.T) {
	large := strings.Repeat("9", 40)
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{`1`, `1.0`, true}, {`1`, `10e-1`, true}, {`1`, `0.1E+1`, true}, {`100`, `1e2`, true}, {`-0`, `0.00e5`, true}, {`0`, `0e` + large, true},
		{`9007199254740993`, `9007199254740992`, false}, {`9007199254740993`, `9007199254740993.0`, true},
		{`1e999`, `1e999`, true}, {`1e999`, `10e998`, true}, {`1e999`, `1e998`, false}, {`1e-999`, `0`, false}, {`1`, `-1`, false},
		{`1e` + large, `1E+` + large, true}, {`1e` + large + `9`, `10e` + large + `8`, true}, {`1e` + large, `10e` + large, false}, {`10e` + large[1:] + `8`, `1e` + large[1:] + `9`, true},
		{`1e-` + large, `1e` + large, false}, {`1e99999999999999999`, `10e99999999999999998`, true}, {`0.0012`, `1.2e-3`, true}, {`1e01`, `10`, true},
		{`[1]`, `[1.0]`, true}, {`"1"`, `1`, false}, {`true`, `1`, false}, {`null`, `0`, false},
	} {
		d := parse(t, c.a, plenty)
		err := apply(t, d, `[{"op":"test","path":"","value":`+c.b+`}]`)
		if (err == nil) != c.equal {
			t.Errorf("%s and %s: want equal %t, got %v", c.a, c.b, c.equal, err)
		}
	}
}

func TestStringsAreEqualByCharacters(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{`"A\/\n"`, `"\u0041/\u000a"`, true}, {`"\ud83d\ude00"`, `"😀"`, true}, {`"\uD800"`, `"\ud800"`, true}, {`"\ud800"`, `"\ud801"`, false},
		{`"\ud800"`, `"\ufffd"`, false}, {`"\ud800\ud800\udc00"`, `"\ud800𐀀"`, true}, {`"\\ud800"`, `"\ud800"`, false}, {`"\u0000"`, `"\u0000"`, true},
		{`"\u007f\u2028"`, "\"\u007f\u2028\"", true}, {`"\"\\"`, `"\u0022\u005c"`, true}, {`"e\u0301"`, `"\u00e9"`, false},
		{"\"\xff\"", "\"\xfe\"", false}, {"\"\xff\"", "\"\xff\"", true},
	} {
		d := parse(t, c.a, plenty)
		err := apply(t, d, `[{"op":"test","path":"","value":`+c.b+`}]`)
		if (err == nil) != c.equal {
			t.Errorf("%s and %s: want equal %t, got %v", c.a, c.b, c.equal, err)
		}
	}
}

func TestLimit(t *testing.T) {
	for name, c := range map[string]struct {
		document, patch string
		limit           int
		over            bool
	}{
		"a member that just fits":            {`{"a":1}`, `[{"op":"add","path":"/b","value":2}]`, len(`{"a":1,"b":2}`), false},
		"a member too many":                  {`{"a":1}`, `[{"op":"add","path":"/b","value":2}]`, len(`{"a":1,"b":2}`) - 1, true},
		"an element that just fits":          {`[[1],2]`, `[{"op":"add","path":"/0/0","value":[{"a":1,"b":[1,2]}]}]`, len(`[[[{"a":1,"b":[1,2]}],1],2]`), false},
		"an element too many":                {`[[1],2]`, `[{"op":"add","path":"/0/0","value":[3]}]`, len(`[[[3],1],2]`) - 1, true},
		"a whole that just fits":             {`1`, `[{"op":"add","path":"","value":[[1,2],{"a":{}}]}]`, len(`[[1,2],{"a":{}}]`), false},
		"a whole too large":                  {`1`, `[{"op":"add","path":"","value":[[1,2],{"a":{}}]}]`, len(`[[1,2],{"a":{}}]`) - 1, true},
		"an operation over it, later undone": {`[1]`, `[{"op":"add","path":"/0","value":2},{"op":"remove","path":"/0"}]`, 4, true},
		"a value that must not be built":     {`[1]`, `[{"op":"add","path":"/x","value":[1,1,1,1]}]`, 4, true},
		"a test with a long number":          {`[1]`, `[{"op":"test","path":"/0","value":1.000000000}]`, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, c.document, c.limit)
			err := apply(t, d, c.patch)
			if errors.Is(err, ErrLimit) != c.over || err != nil && !c.over {
				t.Errorf("over the limit: want %t, got %v", c.over, err)
			}
		})
	}
}

func TestParseHoldsToTheLimit(t *testing.T) {
	text := `{"a": [1, 2, {"b\/": null}], "c": "\u0041"}`
	size := len(`{"a":[1,2,{"b/":null}],"c":"A"}`)
	d := parse(t, text, size)
	if _, err := Parse([]byte(text), size-1); !errors.Is(err, ErrLimit) {
		t.Errorf("want ErrLimit, got %v", err)
	}
	if err := d.Set([]byte(`"` + strings.Repeat("x", size) + `"`)); !errors.Is(err, ErrLimit) {
		t.Errorf("want ErrLimit, got %v", err)
	}
	if len(show(d)) != size {
		t.Errorf("a Set that failed left %s", show(d))
	}
	if err := d.Set([]byte(`[]`)); err != nil || show(d) != `[]` || d.IsObject() {
		t.Errorf("Set: %v, %s", err, show(d))
	}
}

func TestParseRefusesWhatIsNotJSON(t *testing.T) {
	for _, text := range []string{``, ` `, `{`, `[1`, `[1,]`, `{"a"}`, `{"a":}`, `{1:2}`, `[}`, `]`, `01`, `+1`, `NaN`, `"`, `"\x"`, `"\ud80"`, `nul`, `1 2`, `{}x`, "\"\n\""} {
		if d, err := Parse([]byte(text), plenty); err == nil || errors.Is(err, ErrLimit) {
			t.Errorf("%q: got %v, %v", text, d, err)
		}
	}
}

func TestDoublingStopsAtTheLimit(t *testing.T) {
	const limit = 1 << 20
	for name, step := range map[string]string{
		"by arrays":         `{"op":"copy","from":"","path":"/-"}`,
		"by members":        `{"op":"copy","from":"","path":"/%d"}`,
		"of the same place": `{"op":"copy","from":"/0","path":"/0/-"}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, `[[1,2,3]]`, limit)
			if name == "by members" {
				d = parse(t, `{"a":[1,2,3]}`, limit)
			}
			var patch []string
			for i := range 40 {
				patch = append(patch, strings.ReplaceAll(step, "%d", fmt.Sprint(i)))
			}
			allocated := testing.AllocsPerRun(1, func() {
				if err := d.Apply([]byte(`[` + strings.Join(patch, ",") + `]`)); !errors.Is(err, ErrLimit) {
					t.Errorf("want ErrLimit, got %v", err)
				}
			})
			if allocated > 1000 {
				t.Errorf("%v allocations", allocated)
			}
			checkInvariants(t, d)
			applied := 0
			for apply(t, d, `[`+patch[applied]+`]`) == nil {
				applied++
			}
			if applied < 12 || applied > 20 {
				t.Errorf("%d doublings fit in 1 MiB", applied)
			}
		})
	}
}

func TestChangedCopiesOfWideValuesStopAtTheLimit(t *testing.T) {
	text := `{"big":[` + strings.Repeat("1,", 100_000) + `1]}`
	d := parse(t, text, 8*len(text))
	step := `{"op":"copy","from":"/big","path":"/c"},{"op":"add","path":"/c/-","value":1}`
	if err := apply(t, d, `[`+strings.Repeat(step+",", 5)+step+`]`); err != nil {
		t.Error(err)
	}
	if err := apply(t, d, `[`+strings.Repeat(step+",", 50)+step+`]`); !errors.Is(err, ErrLimit) {
		t.Errorf("want ErrLimit, got %v", err)
	}
	if err := apply(t, parse(t, `[[1]]`, 100), `[`+strings.Repeat(`{"op":"copy","from":"/0","path":"/-"},{"op":"replace","path":"/1/0","value":2},{"op":"remove","path":"/1"},`, 1000)+`{"op":"remove","path":"/0"}]`); err != nil {
		t.Error(err)
	}
}

func TestAFailedPatchIsUndone(t *testing.T) {
	const state = `{"list":[1,[2],{"x":3},4,5,6,7,8],"map":{"a":{"deep":[1,2]},"b":2,"c":3},"text":"t"}`
	for name, operations := range map[string]string{
		"members":           `{"op":"add","path":"/map/d","value":1},{"op":"remove","path":"/map/a"},{"op":"replace","path":"/map/b","value":{}},{"op":"remove","path":"/map/d"}`,
		"array ends":        `{"op":"remove","path":"/list/0"},{"op":"add","path":"/list/0","value":9},{"op":"add","path":"/list/0","value":9},{"op":"add","path":"/list/-","value":[]},{"op":"remove","path":"/list/9"}`,
		"array middle":      `{"op":"remove","path":"/list/1"},{"op":"remove","path":"/list/1"},{"op":"add","path":"/list/3","value":{}},{"op":"remove","path":"/list/5"}`,
		"move":              `{"op":"move","from":"/map/a","path":"/list/2"},{"op":"move","from":"/list/0","path":"/map/b"},{"op":"move","from":"/list","path":"/map/c"},{"op":"add","path":"/map/c/0","value":1}`,
		"copy, then change": `{"op":"copy","from":"/map","path":"/other"},{"op":"add","path":"/other/a/deep/0","value":0},{"op":"remove","path":"/map/a/deep/1"},{"op":"remove","path":"/other/a"}`,
		"change, then copy": `{"op":"add","path":"/map/a/deep/0","value":0},{"op":"copy","from":"/map","path":"/other"},{"op":"remove","path":"/map/a/deep/1"},{"op":"add","path":"/map/a/deep/0","value":5}`,
		"the whole":         `{"op":"copy","from":"","path":"/all"},{"op":"remove","path":"/all/list/0"},{"op":"move","from":"/all/map","path":""},{"op":"replace","path":"","value":[]},{"op":"add","path":"/-","value":1},{"op":"remove","path":""},{"op":"add","path":"","value":{"map":{}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, state, plenty)
			if err := apply(t, d, `[`+operations+`]`); err != nil {
				t.Fatalf("without the failing operation: %v", err)
			}
			d = parse(t, state, plenty)
			for range 3 {
				if err := apply(t, d, `[`+operations+`,{"op":"test","path":"","value":0}]`); err == nil {
					t.Fatal("it applies")
				}
			}
			if show(d) != state {
				t.Errorf("got %s", show(d))
			}
		})
	}
}

func TestDeepValues(t *testing.T) {
	nest := func(depth int) string { return strings.Repeat(`[`, depth) + strings.Repeat(`]`, depth) }
	if _, err := Parse([]byte(nest(maxDepth+1)), plenty); !errors.Is(err, ErrLimit) {
		t.Errorf("Parse: want ErrLimit, got %v", err)
	}
	d := parse(t, nest(maxDepth), plenty)
	if err := apply(t, d, `[{"op":"add","path":"/0","value":`+nest(maxDepth)+`}]`); !errors.Is(err, ErrLimit) {
		t.Errorf("Apply: want ErrLimit, got %v", err)
	}
	if err := apply(t, d, `[{"op":"x","`+strings.Repeat(`[`, 2*maxDepth)+`":1}]`); err != nil {
		t.Errorf("brackets in a string: %v", err)
	}
	bottom := strings.Repeat("/0", maxDepth-1)
	for range 3 { // grows past what can be read as one value
		if err := apply(t, d, `[{"op":"copy","from":"","path":"`+bottom+`/-"}]`); err != nil {
			t.Fatal(err)
		}
	}
	if want := maxDepth * 16; len(show(d)) < want {
		t.Errorf("%d bytes, want %d", len(show(d)), want)
	}
	if err := apply(t, d, `[{"op":"add","path":"`+bottom+bottom+`/-","value":1}]`); err != nil {
		t.Error(err)
	}
	if err := apply(t, parse(t, nest(9000), plenty), `[{"op":"test","path":"","value":`+nest(9000)+`}]`); err != nil {
		t.Error(err)
	}
}

func TestTheZeroDocument(t *testing.T) {
	var d Document
	if d.IsObject() || show(&d) != `null` {
		t.Errorf("got %s", show(&d))
	}
	if err := apply(t, &d, `[{"op":"test","path":"","value":null}]`); err != nil {
		t.Error(err)
	}
	if err := apply(t, &d, `[{"op":"add","path":"","value":{"a":1}}]`); !errors.Is(err, ErrLimit) {
		t.Errorf("want ErrLimit, got %v", err)
	}
}

func TestDocumentsAreMarshaled(t *testing.T) {
	d := parse(t, `{"a":[1]}`, plenty)
	if b, err := json.Marshal(map[string]any{"state": d}); err != nil || string(b) != `{"state":{"a":[1]}}` {
		t.Errorf("got %s, %v", b, err)
	}
}

// TestAnInputIsNotKept changes inputs after the call that read them.
func TestAnInputIsNotKept(t *testing.T) {
	text, patch := []byte(`{"name":"value","n":[123]}`), []byte(`[{"op":"add","path":"/other","value":["text"]},{"op":"add","path":"/num","value":12345}]`)
	d, err := Parse(text, plenty)
	if err != nil {
		t.Fatal(err)
	}
	clear(text)
	if err := d.Apply(patch); err != nil {
		t.Fatal(err)
	}
	clear(patch)
	if want := `{"name":"value","n":[123],"other":["text"],"num":12345}`; show(d) != want {
		t.Errorf("got %q", show(d))
	}
}

func TestWideValues(t *testing.T) {
	const n = 200_000
	d := parse(t, `{"list":[`+strings.Repeat("1,", n-1)+`1],"`+strings.Repeat("k", 1<<20)+`":1}`, plenty)
	for name, operation := range map[string]string{
		"a queue that is emptied": `{"op":"remove","path":"/list/0"}`,
		"a long name":             `{"op":"replace","path":"/` + strings.Repeat("k", 1<<20) + `","value":2}`,
		"newest first":            `{"op":"add","path":"/list/0","value":2}`,
		"a queue that is passed":  `{"op":"move","from":"/list/0","path":"/list/-"}`,
	} {
		times := n
		if len(operation) > 1000 {
			times = 3
		}
		patch := `[` + strings.Repeat(operation+",", times-1) + operation + `]`
		failing := strings.TrimSuffix(patch, `]`) + `,{"op":"test","path":"","value":0}]`
		for _, p := range []string{failing, patch} {
			err := d.Apply([]byte(p))
			checkInvariants(t, d)
			if (err == nil) != (p == patch) {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if name == "a queue that is emptied" {
			d = parse(t, show(d), plenty)
			if err := d.Apply([]byte(`[{"op":"replace","path":"/list","value":[` + strings.Repeat("1,", n-1) + `1]}]`)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Around the number of members from which they are found by an index.
func TestMembersAreFoundHoweverMany(t *testing.T) {
	for n := 14; n <= 34; n++ {
		var text, tests []string
		for i := range n {
			text = append(text, fmt.Sprintf(`"k%d":%d`, i, i))
			tests = append(tests, fmt.Sprintf(`{"op":"test","path":"/k%d","value":%d}`, i, i))
		}
		d := parse(t, "{"+strings.Join(text, ",")+"}", plenty)
		intact := func(when string) {
			if err := apply(t, d, "["+strings.Join(tests, ",")+"]"); err != nil {
				t.Fatalf("%d members %s: %v", n, when, err)
			}
		}
		last := n - 1
		for _, patch := range []string{
			`{"op":"remove","path":"/k3"},{"op":"add","path":"/k3","value":3}`,
			fmt.Sprintf(`{"op":"remove","path":"/k%d"},{"op":"add","path":"/k%d","value":%d}`, last, last, last),
			`{"op":"add","path":"/new","value":0},{"op":"remove","path":"/k0"},{"op":"move","from":"/new","path":"/k0"}`,
			fmt.Sprintf(`{"op":"remove","path":"/k1"},{"op":"test","path":"/k%d","value":%d},{"op":"add","path":"/k1","value":1}`, last, last),
		} {
			if err := apply(t, d, "["+patch+"]"); err != nil {
				t.Fatalf("%d members: %v", n, err)
			}
			intact("behind " + patch)
		}
		for _, patch := range []string{
			`{"op":"remove","path":"/k5"},{"op":"remove","path":"/k5"}`,
			fmt.Sprintf(`{"op":"remove","path":"/k%d"},{"op":"remove","path":"/k%d"}`, last, last),
			`{"op":"remove","path":"/k2"},{"op":"remove","path":"/k4"},{"op":"add","path":"/k4","value":0},{"op":"test","path":"/k2","value":2}`,
			`{"op":"add","path":"/new","value":0},{"op":"test","path":"/new","value":1}`,
			`{"op":"test","path":"/new","value":0}`,
		} {
			if apply(t, d, "["+patch+"]") == nil {
				t.Fatalf("%d members: %s applies", n, patch)
			}
			intact("behind " + patch + ", undone")
		}
	}
}

func TestAQueueKeepsItsRoom(t *testing.T) {
	d := parse(t, `[1,2,3]`, plenty)
	for range 10_000 {
		if err := d.Apply([]byte(`[{"op":"remove","path":"/0"},{"op":"add","path":"/-","value":1}]`)); err != nil {
			t.Fatal(err)
		}
	}
	if got := cap(d.root.box.buf); got > 16 {
		t.Errorf("room for %d elements where 3 are", got)
	}
}
