package script_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model/script"
	"gotest.tools/v3/assert"
	"pgregory.net/rapid"
)

// The ways in which a script is changed.
var ways = []string{
	"adds an event", "adds metadata", "adds to the interrupts", "adds to the messages", "adds to the patch", "announces it no more", "changes a delta",
	"changes a message", "changes a reason", "changes the code", "changes the content", "changes the description", "changes the encrypted value",
	"changes the event", "changes the message", "changes the name", "changes the result", "changes the role", "changes the run", "changes the state",
	"changes the tool", "changes the type", "changes the usage", "changes the value", "drops", "drops a delta", "drops an interrupt", "drops the description",
	"drops the encrypted value", "drops the name", "drops the parent call", "drops the parent message", "drops the result", "makes it a success", "makes it fail",
	"makes the run a success", "makes the run fail", "moves the next action in", "reorders", "reorders deltas", "retags", "retargets",
	"takes the step away around", "takes the subagent away around",
}

// way is what a mutation does, without what it does it to.
func way(m script.Mutation) string {
	what, _, _ := strings.Cut(m.What, " at \"")
	what, _, _ = strings.Cut(what, " to \"")
	return what
}

func TestMutationsAreLegalAndOfEveryKind(t *testing.T) {
	in := asked(t)
	g := script.Legal(script.Knobs{Input: in})
	seen := map[string]int{}
	for seed := range 60 {
		s := g.Example(seed)
		before := string(s.JSON())
		for _, m := range script.Mutations(s, in) {
			assert.Assert(t, string(m.Script.JSON()) != before, "%s", m)
			assert.NilError(t, m.Script.Check(in), "%s", m)
			seen[way(m)]++
		}
		assert.Equal(t, string(s.JSON()), before)
	}
	assert.DeepEqual(t, slices.Sorted(maps.Keys(seen)), ways)
}

func TestEveryScriptCanBeMutated(t *testing.T) {
	for _, text := range []string{`[]`, `[{"fail":{"message":"m","early":true}}]`, `[{"finish":{}}]`, `[{"cancel":{}}]`, `[{"panic":{"message":"m"}}]`, `[{"raw":{"event":1}},{"parallel":{"branches":[[],[]]}}]`} {
		s, err := script.Parse([]byte(text))
		assert.NilError(t, err)
		assert.Assert(t, len(script.Mutations(s, script.Input{})) > 0, text)
		script.Mutate(s, script.Input{}).Example(1)
	}
}

func TestMutateDrawsAnyMutation(t *testing.T) {
	s, err := script.Parse([]byte(`[{"text":{"id":"m","stream":["a","b"],"name":"n"}},{"custom":{"name":"n","value":1}}]`))
	assert.NilError(t, err)
	want := map[string]bool{}
	for _, m := range script.Mutations(s, script.Input{}) {
		want[m.What] = true
	}
	got := map[string]bool{}
	g := script.Mutate(s, script.Input{})
	for seed := range 500 {
		got[g.Example(seed).What] = true
	}
	assert.DeepEqual(t, got, want)
	rapid.Check(t, func(t *rapid.T) {
		m := g.Draw(t, "mutation")
		if err := m.Script.Check(script.Input{}); err != nil {
			t.Fatal(err)
		}
	})
}

// What happens behind the end of a run has no meaning, and what a guard may stop is left alone.
func TestWhatDoesNotHappenIsNotMutated(t *testing.T) {
	for _, text := range []string{
		`[{"text":{"id":"m","stream":[{"fail":{"message":"x"}},"later"],"encryptedValue":"later"}},{"custom":{"name":"later","value":1}}]`,
		`[{"subagent":{"id":"s","name":"n","do":[{"panic":{"message":"x"}}],"end":{"error":{"message":"later"}}}},{"finish":{"result":"later"}}]`,
		`[{"emit":{"event":{"type":"NONE"}}},{"custom":{"name":"later","value":1}},{"finish":{"result":"later"}}]`,
		`[{"reasoning":{"messages":[{"id":"m","stream":[{"fail":{"message":"x"}}],"encryptedValue":"later"},{"id":"n","stream":["later"]}]}}]`,
	} {
		s, err := script.Parse([]byte(text))
		assert.NilError(t, err)
		count := strings.Count(text, "later")
		for _, m := range script.Mutations(s, script.Input{}) {
			if way(m) != "drops" && !strings.HasPrefix(way(m), "takes") {
				assert.Equal(t, strings.Count(string(m.Script.JSON()), "later"), count, "%s", m)
				assert.Assert(t, !strings.Contains(string(m.Script.JSON()), "laterconformance"), "%s", m)
			}
		}
	}
}
