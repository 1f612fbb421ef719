package assistant_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/agentstream/conformance/model/assistant"
	"github.com/agentstream/conformance/model/assistant/spec"
)

// tolerated is what a legal stream may have beside its verdict.
var tolerated = map[string]bool{"unknown-event-type": true, "arguments-repaired": true}

func accepted(s assistant.Stream) error {
	for _, f := range judge(s) {
		if f.Severity == spec.E || !tolerated[f.Code] {
			return fmt.Errorf("%+v%s", f, show(s))
		}
	}
	return nil
}

func TestLegalStreamsAreAccepted(t *testing.T) {
	for _, profile := range assistant.Profiles() {
		for _, form := range assistant.Forms(profile) {
			t.Run(fmt.Sprintf("%s %d", profile, form), func(t *testing.T) {
				forEach(t, 1+checks(t, 2000)/len(assistant.Profiles())/len(assistant.Forms(profile)), assistant.Legal(assistant.Knobs{Profile: profile, Form: form}), accepted)
			})
		}
	}
}

// What is plain has nothing to say of it.
func TestPlainStreamsHaveNoFinding(t *testing.T) {
	for _, profile := range assistant.Profiles() {
		forEach(t, checks(t, 150), assistant.Legal(assistant.Knobs{Profile: profile, Without: assistant.Unparsed | assistant.Foreign}), func(s assistant.Stream) error {
			if found := judge(s); len(found) > 0 {
				return fmt.Errorf("%v%s", found, show(s))
			}
			return nil
		})
	}
}

func TestStreamsKeepToTheirSize(t *testing.T) {
	for _, most := range []int{2, 5, 200} {
		longest := 0
		for _, profile := range assistant.Profiles() {
			forEach(t, 150, assistant.Legal(assistant.Knobs{Profile: profile, MaxEvents: most}), func(s assistant.Stream) error {
				longest = max(longest, len(s.Events))
				if len(s.Events) > most {
					return fmt.Errorf("%d events%s", len(s.Events), show(s))
				}
				return nil
			})
		}
		t.Logf("at most %d: longest %d", most, longest)
	}
}

func TestSameDrawsGiveTheSameStream(t *testing.T) {
	g := assistant.Legal(assistant.Knobs{})
	for seed := range 50 {
		a, b := g.Example(seed), g.Example(seed)
		if !bytes.Equal(bytes.Join(a.Events, []byte("\n")), bytes.Join(b.Events, []byte("\n"))) {
			t.Fatalf("seed %d gives two streams", seed)
		}
	}
}
