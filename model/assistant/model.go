// Package assistant generates provider streams of the pi family and of di-code: streams that are legal by
// construction, streams that are broken in one known way, and streams that are damaged at random.
//
// It is a second opinion on the contract of verdicts (docs/pi.md). It is written from that text and
// shares nothing with the verifier but the vocabulary (baseline/pi); the two meet in tests only,
// through bytes.
package assistant

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/baseline/pi"
)

// DiCode is the profile of di-code. The others are those of baseline/pi.
const DiCode = "di-code"

// Profiles lists the four profiles.
func Profiles() []string { return append([]string{DiCode}, pi.Profiles()...) }

// Stream is one recorded stream and what is known beside it.
type Stream struct {
	Events  [][]byte // one JSON document each
	Profile string   // that it was made for
	Form    pi.Forms // its serialisation; 0 for di-code, which has one
}

// String is the stream, one event a line, each behind its index.
func (s Stream) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", s.Profile, formNames[s.Form])
	for i, e := range s.Events {
		fmt.Fprintf(&b, "%3d %s\n", i, e)
	}
	return b.String()
}

// GoString is String: rapid prints what it drew with %#v.
func (s Stream) GoString() string { return "\n" + s.String() }

var formNames = map[pi.Forms]string{0: "di-code's form", pi.InProcess: "in process", pi.Wire: "wire", pi.SSE: "SSE", pi.Proxy: "proxy"}

// Forms lists the serialisations of a profile.
func Forms(profile string) []pi.Forms {
	if profile == DiCode {
		return []pi.Forms{0}
	}
	return []pi.Forms{pi.InProcess, pi.Wire, pi.SSE, pi.Proxy}
}

// Feature is a set of things that may occur in a stream.
type Feature uint32

// The features.
const (
	Failures    Feature = 1 << iota // error: first, at any point, over open blocks
	Thinking                        // thinking blocks
	Redacted                        // thinking that is not shown
	Tools                           // tool calls
	Interleaved                     // several blocks open at once
	LateNames                       // ids and names of calls that come after their start
	Unparsed                        // arguments that are blank, repaired or given up
	Optional                        // optional and unknown members
	Unicode                         // text beyond ASCII, pairs cut in two, halves of pairs
	Odd                             // unusual but legal JSON: order of members, white space, escapes, other spellings of numbers
	Foreign                         // events of unknown types (a warning, in pi only)
)

// Knobs say how large streams get and what occurs in them. The zero value is everything of pi-1.x, of
// moderate size.
type Knobs struct {
	Profile   string   // pi-1.x
	Form      pi.Forms // one serialisation; 0: any
	MaxEvents int      // 0: 30; fewer than 2 is 2; a breakage may need some more
	Without   Feature  // what does not occur
}

func (k Knobs) has(f Feature) bool { return k.Without&f == 0 }

func (k Knobs) normal() Knobs {
	if k.Profile == "" {
		k.Profile = pi.Pi1x
	}
	if k.MaxEvents == 0 {
		k.MaxEvents = 30
	}
	k.MaxEvents = max(k.MaxEvents, 2)
	if k.Profile == DiCode {
		k.Form = 0
		k.Without |= Redacted | Interleaved | LateNames | Unparsed | Foreign
	}
	return k
}

// Legal gives streams that the profile must accept. Some have a warning (an unknown type) or an information
// (arguments that were repaired), none has an error.
func Legal(k Knobs) *rapid.Generator[Stream] {
	k = k.normal()
	return rapid.Custom(func(t *rapid.T) Stream {
		s := newSim(draw{t}, k)
		s.stream()
		return s.result()
	})
}

// isPi tells a profile of the pi family.
func isPi(profile string) bool { return slices.Contains(pi.Profiles(), profile) }
