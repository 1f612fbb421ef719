package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model/assistant/spec"
	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
)

// The events of a provider stream are judged inside of a session's message, too, which has its own way to
// hear of them. An embeddedAnswer is one message: what its updates carry, and what ends it.
type embeddedAnswer struct {
	profile string
	updates [][]byte
	final   []byte // nil: the recording ends before
}

// embed takes a stream apart as a session would. Its start is never sent, and of its terminal event only the message.
func embed(x assistantTrial) (e embeddedAnswer, ok bool) {
	e.profile = x.profile
	for _, raw := range x.events {
		var event struct {
			Type    any
			Message json.RawMessage
			Error   json.RawMessage
		}
		switch err := json.Unmarshal(raw, &event); {
		case err != nil || !utf8.Valid(raw) || !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")):
			continue // a record that carries it is none itself
		case event.Type == "done" || event.Type == "error":
			for _, m := range []json.RawMessage{event.Message, event.Error} {
				if isAssistant(m) {
					e.final = m
				}
			}
			return e, e.final != nil
		case event.Type != "start":
			e.updates = append(e.updates, raw)
		}
	}
	return e, true
}

func isAssistant(message []byte) bool {
	var m struct{ Role any }
	return json.Unmarshal(message, &m) == nil && m.Role == "assistant"
}

const draftMessage = `{"role":"assistant","content":[],"api":"a","provider":"p","model":"m","timestamp":1,"stopReason":"stop","usage":` + madeUsage + `}`

// firstUpdate is the record of the first update.
const firstUpdate = 3

func (e embeddedAnswer) records() [][]byte {
	out := [][]byte{[]byte(`{"type":"agent_start"}`), []byte(`{"type":"turn_start"}`), []byte(`{"type":"message_start","message":` + draftMessage + `}`)}
	for _, u := range e.updates {
		out = append(out, fmt.Appendf(nil, `{"type":"message_update","message":%s,"assistantMessageEvent":%s}`, draftMessage, u))
	}
	if e.final != nil {
		out = append(out, fmt.Appendf(nil, `{"type":"message_end","message":%s}`, e.final))
	}
	return out
}

// specified are the findings of the specification, by the records of the session.
func (e embeddedAnswer) specified() []finding {
	var updates []spec.Part
	for i, u := range e.updates {
		updates = append(updates, spec.Part{Index: firstUpdate + i, JSON: u})
	}
	var final *spec.Part
	if e.final != nil {
		final = &spec.Part{Index: firstUpdate + len(updates), JSON: e.final}
	}
	var out []finding
	for _, f := range spec.Embedded(updates, final, spec.Options{Profile: e.profile}) {
		out = append(out, finding{Code: f.Code, Index: f.Index, Severity: f.Severity})
	}
	return sorted(out)
}

// judged are the findings of the session's verifier that are the provider stream's; ok is false where the
// session refuses the final message by itself.
func (e embeddedAnswer) judged(t rapid.TB) (found []finding, ok bool) {
	t.Helper()
	v, err := session.New(session.Options{Profile: e.profile, Limits: verifier.Limits{Findings: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	records := e.records()
	for _, r := range records {
		v.Observe(r)
	}
	v.Finish()
	var mine []verifier.Violation
	for _, f := range v.Report().Findings {
		switch {
		case f.Protocol == "assistant":
			mine = append(mine, f)
		case f.Index == len(records)-1 && e.final != nil && slices.Contains([]string{"missing-field", "wrong-type", "bad-value"}, f.Code):
			return nil, false
		}
	}
	return sorted(outline(mine)), true
}

func compareEmbedded(t rapid.TB, e embeddedAnswer) {
	t.Helper()
	have, ok := e.judged(t)
	if want := e.specified(); ok && !slices.Equal(want, have) {
		t.Fatalf("%s\n%s\n(-specification +verifier)\n%s", e.profile, ndjson(e.records()), cmp.Diff(want, have))
	}
}

func TestEmbeddedAnswersAreJudgedAsSpecified(t *testing.T) {
	rapid.Check(t, embeddedAgreement)
	for seed := range uint64(checks(3000)) {
		m := newAnswerMaker(rand.New(rand.NewPCG(seed, 23)))
		if x := m.trial(4 + m.IntN(16)); !m.dicode() {
			if e, ok := embed(x); ok {
				compareEmbedded(t, e)
			}
		}
	}
}

func embeddedAgreement(t *rapid.T) {
	x := ofAssistant(anyAnswer(t))
	if e, ok := embed(x); ok && x.profile != "di-code" {
		compareEmbedded(t, e)
	}
}

func FuzzAssistantEmbedded(f *testing.F) { fuzzDrawn(f, embeddedAgreement) }
