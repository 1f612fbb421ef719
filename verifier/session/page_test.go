package session_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier/session"
)

var example = regexp.MustCompile("(?s)### ([a-z-]+)\n.*?```json\n(.*?)```")

// The page for host authors has an example for each code, which gets it.
func TestTheExamplesOfThePageForHostsGetTheirCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/host-trace.md")
	assert.NilError(t, err)
	shown := map[string]bool{}
	for _, x := range example.FindAllStringSubmatch(string(page), -1) {
		for _, profile := range session.Rules().Profiles {
			v, err := session.New(session.Options{Profile: profile})
			assert.NilError(t, err)
			for line := range strings.Lines(x[2]) {
				v.Observe([]byte(strings.TrimSuffix(line, "\n")))
			}
			v.Finish()
			assert.Equal(t, v.Verdict().Code, x[1], "%s: %v", profile, v.Report().Findings)
		}
		shown[x[1]] = true
	}
	for _, f := range flaws {
		assert.Assert(t, shown[string(f)], f)
	}
}

// The page says which codes judge which of the thirteen sequences. It forgets none.
func TestThePageForHostsHasEachCodeOfTheSession(t *testing.T) {
	page, err := os.ReadFile("../../docs/host-trace.md")
	assert.NilError(t, err)
	_, table, ok := strings.Cut(string(page), "## What of the thirteen sequences")
	assert.Assert(t, ok)
	for _, r := range session.Rules().Rules {
		if r.Protocol == "" && r.Page != "#wire-shapes" && r.Page != "#framing" && r.Code != "full-update" {
			assert.Check(t, strings.Contains(table, "`"+r.Code+"`"), r.Code)
		}
	}
}
