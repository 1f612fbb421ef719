package conformance

// aguiIDs are the members of AG-UI that hold ids, for shrink.Options.
var aguiIDs = map[string]string{
	"threadId": "t", "runId": "r", "parentRunId": "r", "subagentRunId": "a", "parentSubagentRunId": "a", "stepName": "s",
	"messageId": "m", "parentMessageId": "m", "messages/id": "m",
	"toolCallId": "c", "parentToolCallId": "c", "toolCalls/id": "c", "messages/toolCallId": "c", "pendingToolCallIds": "c",
	"interruptId": "i", "interruptIds": "i", "interrupts/id": "i", "interrupts/toolCallId": "c", "entityId": "e",
}

// assistantIDs and sessionIDs are those of the pi family. An id that stands in several places keeps one
// name, whatever the letters.
var (
	assistantIDs = map[string]string{"id": "c", "content/id": "c"}
	sessionIDs   = map[string]string{
		"toolCallId": "c", "parentToolCallId": "c", "content/id": "c", "id": "i",
		"parentId": "i", "leafId": "i", "since": "i", "entryId": "i", "entries/id": "i", "entries/parentId": "i", "sessionId": "s",
	}
)

// IDs are the members that hold ids in a protocol, for shrink.Options.
func IDs(protocol string) map[string]string {
	if p, ok := protocolNamed(protocol); ok {
		return p.ids
	}
	return nil
}

// Words are the members that hold words of a protocol, for shrink.Options.
func Words() []string { return []string{"type", "op", "role"} }
