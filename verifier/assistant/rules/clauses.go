package rules

import "github.com/agentstream/conformance/verifier"

// The clauses, in the order of their rules. A transition names the clause that an event breaks; the
// table says what follows from it. A table of another protocol that has these rules too lists them
// under the same ids, and its own behind ClauseCount.
const (
	BadJSON verifier.ClauseID = iota
	NotAnObject
	LimitEventBytes
	LimitDepth
	LimitOpen
	LimitIDs
	LimitText
	BadUTF8
	DuplicateName
	MissingField
	MissingRead
	WrongType
	WrongTypeRead
	BadValue
	NullOptional
	UnknownEventType

	StreamEnded
	FirstEvent
	DuplicateStreamStart
	Truncated
	BlockOverlap
	IndexGap
	NotOpenText
	NotOpenThinking
	NotOpenToolCall
	WrongIndex

	ContentMismatchText
	ContentMismatchThinking
	ContentMismatchUnredacted
	BadToolCallType
	BadToolCallID
	BadToolCallName
	ArgumentsNotJSON
	ArgumentsNotObject
	ArgumentsNotFinite
	ToolIDChanged
	ToolNameChanged
	ArgumentsMismatch
	ArgumentsMismatchBlank
	ArgumentsRepaired
	ArgumentsErrorMissing

	OpenAtDone
	ReasonMismatch
	BadReason
	BadReasonPending
	FinalContent
	PartialContent

	ClauseCount
)
