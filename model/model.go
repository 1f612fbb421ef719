// Package model generates AG-UI streams: streams that are legal by
// construction, streams that are broken in one known way, and streams that are
// damaged at random.
//
// It is a second opinion on the contract of verdicts (docs/verdicts.md). It is
// written from that text and shares nothing with the verifier; the two meet in
// tests only, through bytes.
package model

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Stream is one recorded stream and what is known beside it.
type Stream struct {
	Events   [][]byte // one JSON document each
	Request  []byte   // the RunAgentInput that asked for it; nil: not known
	Revision string   // that it is to be judged under: "" (1.0 by default) or "1.0" (asked for by name)
	Strict   bool     // a missing protocolVersion is an error

	// What the stream has besides being legal; together they decide whether the
	// one-run guards must take it, too.
	SingleRun     bool // one RUN_STARTED, first; one terminal event, last
	NoChunks      bool // no *_CHUNK event
	ResultsFollow bool // every TOOL_CALL_RESULT follows the end of a call that the run introduced
	OwnersSettled bool // no open item is continued under an owner that it got since it was opened, no span has a message's id
}

// String is the stream, one event a line, each behind its index.
func (s Stream) String() string {
	var b strings.Builder
	for i, e := range s.Events {
		fmt.Fprintf(&b, "%3d %s\n", i, e)
	}
	if s.Request != nil {
		fmt.Fprintf(&b, "request %s\n", s.Request)
	}
	return b.String()
}

// GoString is String: rapid prints what it drew with %#v.
func (s Stream) GoString() string { return "\n" + s.String() }

// Profiles lists the four profiles.
func Profiles() []string { return []string{"producer", "consumer", "server", "client"} }

// Accepts says whether the profile must accept the stream. It is true for
// producer and consumer; for server and client false means "not known".
// It holds only for streams of Legal.
func (s Stream) Accepts(profile string) bool {
	if profile == "server" || profile == "client" {
		return s.SingleRun && s.NoChunks && s.ResultsFollow && s.OwnersSettled
	}
	return true
}

// Feature is a set of things that may occur in a stream.
type Feature uint32

// The features.
const (
	Runs        Feature = 1 << iota // more than one run
	Errors                          // RUN_ERROR: first, at any point, and late
	Chunks                          // *_CHUNK
	Subagents                       // SUBAGENT_* and attribution
	Reasoning                       // REASONING_*
	Tools                           // TOOL_CALL_*
	Steps                           // STEP_*
	State                           // STATE_*
	Activities                      // ACTIVITY_*
	Snapshots                       // MESSAGES_SNAPSHOT
	Passthrough                     // RAW, CUSTOM
	Interrupts                      // outcomes interrupt and suspended
	Requests                        // a known request, replayed runs, frontend tools
	Echoes                          // RUN_STARTED.input
	Optional                        // optional members of every kind: timestamp, rawEvent, metadata, names, roles, usage
	Unicode                         // text beyond ASCII, and strange ids
	Odd                             // unusual but legal JSON: order of members, white space, escapes, 1.0 for 1
	Versions                        // protocolVersion other than 1.0
)

// Knobs say how large streams get and what occurs in them. The zero value is
// everything, of moderate size.
type Knobs struct {
	MaxEvents int     // 0: 40; fewer than 2 is 2; a breakage may need some more
	Without   Feature // what does not occur
	Guard     bool    // only streams that server and client must accept as well
}

func (k Knobs) has(f Feature) bool { return k.Without&f == 0 }

func (k Knobs) normal() Knobs {
	if k.MaxEvents == 0 {
		k.MaxEvents = 40
	}
	k.MaxEvents = max(k.MaxEvents, 2)
	if k.Guard {
		k.Without |= Runs | Chunks
	}
	return k
}

// Legal gives streams that the protocol allows. Producer and consumer must
// accept each of them.
func Legal(k Knobs) *rapid.Generator[Stream] {
	k = k.normal()
	return rapid.Custom(func(t *rapid.T) Stream {
		s := newSim(draw{t}, k, plan{})
		s.stream()
		return s.result()
	})
}
