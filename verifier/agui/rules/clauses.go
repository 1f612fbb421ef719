package rules

import "github.com/agentstream/conformance/verifier"

// The clauses, in the order of their rules. A transition names the clause that an event breaks; the
// table says what follows from it.
const (
	BadJSON verifier.ClauseID = iota
	NotAnObject
	LimitEventBytes
	LimitDepth
	LimitOpen
	LimitIDs
	LimitDocuments
	BadUTF8
	DuplicateName
	UnknownEventType
	RetiredEvent
	MissingOrdering
	MissingOther
	WrongTypeOrdering
	WrongTypeOther
	BadValueOrdering
	BadValueOther
	UnknownVariant
	NullOrdering
	NullOther
	NullLegacyOrdering
	NullLegacy
	UnknownProperty

	EndedAfterFinish
	EndedAfterError
	FirstEvent
	DuplicateRunStarted
	ChunkAmbiguous
	ChunkFirstID
	ChunkFirstToolName
	ChunkMixedStarted
	ChunkMixedExplicit
	ChunkMixedOtherLane
	DuplicateStartText
	DuplicateStartReasoning
	DuplicateStartSpan
	DuplicateStartToolCall
	DuplicateStartStep
	DuplicateStartSubagent
	DuplicateStartSubagentReused
	NotOpenText
	NotOpenReasoning
	NotOpenSpan
	NotOpenToolCall
	NotOpenStep
	NotOpenStepOtherOwner
	NotOpenSubagent
	UnknownParentSubagent
	UnknownResultCall
	OutOfOrder
	OpenAtFinish
	OpenAtFinishGuard
	OwnerText
	OwnerReasoning
	OwnerToolCall
	OwnerToolParent
	OwnerActivity
	OwnerActivityKept
	OwnerEncrypted
	OwnerChunkLane
	ChunkRole
	ChunkName
	ChunkToolName
	ChunkParent
	TruncatedNoRun
	TruncatedOpenRun
	RunIDMismatch
	ThreadIDFinish
	ThreadIDNextRun
	RunIDReused
	ReopenRole
	ReopenName
	ReopenToolName
	ReopenParent
	MessageIDKind
	MessageIDResult
	MessageIDList
	MessageIDSnapshotKind
	SubagentUnannounced
	EmptyInterrupts
	DuplicateInterruptID
	PendingToolCalls
	UsageTotal
	UsageReasoning
	UsageInput
	UsageRepeated
	VersionFormat
	VersionMissing
	VersionMissingStrict

	RequestRun
	RequestThread
	ReplayRestreamed
	FrontendResult
	FrontendSnapshot
	FrontendOutcome

	StatePatch
	ActivityPatch
	ActivityPatchObject
	ActivityBaseline

	LoneSurrogate

	ToolArgsNotJSON
	ToolCallWithoutArgs
	ParentMessageUnseen
	DuplicatedText
	StreamedAfterSnapshot
	TagAfterClose
	SuspendedWithoutInterrupt
	CustomUnprefixed
	MetadataReserved
	ToolUnadvertised
	CancelledWithResult
	PendingUnnamed

	clauseCount
)
