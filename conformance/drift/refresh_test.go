package drift

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/baseline"
)

// repository makes one whose generator is a script: it finds what the baseline is
// to become in made/, and writes it to OUT.
func repository(t *testing.T, script string, made ...*baseline.Protocol) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	root := t.TempDir()
	generate := filepath.Join(root, "baseline", "generate")
	assert.NilError(t, os.MkdirAll(filepath.Join(generate, "made"), 0o777))
	assert.NilError(t, os.MkdirAll(filepath.Join(generate, "v1"), 0o777))
	write := func(p, text string) { t.Helper(); assert.NilError(t, os.WriteFile(p, []byte(text), 0o666)) }
	write(filepath.Join(generate, "run"), "set -e; cd \"$(dirname \"$0\")\"\n"+script)
	for _, name := range []string{"package.json", "package-lock.json"} {
		write(filepath.Join(generate, "v1", name), "old")
	}
	for i, name := range generated {
		old, err := json.Marshal([]*baseline.Protocol{baseline.AGUI(), baseline.History()}[i])
		assert.NilError(t, err)
		write(filepath.Join(root, "baseline", name), string(old))
		if i < len(made) {
			text, err := json.Marshal(made[i])
			assert.NilError(t, err)
			write(filepath.Join(generate, "made", name), string(text))
		}
	}
	return root
}

// changed returns the protocol after a change to its newest revision.
func changed(t *testing.T, p *baseline.Protocol, change func(r *baseline.Revision)) *baseline.Protocol {
	t.Helper()
	text, err := json.Marshal(p)
	assert.NilError(t, err)
	var out baseline.Protocol
	assert.NilError(t, json.Unmarshal(text, &out))
	change(out.Newest())
	return &out
}

func TestARefreshSaysWhatChanged(t *testing.T) {
	made := changed(t, baseline.AGUI(), func(r *baseline.Revision) {
		r.Source.Version = "1.0.1"
		r.Events = append(r.Events, baseline.Event{Type: "RUN_PAUSED"})
		r.Events[0].Members[0].Required = false
	})
	root := repository(t, `cp made/* "$OUT"; echo "$1" > v1/package.json`, made, baseline.History())
	var b strings.Builder
	assert.NilError(t, Refresh(context.Background(), filepath.Join(root, "baseline"), "1.0.1", &b))
	for _, want := range []string{"agui 1.0, 1.0.0 to 1.0.1\n", "RUN_PAUSED\n", "type: optional\n      TEXT_MESSAGE_START\n", "baseline refreshed, 2 changes"} {
		assert.Assert(t, cmp.Contains(b.String(), want))
	}
	now, err := load(filepath.Join(root, "baseline", "agui.json"))
	assert.NilError(t, err)
	_, ok := now.Newest().Event("RUN_PAUSED")
	assert.Assert(t, ok)
	text, err := os.ReadFile(filepath.Join(root, "baseline", "generate", "v1", "package.json"))
	assert.NilError(t, err)
	assert.Equal(t, string(text), "1.0.1\n")
	leftovers(t, root)
}

func leftovers(t *testing.T, root string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(root, "baseline"))
	assert.NilError(t, err)
	assert.Equal(t, len(list), 3)
}

// Whatever is wrong with what the generator made, the baseline stays as it was.
func TestARefreshThatIsWrongChangesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		made   []*baseline.Protocol
		want   string
	}{
		"the generator fails": {`echo no network >&2; exit 1`, nil, "no network"},
		"it writes nothing":   {`true`, nil, "the generator wrote something else"},
		"it writes no JSON":   {`echo x > "$OUT/agui.json"; echo x > "$OUT/history.json"`, nil, "the generator wrote something else"},
		"half the event types": {`cp made/* "$OUT"`, []*baseline.Protocol{changed(t, baseline.AGUI(), func(r *baseline.Revision) { r.Events = r.Events[:len(r.Events)/2] }), baseline.History()},
			"revision 1.0 would have 15 event types instead of 31"},
		"half the members": {`cp made/* "$OUT"`, []*baseline.Protocol{changed(t, baseline.AGUI(), func(r *baseline.Revision) {
			for i := range r.Events {
				r.Events[i].Members = r.Events[i].Members[:1]
			}
			for i := range r.Objects {
				r.Objects[i].Members = r.Objects[i].Members[:1]
			}
		}), baseline.History()}, "members instead of"},
		"a revision": {`cp made/* "$OUT"`, []*baseline.Protocol{{Name: "agui", Revisions: baseline.AGUI().Revisions[:1]}, baseline.History()}, "revision 1.0 is gone"},
		"a release":  {`cp made/* "$OUT"`, []*baseline.Protocol{baseline.AGUI(), {Name: "agui", Revisions: baseline.History().Revisions[1:]}}, "revision 0.0.36 is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t, c.script, c.made...)
			before, err := os.ReadFile(filepath.Join(root, "baseline", "agui.json"))
			assert.NilError(t, err)
			err = Refresh(context.Background(), root, "", &strings.Builder{})
			assert.Assert(t, cmp.ErrorContains(err, c.want))
			after, err := os.ReadFile(filepath.Join(root, "baseline", "agui.json"))
			assert.NilError(t, err)
			assert.Equal(t, string(before), string(after))
			leftovers(t, root)
		})
	}
}

// The generator wants a folder of its own: nothing is made outside a repository.
func TestARefreshNeedsTheRepository(t *testing.T) {
	err := Refresh(context.Background(), t.TempDir(), "", &strings.Builder{})
	assert.Assert(t, cmp.ErrorContains(err, "in no repository that has baseline/generate"))
}
