package agui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
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

// What a finding says, and which event it names, where streams with the same codes differ.
func TestTheDetailIsAboutTheRightThing(t *testing.T) {
	const (
		stepP, stepS, stepU = `{"type":"STEP_STARTED","stepName":"p"}`, `{"type":"STEP_STARTED","stepName":"p","subagentRunId":"s"}`, `{"type":"STEP_STARTED","stepName":"p","subagentRunId":"u"}`
		endP, endU          = `{"type":"STEP_FINISHED","stepName":"p"}`, `{"type":"STEP_FINISHED","stepName":"p","subagentRunId":"u"}`
		finished            = `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`
		callY, callZ, ended = `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"y"}`, `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"z"}`, `{"type":"TOOL_CALL_END","toolCallId":"c"}`
		args                = `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}`
	)
	for name, x := range map[string]struct {
		events []string
		code   string
		says   string
		clause string
		at     int // related event
	}{
		"a step that another has, one of whose openers has ended it": {[]string{stepP, stepS, stepU, endP, endP}, "not-open", `step "p" is open for subagent "u", not for the parent agent; a step's end carries the tag of its start`, "not-open/step-other-owner", 3},
		"a step that others had":                                     {[]string{stepS, stepU, endU, endP}, "not-open", `step "p" is open for subagent "s", not for the parent agent; a step's end carries the tag of its start`, "not-open/step-other-owner", 1},
		"a step of an earlier run":                                   {[]string{stepS, `{"type":"RUN_ERROR","message":"m"}`, started, endP}, "not-open", `step "p" was not opened in this run`, "not-open/step", -1},
		"a call reopened twice":                                      {[]string{callY, args, ended, callZ, ended, callZ, ended, finished}, "reopen-disagreement", `tool call "c" is reopened with parentMessageId "z"; at event 1 it was "y"`, "reopen-disagreement/parent", 1},
		"several open items, the first of them":                      {[]string{stepP, stepS, stepU, endP, finished}, "open-at-finish", `still open: step "p" of subagent "s", step "p" of subagent "u"`, "open-at-finish/run", 2},
		"a subagent that is open":                                    {[]string{`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}`, finished}, "open-at-finish", `still open: subagent "s"`, "open-at-finish/run", 1},
		"a subagent that is started twice":                           {[]string{`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}`, `{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}`}, "duplicate-start", `subagent "s" is open since event 1`, "duplicate-start/subagent", 1},
		"two suspended subagents":                                    {[]string{`{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"n"}`, `{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"suspended","interruptIds":["i"]}}`, `{"type":"SUBAGENT_STARTED","subagentRunId":"u","name":"n"}`, `{"type":"SUBAGENT_FINISHED","subagentRunId":"u","outcome":{"type":"suspended","interruptIds":["i"]}}`, finished}, "suspended-without-interrupt", "a subagent was suspended at event 2, and the run does not end as an interrupt", "suspended-without-interrupt", 2},
		"arguments behind arguments":                                 {[]string{`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}`, args, ended, `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}`, args, ended}, "tool-args-not-json", `tool call "c" has arguments of 2 bytes behind earlier ones that were JSON`, "tool-args-not-json", 4},
		"a misspelt member":                                          {[]string{`{"type":"TEXT_MESSAGE_START","messageId":"m","rol":"user"}`}, "unknown-property", `TEXT_MESSAGE_START has no member "rol"; did you mean "role"?`, "unknown-property", -1},
		"a member with an escape in its name":                        {[]string{`{"type":"TEXT_MESSAGE_START","messageId":"m","rol\u0065s":"user"}`}, "unknown-property", `TEXT_MESSAGE_START has no member "roles"; did you mean "role"?`, "unknown-property", -1},
		"pending calls that there are not":                           {[]string{`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","pendingToolCallIds":["z"]}}`}, "pending-tool-calls", "the calls of this run without a result are, in order: none", "pending-tool-calls", -1},
		"a total that is not the sum of two counts":                  {[]string{`{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":3,"outputTokens":2,"totalTokens":1}]}`}, "usage-arithmetic", "totalTokens is 1, inputTokens and outputTokens make 5", "usage-arithmetic/total", -1},
		"parts that are more than the input":                         {[]string{`{"type":"RUN_FINISHED","threadId":"t","runId":"r","usage":[{"inputTokens":3,"cachedInputTokens":2,"cacheWriteInputTokens":2}]}`}, "usage-arithmetic", "cachedInputTokens and cacheWriteInputTokens make 4; they are parts of inputTokens, which is 3", "usage-arithmetic/input", -1},
	} {
		findings := report(t, agui.Options{}, append([]string{started}, x.events...)...).Findings
		i := slices.IndexFunc(findings, func(f verifier.Violation) bool { return f.Code == x.code })
		assert.Assert(t, i >= 0, "%s: %v", name, findings)
		assert.Equal(t, findings[i].Detail, x.says, name)
		assert.Equal(t, findings[i].Clause, x.clause, name)
		assert.Equal(t, findings[i].Related, x.at, name)
	}
}

func TestThePointerLeadsToTheFault(t *testing.T) {
	pointers := map[string]string{}
	for _, f := range report(t, agui.Options{}, started, `{"type":"MESSAGES_SNAPSHOT","messages":[
		{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}},{"id":"d","type":"function","function":{"name":"f","arguments":1}}]},
		{"id":"b","role":"assistant","content":"x","a/b~c":1},
		{"id":"e","role":"user","content":[{"type":"text","text":"x"},{"type":"text"}]}]}`).Findings {
		pointers[f.Code] = f.Pointer
	}
	assert.DeepEqual(t, pointers, map[string]string{
		"wrong-type":       "/messages/0/toolCalls/1/function/arguments",
		"unknown-property": "/messages/1/a~1b~0c",
		"missing-field":    "/messages/2/content/1/text",
		"truncated":        "",
	})
}

// What is open is listed in the order opened, whatever was closed meanwhile.
func TestOpenItemsStandInTheOrderOpened(t *testing.T) {
	for _, profile := range agui.Rules().Profiles {
		events := []string{started}
		for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
			events = append(events, `{"type":"TEXT_MESSAGE_START","messageId":"`+id+`"}`)
		}
		events = append(events, `{"type":"TEXT_MESSAGE_END","messageId":"a"}`, `{"type":"TEXT_MESSAGE_END","messageId":"c"}`, `{"type":"TEXT_MESSAGE_END","messageId":"z"}`)
		var ids []string
		for _, it := range report(t, agui.Options{Profile: profile, Dump: true}, events...).Findings[0].Open {
			ids = append(ids, it.ID)
		}
		assert.DeepEqual(t, ids, []string{"b", "d", "e", "f"})
	}
}

// The same stream gives the same finding each time, whoever else has a step of that name open.
func TestAStepOfOthersIsTheOneOpenedFirst(t *testing.T) {
	events := []string{started, `{"type":"TEXT_MESSAGE_START","messageId":"a"}`, `{"type":"STEP_STARTED","stepName":"b"}`}
	for i := range 8 {
		events = append(events, fmt.Sprintf(`{"type":"STEP_STARTED","stepName":"a","subagentRunId":"s%d"}`, i))
	}
	events = append(events, `{"type":"STEP_FINISHED","stepName":"a"}`)
	for _, profile := range agui.Rules().Profiles {
		f := report(t, agui.Options{Profile: profile}, events...).Findings[0]
		assert.Equal(t, f.Related, 3, profile)
		assert.Equal(t, f.Detail, `step "a" is open for subagent "s0", not for the parent agent; a step's end carries the tag of its start`, profile)
	}
}
