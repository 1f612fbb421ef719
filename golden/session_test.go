package golden

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session"
	"github.com/agentstream/conformance/verifier/wire"
)

// A sessionVector is one line of session/clauses.jsonl, in the form that conformance verdicts reads: a
// tiny recording that breaks a clause in a profile, or its near twin that does not.
type sessionVector struct {
	ID, Profile string
	Events      [][]byte
	Expect      struct {
		Verdict, Code string
		Index         int
		Finding       *struct {
			Clause, Severity string
			Index            int
		}
	}
}

func sessionVectors(t *testing.T) (vectors []sessionVector) {
	t.Helper()
	data, err := os.ReadFile("session/clauses.jsonl")
	assert.NilError(t, err)
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		// Events may be no JSON: they are cut out by their brackets first.
		var v sessionVector
		head, rest, ok := bytes.Cut(line, []byte(`,"events":`))
		assert.Assert(t, ok, "%s", line)
		end := scan.Skip(rest, 0)
		assert.NilError(t, json.Unmarshal(append(bytes.Clone(head), rest[end:]...), &v), "%s", line)
		for _, e := range scan.EachElement(rest[:end]) {
			v.Events = append(v.Events, e)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

func judgeSession(t *testing.T, profile string, events [][]byte) verifier.Report {
	t.Helper()
	v, err := session.New(session.Options{Profile: profile})
	assert.NilError(t, err)
	for _, e := range events {
		v.Observe(e)
	}
	v.Finish()
	return v.Report()
}

func TestSessionVectorsGiveTheirVerdictsAndFindings(t *testing.T) {
	shown := map[string]bool{} // clause and profile
	for _, v := range sessionVectors(t) {
		r := judgeSession(t, v.Profile, v.Events)
		want := verifier.Verdict{Code: v.Expect.Code, Index: v.Expect.Index}
		if v.Expect.Verdict == "reject" {
			want.Outcome = verifier.Reject
		}
		assert.Check(t, r.Verdict.String() == want.String(), "%s: %s, not %s: %v", v.ID, r.Verdict, want, r.Findings)
		if v.Expect.Finding == nil {
			clause := strings.ReplaceAll(v.ID[:strings.IndexByte(v.ID, '@')], ":", "/")
			assert.Check(t, !slices.ContainsFunc(r.Findings, func(f verifier.Violation) bool { return f.Clause == clause }), "%s: %v", v.ID, r.Findings)
			continue
		}
		at := slices.IndexFunc(r.Findings, func(f verifier.Violation) bool {
			return f.Clause == v.Expect.Finding.Clause && f.Index == v.Expect.Finding.Index && f.Severity.String() == v.Expect.Finding.Severity
		})
		assert.Check(t, at >= 0, "%s: %+v in %v", v.ID, *v.Expect.Finding, r.Findings)
		shown[v.Expect.Finding.Clause+" in "+v.Profile] = true
	}
	for _, r := range session.Rules().Rules {
		if r.Protocol != "" || r.Limit {
			continue // those of the provider stream are shown by its own vectors
		}
		for _, c := range r.Clauses {
			name := session.Rules().ClauseName(c.ID)
			for i, profile := range session.Rules().Profiles {
				judged := session.Rules().ClauseLevels(c.ID).In(i) != verifier.None
				if key := name + " in " + profile; judged != shown[key] {
					t.Errorf("%s: judged %v, shown %v", key, judged, shown[key])
				}
			}
		}
	}
}

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
	for _, x := range sessionVectors(t) {
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
			r := judgeSession(t, profile, events)
			assert.Assert(t, !r.Stopped)
			if all++; len(r.Findings) > 0 {
				noticed++
			}
		}
	})
	t.Logf("%d of %d damaged recordings have a finding", noticed, all)
	assert.Assert(t, noticed*100 > all*80)
}
