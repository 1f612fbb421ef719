// Package baseline holds a protocol's vocabulary as data: its event types and
// every member of every object, per revision.
//
// It is the one place for these facts. The verifier compiles its structure
// tables from it, the model draws from it, and the drift check compares SDKs
// with it; none of them lists an event type or a member a second time.
//
// The data is agui.json, which baseline/generate writes from the published
// packages. Everything that this package returns is shared and must not be
// modified.
package baseline

// Protocol is a vocabulary and its history.
type Protocol struct {
	Name      string     `json:"name"`
	Revisions []Revision `json:"revisions"` // oldest first
}

// Revision is what the protocol's vocabulary was between two changes of its
// structure.
type Revision struct {
	Name    string   `json:"name"` // "0.x", "1.0"
	Source  Source   `json:"source"`
	Events  []Event  `json:"events"`  // in the specification's order; types that a newer revision retired come last
	Objects []Object `json:"objects"` // every named shape that an event reaches, sorted by name
}

// Source is the release that a revision was read from.
type Source struct {
	Package string `json:"package"`
	Version string `json:"version"`
	Date    string `json:"date"` // day of publication, YYYY-MM-DD
}

// Event is the shape of one event type.
type Event struct {
	Type  string `json:"type"`
	Since string `json:"since"` // the first revision that has the type
	Until string `json:"until"` // the last revision that has it; empty while it is current

	// Attributable says whether the event may carry subagentRunId to tell
	// which subagent it belongs to. It is false for SUBAGENT_*, where the
	// member is required and names the subagent that the event is about.
	Attributable bool `json:"attributable"`

	// Open says whether members that are not listed are legal.
	Open bool `json:"open"`

	// Members starts with those that every event has: the discriminator
	// "type", timestamp, rawEvent and metadata.
	Members []Member `json:"members"`
}

// Object is a named shape, such as UserMessage, Interrupt or AddOperation. It
// has the same name in every revision, that of the newest.
type Object struct {
	Name string `json:"name"`

	// Open says whether members that are not listed are legal. An object that
	// takes any key and lists none is not an Object but a Schema of
	// KindObject.
	Open bool `json:"open"`

	// Strict says that the source package refuses unknown members of this
	// object although the revision leaves its objects open: the run and
	// subagent outcomes of 0.x.
	Strict bool `json:"strict"`

	Members []Member `json:"members"`
}

// Member is one member of an event or object.
type Member struct {
	Name     string `json:"name"`
	Required bool   `json:"required"` // must be present
	Nullable bool   `json:"nullable"` // may be null, whatever the kind of Schema
	Since    string `json:"since"`    // the first revision in which this event or object has the member
	Until    string `json:"until"`    // the last one; empty while it is current
	Schema   Schema `json:"schema"`
}

// Kind says which values a Schema takes and which of its fields apply.
type Kind string

// The kinds of Schema.
const (
	KindAny     Kind = "any"     // any JSON value: null, as a member, only where Nullable; as an item always
	KindString  Kind = "string"  // Enum or Pattern narrow it
	KindBoolean Kind = "boolean" // nothing narrows it
	KindNumber  Kind = "number"  // fractions too
	KindInteger Kind = "integer" // Min and Max narrow it; by value, so 1.0 is one
	KindArray   Kind = "array"   // of Items, at least MinItems
	KindObject  Kind = "object"  // open by key: any member name with any value, null included
	KindRef     Kind = "ref"     // the Object named Ref
	KindUnion   Kind = "union"   // one of Variants, told by the string member Discriminator; Name names the union
	KindOneOf   Kind = "oneOf"   // one of OneOf, told apart by JSON type
)

// Schema says which values are legal in one place.
type Schema struct {
	Kind          Kind      `json:"kind"`
	Enum          []string  `json:"enum"` // all legal values; a constant is an enum of one
	Pattern       string    `json:"pattern"`
	Min           *int64    `json:"min"` // inclusive
	Max           *int64    `json:"max"` // inclusive
	MinItems      int       `json:"minItems"`
	Items         *Schema   `json:"items"`
	Ref           string    `json:"ref"`
	Name          string    `json:"name"`
	Discriminator string    `json:"discriminator"`
	Variants      []Variant `json:"variants"`
	OneOf         []Schema  `json:"oneOf"`
}

// Variant is one arm of a union: the object that a value of the discriminator
// stands for.
type Variant struct {
	Value string `json:"value"`
	Ref   string `json:"ref"`
}
