package conformance

// IDs are the members that hold ids, for shrink.Options.
func IDs() map[string]string {
	return map[string]string{
		"threadId": "t", "runId": "r", "parentRunId": "r", "subagentRunId": "a", "parentSubagentRunId": "a", "stepName": "s",
		"messageId": "m", "parentMessageId": "m", "messages/id": "m",
		"toolCallId": "c", "parentToolCallId": "c", "toolCalls/id": "c", "messages/toolCallId": "c", "pendingToolCallIds": "c",
		"interruptId": "i", "interruptIds": "i", "interrupts/id": "i", "interrupts/toolCallId": "c", "entityId": "e",
	}
}

// Words are the members that hold words of the protocol, for shrink.Options.
func Words() []string { return []string{"type", "op", "role"} }
