package aguitest_test

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/agui/aguitest"
)

const legal = `{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"RUN_FINISHED","threadId":"t","runId":"r"}
`

// recorder is a T that keeps what it is told.
type recorder struct{ errors []string }

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestLegalPassesALegalStream(t *testing.T) {
	assert.Assert(t, aguitest.Legal(t, strings.NewReader(legal)))
}

func TestLegalNamesEveryError(t *testing.T) {
	var r recorder
	assert.Assert(t, !aguitest.Legal(&r, strings.NewReader(`{"type":"STEP_FINISHED","stepName":"a"}`)))
	assert.DeepEqual(t, r.errors, []string{
		"event 0 (STEP_FINISHED): first-event: STEP_FINISHED before any RUN_STARTED; see https://docs.ag-ui.com/spec/1.0/events/lifecycle",
		"event 1: truncated: the stream ends without any run; see https://docs.ag-ui.com/spec/1.0/basic/transports",
	})
}

func TestLegalFailsOnOptionsThatMakeNoSense(t *testing.T) {
	var r recorder
	assert.Assert(t, !aguitest.LegalEvents(&r, nil, agui.Options{Profile: "judge"}))
	assert.Equal(t, len(r.errors), 1)
}

func ExampleLegal() {
	body := strings.NewReader(legal) // what the agent under test sent
	t := &recorder{}                 // the *testing.T of a real test
	fmt.Println(aguitest.Legal(t, body))
	// Output: true
}
