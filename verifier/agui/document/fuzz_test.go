package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"
)

func sorted(m map[string]any) iter.Seq[string] { return slices.Values(slices.Sorted(maps.Keys(m))) }

// FuzzApply holds every document and patch to the invariants, and compares with the naive implementation what that
// one can read.
func FuzzApply(f *testing.F) {
	data, err := os.ReadFile("testdata/json-patch.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var c struct{ Document, Patch json.RawMessage }
		if err := json.Unmarshal(line, &c); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(c.Document), []byte(c.Patch))
	}
	f.Add([]byte(`{"\ud800":1,"\ud801":[1e999,1.0]}`), []byte(`[{"op":"copy","from":"","path":"/\ud801/-"},{"op":"test","path":"/\ud800","value":10e-1}]`))
	f.Add([]byte(`{"a":[[1],{}]}`), []byte(`[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/0/0","value":{"x":[]}},{"op":"remove","path":"/a/1"},{"op":"move","from":"/b","path":"/a/0"},{"op":"test","path":"","value":1}]`))
	f.Fuzz(func(t *testing.T, text, patch []byte) {
		const limit = 1 << 12
		d, err := Parse(text, limit)
		if err != nil {
			return
		}
		checkInvariants(t, d)
		err = apply(t, d, string(patch))
		if out := d.AppendJSON(nil); utf8.Valid(text) && utf8.Valid(patch) && !json.Valid(out) {
			t.Fatalf("not JSON: %q", out)
		}
		if again, err := Parse(d.AppendJSON(nil), limit); err != nil || show(again) != show(d) {
			t.Fatalf("reading it again gives %v, not %s", err, show(d))
		}
		if comparable(text) && comparable(patch) && wellFormed(patch) {
			compare(t, d, err, text, patch, limit)
		}
	})
}

// comparable leaves out what encoding/json reads differently and numbers that are too large for a big.Rat. Long texts
// are left out since sizes are compared in one spelling only.
var unusual = regexp.MustCompile(`\\|[eE][+-]?\d{3}|[^ -~]`)

func comparable(text []byte) bool { return len(text) < 1000 && !unusual.Match(text) }

// wellFormed reports whether a patch is what the naive implementation wants: all operations complete and known.
func wellFormed(patch []byte) bool {
	var operations []map[string]json.RawMessage
	if json.Unmarshal(patch, &operations) != nil {
		return false
	}
	pointer := regexp.MustCompile(`^"(/([^/~]|~[01])*)*"$`)
	for _, o := range operations {
		for _, name := range []string{"path", "from"} {
			if !pointer.Match(o[name]) {
				return false
			}
		}
		switch string(o["op"]) {
		case `"add"`, `"replace"`, `"test"`, `"remove"`, `"move"`, `"copy"`:
		default:
			return false
		}
		if o["value"] == nil {
			return false
		}
	}
	return true
}

func compare(t *testing.T, d *Document, err error, text, patch []byte, limit int) {
	want, wantErr := naiveApply(naiveDecode(t, string(text)), naiveDecode(t, string(patch)), limit)
	if errors.Is(err, ErrLimit) != errors.Is(wantErr, ErrLimit) && len(patch) > limit/2 {
		return
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("got %v, want %v", err, wantErr)
	}
	if err == nil && !naiveEqual(want, naiveDecode(t, show(d))) {
		t.Fatalf("wrong result %s", show(d))
	}
}
