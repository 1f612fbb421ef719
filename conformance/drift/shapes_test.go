package drift

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/conformance/drift/reader"
)

// shapesOf compares a fixture with one more declaration, shapes included.
func shapesOf(t *testing.T, kind string, files []reader.File, declaration string) *Result {
	t.Helper()
	r, ok := reader.ByName(kind)
	assert.Assert(t, ok)
	a, err := Revision("")
	assert.NilError(t, err)
	files[0].Text += declaration
	result, err := Check(a, &Source{Reader: r, Files: files}, Options{Shapes: true})
	assert.NilError(t, err)
	return result
}

func TestShapesOfTheProtocolsNameAreCompared(t *testing.T) {
	for kind, c := range map[string]struct {
		write       func(*fixture) []reader.File
		declaration string
	}{
		"typescript": {writeTypes, "\nexport interface FunctionCall { name: string; arguments?: string; extra: string }\n"},
		"python":     {writePython, "\n\nclass FunctionCall(BaseModel):\n    name: str\n    arguments: Optional[str] = None\n    extra: str\n"},
		"go":         {writeGo, "\ntype FunctionCall struct {\n\tName string `json:\"name\"`\n\tArguments string `json:\"arguments,omitempty\"`\n\tExtra string `json:\"extra\"`\n}\n"},
		"rust":       {writeRust, "\npub struct FunctionCall { pub name: String, pub arguments: Option<String>, pub extra: String }\n"},
		"kotlin":     {writeKotlin, "\n@Serializable\ndata class FunctionCall(val name: String, val arguments: String = \"\", val extra: String)\n"},
		"java":       {writeJavaClasses, "\nrecord FunctionCall(@NotNull String name, @Nullable String arguments, @NotNull String extra) {}\n"},
		"proto":      {writeProto, "\nmessage FunctionCall { string name = 1; optional string arguments = 2; string extra = 3; }\n"},
	} {
		t.Run(kind, func(t *testing.T) {
			r := shapesOf(t, kind, c.write(newFixture()), c.declaration)
			expect(t, kind, r, []string{"unknown-field FunctionCall.extra", "optionality FunctionCall.arguments"})
			assert.Equal(t, r.SDK.Shapes, 1)
		})
	}
}

// A shape that is not there may be cut another way, a constant that tells shapes
// apart may be elsewhere, and one of two declarations may be what is sent.
func TestWhatSDKsDeclareDifferentlyIsNoDrift(t *testing.T) {
	for name, declaration := range map[string]string{
		"nothing":              "",
		"without its constant": "\nexport interface DataSource { value: string; mimeType: string }\n",
		"one of two is right":  "\nexport interface FunctionCall { name: string; arguments: string }\nexport const FunctionCallSchema = z.object({ name: z.string() });\n",
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, name, shapesOf(t, "typescript", writeTypes(newFixture()), declaration), nil)
		})
	}
}
