package drift

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// What reads SDKs needs lexers and a parser. Who only verifies must not get them:
// they are in these packages and in the command, and nowhere else.
func TestLexersStayWhereSDKsAreRead(t *testing.T) {
	out, err := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Imports,Standard", "github.com/agentstream/conformance/...").Output()
	assert.NilError(t, err)
	heavy := []string{"github.com/alecthomas/chroma/", "github.com/emicklei/proto"}
	type pkg struct {
		ImportPath string
		Imports    []string
		Standard   bool
	}
	byPath := map[string]pkg{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			assert.NilError(t, err)
		}
		byPath[p.ImportPath] = p
	}
	const module = "github.com/agentstream/conformance/"
	reaches := func(from string, is func(string) bool) bool {
		seen := map[string]bool{}
		var visit func(string) bool
		visit = func(p string) bool {
			if seen[p] || byPath[p].Standard {
				return false
			}
			seen[p] = true
			return is(p) || slices.ContainsFunc(byPath[p].Imports, visit)
		}
		return visit(from)
	}
	isHeavy := func(p string) bool {
		return slices.ContainsFunc(heavy, func(h string) bool { return strings.HasPrefix(p, h) })
	}
	isVerifier := func(p string) bool { return p == module+"verifier" || strings.HasPrefix(p, module+"verifier/") }
	for p := range byPath {
		inside := strings.HasPrefix(p, module+"conformance/drift") || p == module+"cmd/conformance"
		if !strings.HasPrefix(p, module) {
			continue
		}
		assert.Check(t, inside || !reaches(p, isHeavy), "%s depends on what reads SDKs", p)
		assert.Check(t, p == module+"cmd/conformance" || !strings.HasPrefix(p, module+"conformance/drift") || !reaches(p, isVerifier), "%s depends on the verifier", p)
	}
}
