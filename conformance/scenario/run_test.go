package scenario

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/scenarios"
)

// canned is a subject that answers as a test says.
type canned func(q *subject.Request) (*subject.Response, error)

func (canned) Name() string                                                { return "canned" }
func (canned) Close() error                                                { return nil }
func (canned) Describe(context.Context) (d subject.Description, err error) { return d, nil }
func (c canned) Send(_ context.Context, q *subject.Request) (*subject.Response, error) {
	return c(q)
}

// streamed answers each request with events, one a line.
func streamed(lines string) canned {
	return func(*subject.Request) (*subject.Response, error) {
		p := &subject.Response{Status: 200, Header: http.Header{"Content-Type": {subject.EventStream}}}
		for _, l := range strings.Split(strings.TrimSpace(lines), "\n") {
			p.Events = append(p.Events, []byte(strings.TrimSpace(l)))
		}
		return p, nil
	}
}

func answered(p subject.Response) canned {
	return func(*subject.Request) (*subject.Response, error) { return &p, nil }
}

// played runs a scenario's text against a subject.
func played(t *testing.T, s subject.Subject, f *Features, text string) *Result {
	t.Helper()
	r := &Runner{Subject: s, Features: f, Work: t.TempDir()}
	out := r.Run(t.Context(), scenarios.Parse("family/name", []byte(text)))
	left, err := filepath.Glob(r.Work + "/*/script-*")
	assert.NilError(t, err)
	assert.Assert(t, len(left) == 0 || out.Status != NotApplicable)
	return out
}

const hello = `
{"type":"RUN_STARTED","threadId":"family/name","runId":"family/name/one","protocolVersion":"1.0"}
{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}
{"type":"TEXT_MESSAGE_END","messageId":"m1"}
{"type":"RUN_FINISHED","threadId":"family/name","runId":"family/name/one"}`

const helloScript = `
-- one.script --
[{"text":{"id":"m1","stream":["Hel","lo"]}}]
`

func TestAScenarioHoldsOrSaysWhatDoesNot(t *testing.T) {
	illegal := strings.Replace(hello, `{"type":"TEXT_MESSAGE_END","messageId":"m1"}`+"\n", "", 1)
	other := strings.Replace(hello, `"delta":"Hello"`, `"delta":"Hallo"`, 1)
	for name, x := range map[string]struct {
		answer canned
		lines  string
		status Status
		cause  Cause
		says   string
	}{
		"all holds":                              {streamed(hello), "run one\naccept\nfaithful\nends success", Pass, "", ""},
		"an illegal stream":                      {streamed(illegal), "run one\naccept", Fail, Rule, "open-at-finish"},
		"an unfaithful stream":                   {streamed(other), "run one\naccept\nfaithful", Fail, Unfaithful, "Hallo"},
		"unfaithful is not asked for":            {streamed(other), "run one\naccept", Pass, "", ""},
		"another end":                            {streamed(hello), "run one\nends error", Fail, Expectation, "success"},
		"events in order":                        {streamed(hello), "run one\nevents RUN_STARTED 'TEXT_MESSAGE_START messageId=m1' ... RUN_FINISHED", Pass, "", ""},
		"events in another order":                {streamed(hello), "run one\nevents TEXT_MESSAGE_END ... TEXT_MESSAGE_START", Fail, Expectation, "there is no TEXT_MESSAGE_START"},
		"something stands between":               {streamed(hello), "run one\nevents TEXT_MESSAGE_START TEXT_MESSAGE_END", Fail, Expectation, "directly followed by"},
		"a later place will do":                  {streamed(hello), "run one\nevents TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END", Pass, "", ""},
		"another value":                          {streamed(hello), "run one\nevents 'TEXT_MESSAGE_START role=user'", Fail, Expectation, "role=user"},
		"a JSON value":                           {streamed(hello), `run one` + "\n" + `events 'TEXT_MESSAGE_CONTENT delta="Hello"'`, Pass, "", ""},
		"in any order":                           {streamed(hello), "run one\nevents -any TEXT_MESSAGE_END TEXT_MESSAGE_START", Pass, "", ""},
		"in any order, but one too many":         {streamed(hello), "run one\nevents -any TEXT_MESSAGE_END TEXT_MESSAGE_END", Fail, Expectation, "there is no TEXT_MESSAGE_END"},
		"absent":                                 {streamed(hello), "run one\nevents -absent RUN_ERROR CUSTOM", Pass, "", ""},
		"not absent":                             {streamed(hello), "run one\nevents -absent RUN_ERROR RUN_FINISHED", Fail, Expectation, "event 4 is RUN_FINISHED"},
		"counted":                                {streamed(hello), "run one\nevents -count 1 TEXT_MESSAGE_END", Pass, "", ""},
		"counted otherwise":                      {streamed(hello), "run one\nevents -count 0 TEXT_MESSAGE_END", Fail, Expectation, "there are 1"},
		"a consumer holds it":                    {streamed(hello), "run one\nwant messages messages.json", Pass, "", ""},
		"a consumer holds something else":        {streamed(other), "run one\nwant messages messages.json", Fail, Expectation, "other messages"},
		"an error status":                        {answered(subject.Response{Status: 500}), "run one\naccept", Fail, HTTP, "500"},
		"another content type":                   {answered(subject.Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}}), "run one\naccept", Fail, HTTP, "application/json"},
		"a limit":                                {answered(subject.Response{Cause: subject.LimitTime, Detail: "too long"}), "run one\naccept", Fail, "limit:time", "too long"},
		"it went away":                           {answered(subject.Response{Cause: subject.Exited, Detail: "exit status 1"}), "run one\naccept", Fail, "exited", "subject exited"},
		"the connection broke":                   {answered(subject.Response{Status: 200, Cause: subject.Lost}), "run one\naccept", Fail, "lost", "broke off"},
		"refused":                                {answered(subject.Response{Status: 400}), "refuse one", Pass, "", ""},
		"refused with another status":            {answered(subject.Response{Status: 400}), "refuse one 422", Fail, HTTP, "it had to be 422"},
		"refused, which will do":                 {answered(subject.Response{Status: 422}), "run -or-refused one\naccept\nfaithful\nevents RUN_STARTED\nends success", Pass, "", ""},
		"broken, which will not do":              {answered(subject.Response{Status: 500}), "run -or-refused one", Fail, HTTP, "500"},
		"a stream where a refusal will do":       {streamed(other), "run -or-refused one\nfaithful", Fail, Unfaithful, "Hallo"},
		"not refused":                            {streamed(hello), "refuse one", Fail, HTTP, "200"},
		"a warning is there":                     {streamed(hello), "run one\nwarns custom-unprefixed at 1", Fail, Expectation, "no finding"},
		"this side's fault":                      {func(*subject.Request) (*subject.Response, error) { return nil, errors.New("no more files") }, "run one", CouldNotRun, "", "no more files"},
		"a stream's lines are not the subject's": {streamed(hello), "run one\naccept\nstream one\nreject not-open at 4", Pass, "", ""},
		"nothing was asked":                      {streamed(hello), "run one\nstream one\naccept", Pass, "", ""},
		"no line about anything":                 {streamed(hello), "accept\nrun one", CouldNotRun, "", "comes after"},
		"a flag that there is not":               {streamed(hello), "run -fast one", CouldNotRun, "", "fast"},
		"a pattern that is none":                 {streamed(hello), "run one\nevents ''", CouldNotRun, "", "empty pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := played(t, x.answer, nil, "# T\n"+x.lines+"\n"+helloScript+"-- one.stream --\n"+hello+"\n-- messages.json --\n[{\"id\":\"m1\",\"kind\":\"message\",\"role\":\"assistant\",\"content\":\"Hello\"}]\n")
			assert.Equal(t, r.Status, x.status, "%+v", r)
			assert.Equal(t, r.Cause, x.cause)
			assert.Assert(t, cmp.Contains(r.Detail, x.says))
		})
	}
}

func TestAFailureNamesTheLineTheRunAndTheRule(t *testing.T) {
	illegal := strings.Replace(hello, `"messageId":"m1","delta"`, `"messageId":"m2","delta"`, 1)
	r := played(t, streamed(illegal), nil, "# Title\n# spec: page\n\nrun one\naccept\n"+helloScript)
	assert.Equal(t, r.Line, 5)
	assert.Equal(t, r.Run, "one")
	assert.Equal(t, r.Code, "not-open")
	assert.Equal(t, r.Index, 2)
	assert.Assert(t, cmp.Contains(r.Diff, `> 2 {"type":"TEXT_MESSAGE_CONTENT","messageId":"m2"`))
}

func TestAFeatureThatIsNotDeclaredIsUnsupportedAndNothingIsSent(t *testing.T) {
	sent := 0
	count := canned(func(q *subject.Request) (*subject.Response, error) { sent++; return streamed(hello)(q) })
	text := "# T\nneeds version\nrun one\naccept\n-- one.script --\n[{\"custom\":{\"name\":\"a.b\",\"value\":1}}]\n"
	r := played(t, count, Declared([]string{"step"}), text)
	assert.Equal(t, r.Status, Unsupported)
	assert.DeepEqual(t, r.Missing, []string{"custom", "version"})
	assert.Equal(t, sent, 0)
}

func TestALaterRunThatSaysAnEarlierOnesLabelAgainNeedsItsID(t *testing.T) {
	again := "# T\nrun one\nrun -accept text/event-stream two\n-- one.script --\n[{\"text\":{\"id\":\"m1\",\"stream\":[\"a\"]}}]\n-- two.script --\n[{\"text\":{\"id\":\"m1\",\"form\":\"events\",\"stream\":[\"b\"]}}]\n"
	for text, want := range map[string][]string{
		again: {"ids", "reopen"},
		strings.Replace(again, "run -accept", "run -thread t2 -accept", 1):  nil,
		strings.Replace(again, "run -accept", "run -or-refused -accept", 1): {"ids", "reopen"},
	} {
		needs, _, err := Needs(scenarios.Parse("f/n", []byte(text)))
		assert.NilError(t, err)
		assert.DeepEqual(t, needs, want)
	}
}

func TestAStateThatIsNullIsLeftOutOfTheNextInput(t *testing.T) {
	var bodies []string
	s := canned(func(q *subject.Request) (*subject.Response, error) {
		bodies = append(bodies, string(q.Body))
		return streamed(`{"type":"RUN_STARTED","threadId":"family/name","runId":"family/name/one","protocolVersion":"1.0"}
			{"type":"STATE_SNAPSHOT","snapshot":null}
			{"type":"RUN_FINISHED","threadId":"family/name","runId":"family/name/one"}`)(q)
	})
	r := played(t, s, nil, "# T\nrun one\naccept\nrun two\n")
	assert.Equal(t, r.Status, Pass, "%+v", r)
	assert.Assert(t, strings.Contains(bodies[0], `"state":{}`) && !strings.Contains(bodies[1], `"state"`), "%q", bodies)
}

func TestHeadersOfAFileGoWithARun(t *testing.T) {
	var got http.Header
	s := canned(func(q *subject.Request) (*subject.Response, error) { got = q.Header; return streamed(hello)(q) })
	r := played(t, s, nil, "# T\nrun one\naccept\n"+helloScript+"-- one.headers --\nContent-Type: application/json; charset=utf-8\n")
	assert.Equal(t, r.Status, Pass, "%+v", r)
	assert.Equal(t, got.Get("Content-Type"), "application/json; charset=utf-8")
}

func TestAnIllegalEventOnTheWireIsFound(t *testing.T) {
	const start, end = `{"type":"TEXT_MESSAGE_START","messageId":"m1"}`, `{"type":"TEXT_MESSAGE_END","messageId":"m1"}`
	text := "# T\nneeds guard\nrun one\nguarded not-open\n-- one.script --\n[{\"emit\":{\"event\":" + start + "}},{\"emit\":{\"event\":" + end + "}},{\"emit\":{\"event\":" + end + "}}]\n"
	begin := `{"type":"RUN_STARTED","threadId":"family/name","runId":"family/name/one","protocolVersion":"1.0"}` + "\n" + start + "\n" + end + "\n"
	refused := `{"type":"RUN_ERROR","message":"no","code":"not-open"}`
	r := played(t, streamed(begin+refused), nil, text)
	assert.Equal(t, r.Status, Pass, "%+v", r)
	r = played(t, streamed(begin+end+"\n"+refused), nil, text)
	assert.Equal(t, r.Status, Fail)
	assert.Equal(t, r.Index, 3)
}

func TestA501IsAFaultOnlyOfWhatWasDeclared(t *testing.T) {
	p := answered(subject.Response{Status: 501})
	assert.Equal(t, played(t, p, nil, "# T\nrun one\naccept\n"+helloScript).Status, Unsupported)
	r := played(t, p, Declared(nil), "# T\nrun one\naccept\n"+helloScript)
	assert.Equal(t, r.Status, Fail)
	assert.Equal(t, r.Cause, Status501)
}

func TestAThreadGoesOnWithWhatTheAnswerLeft(t *testing.T) {
	var bodies []string
	s := canned(func(q *subject.Request) (*subject.Response, error) {
		bodies = append(bodies, string(q.Body))
		return streamed(strings.ReplaceAll(hello, `name/one"`, `name/`+q.Run+`"`))(q)
	})
	r := played(t, s, nil, "# T\nsay 'Hi'\nrun one\naccept\nsay 'More'\nresume i1 resolved '{\"ok\":true}'\nrun two\naccept\nrun -thread other one\n")
	assert.Equal(t, r.Status, Pass, "%+v", r)
	assert.Assert(t, cmp.Contains(bodies[0], `"content":"Hi"`))
	assert.Assert(t, cmp.Contains(bodies[1], `"content":"Hello"`))
	assert.Assert(t, cmp.Contains(bodies[1], `"content":"More"`))
	assert.Assert(t, cmp.Contains(bodies[1], `"resume":[{"interruptId":"i1","payload":{"ok":true},"status":"resolved"}]`))
	assert.Assert(t, cmp.Contains(bodies[2], `"messages":[]`))
	assert.Assert(t, cmp.Contains(bodies[2], `"threadId":"family/name#other"`))
}

func TestAFollowUpAsksForTheIDsThatTheSubjectGave(t *testing.T) {
	var bodies []string
	s := canned(func(q *subject.Request) (*subject.Response, error) {
		bodies = append(bodies, string(q.Body))
		if q.Run == "two" {
			return streamed(`{"type":"RUN_STARTED","threadId":"family/name","runId":"family/name/two","protocolVersion":"1.0"}
				{"type":"TOOL_CALL_RESULT","messageId":"x9","toolCallId":"call-77","content":"21"}
				{"type":"RUN_FINISHED","threadId":"family/name","runId":"family/name/two"}`)(q)
		}
		return streamed(`{"type":"RUN_STARTED","threadId":"family/name","runId":"family/name/one","protocolVersion":"1.0"}
			{"type":"TOOL_CALL_START","toolCallId":"call-77","toolCallName":"f"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"call-77","delta":"{}"}
			{"type":"TOOL_CALL_END","toolCallId":"call-77"}
			{"type":"RUN_FINISHED","threadId":"family/name","runId":"family/name/one"}`)(q)
	})
	r := played(t, s, Declared(AllFeatures()[:0:0]), "# T\nrun one\naccept\nfaithful\nevents 'TOOL_CALL_END toolCallId=c1'\n-- one.script --\n[{\"toolCall\":{\"id\":\"c1\",\"name\":\"f\",\"stream\":[\"{}\"]}}]\n")
	assert.Equal(t, r.Status, Pass, "%+v", r)
	r = played(t, s, nil, "# T\nrun one\nfaithful\nrun two\naccept\nfaithful\n-- one.script --\n[{\"toolCall\":{\"id\":\"c1\",\"name\":\"f\",\"stream\":[\"{}\"]}}]\n-- two.script --\n[{\"toolResult\":{\"id\":\"r1\",\"call\":\"c1\",\"content\":\"21\"}}]\n")
	assert.Equal(t, r.Status, Pass, "%+v", r)
	assert.Assert(t, cmp.Contains(bodies[2], `"call":"call-77"`))
}

// What a stranger writes must not reach the machine.
func TestAScenarioCannotTouchTheMachine(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	for _, line := range []string{
		"exec touch " + victim, "'exec' touch " + victim, "ex''ec touch " + victim, "! exec touch " + victim, "? exec touch " + victim, "[unix] exec touch " + victim,
		"$WORK exec touch " + victim, "cp one.script " + victim, "mkdir " + victim, "env PATH=" + victim, "cd /", "skip", "stop", "symlink a -> " + victim,
	} {
		r := played(t, streamed(hello), nil, "# T\nrun one\n"+line+"\n"+helloScript)
		assert.Equal(t, r.Status, CouldNotRun, line)
		_, err := os.Stat(victim)
		assert.Assert(t, os.IsNotExist(err), line)
	}
	for _, name := range []string{"../x", "/etc/x", "a/../../x"} {
		r := played(t, streamed(hello), nil, "# T\nrun one\n-- "+name+" --\nx\n")
		assert.Equal(t, r.Status, CouldNotRun, name)
	}
	for _, line := range []string{"run ../one", "stream ../one\naccept", "want messages /etc/passwd", "answer c @/etc/passwd"} {
		r := played(t, streamed(hello), nil, "# T\nrun one\n"+line+"\n"+helloScript)
		assert.Assert(t, r.Status != Fail, "%s: %+v", line, r)
		assert.Assert(t, !bytes.Contains([]byte(r.Detail+r.Diff), []byte("root:")), line)
	}
}

func TestACancelledContextMakesAScenarioThatCouldNotRun(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	s := canned(func(*subject.Request) (*subject.Response, error) {
		cancel(errors.New("interrupted"))
		return nil, context.Cause(ctx)
	})
	r := (&Runner{Subject: s, Work: t.TempDir()}).Run(ctx, scenarios.Parse("f/n", []byte("# T\nrun one\naccept\n")))
	assert.Equal(t, r.Status, CouldNotRun)
	assert.Assert(t, cmp.Contains(r.Detail, "interrupted"))
}
