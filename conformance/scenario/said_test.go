package scenario

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/subject"
)

// minting answers with ids of its own, other ones for each thread, and with metadata that nobody asked for.
func minting(q *subject.Request) (*subject.Response, error) {
	var in struct{ ThreadID, RunID string }
	if err := json.Unmarshal(q.Body, &in); err != nil {
		return nil, err
	}
	id := "id of " + in.ThreadID
	return streamed(strings.Join([]string{
		fmt.Sprintf(`{"type":"RUN_STARTED","threadId":%q,"runId":%q,"protocolVersion":"1.0"}`, in.ThreadID, in.RunID),
		fmt.Sprintf(`{"type":"TEXT_MESSAGE_START","messageId":%q,"metadata":{"app.tone":"warm","sdk.seen":true}}`, id),
		fmt.Sprintf(`{"type":"TEXT_MESSAGE_CONTENT","messageId":%q,"delta":"Hello"}`, id),
		fmt.Sprintf(`{"type":"TEXT_MESSAGE_END","messageId":%q}`, id),
		fmt.Sprintf(`{"type":"RUN_FINISHED","threadId":%q,"runId":%q}`, in.ThreadID, in.RunID),
	}, "\n"))(q)
}

func TestLabelsStandForTheIdsOfEachOfSeveralRuns(t *testing.T) {
	const tail = `
-- one.script --
[{"text":{"id":"m1","stream":["Hello"],"metadata":{"app.tone":"warm"}}}]
-- messages.json --
[{"id":"m1","kind":"message","role":"assistant","content":"Hello","metadata":{"app.tone":"warm"}}]
-- cold.json --
[{"id":"m1","kind":"message","role":"assistant","content":"Hello","metadata":{"app.tone":"cold"}}]
-- outcome.json --
{"runId":"one","outcome":"success"}
`
	for lines, status := range map[string]Status{
		"faithful":                               Pass,
		"want messages messages.json":            Pass,
		"want messages cold.json":                Fail,
		"want outcome outcome.json":              Pass,
		"events 'RUN_FINISHED runId=one'":        Pass,
		"events 'RUN_FINISHED runId=m1'":         Fail,
		"events 'TEXT_MESSAGE_END messageId=m1'": Pass,
	} {
		r := played(t, canned(minting), nil, "run one -times 3\n"+lines+"\n"+tail)
		assert.Check(t, r.Status == status, "%s: %s %s\n%s", lines, r.Status, r.Detail, r.Diff)
	}
}
