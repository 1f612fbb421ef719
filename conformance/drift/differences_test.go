package drift

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/assert/cmp"

	"github.com/agentstream/conformance/conformance/drift/reader"
)

// replaced writes a fixture with something in it replaced, which must be there.
func replaced(t *testing.T, name, old, with string) []reader.File {
	t.Helper()
	files := fixtures[name](newFixture())
	n := 0
	for i := range files {
		n += strings.Count(files[i].Text, old)
		files[i].Text = strings.ReplaceAll(files[i].Text, old, with)
	}
	assert.Assert(t, n > 0, "%s: no %q", name, old)
	return files
}

func TestADiscriminatorWithAnotherValueIsFound(t *testing.T) {
	for name, old := range map[string]string{
		"typescript types": `= "RUN_ERROR"`, "typescript schemas": `= "RUN_ERROR"`, "typescript declarations": `= "RUN_ERROR"`, "python": `= "RUN_ERROR"`,
		"go": `= "RUN_ERROR"`, "rust macro": `=> "RUN_ERROR"`, "kotlin": `@SerialName("RUN_ERROR")`, "java annotations": `("RUN_ERROR")`,
		"jsonschema": `"const": "RUN_ERROR"`, "csharp": `= "RUN_ERROR"`, "dart": `('RUN_ERROR')`,
	} {
		t.Run(name, func(t *testing.T) {
			r := compared(t, name, replaced(t, name, old, strings.Replace(old, "RUN_ERROR", "RUN_FAILED", 1)))
			expect(t, name, r, []string{"discriminator RUN_ERROR"})
		})
	}
}

// Names as the language likes them are another thing on the wire.
func TestNamesOnTheWireAreCompared(t *testing.T) {
	for name, c := range map[string]struct{ old, with string }{
		"typescript types": {"stepName:", "step_name:"}, "typescript schemas": {"stepName:", "step_name:"}, "go": {`"stepName"`, `"step_name"`},
		"kotlin": {"val stepName:", "@SerialName(\"step_name\") val stepName:"}, "java annotations": {`@JsonProperty("stepName")`, `@JsonProperty("step_name")`},
		"proto": {"step_name = 3;", "step_name = 3 [json_name = \"step_name\"];"}, "jsonschema": {`"stepName"`, `"step_name"`},
		"csharp": {`"stepName"`, `"step_name"`}, "dart": {`'stepName'`, `'step_name'`}, "rust": {"pub step_name", "#[serde(rename = \"step-name\")] pub step_name"},
		"python": {"step_name: Any", "step_name: Any = Field(alias=\"step_name\")"}, "java": {" stepName", " @JsonProperty(\"step_name\") stepName"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "java" { // an annotation stands in front of the type
				c.old, c.with = "Map<String, Object> stepName", "@JsonProperty(\"step_name\") Map<String, Object> stepName"
			}
			r := compared(t, name, replaced(t, name, c.old, c.with))
			expect(t, name, r, []string{"wire-name STEP_STARTED.stepName", "wire-name STEP_FINISHED.stepName"})
		})
	}
}

// Without the setting that renames all, every name of several words is wrong.
func TestASettingThatRenamesAllIsRead(t *testing.T) {
	for name, setting := range map[string]string{"python": "alias_generator=to_camel, ", "rust": `#[serde(rename_all = "camelCase")]`} {
		r := compared(t, name, replaced(t, name, setting, ""))
		for _, d := range r.Differences {
			assert.Equal(t, d.Kind, WireName, d.Subject())
		}
		assert.Assert(t, len(r.Differences) > 80, "%s: %d", name, len(r.Differences))
	}
}

func TestATypeThatTheListLacksIsFound(t *testing.T) {
	for name, line := range map[string]string{"kotlin": "    @SerialName(\"RAW\")\n    RAW,\n", "proto": "  EVENT_TYPE_RAW = 14;\n"} {
		t.Run(name, func(t *testing.T) {
			expect(t, name, compared(t, name, replaced(t, name, line, "")), []string{"unlisted-type RAW"})
		})
	}
}

func TestATypeWithoutADeclarationIsFound(t *testing.T) {
	for name, c := range map[string]struct{ old, with string }{
		"typescript types": {"type: EventType.RAW;", "kind: EventType.RAW;"},
		"kotlin":           {"@SerialName(\"RAW\")\ndata class RawEvent(", "class Other("},
		"go":               {"Base: newBase(EventTypeRaw)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := compared(t, name, replaced(t, name, c.old, c.with))
			assert.Assert(t, slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Kind == NoPayload && d.Type == "RAW" }), "%+v", r.Differences)
		})
	}
}

func TestAnSDKOfWhichHalfCannotBeReadIsNotJudged(t *testing.T) {
	a, err := Revision("")
	assert.NilError(t, err)
	r, _ := reader.ByName("python")
	_, err = Check(a, &Source{Reader: r, Files: replaced(t, "python", "to_camel", "shout")}, Options{})
	assert.Assert(t, cmp.ErrorContains(err, "31 of 31 event types could not be read, the first: TEXT_MESSAGE_START: sdk/base.py:8: an alias generator that is not known"))
}

func TestAListOfDeliberateDifferencesNeedsKindsAndReasons(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"# a comment\n\n":                 "",
		"missing-type RAW why":            "",
		"missing-type RAW":                "line 1: want KIND",
		"\nlost RAW why":                  `line 2: no kind of difference "lost"`,
		"missing-type [RAW why":           `line 1: "[RAW"`,
		"missing-field RAW.event because": "",
	} {
		_, err := ParseDeliberate(text)
		if want == "" {
			assert.NilError(t, err, text)
			continue
		}
		assert.Assert(t, cmp.ErrorContains(err, want), text)
	}
}
