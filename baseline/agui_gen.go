// Code generated from agui.json by CONFORMANCE_UPDATE=1 go test ./...; DO NOT EDIT.

package baseline

// The event types that the newest revision has.
const (
	TextMessageStart EventType = iota + 1
	TextMessageContent
	TextMessageEnd
	TextMessageChunk
	ToolCallStart
	ToolCallArgs
	ToolCallEnd
	ToolCallChunk
	ToolCallResult
	StateSnapshot
	StateDelta
	MessagesSnapshot
	ActivitySnapshot
	ActivityDelta
	Raw
	Custom
	RunStarted
	RunFinished
	RunError
	StepStarted
	StepFinished
	ReasoningStart
	ReasoningMessageStart
	ReasoningMessageContent
	ReasoningMessageEnd
	ReasoningMessageChunk
	ReasoningEnd
	ReasoningEncryptedValue
	SubagentStarted
	SubagentFinished
	SubagentError
)

// The event types that a revision retired.
const (
	ThinkingStart EventType = iota + 32
	ThinkingEnd
	ThinkingTextMessageStart
	ThinkingTextMessageContent
	ThinkingTextMessageEnd
)

// EventTypeCount is the number of event types; they are 1 to EventTypeCount.
const EventTypeCount = 36

// String returns the type's name on the wire, or "" for the zero value.
func (t EventType) String() string {
	switch t {
	case TextMessageStart:
		return "TEXT_MESSAGE_START"
	case TextMessageContent:
		return "TEXT_MESSAGE_CONTENT"
	case TextMessageEnd:
		return "TEXT_MESSAGE_END"
	case TextMessageChunk:
		return "TEXT_MESSAGE_CHUNK"
	case ToolCallStart:
		return "TOOL_CALL_START"
	case ToolCallArgs:
		return "TOOL_CALL_ARGS"
	case ToolCallEnd:
		return "TOOL_CALL_END"
	case ToolCallChunk:
		return "TOOL_CALL_CHUNK"
	case ToolCallResult:
		return "TOOL_CALL_RESULT"
	case StateSnapshot:
		return "STATE_SNAPSHOT"
	case StateDelta:
		return "STATE_DELTA"
	case MessagesSnapshot:
		return "MESSAGES_SNAPSHOT"
	case ActivitySnapshot:
		return "ACTIVITY_SNAPSHOT"
	case ActivityDelta:
		return "ACTIVITY_DELTA"
	case Raw:
		return "RAW"
	case Custom:
		return "CUSTOM"
	case RunStarted:
		return "RUN_STARTED"
	case RunFinished:
		return "RUN_FINISHED"
	case RunError:
		return "RUN_ERROR"
	case StepStarted:
		return "STEP_STARTED"
	case StepFinished:
		return "STEP_FINISHED"
	case ReasoningStart:
		return "REASONING_START"
	case ReasoningMessageStart:
		return "REASONING_MESSAGE_START"
	case ReasoningMessageContent:
		return "REASONING_MESSAGE_CONTENT"
	case ReasoningMessageEnd:
		return "REASONING_MESSAGE_END"
	case ReasoningMessageChunk:
		return "REASONING_MESSAGE_CHUNK"
	case ReasoningEnd:
		return "REASONING_END"
	case ReasoningEncryptedValue:
		return "REASONING_ENCRYPTED_VALUE"
	case SubagentStarted:
		return "SUBAGENT_STARTED"
	case SubagentFinished:
		return "SUBAGENT_FINISHED"
	case SubagentError:
		return "SUBAGENT_ERROR"
	case ThinkingStart:
		return "THINKING_START"
	case ThinkingEnd:
		return "THINKING_END"
	case ThinkingTextMessageStart:
		return "THINKING_TEXT_MESSAGE_START"
	case ThinkingTextMessageContent:
		return "THINKING_TEXT_MESSAGE_CONTENT"
	case ThinkingTextMessageEnd:
		return "THINKING_TEXT_MESSAGE_END"
	}
	return ""
}

// EventTypeOf returns the type with that name on the wire, or zero where no
// revision has one. It does not allocate.
func EventTypeOf(name []byte) EventType {
	switch string(name) {
	case "TEXT_MESSAGE_START":
		return TextMessageStart
	case "TEXT_MESSAGE_CONTENT":
		return TextMessageContent
	case "TEXT_MESSAGE_END":
		return TextMessageEnd
	case "TEXT_MESSAGE_CHUNK":
		return TextMessageChunk
	case "TOOL_CALL_START":
		return ToolCallStart
	case "TOOL_CALL_ARGS":
		return ToolCallArgs
	case "TOOL_CALL_END":
		return ToolCallEnd
	case "TOOL_CALL_CHUNK":
		return ToolCallChunk
	case "TOOL_CALL_RESULT":
		return ToolCallResult
	case "STATE_SNAPSHOT":
		return StateSnapshot
	case "STATE_DELTA":
		return StateDelta
	case "MESSAGES_SNAPSHOT":
		return MessagesSnapshot
	case "ACTIVITY_SNAPSHOT":
		return ActivitySnapshot
	case "ACTIVITY_DELTA":
		return ActivityDelta
	case "RAW":
		return Raw
	case "CUSTOM":
		return Custom
	case "RUN_STARTED":
		return RunStarted
	case "RUN_FINISHED":
		return RunFinished
	case "RUN_ERROR":
		return RunError
	case "STEP_STARTED":
		return StepStarted
	case "STEP_FINISHED":
		return StepFinished
	case "REASONING_START":
		return ReasoningStart
	case "REASONING_MESSAGE_START":
		return ReasoningMessageStart
	case "REASONING_MESSAGE_CONTENT":
		return ReasoningMessageContent
	case "REASONING_MESSAGE_END":
		return ReasoningMessageEnd
	case "REASONING_MESSAGE_CHUNK":
		return ReasoningMessageChunk
	case "REASONING_END":
		return ReasoningEnd
	case "REASONING_ENCRYPTED_VALUE":
		return ReasoningEncryptedValue
	case "SUBAGENT_STARTED":
		return SubagentStarted
	case "SUBAGENT_FINISHED":
		return SubagentFinished
	case "SUBAGENT_ERROR":
		return SubagentError
	case "THINKING_START":
		return ThinkingStart
	case "THINKING_END":
		return ThinkingEnd
	case "THINKING_TEXT_MESSAGE_START":
		return ThinkingTextMessageStart
	case "THINKING_TEXT_MESSAGE_CONTENT":
		return ThinkingTextMessageContent
	case "THINKING_TEXT_MESSAGE_END":
		return ThinkingTextMessageEnd
	}
	return 0
}
