package drift

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/agentstream/conformance/baseline"
)

// generated are the files that the baseline's generator writes.
var generated = []string{"agui.json", "history.json"}

// pinned are the files of the generator that a move to another release changes.
var pinned = []string{filepath.Join("v1", "package.json"), filepath.Join("v1", "package-lock.json")}

// Refresh runs the baseline's generator, which needs Node, checks what it made, and
// puts it in the place of the old. It works on a copy, so whatever fails leaves
// the baseline as it was. With a release, it moves the current revision there
// first. What changed is written to w.
//
// The baseline is the one of the repository that dir is in.
func Refresh(ctx context.Context, dir, release string, w io.Writer) error {
	folder, err := baselineFolder(dir)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(folder, ".refresh-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := generate(ctx, folder, work, release); err != nil {
		return err
	}
	old, made := make([]*baseline.Protocol, len(generated)), make([]*baseline.Protocol, len(generated))
	for i, name := range generated {
		if old[i], err = load(filepath.Join(folder, name)); err != nil {
			return err
		}
		if made[i], err = load(filepath.Join(work, name)); err != nil {
			return fmt.Errorf("the generator wrote something else: %w", err)
		}
		if err := keeps(old[i], made[i]); err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", name, err)
		}
	}
	if err := install(work, folder); err != nil {
		return err
	}
	return report(w, old[0], made[0])
}

// baselineFolder finds baseline/ upwards of dir.
func baselineFolder(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for d := start; ; d = filepath.Dir(d) {
		folder := filepath.Join(d, "baseline")
		if _, err := os.Stat(filepath.Join(folder, "generate", "run")); err == nil {
			return folder, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("%s is in no repository that has baseline/generate", dir)
		}
	}
}

// generate runs a copy of the generator.
func generate(ctx context.Context, folder, work, release string) error {
	copied := filepath.Join(work, "generate")
	if err := copyTree(filepath.Join(folder, "generate"), copied); err != nil {
		return err
	}
	args := []string{filepath.Join(copied, "run")}
	if release != "" {
		args = append(args, release)
	}
	c := exec.CommandContext(ctx, "sh", args...)
	c.Env = append(os.Environ(), "OUT="+work)
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("the generator failed, and nothing was changed: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// copyTree copies a folder but for what is installed in it.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		return copyFile(p, filepath.Join(to, rel))
	})
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

func load(p string) (*baseline.Protocol, error) {
	text, err := os.ReadFile(p)
	if err != nil {
		return nil, err
	}
	var protocol baseline.Protocol
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&protocol); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(p), err)
	}
	return &protocol, nil
}

// keeps refuses a result that lost half of what was there: that is no change of the
// protocol, but a package that is read wrong.
func keeps(old, made *baseline.Protocol) error {
	for i := range old.Revisions {
		before := &old.Revisions[i]
		after, ok := made.Revision(before.Name)
		if !ok {
			return fmt.Errorf("revision %s is gone", before.Name)
		}
		if a, b := len(before.Events), len(after.Events); b*2 <= a {
			return fmt.Errorf("revision %s would have %d event types instead of %d", before.Name, b, a)
		}
		if a, b := members(before), members(after); b*2 <= a {
			return fmt.Errorf("revision %s would have %d members instead of %d", before.Name, b, a)
		}
		for s := range after.Schemas() {
			if _, ok := after.Object(s.Ref); s.Kind == baseline.KindRef && !ok {
				return fmt.Errorf("revision %s refers to %s, which it lacks", after.Name, s.Ref)
			}
		}
	}
	return nil
}

func members(r *baseline.Revision) int {
	n := 0
	for _, e := range r.Events {
		n += len(e.Members)
	}
	for _, o := range r.Objects {
		n += len(o.Members)
	}
	return n
}

// install moves the files into place, each in one step.
func install(work, folder string) error {
	var errs []error
	for _, name := range generated {
		errs = append(errs, os.Rename(filepath.Join(work, name), filepath.Join(folder, name)))
	}
	for _, name := range pinned {
		errs = append(errs, os.Rename(filepath.Join(work, "generate", name), filepath.Join(folder, "generate", name)))
	}
	return errors.Join(errs...)
}

func report(w io.Writer, old, made *baseline.Protocol) error {
	total := 0
	for i := range made.Revisions {
		after := &made.Revisions[i]
		before, ok := old.Revision(after.Name)
		if !ok {
			if _, err := fmt.Fprintf(w, "new revision %s\n", after.Name); err != nil {
				return err
			}
			continue
		}
		changes := Between(before, after)
		if total += len(changes); len(changes) == 0 && before.Source == after.Source {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s %s, %s to %s\n", made.Name, after.Name, before.Source.Version, after.Source.Version); err != nil {
			return err
		}
		if err := betweenText(w, before, after, changes); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "baseline refreshed, %s; CONFORMANCE_UPDATE=1 go test ./... brings along what is made from it\n", count(total, "change"))
	return err
}
