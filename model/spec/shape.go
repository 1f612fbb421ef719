package spec

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// Shapes: section 3 of agui-1.0-spec.md as a table of our own.

// A fault is one departure from a shape, at a path such as
// "messages.*.toolCalls.*.id" (a star is any element).
type fault struct{ code, path string }

// A shape looks at a present value and tells its faults.
type shape func(n *node, path string) []fault

func at(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func sorted(sorts string) shape {
	return func(n *node, path string) []fault {
		if strings.IndexByte(sorts, n.sort) < 0 {
			return []fault{{"wrong-type", path}}
		}
		return nil
	}
}

var (
	str        = sorted(`"`)
	boolean    = sorted("b")
	openObject = sorted("{") // metadata, activity content, responseSchema: open
	number     = sorted("#") // timestamp in 0.x
	anyJSON    = sorted(`nb#"[{`)
)

// oneOf is a closed set of strings.
func oneOf(words ...string) shape {
	return func(n *node, path string) []fault {
		if f := str(n, path); f != nil {
			return f
		}
		for _, w := range words {
			if n.text == w {
				return nil
			}
		}
		return []fault{{"bad-value", path}}
	}
}

const biggest = 1<<53 - 1

// whole is an integer by value (1.0 is one) in a range.
func whole(least int64) shape { return integer(least, biggest) }

func integer(least, most int64) shape {
	return func(n *node, path string) []fault {
		if f := number(n, path); f != nil {
			return f
		}
		if v, isWhole, fits := n.integer(); !isWhole || most == biggest && !fits || fits && (v < least || v > most) || !fits && strings.HasPrefix(n.text, "-") {
			return []fault{{"bad-value", path}}
		}
		return nil
	}
}

func pointer(n *node, path string) []fault {
	if f := str(n, path); f != nil {
		return f
	}
	if !isPointer(n.text) {
		return []fault{{"bad-value", path}}
	}
	return nil
}

func listOf(elem shape) shape {
	return func(n *node, path string) []fault {
		if n.sort != '[' {
			return []fault{{"wrong-type", path}}
		}
		var out []fault
		for _, e := range n.list {
			out = append(out, elem(e, at(path, "*"))...)
		}
		return out
	}
}

// someOf is listOf with at least one element; the shortage has its own code.
func someOf(elem shape, shortage string) shape {
	return func(n *node, path string) []fault {
		out := listOf(elem)(n, path)
		if n.sort == '[' && len(n.list) == 0 {
			out = append(out, fault{shortage, path})
		}
		return out
	}
}

func stringOr(other shape) shape {
	return func(n *node, path string) []fault {
		if n.sort == '"' {
			return nil
		}
		return other(n, path)
	}
}

// Members.
type field struct {
	name     string
	required bool
	shape    shape
	nullable bool // optional, and null is like absence
}

func must(name string, s shape) field { return field{name: name, required: true, shape: s} }
func may(name string, s shape) field  { return field{name: name, shape: s} }

func record(open bool, fields []field) shape {
	return func(n *node, path string) []fault {
		if n.sort != '{' {
			return []fault{{"wrong-type", path}}
		}
		var out []fault
		described := map[string]bool{}
		for _, f := range fields {
			described[f.name] = true
			v := n.get(f.name)
			switch {
			case v == nil && f.required:
				out = append(out, fault{"missing-field", at(path, f.name)})
			case v == nil, v.sort == 'n' && f.nullable:
			case v.sort == 'n' && !f.required:
				out = append(out, fault{"null-optional", at(path, f.name)})
			default:
				out = append(out, f.shape(v, at(path, f.name))...)
			}
		}
		if !open {
			for _, m := range n.members {
				if !described[m.name] {
					out = append(out, fault{"unknown-property", at(path, m.name)})
				}
			}
		}
		return out
	}
}

func fields(groups ...[]field) []field {
	var out []field
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

// union picks a record by a member; a value that names no arm is unknown-variant.
func union(tag string, open bool, arms map[string][]field) shape {
	return func(n *node, path string) []fault {
		if n.sort != '{' {
			return []fault{{"wrong-type", path}}
		}
		v := n.get(tag)
		if v == nil {
			return []fault{{"missing-field", at(path, tag)}}
		}
		if v.sort != '"' {
			return []fault{{"wrong-type", at(path, tag)}}
		}
		arm, ok := arms[v.text]
		if !ok {
			return []fault{{"unknown-variant", at(path, tag)}}
		}
		return record(open, fields([]field{must(tag, str)}, arm))(n, path+"<"+v.text+">")
	}
}

// A schema is the shapes of one revision.
type schema struct {
	types map[string]shape
	input shape
}

var attributed = map[string]bool{} // types that may carry subagentRunId as attribution

var (
	messageRoles = map[string]bool{"developer": true, "system": true, "assistant": true, "user": true, "tool": true, "activity": true, "reasoning": true}
	retired      = map[string]bool{"THINKING_START": true, "THINKING_END": true, "THINKING_TEXT_MESSAGE_START": true, "THINKING_TEXT_MESSAGE_CONTENT": true, "THINKING_TEXT_MESSAGE_END": true}
)

var (
	schema10 = describe("1.0")
	schema0x = describe("0.x")
)

func describe(revision string) *schema {
	now := revision == "1.0"
	open := !now // 0.x: unknown members are legal
	obj := func(groups ...[]field) shape { return record(open, fields(groups...)) }
	type f = []field
	only10 := func(fs f) f {
		if now {
			return fs
		}
		return nil
	}

	// In 0.x these were any JSON, null and absence included.
	loose := func(name string, s shape) field { return field{name: name, shape: s, nullable: !now} }
	anything := func(name string) field { return field{name: name, required: now, shape: anyJSON, nullable: !now} }

	patch := listOf(anyJSON) // 0.x: untyped
	if now {
		op := func(more ...field) f { return fields(f{must("path", pointer)}, more) }
		value, from := must("value", anyJSON), must("from", pointer)
		patch = listOf(union("op", true, map[string][]field{
			"add": op(value), "replace": op(value), "test": op(value),
			"remove": op(), "move": op(from), "copy": op(from),
		}))
	}

	sources := map[string][]field{
		"data": {must("value", str), must("mimeType", str)},
		"url":  {must("value", str), may("mimeType", str)},
	}
	media := fields(f{must("source", union("type", open, sources)), loose("metadata", anyJSON)}, only10(f{may("id", str)}))
	kinds := map[string][]field{
		"text":  fields(f{must("text", str)}, only10(f{may("id", str), may("metadata", anyJSON)})),
		"image": media, "audio": media, "video": media, "document": media,
	}
	if now {
		sources["file"] = f{must("value", str), may("provider", str), may("mimeType", str)}
	} else {
		kinds["binary"] = f{must("mimeType", str), may("id", str), may("url", str), may("data", str), may("filename", str)}
	}
	parts := listOf(union("type", open, kinds))
	result := stringOr(parts)
	if !now {
		result = str
	}

	meta := may("metadata", openObject)
	call := obj(f{
		must("id", str), must("type", oneOf("function")),
		must("function", obj(f{must("name", str), must("arguments", str)})),
		may("encryptedValue", str), meta,
	})
	everyMessage := f{must("id", str), meta, may("subagentRunId", str)}
	named := f{may("name", str), may("encryptedValue", str)}
	plain := fields(everyMessage, named, f{must("content", str)})
	messages := listOf(union("role", open, map[string][]field{
		"developer": plain,
		"system":    plain,
		"assistant": fields(everyMessage, named, f{may("content", str), may("toolCalls", listOf(call))}),
		"user":      fields(everyMessage, named, f{must("content", stringOr(parts))}),
		"tool":      fields(everyMessage, f{must("content", result), must("toolCallId", str), may("error", str), may("encryptedValue", str)}),
		"activity":  fields(everyMessage, f{must("activityType", str), must("content", openObject)}),
		"reasoning": fields(everyMessage, f{must("content", str), may("encryptedValue", str)}),
	}))

	tools := listOf(obj(f{must("name", str), must("description", str), loose("parameters", anyJSON), meta}))
	context := listOf(obj(f{must("description", str), must("value", str)}))
	resume := listOf(obj(f{must("interruptId", str), must("status", oneOf("resolved", "cancelled")), loose("payload", anyJSON), meta}))
	input := obj(f{
		must("threadId", str), must("runId", str), must("messages", messages),
		may("parentRunId", str), loose("state", anyJSON),
		{name: "tools", required: !now, shape: tools}, {name: "context", required: !now, shape: context},
		loose("forwardedProps", anyJSON), may("resume", resume),
	}, only10(f{may("protocolVersion", str)}))

	count := whole(0)
	if !now {
		count = integer(0, math.MaxInt64)
	}
	usage := may("usage", listOf(obj(f{
		may("provider", str), may("model", str), may("inputTokens", count), may("outputTokens", count), may("totalTokens", count),
		may("reasoningTokens", count), may("cachedInputTokens", count),
	}, only10(f{may("cacheWriteInputTokens", count)}))))
	interrupt := obj(f{
		must("id", str), must("reason", str), may("message", str), may("toolCallId", str), may("responseSchema", openObject),
		may("expiresAt", str), meta, may("subagentRunId", str),
	})
	outcomes := map[string][]field{
		"success":   only10(f{may("pendingToolCallIds", listOf(str))}),
		"interrupt": {must("interrupts", someOf(interrupt, "empty-interrupts"))},
	}
	if now {
		outcomes["cancelled"] = nil
	}

	timestamp := whole(-biggest)
	if !now {
		timestamp = number
	}
	common := f{must("type", str), may("timestamp", timestamp), loose("rawEvent", anyJSON), meta}

	messageId, delta := must("messageId", str), must("delta", str)
	toolCallId := must("toolCallId", str)
	stepName := must("stepName", str)
	textRole := may("role", oneOf("developer", "system", "assistant", "user"))
	agent := must("subagentRunId", str)

	s := &schema{types: map[string]shape{}, input: input}
	add := func(name string, carriesTag bool, own ...field) {
		all := fields(common, own)
		if carriesTag {
			attributed[name] = true
			all = append(all, may("subagentRunId", str))
		}
		s.types[name] = record(open, all)
	}
	add("TEXT_MESSAGE_START", true, messageId, textRole, may("name", str))
	add("TEXT_MESSAGE_CONTENT", true, messageId, delta)
	add("TEXT_MESSAGE_END", true, messageId)
	add("TEXT_MESSAGE_CHUNK", true, may("messageId", str), textRole, may("delta", str), may("name", str))
	add("TOOL_CALL_START", true, toolCallId, must("toolCallName", str), loose("parentMessageId", str))
	add("TOOL_CALL_ARGS", true, toolCallId, delta)
	add("TOOL_CALL_END", true, toolCallId)
	add("TOOL_CALL_CHUNK", true, may("toolCallId", str), may("toolCallName", str), loose("parentMessageId", str), may("delta", str))
	add("TOOL_CALL_RESULT", true, messageId, toolCallId, must("content", result), may("role", oneOf("tool")))
	add("STATE_SNAPSHOT", true, anything("snapshot"))
	add("STATE_DELTA", true, must("delta", patch))
	add("MESSAGES_SNAPSHOT", false, must("messages", messages))
	add("ACTIVITY_SNAPSHOT", true, messageId, must("activityType", str), must("content", openObject), may("replace", boolean))
	add("ACTIVITY_DELTA", true, messageId, must("activityType", str), must("patch", patch))
	add("RAW", true, anything("event"), may("source", str))
	add("CUSTOM", true, must("name", str), anything("value"))
	add("RUN_STARTED", false, fields(f{must("threadId", str), must("runId", str), may("parentRunId", str), may("input", input)}, only10(f{may("protocolVersion", str)}))...)
	add("RUN_FINISHED", false, must("threadId", str), must("runId", str), loose("result", anyJSON), loose("outcome", union("type", open, outcomes)), usage)
	add("RUN_ERROR", false, must("message", str), may("code", str), usage)
	add("STEP_STARTED", true, stepName)
	add("STEP_FINISHED", true, stepName)
	add("REASONING_START", true, messageId)
	add("REASONING_MESSAGE_START", true, messageId, must("role", oneOf("reasoning")))
	add("REASONING_MESSAGE_CONTENT", true, messageId, delta)
	add("REASONING_MESSAGE_END", true, messageId)
	add("REASONING_MESSAGE_CHUNK", true, may("messageId", str), may("delta", str))
	add("REASONING_END", true, messageId)
	add("REASONING_ENCRYPTED_VALUE", true, must("subtype", oneOf("tool-call", "message")), must("entityId", str), must("encryptedValue", str))
	add("SUBAGENT_STARTED", false, agent, must("name", str), may("description", str), may("parentSubagentRunId", str), may("parentToolCallId", str), may("parentMessageId", str))
	add("SUBAGENT_FINISHED", false, agent, loose("result", anyJSON), may("outcome", union("type", open, map[string][]field{
		"success": nil, "suspended": {may("interruptIds", listOf(str))},
	})))
	add("SUBAGENT_ERROR", false, agent, must("message", str), may("code", str))
	if !now {
		add("THINKING_START", false, may("title", str))
		add("THINKING_END", false)
		add("THINKING_TEXT_MESSAGE_START", false)
		add("THINKING_TEXT_MESSAGE_CONTENT", false, delta)
		add("THINKING_TEXT_MESSAGE_END", false)
	}
	return s
}

// faultsOf tells the faults of an event of a known type.
func (s *schema) faultsOf(typ string, n *node) []fault {
	var out []fault
	for _, f := range s.types[typ](n, "") {
		if f.code == "empty-interrupts" { // a rule of its own
			continue
		}
		out = append(out, f)
	}
	return out
}

// Which members the order rules read (section 2: "type, ids, tag, names, role,
// messages, outcome"). A missing-field, wrong-type, bad-value or null-optional
// there drops the event; elsewhere the event stays. READINGS.md says why these.
var listed = []string{
	"messages", "messages.*", "messages.*.id", "messages.*.role", "messages.*.subagentRunId", "messages.*.name",
	"messages.*.toolCallId", "messages.*.toolCalls", "messages.*.toolCalls.*", "messages.*.toolCalls.*.id",
}

var readAnywhere = append([]string{
	"type", "subagentRunId", "messageId", "toolCallId", "toolCallName", "stepName", "name", "role", "entityId",
	"threadId", "runId", "parentSubagentRunId",
	"outcome", "outcome.type", "outcome.interrupts", "outcome.interrupts.*", "outcome.interrupts.*.id",
	"outcome.interrupts.*.toolCallId", "outcome.pendingToolCallIds", "outcome.pendingToolCallIds.*",
}, listed...)

func orderRead(typ, path string) bool {
	path = plain(path)
	switch {
	case path == "parentMessageId":
		return typ == "TOOL_CALL_START" || typ == "TOOL_CALL_CHUNK" // of SUBAGENT_STARTED: not judged
	case typ == "RUN_STARTED" && strings.HasPrefix(path, "input."):
		return slices.Contains(listed, strings.TrimPrefix(path, "input."))
	}
	return slices.Contains(readAnywhere, path)
}

var armNote = regexp.MustCompile("<[^>]*>")

// plain is a path without the notes that union leaves of the arm taken.
func plain(path string) string { return armNote.ReplaceAllString(path, "") }

// Legacy nulls (section 4 of the facts): a consumer carries on.
func legacyNull(typ, path string) bool {
	media := !strings.HasSuffix(path, "<text>.metadata") // not of text parts
	switch plain(path) {
	case "rawEvent":
		return true
	case "parentMessageId":
		return typ == "TOOL_CALL_START" || typ == "TOOL_CALL_CHUNK"
	case "outcome":
		return typ == "RUN_FINISHED"
	case "result":
		return typ == "RUN_FINISHED" || typ == "SUBAGENT_FINISHED"
	case "messages.*.content.*.metadata":
		return typ == "MESSAGES_SNAPSHOT" && media
	case "input.messages.*.content.*.metadata":
		return typ == "RUN_STARTED" && media
	case "input.forwardedProps", "input.tools.*.parameters", "input.resume.*.payload":
		return typ == "RUN_STARTED"
	}
	return false
}
