package rules

import "github.com/agentstream/conformance/verifier"

// identity: do ids, descriptions, lists and figures agree over the stream?
var identity = []verifier.Rule{{
	Code:   "run-id-mismatch",
	Title:  "RUN_FINISHED names another run than RUN_STARTED did",
	Effect: "A client that files runs by id leaves this one open for ever.",
	Page:   pageRunInput, Strength: "MUST", Since: since1,
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: RunIDMismatch}},
}, {
	Code:   "thread-id-mismatch",
	Title:  "a run on another thread than the stream's",
	Effect: "A client files the run under the wrong conversation.",
	Page:   pageRunInput, Strength: "declarative", Since: since1,
	Note:   "The page states it without MUST; upstream's own fixtures treat it as fatal.",
	Levels: "EW--",
	Clauses: []verifier.Clause{
		{ID: ThreadIDFinish, Name: "finish"},
		{ID: ThreadIDNextRun, Name: "next-run"},
	},
}, {
	Code:   "run-id-reused",
	Title:  "a second run with the id of an earlier one",
	Effect: "A client that keeps runs by id overwrites the first with the second.",
	Page:   pageBasic, Strength: "MUST NOT", Since: since1,
	Levels:  "E---",
	Clauses: []verifier.Clause{{ID: RunIDReused}},
}, {
	Code:   "reopen-disagreement",
	Title:  "a reopened message or call has another role, name or parent than before",
	Effect: "A client that appends keeps the old description: what was meant as new is shown as the old one's.",
	Page:   pageText, Strength: "MUST", Since: since1,
	Levels: "E---",
	Clauses: []verifier.Clause{
		{ID: ReopenRole, Name: "role"},
		{ID: ReopenName, Name: "name"},
		{ID: ReopenToolName, Name: "tool-name"},
		{ID: ReopenParent, Name: "parent"},
	},
}, {
	Code:   "duplicate-message-id",
	Title:  "one message id for two messages",
	Effect: "A client merges the two: one of them overwrites or swallows the other.",
	Page:   pageBasic, Strength: "MUST", Since: since1,
	Levels: "E---", Repeats: true,
	Clauses: []verifier.Clause{
		{ID: MessageIDKind, Name: "kind"},
		{ID: MessageIDResult, Name: "result"},
		{ID: MessageIDList, Name: "list"},
		{ID: MessageIDSnapshotKind, Name: "snapshot-kind"},
	},
}, {
	Code:   "subagent-unannounced",
	Title:  "an event is tagged with a subagent that is announced only later",
	Effect: "A client has already drawn the event without its subagent, under a bare id.",
	Page:   pageSubagents, Strength: "MUST", Since: since1,
	Note:    "Tags that are never announced are legal; the official client does not check the order.",
	Levels:  "E---",
	Clauses: []verifier.Clause{{ID: SubagentUnannounced}},
}, {
	Code:   "empty-interrupts",
	Title:  "an interrupt outcome that asks nothing",
	Effect: "A client stops for the user and has no question to show.",
	Page:   pageInterrupts, Strength: "schema",
	Levels:  "EE-E",
	Clauses: []verifier.Clause{{ID: EmptyInterrupts}},
}, {
	Code:   "duplicate-interrupt-id",
	Title:  "two interrupts of one outcome share an id",
	Effect: "The answer to one of them cannot be told from the answer to the other.",
	Page:   pageInterrupts, Strength: "MUST", Since: since1,
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: DuplicateInterruptID}},
}, {
	Code:   "pending-tool-calls",
	Title:  "pendingToolCallIds is not exactly this run's unanswered calls, in the order made",
	Effect: "A client runs a tool that was answered, or never runs one that waits.",
	Page:   pageToolCalls, Strength: "MUST", Since: since1,
	Note:    "Absent or empty means that the calls are not named.",
	Levels:  "E---",
	Clauses: []verifier.Clause{{ID: PendingToolCalls}},
}, {
	Code:   "usage-arithmetic",
	Title:  "token counts that do not add up",
	Effect: "Costs are shown wrong.",
	Page:   pageLifecycle, Strength: "MUST", Since: since1,
	Levels: "E---",
	Clauses: []verifier.Clause{
		{ID: UsageTotal, Name: "total"},
		{ID: UsageReasoning, Name: "reasoning"},
		{ID: UsageInput, Name: "input"},
	},
}, {
	Code:   "usage-repeated",
	Title:  "two usage entries for one provider and model",
	Effect: "A client that keeps usage by model loses one of them.",
	Page:   pageLifecycle, Strength: "declarative", Since: since1,
	Levels:  "W---",
	Clauses: []verifier.Clause{{ID: UsageRepeated}},
}, {
	Code:   "version-format",
	Title:  "protocolVersion is not MAJOR.MINOR",
	Effect: "A client cannot compare it, warns, and treats the producer as a newer one.",
	Page:   pageVersioning, Strength: "declarative", Since: since1,
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: VersionFormat}},
}, {
	Code:   "version-missing",
	Title:  "RUN_STARTED without protocolVersion, where 1.0 was asked for by name",
	Effect: "A client takes the producer for one from before 1.0.",
	Page:   pageVersioning, Strength: "MUST", Since: since1,
	Note:   "The versioning page requires it, the sample of the HTTP page omits it: advice, an error only with --strict-version.",
	Levels: "I---",
	Clauses: []verifier.Clause{
		{ID: VersionMissing, Name: "asked"},
		{ID: VersionMissingStrict, Name: "strict", Levels: "E---"},
	},
}}
