package rules

import "github.com/agentstream/conformance/verifier"

// structure: is each event by itself what the schema describes? A fault at a member that the order
// rules read (type, ids, tag, names, role, messages, outcome) drops the event, since nothing could
// be made of it; elsewhere the event keeps its effect.
var structure = []verifier.Rule{{
	Code:   "bad-json",
	Title:  "an event is not exactly one JSON value",
	Effect: "A client cannot parse it: most fail the whole run, some skip it and lose what it said.",
	Page:   pageHTTPSSE, Strength: "MUST",
	Levels: "EEEE", Leaves: drop,
	Clauses: []verifier.Clause{{ID: BadJSON}},
}, {
	Code:   "not-an-object",
	Title:  "an event is JSON, but no object",
	Effect: "A client finds no type in it and fails the run.",
	Page:   pageHTTPSSE, Strength: "MUST",
	Levels: "EEEE", Leaves: drop,
	Clauses: []verifier.Clause{{ID: NotAnObject}},
}, {
	Code:   "limit",
	Title:  "a limit of this kit was reached; the producer is not at fault",
	Effect: "Judging stopped here: what follows is not known to be right or wrong.",
	Page:   pageBasic, Strength: "none",
	Levels: "EEEE", Leaves: drop, Limit: true,
	Clauses: []verifier.Clause{
		{ID: LimitEventBytes, Name: "event-bytes"},
		{ID: LimitDepth, Name: "depth"},
		{ID: LimitOpen, Name: "open"},
		{ID: LimitIDs, Name: "ids"},
		{ID: LimitDocuments, Name: "documents", Levels: "EE--"},
	},
}, {
	Code:   "bad-utf8",
	Title:  "an event holds bytes that are not UTF-8",
	Effect: "The bytes show as replacement characters, or the client refuses the whole response.",
	Page:   pageHTTPSSE, Strength: "MUST",
	Levels:  "EE--",
	Clauses: []verifier.Clause{{ID: BadUTF8}},
}, {
	Code:   "duplicate-name",
	Title:  "an object has two members of one name",
	Effect: "Parsers disagree on which one counts, so two clients see two different events.",
	Page:   pageSchema, Strength: "schema",
	Note:    "RFC 8259 only asks for unique names; the last one wins, as in the official client.",
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: DuplicateName}},
}, {
	Code:   "unknown-event-type",
	Title:  "the protocol has no event of this type",
	Effect: "A 1.0 client drops the event with a warning; an older one fails the run.",
	Page:   pageProcessing, Strength: "MUST NOT",
	Note:   "Under a declared version newer than 1.0 it is a warning: the type may be that version's.",
	Levels: "EW--", Leaves: dropAlways,
	Clauses: []verifier.Clause{{ID: UnknownEventType}},
}, {
	Code:   "retired-event",
	Title:  "an event of a type that the protocol has retired",
	Effect: "A client without a compatibility layer drops it: the thinking it carried is never shown.",
	Page:   pageVersioning, Strength: "MUST NOT", Since: since1,
	Levels: "EW--", Leaves: dropAlways,
	Clauses: []verifier.Clause{{ID: RetiredEvent}},
}, {
	Code:   "missing-field",
	Title:  "a required member is absent",
	Effect: "A client that validates fails the run; one that does not shows undefined, or crashes.",
	Page:   pageProcessing, Strength: "MUST",
	Levels: "EEEE",
	Clauses: []verifier.Clause{
		{ID: MissingOrdering, Name: "ordering", Leaves: &drop},
		{ID: MissingOther, Name: "other", Levels: "EE--"},
	},
}, {
	Code:   "wrong-type",
	Title:  "a member has the wrong JSON type",
	Effect: "A client that validates fails the run; one that does not shows [object Object], or crashes.",
	Page:   pageProcessing, Strength: "MUST",
	Levels: "EEEE",
	Clauses: []verifier.Clause{
		{ID: WrongTypeOrdering, Name: "ordering", Leaves: &drop},
		{ID: WrongTypeOther, Name: "other", Levels: "EE--"},
	},
}, {
	Code:   "bad-value",
	Title:  "a member has a value outside its set, range or grammar",
	Effect: "A client that validates fails the run.",
	Page:   pageProcessing, Strength: "MUST",
	Note:   "Of a closed set of strings the processing page would have a consumer drop the value; the official client fails the run, and so does this rule.",
	Levels: "EE--",
	Clauses: []verifier.Clause{
		{ID: BadValueOrdering, Name: "ordering", Leaves: &drop},
		{ID: BadValueOther, Name: "other"},
	},
}, {
	Code:   "unknown-variant",
	Title:  "a patch operation, outcome, content part, source or message of a kind that the protocol does not have",
	Effect: "A client strips that element with a warning: the user never sees it.",
	Page:   pageProcessing, Strength: "MUST NOT",
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: UnknownVariant}},
}, {
	Code:   "null-optional",
	Title:  "an optional member is null; absent is the only way to leave it out",
	Effect: "A 1.0 client fails the run, except for the nulls that older producers were known to send.",
	Page:   pageBasic, Strength: "MUST NOT",
	Levels: "EE--",
	Clauses: []verifier.Clause{
		{ID: NullOrdering, Name: "ordering", Leaves: &drop},
		{ID: NullOther, Name: "other"},
		{ID: NullLegacyOrdering, Name: "legacy-ordering", Levels: "EW--", Leaves: &drop},
		{ID: NullLegacy, Name: "legacy", Levels: "EW--"},
	},
}, {
	Code:   "unknown-property",
	Title:  "a member that the schema does not describe",
	Effect: "A 1.0 client strips it with a warning: whatever it says reaches nobody. Private data belongs in metadata.",
	Page:   pageProcessing, Strength: "MUST NOT",
	Note:    "Under a declared version newer than 1.0 it is a warning: the member may be that version's.",
	Levels:  "EW--",
	Clauses: []verifier.Clause{{ID: UnknownProperty}},
}}
