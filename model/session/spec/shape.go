package spec

import (
	"slices"
	"strings"
)

// Section 2: what the members of each record must be. A shape lists members as "name type", the name
// with a question mark where it may be left out. Types:
//
//	string bool number object array  the JSON type; int: a whole number
//	value                            anything, null too
//	any                              anything but null
//	=a|b                             one of these strings
//	[T]                              an array of T
//	@S                               an object of shape S
//	T,null                           T, or null
//	text                             a string, or an array of text and image blocks
//	message partial                  a message, as it was sent or as far as it has come
//	block assistant                  a block of a message, or of an assistant's
var shapes = map[string]string{
	"agent_start":           "",
	"agent_end":             "messages [message]",
	"turn_start":            "",
	"turn_end":              "message message; toolResults [message]",
	"message_start":         "message partial",
	"message_end":           "message message",
	"message_update":        "assistantMessageEvent object",
	"tool_execution_start":  "toolCallId string; toolName string; args value",
	"tool_execution_update": "toolCallId string; toolName string; args value; partialResult @result",
	"tool_execution_end":    "toolCallId string; toolName string; result @result; isError bool; durationMs? number",

	"session":                           "version number; id string; timestamp string; cwd string",
	"agent_settled":                     "",
	"queue_update":                      "steering [string]; followUp [string]",
	"compaction_start":                  "reason " + compactions,
	"compaction_end":                    "reason " + compactions + "; aborted bool; willRetry bool; result? @compaction; errorMessage? string",
	"auto_retry_start":                  "attempt number; maxAttempts number; delayMs number; errorMessage string",
	"auto_retry_end":                    "success bool; attempt number; finalError? string",
	"summarization_retry_scheduled":     "attempt number; maxAttempts number; delayMs number; errorMessage string",
	"summarization_retry_attempt_start": "source =compaction|branchSummary; reason? " + compactions,
	"summarization_retry_finished":      "",
	"entry_appended":                    "entry @entry",
	"session_info_changed":              "name? string",
	"thinking_level_changed":            "level " + levels,
	"bash_execution_update":             "delta string; id? value",
	"extension_ui_request":              "id string; method =select|confirm|input|editor|notify|setStatus|setWidget|setTitle|set_editor_text",
	"extension_error":                   "extensionPath string; event string; error string",
	"response":                          "success bool; command? string; id? value; error? string; data? value",

	// Parts.
	"result":     "content [block]; details? value; structuredContent? value; usage? @usage; isError? bool; terminate? bool",
	"usage":      "input number; output number; cacheRead number; cacheWrite number; totalTokens number; cost @cost; cacheWrite1h? number; reasoning? number",
	"cost":       "input number; output number; cacheRead number; cacheWrite number; total number; totalFromProvider? bool",
	"compaction": "summary string; firstKeptEntryId string; tokensBefore number; estimatedTokensAfter? number; usage? @usage; details? value",
	"entry":      "type string; id string; parentId string,null; timestamp string",
	"nested":     "calls array; complete bool",

	// Messages, by role.
	"role user":          "content text; timestamp int",
	"role assistant":     "content [assistant]; api string; provider string; model string; usage @usage; timestamp int; responseModel? string; responseId? string; providerThinkingLevel? string; thinkingLevel? string; diagnostics? any; deferred? any; errorMessage? string; rawStopReason? string; endTurn? any; durationMs? number",
	"role toolResult":    "toolCallId string; toolName string; content [block]; isError bool; timestamp int; details? value; usage? @usage; nestedCalls? @nested; durationMs? number",
	"role system":        "content text; timestamp int; sections? object; toolsAdded? array; toolsRemoved? array",
	"role custom":        "customType string; content text; display bool; details? value",
	"role bashExecution": "command string; output string; cancelled bool; truncated bool; exitCode? number; fullOutputPath? string; excludeFromContext? bool",

	// Blocks, by type.
	"block text":     "text string; textSignature? string",
	"block image":    "data string; mimeType string",
	"block thinking": "thinking string; thinkingSignature? string; redacted? bool",
	"block toolCall": "id string; name string; arguments object; thoughtSignature? string; namespace? string; argumentsError? any",

	// Dialogs, by method.
	"ui select":          "title string; options [string]; timeout? number",
	"ui confirm":         "title string; message string; timeout? number",
	"ui input":           "title string; placeholder? string; timeout? number",
	"ui editor":          "title string; prefill? string",
	"ui notify":          "message string; notifyType? =info|warning|error",
	"ui setStatus":       "statusKey string; statusText? string",
	"ui setWidget":       "widgetKey string; widgetLines? [string]; widgetPlacement? string",
	"ui setTitle":        "title string",
	"ui set_editor_text": "text string",

	// Data of answers, by command. A command that is not here gives none.
	"data prompt":                        disposed,
	"data steer":                         disposed,
	"data follow_up":                     disposed,
	"data clear_queue":                   "steering [string]; followUp [string]",
	"data new_session":                   "cancelled bool",
	"data switch_session":                "cancelled bool",
	"data clone":                         "cancelled bool",
	"data fork":                          "cancelled bool; text? string",
	"data get_state":                     "thinkingLevel string; isStreaming bool; isCompacting bool; steeringMode string; followUpMode string; sessionId string; autoCompactionEnabled bool; messageCount number; pendingMessageCount number; model? object; sessionFile? string; sessionName? string",
	"data get_messages":                  "messages [message]",
	"data set_model":                     "",
	"data cycle_model":                   "model object; thinkingLevel string; isScoped bool",
	"data cycle_thinking_level":          "level string",
	"data get_available_models":          "models array",
	"data get_available_thinking_levels": "levels array",
	"data compact":                       "summary string; firstKeptEntryId string; tokensBefore number; estimatedTokensAfter? number; usage? @usage; details? value",
	"data bash":                          "output string; cancelled bool; truncated bool; exitCode? number; fullOutputPath? string",
	"data get_session_stats":             "",
	"data export_html":                   "path string",
	"data get_fork_messages":             "messages [@fork]",
	"data get_entries":                   "entries [@entry]; leafId string,null",
	"data get_tree":                      "tree array; leafId string,null",
	"data get_last_assistant_text":       "text string,null",
	"data get_commands":                  "commands array",
	"fork":                               "entryId string; text string",

	// Section 5.
	"ext":       "reason? string",
	"host":      "gen int",
	"host bind": "", "host invalidate": "", "host dispose": "", "host window-close": "", "host subscribe": "", "host live": "",
	"host ui-open":  "id string; toolCallId? string",
	"host ui-close": "id string; cause =answered|cancelled|timeout|exit|window",
	"host buffer":   "seq int",
	"host apply":    "entry string",
	"host replay":   "seq int",
	"host skip":     "seq int; entry string",
	"host deliver":  "seq int",
}

const (
	disposed    = "disposition =started|queued|handled"
	compactions = "=manual|threshold|overflow"
	levels      = "=off|minimal|low|medium|high|xhigh|max"
)

// A former gives the codes of what is wrong with a value.
type former struct {
	profile string
	codes   []string
}

func (f *former) say(code string) { f.codes = append(f.codes, code) }

// shape checks the members of an object against a named shape.
func (f *former) shape(name string, n *node) {
	for _, m := range strings.Split(shapes[name], "; ") {
		if member, typ, ok := strings.Cut(m, " "); ok {
			bare := strings.TrimSuffix(member, "?")
			f.member(n.get(bare), typ, bare != member)
		}
	}
}

func (f *former) member(v *node, typ string, optional bool) {
	switch {
	case v == nil && optional:
	case v == nil:
		f.say("missing-field")
	case v.isNull() && optional && typ != "value":
		f.say("null-optional")
	default:
		f.value(v, typ)
	}
}

var sorts = map[string]byte{"string": '"', "bool": 'b', "number": '#', "int": '#', "object": '{', "array": '['}

func (f *former) value(v *node, typ string) {
	plain, nullable := strings.CutSuffix(typ, ",null")
	switch {
	case typ == "value" || nullable && v.isNull():
	case nullable:
		f.value(v, plain)
	case typ == "any":
		f.hold(!v.isNull(), "wrong-type")
	case sorts[typ] != 0:
		f.hold(v.is(sorts[typ]), "wrong-type")
		f.hold(typ != "int" || !v.is('#') || v.whole(), "bad-value")
	case typ[0] == '=':
		f.hold(v.is('"'), "wrong-type")
		f.hold(!v.is('"') || slices.Contains(strings.Split(typ[1:], "|"), v.text), "bad-value")
	case typ[0] == '[':
		f.hold(v.is('['), "wrong-type")
		for _, x := range v.list {
			f.value(x, typ[1:len(typ)-1])
		}
	case typ == "text":
		if !v.is('"') {
			f.value(v, "[block]")
		}
	case !v.is('{'):
		f.say("wrong-type")
	case typ == "message":
		f.message(v, false)
	case typ == "partial":
		f.message(v, true)
	case typ == "block":
		f.variant(v, "type", "block", "text", "image")
	case typ == "assistant":
		f.variant(v, "type", "block", "text", "thinking", "toolCall")
	case typ[0] == '@':
		f.shape(typ[1:], v)
	}
}

func (f *former) hold(ok bool, code string) {
	if !ok {
		f.say(code)
	}
}

// variant checks an object whose member tag names its shape, one of a few.
func (f *former) variant(v *node, tag, family string, names ...string) {
	f.member(v.get(tag), "="+strings.Join(names, "|"), false)
	if name, ok := v.str(tag); ok && slices.Contains(names, name) {
		f.shape(family+" "+name, v)
	}
}

// message checks a message; a role that is not known is a host's own.
func (f *former) message(v *node, partial bool) {
	f.member(v.get("role"), "string", false)
	role := v.text1("role")
	if role == "system" && f.profile != "pi-1.x" {
		return
	}
	f.shape("role "+role, v)
	switch {
	case role == "assistant" && partial:
		f.member(v.get("stopReason"), "=stop|length|toolUse|error|aborted|deferred|pending", false)
	case role == "assistant":
		f.member(v.get("stopReason"), "string", false) // its values belong to bad-reason
	}
}

// record checks a record of standard output.
func (f *former) record(e *entry) {
	f.shape(e.typ, e.root)
	switch e.typ {
	case "message_update":
		switch {
		case f.profile != "pi-1.x":
			f.member(e.root.get("message"), "partial", false)
		case e.root.has("message") || e.class == agent && !e.root.has("usage"):
			f.member(e.root.get("message"), "partial", false)
			f.member(e.root.get("usage"), "@usage", true)
		default:
			f.member(e.root.get("usage"), "@usage", false)
			f.hold(e.root.get("message") == nil, "null-optional")
		}
	case "agent_end":
		if f.profile != "pi-0.73" {
			f.member(e.root.get("willRetry"), "bool", e.class == agent)
		}
	case "agent_settled":
		if f.profile == "pi-1.x" {
			f.member(e.root.get("aborted"), "bool", true)
		}
	case "tool_execution_start", "tool_execution_update", "tool_execution_end":
		if f.profile == "pi-1.x" {
			f.member(e.root.get("parentToolCallId"), "string", true)
		}
	case "summarization_retry_attempt_start":
		if e.root.text1("source") == "compaction" && e.root.get("reason") == nil {
			f.say("missing-field")
		}
	case "response":
		if e.root.get("data").isNull() && (!e.root.yes("success") || spare(e.root.text1("command"), f.profile)) {
			f.say("null-optional")
		}
	case "extension_ui_request":
		if m := "ui " + e.root.text1("method"); shapes[m] != "" {
			f.shape(m, e.root)
		}
	}
}

// spare reports whether a release answers a command without data.
func spare(command, profile string) bool {
	shape, gives := shapes["data "+command]
	return !gives || profile != "pi-1.x" && shape == disposed || profile == "pi-0.73" && later[command]
}

// known says whether a profile has a record type on standard output.
func known(typ, profile string) bool {
	switch typ {
	case "agent_settled", "bash_execution_update", "summarization_retry_scheduled", "summarization_retry_attempt_start", "summarization_retry_finished":
		return profile != "pi-0.73"
	}
	return runTypes[typ] || sessionTypes[typ]
}

// The records of §1.3.
var runTypes = set("agent_start agent_end turn_start turn_end message_start message_update message_end tool_execution_start tool_execution_update tool_execution_end")

// The records of §1.4 and §1.5.
var sessionTypes = set("session agent_settled queue_update compaction_start compaction_end auto_retry_start auto_retry_end summarization_retry_scheduled summarization_retry_attempt_start summarization_retry_finished entry_appended session_info_changed thinking_level_changed bash_execution_update extension_ui_request extension_error response")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}
