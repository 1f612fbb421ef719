package fuzz

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentstream/conformance/scenarios"
)

// fuzzDrawn makes a native target of a property that draws. What the bytes mean changes with every
// change of a generator, so its seeds are noise, enough of it for a stream.
func fuzzDrawn(f *testing.F, property func(*rapid.T)) {
	for seed := range uint64(8) {
		noise := make([]byte, 32<<10)
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(noise)
		f.Add(noise)
	}
	f.Fuzz(rapid.MakeFuzz(property))
}

// seedLimit leaves out streams that are too long to be varied with profit.
const seedLimit = 16 << 10

// streams yields the streams of all scenarios and goldens, as NDJSON. They are read where they are, so
// that a new one is a new seed.
func streams(f testing.TB) (all [][]byte) {
	for _, name := range scenarios.Names() {
		s, err := scenarios.Read(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range s.Files {
			if strings.HasSuffix(file.Name, ".stream") && len(file.Data) < seedLimit {
				all = append(all, file.Data)
			}
		}
	}
	for _, golden := range []string{"clauses.jsonl", "second-reading.jsonl"} {
		all = append(all, vectors(f, filepath.Join("..", "golden", "agui", golden))...)
	}
	return all
}

// some leaves most of many seeds out: a fuzzer runs them all before it begins, and the readers of recordings learn
// little from another stream of the same form.
func some(all [][]byte) (few [][]byte) {
	for i := 0; i < len(all); i += 6 {
		few = append(few, all[i])
	}
	return few
}

// vectors reads the streams of a golden that has one a line.
func vectors(f testing.TB, path string) (all [][]byte) {
	file, err := os.Open(path)
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v struct{ Events []json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			f.Fatal(err)
		}
		var events [][]byte
		for _, e := range v.Events {
			events = append(events, e)
		}
		all = append(all, ndjson(events))
	}
	return all
}

// recordings yields the goldens that are recordings, as they were recorded.
func recordings(f testing.TB) (all [][]byte) {
	root := filepath.Join("..", "golden", "agui")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".sse", ".jsonl", ".ndjson", ".json", ".txt", ".gz":
			data, err := os.ReadFile(path)
			if err == nil && len(data) < seedLimit {
				all = append(all, data)
			}
			return err
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	return all
}

// events are the single events of all streams, each once.
func events(f testing.TB) (all [][]byte) {
	seen := map[string]bool{}
	for _, s := range streams(f) {
		for e := range bytes.Lines(s) {
			if e = bytes.TrimSpace(e); !seen[string(e)] {
				seen[string(e)] = true
				all = append(all, e)
			}
		}
	}
	return all
}

func TestThereAreSeeds(t *testing.T) {
	if s, r, e := len(streams(t)), len(recordings(t)), len(events(t)); s < 500 || r < 10 || e < 500 {
		t.Errorf("%d streams, %d recordings, %d events", s, r, e)
	}
}
