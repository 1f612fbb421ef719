package shape_test

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/agentstream/conformance/baseline/pi"
	"github.com/agentstream/conformance/verifier/assistant/shape"
)

var events = []pi.Event{
	{Type: "whole", Members: []pi.Member{
		{Name: "text", Kind: pi.String, Required: true},
		{Name: "choice", Kind: pi.String, Values: []string{"a", "b"}},
		{Name: "flag", Kind: pi.Boolean},
		{Name: "number", Kind: pi.Number},
		{Name: "count", Kind: pi.Integer},
		{Name: "list", Kind: pi.Array, Items: pi.String},
		{Name: "any", Kind: pi.Any},
		{Name: "gone", Kind: pi.String, Nullable: true},
		{Name: "usage", Kind: pi.Object, Of: "Usage"},
		{Name: "blocks", Kind: pi.Array, Of: "AssistantBlock"},
		{Name: "words", Kind: pi.Text, Of: "InputBlock"},
		{Name: "message", Kind: pi.Object, Of: pi.Message},
		{Name: "partial", Kind: pi.Object, Required: true, Forms: pi.InProcess},
		{Name: "late", Kind: pi.String, Required: true, Since: pi.Pi1x},
		{Name: "early", Kind: pi.String, Required: true, Until: pi.Pi073},
	}},
	{Type: "late", Since: pi.Pi080},
}

// faults lists what is wrong with an object, as "sort pointer".
func faults(c *shape.Checker) string {
	var all []string
	for s, f := range c.Faults {
		if f.Found {
			all = append(all, fmt.Sprintf("%s %s", [...]string{"missing", "type", "value", "null"}[s], f.Pointer))
		}
	}
	return strings.Join(all, "; ")
}

func TestMembersAreChecked(t *testing.T) {
	set := shape.Compile(pi.Pi080, events)
	var c shape.Checker
	for members, want := range map[string]string{
		``: "",
		`,"choice":"a","flag":true,"number":1.5,"count":3.0,"list":["x"],"any":[1],"gone":null,"other":null`: "",
		`,"choice":"c"`:      "value /choice",
		`,"choice":"\u0061"`: "",
		`,"choice":5`:        "type /choice",
		`,"choice":null`:     "null /choice",
		`,"flag":0`:          "type /flag",
		`,"number":"1"`:      "type /number",
		`,"count":1.5`:       "value /count",
		`,"count":1e400`:     "value /count",
		`,"list":["x",5]`:    "type /list/1",
		`,"list":{}`:         "type /list",
		`,"any":null`:        "null /any",
		`,"gone":5`:          "type /gone",
		`,"usage":{}`:        "missing /usage/input",
		`,"usage":[]`:        "type /usage",
		`,"blocks":[{"type":"text","text":""},{"type":"thinking"}]`: "missing /blocks/1/thinking",
		`,"blocks":[{"type":"image"}]`:                              "value /blocks/0",
		`,"blocks":[{}]`:                                            "missing /blocks/0/type",
		`,"blocks":[{"type":5}]`:                                    "type /blocks/0",
		`,"blocks":[5]`:                                             "type /blocks/0",
		`,"words":"x"`:                                              "",
		`,"words":[{"type":"text"}]`:                                "missing /words/0/text",
		`,"words":5`:                                                "type /words",
		`,"message":{"role":"application","x":5}`:                   "",
		`,"message":{"role":"user","content":5,"timestamp":1}`:      "type /message/content",
		`,"list":[5],"choice":null,"count":0.5,"usage":{}`:          "missing /usage/input; type /list/0; value /count; null /choice",
		`,"flag":1,"number":""`:                                     "type /flag",
		`,"fl\u0061g":1`:                                            "type /flag",
	} {
		data := []byte(`{"text":"x"` + members + `}`)
		c.Reset(data, "")
		assert.Equal(t, c.Object(set.Event([]byte("whole")), 0), len(data), members)
		assert.Equal(t, faults(&c), want, members)
		assert.Equal(t, c.Any(), want != "", members)
	}
}

func TestWhatIsRequiredDependsOnTheRelease(t *testing.T) {
	var c shape.Checker
	for profile, want := range map[string]string{pi.Pi073: "missing /at/early", pi.Pi080: "", pi.Pi1x: "missing /at/late", "di-code": "missing /at/late"} {
		set := shape.Compile(profile, events)
		assert.Equal(t, set.Event([]byte("late")) != nil, profile != pi.Pi073)
		assert.Assert(t, set.Event([]byte("other")) == nil)
		assert.Assert(t, set.Shape("Usage") != nil && set.Shape("other") == nil)
		c.Reset([]byte(`{"text":""}`), "/at")
		c.Object(set.Event([]byte("whole")), 0)
		assert.Equal(t, faults(&c), want, profile)
	}
	assert.DeepEqual(t, shape.Compile(pi.Pi1x, events).Types(), []string{"late", "whole"})
	c.Reset([]byte(`{"text":null,"flag":7}`), "")
	c.Object(shape.Compile(pi.Pi080, events, "text", "flag").Event([]byte("whole")), 0)
	assert.Equal(t, faults(&c), "", "members that are free may be anything")
}

func TestCheckingDoesNotAllocate(t *testing.T) {
	set := shape.Compile(pi.Pi080, events)
	var c shape.Checker
	data := []byte(`{"text":"x","choice":"b","count":1700000000000,"list":["x"],"blocks":[{"type":"text","text":"a few words"}],"other":{"a":[1]}}`)
	check := func() {
		c.Reset(data, "")
		c.Object(set.Event([]byte("whole")), 0)
	}
	check()
	assert.Equal(t, testing.AllocsPerRun(100, check), 0.0)
	assert.Assert(t, !c.Any())
}
