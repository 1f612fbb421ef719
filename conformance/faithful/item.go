package faithful

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agentstream/conformance/model/script"
)

// An item is one item of either side, or the end of a run, prepared to be compared.
type item struct {
	kind    string
	members map[string]any
	core    string // what has to be equal to the last byte
	slots   []slot // labels or ids, the members in order
	// Of the script's side.
	optional bool // it may be missing
	number   int  // of those that are equal but for their labels
	// Of the stream's side.
	extra  bool // an SDK may say it unasked
	closes bool // it ends something that is open
	// Of the end of a run.
	end *ending
}

// A slot is a member that holds a label or an id.
type slot struct {
	member  string
	key     key
	literal bool // the script wrote the id itself
}

const endOfRun = "end of run"

// loose are the members that allowances are about; they are compared one by one.
func loose(kind, member string) bool {
	switch member {
	case "metadata":
		return kind == "message" || kind == "toolCall"
	case "parent":
		return kind == "toolCall"
	case "code":
		return kind == "subagentEnd"
	}
	return false
}

// newItem prepares an item. Members whose names an item of that kind does not have are compared like any other.
func newItem(members map[string]any) *item {
	it := &item{members: members}
	it.kind, _ = members["kind"].(string)
	var core strings.Builder
	for _, name := range slices.Sorted(maps.Keys(members)) {
		namespace, isLabel := labelled[it.kind][name]
		if before := len(it.slots); isLabel && it.addSlots(name, namespace, members[name]) {
			if n := len(it.slots) - before; n > 0 && !loose(it.kind, name) {
				core.WriteString(strconv.Itoa(n) + " in " + name + ",")
			}
			continue
		}
		if it.kind == "snapshot" && name == "messages" {
			continue // compared by itself: messages have metadata
		}
		if !loose(it.kind, name) {
			writeText(&core, name)
			write(&core, members[name])
		}
	}
	it.core = core.String()
	return it
}

// addSlots notes the labels of a member, and tells whether the member holds any.
func (it *item) addSlots(member, namespace string, v any) bool {
	switch v := v.(type) {
	case string:
		it.slots = append(it.slots, slot{member, key{namespace, v}, false})
		return true
	case script.ID:
		it.slots = append(it.slots, slot{member, key{namespace, string(v)}, true})
		return true
	case []any:
		before := len(it.slots)
		for i, e := range v {
			if !it.addSlots(member+"/"+strconv.Itoa(i), namespace, e) {
				it.slots = it.slots[:before]
				return false
			}
		}
		return true
	}
	return false
}

// write spells a value so that equal values, and no others, are spelt alike.
func write(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteByte('n')
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case float64:
		if v == 0 {
			v = 0 // -0 is 0
		}
		b.WriteString("#" + strconv.FormatFloat(v, 'g', -1, 64) + ";")
	case string:
		writeText(b, v)
	case script.ID:
		writeText(b, string(v))
	case []any:
		b.WriteByte('[')
		for _, e := range v {
			write(b, e)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			writeText(b, name)
			write(b, v[name])
		}
		b.WriteByte('}')
	default:
		b.WriteByte('?') // normal lets nothing else in
	}
}

func writeText(b *strings.Builder, s string) {
	b.WriteByte('"')
	b.WriteString(strconv.Itoa(len(s)))
	b.WriteByte(':')
	b.WriteString(s)
}

// equal: objects without order, arrays with, numbers as doubles, strings by code point.
func equal(a, b any) bool { return spelt(a) == spelt(b) }

func spelt(v any) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

// isJSON tells whether a value is one that encoding/json makes.
func isJSON(v any) bool {
	switch v := v.(type) {
	case nil, bool, string:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !isJSON(e) })
	case map[string]any:
		for _, e := range v {
			if !isJSON(e) {
				return false
			}
		}
		return true
	}
	return false
}

// hasMetadata: keys that the script did not name may be there too.
func hasMetadata(want, got any) bool {
	w, _ := want.(map[string]any)
	g, _ := got.(map[string]any)
	for name, v := range w {
		if other, ok := g[name]; !ok || !equal(v, other) {
			return false
		}
	}
	return true
}

// sameButMetadata: equal objects, of which the stream's metadata may have more keys.
func sameButMetadata(want, got any) bool {
	w, ok := want.(map[string]any)
	g, isObject := got.(map[string]any)
	if !ok || !isObject {
		return equal(want, got)
	}
	return hasMetadata(w["metadata"], g["metadata"]) && equal(without(w, "metadata"), without(g, "metadata"))
}

func without(v map[string]any, member string) map[string]any {
	if _, has := v[member]; !has {
		return v
	}
	out := maps.Clone(v)
	delete(out, member)
	return out
}

// sameMessages compares the messages of two snapshots.
func sameMessages(want, got any) bool {
	w, ok := want.([]any)
	g, isList := got.([]any)
	return ok && isList && slices.EqualFunc(w, g, sameButMetadata)
}

// alike tells whether two items are equal but for what the labels are called.
func alike(want, got *item) bool {
	if want.kind != got.kind || want.core != got.core {
		return false
	}
	switch want.kind {
	case endOfRun:
		return true // its labels say whether it is the one
	case "snapshot":
		return sameMessages(want.members["messages"], got.members["messages"])
	case "subagentEnd":
		code, has := want.members["code"]
		return !has || equal(code, got.members["code"])
	}
	return hasMetadata(want.members["metadata"], got.members["metadata"])
}

// bind matches the labels of two items that are alike, and tells whether one can be the other. What it bound until it found
// out that not is for the caller to undo.
func (b *bindings) items(want, got *item) bool {
	if want.end != nil {
		return b.ends(want.end, got.end)
	}
	for _, w := range want.slots {
		g, ok := got.slot(w.member)
		if !ok || w.literal && w.key != g || !w.literal && !b.bind(w.key, g.name) {
			return false
		}
	}
	return true
}

// slot returns the id that a member holds.
func (it *item) slot(member string) (key, bool) {
	for _, s := range it.slots {
		if s.member == member {
			return s.key, true
		}
	}
	return key{}, false
}
