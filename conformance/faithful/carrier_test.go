package faithful

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// Allowance 11: a message without a word, for a call to hang on.
func TestAMessageThatOnlyCarriesACallMayBeThere(t *testing.T) {
	const carrier = `{"type":"TEXT_MESSAGE_START","messageId":"x","role":"assistant"}
		{"type":"TEXT_MESSAGE_END","messageId":"x"}
		{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"f","parentMessageId":"x"}
		{"type":"TOOL_CALL_END","toolCallId":"c1"}`
	const actions = `[{"toolCall":{"id":"c1","name":"f","stream":[]}}]`
	assert.Assert(t, compare(t, NewNames(), actions, carrier) == nil)
	for name, stream := range map[string]string{
		"with text":                strings.Replace(carrier, `{"type":"TEXT_MESSAGE_END"`, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"x","delta":"hi"}`+"\n"+`{"type":"TEXT_MESSAGE_END"`, 1),
		"of another role":          strings.Replace(carrier, `"role":"assistant"`, `"role":"user"`, 1),
		"with a name":              strings.Replace(carrier, `"role":"assistant"`, `"role":"assistant","name":"Ann"`, 1),
		"without a call":           strings.Replace(carrier, `,"parentMessageId":"x"`, "", 1),
		"of a call that it is not": strings.Replace(carrier, `"parentMessageId":"x"`, `"parentMessageId":"y"`, 1),
	} {
		assert.Check(t, compare(t, NewNames(), actions, stream) != nil, name)
	}
	// Where the script names the parent, it is that one.
	const named = `[{"text":{"id":"m1","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","parent":"m1","stream":[]}}]`
	assert.Assert(t, compare(t, NewNames(), named, hi+carrier) != nil)
	assert.Assert(t, compare(t, NewNames(), named, hi+strings.Replace(call, `"f"`, `"f","parentMessageId":"m1"`, 1)) == nil)
	assert.Assert(t, compare(t, NewNames(), `[{"toolCall":{"id":"c1","name":"f","parent":"x","stream":[]}}]`, carrier) != nil)
	// A message that the script has said is not opened again for it.
	const text = `[{"text":{"id":"x","stream":["hi"]}},{"toolCall":{"id":"c1","name":"f","stream":[]}}]`
	assert.Assert(t, compare(t, NewNames(), text, strings.ReplaceAll(hi, "m1", "x")+carrier) != nil)
	// One may carry several calls, and be opened for each of them.
	const two = `[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"toolCall":{"id":"c2","name":"f","stream":[]}}]`
	assert.Assert(t, compare(t, NewNames(), two, carrier+strings.ReplaceAll(carrier, "c1", "c2")) == nil)
	// Nor before the script says it, by a subject that keeps ids.
	keeps := NewNames()
	keeps.Identity = true
	const later = `[{"toolCall":{"id":"c1","name":"f","stream":[]}},{"text":{"id":"x","stream":["hi"]}}]`
	assert.Assert(t, compare(t, keeps, later, carrier+strings.ReplaceAll(hi, "m1", "x")) != nil)
	assert.Assert(t, compare(t, keeps, later, strings.ReplaceAll(carrier, `"x"`, `"y"`)+strings.ReplaceAll(hi, "m1", "x")) == nil)
}
