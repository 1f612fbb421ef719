// Package conformance is what the command does, as functions: check recordings, answer the line
// protocol of verifiers, explain rules. It prints nothing and knows no flags; package report writes
// its results.
package conformance

import (
	"errors"
	"io"
	"iter"
	"runtime"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/wire"
)

// CheckOptions say how recordings are judged.
type CheckOptions struct {
	// Options are those of the verifier. Its Dump is set by Evidence.
	Options
	// Floor is the least severity that a finding of a group has; those below are advice.
	// None stands for Warning.
	Floor Severity
	// Evidence gathers, for a reader, what each group's first finding is about: the events and what
	// was open.
	Evidence bool
	// Workers is how many recordings are judged at once; 0 means one per core.
	Workers int
	// Progress is told how many more bytes of recordings were read. It is called from several
	// goroutines. May be nil.
	Progress func(bytes int)
}

// A Stream is one recording, judged.
type Stream struct {
	// Source is the recording's name: the path, or - for standard input.
	Source string
	// Report is what the verifier found; after an Err, in what came before it.
	Report verifier.Report
	// Groups are the findings at or above the floor, by entity; Advice are those below, one by one.
	// Both are filled for Evidence only.
	Groups []Group
	Advice []verifier.Violation
	// Err says why the recording could not be read to its end. The verdict is incomplete then,
	// unless an error came before.
	Err error
}

// Check judges sources in parallel and yields them in their order. Few are in flight at once, so
// memory does not grow with their number. It fails on options that make no sense.
func Check(sources []Source, o CheckOptions) (iter.Seq[*Stream], error) {
	if err := Validate(o.Options); err != nil {
		return nil, err
	}
	if o.Floor == verifier.None {
		o.Floor = verifier.Warning
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Dump = o.Evidence
	return inOrder(each(sources), o.Workers, o.judge, func() {}), nil
}

func each[T any](list []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, x := range list {
			if !yield(x) {
				return
			}
		}
	}
}

func (o *CheckOptions) judge(s Source) *Stream {
	out := &Stream{Source: s.Name}
	r, err := s.reader(o)
	if err != nil {
		return o.unread(out, err)
	}
	defer r.Close()
	v := lazyJudge{options: o.Options}
	err = wire.Feed(r, o.wire(s), &v)
	out.Report = v.report()
	if err = firstError(v.err, err); err != nil {
		o.unread(out, err)
	}
	if o.Evidence {
		out.Groups, out.Advice = group(out.Report.Findings, o.Floor)
		o.gather(s, r, out.Groups)
	}
	return out
}

func (o *CheckOptions) wire(s Source) wire.Options {
	return wire.Options{Format: s.format, EventBytes: o.Limits.EventBytes}
}

// unread notes that a recording was not read to its end.
func (o *CheckOptions) unread(out *Stream, err error) *Stream {
	out.Err = Plain(err)
	if out.Report.Verdict.Outcome == verifier.Accept {
		out.Report.Verdict = verifier.Verdict{Outcome: verifier.Incomplete}
	}
	return out
}

// gather reads the recording again for the events that groups are about. What cannot be read again
// is left out: evidence is a help, the verdict stands.
func (o *CheckOptions) gather(s Source, first *recording, groups []Group) {
	wanted := wantedBy(groups)
	if len(wanted) == 0 {
		return
	}
	again, err := first.again(s)
	if err != nil {
		return
	}
	defer again.Close()
	frames := wire.NewReader(again, o.wire(s))
	for i := 0; len(wanted) > 0; i++ {
		f, err := frames.Next()
		if err != nil {
			return
		}
		for _, fill := range wanted[i] {
			fill(f)
		}
		delete(wanted, i)
	}
}

// errOnce is for a source that can be read only once and was too long to keep.
var errOnce = errors.New("the input can be read only once")

var _ io.ReadCloser = (*recording)(nil)
