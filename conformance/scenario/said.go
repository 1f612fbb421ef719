package scenario

import (
	"maps"
	"slices"

	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier/agui/materialise"
)

// inputOf is what the script of an answer is understood with.
func inputOf(a *answer) script.Input {
	return script.Input{Request: a.input, Earlier: a.thread.scripts}
}

// end is how a run of an answer ended.
type end struct {
	outcome, code, message string
}

// ends returns how the runs of an answer ended; those that did not are left out.
func ends(s *materialise.Stream) (all []end) {
	runs, _ := s.Meaning()["runs"].([]any)
	for _, r := range runs {
		run, _ := r.(map[string]any)
		if outcome := text(run, "outcome"); outcome != "" {
			all = append(all, end{outcome, text(run, "code"), text(run, "message")})
		}
	}
	return all
}

func text(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

// optional are the members of an item that a subject may add where the script has none.
var optional = []string{"metadata", "parent", "usage", "pending"}

// comparable returns what a consumer holds with ids as labels, and without what a subject may add and want does not have.
func (a *answer) comparable(got, want any) any {
	switch g := got.(type) {
	case map[string]any:
		w, _ := want.(map[string]any)
		out := maps.Clone(g)
		for _, name := range optional {
			if _, wanted := w[name]; !wanted {
				delete(out, name)
			}
		}
		for name, v := range out {
			if name == "metadata" {
				v = named(v, w[name])
			}
			out[name] = a.comparable(v, w[name])
		}
		return out
	case []any:
		w, _ := want.([]any)
		g = withoutCarriers(g, len(w))
		out := make([]any, len(g))
		for i, v := range g {
			var at any
			if i < len(w) {
				at = w[i]
			}
			out[i] = a.comparable(v, at)
		}
		return out
	case string:
		return a.labelOf(g)
	}
	return got
}

// withoutCarriers takes messages without a word out of a list that is longer than it should be: a subject may add one for a
// call to hang on.
func withoutCarriers(items []any, length int) []any {
	more := len(items) - length
	return slices.DeleteFunc(slices.Clone(items), func(v any) bool {
		item, _ := v.(map[string]any)
		if more <= 0 || text(item, "kind") != "message" || text(item, "role") != "assistant" || item["content"] != "" {
			return false
		}
		more--
		return true
	})
}

// named returns metadata without the keys that want does not have: a subject may add some.
func named(got, want any) any {
	g, _ := got.(map[string]any)
	w, isObject := want.(map[string]any)
	if !isObject {
		return got
	}
	out := map[string]any{}
	for key := range w {
		if v, ok := g[key]; ok {
			out[key] = v
		}
	}
	return out
}

// spaces are the namespaces, in the order in which a word is looked for.
var spaces = []string{script.Messages, script.Calls, script.Spans, script.Interrupts, script.Subagents}

// idOf returns the id of a label of any namespace or of the run, and the word itself where it is none.
func (a *answer) idOf(word string) string {
	for _, space := range spaces {
		if id := a.thread.names.ID(space, word); id != word {
			return id
		}
	}
	if a.name == word {
		return a.runID
	}
	return word
}

// labelOf returns the label of an id of any namespace, the name of the run for its id, and the word itself where it is none.
func (a *answer) labelOf(word string) string {
	for _, space := range spaces {
		if label := a.thread.names.Label(space, word); label != word {
			return label
		}
	}
	if a.runID == word {
		return a.name
	}
	return word
}
