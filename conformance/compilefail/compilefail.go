// Package compilefail tests what must not compile. A library whose types keep wrong orders from being
// written proves it with sources that a compiler refuses, and for the right reason: a missing
// dependency or a slip of the pen refuses them as well. So each has marks on the lines at fault and a
// near twin that compiles, and the errors must be exactly those that are marked.
package compilefail

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// A Case is a source, file or folder, that must not compile, NAME_bad, with its twin NAME_good.
type Case struct {
	Project string
	Name    string
	Marks   []Mark
	// Problems say why it fails, a sentence each. None: the compiler refuses it for the marked reasons
	// and no other, and takes the twin.
	Problems []string
}

// A Diagnostic is an error of a compiler.
type Diagnostic struct {
	// File is the path below the project, with slashes; Line counts from 1.
	File string
	Line int
	// Code is the compiler's code; empty in a language that has none. Analyzer is the name of the
	// analyzer that found it.
	Code, Analyzer string
	Message        string
}

func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d: %s", d.File, d.Line, cmp.Or(d.Code, d.Analyzer, d.Message))
}

// Run compiles the projects at and below a folder, and returns their cases in order. The error says why
// one could not be compiled at all.
func Run(ctx context.Context, folder string) ([]*Case, error) {
	projects, err := find(folder)
	if err != nil {
		return nil, err
	}
	var all []*Case
	for _, p := range projects {
		cases, err := p.run(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.ToSlash(p.root), err)
		}
		all = append(all, cases...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no cases; a case is NAME_bad and NAME_good, files or folders, below a Cargo.toml, a tsconfig.json or a go.mod", folder)
	}
	return all, nil
}

func (p *project) run(ctx context.Context) ([]*Case, error) {
	sources, err := p.sources()
	if err != nil || len(sources.cases) == 0 {
		return nil, err
	}
	found, err := p.compile(ctx, p.root)
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		if !sources.has(d.File) {
			return nil, fmt.Errorf("%s:%d does not compile and belongs to no case: %s", d.File, d.Line, d.Message)
		}
	}
	for _, c := range sources.cases {
		c.judge(sources, found)
	}
	return sources.cases, nil
}

// judge compares the errors of a case with its marks, and wants none of its twin.
func (c *Case) judge(s *sources, found []Diagnostic) {
	open := slices.Clone(c.Marks)
	for _, d := range found {
		of, twin := s.owner(d.File)
		if of != c {
			continue
		}
		if twin {
			c.problem("the twin does not compile: %s:%d: %s", d.File, d.Line, d.Message)
			continue
		}
		at := slices.IndexFunc(open, func(m Mark) bool { return m.means(d) })
		if at < 0 {
			c.problem("an error that is not marked: %s (%s)", d, d.Message)
			continue
		}
		open = slices.Delete(open, at, at+1)
	}
	for _, m := range open {
		c.problem("%s:%d compiles as far as %s goes; the mark says that it must not", m.File, m.Line, m.Want)
	}
	if len(c.Marks) == 0 {
		c.problem("no line has a mark; give //~ ERROR and the code on the line that must not compile")
	}
}

func (c *Case) problem(format string, args ...any) {
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
}
