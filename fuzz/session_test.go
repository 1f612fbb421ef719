package fuzz

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sessionspec "github.com/agentstream/conformance/model/session/spec"
	"github.com/agentstream/conformance/verifier/session"
)

// A sitting is a recording of an agent session and the profile that judges it.
type sitting struct {
	name    string
	profile string
	records [][]byte
}

func (s sitting) String() string { return string(bytes.Join(s.records, []byte("\n"))) }

// sittings are the recorded sessions in the folder that CONFORMANCE_CAPTURES names, each in its own
// profile. Without it the test is skipped, and with it they must be there.
func sittings(t *testing.T) []sitting {
	t.Helper()
	root := os.Getenv("CONFORMANCE_CAPTURES")
	if root == "" {
		t.Skip("CONFORMANCE_CAPTURES names no folder of recorded streams")
	}
	var all []sitting
	for _, kind := range []string{"agent-", "json-", "rpc-"} {
		paths, err := filepath.Glob(filepath.Join(root, "pi", kind+"*.jsonl"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no recording %s* in %s: %v", kind, root, err)
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
			all = append(all, sitting{name, profileOfRelease(name), recordsOf(t, path)})
		}
	}
	return all
}

func recordsOf(t *testing.T, path string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var records [][]byte
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		records = append(records, bytes.Clone(lines.Bytes()))
	}
	return records
}

func profileOfRelease(name string) string {
	switch {
	case strings.Contains(name, "-0.73."):
		return "pi-0.73"
	case strings.Contains(name, "-0.80."):
		return "pi-0.80"
	}
	return "pi-1.x"
}

// heard are the verifier's findings on a recording, by record and code. That it fell over is one, too: the
// recording that does it is then made small and shown like every other.
func heard(t testing.TB, s sitting) (found []finding) {
	t.Helper()
	defer func() {
		if why := recover(); why != nil {
			found = []finding{{Code: fmt.Sprint("panic: ", why)}}
		}
	}()
	v, err := session.New(session.Options{Profile: s.profile})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.records {
		v.Observe(r)
	}
	v.Finish()
	return sorted(outline(v.Report().Findings))
}

// expected are the findings of the executable specification.
func expected(s sitting) []finding {
	var short []finding
	for _, f := range sessionspec.Judge(s.records, sessionspec.Options{Profile: s.profile}).Findings {
		short = append(short, finding{Code: f.Code, Index: f.Index, Severity: f.Severity})
	}
	return sorted(short)
}

// tried counts what a differential run came to.
type tried struct{ all, noticed, differ int }

// maxShown is how many differences one run prints; each is made small first, which takes its time.
const maxShown = 10

// try holds verifier and specification against each other on one recording.
func (n *tried) try(t *testing.T, s sitting) {
	t.Helper()
	n.all++
	want, have := expected(s), heard(t, s)
	if len(want) > 0 {
		n.noticed++
	}
	if slices.Equal(want, have) {
		return
	}
	if n.differ++; n.differ > maxShown {
		return
	}
	small := smallest(t, s, unlike(want, have))
	t.Errorf("%s (%s)\n%s\nspecification: %v\nverifier:      %v\non the part that shows it\n%s\nspecification: %v\nverifier:      %v",
		s.name, s.profile, unlike(want, have), want, have, small, expected(small), heard(t, small))
}

func (n *tried) report(t *testing.T) {
	t.Helper()
	t.Logf("%d recordings, %d (%.1f%%) get a finding, verifier and specification differ on %d", n.all, n.noticed, 100*float64(n.noticed)/float64(max(n.all, 1)), n.differ)
}

// unlike names the codes that only one of the two has somewhere.
func unlike(want, have []finding) string {
	var names []string
	for _, f := range want {
		if !slices.Contains(have, f) {
			names = append(names, fmt.Sprintf("specification alone: %s %s", f.Severity, f.Code))
		}
	}
	for _, f := range have {
		if !slices.Contains(want, f) {
			names = append(names, fmt.Sprintf("verifier alone: %s %s", f.Severity, f.Code))
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// smallest leaves out records as long as the first code that only one of the two has stays.
func smallest(t *testing.T, s sitting, difference string) sitting {
	first, _, _ := strings.Cut(difference, ", ")
	for step := len(s.records) / 2; step > 0; {
		cut := false
		for at := 0; at+step <= len(s.records); {
			less := s
			less.records = slices.Delete(slices.Clone(s.records), at, at+step)
			if strings.Contains(unlike(expected(less), heard(t, less)), first) {
				s, cut = less, true
			} else {
				at += step
			}
		}
		if !cut {
			step /= 2
		}
	}
	return s
}

func TestVerifierAgreesWithTheSpecificationOnRecordedSessions(t *testing.T) {
	var n tried
	defer n.report(t)
	for _, s := range sittings(t) {
		n.try(t, s)
	}
}
