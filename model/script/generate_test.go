package script_test

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/agentstream/conformance/model/script"
	"github.com/go-json-experiment/json"
	"gotest.tools/v3/assert"
)

// checks is how often a property is tried.
func checks(n int) int {
	if v, err := strconv.Atoi(os.Getenv("CONFORMANCE_CHECKS")); err == nil {
		return v
	}
	return n
}

// asked is a request with something of everything, on a thread that has a past.
func asked(t testing.TB) script.Input {
	in, err := script.ReadInput([]byte(`{"threadId":"t","runId":"r","state":{"n":[1,{"a/b":"é"}]},"tools":[{"name":"ask","description":""}],"messages":[
		{"id":"u","role":"user","content":"hi"},
		{"id":"old","role":"assistant","name":"A","content":"x","toolCalls":[{"id":"k","type":"function","function":{"name":"ask","arguments":""}}]},
		{"id":"sub","role":"assistant","content":"x","subagentRunId":"s"}],"resume":[{"interruptId":"i","status":"resolved","payload":{"ok":true}}]}`))
	assert.NilError(t, err)
	early, err := script.Parse([]byte(`[{"text":{"id":"e","stream":["x"]}},{"subagent":{"id":"s","name":"n","do":[]}},{"activity":{"id":"act","type":"T","content":{}}}]`))
	assert.NilError(t, err)
	in.Earlier = []script.Script{early}
	return in
}

func TestGeneratedScriptsAreLegalAndReadAsWritten(t *testing.T) {
	in := asked(t)
	for name, k := range map[string]script.Knobs{"nothing known": {}, "a request": {Input: in}, "large": {Input: in, Size: 80}} {
		g := script.Legal(k)
		for seed := range checks(250) {
			s := g.Example(seed)
			if err := s.Check(k.Input); err != nil {
				t.Fatalf("%s, seed %d: %v\n%s", name, seed, err, s.JSON())
			}
			again, err := script.Parse(s.JSON())
			assert.NilError(t, err)
			assert.Assert(t, reflect.DeepEqual(again, s), "%s, seed %d: %s", name, seed, s.JSON())
		}
	}
}

func TestGeneratedScriptsKeepToTheKnobs(t *testing.T) {
	in := asked(t)
	all := script.AllFeatures()
	for i, off := range all {
		some := slices.Delete(slices.Clone(all), i, i+1)
		if i%2 == 0 {
			some = []string{off, "nested", "parallel"}
		}
		g := script.Legal(script.Knobs{Features: some, Size: 30, Input: in})
		for seed := range checks(30) {
			s := g.Example(seed)
			assert.NilError(t, s.Check(in), "%s", s.JSON())
			for _, f := range s.Features(in) {
				assert.Assert(t, slices.Contains(some, f), "%s is not in %v: %s", f, some, s.JSON())
			}
			assert.Assert(t, strings.Count(string(s.JSON()), `"id"`) < 300)
		}
	}
	core := script.Legal(script.Knobs{Features: []string{}, Size: 5})
	for seed := range checks(100) {
		s := core.Example(seed)
		assert.Equal(t, len(s.Features(script.Input{})), 0, "%s", s.JSON())
		assert.Assert(t, len(s) <= 6, "%s", s.JSON())
	}
}

// TestEverythingOccurs measures what scripts are made of, and fails where something that may occur never does. Run it with -v
// for the figures.
func TestEverythingOccurs(t *testing.T) {
	n := tally{}
	in := asked(t)
	g := script.Legal(script.Knobs{Input: in})
	const scripts = 3000
	for seed := range scripts {
		s := g.Example(seed)
		n.value(reflect.ValueOf(s))
		n.script(s)
		for _, f := range s.Features(in) {
			n["feature "+f]++
		}
	}
	for _, what := range slices.Sorted(maps.Keys(n)) {
		t.Logf("%6d %s", n[what], what)
	}
	for _, what := range expected() {
		assert.Check(t, n[what] > 0, "never: %s", what)
	}
}

// A tally counts.
type tally map[string]int

// value counts the members that are there and that are not.
func (n tally) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			n.value(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			n.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			if v.Field(i).IsZero() {
				n["no "+name]++
			} else {
				n[name]++
			}
			n.value(v.Field(i))
		}
	}
}

// members lists the fields of the types below an action.
func members(t reflect.Type, seen map[reflect.Type]bool) (out []string) {
	switch t.Kind() {
	case reflect.Pointer:
		return members(t.Elem(), seen)
	case reflect.Slice:
		return members(t.Elem(), seen)
	case reflect.Struct:
		if seen[t] {
			return nil
		}
		seen[t] = true
		for i := range t.NumField() {
			name := t.Name() + "." + t.Field(i).Name
			out = append(out, name)
			if strings.Contains(t.Field(i).Tag.Get("json"), "omitzero") {
				out = append(out, "no "+name)
			}
			out = append(out, members(t.Field(i).Type, seen)...)
		}
	}
	return out
}

func expected() []string {
	out := members(reflect.TypeFor[script.Action](), map[reflect.Type]bool{})
	for _, f := range script.AllFeatures() {
		if !slices.Contains([]string{"version", "guard", "http", "protobuf"}, f) {
			out = append(out, "feature "+f)
		}
	}
	for _, p := range []string{"add", "remove", "replace", "move", "copy", "test"} {
		out = append(out, "state "+p, "activity "+p)
	}
	for _, e := range []string{"CUSTOM", "RAW", "STATE_SNAPSHOT", "STATE_DELTA", "MESSAGES_SNAPSHOT", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "TOOL_CALL_RESULT"} {
		out = append(out, "emit "+e)
	}
	return append(out,
		"emit tagged", "empty script", "empty delta", "empty stream", "cut before a mark", "cut before a joiner", "role assistant", "role user", "role system", "role developer",
		"form events", "form chunks", "parallel in parallel", "subagent in subagent", "chunks in a branch", "failure inside", "failure in a stream", "two replays", "text in a stream", "step in a stream", "parallel in a stream", "subagent in a stream",
		"reasoning in a stream", "suspended", "the request's text comes again", "the request's call is answered", "an earlier subagent comes back", "state in a replay", "announced", "unannounced", "result in a subagent", "gate in a branch")
}

// script counts what the members do not show.
func (n tally) script(s script.Script) {
	if len(s) == 0 {
		n["empty script"]++
	}
	if len(s) > 1 && s[1].Replay != nil {
		n["two replays"]++
	}
	n.actions(s, "")
}

func (n tally) actions(all []script.Action, around string) {
	for i := range all {
		n.action(&all[i], around)
	}
}

func (n tally) pieces(stream []script.Piece, form, around string) {
	if len(stream) == 0 {
		n["empty stream"]++
	}
	if form != "" {
		n["form "+form]++
	}
	if form == script.Chunks && strings.Contains(around, "branch") {
		n["chunks in a branch"]++
	}
	for _, p := range stream {
		if p.Action != nil {
			n.action(p.Action, around+"stream ")
			continue
		}
		n.delta(p.Delta)
	}
}

func (n tally) delta(s string) {
	first, _ := utf8.DecodeRuneInString(s)
	if unicode.Is(unicode.Mn, first) {
		n["cut before a mark"]++
	}
	if first == '\u200d' {
		n["cut before a joiner"]++
	}
	if s == "" {
		n["empty delta"]++
	}
}

func (n tally) action(a *script.Action, around string) {
	in := func(what, where string) {
		if strings.Contains(around, where) {
			n[what]++
		}
	}
	direct := strings.HasSuffix(around, "stream ")
	count := func(what string, is bool) {
		if is {
			n[what]++
		}
	}
	switch {
	case a.Text != nil:
		count("text in a stream", direct)
		count("role "+a.Text.Role, a.Text.Role != "")
		count("the request's text comes again", a.Text.ID == "old" || a.Text.ID == "u" || a.Text.ID == "sub")
		n.pieces(a.Text.Stream, a.Text.Form, around)
	case a.ToolCall != nil:
		n.pieces(a.ToolCall.Stream, a.ToolCall.Form, around)
	case a.ToolResult != nil:
		count("the request's call is answered", a.ToolResult.Call == "k")
		in("result in a subagent", "subagent")
	case a.Reasoning != nil:
		count("reasoning in a stream", direct)
		for _, m := range a.Reasoning.Messages {
			n.pieces(m.Stream, a.Reasoning.Form, around)
		}
	case a.Step != nil:
		count("step in a stream", direct)
		n.actions(a.Step.Do, around+"step ")
	case a.Parallel != nil:
		count("parallel in a stream", direct)
		in("parallel in parallel", "branch")
		for _, b := range a.Parallel.Branches {
			n.actions(b, around+"branch ")
		}
	case a.Subagent != nil:
		count("subagent in a stream", direct)
		in("subagent in subagent", "subagent")
		count("an earlier subagent comes back", a.Subagent.ID == "s")
		count("suspended", a.Subagent.End != nil && a.Subagent.End.Suspended != nil)
		count("announced", a.Subagent.Announce != nil && *a.Subagent.Announce)
		count("unannounced", a.Subagent.Announce != nil && !*a.Subagent.Announce)
		n.actions(a.Subagent.Do, around+"subagent ")
	case a.Replay != nil:
		n.actions(a.Replay.Do, "replay ")
	case a.StateSnapshot != nil:
		in("state in a replay", "replay")
	case a.StateDelta != nil:
		n.patch("state ", a.StateDelta.Patch)
	case a.ActivityDelta != nil:
		n.patch("activity ", a.ActivityDelta.Patch)
	case a.Emit != nil:
		var e map[string]any
		_ = json.Unmarshal(a.Emit.Event, &e)
		n[fmt.Sprint("emit ", e["type"])]++
		count("emit tagged", e["subagentRunId"] != nil)
	case a.Gate != nil:
		in("gate in a branch", "branch")
	case a.Fail != nil, a.Panic != nil:
		count("failure inside", around != "")
		count("failure in a stream", direct)
	}
}

func (n tally) patch(of string, patch []byte) {
	var ops []map[string]any
	_ = json.Unmarshal(patch, &ops)
	for _, op := range ops {
		n[fmt.Sprint(of, op["op"])]++
	}
}
