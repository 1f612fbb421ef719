package scenarios_test

import (
	"errors"

	"github.com/agentstream/conformance/scenarios"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/session"
)

// A protocol is what the tests know of one: its rules, and who judges by them.
type protocol struct {
	name  string
	table *verifier.Table
	judge func(agui.Options) (verifier.Judge, error)
}

// protocols are those that have verifiers.
func protocols() []*protocol {
	return []*protocol{
		{scenarios.AGUI, agui.Rules(), func(o agui.Options) (verifier.Judge, error) { return agui.New(o) }},
		{scenarios.Assistant, assistant.Rules(), others(func(o agui.Options) (verifier.Judge, error) {
			return assistant.New(assistant.Options{Profile: o.Profile, Limits: o.Limits, Off: o.Off})
		})},
		{scenarios.Session, session.Rules(), others(func(o agui.Options) (verifier.Judge, error) {
			return session.New(session.Options{Profile: o.Profile, Limits: o.Limits, Off: o.Off})
		})},
	}
}

// aguiProtocol is the one whose scenarios also ask producers.
func aguiProtocol() *protocol { return protocols()[0] }

var errOnlyAGUI = errors.New("revisions and requests are AG-UI's")

// others refuses options that only AG-UI has.
func others(judge func(agui.Options) (verifier.Judge, error)) func(agui.Options) (verifier.Judge, error) {
	return func(o agui.Options) (verifier.Judge, error) {
		if o.Revision != "" || o.Request != nil || o.StrictVersion {
			return nil, errOnlyAGUI
		}
		return judge(o)
	}
}

// title is what a test about a scenario is called. AG-UI's are without their protocol.
func (p *protocol) title(scenario string) string {
	if p.name == scenarios.AGUI {
		return scenario
	}
	return p.name + "/" + scenario
}
