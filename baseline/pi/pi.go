// Package pi holds the vocabulary of the pi family of agents as data: the events of its provider stream,
// of its agent runs and sessions, and the objects that they carry, each with its members.
//
// It is the one place for these facts: verifiers compile their structure tables from it and the models
// draw from it. Everything that this package returns is shared and must not be modified.
package pi

// The releases that differ on the wire, oldest first. Each is a profile of that name.
const (
	Pi073 = "pi-0.73" // the last under the old name, 0.73.1
	Pi080 = "pi-0.80" // 0.80.4 to 0.83
	Pi1x  = "pi-1.x"  // 0.84 and newer
)

// Profiles returns the names of the releases, oldest first.
func Profiles() []string { return []string{Pi073, Pi080, Pi1x} }

// Kind says which JSON values a member takes.
type Kind string

// The kinds.
const (
	Any     Kind = "any"     // any value, null too
	String  Kind = "string"  // Values narrow it
	Boolean Kind = "boolean" // true, false
	Number  Kind = "number"  // fractions too
	Integer Kind = "integer" // by value, so 1.0 is one
	Array   Kind = "array"   // Items and Of say of what
	Object  Kind = "object"  // Of says which
	Text    Kind = "text"    // a string, or an array as Items and Of say
)

// An Event is the shape of one event or record type. Members that are not listed are legal.
type Event struct {
	Type    string
	Members []Member
	// Since and Until are the first and the last profile that has the type; empty: all before, all after.
	Since, Until string
}

// A Shape is a named object, such as an assistant message or its usage. Members that are not listed are legal.
type Shape struct {
	Name    string
	Members []Member
}

// A Member is one member of an event or a shape.
type Member struct {
	Name     string
	Kind     Kind
	Required bool // must be present
	Nullable bool // may be null
	// Values are all strings that a String may be; empty: any.
	Values []string
	// Of names the shape of an Object, or of each element of an Array; empty: not looked into.
	Of string
	// Items is the kind of an array's elements where they have no shape; empty: not looked into.
	Items Kind
	// Since and Until are the first and the last profile that has the member; empty: all before, all after.
	Since, Until string
	// Forms are the serialisations of the provider stream that have the member; 0: every one.
	Forms Forms
}

// Forms is a set of serialisations of the provider stream. They carry the same events with other members.
type Forms uint8

// The serialisations.
const (
	InProcess Forms = 1 << iota // in the process of the provider: each event with the message so far
	Wire                        // inside message_update on standard output, from 0.84 on
	SSE                         // what a pi-messages server sends
	Proxy                       // what the agent core's proxy sends
)

// In reports whether something with that since and until is part of a profile. A profile that is none of
// Profiles has everything.
func In(profile, since, until string) bool {
	at := position(profile)
	if at < 0 {
		return true
	}
	return (since == "" || position(since) <= at) && (until == "" || at <= position(until))
}

func position(profile string) int {
	for i, p := range Profiles() {
		if p == profile {
			return i
		}
	}
	return -1
}
