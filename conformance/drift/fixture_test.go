package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentstream/conformance/baseline"
	"github.com/agentstream/conformance/conformance/drift/reader"
)

// A fixture is an SDK made up from the baseline, written out in any of the
// languages. A test changes it and expects the reader to notice.
type fixture struct {
	base   []member // of every event, declared once
	events []made
}

type made struct {
	typ, name string // RUN_STARTED and RunStarted
	members   []member
}

type member struct {
	name     string
	required bool
}

func newFixture() *fixture {
	f := &fixture{}
	first := baseline.AGUI().Newest().Events[0]
	shared := []string{"timestamp", "rawEvent", "metadata"}
	for _, m := range first.Members {
		if slices.Contains(shared, m.Name) {
			f.base = append(f.base, member{m.Name, m.Required})
		}
	}
	for _, e := range baseline.AGUI().Newest().Events {
		event := made{typ: e.Type, name: camel(e.Type)}
		for _, m := range e.Members {
			if m.Name != "type" && !slices.Contains(shared, m.Name) {
				event.members = append(event.members, member{m.Name, m.Required})
			}
		}
		f.events = append(f.events, event)
	}
	return f
}

// languages write a fixture, by a name that starts with the reader's.
var fixtures = map[string]func(f *fixture) []reader.File{
	"typescript types":        writeTypes,
	"typescript schemas":      writeSchemas,
	"typescript source maps":  writeMaps,
	"typescript declarations": writeDeclared,
	"python":                  writePython,
	"go":                      writeGo,
	"rust":                    writeRust,
	"rust macro":              writeRustMacro,
	"kotlin":                  writeKotlin,
	"java":                    writeJava,
	"java annotations":        writeJavaClasses,
	"proto":                   writeProto,
	"jsonschema":              writeJSONSchema,
	"csharp":                  writeCSharp,
	"dart":                    writeDart,
}

type text struct{ strings.Builder }

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

func (t *text) file(path string) []reader.File { return []reader.File{{Path: path, Text: t.String()}} }

func writeEnumTS(t *text, f *fixture) {
	t.line("export enum EventType {")
	for _, e := range f.events {
		t.line("  %s = %q,", e.typ, e.typ)
	}
	t.line("}")
}

func writeTypes(f *fixture) []reader.File {
	var t text
	writeEnumTS(&t, f)
	members := func(list []member) {
		for _, m := range list {
			t.line("  /** What %s is. */\n  %s%s: Record<string, any>;", m.name, m.name, map[bool]string{false: "?"}[m.required])
		}
		t.line("};\n")
	}
	t.line("export type Base = {")
	members(f.base)
	for _, e := range f.events {
		t.line("export type %sEvent = Base & {\n  type: EventType.%s;", e.name, e.typ)
		members(e.members)
	}
	t.line("export type Event =")
	for _, e := range f.events {
		t.line("  | %sEvent", e.name)
	}
	t.line(";")
	return t.file("src/types.ts")
}

func zodMembers(t *text, list []member) {
	for _, m := range list {
		t.line("  // What %s is.\n  %s: z\n    .string()%s,", m.name, m.name, map[bool]string{false: "\n    .optional()"}[m.required])
	}
}

func writeSchemas(f *fixture) []reader.File {
	var t, base text
	base.line("import { z } from \"zod\";\nexport const Optional = z.string().optional();\nexport const BaseSchema = z.object({")
	zodMembers(&base, f.base)
	base.line("}).passthrough();")
	t.line("import { z } from \"zod\";\nimport { BaseSchema as Base } from \"./base\";")
	writeEnumTS(&t, f)
	for _, e := range f.events {
		t.line("export const %sEventSchema = Base.extend({\n  type: z.literal(EventType.%s),", e.name, e.typ)
		zodMembers(&t, e.members)
		t.line("});\n")
	}
	t.line("export const EventSchemas = z.discriminatedUnion(\"type\", [")
	for _, e := range f.events {
		t.line("  %sEventSchema,", e.name)
	}
	t.line("]);")
	return append(t.file("src/events.ts"), base.file("src/base.ts")...)
}

func writeMaps(f *fixture) []reader.File {
	var names, texts []string
	for _, file := range writeSchemas(f) {
		names, texts = append(names, fmt.Sprintf("%q", "../"+file.Path)), append(texts, fmt.Sprintf("%q", file.Text))
	}
	var t text
	t.line(`{"version":3,"sources":[%s],"sourcesContent":[%s]}`, strings.Join(names, ","), strings.Join(texts, ","))
	return t.file("dist/index.js.map")
}

func writeDeclared(f *fixture) []reader.File {
	var t text
	t.line("declare enum EventType {")
	for _, e := range f.events {
		t.line("  %s = %q,", e.typ, e.typ)
	}
	t.line("}")
	members := func(list []member) {
		for _, m := range list {
			t.line("  %s: %s;", m.name, map[bool]string{false: "z.ZodOptional<z.ZodString>", true: "z.ZodString"}[m.required])
		}
	}
	for _, e := range f.events {
		t.line("declare const %sEventSchema: z.ZodObject<{\n  type: z.ZodLiteral<EventType.%s>;", e.name, e.typ)
		members(f.base)
		members(e.members)
		t.line("}, \"strip\", z.ZodTypeAny>;")
	}
	return t.file("dist/index.d.ts")
}

// snaked turns messageId into message_id.
func snaked(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

func writePython(f *fixture) []reader.File {
	var t, base text
	base.line("from pydantic import BaseModel, ConfigDict\nfrom pydantic.alias_generators import to_camel\n\n\nclass Base(BaseModel):")
	base.line("    \"\"\"What every event has: {\"\"\"\n\n    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)\n")
	members := func(t *text, list []member) {
		for _, m := range list {
			t.line("    %s: %s", snaked(m.name), map[bool]string{false: "Optional[Any] = Field(default=None)", true: "Any"}[m.required])
			t.line("    \"\"\"What it is.\"\"\"")
		}
	}
	members(&base, f.base)
	t.line("from enum import Enum\nfrom .base import Base\n\n\nclass EventType(str, Enum):")
	for _, e := range f.events {
		t.line("    %s = %q", e.typ, e.typ)
	}
	for _, e := range f.events {
		t.line("\n\nclass %sEvent(Base):\n    type: Literal[EventType.%s] = EventType.%s  # what it is", e.name, e.typ, e.typ)
		members(&t, e.members)
	}
	t.line("\n\nEvent = Annotated[\n    Union[")
	for _, e := range f.events {
		t.line("        %sEvent,", e.name)
	}
	t.line("    ],\n    Field(discriminator=\"type\"),\n]")
	return append(t.file("sdk/events.py"), base.file("sdk/base.py")...)
}

// exported turns messageId into MessageId.
func exported(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

func writeGo(f *fixture) []reader.File {
	var t text
	t.line("package events\n\ntype EventType string\n\nconst (")
	for _, e := range f.events {
		t.line("\tEventType%s EventType = %q", e.name, e.typ)
	}
	t.line(")\n\ntype Base struct {\n\tType EventType `json:\"type\"`")
	members := func(list []member) {
		for _, m := range list {
			t.line("\t%s any `json:\"%s%s\"`", exported(m.name), m.name, map[bool]string{false: ",omitempty"}[m.required])
		}
		t.line("}\n")
	}
	members(f.base)
	for _, e := range f.events {
		t.line("type %sEvent struct {\n\t*Base", e.name)
		members(e.members)
		t.line("func New%s() *%sEvent { return &%sEvent{Base: newBase(EventType%s)} }\n", e.name, e.name, e.name, e.name)
	}
	return t.file("events/events.go")
}

func rustMembers(t *text, list []member, indent string) {
	for _, m := range list {
		if !m.required {
			t.line("%s#[serde(default, skip_serializing_if = \"Option::is_none\")]", indent)
		}
		t.line("%s/// What it is: {\n%spub %s: %s,", indent, indent, snaked(m.name), map[bool]string{false: "Option<Value>", true: "Vec<Value>"}[m.required])
	}
}

// generic gives one of the events a parameter.
func generic(e made, parameters string) string {
	if e.typ == "STATE_SNAPSHOT" {
		return parameters
	}
	return ""
}

func rustStructs(t *text, f *fixture) {
	t.line("#[derive(Serialize, Deserialize)]\n#[serde(rename_all = \"camelCase\")]\npub struct Base {")
	rustMembers(t, f.base, "    ")
	t.line("}\n")
	for _, e := range f.events {
		t.line("#[derive(Serialize, Deserialize)]\n#[serde(rename_all = \"camelCase\")]\npub struct %sEvent%s {\n    #[serde(flatten)]\n    pub base: Base,", e.name, generic(e, "<T = Value>"))
		rustMembers(t, e.members, "    ")
		t.line("}\n")
	}
}

func writeRust(f *fixture) []reader.File {
	var t text
	rustStructs(&t, f)
	t.line("#[derive(Serialize, Deserialize)]\n#[serde(tag = \"type\", rename_all = \"SCREAMING_SNAKE_CASE\")]\npub enum Event {")
	for _, e := range f.events {
		t.line("    %s(Box<%sEvent%s>),", e.name, e.name, generic(e, "<T>"))
	}
	t.line("}")
	return t.file("src/event.rs")
}

func writeRustMacro(f *fixture) []reader.File {
	var t text
	rustStructs(&t, f)
	t.line("macro_rules! events {\n    ($($variant:ident($payload:ty) => $tag:literal,)*) => {\n        #[serde(tag = \"type\")]\n        pub enum Event { $(#[serde(rename = $tag)] $variant($payload),)* }\n    };\n}\n\nevents! {")
	for _, e := range f.events {
		t.line("    /// One.\n    %s(%sEvent%s) => %q,", e.name, e.name, generic(e, "<Value>"), e.typ)
	}
	t.line("}")
	return t.file("src/event.rs")
}

func writeKotlin(f *fixture) []reader.File {
	var t text
	t.line("package sdk\n\n@Serializable\nenum class EventType {")
	for _, e := range f.events {
		t.line("    @SerialName(%q)\n    %s,", e.typ, e.typ)
	}
	t.line("}\n\n@Serializable\n@JsonClassDiscriminator(\"type\")\nsealed class BaseEvent {\n    abstract val eventType: EventType")
	for _, m := range f.base {
		t.line("    abstract val %s: JsonElement?", m.name)
	}
	t.line("}\n")
	for _, e := range f.events {
		t.line("/** What it is: { */\n@Serializable\n@SerialName(%q)\ndata class %sEvent(", e.typ, e.name)
		members := func(list []member, override string) {
			for _, m := range list {
				t.line("    %sval %s: %s,", override, m.name, map[bool]string{false: "Map<String, Any>? = null", true: "Map<String, Any>"}[m.required])
			}
		}
		members(e.members, "")
		members(f.base, "override ")
		t.line(") : BaseEvent() {\n    @Transient\n    override val eventType: EventType = EventType.%s\n}\n", e.typ)
	}
	return t.file("sdk/Events.kt")
}

func writeJava(f *fixture) []reader.File {
	var enum text
	enum.line("package sdk;\n\npublic enum EventType {")
	for _, e := range f.events {
		enum.line("    %s,", e.typ)
	}
	enum.line("    ;\n    public String value() { return name(); }\n}")
	files := enum.file("sdk/EventType.java")
	for _, e := range f.events {
		var t text
		list := append(slices.Clone(e.members), f.base...)
		var components []string
		for _, m := range list {
			components = append(components, "Map<String, Object> "+m.name)
		}
		t.line("package sdk;\n\n/** What it is: {@code {}. */\npublic record %sEvent(%s) implements Event {\n    public %sEvent {", e.name, strings.Join(components, ",\n        "), e.name)
		for _, m := range list {
			if m.required {
				t.line("        Objects.requireNonNull(%s, \"%s must not be null\");", m.name, m.name)
			}
		}
		t.line("    }\n\n    @Override\n    public EventType type() {\n        return EventType.%s;\n    }\n}", e.typ)
		files = append(files, t.file("sdk/"+e.name+"Event.java")...)
	}
	return files
}

func writeJavaClasses(f *fixture) []reader.File {
	var t text
	t.line("package sdk;\n\npublic enum EventType {")
	for _, e := range f.events {
		t.line("    %s(%q),", e.name, e.typ)
	}
	t.line("    ;\n    private final String value;\n}\n\nabstract class BaseEvent {\n    private final EventType type;")
	members := func(list []member) {
		for _, m := range list {
			t.line("    %s\n    @JsonProperty(%q)\n    private final Object %s;", map[bool]string{false: "@Nullable", true: "@NotNull"}[m.required], m.name, snaked(m.name))
		}
	}
	members(f.base)
	t.line("    protected BaseEvent(EventType type) { this.type = type; }\n}\n")
	for _, e := range f.events {
		t.line("final class %sEvent extends BaseEvent {", e.name)
		members(e.members)
		t.line("    public %sEvent() {\n        super(EventType.%s);\n    }\n    public Object get() { return null; }\n}\n", e.name, e.name)
	}
	return t.file("sdk/Events.java")
}

func writeProto(f *fixture) []reader.File {
	var t text
	t.line("syntax = \"proto3\";\n\nenum EventType {")
	for i, e := range f.events {
		t.line("  EVENT_TYPE_%s = %d;", e.typ, i)
	}
	members := func(list []member) {
		for i, m := range list {
			t.line("  %sstring %s = %d;", map[bool]string{false: "optional "}[m.required], snaked(m.name), i+2)
		}
		t.line("}\n")
	}
	t.line("}\n\nmessage BaseEvent {\n  EventType type = 1;")
	members(f.base)
	for _, e := range f.events {
		t.line("message %sEvent {\n  BaseEvent base_event = 1;", e.name)
		members(e.members)
	}
	t.line("message Event {\n  oneof event {")
	for i, e := range f.events {
		t.line("    %sEvent %s = %d;", e.name, strings.ToLower(e.typ), i+1)
	}
	t.line("  }\n}")
	return t.file("events.proto")
}

func writeJSONSchema(f *fixture) []reader.File {
	var defs, refs []string
	object := func(list []member, first string) string {
		properties, required := []string{}, []string{}
		if first != "" {
			properties, required = append(properties, first), append(required, `"type"`)
		}
		for _, m := range list {
			properties = append(properties, fmt.Sprintf("\n      %q: {}", m.name))
			if m.required {
				required = append(required, fmt.Sprintf("%q", m.name))
			}
		}
		return fmt.Sprintf(`"properties": {%s}, "required": [%s]`, strings.Join(properties, ","), strings.Join(required, ","))
	}
	defs = append(defs, fmt.Sprintf(`"BaseEvent": {"type": "object", %s}`, object(f.base, "")))
	for _, e := range f.events {
		tag := fmt.Sprintf("\n      %q: {\"const\": %q}", "type", e.typ)
		defs = append(defs, fmt.Sprintf(`%q: {"allOf": [{"$ref": "#/$defs/BaseEvent"}], %s, "unevaluatedProperties": false}`, e.name+"Event", object(e.members, tag)))
		refs = append(refs, fmt.Sprintf(`{"$ref": "#/$defs/%sEvent"}`, e.name))
	}
	var t text
	t.line("{\"oneOf\": [%s], \"$defs\": {\n    %s}}", strings.Join(refs, ","), strings.Join(defs, ",\n    "))
	return t.file("schema.json")
}

func writeCSharp(f *fixture) []reader.File {
	var t text
	t.line("#nullable enable\nnamespace Sdk;\n\npublic static class EventTypes\n{")
	for _, e := range f.events {
		t.line("    public const string %s = %q;", e.name, e.typ)
	}
	t.line("}\n\npublic abstract class BaseEvent\n{\n    [JsonPropertyName(\"type\")]\n    public abstract string Type { get; }\n")
	members := func(list []member) {
		for _, m := range list {
			t.line("    /// <summary>What it is: {</summary>\n    [JsonPropertyName(%q)]\n    public JsonElement%s %s { get; set; }%s", m.name, map[bool]string{false: "?"}[m.required], exported(m.name), map[bool]string{true: " = new();"}[m.required])
		}
		t.line("}\n")
	}
	members(f.base)
	for _, e := range f.events {
		t.line("public sealed class %sEvent : BaseEvent\n{\n    [JsonPropertyName(\"type\")]\n    public override string Type => EventTypes.%s;\n", e.name, e.name)
		members(e.members)
	}
	return t.file("Events.cs")
}

func writeDart(f *fixture) []reader.File {
	var t text
	lower := func(name string) string { return strings.ToLower(name[:1]) + name[1:] }
	t.line("enum EventType {")
	for _, e := range f.events {
		t.line("  %s('%s'),", lower(e.name), e.typ)
	}
	t.line("  ;\n  final String value;\n  const EventType(this.value);\n}\n\nsealed class BaseEvent {\n  final EventType eventType;\n  Map<String, dynamic> toJson() => {\n    'type': eventType.value,")
	members := func(list []member) {
		for _, m := range list {
			t.line("    %s'%s': %s,", map[bool]string{false: "if (" + m.name + " != null) "}[m.required], m.name, m.name)
		}
		t.line("  };\n}\n")
	}
	members(f.base)
	for _, e := range f.events {
		t.line("/// What it is: {\nfinal class %sEvent extends BaseEvent {\n  const %sEvent() : super(eventType: EventType.%s);\n  @override\n  Map<String, dynamic> toJson() => {\n    ...super.toJson(),", e.name, e.name, lower(e.name))
		members(e.members)
	}
	return t.file("lib/events.dart")
}
