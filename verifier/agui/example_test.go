package agui_test

import (
	"fmt"
	"strings"

	"github.com/agentstream/conformance/verifier/agui"
	"github.com/agentstream/conformance/verifier/wire"
)

// Events are judged as they come.
func ExampleVerifier() {
	v, err := agui.New(agui.Options{})
	if err != nil {
		panic(err)
	}
	for _, event := range []string{
		`{"type":"RUN_STARTED","threadId":"t","runId":"r"}`,
		`{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`,
	} {
		for _, x := range v.Observe([]byte(event)) {
			fmt.Printf("event %d: %s: %s\n", x.Index, x.Code, x.Detail)
		}
	}
	v.Finish()
	fmt.Println(v.Verdict())
	// Output:
	// event 1: not-open: text message "m1" was not opened in this run
	// reject not-open at 1
}

// A whole recording is judged in one call, whatever its format.
func ExampleNew_recording() {
	recording := strings.NewReader("data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n")
	v, err := agui.New(agui.Options{Profile: agui.Consumer})
	if err != nil {
		panic(err)
	}
	if err := wire.Feed(recording, wire.Options{}, v); err != nil {
		panic(err)
	}
	report := v.Report()
	fmt.Println(report.Verdict, "-", report.Findings[0].Detail)
	// Output:
	// reject truncated at 1 - the stream ends without RUN_FINISHED or RUN_ERROR
}
