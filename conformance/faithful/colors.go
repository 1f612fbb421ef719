package faithful

import (
	"crypto/sha256"
	"maps"
	"slices"
)

// Colors tell labels and ids apart by how they are used: a label can only be an id that stands in the same places of items that
// are alike. Without them, calls that look alike and have different results would have to be tried in every order.
type colors struct {
	labels, ids map[key]string
}

// isColoured tells whether a subject may neither add nor leave out such an item, with its labels.
func (it *item) isColoured() bool {
	switch it.kind {
	case "toolCall", "step", "subagent", "custom":
		return true
	}
	return it.kind == "message" && (it.members["role"] != "assistant" || it.members["content"] != "") // else it may carry a call
}

// rounds is how far a label looks: one that is used with another that is used with a third.
const rounds = 3

// colour returns the colours of both sides; nil where they would not be exact, because a thing has a label and an id.
func colour(want []*item, got stream, n *Names) *colors {
	for _, it := range want {
		if slices.ContainsFunc(it.slots, func(s slot) bool { return s.literal }) {
			return nil
		}
	}
	return &colors{
		labels: shade(want, func(k key) key {
			if id, ok := n.fixed(k); ok {
				return key{k.namespace, id}
			}
			return key{k.namespace, nameless + k.name} // apart from ids
		}),
		ids: shade(got, func(k key) key { return k }),
	}
}

// shade returns a colour for each label of the items, under the name that to gives it.
func shade(items []*item, to func(key) key) map[key]string {
	colours := map[key]string{}
	for range rounds {
		uses := map[key][]string{}
		for _, it := range items {
			if it.isColoured() {
				it.shade(to, colours, uses)
			}
		}
		colours = map[key]string{}
		for _, k := range slices.Collect(maps.Keys(uses)) {
			slices.Sort(uses[k])
			sum := sha256.New()
			for _, use := range uses[k] {
				sum.Write([]byte(use))
			}
			colours[k] = string(sum.Sum(nil))
		}
	}
	return colours
}

// shade notes for each label of the item where it stands, and beside which others.
func (it *item) shade(to func(key) key, colours map[key]string, uses map[key][]string) {
	all := it.kind + "\x00" + it.core
	for _, s := range it.slots {
		if s.member != "parent" || it.kind != "toolCall" {
			all += "\x00" + s.member + "\x00" + colours[to(s.key)]
		}
	}
	sum := sha256.Sum256([]byte(all))
	for _, s := range it.slots {
		if s.member != "parent" || it.kind != "toolCall" {
			uses[to(s.key)] = append(uses[to(s.key)], s.member+"\x00"+string(sum[:]))
		}
	}
}

// agree tells whether labels have the colours of the ids that they are bound to.
func (c *colors) agree(labels []key, b *bindings) bool {
	if c == nil {
		return true
	}
	return !slices.ContainsFunc(labels, func(k key) bool {
		_, fixed := b.names.fixed(k)
		return !fixed && c.of(k) != c.ids[key{k.namespace, b.ids[k]}]
	})
}

// of returns the colour of a label that was not known before.
func (c *colors) of(label key) string {
	if c == nil {
		return ""
	}
	return c.labels[key{label.namespace, nameless + label.name}]
}
