package scenarios_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
)

// testscript's own commands reach the machine, and conditions ask it.
func TestScriptsHaveOnlyOurCommands(t *testing.T) {
	ours := append([]string{"stream"}, scenario.Judging...)
	eachScript(t, func(t *testing.T, s clauseScript) {
		for _, words := range s.commands {
			assert.Assert(t, slices.Contains(ours, words[0]), "%q is none of %q", words, ours)
		}
	})
}

// specLines are what a line about a source looks like, by protocol.
var specLines = map[string]*regexp.Regexp{
	scenarios.AGUI:      regexp.MustCompile(`^spec: (basic|events|schema)(/[a-z-]+)* \([^()]+\)$`),
	scenarios.Assistant: regexp.MustCompile(`^spec: #[a-z-]+ \([^()]+\)$`),
	scenarios.Session:   regexp.MustCompile(`^spec: #[a-z-]+ \([^()]+\)$`),
}

func TestCommentsSayWhatIsShownAndWhatDecides(t *testing.T) {
	for protocol, specLine := range specLines {
		for _, name := range scenarios.Of(protocol) {
			s, err := scenarios.ReadOf(protocol, name)
			assert.NilError(t, err)
			lines := strings.Split(s.Comment, "\n")
			assert.Assert(t, strings.HasSuffix(lines[0], "."), "%s: %q is no sentence", name, lines[0])
			assert.Assert(t, len(lines) > 1, "%s: no line spec: PAGE (what it says)", name)
			if last := len(lines) - 1; protocol != scenarios.AGUI && strings.HasPrefix(lines[last], "shows: ") {
				lines = lines[:last]
			}
			for _, line := range lines[1:] {
				assert.Assert(t, specLine.MatchString(line), "%s: %q should be spec: PAGE (what it says)", name, line)
			}
		}
	}
}

func TestFilesAreLocalAndUsed(t *testing.T) {
	eachScript(t, func(t *testing.T, s clauseScript) {
		used := map[string]bool{}
		for _, j := range s.judgements {
			used[j.Stream+".stream"], used[j.Request] = true, true
		}
		for _, f := range s.Files {
			assert.Assert(t, filepath.IsLocal(f.Name) && !strings.Contains(f.Name, "/"), "%s is not in the scenario's folder", f.Name)
			assert.Assert(t, used[f.Name], "%s is not used", f.Name)
		}
	})
}

// A stream that is called bad and never blamed for the scenario's rule has the wrong name.
func TestBadStreamsAreBlamedSomewhere(t *testing.T) {
	eachScript(t, func(t *testing.T, s clauseScript) {
		code, blamed := s.clause.code, map[string]bool{}
		if code == "" {
			return // it shows what is free
		}
		for _, j := range s.judgements {
			blamed[j.Stream] = blamed[j.Stream] || j.Code == code
		}
		for stream, is := range blamed {
			assert.Assert(t, is || !strings.HasPrefix(stream, "bad"), "no line blames %s.stream for %s", stream, code)
		}
	})
}

// A verifier that refuses everything would pass a scenario of bad streams only.
func TestBadStreamsStandBesideALegalTwin(t *testing.T) {
	eachScript(t, func(t *testing.T, s clauseScript) {
		if s.clause.name == "" {
			return // it shows what is free
		}
		for _, name := range []string{"bad", "good"} {
			for _, profile := range s.profiles() {
				assert.Assert(t, s.first(name, profile) != nil, "%s.stream is not judged in profile %s", name, profile)
			}
		}
		good := s.first("good", s.Profile())
		assert.Equal(t, good.Command, "accept")
		r := s.report(t, *good, verifier.Mask{})
		assert.Assert(t, len(r.Findings) == 0, "the good stream has findings, if only advice:%s", described(r))
	})
}
