package assistant_test

import (
	"fmt"

	"github.com/agentstream/conformance/verifier/assistant"
)

func Example() {
	v, err := assistant.New(assistant.Options{Profile: assistant.DiCode})
	if err != nil {
		panic(err)
	}
	for _, event := range []string{
		`{"type":"start"}`,
		`{"type":"text_start","contentIndex":0}`,
		`{"type":"text_delta","contentIndex":0,"delta":"Hello \ud83d"}`,
		`{"type":"text_delta","contentIndex":0,"delta":"\ude00"}`,
		`{"type":"text_end","contentIndex":0,"content":"Hello 😀"}`,
		`{"type":"tool_call_delta","contentIndex":1,"argumentsDelta":"{}"}`,
	} {
		for _, f := range v.Observe([]byte(event)) {
			fmt.Printf("event %d: %s: %s\n", f.Index, f.Code, f.Detail)
		}
	}
	v.Finish()
	fmt.Println(v.Verdict())
	// Output:
	// event 5: not-open: tool_call_delta without an open tool call
	// reject not-open at 5
}
