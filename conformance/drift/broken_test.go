package drift

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/conformance/drift/reader"
	"github.com/agentstream/conformance/conformance/drift/token"
)

// A source that ends anywhere is read as far as it goes, or refused; either is said.
func TestACutSourceIsReadAsFarAsItGoes(t *testing.T) {
	each(t, func(t *testing.T, name string, write func(*fixture) []reader.File) {
		kind, _, _ := strings.Cut(name, " ")
		r, _ := reader.ByName(kind)
		a, err := Revision("")
		assert.NilError(t, err)
		for tenth := 1; tenth < 10; tenth++ {
			files := write(newFixture())
			for i := range files {
				files[i].Text = files[i].Text[:len(files[i].Text)*tenth/10]
			}
			result, err := Check(a, &Source{Reader: r, Files: files}, Options{})
			if err != nil {
				assert.Assert(t, err.Error() != "")
				continue
			}
			assert.Assert(t, len(result.Differences)+len(result.Unparsed) > 0, "cut at %d tenths: nothing said", tenth)
		}
	})
}

// A bracket that is gone must not make the types behind it missing.
func TestTypesOfADamagedFileAreNotCalledMissing(t *testing.T) {
	f := writeTypes(newFixture())
	f[0].Text = strings.Replace(f[0].Text, "export type RunErrorEvent = Base & {", "export type RunErrorEvent = Base & {{", 1)
	r, _ := reader.ByName("typescript")
	a, err := Revision("")
	assert.NilError(t, err)
	result, err := Check(a, &Source{Reader: r, Files: f}, Options{})
	assert.NilError(t, err)
	for _, d := range result.Differences {
		t.Errorf("%s %s", d.Kind, d.Subject())
	}
	assert.Assert(t, len(result.Unparsed) > 0)
}

func TestFilesThatAreNoSourceAreRefusedBeforeTheyAreRead(t *testing.T) {
	noise := make([]byte, 2<<20)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for name, c := range map[string]struct{ text, want string }{
		"large":  {strings.Repeat("// TEXT_MESSAGE_START\n", token.MaxSize/20), "larger than 4 MiB"},
		"binary": {"TEXT_MESSAGE_START" + string(noise), "binary"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			assert.NilError(t, os.WriteFile(filepath.Join(dir, "events.ts"), []byte(c.text), 0o666))
			s, err := Open(dir, "")
			assert.NilError(t, err)
			a, err := Revision("")
			assert.NilError(t, err)
			_, err = Check(a, s, Options{})
			assert.Assert(t, cmp.ErrorContains(err, c.want))
		})
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	for _, bracket := range []string{"(", "[", "{"} {
		_, err := token.Tree("typescript", "const TEXT_MESSAGE_START = "+strings.Repeat(bracket, 100000))
		assert.Assert(t, cmp.ErrorContains(err, "nested deeper"))
	}
}

func TestSymbolicLinksAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	for _, f := range writeTypes(newFixture()) {
		p := filepath.Join(dir, filepath.FromSlash(f.Path))
		assert.NilError(t, os.MkdirAll(filepath.Dir(p), 0o777))
		assert.NilError(t, os.WriteFile(p, []byte(f.Text), 0o666))
	}
	if err := os.Symlink("..", filepath.Join(dir, "src", "up")); err != nil {
		t.Skip(err)
	}
	assert.NilError(t, os.Symlink("self.ts", filepath.Join(dir, "src", "self.ts")))
	s, err := Open(dir, "")
	assert.NilError(t, err)
	assert.Equal(t, len(s.Files), 1)

	loop := filepath.Join(dir, "loop")
	assert.NilError(t, os.Symlink("loop", loop))
	_, err = Open(loop, "")
	assert.Assert(t, err != nil)
	_, err = Open(filepath.Join(dir, "none"), "")
	assert.Assert(t, errors.Is(err, os.ErrNotExist))
}

func TestAFolderWithoutEventsIsSaidSo(t *testing.T) {
	dir := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "a.ts"), []byte("export const a = 1;"), 0o666))
	_, err := Open(dir, "")
	assert.Assert(t, cmp.ErrorContains(err, "no source mentions an event type"))
	_, err = Open(dir, "cobol")
	assert.Assert(t, cmp.ErrorContains(err, `no SDK kind "cobol"`))
}

// Whatever becomes of a source, a reader ends with an answer.
func TestADamagedSourceCrashesNoReader(t *testing.T) {
	rounds := 10
	if text := os.Getenv("CONFORMANCE_CHECKS"); text != "" {
		n, err := strconv.Atoi(text)
		assert.NilError(t, err)
		rounds = n
	}
	each(t, func(t *testing.T, name string, write func(*fixture) []reader.File) {
		kind, _, _ := strings.Cut(name, " ")
		r, _ := reader.ByName(kind)
		a, err := Revision("")
		assert.NilError(t, err)
		f := newFixture()
		f.events = f.events[:4]
		random := rand.New(rand.NewPCG(3, 4))
		for range rounds {
			files := write(f)
			i := random.IntN(len(files))
			files[i].Text = damaged(random, files[i].Text)
			_, _ = Check(a, &Source{Reader: r, Files: files}, Options{})
		}
	})
}

// damaged deletes, doubles and moves pieces of a text.
func damaged(random *rand.Rand, text string) string {
	for range 1 + random.IntN(8) {
		if len(text) < 4 {
			return text
		}
		from := random.IntN(len(text) - 1)
		to := min(len(text), from+1+random.IntN(12))
		switch random.IntN(4) {
		case 0:
			text = text[:from] + text[to:]
		case 1:
			text = text[:to] + text[from:]
		case 2:
			at := random.IntN(len(text))
			text = text[:at] + text[from:to] + text[at:]
		case 3:
			const marks = "{}()[]<>,;:=.\"'@#|&?\\`\n "
			text = text[:from] + string(marks[random.IntN(len(marks))]) + text[from:]
		}
	}
	return text
}
