package scenarios_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/agentstream/conformance/conformance/scenario"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/wire"
)

// A judgement is a line of a scenario about one of its streams.
type judgement struct{ scenario.Judgement }

// parseJudgement reads a command with its arguments.
func parseJudgement(profile, stream, command string, args []string) (judgement, error) {
	j, err := scenario.ParseJudgement(profile, stream, command, args)
	return judgement{j}, err
}

// files gives the content of a scenario's files by name.
type files func(name string) ([]byte, error)

// judge gives the stream to a verifier.
func (j *judgement) judge(p *protocol, read files) (verifier.Judge, error) {
	stream, err := read(j.Stream + ".stream")
	if err != nil {
		return nil, err
	}
	o := j.Options
	if j.Request != "" {
		if o.Request, err = read(j.Request); err != nil {
			return nil, err
		}
	}
	v, err := p.judge(o)
	if err != nil {
		return nil, err
	}
	return v, wire.Feed(bytes.NewReader(stream), wire.Options{Format: wire.NDJSON}, v)
}

// check compares what a verifier said with what the line demands. The clause is the one that the
// scenario is named after; a bad stream must be blamed for it, not for a sibling that happens to
// share its code and place, and a good stream must not be blamed for it at all.
func (j *judgement) check(r verifier.Report, c clause) error {
	if err := j.Check(r); err != nil {
		return err
	}
	return j.checkClause(r, c)
}

func (j *judgement) checkClause(r verifier.Report, c clause) error {
	if c.name == "" {
		return nil
	}
	if strings.HasPrefix(j.Stream, "good") {
		if f := found(r, c); f != nil {
			return fmt.Errorf("a good stream is blamed for %s at %d: %s", c.name, f.Index, f.Detail)
		}
		return nil
	}
	if j.Code != c.code || !c.judgedIn(j.Options.Profile) {
		return nil
	}
	for _, f := range r.Findings {
		if f.Clause == c.name && f.Protocol == c.of && f.Index == j.At(r) {
			return nil
		}
	}
	return fmt.Errorf("%s at %d is not found for clause %s", j.Code, j.At(r), c.name)
}

// found returns the first finding of a clause; nil without one.
func found(r verifier.Report, c clause) *verifier.Violation {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Clause == c.name && f.Protocol == c.of {
			return f
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
