package assistant_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/verifier"
	"github.com/agentstream/conformance/verifier/assistant"
	"github.com/agentstream/conformance/verifier/assistant/event"
	"github.com/agentstream/conformance/verifier/assistant/rules"
	"github.com/agentstream/conformance/verifier/scan"
)

// A host gives the streams inside its records to a machine, as a session does.
type host struct {
	engine  *verifier.Engine
	machine *assistant.Machine
	index   int
}

func newHost(t *testing.T, profile string) *host {
	t.Helper()
	column, ok := rules.Table().Profile(profile)
	assert.Assert(t, ok)
	e := verifier.NewEngine(rules.Table(), column, verifier.DefaultLimits())
	judged := e.Judged(false, 0, verifier.Mask{})
	e.Judge(&judged)
	return &host{engine: e, machine: assistant.NewMachine(e, profile, verifier.Limits{})}
}

// take judges one record of the session.
func (h *host) take(record string) {
	h.engine.Begin(verifier.Place{Index: h.index})
	h.index++
	r := []byte(record)
	message := scan.Member(r, "message")
	mine := event.Is(scan.Member(message, "role"), "assistant")
	switch typ := scan.Member(r, "type"); {
	case event.Is(typ, "message_start") && mine:
		h.machine.Start()
	case event.Is(typ, "message_update"):
		h.machine.Update(scan.Member(r, "assistantMessageEvent"), "/assistantMessageEvent")
	case event.Is(typ, "message_end") && mine:
		h.machine.End(message, "/message")
	}
}

// found lists what was found, as "index clause severity related pointer".
func (h *host) found() (all []string) {
	findings, _, _ := h.engine.Findings()
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%d %s %s %d %s", f.Index, f.Clause, f.Severity, f.Related, f.Pointer))
	}
	return all
}

const (
	messageStart = `{"type":"message_start","message":{"role":"assistant","content":[],"stopReason":"pending"}}`
	hello        = `{"type":"text","text":"hello"}`
)

func update(event string) string {
	return `{"type":"message_update","usage":{},"assistantMessageEvent":` + event + `}`
}

func messageEnd(stop, content string) string {
	return `{"type":"message_end","message":{"role":"assistant","content":[` + content + `],"stopReason":"` + stop + `"}}`
}

var helloUpdates = []string{
	update(`{"type":"text_start","contentIndex":0}`), update(`{"type":"text_delta","contentIndex":0,"delta":"hello"}`), update(`{"type":"text_end","contentIndex":0,"content":"hello"}`),
}

func TestEmbeddedStreamsAreJudged(t *testing.T) {
	open := helloUpdates[:2]
	for name, c := range map[string]struct {
		profile string
		records []string
		want    string
	}{
		"legal":                         {"", append(helloUpdates[:3:3], messageEnd("stop", hello)), ""},
		"no update, any content":        {"", []string{messageEnd("error", hello)}, ""},
		"another text":                  {"", append(helloUpdates[:3:3], messageEnd("stop", `{"type":"text","text":"bye"}`)), "4 final-content warning -1 /message/content/0"},
		"no content":                    {"", append(helloUpdates[:3:3], messageEnd("stop", "")), "4 final-content warning -1 /message/content"},
		"more content":                  {"", append(helloUpdates[:3:3], messageEnd("stop", hello+","+hello)), "4 final-content warning -1 /message/content/1"},
		"a failure with its text":       {"", append(open[:2:2], messageEnd("aborted", hello)), ""},
		"a failure without any":         {"", append(open[:2:2], messageEnd("error", "")), ""},
		"a failure with another text":   {"", append(open[:2:2], messageEnd("error", `{"type":"text","text":"hell"}`)), "3 partial-content warning -1 /message/content/0"},
		"an open block":                 {"", append(open[:2:2], messageEnd("stop", hello)), "3 open-at-done error 1 "},
		"pending":                       {"", append(helloUpdates[:3:3], messageEnd("pending", hello)), "4 bad-reason/pending error -1 /message/stopReason"},
		"a reason of no release":        {"", []string{messageEnd("tool_use", "")}, "1 bad-reason/reason error -1 /message/stopReason"},
		"deferred":                      {"", []string{messageEnd("deferred", "")}, ""},
		"deferred before 1.x":           {"pi-0.80", []string{messageEnd("deferred", "")}, "1 bad-reason/reason error -1 /message/stopReason"},
		"a delta for nothing":           {"", []string{update(`{"type":"text_delta","contentIndex":0,"delta":"x"}`), messageEnd("error", "")}, "1 not-open/text error -1 /assistantMessageEvent/contentIndex"},
		"another index":                 {"", []string{update(`{"type":"text_start","contentIndex":1}`), messageEnd("error", "")}, "1 index-gap error -1 /assistantMessageEvent/contentIndex"},
		"a missing member":              {"", []string{update(`{"type":"text_start"}`), messageEnd("error", "")}, "1 missing-field/member error -1 /assistantMessageEvent/contentIndex"},
		"an unknown type":               {"", []string{update(`{"type":"image_start"}`), messageEnd("error", "")}, "1 unknown-event-type warning -1 /assistantMessageEvent/type"},
		"no type":                       {"", []string{update(`{}`), messageEnd("error", "")}, "1 missing-field/member error -1 /assistantMessageEvent/type"},
		"no object":                     {"", []string{update(`5`), messageEnd("error", "")}, ""},
		"ends are not judged":           {"", []string{update(`{"type":"start"}`), update(`{"type":"done"}`), update(`{"type":"error","reason":5}`), messageEnd("error", "")}, ""},
		"redacted in the message":       {"", []string{update(`{"type":"thinking_start","contentIndex":0}`), update(`{"type":"thinking_end","contentIndex":0,"content":"r"}`), messageEnd("stop", `{"type":"thinking","thinking":"r","redacted":true}`)}, ""},
		"not redacted in the message":   {"", []string{update(`{"type":"thinking_start","contentIndex":0}`), update(`{"type":"thinking_end","contentIndex":0,"content":"r"}`), messageEnd("stop", `{"type":"thinking","thinking":"r"}`)}, "3 content-mismatch/not-redacted error 2 "},
		"a message without a content":   {"", append(helloUpdates[:3:3], `{"type":"message_end","message":{"role":"assistant"}}`), ""},
		"each message begins anew":      {"", append(open[:2:2], append([]string{messageEnd("error", ""), messageStart}, append(helloUpdates[:3:3], messageEnd("stop", hello))...)...), ""},
		"a start forgets what was open": {"", append(open[:2:2], append([]string{messageStart}, append(helloUpdates[:3:3], messageEnd("stop", hello))...)...), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.profile == "" {
				c.profile = assistant.Pi1x
			}
			h := newHost(t, c.profile)
			h.take(messageStart)
			for _, r := range c.records {
				h.take(r)
			}
			assert.Equal(t, strings.Join(h.found(), "; "), c.want)
		})
	}
}

func TestAnUpdateSaysWhatItsEventIsFor(t *testing.T) {
	h := newHost(t, assistant.Pi1x)
	h.engine.Begin(verifier.Place{})
	h.machine.Start()
	assert.Assert(t, !h.machine.Updated())
	for event, want := range map[string]assistant.Kind{
		`{"type":"start"}`: assistant.Start, `{"type":"done"}`: assistant.Terminal, `{"type":"error"}`: assistant.Terminal,
		`{"type":"text_start","contentIndex":0}`: assistant.Block, `{"type":"ping"}`: assistant.NoKind, `{}`: assistant.NoKind, `null`: assistant.NoKind, `[]`: assistant.NoKind,
	} {
		assert.Equal(t, h.machine.Update([]byte(event), "/e"), want, event)
	}
	assert.Assert(t, h.machine.Updated())
	assert.Equal(t, len(h.machine.Open()), 1)
	h.machine.Forget()
	assert.Equal(t, len(h.machine.Open()), 0)
	assert.Assert(t, !h.machine.Updated())
}

// captures returns the folder of recorded streams; a test that needs it is skipped where none is named.
func captures(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("CONFORMANCE_CAPTURES")
	if folder == "" {
		t.Skip("CONFORMANCE_CAPTURES names no folder of recorded streams")
	}
	return filepath.Join(folder, "pi")
}

func recording(t testing.TB, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// Of all recorded sessions only those differ from their streams in which an extension replaced a message.
func TestRecordedSessionsHaveLegalStreams(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(captures(t), "*.jsonl"))
	assert.NilError(t, err)
	messages := 0
	for _, path := range files {
		name := filepath.Base(path)
		profile := ""
		for part, p := range map[string]string{"-1.6.0-": assistant.Pi1x, "-0.80.10-": assistant.Pi080, "-0.73.1-": assistant.Pi073} {
			if strings.Contains(name, part) && !strings.HasPrefix(name, "ai-") && !strings.HasSuffix(name, ".lifecycle.jsonl") {
				profile = p
			}
		}
		if profile == "" {
			continue
		}
		h := newHost(t, profile)
		for _, r := range recording(t, path) {
			if inner := scan.Member([]byte(r), "record"); inner != nil {
				r = string(inner)
			}
			h.take(r)
			messages += strings.Count(r, `"message_end"`)
		}
		if found := h.found(); len(found) > 0 && !strings.Contains(name, "patchend") {
			t.Errorf("%s: %v", name, found)
		}
	}
	assert.Assert(t, messages > 400, "only %d messages", messages)
}
