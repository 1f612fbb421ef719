package conformance

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentstream/conformance/conformance/subject"
	"github.com/agentstream/conformance/verifier/wire"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// The names in a folder: those that promise a stream, and those whose content has to.
var (
	streamNames  = []string{".jsonl", ".ndjson", ".sse"}
	sniffedNames = []string{".http", ".json", ".txt"}
)

// Find returns the recordings that paths name: files as they are, folders with the recordings in
// them, and - for stdin. What cannot be used is told in problems, one sentence each; the others can
// still be judged. A format other than "auto" is that of every recording.
func Find(paths []string, stdin io.Reader, format string) (sources []Source, problems []error) {
	f, err := wire.ParseFormat(format)
	if err != nil {
		return nil, []error{Unknown("input format", format, Inputs())}
	}
	w := walker{stdin: stdin, format: f}
	for _, p := range paths {
		w.add(p)
	}
	return w.sources, w.problems
}

// Inputs are the names of the formats of recordings.
func Inputs() []string {
	var names []string
	for f := wire.Auto; f <= wire.SSE; f++ {
		names = append(names, f.String())
	}
	return names
}

type walker struct {
	stdin     io.Reader
	stdinUsed bool
	format    wire.Format
	sources   []Source
	problems  []error
}

func (w *walker) problem(format string, args ...any) {
	w.problems = append(w.problems, fmt.Errorf(format, args...))
}

// add takes one path as it was given.
func (w *walker) add(path string) {
	if path == Stdin {
		w.addStdin()
		return
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.problem("no such file: %s; give a file, a folder, or - for standard input", path)
	case err != nil:
		w.problem("cannot read %s: %w; check its permissions", path, Plain(err))
	case info.IsDir():
		w.folder(path)
	default:
		w.file(path, info)
	}
}

func (w *walker) addStdin() {
	if w.stdinUsed {
		w.problem("- is given twice; standard input can be read only once")
		return
	}
	w.stdinUsed = true
	w.sources = append(w.sources, Source{Name: Stdin, stdin: w.stdin, once: true, format: w.format})
}

func (w *walker) file(path string, info fs.FileInfo) {
	s := Source{Name: path, path: path, Size: info.Size(), format: w.format, once: !info.Mode().IsRegular()}
	if s.format == wire.Auto {
		s.format = wire.FormatOf(path)
	}
	w.sources = append(w.sources, s)
}

// folder adds the recordings in a folder and below, in the order of their names.
func (w *walker) folder(root string) {
	before, problems := len(w.sources), len(w.problems)
	_ = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		path := filepath.Join(root, filepath.FromSlash(name))
		switch {
		case err != nil:
			w.problem("cannot read %s: %w; check its permissions", path, Plain(err))
		case !d.IsDir():
			w.entry(path)
		}
		return nil
	})
	if len(w.sources) == before && len(w.problems) == problems {
		w.problem("no streams in folder %s; it needs files named *.jsonl, *.ndjson or *.sse, or *.http, *.json and *.txt that hold a stream (each may be .gz)", filepath.Clean(root))
	}
}

// entry adds one file of a folder if it is a recording. Links are followed to files only, so that a
// walk ends.
func (w *walker) entry(path string) {
	ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
	promised := slices.Contains(streamNames, ext)
	if !promised && !slices.Contains(sniffedNames, ext) {
		return
	}
	info, err := os.Stat(path)
	if err != nil {
		w.problem("cannot read %s: %w; check its permissions", path, Plain(err))
		return
	}
	if !info.Mode().IsRegular() {
		return
	}
	if promised || w.sniffed(path) {
		w.file(path, info)
	}
}

// sniffed tells whether a file's content is a stream.
func (w *walker) sniffed(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		w.problem("cannot read %s: %w; check its permissions", path, Plain(err))
		return false
	}
	defer f.Close()
	yes, err := wire.IsStream(subject.Unchunk(f))
	return err == nil && yes
}
