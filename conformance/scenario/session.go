package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agentstream/conformance/conformance/faithful"
	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/agui/materialise"
)

// errFailed ends a script whose result says what is wrong.
var errFailed = errors.New("failed")

// A session is one run of a scenario. Its commands run one after the other.
type session struct {
	ctx      context.Context
	runner   *Runner
	scenario *scenarios.Scenario
	result   *Result
	folder   string // with the scenario's files

	threads map[string]*thread
	last    *thread // of the last run: say, answer and resume go into its next input
	// identity holds labels to be ids: the subject declares that, or it declares nothing and the scenario needs it.
	identity bool
	answers  []*answer // of the last run
	stream   string    // R of the last stream; empty behind a run
}

func newSession(ctx context.Context, r *Runner, s *scenarios.Scenario, out *Result) *session {
	return &session{ctx: ctx, runner: r, scenario: s, result: out, threads: map[string]*thread{}, identity: r.Features.identity(out.Features)}
}

// An answer is what came back for one run.
type answer struct {
	name     string // R
	runID    string
	thread   *thread
	request  []byte
	input    map[string]any
	script   script.Script // nil without one
	response *subject.Response
	said     *materialise.Stream  // nil for what is no stream
	differs  *faithful.Difference // from the script
	// unnoticed is what was changed in another script that the answer is faithful to as well.
	unnoticed string
}

// read returns the content of one of the scenario's files.
func (x *session) read(name string) ([]byte, error) {
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("the file name %q leads out of the scenario", name)
	}
	return os.ReadFile(filepath.Join(x.folder, name))
}

func (x *session) has(name string) bool {
	_, err := os.Stat(filepath.Join(x.folder, name))
	return err == nil
}

// thread returns the thread of a name; the scenario's own for the empty one.
func (x *session) thread(name string) *thread {
	t := x.threads[name]
	if t == nil {
		t = &thread{id: x.scenario.Name, names: faithful.NewNames()}
		t.names.Identity = x.identity
		if name != "" {
			t.id += "#" + name
		}
		x.threads[name] = t
	}
	return t
}

// runOptions are the flags of run.
type runOptions struct {
	thread, abort, accept string
	times                 int
	refusable             bool // an error answer of the client's kind is as good as a stream
}

// run sends the input of run R, perhaps several at once, and keeps what comes back.
func (x *session) run(name string, o runOptions) error {
	s, err := x.script(name)
	if err != nil {
		return err
	}
	x.answers, x.stream = make([]*answer, o.times), ""
	for i := range x.answers {
		of := o.thread
		if o.times > 1 {
			of = fmt.Sprintf("%s%d", o.thread, i+1)
		}
		if x.answers[i], err = x.prepare(name, x.thread(of), s); err != nil {
			return err
		}
	}
	if err := x.sendAll(o); err != nil {
		return err
	}
	for _, a := range x.answers {
		x.last = a.thread
		if err := x.take(a, o); err != nil {
			return err
		}
	}
	return nil
}

func (x *session) script(name string) (script.Script, error) {
	if !x.has(name + ".script") {
		return nil, nil
	}
	data, err := x.read(name + ".script")
	if err != nil {
		return nil, err
	}
	return script.Parse(data)
}

// prepare makes a run's request. What an earlier answer named is asked for by the id that it got.
func (x *session) prepare(name string, t *thread, s script.Script) (*answer, error) {
	var over map[string]any
	if x.has(name + ".request") {
		data, err := x.read(name + ".request")
		if err != nil {
			return nil, err
		}
		if over, err = overlay(data); err != nil {
			return nil, fmt.Errorf("%s.request: %w", name, err)
		}
	}
	a := &answer{name: name, thread: t, script: s, input: t.input(t.run(name), over)}
	if id, ok := a.input["runId"].(string); ok {
		a.runID = id
	}
	if err := x.check(s, inputOf(a)); err != nil {
		return nil, fmt.Errorf("%s.script: %w", name, err)
	}
	var err error
	a.request, err = body(a.input, s.Rename(t.names.ID))
	return a, err
}

// check says what keeps a script from being legal: of an illegal one, no subject can make a legal stream.
func (x *session) check(s script.Script, in script.Input) error {
	if slices.Contains(x.result.Features, "guard") {
		return s.CheckGuard(in)
	}
	return s.Check(in)
}

// sendAll sends all requests at once.
func (x *session) sendAll(o runOptions) error {
	header, err := x.headers(x.answers[0].name)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make([]error, len(x.answers))
	for i, a := range x.answers {
		all.Go(func() {
			gates := x.gates(a, o.abort)
			q := &subject.Request{Scenario: x.scenario.Name, Run: a.name, Body: a.request, Accept: o.accept, Header: header}
			if len(x.answers) > 1 {
				q.Run = fmt.Sprintf("%s@%d", a.name, i+1)
			}
			if gates != nil {
				q.Event = gates.event
			}
			a.response, errs[i] = x.runner.Subject.Send(x.ctx, q)
			if gates != nil {
				gates.note(a.response)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// take looks at what came back, and lets the thread go on from there.
func (x *session) take(a *answer, o runOptions) error {
	p := a.response
	switch {
	case p.Status == 501:
		return x.unsupported(a)
	case p.Cause == subject.HungUp && o.abort != "":
	case p.Cause != "":
		return x.failed(Cause(p.Cause), a, "%s", causes[p.Cause](p.Detail))
	case o.refusable && p.Status/100 == 4:
	case !p.IsStream() && !a.refusedEarly():
		return x.failed(HTTP, a, "%s", notStream(p))
	}
	a.said = materialise.Read(a.request, p.Events)
	if err := x.compare(a, o); err != nil {
		return err
	}
	a.thread.goOn(a)
	return nil
}

// compare finds out whether the answer says what the script said, and which ids it gave.
func (x *session) compare(a *answer, o runOptions) error {
	if a.script == nil || !a.response.IsStream() || o.abort != "" {
		return nil
	}
	want, err := a.script.Means(inputOf(a))
	if err != nil {
		return fmt.Errorf("the script of %s: %w", a.runID, err)
	}
	before := a.thread.names.Clone()
	a.differs = faithful.Compare(want, a.said.Meaning(), a.thread.names)
	if a.differs == nil && x.runner.Mutations > 0 {
		a.unnoticed, err = a.mutated(x.runner.Mutations, before)
	}
	return err
}

// mutated holds the answer to up to n scripts that are changed in one place, spread over all such, and returns what was changed
// in one that it is faithful to as well; empty where that is none.
func (a *answer) mutated(n int, names *faithful.Names) (unnoticed string, err error) {
	all := script.Mutations(a.script, inputOf(a))
	for i := 0; i < len(all); i += max(1, len(all)/n) {
		want, err := all[i].Script.Means(inputOf(a))
		if err != nil {
			return "", fmt.Errorf("a changed script of %s: %w", a.runID, err)
		}
		if faithful.Compare(want, a.said.Meaning(), names.Clone()) == nil {
			return all[i].What, nil
		}
	}
	return "", nil
}

var causes = map[subject.Cause]func(detail string) string{
	subject.LimitTime:   func(d string) string { return d },
	subject.LimitBytes:  func(d string) string { return d },
	subject.LimitEvents: func(d string) string { return d },
	subject.Exited:      func(d string) string { return "subject exited: " + d },
	subject.Refused:     func(d string) string { return "no connection: " + d },
	subject.Lost:        func(d string) string { return "the connection broke off: " + d },
	subject.HungUp:      func(string) string { return "hung up" },
}

// notStream says what came in place of an event stream.
func notStream(p *subject.Response) string {
	if p.Status != http.StatusOK {
		return fmt.Sprintf("the answer is %d, not an event stream: %s", p.Status, shown(string(p.Body())))
	}
	return fmt.Sprintf("the answer's content type is %s, not %s", shown(p.Header.Get("Content-Type")), subject.EventStream)
}

// refusedEarly tells whether an error answer is what the script asked for.
func (a *answer) refusedEarly() bool {
	return len(a.script) == 1 && a.script[0].Fail != nil && a.script[0].Fail.Early && a.response.Status >= 400
}

// unsupported deals with a 501: it is a fault only where the subject has declared that it can.
func (x *session) unsupported(a *answer) error {
	if x.runner.Features != nil {
		return x.failed(Status501, a, "a declared feature was answered by 501: %s", shown(string(a.response.Body())))
	}
	x.result.Status = Unsupported
	x.result.Detail = "the subject answers 501: " + shown(string(a.response.Body()))
	return errFailed
}

// failed notes a failure of a run.
func (x *session) failed(cause Cause, a *answer, format string, args ...any) error {
	x.result.Run = a.name
	x.result.IDs = a.thread.names.IDs()
	x.result.fail(cause, format, args...)
	return errFailed
}

// options are those that an answer is judged by, unless a line says otherwise.
func (a *answer) options() agui.Options {
	return agui.Options{Profile: agui.Producer, Request: a.request}
}

// shown makes a text of the subject's fit for a sentence.
func shown(s string) string {
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(strings.TrimSpace(s), "�"))
}
