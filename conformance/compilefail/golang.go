package compilefail

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// golang builds all packages, then asks the analyzers about those that build.
func golang(ctx context.Context, root string) ([]Diagnostic, error) {
	_, complaints, failed, err := output(ctx, root, "go", "build", "-gcflags=-e", "-o", os.DevNull, "./...")
	if err != nil {
		return nil, err
	}
	found := textErrors(complaints, goError, func(m []string) Diagnostic { return Diagnostic{Message: m[3]} })
	if failed && len(found) == 0 {
		return nil, couldNot("go build", complaints)
	}
	out, complaints, _, err := output(ctx, root, "go", "vet", "-json", "./...")
	if err != nil {
		return nil, err
	}
	vetted, err := vetErrors(root, append(out, complaints...))
	return append(found, vetted...), err
}

var goError = regexp.MustCompile(`(?m)^([^:\n]+):(\d+):\d+: (.*)$`)

// vetErrors reads what the analyzers say: comments, and one JSON object per package.
func vetErrors(root string, text []byte) (found []Diagnostic, err error) {
	type finding struct {
		Posn    string `json:"posn"`
		Message string `json:"message"`
	}
	var plain []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("#")) && !bytes.HasPrefix(line, []byte("vet: ")) {
			plain = append(plain, line...)
		}
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(plain)); ; {
		var packages map[string]map[string]json.RawMessage
		if err := d.Decode(&packages); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, couldNot("go vet", text)
		}
		for _, analyzers := range packages {
			for name, raw := range analyzers {
				var list []finding
				if json.Unmarshal(raw, &list) != nil {
					continue // an analyzer that failed, as on a package that does not build
				}
				for _, f := range list {
					x := Diagnostic{Analyzer: name, Message: f.Message}
					x.File, x.Line = position(absolute, f.Posn)
					found = append(found, x)
				}
			}
		}
	}
}

// position takes FILE:LINE:COLUMN apart.
func position(root, posn string) (file string, line int) {
	parts := strings.Split(posn, ":")
	if n := len(parts); n >= 3 {
		file, posn = strings.Join(parts[:n-2], ":"), parts[n-2]
		line, _ = strconv.Atoi(posn)
	}
	if below, err := filepath.Rel(root, file); err == nil {
		file = below
	}
	return filepath.ToSlash(file), line
}
