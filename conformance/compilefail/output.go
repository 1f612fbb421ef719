package compilefail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// output runs a compiler in a project. That it ends with an error is what is expected of it.
func output(ctx context.Context, root, name string, args ...string) (stdout, stderr []byte, failed bool, err error) {
	var out, complaints bytes.Buffer
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Stdout, c.Stderr = root, &out, &complaints
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, nil, false, ctx.Err()
	case errors.As(err, &exit):
		return out.Bytes(), complaints.Bytes(), true, nil
	case err != nil:
		return nil, nil, false, fmt.Errorf("cannot run %s: %w; install it", name, err)
	}
	return out.Bytes(), complaints.Bytes(), false, nil
}

// textErrors reads errors that are lines: the file, the line, then what rest makes of the match.
func textErrors(text []byte, line *regexp.Regexp, rest func(match []string) Diagnostic) (found []Diagnostic) {
	for _, m := range line.FindAllStringSubmatch(string(text), -1) {
		d := rest(m)
		d.File = strings.TrimPrefix(filepath.ToSlash(m[1]), "./")
		d.Line, _ = strconv.Atoi(m[2])
		found = append(found, d)
	}
	return found
}

// couldNot says that a compiler failed without an error in a source.
func couldNot(what string, complaints []byte) error {
	text := strings.TrimSpace(string(complaints))
	if len(text) > 2000 {
		text = text[:2000] + "…"
	}
	return fmt.Errorf("%s failed without an error in a source: %s", what, text)
}
