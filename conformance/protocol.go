package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/session"
)

// ProtocolAuto is the name that stands for what the profile implies or the stream shows.
const ProtocolAuto = "auto"

// A protocol is one that the kit judges.
type protocol struct {
	table *verifier.Table
	open  func(Options) (verifier.Judge, error)
	// shows tells whether the first event of a stream is one of the protocol's.
	shows func(first firstEvent) bool
	// revisions are empty where the protocol has a profile for each.
	revisions []string
	// unit is what the protocol calls one element of a stream.
	unit string
	ids  map[string]string
	// model makes streams.
	model maker
}

func (p *protocol) name() string { return p.table.Protocol }

// named is the name where a profile alone does not imply it; empty for the default protocol.
func (p *protocol) named() string {
	if p == protocols[0] {
		return ""
	}
	return p.name()
}

// protocols are all of them; the first is judged where nothing says which.
var protocols = []*protocol{{
	table: agui.Rules(), open: openAGUI, shows: firstEvent.isAGUI, revisions: agui.Revisions(), unit: "event", ids: aguiIDs, model: aguiMaker{},
}, {
	table: assistant.Rules(), open: openAssistant, shows: firstEvent.isAssistant, unit: "event", ids: assistantIDs, model: assistantMaker{},
}, {
	table: session.Rules(), open: openSession, shows: firstEvent.isSession, unit: "record", ids: sessionIDs, model: sessionMaker{},
}}

func openAGUI(o Options) (verifier.Judge, error) {
	return agui.New(agui.Options{
		Profile: o.Profile, Revision: o.Revision, Request: o.Request, StrictVersion: o.StrictVersion,
		Limits: o.Limits, Dump: o.Dump, Off: o.Off,
	})
}

func openAssistant(o Options) (verifier.Judge, error) {
	return assistant.New(assistant.Options{Profile: o.Profile, Limits: o.Limits, Dump: o.Dump, Off: o.Off})
}

func openSession(o Options) (verifier.Judge, error) {
	return session.New(session.Options{Profile: o.Profile, Limits: o.Limits, Dump: o.Dump, Off: o.Off})
}

// Protocols are the names of the protocols, the default one first.
func Protocols() []string {
	var names []string
	for _, p := range protocols {
		names = append(names, p.name())
	}
	return names
}

// protocolNamed returns a protocol by its name.
func protocolNamed(name string) (*protocol, bool) {
	for _, p := range protocols {
		if p.name() == name {
			return p, true
		}
	}
	return nil, false
}

// Profiles are the names of the profiles of a protocol, the default one first; of the empty name or
// auto, those of all protocols.
func Profiles(protocol string) []string {
	var names []string
	for _, p := range protocols {
		if protocol != "" && protocol != ProtocolAuto && protocol != p.name() {
			continue
		}
		for _, name := range p.table.Profiles {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Rules is the table that explains the codes of a protocol; nil where there is none of that name.
func Rules(protocol string) *verifier.Table {
	if p, ok := protocolNamed(protocol); ok {
		return p.table
	}
	return nil
}

// Unit is what a protocol calls one element of a stream.
func Unit(protocol string) string {
	if p, ok := protocolNamed(protocol); ok {
		return p.unit
	}
	return protocols[0].unit
}

// candidates are the protocols that options leave open.
func (o Options) candidates() ([]*protocol, error) {
	if o.Protocol == "" || o.Protocol == ProtocolAuto {
		return o.implied()
	}
	p, ok := protocolNamed(o.Protocol)
	switch {
	case !ok:
		return nil, Unknown("protocol", o.Protocol, append(Protocols(), ProtocolAuto))
	case o.Profile != "" && !slices.Contains(p.table.Profiles, o.Profile):
		return nil, Unknown("profile of "+p.name(), o.Profile, p.table.Profiles)
	case p.revisions == nil && o.ofAGUI():
		return nil, fmt.Errorf("a revision, a request and --strict-version are for protocol %s, not for %s", protocols[0].name(), p.name())
	}
	return []*protocol{p}, nil
}

// ofAGUI tells whether options have what only AG-UI knows.
func (o Options) ofAGUI() bool { return o.Revision != "" || o.Request != nil || o.StrictVersion }

func (o Options) implied() ([]*protocol, error) {
	var open []*protocol
	for _, p := range protocols {
		if (o.Profile == "" || slices.Contains(p.table.Profiles, o.Profile)) && (p.revisions != nil || !o.ofAGUI()) {
			open = append(open, p)
		}
	}
	if open == nil && !slices.Contains(Profiles(""), o.Profile) {
		return nil, Unknown("profile", o.Profile, Profiles(""))
	}
	if open == nil {
		return nil, fmt.Errorf("profile %s has neither revisions nor requests; those are for protocol %s", o.Profile, protocols[0].name())
	}
	return open, nil
}

// protocolOf returns the protocol of a stream that begins with that event. A profile is never guessed.
func (o Options) protocolOf(first []byte) (*protocol, error) {
	open, err := o.candidates()
	if err != nil {
		return nil, err
	}
	if len(open) == 1 {
		return open[0], nil
	}
	event := readFirst(first)
	for _, p := range open {
		if p.shows(event) {
			return p, nil
		}
	}
	if o.Profile == "" {
		return open[0], nil
	}
	var names []string
	for _, p := range open {
		names = append(names, p.name())
	}
	return nil, fmt.Errorf("the first event does not show which protocol it is, and several have profile %s; give --protocol %s", o.Profile, strings.Join(names, " or "))
}

// JudgeAll judges a whole stream.
func JudgeAll(events [][]byte, o Options) (verifier.Report, error) {
	v := lazyJudge{options: o}
	for _, e := range events {
		v.ObserveAt(e, verifier.Place{})
	}
	v.Finish()
	return v.report(), v.err
}

// A lazyJudge is the judge of a stream whose first event says which. It judges nothing where there is
// none.
type lazyJudge struct {
	options Options
	judge   verifier.Judge
	err     error
}

func (l *lazyJudge) begin(first []byte) bool {
	if l.judge != nil || l.err != nil {
		return l.err == nil
	}
	p, err := l.options.protocolOf(first)
	if err == nil {
		l.judge, err = p.open(l.options)
	}
	l.err = err
	return err == nil
}

// ObserveAt gives the event on.
func (l *lazyJudge) ObserveAt(event []byte, at verifier.Place) []verifier.Violation {
	if !l.begin(event) {
		return nil
	}
	return l.judge.ObserveAt(event, at)
}

// ObserveOver gives it on.
func (l *lazyJudge) ObserveOver(at verifier.Place) []verifier.Violation {
	if !l.begin(nil) {
		return nil
	}
	return l.judge.ObserveOver(at)
}

// Finish ends the stream.
func (l *lazyJudge) Finish() []verifier.Violation {
	if !l.begin(nil) {
		return nil
	}
	return l.judge.Finish()
}

// report is the judge's, that of an empty stream where none was needed.
func (l *lazyJudge) report() verifier.Report {
	if !l.begin(nil) {
		return verifier.Report{}
	}
	return l.judge.Report()
}
