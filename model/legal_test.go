package model_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/model"
	"github.com/agentstream/conformance/model/spec"
)

func accepted(s model.Stream) error {
	for _, profile := range model.Profiles() {
		if !s.Accepts(profile) {
			continue
		}
		found := judge(s, profile)
		if verdict, code, index := spec.Verdict(found); verdict != "accept" {
			return fmt.Errorf("%s: %s at %d%s", profile, code, index, show(s))
		}
	}
	return nil
}

func TestLegalStreamsAreAccepted(t *testing.T) {
	forEach(t, checks(t, 3000), model.Legal(model.Knobs{}), accepted)
}

func TestGuardStreamsAreAcceptedByAllProfiles(t *testing.T) {
	forEach(t, checks(t, 1000), model.Legal(model.Knobs{Guard: true}), func(s model.Stream) error {
		for _, profile := range model.Profiles() {
			if !s.Accepts(profile) {
				return fmt.Errorf("not for %s%s", profile, show(s))
			}
		}
		return accepted(s)
	})
}

// Features by the event kinds that have them.
var kindsOf = map[model.Feature]string{
	model.Chunks: "_CHUNK", model.Subagents: "SUBAGENT_", model.Reasoning: "REASONING_", model.Tools: "TOOL_CALL_", model.Steps: "STEP_",
	model.State: "STATE_", model.Activities: "ACTIVITY_", model.Snapshots: "MESSAGES_SNAPSHOT", model.Errors: "RUN_ERROR",
}

func TestWhatIsSwitchedOffDoesNotOccur(t *testing.T) {
	for off, kind := range kindsOf {
		forEach(t, 1+checks(t, 2000)/len(kindsOf), model.Legal(model.Knobs{Without: off}), func(s model.Stream) error {
			for _, e := range decode(t, s) {
				if strings.Contains(e.str("type"), kind) || off == model.Subagents && e.has("subagentRunId") {
					return fmt.Errorf("without %s, and yet%s", kind, show(s))
				}
			}
			return accepted(s)
		})
	}
	plain := model.Knobs{Without: model.Runs | model.Optional | model.Unicode | model.Odd | model.Versions | model.Requests | model.Echoes | model.Interrupts | model.Passthrough}
	forEach(t, checks(t, 200), model.Legal(plain), func(s model.Stream) error {
		for i, e := range decode(t, s) {
			if e.has("metadata") || e.has("rawEvent") || s.Request != nil || e.typ() == baseline.RunStarted && i > 1 || bytes.ContainsAny(s.Events[i], "\t") {
				return fmt.Errorf("not plain%s", show(s))
			}
		}
		return accepted(s)
	})
}

func TestStreamsKeepToTheirSize(t *testing.T) {
	for _, most := range []int{2, 5, 200} {
		longest := 0
		forEach(t, 500, model.Legal(model.Knobs{MaxEvents: most}), func(s model.Stream) error {
			longest = max(longest, len(s.Events))
			if len(s.Events) > most {
				return fmt.Errorf("%d events%s", len(s.Events), show(s))
			}
			return nil
		})
		t.Logf("at most %d: longest %d", most, longest)
	}
}
