// Package reader reads the sources of SDKs as text, one reader for each language.
// Nothing is compiled or run, so a source that does not build can be read too.
//
// A reader says what it could not read with confidence, rather than guess.
package reader

import (
	"errors"
	"fmt"
	"slices"

	"github.com/agentstream/conformance/conformance/drift/token"
	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

// File is a source file.
type File struct {
	Path string // as the SDK's folder has it, with slashes
	Text string
}

// Reader reads one language.
type Reader struct {
	Name         string // for --sdk-kind
	Language     string // for a person
	Experimental bool   // not tried on a published SDK

	// Optionality says where the language writes down that a field may be
	// absent, for a person.
	Optionality string

	// Matches says whether a file, by its path, is one of the language.
	Matches func(path string) bool

	// Read reads files, which all match. Known says whether any revision of the
	// protocol has an event type.
	Read func(files []File, known func(value string) bool) *vocabulary.SDK
}

// All are the readers there are.
func All() []Reader {
	return []Reader{typescript, golang, python, rust, kotlin, java, protobuf, jsonSchema, csharp, dart}
}

// Names are those of all readers.
func Names() []string {
	var names []string
	for _, r := range All() {
		names = append(names, r.Name)
	}
	return names
}

// ByName returns the reader of that name.
func ByName(name string) (Reader, bool) {
	all := All()
	i := slices.IndexFunc(all, func(r Reader) bool { return r.Name == name })
	if i < 0 {
		return Reader{}, false
	}
	return all[i], true
}

// A parsed file is one with its tokens.
type parsed struct {
	File
	nodes []token.Node
}

// parse turns files into trees and notes those that are damaged, which are
// read as far as they go.
func parse(sdk *vocabulary.SDK, lexer string, files []File) []parsed {
	var out []parsed
	for _, f := range files {
		if err := token.Readable([]byte(f.Text)); err != nil {
			damage(sdk, f, err)
			continue
		}
		sdk.Files++
		nodes, err := token.Tree(lexer, f.Text)
		if err != nil {
			damage(sdk, f, err)
		}
		out = append(out, parsed{f, nodes})
	}
	return out
}

func damage(sdk *vocabulary.SDK, f File, err error) {
	p := vocabulary.Problem{Reason: err.Error(), At: vocabulary.Place{File: f.Path}}
	if e := (*token.Error)(nil); errors.As(err, &e) {
		p.Reason, p.At.Line = e.Reason, e.Line
	}
	sdk.Damaged = append(sdk.Damaged, vocabulary.Damaged{Problem: p, Text: f.Text})
}

// place is where a node is.
func place(file string, n token.Node) vocabulary.Place {
	return vocabulary.Place{File: file, Line: n.Line}
}

// problem makes a Problem of a place and a reason.
func problem(file string, line int, format string, args ...any) *vocabulary.Problem {
	return &vocabulary.Problem{Reason: fmt.Sprintf(format, args...), At: vocabulary.Place{File: file, Line: line}}
}

// enum is a named list of values in a source.
type enum struct {
	name    string
	members []vocabulary.Listed
}

// value returns what the member of that name stands for.
func (e *enum) value(member string) (string, bool) {
	for _, m := range e.members {
		if m.Name == member {
			return m.Value, true
		}
	}
	return "", false
}

func (e *enum) has(value string) bool {
	return e != nil && slices.ContainsFunc(e.members, func(m vocabulary.Listed) bool { return m.Value == value })
}

// standIns are what lists of event types have for a type that they do not know.
var standIns = []string{"UNKNOWN", "UNRECOGNIZED", "UNSPECIFIED"}

// eventTypes returns the enum that lists the protocol's event types: the one
// with most of those that are known. Its name is not asked for, since it differs.
func eventTypes(enums []*enum, known func(string) bool) *enum {
	var best *enum
	most := 1
	for _, e := range enums {
		e.members = slices.DeleteFunc(e.members, func(m vocabulary.Listed) bool { return slices.Contains(standIns, m.Value) })
	}
	for _, e := range enums {
		n := 0
		for _, m := range e.members {
			if known(m.Value) {
				n++
			}
		}
		if n > most {
			best, most = e, n
		}
	}
	return best
}

// shape makes a Shape of what was read of a declaration that is no event's.
func shape(name, file string, line int, o object) (vocabulary.Payload, bool) {
	p := vocabulary.Payload{Name: name, At: vocabulary.Place{File: file, Line: line}, Fields: o.fields, Unparsed: o.problem}
	return p, o.problem == nil && len(o.fields) > 0
}

// settle drops the declarations that nothing uses where another of the same
// event is used: variants that the SDK keeps for itself.
func settle(payloads []vocabulary.Payload) []vocabulary.Payload {
	used := map[string]bool{}
	for _, p := range payloads {
		if !p.Unused && p.Value != "" {
			used[p.Value] = true
		}
	}
	return slices.DeleteFunc(payloads, func(p vocabulary.Payload) bool { return p.Unused && used[p.Value] })
}

// fields is a list of fields that a later declaration may change.
type fields []vocabulary.Field

// set adds a field, or replaces the one of that name where it stands.
func (f fields) set(field vocabulary.Field) fields {
	for i := range f {
		if f[i].Name == field.Name {
			f[i] = field
			return f
		}
	}
	return append(f, field)
}

func (f fields) without(name string) fields {
	return slices.DeleteFunc(f, func(x vocabulary.Field) bool { return x.Name == name })
}

func (f fields) clone() fields { return slices.Clone(f) }
