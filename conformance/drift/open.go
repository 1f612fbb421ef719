package drift

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/drift/reader"
	"github.com/agentstream/conformance/conformance/drift/token"
)

// Limits on what is looked at: a folder with more is no SDK.
const (
	maxFiles = 20000
	maxBytes = 256 << 20
)

// Source is the sources of an SDK.
type Source struct {
	Reader reader.Reader
	Files  []reader.File
}

// Open finds the sources of an SDK in a folder, or the one file that is named.
// With a kind it looks for that language alone; else for the one whose files
// mention most event types. Symbolic links within the folder are not followed.
func Open(root, kind string) (*Source, error) {
	readers := reader.All()
	if kind != "" {
		r, ok := reader.ByName(kind)
		if !ok {
			return nil, fmt.Errorf("no SDK kind %q; there are %s", kind, strings.Join(reader.Names(), ", "))
		}
		readers = []reader.Reader{r}
	}
	paths, err := find(root, readers)
	if err != nil {
		return nil, err
	}
	return choose(root, readers, paths)
}

// find returns the paths below root that any reader takes, with slashes.
func find(root string, readers []reader.Reader) ([]string, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	var paths []string
	looked := 0
	err = filepath.WalkDir(real, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if p != real && skipped(d.Name()) {
				return filepath.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		if looked++; looked > maxFiles {
			return fmt.Errorf("%s has more than %d files; name the folder that declares the event types", root, maxFiles)
		}
		rel, err := filepath.Rel(real, p)
		if err != nil {
			return err
		}
		if rel == "." { // a file was named
			rel = filepath.Base(p)
		}
		rel = filepath.ToSlash(rel)
		if slices.ContainsFunc(readers, func(r reader.Reader) bool { return r.Matches(rel) }) && !testFile.MatchString(rel) {
			paths = append(paths, rel)
		}
		return nil
	})
	return paths, err
}

// skippedFolders hold no source of the SDK itself.
var skippedFolders = []string{
	"node_modules", "target", "build", "vendor", "__pycache__", "testdata", "test", "tests", "__tests__", "commonTest",
	"example", "examples", "benches", "fixtures",
}

func skipped(name string) bool {
	return strings.HasPrefix(name, ".") && name != "." || slices.Contains(skippedFolders, name)
}

// testFile: tests declare events of their own.
var testFile = regexp.MustCompile(`(^|/)(test_[^/]*|conftest)\.py$|(_test|\.test|\.spec)\.[a-z.]+$|[a-z]Tests?\.(java|kt|cs)$`)

// choose reads the files and decides for a language.
func choose(root string, readers []reader.Reader, paths []string) (*Source, error) {
	texts, err := readAll(root, paths)
	if err != nil {
		return nil, err
	}
	scores := map[string]int{}
	for _, f := range texts {
		n := mentioned(f.Text)
		for _, r := range readers {
			if r.Matches(f.Path) {
				scores[r.Name] += n
			}
		}
	}
	best := slices.MaxFunc(readers, func(a, b reader.Reader) int { return cmp.Compare(scores[a.Name], scores[b.Name]) })
	if scores[best.Name] == 0 {
		return nil, fmt.Errorf("%s: no source mentions an event type (%s looked at; read are %s)", root, count(len(texts), "file"), languages(readers))
	}
	s := &Source{Reader: best}
	for _, f := range texts {
		if best.Matches(f.Path) {
			s.Files = append(s.Files, f)
		}
	}
	return s, nil
}

func languages(readers []reader.Reader) string {
	var names []string
	for _, r := range readers {
		names = append(names, r.Language)
	}
	return strings.Join(names, ", ")
}

// mentioned counts the event types that a text mentions, by value or by name.
func mentioned(text string) int {
	n := 0
	for value := range knownTypes {
		if strings.Contains(text, value) || strings.Contains(text, camel(value)) {
			n++
		}
	}
	return n
}

func readAll(root string, paths []string) ([]reader.File, error) {
	var files []reader.File
	total := 0
	for _, p := range paths {
		text, err := readFile(root, p)
		if err != nil {
			return nil, err
		}
		if total += len(text); total > maxBytes {
			return nil, fmt.Errorf("%s has more than %d MiB of sources; name the folder that declares the event types", root, maxBytes>>20)
		}
		files = append(files, reader.File{Path: p, Text: text})
	}
	return files, nil
}

// readFile reads one file, of a large one as much as shows that it is.
func readFile(root, p string) (string, error) {
	f, err := os.Open(filepath.Join(root, filepath.FromSlash(p)))
	if info, statErr := os.Stat(root); statErr == nil && !info.IsDir() {
		f, err = os.Open(root)
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, token.MaxSize+1))
	return string(b), err
}

// Check compares sources with a revision, as Compare does.
func Check(a Against, s *Source, o Options) (*Result, error) {
	sdk := s.Reader.Read(s.Files, Known)
	r, err := Compare(a, sdk, o)
	if err != nil {
		return nil, err
	}
	r.SDK.Language, r.SDK.Experimental = s.Reader.Language, s.Reader.Experimental
	return r, nil
}
