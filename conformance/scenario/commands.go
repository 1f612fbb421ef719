package scenario

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier"
)

type command = func(ts *testscript.TestScript, neg bool, args []string)

// commands are the words of a scenario's script. docs/scenario-format.md says what they mean.
func commands(x *session) map[string]command {
	all := map[string]func(args []string) error{
		"needs":    func([]string) error { return nil }, // read without running
		"run":      x.runCommand,
		"stream":   x.streamCommand,
		"say":      x.say,
		"answer":   x.answerCommand,
		"resume":   x.resume,
		"faithful": x.faithful,
		"events":   x.eventsCommand,
		"want":     x.want,
		"ends":     x.ends,
		"guarded":  x.guarded,
		"refuse":   x.refuse,
	}
	for _, name := range Judging {
		all[name] = func(args []string) error { return x.judge(name, args) }
	}
	out := map[string]command{}
	for name, do := range all {
		out[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			if neg {
				ts.Fatalf("%s cannot be negated", name)
			}
			if err := do(args); err != nil {
				ts.Fatalf("%v", err)
			}
		}
	}
	return out
}

func flags(command string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// parse reads flags that may stand before and behind the words.
func parse(f *flag.FlagSet, args []string) (words []string, err error) {
	for len(args) > 0 {
		if err := f.Parse(args); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		if args = f.Args(); len(args) > 0 {
			words, args = append(words, args[0]), args[1:]
		}
	}
	return words, nil
}

func (x *session) runCommand(args []string) error {
	var o runOptions
	f := flags("run")
	f.StringVar(&o.thread, "thread", "", "another thread than the scenario's")
	f.IntVar(&o.times, "times", 1, "how many at once")
	f.StringVar(&o.abort, "abort", "", "the gate at which to hang up")
	f.StringVar(&o.accept, "accept", subject.EventStream, "the media type that is asked for")
	f.BoolVar(&o.refusable, "or-refused", false, "a 4xx answer will do, too")
	words, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(words) != 1 || o.times < 1 || o.times > 1000 {
		return fmt.Errorf("run wants one R, and 1 to 1000 times")
	}
	return x.run(words[0], o)
}

// streamCommand turns to a stream of the file. Lines about it are not about the subject, and are not judged here.
func (x *session) streamCommand(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("stream wants one R")
	}
	x.stream, x.answers = args[0], nil
	return nil
}

func (x *session) judge(name string, args []string) error {
	j, err := ParseJudgement(x.scenario.Profile(), x.stream, name, args)
	if err != nil {
		return err
	}
	if x.stream != "" {
		return x.judgeStream(j)
	}
	if name == "reject" || name == "incomplete" {
		return fmt.Errorf("%s is about a stream, not about a run", name)
	}
	for _, a := range x.answers {
		if err := x.judgeAnswer(j, a); err != nil {
			return err
		}
	}
	return x.needAnswer(name)
}

// judgeStream judges one of the scenario's own streams.
func (x *session) judgeStream(j Judgement) error {
	if !x.runner.Streams {
		return nil
	}
	data, err := x.read(x.stream + ".stream")
	if err != nil {
		return err
	}
	if j.Request != "" {
		if j.Options.Request, err = x.read(j.Request); err != nil {
			return err
		}
	}
	r, err := Judge(bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")), j.Options)
	if err != nil {
		return err
	}
	return j.Check(r)
}

// needAnswer says that a line is about nothing.
func (x *session) needAnswer(name string) error {
	if len(x.answers) == 0 && x.stream == "" {
		return fmt.Errorf("%s comes after a stream or a run", name)
	}
	return nil
}

func (x *session) judgeAnswer(j Judgement, a *answer) error {
	if !a.response.IsStream() {
		return nil // an error answer that the scenario allows
	}
	j.Options.Request = a.request
	r, err := Judge(a.response.Events, j.Options)
	if err != nil {
		return err
	}
	if a.response.Cause == subject.HungUp {
		r = withoutEnd(r)
	}
	x.warn(r)
	if err := j.Check(r); err == nil {
		return nil
	}
	if v := first(r); v != nil {
		x.result.Code, x.result.Index = v.Code, v.Index
		x.result.Diff = evidence(a.response.Events, r)
		return x.failed(Rule, a, "%s at event %d: %s", v.Clause, v.Index, v.Detail)
	}
	return x.failed(Expectation, a, "%s", j.Check(r))
}

// warn keeps what a report warns of, each clause once. Advice is mostly about the script, which the subject did not choose.
func (x *session) warn(r verifier.Report) {
	for _, v := range r.Findings {
		line := v.Severity.String() + " " + v.Clause
		if v.Severity == verifier.Warning && !slices.Contains(x.result.Warnings, line) {
			x.result.Warnings = append(x.result.Warnings, line)
		}
	}
}

func (x *session) faithful(args []string) error {
	if len(args) != 0 {
		return fmt.Errorf("faithful takes no arguments")
	}
	for _, a := range x.answers {
		if a.script == nil {
			return fmt.Errorf("%s has no script to be faithful to", a.runID)
		}
		if a.differs == nil && a.unnoticed != "" {
			return fmt.Errorf("the answer is as faithful to another script: %s", a.unnoticed)
		}
		if a.differs == nil {
			continue
		}
		if a.differs.GaveUp {
			return fmt.Errorf("%s", a.differs.Summary())
		}
		_, x.result.Diff, _ = strings.Cut(a.differs.String(), "\n") // the summary is the detail
		return x.failed(unfaithful(a), a, "%s", a.differs.Summary())
	}
	return x.needAnswer("faithful")
}

// refusedCode is what an adapter without a driver reports when the SDK refuses a legal call.
const refusedCode = "conformance-sdk-refused"

func unfaithful(a *answer) Cause {
	for _, e := range ends(a.said) {
		if e.code == refusedCode {
			return SDKRefused
		}
	}
	return Unfaithful
}

func (x *session) say(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("say wants one TEXT")
	}
	t := x.next()
	t.messages = append(t.messages, map[string]any{"id": t.mint("user"), "role": "user", "content": args[0]})
	return nil
}

// next is the thread of the next input: that of the last run, or the scenario's own.
func (x *session) next() *thread {
	if x.last == nil {
		x.last = x.thread("")
	}
	return x.last
}

func (x *session) answerCommand(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("answer wants CALL and TEXT or @FILE")
	}
	content := args[1]
	if name, isFile := strings.CutPrefix(content, "@"); isFile {
		data, err := x.read(name)
		if err != nil {
			return err
		}
		content = strings.TrimSuffix(string(data), "\n")
	}
	t := x.next()
	t.messages = append(t.messages, map[string]any{
		"id": t.mint("tool"), "role": "tool", "toolCallId": x.next().names.ID(script.Calls, args[0]), "content": content,
	})
	return nil
}

func (x *session) resume(args []string) error {
	if len(args) < 2 || len(args) > 3 || args[1] != "resolved" && args[1] != "cancelled" {
		return fmt.Errorf("resume wants ID, resolved or cancelled, and perhaps a JSON payload")
	}
	entry := map[string]any{"interruptId": x.next().names.ID(script.Interrupts, args[0]), "status": args[1]}
	if len(args) == 3 {
		payload, err := value([]byte(args[2]))
		if err != nil {
			return fmt.Errorf("the payload: %w", err)
		}
		entry["payload"] = payload
	}
	t := x.next()
	t.resume = append(t.resume, entry)
	return nil
}

func (x *session) ends(args []string) error {
	var code, message string
	f := flags("ends")
	f.StringVar(&code, "code", "", "the error's code")
	f.StringVar(&message, "message", "", "what its message matches")
	words, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return fmt.Errorf("ends wants success, interrupt, cancelled or error")
	}
	pattern, err := regexp.Compile(message)
	if err != nil {
		return err
	}
	for _, a := range x.answers {
		if !a.response.IsStream() {
			continue // an error answer that the scenario allows
		}
		all := ends(a.said)
		if len(all) == 0 {
			return x.failed(Expectation, a, "no run ended, where one was to end as %s", words[0])
		}
		e := all[len(all)-1]
		switch {
		case e.outcome != words[0]:
			return x.failed(Expectation, a, "the run ended as %s, not as %s", shown(e.outcome), words[0])
		case code != "" && e.code != code:
			return x.failed(Expectation, a, "the error's code is %s, not %q", shown(e.code), code)
		case !pattern.MatchString(e.message):
			return x.failed(Expectation, a, "the error's message %s does not match %q", shown(e.message), message)
		}
	}
	return x.needAnswer("ends")
}

// guarded checks that a server kept an illegal event off the wire, and ended the run with an error that names the rule.
func (x *session) guarded(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("guarded wants one CODE")
	}
	for _, a := range x.answers {
		if i := a.onTheWire(); i >= 0 {
			x.result.Code, x.result.Index = args[0], i
			return x.failed(Rule, a, "the event that breaks %s is on the wire, as event %d", args[0], i)
		}
		if err := x.judgeAnswer(Judgement{Command: "accept", Options: a.options()}, a); err != nil {
			return err
		}
		all := ends(a.said)
		if len(all) == 0 || all[len(all)-1].outcome != "error" {
			return x.failed(Expectation, a, "the run did not end with RUN_ERROR")
		}
		if e := all[len(all)-1]; e.code != args[0] && !strings.Contains(e.message, args[0]) {
			x.result.Warnings = append(x.result.Warnings, "RUN_ERROR does not name "+args[0])
		}
	}
	return x.needAnswer("guarded")
}

func (x *session) refuse(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("refuse wants R and perhaps statuses")
	}
	q, a, err := x.badRequest(args[0])
	if err != nil {
		return err
	}
	if a.response, err = x.runner.Subject.Send(x.ctx, q); err != nil {
		return err
	}
	p := a.response
	if p.Cause != "" {
		return x.failed(Cause(p.Cause), a, "%s", causes[p.Cause](p.Detail))
	}
	if !isOneOf(p.Status, args[1:]) {
		return x.failed(HTTP, a, "the answer is %d; it had to be %s", p.Status, strings.Join(wanted(args[1:]), " or "))
	}
	if p.IsStream() {
		return x.failed(HTTP, a, "the answer is an event stream")
	}
	return nil
}

func wanted(statuses []string) []string {
	if len(statuses) == 0 {
		return []string{"4xx"}
	}
	return statuses
}

func isOneOf(status int, statuses []string) bool {
	return slices.ContainsFunc(wanted(statuses), func(s string) bool {
		return s == strconv.Itoa(status) || strings.HasSuffix(s, "xx") && s[0] == byte('0'+status/100)
	})
}
