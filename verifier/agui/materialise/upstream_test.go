package materialise

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// The specification's own consumer corpus is no part of this repository. CONFORMANCE_UPSTREAM names the
// folder that has it (see golden/upstream_test.go).

// fixture is a stream with what a consumer has to hold after it. Objects are compared by the members
// that are named, lists element by element.
type fixture struct {
	Input  json.RawMessage   `json:"input"`
	Stream []json.RawMessage `json:"stream"`
	Expect struct {
		Outcome      string          `json:"outcome"`
		MessageCount *int            `json:"messageCount"`
		Messages     []any           `json:"messages"`
		State        json.RawMessage `json:"state"`
	} `json:"expect"`
}

// translated are streams of a 0.x peer, whose shapes a consumer rewrites before it reads them.
var translated = []string{"era-0-0-45-thinking-translated", "era-0-0-57-subagent-dropped-with-warning"}

func TestTheSpecificationsConsumersHoldTheSame(t *testing.T) {
	folder := os.Getenv("CONFORMANCE_UPSTREAM")
	if folder == "" {
		t.Skip("CONFORMANCE_UPSTREAM does not name the folder of the specification's corpus")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	assert.NilError(t, err)
	compared := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		data, err := os.ReadFile(file)
		assert.NilError(t, err)
		var f fixture
		assert.NilError(t, json.Unmarshal(data, &f))
		if f.Expect.Outcome != "completed" || contains(translated, name) {
			continue
		}
		t.Run(name, func(t *testing.T) { compared += checkFixture(t, f) })
	}
	assert.Assert(t, compared >= 50, "only %d expectations were compared", compared)
}

// checkFixture returns how much it compared.
func checkFixture(t *testing.T, f fixture) (compared int) {
	var events [][]byte
	for _, e := range f.Stream {
		events = append(events, e)
	}
	s := Read(f.Input, events)
	held := s.everything()
	if f.Expect.MessageCount != nil {
		assert.Equal(t, len(held), *f.Expect.MessageCount)
		compared++
	}
	if f.Expect.Messages != nil {
		assert.Assert(t, includes(f.Expect.Messages, any(held)), "want %v\ngot  %v", f.Expect.Messages, held)
		compared++
	}
	if f.Expect.State != nil {
		var want any
		assert.NilError(t, json.Unmarshal(f.Expect.State, &want))
		assert.DeepEqual(t, s.State(), want)
		compared++
	}
	return compared
}

// everything is all messages that the consumer holds, activities too.
func (s *Stream) everything() []any {
	all := []any{}
	for m := s.held.first; m != nil; m = m.next {
		w := m.wire()
		if m.class() == active {
			w["content"], _ = s.readDoc(m.content)
		}
		all = append(all, w)
	}
	return all
}

// includes reports whether a value has what is wanted of it.
func includes(want, got any) bool {
	switch want := want.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for name, v := range want {
			if w, ok := object[name]; !ok || !includes(v, w) {
				return false
			}
		}
		return object != nil
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return false
		}
		for i := range want {
			if !includes(want[i], list[i]) {
				return false
			}
		}
		return true
	}
	return want == got
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
