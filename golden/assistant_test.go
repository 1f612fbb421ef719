package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/wire"
)

// recordedStreams returns the folder of recorded streams of the pi family, which is no part of this repository:
// CONFORMANCE_CAPTURES names the folder that holds it.
func recordedStreams(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("CONFORMANCE_CAPTURES")
	if folder == "" {
		t.Skip("CONFORMANCE_CAPTURES does not name the folder of recorded streams")
	}
	folder = filepath.Join(folder, "pi")
	_, err := os.Stat(folder)
	assert.NilError(t, err, "CONFORMANCE_CAPTURES has to name a folder that holds pi")
	return folder
}

// providerCaptures are the patterns of recorded provider streams, with the profile that each was made in.
var providerCaptures = []struct{ pattern, profile string }{
	{"ai-*.jsonl", assistant.Pi1x}, {"adapter-*.jsonl", assistant.Pi1x}, {"dicode-*.jsonl", assistant.DiCode},
}

const providerEdges = "dicode-edge-verdicts.jsonl"

func TestRecordedProviderStreamsGiveTheirFindings(t *testing.T) {
	folder := recordedStreams(t)
	var got bytes.Buffer
	for _, c := range providerCaptures {
		files, err := filepath.Glob(filepath.Join(folder, c.pattern))
		assert.NilError(t, err)
		for _, path := range files {
			if filepath.Base(path) == providerEdges {
				continue
			}
			f, err := os.Open(path)
			assert.NilError(t, err)
			v, err := assistant.New(assistant.Options{Profile: c.profile})
			assert.NilError(t, err)
			assert.NilError(t, wire.Feed(f, wire.Options{Format: wire.FormatOf(path)}, v))
			assert.NilError(t, f.Close())
			assert.Equal(t, v.Report().Counts[verifier.Error], 0, path)
			summarise(&got, strings.TrimSuffix(filepath.Base(path), ".jsonl"), c.profile, v.Report())
		}
	}
	checkGolden(t, "assistant/captures.txt", got.Bytes())
}

// summarise writes a line for a recording, and one for each of its findings.
func summarise(b *bytes.Buffer, name, profile string, r verifier.Report) {
	fmt.Fprintf(b, "%s (%s, %d events): %s\n", name, profile, r.Events, r.Verdict)
	for _, f := range r.Findings {
		fmt.Fprintf(b, "\t%d %s %s\n", f.Index, f.Severity, f.Clause)
	}
}

// amendedEdges are those that the original judges otherwise than a recording can show.
var amendedEdges = map[string]string{
	"args -0 vs 0":           "accept",                // a recording cannot tell the two apart
	"args -0 vs -0":          "accept",                // the same
	"args deep nesting 3000": "incomplete limit at 3", // the original dies of it
}

// The verdicts of the edges were measured with di-code's own validator, which says why in words of its own.
func TestMeasuredEdgesGiveTheirVerdicts(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(recordedStreams(t), providerEdges))
	assert.NilError(t, err)
	n := 0
	var got bytes.Buffer
	for line := range bytes.Lines(data) {
		var edge struct {
			Name, Recorded string
			At             int
			Events         []json.RawMessage
		}
		assert.NilError(t, json.Unmarshal(line, &edge))
		var events [][]byte
		for _, e := range edge.Events {
			events = append(events, e)
		}
		r := judgeAs(t, "assistant", assistant.DiCode, events)
		summarise(&got, edge.Name, assistant.DiCode, r)
		n++
		if want := amendedEdges[edge.Name]; want != "" {
			assert.Equal(t, r.Verdict.String(), want, edge.Name)
			continue
		}
		assert.Equal(t, r.Verdict.Outcome.String(), edge.Recorded, edge.Name)
		if edge.Recorded == "reject" {
			assert.Equal(t, r.Verdict.Index, edge.At, edge.Name)
		}
	}
	assert.Equal(t, n, 119)
	checkGolden(t, "assistant/edges.txt", got.Bytes())
}

// Damage to a recorded stream ends in a finding or in none, and in nothing else.
func TestDamagedProviderStreamsAreJudged(t *testing.T) {
	folder := recordedStreams(t)
	noticed, all := 0, 0
	for _, c := range providerCaptures {
		files, err := filepath.Glob(filepath.Join(folder, c.pattern))
		assert.NilError(t, err)
		for _, path := range files {
			if filepath.Base(path) == providerEdges {
				continue
			}
			data, err := os.ReadFile(path)
			assert.NilError(t, err)
			for _, events := range damaged(bytes.Split(bytes.TrimSpace(data), []byte("\n"))) {
				for _, profile := range rules.Table().Profiles {
					r := judgeAs(t, "assistant", profile, events)
					assert.Assert(t, !r.Stopped)
					if profile == c.profile {
						all++
						if len(r.Findings) > 0 {
							noticed++
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d damaged streams have a finding", noticed, all)
	assert.Assert(t, noticed*100 > all*80)
}

// damaged returns a stream without each one of its events, with it twice, and with it behind the next.
func damaged(events [][]byte) (all [][][]byte) {
	for i := range events {
		all = append(all, slices.Delete(slices.Clone(events), i, i+1), slices.Insert(slices.Clone(events), i, events[i]))
		if i+1 < len(events) {
			swapped := slices.Clone(events)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			all = append(all, swapped)
		}
	}
	return all
}
