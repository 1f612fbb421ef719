package scenario

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/scenarios"
)

// Own returns the subject that answers with a scenario's own streams: so the scenario is held to what it says itself.
func Own(s *scenarios.Scenario) subject.Subject { return own{s} }

type own struct {
	scenario *scenarios.Scenario
}

func (own) Name() string { return "the scenario's own streams" }
func (own) Close() error { return nil }

// Describe declares everything.
func (own) Describe(context.Context) (subject.Description, error) {
	return subject.Description{Version: 1, Driver: "sdk", Features: AllFeatures()}, nil
}

// Send answers with R.stream, on the thread and in the run of the request: there they are called t and R.
func (o own) Send(_ context.Context, q *subject.Request) (*subject.Response, error) {
	name, _, _ := strings.Cut(q.Run, "@")
	data, ok := o.scenario.File(name + ".stream")
	if !ok {
		return nil, fmt.Errorf("there is no %s.stream", name)
	}
	var in struct{ ThreadID, RunID json.RawMessage }
	if err := json.Unmarshal(q.Body, &in); err != nil {
		return nil, err
	}
	data = bytes.ReplaceAll(data, []byte(`"threadId":"t"`), append([]byte(`"threadId":`), in.ThreadID...))
	data = bytes.ReplaceAll(data, fmt.Appendf(nil, `"runId":%q`, name), append([]byte(`"runId":`), in.RunID...))
	p := &subject.Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {subject.EventStream}}}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) > 0 {
			p.Events = append(p.Events, bytes.Clone(lines.Bytes()))
		}
	}
	return p, lines.Err()
}
