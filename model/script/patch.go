package script

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON pointers (RFC 6901) and patches (RFC 6902) on decoded values, which are never changed in place.

// maxPatched is how many values a patched document may have: copies of copies grow without bound.
const maxPatched = 1 << 20

// equal: objects without order, arrays with, numbers as doubles.
func equal(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, ok := b[name]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

var unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")

// splitPointer returns a pointer's tokens.
func splitPointer(p string) (path []string, ok bool) {
	if p == "" {
		return nil, true
	}
	if !isPointer(p) {
		return nil, false
	}
	path = strings.Split(p[1:], "/")
	for i, token := range path {
		path[i] = unescapeToken.Replace(token)
	}
	return path, true
}

// lookUp finds a value.
func lookUp(doc any, path []string) (v any, found bool) {
	for _, token := range path {
		switch in := doc.(type) {
		case map[string]any:
			if doc, found = in[token]; !found {
				return nil, false
			}
		case []any:
			i, ok := element(in, token)
			if !ok || i == len(in) {
				return nil, false
			}
			doc = in[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// element reads an index of a list; its length is the one behind the last.
func element(in []any, token string) (i int, ok bool) {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i > len(in) || strconv.Itoa(i) != token {
		return 0, false
	}
	return i, true
}

var (
	errNoPatch = errors.New("no list of operations")
	errNoPlace = errors.New("there is no such place")
	errTooBig  = fmt.Errorf("more than %d values are copied", maxPatched)
)

// applyPatch returns the document behind a patch.
func applyPatch(doc any, patch jsontext.Value) (any, error) {
	var ops any
	if err := json.Unmarshal(patch, &ops); err != nil {
		return nil, err
	}
	return applyOperations(doc, ops)
}

// applyOperations does the same with a decoded patch.
func applyOperations(doc, patch any) (any, error) {
	ops, ok := patch.([]any)
	if !ok {
		return nil, errNoPatch
	}
	for i, op := range ops {
		op, ok := op.(map[string]any)
		if !ok {
			return nil, errNoPatch
		}
		var err error
		if doc, err = applyOperation(doc, op); err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
	}
	return doc, nil
}

func applyOperation(doc any, op map[string]any) (any, error) {
	path, err := pathOf(op, "path")
	if err != nil {
		return nil, err
	}
	value, has := op["value"]
	switch op["op"] {
	case "remove":
		return removeAt(doc, path)
	case "move":
		return move(doc, op, path)
	case "copy":
		return copyTo(doc, op, path)
	}
	if !has {
		return nil, errors.New("it has no value")
	}
	switch op["op"] {
	case "add":
		return addAt(doc, path, value)
	case "replace":
		return replaceAt(doc, path, value)
	case "test":
		if v, found := lookUp(doc, path); !found || !equal(v, value) {
			return nil, errors.New("the test fails")
		}
		return doc, nil
	}
	return nil, errors.New("it is none of the six")
}

func pathOf(op map[string]any, member string) ([]string, error) {
	p, ok := op[member].(string)
	path, isPath := splitPointer(p)
	if !ok || !isPath {
		return nil, fmt.Errorf("its %s is no JSON pointer", member)
	}
	return path, nil
}

func move(doc any, op map[string]any, path []string) (any, error) {
	from, err := pathOf(op, "from")
	if err != nil {
		return nil, err
	}
	v, found := lookUp(doc, from)
	switch {
	case !found:
		return nil, errNoPlace
	case slices.Equal(from, path):
		return doc, nil
	case len(path) > len(from) && slices.Equal(from, path[:len(from)]):
		return nil, errors.New("it moves a value into itself")
	}
	if doc, err = removeAt(doc, from); err != nil {
		return nil, err
	}
	return addAt(doc, path, v)
}

func copyTo(doc any, op map[string]any, path []string) (any, error) {
	from, err := pathOf(op, "from")
	if err != nil {
		return nil, err
	}
	v, found := lookUp(doc, from)
	if !found {
		return nil, errNoPlace
	}
	if doc, err = addAt(doc, path, v); err != nil {
		return nil, err
	}
	if left := maxPatched; !fits(doc, &left) {
		return nil, errTooBig
	}
	return doc, nil
}

// fits counts values down, and tells whether some are left.
func fits(v any, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !fits(e, left) })
	case map[string]any:
		for _, e := range v {
			if !fits(e, left) {
				return false
			}
		}
	}
	return true
}

func addAt(doc any, path []string, v any) (any, error) {
	return change(doc, path, func(any, bool) (any, bool) { return v, true }, true)
}

// replaceAt, unlike addAt, wants a value to be there.
func replaceAt(doc any, path []string, v any) (any, error) {
	return change(doc, path, func(_ any, found bool) (any, bool) { return v, found }, false)
}

// removeAt takes a value away; without the root nothing is left but null.
func removeAt(doc any, path []string) (any, error) {
	if len(path) == 0 {
		return nil, nil
	}
	in, found := lookUp(doc, path[:len(path)-1])
	if !found {
		return nil, errNoPlace
	}
	last := path[len(path)-1]
	switch in := in.(type) {
	case map[string]any:
		if _, found = in[last]; !found {
			return nil, errNoPlace
		}
		without := copyOf(in)
		delete(without, last)
		return replaceAt(doc, path[:len(path)-1], without)
	case []any:
		i, ok := element(in, last)
		if !ok || i == len(in) {
			return nil, errNoPlace
		}
		return replaceAt(doc, path[:len(path)-1], slices.Delete(slices.Clone(in), i, i+1))
	}
	return nil, errNoPlace
}

func copyOf(in map[string]any) map[string]any {
	out := make(map[string]any, len(in)+1)
	for name, v := range in {
		out[name] = v
	}
	return out
}

// change returns the document with another value at the path; to says which, or that there is none. With insert a list's
// element makes room for it.
func change(doc any, path []string, to func(old any, found bool) (any, bool), insert bool) (any, error) {
	if len(path) == 0 {
		v, ok := to(doc, true)
		if !ok {
			return nil, errNoPlace
		}
		return v, nil
	}
	switch in := doc.(type) {
	case map[string]any:
		return changeMember(in, path, to, insert)
	case []any:
		return changeElement(in, path, to, insert)
	}
	return nil, errNoPlace
}

func changeMember(in map[string]any, path []string, to func(any, bool) (any, bool), insert bool) (any, error) {
	old, found := in[path[0]]
	out := copyOf(in)
	if len(path) == 1 {
		v, ok := to(old, found)
		if !ok {
			return nil, errNoPlace
		}
		out[path[0]] = v
		return out, nil
	}
	if !found {
		return nil, errNoPlace
	}
	v, err := change(old, path[1:], to, insert)
	if err != nil {
		return nil, err
	}
	out[path[0]] = v
	return out, nil
}

func changeElement(in []any, path []string, to func(any, bool) (any, bool), insert bool) (any, error) {
	i, ok := element(in, path[0])
	if insert && len(path) == 1 && path[0] == "-" {
		i, ok = len(in), true
	}
	if !ok {
		return nil, errNoPlace
	}
	if len(path) == 1 && insert {
		v, _ := to(nil, false)
		return slices.Insert(slices.Clone(in), i, v), nil
	}
	if i == len(in) {
		return nil, errNoPlace
	}
	v, err := change(in[i], path[1:], to, insert)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(in)
	out[i] = v
	return out, nil
}
