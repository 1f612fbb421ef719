// Package session generates recordings of agent sessions of the pi family: recordings that are legal by
// construction, recordings that are broken in one known way, and recordings that are damaged at random.
//
// It is a small simulated agent rather than a grammar: it has a queue, runs tools, retries, compacts, asks the
// user, answers commands, replaces its session. What it does is drawn; what it writes about it follows from what
// it did.
//
// It is a second opinion on the contract of verdicts (docs/pi.md). It is written from that text and shares nothing
// with the verifier; the two meet in tests only, through bytes.
package session

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Stream is one recording and what is known beside it.
type Stream struct {
	Records [][]byte // one JSON document each
	Profile string   // that it is to be judged under
	Class   Class
	// Expected are the findings that the recording gets although it is legal, in the order of their indices:
	// the warnings that were drawn on purpose, and the remarks.
	Expected []Finding
}

// Finding is what is said about one record.
type Finding struct {
	Code     string
	Severity string // error warning info
	Index    int    // of the record that is blamed; the number of records where the end is at fault
}

// Class says what a recording is of.
type Class string

// The classes. To a verifier JSON and RPC are one, and so are the last three.
const (
	Agent      Class = "agent"      // the agent's events alone
	JSON       Class = "json"       // standard output of JSON mode
	RPC        Class = "rpc"        // standard output of RPC mode
	Transcript Class = "transcript" // both directions of RPC mode
	Extension  Class = "ext"        // what an extension saw of the life of a session
	Host       Class = "host"       // a transcript with the records of the application around the agent
)

// Classes lists them.
func Classes() []Class { return []Class{Agent, JSON, RPC, Transcript, Extension, Host} }

// Profiles lists the profiles, oldest first.
func Profiles() []string { return []string{"pi-0.73", "pi-0.80", "pi-1.x"} }

// String is the recording, one record a line, each behind its index.
func (s Stream) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", s.Profile, s.Class)
	for i, r := range s.Records {
		fmt.Fprintf(&b, "%3d %s\n", i, r)
	}
	for _, f := range s.Expected {
		fmt.Fprintf(&b, "gets %s %s at %d\n", f.Severity, f.Code, f.Index)
	}
	return b.String()
}

// GoString is String: rapid prints what it drew with %#v.
func (s Stream) GoString() string { return "\n" + s.String() }

// Feature is a set of things that may occur in a recording.
type Feature uint32

// The features.
const (
	Failures     Feature = 1 << iota // runs that end in an error or are aborted, and messages cut at their length
	Thinking                         // thinking blocks, redacted ones too
	Interleaved                      // several open blocks in one message
	BadArguments                     // argument text that is no JSON object
	Tools                            // tool calls
	Refused                          // calls that do not run: unknown, invalid, blocked
	Sequential                       // batches one call after the other
	Nested                           // calls that a call makes
	Queue                            // steering and follow-up
	Customs                          // messages and entries of extensions
	Retries                          // of failed requests
	Compactions                      // manual, threshold and overflow
	Commands                         // commands other than prompts
	Handled                          // prompts that start no run
	Dialogs                          // questions to the user
	Bash                             // commands for a shell
	Replacements                     // of the session
	Raw                              // pieces of standard input that are not one JSON line
	Cuts                             // recordings that stop in the middle, and get warnings for it
	Rude                             // answers to questions that get warnings
	Optional                         // optional members of every kind
	Unicode                          // text beyond ASCII, cut anywhere, and strange ids
	Odd                              // unusual but legal JSON: order of members, white space, escapes, 1.0 for 1
)

// Knobs say how large recordings get, of what class and profile they are, and what occurs in them. The zero value
// is everything, of moderate size.
type Knobs struct {
	MaxRecords int     // 0: 60; nothing new begins behind it, but what is open is finished
	Profile    string  // "": any
	Class      Class   // "": any
	Without    Feature // what does not occur
}

func (k Knobs) has(f Feature) bool { return k.Without&f == 0 }

func (k Knobs) normal() Knobs {
	if k.MaxRecords == 0 {
		k.MaxRecords = 60
	}
	return k
}

// Legal gives recordings that the protocol allows: each must get the findings that it expects, and no other.
func Legal(k Knobs) *rapid.Generator[Stream] {
	k = k.normal()
	return rapid.Custom(func(t *rapid.T) Stream {
		s := newSim(draw{t}, k)
		s.record()
		return s.result()
	})
}
