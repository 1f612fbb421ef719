package agui_test

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier/agui"
)

func TestTheDetailListsAllThatIsOpenSorted(t *testing.T) {
	events := []string{started, `{"type":"STEP_STARTED","stepName":"b","subagentRunId":"s"}`, `{"type":"TEXT_MESSAGE_START","messageId":"m"}`, `{"type":"STEP_STARTED","stepName":"a"}`}
	const open = `step "a", step "b" of subagent "s", text message "m"`
	for _, profile := range agui.Rules().Profiles {
		r := report(t, agui.Options{Profile: profile}, append(events, `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`)...)
		assert.Equal(t, r.Findings[0].Detail, "still open: "+open, profile)
		if profile == agui.Server {
			continue // to which an end of the stream is no fault
		}
		r = report(t, agui.Options{Profile: profile}, events...)
		assert.Equal(t, r.Findings[0].Detail, "the stream ends without RUN_FINISHED or RUN_ERROR; still open: "+open, profile)
		r = report(t, agui.Options{Profile: profile}, started)
		assert.Equal(t, r.Findings[0].Detail, "the stream ends without RUN_FINISHED or RUN_ERROR", profile)
	}
}

func TestALongListIsCut(t *testing.T) {
	events := []string{started}
	for i := range 23 {
		events = append(events, fmt.Sprintf(`{"type":"STEP_STARTED","stepName":"%02d"}`, i))
	}
	for _, profile := range agui.Rules().Profiles {
		detail := report(t, agui.Options{Profile: profile}, append(events, `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`)...).Findings[0].Detail
		assert.Assert(t, strings.HasSuffix(detail, `step "19" and 3 more`), "%s: %s", profile, detail)
	}
}

// The same stream gives the same finding each time, whoever else has a step of that name open.
func TestAStepOfOthersIsTheOneOpenedFirst(t *testing.T) {
	events := []string{started}
	for i := range 8 {
		events = append(events, fmt.Sprintf(`{"type":"STEP_STARTED","stepName":"a","subagentRunId":"s%d"}`, i))
	}
	events = append(events, `{"type":"STEP_FINISHED","stepName":"a"}`)
	for _, profile := range agui.Rules().Profiles {
		f := report(t, agui.Options{Profile: profile}, events...).Findings[0]
		assert.Equal(t, f.Related, 1, profile)
		assert.Equal(t, f.Detail, `step "a" is open for subagent "s0", not for the parent agent; a step's end carries the tag of its start`, profile)
	}
}
