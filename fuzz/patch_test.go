package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model/spec"
	"github.com/agentstream/conformance/verifier/agui/document"
)

// The second implementation of JSON Patch is the specification's: a state, its deltas, and a last delta that
// tests the whole for what the verifier's document has become.

// patched applies patches one after the other to a document, by both, and holds them to each other.
func patched(t rapid.TB, text []byte, patches [][]byte) {
	t.Helper()
	const limit = 1 << 16
	d, err := document.Parse(text, limit)
	if err != nil {
		return // no JSON, or over the limit
	}
	events := [][]byte{[]byte(`{"type":"RUN_STARTED","threadId":"t","runId":"r"}`), fmt.Appendf(nil, `{"type":"STATE_SNAPSHOT","snapshot":%s}`, text)}
	var want []int // the deltas that do not apply
	for _, p := range patches {
		switch err := d.Apply(p); {
		case errors.Is(err, document.ErrLimit):
			return
		case err != nil:
			want = append(want, len(events))
		}
		events = append(events, fmt.Appendf(nil, `{"type":"STATE_DELTA","delta":%s}`, p))
	}
	events = append(events, fmt.Appendf(nil, `{"type":"STATE_DELTA","delta":[{"op":"test","path":"","value":%s}]}`, d.AppendJSON(nil)))
	got, ok := unapplied(events)
	if ok && !slices.Equal(want, got) {
		t.Fatalf("%s\nbecomes %s\nby the document, where %v do not apply; by the specification %v do not\nreplay: %s",
			lines(events[1:len(events)-1]), d.AppendJSON(nil), want, got, replay(trial{events: events}))
	}
	again(t, d, limit)
	tight(t, text, patches)
}

// tight holds that a limit leaves a document that it stops as it was, and changes none other.
func tight(t rapid.TB, text []byte, patches [][]byte) {
	t.Helper()
	free, err := document.Parse(text, 1<<16)
	if err != nil {
		return
	}
	bound, err := document.Parse(text, len(free.AppendJSON(nil))+8)
	for _, p := range patches {
		if err != nil {
			return // the text has more in it than counts
		}
		before := bound.AppendJSON(nil)
		err = bound.Apply(p)
		switch freeErr := free.Apply(p); {
		case errors.Is(err, document.ErrLimit):
			if !bytes.Equal(before, bound.AppendJSON(nil)) {
				t.Fatalf("%s changes %s to %s, and is over its limit", p, before, bound.AppendJSON(nil))
			}
			return
		case fmt.Sprint(err) != fmt.Sprint(freeErr) || !bytes.Equal(free.AppendJSON(nil), bound.AppendJSON(nil)):
			t.Fatalf("%s on %s under a limit: %v, %s; without: %v, %s", p, before, err, bound.AppendJSON(nil), freeErr, free.AppendJSON(nil))
		}
		err = nil
	}
}

// unapplied are the deltas that the specification finds not to apply; ok is false where one is no patch by its
// form: that is no question of how patches apply.
func unapplied(events [][]byte) (all []int, ok bool) {
	for _, f := range spec.Judge(events, spec.Options{}) {
		switch f.Code {
		case "state-patch":
			all = append(all, f.Index)
		case "bad-json", "missing-field", "wrong-type", "bad-value", "null-optional":
			return nil, false
		}
	}
	return all, true
}

// again holds that a document reads what it writes.
func again(t rapid.TB, d *document.Document, limit int) {
	t.Helper()
	text := d.AppendJSON(nil)
	read, err := document.Parse(text, limit)
	if err != nil || !bytes.Equal(read.AppendJSON(nil), text) {
		t.Fatalf("%s reads as %v, %v", text, read, err)
	}
}

func lines(events [][]byte) string { return string(bytes.Join(events, []byte("\n"))) }

func patches(t *rapid.T) {
	x := rapid.Custom(func(t *rapid.T) [][]byte { return maker{drawn{t}}.patches() }).Draw(t, "document and patches")
	patched(t, x[0], x[1:])
}

func TestPatchesApplyAsSpecified(t *testing.T) { rapid.Check(t, patches) }

func FuzzPatch(f *testing.F) {
	data, err := os.ReadFile("../verifier/agui/document/testdata/json-patch.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var c struct{ Document, Patch json.RawMessage }
		if err := json.Unmarshal(line, &c); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(c.Document), []byte(c.Patch), []byte(`[]`))
	}
	for _, broken := range []string{"", "{}", "[", "[]]", "[{]", `[{"op":"add"}]`, "[1]", strings.Repeat("[", 11000) + strings.Repeat("]", 11000), strings.Repeat(`[{"op":"add","path":"","value":`, 1) + strings.Repeat("[", 11000)} {
		f.Add([]byte(`{"a":[1]}`), []byte(broken), []byte(`[{"op":"add","path":"/a/-","value":1}]`))
		f.Add([]byte(broken), []byte(`[{"op":"add","path":"/a","value":1}]`), []byte(broken))
	}
	for seed := range uint64(100) {
		m := newMaker(seed).patches()
		f.Add(m[0], m[1], m[len(m)-1])
	}
	f.Fuzz(func(t *testing.T, text, one, two []byte) {
		if len(text)+len(one)+len(two) <= most {
			patched(t, text, [][]byte{one, two})
		}
	})
}

// patches is a document and some patches for it.
func (m maker) patches() [][]byte {
	text := m.document(3)
	all := [][]byte{[]byte(text)}
	for range 1 + m.IntN(4) {
		var operations []string
		for range 1 + m.IntN(4) {
			operations = append(operations, m.edit(text))
		}
		all = append(all, []byte("["+strings.Join(operations, ",")+"]"))
	}
	return all
}

func (m maker) edit(text string) string {
	var v any
	_ = json.Unmarshal([]byte(text), &v) // of a repeated name the last one, as everywhere
	path, from := m.pointer(v), m.pointer(v)
	switch m.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf(`{"op":"add","path":%s,"value":%s}`, path, m.document(2))
	case 3, 4:
		return fmt.Sprintf(`{"op":"remove","path":%s}`, path)
	case 5, 6:
		return fmt.Sprintf(`{"op":"replace","path":%s,"value":%s}`, path, m.document(2))
	case 7, 8:
		return fmt.Sprintf(`{"op":"copy","from":%s,"path":%s}`, from, path)
	case 9:
		return fmt.Sprintf(`{"op":"move","from":%s,"path":%s}`, from, path)
	case 10:
		return fmt.Sprintf(`{"op":"test","path":%s,"value":%s}`, path, m.inside(v))
	}
	return m.one(`{"op":"increment","path":"/a"}`, `{"op":"add","path":"/a"}`, `{"op":"add","path":"a","value":1}`, `{"op":"remove","path":1}`, `{"op":1}`, `{"op":"copy","path":"/a"}`,
		`{"op":"move","from":"~2","path":"/a"}`, `{"path":"/a"}`, `{"op":"copy","from":"","path":"/a"}`, `1`, `{"op":"remove","path":""}`, `{"op":"test","path":"/a/\u0062","value":1,"value":"\ud800"}`,
		`{"op":"remove","path":"/`+strings.Repeat("long", 30)+`"}`, `{"op":"move","from":"","path":"/a"}`, `{"op":"add","path":"/\ud800","value":1}`, `{"op":"test","path":"","value":1e99999999999}`)
}

// inside is something that a test may find.
func (m maker) inside(v any) string {
	if m.in(3) {
		return m.document(1)
	}
	if o, ok := v.(map[string]any); ok && m.in(2) {
		for _, name := range names {
			if p, ok := o[name]; ok {
				return m.inside(p)
			}
		}
	}
	text, _ := json.Marshal(v) // it was read from JSON
	return string(text)
}

// names are few, so that patches meet; some need escapes in a pointer or in JSON, some look like an index.
var names = []string{"a", "b", "0", "1", "-", "", "é", "a/b", "m~n", "\u2028"}

func (m maker) document(depth int) string {
	n := m.IntN(10)
	switch {
	case depth > 0 && n < 3:
		var members []string
		for range m.IntN(4) + m.IntN(2)*m.IntN(20) {
			name := m.one(names...) + strings.Repeat("x", m.IntN(3)) + m.one("", "", "", strconv.Itoa(m.IntN(20)))
			members = append(members, string(quotedJSON(name))+":"+m.document(depth-1))
		}
		return "{" + strings.Join(members, ",") + "}"
	case depth > 0 && n < 6:
		var elements []string
		for range m.IntN(5) {
			elements = append(elements, m.document(depth-1))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	}
	return m.one("1", "1.0", "10e-1", "100E-2", "-0", "0", "0.0e5", "1e400", "123456789012345678901234567890", "true", "false", "null",
		`"x"`, `"\u0078"`, `"\ud800"`, `"\ud83d\ude00"`, `"😀"`, `"\n\/\\\""`, `""`, `"\u000a"`)
}

func quotedJSON(s string) []byte {
	text, _ := json.Marshal(s) // a string is always JSON
	return text
}

// pointer goes some way into v, and mostly to something that is there.
func (m maker) pointer(v any) string {
	out := ""
	for m.IntN(4) > 0 {
		var token string
		switch c := v.(type) {
		case map[string]any:
			token = m.member(c)
			v = c[token]
		case []any:
			i := m.IntN(len(c) + 2)
			token, v = strconv.Itoa(i), nil
			if i < len(c) {
				v = c[i]
			} else if m.in(2) {
				token = m.one("-", "01", "x", "99999999999999999999", "1000000")
			}
		default:
			return string(quotedJSON(out))
		}
		out += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	}
	return string(quotedJSON(out))
}

func (m maker) member(of map[string]any) string {
	if len(of) == 0 || m.in(8) {
		return m.one(names...)
	}
	var there []string
	for name := range of {
		there = append(there, name)
	}
	slices.Sort(there)
	return m.one(there...)
}
