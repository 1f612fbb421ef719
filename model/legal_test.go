package model_test

import (
	"fmt"
	"testing"

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
	forEach(t, checks(t, 5000), model.Legal(model.Knobs{}), accepted)
}

func TestGuardStreamsAreAcceptedByAllProfiles(t *testing.T) {
	forEach(t, checks(t, 2000), model.Legal(model.Knobs{Guard: true}), func(s model.Stream) error {
		for _, profile := range model.Profiles() {
			if !s.Accepts(profile) {
				return fmt.Errorf("not for %s%s", profile, show(s))
			}
		}
		return accepted(s)
	})
}
