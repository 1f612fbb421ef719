package certify

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/conformance/reference"
	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/scenarios"
)

// playing is the scenario that shows a habit of the reference agent.
func playing(h reference.Habit) *scenarios.Scenario {
	s := &scenarios.Scenario{Name: "habit/" + h.Name, Comment: h.Does, Script: "run one\naccept\nfaithful\n"}
	file := func(name, content string) { s.Files = append(s.Files, txtar.File{Name: name, Data: []byte(content)}) }
	if h.Script != "" {
		file("one.script", h.Script)
	}
	if h.Input != "" {
		file("one.request", h.Input)
	}
	if isGuarded(h.Script) {
		s.Script = "needs guard\n" + s.Script
	}
	switch {
	case h.Cause == reference.Expectation: // all of these are about the version that a server declares
		s.Script += "events 'RUN_STARTED protocolVersion=\"1.0\"'\n"
	case h.Body != "":
		file("one.bytes", h.Body)
		s.Script = "refuse one\n"
	case h.Abort != "":
		file("gone.script", h.Script)
		s.Script = "run gone -thread gone -abort " + h.Abort + "\n" + s.Script
	}
	return s
}

// isGuarded tells whether a script emits what only a guard can keep off the wire.
func isGuarded(text string) bool {
	s, err := script.Parse([]byte(text))
	return err == nil && s.Check(scenario.PlainInput("x")) != nil && s.CheckGuard(scenario.PlainInput("x")) == nil
}

// habitual returns the reference agent with a habit as a subject.
func habitual(t *testing.T, name string, change ...func(*subject.Limits)) subject.Subject {
	t.Helper()
	address, stop, err := reference.Serve(reference.Options{Habit: name})
	assert.NilError(t, err)
	t.Cleanup(stop)
	l := subject.DefaultLimits()
	for _, c := range change {
		c(&l)
	}
	h, err := subject.NewHTTP(address, nil, l)
	assert.NilError(t, err)
	t.Cleanup(func() { h.Close() })
	return h
}

func ran(t *testing.T, s subject.Subject, x *scenarios.Scenario, without ...string) *scenario.Result {
	t.Helper()
	features := slices.DeleteFunc(scenario.AllFeatures(), func(f string) bool { return slices.Contains(without, f) })
	r := &scenario.Runner{Subject: s, Features: scenario.Declared(features), Work: t.TempDir()}
	return r.Run(t.Context(), x)
}

func TestAWrongSubjectIsCaughtForWhatItDoes(t *testing.T) {
	for _, h := range reference.Faults() {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			patience := func(l *subject.Limits) {
				switch h.Cause {
				case reference.LimitTime:
					l.Request = 500 * time.Millisecond
				case reference.LimitEvents:
					l.Events = 1000
				}
			}
			r := ran(t, habitual(t, h.Name, patience), playing(h))
			assert.Equal(t, r.Status, scenario.Fail, "%+v", r)
			assert.Equal(t, string(r.Cause), string(h.Cause), "%s\n%s", r.Detail, r.Diff)
			if h.Cause == reference.Rule {
				code, _, _ := strings.Cut(h.Clause, "/")
				assert.Equal(t, r.Code, code, r.Detail)
			}
		})
	}
}

func TestARightSubjectOfOtherHabitsPasses(t *testing.T) {
	for _, h := range reference.Liberties() {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			r := ran(t, habitual(t, h.Name), playing(h), "ids") // some have ids of their own
			assert.Equal(t, r.Status, scenario.Pass, "%s: %s\n%s", r.Cause, r.Detail, r.Diff)
		})
	}
}

// certified runs a whole certification and returns what it came to.
func certified(t *testing.T, ctx context.Context, o Options) ([]*scenario.Result, Summary) {
	t.Helper()
	c, err := Start(t.Context(), o)
	assert.NilError(t, err)
	results, err := c.Run(ctx)
	assert.NilError(t, err)
	var all []*scenario.Result
	for r := range results {
		all = append(all, r)
	}
	return all, c.Summarise(all)
}

func some(t *testing.T, pattern string) []*scenarios.Scenario {
	t.Helper()
	list, err := Select(pattern, false)
	assert.NilError(t, err)
	return list
}

func TestASubjectThatHangsEndsAtItsLimitAndTheOthersStillRun(t *testing.T) {
	hangs := habitual(t, "hangs", func(l *subject.Limits) { l.Request = 50 * time.Millisecond })
	list := some(t, "text/*")
	all, sum := certified(t, t.Context(), Options{Subject: hangs, Scenarios: list, Jobs: 2})
	assert.Equal(t, len(all), len(list))
	for i, r := range all {
		assert.Equal(t, r.Scenario, list[i].Name)
		assert.Equal(t, string(r.Cause), "limit:time", r.Scenario)
	}
	assert.Equal(t, sum.Exit(), 1)
}

func TestNothingIsLeftBehindAlsoAfterAnInterrupt(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	before := runtime.NumGoroutine()
	func() {
		s, err := Open(Reference, nil, subject.DefaultLimits(), nil)
		assert.NilError(t, err)
		defer s.Close()
		certified(t, t.Context(), Options{Subject: s, Scenarios: some(t, "text/*"), Jobs: 3, Fuzz: 5, Seed: 1})

		ctx, interrupt := context.WithCancelCause(t.Context())
		defer interrupt(nil)
		c, err := Start(t.Context(), Options{Subject: s, Scenarios: some(t, ""), Jobs: 3})
		assert.NilError(t, err)
		results, err := c.Run(ctx)
		assert.NilError(t, err)
		n := 0
		for r := range results {
			if n++; n == 3 {
				interrupt(errors.New("interrupted"))
			}
			if n > 6 {
				assert.Equal(t, r.Status, scenario.CouldNotRun, r.Scenario)
			}
		}
		results, err = c.Run(t.Context())
		assert.NilError(t, err)
		for range results {
			break // who reads has gone
		}
	}()
	left, err := os.ReadDir(temporary)
	assert.NilError(t, err)
	assert.Equal(t, len(left), 0, "%v", left)
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

func TestGeneratedScriptsPassAgainstTheReference(t *testing.T) {
	s, err := Open(Reference, nil, subject.DefaultLimits(), nil)
	assert.NilError(t, err)
	defer s.Close()
	all, sum := certified(t, t.Context(), Options{Subject: s, Scenarios: some(t, "text/content-after-end"), Jobs: 4, Fuzz: 60, Seed: 1})
	for _, r := range all {
		assert.Check(t, r.Status == scenario.Pass, "%s: %s %s %s\n%s", r.Scenario, r.Status, r.Cause, r.Detail, r.Diff)
	}
	assert.Equal(t, sum.Exit(), 0)
	assert.Assert(t, sum.Grades[2].Held, "%+v", sum.Grades)
}

func TestAGeneratedScriptThatFailsIsMadeSmallAndCarriesItsScript(t *testing.T) {
	s := habitual(t, "extra-custom")
	all, sum := certified(t, t.Context(), Options{
		Subject: s, Jobs: 1, Fuzz: 2, Seed: 1, ReplayScript: func(script string) string { return "play " + script },
	})
	for _, r := range all {
		assert.Equal(t, r.Status, scenario.Fail)
		assert.Assert(t, strings.HasPrefix(r.Replay, "play ["), r.Replay)
		assert.Assert(t, len(r.Replay) < 60, "not small: %s", r.Replay)
	}
	assert.Assert(t, !sum.Grades[2].Held)
}

func TestKnownFailuresAreExpectedAndNothingElseIsCovered(t *testing.T) {
	known := func(lines string) *Known {
		k, err := ReadKnown(strings.NewReader(lines))
		assert.NilError(t, err)
		return k
	}
	bad := habitual(t, "extra-custom")
	list := some(t, "text/content-after-end")
	all, sum := certified(t, t.Context(), Options{Subject: bad, Scenarios: list, Known: known("text/* # it says more\n")})
	assert.Equal(t, all[0].Status, scenario.KnownFail)
	assert.Equal(t, all[0].Known, "it says more")
	assert.Equal(t, sum.Exit(), 0)
	assert.Assert(t, !sum.Grades[1].Held, "a known failure takes the grade away")

	good, err := Open(Reference, nil, subject.DefaultLimits(), nil)
	assert.NilError(t, err)
	defer good.Close()
	all, sum = certified(t, t.Context(), Options{Subject: good, Scenarios: list, Known: known("# comment\n\ntext/* # it says more\n")})
	assert.Equal(t, all[0].Status, scenario.UnexpectedPass)
	assert.Equal(t, sum.Exit(), 1)

	_, sum = certified(t, t.Context(), Options{Subject: good, Scenarios: list, Known: known("nothing/* # gone")})
	assert.Equal(t, sum.Exit(), 1)
	assert.Assert(t, cmp.Contains(sum.Problems[0], "nothing/* matches no scenario"))

	broken := &scenarios.Scenario{Name: "text/broken", Script: "run one\nboom\n"}
	all, sum = certified(t, t.Context(), Options{Subject: good, Scenarios: []*scenarios.Scenario{broken}, Known: known("text/* # it says more")})
	assert.Equal(t, all[0].Status, scenario.CouldNotRun)
	assert.Equal(t, sum.Exit(), 2)
}

func TestAListOfKnownFailuresNeedsReasonsAndPatterns(t *testing.T) {
	for text, says := range map[string]string{"a/b": "line 1", "\na/b #": "line 2", "a/[ # why": "line 1"} {
		_, err := ReadKnown(strings.NewReader(text))
		assert.ErrorContains(t, err, says)
	}
}

func TestWireNeedsNoAdapter(t *testing.T) {
	list, err := Select("", true)
	assert.NilError(t, err)
	s, err := Open(Reference, nil, subject.DefaultLimits(), nil)
	assert.NilError(t, err)
	defer s.Close()
	all, sum := certified(t, t.Context(), Options{Subject: s, Scenarios: list, Jobs: 2, Wire: true})
	for _, r := range all {
		assert.Check(t, r.Status == scenario.Pass, "%s: %s %s", r.Scenario, r.Cause, r.Detail)
	}
	assert.Equal(t, len(sum.Grades), 1)
	assert.Assert(t, sum.Grades[0].Held && sum.Grades[0].Name == "wire", "%+v", sum.Grades)
}
