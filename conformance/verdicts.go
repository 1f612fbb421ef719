package conformance

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"

	"github.com/agentstream/conformance/verifier"
)

// DefaultLineBytes is the limit of one line of the verifiers' protocol.
const DefaultLineBytes = 64 << 20

// VerdictOptions say how the lines of the verifiers' protocol are answered.
type VerdictOptions struct {
	// Options are those of the verifier; a line may override protocol, profile, revision and request.
	Options
	// Findings puts all findings into each answer.
	Findings bool
	// LineBytes is the most bytes of a line; 0 means DefaultLineBytes.
	LineBytes int
	// Workers is how many lines are judged at once; 0 means one per core.
	Workers int
}

// Verdicts speaks the verifiers' line protocol: it reads one JSON line per stream and writes one line
// for each, in the order of the lines, as soon as that is possible.
//
//	{"id":…,"events":[…]}   with optional protocol, profile, revision and request; other members are ignored
//	{"id":…,"verdict":"accept"}
//	{"id":…,"verdict":"reject","code":"…","index":N,"message":"…"}
//	{"id":…,"verdict":"incomplete","code":"limit","index":N,"message":"…"}
//	{"id":…,"error":"…"}    for a line that is no such request; id is null where it cannot be read
//
// The id is any JSON and comes back byte for byte, null where there is none. Events are judged by
// their own bytes: what is no JSON between the commas of the list is the stream's fault, bad-json.
// Blank lines have no answer. Of a line over the limit nothing is kept. An error answer is an answer:
// Verdicts fails only on options that make no sense and where reading or writing fails.
func Verdicts(r io.Reader, w io.Writer, o VerdictOptions) error {
	if err := Validate(o.Options); err != nil {
		return err
	}
	o.LineBytes = cmp.Or(o.LineBytes, DefaultLineBytes)
	lines := lineReader{in: bufio.NewReaderSize(r, 64<<10), limit: o.LineBytes}
	out := bufio.NewWriterSize(w, 64<<10)
	var failed error
	flush := func() { failed = firstError(failed, out.Flush()) }
	for answer := range inOrder(lines.all(), cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), o.answer, flush) {
		if _, err := out.Write(answer); err != nil {
			return err
		}
		if failed != nil {
			return failed
		}
	}
	flush()
	return firstError(failed, lines.err)
}

// firstError returns the first error.
func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// A line is one request, or why there is none.
type line struct {
	text   []byte
	number int
	over   bool
}

// A lineReader reads lines, however long, in memory that is bounded by the limit.
type lineReader struct {
	in    *bufio.Reader
	limit int
	err   error // of reading, once all ended
}

// all yields the lines that are not blank.
func (l *lineReader) all() iter.Seq[line] {
	return func(yield func(line) bool) {
		for n := 1; ; n++ {
			x, err := l.next()
			x.number = n
			if (x.over || len(skipSpace(x.text)) > 0) && !yield(x) {
				return
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					l.err = err
				}
				return
			}
		}
	}
}

// next reads up to the next end of a line. The text is the caller's.
func (l *lineReader) next() (line, error) {
	var x line
	for {
		part, err := l.in.ReadSlice('\n')
		if x.over = x.over || len(x.text)+len(part) > l.limit+1; x.over {
			x.text = nil
		} else {
			x.text = append(x.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return x, err
		}
	}
}

// An answer is a line of output without the id.
type answer struct {
	Verdict  string     `json:"verdict,omitempty"`
	Code     string     `json:"code,omitempty"`
	Index    *int       `json:"index,omitempty"`
	Message  string     `json:"message,omitempty"`
	Findings *[]Finding `json:"findings,omitempty"`
	Error    string     `json:"error,omitempty"`
}

func (a answer) line(id []byte) []byte {
	if id == nil {
		id = []byte("null")
	}
	rest, err := Marshal(a)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	out := append([]byte(`{"id":`), id...)
	out = append(out, ',')
	return append(append(out, rest[1:]...), '\n')
}

// answer judges one line.
func (o *VerdictOptions) answer(l line) []byte {
	if l.over {
		return answer{Error: fmt.Sprintf("line %d is longer than %d bytes; --limit-line-bytes raises the limit", l.number, o.LineBytes)}.line(nil)
	}
	q, err := parseQuery(l.text)
	if err != nil {
		return answer{Error: fmt.Sprintf("line %d: %v", l.number, err)}.line(q.id)
	}
	report, err := o.judge(q)
	if err != nil {
		return answer{Error: fmt.Sprintf("line %d: %v", l.number, err)}.line(q.id)
	}
	a := answerOf(report)
	if o.Findings {
		f := Findings(report.Findings)
		a.Findings = &f
	}
	return a.line(q.id)
}

func (o *VerdictOptions) judge(q query) (verifier.Report, error) {
	options := o.Options
	options.Protocol = cmp.Or(q.protocol, options.Protocol)
	options.Profile = cmp.Or(q.profile, options.Profile)
	options.Revision = cmp.Or(q.revision, options.Revision)
	if q.request != nil {
		options.Request = q.request
	}
	v := lazyJudge{options: options}
	for event := range q.events() {
		v.ObserveAt(event, verifier.Place{})
	}
	v.Finish()
	if v.err != nil {
		return verifier.Report{}, firstError(Validate(options), v.err)
	}
	return v.report(), nil
}

func answerOf(r verifier.Report) answer {
	v := r.Verdict
	a := answer{Verdict: v.Outcome.String()}
	if v.Outcome == verifier.Accept {
		return a
	}
	a.Code, a.Index = v.Code, &v.Index
	for _, f := range r.Findings {
		if f.Severity == verifier.Error && f.Index == v.Index && f.Code == v.Code {
			a.Message = f.Detail
			break
		}
	}
	return a
}
