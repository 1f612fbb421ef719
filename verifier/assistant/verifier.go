package assistant

import (
	"fmt"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant/dicode"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// The profiles.
const (
	Pi1x   = pi.Pi1x
	Pi080  = pi.Pi080
	Pi073  = pi.Pi073
	DiCode = "di-code"
)

// Rules is the table of all rules.
func Rules() *verifier.Table { return rules.Table() }

// Options say how to judge. The zero value is profile pi-1.x with default limits.
type Options struct {
	// Profile is one of the four; empty means pi-1.x.
	Profile string
	// Limits bound the cost; what is zero has its default.
	Limits verifier.Limits
	// Dump puts what was open into each violation.
	Dump bool
	// Off are clauses that are not judged.
	Off verifier.Mask
}

// A Verifier judges one stream. It is not safe for concurrent use.
type Verifier struct {
	options Options
	engine  *verifier.Engine
	decoder *event.Decoder
	machine *Machine        // of pi
	diCode  *dicode.Machine // of di-code
	judged  verifier.Mask
	next    verifier.Place
	ended   bool
}

var _ verifier.Judge = (*Verifier)(nil)

// New returns a verifier for one stream. It fails on a profile that there is not and on a limit that makes
// no sense.
func New(o Options) (*Verifier, error) {
	if o.Profile == "" {
		o.Profile = Pi1x
	}
	o.Limits = o.Limits.OrDefault()
	profile, err := check(o)
	if err != nil {
		return nil, err
	}
	v := &Verifier{options: o, engine: verifier.NewEngine(rules.Table(), profile, o.Limits)}
	v.judged = v.engine.Judged(false, 0, o.Off)
	v.engine.Judge(&v.judged)
	open := v.newMachine()
	if o.Dump {
		v.engine.Dump = open
	}
	return v, nil
}

func check(o Options) (profile int, err error) {
	profile, ok := rules.Table().Profile(o.Profile)
	if !ok {
		return 0, fmt.Errorf("there is no profile %q; there are %q", o.Profile, rules.Table().Profiles)
	}
	if o.Limits.EventBytes > scan.MaxBytes {
		return 0, fmt.Errorf("an event of %d bytes is more than can be read; the most is %d", o.Limits.EventBytes, scan.MaxBytes)
	}
	if o.Limits.Depth > scan.MaxDepth {
		return 0, fmt.Errorf("a depth of %d is more than can be read; the most is %d", o.Limits.Depth, scan.MaxDepth)
	}
	return profile, nil
}

// newMachine makes the profile's machine and returns what lists its open blocks.
func (v *Verifier) newMachine() (open func() []verifier.Item) {
	if v.options.Profile == DiCode {
		v.decoder = event.NewDecoder(event.DiCode(), v.options.Limits.Depth)
		v.diCode = dicode.New(v.engine, v.options.Limits)
		return v.diCode.Open
	}
	v.decoder = event.NewDecoder(event.Pi(v.options.Profile), v.options.Limits.Depth)
	v.machine = NewMachine(v.engine, v.options.Profile, v.options.Limits)
	return v.machine.Open
}

// Observe judges the next event, given as its JSON. See verifier.Verifier.
func (v *Verifier) Observe(data []byte) []verifier.Violation {
	return v.ObserveAt(data, verifier.Place{})
}

// ObserveAt is Observe for an event whose line and byte offset are known. The index is counted here.
func (v *Verifier) ObserveAt(data []byte, at verifier.Place) []verifier.Violation {
	if !v.begin(at) {
		return nil
	}
	if len(data) > v.options.Limits.EventBytes {
		return v.exceeds()
	}
	return v.judge(v.decoder.Decode(data))
}

// ObserveOver is ObserveAt for an event that is over the limit of bytes and was not read.
func (v *Verifier) ObserveOver(at verifier.Place) []verifier.Violation {
	if !v.begin(at) {
		return nil
	}
	return v.exceeds()
}

func (v *Verifier) exceeds() []verifier.Violation {
	detail := fmt.Sprintf("the event is bigger than %d bytes", v.options.Limits.EventBytes)
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

func (v *Verifier) judge(e *event.Event) []verifier.Violation {
	v.engine.Type(e.Type)
	if v.diCode != nil {
		v.diCode.Observe(e)
	} else {
		v.machine.observe(e)
	}
	return v.engine.Found()
}

// Finish judges the end of the stream. See verifier.Verifier.
func (v *Verifier) Finish() []verifier.Violation {
	if v.engine.Stopped() || v.ended {
		return nil
	}
	v.ended = true
	v.engine.Begin(v.next)
	if v.diCode != nil {
		v.diCode.Finish()
	} else {
		v.machine.finish()
	}
	return v.engine.Found()
}

// Verdict is what the stream comes to as far as it was observed.
func (v *Verifier) Verdict() verifier.Verdict { return v.engine.Verdict() }

// Report returns all that is known of the stream. It is complete after Finish.
func (v *Verifier) Report() verifier.Report {
	r := verifier.Report{
		Protocol: rules.Table().Protocol, Profile: v.options.Profile, Events: v.next.Index,
		Verdict: v.engine.Verdict(), Stopped: v.engine.Stopped(),
	}
	r.Findings, r.Counts, r.Omitted = v.engine.Findings()
	return r
}

// Coverage returns how often a clause was looked at and how often it was broken.
func (v *Verifier) Coverage(c verifier.ClauseID) (evaluated, fired uint64) {
	return v.engine.Coverage(c)
}
