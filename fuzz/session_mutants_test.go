package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// One record of a recorded session is left out, comes twice, or comes after its neighbour: whether that is
// a fault or not, both must say the same of it.
func TestVerifierAgreesWithTheSpecificationOnMutantsOfSessions(t *testing.T) {
	var n tried
	defer n.report(t)
	for _, s := range sittings(t) {
		for i := range s.records {
			n.try(t, s.with("without", i, slices.Delete(slices.Clone(s.records), i, i+1)))
			n.try(t, s.with("twice", i, slices.Insert(slices.Clone(s.records), i, s.records[i])))
			if i+1 < len(s.records) && !bytes.Equal(s.records[i], s.records[i+1]) {
				swapped := slices.Clone(s.records)
				swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
				n.try(t, s.with("swapped", i, swapped))
			}
		}
	}
}

func (s sitting) with(what string, at int, records [][]byte) sitting {
	return sitting{fmt.Sprintf("%s, %s %d", s.name, what, at), s.profile, records}
}

// One member of a record becomes null, gets another type, or is an id that nothing else knows.
func TestVerifierAgreesWithTheSpecificationOnMembersOfSessions(t *testing.T) {
	const share = 20 // of the members, each run the same
	chance := rand.New(rand.NewPCG(1, 1))
	var n tried
	defer n.report(t)
	for _, s := range sittings(t) {
		for i, r := range s.records {
			for _, m := range membersOf(r) {
				others := changed(m)
				for _, what := range slices.Sorted(maps.Keys(others)) {
					if chance.IntN(share) > 0 && !strings.HasPrefix(what, "renamed") {
						continue
					}
					records := slices.Clone(s.records)
					records[i] = replaced(r, m.path, others[what])
					n.try(t, s.with(what+" "+strings.Join(m.path, "."), i, records))
				}
			}
		}
	}
}

// A member is a value inside a record, by the names that lead to it; elements have their number.
type member struct {
	path  []string
	value any
}

// membersOf lists the members of a record, but those of long lists: of each list its first and last.
func membersOf(record []byte) []member {
	var v any
	if json.Unmarshal(record, &v) != nil {
		return nil
	}
	var all []member
	walk(nil, v, &all)
	return all
}

func walk(path []string, v any, all *[]member) {
	if len(path) > 0 {
		*all = append(*all, member{slices.Clone(path), v})
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walk(append(path, name), v[name], all)
		}
	case []any:
		for i := range v {
			if i == 0 || i == len(v)-1 {
				walk(append(path, fmt.Sprint(i)), v[i], all)
			}
		}
	}
}

// changed are the values that a member is given instead of its own.
func changed(m member) map[string]any {
	out := map[string]any{"null": nil}
	switch v := m.value.(type) {
	case string:
		out["number"] = 7
		if name := m.path[len(m.path)-1]; strings.HasSuffix(strings.ToLower(name), "id") {
			out["renamed"] = v + "'"
		}
	case float64:
		out["text"] = "7"
	case bool:
		out["turned"] = !v
		out["text"] = "true"
	case []any:
		out["object"] = map[string]any{}
		out["emptied"] = []any{}
	case map[string]any:
		out["array"] = []any{}
	}
	return out
}

// replaced is the record with another value at the path.
func replaced(record []byte, path []string, with any) []byte {
	var v any
	_ = json.Unmarshal(record, &v)
	at := v
	for _, name := range path[:len(path)-1] {
		at = inside(at, name)
	}
	put(at, path[len(path)-1], with)
	out, _ := json.Marshal(v)
	return out
}

func inside(v any, name string) any {
	if list, ok := v.([]any); ok {
		return list[number(name)]
	}
	return v.(map[string]any)[name]
}

func put(v any, name string, with any) {
	if list, ok := v.([]any); ok {
		list[number(name)] = with
		return
	}
	v.(map[string]any)[name] = with
}

func number(name string) int {
	var i int
	_, _ = fmt.Sscan(name, &i)
	return i
}
