package conformance

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/shrink"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

func generated(t *testing.T, o GenerateOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	assert.NilError(t, Generate(&out, o))
	return out.Bytes()
}

// expected takes a line's expectation, which is its last member; events before it may be no JSON.
func expected(t *testing.T, line []byte) (e struct {
	Verdict string
	Code    string
	Index   *int
	Finding *ExpectedFinding
}) {
	t.Helper()
	const before = `],"expect":`
	i := bytes.LastIndex(line, []byte(before))
	assert.Assert(t, i > 0, "%s", line)
	assert.NilError(t, json.Unmarshal(bytes.TrimSuffix(line[i+len(before):], []byte("}\n")), &e))
	return e
}

// holds pipes lines into verdicts and wants of each the verdict and the finding that it expects.
func holds(t *testing.T, lines []byte) {
	t.Helper()
	var out bytes.Buffer
	assert.NilError(t, Verdicts(bytes.NewReader(lines), &out, VerdictOptions{Findings: true}))
	answers := bytes.SplitAfter(out.Bytes(), []byte("\n"))
	for i, line := range bytes.SplitAfter(lines, []byte("\n"))[:len(answers)-1] {
		want := expected(t, line)
		var got struct {
			Verdict, Code, Error string
			Index                *int
			Findings             []ExpectedFinding
		}
		assert.NilError(t, json.Unmarshal(answers[i], &got))
		assert.Equal(t, got.Error, "", "%s", line)
		assert.Equal(t, got.Verdict+got.Code, want.Verdict+want.Code, "%s%s", line, answers[i])
		assert.DeepEqual(t, got.Index, want.Index)
		found := want.Finding == nil
		for _, f := range got.Findings {
			found = found || want.Finding != nil && f.is(*want.Finding)
		}
		assert.Assert(t, found, "%s%s", line, answers[i])
	}
}

// is tells whether a finding is the expected one.
func (f ExpectedFinding) is(want ExpectedFinding) bool {
	if want.Code == "" {
		want.Code = f.Code
	}
	if want.Clause == "" {
		want.Clause = f.Clause
	}
	return f == want
}

func TestGeneratedStreamsGetTheVerdictThatTheySay(t *testing.T) {
	for _, protocol := range Protocols() {
		for _, profile := range Profiles(protocol) {
			lines := generated(t, GenerateOptions{Protocol: protocol, Profile: profile, Count: 50})
			assert.Equal(t, bytes.Count(lines, []byte("\n")), 50)
			holds(t, lines)
		}
		for _, rule := range Rules(protocol).Rules {
			if rule.Protocol == "" {
				t.Run(protocol+"/"+rule.Code, func(t *testing.T) { isBroken(t, protocol, &rule) })
			}
		}
	}
}

// isBroken generates streams that break a rule, in each profile that judges it.
func isBroken(t *testing.T, protocol string, rule *verifier.Rule) {
	broken := false
	for _, profile := range Profiles(protocol) {
		o := GenerateOptions{Protocol: protocol, Break: rule.Code, Profile: profile, Count: 2 * len(rule.Clauses)}
		var out bytes.Buffer
		if err := Generate(&out, o); err != nil {
			assert.Assert(t, rule.Limit || strings.Contains(err.Error(), "does not judge"), "%v", err)
			continue
		}
		broken = true
		holds(t, out.Bytes())
	}
	assert.Check(t, broken != rule.Limit)
}

func TestTheSeedDecidesTheLines(t *testing.T) {
	for _, code := range []string{"", "not-open", "bad-json"} {
		o := GenerateOptions{Break: code, Seed: 7, Count: 20}
		lines := generated(t, o)
		assert.Equal(t, string(generated(t, o)), string(lines))
		o.Count = 5
		assert.Assert(t, bytes.HasPrefix(lines, generated(t, o)))
		o.Seed = 8
		assert.Assert(t, !bytes.HasPrefix(lines, generated(t, o)))
	}
}

// A code with several clauses breaks them in turn; one clause can be asked for, in any spelling that
// explain takes.
func TestAllClausesOfACodeAreBroken(t *testing.T) {
	rule, _ := agui.Rules().Rule("not-open")
	seen := map[string]bool{}
	for line := range bytes.Lines(generated(t, GenerateOptions{Break: "agui/NOT-OPEN", Count: len(rule.Clauses)})) {
		assert.Assert(t, bytes.HasPrefix(line, []byte(`{"id":"not-open-0-`)), "%s", line)
		seen[expected(t, line).Finding.Clause] = true
	}
	assert.Equal(t, len(seen), len(rule.Clauses))
	for line := range bytes.Lines(generated(t, GenerateOptions{Break: "not-open/step", Count: 3})) {
		assert.Assert(t, bytes.HasPrefix(line, []byte(`{"id":"not-open/step-0-`)), "%s", line)
		assert.Equal(t, expected(t, line).Finding.Clause, "not-open/step")
	}
}

func TestWhatCannotBeGenerated(t *testing.T) {
	for name, c := range map[string]struct {
		o    GenerateOptions
		want string
	}{
		"no such code":    {GenerateOptions{Break: "not-opne"}, "did you mean not-open?"},
		"no such clause":  {GenerateOptions{Break: "not-open/setp"}, "did you mean not-open/step?"},
		"no such profile": {GenerateOptions{Profile: "cliant"}, "did you mean client?"},
		"another profile": {GenerateOptions{Break: "bad-utf8", Profile: "client"}, "profile client does not judge bad-utf8; give --profile consumer or producer"},
		"a limit":         {GenerateOptions{Break: "limit"}, "it is a limit of this kit"},
		"by a flag only":  {GenerateOptions{Break: "version-missing/strict"}, "takes a flag of check"},
	} {
		t.Run(name, func(t *testing.T) { assert.ErrorContains(t, Generate(io.Discard, c.o), c.want) })
	}
	assert.ErrorIs(t, Generate(brokenWriter{}, GenerateOptions{Count: 1000}), io.ErrClosedPipe)
}

// What is generated can be shrunk, whatever its JSON looks like.
func TestGeneratedStreamsShrink(t *testing.T) {
	for line := range bytes.Lines(generated(t, GenerateOptions{Break: "open-at-finish", Count: 10})) {
		q, err := parseQuery(line)
		assert.NilError(t, err)
		var events [][]byte
		for e := range q.events() {
			events = append(events, e)
		}
		g, err := NewGoal(events, "", Options{Request: q.request})
		assert.NilError(t, err)
		small := shrink.Shrink(t.Context(), events, g.Met, shrink.Options{IDs: IDs(g.Protocol()), Words: Words()})
		assert.Assert(t, len(small.Events) <= 5 && g.Met(small.Events), "%s", Lines(small.Events))
	}
}
