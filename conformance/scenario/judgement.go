package scenario

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strconv"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// A Judgement is one line of a scenario that says what a verifier must answer: accept, reject, warns or incomplete.
type Judgement struct {
	Command string
	Stream  string // that it is about, without .stream; empty for what a run answered
	Request string // name of the file with the run's input; empty where the run's input is not known
	Options agui.Options
	Below   string // warns: the severity, where the line names one; that may be error, behind the first
	Code    string
	Index   int
	End     bool // the index is the number of events
}

// Judging are the commands that state a judgement.
var Judging = []string{"accept", "reject", "warns", "incomplete"}

// ParseJudgement reads a command with its arguments. The profile is that of a line without -profile.
func ParseJudgement(profile, stream, command string, args []string) (j Judgement, err error) {
	j = Judgement{Command: command, Stream: stream}
	f := j.flags(profile)
	if err := f.Parse(args); err != nil {
		return j, fmt.Errorf("%s: %v", command, err)
	}
	if args = f.Args(); command == "accept" {
		if len(args) > 0 {
			return j, fmt.Errorf("accept takes flags only, not %q", args)
		}
		return j, nil
	}
	if len(args) != 3 || args[1] != "at" {
		return j, fmt.Errorf("%s wants CODE at N, or CODE at end; got %q", command, args)
	}
	j.Code, j.End = args[0], args[2] == "end"
	if !j.End {
		j.Index, err = strconv.Atoi(args[2])
	}
	return j, err
}

func (j *Judgement) flags(profile string) *flag.FlagSet {
	f := flags(j.Command)
	o := &j.Options
	f.StringVar(&o.Profile, "profile", profile, "who judges")
	f.StringVar(&o.Revision, "revision", "", "the revision asked for")
	f.StringVar(&j.Request, "request", "", "file with the RunAgentInput")
	if j.Command == "warns" {
		f.StringVar(&j.Below, "severity", "", "exactly this severity; error for one that is not the first")
	}
	f.BoolVar(&o.StrictVersion, "strict-version", false, "a missing protocolVersion is an error")
	f.IntVar(&o.Limits.EventBytes, "event-bytes", 0, "limit of bytes in one event")
	f.IntVar(&o.Limits.Depth, "depth", 0, "limit of nesting")
	f.IntVar(&o.Limits.Open, "open", 0, "limit of items open at once")
	f.IntVar(&o.Limits.IDBytes, "ids", 0, "limit of bytes of ids")
	f.IntVar(&o.Limits.TextBytes, "texts", 0, "limit of bytes of joined text")
	f.IntVar(&o.Limits.DocumentBytes, "documents", 0, "limit of bytes of state and activities")
	return f
}

// String is the command as a script would have it, for messages.
func (j *Judgement) String() string {
	s := fmt.Sprintf("%s.stream: %s %s", j.Stream, j.Command, j.How())
	if j.Command != "accept" {
		s += fmt.Sprintf(" %s at %s", j.Code, j.place())
	}
	return s
}

// How says how the stream is judged.
func (j *Judgement) How() string {
	s := "-profile " + j.Options.Profile
	if j.Options.Revision != "" {
		s += " -revision " + j.Options.Revision
	}
	return s
}

func (j *Judgement) place() string {
	if j.End {
		return "end"
	}
	return strconv.Itoa(j.Index)
}

// Check compares what a verifier said with what the line demands.
func (j *Judgement) Check(r verifier.Report) error {
	want := verifier.Verdict{Code: j.Code, Index: j.At(r)}
	switch j.Command {
	case "warns":
		if !slices.ContainsFunc(r.Findings, j.isWarned(r)) {
			return fmt.Errorf("no finding %s of severity %s at %d", j.Code, cmp.Or(j.Below, "info or warning"), want.Index)
		}
		return nil
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
	return nil
}

// At is the index that the line names, in a stream that was judged.
func (j *Judgement) At(r verifier.Report) int {
	if j.End {
		return r.Events
	}
	return j.Index
}

func (j *Judgement) isWarned(r verifier.Report) func(verifier.Violation) bool {
	return func(v verifier.Violation) bool {
		if v.Code != j.Code || v.Index != j.At(r) {
			return false
		}
		return j.Below == v.Severity.String() || j.Below == "" && v.Severity < verifier.Error
	}
}
