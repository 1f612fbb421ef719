package faithful

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/verifier/agui/materialise"
)

func TestBegunWaitsForAllThatStandsBeforeAGate(t *testing.T) {
	s, err := script.Parse([]byte(`[{"step":{"name":"p","do":[
		{"text":{"id":"a","stream":["x"]}},{"text":{"id":"b","stream":["x","y"]}},{"gate":{"name":"g"}},{"text":{"id":"c","stream":["z"]}}]}}]`))
	assert.NilError(t, err)
	want := means(t, s.Until("g"), request)
	stream := materialise.New([]byte(request))
	for i, event := range []string{
		`{"type":"RUN_STARTED","threadId":"t","runId":"r"}`,
		`{"type":"STEP_STARTED","stepName":"p"}`,
		`{"type":"RAW","event":1}`,
		`{"type":"TEXT_MESSAGE_START","messageId":"1"}`,
		`{"type":"TEXT_MESSAGE_CONTENT","messageId":"1","delta":"x"}`,
		`{"type":"TEXT_MESSAGE_END","messageId":"1"}`,
		`{"type":"TEXT_MESSAGE_START","messageId":"2"}`,
		`{"type":"TEXT_MESSAGE_CONTENT","messageId":"2","delta":"x"}`,
	} {
		stream.Observe([]byte(event))
		assert.Assert(t, !Begun(want, stream.Meaning(), NewNames()), "event %d", i)
	}
	stream.Observe([]byte(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"2","delta":"y"}`))
	names := NewNames()
	assert.Assert(t, Begun(want, stream.Meaning(), names))
	assert.Equal(t, len(names.IDs()), 0, "names are learnt from whole streams")
	stream.Observe([]byte(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"2","delta":"!"}`))
	assert.Assert(t, !Begun(want, stream.Meaning(), names))
}

func TestBegunLooksAtReplayedRunsToo(t *testing.T) {
	s, err := script.Parse([]byte(`[{"replay":{"run":"r0","do":[{"custom":{"name":"x","value":1}}]}},{"custom":{"name":"x","value":2}}]`))
	assert.NilError(t, err)
	want := means(t, s, request)
	events := [][]byte{
		[]byte(`{"type":"RUN_STARTED","threadId":"t","runId":"r0"}`), []byte(`{"type":"CUSTOM","name":"x","value":1}`),
		[]byte(`{"type":"RUN_FINISHED","threadId":"t","runId":"r0"}`), []byte(`{"type":"RUN_STARTED","threadId":"t","runId":"r"}`),
		[]byte(`{"type":"CUSTOM","name":"x","value":2}`),
	}
	assert.Assert(t, !Begun(want, materialise.Read([]byte(request), events[:4]).Meaning(), NewNames()))
	assert.Assert(t, Begun(want, materialise.Read([]byte(request), events).Meaning(), NewNames()))
}
