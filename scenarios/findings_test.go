package scenarios_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
)

// findingsFile has the findings of a protocol's scenarios.
func (p *protocol) findingsFile() string {
	if p.name == scenarios.AGUI {
		return "testdata/findings.txt"
	}
	return "testdata/findings-" + p.name + ".txt"
}

// The scripts say which findings there must be; the file has them in full, as people read them.
func TestFindingsReadAsInTheFile(t *testing.T) {
	for _, p := range protocols() {
		file, now := p.findingsFile(), p.findings(t)
		if os.Getenv("CONFORMANCE_UPDATE") != "" {
			assert.NilError(t, os.WriteFile(file, []byte(now), 0o644))
			continue
		}
		want, err := os.ReadFile(file)
		assert.NilError(t, err)
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(now, "\n")); diff != "" {
			t.Errorf("not what %s has (-file +now); CONFORMANCE_UPDATE=1 go test ./scenarios refreshes it:\n%s", file, diff)
		}
	}
}

// findings are those of all scenarios of a protocol, in full.
func (p *protocol) findings(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	scripts := p.scripts()
	for _, name := range p.names() {
		s := readScript(t, p, name, scripts[name])
		for _, x := range passages(t, &s) {
			fmt.Fprintf(&b, "%s %s, judged with %s\n%s\n", name, x.stream, strings.Join(x.how, "; "), x.findings)
		}
	}
	return b.String()
}

// A passage has the findings of one stream, with all the ways to judge it that give them.
type passage struct {
	stream   string
	how      []string
	findings string
}

func passages(t *testing.T, s *clauseScript) (all []passage) {
	t.Helper()
	for _, j := range s.judgements {
		v, err := j.judge(s.protocol, s.read)
		assert.NilError(t, err)
		found := inFull(v.Report().Findings)
		at := slices.IndexFunc(all, func(p passage) bool { return p.stream == j.Stream && p.findings == found })
		switch {
		case found == "":
		case at < 0:
			all = append(all, passage{j.Stream, []string{j.How()}, found})
		case !slices.Contains(all[at].how, j.How()):
			all[at].how = append(all[at].how, j.How())
		}
	}
	return all
}

// inFull lists findings with all that a report has of them, but for the place in the bytes and the page.
func inFull(all []verifier.Violation) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "\t%d %s %s %s: %s\n\t\tat %q of %q, id %q, related %d\n", f.Index, f.EventType, f.Severity, f.Clause, f.Detail, f.Pointer, f.Entity, f.ID, f.Related)
	}
	return b.String()
}
