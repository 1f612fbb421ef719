package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/drift/reader"
)

// compared reads a fixture with the reader of its language.
func compared(t *testing.T, name string, files []reader.File) *Result {
	t.Helper()
	kind, _, _ := strings.Cut(name, " ")
	r, ok := reader.ByName(kind)
	assert.Assert(t, ok, kind)
	a, err := Revision("")
	assert.NilError(t, err)
	result, err := Check(a, &Source{Reader: r, Files: files}, Options{})
	assert.NilError(t, err)
	return result
}

func each(t *testing.T, test func(t *testing.T, name string, write func(*fixture) []reader.File)) {
	for _, name := range slices.Sorted(maps.Keys(fixtures)) {
		t.Run(name, func(t *testing.T) { test(t, name, fixtures[name]) })
	}
}

func TestAnSDKThatHasTheVocabularyIsClean(t *testing.T) {
	each(t, func(t *testing.T, name string, write func(*fixture) []reader.File) {
		r := compared(t, name, write(newFixture()))
		if len(r.Differences) > 0 || len(r.Unparsed) > 0 {
			var b strings.Builder
			assert.NilError(t, Text(&b, r))
			t.Error(b.String())
		}
		assert.Equal(t, r.SDK.Types, 31)
		assert.Equal(t, r.SDK.Payloads, 31)
	})
}

func TestEveryReaderHasAFixture(t *testing.T) {
	for _, r := range reader.All() {
		assert.Assert(t, slices.ContainsFunc(slices.Collect(maps.Keys(fixtures)), func(name string) bool { return strings.HasPrefix(name+" ", r.Name+" ") }), r.Name)
	}
}

// changes are what is done to a field, with the difference that this is.
var changes = map[string]struct {
	change func(list []member, i int) []member
	want   func(typ string, m member) []string
}{
	"deleted": {
		func(list []member, i int) []member { return slices.Delete(list, i, i+1) },
		func(typ string, m member) []string { return []string{fmt.Sprintf("missing-field %s.%s", typ, m.name)} },
	},
	"renamed": {
		func(list []member, i int) []member { list[i].name += "Old"; return list },
		func(typ string, m member) []string {
			return []string{fmt.Sprintf("missing-field %s.%s", typ, m.name), fmt.Sprintf("unknown-field %s.%sOld", typ, m.name)}
		},
	},
	"optional or not": {
		func(list []member, i int) []member { list[i].required = !list[i].required; return list },
		func(typ string, m member) []string { return []string{fmt.Sprintf("optionality %s.%s", typ, m.name)} },
	},
}

// Every field of every event is changed once, alone within its event; what is
// reported is that and nothing else.
func TestEveryChangeOfAFieldIsFound(t *testing.T) {
	each(t, func(t *testing.T, name string, write func(*fixture) []reader.File) {
		for what, c := range changes {
			most := 0
			for _, e := range newFixture().events {
				most = max(most, len(e.members))
			}
			for i := range most {
				f := newFixture()
				var want []string
				for k := range f.events {
					e := &f.events[k]
					if i < len(e.members) {
						want = append(want, c.want(e.typ, e.members[i])...)
						e.members = c.change(e.members, i)
					}
				}
				expect(t, fmt.Sprintf("%s, field %d", what, i), compared(t, name, write(f)), want)
			}
		}
	})
}

func TestEveryChangeOfASharedFieldIsFoundInEveryEvent(t *testing.T) {
	each(t, func(t *testing.T, name string, write func(*fixture) []reader.File) {
		for what, c := range changes {
			for i := range newFixture().base {
				f := newFixture()
				var want []string
				for _, e := range f.events {
					want = append(want, c.want(e.typ, f.base[i])...)
				}
				f.base = c.change(f.base, i)
				expect(t, fmt.Sprintf("%s, shared field %d", what, i), compared(t, name, write(f)), want)
			}
		}
	})
}

func expect(t *testing.T, what string, r *Result, want []string) {
	t.Helper()
	var got []string
	for _, d := range r.Differences {
		got = append(got, string(d.Kind)+" "+d.Subject())
	}
	for _, u := range r.Unparsed {
		got = append(got, "unparsed "+u.What+" "+u.Problem.Error())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: not found: %s", what, w)
			}
		}
		for _, g := range got {
			if !slices.Contains(want, g) {
				t.Errorf("%s: said too much: %s", what, g)
			}
		}
	}
}

func TestAMissingOrAnUnknownTypeIsFound(t *testing.T) {
	each(t, func(t *testing.T, name string, write func(*fixture) []reader.File) {
		f := newFixture()
		f.events = append(f.events[1:], made{typ: "META_EVENT", name: "MetaEvent"})
		expect(t, "types", compared(t, name, write(f)), []string{"missing-type TEXT_MESSAGE_START", "unknown-type META_EVENT"})
	})
}

func TestARetiredTypeIsCalledSo(t *testing.T) {
	each(t, func(t *testing.T, name string, write func(*fixture) []reader.File) {
		f := newFixture()
		f.events = append(f.events, made{typ: "THINKING_START", name: "ThinkingStart"})
		expect(t, "types", compared(t, name, write(f)), []string{"retired-type THINKING_START"})
	})
}
