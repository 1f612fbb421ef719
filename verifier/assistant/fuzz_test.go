package assistant_test

import (
	"bytes"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/assistant/rules"
)

// Whatever the bytes, and whichever clauses are off, judging ends in findings at records that there were.
func FuzzAnyStreamIsJudged(f *testing.F) {
	for name, s := range steady {
		var all []byte
		for _, e := range s.round(0) {
			all = append(append(all, e...), '\n')
		}
		f.Add([]byte(start+"\n"+string(all)+done("stop", "")), uint64(len(name)))
	}
	f.Add([]byte(start+"\n"+piece("text_start", 0, "")+"\n"+diCodeError("")), uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, off uint64) {
		events := bytes.Split(data, []byte("\n"))
		for _, profile := range profiles {
			o := assistant.Options{Profile: profile, Dump: true, Off: verifier.Mask{off &^ (1 << rules.LimitDepth)}}
			v, err := assistant.New(o)
			assert.NilError(t, err)
			for i, e := range events {
				for _, found := range v.Observe(e) {
					assert.Equal(t, found.Index, i)
					assert.Assert(t, found.Related <= i)
				}
			}
			v.Finish()
			assert.Equal(t, v.Report().Events, len(events))
		}
	})
}
