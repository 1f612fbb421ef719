package scenarios_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// A judgement is one line of a script that says what a verifier must answer: accept, reject, warns or incomplete.
type judgement struct {
	command string
	stream  string // that it is about, without .stream
	request string // name of the file with the run's input; empty where the run's input is not known
	options agui.Options
	below   string // warns: the severity, where the line names one
	code    string
	index   int
	end     bool // the index is the number of events
}

// judging are the commands that state a judgement.
var judging = []string{"accept", "reject", "warns", "incomplete"}

// parseJudgement reads a command with its arguments.
func parseJudgement(stream, command string, args []string) (j judgement, err error) {
	j = judgement{command: command, stream: stream}
	flags := j.flags()
	if err := flags.Parse(args); err != nil {
		return j, fmt.Errorf("%s: %v", command, err)
	}
	if args = flags.Args(); command == "accept" {
		if len(args) > 0 {
			return j, fmt.Errorf("accept takes flags only, not %q", args)
		}
		return j, nil
	}
	if len(args) != 3 || args[1] != "at" {
		return j, fmt.Errorf("%s wants CODE at N, or CODE at end; got %q", command, args)
	}
	j.code, j.end = args[0], args[2] == "end"
	if !j.end {
		j.index, err = strconv.Atoi(args[2])
	}
	return j, err
}

func (j *judgement) flags() *flag.FlagSet {
	f := flag.NewFlagSet(j.command, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	o := &j.options
	f.StringVar(&o.Profile, "profile", agui.Producer, "who judges")
	f.StringVar(&o.Revision, "revision", "", "the revision asked for")
	f.StringVar(&j.request, "request", "", "file with the RunAgentInput")
	if j.command == "warns" {
		f.StringVar(&j.below, "severity", "", "exactly this severity: warning or info")
	}
	f.BoolVar(&o.StrictVersion, "strict-version", false, "a missing protocolVersion is an error")
	f.IntVar(&o.Limits.EventBytes, "event-bytes", 0, "limit of bytes in one event")
	f.IntVar(&o.Limits.Depth, "depth", 0, "limit of nesting")
	f.IntVar(&o.Limits.Open, "open", 0, "limit of items open at once")
	f.IntVar(&o.Limits.IDBytes, "ids", 0, "limit of bytes of ids")
	f.IntVar(&o.Limits.DocumentBytes, "documents", 0, "limit of bytes of state and activities")
	return f
}

// line is the command as a script would have it, for messages.
func (j *judgement) line() string {
	s := fmt.Sprintf("%s.stream: %s %s", j.stream, j.command, j.how())
	if j.command != "accept" {
		s += fmt.Sprintf(" %s at %s", j.code, j.place())
	}
	return s
}

// how says how the stream is judged.
func (j *judgement) how() string {
	s := "-profile " + j.options.Profile
	if j.options.Revision != "" {
		s += " -revision " + j.options.Revision
	}
	return s
}

func (j *judgement) place() string {
	if j.end {
		return "end"
	}
	return strconv.Itoa(j.index)
}

// files gives the content of a scenario's files by name.
type files func(name string) ([]byte, error)

// judge gives the stream to a verifier.
func (j *judgement) judge(read files) (*agui.Verifier, error) {
	stream, err := read(j.stream + ".stream")
	if err != nil {
		return nil, err
	}
	o := j.options
	if j.request != "" {
		if o.Request, err = read(j.request); err != nil {
			return nil, err
		}
	}
	v, err := agui.New(o)
	if err != nil {
		return nil, err
	}
	return v, wire.Feed(bytes.NewReader(stream), wire.Options{Format: wire.NDJSON}, v)
}

// check compares what a verifier said with what the line demands. The clause is the one that the
// scenario is named after; a bad stream must be blamed for it, not for a sibling that happens to
// share its code and place, and a good stream must not be blamed for it at all.
func (j *judgement) check(r verifier.Report, c clause) error {
	want := verifier.Verdict{Code: j.code, Index: j.at(r)}
	switch j.command {
	case "warns":
		if !slices.ContainsFunc(r.Findings, j.isWarned(r)) {
			return fmt.Errorf("no finding %s of severity %s at %d", j.code, cmp.Or(j.below, "info or warning"), want.Index)
		}
		return j.checkClause(r, c)
	case "reject":
		want.Outcome = verifier.Reject
	case "incomplete":
		want.Outcome = verifier.Incomplete
	case "accept":
		want = verifier.Verdict{}
	}
	if r.Verdict != want {
		return fmt.Errorf("the verdict is %s, want %s", r.Verdict, want)
	}
	return j.checkClause(r, c)
}

func (j *judgement) at(r verifier.Report) int {
	if j.end {
		return r.Events
	}
	return j.index
}

func (j *judgement) isWarned(r verifier.Report) func(verifier.Violation) bool {
	return func(v verifier.Violation) bool {
		return v.Code == j.code && v.Index == j.at(r) && v.Severity < verifier.Error &&
			(j.below == "" || j.below == v.Severity.String())
	}
}

func (j *judgement) checkClause(r verifier.Report, c clause) error {
	if strings.HasPrefix(j.stream, "good") {
		if f := found(r, c.name); f != nil {
			return fmt.Errorf("a good stream is blamed for %s at %d: %s", c.name, f.Index, f.Detail)
		}
		return nil
	}
	if j.code != c.code || !c.judgedIn(j.options.Profile) {
		return nil
	}
	for _, f := range r.Findings {
		if f.Clause == c.name && f.Index == j.at(r) {
			return nil
		}
	}
	return fmt.Errorf("%s at %d is not found for clause %s", j.code, j.at(r), c.name)
}

// found returns the first finding of a clause; nil without one.
func found(r verifier.Report, clause string) *verifier.Violation {
	for i := range r.Findings {
		if r.Findings[i].Clause == clause {
			return &r.Findings[i]
		}
	}
	return nil
}

// described lists findings for a message, one a line.
func described(r verifier.Report) string {
	if len(r.Findings) == 0 {
		return "no findings"
	}
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n  %d: %s %s: %s", f.Index, f.Severity, f.Clause, f.Detail)
	}
	return b.String()
}
