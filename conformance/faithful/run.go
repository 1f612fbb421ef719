package faithful

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/agentstream/conformance/model/script"
)

// An ending is what a run is besides its items.
type ending struct {
	id      string // empty for a run that has none
	outcome string
	fields  map[string]any
	free    map[string]bool // of the script's side: fields that the subject may add
	states  []any
	pending []any // of the stream's side: the calls that nothing has answered, in the order made
}

// fields of a run's end.
var fieldNames = []string{"result", "interrupts", "pending", "message", "code", "usage"}

// A stream is the stream's side: the items of all runs, each run with its end behind them.
type stream []*item

var errShape = errors.New("this is no meaning of a stream")

// readStream reads the value that a stream was turned into.
func readStream(got any) (stream, error) {
	top, ok := got.(map[string]any)
	if !ok || !isJSON(got) {
		return nil, errShape
	}
	runs, ok := top["runs"].([]any)
	if !ok {
		return nil, errShape
	}
	var s stream
	for i, r := range runs {
		run, ok := r.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%w: run %d", errShape, i)
		}
		items, err := readItems(run["items"])
		if err != nil {
			return nil, fmt.Errorf("%w: run %d: %w", errShape, i, err)
		}
		s = append(s, items...)
		s = append(s, &item{kind: endOfRun, end: readEnding(run, items)})
	}
	return s, nil
}

func readItems(v any) ([]*item, error) {
	list, ok := v.([]any)
	if !ok && v != nil {
		return nil, errors.New("its items are no list")
	}
	out := make([]*item, len(list))
	for i, e := range list {
		members, ok := e.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("item %d is no object", i)
		}
		out[i] = newItem(members)
	}
	return out, nil
}

func readEnding(run map[string]any, items []*item) *ending {
	e := &ending{fields: map[string]any{}, pending: unanswered(items)}
	e.id, _ = run["runId"].(string)
	e.outcome, _ = run["outcome"].(string)
	e.states, _ = run["states"].([]any)
	for _, name := range fieldNames {
		if v, has := run[name]; has {
			e.fields[name] = v
		}
	}
	if l, ok := e.fields["pending"].([]any); ok && len(l) == 0 {
		delete(e.fields, "pending") // not named
	}
	return e
}

// unanswered returns the calls of a run that have no result, in the order first made.
func unanswered(items []*item) (calls []any) {
	answered := map[string]bool{}
	for _, it := range items {
		if it.members["role"] == "tool" {
			answered[text(it.members, "toolCallId")] = true
		}
	}
	for _, it := range items {
		if id := text(it.members, "id"); it.kind == "toolCall" && !answered[id] {
			answered[id] = true // once
			calls = append(calls, id)
		}
	}
	return calls
}

func wantedEnding(r *script.Run) *ending {
	return &ending{id: r.ID, outcome: r.Outcome, fields: r.Fields, free: r.Free, states: r.States}
}

// ends matches the labels that stand in the ends of two runs.
func (b *bindings) ends(want, got *ending) bool {
	return b.interrupts(want.fields["interrupts"], got.fields["interrupts"]) && b.pending(want.fields["pending"], got.fields["pending"])
}

// interruptLabels are the members of an interrupt that hold labels.
var interruptLabels = map[string]string{"id": script.Interrupts, "toolCallId": script.Calls, "subagentRunId": script.Subagents}

func (b *bindings) interrupts(want, got any) bool {
	w, _ := want.([]any)
	g, _ := got.([]any)
	return slices.EqualFunc(w, g, b.interrupt)
}

func (b *bindings) interrupt(want, got any) bool {
	w, ok := want.(map[string]any)
	g, isObject := got.(map[string]any)
	if !ok || !isObject || !sameButMetadata(unnamed(w), unnamed(g)) {
		return false
	}
	for _, member := range slices.Sorted(maps.Keys(interruptLabels)) {
		label, has := w[member].(string)
		id, hasID := g[member].(string)
		if has != hasID || has && !b.bind(key{interruptLabels[member], label}, id) {
			return false
		}
	}
	return true
}

// pending compares without order: the interleaving decides it. The script's calls have been told, so their labels are bound.
func (b *bindings) pending(want, got any) bool {
	w, ok := want.([]any)
	if !ok {
		return true // unasked: for the fields
	}
	g, _ := got.([]any)
	if len(w) != len(g) {
		return false
	}
	for _, label := range w {
		label, _ := label.(string)
		if id, bound := b.id(key{script.Calls, label}); !bound || !slices.Contains(g, any(id)) {
			return false
		}
	}
	return true
}

// unnamed is an interrupt without its labels.
func unnamed(v map[string]any) map[string]any {
	out := maps.Clone(v)
	for member := range interruptLabels {
		if _, isString := out[member].(string); isString {
			delete(out, member)
		}
	}
	return out
}
