package spec

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
)

// The clause vectors cover sections 2 to 5 and activity-baseline, without
// version-*, usage-* and advice.
func covered(code string) bool {
	i := slices.Index(precedence, code)
	return i >= slices.Index(precedence, "run-ended") && i <= slices.Index(precedence, "pending-tool-calls") || code == "activity-baseline"
}

type expectation struct {
	Verdict  string
	Code     *string
	Index    *int
	Findings []Finding
}

func lines(t *testing.T, path string) [][]byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out [][]byte
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<26)
	for sc.Scan() {
		out = append(out, []byte(sc.Text()))
	}
	return out
}

func TestClauseVectors(t *testing.T) {
	for _, line := range lines(t, "../../golden/agui/clauses.jsonl") {
		var v struct {
			ID     string
			Events []json.RawMessage
			Expect map[string]expectation
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		var raw [][]byte
		for _, e := range v.Events {
			raw = append(raw, e)
		}
		for profile, want := range v.Expect {
			var have []Finding
			for _, f := range Judge(raw, Options{Profile: profile}) {
				if covered(f.Code) {
					have = append(have, f)
				} else if f.Severity == "error" {
					t.Logf("%s/%s: outside the vectors: %v", v.ID, profile, f)
				}
			}
			if fmt.Sprint(have) != fmt.Sprint(want.Findings) {
				t.Errorf("%s/%s:\n have %v\n want %v", v.ID, profile, have, want.Findings)
			}
			verdict, code, index := Verdict(have)
			wc, wi := "", -1
			if want.Code != nil {
				wc, wi = *want.Code, *want.Index
			}
			if verdict != want.Verdict || code != wc || index != wi {
				t.Errorf("%s/%s: have %s %s %d, want %s %s %d", v.ID, profile, verdict, code, index, want.Verdict, wc, wi)
			}
		}
	}
}

func TestPatchVectors(t *testing.T) {
	for _, line := range lines(t, "../../verifier/agui/document/testdata/json-patch.jsonl") {
		doc, ok := decode(line)
		if !ok {
			t.Fatal(string(line))
		}
		id, _ := doc.root.str("id")
		out, ok := applyPatch(doc.root.get("document"), doc.root.get("patch"), false)
		if ok != doc.root.get("applies").flag {
			t.Errorf("%s: applies = %v", id, ok)
		}
		if ok && !equal(out, doc.root.get("result")) {
			t.Errorf("%s: wrong result", id)
		}
	}
}
