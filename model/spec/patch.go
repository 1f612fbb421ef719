package spec

import (
	"strconv"
	"strings"
)

// RFC 6902, naively. No value is ever changed in place: every step builds a new
// tree along the path, so a failed patch leaves the old document as it was.

var pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")

// split reads an RFC 6901 pointer.
func split(pointer string) ([]string, bool) {
	if pointer == "" {
		return nil, true
	}
	if !isPointer(pointer) {
		return nil, false
	}
	parts := strings.Split(pointer[1:], "/")
	for i := range parts {
		parts[i] = pointerUnescape.Replace(parts[i])
	}
	return parts, true
}

// isPointer is the grammar (/([^/~]|~[01])*)*.
func isPointer(s string) bool {
	if s == "" {
		return true
	}
	if s[0] != '/' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

// index reads an array index: digits without leading zeros.
func index(s string) (int, bool) {
	if s == "" || len(s) > 1 && s[0] == '0' || len(s) > 9 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

func find(doc *node, path []string) (*node, bool) {
	for _, p := range path {
		switch doc.sort {
		case '{':
			if doc = doc.get(p); doc == nil {
				return nil, false
			}
		case '[':
			i, ok := index(p)
			if !ok || i >= len(doc.list) {
				return nil, false
			}
			doc = doc.list[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// change rebuilds doc with edit applied to the container that path's parent names.
func change(doc *node, path []string, edit func(parent *node, last string) (*node, bool)) (*node, bool) {
	if len(path) == 1 {
		return edit(doc, path[0])
	}
	child, ok := find(doc, path[:1])
	if !ok {
		return nil, false
	}
	grown, ok := change(child, path[1:], edit)
	if !ok {
		return nil, false
	}
	return set(doc, path[0], grown)
}

// set replaces an existing member or element.
func set(parent *node, last string, v *node) (*node, bool) {
	switch parent.sort {
	case '{':
		out := &node{sort: '{'}
		found := false
		for _, m := range parent.members {
			if m.name == last {
				m.val, found = v, true
			}
			out.members = append(out.members, m)
		}
		return out, found
	case '[':
		i, ok := index(last)
		if !ok || i >= len(parent.list) {
			return nil, false
		}
		out := &node{sort: '[', list: append([]*node(nil), parent.list...)}
		out.list[i] = v
		return out, true
	}
	return nil, false
}

func insert(parent *node, last string, v *node) (*node, bool) {
	switch parent.sort {
	case '{':
		if out, ok := set(parent, last, v); ok {
			return out, true
		}
		out := &node{sort: '{', members: append([]pair(nil), parent.members...)}
		out.members = append(out.members, pair{last, v})
		return out, true
	case '[':
		i, ok := index(last)
		if last == "-" {
			i, ok = len(parent.list), true
		}
		if !ok || i > len(parent.list) {
			return nil, false
		}
		out := &node{sort: '['}
		out.list = append(out.list, parent.list[:i]...)
		out.list = append(out.list, v)
		out.list = append(out.list, parent.list[i:]...)
		return out, true
	}
	return nil, false
}

func take(parent *node, last string) (*node, bool) {
	switch parent.sort {
	case '{':
		out := &node{sort: '{'}
		for _, m := range parent.members {
			if m.name != last {
				out.members = append(out.members, m)
			}
		}
		return out, len(out.members) < len(parent.members)
	case '[':
		i, ok := index(last)
		if !ok || i >= len(parent.list) {
			return nil, false
		}
		out := &node{sort: '['}
		out.list = append(out.list, parent.list[:i]...)
		out.list = append(out.list, parent.list[i+1:]...)
		return out, true
	}
	return nil, false
}

func add(doc *node, path []string, v *node) (*node, bool) {
	if len(path) == 0 {
		return v, true
	}
	return change(doc, path, func(p *node, last string) (*node, bool) { return insert(p, last, v) })
}

func remove(doc *node, path []string) (*node, bool) {
	if len(path) == 0 {
		return &node{sort: 'n'}, true
	}
	return change(doc, path, take)
}

func isPrefix(a, b []string) bool {
	if len(a) > len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// applyPatch applies a patch (an array node); skipUnknown passes over operations
// whose op is not one of the six.
func applyPatch(doc, patch *node, skipUnknown bool) (*node, bool) {
	if !patch.is('[') {
		return nil, false
	}
	for _, op := range patch.list {
		name, ok := op.str("op")
		if ok && skipUnknown && !patchOps[name] {
			continue
		}
		if doc, ok = applyOp(doc, op, name); !ok {
			return nil, false
		}
	}
	return doc, true
}

var patchOps = map[string]bool{"add": true, "remove": true, "replace": true, "move": true, "copy": true, "test": true}

func applyOp(doc, op *node, name string) (*node, bool) {
	at, ok := op.str("path")
	if !ok {
		return nil, false
	}
	path, ok := split(at)
	if !ok {
		return nil, false
	}
	value := op.get("value")
	var from []string
	switch name {
	case "add", "replace", "test":
		if value == nil {
			return nil, false
		}
	case "move", "copy":
		f, ok := op.str("from")
		if !ok {
			return nil, false
		}
		if from, ok = split(f); !ok {
			return nil, false
		}
		if value, ok = find(doc, from); !ok {
			return nil, false
		}
	}
	switch name {
	case "add", "copy":
		return add(doc, path, value)
	case "remove":
		if _, ok := find(doc, path); !ok {
			return nil, false
		}
		return remove(doc, path)
	case "replace":
		if _, ok := find(doc, path); !ok {
			return nil, false
		}
		if len(path) == 0 {
			return value, true
		}
		return change(doc, path, func(p *node, last string) (*node, bool) { return set(p, last, value) })
	case "move":
		if isPrefix(from, path) && len(path) > len(from) {
			return nil, false
		}
		if len(from) == len(path) && isPrefix(from, path) {
			return doc, true
		}
		rest, ok := remove(doc, from)
		if !ok {
			return nil, false
		}
		return add(rest, path, value)
	case "test":
		have, ok := find(doc, path)
		return doc, ok && equal(have, value)
	}
	return nil, false
}
