package pi

// SessionShapes returns the objects that records of an agent session carry, beside those of Shapes.
func SessionShapes() []Shape { return sessionShapes }

// Choices returns the named objects whose shape one of their members decides.
func Choices() []Choice { return choices }

// A Choice is an object whose member By says which shape it has.
type Choice struct {
	Name     string
	By       string
	Variants []Variant
	// Open says that other values of By are legal; such an object is not looked into.
	Open bool
}

// A Variant is one value of a choice's member with the shape that it stands for.
type Variant struct {
	Value, Of string
	// Since is the first profile that has it; empty: every one.
	Since string
}

// The roles of messages. Others are legal: an application may have its own.
const (
	User       = "user"
	ToolResult = "toolResult"
	System     = "system"
	Custom     = "custom"
)

// Names of choices that a reader asks for by name.
const (
	Message      = "Message"      // any message
	DraftMessage = "DraftMessage" // any message; an assistant's may have Pending as its stopReason, and no other than those listed
)

var choices = []Choice{
	{Name: Message, By: "role", Open: true, Variants: messages("FinalMessage")},
	{Name: DraftMessage, By: "role", Open: true, Variants: messages("PartialMessage")},
	{Name: "AssistantBlock", By: "type", Variants: []Variant{
		{Value: "text", Of: "TextBlock"}, {Value: "thinking", Of: "ThinkingBlock"}, {Value: "toolCall", Of: "ToolCallBlock"},
	}},
	{Name: "InputBlock", By: "type", Variants: []Variant{{Value: "text", Of: "TextBlock"}, {Value: "image", Of: "ImageBlock"}}},
	{Name: "UIRequest", By: "method", Variants: []Variant{
		{Value: "select", Of: "Select"}, {Value: "confirm", Of: "Confirm"}, {Value: "input", Of: "Input"}, {Value: "editor", Of: "Editor"},
		{Value: "notify", Of: "Notify"}, {Value: "setStatus", Of: "SetStatus"}, {Value: "setWidget", Of: "SetWidget"},
		{Value: "setTitle", Of: "SetTitle"}, {Value: "set_editor_text", Of: "SetEditorText"},
	}},
}

func messages(assistant string) []Variant {
	return []Variant{
		{Value: Assistant, Of: assistant}, {Value: User, Of: "UserMessage"}, {Value: ToolResult, Of: "ToolResultMessage"},
		{Value: System, Of: "SystemMessage", Since: Pi1x}, {Value: Custom, Of: "CustomMessage"},
		{Value: "bashExecution", Of: "BashExecutionMessage"},
	}
}

// assistantMessage is the provider's with a shape for its content and a list for its stopReason.
func assistantMessage(name string, reasons []string) Shape {
	s := Shape{Name: name}
	for _, m := range shapes[0].Members {
		switch m.Name {
		case "content":
			m.Of = "AssistantBlock"
		case "stopReason":
			m.Values = reasons
		}
		s.Members = append(s.Members, m)
	}
	return s
}

// partialReasons are what a message that is not complete may say. Before 1.x it shows its final reason.
var partialReasons = []string{Pending, "stop", "length", "toolUse", Deferred, "error", "aborted"}

var timestamp = Member{Name: "timestamp", Kind: Integer, Required: true}

var sessionShapes = []Shape{
	assistantMessage("FinalMessage", nil),
	assistantMessage("PartialMessage", partialReasons),
	{Name: "UserMessage", Members: []Member{
		{Name: "content", Kind: Text, Of: "InputBlock", Required: true},
		timestamp,
	}},
	{Name: "ToolResultMessage", Members: []Member{
		{Name: "toolCallId", Kind: String, Required: true},
		{Name: "toolName", Kind: String, Required: true},
		{Name: "content", Kind: Array, Of: "InputBlock", Required: true},
		{Name: "isError", Kind: Boolean, Required: true},
		timestamp,
		{Name: "details", Kind: Any, Nullable: true},
		{Name: "usage", Kind: Object, Of: "Usage"},
		{Name: "nestedCalls", Kind: Object, Of: "NestedCalls", Since: Pi1x},
		{Name: "durationMs", Kind: Number, Since: Pi1x},
	}},
	{Name: "NestedCalls", Members: []Member{
		{Name: "calls", Kind: Array, Required: true},
		{Name: "complete", Kind: Boolean, Required: true},
	}},
	{Name: "SystemMessage", Members: []Member{
		{Name: "content", Kind: Text, Of: "InputBlock", Required: true},
		timestamp,
		{Name: "sections", Kind: Object},
		{Name: "toolsAdded", Kind: Array},
		{Name: "toolsRemoved", Kind: Array},
	}},
	{Name: "CustomMessage", Members: []Member{
		{Name: "customType", Kind: String, Required: true},
		{Name: "content", Kind: Text, Of: "InputBlock", Required: true},
		{Name: "display", Kind: Boolean, Required: true},
		{Name: "details", Kind: Any, Nullable: true},
	}},
	{Name: "BashExecutionMessage", Members: []Member{
		{Name: "command", Kind: String, Required: true},
		{Name: "output", Kind: String, Required: true},
		{Name: "cancelled", Kind: Boolean, Required: true},
		{Name: "truncated", Kind: Boolean, Required: true},
		{Name: "exitCode", Kind: Integer},
		{Name: "fullOutputPath", Kind: String},
		{Name: "excludeFromContext", Kind: Boolean},
	}},
	{Name: "TextBlock", Members: []Member{{Name: "text", Kind: String, Required: true}, {Name: "textSignature", Kind: String}}},
	{Name: "ThinkingBlock", Members: []Member{
		{Name: "thinking", Kind: String, Required: true}, {Name: "thinkingSignature", Kind: String}, {Name: "redacted", Kind: Boolean},
	}},
	{Name: "ImageBlock", Members: []Member{{Name: "data", Kind: String, Required: true}, {Name: "mimeType", Kind: String, Required: true}}},
	{Name: "ToolCallBlock", Members: []Member{
		{Name: "id", Kind: String, Required: true},
		{Name: "name", Kind: String, Required: true},
		{Name: "arguments", Kind: Object, Required: true},
		{Name: "thoughtSignature", Kind: String},
		{Name: "namespace", Kind: String},
		{Name: "argumentsError", Kind: String},
	}},
	{Name: "Result", Members: []Member{
		{Name: "content", Kind: Array, Of: "InputBlock", Required: true},
		{Name: "details", Kind: Any, Nullable: true},
		{Name: "structuredContent", Kind: Any, Nullable: true},
		{Name: "usage", Kind: Object, Of: "Usage"},
		{Name: "isError", Kind: Boolean},
		{Name: "terminate", Kind: Boolean},
	}},
	{Name: "CompactionResult", Members: []Member{
		{Name: "summary", Kind: String, Required: true},
		{Name: "firstKeptEntryId", Kind: String, Required: true},
		{Name: "tokensBefore", Kind: Number, Required: true},
		{Name: "estimatedTokensAfter", Kind: Number},
		{Name: "usage", Kind: Object, Of: "Usage"},
		{Name: "details", Kind: Any, Nullable: true},
	}},
	{Name: "Entry", Members: []Member{
		{Name: "type", Kind: String, Required: true},
		{Name: "id", Kind: String, Required: true},
		{Name: "parentId", Kind: String, Required: true, Nullable: true},
		{Name: "timestamp", Kind: String, Required: true},
	}},
	{Name: "Select", Members: []Member{{Name: "title", Kind: String, Required: true}, {Name: "options", Kind: Array, Items: String, Required: true}, timeout}},
	{Name: "Confirm", Members: []Member{{Name: "title", Kind: String, Required: true}, {Name: "message", Kind: String, Required: true}, timeout}},
	{Name: "Input", Members: []Member{{Name: "title", Kind: String, Required: true}, {Name: "placeholder", Kind: String}, timeout}},
	{Name: "Editor", Members: []Member{{Name: "title", Kind: String, Required: true}, {Name: "prefill", Kind: String}}},
	{Name: "Notify", Members: []Member{
		{Name: "message", Kind: String, Required: true}, {Name: "notifyType", Kind: String, Values: []string{"info", "warning", "error"}},
	}},
	{Name: "SetStatus", Members: []Member{{Name: "statusKey", Kind: String, Required: true}, {Name: "statusText", Kind: String}}},
	{Name: "SetWidget", Members: []Member{
		{Name: "widgetKey", Kind: String, Required: true}, {Name: "widgetLines", Kind: Array, Items: String}, {Name: "widgetPlacement", Kind: String},
	}},
	{Name: "SetTitle", Members: []Member{{Name: "title", Kind: String, Required: true}}},
	{Name: "SetEditorText", Members: []Member{{Name: "text", Kind: String, Required: true}}},
	{Name: "Disposition", Members: []Member{{Name: "disposition", Kind: String, Required: true, Values: []string{"started", "queued", "handled"}}}},
	{Name: "Queues", Members: []Member{steering, followUp}},
	{Name: "Cancelled", Members: []Member{{Name: "cancelled", Kind: Boolean, Required: true}}},
	{Name: "Fork", Members: []Member{{Name: "cancelled", Kind: Boolean, Required: true}, {Name: "text", Kind: String}}},
	{Name: "State", Members: []Member{
		{Name: "thinkingLevel", Kind: String, Required: true},
		{Name: "isStreaming", Kind: Boolean, Required: true},
		{Name: "isCompacting", Kind: Boolean, Required: true},
		{Name: "steeringMode", Kind: String, Required: true, Values: queueModes},
		{Name: "followUpMode", Kind: String, Required: true, Values: queueModes},
		{Name: "sessionId", Kind: String, Required: true},
		{Name: "autoCompactionEnabled", Kind: Boolean, Required: true},
		{Name: "messageCount", Kind: Integer, Required: true},
		{Name: "pendingMessageCount", Kind: Integer, Required: true},
		{Name: "model", Kind: Object},
		{Name: "sessionFile", Kind: String},
		{Name: "sessionName", Kind: String},
	}},
	{Name: "Messages", Members: []Member{{Name: "messages", Kind: Array, Of: Message, Required: true}}},
	{Name: "ModelChange", Members: []Member{
		{Name: "model", Kind: Object, Required: true}, {Name: "thinkingLevel", Kind: String, Required: true}, {Name: "isScoped", Kind: Boolean, Required: true},
	}},
	{Name: "Level", Members: []Member{{Name: "level", Kind: String, Required: true}}},
	{Name: "Models", Members: []Member{{Name: "models", Kind: Array, Required: true}}},
	{Name: "Levels", Members: []Member{{Name: "levels", Kind: Array, Items: String, Required: true}}},
	{Name: "Bash", Members: []Member{
		{Name: "output", Kind: String, Required: true},
		{Name: "cancelled", Kind: Boolean, Required: true},
		{Name: "truncated", Kind: Boolean, Required: true},
		{Name: "exitCode", Kind: Integer},
		{Name: "fullOutputPath", Kind: String},
	}},
	{Name: "Export", Members: []Member{{Name: "path", Kind: String, Required: true}}},
	{Name: "ForkMessages", Members: []Member{{Name: "messages", Kind: Array, Of: "ForkMessage", Required: true}}},
	{Name: "ForkMessage", Members: []Member{{Name: "entryId", Kind: String, Required: true}, {Name: "text", Kind: String, Required: true}}},
	{Name: "Entries", Members: []Member{
		{Name: "entries", Kind: Array, Of: "Entry", Required: true}, {Name: "leafId", Kind: String, Required: true, Nullable: true},
	}},
	{Name: "Tree", Members: []Member{{Name: "tree", Kind: Any, Required: true, Nullable: true}, {Name: "leafId", Kind: String, Required: true, Nullable: true}}},
	{Name: "LastText", Members: []Member{{Name: "text", Kind: String, Required: true, Nullable: true}}},
	{Name: "CommandList", Members: []Member{{Name: "commands", Kind: Array, Required: true}}},
}

var (
	timeout    = Member{Name: "timeout", Kind: Number}
	queueModes = []string{"all", "one-at-a-time"}
	steering   = Member{Name: "steering", Kind: Array, Items: String, Required: true}
	followUp   = Member{Name: "followUp", Kind: Array, Items: String, Required: true}
)
