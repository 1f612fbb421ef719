package scenarios_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/scenarios"
)

func TestScenariosHold(t *testing.T) {
	for _, p := range protocols() {
		for name, c := range p.scripts() {
			t.Run(p.title(name), func(t *testing.T) {
				t.Parallel()
				s, err := scenarios.ReadOf(p.name, name)
				assert.NilError(t, err)
				file := filepath.Join(p.name, filepath.FromSlash(name)+".txtar")
				testscript.RunT(flat{t}, params(file, current{protocol: p, profile: s.Profile(), clause: c}))
			})
		}
	}
}

// flat is a test of its own name: testscript would add the file's, and equal names would be numbered.
type flat struct{ *testing.T }

func (t flat) Run(_ string, f func(testscript.T)) { f(t) }
func (flat) Parallel()                            {}
func (flat) Verbose() bool                        { return testing.Verbose() }

// params say how testscript runs one scenario file.
func params(file string, begin current) testscript.Params {
	p := testscript.Params{
		Files:              []string{file},
		RequireUniqueNames: true,
		Cmds:               map[string]func(*testscript.TestScript, bool, []string){"stream": stream},
		Setup: func(e *testscript.Env) error {
			e.Values[current{}] = &begin
			return nil
		},
	}
	for _, command := range scenario.Judging {
		p.Cmds[command] = func(ts *testscript.TestScript, negated bool, args []string) {
			if negated {
				ts.Fatalf("%s cannot be negated", command)
			}
			judge(ts, command, args)
		}
	}
	return p
}

// current is what a script's commands leave for those that follow.
type current struct {
	protocol *protocol
	profile  string // of a line that names none
	clause   clause // that the scenario shows
	stream   string
}

func state(ts *testscript.TestScript) *current { return ts.Value(current{}).(*current) }

// stream takes a stream as what is judged next.
func stream(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 1 {
		ts.Fatalf("stream wants one name, and cannot be negated")
	}
	ts.ReadFile(args[0] + ".stream") // a name that is no file fails here, where it stands
	state(ts).stream = args[0]
}

func judge(ts *testscript.TestScript, command string, args []string) {
	now := state(ts)
	if now.stream == "" {
		ts.Fatalf("%s comes after a stream", command)
	}
	j, err := parseJudgement(now.profile, now.stream, command, args)
	ts.Check(err)
	v, err := j.judge(now.protocol, func(name string) ([]byte, error) { return []byte(ts.ReadFile(name)), nil })
	ts.Check(err)
	r := v.Report()
	if err := j.check(r, now.clause); err != nil {
		ts.Fatalf("%s: %v\nfound: %s", j.String(), err, described(r))
	}
}

// A clauseScript is a scenario with its judgements, for checks that need no testscript.
type clauseScript struct {
	*scenarios.Scenario
	protocol   *protocol
	clause     clause
	judgements []judgement
	commands   [][]string
}

func readScript(t *testing.T, p *protocol, name string, c clause) clauseScript {
	t.Helper()
	s, err := scenarios.ReadOf(p.name, name)
	assert.NilError(t, err)
	out, stream := clauseScript{Scenario: s, protocol: p, clause: c}, ""
	for line := range strings.Lines(s.Script) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		out.commands = append(out.commands, words)
		switch {
		case words[0] == "stream" && len(words) == 2:
			stream = words[1]
		case slices.Contains(scenario.Judging, words[0]):
			j, err := parseJudgement(s.Profile(), stream, words[0], words[1:])
			assert.NilError(t, err, "%s: %s", name, line)
			out.judgements = append(out.judgements, j)
		}
	}
	return out
}

// eachScript runs a check on every scenario for verifiers, as a test of its name.
func eachScript(t *testing.T, check func(*testing.T, clauseScript)) {
	for _, p := range protocols() {
		for name, c := range p.scripts() {
			t.Run(p.title(name), func(t *testing.T) { check(t, readScript(t, p, name, c)) })
		}
	}
}

// profiles are those that the scenario is about.
func (s *clauseScript) profiles() []string { return s.Profiles(s.protocol.table.Profiles) }

var errNoFile = errors.New("the scenario has no such file")

// read gives the content of the scenario's files.
func (s *clauseScript) read(name string) ([]byte, error) {
	data, ok := s.File(name)
	if !ok {
		return nil, errNoFile
	}
	return data, nil
}
