package compilefail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

const (
	broken = "package p\n\nvar x int = \"text\" //~ ERROR \"cannot use\"\n"
	whole  = "package p\n\nvar x = \"text\"\n"
)

// run compiles a Go project of those files.
func run(t *testing.T, files map[string]string) ([]*Case, error) {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module p\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		assert.NilError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return Run(t.Context(), root)
}

func TestWhatIsRefusedForTheMarkedReasonPasses(t *testing.T) {
	cases, err := run(t, map[string]string{
		"a_bad/a.go": broken, "a_good/a.go": whole,
		"b_bad/b.go":  "package p\n\nimport \"fmt\"\n\nfunc f() {\n\tfmt.Printf(\"%d\", \"text\")\n\t//~^ ERROR printf\n}\n\nvar _ = f\n",
		"b_good/b.go": "package p\n",
	})
	assert.NilError(t, err)
	assert.Equal(t, len(cases), 2)
	for _, c := range cases {
		assert.Equal(t, len(c.Problems), 0, "%s: %q", c.Name, c.Problems)
		assert.Equal(t, len(c.Marks), 1)
	}
}

func TestWhatIsNotExactlyTheMarkedErrorFails(t *testing.T) {
	for name, c := range map[string]struct{ bad, good, want string }{
		"compiles":                 {"package p\n\nvar x = 1 //~ ERROR \"cannot use\"\n", whole, "bad.go:3 compiles as far as"},
		"another reason":           {"package p\n\nvar x int = y //~ ERROR \"cannot use\"\n", whole, "not marked: a_bad/bad.go:3: undefined: y"},
		"one error more":           {broken + "\nvar y int = z\n", whole, "not marked: a_bad/bad.go:5: undefined: z"},
		"another line":             {"package p\n\n//~ ERROR \"cannot use\"\nvar x int = \"text\"\n", whole, "bad.go:3 compiles as far as"},
		"no mark":                  {"package p\n", whole, "no line has a mark"},
		"twin does not compile":    {broken, broken[:len("package p\n\nvar x int = \"text\"")] + "\n", "the twin does not compile"},
		"twin with a mark":         {broken, whole + "//~ ERROR x\n", "the twin has a mark"},
		"no twin":                  {broken, "", "there is no a_good that compiles"},
		"an analyzer, not a build": {"package p\n\nvar x int = \"text\" //~ ERROR printf\n", whole, "compiles as far as printf goes"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"a_bad/bad.go": c.bad}
			if c.good != "" {
				files["a_good/good.go"] = c.good
			}
			cases, err := run(t, files)
			assert.NilError(t, err)
			assert.Assert(t, strings.Contains(strings.Join(cases[0].Problems, "\n"), c.want), "%q", cases[0].Problems)
		})
	}
}

func TestWhatCannotBeCompiledAtAllIsNoResult(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no cases":         {map[string]string{"p.go": whole}, "has no cases"},
		"a fault of none":  {map[string]string{"p.go": "package p\n\nvar x int = \"\"\n", "a_bad/a.go": broken, "a_good/a.go": whole}, "p.go:3 does not compile and belongs to no case"},
		"a dependency":     {map[string]string{"a_bad/a.go": "package p\n\nimport _ \"example.invalid/x\" //~ ERROR x\n", "a_good/a.go": whole}, "example.invalid/x"},
		"a mark that errs": {map[string]string{"a_bad/a.go": "package p //~ EROR x\n", "a_good/a.go": whole}, "a.go:1: a //~ comment that is no mark"},
		"a mark above all": {map[string]string{"a_bad/a.go": "package p //~^^ ERROR x\n", "a_good/a.go": whole}, "a.go:1: a //~ comment that is no mark"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOPROXY", "off")
			_, err := run(t, c.files)
			assert.ErrorContains(t, err, c.want)
		})
	}
	_, err := Run(t.Context(), filepath.Join(t.TempDir(), "none"))
	assert.ErrorContains(t, err, "cannot read")
}

func TestCargoSaysCodesAndLines(t *testing.T) {
	found, err := rustErrors(strings.NewReader(`
{"reason":"compiler-artifact","target":{"name":"ag_ui"}}
{"reason":"compiler-message","message":{"level":"warning","message":"unused","code":{"code":"unused"},"spans":[{"file_name":"examples/a_bad.rs","line_start":1,"is_primary":true}]}}
{"reason":"compiler-message","message":{"level":"error","message":"cannot borrow","code":{"code":"E0499"},"spans":[{"file_name":"examples/a_bad.rs","line_start":3,"is_primary":false},{"file_name":"examples/a_bad.rs","line_start":5,"is_primary":true}]}}
{"reason":"compiler-message","message":{"level":"error","message":"aborting","code":null,"spans":[]}}
{"reason":"build-finished","success":false}
`))
	assert.NilError(t, err)
	assert.DeepEqual(t, found, []Diagnostic{{File: "examples/a_bad.rs", Line: 5, Code: "E0499", Message: "cannot borrow"}})
}

func TestTypeScriptSaysCodesAndLines(t *testing.T) {
	found := textErrors([]byte("src/a_bad.ts(4,14): error TS2741: Property 'x' is missing\n  in type 'Y'.\n"), tscError, func(m []string) Diagnostic {
		return Diagnostic{Code: m[3], Message: m[4]}
	})
	assert.DeepEqual(t, found, []Diagnostic{{File: "src/a_bad.ts", Line: 4, Code: "TS2741", Message: "Property 'x' is missing"}})
}
