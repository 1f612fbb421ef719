package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agentstream/conformance/model/script"
	"github.com/agentstream/conformance/scenarios"
)

// A plan is what can be told of a scenario without running it.
type plan struct {
	// features are those that its scripts need, and those that it names itself.
	features []string
	// drives tells whether it asks a subject anything.
	drives bool
}

// Needs returns the features that a scenario needs, and whether it asks a subject anything at all.
func Needs(s *scenarios.Scenario) (features []string, drives bool, err error) {
	p, err := readPlan(s)
	return p.features, p.drives, err
}

func readPlan(s *scenarios.Scenario) (p plan, err error) {
	var runs []turn
	for line := range strings.Lines(s.Script) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		// As it stands, before any quote or variable of testscript's is looked at: its own commands reach the machine.
		if commands(nil)[words[0]] == nil {
			return p, fmt.Errorf("there is no command %q", shown(words[0]))
		}
		switch words[0] {
		case "run", "refuse":
			p.drives = true
			runs = append(runs, readTurn(words))
		case "needs":
			p.features = append(p.features, words[1:]...)
		}
	}
	scripts, err := readScripts(s)
	if err != nil {
		return p, err
	}
	for _, run := range slices.Sorted(maps.Keys(scripts)) {
		if !slices.ContainsFunc(runs, func(t turn) bool { return t.run == run }) {
			runs = append(runs, turn{run: run, thread: "of " + run})
		}
	}
	earlier := map[string][]script.Script{}
	for _, t := range runs {
		in, err := staticInput(s, t.run)
		if err != nil {
			return p, err
		}
		in.Earlier = earlier[t.thread]
		p.features = append(p.features, scripts[t.run].Features(in)...)
		earlier[t.thread] = append(earlier[t.thread], scripts[t.run])
	}
	slices.Sort(p.features)
	p.features = slices.Compact(p.features)
	return p, nil
}

// A turn is a run on a thread, as a script's line asks for it.
type turn struct {
	run, thread string
}

func readTurn(words []string) (t turn) {
	valued := []string{"-thread", "-times", "-abort", "-accept"}
	for i, w := range words[1:] {
		switch before := words[i]; {
		case before == "-thread":
			t.thread = w
		case t.run == "" && !strings.HasPrefix(w, "-") && !slices.Contains(valued, before):
			t.run = w
		}
	}
	return t
}

// readScripts reads all scripts of a scenario, by their runs.
func readScripts(s *scenarios.Scenario) (map[string]script.Script, error) {
	scripts := map[string]script.Script{}
	for _, f := range s.Files {
		if !filepath.IsLocal(f.Name) {
			return nil, fmt.Errorf("the file name %q leads out of the scenario", f.Name)
		}
		run, is := strings.CutSuffix(f.Name, ".script")
		if !is {
			continue
		}
		x, err := script.Parse(f.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		scripts[run] = x
	}
	return scripts, nil
}

// Features are those that a subject declares.
type Features struct {
	names []string
}

// Declared returns the features of a list.
func Declared(names []string) *Features { return &Features{names: names} }

// Missing returns which of those needed the subject does not declare; none for a subject that declares nothing.
func (f *Features) Missing(needed []string) (missing []string) {
	if f == nil {
		return nil
	}
	for _, n := range needed {
		if !slices.Contains(f.names, n) {
			missing = append(missing, n)
		}
	}
	return missing
}

// identity tells whether labels are to come out as ids.
func (f *Features) identity(needed []string) bool {
	if f != nil {
		return slices.Contains(f.names, "ids")
	}
	return slices.Contains(needed, "ids")
}

// writeScript writes a scenario where testscript can read it. A folder of its own for each keeps equal base names apart.
func writeScript(work string, s *scenarios.Scenario) (string, error) {
	folder, err := os.MkdirTemp(work, "scenario")
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "scenario.txtar")
	// The comment's lines are kept, so that line numbers are those of the file.
	top := strings.Repeat("#\n", strings.Count(s.Comment, "\n")+1)
	archive := &txtar.Archive{Comment: []byte(top + s.Script), Files: s.Files}
	return file, os.WriteFile(file, txtar.Format(archive), 0o600)
}

// overlay reads R.request: the members that are laid over the default input.
func overlay(data []byte) (members map[string]any, err error) {
	err = json.Unmarshal(data, &members)
	return members, err
}

// staticInput is what is known of a run's input without running the scenario.
func staticInput(s *scenarios.Scenario, run string) (in script.Input, err error) {
	var over map[string]any
	if data, ok := s.File(run + ".request"); ok {
		if over, err = overlay(data); err != nil {
			return in, fmt.Errorf("%s.request: %w", run, err)
		}
	}
	t := thread{id: s.Name}
	in.Request = t.input(t.run(run), over)
	return in, nil
}

// AllFeatures are the features that a subject may declare.
func AllFeatures() []string { return script.AllFeatures() }

// PlainInput is the input of a run that nothing is added to.
func PlainInput(name string) script.Input {
	t := thread{id: name}
	return script.Input{Request: t.input(t.run("one"), nil)}
}
