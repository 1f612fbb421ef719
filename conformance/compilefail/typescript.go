package compilefail

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
)

// typeScript checks a project with its own compiler, or else the one that is installed.
func typeScript(ctx context.Context, root string) ([]Diagnostic, error) {
	tsc := "tsc"
	if own, err := filepath.Abs(filepath.Join(root, "node_modules", ".bin", "tsc")); err == nil {
		if _, err := os.Stat(own); err == nil {
			tsc = own
		}
	}
	out, complaints, failed, err := output(ctx, root, tsc, "--pretty", "false", "--noEmit", "--project", ".")
	if err != nil {
		return nil, err
	}
	found := textErrors(out, tscError, func(m []string) Diagnostic { return Diagnostic{Code: m[3], Message: m[4]} })
	if failed && len(found) == 0 {
		err = couldNot("tsc", append(out, complaints...))
	}
	return found, err
}

var tscError = regexp.MustCompile(`(?m)^([^(\n]+)\((\d+),\d+\): error (TS\d+): (.*)$`)
