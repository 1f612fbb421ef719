package document

import (
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// The naive implementation decodes, copies all of the document for each operation, and knows nothing of the other.

var errNaive = errors.New("does not apply")

func naiveDecode(t testing.TB, text string) (v any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return v
}

func naiveSize(v any) int {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return out.Len() - len("\n")
}

func naiveCopy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := map[string]any{}
		for k, e := range v {
			c[k] = naiveCopy(e)
		}
		return c
	case []any:
		c := []any{}
		for _, e := range v {
			c = append(c, naiveCopy(e))
		}
		return c
	}
	return v
}

func naiveEqual(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !naiveEqual(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !naiveEqual(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		x, _ := new(big.Rat).SetString(string(a))
		y, _ := new(big.Rat).SetString(string(b))
		return ok && x.Cmp(y) == 0
	}
	return a == b
}

// naiveApply gives the patched copy, or an error: errNaive or ErrLimit.
func naiveApply(doc any, patch any, limit int) (any, error) {
	for _, o := range patch.([]any) {
		o := o.(map[string]any)
		if (o["op"] == "add" || o["op"] == "replace") && naiveSize(o["value"]) > limit {
			return nil, ErrLimit
		}
		before := naiveSize(doc)
		var err error
		if doc, err = naiveOperation(naiveCopy(doc), o); err != nil {
			return nil, err
		}
		if after := naiveSize(doc); after > limit && after > before {
			return nil, ErrLimit
		}
	}
	return doc, nil
}

func naiveOperation(doc any, o map[string]any) (any, error) {
	path, from := naiveTokens(o["path"]), naiveTokens(o["from"])
	switch o["op"] {
	case "add":
		return naiveEdit(doc, path, "add", naiveCopy(o["value"]))
	case "replace":
		return naiveEdit(doc, path, "replace", naiveCopy(o["value"]))
	case "remove":
		return naiveEdit(doc, path, "remove", nil)
	case "test":
		v, err := naiveGet(doc, path)
		if err == nil && !naiveEqual(v, o["value"]) {
			err = errNaive
		}
		return doc, err
	}
	v, err := naiveGet(doc, from)
	if err != nil {
		return nil, err
	}
	v = naiveCopy(v)
	if o["op"] == "move" {
		if o["from"] == o["path"] {
			return doc, nil
		}
		if strings.HasPrefix(o["path"].(string), o["from"].(string)+"/") {
			return nil, errNaive
		}
		if doc, err = naiveEdit(doc, from, "remove", nil); err != nil {
			return nil, err
		}
	}
	return naiveEdit(doc, path, "add", v)
}

func naiveTokens(pointer any) []string {
	s, _ := pointer.(string)
	if s == "" {
		return nil
	}
	tokens := strings.Split(s[1:], "/")
	for i, t := range tokens {
		tokens[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return tokens
}

func naiveIndex(list []any, token string) (int, error) {
	if token == "-" {
		return len(list), nil
	}
	i, err := strconv.Atoi(token)
	if err != nil || strconv.Itoa(i) != token || i < 0 || i > len(list) {
		return 0, errNaive
	}
	return i, nil
}

func naiveGet(v any, tokens []string) (any, error) {
	if len(tokens) == 0 {
		return v, nil
	}
	switch v := v.(type) {
	case map[string]any:
		if m, ok := v[tokens[0]]; ok {
			return naiveGet(m, tokens[1:])
		}
	case []any:
		if i, err := naiveIndex(v, tokens[0]); err == nil && i < len(v) {
			return naiveGet(v[i], tokens[1:])
		}
	}
	return nil, errNaive
}

// naiveEdit gives v with the change made at the tokens.
func naiveEdit(v any, tokens []string, op string, with any) (any, error) {
	if len(tokens) == 0 {
		return with, nil
	}
	token, rest := tokens[0], tokens[1:]
	switch v := v.(type) {
	case map[string]any:
		old, exists := v[token]
		if !exists && (len(rest) > 0 || op != "add") {
			return nil, errNaive
		}
		if len(rest) == 0 && op == "remove" {
			delete(v, token)
			return v, nil
		}
		edited, err := naiveEdit(old, rest, op, with)
		v[token] = edited
		return v, err
	case []any:
		i, err := naiveIndex(v, token)
		if err != nil {
			return nil, err
		}
		if len(rest) == 0 && op == "add" {
			return append(v[:i:i], append([]any{with}, v[i:]...)...), nil
		}
		if i == len(v) {
			return nil, errNaive
		}
		if len(rest) == 0 && op == "remove" {
			return append(v[:i:i], v[i+1:]...), nil
		}
		v[i], err = naiveEdit(v[i], rest, op, with)
		return v, err
	}
	return nil, errNaive
}
