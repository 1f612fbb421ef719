package faithful

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentstream/conformance/conformance/internal/printable"
	"github.com/agentstream/conformance/model/script"
)

// What a stream says may be hostile: nothing of it is shown that is not escaped and cut.

// maxShown is the most bytes of one string or value that are shown.
const maxShown = 80

// show writes a value for somebody who reads.
func show(v any) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(cut(v, 3)); err != nil {
		return "?"
	}
	return printable.Escape(short(strings.TrimSuffix(b.String(), "\n"), 2*maxShown))
}

// cut returns a value with what is long or deep in it left out.
func cut(v any, depth int) any {
	switch v := v.(type) {
	case string:
		return short(v, maxShown)
	case []any:
		if depth == 0 && len(v) > 0 {
			return []any{"…"}
		}
		var out = []any{}
		for i, e := range v {
			if i == maxListed {
				return append(out, "…")
			}
			out = append(out, cut(e, depth-1))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i == maxListed || depth == 0 {
				out["…"] = "…"
				break
			}
			out[short(name, maxShown)] = cut(v[name], depth-1)
		}
		return out
	}
	return v
}

// maxListed is how many elements of a list are shown.
const maxListed = 10

// quote writes a string.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(short(s, maxShown)); err != nil {
		return "?"
	}
	return printable.Escape(strings.TrimSuffix(b.String(), "\n"))
}

// word writes a label, an id or a name: as it is where that is plain.
func word(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.:/#", r)
	}
	if s == "" || len(s) > maxShown || strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return quote(s)
	}
	return s
}

// short cuts a string at a rune's border.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// apart cuts two long strings so that the place where they differ is seen.
func apart(want, got any) (any, any) {
	w, ok := want.(string)
	g, isString := got.(string)
	if !ok || !isString || len(w) <= maxShown && len(g) <= maxShown {
		return want, got
	}
	same := 0
	for same < len(w) && same < len(g) && w[same] == g[same] {
		same++
	}
	from := max(0, same-maxShown/4)
	for from > 0 && !(utf8.RuneStart(w[min(from, len(w)-1)]) && utf8.RuneStart(g[min(from, len(g)-1)])) {
		from--
	}
	if from == 0 {
		return w, g
	}
	return "…" + w[from:], "…" + g[from:]
}

// title names an item in a sentence.
func (it *item) title(label func(slot) string) string {
	name := func(member string) string {
		for _, s := range it.slots {
			if s.member == member {
				return word(label(s))
			}
		}
		return word(text(it.members, member))
	}
	switch it.kind {
	case "message":
		return "the " + messageTitle(text(it.members, "role")) + " " + name("id")
	case "toolCall":
		return "the tool call " + name("id")
	case "step":
		return "the step " + name("name")
	case "stepEnd":
		return "the end of the step " + name("name")
	case "span", "spanEnd":
		return it.spanTitle(name("id"))
	case "subagent":
		return "the subagent " + name("id")
	case "subagentEnd":
		return "the end of the subagent " + name("id")
	case "custom":
		return "the CUSTOM event " + name("name")
	case "snapshot":
		return "the snapshot of messages"
	case "raw":
		return "the RAW event " + show(it.members["event"])
	case endOfRun:
		return "the end of the run " + word(it.end.id)
	}
	return "the item " + quote(it.kind)
}

// spanTitle: those that an SDK makes by itself have no label.
func (it *item) spanTitle(name string) string {
	title := "the span " + name
	if len(it.slots) > 0 && isNameless(it.slots[0].key) {
		title = "a span"
	}
	if it.kind == "spanEnd" {
		title = "the end of " + title
	}
	return title
}

func messageTitle(role string) string {
	switch role {
	case "tool":
		return "tool result"
	case "reasoning":
		return "reasoning message"
	case "activity":
		return "activity"
	}
	return "text message"
}

// first are the members that a line begins with.
var first = []string{"kind", "id", "name", "role"}

// line writes an item, or the end of a run, as JSON of one line; other has members that are to be shown in place of its own.
func (it *item) line(label func(slot) string, other map[string]any) string {
	if it.end != nil {
		return it.end.line()
	}
	members := maps.Clone(it.members)
	maps.Copy(members, other)
	for _, s := range it.slots {
		if _, isList := it.members[s.member]; isList {
			members[s.member] = label(s)
		}
	}
	for name := range members {
		if namespace, ok := labelled[it.kind][name]; ok {
			members[name] = it.listed(members[name], name, namespace, label)
		}
	}
	var parts []string
	for _, name := range slices.Concat(first, slices.Sorted(maps.Keys(members))) {
		if v, has := members[name]; has {
			parts = append(parts, quote(name)+":"+show(v))
			delete(members, name)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// listed translates the ids of a member that is a list.
func (it *item) listed(v any, member, namespace string, label func(slot) string) any {
	ids, ok := v.([]any)
	if !ok {
		return v
	}
	out := slices.Clone(ids)
	for i, id := range out {
		if id, ok := id.(string); ok {
			out[i] = label(slot{member, key{namespace, id}, false})
		}
	}
	return out
}

// line writes the end of a run as what the contract's value has of it.
func (e *ending) line() string {
	parts := []string{`"runId":` + quote(e.id), `"outcome":` + quote(e.outcome)}
	for _, name := range fieldNames {
		if v, has := e.fields[name]; has {
			parts = append(parts, quote(name)+":"+show(v))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// differing says how a member differs, of an item that both sides have.
func differing(member string, want, got any, wanted, has bool) string {
	w, g := apart(want, got)
	switch {
	case member == "content" && wanted && has:
		return fmt.Sprintf("says %s, the script %s", show(g), show(w))
	case member == "owner":
		return fmt.Sprintf("belongs to %s, in the script to %s", ownerOf(got, has), ownerOf(want, wanted))
	case !wanted:
		return fmt.Sprintf("has %s %s, the script none", word(member), show(g))
	case !has:
		return fmt.Sprintf("has no %s, the script %s", word(member), show(w))
	}
	return fmt.Sprintf("has %s %s, the script %s", word(member), show(g), show(w))
}

func ownerOf(owner any, has bool) string {
	switch o := owner.(type) {
	case string:
		return "the subagent " + word(o)
	case script.ID:
		return "the subagent " + word(string(o))
	}
	if has {
		return show(owner)
	}
	return "the parent agent"
}
