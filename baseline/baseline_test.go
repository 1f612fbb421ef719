package baseline

import (
	"regexp"
	"slices"
	"testing"
)

func revision(t *testing.T, name string) *Revision {
	t.Helper()
	r, ok := AGUI().Revision(name)
	if !ok {
		t.Fatalf("no revision %s", name)
	}
	return r
}

func TestRevisionsAreOldestFirstAndNameTheirSource(t *testing.T) {
	p := AGUI()
	if len(p.Revisions) != 2 || p.Revisions[0].Name != "0.x" || p.Newest().Name != "1.0" {
		t.Fatalf("revisions are not 0.x and 1.0")
	}
	day := regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	for _, r := range p.Revisions {
		if r.Source.Package == "" || r.Source.Version == "" || !day.MatchString(r.Source.Date) {
			t.Errorf("revision %s: source %+v is not complete", r.Name, r.Source)
		}
	}
}

func TestNumberOfEventTypesOfEachRevision(t *testing.T) {
	for name, want := range map[string]int{"0.x": 36, "1.0": 31} {
		if got := len(revision(t, name).Events); got != want {
			t.Errorf("revision %s has %d event types, want %d", name, got, want)
		}
	}
}

// The facts that are easy to get wrong when the packages are read, each with
// the place it is about.
func TestMembersThatIntrospectionGetsWrong(t *testing.T) {
	tests := map[string]struct{ revision, owner, member, want string }{
		"a null state is not a state in 1.0":            {"1.0", "RunAgentInput", "state", "? any"},
		"a null state reads as absent in 0.x":           {"0.x", "RunAgentInput", "state", "?null any"},
		"tools may be absent in 1.0":                    {"1.0", "RunAgentInput", "tools", "? Tool[]"},
		"tools are required in 0.x":                     {"0.x", "RunAgentInput", "tools", "! Tool[]"},
		"context is required in 0.x":                    {"0.x", "RunAgentInput", "context", "! Context[]"},
		"a raw event is required and may be null":       {"1.0", "RAW", "event", "!null any"},
		"a custom value is required and may be null":    {"1.0", "CUSTOM", "value", "!null any"},
		"a state snapshot is required and may be null":  {"1.0", "STATE_SNAPSHOT", "snapshot", "!null any"},
		"a patch value is required and may be null":     {"1.0", "AddOperation", "value", "!null any"},
		"rawEvent is never null in 1.0":                 {"1.0", "RUN_ERROR", "rawEvent", "? any"},
		"rawEvent may be null in 0.x":                   {"0.x", "RUN_ERROR", "rawEvent", "?null any"},
		"an outcome is never null in 1.0":               {"1.0", "RUN_FINISHED", "outcome", "? RunFinishedOutcome"},
		"an outcome may be null in 0.x":                 {"0.x", "RUN_FINISHED", "outcome", "?null RunFinishedOutcome"},
		"a subagent's outcome is not null in 0.x":       {"0.x", "SUBAGENT_FINISHED", "outcome", "? SubagentFinishedOutcome"},
		"a parent message may be null in 0.x":           {"0.x", "TOOL_CALL_START", "parentMessageId", "?null string"},
		"metadata is never null, in 0.x too":            {"0.x", "RUN_STARTED", "metadata", "? {}"},
		"metadata is open by key":                       {"1.0", "UserMessage", "metadata", "? {}"},
		"activity content is open by key":               {"1.0", "ActivityMessage", "content", "! {}"},
		"a response schema is open by key":              {"1.0", "Interrupt", "responseSchema", "? {}"},
		"metadata of a part is any JSON but null":       {"1.0", "ImagePart", "metadata", "? any"},
		"timestamps have fractions in 0.x":              {"0.x", "RAW", "timestamp", "? number"},
		"a patch is an array of anything in 0.x":        {"0.x", "STATE_DELTA", "delta", "! any[]"},
		"an activity's patch too":                       {"0.x", "ACTIVITY_DELTA", "patch", "! any[]"},
		"a tool result is text in 0.x":                  {"0.x", "TOOL_CALL_RESULT", "content", "! string"},
		"an assistant message may have no content":      {"1.0", "AssistantMessage", "content", "? string"},
		"the role of a reasoning message must be there": {"1.0", "REASONING_MESSAGE_START", "role", "! reasoning"},
		"an interrupt outcome has an interrupt":         {"1.0", "RunFinishedInterruptOutcome", "interrupts", "! Interrupt[1]"},
		"a subagent event's id is its identity":         {"1.0", "SUBAGENT_ERROR", "subagentRunId", "! string"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, ok := memberOf(revision(t, tt.revision), tt.owner, tt.member)
			if !ok {
				t.Fatalf("%s %s has no member %s", tt.revision, tt.owner, tt.member)
			}
			if got, want := renderMembers([]Member{*m}), tt.member+tt.want; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestMembersThatARevisionDoesNotHave(t *testing.T) {
	tests := map[string]struct{ revision, owner, member string }{
		"a run is not attributed":                   {"1.0", "RUN_FINISHED", "subagentRunId"},
		"a run's failure names no run":              {"1.0", "RUN_ERROR", "runId"},
		"a messages snapshot is not attributed":     {"1.0", "MESSAGES_SNAPSHOT", "subagentRunId"},
		"a tool message has no name":                {"1.0", "ToolMessage", "name"},
		"an activity message is not encrypted":      {"1.0", "ActivityMessage", "encryptedValue"},
		"a tool call is not attributed":             {"1.0", "ToolCall", "subagentRunId"},
		"a reasoning chunk has no role":             {"1.0", "REASONING_MESSAGE_CHUNK", "role"},
		"a thinking event is not attributed":        {"0.x", "THINKING_TEXT_MESSAGE_CONTENT", "subagentRunId"},
		"a run declares no version in 0.x":          {"0.x", "RUN_STARTED", "protocolVersion"},
		"a success leaves no calls pending in 0.x":  {"0.x", "RunFinishedSuccessOutcome", "pendingToolCallIds"},
		"writes to a cache are not counted in 0.x":  {"0.x", "TokenUsage", "cacheWriteInputTokens"},
		"the type of an encrypted value came later": {"1.0", "REASONING_ENCRYPTED_VALUE", "encryptedValueType"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := revision(t, tt.revision)
			if _, ok := membersOf(r, tt.owner); !ok {
				t.Fatalf("revision %s has neither an event nor an object %s", tt.revision, tt.owner)
			}
			if _, ok := memberOf(r, tt.owner, tt.member); ok {
				t.Errorf("%s %s has a member %s", tt.revision, tt.owner, tt.member)
			}
		})
	}
}

func TestOnlyPatchOperationsAreOpenIn10(t *testing.T) {
	want := []string{"AddOperation", "CopyOperation", "MoveOperation", "RemoveOperation", "ReplaceOperation", "TestOperation"}
	var open []string
	for _, o := range revision(t, "1.0").Objects {
		if o.Open {
			open = append(open, o.Name)
		}
		if o.Strict {
			t.Errorf("%s is strict", o.Name)
		}
	}
	if !slices.Equal(open, want) {
		t.Errorf("open objects are %v, want %v", open, want)
	}
	for _, e := range revision(t, "1.0").Events {
		if e.Open {
			t.Errorf("event %s is open", e.Type)
		}
	}
}

func TestEverythingIsOpenIn0x(t *testing.T) {
	r := revision(t, "0.x")
	var strict []string
	for _, o := range r.Objects {
		if !o.Open {
			t.Errorf("object %s is closed", o.Name)
		}
		if o.Strict {
			strict = append(strict, o.Name)
		}
	}
	for _, e := range r.Events {
		if !e.Open {
			t.Errorf("event %s is closed", e.Type)
		}
	}
	want := []string{"RunFinishedInterruptOutcome", "RunFinishedSuccessOutcome", "SubagentFinishedSuccessOutcome", "SubagentFinishedSuspendedOutcome"}
	if !slices.Equal(strict, want) {
		t.Errorf("objects that the package closes are %v, want %v", strict, want)
	}
}

func TestARunIsNotCancelledIn0x(t *testing.T) {
	u, ok := revision(t, "0.x").Union("RunFinishedOutcome")
	if !ok {
		t.Fatal("no outcome")
	}
	if got, want := renderUnion(u), "RunFinishedOutcome by type: success RunFinishedSuccessOutcome, interrupt RunFinishedInterruptOutcome"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestThePointerPatternTakesExactlyJSONPointers(t *testing.T) {
	add, _ := revision(t, "1.0").Object("AddOperation")
	path, _ := add.Member("path")
	pattern := regexp.MustCompile(path.Schema.Pattern)
	for pointer, want := range map[string]bool{
		"": true, "/": true, "/a/b": true, "/a//b": true, "/~0~1": true, "/a\nb": true,
		"a": false, "/~": false, "/~2": false, "#/a": false,
	} {
		if got := pattern.MatchString(pointer); got != want {
			t.Errorf("%q: got %t, want %t", pointer, got, want)
		}
	}
}
