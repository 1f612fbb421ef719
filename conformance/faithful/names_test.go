package faithful

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/model/script"
)

const callAndResult = `[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"toolResult":{"id":"m1","call":"c1","content":"42"}}]`

func TestNamesAreOneToOneInEachNamespaceAndKeptFromRunToRun(t *testing.T) {
	names := NewNames()
	d := compare(t, names, callAndResult, strings.ReplaceAll(call, "c1", "x")+`{"type":"TOOL_CALL_RESULT","messageId":"x","toolCallId":"x","content":"42"}`)
	assert.Assert(t, d == nil, "%s", d)
	assert.DeepEqual(t, names.IDs(), map[string]string{"c1": "x", "m1": "x"})
	assert.Equal(t, names.ID(script.Calls, "c1"), "x")
	assert.Equal(t, names.Label(script.Messages, "x"), "m1")
	assert.Equal(t, names.ID(script.Calls, "other"), "other")

	again := `[{"text":{"id":"m1","stream":["hi"]}}]`
	d = compare(t, names, again, strings.ReplaceAll(hi, "m1", "x"))
	assert.Assert(t, d == nil, "%s", d)
	d = compare(t, names, again, hi)
	assert.Assert(t, d != nil)
	assert.Equal(t, d.Summary(), `the text message m1 has id "m1" on the stream, not "x"`)
	another := `[{"text":{"id":"m2","stream":["hi"]}}]`
	d = compare(t, names, another, strings.ReplaceAll(hi, "m1", "x"))
	assert.Assert(t, d != nil, "two labels have one id")
	assert.Equal(t, d.Summary(), `the text message m2 has id "x" on the stream, which is m1 of the script`)
}

func TestAScriptMayBeRenamedBeforeItIsCompared(t *testing.T) {
	names := NewNames()
	assert.Assert(t, compare(t, names, `[{"text":{"id":"m1","stream":["hi"]}}]`, strings.ReplaceAll(hi, "m1", "x")) == nil)
	assert.Assert(t, compare(t, names, `[{"text":{"id":"x","stream":["hi"]}}]`, strings.ReplaceAll(hi, "m1", "x")) == nil)
	assert.Assert(t, compare(t, names, `[{"text":{"id":"x","stream":["hi"]}}]`, strings.ReplaceAll(hi, "m1", "y")) != nil)
	both := `[{"text":{"id":"m1","stream":["hi"]}},{"text":{"id":"x","stream":["hi"]}}]`
	assert.Assert(t, compare(t, names, both, strings.ReplaceAll(hi+hi, "m1", "x")) == nil)
	assert.DeepEqual(t, names.IDs(), map[string]string{"m1": "x"})
}

func TestClonesLearnOnTheirOwn(t *testing.T) {
	names := NewNames()
	clone := names.Clone()
	assert.Assert(t, compare(t, clone, `[{"text":{"id":"m1","stream":["hi"]}}]`, strings.ReplaceAll(hi, "m1", "x")) == nil)
	assert.Equal(t, names.ID(script.Messages, "m1"), "m1")
	assert.Equal(t, clone.ID(script.Messages, "m1"), "x")
}

func TestASubjectThatTakesIdsHasToKeepThem(t *testing.T) {
	names := NewNames()
	names.Identity = true
	assert.Assert(t, compare(t, names, `[{"text":{"id":"m1","stream":["hi"]}}]`, hi) == nil)
	assert.DeepEqual(t, names.IDs(), map[string]string{"m1": "m1"})
	d := compare(t, names, `[{"text":{"id":"m2","stream":["hi"]}}]`, strings.ReplaceAll(hi, "m1", "x"))
	assert.Assert(t, d != nil)
	assert.Equal(t, d.Summary(), `the text message m2 has id "x" on the stream, not "m2"`)
	reasoning := `[{"reasoning":{"messages":[{"id":"a","stream":["1"]}]}}]`
	spanned := `{"type":"REASONING_START","messageId":"s"}
		{"type":"REASONING_MESSAGE_CHUNK","messageId":"a","delta":"1"}
		{"type":"REASONING_END","messageId":"s"}`
	assert.Assert(t, compare(t, names, reasoning, spanned) == nil, "a span that the script does not name has any id")
}

func TestWhatAnEmitNamesIsAnId(t *testing.T) {
	emit := `[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"emit":{"event":{"type":"TOOL_CALL_RESULT","messageId":"t","toolCallId":"c1","content":"42"}}}]`
	result := `{"type":"TOOL_CALL_RESULT","messageId":"t","toolCallId":"c1","content":"42"}`
	assert.Assert(t, compare(t, NewNames(), emit, call+result) == nil)
	d := compare(t, NewNames(), emit, call+strings.Replace(result, `"t"`, `"u"`, 1))
	assert.Assert(t, d != nil, "the subject changed the id of an event that was to be sent as it is")
	assert.Equal(t, d.Summary(), `the tool result t has id "u" on the stream, not "t"`)
}

func TestOfAStreamThatIsNotFaithfulTheNamesOfWhatAgreesAreKept(t *testing.T) {
	names := NewNames()
	d := compare(t, names, callAndResult, `{"type":"CUSTOM","name":"x","value":1}`+strings.ReplaceAll(call, "c1", "x")+
		`{"type":"TOOL_CALL_RESULT","messageId":"y","toolCallId":"x","content":"43"}`)
	assert.Assert(t, d != nil)
	assert.DeepEqual(t, names.IDs(), map[string]string{"c1": "x", "m1": "y"})
}

func TestTheScriptsOwnNamesAreTriedFirst(t *testing.T) {
	two := `[{"parallel":{"branches":[[{"text":{"id":"a","stream":["hi"]}}],[{"text":{"id":"b","stream":["hi"]}}]]}}]`
	names := NewNames()
	d := compare(t, names, two, strings.ReplaceAll(hi, "m1", "b")+strings.ReplaceAll(hi, "m1", "a"))
	assert.Assert(t, d == nil, "%s", d)
	assert.DeepEqual(t, names.IDs(), map[string]string{"a": "a", "b": "b"})
}
