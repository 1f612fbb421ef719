package drift

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"
)

// serve serves texts by path on the loopback.
func serve(t *testing.T, texts map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := texts[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestUpstreamIsReadAsAnSDKIs(t *testing.T) {
	current := newFixture()
	newer := newFixture()
	newer.events = append(newer.events, made{typ: "RUN_PAUSED", name: "RunPaused"})
	newer.events[0].members = append(newer.events[0].members, member{"locale", false})
	address := serve(t, map[string]string{
		"/current/schema.json": writeJSONSchema(current)[0].Text,
		"/newer/schema.json":   writeJSONSchema(newer)[0].Text,
		"/newer/types.ts":      writeTypes(newer)[0].Text,
		"/page.html":           "<html>TEXT_MESSAGE_START</html>",
		"/schema.json":         "{",
	})
	ask := func(path string) *Upstream { return AskUpstream(context.Background(), address+path) }

	u := ask("/current/schema.json")
	assert.NilError(t, u.Err)
	assert.Assert(t, !u.Changed())
	for _, path := range []string{"/newer/schema.json", "/newer/types.ts"} {
		u = ask(path)
		assert.NilError(t, u.Err)
		assert.Equal(t, len(u.Differences), 2, path)
		var b strings.Builder
		u.text(&b)
		assert.Assert(t, cmp.Contains(b.String(), "  RUN_PAUSED: new event type\n  TEXT_MESSAGE_START.locale: new field\n"))
	}
	for path, want := range map[string]string{"/none.json": "404", "/page.html": "no source mentions", "/schema.json": ""} {
		u = ask(path)
		assert.Assert(t, u.Err != nil && !u.Changed(), path)
		assert.Assert(t, cmp.ErrorContains(u.Err, want))
	}
}

// A fetch that fails is said and leaves the verdict on the SDK as it was.
func TestAFailedFetchChangesNothing(t *testing.T) {
	r := compared(t, "go", writeGo(newFixture()))
	r.Upstream = AskUpstream(context.Background(), serve(t, nil)+"/schema.json")
	assert.Assert(t, r.Upstream.Err != nil)
	assert.Assert(t, !r.Drifted())
	var b strings.Builder
	assert.NilError(t, Text(&b, r))
	assert.Assert(t, cmp.Contains(b.String(), "could not be asked, which changes nothing"))
	assert.Assert(t, cmp.Contains(b.String(), "\nOK  31 event types match agui 1.0\n"))
}
