package rules

import "github.com/agentstream/conformance/verifier"

// structure: is each record by itself what its shape says? A record that is not has no effect.
var structure = []verifier.Rule{{
	Code:   "bad-json",
	Title:  "a record is not exactly one JSON value",
	Effect: "A reader cannot parse the line: it stops, or loses what the line said.",
	Page:   pageFraming, Strength: "must",
	Levels: "EEE", Leaves: drop,
	Clauses: []verifier.Clause{
		{ID: BadJSON, Name: "line"},
		{ID: BadJSONRaw, Name: "raw"},
	},
}, {
	Code:   "not-an-object",
	Title:  "a record is JSON, but no object",
	Effect: "A reader finds no type in it.",
	Page:   pageFraming, Strength: "must",
	Levels: "EEE", Leaves: drop,
	Clauses: []verifier.Clause{{ID: NotAnObject}},
}, {
	Code:   "limit",
	Title:  "a limit of this kit was reached; the producer is not at fault",
	Effect: "Judging stopped here: what follows is not known to be right or wrong.",
	Page:   pageFraming, Strength: "none",
	Levels: "EEE", Leaves: drop, Limit: true,
	Clauses: []verifier.Clause{
		{ID: LimitEventBytes, Name: "event-bytes"},
		{ID: LimitDepth, Name: "depth"},
		{ID: LimitOpen, Name: "open"},
		{ID: LimitIDs, Name: "ids"},
		{ID: LimitText, Name: "text", Levels: "EE-"}, // of bash, which 0.73 does not stream
	},
}, {
	Code:   "bad-utf8",
	Title:  "a record holds bytes that are not UTF-8",
	Effect: "The bytes show as replacement characters, or the reader refuses the line.",
	Page:   pageFraming, Strength: "must",
	Note:   "An escape for half a surrogate pair is legal and kept: the next delta may bring the other half.",
	Levels: "EEE", Leaves: drop,
	Clauses: []verifier.Clause{{ID: BadUTF8}},
}, {
	Code:   "duplicate-name",
	Title:  "an object has two members of one name",
	Effect: "Readers disagree on which one counts; JavaScript keeps the last.",
	Page:   pageShapes, Strength: "should",
	Levels:  "WWW",
	Clauses: []verifier.Clause{{ID: DuplicateName}},
}, {
	Code:   "unknown-event-type",
	Title:  "a record of a type that this release does not have",
	Effect: "A reader skips the record. Applications and later releases add types.",
	Page:   pageShapes, Strength: "should",
	Levels: "WWW", Leaves: dropAlways,
	Clauses: []verifier.Clause{{ID: UnknownEventType}},
}, {
	Code:   "missing-field",
	Title:  "a required member is absent",
	Effect: "A reader shows undefined, or fails.",
	Page:   pageShapes, Strength: "must",
	Levels: "EEE", Leaves: drop,
	Clauses: []verifier.Clause{{ID: MissingField}},
}, {
	Code:   "wrong-type",
	Title:  "a member has the wrong JSON type",
	Effect: "A reader shows [object Object], or fails.",
	Page:   pageShapes, Strength: "must",
	Levels: "EEE", Leaves: drop,
	Clauses: []verifier.Clause{{ID: WrongType}},
}, {
	Code:   "bad-value",
	Title:  "a member has a value outside its set",
	Effect: "A reader takes none of its branches.",
	Page:   pageShapes, Strength: "must",
	Levels: "EEE", Leaves: drop,
	Clauses: []verifier.Clause{{ID: BadValue}},
}, {
	Code:   "null-optional",
	Title:  "an optional member is null; absent is the only way to leave it out",
	Effect: "A reader that asks whether the member is there takes null for a value.",
	Page:   pageShapes, Strength: "should",
	Levels:  "WWW",
	Clauses: []verifier.Clause{{ID: NullOptional}},
}}
