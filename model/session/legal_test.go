package session_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/model/session"
	"github.com/agentstream/conformance/model/session/spec"
)

// judged is what the specification says of a recording.
func judged(s session.Stream) []session.Finding {
	var out []session.Finding
	for _, f := range spec.Judge(s.Records, spec.Options{Profile: s.Profile}).Findings {
		out = append(out, session.Finding{Code: f.Code, Severity: f.Severity, Index: f.Index})
	}
	return ordered(out)
}

func ordered(list []session.Finding) []session.Finding {
	slices.SortFunc(list, func(a, b session.Finding) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return strings.Compare(a.Code, b.Code)
	})
	return list
}

func asExpected(s session.Stream) error {
	if want, have := ordered(slices.Clone(s.Expected)), judged(s); !slices.Equal(want, have) {
		return fmt.Errorf("want %v, have %v\n%s", want, have, s)
	}
	return nil
}

func TestLegalRecordingsGetWhatTheyExpect(t *testing.T) {
	for _, class := range session.Classes() {
		t.Run(string(class), func(t *testing.T) {
			forEach(t, checks(t, 150), session.Legal(session.Knobs{Class: class}), asExpected)
		})
	}
}

func TestBrokenRecordingsGetTheirFault(t *testing.T) {
	for _, b := range session.Breakages() {
		t.Run(b.Clause+"/"+b.Profile, func(t *testing.T) {
			forEach(t, min(checks(t, 4), 50), b.Generate(session.Knobs{}), hasItsFault)
		})
	}
}

// hasItsFault holds that a recording has its fault, and no error before it but the one that is always there.
func hasItsFault(b session.Broken) error {
	found := judged(b.Stream)
	first := slices.IndexFunc(found, func(f session.Finding) bool { return f.Severity == "error" })
	switch {
	case !slices.Contains(found, b.Expect.Finding):
		return fmt.Errorf("have %v\n%s", found, b)
	case (b.Expect.Verdict == "reject") != (first >= 0):
		return fmt.Errorf("the verdict is another: %v\n%s", found, b)
	case first >= 0 && found[first].Index != b.Expect.First.Index:
		return fmt.Errorf("the first error is another: %v\n%s", found, b)
	}
	return nil
}

// absentKinds are kinds that do not occur without a feature.
var absentKinds = map[session.Feature][]string{
	session.Tools: {"tool_execution", "toolResult", "update toolcall"}, session.Thinking: {"update thinking"}, session.Queue: {"queue_update", "> steer", "> follow_up"},
	session.Customs: {"custom", "entry_appended custom"}, session.Retries: {"auto_retry"}, session.Compactions: {"compaction", "summarization", "> compact"},
	session.Bash: {"> bash", "bash_execution"}, session.Dialogs: {"ui "}, session.Replacements: {"> fork", "> clone", "> new_session"}, session.Raw: {"raw"},
}

func TestWhatIsSwitchedOffDoesNotOccur(t *testing.T) {
	for off, kinds := range absentKinds {
		for _, class := range []session.Class{session.Agent, session.JSON, session.Transcript} {
			forEach(t, 60, session.Legal(session.Knobs{Without: off, Class: class}), func(s session.Stream) error {
				for i, kind := range kindsOf(t, s.Records) {
					if slices.ContainsFunc(kinds, func(k string) bool { return strings.Contains(kind, k) }) {
						return fmt.Errorf("without %v, and yet at %d: %s\n%s", kinds, i, kind, s)
					}
				}
				return asExpected(s)
			})
		}
	}
}

func TestRecordingsOfNothingSpecialExpectNothing(t *testing.T) {
	plain := session.Knobs{Without: session.Cuts | session.Rude | session.BadArguments | session.Odd | session.Unicode | session.Optional}
	forEach(t, 300, session.Legal(plain), func(s session.Stream) error {
		if len(s.Expected) > 0 {
			// a process that ends with a question on the screen leaves its command without an answer
			if s.Class != session.Host || s.Expected[0].Code != "response-missing" {
				return fmt.Errorf("expects something\n%s", s)
			}
		}
		if slices.ContainsFunc(s.Records, func(r []byte) bool { return bytes.Contains(r, []byte(`\ud`)) }) {
			return fmt.Errorf("not plain\n%s", s)
		}
		return nil
	})
}

// Mutations are worth something if many of them break the recording, and what they start from stays as it was.
func TestMutationsBreakMany(t *testing.T) {
	legal := session.Legal(session.Knobs{})
	g := rapid.Custom(func(t *rapid.T) [2]session.Stream {
		s := legal.Draw(t, "legal")
		return [2]session.Stream{s, session.Mutate(s).Draw(t, "mutant")}
	})
	codes := map[string]int{}
	rejected, n := 0, checks(t, 600)
	forEach(t, n, g, func(s [2]session.Stream) error {
		found := judged(s[1])
		if slices.ContainsFunc(found, func(f session.Finding) bool { return f.Severity == "error" }) {
			rejected++
		}
		for _, f := range found {
			codes[f.Code]++
		}
		return asExpected(s[0])
	})
	t.Logf("%d of %d rejected, with %d codes: %v", rejected, n, len(codes), codes)
	if rejected < n/3 || rejected == n {
		t.Errorf("%d of %d mutants are rejected", rejected, n)
	}
}

func TestSameDrawsGiveTheSameRecording(t *testing.T) {
	g := session.Legal(session.Knobs{})
	for seed := range 50 {
		a, b := g.Example(seed), g.Example(seed)
		if !bytes.Equal(bytes.Join(a.Records, []byte("\n")), bytes.Join(b.Records, []byte("\n"))) {
			t.Fatalf("seed %d gives two recordings", seed)
		}
	}
}
