package verifier

// A Report is all that is known of one stream after its end.
type Report struct {
	Protocol string
	Profile  string
	// Revision is empty where the protocol has none.
	Revision string
	// Class is the class of the input, for a protocol that has classes; NotEvaluated are the codes
	// that an input of this class cannot show.
	Class        string
	NotEvaluated []string
	// Events is the number of events, dropped ones included.
	Events int
	// Runs are the runs as the stream told them, those kept.
	Runs    []Run
	Verdict Verdict
	// Stopped is set where a limit of the kit was reached: the rest was not judged, whatever the
	// verdict on what came before.
	Stopped bool
	// Findings are ordered by index, then by precedence; Omitted more were found and not kept.
	Findings []Violation
	Omitted  int
	// Counts says how many findings there were of each severity, kept or not.
	Counts map[Severity]int
}

// A Run is one run of a stream.
type Run struct {
	ThreadID string     `json:"threadId"`
	RunID    string     `json:"runId"`
	Outcome  RunOutcome `json:"outcome"`
}

// RunOutcome says how a run ended.
type RunOutcome string

const (
	RunOpen      RunOutcome = "open"
	RunSuccess   RunOutcome = "success"
	RunInterrupt RunOutcome = "interrupt"
	RunCancelled RunOutcome = "cancelled"
	RunError     RunOutcome = "error"
)
