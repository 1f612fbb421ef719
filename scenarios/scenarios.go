// Package scenarios holds the scenario files: one protocol situation each, as the text files that people read, tests
// run and explain prints. README.md says how to read and write one.
package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// FS has the files as they are in the repository, agui/FAMILY/NAME.txtar.
//
//go:embed agui
var FS embed.FS

const (
	root      = "agui/"
	extension = ".txtar"
)

// A Scenario is one file, taken apart.
type Scenario struct {
	// Name is FAMILY/NAME. A scenario for verifiers has a rule's code as its family and is named after
	// the clause that it shows, or after the code where the rule has a single clause.
	Name string
	// Comment is what stands on top: a sentence that says what is shown, then lines that begin with
	// "spec:", without their comment signs.
	Comment string
	// Script are the commands, without the comment on top.
	Script string
	// Files are the streams, requests and expectations, in their order.
	Files []txtar.File
}

// Names returns the names of all scenarios, sorted.
func Names() []string {
	var names []string
	paths, _ := fs.Glob(FS, root+"*/*"+extension) // fails for a bad pattern only
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(p, root), extension))
	}
	slices.Sort(names) // by name, not by path: "a/b" stands before "a/b-c"
	return names
}

// Read returns a scenario by its name. It takes a clause's full name as the rule table has it, too: for a rule with a
// single clause that is the code alone.
func Read(name string) (*Scenario, error) {
	if !strings.Contains(name, "/") {
		name += "/" + name
	}
	data, err := FS.ReadFile(root + name + extension)
	if err != nil {
		return nil, fmt.Errorf("there is no scenario %q", name)
	}
	return Parse(name, data), nil
}

// Parse takes the bytes of a scenario file apart. There are no syntax errors: what is no file belongs to the script.
func Parse(name string, data []byte) *Scenario {
	archive := txtar.Parse(data)
	s := &Scenario{Name: name, Files: archive.Files}
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
