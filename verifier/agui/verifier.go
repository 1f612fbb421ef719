// Package agui judges AG-UI event streams: it is the reference verifier. A stream is given event by
// event, as the JSON that was sent; what is wrong comes back as violations that name the rule, the
// place and the cause.
//
// The profile says who is judged (see package rules for the table): producer and consumer follow
// AG-UI 1.0 over a whole stream with all its runs; server and client are the guards that an SDK runs
// inside itself, for one run.
package agui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui/event"
	"github.com/agentstream/conformance/verifier/agui/guard"
	"github.com/agentstream/conformance/verifier/agui/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// The profiles.
const (
	Producer = "producer" // what a producer may put on one response
	Consumer = "consumer" // what a consumer must fail on, and what it must carry on with
	Server   = "server"   // the emit-time guard of one run
	Client   = "client"   // the receive-time guard of one run
)

// The revisions. The empty string is 1.0 without asking for it by name.
const (
	Revision1    = "1.0"
	Revision0    = "0.x"  // as npm 0.0.59 had it
	RevisionAuto = "auto" // by what each run declares: nothing means 0.x
)

// Revisions are the names that Options.Revision takes.
func Revisions() []string { return []string{Revision1, Revision0, RevisionAuto} }

// Rules is the table of all rules.
func Rules() *verifier.Table { return rules.Table() }

// Options say how to judge. The zero value is profile producer under 1.0 with default limits.
type Options struct {
	// Profile is one of the four; empty means producer.
	Profile string
	// Revision is empty or one of Revisions.
	Revision string
	// Request is the RunAgentInput that the stream answers, as JSON. Nil where it is not known:
	// rules that need it are not judged then.
	Request []byte
	// StrictVersion makes a missing protocolVersion an error, where 1.0 is asked for by name.
	StrictVersion bool
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
	machine *machine       // of producer and consumer
	guard   *guard.Machine // of server and client
	initial event.Version
	judged  [2]verifier.Mask // by revision: 1.0, 0.x
	next    verifier.Place
	ended   bool
}

var _ verifier.Judge = (*Verifier)(nil)

// New returns a verifier for one stream. It fails on a profile or revision that there is not, on a
// limit that makes no sense, and on a request that is no JSON object.
func New(o Options) (*Verifier, error) {
	if o.Profile == "" {
		o.Profile = Producer
	}
	o.Limits = o.Limits.OrDefault()
	profile, err := check(o)
	if err != nil {
		return nil, err
	}
	v := &Verifier{options: o, engine: verifier.NewEngine(rules.Table(), profile, o.Limits)}
	v.initial.Early = o.Revision == Revision0
	v.judged = [2]verifier.Mask{v.engine.Judged(false, 0, o.Off), v.engine.Judged(true, 0, o.Off)}
	if profile == rules.Server || profile == rules.Client {
		v.newGuard(profile == rules.Client)
	} else if err := v.newMachine(); err != nil {
		return nil, err
	}
	return v, nil
}

func check(o Options) (profile int, err error) {
	profile, ok := rules.Table().Profile(o.Profile)
	if !ok {
		return 0, fmt.Errorf("there is no profile %q; there are %q", o.Profile, rules.Table().Profiles)
	}
	if o.Revision != "" && o.Revision != Revision1 && o.Revision != Revision0 && o.Revision != RevisionAuto {
		return 0, fmt.Errorf("there is no revision %q; there are %q", o.Revision, Revisions())
	}
	if o.Limits.EventBytes > scan.MaxBytes {
		return 0, fmt.Errorf("an event of %d bytes is more than can be read; the most is %d", o.Limits.EventBytes, scan.MaxBytes)
	}
	if o.Limits.Depth > scan.MaxDepth {
		return 0, fmt.Errorf("a depth of %d is more than can be read; the most is %d", o.Limits.Depth, scan.MaxDepth)
	}
	return profile, nil
}

func (v *Verifier) newGuard(client bool) {
	reader := event.ServerGuard
	if client {
		reader = event.ClientGuard
	}
	v.decoder = event.NewDecoder(reader, v.options.Limits.Depth, v.options.Revision == RevisionAuto)
	v.guard = guard.New(v.engine, client, v.options.Limits)
	if v.options.Dump {
		v.engine.Dump = v.guard.Open
	}
}

func (v *Verifier) newMachine() error {
	var r *request
	if v.options.Request != nil {
		x := scan.Diagnose(v.options.Request, v.options.Limits.Depth)
		if x.Broken.Found || x.TooDeep.Found || x.Cleaned[0] != '{' {
			return errors.New(strings.TrimSuffix("the request is no JSON object, as a RunAgentInput is: "+x.Broken.Detail+x.TooDeep.Detail, ": "))
		}
		r = readRequest(x.Cleaned)
	}
	v.decoder = event.NewDecoder(event.Whole, v.options.Limits.Depth, v.options.Revision == RevisionAuto)
	v.machine = newMachine(v.engine, v.options, r)
	v.machine.version = v.initial
	if v.options.Dump {
		v.engine.Dump = v.machine.open.dump
	}
	return nil
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
	return v.judge(v.decoder.Decode(data, v.version(), v.machine != nil && v.machine.phase == running))
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
	return v.judge(v.decoder.Exceeds(rules.LimitEventBytes, v.version(), detail))
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

func (v *Verifier) version() event.Version {
	if v.machine != nil {
		return v.machine.version
	}
	return v.initial
}

// mask is what is judged under a version.
func (v *Verifier) mask(x event.Version) *verifier.Mask {
	if x.Early {
		return &v.judged[1]
	}
	return &v.judged[0]
}

func (v *Verifier) judge(e *event.Event) []verifier.Violation {
	v.engine.Type(e.Type.String())
	v.engine.Judge(v.mask(e.Version))
	if v.guard != nil {
		v.guard.Observe(e)
		return v.engine.Found()
	}
	v.machine.observe(e)
	if x := v.machine.limit; x.reached {
		v.engine.Blame(x.clause, verifier.Fault{Detail: x.detail})
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
	v.engine.Judge(v.mask(v.version()))
	if v.guard != nil {
		v.guard.Finish()
	} else {
		v.machine.finish()
	}
	return v.engine.Found()
}

// Verdict is what the stream comes to as far as it was observed.
func (v *Verifier) Verdict() verifier.Verdict { return v.engine.Verdict() }

// Report returns all that is known of the stream. It is complete after Finish.
func (v *Verifier) Report() verifier.Report {
	r := verifier.Report{Protocol: rules.Table().Protocol, Profile: v.options.Profile, Revision: v.options.Revision, Events: v.next.Index, Verdict: v.engine.Verdict(), Stopped: v.engine.Stopped()}
	if r.Revision == "" {
		r.Revision = Revision1
	}
	r.Findings, r.Counts, r.Omitted = v.engine.Findings()
	if v.machine != nil {
		r.Runs = append([]verifier.Run(nil), v.machine.ids.history...)
	}
	return r
}

// Coverage returns how often a clause was looked at and how often it was broken.
func (v *Verifier) Coverage(c verifier.ClauseID) (evaluated, fired uint64) {
	return v.engine.Coverage(c)
}
