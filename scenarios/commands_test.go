package scenarios_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/verifier/agui"
)

const streams = `
-- bad.stream --
{"type":"RUN_STARTED","threadId":"t","runId":"r1"}
{"type":"TEXT_MESSAGE_END","messageId":"m1"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
-- good.stream --
{"type":"RUN_STARTED","threadId":"t","runId":"r1"}
{"type":"CUSTOM","name":"progress","value":1}
{"type":"RUN_FINISHED","threadId":"t","runId":"r1"}
`

// Each script below is wrong about the two streams in one way. Were it to pass, so would a verifier
// that is wrong in that way.
func TestCommandsRefuseWhatDoesNotHold(t *testing.T) {
	for name, x := range map[string]struct{ script, says string }{
		"a bad stream is accepted":      {"stream bad\naccept", "the verdict is reject not-open at 1, want accept"},
		"a good stream is rejected":     {"stream good\nreject not-open at 1", "the verdict is accept, want reject not-open at 1"},
		"another code":                  {"stream bad\nreject first-event at 1", "want reject first-event at 1"},
		"another index":                 {"stream bad\nreject not-open at 2", "want reject not-open at 2"},
		"the end of the stream":         {"stream bad\nreject not-open at end", "want reject not-open at 3"},
		"a limit":                       {"stream bad\nincomplete limit at 1", "want incomplete limit at 1"},
		"a warning that is an error":    {"stream bad\nwarns not-open at 1", "no finding not-open of severity info or warning at 1"},
		"a warning that is advice":      {"stream good\nwarns -severity warning custom-unprefixed at 1", "of severity warning at 1"},
		"advice in another profile":     {"stream good\nwarns -profile consumer custom-unprefixed at 1", "no finding custom-unprefixed"},
		"a sibling of the clause":       {"stream bad\nreject -profile client not-open at 1", "not found for clause not-open/step"},
		"a profile that there is not":   {"stream bad\naccept -profile judge", `there is no profile "judge"`},
		"a revision that there is not":  {"stream bad\naccept -revision 2", `there is no revision "2"`},
		"a flag that there is not":      {"stream bad\naccept -strict", "accept: flag provided but not defined"},
		"no index":                      {"stream bad\nreject not-open", "reject wants CODE at N"},
		"an index that is no number":    {"stream bad\nreject not-open at start", "invalid syntax"},
		"a code for accept":             {"stream bad\naccept not-open at 1", "accept takes flags only"},
		"no stream":                     {"accept", "accept comes after a stream"},
		"a stream that there is not":    {"stream ugly", "ugly.stream"},
		"a request that there is not":   {"stream good\naccept -request request.json", "request.json"},
		"a command that there is not":   {"stream good\nrefuse", "unknown command"},
		"a negation":                    {"stream bad\n! accept", "cannot be negated"},
		"severity where none is chosen": {"stream bad\nreject -severity error not-open at 1", "flag provided but not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Assert(t, cmp.Contains(failure(t, x.script+"\n"+streams), x.says))
		})
	}
}

// failure runs a script that has to fail and returns what it says.
func failure(t *testing.T, script string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "wrong.txtar")
	assert.NilError(t, os.WriteFile(file, []byte(script), 0o600))
	p := aguiProtocol()
	var r recorder
	done := make(chan struct{})
	go func() {
		defer close(done)
		testscript.RunT(&r, params(file, current{protocol: p, profile: agui.Producer, clause: p.clauses()["not-open/step"]}))
	}()
	<-done
	assert.Assert(t, r.failed, "the script passed:\n%s", script)
	return r.log.String()
}

// recorder is a testscript.T that keeps what it is told. Failing ends its goroutine, as testing's does.
type recorder struct {
	log    strings.Builder
	failed bool
}

func (r *recorder) Run(_ string, f func(testscript.T)) { f(r) }
func (r *recorder) Log(args ...any)                    { fmt.Fprintln(&r.log, args...) }
func (r *recorder) Skip(args ...any)                   { r.Log(args...); runtime.Goexit() }
func (r *recorder) Fatal(args ...any)                  { r.Log(args...); r.FailNow() }
func (r *recorder) FailNow()                           { r.failed = true; runtime.Goexit() }
func (*recorder) Parallel()                            {}
func (*recorder) Verbose() bool                        { return false }
