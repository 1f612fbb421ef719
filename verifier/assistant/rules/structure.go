package rules

import "github.com/agentstream/conformance/verifier"

// structure: is each event by itself what its type describes?
var structure = []verifier.Rule{{
	Code:   "bad-json",
	Title:  "an event is not exactly one JSON value",
	Effect: "A reader cannot parse it: most fail the whole stream, some skip it and lose what it said.",
	Page:   pageFraming, Strength: "MUST",
	Levels: "EEEE", Leaves: verifier.Drop,
	Clauses: []verifier.Clause{{ID: BadJSON}},
}, {
	Code:   "not-an-object",
	Title:  "an event is JSON, but no object",
	Effect: "A reader finds no type in it.",
	Page:   pageFraming, Strength: "MUST",
	Levels: "EEEE", Leaves: verifier.Drop,
	Clauses: []verifier.Clause{{ID: NotAnObject}},
}, {
	Code:   "limit",
	Title:  "a limit of this kit was reached; the producer is not at fault",
	Effect: "Judging stopped here: what follows is not known to be right or wrong.",
	Page:   pageFraming, Strength: "none",
	Levels: "EEEE", Leaves: verifier.Drop, Limit: true,
	Clauses: []verifier.Clause{
		{ID: LimitEventBytes, Name: "event-bytes"},
		{ID: LimitDepth, Name: "depth"},
		{ID: LimitOpen, Name: "open", Levels: "EEE-"},
		{ID: LimitIDs, Name: "ids"},
		{ID: LimitText, Name: "text"},
	},
}, {
	Code:   "bad-utf8",
	Title:  "an event holds bytes that are not UTF-8",
	Effect: "The bytes show as replacement characters, and what was streamed no longer equals what the end says.",
	Page:   pageFraming, Strength: "MUST",
	Note:   "An escape for half a surrogate pair is no such fault: strings are sequences of UTF-16 units, and a producer may cut a pair.",
	Levels: "EEEE", Leaves: verifier.Drop,
	Clauses: []verifier.Clause{{ID: BadUTF8}},
}, {
	Code:   "duplicate-name",
	Title:  "an object has two members of one name",
	Effect: "Readers disagree on which one counts.",
	Page:   pageFraming, Strength: "SHOULD NOT",
	Note:    "JavaScript keeps the last, and so does this kit.",
	Levels:  "WWWW",
	Clauses: []verifier.Clause{{ID: DuplicateName}},
}, {
	Code:   "missing-field",
	Title:  "a required member is absent",
	Effect: "A reader sees undefined where it expects a value, or crashes.",
	Page:   pageShapes, Strength: "MUST",
	Note:   "A member that one of the serialisations leaves out is optional in all of them; a done or error has its message or, without one, its usage. Under di-code the original reads undefined, and dies only without toolCall or message.",
	Levels: "EEEW", Leaves: verifier.Drop,
	Clauses: []verifier.Clause{
		{ID: MissingField, Name: "member"},
		{ID: MissingRead, Name: "read", Levels: "---E"},
	},
}, {
	Code:   "wrong-type",
	Title:  "a member has the wrong JSON type",
	Effect: "A reader shows or appends something else than was meant, or crashes.",
	Page:   pageShapes, Strength: "MUST",
	Note:   "Under di-code a delta that is no string is appended as JavaScript would, and a wrong contentIndex is index-gap or wrong-index; the original dies of a toolCall or message that is null.",
	Levels: "EEEW", Leaves: verifier.Drop,
	Clauses: []verifier.Clause{
		{ID: WrongType, Name: "member"},
		{ID: WrongTypeRead, Name: "read", Levels: "---E"},
	},
}, {
	Code:   "bad-value",
	Title:  "a member has a value outside its set",
	Effect: "A reader takes a branch that nobody wrote.",
	Page:   pageShapes, Strength: "MUST",
	Levels: "EEEW", Leaves: verifier.Drop,
	Clauses: []verifier.Clause{{ID: BadValue}},
}, {
	Code:   "null-optional",
	Title:  "an optional member is null; absent is the only way to leave it out",
	Effect: "A reader that asks for undefined takes null for a value.",
	Page:   pageShapes, Strength: "SHOULD NOT",
	Levels:  "WWWW",
	Clauses: []verifier.Clause{{ID: NullOptional}},
}, {
	Code:   "unknown-event-type",
	Title:  "the stream has no event of this type",
	Effect: "A reader drops the event, or fails the stream.",
	Page:   pageStream, Strength: "SHOULD NOT",
	Facts:  "DI-KNOWN-TYPE",
	Note:   "Hosts and later releases of pi add types. di-code rejects them, once it is known that the event may come.",
	Levels: "WWWE", Leaves: verifier.DropAlways,
	Clauses: []verifier.Clause{{ID: UnknownEventType}},
}}
