package faithful

import (
	"encoding/json"
	"testing"

	"gotest.tools/v3/assert"
)

func TestWhichSnapshotsChangeNothing(t *testing.T) {
	const (
		said = `{"kind":"message","id":"m","role":"assistant","content":"hi"}`
		more = `{"kind":"message","id":"m","role":"assistant","content":"!"}`
		made = `{"kind":"toolCall","id":"c","name":"f","arguments":"{}","parent":"m"}`
		hung = `{"kind":"toolCall","id":"c","name":"f","arguments":"{}"}`
		call = `"toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]`
		u    = `{"id":"u","role":"user","content":[{"type":"text","text":"x"}]}`
	)
	for _, c := range []struct {
		name, request, items, snapshot string
		nothing                        bool
	}{
		{"nothing at all", ``, ``, ``, true},
		{"the request's messages", u, ``, u, true},
		{"a message of the request changed", u, ``, `{"id":"u","role":"user","content":"x"}`, false},
		{"a message of the request left out", u, ``, ``, false},
		{"a new message", ``, ``, u, false},
		{"what the stream said", u, said, u + `,{"id":"m","role":"assistant","content":"hi"}`, true},
		{"another order", u, said, `{"id":"m","role":"assistant","content":"hi"},` + u, true},
		{"more metadata", ``, said, `{"id":"m","role":"assistant","content":"hi","metadata":{"k":1}}`, true},
		{"a message twice", ``, said, `{"id":"m","role":"assistant","content":"hi"},{"id":"m","role":"assistant","content":"hi"}`, false},
		{"what was reopened", ``, said + "," + more, `{"id":"m","role":"assistant","content":"hi!"}`, true},
		{"only one opening", ``, said + "," + more, `{"id":"m","role":"assistant","content":"!"}`, false},
		{"what goes on from the request", `{"id":"m","role":"assistant","content":"Oh "}`, said, `{"id":"m","role":"assistant","content":"Oh hi"}`, true},
		{"another role", ``, said, `{"id":"m","role":"user","content":"hi"}`, false},
		{"a name", ``, said, `{"id":"m","role":"assistant","content":"hi","name":"N"}`, false},
		{"an owner", ``, said, `{"id":"m","role":"assistant","content":"hi","subagentRunId":"s"}`, false},
		{"an error", ``, `{"kind":"message","id":"t","role":"tool","toolCallId":"c","content":"x"}`, `{"id":"t","role":"tool","toolCallId":"c","content":"x","error":"no"}`, false},
		{"a result", ``, `{"kind":"message","id":"t","role":"tool","toolCallId":"c","content":"x"}`, `{"id":"t","role":"tool","toolCallId":"c","content":"x"}`, true},
		{"an encrypted value kept", ``, `{"kind":"message","id":"m","role":"assistant","content":"hi","encryptedValue":"e"},` + more, `{"id":"m","role":"assistant","content":"hi!","encryptedValue":"e"}`, true},
		{"an encrypted value withdrawn", ``, `{"kind":"message","id":"m","role":"assistant","content":"hi","encryptedValue":"e"}`, `{"id":"m","role":"assistant","content":"hi"}`, false},
		{"a call in its message", ``, said + "," + made, `{"id":"m","role":"assistant","content":"hi",` + call + `}`, true},
		{"a call left out", ``, said + "," + made, `{"id":"m","role":"assistant","content":"hi"}`, false},
		{"a call with other arguments", ``, `{"kind":"message","id":"m","role":"assistant","content":""},{"kind":"toolCall","id":"c","name":"f","arguments":"","parent":"m"}`, `{"id":"m","role":"assistant",` + call + `}`, false},
		{"a call in another message", ``, said + `,{"kind":"message","id":"n","role":"assistant","content":""},` + made, `{"id":"m","role":"assistant","content":"hi"},{"id":"n","role":"assistant",` + call + `}`, false},
		{"a call that hung nowhere, in a message of its own", ``, said + "," + hung, `{"id":"m","role":"assistant","content":"hi"},{"id":"x","role":"assistant",` + call + `}`, true},
		{"a call that hung nowhere, in a known message", ``, said + "," + hung, `{"id":"m","role":"assistant","content":"hi",` + call + `}`, true},
		{"a call that hung nowhere, left out", ``, said + "," + hung, `{"id":"m","role":"assistant","content":"hi"}`, false},
		{"a call of nobody", ``, said, `{"id":"m","role":"assistant","content":"hi",` + call + `}`, false},
		{"a message of its own that says something", ``, hung, `{"id":"x","role":"assistant","content":"!",` + call + `}`, false},
		{"reasoning left out", ``, said + `,{"kind":"message","id":"r","role":"reasoning","content":"hm"}`, `{"id":"m","role":"assistant","content":"hi"}`, true},
		{
			"some reasoning left out", ``, `{"kind":"message","id":"r","role":"reasoning","content":"hm"},{"kind":"message","id":"s","role":"reasoning","content":""}`,
			`{"id":"r","role":"reasoning","content":"hm"}`, false,
		},
		{"activities left out", ``, `{"kind":"message","id":"p","role":"activity","activityType":"A","content":{}}`, ``, true},
		{"an activity", ``, `{"kind":"message","id":"p","role":"activity","activityType":"A","content":{}}`, `{"id":"p","role":"activity","activityType":"A","content":{}}`, true},
		{"an activity of another type", ``, `{"kind":"message","id":"p","role":"activity","activityType":"A","content":{}}`, `{"id":"p","role":"activity","activityType":"B","content":{}}`, false},
		{"what a snapshot has changed", u, said + `,{"kind":"snapshot","messages":[` + u + `]}`, u, true},
		{"what a snapshot has taken away", u, said + `,{"kind":"snapshot","messages":[` + u + `]}`, u + `,{"id":"m","role":"assistant","content":"hi"}`, false},
		{
			"reasoning that a snapshot left alone", ``, `{"kind":"message","id":"r","role":"reasoning","content":"hm"},{"kind":"snapshot","messages":[]}`,
			`{"id":"r","role":"reasoning","content":"hm"}`, true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var request, items []any
			assert.NilError(t, json.Unmarshal([]byte("["+c.request+"]"), &request))
			if c.items != "" {
				c.items += ","
			}
			assert.NilError(t, json.Unmarshal([]byte("["+c.items+`{"kind":"snapshot","messages":[`+c.snapshot+"]}]"), &items))
			s, err := readStream(streamOf(items))
			assert.NilError(t, err)
			s.markExtras(request)
			assert.Equal(t, s[len(s)-2].extra, c.nothing)
		})
	}
}
