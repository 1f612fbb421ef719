// Package record writes golden/agui/real/ag-ui-go-sdk-*.sse with the events and the SSE writer of the official Go SDK.
package record

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/encoding/sse"
	"github.com/google/uuid"
)

// prefix carries the date of the pseudo-version in go.mod: the SDK has no release.
const prefix = "../../real/ag-ui-go-sdk-20260630-"

var agents = map[string]func(*stream){
	"text": func(s *stream) {
		s.start()
		s.message("Grüezi", " from", " Zürich", ": 21 °C", " & sunny ☀️ 🏔")
		s.finish()
	},
	"tool": func(s *stream) {
		s.start()
		parent := s.message("I will", " look.")
		call := events.GenerateToolCallID()
		s.send(events.NewToolCallStartEvent(call, "weather", events.WithParentMessageID(parent)))
		s.send(events.NewToolCallArgsEvent(call, `{"city":`))
		s.send(events.NewToolCallArgsEvent(call, `"Zürich"}`))
		s.send(events.NewToolCallEndEvent(call))
		s.send(events.NewToolCallResultEvent(events.GenerateMessageID(), call, `{"celsius":21}`))
		s.message("It is 21 °C", " in Zürich.")
		s.finish()
	},
	"error": func(s *stream) {
		s.start()
		s.cut()
		s.send(events.NewRunErrorEvent("the model hung up",
			events.WithErrorCode("model_failure"), events.WithRunID(s.runID)))
	},
	// The SDK has a second way to report a failure, the writer's own: it is no RUN_ERROR.
	"writer-error": func(s *stream) {
		s.start()
		s.cut()
		err := sse.NewSSEWriter().WriteErrorEvent(s.t.Context(), &s.sent, errors.New("the model hung up"), "request-1")
		s.check(err)
	},
}

// TestRecord runs each agent under a fake clock and a seeded id source: the SDK stamps every event with time.Now and
// makes random uuids, and both must be the same in the next recording.
func TestRecord(t *testing.T) {
	for name, agent := range agents {
		t.Run(name, func(t *testing.T) {
			uuid.SetRand(rand.NewChaCha8([32]byte{}))
			synctest.Test(t, func(t *testing.T) {
				s := &stream{t: t, threadID: events.GenerateThreadID(), runID: events.GenerateRunID()}
				agent(s)
				s.check(os.WriteFile(prefix+name+".sse", s.sent.Bytes(), 0o644))
			})
		})
	}
}

type stream struct {
	t               *testing.T
	sent            bytes.Buffer
	threadID, runID string
}

func (s *stream) send(event events.Event) {
	s.check(sse.NewSSEWriter().WriteEvent(context.Background(), &s.sent, event))
	time.Sleep(20 * time.Millisecond) // of the fake clock, so that timestamps differ
}

func (s *stream) start()  { s.send(events.NewRunStartedEvent(s.threadID, s.runID)) }
func (s *stream) finish() { s.send(events.NewRunFinishedEvent(s.threadID, s.runID)) }

func (s *stream) message(deltas ...string) (id string) {
	id = events.GenerateMessageID()
	s.send(events.NewTextMessageStartEvent(id, events.WithRole("assistant")))
	for _, delta := range deltas {
		s.send(events.NewTextMessageContentEvent(id, delta))
	}
	s.send(events.NewTextMessageEndEvent(id))
	return id
}

// cut is a message whose model hangs up in the middle.
func (s *stream) cut() {
	id := events.GenerateMessageID()
	s.send(events.NewTextMessageStartEvent(id, events.WithRole("assistant")))
	s.send(events.NewTextMessageContentEvent(id, "It is"))
}

func (s *stream) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}
