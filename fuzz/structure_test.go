package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/verifier/agui"
)

// Every member of every event at every depth is left out, nulled, given each other JSON type, and
// joined by one that is unknown; the verifier and the executable specification, which has its own
// table of shapes, must agree on what that is.

// examples makes a value of a schema that has every member: each variant of a union gives one more.
func examples(r *baseline.Revision, s *baseline.Schema) []any {
	switch s.Kind {
	case baseline.KindAny:
		return []any{map[string]any{"any": []any{nil, 1}}}
	case baseline.KindString:
		return []any{exampleString(s)}
	case baseline.KindBoolean:
		return []any{true}
	case baseline.KindNumber, baseline.KindInteger:
		return []any{json.Number("7")}
	case baseline.KindArray:
		if s.Items == nil {
			return []any{[]any{1}}
		}
		return []any{examples(r, s.Items)}
	case baseline.KindObject:
		return []any{map[string]any{"key": nil}}
	case baseline.KindRef:
		o, _ := r.Object(s.Ref)
		return exampleObjects(r, o.Members)
	case baseline.KindUnion:
		var all []any
		for _, v := range s.Variants {
			o, _ := r.Object(v.Ref)
			all = append(all, exampleObjects(r, o.Members)...)
		}
		return all
	}
	var all []any
	for i := range s.OneOf {
		all = append(all, examples(r, &s.OneOf[i])...)
	}
	return all
}

func exampleString(s *baseline.Schema) any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Pattern != "":
		return "/a"
	}
	return "text"
}

// exampleObjects returns one object with every member, and one more for each further example of a member.
func exampleObjects(r *baseline.Revision, members []baseline.Member) []any {
	all := []any{map[string]any{}}
	for i := range members {
		values := examples(r, &members[i].Schema)
		for n, v := range values {
			if n == len(all) {
				all = append(all, clone(all[0]))
			}
			all[n].(map[string]any)[members[i].Name] = v
		}
		for n := len(values); n < len(all); n++ {
			all[n].(map[string]any)[members[i].Name] = values[0]
		}
	}
	return all
}

func clone(v any) any {
	data, _ := json.Marshal(v)
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out any
	_ = d.Decode(&out)
	return out
}

// others are values of each JSON type, with some that are nearly right.
var others = []any{nil, true, json.Number("1.5"), json.Number("-1"), json.Number("1e400"), "odd", "a~", "", []any{}, []any{nil}, []any{1}, map[string]any{}, map[string]any{"type": "odd"}, map[string]any{"type": 1}}

// mutants calls visit with each change of a value, put into the whole by set, until depth is used up.
func mutants(v any, set func(any), visit func()) {
	for _, o := range others {
		set(o)
		visit()
	}
	switch v := v.(type) {
	case map[string]any:
		v["unknownMember"] = 1
		set(v)
		visit()
		delete(v, "unknownMember")
		for name, member := range v {
			delete(v, name)
			visit()
			mutants(member, func(x any) { v[name] = x }, visit)
			v[name] = member
		}
	case []any:
		for i, element := range v {
			mutants(element, func(x any) { v[i] = x }, visit)
			v[i] = element
		}
	}
	set(v)
}

func TestStructureOfEveryMemberIsJudgedAlike(t *testing.T) {
	for _, revision := range []string{agui.Revision1, agui.Revision0} {
		r, ok := baseline.AGUI().Revision(revision)
		assert.Assert(t, ok)
		for i := range r.Events {
			t.Run(revision+"/"+r.Events[i].Type, func(t *testing.T) { checkMutants(t, r, &r.Events[i]) })
		}
	}
}

func checkMutants(t *testing.T, r *baseline.Revision, e *baseline.Event) {
	started := []byte(`{"type":"RUN_STARTED","threadId":"text","runId":"text","protocolVersion":"1.0"}`)
	n := 0
	for _, example := range exampleObjects(r, e.Members) {
		whole := example.(map[string]any)
		whole["type"] = e.Type
		visit := func() {
			data, err := json.Marshal(whole)
			assert.NilError(t, err)
			events := [][]byte{started, data}
			if e.Type == baseline.RunStarted.String() {
				events = events[1:]
			}
			for _, profile := range agui.Rules().Profiles {
				compare(t, trial{events, agui.Options{Profile: profile, Revision: r.Name}})
			}
			n++
		}
		visit()
		mutants(whole, func(any) {}, visit)
	}
	assert.Assert(t, n > 20, "only %d mutants", n)
	if testing.Verbose() {
		fmt.Printf("%s %s: %d mutants\n", r.Name, e.Type, n)
	}
}
