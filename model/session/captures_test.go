package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentstream/conformance/model/session"
)

// faulty are the captures in which the release itself breaks a rule: what is next to what there need not be in the
// reach of a model that breaks none.
var faulty = []string{"x-two-prompts-race", "x-dupids", "new-session-mid-run"}

// capture is one recording of a real agent.
type capture struct {
	name, profile string
	class         session.Class
	records       [][]byte
}

// captures reads the recordings in the folder that CONFORMANCE_CAPTURES names.
func captures(t *testing.T) []capture {
	t.Helper()
	dir := os.Getenv("CONFORMANCE_CAPTURES")
	if dir == "" {
		t.Skip("CONFORMANCE_CAPTURES names no folder of recordings")
	}
	files, err := filepath.Glob(filepath.Join(dir, "pi", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s: %v", dir, err)
	}
	var out []capture
	for _, f := range files {
		if c, ok := captureOf(f); ok {
			c.records = lines(t, f)
			out = append(out, c)
		}
	}
	return out
}

func captureOf(file string) (capture, bool) {
	name := filepath.Base(file)
	kind, rest, _ := strings.Cut(name, "-")
	profile, known := map[string]string{"0.73.1": "pi-0.73", "0.80.10": "pi-0.80", "1.6.0": "pi-1.x"}[strings.SplitN(rest, "-", 2)[0]]
	class, listed := map[string]session.Class{"agent": session.Agent, "json": session.JSON, "rpc": session.Transcript}[kind]
	if strings.Contains(name, ".lifecycle.") {
		class = session.Extension
	}
	return capture{name: name, profile: profile, class: class}, known && listed
}

func lines(t *testing.T, file string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
}

// reachStreams are how many recordings are drawn of a class in one profile: enough for the rarest pair that a capture has.
var reachStreams = map[session.Class]int{session.Agent: 800, session.JSON: 1500, session.Extension: 500, session.Transcript: 6000}

// What a real agent writes in order, the model can write in order.
func TestTheModelReachesWhatIsRecorded(t *testing.T) {
	wanted := map[session.Knobs]map[pair]string{}
	for _, c := range captures(t) {
		if slices.ContainsFunc(faulty, func(f string) bool { return strings.Contains(c.name, f) }) {
			continue
		}
		k := session.Knobs{Class: c.class, Profile: c.profile, MaxRecords: 100}
		if wanted[k] == nil {
			wanted[k] = map[pair]string{}
		}
		before := ""
		for _, kind := range append(kindsOf(t, c.records), "") {
			wanted[k][pair{before, kind}] = c.name
			before = kind
		}
	}
	for k, pairs := range wanted {
		t.Run(string(k.Class)+" "+k.Profile, func(t *testing.T) {
			r := reachOf(t, k, reachStreams[k.Class])
			for p, name := range pairs {
				if r.pairs[p] == 0 {
					t.Errorf("never: %q then %q, as in %s", p[0], p[1], name)
				}
			}
		})
	}
}
