package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/session"
	"github.com/agentstream/conformance/verifier/wire"
)

// A clause that is switched off blames nothing, and the others are judged as before or not at all.
func TestASessionClauseThatIsOffBlamesNothing(t *testing.T) {
	ids := map[string]verifier.ClauseID{}
	for _, r := range session.Rules().Rules {
		if r.Protocol != "" {
			break // the provider stream has clauses of the same names
		}
		for _, c := range r.Clauses {
			ids[session.Rules().ClauseName(c.ID)] = c.ID
		}
	}
	for _, x := range vectorsOf(t, "session") {
		if x.Expect.Finding == nil {
			continue
		}
		var off verifier.Mask
		off.Set(ids[x.Expect.Finding.Clause])
		v, err := session.New(session.Options{Profile: x.Profile, Off: off})
		assert.NilError(t, err)
		for _, e := range x.Events {
			v.Observe(e)
		}
		v.Finish()
		blames := func(f verifier.Violation) bool { return f.Protocol == "session" && f.Clause == x.Expect.Finding.Clause }
		assert.Check(t, !slices.ContainsFunc(v.Report().Findings, blames), x.ID)
	}
}

// sessionCaptures are the patterns of recorded sessions. Their names say of which release they are.
var sessionCaptures = []string{"agent-*.jsonl", "json-*.jsonl", "rpc-*.jsonl"}

var profileOfRelease = map[string]string{"0.73.1": session.Pi073, "0.80.10": session.Pi080, "1.6.0": session.Pi1x}

// eachSessionCapture ranges over the recorded sessions.
func eachSessionCapture(t *testing.T, judge func(name, profile, path string)) {
	t.Helper()
	folder := recordedStreams(t)
	for _, pattern := range sessionCaptures {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		assert.NilError(t, err)
		assert.Assert(t, len(files) > 0, pattern)
		for _, path := range files {
			name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
			judge(name, profileOfRelease[strings.Split(name, "-")[1]], path)
		}
	}
}

// faultyReleases are the recordings in which a release breaks a rule itself.
var faultyReleases = map[string]string{
	"rpc-0.73.1-errors-and-framing.duplex":   "reject response-unknown at 15", // the response to an unknown command has lost its id
	"rpc-0.73.1-new-session-mid-run.duplex":  "reject run-cut at 9",
	"rpc-0.80.10-new-session-mid-run.duplex": "reject run-cut at 9",
	"rpc-1.6.0-x-dupids.duplex":              "reject duplicate-tool-id at 15",
	"rpc-1.6.0-x-two-prompts-race.duplex":    "reject settled-in-run at 5",
}

func TestRecordedSessionsGiveTheirFindings(t *testing.T) {
	var got bytes.Buffer
	eachSessionCapture(t, func(name, profile, path string) {
		f, err := os.Open(path)
		assert.NilError(t, err)
		v, err := session.New(session.Options{Profile: profile})
		assert.NilError(t, err)
		assert.NilError(t, wire.Feed(f, wire.Options{Format: wire.FormatOf(path)}, v))
		assert.NilError(t, f.Close())
		want := faultyReleases[name]
		if want == "" {
			want = "accept"
		}
		assert.Equal(t, v.Report().Verdict.String(), want, name)
		summarise(&got, name, profile+", "+v.Report().Class, v.Report())
	})
	checkGolden(t, "session/captures.txt", got.Bytes())
}

// Damage to a recorded session ends in a finding or in none, and in nothing else.
func TestDamagedSessionsAreJudged(t *testing.T) {
	noticed, all := 0, 0
	eachSessionCapture(t, func(_, profile, path string) {
		data, err := os.ReadFile(path)
		assert.NilError(t, err)
		records := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		if testing.Short() && len(records) > 40 {
			return
		}
		for _, events := range damaged(records) {
			r := judgeAs(t, "session", profile, events)
			assert.Assert(t, !r.Stopped)
			if all++; len(r.Findings) > 0 {
				noticed++
			}
		}
	})
	t.Logf("%d of %d damaged recordings have a finding", noticed, all)
	assert.Assert(t, noticed*100 > all*80)
}
