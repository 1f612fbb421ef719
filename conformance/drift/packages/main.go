// Command packages brings the published SDKs that the drift check is tried on, and
// writes what it says of each beside itself. The sources stay in the folder that is
// its argument, for the tests that need them:
//
//	go run ./conformance/drift/packages DIR
//	CONFORMANCE_PACKAGES=DIR go test ./conformance/drift
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentstream/conformance/conformance/drift"
	"github.com/agentstream/conformance/conformance/drift/fetch"
)

// published are the packages, by the name of the report, with the revision that
// they are compared with; empty: the current one.
var published = []struct{ name, registry, spec, revision string }{
	{"npm-core-0.0.57", "npm", "@ag-ui/core@0.0.57", ""},
	{"npm-core-1.0.0", "npm", "@ag-ui/core@1.0.0", ""},
	{"pypi-0.1.22", "pypi", "ag-ui-protocol==0.1.22", ""},
	{"pypi-1.0.0", "pypi", "ag-ui-protocol==1.0.0", ""},
	{"go", "gomod", "github.com/ag-ui-protocol/ag-ui/sdks/community/go@v0.0.0-20260630145048-7479d97e25f6", ""},
	{"crate-0.5.0-alpha.2", "crate", "ag-ui@0.5.0-alpha.2", ""},
	{"crate-0.5.0-alpha.3", "crate", "ag-ui@0.5.0-alpha.3", ""},
	{"crate-core-0.1.0", "crate", "ag-ui-core@0.1.0", ""},
	{"maven-java-core-0.1.0", "maven", "com.ag-ui.community:java-core:0.1.0", ""},

	// Each release of the history, read as text, is what the generator made of it.
	{"history-0.0.36", "npm", "@ag-ui/core@0.0.36", "0.0.36"},
	{"history-0.0.57", "npm", "@ag-ui/core@0.0.57", "0.0.57"},
	{"history-0.0.58", "npm", "@ag-ui/core@0.0.58", "0.0.58"},
	{"history-0.0.59", "npm", "@ag-ui/core@0.0.59", "0.0.59"},
	{"history-1.0.0", "npm", "@ag-ui/core@1.0.0", "1.0.0"},
}

// here is where the reports are, from the root of the repository.
const here = "conformance/drift/packages"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "packages: give the folder to keep the sources in")
		os.Exit(2)
	}
	failed := false
	for _, p := range published {
		if err := look(p.registry, p.spec, p.revision, filepath.Join(os.Args[1], p.name), filepath.Join(here, p.name+".txt")); err != nil {
			fmt.Fprintf(os.Stderr, "packages: %s: %v\n", p.name, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// look brings one package, unless it is there already, and writes the report.
func look(registry, spec, revision, dir, report string) error {
	sdk, err := bring(registry, spec, dir)
	if err != nil {
		return err
	}
	against, err := drift.Revision(revision)
	if err != nil {
		return err
	}
	source, err := drift.Open(sdk.Dir, "")
	if err != nil {
		return err
	}
	r, err := drift.Check(against, source, drift.Options{})
	if err != nil {
		return err
	}
	r.SDK.Source = sdk.Title
	var b bytes.Buffer
	if err := drift.Text(&b, r); err != nil {
		return err
	}
	return os.WriteFile(report, b.Bytes(), 0o666)
}

// bring leaves the package's sources in dir/sources, and its title beside them.
func bring(registry, spec, dir string) (fetch.Fetched, error) {
	sources, title := filepath.Join(dir, "sources"), filepath.Join(dir, "title")
	if text, err := os.ReadFile(title); err == nil {
		return fetch.Fetched{Title: string(text), Dir: sources}, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	for _, r := range fetch.Registries() {
		if r.Name != registry {
			continue
		}
		work, err := os.MkdirTemp("", "conformance-packages-")
		if err != nil {
			return fetch.Fetched{}, err
		}
		defer os.RemoveAll(work)
		f, err := r.Get(ctx, spec, work)
		if err != nil {
			return fetch.Fetched{}, err
		}
		if err := os.RemoveAll(dir); err != nil {
			return fetch.Fetched{}, err
		}
		if err := os.CopyFS(sources, os.DirFS(f.Dir)); err != nil {
			return fetch.Fetched{}, err
		}
		return fetch.Fetched{Title: f.Title, Dir: sources}, os.WriteFile(title, []byte(f.Title), 0o666)
	}
	return fetch.Fetched{}, errors.New("no registry " + registry)
}
