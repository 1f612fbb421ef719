package conformance

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
)

// endless yields a line of JSON that does not end, of that many bytes.
func endless(n int64) io.Reader {
	return io.MultiReader(bytes.NewReader([]byte(`{"type":"CUSTOM","name":"`)), io.LimitReader(letters{}, n), bytes.NewReader([]byte("\"}\n{}\n")))
}

type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

// A line of a gigabyte ends as incomplete, at the price of its limit. What is kept for showing events
// of standard input is the rest.
func TestALineOverTheLimitCostsLittle(t *testing.T) {
	for _, evidence := range []bool{false, true} {
		sources, problems := Find([]string{Stdin}, endless(1<<30), "auto")
		assert.Equal(t, len(problems), 0)
		o := CheckOptions{Options: Options{Limits: Limits{EventBytes: 1 << 20}}, Evidence: evidence}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		streams, err := Check(sources, o)
		assert.NilError(t, err)
		for s := range streams {
			assert.Equal(t, s.Report.Verdict.String(), "incomplete limit at 0")
			assert.Equal(t, s.Report.Events, 2)
		}
		runtime.ReadMemStats(&after)
		assert.Assert(t, after.TotalAlloc-before.TotalAlloc < 8*keepBytes, "%d bytes", after.TotalAlloc-before.TotalAlloc)
	}
}

func TestFindingsAreGroupedByEntity(t *testing.T) {
	v := func(index int, severity verifier.Severity, code, entity, pointer string) verifier.Violation {
		return verifier.Violation{Index: index, Severity: severity, Code: code, Clause: code, Entity: entity, Pointer: pointer}
	}
	groups, below := group([]verifier.Violation{
		v(1, verifier.Error, "not-open", "step \"a\"", ""),
		v(2, verifier.Error, "bad-value", "", "/list/0/x"),
		v(2, verifier.Info, "advice", "step \"a\"", ""),
		v(3, verifier.Warning, "out-of-order", "step \"a\"", ""),
		v(4, verifier.Error, "bad-value", "", "/list/17/x"),
		v(5, verifier.Error, "bad-value", "", "/list/17/y"),
	}, verifier.Warning)
	var got [][]int
	for _, g := range groups {
		indices := []int{g.Lead.Index}
		for _, r := range g.Rest {
			indices = append(indices, r.Index)
		}
		got = append(got, indices)
	}
	assert.DeepEqual(t, got, [][]int{{1, 3}, {2, 4}, {5}})
	assert.Equal(t, len(below), 1)
}
