// Package session judges recordings of an agent session: the events of the agent's runs, what a session
// adds to them, transcripts of both directions of its pipes, logs of extensions, and traces of the
// application around it. A recording is given record by record, as the JSON of its lines; what is wrong
// comes back as violations that name the rule, the place and the cause.
//
// The profile is the release whose recording it is (see package rules for the table). The class of the
// input is found while reading: what only another class can show is not judged. The provider stream inside
// of message_update is judged by package assistant.
package session

import (
	"fmt"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session/record"
	"github.com/agentstream/conformance/verifier/session/rules"
)

// The profiles.
const (
	Pi1x  = "pi-1.x"
	Pi080 = "pi-0.80"
	Pi073 = "pi-0.73"
)

// Rules is the table of all rules, those of the provider stream behind the own ones.
func Rules() *verifier.Table { return rules.Table() }

// Options say how to judge. The zero value is profile pi-1.x with default limits.
type Options struct {
	// Profile is one of the three; empty means pi-1.x.
	Profile string
	// Limits bound the cost; what is zero has its default.
	Limits verifier.Limits
	// Dump puts what was open into each violation.
	Dump bool
	// Off are clauses that are not judged.
	Off verifier.Mask
}

// A Verifier judges one recording. It is not safe for concurrent use.
type Verifier struct {
	options Options
	profile int
	engine  *verifier.Engine
	decoder *record.Decoder
	machine *machine
	judged  [3]verifier.Mask // by class
	class   int              // agent, stdout, transcript; it only rises
	next    verifier.Place
	ended   bool
}

var _ verifier.Judge = (*Verifier)(nil)

// The classes of input, as positions in the table's list of them.
const (
	agentClass = iota
	stdoutClass
	transcriptClass
)

// New returns a verifier for one recording. It fails on a profile that there is not, and on a limit that
// makes no sense.
func New(o Options) (*Verifier, error) {
	if o.Profile == "" {
		o.Profile = Pi1x
	}
	o.Limits = o.Limits.OrDefault()
	profile, err := check(o)
	if err != nil {
		return nil, err
	}
	v := &Verifier{
		options: o, profile: profile, engine: verifier.NewEngine(rules.Table(), profile, o.Limits),
		decoder: record.NewDecoder(o.Profile, o.Limits.Depth),
	}
	for class := range v.judged {
		v.judged[class] = v.engine.Judged(false, 1<<class, o.Off)
	}
	v.machine = newMachine(v.engine, o, profile, v.decoder)
	if o.Dump {
		v.engine.Dump = v.machine.dump
	}
	return v, nil
}

func check(o Options) (profile int, err error) {
	profile, ok := rules.Table().Profile(o.Profile)
	if !ok {
		return 0, fmt.Errorf("there is no profile %q; there are %q", o.Profile, rules.Table().Profiles)
	}
	if o.Limits.EventBytes > scan.MaxBytes {
		return 0, fmt.Errorf("a record of %d bytes is more than can be read; the most is %d", o.Limits.EventBytes, scan.MaxBytes)
	}
	if o.Limits.Depth > scan.MaxDepth {
		return 0, fmt.Errorf("a depth of %d is more than can be read; the most is %d", o.Limits.Depth, scan.MaxDepth)
	}
	return profile, nil
}

// Observe judges the next record, given as its JSON. See verifier.Verifier.
func (v *Verifier) Observe(data []byte) []verifier.Violation {
	return v.ObserveAt(data, verifier.Place{})
}

// ObserveAt is Observe for a record whose line and byte offset are known. The index is counted here.
func (v *Verifier) ObserveAt(data []byte, at verifier.Place) []verifier.Violation {
	if !v.begin(at) {
		return nil
	}
	if len(data) > v.options.Limits.EventBytes {
		return v.exceeds()
	}
	return v.judge(v.decoder.Decode(data, v.class != agentClass))
}

// ObserveOver is ObserveAt for a record that is over the limit of bytes and was not read.
func (v *Verifier) ObserveOver(at verifier.Place) []verifier.Violation {
	if !v.begin(at) {
		return nil
	}
	return v.exceeds()
}

func (v *Verifier) exceeds() []verifier.Violation {
	detail := fmt.Sprintf("the record is bigger than %d bytes", v.options.Limits.EventBytes)
	return v.judge(v.decoder.Exceeds(rules.LimitEventBytes, detail))
}

// begin takes the next place and reports whether judging goes on.
func (v *Verifier) begin(at verifier.Place) bool {
	at.Index = v.next.Index
	v.next.Index++
	if v.engine.Stopped() || v.ended {
		return false
	}
	v.engine.Begin(at)
	return true
}

func (v *Verifier) judge(r *record.Record) []verifier.Violation {
	v.engine.Type(r.TypeName())
	v.class = max(v.class, classOf(r, v.profile))
	v.engine.Judge(&v.judged[v.class])
	v.machine.class = v.class
	v.machine.observe(r)
	if x := v.machine.limit; x.reached {
		v.engine.Blame(x.clause, verifier.Fault{Detail: x.detail})
	}
	return v.engine.Found()
}

// classOf says what a record shows of the input. What no release knows shows nothing: applications add
// types anywhere.
func classOf(r *record.Record, profile int) int {
	switch {
	case r.Enveloped:
		return transcriptClass
	case r.Type == record.MessageUpdate && profile == rules.Pi1x && r.Has(record.Usage) && !r.Has(record.Message):
		return stdoutClass // in an agent's process an update has its message
	case r.Type == record.AgentEnd && profile != rules.Pi073 && r.Has(record.WillRetry):
		return stdoutClass // only a session says so
	case r.Type == 0 || r.Type.OfRun():
		return agentClass
	}
	return stdoutClass
}

// Finish judges the end of the recording. See verifier.Verifier.
func (v *Verifier) Finish() []verifier.Violation {
	if v.engine.Stopped() || v.ended {
		return nil
	}
	v.ended = true
	v.engine.Begin(v.next)
	v.engine.Judge(&v.judged[v.class])
	v.machine.finish()
	return v.engine.Found()
}

// Verdict is what the recording comes to as far as it was observed.
func (v *Verifier) Verdict() verifier.Verdict { return v.engine.Verdict() }

// Report returns all that is known of the recording. It is complete after Finish.
func (v *Verifier) Report() verifier.Report {
	t := rules.Table()
	r := verifier.Report{
		Protocol: t.Protocol, Profile: v.options.Profile, Class: t.Classes[v.class], NotEvaluated: t.Hidden(v.profile, 1<<v.class),
		Events: v.next.Index, Verdict: v.engine.Verdict(), Stopped: v.engine.Stopped(),
	}
	r.Findings, r.Counts, r.Omitted = v.engine.Findings()
	return r
}

// Coverage returns how often a clause was looked at and how often it was broken.
func (v *Verifier) Coverage(c verifier.ClauseID) (evaluated, fired uint64) {
	return v.engine.Coverage(c)
}
