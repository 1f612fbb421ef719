// Package drift compares the vocabulary of an SDK with the protocol's baseline:
// which event types and fields it lacks, has too many, spells differently on the
// wire, or holds for optional where the protocol does not.
//
// A verifier does not know that the protocol gained an event, and an SDK that was
// transcribed by hand keeps passing its own tests while it falls behind. This is
// the check that notices. It reads sources as text, needs no network, and gives
// the same answer each time.
package drift

import (
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// Kind names a kind of difference.
type Kind string

// The kinds of difference, as reports and deliberate-difference files name them.
const (
	MissingType   Kind = "missing-type"
	UnlistedType  Kind = "unlisted-type"
	NoPayload     Kind = "no-payload"
	UnknownType   Kind = "unknown-type"
	RetiredType   Kind = "retired-type"
	Discriminator Kind = "discriminator"
	UnusedPayload Kind = "unused-payload"
	MissingField  Kind = "missing-field"
	UnknownField  Kind = "unknown-field"
	RetiredField  Kind = "retired-field"
	WireName      Kind = "wire-name"
	Optionality   Kind = "optionality"
)

// KindInfo says what a kind is to a person.
type KindInfo struct {
	Kind  Kind
	Title string
	Hint  string // how to fix it
}

// kinds are all kinds, in the order of a report.
var kinds = []KindInfo{
	{MissingType, "missing event types", "declare a type for each and add it to the list of event types: a peer may send them from now on"},
	{UnlistedType, "event types that the list lacks", "add them to the SDK's own list of event types"},
	{NoPayload, "event types without a payload", "declare the type that carries their fields"},
	{UnknownType, "unknown event types", "correct their spelling, or send them as CUSTOM: peers refuse types that the protocol lacks"},
	{RetiredType, "retired event types", "stop sending them; if older peers still may, list them as deliberate"},
	{Discriminator, "discriminators with another value", "give the type the value that its name says"},
	{UnusedPayload, "payload types that no event uses", "add them to the union, the decoder or the constructors, or remove them"},
	{MissingField, "missing fields", "add them, or what peers send there is lost"},
	{UnknownField, "unknown fields", "correct their spelling, or move them into metadata: peers may refuse them"},
	{RetiredField, "retired fields", "stop sending them; if older peers still may, list them as deliberate"},
	{WireName, "fields with another name on the wire", "rename them on the wire, by tag, annotation or alias"},
	{Optionality, "fields that differ in whether they may be absent", "make them required or optional as the protocol has it"},
}

// Kinds are all kinds of difference, in the order of a report.
func Kinds() []KindInfo { return kinds }

// Difference is one way in which an SDK and the baseline differ.
type Difference struct {
	Kind   Kind
	Type   string // the event type, or the declaration's name where it has none
	Field  string // empty where the type as a whole differs
	Detail string // what the two say, where kind and names do not
	At     vocabulary.Place
	Reason string // why it is deliberate; empty where it is not
}

// Subject is TYPE, or TYPE.FIELD.
func (d Difference) Subject() string {
	if d.Field == "" {
		return d.Type
	}
	return d.Type + "." + d.Field
}

// Unparsed is what could not be compared, and why. It is a warning: a check that
// cries wolf is switched off.
type Unparsed struct {
	What string // the event type, the declaration, or empty for a file
	vocabulary.Problem
}

// Result is a comparison.
type Result struct {
	Against Against
	SDK     Subject

	Differences []Difference // by kind, then in the baseline's order
	Deliberate  []Difference // those that a file lists, with its reasons
	Stale       []Entry      // entries of that file that list no difference
	Unparsed    []Unparsed

	Upstream *Upstream // nil where it was not asked
}

// Subject says what was compared with the baseline.
type Subject struct {
	Source       string // as it was named: a folder, or a package with its version
	Folder       string // where its files are for who reads the report; empty for a package
	Language     string
	Experimental bool
	Files        int
	Types        int // event types that it has
	Payloads     int // declarations of such
	Shapes       int // declarations of other objects that were compared
}

// Drifted says whether anything has to be done.
func (r *Result) Drifted() bool {
	return len(r.Differences)+len(r.Stale) > 0 || r.Upstream.Changed()
}
