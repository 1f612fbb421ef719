package stream_test

import (
	"context"
	"fmt"

	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/assistant/stream"
)

// A provider pushes, an agent reads, and a third waits for the message.
func Example() {
	s, err := stream.Judged(assistant.Options{Profile: assistant.DiCode})
	if err != nil {
		panic(err)
	}
	for _, event := range []string{`{"type":"start"}`, `{"type":"text_start","contentIndex":0}`, `{"type":"text_start","contentIndex":1}`} {
		if err := s.Push([]byte(event)); err != nil {
			fmt.Println("push:", err)
		}
	}
	for event, err := range s.All(context.Background()) {
		if err != nil {
			fmt.Println("read:", err)
			break
		}
		fmt.Println("read:", string(event))
	}
	_, err = s.Result(context.Background())
	fmt.Println("result:", err)
	// Output:
	// push: event 2 (text_start): block-overlap: a text block starts while the text block of event 1 is open; see https://github.com/agentstream/conformance/blob/main/docs/pi.md#di-code
	// read: {"type":"start"}
	// read: {"type":"text_start","contentIndex":0}
	// read: event 2 (text_start): block-overlap: a text block starts while the text block of event 1 is open; see https://github.com/agentstream/conformance/blob/main/docs/pi.md#di-code
	// result: event 2 (text_start): block-overlap: a text block starts while the text block of event 1 is open; see https://github.com/agentstream/conformance/blob/main/docs/pi.md#di-code
}
