package verifier

import (
	"fmt"
	"strings"
)

// A Place is where an event stands in its recording.
type Place struct {
	// Index counts events from 0.
	Index int
	// Line counts from 1, Offset is in bytes from 0; both are of the event's first byte. Line is 0
	// where the reader did not say.
	Line   int
	Offset int64
}

// A Violation is one finding: which clause, where, about what.
type Violation struct {
	// Protocol is the one that the code belongs to, as in agui/not-open.
	Protocol string   `json:"protocol"`
	Code     string   `json:"code"`
	Clause   string   `json:"clause"`
	Severity Severity `json:"severity"`
	// Index is that of the event at fault; the number of events where the end of the stream is.
	Index  int   `json:"index"`
	Line   int   `json:"line"`
	Offset int64 `json:"offset"`
	// EventType is the event's type as the protocol spells it; empty where it has none that is known.
	EventType string `json:"eventType"`
	// ID is the id concerned, as decoded; at most MaxShown bytes of it.
	ID string `json:"id"`
	// Pointer is the JSON pointer of the member at fault, from the event.
	Pointer string `json:"pointer"`
	// Related is the index of the event that explains this one (the opener, the terminal); -1 without one.
	Related int `json:"related"`
	// Detail is one sentence about this fault.
	Detail string `json:"detail"`
	// Page is the address of the specification's page.
	Page string `json:"page"`
	// Entity names what the fault is about, as in "text message m1"; findings of one entity belong
	// together. Empty where the fault is the event's own.
	Entity string `json:"-"`
	// Open is what was open at that moment. Filled only when asked for.
	Open []Item `json:"-"`

	order int // of the rule, for findings on one event
}

// An Item is something that was opened and not yet closed.
type Item struct {
	// Kind is the protocol's word for it: text message, tool call, step.
	Kind string
	// ID is its id or name.
	ID string
	// Owner is the tag of its owner; Parent is set for the parent agent, which has none.
	Owner  string
	Parent bool
	// Opener is the index of the event that opened it.
	Opener int
}

// MaxShown is the most bytes of one string of a stream that a violation carries.
const MaxShown = 256

// Shown cuts a string of a stream to what a violation carries, at a rune's border.
func Shown(s string) string {
	if len(s) <= MaxShown {
		return s
	}
	end := MaxShown
	for end > 0 && s[end]&0xC0 == 0x80 {
		end--
	}
	return s[:end] + "…"
}

// maxListed is how many names a detail lists.
const maxListed = 20

// Listed joins names for a detail; of a long list it says how many more there are.
func Listed(names []string) string {
	rest := ""
	if more := len(names) - maxListed; more > 0 {
		names, rest = names[:maxListed], fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ") + rest
}
