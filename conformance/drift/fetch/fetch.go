// Package fetch brings the sources of a published package into a folder, with the
// client of its own language. Nothing of the package is run.
package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Fetched is a package that is there.
type Fetched struct {
	Title string // such as "npm @ag-ui/core 1.0.0"
	Dir   string // where its sources are
}

// Registry is where packages of one kind are published.
type Registry struct {
	Name string // for the flag
	Spec string // what names a package there, for a person
	name *regexp.Regexp
	get  func(ctx context.Context, spec []string, dir string) (Fetched, error)
}

var registries = []Registry{
	{"npm", "NAME[@VERSION]", regexp.MustCompile(`^((?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*)(?:@([0-9A-Za-z][0-9A-Za-z.+-]*))?$`), npm},
	{"pypi", "NAME[==VERSION]", regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)(?:==([0-9A-Za-z][0-9A-Za-z.!+-]*))?$`), pypi},
	{"crate", "NAME[@VERSION]", regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)(?:@([0-9][0-9A-Za-z.+-]*))?$`), crate},
	{"gomod", "PATH[@VERSION]", regexp.MustCompile(`^([a-z0-9][A-Za-z0-9._~/-]*)(?:@([0-9A-Za-z][0-9A-Za-z.+-]*))?$`), gomod},
	{"maven", "GROUP:ARTIFACT:VERSION", regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*):([A-Za-z0-9][A-Za-z0-9._-]*):([0-9A-Za-z][0-9A-Za-z._-]*)$`), maven},
}

// Registries are those there are.
func Registries() []Registry { return registries }

// Get brings a package into dir, which must exist and be empty. The name must be a
// plain one: an address or a path would make clients build something.
func (r Registry) Get(ctx context.Context, spec, dir string) (Fetched, error) {
	parts := r.name.FindStringSubmatch(spec)
	if parts == nil {
		return Fetched{}, fmt.Errorf("%s package %q: want %s", r.Name, spec, r.Spec)
	}
	f, err := r.get(ctx, parts[1:], dir)
	if err != nil {
		return Fetched{}, fmt.Errorf("%s package %s: %w", r.Name, spec, err)
	}
	return f, nil
}

func npm(ctx context.Context, spec []string, dir string) (Fetched, error) {
	out, err := run(ctx, dir, "npm", "pack", joined(spec, "@"), "--ignore-scripts", "--json", "--pack-destination", dir)
	if err != nil {
		return Fetched{}, err
	}
	var packed []struct{ Name, Version, Filename string }
	if err := json.Unmarshal(out, &packed); err != nil || len(packed) != 1 {
		return Fetched{}, fmt.Errorf("npm pack answered something else: %w", err)
	}
	archive, err := only(dir, "*.tgz")
	if err != nil {
		return Fetched{}, err
	}
	root := filepath.Join(dir, "unpacked")
	if err := untar(archive, root); err != nil {
		return Fetched{}, err
	}
	return Fetched{fmt.Sprintf("npm %s %s", packed[0].Name, packed[0].Version), single(root)}, nil
}

// pypi takes a wheel: pip would run the build of a source distribution to learn its name.
func pypi(ctx context.Context, spec []string, dir string) (Fetched, error) {
	_, err := run(ctx, dir, "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--quiet", "--dest", dir, joined(spec, "=="))
	if err != nil {
		return Fetched{}, fmt.Errorf("no wheel, and a source distribution is not built here; unpack it and name the folder: %w", err)
	}
	archive, err := only(dir, "*.whl")
	if err != nil {
		return Fetched{}, err
	}
	root := filepath.Join(dir, "unpacked")
	if err := unzip(archive, root); err != nil {
		return Fetched{}, err
	}
	parts := strings.Split(filepath.Base(archive), "-")
	return Fetched{fmt.Sprintf("pypi %s %s", spec[0], parts[1]), root}, nil
}

// crate vendors it into a project of its own: cargo checks it against the index and runs no build script for that.
func crate(ctx context.Context, spec []string, dir string) (Fetched, error) {
	version := "*"
	if spec[1] != "" {
		version = "=" + spec[1]
	}
	manifest := fmt.Sprintf("[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n%s = %q\n", spec[0], version)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "Cargo.toml"), []byte(manifest), 0o666), os.Mkdir(filepath.Join(dir, "src"), 0o777), os.WriteFile(filepath.Join(dir, "src", "lib.rs"), nil, 0o666)); err != nil {
		return Fetched{}, err
	}
	if _, err := run(ctx, dir, "cargo", "vendor", "--quiet", "vendored"); err != nil {
		return Fetched{}, err
	}
	root := filepath.Join(dir, "vendored", spec[0])
	text, err := os.ReadFile(filepath.Join(root, "Cargo.toml"))
	if err != nil {
		return Fetched{}, err
	}
	found := regexp.MustCompile(`(?m)^version = "(.*)"$`).FindSubmatch(text)
	if found == nil {
		return Fetched{}, errors.New("its manifest has no version")
	}
	return Fetched{fmt.Sprintf("crate %s %s", spec[0], found[1]), root}, nil
}

func gomod(ctx context.Context, spec []string, dir string) (Fetched, error) {
	if spec[1] == "" {
		spec[1] = "latest"
	}
	out, err := run(ctx, dir, "go", "mod", "download", "-json", joined(spec, "@"))
	var m struct{ Path, Version, Dir, Error string }
	if jsonErr := json.Unmarshal(out, &m); jsonErr == nil && m.Error != "" {
		return Fetched{}, errors.New(m.Error)
	}
	if err != nil {
		return Fetched{}, err
	}
	return Fetched{fmt.Sprintf("go %s %s", m.Path, m.Version), m.Dir}, nil
}

// mavenCopy is the goal that copies an artifact, with the version that is known to.
const mavenCopy = "org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy"

func maven(ctx context.Context, spec []string, dir string) (Fetched, error) {
	name := strings.Join(spec, ":")
	_, err := run(ctx, dir, "mvn", "-B", "-q", mavenCopy, "-Dartifact="+name+":jar:sources", "-DoutputDirectory="+dir, "-Dmdep.useBaseVersion=true", "-Dstyle.color=never")
	if err != nil {
		return Fetched{}, fmt.Errorf("no sources jar: %w", err)
	}
	archive, err := only(dir, "*.jar")
	if err != nil {
		return Fetched{}, err
	}
	root := filepath.Join(dir, "unpacked")
	if err := unzip(archive, root); err != nil {
		return Fetched{}, err
	}
	return Fetched{"maven " + name, root}, nil
}

// joined is NAME, or NAME and VERSION with a sign between them.
func joined(spec []string, sign string) string {
	if spec[1] == "" {
		return spec[0]
	}
	return spec[0] + sign + spec[1]
}

// run runs a client in the folder. Its error has the first thing that it complained of.
func run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err == nil {
		return out, nil
	}
	said := complaint(stderr.String() + "\n" + string(out))
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if said == "" {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	return out, fmt.Errorf("%s: %w: %s", name, err, said)
}

var complaintLine = regexp.MustCompile(`(?im)^.*\b(error|err!|fatal|not found)\b.*$`)

func complaint(text string) string {
	const most = 300
	said := strings.TrimSpace(complaintLine.FindString(text))
	if len(said) > most {
		said = said[:most] + "…"
	}
	return said
}

// only returns the one file that matches.
func only(dir, pattern string) (string, error) {
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return "", err
	}
	if len(list) != 1 {
		return "", fmt.Errorf("want one %s, got %d", pattern, len(list))
	}
	return list[0], nil
}

// single returns the only folder within dir, or dir.
func single(dir string) string {
	list, err := os.ReadDir(dir)
	if err == nil && len(list) == 1 && list[0].IsDir() {
		return filepath.Join(dir, list[0].Name())
	}
	return dir
}
