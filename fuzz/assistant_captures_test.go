package fuzz

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Recorded provider streams, and what becomes of them when one record is left out, comes twice, or changes
// places with the next. They are in the folder that CONFORMANCE_CAPTURES names.

type assistantCapture struct {
	name string
	assistantTrial
}

func assistantCaptures(t *testing.T) []assistantCapture {
	t.Helper()
	root := os.Getenv("CONFORMANCE_CAPTURES")
	if root == "" {
		t.Skip("CONFORMANCE_CAPTURES names no folder of recorded streams")
	}
	var out []assistantCapture
	for _, kind := range []string{"ai-*", "adapter-*", "dicode-*"} {
		files, err := filepath.Glob(filepath.Join(root, "pi", kind+".jsonl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s: %v", kind, err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if name := filepath.Base(path); name != "dicode-edge-verdicts.jsonl" {
				out = append(out, assistantCapture{name, assistantTrial{events: bytes.Split(bytes.TrimSpace(data), []byte("\n")), profile: captureProfile(name)}})
			}
		}
	}
	return out
}

func captureProfile(name string) string {
	for mark, profile := range map[string]string{"dicode-": "di-code", "-0.73": "pi-0.73", "-0.80": "pi-0.80"} {
		if strings.Contains(name, mark) {
			return profile
		}
	}
	return "pi-1.x"
}

func TestRecordedAnswersHaveNoFinding(t *testing.T) {
	for _, c := range assistantCaptures(t) {
		if found := assistantFindings(t, c.assistantTrial); len(found) > 0 {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}

func TestMutantsOfRecordedAnswersAreJudgedAlike(t *testing.T) {
	noticed, all := 0, 0
	for _, c := range assistantCaptures(t) {
		for i := range c.events {
			mutants := map[string][][]byte{
				"deleted": without(c.events, i),
				"doubled": slices.Insert(slices.Clone(c.events), i, c.events[i]),
			}
			if i+1 < len(c.events) {
				mutants["swapped"] = mixedUp(c.events, i)
			}
			for how, events := range mutants {
				x := c.with(events)
				compareAssistant(t, x)
				all++
				if len(assistantFindings(t, x)) > 0 {
					noticed++
				} else if testing.Verbose() {
					t.Logf("nothing is said of %s with record %d %s", c.name, i, how)
				}
			}
		}
	}
	t.Logf("%d of %d mutants have a finding (%.1f %%)", noticed, all, 100*float64(noticed)/float64(all))
}

func mixedUp(events [][]byte, i int) [][]byte {
	out := slices.Clone(events)
	out[i], out[i+1] = out[i+1], out[i]
	return out
}
