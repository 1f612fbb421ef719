package conformance

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

const module = "github.com/agentstream/conformance/"

// imports says what each package may import of this module, by path below it; a folder stands for
// what is below it too, and the most exact entry counts. The table is the documentation of the
// architecture: model and verifier share nothing but the baseline.
var imports = map[string][]string{
	"baseline":                  {},
	"verifier":                  {"baseline"},
	"verifier/scan":             {},
	"verifier/wire":             {"verifier"},
	"verifier/agui":             {"verifier", "baseline", "verifier/scan", "verifier/agui"},
	"verifier/agui/document":    {"verifier/scan"},
	"verifier/agui/materialise": {"baseline", "verifier/scan", "verifier/agui/document"}, // it does not judge
	"verifier/agui/rules":       {"verifier"},
	"verifier/agui/aguitest":    {"verifier", "verifier/agui", "verifier/wire"},
	"verifier/value":            {"verifier/scan"},
	"verifier/assistant":        {"verifier", "baseline", "verifier/scan", "verifier/value", "verifier/assistant"},
	"verifier/assistant/rules":  {"verifier"},
	"verifier/session":          {"verifier", "baseline", "verifier/scan", "verifier/value", "verifier/assistant", "verifier/session"},
	"verifier/session/rules":    {"verifier", "verifier/assistant/rules"},
	"model":                     {"baseline"},
	"model/assistant":           {"baseline", "model/assistant"},
	"model/session":             {"baseline", "model/session", "model/assistant"},
	"scenarios":                 {},
	"golden":                    {},
	"fuzz":                      {},
	"conformance":               {"verifier", "model", "scenarios", "baseline", "conformance"},
	"conformance/reference":     {"verifier", "baseline"}, // its own test says more
	"cmd/conformance":           {"conformance", "scenarios"},
	"baseline/generate":         {},
}

// pure packages do no input or output of their own, know no clock and no chance.
var pure = []string{"verifier", "model", "baseline"}

var impure = []string{"net", "os", "time", "math/rand", "testing", "syscall", "unsafe", "log", "flag"}

// thirdParty is what the pure packages may import from outside the standard library.
var thirdParty = []string{"github.com/go-json-experiment/json", "github.com/go-json-experiment/json/jsontext", "pgregory.net/rapid"}

func TestPackagesImportWhatTheArchitectureAllows(t *testing.T) {
	root := filepath.Join("..")
	packages := 0
	assert.NilError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && isElsewhere(path, d.Name()) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		packages++
		checkFile(t, path)
		return nil
	}))
	assert.Assert(t, packages > 50, "only %d files were looked at", packages)
}

// isElsewhere: what Go does not take for a part of this module.
func isElsewhere(path, name string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil || strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules"
}

func checkFile(t *testing.T, path string) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	assert.NilError(t, err)
	pkg := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, ".."+string(filepath.Separator))))
	allowed, known := most(imports, pkg)
	assert.Assert(t, known, "%s is in no package of the table", path)
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		assert.NilError(t, err)
		if own, ok := strings.CutPrefix(name, module); ok {
			assert.Check(t, below(allowed, own), "%s imports %s", path, own)
			continue
		}
		if !below(pure, pkg) {
			continue
		}
		assert.Check(t, !below(impure, name), "%s imports %s", path, name)
		external := strings.Contains(strings.Split(name, "/")[0], ".")
		assert.Check(t, !external || slices.Contains(thirdParty, name), "%s imports %s", path, name)
	}
}

// most returns the entry of the longest folder that holds the package.
func most(table map[string][]string, pkg string) (entry []string, ok bool) {
	for {
		if entry, ok = table[pkg]; ok {
			return entry, true
		}
		i := strings.LastIndex(pkg, "/")
		if i < 0 {
			return nil, false
		}
		pkg = pkg[:i]
	}
}

func below(folders []string, name string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return name == f || strings.HasPrefix(name, f+"/") })
}
