package pi

// Agent returns the records of an agent run, in the process of the agent (Forms InProcess) and on
// standard output (Wire).
func Agent() []Event { return agent }

// Session returns the records that a session adds to those of its runs, and those of JSON mode and RPC.
func Session() []Event { return session }

// Commands returns what may be asked of a process in RPC mode.
func Commands() []Command { return commands }

// Host returns the records of a host trace, written by the application around an agent.
func Host() []Event { return host }

// Lifecycle returns the reasons of the extension events that have one.
func Lifecycle() []Event { return lifecycle }

// A Command is one type of request on standard input.
type Command struct {
	Type    string
	Members []Member
	// Data is what a success brings; without a name: nothing, and where it is not required perhaps nothing.
	Data Member
	// Since is the first profile that has the command; empty: every one.
	Since string
}

var (
	toolCallID = Member{Name: "toolCallId", Kind: String, Required: true}
	toolName   = Member{Name: "toolName", Kind: String, Required: true}
	toolArgs   = Member{Name: "args", Kind: Any, Required: true, Nullable: true}
	parentCall = Member{Name: "parentToolCallId", Kind: String, Since: Pi1x}
)

var agent = []Event{
	{Type: "agent_start"},
	{Type: "agent_end", Members: []Member{
		{Name: "messages", Kind: Array, Of: Message, Required: true},
		{Name: "willRetry", Kind: Boolean, Required: true, Since: Pi080, Forms: Wire},
	}},
	{Type: "turn_start"},
	{Type: "turn_end", Members: []Member{
		{Name: "message", Kind: Object, Of: Message, Required: true},
		{Name: "toolResults", Kind: Array, Of: Message, Required: true},
	}},
	{Type: "message_start", Members: []Member{{Name: "message", Kind: Object, Of: DraftMessage, Required: true}}},
	{Type: "message_update", Members: []Member{
		{Name: "message", Kind: Object, Of: DraftMessage, Required: true, Until: Pi080},
		{Name: "message", Kind: Object, Of: DraftMessage, Required: true, Since: Pi1x, Forms: InProcess},
		{Name: "usage", Kind: Object, Of: "Usage", Required: true, Since: Pi1x, Forms: Wire},
		{Name: "assistantMessageEvent", Kind: Object, Required: true},
	}},
	{Type: "message_end", Members: []Member{{Name: "message", Kind: Object, Of: Message, Required: true}}},
	{Type: "tool_execution_start", Members: []Member{toolCallID, toolName, toolArgs, parentCall}},
	{Type: "tool_execution_update", Members: []Member{
		toolCallID, toolName, toolArgs,
		{Name: "partialResult", Kind: Object, Of: "Result", Required: true},
		parentCall,
	}},
	{Type: "tool_execution_end", Members: []Member{
		toolCallID, toolName,
		{Name: "result", Kind: Object, Of: "Result", Required: true},
		{Name: "isError", Kind: Boolean, Required: true},
		{Name: "durationMs", Kind: Number},
		parentCall,
	}},
}

var (
	compactionReason = Member{Name: "reason", Kind: String, Required: true, Values: []string{"manual", "threshold", "overflow"}}
	attempt          = Member{Name: "attempt", Kind: Integer, Required: true}
	maxAttempts      = Member{Name: "maxAttempts", Kind: Integer, Required: true}
	delayMs          = Member{Name: "delayMs", Kind: Number, Required: true}
	cause            = Member{Name: "errorMessage", Kind: String, Required: true}
)

// The profile pi-1.x begins before agent_settled says whether the run was aborted, which is since 1.1.0.
var session = []Event{
	{Type: "agent_settled", Since: Pi080, Members: []Member{{Name: "aborted", Kind: Boolean, Since: Pi1x}}},
	{Type: "queue_update", Members: []Member{steering, followUp}},
	{Type: "compaction_start", Members: []Member{compactionReason}},
	{Type: "compaction_end", Members: []Member{
		compactionReason,
		{Name: "aborted", Kind: Boolean, Required: true},
		{Name: "willRetry", Kind: Boolean, Required: true},
		{Name: "result", Kind: Object, Of: "CompactionResult"},
		{Name: "errorMessage", Kind: String},
	}},
	{Type: "auto_retry_start", Members: []Member{attempt, maxAttempts, delayMs, cause}},
	{Type: "auto_retry_end", Members: []Member{
		{Name: "success", Kind: Boolean, Required: true},
		attempt,
		{Name: "finalError", Kind: String},
	}},
	{Type: "summarization_retry_scheduled", Since: Pi080, Members: []Member{attempt, maxAttempts, delayMs, cause}},
	{Type: "summarization_retry_attempt_start", Since: Pi080, Members: []Member{
		{Name: "source", Kind: String, Required: true, Values: []string{"compaction", "branchSummary"}},
		{Name: "reason", Kind: String},
	}},
	{Type: "summarization_retry_finished", Since: Pi080},
	{Type: "entry_appended", Members: []Member{{Name: "entry", Kind: Object, Of: "Entry", Required: true}}},
	{Type: "session_info_changed", Members: []Member{{Name: "name", Kind: String}}},
	{Type: "thinking_level_changed", Members: []Member{
		{Name: "level", Kind: String, Required: true, Values: []string{"off", "minimal", "low", "medium", "high", "xhigh", "max"}},
	}},
	{Type: "bash_execution_update", Since: Pi080, Members: []Member{{Name: "delta", Kind: String, Required: true}, {Name: "id", Kind: Any, Nullable: true}}},
	{Type: "session", Members: []Member{
		{Name: "version", Kind: Integer, Required: true},
		{Name: "id", Kind: String, Required: true},
		{Name: "timestamp", Kind: String, Required: true},
		{Name: "cwd", Kind: String, Required: true},
	}},
	{Type: "response", Members: []Member{
		{Name: "success", Kind: Boolean, Required: true},
		{Name: "command", Kind: String},
		{Name: "id", Kind: Any, Nullable: true},
		{Name: "error", Kind: String},
		{Name: "data", Kind: Any, Nullable: true},
	}},
	{Type: "extension_ui_request", Members: []Member{{Name: "id", Kind: String, Required: true}, {Name: "method", Kind: String, Required: true}}},
	{Type: "extension_error", Members: []Member{
		{Name: "extensionPath", Kind: String, Required: true},
		{Name: "event", Kind: String, Required: true},
		{Name: "error", Kind: String, Required: true},
	}},
}

// gave is what a success brings.
func gave(shape string) Member { return Member{Name: "data", Kind: Object, Of: shape, Required: true} }

// orNull is gave for a success that may find nothing.
func orNull(shape string) Member {
	m := gave(shape)
	m.Nullable = true
	return m
}

// since is gave for what releases tell from somewhere in that profile on.
func since(profile, shape string) Member {
	m := gave(shape)
	m.Since, m.Required = profile, false
	return m
}

var (
	message = Member{Name: "message", Kind: String, Required: true}
	images  = Member{Name: "images", Kind: Array, Of: "ImageBlock"}
	enabled = Member{Name: "enabled", Kind: Boolean, Required: true}
	mode    = Member{Name: "mode", Kind: String, Required: true, Values: queueModes}
)

var commands = []Command{
	{Type: "prompt", Data: since(Pi1x, "Disposition"), Members: []Member{
		message, images, {Name: "streamingBehavior", Kind: String, Values: []string{"steer", "followUp"}},
	}},
	{Type: "steer", Data: since(Pi1x, "Disposition"), Members: []Member{message, images}},
	{Type: "follow_up", Data: since(Pi1x, "Disposition"), Members: []Member{message, images}},
	{Type: "abort"},
	{Type: "clear_queue", Data: gave("Queues"), Since: Pi1x},
	{Type: "new_session", Data: gave("Cancelled"), Members: []Member{{Name: "parentSession", Kind: String}}},
	{Type: "get_state", Data: gave("State")},
	{Type: "get_messages", Data: gave("Messages")},
	{Type: "set_model", Data: gave(""), Members: []Member{
		{Name: "provider", Kind: String, Required: true}, {Name: "modelId", Kind: String, Required: true},
	}},
	{Type: "cycle_model", Data: orNull("ModelChange")},
	{Type: "get_available_models", Data: gave("Models")},
	{Type: "set_thinking_level", Members: []Member{{Name: "level", Kind: String, Required: true}}},
	{Type: "cycle_thinking_level", Data: orNull("Level")},
	{Type: "get_available_thinking_levels", Data: gave("Levels"), Since: Pi080},
	{Type: "set_steering_mode", Members: []Member{mode}},
	{Type: "set_follow_up_mode", Members: []Member{mode}},
	{Type: "compact", Data: gave("CompactionResult"), Members: []Member{{Name: "customInstructions", Kind: String}}},
	{Type: "set_auto_compaction", Members: []Member{enabled}},
	{Type: "set_auto_retry", Members: []Member{enabled}},
	{Type: "abort_retry"},
	{Type: "bash", Data: gave("Bash"), Members: []Member{{Name: "command", Kind: String, Required: true}, {Name: "excludeFromContext", Kind: Boolean}}},
	{Type: "abort_bash"},
	{Type: "get_session_stats", Data: gave("")},
	{Type: "export_html", Data: gave("Export"), Members: []Member{{Name: "outputPath", Kind: String}}},
	{Type: "switch_session", Data: gave("Cancelled"), Members: []Member{{Name: "sessionPath", Kind: String, Required: true}}},
	{Type: "fork", Data: gave("Fork"), Members: []Member{{Name: "entryId", Kind: String, Required: true}}},
	{Type: "clone", Data: gave("Cancelled")},
	{Type: "get_fork_messages", Data: gave("ForkMessages")},
	{Type: "get_entries", Data: gave("Entries"), Since: Pi080, Members: []Member{{Name: "since", Kind: String}}},
	{Type: "get_tree", Data: gave("Tree"), Since: Pi080},
	{Type: "get_last_assistant_text", Data: gave("LastText")},
	{Type: "set_session_name", Members: []Member{{Name: "name", Kind: String, Required: true}}},
	{Type: "get_commands", Data: gave("CommandList")},
}

var (
	gen   = Member{Name: "gen", Kind: Integer, Required: true}
	seq   = Member{Name: "seq", Kind: Integer, Required: true}
	entry = Member{Name: "entry", Kind: String, Required: true}
	uiID  = Member{Name: "id", Kind: String, Required: true}
)

// closeCauses are why a host closes a dialog.
var closeCauses = []string{"answered", "cancelled", "timeout", "exit", "window"}

var host = []Event{
	{Type: "bind", Members: []Member{gen}},
	{Type: "invalidate", Members: []Member{gen}},
	{Type: "dispose", Members: []Member{gen}},
	{Type: "ui-open", Members: []Member{gen, uiID, {Name: "toolCallId", Kind: String}}},
	{Type: "ui-close", Members: []Member{gen, uiID, {Name: "cause", Kind: String, Required: true, Values: closeCauses}}},
	{Type: "window-close", Members: []Member{gen}},
	{Type: "subscribe", Members: []Member{gen}},
	{Type: "buffer", Members: []Member{gen, seq}},
	{Type: "apply", Members: []Member{gen, entry}},
	{Type: "replay", Members: []Member{gen, seq}},
	{Type: "skip", Members: []Member{gen, seq, entry}},
	{Type: "live", Members: []Member{gen}},
	{Type: "deliver", Members: []Member{gen, seq}},
}

// resources_discover says startup whatever the session was started for.
var lifecycle = []Event{
	{Type: "session_start", Members: []Member{{Name: "reason", Kind: String, Required: true, Values: []string{"startup", "reload", "new", "resume", "fork"}}}},
	{Type: "session_shutdown", Members: []Member{{Name: "reason", Kind: String, Required: true, Values: []string{"quit", "reload", "new", "resume", "fork"}}}},
}
