package scenario

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/scenarios"
)

// A Runner runs scenarios against one subject. It is safe for several scenarios at once.
type Runner struct {
	Subject subject.Subject
	// Features are what the subject declares; nil for one that declares nothing, which is tried with everything.
	Features *Features
	// Streams also judges the streams of a scenario, which say nothing about a subject.
	Streams bool
	// Mutations is to how many changed scripts each answer is held, too: being faithful to one of them is a fault of the kit.
	Mutations int
	// Work is an existing folder for the scenarios' files.
	Work string
}

// Run runs a scenario. It returns when all that it started has ended; a context that ends makes it could-not-run.
func (r *Runner) Run(ctx context.Context, s *scenarios.Scenario) *Result {
	out := &Result{Scenario: s.Name, Features: []string{}, Missing: []string{}, IDs: map[string]string{}, Warnings: []string{}}
	plan, err := readPlan(s)
	if err != nil {
		out.couldNotRun("%v", err)
		return out
	}
	out.Features = append(out.Features, plan.features...)
	if out.Missing = append(out.Missing, r.Features.Missing(plan.features)...); len(out.Missing) > 0 {
		out.Status, out.Detail = Unsupported, "the subject does not declare "+strings.Join(out.Missing, ", ")
		return out
	}
	if !plan.drives {
		out.Status, out.Detail = NotApplicable, "it judges streams and asks no subject"
		return out
	}
	r.play(ctx, s, out)
	if out.Status == "" && ctx.Err() != nil {
		out.couldNotRun("%v", context.Cause(ctx))
	}
	if out.Status == "" {
		out.Status = Pass
	}
	return out
}

// play has testscript run the scenario's lines with our commands.
func (r *Runner) play(ctx context.Context, s *scenarios.Scenario, out *Result) {
	file, err := writeScript(r.Work, s)
	if err != nil {
		out.couldNotRun("%v", err)
		return
	}
	x := newSession(ctx, r, s, out)
	testscript.RunT(&single{result: out}, params(file, x))
}

// params are what testscript needs to run one file as a session.
func params(file string, x *session) testscript.Params {
	return testscript.Params{
		Files:       []string{file},
		WorkdirRoot: filepath.Dir(file), // of ours, so that nothing is left behind
		Cmds:        commands(x),
		Setup: func(env *testscript.Env) error {
			x.folder = env.WorkDir
			return nil
		},
		Condition:           func(string) (bool, error) { return false, errors.New("scenarios have no conditions") },
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
	}
}

// single is the testscript.T of one scenario. What testscript itself finds wrong, an unknown command or bad quoting, is the
// scenario's fault.
type single struct {
	result *Result
	log    strings.Builder
	failed bool
}

// Run runs f to its end, on a goroutine of its own: Fatal and Skip end that.
func (t *single) Run(_ string, f func(testscript.T)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				t.result.couldNotRun("%v", p)
			}
		}()
		f(t)
	}()
	<-done
	if t.failed {
		t.note()
	}
}

// note takes the failing line from the log. A result that is still untouched was failed by testscript itself, or by a
// command that could not do its work.
func (t *single) note() {
	line, message := failure(t.log.String())
	t.result.Line = line
	t.result.couldNotRun("line %d: %s", line, message)
}

// Log gets all that a script printed, once, with the line that failed.
func (t *single) Log(args ...any) { fmt.Fprintln(&t.log, args...) }

func (t *single) Skip(args ...any) {
	t.result.couldNotRun("%s", fmt.Sprint(args...))
	runtime.Goexit()
}

func (t *single) Fatal(args ...any) {
	t.Log(args...)
	t.FailNow()
}

// FailNow ends the script. The log comes only then.
func (t *single) FailNow() {
	t.failed = true
	runtime.Goexit()
}

func (*single) Parallel()     {}
func (*single) Verbose() bool { return false }

// failure finds "FAIL: file:line: message" in a log.
func failure(log string) (line int, message string) {
	_, rest, found := strings.Cut(log, "FAIL: ")
	if !found {
		return 0, strings.TrimSpace(log)
	}
	i := strings.Index(rest, ".txtar:")
	if i < 0 {
		return 0, strings.TrimSpace(rest)
	}
	rest = rest[i+len(".txtar:"):]
	if _, err := fmt.Sscanf(rest, "%d:", &line); err != nil {
		return 0, strings.TrimSpace(rest)
	}
	_, message, _ = strings.Cut(rest, ": ")
	return line, strings.TrimSpace(message)
}
