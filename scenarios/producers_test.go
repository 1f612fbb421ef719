package scenarios_test

import (
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/certify"
	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/scenarios"
)

// eachProducerScenario runs a check on every scenario that asks a subject.
func eachProducerScenario(t *testing.T, check func(*testing.T, *scenarios.Scenario)) {
	t.Helper()
	shown := aguiProtocol().scripts()
	for _, name := range scenarios.Names() {
		if _, isClause := shown[name]; isClause {
			continue
		}
		s, err := scenarios.Read(name)
		assert.NilError(t, err)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, s)
		})
	}
}

func TestScenariosOfProducersAskOne(t *testing.T) {
	n, shown := 0, aguiProtocol().scripts()
	for _, name := range scenarios.Names() {
		if _, isClause := shown[name]; isClause {
			continue
		}
		n++
		s, err := scenarios.Read(name)
		assert.NilError(t, err)
		_, drives, err := scenario.Needs(s)
		assert.NilError(t, err, name)
		assert.Check(t, drives, "%s neither shows a clause nor asks a producer", name)
	}
	assert.Assert(t, n >= 120, "only %d", n)
}

func TestScenariosHoldAgainstTheirOwnStreams(t *testing.T) {
	eachProducerScenario(t, func(t *testing.T, s *scenarios.Scenario) {
		if !hasStreams(s) {
			t.Skip("it is about answers that are no streams")
		}
		holds(t, scenario.Own(s), s)
	})
}

// hasStreams tells whether each run of a scenario has its stream. Only what refuse sends has none.
func hasStreams(s *scenarios.Scenario) bool {
	return !strings.Contains(s.Script, "refuse ")
}

func TestScenariosHoldAgainstTheReference(t *testing.T) {
	reference, err := certify.Open(certify.Reference, nil, subject.DefaultLimits(), nil)
	assert.NilError(t, err)
	t.Cleanup(func() { reference.Close() })
	eachProducerScenario(t, func(t *testing.T, s *scenarios.Scenario) { holds(t, reference, s) })
}

func holds(t *testing.T, asked subject.Subject, s *scenarios.Scenario) {
	t.Helper()
	r := (&scenario.Runner{Subject: asked, Features: scenario.Declared(scenario.AllFeatures()), Work: t.TempDir(), Streams: true}).Run(t.Context(), s)
	assert.Equal(t, r.Status, scenario.Pass, "line %d: %s: %s\n%s", r.Line, r.Cause, r.Detail, r.Diff)
	assert.Equal(t, len(r.Warnings), 0, "%q", r.Warnings)
}

func TestEveryFeatureHasAScenario(t *testing.T) {
	seen := map[string]int{}
	for _, name := range scenarios.Names() {
		s, err := scenarios.Read(name)
		assert.NilError(t, err)
		needs, drives, err := scenario.Needs(s)
		assert.NilError(t, err)
		for _, f := range needs {
			if drives {
				seen[f]++
			}
		}
	}
	for _, f := range scenario.AllFeatures() {
		if f != "protobuf" { // there is no reader of the binary binding yet
			assert.Check(t, seen[f] > 0, "no scenario needs %s", f)
		}
	}
}

func TestFilesOfProducersAreLocalAndUsed(t *testing.T) {
	eachProducerScenario(t, func(t *testing.T, s *scenarios.Scenario) {
		used := map[string]bool{}
		for line := range strings.Lines(s.Script) {
			for _, word := range strings.Fields(line) {
				for _, ending := range []string{"", ".script", ".request", ".stream", ".bytes", ".headers"} {
					used[strings.TrimPrefix(word, "@")+ending] = true
				}
			}
		}
		for _, f := range s.Files {
			assert.Check(t, filepath.IsLocal(f.Name) && !strings.Contains(f.Name, "/"), "%s is not in the scenario's folder", f.Name)
			assert.Check(t, used[f.Name], "%s is not used", f.Name)
			if r, isScript := strings.CutSuffix(f.Name, ".script"); isScript && hasStreams(s) {
				_, has := s.File(r + ".stream")
				assert.Check(t, has, "%s has no %s.stream beside it", f.Name, r)
			}
		}
	})
}
