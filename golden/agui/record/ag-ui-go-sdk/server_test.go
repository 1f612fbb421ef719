// Package server answers requests with the events and the SSE writer of the official Go SDK.
//
// Constructors, timestamps, validation, JSON, framing and the types of the request are the SDK's. It has no agent loop
// and no HTTP handler, so the sequence of events, the ids and the response's head are ours.
package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/types"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/encoding/sse"
)

// TestServe serves until standard input closes. It is a test because the SDK stamps events with time.Now, and the fake
// clock of testing/synctest, which starts in 2000, needs one.
func TestServe(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var meeting sync.WaitGroup
	meeting.Add(3)
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		serve(t, w, q, &meeting)
	})}
	go server.Serve(listener)
	fmt.Printf("http://%s/\n", listener.Addr())
	io.Copy(io.Discard, os.Stdin)
	if err := server.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

// serve gives each request a clock of its own. Only the agent lives under it: the connection keeps the real one.
func serve(t *testing.T, w http.ResponseWriter, q *http.Request, meeting *sync.WaitGroup) {
	var input types.RunAgentInput
	if err := json.NewDecoder(q.Body).Decode(&input); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	name := prompt(input)
	agent, known := agents[name]
	if !known {
		http.Error(w, "no case of that name", http.StatusBadRequest)
		return
	}
	if strings.HasPrefix(name, "at-once-") {
		meeting.Done()
		meeting.Wait()
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			agent(&stream{
				t: t, to: w, input: input, threadID: input.ThreadID, runID: input.RunID,
				// The writer logs that the client hung up, which is a case here.
				writer: sse.NewSSEWriter().WithLogger(slog.New(slog.DiscardHandler)),
			})
		})
	})
}

// prompt is the text of the last user message, which names the case.
func prompt(input types.RunAgentInput) (text string) {
	for _, message := range input.Messages {
		if message.Role == types.RoleUser {
			text, _ = message.ContentString()
		}
	}
	return text
}

type stream struct {
	t               *testing.T
	to              http.ResponseWriter
	input           types.RunAgentInput
	threadID, runID string
	writer          *sse.SSEWriter
	ids             int
}

// id is the next one of the response. The SDK's generator would give random ones from a source that requests share.
func (s *stream) id(kind string) string {
	s.ids++
	return fmt.Sprintf("%s-%d", kind, s.ids)
}

func (s *stream) send(all ...events.Event) {
	for _, event := range all {
		if err := event.Validate(); err != nil {
			s.t.Error(err) // an event that the SDK would not send: the case is not one of its
		}
		// An error is the client that hung up.
		_ = s.writer.WriteEvent(context.Background(), s.to, event)
		time.Sleep(20 * time.Millisecond) // of the fake clock, so that timestamps differ
	}
}

func (s *stream) start()  { s.send(events.NewRunStartedEvent(s.threadID, s.runID)) }
func (s *stream) finish() { s.send(events.NewRunFinishedEvent(s.threadID, s.runID)) }

func (s *stream) message(deltas ...string) (id string) {
	id = s.open()
	for _, delta := range deltas {
		s.send(events.NewTextMessageContentEvent(id, delta))
	}
	s.send(events.NewTextMessageEndEvent(id))
	return id
}

func (s *stream) open() (id string) {
	id = s.id("message")
	s.send(events.NewTextMessageStartEvent(id, events.WithRole("assistant")))
	return id
}

// call is a call to a tool, without its result.
func (s *stream) call(parent, tool string, args ...string) (id string) {
	id = s.id("call")
	s.send(events.NewToolCallStartEvent(id, tool, events.WithParentMessageID(parent)))
	for _, delta := range args {
		s.send(events.NewToolCallArgsEvent(id, delta))
	}
	s.send(events.NewToolCallEndEvent(id))
	return id
}

func (s *stream) result(call, content string) {
	s.send(events.NewToolCallResultEvent(s.id("result"), call, content))
}
