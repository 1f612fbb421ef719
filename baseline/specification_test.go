package baseline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What follows was written from the specification's pages, apart from
// agui.json and from the package that it is generated from. It is the second
// reading that the generated one is held against, and is used for nothing
// else.
//
// Notation: ! required, ? optional, "?null" and "!null" may be null; [] array, [1] array of at least one,
// {} object open by key, A attributable, "~" open object. The four members common to all events are left out.

const events10 = `
TEXT_MESSAGE_START A: messageId! string, role? developer|system|assistant|user, name? string
TEXT_MESSAGE_CONTENT A: messageId! string, delta! string
TEXT_MESSAGE_END A: messageId! string
TEXT_MESSAGE_CHUNK A: messageId? string, role? developer|system|assistant|user, delta? string, name? string
TOOL_CALL_START A: toolCallId! string, toolCallName! string, parentMessageId? string
TOOL_CALL_ARGS A: toolCallId! string, delta! string
TOOL_CALL_END A: toolCallId! string
TOOL_CALL_CHUNK A: toolCallId? string, toolCallName? string, parentMessageId? string, delta? string
TOOL_CALL_RESULT A: messageId! string, toolCallId! string, content! string/ContentPart[], role? tool
STATE_SNAPSHOT A: snapshot!null any
STATE_DELTA A: delta! JsonPatchOperation[]
MESSAGES_SNAPSHOT: messages! Message[]
ACTIVITY_SNAPSHOT A: messageId! string, activityType! string, content! {}, replace? boolean
ACTIVITY_DELTA A: messageId! string, activityType! string, patch! JsonPatchOperation[]
RAW A: event!null any, source? string
CUSTOM A: name! string, value!null any
RUN_STARTED: threadId! string, runId! string, protocolVersion? string, parentRunId? string, input? RunAgentInput
RUN_FINISHED: threadId! string, runId! string, result? any, outcome? RunFinishedOutcome, usage? TokenUsage[]
RUN_ERROR: message! string, code? string, usage? TokenUsage[]
STEP_STARTED A: stepName! string
STEP_FINISHED A: stepName! string
REASONING_START A: messageId! string
REASONING_MESSAGE_START A: messageId! string, role! reasoning
REASONING_MESSAGE_CONTENT A: messageId! string, delta! string
REASONING_MESSAGE_END A: messageId! string
REASONING_MESSAGE_CHUNK A: messageId? string, delta? string
REASONING_END A: messageId! string
REASONING_ENCRYPTED_VALUE A: subtype! tool-call|message, entityId! string, encryptedValue! string
SUBAGENT_STARTED: subagentRunId! string, name! string, description? string, parentSubagentRunId? string, parentToolCallId? string, parentMessageId? string
SUBAGENT_FINISHED: subagentRunId! string, result? any, outcome? SubagentFinishedOutcome
SUBAGENT_ERROR: subagentRunId! string, message! string, code? string`

const retired0x = `
THINKING_START~: title? string
THINKING_END~:
THINKING_TEXT_MESSAGE_START~:
THINKING_TEXT_MESSAGE_CONTENT~: delta! string
THINKING_TEXT_MESSAGE_END~:`

const objects10 = `
ActivityMessage: subagentRunId? string, id! string, role! activity, activityType! string, content! {}, metadata? {}
AddOperation~: op! add, path! pointer, value!null any
AssistantMessage: subagentRunId? string, id! string, role! assistant, name? string, encryptedValue? string, metadata? {}, content? string, toolCalls? ToolCall[]
AudioPart: type! audio, id? string, source! PartSource, metadata? any
Context: description! string, value! string
CopyOperation~: op! copy, from! pointer, path! pointer
DataSource: type! data, value! string, mimeType! string
DeveloperMessage: subagentRunId? string, id! string, role! developer, name? string, encryptedValue? string, metadata? {}, content! string
DocumentPart: type! document, id? string, source! PartSource, metadata? any
FileSource: type! file, value! string, provider? string, mimeType? string
FunctionCall: name! string, arguments! string
ImagePart: type! image, id? string, source! PartSource, metadata? any
Interrupt: subagentRunId? string, id! string, reason! string, message? string, toolCallId? string, responseSchema? {}, expiresAt? string, metadata? {}
MoveOperation~: op! move, from! pointer, path! pointer
ReasoningMessage: subagentRunId? string, id! string, role! reasoning, content! string, encryptedValue? string, metadata? {}
RemoveOperation~: op! remove, path! pointer
ReplaceOperation~: op! replace, path! pointer, value!null any
ResumeEntry: interruptId! string, status! resolved|cancelled, payload? any, metadata? {}
RunAgentInput: threadId! string, runId! string, protocolVersion? string, parentRunId? string, state? any, messages! Message[], tools? Tool[], context? Context[], forwardedProps? any, resume? ResumeEntry[]
RunFinishedCancelledOutcome: type! cancelled
RunFinishedInterruptOutcome: type! interrupt, interrupts! Interrupt[1]
RunFinishedSuccessOutcome: type! success, pendingToolCallIds? string[]
SubagentFinishedSuccessOutcome: type! success
SubagentFinishedSuspendedOutcome: type! suspended, interruptIds? string[]
SystemMessage: subagentRunId? string, id! string, role! system, name? string, encryptedValue? string, metadata? {}, content! string
TestOperation~: op! test, path! pointer, value!null any
TextPart: type! text, id? string, text! string, metadata? any
TokenUsage: provider? string, model? string, inputTokens? count, outputTokens? count, totalTokens? count, reasoningTokens? count, cachedInputTokens? count, cacheWriteInputTokens? count
Tool: name! string, description! string, parameters? any, metadata? {}
ToolCall: id! string, type! function, function! FunctionCall, encryptedValue? string, metadata? {}
ToolMessage: subagentRunId? string, id! string, role! tool, content! string/ContentPart[], toolCallId! string, error? string, encryptedValue? string, metadata? {}
UrlSource: type! url, value! string, mimeType? string
UserMessage: subagentRunId? string, id! string, role! user, name? string, encryptedValue? string, metadata? {}, content! string/ContentPart[]
VideoPart: type! video, id? string, source! PartSource, metadata? any`

const unions10 = `
ContentPart by type: text TextPart, image ImagePart, audio AudioPart, video VideoPart, document DocumentPart
JsonPatchOperation by op: add AddOperation, remove RemoveOperation, replace ReplaceOperation, move MoveOperation, copy CopyOperation, test TestOperation
Message by role: developer DeveloperMessage, system SystemMessage, assistant AssistantMessage, user UserMessage, tool ToolMessage, activity ActivityMessage, reasoning ReasoningMessage
PartSource by type: data DataSource, url UrlSource, file FileSource
RunFinishedOutcome by type: success RunFinishedSuccessOutcome, interrupt RunFinishedInterruptOutcome, cancelled RunFinishedCancelledOutcome
SubagentFinishedOutcome by type: success SubagentFinishedSuccessOutcome, suspended SubagentFinishedSuspendedOutcome`

func TestEventsMatchTheSpecificationInItsOrder(t *testing.T) {
	var got []string
	for _, e := range AGUI().Events() {
		got = append(got, renderEvent(e))
	}
	compareLines(t, got, lines(events10+retired0x))
}

func TestObjectsMatchTheSpecification(t *testing.T) {
	var got []string
	for _, o := range AGUI().Newest().Objects {
		got = append(got, o.Name+mark(o.Open, "~")+": "+renderMembers(o.Members))
	}
	compareLines(t, got, lines(objects10))
}

func TestUnionsMatchTheSpecification(t *testing.T) {
	var got []string
	for s := range AGUI().Newest().Schemas() {
		if s.Kind == KindUnion {
			got = append(got, renderUnion(s))
		}
	}
	slices.Sort(got)
	compareLines(t, slices.Compact(got), lines(unions10))
}

func TestEveryEventHasTheFourCommonMembersFirst(t *testing.T) {
	want := map[string]string{
		"0.x": "timestamp? number, rawEvent?null any, metadata? {}",
		"1.0": "timestamp? integer[-9007199254740991,9007199254740991], rawEvent? any, metadata? {}",
	}
	for _, r := range AGUI().Revisions {
		for _, e := range r.Events {
			got, want := renderMembers(e.Members[:4]), "type! "+e.Type+", "+want[r.Name]
			if got != want {
				t.Errorf("%s %s:\n got %s\nwant %s", r.Name, e.Type, got, want)
			}
		}
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

func compareLines(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := at(got, i), at(want, i)
		if g != w {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g, w)
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return strings.TrimSpace(list[i])
	}
	return "(nothing)"
}

func renderEvent(e *Event) string {
	members := e.Members[4:]
	if e.Attributable {
		members = slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return m.Name == "subagentRunId" })
	}
	return e.Type + mark(e.Attributable, " A") + mark(e.Open, "~") + ": " + renderMembers(members)
}

func renderMembers(members []Member) string {
	var parts []string
	for _, m := range members {
		must := "?"
		if m.Required {
			must = "!"
		}
		parts = append(parts, m.Name+must+mark(m.Nullable, "null")+" "+renderSchema(&m.Schema))
	}
	return strings.Join(parts, ", ")
}

func renderSchema(s *Schema) string {
	switch s.Kind {
	case KindString:
		return renderString(s)
	case KindInteger:
		return renderInteger(s)
	case KindArray:
		if s.MinItems > 0 {
			return fmt.Sprintf("%s[%d]", renderSchema(s.Items), s.MinItems)
		}
		return renderSchema(s.Items) + "[]"
	case KindObject:
		return "{}"
	case KindRef:
		return s.Ref
	case KindUnion:
		return s.Name
	case KindOneOf:
		return renderSchema(&s.OneOf[0]) + "/" + renderSchema(&s.OneOf[1])
	}
	return string(s.Kind)
}

func renderString(s *Schema) string {
	switch {
	case s.Pattern == "^(/([^/~]|~[01])*)*$":
		return "pointer"
	case s.Pattern != "":
		return "/" + s.Pattern + "/"
	case s.Enum != nil:
		return strings.Join(s.Enum, "|")
	}
	return "string"
}

func renderInteger(s *Schema) string {
	switch {
	case s.Min == nil || s.Max == nil:
		return "integer"
	case *s.Min == 0 && *s.Max == 1<<53-1:
		return "count"
	}
	return fmt.Sprintf("integer[%d,%d]", *s.Min, *s.Max)
}

func renderUnion(s *Schema) string {
	var arms []string
	for _, v := range s.Variants {
		arms = append(arms, v.Value+" "+v.Ref)
	}
	return s.Name + " by " + s.Discriminator + ": " + strings.Join(arms, ", ")
}

func mark(on bool, text string) string {
	if on {
		return text
	}
	return ""
}
