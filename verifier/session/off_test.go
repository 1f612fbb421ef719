package session_test

import (
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/scan"
	"github.com/agentstream/conformance/verifier/session"
)

// shapes are the clauses of structure, by which a record is dropped that does not have its shape.
func shapes() (off verifier.Mask) {
	for _, r := range session.Rules().Rules {
		for _, c := range r.Clauses {
			if !r.Limit && (r.Page == "#wire-shapes" || r.Page == "#framing") {
				off.Set(c.ID)
			}
		}
	}
	return off
}

// Records that do not have their shape are read as far as they can be where that is not judged.
func TestWhatIsNotJudgedForItsShapeIsReadAllTheSame(t *testing.T) {
	whole := append(mixed(150), play(flawless)...)
	for _, extra := range []string{
		out(`{"type":"queue_update","steering":["a"],"followUp":["b"]}`), out(`{"type":"extension_ui_request","id":"u","method":"select","title":"t","options":["a"]}`),
		`{"dir":"stdin","record":{"type":"extension_ui_response","id":"u","value":"a"}}`, `{"dir":"stdin","record":{"type":"bash","id":"b","command":"ls"}}`,
		out(`{"type":"bash_execution_update","id":"b","delta":"x"}`), out(`{"type":"response","id":"b","command":"bash","success":true,"data":{"output":"x","cancelled":false,"truncated":false}}`),
		`{"dir":"stdin","raw":"{}\n"}`, out(`{"type":"compaction_end","reason":"manual","aborted":false,"willRetry":false,"result":{}}`),
		out(`{"type":"auto_retry_start","attempt":1,"maxAttempts":2,"delayMs":1,"errorMessage":"x"}`), out(`{"type":"entry_appended","entry":{"type":"x","id":"y","parentId":null,"timestamp":""}}`),
	} {
		whole = append(whole, []byte(extra))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		for _, profile := range session.Rules().Profiles {
			v, err := session.New(session.Options{Profile: profile, Off: shapes()})
			assert.NilError(t, err)
			for _, record := range whole {
				if r.IntN(4) == 0 {
					record = mangled(r, record)
				}
				v.Observe(record)
			}
			v.Finish()
		}
	}
}

// mangled replaces one value somewhere in a record.
func mangled(r *rand.Rand, record []byte) []byte {
	at := 0
	for record[at] == '{' || record[at] == '[' {
		var values []int
		inner := record[at:scan.Skip(record, at)]
		if record[at] == '{' {
			for _, v := range scan.EachMember(inner) {
				values = append(values, at+cap(inner)-cap(v))
			}
		} else {
			for _, v := range scan.EachElement(inner) {
				values = append(values, at+cap(inner)-cap(v))
			}
		}
		if len(values) == 0 {
			break
		}
		if at = values[r.IntN(len(values))]; r.IntN(3) == 0 {
			break
		}
	}
	replacements := []string{`null`, `1`, `""`, `[]`, `{}`, `true`, `"\ud800"`, `[1,null,"x",{},[]]`, `{"content":1,"type":2}`, `-1e400`}
	rest := record[scan.Skip(record, at):]
	return append(append(append([]byte{}, record[:at]...), replacements[r.IntN(len(replacements))]...), rest...)
}
