package conformance

import "github.com/agentstream/conformance/verifier"

// The command's exit codes. A higher one beats a lower one.
const (
	ExitClean    = 0 // no finding at or above the threshold
	ExitFindings = 1 // at least one
	ExitFailed   = 2 // the tool or its arguments failed, or a stream could not be judged to its end
)

// A Tally counts what a check came to.
type Tally struct {
	Streams, Unread int
	Stopped         int                          // by a limit of the kit, also behind an error
	Verdicts        [verifier.Incomplete + 1]int // of those read
	Findings        [verifier.Error + 1]int      // kept or not
	// First is the code of the heaviest finding that came first.
	First string

	heaviest verifier.Severity
}

// Add counts one stream.
func (t *Tally) Add(s *Stream) {
	t.Streams++
	if s.Err != nil {
		t.Unread++
	} else {
		t.Verdicts[s.Report.Verdict.Outcome]++
	}
	if s.Report.Stopped {
		t.Stopped++
	}
	for severity, n := range s.Report.Counts {
		t.Findings[severity] += n
	}
	for _, v := range s.Report.Findings {
		if v.Severity > t.heaviest {
			t.heaviest, t.First = v.Severity, v.Code
		}
	}
}

// Exit returns the exit code, where findings of failOn and above count.
func (t *Tally) Exit(failOn verifier.Severity) int {
	if t.Unread > 0 || t.Stopped > 0 {
		return ExitFailed
	}
	for s := failOn; s <= verifier.Error; s++ {
		if t.Findings[s] > 0 {
			return ExitFindings
		}
	}
	return ExitClean
}
