package spec

import "strings"

// What the guards (server, client) read of each event. Only a missing or wrongly
// typed member among these is a fault for them.

var tagged = may("subagentRunId", str)

func guardShape(profile, typ string) (shape, bool) {
	look := func(fs ...field) (shape, bool) { return record(true, fs), true }
	server := profile == "server"
	calls := listOf(record(true, []field{must("id", str)}))
	message := record(true, []field{must("id", str), must("role", str), tagged, may("toolCalls", calls)})
	messages := listOf(func(n *node, path string) []fault {
		if role, given := n.str("role"); given && !messageRoles[role] {
			return nil // passed over, as everywhere
		}
		return message(n, path)
	})
	switch typ {
	case "RUN_STARTED":
		return look(may("input", record(true, []field{must("messages", messages)})))
	case "RUN_FINISHED":
		if server {
			return look()
		}
		return look(may("outcome", guardOutcome))
	case "RUN_ERROR", "STATE_SNAPSHOT", "STATE_DELTA", "RAW", "CUSTOM":
		return look()
	case "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END",
		"REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END", "REASONING_START", "REASONING_END":
		return look(must("messageId", str), tagged)
	case "TOOL_CALL_START":
		return look(must("toolCallId", str), may("parentMessageId", str), tagged)
	case "TOOL_CALL_ARGS", "TOOL_CALL_END":
		return look(must("toolCallId", str), tagged)
	case "TOOL_CALL_RESULT":
		return look(must("messageId", str), must("toolCallId", str), tagged)
	case "TEXT_MESSAGE_CHUNK", "REASONING_MESSAGE_CHUNK":
		if server {
			return look(may("messageId", str), tagged)
		}
		return look()
	case "TOOL_CALL_CHUNK":
		if server {
			return look(may("toolCallId", str), may("parentMessageId", str), tagged)
		}
		return look()
	case "MESSAGES_SNAPSHOT":
		return look(must("messages", messages))
	case "ACTIVITY_SNAPSHOT":
		return look(must("messageId", str), may("replace", boolean), tagged)
	case "ACTIVITY_DELTA":
		return look(must("messageId", str), tagged)
	case "STEP_STARTED", "STEP_FINISHED":
		return look(must("stepName", str), tagged)
	case "REASONING_ENCRYPTED_VALUE":
		return look(must("subtype", str), must("entityId", str), tagged)
	case "SUBAGENT_STARTED":
		return look(must("subagentRunId", str), may("parentSubagentRunId", str))
	case "SUBAGENT_FINISHED", "SUBAGENT_ERROR":
		return look(must("subagentRunId", str))
	}
	if retired[typ] {
		return look()
	}
	return nil, false
}

func guardOutcome(n *node, path string) []fault {
	own := []field{must("type", str)}
	if t, _ := n.str("type"); t == "interrupt" {
		own = append(own, must("interrupts", listOf(anyJSON)))
	}
	return record(true, own)(n, path)
}

// guardFaults: null is absence for what is optional, but for the tag.
func guardFaults(profile, typ string, n *node) []fault {
	look, known := guardShape(profile, typ)
	if !known {
		return nil
	}
	var out []fault
	for _, f := range look(n, "") {
		switch {
		case f.code == "null-optional" && strings.HasSuffix(f.path, "subagentRunId"):
			out = append(out, fault{"wrong-type", f.path})
		case f.code == "missing-field" || f.code == "wrong-type":
			out = append(out, f)
		}
	}
	return out
}
