package fuzz

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/agui"
)

// What is legal by construction is accepted: by producer and consumer always, by the guards of one run
// where the model knows that it is for them.

var (
	legalStreams = model.Legal(model.Knobs{})
	guardStreams = model.Legal(model.Knobs{Guard: true})
)

func legal(t *rapid.T) { accepted(t, legalStreams.Draw(t, "stream")) }

func legalForGuards(t *rapid.T) { accepted(t, guardStreams.Draw(t, "stream")) }

func TestLegalStreamsAreAccepted(t *testing.T) {
	t.Run("of any kind", rapid.MakeCheck(legal))
	t.Run("of one run", rapid.MakeCheck(legalForGuards))
}

func FuzzLegal(f *testing.F) { fuzzDrawn(f, legal) }

func accepted(t rapid.TB, s model.Stream) {
	t.Helper()
	x := modelled(s)
	for _, x.options.Profile = range agui.Rules().Profiles {
		if !s.Accepts(x.options.Profile) {
			continue
		}
		if r := judge(t, x); r.Verdict.Outcome != verifier.Accept {
			disagree(t, x, "model", nil, "verifier", errorsOf(outline(r.Findings)))
		}
	}
}

// modelled is a stream of the model as a trial.
func modelled(s model.Stream) trial {
	return trial{s.Events, agui.Options{Profile: agui.Producer, Revision: s.Revision, Request: s.Request, StrictVersion: s.Strict}}
}

func errorsOf(all []finding) []finding {
	return slices.DeleteFunc(all, func(f finding) bool { return f.Severity != "error" })
}
