package compilefail

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A project is a folder that one compiler compiles.
type project struct {
	root    string
	compile func(ctx context.Context, root string) ([]Diagnostic, error)
	ext     string // of its sources
}

// manifests are the files that make a folder a project.
var manifests = map[string]project{
	"Cargo.toml":    {compile: rust, ext: ".rs"},
	"tsconfig.json": {compile: typeScript, ext: ".ts"},
	"go.mod":        {compile: golang, ext: ".go"},
}

// built are folders that compilers fill.
var built = []string{"target", "node_modules", "vendor", ".git"}

// find returns the projects at and below a folder, in the order of their paths.
func find(folder string) (projects []project, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(built, d.Name()):
			return filepath.SkipDir
		}
		if p, ok := manifests[d.Name()]; ok && !d.IsDir() {
			p.root = filepath.Dir(name)
			projects = append(projects, p)
		}
		return nil
	})
	var missing *fs.PathError
	if errors.As(err, &missing) {
		return nil, errors.New("cannot read " + missing.Path + ": " + missing.Err.Error() + "; give the folder of a project, or one above several")
	}
	return projects, err
}

const (
	badSuffix  = "_bad"
	goodSuffix = "_good"
)

// sources are the cases of a project and whose each file is.
type sources struct {
	cases []*Case
	files map[string]source
}

type source struct {
	of   *Case
	twin bool
}

// sources finds the cases of a project and reads their marks.
func (p *project) sources() (*sources, error) {
	s := &sources{files: map[string]source{}}
	byName := map[string]*Case{}
	twins := map[string]bool{}
	err := fs.WalkDir(os.DirFS(p.root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(built, d.Name()):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != p.ext:
			return nil
		}
		base, twin, ok := caseOf(name)
		if !ok {
			return nil
		}
		c := byName[base]
		if c == nil {
			c = &Case{Project: filepath.ToSlash(p.root), Name: base}
			byName[base] = c
			s.cases = append(s.cases, c)
		}
		s.files[name] = source{c, twin}
		twins[base] = twins[base] || twin
		return c.read(p, name, twin)
	})
	for _, c := range s.cases {
		if !twins[c.Name] {
			c.problem("there is no %s%s that compiles; without it, a missing dependency passes for success", c.Name, goodSuffix)
		}
	}
	return s, err
}

// read adds the marks of a file to its case. A twin has none.
func (c *Case) read(p *project, name string, twin bool) error {
	f, err := os.Open(filepath.Join(p.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer f.Close()
	marks, err := readMarks(name, f)
	if err != nil {
		return err
	}
	if twin && len(marks) > 0 {
		c.problem("%s:%d: the twin has a mark; what must not compile is in %s%s", name, marks[0].Line, c.Name, badSuffix)
		return nil
	}
	c.Marks = append(c.Marks, marks...)
	return nil
}

// caseOf returns the case that a path belongs to, by the first of its elements that ends in _bad or
// _good.
func caseOf(name string) (base string, twin, ok bool) {
	var front []string
	for _, part := range strings.Split(name, "/") {
		stem := strings.TrimSuffix(part, path.Ext(part))
		if b, found := strings.CutSuffix(stem, badSuffix); found {
			return path.Join(append(front, b)...), false, true
		}
		if b, found := strings.CutSuffix(stem, goodSuffix); found {
			return path.Join(append(front, b)...), true, true
		}
		front = append(front, part)
	}
	return "", false, false
}

func (s *sources) has(file string) bool { _, ok := s.files[file]; return ok }

func (s *sources) owner(file string) (c *Case, twin bool) {
	x := s.files[file]
	return x.of, x.twin
}
