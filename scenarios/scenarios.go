// Package scenarios holds the scenario files: one protocol situation each, as the text files that people read, tests
// run and explain prints. README.md says how to read and write one.
package scenarios

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// FS has the files as they are in the repository, PROTOCOL/FAMILY/NAME.txtar.
//
//go:embed agui assistant session
var FS embed.FS

// The protocols, as verifiers name them too.
const (
	AGUI      = "agui"
	Assistant = "assistant"
	Session   = "session"
)

const extension = ".txtar"

// A Scenario is one file, taken apart.
type Scenario struct {
	// Protocol is the one whose streams the scenario has.
	Protocol string
	// Name is FAMILY/NAME. In AG-UI a scenario for verifiers has a rule's code as its family and is named after
	// the clause that it shows, or after the code where the rule has a single clause.
	Name string
	// Comment is what stands on top: a sentence that says what is shown, then lines that begin with
	// "spec:" or "shows:", without their comment signs.
	Comment string
	// Script are the commands, without the comment on top.
	Script string
	// Files are the streams, requests and expectations, in their order.
	Files []txtar.File
}

// Names returns the names of all scenarios of AG-UI, sorted: they are the ones that can be run against a subject.
func Names() []string { return Of(AGUI) }

// Of returns the names of all scenarios of a protocol, sorted.
func Of(protocol string) []string {
	var names []string
	paths, _ := fs.Glob(FS, protocol+"/*/*"+extension) // fails for a bad pattern only
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(p, protocol+"/"), extension))
	}
	slices.Sort(names) // by name, not by path: "a/b" stands before "a/b-c"
	return names
}

// Read returns a scenario of AG-UI by its name. It takes a clause's full name as the rule table has it, too: for a rule
// with a single clause that is the code alone.
func Read(name string) (*Scenario, error) { return ReadOf(AGUI, name) }

// ReadOf is Read for any protocol.
func ReadOf(protocol, name string) (*Scenario, error) {
	if !strings.Contains(name, "/") {
		name += "/" + name
	}
	data, err := FS.ReadFile(protocol + "/" + name + extension)
	if err != nil {
		return nil, fmt.Errorf("there is no scenario %q of %s", name, protocol)
	}
	s := Parse(name, data)
	s.Protocol = protocol
	return s, nil
}

// Example returns the scenario that shows a clause of a protocol's table, by the clause's full name. Where a clause is
// judged in profiles that share no stream, each has its own, and this is the one of the default profile.
func Example(protocol, clause string) (*Scenario, error) {
	if protocol == AGUI {
		return Read(clause)
	}
	var found *Scenario
	for _, name := range Of(protocol) {
		s, err := ReadOf(protocol, name)
		if err != nil {
			return nil, err
		}
		if s.Shows() == clause && (found == nil || found.Profile() != defaults[protocol]) {
			found = s
		}
	}
	if found == nil {
		return nil, fmt.Errorf("there is no scenario that shows %q of %s", clause, protocol)
	}
	return found, nil
}

// Parse takes the bytes of a scenario file of AG-UI apart. There are no syntax errors: what is no file belongs to the script.
func Parse(name string, data []byte) *Scenario {
	archive := txtar.Parse(data)
	s := &Scenario{Protocol: AGUI, Name: name, Files: archive.Files}
	comment, rest := []string{}, string(archive.Comment)
	for strings.HasPrefix(rest, "#") {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		comment = append(comment, strings.TrimSpace(strings.TrimPrefix(line, "#")))
	}
	s.Comment, s.Script = strings.Join(comment, "\n"), rest
	return s
}

// Title returns the sentence that says what the scenario shows.
func (s *Scenario) Title() string {
	title, _, _ := strings.Cut(s.Comment, "\n")
	return title
}

// Shows returns the full name of the clause that the scenario shows. It is empty for one that shows what is free, and in
// AG-UI, where the scenario's own name is that of the clause.
func (s *Scenario) Shows() string {
	for line := range strings.Lines(s.Comment) {
		if clause, ok := strings.CutPrefix(line, "shows: "); ok {
			return strings.TrimSpace(clause)
		}
	}
	return ""
}

// defaults are the profiles that judge where a line names none, by protocol. A family that has its own stands in own.
var (
	defaults = map[string]string{AGUI: "producer", Assistant: "pi-1.x", Session: "pi-1.x"}
	own      = map[string]string{Assistant + "/dicode": "di-code"}
)

// Profile returns the profile that judges where a line names none.
func (s *Scenario) Profile() string {
	family, _, _ := strings.Cut(s.Name, "/")
	return cmp.Or(own[s.Protocol+"/"+family], defaults[s.Protocol])
}

// Profiles returns those of a protocol's profiles that the scenario is about: its family's own one, or all that are no
// family's own.
func (s *Scenario) Profiles(all []string) []string {
	if family, _, _ := strings.Cut(s.Name, "/"); own[s.Protocol+"/"+family] != "" {
		return []string{s.Profile()}
	}
	var theirs []string
	for _, name := range own {
		theirs = append(theirs, name)
	}
	return slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(theirs, p) })
}

// File returns the content of a file; ok is false where the scenario has none of that name.
func (s *Scenario) File(name string) (data []byte, ok bool) {
	for _, f := range s.Files {
		if f.Name == name {
			return f.Data, true
		}
	}
	return nil, false
}

// Bad returns the stream that breaks the clause, one event a line; nil in a scenario without one.
func (s *Scenario) Bad() []byte {
	data, _ := s.File("bad.stream")
	return data
}

// Good returns the legal near twin of Bad.
func (s *Scenario) Good() []byte {
	data, _ := s.File("good.stream")
	return data
}
