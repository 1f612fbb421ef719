package scenario

import "fmt"

// A Status is what a scenario came to.
type Status string

// The statuses. The last four say that nothing was shown: unsupported by a feature that the subject does not declare.
const (
	Pass           Status = "pass"
	Fail           Status = "fail"
	KnownFail      Status = "known-fail"
	UnexpectedPass Status = "unexpected-pass"
	NotApplicable  Status = "not-applicable"
	Unsupported    Status = "unsupported"
	CouldNotRun    Status = "could-not-run"
)

// A Cause says what kind of thing a failure is. Causes of a subject that gave no whole answer are those of package subject.
type Cause string

// The causes that are not the subject package's.
const (
	Rule        Cause = "rule"        // a rule is broken: Code, at Index
	Unfaithful  Cause = "unfaithful"  // the stream does not say what the script said
	Expectation Cause = "expectation" // a line of the scenario does not hold
	SDKRefused  Cause = "sdk-refused" // the SDK refused a legal call
	Status501   Cause = "501"         // a declared feature was answered by 501
	HTTP        Cause = "http"        // a status or a media type that is none for a stream
)

// A Result is what one scenario came to, and all that says why.
type Result struct {
	Scenario string `json:"scenario"`
	Status   Status `json:"status"`
	Cause    Cause  `json:"cause"`
	// Line is the scenario's line that does not hold, from 1; 0 without one.
	Line int `json:"line"`
	// Run is the one that the line is about.
	Run   string `json:"run"`
	Code  string `json:"code"`
	Index int    `json:"index"`
	// Detail says in a sentence what is wrong.
	Detail string `json:"detail"`
	// Diff shows it: script and stream, or wanted and got, or the findings.
	Diff string `json:"diff"`
	// Features are those that the scenario needs, Missing those that the subject does not have.
	Features []string `json:"features"`
	Missing  []string `json:"missing"`
	// IDs has, for each label, the id that the subject gave it.
	IDs      map[string]string `json:"ids"`
	Warnings []string          `json:"warnings"`
	// Known is the reason given for a known failure.
	Known string `json:"known"`
	// Replay is a command that runs it again.
	Replay string `json:"replay"`
}

// fail notes a failure; the first one counts.
func (r *Result) fail(cause Cause, format string, args ...any) {
	if r.Status == "" {
		r.Status, r.Cause, r.Detail = Fail, cause, fmt.Sprintf(format, args...)
	}
}

// couldNotRun notes that the fault is on this side: the scenario, or the machine.
func (r *Result) couldNotRun(format string, args ...any) {
	if r.Status == "" {
		r.Status, r.Detail = CouldNotRun, fmt.Sprintf(format, args...)
	}
}
