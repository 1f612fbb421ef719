package document

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// writer writes random values and patches from few names, so that patches often apply.
type writer struct{ *rand.Rand }

func (w writer) name() string {
	return []string{"a", "b", "c", "0", "1", "-", "", "é", "a/b", "m~n", "__proto__"}[w.IntN(11)]
}

func (w writer) value(depth int) string {
	switch n := w.IntN(10); {
	case depth > 0 && n < 3:
		var members []string
		for i := range w.IntN(4) + w.IntN(2)*w.IntN(24) { // names differ by their length after the base name
			members = append(members, fmt.Sprintf("%q:%s", w.name()+strings.Repeat("x", i), w.value(depth-1)))
		}
		return "{" + strings.Join(members, ",") + "}"
	case depth > 0 && n < 6:
		var elements []string
		for range w.IntN(4) + w.IntN(2)*w.IntN(20) {
			elements = append(elements, w.value(depth-1))
		}
		return "[" + strings.Join(elements, ",") + "]"
	default:
		return []string{"1", "1.0", "10e-1", "-0", "0", "2", "true", "false", "null", `"x"`, `"\u0078"`, `""`}[w.IntN(12)]
	}
}

// pointer follows v some way down, and mostly stops at something that is there.
func (w writer) pointer(v any) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	out := ""
	for w.IntN(4) > 0 {
		var token string
		switch c := v.(type) {
		case map[string]any:
			token = w.name()
			if w.IntN(8) > 0 {
				for k := range sorted(c) { // the first of them that is not passed over
					if token = k; w.IntN(3) == 0 {
						break
					}
				}
			}
			v = c[token]
		case []any:
			token = "-"
			v = nil
			if i := w.IntN(len(c)+1) - w.IntN(2); i >= 0 {
				if token = fmt.Sprint(i); i < len(c) {
					v = c[i]
				}
			}
		default:
			if w.IntN(10) > 0 {
				return out
			}
			token = w.name()
		}
		out += "/" + escape.Replace(token)
	}
	return out
}

// patch writes operations against the document as the ones before leave it, if they apply.
func (w writer) patch(t *testing.T, doc any) string {
	var operations []string
	for range 1 + w.IntN(8) {
		op := []string{"add", "add", "remove", "replace", "move", "move", "copy", "copy", "test"}[w.IntN(9)]
		o := fmt.Sprintf(`{"op":%q,"path":%q,"from":%q,"value":%s}`, op, w.pointer(doc), w.pointer(doc), w.value(2))
		if next, err := naiveApply(doc, []any{naiveDecode(t, o)}, plenty); err == nil {
			doc = next
		} else if w.IntN(4) > 0 {
			continue
		}
		operations = append(operations, o)
	}
	return "[" + strings.Join(operations, ",") + "]"
}

func TestRandomPatchesAgreeWithTheNaiveImplementation(t *testing.T) {
	const limit = 1500
	count := map[string]int{}
	for seed := range uint64(500) {
		w := writer{rand.New(rand.NewPCG(seed, 6902))}
		text := w.value(3)
		if len(text) > limit {
			continue
		}
		d, naive := parse(t, text, limit), naiveDecode(t, text)
		for range 12 {
			patch := w.patch(t, naive)
			before := show(d)
			err := apply(t, d, patch)
			want, wantErr := naiveApply(naive, naiveDecode(t, patch), limit)
			if (err == nil) != (wantErr == nil) || errors.Is(err, ErrLimit) != errors.Is(wantErr, ErrLimit) {
				t.Fatalf("seed %d: got %v, want %v\ndocument: %s\npatch:    %s", seed, err, wantErr, before, patch)
			}
			if err == nil {
				naive = want
			}
			if !naiveEqual(naive, naiveDecode(t, show(d))) {
				t.Fatalf("seed %d: wrong result\ndocument: %s\npatch:    %s\ngot:      %s", seed, before, patch, show(d))
			}
			count[fmt.Sprint(wantErr)]++
		}
	}
	for _, outcome := range []string{"<nil>", errNaive.Error(), ErrLimit.Error()} {
		if count[outcome] < 100 {
			t.Errorf("only %d patches with the outcome %s: the test lost its bite", count[outcome], outcome)
		}
	}
	t.Log(count)
}
