package pi

// Provider returns the events of the provider stream, in all four serialisations.
func Provider() []Event { return provider }

// DiCode returns the events of the provider stream of di-code, which has the same kinds of events under
// other names.
func DiCode() []Event { return diCode }

// Shapes returns the objects that events of the provider stream carry.
func Shapes() []Shape { return shapes }

// The roles, block types and reasons of the provider stream. Deferred is a done reason from pi-1.x on;
// Pending stands in a message that is not complete and is no end's reason.
const (
	Assistant = "assistant"
	Deferred  = "deferred"
	Pending   = "pending"
)

// DoneReasons returns the reasons that a done may have in a profile.
func DoneReasons(profile string) []string {
	if In(profile, Pi1x, "") {
		return doneReasons
	}
	return doneReasons[:3]
}

// ErrorReasons returns the reasons that an error may have; they are di-code's too.
func ErrorReasons() []string { return errorReasons }

// DiCodeDoneReasons returns the reasons that a done may have in di-code.
func DiCodeDoneReasons() []string { return diCodeDoneReasons }

var (
	doneReasons       = []string{"stop", "length", "toolUse", Deferred}
	errorReasons      = []string{"error", "aborted"}
	diCodeDoneReasons = []string{"stop", "length", "tool_use"}
)

// Members that many events have.
var (
	contentIndex = Member{Name: "contentIndex", Kind: Number, Required: true}
	delta        = Member{Name: "delta", Kind: String, Required: true}
	content      = Member{Name: "content", Kind: String, Required: true, Forms: InProcess | Wire | SSE}
	signature    = Member{Name: "contentSignature", Kind: String, Forms: SSE | Proxy}
	partial      = Member{Name: "partial", Kind: Object, Of: "PartialMessage", Required: true, Forms: InProcess}
	reason       = Member{Name: "reason", Kind: String, Required: true}
	usage        = Member{Name: "usage", Kind: Object, Of: "Usage", Required: true, Forms: SSE | Proxy}
	responseID   = Member{Name: "responseId", Kind: String, Forms: SSE}
	failure      = Member{Name: "errorMessage", Kind: String, Forms: SSE | Proxy}
)

// A toolcall_start names its call from 0.84.3 on; a producer in process shows it in the partial alone.
var provider = []Event{
	{Type: "start", Members: []Member{partial}},
	{Type: "text_start", Members: []Member{contentIndex, partial}},
	{Type: "text_delta", Members: []Member{contentIndex, delta, partial}},
	{Type: "text_end", Members: []Member{contentIndex, content, signature, partial}},
	{Type: "thinking_start", Members: []Member{contentIndex, partial}},
	{Type: "thinking_delta", Members: []Member{contentIndex, delta, partial}},
	{Type: "thinking_end", Members: []Member{contentIndex, content, signature, {Name: "redacted", Kind: Boolean, Forms: SSE}, partial}},
	{Type: "toolcall_start", Members: []Member{
		contentIndex,
		{Name: "id", Kind: String, Forms: Wire | SSE | Proxy},
		{Name: "toolName", Kind: String, Forms: Wire | SSE | Proxy},
		partial,
	}},
	{Type: "toolcall_delta", Members: []Member{contentIndex, delta, partial}},
	{Type: "toolcall_end", Members: []Member{contentIndex, {Name: "toolCall", Kind: Object, Of: "ToolCall", Required: true}, partial}},
	{Type: "done", Members: []Member{
		reason,
		{Name: "message", Kind: Object, Of: "FinalMessage", Required: true, Forms: InProcess | Wire},
		usage, responseID,
	}},
	{Type: "error", Members: []Member{
		reason,
		{Name: "error", Kind: Object, Of: "FinalMessage", Required: true, Forms: InProcess | Wire},
		usage, responseID, failure,
	}},
}

var diCode = []Event{
	{Type: "start"},
	{Type: "text_start", Members: []Member{contentIndex}},
	{Type: "text_delta", Members: []Member{contentIndex, delta}},
	{Type: "text_end", Members: []Member{contentIndex, diCodeContent}},
	{Type: "thinking_start", Members: []Member{contentIndex}},
	{Type: "thinking_delta", Members: []Member{contentIndex, delta}},
	{Type: "thinking_end", Members: []Member{contentIndex, diCodeContent}},
	{Type: "tool_call_start", Members: []Member{contentIndex, {Name: "id", Kind: String, Required: true}, {Name: "name", Kind: String, Required: true}}},
	{Type: "tool_call_delta", Members: []Member{contentIndex, {Name: "argumentsDelta", Kind: String, Required: true}}},
	{Type: "tool_call_end", Members: []Member{contentIndex, {Name: "toolCall", Kind: Object, Of: "DiCodeToolCall", Required: true}}},
	{Type: "done", Members: []Member{reason, {Name: "message", Kind: Object, Of: "DiCodeMessage", Required: true}}},
	{Type: "error", Members: []Member{reason, {Name: "message", Kind: Object, Of: "DiCodeMessage", Required: true}}},
}

var diCodeContent = Member{Name: "content", Kind: String, Required: true}

// What rules of content judge has no shape here: the type and the arguments of the call at a toolcall_end,
// which reason a message gives, and the blocks of di-code. An AssistantMessage is what FinalMessage and
// PartialMessage have in common.
var shapes = []Shape{
	{Name: "AssistantMessage", Members: []Member{
		{Name: "role", Kind: String, Required: true, Values: []string{Assistant}},
		{Name: "content", Kind: Array, Required: true},
		{Name: "api", Kind: String, Required: true},
		{Name: "provider", Kind: String, Required: true},
		{Name: "model", Kind: String, Required: true},
		{Name: "usage", Kind: Object, Of: "Usage", Required: true},
		{Name: "stopReason", Kind: String, Required: true},
		{Name: "timestamp", Kind: Integer, Required: true},
		{Name: "responseModel", Kind: String},
		{Name: "responseId", Kind: String},
		{Name: "providerThinkingLevel", Kind: String},
		{Name: "thinkingLevel", Kind: String},
		{Name: "errorMessage", Kind: String},
		{Name: "rawStopReason", Kind: String},
		{Name: "durationMs", Kind: Number},
		{Name: "diagnostics", Kind: Any},
		{Name: "deferred", Kind: Any},
		{Name: "endTurn", Kind: Any},
	}},
	{Name: "Usage", Members: []Member{
		{Name: "input", Kind: Number, Required: true},
		{Name: "output", Kind: Number, Required: true},
		{Name: "cacheRead", Kind: Number, Required: true},
		{Name: "cacheWrite", Kind: Number, Required: true},
		{Name: "totalTokens", Kind: Number, Required: true},
		{Name: "cost", Kind: Object, Of: "Cost", Required: true},
		{Name: "cacheWrite1h", Kind: Number},
		{Name: "reasoning", Kind: Number},
	}},
	{Name: "Cost", Members: []Member{
		{Name: "input", Kind: Number, Required: true},
		{Name: "output", Kind: Number, Required: true},
		{Name: "cacheRead", Kind: Number, Required: true},
		{Name: "cacheWrite", Kind: Number, Required: true},
		{Name: "total", Kind: Number, Required: true},
		{Name: "totalFromProvider", Kind: Boolean},
	}},
	{Name: "ToolCall", Members: []Member{
		{Name: "type", Kind: String, Required: true},
		{Name: "id", Kind: String, Required: true},
		{Name: "name", Kind: String, Required: true},
		{Name: "arguments", Kind: Any, Required: true, Nullable: true},
		{Name: "thoughtSignature", Kind: String},
		{Name: "namespace", Kind: String},
		{Name: "argumentsError", Kind: String},
	}},
	{Name: "DiCodeToolCall", Members: []Member{
		{Name: "type", Kind: String, Required: true},
		{Name: "id", Kind: String, Required: true},
		{Name: "name", Kind: String, Required: true},
		{Name: "arguments", Kind: Any, Required: true, Nullable: true},
	}},
	{Name: "DiCodeMessage", Members: []Member{
		{Name: "role", Kind: String, Required: true, Values: []string{Assistant}},
		{Name: "content", Kind: Array, Required: true},
		{Name: "provider", Kind: String, Required: true},
		{Name: "model", Kind: String, Required: true},
		{Name: "usage", Kind: Object, Of: "Usage", Required: true},
		{Name: "stopReason", Kind: String, Required: true},
		{Name: "timestamp", Kind: Integer, Required: true},
		{Name: "errorMessage", Kind: String},
	}},
}
