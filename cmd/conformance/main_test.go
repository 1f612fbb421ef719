package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/rivo/uniseg"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"conformance": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       os.Getenv("CONFORMANCE_UPDATE") != "",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "")
			cache, err := os.UserCacheDir() // scripts have no home, and go needs one
			e.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode":   exitCode,
			"gzip":       gzipFile,
			"repeat":     repeat,
			"sarif":      validSARIF,
			"valid":      valid,
			"unprinted":  unprinted,
			"narrow":     narrow,
			"closedpipe": closedPipe,
		},
	})
}

// gzip FILE… writes FILE.gz and removes FILE.
func gzipFile(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := io.WriteString(z, ts.ReadFile(name))
		ts.Check(err)
		ts.Check(z.Close())
		ts.Check(os.WriteFile(ts.MkAbs(name+".gz"), b.Bytes(), 0o666))
		ts.Check(os.Remove(ts.MkAbs(name)))
	}
}

// repeat FILE N BEFORE TEXT AFTER writes TEXT N times between the others. Words may have the escapes of Go.
func repeat(ts *testscript.TestScript, _ bool, args []string) {
	var n int
	_, err := fmt.Sscan(args[1], &n)
	ts.Check(err)
	text := func(s string) string {
		plain, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
		ts.Check(err)
		return plain
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text(args[2])+strings.Repeat(text(args[3]), n)+text(args[4])), 0o666))
}

// valid FILE [NAME] holds a JSON report to its schema, that of check without a name.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	name := "check"
	if len(args) > 1 {
		name = args[1]
	}
	err = schema(name, ts.Fatalf).Validate(doc)
	if (err != nil) != neg {
		ts.Fatalf("%s against the schema: %v", args[0], err)
	}
}

// validSARIF FILE holds a SARIF log to the standard's schema.
func validSARIF(ts *testscript.TestScript, _ bool, args []string) {
	log, err := sarif.FromString(ts.ReadFile(args[0]))
	ts.Check(err)
	ts.Check(log.Validate())
}

func schema(name string, fatalf func(string, ...any)) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas[name]()))
	if err != nil {
		fatalf("%v", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		fatalf("%v", err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		fatalf("%v", err)
	}
	return s
}

// unprinted FILE wants nothing in it that a terminal acts on.
func unprinted(ts *testscript.TestScript, neg bool, args []string) {
	found := ""
	for i, r := range ts.ReadFile(args[0]) {
		if r < ' ' && r != '\n' || r >= 0x7F && r < 0xA0 || r >= 0x200B && r <= 0x200F || r >= 0x2028 && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			found = fmt.Sprintf("%q at byte %d", r, i)
			break
		}
	}
	if (found != "") != neg {
		ts.Fatalf("%s: found %s", args[0], found)
	}
}

// narrow FILE wants no line wider than 80 columns, addresses apart.
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); n > 80 && !strings.Contains(line, "https://") {
			ts.Fatalf("%d columns: %s", n, line)
		}
	}
}

// closedpipe ARGS… runs the command with a standard output that nobody reads; it must be silent.
func closedPipe(ts *testscript.TestScript, _ bool, args []string) {
	r, w, err := os.Pipe()
	ts.Check(err)
	ts.Check(r.Close())
	defer w.Close()
	var stderr bytes.Buffer
	path, err := exec.LookPath("conformance")
	ts.Check(err)
	c := exec.Command(path, args...)
	c.Dir, c.Stdout, c.Stderr = ts.MkAbs("."), w, &stderr
	c.Stdin = strings.NewReader(`{"id":1,"events":[]}` + "\n")
	if err := c.Run(); err == nil {
		ts.Fatalf("the command did not notice")
	}
	if stderr.Len() > 0 {
		ts.Fatalf("stderr: %s", stderr.String())
	}
}

// What the JSON report says of itself is what it is: its schema refuses what is close to it.
func TestSchemaRefusesNearMisses(t *testing.T) {
	good := `{"version":2,"tool":{"name":"conformance","version":"x"},"streams":[
		{"source":"a","protocol":"agui","profile":"producer","revision":"1.0","events":1,"runs":[],"verdict":"accept","code":null,"index":null,"findings":[],"omitted":0}]}`
	s := schema("check", t.Fatalf)
	for name, text := range map[string]string{
		"":                     good,
		"another version":      strings.Replace(good, `"version":2`, `"version":1`, 1),
		"accepted with a code": strings.Replace(good, `"code":null`, `"code":"x"`, 1),
		"rejected without":     strings.Replace(good, `"accept"`, `"reject"`, 1),
		"unknown member":       strings.Replace(good, `"omitted":0`, `"omitted":0,"x":1`, 1),
		"no omitted":           strings.Replace(good, `,"omitted":0`, ``, 1),
	} {
		var doc any
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(name, err)
		}
		if err := s.Validate(doc); (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// exitcode N COMMAND ARGS… runs a command that must end with the exit code N.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}
