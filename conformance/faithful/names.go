package faithful

import (
	"maps"
	"slices"

	"github.com/agentstream/conformance/model/script"
)

// A key is a label, or an id, of a namespace of package script.
type key struct{ namespace, name string }

// Names is what a scenario's labels turned out to be called on the wire: a one-to-one relation in each namespace. It belongs
// to one thread of a subject: each thread has ids of its own. It is not safe for concurrent use.
type Names struct {
	// Identity wants every label to be its own id: the subject declares the feature ids.
	Identity bool

	ids    map[key]string // of labels
	labels map[key]string // of ids
}

// NewNames returns names of which none is known.
func NewNames() *Names { return &Names{ids: map[key]string{}, labels: map[key]string{}} }

// Clone returns names that learn on their own.
func (n *Names) Clone() *Names {
	return &Names{Identity: n.Identity, ids: maps.Clone(n.ids), labels: maps.Clone(n.labels)}
}

// ID returns the id of a label, and the label itself where no id is known.
func (n *Names) ID(namespace, label string) string {
	if id, ok := n.ids[key{namespace, label}]; ok {
		return id
	}
	return label
}

// Label returns the label of an id, and the id itself where no label is known.
func (n *Names) Label(namespace, id string) string {
	if label, ok := n.labels[key{namespace, id}]; ok {
		return label
	}
	return id
}

// IDs returns the id of every label. A label that names two things has its namespace in front of it: calls/a.
func (n *Names) IDs() map[string]string {
	uses := map[string]int{}
	for k := range n.ids {
		uses[k.name]++
	}
	out := make(map[string]string, len(n.ids))
	for k, id := range n.ids {
		name := k.name
		if uses[name] > 1 {
			name = k.namespace + "/" + name
		}
		out[name] = id
	}
	return out
}

// fixed returns what a label has to be, if that is known. A label that is an id already is what a script says that was renamed
// before it was sent.
func (n *Names) fixed(k key) (id string, ok bool) {
	if id, ok = n.ids[k]; ok {
		return id, true
	}
	if _, ok = n.labels[k]; ok || n.Identity {
		return k.name, true
	}
	return "", false
}

// learn keeps what a comparison found.
func (n *Names) learn(b *bindings) {
	for _, k := range b.trail {
		_, isKnown := n.ids[k]
		_, isID := n.labels[k]
		if !isNameless(k) && !isKnown && !isID {
			n.ids[k] = b.ids[k]
			n.labels[key{k.namespace, b.ids[k]}] = k.name
		}
	}
}

// nameless marks the labels of spans that the script has not named. It is no Unicode, so that no script has it.
const nameless = "\xff"

func isNameless(k key) bool { return len(k.name) > 0 && k.name[:1] == nameless }

// bindings are names that a search tries. They can be undone in the order in which they were made.
type bindings struct {
	names  *Names
	ids    map[key]string
	labels map[key]string
	trail  []key
}

func newBindings(n *Names) *bindings {
	return &bindings{names: n, ids: map[key]string{}, labels: map[key]string{}}
}

// clone returns bindings that go on on their own.
func (b *bindings) clone() *bindings {
	return &bindings{b.names, maps.Clone(b.ids), maps.Clone(b.labels), slices.Clone(b.trail)}
}

// id returns what a label is bound to.
func (b *bindings) id(k key) (id string, bound bool) {
	if id, bound = b.ids[k]; bound {
		return id, true
	}
	if isNameless(k) {
		return "", false
	}
	return b.names.fixed(k)
}

// bind makes a label be an id, and tells whether it can.
func (b *bindings) bind(k key, id string) bool {
	if have, bound := b.ids[k]; bound {
		return have == id
	}
	fixed, isFixed := b.id(k)
	if isFixed && fixed != id {
		return false
	}
	other := key{k.namespace, id}
	if label, taken := b.labels[other]; taken {
		return isFixed && !isNameless(key{k.namespace, label}) // a label and an id that the script got for it
	}
	if _, taken := b.names.labels[other]; taken && !isFixed {
		return false
	}
	b.ids[k], b.labels[other] = id, k.name
	b.trail = append(b.trail, k)
	return true
}

// extra keeps the script's labels from what an item names that the script has not said: a message that carries a call. It tells
// whether none of them has it.
func (b *bindings) extra(got *item) bool {
	if got.kind != "message" {
		return true
	}
	id, _ := got.slot("id")
	return b.bind(key{id.namespace, nameless + "extra " + id.name}, id.name)
}

// undo takes back what was bound since the trail was so long.
func (b *bindings) undo(length int) {
	for _, k := range b.trail[length:] {
		delete(b.labels, key{k.namespace, b.ids[k]})
		delete(b.ids, k)
	}
	b.trail = b.trail[:length]
}

// labelOf returns the script's label of an id.
func (b *bindings) labelOf(namespace, id string) (label string, ok bool) {
	k := key{namespace, id}
	if label, ok = b.labels[k]; !ok {
		label, ok = b.names.labels[k]
	}
	return label, ok && !isNameless(key{namespace, label})
}

// label returns the label of an id for somebody who reads; the id itself where there is none.
func (b *bindings) label(namespace, id string) string {
	if label, ok := b.labelOf(namespace, id); ok {
		return label
	}
	return id
}

// members that hold labels, by the kind of item.
var labelled = map[string]map[string]string{
	"message":     {"id": script.Messages, "toolCallId": script.Calls, "owner": script.Subagents},
	"toolCall":    {"id": script.Calls, "parent": script.Messages, "owner": script.Subagents},
	"step":        {"owner": script.Subagents},
	"stepEnd":     {"owner": script.Subagents},
	"span":        {"id": script.Spans, "owner": script.Subagents},
	"spanEnd":     {"id": script.Spans, "owner": script.Subagents},
	"subagent":    {"id": script.Subagents, "parent": script.Subagents, "parentToolCallId": script.Calls, "parentMessageId": script.Messages},
	"subagentEnd": {"id": script.Subagents, "interruptIds": script.Interrupts},
	"custom":      {"owner": script.Subagents},
	"raw":         {"owner": script.Subagents},
}
