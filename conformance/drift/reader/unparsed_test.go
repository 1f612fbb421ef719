package reader

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/conformance/drift/vocabulary"
)

var knownHere = []string{"RUN_STARTED", "RUN_ERROR", "RAW"}

func readOne(t *testing.T, name, text string) *vocabulary.SDK {
	t.Helper()
	kind, _, _ := strings.Cut(name, " ")
	r, ok := ByName(kind)
	assert.Assert(t, ok, kind)
	extension := map[string]string{
		"typescript": "a.ts", "go": "a.go", "python": "a.py", "rust": "a.rs", "kotlin": "a.kt", "java": "a.java", "proto": "a.proto", "jsonschema": "a.json",
		"csharp": "a.cs", "dart": "a.dart",
	}[kind]
	assert.Assert(t, r.Matches(extension))
	return r.Read([]File{{Path: extension, Text: text}}, func(v string) bool { return slices.Contains(knownHere, v) })
}

// What a reader cannot be sure of it says, with the line and the reason; the type
// is known all the same.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	enum := "export enum EventType { RUN_STARTED = \"RUN_STARTED\", RUN_ERROR = \"RUN_ERROR\" }\n"
	pydantic := "class EventType(str, Enum):\n    RUN_STARTED = \"RUN_STARTED\"\n    RUN_ERROR = \"RUN_ERROR\"\n\n\n"
	rustEnum := "#[serde(tag = \"type\")]\nenum Event { #[serde(rename = \"RUN_STARTED\")] A(Started), #[serde(rename = \"RUN_ERROR\")] B { message: String } }\n"
	kotlinEnum := "enum class EventType { RUN_STARTED, RUN_ERROR }\n"
	javaEnum := "enum EventType { RUN_STARTED, RUN_ERROR }\n"
	for name, c := range map[string]struct {
		text, reason string
		line         int
	}{
		"typescript unknown call in a chain":  {enum + "const S = z.object({\n  type: z.literal(EventType.RUN_STARTED),\n  runId: z.string().mangle(),\n});", "a call of .mangle, which is not known", 4},
		"typescript unknown function":         {enum + "const S = z.object({ type: z.literal(EventType.RUN_STARTED), runId: z.novel() });", "z.novel, which is not known", 2},
		"typescript name that is not found":   {enum + "const S = Base.extend({ type: z.literal(EventType.RUN_STARTED) });", "Base is not found", 2},
		"typescript member that is not found": {enum + "const S = z.object({ type: z.literal(EventType.RUN_STOPPED) });", "EventType.RUN_STOPPED is not found", 2},
		"typescript mapped type":              {enum + "type S = {\n  type: EventType.RUN_STARTED;\n  [K in Keys]: string;\n};", "a mapped type", 4},
		"typescript unknown utility":          {enum + "type S = Mangle<Base> & { type: EventType.RUN_STARTED };", "a type Mangle<…>, which is not known", 2},
		"typescript brackets":                 {enum + "const S = z.object({ type: z.literal(EventType.RUN_STARTED), runId: z.array(z.string( });", "unbalanced brackets", 2},
		"python alias generator":              {pydantic + "class S(BaseModel):\n    model_config = ConfigDict(alias_generator=shout)\n    type: Literal[EventType.RUN_STARTED] = EventType.RUN_STARTED", "an alias generator that is not known", 7},
		"python base that is not found":       {pydantic + "class S(Base):\n    type: Literal[EventType.RUN_STARTED] = EventType.RUN_STARTED", "base class Base is not found", 6},
		"python serializer":                   {pydantic + "class S(BaseModel):\n    type: Literal[EventType.RUN_STARTED] = EventType.RUN_STARTED\n\n    @model_serializer\n    def dump(self): ...", "a serializer of its own", 9},
		"python no model":                     {pydantic + "@dataclass\nclass S:\n    type: EventType = EventType.RUN_STARTED", "S is no pydantic model", 7},
		"go marshaller":                       {"package a\n\nconst (\n\tStarted Type = \"RUN_STARTED\"\n\tFailed Type = \"RUN_ERROR\"\n)\n\ntype S struct {\n\tT Type `json:\"type\"`\n}\n\nfunc New() *S { return &S{T: Started} }\n\nfunc (s *S) MarshalJSON() ([]byte, error) { return nil, nil }", "a MarshalJSON of its own", 14},
		"go embedded that is not found":       {"package a\n\nconst (\n\tStarted Type = \"RUN_STARTED\"\n\tFailed Type = \"RUN_ERROR\"\n)\n\ntype S struct {\n\telse_.Base\n\tR string `json:\"r\"`\n}\n\nfunc New() *S { return &S{Base: base(Started)} }", "embedded Base is not found", 9},
		"rust converter":                      {rustEnum + "#[serde(from = \"Wire\")]\nstruct Started { run_id: String }", "serde(from), a converter of its own", 4},
		"rust implementation":                 {rustEnum + "struct Started { run_id: String }\nimpl<'de> Deserialize<'de> for Started { fn x() {} }", "a converter of its own", 4},
		"rust flattened that is not found":    {rustEnum + "struct Started { #[serde(flatten)] base: Base }", "flattened Base is not found", 3},
		"rust payload that is not found":      {rustEnum, "Started is not found", 2},
		"kotlin serializer":                   {kotlinEnum + "@Serializable(with = S::class)\n@SerialName(\"RUN_STARTED\")\nclass Started(val runId: String) : Event()", "a serializer of its own", 4},
		"java converter":                      {javaEnum + "@JsonSerialize(using = S.class)\nrecord Started(String runId) {\n    public EventType type() { return EventType.RUN_STARTED; }\n}", "a converter of its own", 3},
		"java type that is not found":         {javaEnum + "record Started(String runId) {\n    public EventType type() { return EventType.RUN_STOPPED; }\n}", "an event type that is not found", 3},
		"jsonschema reference into elsewhere": {"{\"$defs\": {\"A\": {\"$ref\": \"other.json\", \"properties\": {\"type\": {\"const\": \"RUN_STARTED\"}}}}}", "other.json is not found", 1},
		"dart toJson of another shape":        {"enum EventType { runStarted('RUN_STARTED'), runError('RUN_ERROR'); }\nclass S extends Base {\n  S() : super(eventType: EventType.runStarted);\n  Map toJson() { final json = super.toJson(); return json; }\n}", "a toJson of another shape", 2},
		"csharp type that is not found":       {"static class T { public const string A = \"RUN_STARTED\"; public const string B = \"RUN_ERROR\"; }\nclass S : Base {\n  [JsonPropertyName(\"type\")] public override string Type => T.C;\n}", "an event type that is not found", 3},
	} {
		t.Run(name, func(t *testing.T) {
			sdk := readOne(t, name, c.text)
			i := slices.IndexFunc(sdk.Payloads, func(p vocabulary.Payload) bool { return p.Unparsed != nil })
			assert.Assert(t, i >= 0, "%+v", sdk.Payloads)
			assert.Assert(t, cmp.Contains(sdk.Payloads[i].Unparsed.Reason, c.reason))
			assert.Equal(t, sdk.Payloads[i].Unparsed.At.Line, c.line)
		})
	}
}

func TestAMacroOfAnotherShapeIsSaid(t *testing.T) {
	sdk := readOne(t, "rust", "events! { started: \"RUN_STARTED\", failed: \"RUN_ERROR\" }")
	assert.Equal(t, len(sdk.Damaged), 1)
	assert.Equal(t, sdk.Damaged[0].Reason, "a macro events! of another shape")
}

// A declaration that shares the base of events, but that nothing of the SDK leads to.
func TestADeclarationThatNothingUsesIsSaid(t *testing.T) {
	for name, text := range map[string]string{
		"typescript": "enum T { A = \"RUN_STARTED\", B = \"RUN_ERROR\", C = \"RAW\" }\ntype A = { type: T.A };\ntype B = { type: T.B };\ntype Lost = { type: T.C };\ntype Event = A | B;",
		"typescript schemas": "enum T { A = \"RUN_STARTED\", B = \"RUN_ERROR\", C = \"RAW\" }\nconst A = z.object({ type: z.literal(T.A) });\nconst B = z.object({ type: z.literal(T.B) });\n" +
			"const Lost = z.object({ type: z.literal(T.C) });\nconst Event = z.union([A, B]);",
		"python": "class T(Enum):\n    A = \"RUN_STARTED\"\n    B = \"RUN_ERROR\"\n    C = \"RAW\"\n\nclass A(BaseModel):\n    type: Literal[T.A]\n\nclass B(BaseModel):\n    type: Literal[T.B]\n\n" +
			"class Lost(BaseModel):\n    type: Literal[T.C]\n\nEvent = Union[A, B]",
		"go": "package a\n\nconst (\n\tX T = \"RUN_STARTED\"\n\tY T = \"RUN_ERROR\"\n)\n\ntype Base struct {\n\tType T `json:\"type\"`\n}\n\ntype A struct{ *Base }\n\ntype B struct{ *Base }\n\ntype Lost struct{ *Base }\n\n" +
			"func a() any { return &A{Base: base(X)} }\n\nfunc b() any { return &B{base(Y)} }",
		"rust": "struct Base { x: String }\nstruct A { #[serde(flatten)] base: Base }\nstruct B { #[serde(flatten)] base: Base }\nstruct Lost { #[serde(flatten)] base: Base }\n" +
			"#[serde(tag = \"type\", rename_all = \"SCREAMING_SNAKE_CASE\")]\nenum Event { RunStarted(A), RunError(B) }",
		"kotlin": "@SerialName(\"RUN_STARTED\") class A : Event()\n@SerialName(\"RUN_ERROR\") class B : Event()\nclass Lost : Event() { val x: String = \"\" }",
		"java":   "enum T { RUN_STARTED, RUN_ERROR }\nrecord A() implements Event { public T type() { return T.RUN_STARTED; } }\nrecord B() implements Event { public T type() { return T.RUN_ERROR; } }\nrecord Lost(String x) implements Event {}",
		"proto": "syntax = \"proto3\";\nenum T { RUN_STARTED = 0; RUN_ERROR = 1; }\nmessage Base { T type = 1; }\nmessage A { Base base = 1; }\nmessage B { Base base = 1; }\nmessage Lost { Base base = 1; }\n" +
			"message Event { oneof event { A run_started = 1; B run_error = 2; } }",
		"jsonschema": `{"$defs": {"A": {"properties": {"type": {"const": "RUN_STARTED"}}}, "B": {"properties": {"type": {"const": "RUN_ERROR"}}}, "Lost": {"properties": {"type": {"const": "RAW"}}},
			"Event": {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			var unused []string
			for _, p := range readOne(t, name, text).Payloads {
				if p.Unused {
					unused = append(unused, p.Name)
				}
			}
			assert.DeepEqual(t, unused, []string{"Lost"})
		})
	}
}
