package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

type entry struct {
	name, text string
	link       bool
}

func tarball(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.text)), Typeflag: tar.TypeReg}
		if e.link {
			h = &tar.Header{Name: e.name, Linkname: e.text, Typeflag: tar.TypeSymlink}
		}
		assert.NilError(t, w.WriteHeader(h))
		if !e.link {
			_, err := w.Write([]byte(e.text))
			assert.NilError(t, err)
		}
	}
	assert.NilError(t, w.Close())
	assert.NilError(t, z.Close())
	return b.Bytes()
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.Create(e.name)
		assert.NilError(t, err)
		_, err = f.Write([]byte(e.text))
		assert.NilError(t, err)
	}
	assert.NilError(t, w.Close())
	return b.Bytes()
}

func TestAnArchiveIsUnpackedBelowItsFolderOnly(t *testing.T) {
	for name, c := range map[string]struct {
		entries []entry
		want    string
	}{
		"plain":    {entries: []entry{{name: "package/a.ts", text: "a"}}},
		"up":       {[]entry{{name: "../a.ts", text: "a"}}, "leads out of it"},
		"up later": {[]entry{{name: "a/../../b.ts", text: "a"}}, "leads out of it"},
		"absolute": {[]entry{{name: "/a.ts", text: "a"}}, "leads out of it"},
		"twice":    {[]entry{{name: "a.ts", text: "a"}, {name: "a.ts", text: "b"}}, "exists"},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, unpack := range map[string]func(string, string) error{"tar": untar, "zip": unzip} {
				data := tarball(t, c.entries...)
				if kind == "zip" {
					data = zipped(t, c.entries...)
				}
				dir := t.TempDir()
				archive := filepath.Join(dir, "archive")
				assert.NilError(t, os.WriteFile(archive, data, 0o666))
				err := unpack(archive, filepath.Join(dir, "out"))
				if c.want == "" {
					assert.NilError(t, err, kind)
					continue
				}
				assert.Assert(t, cmp.ErrorContains(err, c.want), kind)
			}
		})
	}
}

func TestLinksAreNotUnpacked(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "archive")
	assert.NilError(t, os.WriteFile(archive, tarball(t, entry{name: "a", text: "/etc", link: true}, entry{name: "b", text: "b"}), 0o666))
	assert.NilError(t, untar(archive, filepath.Join(dir, "out")))
	list, err := os.ReadDir(filepath.Join(dir, "out"))
	assert.NilError(t, err)
	assert.Equal(t, len(list), 1)
}

func TestAPackageIsNamedPlainly(t *testing.T) {
	for _, r := range Registries() {
		for _, spec := range []string{"", "./here", "../up", "/abs", "file:a", "git+https://example.com/a.git", "https://example.com/a.tgz", "a b", "-flag", "--pack-destination=/", "a@file:b", "a@npm:b@1", "@/x", "a\nb"} {
			_, err := r.Get(context.Background(), spec, t.TempDir())
			assert.Assert(t, cmp.ErrorContains(err, "want "+r.Spec), "%s %q", r.Name, spec)
		}
	}
}

// client puts a shell script on the path that stands for a registry's client.
func client(t *testing.T, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o777))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func registry(t *testing.T, name string) Registry {
	t.Helper()
	for _, r := range Registries() {
		if r.Name == name {
			return r
		}
	}
	t.Fatal(name)
	return Registry{}
}

func TestEachClientIsAskedForSourcesWithoutRunningAny(t *testing.T) {
	tgz := filepath.Join(t.TempDir(), "a.tgz")
	assert.NilError(t, os.WriteFile(tgz, tarball(t, entry{name: "package/a.ts", text: "a"}), 0o666))
	archive := filepath.Join(t.TempDir(), "a.zip")
	assert.NilError(t, os.WriteFile(archive, zipped(t, entry{name: "a.py", text: "a"}), 0o666))
	for name, c := range map[string]struct{ client, spec, script, title, file string }{
		"npm":   {"npm", "@a/b@1.0.0", fmt.Sprintf(`case "$*" in *--ignore-scripts*) ;; *) exit 1;; esac; cp %s a.tgz; echo '[{"name":"@a/b","version":"1.0.0","filename":"a.tgz"}]'`, tgz), "npm @a/b 1.0.0", "a.ts"},
		"pypi":  {"pip", "a-b==1.0", fmt.Sprintf(`case "$*" in *"--only-binary :all:"*"a-b==1.0") ;; *) exit 1;; esac; cp %s a_b-1.0-py3-none-any.whl`, archive), "pypi a-b 1.0", "a.py"},
		"crate": {"cargo", "a-b@1.0.0", `grep -q '^a-b = "=1.0.0"' Cargo.toml || exit 1; mkdir -p vendored/a-b; printf 'version = "1.0.0"\n' > vendored/a-b/Cargo.toml`, "crate a-b 1.0.0", "Cargo.toml"},
		"gomod": {"go", "example.com/a", `[ "$4" = example.com/a@latest ] || exit 1; touch a.go; echo "{\"Path\":\"example.com/a\",\"Version\":\"v1.0.0\",\"Dir\":\"$PWD\"}"`, "go example.com/a v1.0.0", "a.go"},
		"maven": {"mvn", "a.b:c:1.0", fmt.Sprintf(`case "$*" in *-Dartifact=a.b:c:1.0:jar:sources*) ;; *) exit 1;; esac; cp %s c-1.0-sources.jar`, archive), "maven a.b:c:1.0", "a.py"},
	} {
		t.Run(name, func(t *testing.T) {
			client(t, c.client, c.script)
			f, err := registry(t, name).Get(context.Background(), c.spec, t.TempDir())
			assert.NilError(t, err)
			assert.Equal(t, f.Title, c.title)
			_, err = os.Stat(filepath.Join(f.Dir, c.file))
			assert.NilError(t, err)
		})
	}
}

func TestAClientThatFailsIsQuoted(t *testing.T) {
	client(t, "npm", "echo 'npm notice' >&2; echo 'npm error 404 Not Found' >&2; exit 1")
	_, err := registry(t, "npm").Get(context.Background(), "a", t.TempDir())
	assert.Error(t, err, "npm package a: npm: exit status 1: npm error 404 Not Found")
}
